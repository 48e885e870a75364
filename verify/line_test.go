// This file checks quadrature along lines: on densities whose distribution functions are known, from places where a chain might be.

package verify

import (
	"math"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestTabulate holds distribution functions and quantiles to known ones, or has them refused; nothing may be given that is wrong.
func TestTabulate(t *testing.T) {
	inf := math.Inf(1)
	phi := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	between := func(lp float64, inside bool) float64 {
		if !inside {
			return math.Inf(-1)
		}
		return lp
	}
	for _, tt := range []struct {
		name    string
		lo, hi  float64 // what is known of the support
		logf    func(x float64) float64
		cdf     func(x float64) float64
		from    []float64
		refused bool
	}{
		{"Normal", -inf, inf, func(x float64) float64 { return -x * x / 2 }, phi, []float64{0, 1, -6, 30, 1e4}, false},
		{"narrow Normal, far out", -inf, inf, func(x float64) float64 { return -(x - 1e3) * (x - 1e3) / 2e-12 }, func(x float64) float64 { return phi((x - 1e3) * 1e6) },
			[]float64{1e3, 1e3 + 3e-6, 1e3 - 1e-3, 1e3 + 0.1}, false},
		{"wide Normal", -inf, inf, func(x float64) float64 { return -x * x / 2e20 }, func(x float64) float64 { return phi(x / 1e10) }, []float64{0, 1e-3, 1e10, -3e10}, false},
		{"Normal beyond 5, by a jump", -inf, inf, func(x float64) float64 { return between(-x*x/2, x > 5) }, func(x float64) float64 { return 1 - phi(-x)/phi(-5) },
			[]float64{5.0001, 5.2, 7}, false},
		{"Normal between -0.1 and 0.2, by jumps", -inf, inf, func(x float64) float64 { return between(-x*x/2, x > -0.1 && x < 0.2) },
			func(x float64) float64 { return (phi(x) - phi(-0.1)) / (phi(0.2) - phi(-0.1)) }, []float64{0, 0.199999, -0.05}, false},
		{"Cauchy", -inf, inf, func(x float64) float64 { return -math.Log1p(x * x) }, func(x float64) float64 { return 0.5 + math.Atan(x)/math.Pi }, []float64{0, 3, -1e5}, false},
		{"half-Cauchy", 0, inf, func(x float64) float64 { return -math.Log1p(x * x) }, func(x float64) float64 { return 2 * math.Atan(x) / math.Pi }, []float64{1e-6, 1, 1e5}, false},
		{"half-Cauchy, by a jump", -inf, inf, func(x float64) float64 { return between(-math.Log1p(x*x), x > 0) }, func(x float64) float64 { return 2 * math.Atan(x) / math.Pi },
			[]float64{1e-3, 1, 1e3}, false},
		{"Inverse-Gamma(1, 1)", 0, inf, func(x float64) float64 { return -2*math.Log(x) - 1/x }, func(x float64) float64 { return math.Exp(-1 / x) }, []float64{0.05, 1, 1e4}, false},
		{"Gamma(0.1, 1)", 0, inf, func(x float64) float64 { return -0.9*math.Log(x) - x }, func(x float64) float64 { return runtime.GammaCDF(x, 0.1, 1) }, []float64{1e-30, 1e-3, 2}, false},
		{"Gamma(1e6, 1)", 0, inf, func(x float64) float64 { return (1e6-1)*math.Log(x) - x }, func(x float64) float64 { return runtime.GammaCDF(x, 1e6, 1) }, []float64{1e6, 1.004e6, 10}, false},
		{"Gamma(0.0001, 1), which floating point can't hold", 0, inf, func(x float64) float64 { return -0.9999*math.Log(x) - x }, nil, []float64{1e-3}, true},
		{"Beta(0.5, 3)", 0, 1, func(x float64) float64 { return -0.5*math.Log(x) + 2*math.Log1p(-x) }, func(x float64) float64 { return runtime.BetaCDF(x, 0.5, 3) },
			[]float64{1e-9, 0.2, 0.99}, false},
		{"Beta(3, 0.05), whose mass is within rounding of 1", 0, 1, func(x float64) float64 { return 2*math.Log(x) - 0.95*math.Log1p(-x) }, nil, []float64{0.5}, true},
		{"Laplace, with a kink", -inf, inf, func(x float64) float64 { return -math.Abs(x - 1) }, func(x float64) float64 {
			if x < 1 {
				return math.Exp(x-1) / 2
			}
			return 1 - math.Exp(1-x)/2
		}, []float64{0, 1, 20}, false},
		{"two modes", -inf, inf, func(x float64) float64 { return math.Log(math.Exp(-(x+4)*(x+4)/2) + 3*math.Exp(-(x-4)*(x-4)/2)) },
			func(x float64) float64 { return phi(x+4)/4 + 3*phi(x-4)/4 }, []float64{-4, 0, 4.5}, false},
		{"negative Exponential", -inf, 0, func(x float64) float64 { return x }, math.Exp, []float64{-1e-5, -1, -30}, false},
		{"Normal beside what hides it by rounding", -inf, inf, func(x float64) float64 { return -1e20 - x*x/2 }, nil, []float64{0, 1}, true},
		{"Normal beside what does not", -inf, inf, func(x float64) float64 { return -1e8 - x*x/2 }, phi, []float64{0, 3}, false},
		{"Normal whose squares have no digits left", -inf, inf, func(x float64) float64 { return -(x - 1e3) * (x - 1e3) / 2e-12 }, nil, []float64{1e3}, true},
		{"Normal between two numbers", -inf, inf, func(x float64) float64 { return -(x - 1e3) * (x - 1e3) / 2e-28 }, nil, []float64{1e3}, true},
		{"flat", -inf, inf, func(x float64) float64 { return 0 }, nil, []float64{0}, true},
	} {
		for _, x0 := range tt.from {
			l, c := axis(x0, tt.lo, tt.hi)
			evaluations := 0
			d, err := tabulate(l.density(func(x []float64) float64 { evaluations++; return tt.logf(x[0]) }), l.y0)
			if tt.refused {
				if err == nil && d.whole() && d.resolved(l) {
					t.Errorf("%s from %g: not refused", tt.name, x0)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s from %g: %v", tt.name, x0, err)
				continue
			}
			most := 0.0
			for i := range 400 {
				u := (float64(i) + 0.5) / 400
				x := c.x(d.quantile(u))
				most = max(most, math.Abs(tt.cdf(x)-u), math.Abs(d.cdf(c.y(x))-tt.cdf(x)))
			}
			if !(most < 1e-5) { // far below what the tests of draws resolve
				t.Errorf("%s from %g: off by %.3g", tt.name, x0, most)
			}
			t.Logf("%s from %g: off by %.2g after %d evaluations", tt.name, x0, most, evaluations)
		}
	}
}

// TestLines draws from known densities and looks where the draws are on lines through them: at uniform places. The probability of a false
// alarm is 1e-6 each, at fixed seeds.
func TestLines(t *testing.T) {
	rng := runtime.NewRand(5)
	const n = 2000
	cov := []float64{2, 0.7, 0.1, 0.7, 1, -0.3, 0.1, -0.3, 0.5}
	alpha := []float64{0.3, 1, 4}
	work := runtime.NewMatWork(3)
	for _, tt := range []struct {
		name string
		n    int
		draw func(dst []float64) error
		logf func(x []float64) float64
		line func(x []float64) (line, error)
		bad  bool
	}{
		{"MVNormal", 3, func(x []float64) error { return rng.MVNormal(x, []float64{1, 2, 3}, cov, work) },
			func(x []float64) float64 { return runtime.MVNormalLogPDF(x, []float64{1, 2, 3}, cov, work) },
			func(x []float64) (line, error) { return through(x, []float64{1, 0.3, -2}), nil }, false},
		{"MVNormal of another covariance", 3, func(x []float64) error {
			return rng.MVNormal(x, []float64{1, 2, 3}, []float64{2, 0, 0, 0, 1, 0, 0, 0, 0.5}, work)
		},
			func(x []float64) float64 { return runtime.MVNormalLogPDF(x, []float64{1, 2, 3}, cov, work) },
			func(x []float64) (line, error) { return through(x, []float64{1, 0.3, -2}), nil }, true},
		{"Dirichlet", 3, func(x []float64) error { rng.Dirichlet(x, alpha); return nil },
			func(x []float64) float64 { return runtime.DirichletLogPDF(x, alpha) },
			func(x []float64) (line, error) { return shared(x, 0), nil }, false},
		{"sparse Dirichlet", 3, func(x []float64) error { rng.Dirichlet(x, []float64{0.01, 0.02, 0.03}); return nil },
			func(x []float64) float64 { return runtime.DirichletLogPDF(x, []float64{0.01, 0.02, 0.03}) },
			func(x []float64) (line, error) { return shared(x, 0), nil }, false},
		{"Dirichlet of another parameter", 3, func(x []float64) error { rng.Dirichlet(x, []float64{0.4, 1, 4}); return nil },
			func(x []float64) float64 { return runtime.DirichletLogPDF(x, alpha) },
			func(x []float64) (line, error) { return shared(x, 0), nil }, true},
		{"Wishart, a diagonal element", 9, func(x []float64) error { return rng.Wishart(x, 3.5, cov, 3, work) },
			func(x []float64) float64 { return runtime.WishartLogPDF(x, 3.5, cov, 3, work) },
			func(x []float64) (line, error) { return leaning(x, 3, 1, 1) }, false},
		{"Wishart, beside the diagonal", 9, func(x []float64) error { return rng.Wishart(x, 3.5, cov, 3, work) },
			func(x []float64) float64 { return runtime.WishartLogPDF(x, 3.5, cov, 3, work) },
			func(x []float64) (line, error) { return leaning(x, 3, 2, 0) }, false},
		{"Wishart of other degrees of freedom", 9, func(x []float64) error { return rng.Wishart(x, 4, cov, 3, work) },
			func(x []float64) float64 { return runtime.WishartLogPDF(x, 3.5, cov, 3, work) },
			func(x []float64) (line, error) { return leaning(x, 3, 2, 2) }, true},
		{"Inverse-Wishart", 9, func(x []float64) error { return rng.InvWishart(x, 4, cov, 3, work) },
			func(x []float64) float64 { return runtime.InvWishartLogPDF(x, 4, cov, 3, work) },
			func(x []float64) (line, error) { return leaning(x, 3, 1, 0) }, false},
	} {
		var us []float64
		for range n {
			x := make([]float64, tt.n)
			if err := tt.draw(x); err != nil {
				t.Fatal(err)
			}
			l, err := tt.line(x)
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			if !l.starts() {
				continue
			}
			d, err := tabulate(l.density(tt.logf), l.y0)
			if err != nil {
				t.Fatalf("%s: %v at %v", tt.name, err, x)
			}
			us = append(us, d.cdf(l.y0))
		}
		d, _ := unevenness(us)
		if len(us) < n/2 {
			t.Errorf("%s: %d of %d draws could be compared", tt.name, len(us), n)
		}
		if most := uniformLimit(len(us), 1e-6); (d > most) != tt.bad {
			t.Errorf("%s: distance %.3g, at most %.3g by chance", tt.name, d, most)
		}
	}
}

// TestMisses: of two modes with nothing between them the one that was not found is known when it is seen.
func TestMisses(t *testing.T) {
	g := func(y float64) float64 { return -min((y-5)*(y-5), (y+5)*(y+5)) / 2e-4 }
	d, err := tabulate(g, 5.003)
	if err != nil {
		t.Fatal(err)
	}
	for y, want := range map[float64]bool{-5: true, -5.02: true, 5: false, 5.03: false, 0: false, 8: false, -7: false} {
		if got := d.misses(g, y); got != want {
			t.Errorf("%g: %t", y, got)
		}
	}
}
