package gibbsgen_test

// This file holds generate.go and generated/ against specs/: none too many, none too few, and the same bytes.

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// specNames returns the specs' names, in order.
func specNames(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("specs/*.gm")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no specs (%v)", err)
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = strings.TrimSuffix(filepath.Base(p), ".gm")
	}
	return names
}

// TestGenerateLines asserts that generate.go has a line for each spec and no other.
func TestGenerateLines(t *testing.T) {
	text, err := os.ReadFile("generate.go")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^//go:generate .* generate specs/(\w+)\.gm -o generated/(\w+)$`).FindAllStringSubmatch(string(text), -1) {
		if m[1] != m[2] {
			t.Errorf("generate.go puts the sampler of %s.gm in generated/%s", m[1], m[2])
		}
		got = append(got, m[1])
	}
	if want := specNames(t); !slices.Equal(got, want) {
		t.Errorf("generate.go has lines for\n%v\nand the specs are\n%v", got, want)
	}
}

// TestGenerated asserts that generated/ holds a directory for each spec and nothing else, and in each the files that the
// generator makes now; and so for the examples with specs of their own.
func TestGenerated(t *testing.T) {
	entries, err := os.ReadDir("generated")
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, e := range entries {
		dirs = append(dirs, e.Name())
	}
	names := specNames(t)
	if !slices.Equal(dirs, names) {
		t.Errorf("generated/ holds\n%v\nand the specs are\n%v", dirs, names)
	}
	for _, name := range []string{"generate/visits", "paper/fold", "paper/weak"} {
		sameBytes(t, "examples/"+name+".gm", "examples/"+name)
	}
	for _, name := range names {
		sameBytes(t, filepath.Join("specs", name+".gm"), filepath.Join("generated", name))
	}
}

// sameBytes asserts that a directory holds what the generator makes of a spec, byte for byte, and no other file.
func sameBytes(t *testing.T, spec, dir string) {
	t.Run(spec, func(t *testing.T) {
		t.Parallel()
		want := map[string][]byte{}
		for _, f := range generate(t, spec) {
			want[f.Name] = f.Src
		}
		found, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range found {
			if want[e.Name()] == nil {
				t.Errorf("%s/%s is no longer generated", dir, e.Name())
			}
		}
		for file, src := range want {
			path := filepath.Join(dir, file)
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%s is not what the generator makes (%v): go generate ./...", path, err)
			}
		}
	})
}

// TestCanonical asserts that every spec is as gibbsgen fmt prints it.
func TestCanonical(t *testing.T) {
	for _, name := range specNames(t) {
		path := filepath.Join("specs", name+".gm")
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, diags := dsl.Parse(path, string(src))
		if diags.HasErrors() || dsl.Format(file) != string(src) {
			t.Errorf("%s is not in canonical form: go run ./cmd/gibbsgen fmt -w specs/*.gm", path)
		}
		if file.Model.Name != name {
			t.Errorf("%s holds model %s", path, file.Model.Name)
		}
	}
}

// generate is the whole pipeline, as the command runs it.
func generate(t *testing.T, path string) []codegen.File {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, diags := dsl.Parse(path, string(src))
	fail := func(more dsl.Diags) {
		t.Helper()
		if more.HasErrors() {
			var b strings.Builder
			more.Format(&b, file)
			t.Fatal(b.String())
		}
	}
	fail(diags)
	model, diags := ir.Check(file)
	fail(diags)
	analysis, diags := conjugacy.Analyze(model)
	fail(diags)
	p, diags := plan.Build(analysis)
	fail(diags)
	files, err := codegen.Generate(p, codegen.Options{Spec: filepath.Base(path)})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
