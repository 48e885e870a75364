// This file compares the draws of families with the densities that the families state: that runtime means by natural parameters what
// the compiler means by them. Far corners, and vectors and matrices of more than one number, are for runtime's own tests.

package conjugacy

import (
	"math"
	"reflect"
	"testing"

	"github.com/gibbsgen/gibbsgen/internal/testkit"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// A drawCase is what to call a draw with: the natural parameters in the family's order, one number each but for the elements of a
// simplex, and what else it takes.
type drawCase struct {
	nat    [][]float64
	pow    float64 // 1 if 0
	lo, hi float64 // of the density: bounds or support
	above  bool    // for draws on one side: the point is lo, or else hi
}

func numbers(x ...float64) (out [][]float64) {
	for _, v := range x {
		out = append(out, []float64{v})
	}
	return out
}

var infinity = math.Inf(1)

// drawCases has each draw of a family by its name.
var drawCases = map[string][]drawCase{
	"NormalNat":      {{nat: numbers(1.2, 2.5), lo: -infinity, hi: infinity}},
	"TruncNormalNat": {{nat: numbers(1.2, 2.5), lo: -0.3, hi: 1}, {nat: numbers(-1.2, 0), lo: 0.5, hi: infinity}},
	"PositiveSide":   {{nat: numbers(0.7, 1), hi: infinity, above: true}, {nat: numbers(0.7, 1), lo: -infinity}},
	"NormalSide":     {{nat: numbers(0.7, 1), lo: 0.4, hi: infinity, above: true}, {nat: numbers(0.7, 1), lo: -infinity, hi: 0.4}},
	"NormalSideNat":  {{nat: numbers(0.7, 2.5), lo: 0.4, hi: infinity, above: true}, {nat: numbers(0.7, 2.5), lo: -infinity, hi: 0.4}},
	"MVNormalNat":    {{nat: numbers(1.2, 2.5), lo: -infinity, hi: infinity}},
	"GammaNat":       {{nat: numbers(1.2, 2.5), hi: infinity}},
	"GammaPowNat":    {{nat: numbers(-4.2, 2.5), pow: -2, hi: infinity}, {nat: numbers(1.2, 2.5), lo: 0.2, hi: 1.3}},
	"GIGNat":         {{nat: numbers(-0.5, 2.5, 0.7), hi: infinity}},
	"GIGPowNat":      {{nat: numbers(1.2, 2.5, 0.7), pow: 2, hi: infinity}},
	"LogNormalNat":   {{nat: numbers(1.2, 2.5), hi: infinity}},
	"BetaNat":        {{nat: numbers(1.2, 0.7), hi: 1}},
	"DirichletNat":   {{nat: [][]float64{{1.2, 0.7}}, hi: 1}},
	"WishartNat":     {{nat: numbers(1.2, 2.5), hi: infinity}},
	"InvWishartNat":  {{nat: numbers(-2.2, 2.5), hi: infinity}},
}

// statistic is what a natural parameter goes with where t is one number, or the first of two that sum to 1.
func statistic(n Natural, t, pow float64) []float64 {
	switch n.Stat {
	case PowT:
		return []float64{math.Pow(t, n.Power*pow)}
	case LogT, logDet:
		return []float64{math.Log(t)}
	case LogSqT:
		return []float64{math.Log(t) * math.Log(t)}
	case Log1mT:
		return []float64{math.Log1p(-t)}
	case vec1, matrix:
		return []float64{t}
	case vec2:
		return []float64{t * t}
	case invMat:
		return []float64{1 / t}
	case logVec:
		return []float64{math.Log(t), math.Log1p(-t)}
	}
	return nil
}

func TestDraws(t *testing.T) {
	for _, f := range Families {
		for _, d := range f.Draws {
			cases := drawCases[d.Name]
			if len(cases) == 0 {
				t.Errorf("%s of %s has no case in drawCases", d.Name, f.Name)
			}
			for _, c := range cases {
				checkDraw(t, f, d, c)
			}
		}
	}
}

func checkDraw(t *testing.T, f *Family, d Call, c drawCase) {
	t.Helper()
	if c.pow == 0 {
		c.pow = 1
	}
	logf := func(x float64) float64 {
		sum := 0.0
		for i, n := range f.Natural {
			s := statistic(n, x, c.pow)
			if s == nil {
				t.Fatalf("%s: what is the statistic of %s?", f.Name, n.Name)
			}
			for k, v := range c.nat[i] {
				sum += n.Scale * v * s[k]
			}
		}
		return sum
	}
	draw := reflect.ValueOf(runtime.NewRand(77)).MethodByName(d.Name)
	if !draw.IsValid() {
		t.Errorf("runtime has no %s", d.Name)
		return
	}
	const n = 20000
	var xs []float64
	for range n {
		var args []any
		var dst []float64
		if f.Block() {
			dst = make([]float64, len(c.nat[0]))
			args = append(args, dst)
		}
		for i, p := range f.Natural {
			if _, fixed := d.Without[p.Name]; fixed {
				continue
			}
			if p.Rank > 0 {
				args = append(args, append([]float64(nil), c.nat[i]...)) // which a draw may overwrite
			} else {
				args = append(args, c.nat[i][0])
			}
		}
		side := []any{c.hi, c.above}
		if c.above {
			side[0] = c.lo
		}
		if d.At0 {
			side = side[1:]
		}
		for _, more := range []struct {
			is   bool
			args []any
		}{
			{d.Power, []any{c.pow}}, {d.Bounds, []any{c.lo, c.hi}}, {d.Side, side}, {d.Size, []any{len(dst)}},
			{d.Work, []any{runtime.NewMatWork(1)}},
		} {
			if more.is {
				args = append(args, more.args...)
			}
		}
		var in []reflect.Value
		for _, a := range args {
			in = append(in, reflect.ValueOf(a))
		}
		out := draw.Call(in)
		if f.Block() {
			if d.Work && !out[0].IsNil() {
				t.Fatalf("%s: %v", d.Name, out[0])
			}
			xs = append(xs, dst[0])
		} else {
			xs = append(xs, out[0].Float())
		}
	}
	if _, ks := testkit.Fit(xs, logf, c.lo, c.hi); !(ks < 2.2) { // has probability 1.3e-4 for right draws, and the seed is fixed
		t.Errorf("%s%+v is not of the density that %s states: sqrt(n)·D = %g", d.Name, c, f.Name, ks)
	}
}
