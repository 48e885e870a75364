// This file holds what a mutation is, and how one is planted.

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// A mutation is one fault in the sampler of one model. Exactly one of its last three fields is set, which says at what stage of the
// compiler it is planted.
type mutation struct {
	name  string
	model string // of conjugacy/testdata/models, or specs/NAME
	by    string // a kind of check that catches it at the quick level with seed 1; "full" if that takes the full one

	derivation func(a *conjugacy.Analysis) bool // alters it; false if there was nothing to alter
	plan       func(p *plan.Plan) bool          // the same
	code       []edit
}

// stage names where the fault is planted.
func (m *mutation) stage() string {
	switch {
	case m.derivation != nil:
		return "derivation"
	case m.plan != nil:
		return "plan"
	}
	return "code"
}

// An edit replaces text in generated code, wherever it stands in the functions of that name, or in all of them if fn is "".
type edit struct{ fn, from, to string }

// mutations returns all of them.
func mutations() []mutation { return slices.Concat(derivations, plans, codes) }

// files returns the code of the model with the mutation in it; a mutation without a fault gives the right code.
func (m *mutation) files(root, pkg string) ([]codegen.File, error) {
	a, err := analyse(root, m.model)
	if err != nil {
		return nil, err
	}
	if m.derivation != nil {
		if !m.derivation(a) {
			return nil, fmt.Errorf("%s: nothing in the derivation of %s to alter", m.name, m.model)
		}
		a.Grams = nil // what is altered is the form with the matrix, so it is drawn from at all sizes
		for _, c := range a.Conds {
			c.Rows = nil
		}
	}
	p, diags := plan.Build(a)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%s: %s", m.name, diags[0].Msg)
	}
	if m.plan != nil && !m.plan(p) {
		return nil, fmt.Errorf("%s: nothing in the plan of %s to alter", m.name, m.model)
	}
	files, err := codegen.Generate(p, codegen.Options{Package: pkg, Spec: filepath.Base(m.model) + ".gm"})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.name, err)
	}
	files = slices.DeleteFunc(files, func(f codegen.File) bool { return strings.HasSuffix(f.Name, "_test.go") })
	for _, e := range m.code {
		if !e.apply(files) {
			return nil, fmt.Errorf("%s: no %q in %s of %s", m.name, e.from, e.fn, m.model)
		}
	}
	return files, nil
}

// apply makes the edit, and reports whether there was anything to replace.
func (e edit) apply(files []codegen.File) bool {
	found := false
	for i, f := range files {
		var out strings.Builder
		for j, fn := range strings.Split(string(f.Src), "\nfunc ") {
			if j > 0 {
				out.WriteString("\nfunc ")
			}
			if head, _, _ := strings.Cut(fn, "\n"); (e.fn == "" || strings.Contains(head, e.fn+"(")) && strings.Contains(fn, e.from) {
				fn = strings.ReplaceAll(fn, e.from, e.to)
				found = true
			}
			out.WriteString(fn)
		}
		files[i].Src = []byte(out.String())
	}
	return found
}

// analyse derives the conditionals of a model.
func analyse(root, model string) (*conjugacy.Analysis, error) {
	path := filepath.Join(root, "conjugacy", "testdata", "models", model+".gm")
	if strings.Contains(model, "/") {
		path = filepath.Join(root, filepath.FromSlash(model)+".gm")
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, diags := dsl.Parse(path, string(src))
	if diags.HasErrors() {
		return nil, errors.New(diags[0].Msg)
	}
	m, diags := ir.Check(file)
	if diags.HasErrors() {
		return nil, errors.New(diags[0].Msg)
	}
	a, diags := conjugacy.Analyze(m)
	if diags.HasErrors() {
		return nil, errors.New(diags[0].Msg)
	}
	return a, nil
}
