package runtime

// This file holds what is the same for all scalar distributions: every draw against its log density, every log density
// against 1, against gonum, and against its support.

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

type scalarCase struct {
	name  string
	on    coordinate
	logp  func(x float64) float64
	draw  func(r *Rand) float64
	gonum interface{ LogProb(float64) float64 }
}

func scalarCases() []scalarCase {
	var cs []scalarCase
	add := func(name string, on coordinate, logp func(x float64) float64, draw func(r *Rand) float64, g interface{ LogProb(float64) float64 }) {
		cs = append(cs, scalarCase{name, on, logp, draw, g})
	}
	for _, p := range [][2]float64{{0, 1}, {3, 0.04}, {-100, 1e4}, {1e-3, 1e-8}} {
		m, v := p[0], p[1]
		line := about(m, math.Sqrt(v))
		add("Normal", line, func(x float64) float64 { return NormalLogPDF(x, m, v) }, func(r *Rand) float64 { return r.Normal(m, v) }, distuv.Normal{Mu: m, Sigma: math.Sqrt(v)})
		add("NormalNat", line, func(x float64) float64 { return NormalLogPDF(x, m, v) }, func(r *Rand) float64 { return r.NormalNat(m/v, 1/v) }, nil)
		add("HalfNormal", onHalfLine, func(x float64) float64 { return HalfNormalLogPDF(x, v) }, func(r *Rand) float64 { return r.HalfNormal(v) }, nil)
		add("Laplace", about(m, v), func(x float64) float64 { return LaplaceLogPDF(x, m, v) }, func(r *Rand) float64 { return r.Laplace(m, v) }, distuv.Laplace{Mu: m, Scale: v})
		add("HalfCauchy", onHalfLine, func(x float64) float64 { return HalfCauchyLogPDF(x, v) }, func(r *Rand) float64 { return r.HalfCauchy(v) }, nil)
		add("StudentT", about(m, v), func(x float64) float64 { return StudentTLogPDF(x, m, v+0.7, v) }, func(r *Rand) float64 { return r.StudentT(m, v+0.7, v) }, distuv.StudentsT{Mu: m, Sigma: v, Nu: v + 0.7})
		add("Exponential", onHalfLine, func(x float64) float64 { return ExponentialLogPDF(x, v) }, func(r *Rand) float64 { return r.Exponential(v) }, distuv.Exponential{Rate: v})
	}
	add("StudentT, large df", about(0, 1), func(x float64) float64 { return StudentTLogPDF(x, 1, 1e12, 2) }, func(r *Rand) float64 { return r.StudentT(1, 1e12, 2) }, distuv.Normal{Mu: 1, Sigma: 2})
	for _, p := range [][2]float64{{0, 1}, {-3, 0.04}, {2, 9}} {
		m, v := p[0], p[1]
		add("LogNormal", onHalfLine, func(x float64) float64 { return LogNormalLogPDF(x, m, v) }, func(r *Rand) float64 { return r.LogNormal(m, v) }, distuv.LogNormal{Mu: m, Sigma: math.Sqrt(v)})
		add("LogNormalNat", onHalfLine, func(x float64) float64 { return LogNormalLogPDF(x, m, v) }, func(r *Rand) float64 { return r.LogNormalNat(m/v-1, 1/v) }, nil)
	}
	for _, p := range [][2]float64{{1, 1}, {0.05, 3}, {0.5, 1e-6}, {2.5, 40}, {19.9, 1}, {20, 3}, {1e4, 1e-3}, {1e9, 1}} {
		a, b := p[0], p[1]
		var gamma, invGamma interface{ LogProb(float64) float64 }
		if a < 1e5 { // beyond, gonum cancels
			gamma, invGamma = distuv.Gamma{Alpha: a, Beta: b}, distuv.InverseGamma{Alpha: a, Beta: b}
		}
		add("Gamma", onHalfLine, func(x float64) float64 { return GammaLogPDF(x, a, b) }, func(r *Rand) float64 { return r.Gamma(a, b) }, gamma)
		add("GammaNat", onHalfLine, func(x float64) float64 { return GammaLogPDF(x, a, b) }, func(r *Rand) float64 { return r.GammaNat(a-1, b) }, nil)
		add("exp LogGamma", onHalfLine, func(x float64) float64 { return GammaLogPDF(x, a, b) }, func(r *Rand) float64 { return math.Exp(r.LogGamma(a, b)) }, nil)
		add("InvGamma", onHalfLine, func(x float64) float64 { return InvGammaLogPDF(x, a, b) }, func(r *Rand) float64 { return r.InvGamma(a, b) }, invGamma)
	}
	for _, p := range [][2]float64{{1, 1}, {3, 0.2}, {0.1, 50}, {1e8, 1}, {1e-6, 1}, {1, 1e7}, {1e14, 1e-3}} {
		m, s := p[0], p[1]
		add("InvGaussian", onHalfLine, func(x float64) float64 { return InvGaussianLogPDF(x, m, s) }, func(r *Rand) float64 { return r.InvGaussian(m, s) }, nil)
	}
	for _, p := range [][2]float64{{1, 1}, {0.5, 0.5}, {3, 2}, {0.2, 7}, {500, 3}, {1e6, 2e6}, {0.05, 1}, {2, 2}} {
		a, b := p[0], p[1]
		add("Beta", onUnit, func(x float64) float64 { return BetaLogPDF(x, a, b) }, func(r *Rand) float64 { return r.Beta(a, b) }, distuv.Beta{Alpha: a, Beta: b})
		add("BetaNat", onUnit, func(x float64) float64 { return BetaLogPDF(x, a, b) }, func(r *Rand) float64 { return r.BetaNat(a-1, b-1) }, nil)
	}
	return cs
}

func TestLogPDFs(t *testing.T) {
	r := NewRand(50)
	for _, c := range scalarCases() {
		den := newDensity(func(u float64) float64 {
			if x := c.on.x(u); c.on.x(u-1) != x || u < 30 { // Logistic rounds to 1 beyond 37
				return c.logp(x) + c.on.logJ(u)
			}
			return math.Inf(-1)
		}, -700, 700)
		tol := 1e-9
		if c.name == "Beta" || c.name == "BetaNat" {
			tol = 1e-6 // 1-x has few digits as x nears 1, and the coordinate stops there
		}
		if l := den.logTotal(); !near(l, 0, tol) {
			t.Errorf("%s: density integrates to exp(%v)", c.name, l)
		}
		checkKS(t, c.name, func() float64 { return c.draw(r) }, func(x float64) float64 { return den.cdf(c.on.u(x)) })
		if c.gonum == nil {
			continue
		}
		for range 10 {
			x := c.draw(r)
			if got, want := c.logp(x), c.gonum.LogProb(x); !near(got, want, 1e-7) {
				t.Errorf("%s: log density %v at %v, gonum has %v", c.name, got, x, want)
			}
		}
	}
}

func TestLogPDFDomains(t *testing.T) {
	nan := math.NaN()
	type f3 = func(x, a, b float64) float64
	one := func(f func(x, a float64) float64) f3 { return func(x, a, _ float64) float64 { return f(x, a) } }
	for _, c := range []struct {
		name    string
		f       f3
		outside []float64
		bad     [][2]float64
	}{
		{"Normal", NormalLogPDF, nil, [][2]float64{{0, 0}, {0, -1}, {nan, 1}, {0, nan}, {inf, 1}, {0, inf}}},
		{"HalfNormal", one(HalfNormalLogPDF), []float64{-1}, [][2]float64{{0, 0}, {-1, 0}, {nan, 0}}},
		{"Laplace", LaplaceLogPDF, nil, [][2]float64{{0, 0}, {0, -1}, {nan, 1}}},
		{"HalfCauchy", one(HalfCauchyLogPDF), []float64{-1}, [][2]float64{{0, 0}, {-1, 0}, {nan, 0}}},
		{"Exponential", one(ExponentialLogPDF), []float64{-1}, [][2]float64{{0, 0}, {-1, 0}, {nan, 0}}},
		{"LogNormal", LogNormalLogPDF, []float64{-1, 0, inf}, [][2]float64{{0, 0}, {0, -1}, {nan, 1}}},
		{"Gamma", GammaLogPDF, []float64{-1, 0, inf}, [][2]float64{{0, 1}, {1, 0}, {-1, 1}, {nan, 1}, {1, inf}}},
		{"InvGamma", InvGammaLogPDF, []float64{-1, 0, inf}, [][2]float64{{0, 1}, {1, 0}, {-1, 1}, {nan, 1}, {1, inf}}},
		{"InvGaussian", InvGaussianLogPDF, []float64{-1, 0, inf}, [][2]float64{{0, 1}, {1, 0}, {-1, 1}, {nan, 1}, {1, inf}}},
		{"Beta", BetaLogPDF, []float64{-1, 0, 1, 2}, [][2]float64{{0, 1}, {1, 0}, {-1, 1}, {nan, 1}, {1, inf}}},
		{"StudentT", func(x, a, b float64) float64 { return StudentTLogPDF(x, 0, a, b) }, nil, [][2]float64{{0, 1}, {1, 0}, {-1, 1}, {nan, 1}, {1, inf}}},
		{"Uniform", func(x, a, b float64) float64 { return UniformLogPDF(x, 0, b) }, []float64{-1, 2}, [][2]float64{{0, 0}, {0, -1}, {0, nan}, {0, inf}}},
	} {
		for _, x := range c.outside {
			if got := c.f(x, 1, 1); !math.IsInf(got, -1) {
				t.Errorf("%s: %v at %v, want -Inf", c.name, got, x)
			}
		}
		for _, p := range c.bad {
			if got := c.f(0.5, p[0], p[1]); got == got {
				t.Errorf("%s with parameters %v: %v, want NaN", c.name, p, got)
			}
		}
		if got := c.f(nan, 1, 1); got == got {
			t.Errorf("%s at NaN: %v", c.name, got)
		}
		if got := c.f(0.5, 1, 1); !isFinite(got) {
			t.Errorf("%s at 1/2: %v", c.name, got)
		}
	}
}

func TestUniformAndTruncExp(t *testing.T) {
	r := NewRand(51)
	checkKS(t, "Uniform", func() float64 { return r.Uniform(-2, 5) }, func(x float64) float64 { return (x + 2) / 7 })
	checkKS(t, "Uniform, widest", func() float64 { return r.Uniform(-huge, huge) }, func(x float64) float64 { return x/2/huge + 0.5 })
	if got := UniformLogPDF(3, -2, 5); got != -math.Log(7) {
		t.Errorf("UniformLogPDF = %v", got)
	}
	if got, want := UniformLogPDF(3, -huge, huge), -math.Log(huge)-math.Ln2; !near(got, want, 1e-15) {
		t.Errorf("UniformLogPDF, widest = %v, want %v", got, want)
	}
	for _, c := range []struct{ h, lo, hi float64 }{{1, -1, 2}, {-1, -1, 2}, {50, -1, 2}, {-50, -1, 2}, {-3, 4, inf}, {3, -inf, 4}, {1e-12, 0, 1}, {0, 3, 4}} {
		checkDensity(t, "TruncExpNat", func() float64 { return r.TruncExpNat(c.h, c.lo, c.hi) }, func(x float64) float64 { return c.h * x }, c.lo, c.hi)
	}
	for _, c := range []struct{ h, lo, hi float64 }{{1, 0, inf}, {-1, -inf, 0}, {0, 0, inf}, {0, 1, 0}, {math.NaN(), 0, 1}, {0, inf, inf}} {
		if x := r.TruncExpNat(c.h, c.lo, c.hi); x == x {
			t.Errorf("TruncExpNat%v = %v, want NaN", c, x)
		}
	}
}

// TestCDFs: distribution functions are the integrals of the densities.
func TestCDFs(t *testing.T) {
	for _, p := range [][2]float64{{0.3, 2}, {3, 1.5}, {60, 7}} {
		g := newDensity(func(u float64) float64 { return GammaLogPDF(math.Exp(u), p[0], p[1]) + u }, -700, 700)
		b := newDensity(func(u float64) float64 { return BetaLogPDF(Logistic(u), p[0], p[1]) + onUnit.logJ(u) }, -300, 30)
		for _, x := range []float64{0.01, 0.3, 0.9, 0.99} {
			if got, want := GammaCDF(x*p[0]/p[1], p[0], p[1]), g.cdf(math.Log(x*p[0]/p[1])); !near(got, want, 1e-9) {
				t.Errorf("GammaCDF(%v, %v) = %v, want %v", x, p, got, want)
			}
			if got, want := BetaCDF(x, p[0], p[1]), b.cdf(math.Log(x)-math.Log1p(-x)); !near(got, want, 1e-9) {
				t.Errorf("BetaCDF(%v, %v) = %v, want %v", x, p, got, want)
			}
		}
	}
	if GammaCDF(-1, 1, 1) != 0 || GammaCDF(inf, 1, 1) != 1 || BetaCDF(-1, 1, 1) != 0 || BetaCDF(2, 1, 1) != 1 {
		t.Error("a distribution function does not go from 0 to 1")
	}
}
