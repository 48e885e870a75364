// This file plants faults that leave a derivation right, and dear: no verification finds them, only goldens do. Those that make it wrong
// are in internal/mutate.

package conjugacy_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
)

// dear alter an analysis. They return false if there was nothing to alter.
var dear = []struct {
	name  string
	model string
	plant func(a *conjugacy.Analysis) bool
}{
	{"a guard not substituted: a count of pairs for a count", "mixsd", func(a *conjugacy.Analysis) bool {
		for _, acc := range a.Accs.List {
			if len(acc.Body.F) == 0 { // Σ [z = f1] becomes Σ [z = f1][z = f2], of which the diagonal is read
				p := acc.Params[0]
				q := p
				q.Name = "f2"
				acc.Params = append(acc.Params, q)
				g := acc.Body.Guards[0]
				acc.Body.Guards = append(slices.Clone(acc.Body.Guards), ir.Guard{Rel: ir.Eq, L: g.L, R: []ir.Ix{ir.At("f2")}})
				return true
			}
		}
		return false
	}},
	{"t[d]^2 not split: the family lost", "lassogauss2", func(a *conjugacy.Analysis) bool {
		c := conditional(a, "w")
		c.Kernel, c.Family, c.Why = conjugacy.SliceKernel, nil, "$t[d]^2"
		return true
	}},
	{"binders not split: one sum of pairs for a product of sums", "blockmodel", func(a *conjugacy.Analysis) bool {
		for _, acc := range a.Accs.List {
			if len(acc.Body.Over) == 1 && len(acc.Body.F) == 0 {
				b := acc.Body.Over[0]
				b.Name = "i'"
				acc.Body.Over = append(slices.Clone(acc.Body.Over), b)
				return true
			}
		}
		return false
	}},
	{"constants not merged", "ldaplain", func(a *conjugacy.Analysis) bool {
		p := conditional(a, "beta").Params
		p.Coef["c"] = append(slices.Clone(p.Coef["c"]), ir.Term{C: 1}, ir.Term{C: -1})
		return true
	}},
}

func TestDearFaults(t *testing.T) {
	for _, f := range dear {
		a := mustAnalyse(t, named(t, f.model))
		if !f.plant(a) {
			t.Errorf("%s: nothing in %s to alter", f.name, f.model)
			continue
		}
		want, err := os.ReadFile(filepath.Join("testdata", "golden", f.model+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if dump(a) == string(want) {
			t.Errorf("%s: not caught by the golden of %s", f.name, f.model)
		}
	}
}

func conditional(a *conjugacy.Analysis, v string) *conjugacy.Conditional {
	return a.Conds[slices.IndexFunc(a.Conds, func(c *conjugacy.Conditional) bool { return c.Target.Var.Name == v })]
}
