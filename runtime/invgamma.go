package runtime

// This file holds the Inverse-Gamma distribution.

import "math"

// InvGamma draws x > 0 with density scale^shape/Γ(shape) · x^(-shape-1) · exp(-scale/x).
func (r *Rand) InvGamma(shape, scale float64) float64 {
	if !isPositive(shape) || !isPositive(scale) {
		return nan()
	}
	if shape >= 1 {
		return positive(scale / r.gamma1(shape))
	}
	return positive(math.Exp(math.Log(scale) - r.logGamma(shape)))
}

// InvGammaLogPDF returns the log density of InvGamma(shape, scale) at x: -Inf for x outside (0, ∞).
func InvGammaLogPDF(x, shape, scale float64) float64 {
	if !isPositive(shape) || !isPositive(scale) || x != x {
		return nan()
	}
	if !isPositive(x) {
		return math.Inf(-1)
	}
	if m := scale / x; shape >= 20 && isPositive(m) {
		return logPoisson(shape-1, m) + math.Log(scale) - 2*math.Log(x)
	}
	return shape*math.Log(scale) - LgammaF(shape) - (shape+1)*math.Log(x) - scale/x
}
