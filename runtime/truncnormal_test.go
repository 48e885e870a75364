package runtime

import (
	"fmt"
	"math"
	"testing"
)

var inf = math.Inf(1)

func TestTruncNormalNat(t *testing.T) {
	r := NewRand(10)
	for _, c := range []struct{ h, prec, lo, hi float64 }{
		{0, 1, 0, inf}, {0, 1, -inf, 0}, {-0.45, 1, 0, inf}, {-0.55, 1, 0, inf}, {-2, 1, 0, inf}, {3, 1, 0, inf}, {3, 1, -inf, 0},
		{0, 1, 40, inf}, {0, 1, 8, 8.001}, {0, 1, -inf, -30}, {0, 1, 8, 9}, {0, 1, -9, -8}, {0, 1, 8, 8.2},
		{0, 1, -1, 1}, {0, 1, -0.1, 0.2}, {0, 1, -0.1, 5}, {0, 1, 0.3, 1}, {0, 1, 0.3, 2.5}, {0, 1, 0.45, 2.46}, {0, 1, -1, 0.99},
		{0, 1, -inf, inf}, {2, 4, 0.4, 3}, {-1e3, 2, 0, inf}, {1e3, 2, -inf, 0}, {5, 1e-3, 0, 1}, {-5, 1e-12, 0, 1},
		// precision 0: exponential, uniform
		{0, 0, -1, 3}, {2, 0, -1, 3}, {-2, 0, -1, inf}, {30, 0, -inf, 2}, {-1e-9, 0, 0, 2}, {1e3, 0, 0, 1},
		// negative precision: mass at the ends
		{0, -1, -1, 1}, {0, -3, 0, 2}, {2, -4, -1, 1}, {-30, -1, -1, 3}, {0, -4, -3, 3}, {0, -4, -3.05, 3}, {1, -1e-6, 0, 2}, {0, -100, 1, 2},
	} {
		name := fmt.Sprintf("%+v", c)
		logf := func(x float64) float64 { return c.h*x - c.prec*x*x/2 }
		draw := func() float64 { return r.TruncNormalNat(c.h, c.prec, c.lo, c.hi) }
		if c.prec >= 0 {
			checkDensity(t, name, draw, logf, c.lo, c.hi)
			continue
		}
		checkKS(t, name, draw, valleyCDF(logf, c.lo, c.hi))
	}
}

// valleyCDF integrates a density that need not be unimodal over a finite interval.
func valleyCDF(logf func(float64) float64, lo, hi float64) func(float64) float64 {
	d := &density{logf: logf, top: max(logf(lo), logf(hi))}
	const cells = 3000
	d.x, d.cum = make([]float64, cells+1), make([]float64, cells+1)
	for i := range d.x {
		d.x[i] = lo + (hi-lo)*float64(i)/cells
		if i > 0 {
			d.cum[i] = d.cum[i-1] + d.integral(d.x[i-1], d.x[i])
		}
	}
	d.total = d.cum[cells]
	return d.cdf
}

// TestTruncNormalExcess looks at the distance to the bound, where the bound is so large or the tail so far that it has nearly
// no digits in x itself.
func TestTruncNormalExcess(t *testing.T) {
	r := NewRand(11)
	expo := func(x float64) float64 { return -math.Expm1(-x) }
	// On (0, ∞) with mean -m·sd far out, x·m/sd tends to a standard exponential; at m = 1e6 to 1e-12.
	for _, m := range []float64{1e6, 1e10, 1e100, 1e200} {
		checkKS(t, fmt.Sprint("excess ", m), func() float64 { return r.TruncNormalNat(-m, 1, 0, inf) * m }, expo)
		checkKS(t, fmt.Sprint("excess below ", m), func() float64 { return -r.TruncNormalNat(m, 1, -inf, 0) * m }, expo)
	}
	// On (0, w) in the tail the same exponential is truncated.
	checkKS(t, "narrow", func() float64 { return r.TruncNormalNat(-1e9, 1, 0, 2e-9) * 1e9 },
		func(x float64) float64 { return math.Expm1(-x) / math.Expm1(-2) })
	// The log of a closed form: P(X > x | X > 40), by LogNormalCDF, which has a test of its own.
	checkKS(t, "40", func() float64 { return r.TruncNormalNat(0, 1, 40, inf) },
		func(x float64) float64 { return -math.Expm1(LogNormalCDF(-x) - LogNormalCDF(-40)) })
}

func TestTruncNormalEdges(t *testing.T) {
	r := NewRand(12)
	for _, c := range []struct{ h, prec, lo, hi float64 }{
		{0, 0, 0, inf}, {1, 0, 0, inf}, {-1, 0, -inf, 0}, {0, -1, 0, inf}, {0, -1, -inf, inf}, {0, 1, 2, 1}, {math.NaN(), 1, 0, 1},
		{0, math.NaN(), 0, 1}, {0, 1, math.NaN(), 1}, {0, 1, 0, math.NaN()}, {inf, 1, 0, 1}, {0, inf, 0, 1}, {0, 1, inf, inf},
	} {
		if x := r.TruncNormalNat(c.h, c.prec, c.lo, c.hi); x == x {
			t.Errorf("%+v: %v, want NaN", c, x)
		}
	}
	if x := r.TruncNormalNat(3, 1, 2, 2); x != 2 {
		t.Errorf("empty interval at 2: %v", x)
	}
	next := math.Nextafter(1e20, inf)
	if x := r.TruncNormalNat(1e20, 1, 1e20, math.Nextafter(next, inf)); x != next {
		t.Errorf("one number inside: %v", x)
	}
	if x := r.TruncNormalNat(1e20, 1, 1e20, next); x != 1e20 && x != next {
		t.Errorf("no number inside: %v", x)
	}
}

func BenchmarkTruncNormalNat(b *testing.B) {
	for _, h := range []float64{2, 0, -0.4, -1, -3} {
		b.Run(fmt.Sprint("mean", h), func(b *testing.B) {
			r := NewRand(1)
			for b.Loop() {
				sink = r.TruncNormalNat(h, 1, 0, inf)
			}
		})
	}
	b.Run("probit", func(b *testing.B) { // means ~ N(0, 1), signs as the means have it
		r := NewRand(1)
		means := sample(1<<12, r.Norm)
		i := 0
		for b.Loop() {
			m := means[i&(1<<12-1)]
			i++
			if r.Uint64()&3 != 0 == (m > 0) {
				sink = r.TruncNormalNat(m, 1, 0, inf)
			} else {
				sink = r.TruncNormalNat(m, 1, -inf, 0)
			}
		}
	})
	b.Run("between", func(b *testing.B) {
		r := NewRand(1)
		for b.Loop() {
			sink = r.TruncNormalNat(0.3, 1, -0.2, 0.7)
		}
	})
}
