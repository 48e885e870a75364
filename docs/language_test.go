// This file compares the table of distributions in language.md, and its list of functions, with what the compiler knows.

package docs_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/ir"
)

var update = flag.Bool("update", false, "rewrite the generated parts of the pages")

// TestDists: the table of distributions is the catalogue.
func TestDists(t *testing.T) { section(t, "language.md", "dists", "\n"+distTable()) }

// section compares what stands between <!-- name --> and <!-- /name --> with want, or with -update writes it there.
func section(t *testing.T, page, name, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->", "<!-- /"+name+" -->"
	head, rest, ok1 := strings.Cut(string(text), begin)
	got, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no section %s ... %s", page, begin, end)
	}
	if got == want {
		return
	}
	if !*update {
		t.Errorf("%s: the section %s is out of date: go test ./docs -update\ngot\n%s\nwant\n%s", page, name, got, want)
		return
	}
	if err := os.WriteFile(page, []byte(head+begin+want+end+tail), 0o666); err != nil {
		t.Fatal(err)
	}
}

func distTable() string {
	var b strings.Builder
	b.WriteString("| distribution | draws | support | density | parameters |\n|---|---|---|---|---|\n")
	for _, d := range ir.Dists {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", signature(d), draws(d), support(d), escape(density(d)), escape(parameters(d)))
	}
	return b.String()
}

// escape keeps the bars of a density from parting cells.
func escape(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// signature is a distribution as one calls it; bars in code need the escape too.
func signature(d *ir.Dist) string {
	var ps []string
	for _, p := range d.Params {
		if p.Named {
			ps = append(ps, strings.Join(spellings(p), `=\|`)+"=")
		} else {
			ps = append(ps, p.Name)
		}
	}
	return d.Name + "(" + strings.Join(ps, ", ") + ")"
}

func spellings(p ir.Param) []string {
	names := []string{p.Name}
	for _, s := range p.Spell {
		names = append(names, s.Name)
	}
	return names
}

func draws(d *ir.Dist) string {
	elem := map[ir.Elem]string{ir.Real: "real", ir.Int: "int", ir.Bool: "bool", ir.Cat: "category"}[d.Type]
	return elem + []string{"", " vector", " matrix"}[d.Event]
}

// refs are the parameters under their own names.
func refs(d *ir.Dist) []ir.Expr {
	var out []ir.Expr
	for _, p := range d.Params {
		out = append(out, ref(p.Name))
	}
	return out
}

func ref(name string) ir.Expr { return &ir.Ref{Var: &ir.Var{Name: name}} }

func support(d *ir.Dist) string {
	s := d.Support(refs(d))
	lo, hi := "-∞", "∞"
	if s.Lo != nil {
		lo = ir.ExprString(s.Lo)
	}
	if s.Hi != nil {
		hi = ir.ExprString(s.Hi)
	}
	switch s.Kind {
	case ir.Simplex:
		return "simplex"
	case ir.SPD:
		return "positive definite"
	case ir.Finite:
		return "elements of the plate of p"
	case ir.Binary:
		return "false, true"
	case ir.Counts:
		text := lo + ", 1, ..."
		if s.Hi != nil {
			text = lo + ", ..., " + hi
		}
		if d.Event == 1 {
			text = "vectors of " + text
		}
		return text
	}
	switch {
	case d.Event == 1:
		return "real vectors"
	case s.Lo == nil && s.Hi == nil:
		return "real line"
	}
	return "(" + lo + ", " + hi + ")"
}

// density is the catalogue's text, without what the column of parameters says.
func density(d *ir.Dist) string {
	text, _, _ := strings.Cut(d.Doc, "; also ")
	return text
}

// parameters says where each parameter lies and what its other spellings mean.
func parameters(d *ir.Dist) string {
	var out []string
	for _, p := range d.Params {
		s := p.Name + " " + domain(p)
		for _, sp := range p.Spell {
			s += fmt.Sprintf("; %s = %s", p.Name, strings.ReplaceAll(ir.ExprString(sp.Of(ref(sp.Name))), " ", ""))
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, "<br>")
}

func domain(p ir.Param) string {
	size := []string{"", " vector", " matrix"}[p.Dims]
	switch p.Domain {
	case ir.Positive:
		return "> 0"
	case ir.PositiveVec:
		return "> 0, vector"
	case ir.UnitInterval:
		return "in [0, 1]"
	case ir.SimplexDomain:
		return "probabilities, vector"
	case ir.SPDDomain:
		return "positive definite"
	case ir.CountDomain:
		return "whole, >= 0"
	case ir.DegreesOfFreedom:
		return "> P - 1"
	}
	return "real" + size
}

// TestDomains: no domain is passed over.
func TestDomains(t *testing.T) {
	seen := map[string]ir.Domain{}
	for d := ir.AnyReal; d <= ir.DegreesOfFreedom; d++ {
		s := domain(ir.Param{Domain: d})
		if old, ok := seen[s]; ok {
			t.Errorf("domains %d and %d are both called %q", old, d, s)
		}
		seen[s] = d
	}
}

// TestFunctions: the functions that the page lists are those that the compiler takes: no fewer, by compiling each; no more, by
// what the compiler says of one that it does not know.
func TestFunctions(t *testing.T) {
	const before = "plate N\ndata x[N] : real > 0\nglobal a ~ Normal(0, var = 1)\ndata y[n in N] : real ~ Normal(a + "
	text, err := os.ReadFile("language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok1 := strings.Cut(string(text), "<!-- functions -->")
	list, _, ok2 := strings.Cut(rest, "<!-- /functions -->")
	if !ok1 || !ok2 {
		t.Fatal("language.md has no section functions")
	}
	listed := strings.ReplaceAll(list, "`", "")
	for _, f := range strings.Split(listed, ", ") {
		if got, err := compile(before + f + "(x[n]), var = 1)\n"); err != nil || len(got) > 0 {
			t.Errorf("%s: %v, %v", f, got, err)
		}
	}
	file, diags := parse(before + "zzzz(x[n]), var = 1)\n")
	if file == nil || len(diags) != 1 || !strings.HasSuffix(diags[0].Hint, "identity, "+listed) {
		t.Errorf("the page lists %s, but the compiler says %v", listed, diags)
	}
}
