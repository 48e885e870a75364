// This file compares the structure of derivations with goldens: family, natural parameters, accumulators with their moves,
// what stood in the way, and costs. A density check proves a conditional right, never that it is cheap or of a family:
// that is what these are for.

package conjugacy_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/google/go-cmp/cmp"
)

// goldens are the models whose derivations are reviewed: one of each kind of structure.
var goldens = []string{
	// Mixtures and admixtures.
	"mixsd", "niw", "ldaplain", "mixreg", "catofcat", "twoarrays",
	// Regressions.
	"lassogauss2", "lassoprobit", "widereg", "spike", "mvline", "factors",
	// Group effects.
	"ratsbar", "crossed2", "overlap", "overlapblock", "nested", "members", "catplusdot", "visits",
	// Chains.
	"hmm2", "ar1latent", "ar1block", "ar2", "markov2", "raggedhmm", "twochains", "stochvol", "kalman",
	// Families.
	"pumpfix", "sduniform", "betabern", "wishart", "dirhyper", "weibullpow", "gamgam", "invgauss", "lognormal",
	// Sums that stay, in part or whole.
	"loglinear", "logtwo", "meta", "laplacenormal",
	// Pairs of one plate.
	"blockmodel", "symdiag", "vecpairs",
	// Bounds.
	"truncnormal", "trunchyper", "uniformb", "ordinal",
	// Collapsed.
	"ldatheta", "ldacollapsed", "mixcollapsed", "poiscollapsed", "bernmix", "betacollapsed", "nigmix", "niwhyper",
}

func TestGoldens(t *testing.T) {
	for _, name := range goldens {
		t.Run(name, func(t *testing.T) {
			got := dump(mustAnalyse(t, named(t, name)))
			path := filepath.Join("testdata", "golden", name+".txt")
			if flag.Lookup("update").Value.String() == "true" { // the flag of explain_test.go
				if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
				t.Errorf("the derivation changed; if for the better, run go test ./conjugacy -run TestGoldens -update\n%s", d)
			}
		})
	}
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !slices.Contains(goldens, strings.TrimSuffix(filepath.Base(f), ".txt")) {
			t.Errorf("%s is no model's golden", f)
		}
	}
}

// dump writes an analysis in the algebra's own notation: indices are 0-based, $1, $2 are the target's, $t is its new value
// and #1, #2 the positions in it.
func dump(a *conjugacy.Analysis) string {
	var b strings.Builder
	costs := conjugacy.Explain(a)
	for i, c := range a.Conds {
		fmt.Fprintf(&b, "%s: %s, %s\n", target(c), kernel(c), costs[i].Cost)
		dumpConditional(&b, c)
	}
	for _, c := range a.Collapsed {
		fmt.Fprintf(&b, "%s: collapsed, %s\n", target(c.Conditional), kernel(c.Conditional))
		dumpConditional(&b, c.Conditional)
	}
	for _, u := range a.Urns {
		fmt.Fprintf(&b, "urn %s: %s\n", u.Plate.Name, poly(u.Count))
	}
	for _, acc := range a.Accs.List {
		var params []string
		for _, p := range acc.Params {
			params = append(params, p.String())
		}
		kind := ""
		if acc.Data() {
			kind = "   (data)"
		}
		fmt.Fprintf(&b, "%s[%s] = %s%s\n", acc.Name, strings.Join(params, ", "), ir.Poly{acc.Body}, kind)
		for _, m := range acc.Moves {
			fmt.Fprintf(&b, "    moves with %s, %s:\n", m.Var.Name, conjugacy.CostOf(m.Delta, acc.Params...))
			writePoly(&b, m.Delta)
		}
	}
	return b.String()
}

func dumpConditional(b *strings.Builder, c *conjugacy.Conditional) {
	if c.Why != "" {
		fmt.Fprintf(b, "    in the way: %s\n", c.Why)
	}
	if c.Removed {
		b.WriteString("    the target's own part is taken out first\n")
	}
	if c.Entangled {
		b.WriteString("    its moves read each other\n")
	}
	var names []string
	for n := range c.Params.Coef {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		fmt.Fprintf(b, "  %s =\n", n)
		writePoly(b, c.Params.Coef[n])
	}
	if c.Family == nil {
		b.WriteString("  log density =\n")
		writePoly(b, c.LogT)
	}
	for _, t := range c.Direct {
		fmt.Fprintf(b, "  direct sum: %s\n", ir.Poly{t})
	}
	for _, x := range c.Bounds {
		cond := ""
		if x.Y != nil {
			cond = " iff " + x.Y.Key()
		}
		fmt.Fprintf(b, "  bound:%s (%s)·$t + (%s) > 0%s\n", ir.Poly{{C: 1, Over: x.Over, Guards: x.Guards}}, poly(x.A), poly(x.B), cond)
	}
}

func target(c *conjugacy.Conditional) string {
	name := c.Target.Var.Name
	if c.Target.Var.Name == "" || len(c.Target.J) == 0 {
		return name
	}
	var ix []string
	for _, j := range c.Target.J {
		if s := j.String(); s != "0" {
			ix = append(ix, s)
		} else {
			ix = append(ix, "·")
		}
	}
	return name + "[" + strings.Join(ix, ",") + "]"
}

func kernel(c *conjugacy.Conditional) string {
	switch c.Kernel {
	case conjugacy.Enumerate:
		return "enumerated"
	case conjugacy.SliceKernel:
		return "slice"
	}
	s := c.Family.Name
	if c.Params.R != 0 && c.Params.R != 1 {
		s += fmt.Sprintf(" of t^%g", c.Params.R)
	}
	if c.Params.Truncated {
		s += " truncated"
	}
	return s
}

// poly writes the terms in the order of their texts: that in which they were found says nothing.
func poly(p ir.Poly) string {
	if len(p) == 0 {
		return "0"
	}
	return strings.Join(terms(p), " + ")
}

func writePoly(b *strings.Builder, p ir.Poly) {
	for _, s := range terms(p) {
		fmt.Fprintf(b, "      %s\n", s)
	}
}

func terms(p ir.Poly) []string {
	var out []string
	for _, t := range p {
		out = append(out, ir.Poly{t}.String())
	}
	slices.Sort(out)
	return out
}
