package runtime

// This file holds the Dirichlet distribution.

import (
	"math"
	"slices"
)

// Dirichlet draws the point dst of the simplex with density ∝ Π dst_k^(alpha_k-1). dst may be alpha. Every alpha must be
// positive: else dst is NaN. No element is ever 0.
func (r *Rand) Dirichlet(dst, alpha []float64) { r.dirichlet(dst, alpha, 0) }

// DirichletNat draws the point dst of the simplex with density ∝ Π dst_k^c_k: a Dirichlet(c+1). dst may be c. Every c must be
// above -1: else dst is NaN.
func (r *Rand) DirichletNat(dst, c []float64) { r.dirichlet(dst, c, 1) }

func (r *Rand) dirichlet(dst, alpha []float64, add float64) {
	alpha = alpha[:len(dst)]
	sum := 0.0
	if slices.ContainsFunc(alpha, func(a float64) bool { return a+add >= 1 }) {
		// One Gamma at least is of ordinary size: what underflows beside it is nothing.
		for k, a := range alpha {
			a += add
			var g float64
			switch {
			case a >= 1 && a <= huge:
				g = r.gamma1(a)
			case a > 0 && a < 1:
				g = r.smallGamma(a)
			default:
				fillNaN(dst)
				return
			}
			dst[k] = g
			sum += g
		}
	} else {
		top := math.Inf(-1)
		for k, a := range alpha {
			if !(a+add > 0) {
				fillNaN(dst)
				return
			}
			dst[k] = r.logGamma(a + add)
			top = max(top, dst[k])
		}
		for k, l := range dst {
			dst[k] = math.Exp(l - top)
			sum += dst[k]
		}
	}
	inv := 1 / sum
	for k, g := range dst {
		dst[k] = open01(g * inv)
	}
}

// DirichletLogPDF returns the log density of Dirichlet(alpha) at x, with respect to all coordinates but one: -Inf unless x is
// positive and sums to 1 within 1e-8.
func DirichletLogPDF(x, alpha []float64) float64 {
	x = x[:len(alpha)]
	s, a0, sum := 0.0, 0.0, 0.0
	out := false
	for k, a := range alpha {
		if !isPositive(a) || x[k] != x[k] {
			return nan()
		}
		if x[k] <= 0 {
			out = true
			continue
		}
		s += (a-1)*math.Log(x[k]) - LgammaF(a)
		a0 += a
		sum += x[k]
	}
	if out || !(math.Abs(sum-1) <= 1e-8) {
		return math.Inf(-1)
	}
	return s + LgammaF(a0)
}
