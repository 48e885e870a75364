package runtime

import (
	"math"
	"testing"
)

// FuzzScalarDraws: whatever the parameters, a draw ends, does not panic, and is inside its support or NaN.
func FuzzScalarDraws(f *testing.F) {
	extremes := []float64{0, math.Copysign(0, -1), 1, -1, -0.5, -1.5, 2, 0.3, 5e-324, -5e-324, tiny, 1e-300, 1e-16, 1e16, 1e300, huge, -huge, inf, -inf, math.NaN(), 709, -745}
	r := NewRand(110)
	for seed := range uint64(3000) {
		pick := func() float64 {
			if r.IntN(3) == 0 {
				return r.Norm() * math.Exp(20*r.Norm())
			}
			return extremes[r.IntN(len(extremes))]
		}
		f.Add(seed, pick(), pick(), pick(), pick(), pick())
	}
	f.Fuzz(func(t *testing.T, seed uint64, a, b, c, lo, hi float64) {
		r := NewRand(seed)
		within := func(name string, x, lo, hi float64) {
			if x == x && !(x >= lo && x <= hi) {
				t.Errorf("%s(%v, %v, %v; %v, %v) = %v", name, a, b, c, lo, hi, x)
			}
		}
		line := func(name string, x float64) { within(name, x, -huge, huge) }
		positive := func(name string, x float64) { within(name, x, tiny, huge) }
		count := func(name string, k int, most float64) {
			if k < -1 || k >= 0 && float64(k) > most {
				t.Errorf("%s(%v, %v) = %v", name, a, b, k)
			}
		}
		line("Normal", r.Normal(a, b))
		line("NormalNat", r.NormalNat(a, b))
		line("Laplace", r.Laplace(a, b))
		line("StudentT", r.StudentT(a, b, c))
		line("LogGamma", r.LogGamma(a, b))
		positive("Gamma", r.Gamma(a, b))
		positive("GammaNat", r.GammaNat(a, b))
		positive("InvGamma", r.InvGamma(a, b))
		positive("Exponential", r.Exponential(a))
		positive("InvGaussian", r.InvGaussian(a, b))
		positive("HalfNormal", r.HalfNormal(a))
		positive("HalfCauchy", r.HalfCauchy(a))
		positive("LogNormal", r.LogNormal(a, b))
		positive("LogNormalNat", r.LogNormalNat(a, b))
		positive("GIGNat", r.GIGNat(a, b, c))
		positive("GIGNat -1/2", r.GIGNat(-0.5, b, c))
		positive("GIGNat -3/2", r.GIGNat(-1.5, b, c))
		positive("GIGPowNat", r.GIGPowNat(a, b, c, lo))
		within("Beta", r.Beta(a, b), tiny, 1-0x1p-53)
		within("BetaNat", r.BetaNat(a, b), tiny, 1-0x1p-53)
		within("Uniform", r.Uniform(lo, hi), lo, hi)
		within("TruncExpNat", r.TruncExpNat(a, lo, hi), lo, hi)
		within("TruncNormalNat", r.TruncNormalNat(a, b, lo, hi), lo, hi)
		within("TruncNormalNat, negative", r.TruncNormalNat(a, -b, lo, hi), lo, hi)
		within("GammaPowNat", r.GammaPowNat(a, b, c, lo, hi), max(lo, 0), hi)
		within("GammaPowNat sd", r.GammaPowNat(a, b, -2, 0, hi), 0, hi)
		within("Slice", r.Slice(a, lo, hi, b, func(x float64) float64 { return -c * x * x }), lo, hi)
		count("Poisson", r.Poisson(a), 0x1p62)
		count("Binomial", r.Binomial(int(math.Min(math.Abs(a), 1e15)), b), math.Abs(a))
	})
}
