package runtime

import (
	"fmt"
	"math"
	"testing"
)

// TestSlice: exact draws, moved by three slice steps, are still exact, for good and bad widths, one and two modes, and bounds.
func TestSlice(t *testing.T) {
	r := NewRand(100)
	gamma := func(x float64) float64 { return GammaLogPDF(x, 3, 2) }
	mix := func(x float64) float64 { return LogSumExp([]float64{NormalLogPDF(x, -3, 1), NormalLogPDF(x, 3, 0.25)}) }
	for _, c := range []struct {
		name   string
		lo, hi float64
		logf   func(float64) float64
		start  func() float64
		cdf    func(float64) float64
	}{
		{"Gamma", 0, inf, gamma, func() float64 { return r.Gamma(3, 2) }, func(x float64) float64 { return GammaCDF(x, 3, 2) }},
		{"Normal", -inf, inf, func(x float64) float64 { return -x * x / 2 }, r.Norm, NormalCDF},
		{"Uniform", 2, 3, func(float64) float64 { return 7 }, func() float64 { return r.Uniform(2, 3) }, func(x float64) float64 { return x - 2 }},
		{"mixture", -inf, inf, mix, func() float64 {
			if r.Bernoulli(0.5) {
				return r.Normal(-3, 1)
			}
			return r.Normal(3, 0.25)
		}, func(x float64) float64 { return (NormalCDF(x+3) + NormalCDF(2*(x-3))) / 2 }},
	} {
		for _, width := range []float64{0.02, 1, 300, 0, math.NaN()} {
			move := func(logf func(float64) float64) func() float64 {
				return func() float64 {
					x := c.start()
					for range 3 {
						if x = r.Slice(x, c.lo, c.hi, width, logf); !(x > c.lo && x < c.hi) {
							t.Fatalf("%s, width %v: moved to %v", c.name, width, x)
						}
					}
					return x
				}
			}
			if bad, d := ksRejects(sample(10000, move(c.logf)), c.cdf); bad {
				t.Errorf("%s, width %v: sqrt(n)·D = %.3g", c.name, width, d)
			}
			// The planted fault: a density wrong by a factor exp(x/2) shows within three moves unless they hardly move.
			if bad, _ := ksRejects(sample(10000, move(func(x float64) float64 { return c.logf(x) + x/2 })), c.cdf); !bad && width == 1 && c.name != "Uniform" {
				t.Errorf("%s, width %v: a wrong density is missed", c.name, width)
			}
		}
	}
	// And it gets there from a bad start.
	far := func() float64 {
		x := 40.0
		for range 30 {
			x = r.Slice(x, 0, inf, 1, gamma)
		}
		return x
	}
	if bad, d := ksRejects(sample(3000, far), func(x float64) float64 { return GammaCDF(x, 3, 2) }); bad {
		t.Errorf("from 40: sqrt(n)·D = %.3g", d)
	}
	for name, x := range map[string]float64{
		"outside":  r.Slice(-1, 0, 1, 1, gamma),
		"at bound": r.Slice(0, 0, 1, 1, gamma),
		"NaN":      r.Slice(math.NaN(), 0, 1, 1, gamma),
		"density":  r.Slice(0.5, 0, 1, 1, func(float64) float64 { return -inf }),
		"NaN dens": r.Slice(0.5, 0, 1, 1, func(float64) float64 { return math.NaN() }),
		"+Inf":     r.Slice(0.5, 0, 1, 1, func(float64) float64 { return inf }),
	} {
		if x == x {
			t.Errorf("%s: %v, want NaN", name, x)
		}
	}
	// A point mass, as far as logf can tell: it stays.
	if x := r.Slice(0.5, 0, 1, 1, func(x float64) float64 {
		if x == 0.5 {
			return 0
		}
		return math.NaN()
	}); x != 0.5 {
		t.Errorf("point mass: %v", x)
	}
}

// TestSlicePositive: moves leave the distribution of positive numbers alone, of one with a pole at 0 too, and stay where floating point has
// numbers of full precision, beyond which half of Gamma(1e-3, 1) lies.
func TestSlicePositive(t *testing.T) {
	r := NewRand(101)
	for _, c := range []struct {
		shape float64
		lo    float64
	}{{3, 0}, {0.1, 0}, {3, 1}} {
		logf := func(x float64) float64 { return GammaLogPDF(x, c.shape, 2) }
		start := func() float64 {
			for {
				if x := r.Gamma(c.shape, 2); x > c.lo {
					return x
				}
			}
		}
		below := GammaCDF(c.lo, c.shape, 2)
		cdf := func(x float64) float64 { return (GammaCDF(x, c.shape, 2) - below) / (1 - below) }
		move := func(logf func(float64) float64) func() float64 {
			return func() float64 {
				x := start()
				for range 3 {
					x = r.SlicePositive(x, c.lo, inf, 1, logf)
				}
				return x
			}
		}
		if bad, d := ksRejects(sample(10000, move(logf)), cdf); bad {
			t.Errorf("shape %v above %v: sqrt(n)·D = %.3g", c.shape, c.lo, d)
		}
		// The planted fault: the Jacobian counted twice.
		if bad, _ := ksRejects(sample(10000, move(func(x float64) float64 { return logf(x) + math.Log(x) })), cdf); !bad {
			t.Errorf("shape %v above %v: a wrong density is missed", c.shape, c.lo)
		}
	}
	x := 1e-300
	for range 2000 {
		if x = r.SlicePositive(x, 0, inf, 3, func(x float64) float64 { return GammaLogPDF(x, 1e-3, 1) }); !(x >= tiny) {
			t.Fatalf("moved to %v", x)
		}
	}
	for range 2000 {
		if x = r.SlicePositive(x, 0, inf, 3, func(x float64) float64 { return -math.Log(x) }); !(x >= tiny && x <= huge) {
			t.Fatalf("moved to %v", x)
		}
	}
	for _, x := range []float64{0, -1, inf, math.NaN()} {
		if y := r.SlicePositive(x, 0, inf, 1, func(float64) float64 { return 0 }); y == y {
			t.Errorf("from %v: %v, want NaN", x, y)
		}
	}
}

func TestSliceInt(t *testing.T) {
	r := NewRand(101)
	for _, rate := range []float64{0.3, 7, 3000} {
		logp := func(k int) float64 {
			if k < 0 {
				t.Fatal("logf called below lo")
			}
			return PoissonLogPMF(k, rate)
		}
		sd := int(math.Sqrt(rate)) + 1
		from := max(0, int(rate)-8*sd)
		checkPMF(t, fmt.Sprint("SliceInt Poisson ", rate), func() int {
			k := r.Poisson(rate)
			for range 2 {
				k = r.SliceInt(k, 0, math.MaxInt, logp)
			}
			return k
		}, logp, from, 16*sd+10)
		wrong := func(k int) float64 { return logp(k) + 0.5*math.Log(float64(k)+1) }
		if bad, _ := pmfRejects(func() int { return r.SliceInt(r.Poisson(rate), 0, math.MaxInt, wrong) }, logp, from, 16*sd+10); !bad && rate < 1000 {
			t.Errorf("SliceInt Poisson %v: a wrong density is missed", rate)
		}
	}
	// Two modes, negative numbers, both bounds.
	w := []float64{1, 5, 0, 0, 0, 0, 3, 1}
	logp := func(k int) float64 { return math.Log(w[k+4] / 10) }
	checkPMF(t, "SliceInt, two modes", func() int { return r.SliceInt(r.Categorical(w)-4, -4, 3, logp) }, logp, -4, 8)
	if k := r.SliceInt(3, 5, 9, logp); k != 3 {
		t.Errorf("outside: %d", k)
	}
	if k := r.SliceInt(-2, -4, 3, logp); k != -2 {
		t.Errorf("at probability 0: %d", k)
	}
	flat := func(int) float64 { return 0 }
	for _, k := range []int{math.MinInt, -1, 0, math.MaxInt} {
		r.SliceInt(k, math.MinInt, math.MaxInt, flat) // ends, and does not overflow into a panic
	}
}

func BenchmarkSlice(b *testing.B) {
	r, x := NewRand(1), 1.0
	for b.Loop() {
		x = r.Slice(x, 0, inf, 1, func(x float64) float64 { return 2*math.Log(x) - 2*x })
	}
	sink = x
}

// TestSliceWidths: widths follow the scale of what is drawn, so that a draw takes few evaluations whatever its units; and only
// while they are learned.
func TestSliceWidths(t *testing.T) {
	r := NewRand(102)
	for _, sd := range []float64{1e-4, 1, 1e5} {
		w := NewSliceWidths(2)
		x, evaluations := 0.0, 0
		draws := func(n int) {
			for range n {
				next := r.Slice(x, math.Inf(-1), inf, w.At(1), func(t float64) float64 {
					evaluations++
					return -t * t / (2 * sd * sd)
				})
				w.Learn(1, x, next)
				x = next
			}
		}
		w.Tune(true)
		draws(300)
		w.Tune(false)
		width := w.At(1)
		evaluations = 0
		draws(1000)
		// The mean is 6.0 and the standard deviation 1.25, so that 8 is 50 standard errors above.
		if evaluations > 8000 || w.At(1) != width || w.At(0) != 1 {
			t.Errorf("sd %g: width %g, then %g, and %g for what was not drawn; %d evaluations in 1000 draws", sd, width, w.At(1), w.At(0), evaluations)
		}
	}
}
