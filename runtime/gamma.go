package runtime

// This file holds the Gamma and Exponential distributions: draws, logs of draws, and densities.

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Gamma draws x > 0 with density rate^shape/Γ(shape) · x^(shape-1) · exp(-rate·x).
func (r *Rand) Gamma(shape, rate float64) float64 {
	if !isPositive(shape) || !isPositive(rate) {
		return nan()
	}
	if shape >= 1 {
		return positive(r.gamma1(shape) / rate)
	}
	g, e := r.gamma1(shape+1), r.Exp1()/shape
	if e < 300 {
		return positive(g * math.Exp(-e) / rate)
	}
	return positive(math.Exp(math.Log(g) - e - math.Log(rate))) // a tiny rate may bring it back into range
}

// LogGamma draws the logarithm of a Gamma(shape, rate), which does not underflow however small the shape.
func (r *Rand) LogGamma(shape, rate float64) float64 {
	if !isPositive(shape) || !isPositive(rate) {
		return nan()
	}
	return finite(r.logGamma(shape) - math.Log(rate))
}

// logGamma draws the logarithm of a Gamma(shape, 1), shape in (0, ∞). Below 1 it is G·U^(1/shape) with G of shape+1.
func (r *Rand) logGamma(shape float64) float64 {
	if shape >= 1 {
		return math.Log(r.gamma1(shape))
	}
	return finite(math.Log(r.gamma1(shape+1)) - r.Exp1()/shape)
}

// gamma1 draws a Gamma(shape, 1), shape in [1, ∞): Marsaglia & Tsang (2000), the cube of a Normal.
func (r *Rand) gamma1(shape float64) float64 {
	d := shape - 1.0/3
	c := 1 / (3 * math.Sqrt(d))
	for {
		x := r.Norm()
		t := c * x
		if t <= -1 {
			continue
		}
		v := (1 + t) * (1 + t) * (1 + t)
		u := r.Float64()
		x2 := x * x
		if u < 1-0.0331*x2*x2 {
			return d * v
		}
		// x²/2 + d(1 - v + log v), written in t so that large shapes do not cancel.
		if math.Log(u) < 3*d*log1pRest(t) {
			return d * v
		}
	}
}

// smallGamma draws a Gamma(shape, 1), 0 < shape < 1, by algorithm GS of Ahrens & Dieter (1974), which tries little more
// than once for a small shape. What would be no normal number comes out as 0.
func (r *Rand) smallGamma(shape float64) float64 {
	for {
		p := r.Float64() * (1 + shape*(1/math.E))
		if p >= 1 {
			x := -math.Log((1 + shape*(1/math.E) - p) / shape)
			if r.Exp1() >= (1-shape)*math.Log(x) {
				return x
			}
			continue
		}
		// The power U^(1/shape) of a uniform number, taken as exp(-E/shape) lest it lose digits, is accepted with probability
		// exp(-x); p, uniform below 1, decides.
		l := -r.Exp1() / shape
		if l < leastExp {
			return 0
		}
		if x := quickExp(l); p <= 1-x || p <= math.Exp(-x) {
			return x
		}
	}
}

// log1pRest returns log(1+t) - t + t²/2 - t³/3.
func log1pRest(t float64) float64 {
	if math.Abs(t) < 0.02 {
		return -t * t * t * t * (1.0/4 - t*(1.0/5-t*(1.0/6-t*(1.0/7-t*(1.0/8-t*(1.0/9-t*(1.0/10-t/11)))))))
	}
	return math.Log1p(t) - t + t*t*(0.5-t/3)
}

// Exponential draws x > 0 with density rate · exp(-rate·x).
func (r *Rand) Exponential(rate float64) float64 {
	if !isPositive(rate) {
		return nan()
	}
	return positive(r.Exp1() / rate)
}

// GammaNat draws t > 0 with density ∝ t^c · exp(-b·t), a Gamma(shape c+1, rate b). It is improper, and NaN, unless c > -1 and b > 0.
func (r *Rand) GammaNat(c, b float64) float64 { return r.Gamma(c+1, b) }

// GammaLogPDF returns the log density of Gamma(shape, rate) at x: -Inf for x outside (0, ∞), NaN for invalid parameters.
func GammaLogPDF(x, shape, rate float64) float64 {
	if !isPositive(shape) || !isPositive(rate) || x != x {
		return nan()
	}
	if !isPositive(x) {
		return math.Inf(-1)
	}
	if m := rate * x; shape >= 20 && isPositive(m) {
		return math.Log(rate) + logPoisson(shape-1, m)
	}
	return shape*math.Log(rate) - LgammaF(shape) + (shape-1)*math.Log(x) - rate*x
}

// GammaCDF returns P(X <= x) for X ~ Gamma(shape, rate).
func GammaCDF(x, shape, rate float64) float64 {
	if !isPositive(shape) || !isPositive(rate) || x != x {
		return nan()
	}
	if x <= 0 {
		return 0
	}
	if rate*x > huge {
		return 1
	}
	return mathext.GammaIncReg(shape, rate*x)
}

// ExponentialLogPDF returns the log density of Exponential(rate) at x: -Inf for x < 0.
func ExponentialLogPDF(x, rate float64) float64 {
	if !isPositive(rate) || x != x {
		return nan()
	}
	if x < 0 {
		return math.Inf(-1)
	}
	return math.Log(rate) - rate*x
}
