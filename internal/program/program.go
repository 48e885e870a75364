// Package program builds generated packages together, and runs the tests that they carry in one binary.
package program

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gibbsgen/gibbsgen/codegen"
)

const module = "github.com/gibbsgen/gibbsgen"

// root is the module of the generated packages. It stands in a temporary directory, so that nothing is written in the tree; since they
// are built without the names of directories, what did not change is taken from the build cache.
const root = "generatedtest"

// hang is how long the test of one package may take: some seconds are usual, and a few minutes where others share the machine.
const hang = 5 * time.Minute

// A Program is a set of generated packages that are built together and tested by one run of one binary.
type Program struct {
	Names []string // of the packages, in order
	Short bool     // run their tests as go test -short does

	dir   string              // where the files are
	tests map[string][]string // of each package: the names of its test functions
}

// New returns a program without packages.
func New(t testing.TB) *Program {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	mod := strings.TrimSpace(string(out))
	p := &Program{dir: t.TempDir(), tests: map[string][]string{}}
	text, err := os.ReadFile(mod)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(filepath.Dir(mod), "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	p.file(t, "go.mod", fmt.Appendf(nil, "%s\nrequire %s v0.0.0\n\nreplace %[2]s => %q\n",
		strings.Replace(string(text), "module "+module, "module "+root, 1), module, filepath.ToSlash(filepath.Dir(mod))))
	p.file(t, "go.sum", sums)
	return p
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// Add takes a package in. Its test becomes an ordinary file, so that one binary can call the tests of all.
func (p *Program) Add(t testing.TB, pkg string, files []codegen.File) {
	t.Helper()
	p.Names = append(p.Names, pkg)
	for _, f := range files {
		if strings.HasSuffix(f.Name, "_test.go") {
			for _, m := range testFunc.FindAllSubmatch(f.Src, -1) {
				p.tests[pkg] = append(p.tests[pkg], string(m[1]))
			}
		}
		p.file(t, filepath.Join(pkg, strings.Replace(f.Name, "_test.go", "_verify.go", 1)), f.Src)
	}
	if len(p.tests[pkg]) == 0 {
		t.Fatalf("package %s has no test", pkg)
	}
}

func (p *Program) file(t testing.TB, name string, src []byte) {
	t.Helper()
	real := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(real), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(real, src, 0o666); err != nil {
		t.Fatal(err)
	}
}

// command prepares a go command on the packages.
func (p *Program) command(verb string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", append([]string{verb, "-trimpath"}, args...)...)
	cmd.Dir = p.dir
	return cmd
}

// Vet returns what go vet says of each package of which it says something.
func (p *Program) Vet(t testing.TB) map[string]string {
	t.Helper()
	var args []string
	for _, n := range p.Names {
		args = append(args, "./"+n)
	}
	out, err := p.command("vet", args...).CombinedOutput()
	said := map[string]string{}
	if err == nil {
		return said
	}
	pkg := ""
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			pkg = strings.Trim(strings.TrimPrefix(strings.Fields(strings.Trim(rest, "[]\n"))[0], root+"/"), "]")
			continue
		}
		said[pkg] += strings.ReplaceAll(line, p.dir+string(filepath.Separator), "")
	}
	for pkg := range said {
		if !slices.Contains(p.Names, pkg) {
			t.Fatalf("go vet: %v\n%s", err, out)
		}
	}
	return said
}

// Run builds and runs everything, and returns what the tests of each package said that failed, or the compiler of one that
// does not build.
func (p *Program) Run(t testing.TB) map[string]string {
	t.Helper()
	failed := map[string]string{}
	names := p.Names
	for len(names) > 0 {
		text, ok := p.attempt(t, names)
		for n, s := range text {
			failed[n] = s
		}
		if ok {
			break
		}
		// What does not build goes, so that it does not hide the rest.
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return failed[n] != "" })
	}
	return failed
}

// attempt runs the packages of those names. It reports false if some of them do not build, and which.
func (p *Program) attempt(t testing.TB, names []string) (failed map[string]string, ok bool) {
	t.Helper()
	var imports, calls strings.Builder
	for _, n := range names {
		fmt.Fprintf(&imports, "\t%q\n", root+"/"+n)
		for _, test := range p.tests[n] {
			fmt.Fprintf(&calls, "\tt.Run(%q, caught(%s.%s))\n", n, n, test)
		}
	}
	p.file(t, "all_test.go", []byte(`package generatedtest

import (
	"fmt"
	"runtime/debug"
	"testing"
	"time"

`+imports.String()+`)

func TestAll(t *testing.T) {
`+calls.String()+`}

// caught makes a panic a failure of its own test, and so a test that does not end; what hangs is left behind.
func caught(test func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) {
		t.Parallel()
		done := make(chan string, 1)
		go func() {
			said := ""
			defer func() {
				if e := recover(); e != nil {
					said = fmt.Sprintf("panic: %v\n%s", e, debug.Stack())
				}
				done <- said
			}()
			test(t)
		}()
		select {
		case said := <-done:
			if said != "" {
				t.Error(said)
			}
		case <-time.After(`+fmt.Sprint(int(hang.Seconds()))+` * time.Second):
			t.Error("does not end")
		}
	}
}
`))
	// The binary is built first and run elsewhere, since its package's directory does not exist.
	bin := filepath.Join(p.dir, "all.test.exe")
	out, err := p.command("test", "-c", "-json", "-vet=off", "-o", bin, ".").CombinedOutput()
	if err == nil {
		cmd := exec.Command("go", "tool", "test2json", bin, "-test.v=test2json", "-test.timeout=60m", fmt.Sprintf("-test.short=%v", p.Short))
		cmd.Dir = p.dir
		out, err = cmd.CombinedOutput()
	}
	failed = map[string]string{}
	ran, text := map[string]bool{}, map[string]string{}
	unbuilt := false
	for line := range bytes.Lines(out) {
		var e struct{ Action, ImportPath, Test, Output string }
		if json.Unmarshal(line, &e) != nil {
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
		test, ok := strings.CutPrefix(e.Test, "TestAll/")
		if !ok {
			continue
		}
		n, _, _ := strings.Cut(test, "#") // the second test of a package is pkg#01
		n, _, _ = strings.Cut(n, "/")
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
