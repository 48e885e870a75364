package runtime

import (
	"fmt"
	"math"
	"testing"
)

func TestCategorical(t *testing.T) {
	r := NewRand(30)
	for _, k := range []int{1, 2, 5, 15, 16, 17, 40, 300} {
		w, p, logw := make([]float64, k), make([]float64, k), make([]float64, k)
		for i := range w {
			w[i] = 3 * float64((i*7)%5) // zeros among them
		}
		w[k-1] = 1
		total := sumOf(w)
		logp := func(i int) float64 { return math.Log(w[i] / total) }
		checkPMF(t, fmt.Sprint("Categorical ", k), func() int { return r.Categorical(w) }, logp, 0, k)
		checkPMF(t, fmt.Sprint("CategoricalLog ", k), func() int {
			for i := range logw {
				logw[i] = 2000 + math.Log(w[i])
			}
			return r.CategoricalLog(logw)
		}, logp, 0, k)
		for i := range p {
			p[i] = w[i] / total
			if got := CategoricalLogPMF(int32(i), p); !near(got, logp(i), 1e-15) {
				t.Errorf("CategoricalLogPMF(%d) = %v, want %v", i, got, logp(i))
			}
		}
		if l := sumPMF(func(i int) float64 { return CategoricalLogPMF(int32(i), p) }, -2, k+4); !near(l, 0, 1e-12) {
			t.Errorf("CategoricalLogPMF sums to exp(%v)", l)
		}
	}
	for range 2000 { // an element of weight 0 never comes up
		if k := r.Categorical([]float64{0, 1e-300, 0, 0, 3e-300, 0}); k != 1 && k != 4 {
			t.Fatalf("drew %d, which has weight 0", k)
		}
	}
	nan := math.NaN()
	for _, w := range [][]float64{nil, {}, {0}, {0, 0, 0}, {1, nan}, {1, inf}, {math.MaxFloat64, math.MaxFloat64}} {
		if k := r.Categorical(w); k != -1 {
			t.Errorf("Categorical(%v) = %d, want -1", w, k)
		}
	}
	for _, w := range [][]float64{nil, {}, {-inf}, {-inf, -inf}, {0, nan}, {nan, 0}, {0, nan, 5}, {0, inf}} {
		if k := r.CategoricalLog(w); k != -1 {
			t.Errorf("CategoricalLog(%v) = %d, want -1", w, k)
		}
	}
	if k := r.CategoricalLog([]float64{-inf, -1e308, -inf}); k != 1 {
		t.Errorf("CategoricalLog with one finite = %d", k)
	}
}

func TestBernoulli(t *testing.T) {
	r := NewRand(31)
	for _, p := range []float64{0, 0.2, 1} {
		checkPMF(t, fmt.Sprint("Bernoulli ", p), func() int {
			if r.Bernoulli(p) {
				return 1
			}
			return 0
		}, func(k int) float64 { return BernoulliLogPMF(k == 1, p) }, 0, 2)
		if l := LogSumExp([]float64{BernoulliLogPMF(true, p), BernoulliLogPMF(false, p)}); !near(l, 0, 1e-15) {
			t.Errorf("BernoulliLogPMF(%v) sums to exp(%v)", p, l)
		}
	}
}

func TestXLogY(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{{0, 0, 0}, {0, math.Inf(1), 0}, {1, 0, math.Inf(-1)}, {1, 1, 0}, {2, math.E, 2}} {
		if got := XLogY(c.x, c.y); got != c.want {
			t.Errorf("XLogY(%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
		if got := XTimes(c.x, math.Log(c.y)); got != c.want {
			t.Errorf("XTimes(%v, log %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func TestMultinomial(t *testing.T) {
	r := NewRand(32)
	p := []float64{0.2, 0, 0.5, 0.3, 0}
	k := make([]int, 5)
	for j, pj := range p { // each count is Binomial
		checkPMF(t, fmt.Sprint("Multinomial ", j), func() int { r.Multinomial(k, 30, p); return k[j] },
			func(x int) float64 { return BinomialLogPMF(x, 30, pj) }, 0, 31)
	}
	// The joint law of 3 in 3 cells, against the product formula and each other.
	q := []float64{0.2, 0.5, 0.3}
	cell := func(k []int) int { return k[0]*4 + k[1] }
	logp := func(c int) float64 {
		a, b := c/4, c%4
		return MultinomialLogPMF([]int{a, b, 3 - a - b}, 3, q)
	}
	k3 := make([]int, 3)
	checkPMF(t, "Multinomial joint", func() int { r.Multinomial(k3, 3, q); return cell(k3) }, logp, 0, 16)
	if l := sumPMF(logp, 0, 16); !near(l, 0, 1e-14) {
		t.Errorf("MultinomialLogPMF sums to exp(%v)", l)
	}
	if got, want := MultinomialLogPMF([]int{1, 2, 0}, 3, q), math.Log(3*0.2*0.5*0.5); !near(got, want, 1e-14) {
		t.Errorf("MultinomialLogPMF = %v, want %v", got, want)
	}
	for _, bad := range [][]float64{{0, 0, 0}, {1, -1, 1}, {1, math.NaN(), 1}, {1, inf, 1}} {
		if r.Multinomial(k3, 3, bad); k3[0] != -1 || k3[2] != -1 {
			t.Errorf("Multinomial with p = %v: %v", bad, k3)
		}
	}
}

func BenchmarkCategorical(b *testing.B) {
	for _, k := range []int{5, 20, 100, 1000} {
		w, logw := make([]float64, k), make([]float64, k)
		r := NewRand(1)
		for i := range w {
			w[i] = r.Exp1()
			logw[i] = math.Log(w[i])
		}
		b.Run(fmt.Sprint(k), func(b *testing.B) {
			for b.Loop() {
				r.Categorical(w)
			}
		})
		b.Run(fmt.Sprint("log", k), func(b *testing.B) {
			work := make([]float64, k)
			for b.Loop() {
				copy(work, logw)
				r.CategoricalLog(work)
			}
		})
	}
}
