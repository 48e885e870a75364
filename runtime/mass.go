package runtime

// This file holds the probabilities of intervals, which divide the densities of truncated distributions. XLogMass(lo, hi, ...) returns
// log P(lo < x < hi) for the distribution X in the parameters of XLogPDF; either bound may be infinite. It is -Inf where no
// probability lies between the bounds, and NaN for invalid parameters or lo > hi.

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// logDiff returns log(P(x < hi) - P(x < lo)) from both tails of a distribution, whichever loses fewer digits: cdf and its
// complement sf.
func logDiff(lo, hi float64, cdf, sf func(float64) float64) float64 {
	if !(lo <= hi) {
		return nan()
	}
	below, above := cdf(lo), sf(lo)
	if below <= above {
		return math.Log(cdf(hi) - below)
	}
	return math.Log(above - sf(hi))
}

// NormalLogMass is for the Normal with the given mean and VARIANCE.
func NormalLogMass(lo, hi, mean, variance float64) float64 {
	sd := math.Sqrt(variance)
	if !isPositive(sd) || !isFinite(mean) {
		return nan()
	}
	return LogNormalInterval((lo-mean)/sd, (hi-mean)/sd)
}

// LogNormalLogMass is for LogNormal(meanlog, varlog).
func LogNormalLogMass(lo, hi, meanlog, varlog float64) float64 {
	return NormalLogMass(math.Log(max(lo, 0)), math.Log(max(hi, 0)), meanlog, varlog)
}

// HalfNormalLogMass is for HalfNormal(variance), the variance before folding.
func HalfNormalLogMass(lo, hi, variance float64) float64 {
	return math.Ln2 + NormalLogMass(max(lo, 0), max(hi, 0), 0, variance)
}

// GammaLogMass is for Gamma(shape, RATE).
func GammaLogMass(lo, hi, shape, rate float64) float64 {
	if !isPositive(shape) || !isPositive(rate) {
		return nan()
	}
	at := func(x float64) float64 { return rate * max(x, 0) }
	return logDiff(lo, hi,
		func(x float64) float64 { return regGammaP(shape, at(x)) },
		func(x float64) float64 { return regGammaQ(shape, at(x)) })
}

// regGammaP is the regularised lower incomplete gamma function, at infinity too.
func regGammaP(a, x float64) float64 {
	if x > huge {
		return 1
	}
	return mathext.GammaIncReg(a, x)
}

// regGammaQ is its complement.
func regGammaQ(a, x float64) float64 {
	if x > huge {
		return 0
	}
	return mathext.GammaIncRegComp(a, x)
}

// InvGammaLogMass is for InvGamma(shape, SCALE).
func InvGammaLogMass(lo, hi, shape, scale float64) float64 {
	return GammaLogMass(1/max(hi, 0), 1/max(lo, 0), shape, scale)
}

// ExponentialLogMass is for Exponential(RATE).
func ExponentialLogMass(lo, hi, rate float64) float64 {
	if !isPositive(rate) || !(lo <= hi) {
		return nan()
	}
	lo, hi = max(lo, 0), max(hi, 0)
	return -rate*lo + log1mExp(-rate*(hi-lo))
}

// BetaLogMass is for Beta(a, b).
func BetaLogMass(lo, hi, a, b float64) float64 {
	if !isPositive(a) || !isPositive(b) {
		return nan()
	}
	return logDiff(lo, hi,
		func(x float64) float64 { return mathext.RegIncBeta(a, b, min(max(x, 0), 1)) },
		func(x float64) float64 { return mathext.RegIncBeta(b, a, 1-min(max(x, 0), 1)) })
}

// UniformLogMass is for Uniform(a, b).
func UniformLogMass(lo, hi, a, b float64) float64 {
	if !(a < b) || !isFinite(a) || !isFinite(b) || !(lo <= hi) {
		return nan()
	}
	return math.Log(max(min(hi, b)-max(lo, a), 0) / (b - a))
}

// LaplaceLogMass is for Laplace(mean, SCALE).
func LaplaceLogMass(lo, hi, mean, scale float64) float64 {
	if !isPositive(scale) {
		return nan()
	}
	cdf := func(x float64) float64 {
		z := (x - mean) / scale
		if z > 0 {
			return 1 - math.Exp(-z)/2
		}
		return math.Exp(z) / 2
	}
	return logDiff(lo, hi, cdf, func(x float64) float64 { return cdf(2*mean - x) })
}

// HalfCauchyLogMass is for HalfCauchy(scale).
func HalfCauchyLogMass(lo, hi, scale float64) float64 {
	if !isPositive(scale) {
		return nan()
	}
	return logDiff(max(lo, 0), max(hi, 0),
		func(x float64) float64 { return 2 / math.Pi * math.Atan(x/scale) },
		func(x float64) float64 { return 2 / math.Pi * math.Atan2(scale, x) })
}

// StudentTLogMass is for StudentT(mean, df, SCALE).
func StudentTLogMass(lo, hi, mean, df, scale float64) float64 {
	if !isPositive(df) || !isPositive(scale) || !isFinite(mean) {
		return nan()
	}
	upper := func(z float64) float64 { // P(T > z), z >= 0
		return 0.5 * mathext.RegIncBeta(df/2, 0.5, df/(df+z*z))
	}
	sf := func(x float64) float64 {
		if z := (x - mean) / scale; z >= 0 {
			return upper(z)
		} else {
			return 1 - upper(-z)
		}
	}
	return logDiff(lo, hi, func(x float64) float64 { return sf(2*mean - x) }, sf)
}

// InvGaussianLogMass is for InvGaussian(mean, shape).
func InvGaussianLogMass(lo, hi, mean, shape float64) float64 {
	if !isPositive(mean) || !isPositive(shape) {
		return nan()
	}
	parts := func(x float64) (a, b float64) {
		r := math.Sqrt(shape / x)
		return r * (x/mean - 1), -r * (x/mean + 1)
	}
	cdf := func(x float64) float64 { // Shuster (1968)
		switch {
		case x <= 0:
			return 0
		case x > huge:
			return 1
		}
		a, b := parts(x)
		return NormalCDF(a) + math.Exp(2*shape/mean+LogNormalCDF(b))
	}
	sf := func(x float64) float64 {
		switch {
		case x <= 0:
			return 1
		case x > huge:
			return 0
		}
		a, b := parts(x)
		return NormalCDF(-a) - math.Exp(2*shape/mean+LogNormalCDF(b))
	}
	return logDiff(lo, hi, cdf, sf)
}
