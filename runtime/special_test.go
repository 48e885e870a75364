package runtime

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// logExcess is log of the integral of exp(-a·e - e²/2) over (0, w), by quadrature.
func logExcess(a, w float64) float64 {
	return newDensity(func(e float64) float64 { return -a*e - e*e/2 }, 0, w).logTotal()
}

func TestNormalCDF(t *testing.T) {
	for _, x := range []float64{-1e8, -1e4, -300, -50, -38, -37, -30, -20.001, -20, -19.999, -10, -5, -1, -0.1, 0} {
		want := -x*x/2 - log2Pi/2 + logExcess(-x, inf)
		if got := LogNormalCDF(x); !near(got, want, 1e-13) {
			t.Errorf("LogNormalCDF(%v) = %v, want %v", x, got, want)
		}
		if x > -37 {
			if got := math.Log(NormalCDF(x)); !near(got, want, 1e-13) {
				t.Errorf("log NormalCDF(%v) = %v, want %v", x, got, want)
			}
			// Above 0 the small quantity is 1 - Φ: compare exp.
			if got := -math.Expm1(LogNormalCDF(-x)); !near(math.Log(got), want, 1e-9) && x > -5 {
				t.Errorf("LogNormalCDF(%v): complement %v, want %v", -x, math.Log(got), want)
			}
		}
	}
	if got, want := LogNormalCDF(10), -NormalCDF(-10); got != want {
		t.Errorf("LogNormalCDF(10) = %v, want %v", got, want)
	}
	if Phi(1.3) != NormalCDF(1.3) {
		t.Error("Phi is not NormalCDF")
	}
}

func TestLogNormalInterval(t *testing.T) {
	for _, c := range []struct{ a, w float64 }{
		{0, 1}, {-1, 2}, {-0.5, 1e-3}, {-0.5, 1e-9}, {3, 1e-3}, {3, 5}, {8, 1e-3}, {8, 1e-6}, {40, 1e-5}, {40, 10}, {-3, 2.5}, {-9, 30}, {0.2, 0.02},
		{1e3, 1e-6}, {20, 0.0004}, {20, 0.0006},
	} {
		a, b := c.a, c.a+c.w
		want := -a*a/2 - log2Pi/2 + logExcess(a, b-a)
		if got := LogNormalInterval(a, b); !near(got, want, 1e-11) {
			t.Errorf("LogNormalInterval(%v, %v) = %v, want %v", a, b, got, want)
		}
		if got := LogNormalInterval(-b, -a); !near(got, want, 1e-11) {
			t.Errorf("LogNormalInterval(%v, %v) = %v, want %v", -b, -a, got, want)
		}
	}
	for _, c := range [][3]float64{{-inf, inf, 0}, {-inf, 0, -math.Ln2}, {0, inf, -math.Ln2}, {2, 2, -inf}, {50, inf, LogNormalCDF(-50)}, {-inf, -50, LogNormalCDF(-50)}} {
		if got := LogNormalInterval(c[0], c[1]); !near(got, c[2], 1e-15) {
			t.Errorf("LogNormalInterval(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
	for _, c := range [][2]float64{{1, 0}, {math.NaN(), 1}, {0, math.NaN()}} {
		if got := LogNormalInterval(c[0], c[1]); got == got {
			t.Errorf("LogNormalInterval(%v, %v) = %v, want NaN", c[0], c[1], got)
		}
	}
}

func TestSmallSpecials(t *testing.T) {
	for p := 1; p < 5; p++ {
		for _, a := range []float64{2.1, 3, 50.5} {
			if got, want := LMvGamma(p, a), mathext.MvLgamma(a, p); !near(got, want, 1e-13) {
				t.Errorf("LMvGamma(%d, %v) = %v, want %v", p, a, got, want)
			}
		}
	}
	if x := LMvGamma(3, 1); x == x {
		t.Errorf("LMvGamma(3, 1) = %v", x)
	}
	for _, c := range [][2]float64{{0, 0.5}, {-745, math.Exp(-745)}, {745, 1}, {-1e4, 0}, {math.Log(3), 0.75}, {inf, 1}, {-inf, 0}} {
		if got := Logistic(c[0]); !near(got, c[1], 1e-15) {
			t.Errorf("Logistic(%v) = %v, want %v", c[0], got, c[1])
		}
	}
	for _, c := range []struct {
		x    []float64
		want float64
	}{{nil, -inf}, {[]float64{-inf, -inf}, -inf}, {[]float64{1e4, 1e4}, 1e4 + math.Ln2}, {[]float64{-inf, 3}, 3}, {[]float64{inf, 3}, inf}} {
		if got := LogSumExp(c.x); got != c.want {
			t.Errorf("LogSumExp(%v) = %v, want %v", c.x, got, c.want)
		}
	}
	if got := LogSumExp([]float64{1, math.NaN(), 2}); got == got {
		t.Errorf("LogSumExp with NaN = %v", got)
	}
}

// TestLoader holds the probabilities of counts against exact integers where they are small, and where they are large against a
// neighbour: p(k+1)/p(k) is a rational number.
func TestLoader(t *testing.T) {
	for n := int64(1); n <= 60; n++ {
		for k := int64(0); k <= n; k++ {
			want := new(big.Rat).SetInt(new(big.Int).Binomial(n, k))
			f, _ := want.Float64()
			w := math.Log(f) + float64(k)*math.Log(0.25) + float64(n-k)*math.Log(0.75)
			if got := BinomialLogPMF(int(k), int(n), 0.25); !near(got, w, 1e-13) {
				t.Errorf("Binomial(%d; %d, 1/4): %v, want %v", k, n, got, w)
			}
		}
	}
	for _, m := range []float64{1e6, 1e10, 1e14} {
		for _, z := range []float64{-4, -0.5, 0, 3} {
			k := math.Floor(m + z*math.Sqrt(m))
			got, want := PoissonLogPMF(int(k)+1, m)-PoissonLogPMF(int(k), m), math.Log1p((m-k-1)/(k+1))
			if math.Abs(got-want) > 1e-13 {
				t.Errorf("Poisson(%v): log p(k+1)/p(k) = %v at %v, want %v", m, got, k, want)
			}
		}
	}
	for _, x := range []float64{0.3, 2, 14.9, 15, 15.1, 40} {
		if got, want := stirlingError(x), LgammaF(x+1)-(x+0.5)*math.Log(x)+x-log2Pi/2; math.Abs(got-want) > 3e-14 {
			t.Errorf("stirlingError(%v) = %v, want %v", x, got, want)
		}
	}
	for _, a := range []float64{0.1, 1, 1.7} {
		for _, b := range []float64{0.3, 3, 14.9, 15, 100, 1e12} {
			// B(a, b+1)/B(a, b) = b/(a+b), and B(1, b) = 1/b.
			if got, want := logBeta(b+1, a)-logBeta(a, b), -math.Log1p(a/b); math.Abs(got-want) > 3e-14*max(1, math.Abs(logBeta(a, b))) {
				t.Errorf("logBeta(%v, %v+1) - logBeta(%v, %v) = %v, want %v", a, b, a, b, got, want)
			}
			if got := logBeta(1, b); !near(got, -math.Log(b), 1e-14) {
				t.Errorf("logBeta(1, %v) = %v", b, got)
			}
			if got, want := logBeta(a, b), mathext.Lbeta(a, b); b < 1e3 && !near(got, want, 1e-12) {
				t.Errorf("logBeta(%v, %v) = %v, gonum has %v", a, b, got, want)
			}
		}
	}
	for _, x := range []float64{299, 300.5, 1000} {
		if got, want := lgammaHalf(x), LgammaF(x+0.5)-LgammaF(x); math.Abs(got-want) > 1e-12 {
			t.Errorf("lgammaHalf(%v) = %v, want %v", x, got, want)
		}
	}
}

// TestDevianceEnds: at the largest numbers too, and at whatever is none, the series comes to an end.
func TestDevianceEnds(t *testing.T) {
	for _, x := range []float64{math.MaxFloat64, math.MaxFloat64 / 1.05, 1, 0, 0x1p-1074, math.Inf(1), math.NaN()} {
		for _, m := range []float64{math.MaxFloat64, math.MaxFloat64 / 1.05, 1, 0x1p-1074, math.Inf(1), math.NaN()} {
			got := deviance(x, m)
			if x == m && isFinite(x) && got != 0 {
				t.Errorf("deviance(%g, %g) = %g, want 0", x, m, got)
			}
		}
	}
}

// TestLgammaNear: it is log Γ as far as its differences are right to a tenth, and nothing beyond.
func TestLgammaNear(t *testing.T) {
	for _, x := range []float64{0.5, 3, 1e9, 1e13} {
		if got, want := LgammaNear(x), LgammaF(x); got != want {
			t.Errorf("at %g it is %v, want %v", x, got, want)
		}
	}
	// log Γ(x+1) - log Γ(x) = log x
	if d := LgammaNear(1e13) - LgammaNear(1e13-1) - math.Log(1e13-1); math.Abs(d) > 0.1 {
		t.Errorf("at 1e13 its differences are %v off", d)
	}
	for _, x := range []float64{2e13, math.Inf(1), math.NaN()} {
		if got := LgammaNear(x); got == got {
			t.Errorf("at %g it is %v", x, got)
		}
	}
}
