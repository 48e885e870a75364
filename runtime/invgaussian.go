package runtime

// This file holds the Inverse-Gaussian distribution.

import "math"

// InvGaussian draws x > 0 with density sqrt(shape/(2πx³)) · exp(-shape·(x-mean)²/(2·mean²·x)). The mean may be +Inf: the
// Lévy distribution, 1/x ~ Gamma(1/2, shape/2).
//
// The method is that of Michael, Schucany & Haas (1976), with the smaller root of their quadratic written as a quotient:
// their difference loses all digits once mean is 1e8 times shape.
func (r *Rand) InvGaussian(mean, shape float64) float64 {
	if !(mean > 0) || !isPositive(shape) {
		return nan()
	}
	z := r.Norm()
	y := z * z
	w := y / 2 * (mean / shape)
	if w > 1e16 || w != w {
		// The limit of a large mean; the larger root is drawn with probability x/mean.
		x := shape / y
		if mean < math.Inf(1) && r.Float64()*(1+x/mean) > 1 {
			return positive(mean * (mean / x))
		}
		return positive(x)
	}
	big := 1 + w + math.Sqrt(w*(w+2)) // larger root over mean; the smaller is its reciprocal
	if r.Float64()*(1+1/big) > 1 {
		return positive(mean * big)
	}
	return positive(mean / big)
}

// InvGaussianLogPDF returns the log density of InvGaussian(mean, shape) at x: -Inf for x outside (0, ∞).
func InvGaussianLogPDF(x, mean, shape float64) float64 {
	if !isPositive(mean) || !isPositive(shape) || x != x {
		return nan()
	}
	if !isPositive(x) {
		return math.Inf(-1)
	}
	d := (x - mean) / mean
	return 0.5*(math.Log(shape)-log2Pi) - 1.5*math.Log(x) - shape*d*d/(2*x)
}
