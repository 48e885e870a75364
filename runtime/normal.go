package runtime

// This file holds the Normal distribution and its relatives on the line: Half-Normal, LogNormal, Student t, Laplace, Cauchy.

import "math"

// Normal draws from the Normal distribution with the given mean and VARIANCE.
func (r *Rand) Normal(mean, variance float64) float64 {
	if !isPositive(variance) || !isFinite(mean) {
		return nan()
	}
	return finite(mean + math.Sqrt(variance)*r.Norm())
}

// NormalNat draws x with density ∝ exp(h·x - prec·x²/2): mean h/prec, variance 1/prec. It is improper, and NaN, unless prec > 0.
func (r *Rand) NormalNat(h, prec float64) float64 {
	if !isPositive(prec) || !isFinite(h) {
		return nan()
	}
	return finite(h/prec + r.Norm()/math.Sqrt(prec))
}

// NormalLogPDF returns the log density of Normal(mean, VARIANCE) at x.
func NormalLogPDF(x, mean, variance float64) float64 {
	if !isPositive(variance) || !isFinite(mean) || x != x {
		return nan()
	}
	d := x - mean
	return -0.5 * (log2Pi + math.Log(variance) + d*d/variance)
}

// HalfNormal draws x > 0 with density ∝ exp(-x²/(2·variance)); variance is that of the Normal before it is folded.
func (r *Rand) HalfNormal(variance float64) float64 {
	if !isPositive(variance) {
		return nan()
	}
	return positive(math.Sqrt(variance) * math.Abs(r.Norm()))
}

// HalfNormalLogPDF returns the log density of HalfNormal(variance) at x: -Inf for x < 0.
func HalfNormalLogPDF(x, variance float64) float64 {
	if !isPositive(variance) || x != x {
		return nan()
	}
	if x < 0 {
		return math.Inf(-1)
	}
	return math.Ln2 + NormalLogPDF(x, 0, variance)
}

// LogNormal draws x > 0 with log x ~ Normal(meanlog, VARIANCE varlog).
func (r *Rand) LogNormal(meanlog, varlog float64) float64 {
	return positive(math.Exp(r.Normal(meanlog, varlog)))
}

// LogNormalNat draws t > 0 with density ∝ t^c · exp(-q·(log t)²/2): log t is Normal with mean (c+1)/q and variance 1/q. It is
// improper, and NaN, unless q > 0.
func (r *Rand) LogNormalNat(c, q float64) float64 {
	return positive(math.Exp(r.NormalNat(c+1, q)))
}

// LogNormalLogPDF returns the log density of LogNormal(meanlog, VARIANCE varlog) at x: -Inf for x outside (0, ∞).
func LogNormalLogPDF(x, meanlog, varlog float64) float64 {
	if !isPositive(varlog) || !isFinite(meanlog) || x != x {
		return nan()
	}
	if !isPositive(x) {
		return math.Inf(-1)
	}
	l := math.Log(x)
	return NormalLogPDF(l, meanlog, varlog) - l
}

// StudentT draws from Student's t with df degrees of freedom, moved to mean (its centre) and stretched by scale (not its sd).
func (r *Rand) StudentT(mean, df, scale float64) float64 {
	if !isPositive(df) || !isPositive(scale) || !isFinite(mean) {
		return nan()
	}
	w := r.Gamma(df/2, df/2)
	return finite(mean + scale*r.Norm()/math.Sqrt(w))
}

// StudentTLogPDF returns the log density of StudentT(mean, df, scale) at x.
func StudentTLogPDF(x, mean, df, scale float64) float64 {
	if !isPositive(df) || !isPositive(scale) || !isFinite(mean) || x != x {
		return nan()
	}
	z := (x - mean) / scale
	return lgammaHalf(df/2) - 0.5*(math.Log(df)+logPi) - math.Log(scale) - (df+1)/2*log1pSquare(z/math.Sqrt(df))
}

// Laplace draws with density exp(-|x - mean|/scale)/(2·scale).
func (r *Rand) Laplace(mean, scale float64) float64 {
	if !isPositive(scale) || !isFinite(mean) {
		return nan()
	}
	e := scale * r.Exp1()
	if r.Uint64()>>63 == 0 {
		e = -e
	}
	return finite(mean + e)
}

// LaplaceLogPDF returns the log density of Laplace(mean, scale) at x.
func LaplaceLogPDF(x, mean, scale float64) float64 {
	if !isPositive(scale) || !isFinite(mean) || x != x {
		return nan()
	}
	return -math.Ln2 - math.Log(scale) - math.Abs(x-mean)/scale
}

// HalfCauchy draws x > 0 with density ∝ 1/(1 + (x/scale)²).
func (r *Rand) HalfCauchy(scale float64) float64 {
	if !isPositive(scale) {
		return nan()
	}
	return positive(scale * math.Abs(r.Norm()/r.Norm()))
}

// HalfCauchyLogPDF returns the log density of HalfCauchy(scale) at x: -Inf for x < 0.
func HalfCauchyLogPDF(x, scale float64) float64 {
	if !isPositive(scale) || x != x {
		return nan()
	}
	if x < 0 {
		return math.Inf(-1)
	}
	return math.Ln2 - logPi - math.Log(scale) - log1pSquare(x/scale)
}
