// This file holds the corpus of the tests of this package: the models of testdata/models and the specs, and their compilation.

package conjugacy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// A spec is one model of the corpus.
type spec struct {
	Name string // of the model, unique in the corpus
	File string
	Src  string
}

// corpus returns the models in the order of their names: those of testdata, then the specs that are shipped.
func corpus(t testing.TB) []spec {
	t.Helper()
	var out []spec
	for _, pattern := range []string{"testdata/models/*.gm", "../specs/*.gm"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files match %s (%v)", pattern, err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(filepath.Base(f), ".gm")
			if strings.HasPrefix(pattern, "..") {
				name = "spec_" + name
			}
			out = append(out, spec{name, filepath.Base(f), string(src)})
		}
	}
	return out
}

// named returns one model of the corpus.
func named(t testing.TB, name string) spec {
	t.Helper()
	for _, s := range corpus(t) {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no model %s", name)
	return spec{}
}

// analyse compiles as far as the conditionals.
func analyse(s spec) (*conjugacy.Analysis, dsl.Diags) {
	f, diags := dsl.Parse(s.File, s.Src)
	if diags.HasErrors() {
		return nil, diags
	}
	m, diags := ir.Check(f)
	if diags.HasErrors() {
		return nil, diags
	}
	return conjugacy.Analyze(m)
}

// mustAnalyse is analyse for a model that has to compile.
func mustAnalyse(t testing.TB, s spec) *conjugacy.Analysis {
	t.Helper()
	a, diags := analyse(s)
	if diags.HasErrors() {
		for _, d := range diags {
			t.Errorf("%s:%d: %s", s.File, d.Span.Start.Line, d.Msg)
		}
		t.FailNow()
	}
	return a
}

// emit compiles the rest of the way. change, if any, alters the plan before it is printed.
func emit(t testing.TB, s spec, pkg string, change func(*plan.Plan)) []codegen.File {
	t.Helper()
	p, diags := plan.Build(mustAnalyse(t, s))
	if diags.HasErrors() {
		t.Fatalf("%s: %v", s.Name, diags)
	}
	if change != nil {
		change(p)
	}
	files, err := codegen.Generate(p, codegen.Options{Package: pkg, Spec: s.File})
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return files
}

// TestCorpus asserts that every distribution, and every family and every draw of it, is some model's: what the tests of this
// package hold for the corpus, they hold for all.
func TestCorpus(t *testing.T) {
	met := map[string]bool{}
	drawn := map[*ir.Dist]bool{}
	for _, s := range corpus(t) {
		a, diags := analyse(s)
		if diags.HasErrors() {
			continue
		}
		for _, f := range a.Model.Factors {
			drawn[f.Dist] = true
		}
		for _, c := range a.Collapsed {
			met[c.Family.Name] = true
		}
		for _, c := range a.Conds {
			if c.Kernel != conjugacy.Exact {
				continue
			}
			met[c.Family.Name] = true
			if d, ok := c.Draw(len(c.Bounds) == 1 && c.Bounds[0].Y != nil); ok {
				met[d.Name] = true
			}
		}
	}
	for _, d := range ir.Dists {
		if !drawn[d] {
			t.Errorf("no model has a %s (%s)", d.Name, d.LogProb)
		}
	}
	for _, f := range conjugacy.Families {
		if !met[f.Name] {
			t.Errorf("no model has a conditional of the family %s", f.Name)
		}
		for _, d := range f.Draws {
			if !met[d.Name] {
				t.Errorf("no model's conditional is drawn by %s", d.Name)
			}
		}
	}
}
