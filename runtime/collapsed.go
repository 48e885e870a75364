// This file holds log densities in natural parameters with their constants, which the log joint of a model with
// unknowns integrated out needs, and values anywhere in a support, at which it is taken apart.

package runtime

import "math"

// DirichletNatLogPDF returns the log density at x of the Dirichlet ∝ Π x[k]^c[k].
func DirichletNatLogPDF(x, c []float64) float64 {
	var s, total float64
	for k, ck := range c {
		s += ck*math.Log(x[k]) - LgammaF(ck+1)
		total += ck + 1
	}
	return s + LgammaF(total)
}

// BetaNatLogPDF returns the log density at x of the Beta ∝ x^c (1-x)^d.
func BetaNatLogPDF(x, c, d float64) float64 { return BetaLogPDF(x, c+1, d+1) }

// GammaPowNatLogPDF returns the log density at x of ∝ x^c exp(-b x^r) on (0, ∞): x^r is Gamma((c+1)/r, rate = b).
func GammaPowNatLogPDF(x, c, b, r float64) float64 {
	shape := (c + 1) / r
	return math.Log(math.Abs(r)) + shape*math.Log(b) - LgammaF(shape) + c*math.Log(x) - b*math.Pow(x, r)
}

// NormalNatLogPDF returns the log density at x of ∝ exp(h·x - prec·x²/2).
func NormalNatLogPDF(x, h, prec float64) float64 { return NormalLogPDF(x, h/prec, 1/prec) }

// AnySimplex fills x with some point of the simplex.
func (r *Rand) AnySimplex(x []float64) {
	var sum float64
	for i := range x {
		x[i] = 0.1 + r.Float64()
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

// AnyUnit fills x with numbers in (0, 1).
func (r *Rand) AnyUnit(x []float64) {
	for i := range x {
		x[i] = r.Open01()
	}
}

// AnyPositive fills x with positive numbers.
func (r *Rand) AnyPositive(x []float64) {
	for i := range x {
		x[i] = 0.2 + 2*r.Float64()
	}
}

// AnyReal fills x with real numbers.
func (r *Rand) AnyReal(x []float64) {
	for i := range x {
		x[i] = r.Norm()
	}
}

// AnySPD fills the p by p matrix x with some positive definite matrix.
func (r *Rand) AnySPD(x []float64, p int) {
	FillIdentity(x, p)
	for range p {
		v := make([]float64, p)
		r.AnyReal(v)
		for i := range p {
			for j := range p {
				x[i*p+j] += v[i] * v[j] / 2
			}
		}
	}
}

// LogZNIW returns, up to a constant of p alone, the log of the integral over a vector m and a positive definite matrix v of
//
//	|v|^c exp(-kappa·mᵀv⁻¹m/2 + bᵀv⁻¹m - tr(S v⁻¹)/2),
//
// the Normal-Inverse-Wishart in natural parameters: with Psi = S - bbᵀ/kappa and nu = -2c-p-2 it is
// (nu·p/2)·log 2 + log Γ_p(nu/2) - (p/2)·log kappa - (nu/2)·log|Psi| + (p/2)·log 2π. S is overwritten.
func LogZNIW(kappa float64, b, S []float64, c float64, p int, ws *MatWork) float64 {
	nu := -2*c - float64(p) - 2
	for i := range p {
		for j := range p {
			S[i*p+j] -= b[i] * b[j] / kappa
		}
	}
	l, err := LogDetSPD(S, p, ws)
	if err != nil || kappa <= 0 || nu <= float64(p)-1 {
		return math.NaN()
	}
	d := float64(p)
	return nu*d/2*math.Ln2 + LMvGamma(p, nu/2) - d/2*math.Log(kappa) - nu/2*l + d/2*math.Log(2*math.Pi)
}

// NIWNatLogPDF returns the log density at (m, v) of the Normal-Inverse-Wishart in the natural parameters of LogZNIW. S is
// overwritten.
func NIWNatLogPDF(m, v []float64, kappa float64, b, S []float64, c float64, p int, ws *MatWork) float64 {
	inv := make([]float64, p*p)
	l, err := InvertSPD(inv, v, p, ws)
	if err != nil {
		return math.Inf(-1)
	}
	s := c * l
	for i := range p {
		for j := range p {
			s += inv[i*p+j] * (b[i]*m[j] - kappa*m[i]*m[j]/2 - S[i*p+j]/2)
		}
	}
	return s - LogZNIW(kappa, b, S, c, p, ws)
}

// NIGNatLogPDF returns the log density at (m, v), v > 0, of ∝ v^c exp(-(kappa·m²/2 - b·m + S)/v), the
// Normal-Inverse-Gamma.
func NIGNatLogPDF(m, v, kappa, b, S, c float64) float64 {
	shape := -c - 1.5
	scale := S - b*b/(2*kappa)
	return InvGammaLogPDF(v, shape, scale) + NormalLogPDF(m, b/kappa, v/kappa)
}

// CRPTerm returns what n members of one category add to the log probability of a partition: log α + log Γ(n), or 0 if
// there are none.
func CRPTerm(n, alpha float64) float64 {
	if n <= 0 {
		return 0
	}
	return math.Log(alpha) + LgammaF(n)
}

// LogCRP returns the log weight with which one more joins a category of n members: log n, or log α if it is empty.
func LogCRP(n, alpha float64) float64 {
	if n <= 0 {
		return math.Log(alpha)
	}
	return math.Log(n)
}

// Resize returns x with length n, keeping what fits; it allocates only to grow beyond the capacity, twofold.
func Resize[T any](x []T, n int) []T {
	if n <= cap(x) {
		return x[:n]
	}
	y := make([]T, n, max(n, 2*cap(x)))
	copy(y, x)
	return y
}

// SwapRows exchanges rows i and j of width n.
func SwapRows[T any](x []T, i, j, n int) {
	a, b := x[i*n:][:n], x[j*n:][:n]
	for k := range a {
		a[k], b[k] = b[k], a[k]
	}
}

// SwapLabels exchanges the categories i and j.
func SwapLabels(z []int32, i, j int32) {
	for n, k := range z {
		switch k {
		case i:
			z[n] = j
		case j:
			z[n] = i
		}
	}
}

// Fill sets every element to v.
func Fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}

// FillIdentity makes every n by n block of x the identity matrix.
func FillIdentity(x []float64, n int) {
	for i := range x {
		x[i] = 0
		if r := i % (n * n); r/n == r%n {
			x[i] = 1
		}
	}
}

// Tile returns dst holding n copies of x.
func Tile(dst, x []float64, n int) []float64 {
	dst = Resize(dst, n*len(x))
	for k := range n {
		copy(dst[k*len(x):], x)
	}
	return dst
}
