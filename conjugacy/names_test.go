// This file checks that derivations do not go by what variables are called.

package conjugacy_test

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	diff "github.com/google/go-cmp/cmp"
)

// hostile are names that the compiler uses itself: of the number of an index, of sums, parts and tables, of indices that it makes up, of
// functions of matrices, and of what generated code declares.
var hostile = []string{"index", "A1", "P1", "f1", "k", "tab", "tabZ1", "inv", "A2", "f2", "n", "d", "logdet", "P2", "A3", "t", "J", "Sampler", "s", "rng", "string", "len", "T"}

var word = regexp.MustCompile(`\b[A-Za-z]\w*\b`)

// TestNames compiles the corpus under hostile names, and hostilenames.gm under others: families, kernels, costs and sums stay.
func TestNames(t *testing.T) {
	for _, s := range corpus(t) {
		t.Run(s.Name, func(t *testing.T) {
			a := mustAnalyse(t, s)
			var vars []string
			for _, d := range a.Model.File.Decls {
				if v, ok := d.(*dsl.VarDecl); ok && !slices.Contains(vars, v.Name.Name) {
					vars = append(vars, v.Name.Name)
				}
			}
			words := word.FindAllString(s.Src, -1)
			free := slices.DeleteFunc(slices.Clone(hostile), func(n string) bool { return slices.Contains(words, n) })
			to := map[string]string{}
			for i, n := range free[:min(len(free), len(vars))] {
				to[vars[i]] = n
			}
			name := func(n string) string { return cmp.Or(to[n], n) }
			renamed := spec{s.Name, s.File, word.ReplaceAllStringFunc(s.Src, name)}
			b := mustAnalyse(t, renamed)
			if d := diff.Diff(outline(a, name), outline(b, strings.Clone)); d != "" {
				t.Errorf("under other names the derivation is another one\n%s\n%s", d, renamed.Src)
			}
			emit(t, renamed, "renamed", nil)
		})
	}
}

// outline returns a line for each conditional, of the variable by its name, and the number of sums.
func outline(a *conjugacy.Analysis, name func(string) string) []string {
	var out []string
	for _, c := range a.Conds {
		family := "no family"
		if c.Family != nil {
			family = c.Family.Name
		}
		cost, _ := c.Costs(a)
		out = append(out, fmt.Sprintf("%s: %v, %s, %d terms, O(%s)", name(c.Target.Var.Name), c.Kernel, family, termCount(c.Touched), cost))
	}
	return append(out, fmt.Sprintf("%d sums", len(a.Accs.List)))
}

// termCount counts the terms of a sum, and those of the sums within.
func termCount(p ir.Poly) int {
	n := len(p)
	for _, t := range p {
		for _, f := range t.F {
			for _, q := range f.A.Args {
				n += termCount(q)
			}
		}
	}
	return n
}
