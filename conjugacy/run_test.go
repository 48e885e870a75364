// This file runs the tests that generated packages carry, for the whole corpus: samplers prove themselves at the quick level.

package conjugacy_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/codegen"
)

// A program is a set of generated packages that are built together and tested by one run of one binary.
type program struct {
	dir     string            // where the files are
	overlay map[string]string // what the go command takes for what
	names   []string          // of the packages, in order
}

// programRoot is a directory of this module that does not exist: the go command sees the packages there through an
// overlay, so that nothing is written in the tree and what did not change is taken from the build cache.
const programRoot = "generatedtest"

func newProgram(t *testing.T) *program {
	return &program{dir: t.TempDir(), overlay: map[string]string{}}
}

// add takes a package in. Its test becomes an ordinary file, so that one binary can call the tests of all.
func (p *program) add(t *testing.T, pkg string, files []codegen.File) {
	t.Helper()
	p.names = append(p.names, pkg)
	for _, f := range files {
		p.file(t, filepath.Join(pkg, strings.Replace(f.Name, "_test.go", "_verify.go", 1)), f.Src)
	}
}

func (p *program) file(t *testing.T, name string, src []byte) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(real), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(real, src, 0o666); err != nil {
		t.Fatal(err)
	}
	p.overlay[filepath.Join(here, programRoot, name)] = real
}

// run builds and runs everything, and returns what the test of each package said that failed, or the compiler of one that
// does not build.
func (p *program) run(t *testing.T) map[string]string {
	t.Helper()
	failed := map[string]string{}
	names := p.names
	for {
		text, ok := p.attempt(t, names)
		for n, s := range text {
			failed[n] = s
		}
		if ok {
			return failed
		}
		// What does not build goes, so that it does not hide the rest.
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return failed[n] != "" })
	}
}

// attempt runs the packages of those names. It reports false if some of them do not build, and which.
func (p *program) attempt(t *testing.T, names []string) (failed map[string]string, ok bool) {
	t.Helper()
	root := "github.com/gibbsgen/gibbsgen/conjugacy/" + programRoot
	var imports, calls strings.Builder
	for _, n := range names {
		fmt.Fprintf(&imports, "\t%q\n", root+"/"+n)
		fmt.Fprintf(&calls, "\tt.Run(%q, caught(%s.TestSampler))\n", n, n)
	}
	p.file(t, "all_test.go", []byte(`package generatedtest

import (
	"runtime/debug"
	"testing"

`+imports.String()+`)

func TestAll(t *testing.T) {
`+calls.String()+`}

// caught makes a panic a failure of its own test.
func caught(test func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) {
		defer func() {
			if e := recover(); e != nil {
				t.Fatalf("panic: %v\n%s", e, debug.Stack())
			}
		}()
		test(t)
	}
}
`))
	overlay, err := json.Marshal(map[string]any{"Replace": p.overlay})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(p.dir, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	// The binary is built first and run elsewhere, since its package's directory does not exist.
	bin := filepath.Join(p.dir, "all.test.exe")
	out, err := exec.Command("go", "test", "-c", "-json", "-vet=off", "-overlay="+path, "-o", bin, "./"+programRoot).CombinedOutput()
	if err == nil {
		cmd := exec.Command("go", "tool", "test2json", bin, "-test.v=test2json")
		cmd.Dir = p.dir
		out, err = cmd.CombinedOutput()
	}
	failed = map[string]string{}
	ran, text := map[string]bool{}, map[string]string{}
	unbuilt := false
	for line := range strings.Lines(string(out)) {
		var e struct{ Action, ImportPath, Test, Output string }
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		if n, ok := strings.CutPrefix(e.ImportPath, root+"/"); ok {
			switch e.Action {
			case "build-output":
				text[n] += strings.ReplaceAll(e.Output, p.dir+string(filepath.Separator), "")
			case "build-fail":
				failed[n], unbuilt = text[n], true
			}
			continue
		}
		n, ok := strings.CutPrefix(e.Test, "TestAll/")
		if !ok {
			continue
		}
		switch e.Action {
		case "output":
			text[n] += e.Output
		case "pass":
			ran[n] = true
		case "fail":
			failed[n], ran[n] = text[n], true
		}
	}
	if unbuilt {
		return failed, false
	}
	for _, n := range names {
		if !ran[n] {
			t.Fatalf("the test of %s did not run (%v):\n%s", n, err, out)
		}
	}
	return failed, true
}

// TestModels generates, builds and verifies the whole corpus, and each of its models with one unknown made local that was
// global, or the other way round: what is kept between draws, and what is read at them, changes places.
func TestModels(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs generated code")
	}
	p := newProgram(t)
	src := map[string]string{}
	add := func(s spec, pkg string) {
		p.add(t, pkg, emit(t, s, pkg, nil))
		src[pkg] = s.Src
	}
	for _, s := range corpus(t) {
		t.Run("compile/"+s.Name, func(t *testing.T) {
			add(s, s.Name)
			for i, swapped := range swaps(s.Src) {
				v := spec{s.Name, s.File, swapped}
				if _, diags := analyse(v); !diags.HasErrors() { // a local without a plate, say, is none
					add(v, fmt.Sprintf("%s_%d", s.Name, i+1))
				}
			}
		})
	}
	failed := p.run(t)
	for _, n := range p.names {
		t.Run("verify/"+n, func(t *testing.T) {
			if text, bad := failed[n]; bad {
				t.Errorf("%s\n%s", src[n], text)
			}
		})
	}
}

// swaps returns the spec with one global made local, or one local made global, for each.
func swaps(src string) []string {
	var out []string
	lines := strings.Split(src, "\n")
	for i, l := range lines {
		role, rest, _ := strings.Cut(l, " ")
		other := map[string]string{"local": "global", "global": "local"}[role]
		if other == "" || role == "global" && !strings.Contains(strings.Split(l, "~")[0], "[") {
			continue
		}
		out = append(out, strings.Join(slices.Concat(lines[:i], []string{other + " " + rest}, lines[i+1:]), "\n"))
	}
	return out
}
