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
