// This file asserts that no family is registered by half: each has all that the other packages take from it, and the functions
// that it names are in package runtime and take what it says.

package conjugacy

import (
	"slices"
	"testing"

	"github.com/gibbsgen/gibbsgen/internal/testkit"
)

func TestFamilies(t *testing.T) {
	runtime := testkit.Signatures(t, "../runtime")
	for _, f := range Families {
		t.Run(f.Name, func(t *testing.T) {
			ranks := map[int]int{}
			for _, n := range f.Natural {
				ranks[n.Rank]++
				if n.Name == "" || n.Scale == 0 {
					t.Errorf("the natural parameter %+v has no name or no scale", n)
				}
				if f.match != nil && !f.Block() && !slices.Contains([]Kind{PowT, LogT, LogSqT, Log1mT}, n.Stat) {
					t.Errorf("codegen does not know the statistic of %s", n.Name)
				}
			}
			if ranks[1] > 1 || ranks[2] > 1 {
				t.Error("samplers have room for one vector and one matrix of natural parameters")
			}
			if len(f.Natural) == 0 || f.words == nil {
				t.Error("it has no natural parameters or no words")
			}
			first := []string{"float64"} // the value that a density is at
			if f.Block() {
				first = []string{"[]float64"}
			}
			if f.match == nil {
				first = append(first, first...)
				if len(f.Draws) > 0 || f.logPartition == nil {
					t.Error("a joint family is for collapsing, and not drawn from")
				}
			} else if _, ok := (&Conditional{Family: f, Params: Params{R: 1}}).Draw(false); !ok {
				t.Error("it has no draw for t itself on the whole of its support")
			}
			if (f.logPartition != nil) != (f.LogPDF.Name != "") {
				t.Error("logPartition and LogPDF need each other")
			}
			if (f.match != nil && f.Block()) != (f.LogDensity.Name != "") {
				t.Error("those of blocks that are drawn have a LogDensity, and no others")
			}
			for _, d := range f.Draws {
				fn := runtime["Rand."+d.Name]
				switch {
				case !f.Block():
					checkCall(t, fn, d, f, nil, "float64")
				case d.Work:
					checkCall(t, fn, d, f, first, "error")
				default:
					checkCall(t, fn, d, f, first, "")
				}
			}
			for _, c := range []Call{f.LogDensity, f.LogPDF} {
				if c.Name != "" {
					checkCall(t, runtime[c.Name], c, f, first, "float64")
				}
			}
		})
	}
}

// checkCall compares the function's signature with what codegen passes to it after the first arguments.
func checkCall(t *testing.T, got string, c Call, f *Family, first []string, result string) {
	t.Helper()
	if got == "" {
		t.Errorf("runtime has no %s", c.Name)
		return
	}
	params := slices.Clone(first)
	for _, n := range f.Natural {
		if _, fixed := c.Without[n.Name]; !fixed {
			params = append(params, []string{"float64", "[]float64", "[]float64"}[n.Rank])
		}
	}
	for _, more := range []struct {
		is    bool
		types []string
	}{
		{c.Power, []string{"float64"}}, {c.Bounds, []string{"float64", "float64"}}, {c.Side && !c.At0, []string{"float64"}}, {c.Side, []string{"bool"}},
		{c.Size, []string{"int"}}, {c.Work, []string{"*MatWork"}},
	} {
		if more.is {
			params = append(params, more.types...)
		}
	}
	if want := testkit.Signature(params, result); got != want {
		t.Errorf("%s is func%s, and is called as func%s", c.Name, got, want)
	}
}
