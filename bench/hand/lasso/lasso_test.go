package lasso

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gibbsgen/gibbsgen/bench/hand/draw"
	"github.com/gibbsgen/gibbsgen/bench/internal/exact"
	"github.com/gibbsgen/gibbsgen/bench/jags"
)

// TestInvariance: see package exact. From parameters and data drawn jointly, a
// few sweeps must give parameters and data drawn jointly.
func TestInvariance(t *testing.T) {
	const n, d, replicates = 6, 3, 20_000
	hyper := Hyper{Lambda: 1.3, A: 3, B: 2}
	r := draw.New(1)
	x := make([]float64, n*d)
	for i := range x {
		x[i] = r.Norm()
	}
	var sigma2, tau2, w, fit []float64
	for rep := range replicates {
		truth := State{Sigma2: r.InvGamma(hyper.A, hyper.B), Tau2: make([]float64, d), W: make([]float64, d)}
		for j := range d {
			truth.Tau2[j] = r.Exp() * 2 / (hyper.Lambda * hyper.Lambda)
			truth.W[j] = math.Sqrt(truth.Sigma2*truth.Tau2[j]) * r.Norm()
		}
		y := make([]float64, n)
		for i := range y {
			y[i] = predict(x[i*d:i*d+d], truth.W) + math.Sqrt(truth.Sigma2)*r.Norm()
		}
		s, err := New(x, y, hyper, uint64(rep))
		if err != nil {
			t.Fatal(err)
		}
		s.State = truth
		for range 3 {
			if err := s.Sweep(); err != nil {
				t.Fatal(err)
			}
		}
		sigma2 = append(sigma2, hyper.B/s.Sigma2)
		tau2 = append(tau2, s.Tau2[1])
		w = append(w, s.W[0]/math.Sqrt(s.Sigma2*s.Tau2[0]))
		var ss float64
		for i, v := range y {
			e := v - predict(x[i*d:i*d+d], s.W)
			ss += e * e
		}
		fit = append(fit, ss/s.Sigma2)
	}
	exact.KS(t, "b/sigma2", sigma2, func(x float64) float64 { return mathext.GammaIncReg(hyper.A, x) })
	exact.KS(t, "tau2", tau2, func(x float64) float64 { return -math.Expm1(-hyper.Lambda * hyper.Lambda / 2 * x) })
	exact.KS(t, "w/sd", w, distuv.UnitNormal.CDF)
	exact.KS(t, "|y - Xw|²/sigma2", fit, distuv.ChiSquared{K: n}.CDF)
}

// TestMoves: a sweep that left something out would still be invariant.
func TestMoves(t *testing.T) {
	s, err := New([]float64{1, 2, 3, 4, 5, 7}, []float64{1, 2, 4}, Hyper{1, 1, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	state := func() []float64 { return slices.Concat([]float64{s.Sigma2}, s.Tau2, s.W) }
	before := state()
	if err := s.Sweep(); err != nil {
		t.Fatal(err)
	}
	for i, v := range state() {
		if v == before[i] {
			t.Errorf("element %d of (sigma2, tau2, w) did not move", i)
		}
	}
}

func predict(x, w []float64) (sum float64) {
	for j, v := range x {
		sum += v * w[j]
	}
	return sum
}

// TestDiabetes cross-checks the medians stored from JAGS.
func TestDiabetes(t *testing.T) {
	data, err := jags.Diabetes()
	if err != nil {
		t.Fatal(err)
	}
	reference, err := jags.Stored()
	if err != nil {
		t.Fatal(err)
	}
	const chains, warmup, draws = 4, 500, 10_000
	of := make(map[string][][]float64)
	for c := range chains {
		s, err := New(data.X, data.Y, Hyper{Lambda: jags.Lambda, A: jags.A, B: jags.B}, uint64(c))
		if err != nil {
			t.Fatal(err)
		}
		record := func(name string, v float64) {
			for len(of[name]) <= c {
				of[name] = append(of[name], nil)
			}
			of[name][c] = append(of[name][c], v)
		}
		for i := range warmup + draws {
			if err := s.Sweep(); err != nil {
				t.Fatal(err)
			}
			if i < warmup {
				continue
			}
			record("sigma2", s.Sigma2)
			for j := range s.W {
				record(fmt.Sprintf("w[%d]", j+1), s.W[j])
				record(fmt.Sprintf("tau2[%d]", j+1), s.Tau2[j])
			}
		}
	}
	got := make(map[string]jags.Parameter)
	for name, chains := range of {
		got[name] = jags.Summarise(name, chains)
	}
	if err := reference.Compare(got, 4); err != nil {
		t.Error(err)
	}
}
