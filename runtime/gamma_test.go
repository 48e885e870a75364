package runtime

import (
	"fmt"
	"math"
	"testing"
)

// TestLogGamma: the logarithm keeps what the number itself cannot: a Gamma(0.001) is below every float64 in 48 % of draws.
func TestLogGamma(t *testing.T) {
	r := NewRand(60)
	for _, shape := range []float64{1e-300, 1e-10, 1e-3, 0.3, 0.999, 1, 1.001, 30, 1e10} {
		// Times shape, so that the support of all is in reach.
		s := min(shape, 1)
		checkDensity(t, fmt.Sprint("LogGamma ", shape), func() float64 { return s * r.LogGamma(shape, 1) },
			func(u float64) float64 { return shape*(u/s) - math.Exp(u/s) }, -inf, inf)
	}
	checkKS(t, "LogGamma, rate", func() float64 { return math.Exp(r.LogGamma(2, 5)) }, func(x float64) float64 { return GammaCDF(x, 2, 5) })
	least := 0
	for range 10000 {
		x := r.Gamma(1e-3, 1)
		if !(x >= tiny) || !isFinite(1/x) {
			t.Fatalf("Gamma(0.001) = %v", x)
		}
		if x == tiny {
			least++
		}
		if y := r.InvGamma(1e-3, 1); !(y <= huge && y > 0) {
			t.Fatalf("InvGamma(0.001) = %v", y)
		}
	}
	// P(X < 2^-1022) = exp(-0.001·708.4)/Γ(1.001), that is 0.4927; 5 standard deviations are 0.025.
	if p := float64(least) / 10000; math.Abs(p-0.4927) > 0.025 {
		t.Errorf("Gamma(0.001) is at the least number in %v of draws", p)
	}
	// A rate may bring an underflow back: the same draws, moved.
	checkKS(t, "Gamma, small rate", func() float64 { return math.Log(r.Gamma(0.01, 1e-300)) * 0.01 },
		newDensity(func(u float64) float64 { return u - math.Exp(u/0.01+math.Log(1e-300)) }, -inf, inf).cdf)
	for _, p := range [][2]float64{{0, 1}, {-1, 1}, {1, 0}, {1, -1}, {math.NaN(), 1}, {1, math.NaN()}, {inf, 1}, {1, inf}} {
		for name, x := range map[string]float64{"Gamma": r.Gamma(p[0], p[1]), "LogGamma": r.LogGamma(p[0], p[1]), "InvGamma": r.InvGamma(p[0], p[1]), "GammaNat": r.GammaNat(p[0]-1, p[1])} {
			if x == x {
				t.Errorf("%s%v = %v, want NaN", name, p, x)
			}
		}
	}
}

func TestInvGaussianLimits(t *testing.T) {
	r := NewRand(61)
	// mean = ∞: shape/x is chi-square on 1.
	levy := func(x float64) float64 { return math.Erfc(math.Sqrt(3 / (2 * x))) }
	for _, mean := range []float64{1e40, 1e200, inf} { // at 1e40 the mean is beyond what 30,000 draws see
		checkKS(t, fmt.Sprint("InvGaussian ", mean), func() float64 { return r.InvGaussian(mean, 3) }, levy)
	}
	// shape/mean -> ∞: Normal about the mean.
	checkKS(t, "InvGaussian, narrow", func() float64 { return (r.InvGaussian(2, 8e12) - 2) * 1e6 }, func(x float64) float64 { return NormalCDF(x) })
	for _, p := range [][2]float64{{0, 1}, {-1, 1}, {1, 0}, {math.NaN(), 1}, {1, math.NaN()}, {1, inf}} {
		if x := r.InvGaussian(p[0], p[1]); x == x {
			t.Errorf("InvGaussian%v = %v, want NaN", p, x)
		}
	}
}

func BenchmarkGammaNat(b *testing.B) {
	for _, shape := range []float64{0.1, 1, 50} {
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			r := NewRand(1)
			for b.Loop() {
				sink = r.GammaNat(shape-1, 2)
			}
		})
	}
}
