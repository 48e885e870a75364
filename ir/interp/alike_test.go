package interp

import (
	"math"
	"testing"

	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestVectorsAlike renumbers the elements of every distribution's vectors and matrices, drawn and given, in one and the same way: the
// density must stay. Model.Exchangeable rests on it. A distribution that fails here has to be an exception there.
func TestVectorsAlike(t *testing.T) {
	const n = 4
	to := []int{2, 0, 3, 1}
	rng := runtime.NewRand(41)
	permuted := func(x []float64) []float64 {
		out := make([]float64, len(x))
		switch len(x) {
		case n:
			for i, v := range x {
				out[to[i]] = v
			}
		case n * n:
			for i := range n {
				for j := range n {
					out[to[i]*n+to[j]] = x[i*n+j]
				}
			}
		default:
			copy(out, x)
		}
		return out
	}
	met := 0
	for _, d := range ir.Dists {
		var args [][]float64
		arrays := d.Event
		for _, p := range d.Params {
			arrays += p.Dims
			arg := []float64{1.3}
			switch {
			case p.Domain == ir.DegreesOfFreedom:
				arg = []float64{n + 1.5}
			case p.Domain == ir.CountDomain:
				arg = []float64{7}
			case p.Domain == ir.UnitInterval:
				arg = []float64{0.3}
			case p.Dims == 1:
				arg = make([]float64, n)
				sum := 0.0
				for i := range arg {
					arg[i] = rng.Gamma(2, 1)
					sum += arg[i]
				}
				for i := range arg {
					if p.Domain == ir.SimplexDomain {
						arg[i] /= sum
					}
				}
			case p.Dims == 2:
				arg = make([]float64, n*n)
				for range 2 * n { // a sum of squares is positive definite
					var row [n]float64
					for i := range row {
						row[i] = rng.Normal(0, 1)
					}
					for i := range n * n {
						arg[i] += row[i/n] * row[i%n]
					}
				}
			}
			args = append(args, arg)
		}
		if arrays == 0 || d.Name == "GEM" || d.Name == "Flat" { // in order, but integrated out; no density
			continue
		}
		e := table[d.LogProb]
		x := make([]float64, []int{1, n, n * n}[d.Event])
		if err := e.draw(rng, x, args); err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		y := permuted(x)
		if d.Type == ir.Cat {
			y[0] = float64(to[int(x[0])])
		}
		var others [][]float64
		for _, a := range args {
			others = append(others, permuted(a))
		}
		if a, b := e.logp(x, args), e.logp(y, others); !(math.Abs(a-b) < 1e-9) {
			t.Errorf("%s: log density %v, of renumbered elements %v", d.Name, a, b)
		}
		// A planted fault: what is drawn stays where it was.
		if a, b := e.logp(x, args), e.logp(x, others); d.Event == 1 && math.Abs(a-b) < 1e-9 {
			t.Errorf("%s: renumbering its parameters alone is missed", d.Name)
		}
		met++
	}
	if met < 7 {
		t.Errorf("%d distributions have vectors or matrices", met)
	}
}
