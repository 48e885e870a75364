package probit

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gibbsgen/gibbsgen/bench/hand/draw"
	"github.com/gibbsgen/gibbsgen/bench/internal/exact"
)

// TestInvariance: see package exact. N is no multiple of 4, so that both loops count.
func TestInvariance(t *testing.T) {
	const n, d, replicates = 7, 3, 20_000
	h := Hyper{Lambda: 1.3, A: 3, B: 2}
	r := draw.New(1)
	x := make([]float64, n*d)
	for i := range x {
		x[i] = r.Norm()
	}
	var sigma2, tau2, w, fit, first, projected []float64
	y, z := make([]bool, n), make([]float64, n)
	for rep := range replicates {
		truth := Globals{Sigma2: r.InvGamma(h.A, h.B), Tau2: make([]float64, d), W: make([]float64, d)}
		for j := range d {
			truth.Tau2[j] = r.Exp() * 2 / (h.Lambda * h.Lambda)
			truth.W[j] = math.Sqrt(truth.Sigma2*truth.Tau2[j]) * r.Norm()
		}
		for i := range z {
			z[i] = dot(x[i*d:i*d+d], truth.W) + r.Norm()
			y[i] = z[i] > 0
		}
		s, err := New(x, y, h, uint64(rep))
		if err != nil {
			t.Fatal(err)
		}
		s.Globals = truth
		s.SetZ(z)
		for range 3 {
			if err := s.Sweep(); err != nil {
				t.Fatal(err)
			}
		}
		z = s.AppendZ(z[:0], y)
		sigma2 = append(sigma2, h.B/s.Sigma2)
		tau2 = append(tau2, s.Tau2[1])
		w = append(w, s.W[0]/math.Sqrt(s.Sigma2*s.Tau2[0]))
		var ss, along, norm float64
		for i, v := range z {
			e := v - dot(x[i*d:i*d+d], s.W)
			ss += e * e
			along += e * x[i*d]
			norm += x[i*d] * x[i*d]
		}
		fit = append(fit, ss)
		first = append(first, z[0]-dot(x[:d], s.W))
		projected = append(projected, along/math.Sqrt(norm))
	}
	exact.KS(t, "b/sigma2", sigma2, func(x float64) float64 { return mathext.GammaIncReg(h.A, x) })
	exact.KS(t, "tau2", tau2, func(x float64) float64 { return -math.Expm1(-h.Lambda * h.Lambda / 2 * x) })
	exact.KS(t, "w/sd", w, distuv.UnitNormal.CDF)
	exact.KS(t, "|z - Xw|²", fit, distuv.ChiSquared{K: n}.CDF)
	exact.KS(t, "z[0] - Xw", first, distuv.UnitNormal.CDF)
	exact.KS(t, "x'(z - Xw)", projected, distuv.UnitNormal.CDF)
}

// TestMoves: a sweep that left something out would still be invariant.
func TestMoves(t *testing.T) {
	x, y := Bench(9, 3)
	s, err := New(x, y, BenchHyper, 1)
	if err != nil {
		t.Fatal(err)
	}
	state := func() []float64 { return slices.Concat([]float64{s.Sigma2}, s.Tau2, s.W, s.abs) }
	before := state()
	if err := s.Sweep(); err != nil {
		t.Fatal(err)
	}
	for i, v := range state() {
		if v == before[i] {
			t.Errorf("element %d of (sigma2, tau2, w, |z|) did not move", i)
		}
	}
}

// TestSums holds Xᵀz against a recomputation, with as many rows as there are ways
// to end.
func TestSums(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 8, 9} {
		const d = 5
		x, y := Bench(n, d)
		s, err := New(x, y, BenchHyper, 1)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if err := s.Sweep(); err != nil {
				t.Fatal(err)
			}
			got := append([]float64(nil), s.xz...)
			z := s.AppendZ(nil, y)
			for i, v := range z {
				if v > 0 != y[i] {
					t.Errorf("n = %d: z[%d] = %v, y = %v", n, i, v, y[i])
				}
			}
			for j := range d {
				var want float64
				for i, v := range z {
					want += v * x[i*d+j]
				}
				if math.Abs(got[j]-want) > 1e-12 {
					t.Errorf("n = %d: Xᵀz[%d] = %v, want %v", n, j, got[j], want)
				}
			}
		}
	}
}

func dot(x, w []float64) (sum float64) {
	for j, v := range x {
		sum += v * w[j]
	}
	return sum
}

func TestSweepAllocatesNothing(t *testing.T) {
	x, y := Bench(100, 5)
	s, err := New(x, y, BenchHyper, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(10, func() { _ = s.Sweep() }); n != 0 {
		t.Errorf("%v allocations a sweep", n)
	}
}

func BenchmarkSweep(b *testing.B) {
	x, y := Bench(100_000, 20)
	s, err := New(x, y, BenchHyper, 1)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Sweep(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(y)), "ns/row")
}
