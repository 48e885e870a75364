package runtime

// This file tests the probabilities of intervals against integrals of the densities, and draws between bounds against them.

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/internal/testkit"
	"gonum.org/v1/gonum/integrate/quad"
)

// A truncatable is a distribution with its parameters filled in.
type truncatable struct {
	name   string
	pdf    func(x float64) float64
	mass   func(lo, hi float64) float64
	draw   func(r *Rand) float64
	lo, hi []float64 // bounds to try
}

var (
	infinity     = math.Inf(1)
	truncatables = []truncatable{
		{"Normal", func(x float64) float64 { return NormalLogPDF(x, 1, 4) }, func(l, h float64) float64 { return NormalLogMass(l, h, 1, 4) },
			func(r *Rand) float64 { return r.Normal(1, 4) }, []float64{-30, -1, 2}, []float64{3, 30}},
		{"LogNormal", func(x float64) float64 { return LogNormalLogPDF(x, 0.3, 0.5) }, func(l, h float64) float64 { return LogNormalLogMass(l, h, 0.3, 0.5) },
			func(r *Rand) float64 { return r.LogNormal(0.3, 0.5) }, []float64{0, 0.5}, []float64{2, 60}},
		{"HalfNormal", func(x float64) float64 { return HalfNormalLogPDF(x, 2) }, func(l, h float64) float64 { return HalfNormalLogMass(l, h, 2) },
			func(r *Rand) float64 { return r.HalfNormal(2) }, []float64{0, 1}, []float64{2, 20}},
		{"Gamma", func(x float64) float64 { return GammaLogPDF(x, 2.5, 0.7) }, func(l, h float64) float64 { return GammaLogMass(l, h, 2.5, 0.7) },
			func(r *Rand) float64 { return r.Gamma(2.5, 0.7) }, []float64{0, 1}, []float64{2, 80}},
		{"InvGamma", func(x float64) float64 { return InvGammaLogPDF(x, 2.5, 0.7) }, func(l, h float64) float64 { return InvGammaLogMass(l, h, 2.5, 0.7) },
			func(r *Rand) float64 { return r.InvGamma(2.5, 0.7) }, []float64{0, 0.2}, []float64{0.5, 3}},
		{"Exponential", func(x float64) float64 { return ExponentialLogPDF(x, 0.7) }, func(l, h float64) float64 { return ExponentialLogMass(l, h, 0.7) },
			func(r *Rand) float64 { return r.Exponential(0.7) }, []float64{0, 1}, []float64{2, 80}},
		{"InvGaussian", func(x float64) float64 { return InvGaussianLogPDF(x, 1.2, 3) }, func(l, h float64) float64 { return InvGaussianLogMass(l, h, 1.2, 3) },
			func(r *Rand) float64 { return r.InvGaussian(1.2, 3) }, []float64{0.05, 1}, []float64{1.5, 30}},
		{"Beta", func(x float64) float64 { return BetaLogPDF(x, 2, 3.5) }, func(l, h float64) float64 { return BetaLogMass(l, h, 2, 3.5) },
			func(r *Rand) float64 { return r.Beta(2, 3.5) }, []float64{0, 0.3}, []float64{0.7, 1}},
		{"Uniform", func(x float64) float64 { return UniformLogPDF(x, -1, 2) }, func(l, h float64) float64 { return UniformLogMass(l, h, -1, 2) },
			func(r *Rand) float64 { return r.Uniform(-1, 2) }, []float64{-1, 0}, []float64{1, 2}},
		{"Laplace", func(x float64) float64 { return LaplaceLogPDF(x, 0, 0.7) }, func(l, h float64) float64 { return LaplaceLogMass(l, h, 0, 0.7) },
			func(r *Rand) float64 { return r.Laplace(0, 0.7) }, []float64{-30, -2}, []float64{-1, 0}},
		{"HalfCauchy", func(x float64) float64 { return HalfCauchyLogPDF(x, 0.7) }, func(l, h float64) float64 { return HalfCauchyLogMass(l, h, 0.7) },
			func(r *Rand) float64 { return r.HalfCauchy(0.7) }, []float64{0, 1}, []float64{2, 9}},
		{"StudentT", func(x float64) float64 { return StudentTLogPDF(x, 1, 3, 2) }, func(l, h float64) float64 { return StudentTLogMass(l, h, 1, 3, 2) },
			func(r *Rand) float64 { return r.StudentT(1, 3, 2) }, []float64{-9, 0, 1.5}, []float64{2, 9}},
	}
)

// TestLogMass integrates each density by Gauss-Legendre with 400 points, which is exact to far more than 1e-8 on these intervals.
func TestLogMass(t *testing.T) {
	for _, d := range truncatables {
		t.Run(d.name, func(t *testing.T) {
			for _, lo := range d.lo {
				for _, hi := range d.hi {
					want := math.Log(quad.Fixed(func(x float64) float64 { return math.Exp(d.pdf(x)) }, lo, hi, 400, nil, 0))
					if got := d.mass(lo, hi); math.Abs(got-want) > 1e-8 {
						t.Errorf("log P(%v < x < %v) = %v, want %v", lo, hi, got, want)
					}
					whole := math.Exp(d.mass(-infinity, lo)) + math.Exp(d.mass(lo, hi)) + math.Exp(d.mass(hi, infinity))
					if math.Abs(whole-1) > 1e-12 {
						t.Errorf("the parts at %v and %v sum to %v", lo, hi, whole)
					}
				}
			}
			if got := d.mass(-infinity, infinity); math.Abs(got) > 1e-13 {
				t.Errorf("log P of everything = %v", got)
			}
			if got := d.mass(2, 1); got == got {
				t.Errorf("log P(2 < x < 1) = %v, want NaN", got)
			}
		})
	}
}

// TestLogMassCases: every XLogMass is among the cases.
func TestLogMassCases(t *testing.T) {
	for fn := range testkit.Signatures(t, ".") {
		name, ok := strings.CutSuffix(fn, "LogMass")
		if ok && !slices.ContainsFunc(truncatables, func(d truncatable) bool { return d.name == name }) {
			t.Errorf("%s is not among the truncatables", fn)
		}
	}
}

// TestLogMassTails asks for intervals whose probability is lost in 1 - cdf.
func TestLogMassTails(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Normal", NormalLogMass(40, infinity, 0, 1), LogNormalCDF(-40)},
		{"Exponential", ExponentialLogMass(1000, infinity, 2), -2000},
		{"Gamma", GammaLogMass(100, infinity, 2, 1), -100 + math.Log(101)},
		{"InvGamma", InvGammaLogMass(0, 0.01, 2, 1), -100 + math.Log(101)},
		{"Laplace", LaplaceLogMass(50, infinity, 0, 1), -50 - math.Ln2},
		{"HalfCauchy", HalfCauchyLogMass(1e12, infinity, 1), math.Log(2e-12 / math.Pi)},
		{"StudentT", StudentTLogMass(1e9, infinity, 0, 1, 1), math.Log(1e-9 / math.Pi)},
		{"Beta", BetaLogMass(1-1e-6, 1, 1, 3), 3 * math.Log(1e-6)},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-9*math.Abs(c.want)) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestTruncated compares draws with the conditional distribution function by χ². A
// stream that never lands between the bounds makes it invert instead of rejecting.
func TestTruncated(t *testing.T) {
	const n = 2000
	for _, d := range truncatables {
		for _, reject := range []bool{true, false} {
			t.Run(fmt.Sprint(d.name, reject), func(t *testing.T) {
				lo, hi := d.lo[len(d.lo)-1], d.hi[0]
				r := NewRand(9, uint64(len(d.name)))
				draw := func() float64 { return d.draw(r) }
				if !reject {
					draw = func() float64 { return lo }
				}
				bins := make([]float64, 20)
				for range n {
					x := r.Truncated(lo, hi, draw, d.mass)
					if !(x > lo && x < hi) {
						t.Fatalf("%v is not in (%v, %v)", x, lo, hi)
					}
					u := math.Exp(d.mass(lo, x) - d.mass(lo, hi))
					bins[min(int(u*20), 19)]++
				}
				// χ² with 19 degrees of freedom; 53 is exceeded with probability 5e-5.
				chi2 := 0.0
				for _, b := range bins {
					chi2 += (b - n/20) * (b - n/20) / (n / 20)
				}
				if chi2 > 53 {
					t.Errorf("χ² = %v", chi2)
				}
			})
		}
	}
	if x := NewRand(1).Truncated(3, 4, func() float64 { return 0 }, func(lo, hi float64) float64 { return UniformLogMass(lo, hi, 0, 1) }); x == x {
		t.Errorf("a draw where there is no probability: %v", x)
	}
}
