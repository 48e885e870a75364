// This file feeds the compiler what the checker accepts: nothing of that may make it panic, whatever it refuses.

package conjugacy_test

import (
	"fmt"
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

// sources returns the texts of every spec that this module tests with.
func sources(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, s := range corpus(t) {
		out = append(out, s.Src)
	}
	for _, pattern := range []string{"../ir/testdata/good/*.gm", "../codegen/testdata/model/*.gm"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files match %s (%v)", pattern, err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, strings.Split(string(src), "\n---\n")...)
		}
	}
	return out
}

// compile runs the whole compiler. It returns an error where a stage neither succeeds nor says why, and where Go that was
// generated does not parse; what a stage refuses, saying why, is none.
func compile(src string) error {
	f, diags := dsl.Parse("fuzz.gm", src)
	if diags.HasErrors() || f == nil {
		return nil
	}
	m, diags := ir.Check(f)
	if m == nil || diags.HasErrors() {
		return nil
	}
	a, diags := conjugacy.Analyze(m)
	if (a == nil) != diags.HasErrors() {
		return fmt.Errorf("analysis %v, errors %v", a != nil, diags.HasErrors())
	}
	for _, d := range diags {
		if d.Msg == "" || d.Code == "" {
			return fmt.Errorf("empty message: %+v", d)
		}
	}
	if a == nil {
		return nil
	}
	conjugacy.Explain(a)
	p, diags := plan.Build(a)
	if diags.HasErrors() {
		return nil
	}
	_, err := codegen.Generate(p, codegen.Options{Spec: "fuzz.gm"})
	return err
}

// FuzzCompile demands that what ir.Check accepts never makes a later stage panic or print what is not Go.
func FuzzCompile(f *testing.F) {
	for _, src := range sources(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) < 4000 { // more is only slower
			if err := compile(src); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// BenchmarkCompile measures the whole compiler, spec by spec.
func BenchmarkCompile(b *testing.B) {
	for _, s := range corpus(b) {
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				if err := compile(s.Src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
