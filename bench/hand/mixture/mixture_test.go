package mixture

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gibbsgen/gibbsgen/bench/hand/draw"
	"github.com/gibbsgen/gibbsgen/bench/internal/exact"
)

// forward draws parameters, labels and n data from the model.
func forward(r *draw.Rand, n, k int, h Hyper) (State, []float64) {
	s := State{Pi: make([]float64, k), Mu: make([]float64, k), S2: make([]float64, k), Z: make([]int32, n)}
	var total float64
	for j := range k {
		s.Pi[j] = r.Gamma(h.Alpha)
		total += s.Pi[j]
		s.Mu[j] = h.M0 + math.Sqrt(h.V0)*r.Norm()
		s.S2[j] = r.InvGamma(h.A, h.B)
	}
	for j := range k {
		s.Pi[j] /= total
	}
	x := make([]float64, n)
	for i := range x {
		z := exact.Pick(s.Pi, r.Float64())
		s.Z[i] = int32(z)
		x[i] = s.Mu[z] + math.Sqrt(s.S2[z])*r.Norm()
	}
	return s, x
}

// TestInvariance: see package exact. Means far from 0 would show cancellation.
func TestInvariance(t *testing.T) {
	const n, k, replicates = 7, 3, 20_000
	h := Hyper{Alpha: 1.5, M0: 1e4, V0: 4, A: 3, B: 2}
	r := draw.New(1)
	var pi, mu, s2, fit, spread []float64
	labels, narrower := make([]int, k), make([]int, k)
	for rep := range replicates {
		truth, x := forward(r, n, k, h)
		s, err := New(x, k, h, uint64(rep))
		if err != nil {
			t.Fatal(err)
		}
		s.State = truth
		s.Recount()
		for range 3 {
			s.Sweep()
		}
		pi = append(pi, s.Pi[0])
		mu = append(mu, (s.Mu[1]-h.M0)/math.Sqrt(h.V0))
		s2 = append(s2, h.B/s.S2[2])
		var ss, dev float64
		for i, z := range s.Z {
			e := (x[i] - s.Mu[z]) / math.Sqrt(s.S2[z])
			ss += e * e
			dev += e / math.Sqrt(n)
		}
		fit = append(fit, ss)
		spread = append(spread, dev)
		labels[s.Z[0]]++
		rank := 0 // of the first point's component, among all by variance
		for _, v := range s.S2 {
			if v < s.S2[s.Z[0]] {
				rank++
			}
		}
		narrower[rank]++
	}
	exact.KS(t, "pi", pi, func(x float64) float64 { return mathext.RegIncBeta(h.Alpha, (k-1)*h.Alpha, x) })
	exact.KS(t, "mu", mu, distuv.UnitNormal.CDF)
	exact.KS(t, "b/s2", s2, func(x float64) float64 { return mathext.GammaIncReg(h.A, x) })
	exact.KS(t, "Σ(x - mu)²/s2", fit, distuv.ChiSquared{K: n}.CDF)
	exact.KS(t, "Σ(x - mu)/sd/√n", spread, distuv.UnitNormal.CDF)
	exact.Frequencies(t, "z", labels, []float64{1. / 3, 1. / 3, 1. / 3})
	exact.Frequencies(t, "rank of s2[z]", narrower, []float64{1. / 3, 1. / 3, 1. / 3})
}

// TestLabels compares the frequencies of a label with the log joint at each value
// it may take, near the components and so far away that all weights underflow.
func TestLabels(t *testing.T) {
	const draws = 50_000
	h := Hyper{Alpha: 1, M0: 0, V0: 10, A: 2, B: 1}
	for _, x := range []float64{0.3, 1.2, 60, -400} {
		s, err := New([]float64{x}, 3, h, 1)
		if err != nil {
			t.Fatal(err)
		}
		copy(s.Pi, []float64{0.2, 0.5, 0.3})
		copy(s.Mu, []float64{0, 1, 1.001})
		copy(s.S2, []float64{1, 0.5, 0.49999})
		p := make([]float64, 3)
		var total float64
		for k := range p {
			s.Z[0] = int32(k)
			p[k] = s.LogJoint()
		}
		most := max(p[0], p[1], p[2])
		for k, l := range p {
			p[k] = math.Exp(l - most)
			total += p[k]
		}
		for k := range p {
			p[k] /= total
		}
		s.hoist()
		counts := make([]int, 3)
		for range draws {
			s.labels()
			counts[s.Z[0]]++
		}
		if p[0] > 1-1e-9 { // so far away that the widest component has it all
			if counts[0] != draws {
				t.Errorf("x = %v: counts %v, probabilities %v", x, counts, p)
			}
			continue
		}
		exact.Frequencies(t, "z", counts, p)
	}
}

// TestMoves: a sweep that left something out would still be invariant.
func TestMoves(t *testing.T) {
	s, err := New([]float64{0.1, 0.2, -0.3, 0}, 2, BenchHyper, 1)
	if err != nil {
		t.Fatal(err)
	}
	state := func() []float64 { return slices.Concat(s.Pi, s.Mu, s.S2) }
	before := state()
	seen := make([][2]bool, len(s.Z))
	for range 100 {
		s.Sweep()
		for i, z := range s.Z {
			seen[i][z] = true
		}
	}
	for i, v := range state() {
		if v == before[i] {
			t.Errorf("element %d of (pi, mu, s2) did not move", i)
		}
	}
	for i, z := range seen {
		if !z[0] || !z[1] {
			t.Errorf("z[%d] did not move", i)
		}
	}
}

func TestSweepAllocatesNothing(t *testing.T) {
	_, x := forward(draw.New(1), 100, 5, Hyper{1, 0, 1, 2, 1})
	s, err := New(x, 5, Hyper{1, 0, 1, 2, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(10, s.Sweep); n != 0 {
		t.Errorf("%v allocations a sweep", n)
	}
}

func BenchmarkSweep(b *testing.B) {
	x := Bench(10_000)
	s, err := New(x, 5, BenchHyper, 1)
	if err != nil {
		b.Fatal(err)
	}
	for range 50 {
		s.Sweep()
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Sweep()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/point")
}
