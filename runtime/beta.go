package runtime

// This file holds the Beta distribution.

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Beta draws x in (0, 1) with density ∝ x^(a-1) (1-x)^(b-1).
func (r *Rand) Beta(a, b float64) float64 {
	if !isPositive(a) || !isPositive(b) {
		return nan()
	}
	if a >= 1 && b >= 1 {
		x, y := r.gamma1(a), r.gamma1(b)
		if s := x + y; s <= huge {
			return open01(x / s)
		}
		return open01(1 / (1 + b/a)) // both beyond the last bit of a float64
	}
	// Small shapes underflow: stay in logs.
	return open01(Logistic(r.logGamma(a) - r.logGamma(b)))
}

// BetaNat draws t in (0, 1) with density ∝ t^c · (1-t)^d, a Beta(c+1, d+1). It is improper, and NaN, unless both are above -1.
func (r *Rand) BetaNat(c, d float64) float64 { return r.Beta(c+1, d+1) }

// open01 keeps a probability off 0 and 1.
func open01(x float64) float64 {
	const last = 1 - 0x1p-53
	if x < tiny {
		return tiny
	}
	if x > last {
		return last
	}
	return x
}

// BetaLogPDF returns the log density of Beta(a, b) at x: -Inf outside (0, 1).
func BetaLogPDF(x, a, b float64) float64 {
	if !isPositive(a) || !isPositive(b) || x != x {
		return nan()
	}
	if !(x > 0 && x < 1) {
		return math.Inf(-1)
	}
	if a >= 2 && b >= 2 {
		return math.Log(a+b-1) + logBinomial(a-1, b-1, x, 1-x)
	}
	return (a-1)*math.Log(x) + (b-1)*math.Log1p(-x) - logBeta(a, b)
}

// BetaCDF returns P(X <= x) for X ~ Beta(a, b).
func BetaCDF(x, a, b float64) float64 {
	if !isPositive(a) || !isPositive(b) || x != x {
		return nan()
	}
	return mathext.RegIncBeta(a, b, min(max(x, 0), 1))
}
