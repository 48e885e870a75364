package draw

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gibbsgen/gibbsgen/bench/internal/exact"
)

// TestDraws compares each draw with its distribution function; n = 100,000 sees a
// distribution function that is off by 0.0085 anywhere, at a false-alarm rate of
// 1e-6 for each of the cases.
func TestDraws(t *testing.T) {
	r := New(1)
	norm := distuv.UnitNormal
	positive := func(mean float64) func(float64) float64 {
		// P(X > x) = Φ(mean - x)/Φ(mean), without cancellation.
		return func(x float64) float64 { return 1 - norm.CDF(mean-x)/norm.CDF(mean) }
	}
	gamma := func(shape float64) func(float64) float64 {
		return func(x float64) float64 { return mathext.GammaIncReg(shape, x) }
	}
	invGaussian := func(mean, shape float64) func(float64) float64 {
		return func(x float64) float64 {
			s := math.Sqrt(shape / x)
			return norm.CDF(s*(x/mean-1)) + math.Exp(2*shape/mean+math.Log(norm.CDF(-s*(x/mean+1))))
		}
	}
	for _, c := range []struct {
		name string
		draw func() float64
		cdf  func(float64) float64
	}{
		{"Float64", r.Float64, func(x float64) float64 { return x }},
		{"Norm", r.Norm, norm.CDF},
		{"Exp", r.Exp, func(x float64) float64 { return -math.Expm1(-x) }},
		{"PositiveNormal(-30)", func() float64 { return r.PositiveNormal(-30) }, positive(-30)},
		{"PositiveNormal(-2)", func() float64 { return r.PositiveNormal(-2) }, positive(-2)},
		{"PositiveNormal(-0.1)", func() float64 { return r.PositiveNormal(-0.1) }, positive(-0.1)},
		{"PositiveNormal(0)", func() float64 { return r.PositiveNormal(0) }, positive(0)},
		{"PositiveNormal(0.5)", func() float64 { return r.PositiveNormal(0.5) }, positive(0.5)},
		{"PositiveNormal(4)", func() float64 { return r.PositiveNormal(4) }, positive(4)},
		{"Gamma(0.01)", func() float64 { return r.Gamma(0.01) }, gamma(0.01)},
		{"Gamma(0.5)", func() float64 { return r.Gamma(0.5) }, gamma(0.5)},
		{"Gamma(1)", func() float64 { return r.Gamma(1) }, gamma(1)},
		{"Gamma(3.7)", func() float64 { return r.Gamma(3.7) }, gamma(3.7)},
		{"Gamma(5000)", func() float64 { return r.Gamma(5000) }, gamma(5000)},
		{"InvGamma(2, 3)", func() float64 { return 3 / r.InvGamma(2, 3) }, gamma(2)},
		{"InvGaussian(1, 2)", func() float64 { return r.InvGaussian(1, 2) }, invGaussian(1, 2)},
		{"InvGaussian(1e6, 2)", func() float64 { return r.InvGaussian(1e6, 2) }, invGaussian(1e6, 2)},
		{"InvGaussian(0.1, 2)", func() float64 { return r.InvGaussian(0.1, 2) }, invGaussian(0.1, 2)},
	} {
		exact.KS(t, c.name, exact.Sample(100_000, c.draw), c.cdf)
	}
}

func TestExp(t *testing.T) {
	r := New(2)
	x := []float64{0, LeastExp, 700, 5e-324, -1e-300}
	for range 100_000 {
		x = append(x, LeastExp*r.Float64(), 700*r.Float64(), r.Norm()*1e-3)
	}
	for _, v := range x {

		if got, want := Exp(v), math.Exp(v); !(math.Abs(got-want) <= 0x1p-52*(1+math.Abs(v))*want) {
			t.Errorf("exp(%v) = %v, want %v", v, got, want)
		}
	}
}

func BenchmarkNorm(b *testing.B)  { benchmark(b, (*Rand).Norm) }
func BenchmarkExp1(b *testing.B)  { benchmark(b, (*Rand).Exp) }
func BenchmarkGamma(b *testing.B) { benchmark(b, func(r *Rand) float64 { return r.Gamma(3) }) }

func benchmark(b *testing.B, draw func(*Rand) float64) {
	r := New(1)
	for b.Loop() {
		draw(r)
	}
}
