package runtime

// This file holds the special functions that densities and truncation constants need.

import "math"

const (
	log2Pi = 1.8378770664093454835606594728112352797227949472756
	logPi  = 1.1447298858494001741434273513530587116472948129153
)

// LgammaF returns log|Γ(x)|.
func LgammaF(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}

// lgammaNear is how far differences of log Γ stand out from rounding, which is 0.03 there and grows with what is rounded.
const lgammaNear = 1e13

// LgammaNear is LgammaF where differences of it stand out from rounding, and NaN beyond 1e13. A log density with log Γ(k t) - k log Γ(t) in it
// is noise far out, in which a slice sampler would lose itself; NaN it takes for where the density ends.
func LgammaNear(x float64) float64 {
	if x > lgammaNear {
		return nan()
	}
	return LgammaF(x)
}

// LMvGamma returns the log of the multivariate gamma function Γ_p(a) = π^(p(p-1)/4) Π_{i<p} Γ(a - i/2); NaN unless p >= 1 and
// a > (p-1)/2.
func LMvGamma(p int, a float64) float64 {
	if p < 1 || !(a > float64(p-1)/2) {
		return nan()
	}
	s := float64(p) * float64(p-1) / 4 * logPi
	for i := range p {
		s += LgammaF(a - float64(i)/2)
	}
	return s
}

// Logistic returns 1/(1+exp(-x)), to full relative precision in both tails.
func Logistic(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	e := math.Exp(x)
	return e / (1 + e)
}

// LogSumExp returns log Σ exp(x_i) without overflow; -Inf if x is empty or all -Inf.
func LogSumExp(x []float64) float64 {
	m := math.Inf(-1)
	for _, v := range x {
		if v > m || v != v {
			m = v
		}
	}
	if !isFinite(m) {
		return m
	}
	s := 0.0
	for _, v := range x {
		s += math.Exp(v - m)
	}
	return m + math.Log(s)
}

// NormalCDF returns Φ(x), the probability that a standard Normal is below x, to full relative precision in both tails.
func NormalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// Phi is [NormalCDF].
func Phi(x float64) float64 { return NormalCDF(x) }

// LogNormalCDF returns log Φ(x) of a standard Normal (it has nothing to do with the LogNormal distribution), without
// underflow: log Φ(-1e10) is -5e19.
func LogNormalCDF(x float64) float64 {
	switch {
	case x > 0:
		return math.Log1p(-0.5 * math.Erfc(x/math.Sqrt2))
	case x > -20:
		return math.Log(0.5 * math.Erfc(-x/math.Sqrt2))
	}
	// Asymptotic series of Mills' ratio; the first term left out is below 1e-16 here.
	y := 1 / (x * x)
	s := y * (-1 + y*(3+y*(-15+y*(105+y*(-945+y*(10395+y*(-135135+y*2027025)))))))
	return -x*x/2 - log2Pi/2 - math.Log(-x) + math.Log1p(s)
}

// LogNormalInterval returns log(Φ(b) - Φ(a)) for a <= b: -Inf if they are equal, NaN if a > b. It cancels neither in the tails
// nor for neighbouring a and b.
func LogNormalInterval(a, b float64) float64 {
	switch {
	case !(a <= b):
		return nan()
	case a == b:
		return math.Inf(-1)
	case a > 0: // into the left tail
		a, b = -b, -a
	}
	w, m := b-a, a+(b-a)/2
	if w*max(1, math.Abs(m)) < 0.01 {
		// Taylor about the middle: w φ(m) (1 + w²(m²-1)/24 + w⁴(m⁴-6m²+3)/1920 + ...)
		w2, m2 := w*w, m*m
		return math.Log(w) - m2/2 - log2Pi/2 + math.Log1p(w2*(m2-1)/24+w2*w2*(m2*m2-6*m2+3)/1920)
	}
	if b > 0 {
		return math.Log(0.5 * (math.Erf(b/math.Sqrt2) - math.Erf(a/math.Sqrt2)))
	}
	lb := LogNormalCDF(b)
	return lb + log1mExp(LogNormalCDF(a)-lb)
}

// log1pSquare returns log(1 + z²).
func log1pSquare(z float64) float64 {
	if z = math.Abs(z); z > 1e9 {
		return 2 * math.Log(z)
	}
	return math.Log1p(z * z)
}

// log1mExp returns log(1 - exp(x)) for x <= 0: Mächler (2012).
func log1mExp(x float64) float64 {
	if x > -math.Ln2 {
		return math.Log(-math.Expm1(x))
	}
	return math.Log1p(-math.Exp(x))
}

// The next four are of Loader (2000), "Fast and accurate computation of binomial probabilities": they give log probabilities of
// large counts to the last digits, where differences of lgamma have lost them.

// stirlingError returns log Γ(x+1) - log(sqrt(2πx)·(x/e)^x), x > 0.
func stirlingError(x float64) float64 {
	if x < 15 {
		return LgammaF(x+1) - (x+0.5)*math.Log(x) + x - log2Pi/2
	}
	y := 1 / (x * x)
	return (1.0/12 - y*(1.0/360-y*(1.0/1260-y*(1.0/1680-y*(1.0/1188-y*691.0/360360))))) / x
}

// deviance returns x·log(x/m) + m - x, x >= 0, m > 0.
func deviance(x, m float64) float64 {
	if d := x - m; math.Abs(d) < 0.1*(x+m) {
		v := d / 2 / (x/2 + m/2) // the sum of two numbers may be none
		s, term, v2 := d*v, 2*(x*v), v*v
		for j := 3.0; ; j += 2 {
			term *= v2
			next := s + term/j
			if next == s || next != next {
				return next
			}
			s = next
		}
	}
	if x == 0 {
		return m
	}
	if q := x / m; isPositive(q) {
		return x*math.Log(q) + m - x
	}
	return x*(math.Log(x)-math.Log(m)) + m - x
}

// logPoisson returns log(m^x·e^-m/Γ(x+1)) for real x >= 0, m > 0.
func logPoisson(x, m float64) float64 {
	if x == 0 {
		return -m
	}
	return -stirlingError(x) - deviance(x, m) - 0.5*(log2Pi+math.Log(x))
}

// logBinomial returns log(Γ(n+1)/(Γ(x+1)Γ(n-x+1))·p^x·q^(n-x)), y = n-x, for real x, y >= 0, not both 0, p, q in (0, 1).
func logBinomial(x, y, p, q float64) float64 {
	n := x + y
	switch {
	case x == 0:
		return n * logOf(q, p)
	case y == 0:
		return n * logOf(p, q)
	}
	return stirlingError(n) - stirlingError(x) - stirlingError(y) - deviance(x, n*p) - deviance(y, n*q) -
		0.5*(log2Pi+math.Log(x)+math.Log(y)-math.Log(n))
}

// logOf returns log p, given q = 1-p, which may have more digits.
func logOf(p, q float64) float64 {
	if q < 0.5 {
		return math.Log1p(-q)
	}
	return math.Log(p)
}

// logBeta returns log(Γ(a)Γ(b)/Γ(a+b)), to full precision where the smaller of a, b > 0 is small.
func logBeta(a, b float64) float64 {
	a, b = min(a, b), max(a, b)
	if b < 15 {
		return LgammaF(a) + LgammaF(b) - LgammaF(a+b)
	}
	return LgammaF(a) - (b-0.5)*math.Log1p(a/b) - a*math.Log(a+b) + a + stirlingError(b) - stirlingError(a+b)
}

// lgammaHalf returns log Γ(x+1/2) - log Γ(x), x > 0.
func lgammaHalf(x float64) float64 {
	if x > 300 {
		y := 1 / x
		return 0.5*math.Log(x) - y*(1.0/8-y*y*(1.0/192-y*y/640))
	}
	return LgammaF(x+0.5) - LgammaF(x)
}
