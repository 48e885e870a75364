package runtime

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestPoisson(t *testing.T) {
	r := NewRand(80)
	for _, rate := range []float64{0, 1e-3, 0.7, 5, 9.999, 10, 10.5, 33, 1000, 1e6} {
		sd := int(math.Sqrt(rate)) + 1
		from := max(0, int(rate)-12*sd)
		logp := func(k int) float64 { return PoissonLogPMF(k, rate) }
		checkPMF(t, fmt.Sprint("Poisson ", rate), func() int { return r.Poisson(rate) }, logp, from, 24*sd+20)
		if l := sumPMF(logp, max(0, int(rate)-40*sd)-5, 90*sd+60); !near(l, 0, 1e-12) {
			t.Errorf("PoissonLogPMF(%v) sums to exp(%v)", rate, l)
		}
		if rate > 0 {
			k := r.Poisson(rate)
			if got, want := logp(k), (distuv.Poisson{Lambda: rate}).LogProb(float64(k)); !near(got, want, 1e-8) {
				t.Errorf("PoissonLogPMF(%d, %v) = %v, gonum has %v", k, rate, got, want)
			}
		}
	}
	// A Poisson of 1e14 is Normal to 1e-7.
	checkKS(t, "Poisson 1e14", func() float64 { return (float64(r.Poisson(1e14)) - 1e14) / 1e7 }, NormalCDF)
	for _, rate := range []float64{-1, math.NaN(), inf, 1e19} {
		if k := r.Poisson(rate); k != -1 {
			t.Errorf("Poisson(%v) = %d, want -1", rate, k)
		}
	}
	if p := PoissonLogPMF(3, -1); p == p {
		t.Errorf("PoissonLogPMF of a negative rate = %v", p)
	}
}

func TestBinomial(t *testing.T) {
	r := NewRand(81)
	for _, c := range []struct {
		n int
		p float64
	}{{0, 0.3}, {1, 0.3}, {10, 0}, {10, 1}, {20, 0.4}, {20, 0.6}, {25, 0.4}, {30, 0.34}, {100, 0.5}, {100, 0.03}, {1000, 0.9}, {1 << 40, 1e-12}, {1 << 40, 1e-10}, {5000, 0.25}} {
		mean := float64(c.n) * c.p
		sd := int(math.Sqrt(mean*(1-c.p))) + 1
		from := max(0, int(mean)-12*sd)
		logp := func(k int) float64 { return BinomialLogPMF(k, c.n, c.p) }
		checkPMF(t, fmt.Sprint("Binomial ", c), func() int { return r.Binomial(c.n, c.p) }, logp, from, 24*sd+20)
		if l := sumPMF(logp, max(0, int(mean)-40*sd)-5, 90*sd+60); !near(l, 0, 1e-11) {
			t.Errorf("BinomialLogPMF(%v) sums to exp(%v)", c, l)
		}
		if k := r.Binomial(c.n, c.p); c.n < 1e6 && c.p > 0 && c.p < 1 {
			if got, want := logp(k), (distuv.Binomial{N: float64(c.n), P: c.p}).LogProb(float64(k)); !near(got, want, 1e-9) {
				t.Errorf("BinomialLogPMF(%d; %v) = %v, gonum has %v", k, c, got, want)
			}
		}
	}
	checkKS(t, "Binomial 1e15", func() float64 { return (float64(r.Binomial(1e15, 0.4)) - 4e14) / math.Sqrt(1e15*0.24) }, NormalCDF)
	for _, c := range []struct {
		n int
		p float64
	}{{-1, 0.5}, {1, -0.1}, {1, 1.1}, {1, math.NaN()}} {
		if k := r.Binomial(c.n, c.p); k != -1 {
			t.Errorf("Binomial%v = %d, want -1", c, k)
		}
		if p := BinomialLogPMF(0, c.n, c.p); p == p {
			t.Errorf("BinomialLogPMF(0; %v) = %v, want NaN", c, p)
		}
	}
}
