package runtime

import (
	"fmt"
	"math"
	"testing"
)

// logPower is the log density of u = log t where t has density ∝ t^c exp(-a t^r - b t^-r).
func logPower(c, a, b, r float64) func(float64) float64 {
	return func(u float64) float64 {
		y := (c + 1) * u
		if a > 0 {
			y -= a * math.Exp(r*u)
		}
		if b > 0 {
			y -= b * math.Exp(-r*u)
		}
		return y
	}
}

func TestGIGNat(t *testing.T) {
	r := NewRand(20)
	for _, c := range []float64{-50, -3, -1.5, -1.1, -1, -0.9, -0.5, 0, 0.5, 3, 80, 1e4} {
		for _, ab := range [][2]float64{{1, 1}, {1e-12, 1}, {1, 1e-12}, {1e-6, 1e-6}, {1e3, 1e3}, {1e6, 1e-6}, {0.3, 40}, {1e-12, 1e-12}} {
			a, b := ab[0], ab[1]
			checkDensity(t, fmt.Sprintf("GIG(c=%v a=%v b=%v)", c, a, b),
				func() float64 { return math.Log(r.GIGNat(c, a, b)) }, logPower(c, a, b, 1), -inf, inf)
		}
	}
	for _, e := range []struct{ c, a, b float64 }{
		{1, 2, 0}, {-0.9, 2, 0}, {-3, 0, 2}, {-1.2, 0, 2}, // the edges
		{-1, 1e-250, 1e-250}, {-1, 1e-300, 1}, {-1.5, 1e-300, 1}, {-0.5, 1, 1e-300}, {-0.5, 1e-300, 1}, {5, 1e10, 1e10}, {1e12, 1, 1}, {-1e12, 1, 1},
	} {
		checkDensity(t, fmt.Sprintf("GIG%+v", e),
			func() float64 { return math.Log(r.GIGNat(e.c, e.a, e.b)) }, logPower(e.c, e.a, e.b, 1), -inf, inf)
	}
	for _, e := range []struct{ c, a, b float64 }{
		{-1, 1, 0}, {-2, 1, 0}, {-1, 0, 1}, {0, 0, 1}, {0, 0, 0}, {0, -1, 1}, {0, 1, -1}, {math.NaN(), 1, 1}, {0, math.NaN(), 1}, {0, inf, 1},
	} {
		if x := r.GIGNat(e.c, e.a, e.b); x == x {
			t.Errorf("GIG%+v: %v, want NaN", e, x)
		}
	}
}

// TestGIGAcceptance: the hat of logGIG covers the density, and more than half of what is under it is accepted, over a grid of
// extremes and intervals.
func TestGIGAcceptance(t *testing.T) {
	for _, k := range []float64{0, 1e-3, 0.3, 30, -0.03, -1, -1e6} {
		for _, a := range []float64{0, 1e-250, 1e-3, 1, 1e12} {
			for _, b := range []float64{0, 1e-250, 1e-3, 1, 1e12} {
				for _, d := range [][2]float64{{-inf, inf}, {0, inf}, {-inf, 0}, {-1, 1}, {3, 3.1}, {-500, 5}} {
					if a == 0 && b == 0 || a == 0 && k >= 0 && d[1] > huge || b == 0 && k <= 0 && d[0] < -huge {
						continue
					}
					mode, left, right := gigHat(k, a, b, d[0], d[1], d[1]-d[0])
					area := left.area() + right.area()
					f := func(v float64) float64 { // relative to the mode, or 1e12 would leave no digits
						y := k * v
						return y - scaledExpm1(a, mode, v) - scaledExpm1(b, -mode, -v)
					}
					den := newDensity(f, d[0]-mode, d[1]-mode)
					if got := math.Exp(den.logTotal()) / area; !(got > 0.5 && got < 1+1e-6) {
						t.Errorf("k=%v a=%v b=%v on %v: acceptance %v", k, a, b, d, got)
					}
				}
			}
		}
	}
}

// scaledExpm1 returns a·e^m·(e^v - 1).
func scaledExpm1(a, m, v float64) float64 {
	if v > 600 {
		return math.Exp(math.Log(a) + m + v)
	}
	return math.Exp(math.Log(a)+m) * math.Expm1(v)
}

func TestGIGPowNat(t *testing.T) {
	r := NewRand(21)
	for _, e := range []struct{ c, a, b, pow float64 }{
		{-11, 3, 0.5, -2}, {-11, 0.5, 3, 2}, {4, 1, 1, 0.5}, {0, 1e-9, 2, -3}, {-1.5, 2, 3, 1}, {-0.5, 2, 3, -1}, {-3, 2, 0, -2},
		{-3, 0, 2, 2}, {3, 2, 0, 1.5}, {-2, 1, 1, 2}, {2, 0, 2, -2.5},
	} {
		checkDensity(t, fmt.Sprintf("GIGPow%+v", e),
			func() float64 { return math.Log(r.GIGPowNat(e.c, e.a, e.b, e.pow)) }, logPower(e.c, e.a, e.b, e.pow), -inf, inf)
	}
	for _, e := range []struct{ c, a, b, pow float64 }{{1, 1, 1, 0}, {1, 1, 0, -2}, {1, 0, 0, 2}, {1, 1, -1, 2}, {1, 1, 1, math.NaN()}} {
		if x := r.GIGPowNat(e.c, e.a, e.b, e.pow); x == x {
			t.Errorf("GIGPow%+v: %v, want NaN", e, x)
		}
	}
}

func TestGammaPowNat(t *testing.T) {
	r := NewRand(22)
	for _, e := range []struct{ c, b, pow, lo, hi float64 }{
		// untruncated: Gamma, Inverse-Gamma, sd, others
		{2, 3, 1, 0, inf}, {-0.7, 3, 1, 0, inf}, {-4, 2, -1, 0, inf}, {-1.3, 2, -1, 0, inf}, {-10, 4, -2, 0, inf}, {-1.5, 4, -2, 0, inf},
		{3, 2, 2, 0, inf}, {0, 2, 3.5, 0, inf}, {-1.05, 2, -2, 0, inf}, {-0.95, 2, 1, 0, inf}, {1e6, 3, 1, 0, inf},
		// a standard deviation under Uniform(0, U), for n = 0, 1, 2, many
		{0, 0, -2, 0, 5}, {-1, 2, -2, 0, 5}, {-2, 2, -2, 0, 5}, {-40, 30, -2, 0, 5}, {-40, 30, -2, 0, 0.9}, {-40, 3000, -2, 0, 1}, {0, 2, -2, 0, 5},
		// b = 0: powers of t between bounds
		{3, 0, -2, 0, 2}, {-0.5, 0, 1, 0, 2}, {-1, 0, 1, 0.5, 2}, {-3, 0, 1, 0.5, inf}, {-3, 0, -1, 1e-200, 1e200},
		// shapes zero and below
		{-1, 2, 1, 0.1, inf}, {-5, 2, 1, 0.1, inf}, {-1, 2, 1, 1e-100, inf}, {0, 2, -1, 0, 3}, {4, 2, -1, 0, 3}, {-1, 2, -1, 0, 1e9}, {-1, 1e-300, 1, 1e-100, 1e100},
		// far tails, both sides, and narrow intervals
		{3, 2, 1, 100, inf}, {3, 2, 1, 1000, 1001}, {300, 2, 1, 0, 10}, {-0.9, 2, 1, 0, 1e-30}, {-4, 2, -1, 0, 0.01}, {-4, 2, -1, 1e5, inf},
		{3, 2, 1, 7, 7.001}, {1e8, 1e8, 1, 0.9999, 0.99995}, {50, 10, -2, 1, 1.5},
	} {
		logf := logPower(e.c, 0, e.b, -e.pow)
		checkDensity(t, fmt.Sprintf("GammaPow%+v", e),
			func() float64 { return math.Log(r.GammaPowNat(e.c, e.b, e.pow, e.lo, e.hi)) }, logf, math.Log(e.lo), math.Log(e.hi))
	}
	// An interval of 1e-9 of its place: uniform, and inside.
	checkKS(t, "narrow", func() float64 { return (r.GammaPowNat(2, 1, 1, 5, 5+5e-9) - 5) / 5e-9 }, func(x float64) float64 { return min(max(x, 0), 1) })
	for _, e := range []struct{ c, b, pow, lo, hi float64 }{
		{-1, 1, 1, 0, inf}, {0, 0, 1, 0, inf}, {-2, 0, 1, 0, 1}, {0, 0, 1, 1, inf}, {-1, 0, -2, 0, 5}, {1, -1, 1, 0, inf}, {1, 1, 0, 0, 1},
		{1, 1, 1, 3, 2}, {1, 1, 1, inf, inf}, {math.NaN(), 1, 1, 0, 1}, {1, 1, 1, math.NaN(), 1}, {-1, 1, -2, 0, inf},
	} {
		if x := r.GammaPowNat(e.c, e.b, e.pow, e.lo, e.hi); x == x {
			t.Errorf("GammaPow%+v: %v, want NaN", e, x)
		}
	}
	if x := r.GammaPowNat(1, 1, 1, 2, 2); x != 2 {
		t.Errorf("empty interval at 2: %v", x)
	}
}

func BenchmarkGIGNat(b *testing.B) {
	for _, e := range []struct {
		name    string
		c, a, b float64
	}{{"lasso", -0.5, 0.5, 0.1}, {"invgaussian", -1.5, 0.5, 0.1}, {"p2", 1, 0.5, 0.1}, {"p-20", -21, 2, 30}, {"plateau", -1, 1e-9, 1e-9}, {"gamma", 3, 1, 0}} {
		b.Run(e.name, func(b *testing.B) {
			r := NewRand(1)
			for b.Loop() {
				sink = r.GIGNat(e.c, e.a, e.b)
			}
		})
	}
}

func BenchmarkGammaPowNat(b *testing.B) {
	for _, e := range []struct {
		name              string
		c, b, pow, lo, hi float64
	}{{"sd", -40, 30, -2, 0, inf}, {"sdUniform", -40, 30, -2, 0, 100}, {"sdTruncated", -40, 3000, -2, 0, 1}} {
		b.Run(e.name, func(b *testing.B) {
			r := NewRand(1)
			for b.Loop() {
				sink = r.GammaPowNat(e.c, e.b, e.pow, e.lo, e.hi)
			}
		})
	}
}
