package runtime

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distmv"
)

// TestTinyBeta: with both shapes 1e-4 nearly all mass is at the two ends, half at each, and none is NaN.
func TestTinyBeta(t *testing.T) {
	r := NewRand(70)
	var ones []float64
	for range 20000 {
		x := r.Beta(1e-4, 1e-4)
		if !(x > 0 && x < 1) {
			t.Fatalf("Beta(1e-4, 1e-4) = %v", x)
		}
		ones = append(ones, math.Round(x))
	}
	checkMean(t, "Beta(1e-4, 1e-4)", ones, 0.5)
	// What is too near an end for its digits is spread evenly over the end's probability; then F(X) is uniform.
	cdf := func(x float64) float64 { return BetaCDF(x, 0.01, 0.01) }
	checkKS(t, "Beta(0.01, 0.01)", func() float64 {
		switch x := r.Beta(0.01, 0.01); {
		case x < 1e-290:
			return r.Uniform(0, cdf(1e-290))
		case x > 1-1e-10:
			return r.Uniform(cdf(1-1e-10), 1)
		default:
			return cdf(x)
		}
	}, func(u float64) float64 { return u })
	for _, p := range [][2]float64{{0, 1}, {1, 0}, {-1, 1}, {math.NaN(), 1}, {1, inf}} {
		if x := r.Beta(p[0], p[1]); x == x {
			t.Errorf("Beta%v = %v, want NaN", p, x)
		}
	}
}

func TestDirichlet(t *testing.T) {
	r := NewRand(71)
	for _, alpha := range [][]float64{{1, 1}, {0.2, 0.3, 0.5}, {3, 0.1, 7}, {100, 2000, 5, 0.01}, {0.4, 0.4, 0.3}} {
		k := len(alpha)
		a0, x, c := sumOf(alpha), make([]float64, k), make([]float64, k)
		for i := range c {
			c[i] = alpha[i] - 1
		}
		// Aggregation (Ferguson 1973): each element is Beta, and so is each sum of two.
		for i := range k {
			a, b := alpha[i], a0-alpha[i]
			cdf := func(x float64) float64 { return BetaCDF(x, a, b) }
			checkKS(t, fmt.Sprint("Dirichlet", alpha, i), func() float64 { r.Dirichlet(x, alpha); return x[i] }, cdf)
			checkKS(t, fmt.Sprint("DirichletNat", alpha, i), func() float64 { r.DirichletNat(x, c); return x[i] }, cdf)
		}
		if k > 2 {
			checkKS(t, fmt.Sprint("Dirichlet pair", alpha), func() float64 { r.Dirichlet(x, alpha); return min(x[0]+x[1], 1) },
				func(x float64) float64 { return BetaCDF(x, alpha[0]+alpha[1], a0-alpha[0]-alpha[1]) })
		}
		r.Dirichlet(x, alpha)
		if s := sumOf(x); !near(s, 1, 1e-14) {
			t.Errorf("Dirichlet%v sums to %v", alpha, s)
		}
		if got, want := DirichletLogPDF(x, alpha), distmv.NewDirichlet(alpha, nil).LogProb(x); !near(got, want, 1e-10) {
			t.Errorf("DirichletLogPDF%v = %v, gonum has %v", alpha, got, want)
		}
	}
	tiny := make([]float64, 10)
	x, firsts := make([]float64, 10), []float64{}
	for i := range tiny {
		tiny[i] = 1e-4
	}
	for range 20000 {
		r.Dirichlet(x, tiny)
		if s := sumOf(x); !near(s, 1, 1e-14) {
			t.Fatalf("Dirichlet(10×1e-4) sums to %v", s)
		}
		for _, v := range x {
			if !(v > 0 && v < 1) {
				t.Fatalf("Dirichlet(10×1e-4) = %v", x)
			}
		}
		firsts = append(firsts, x[0])
	}
	checkMean(t, "Dirichlet(10×1e-4)", firsts, 0.1)

	y := make([]float64, 2)
	for _, bad := range [][]float64{{0, 1}, {1, -1}, {1, math.NaN()}, {1, inf}} {
		if r.Dirichlet(y, bad); y[0] == y[0] || y[1] == y[1] {
			t.Errorf("Dirichlet%v = %v, want NaN", bad, y)
		}
		if p := DirichletLogPDF([]float64{0.5, 0.5}, bad); p == p {
			t.Errorf("DirichletLogPDF with %v = %v, want NaN", bad, p)
		}
	}
	for _, out := range [][]float64{{0, 1}, {0.5, 0.6}, {-0.5, 1.5}} {
		if p := DirichletLogPDF(out, []float64{1, 2}); !math.IsInf(p, -1) {
			t.Errorf("DirichletLogPDF at %v = %v", out, p)
		}
	}
	// Dirichlet(2, 3) on the line is Beta(2, 3): the same constant.
	if got, want := DirichletLogPDF([]float64{0.3, 0.7}, []float64{2, 3}), BetaLogPDF(0.3, 2, 3); !near(got, want, 1e-13) {
		t.Errorf("DirichletLogPDF = %v, BetaLogPDF = %v", got, want)
	}
}

func BenchmarkDirichletNat(b *testing.B) {
	for _, a := range []float64{0.01, 3} {
		b.Run(fmt.Sprint("1000of", a), func(b *testing.B) {
			r, c, x := NewRand(1), make([]float64, 1000), make([]float64, 1000)
			for i := range c {
				c[i] = a - 1
			}
			for b.Loop() {
				r.DirichletNat(x, c)
			}
		})
	}
}
