// This file asserts who may import whom: the direction of the pipeline, and that users' programs link nothing of the compiler.

package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// mayImport lists, for each package (or all below a path that ends in /...), what it may import besides the standard library:
// packages of this module by their paths in it, and modules.
var mayImport = []struct {
	pkg  string
	deps []string
}{
	{"dsl", []string{"github.com/alecthomas/participle/v2"}},
	{"ir", []string{"dsl"}},
	{"ir/interp", []string{"ir", "dsl", "runtime", "runtime/dataio", "gonum.org/v1/gonum"}},
	{"conjugacy", []string{"ir", "dsl"}},
	{"plan", []string{"conjugacy", "ir", "dsl"}},
	{"codegen", []string{"plan", "conjugacy", "ir", "dsl", "github.com/dave/jennifer", "golang.org/x/tools"}},
	{"runtime", []string{"gonum.org/v1/gonum"}},
	{"runtime/dataio", nil},
	{"runtime/cli", []string{"runtime", "runtime/dataio"}},
	{"runtime/...", []string{"runtime", "runtime/dataio", "gonum.org/v1/gonum"}},
	{"verify", []string{"dsl", "ir", "ir/interp", "runtime", "runtime/dataio"}},
	{"generated/...", []string{"runtime", "runtime/dataio"}},
	{"examples/paper/...", []string{"generated/...", "runtime", "runtime/dataio", "examples/paper/...", "gonum.org/v1/gonum", "gonum.org/v1/plot"}},
	{"examples/...", []string{"generated/...", "runtime", "runtime/dataio", "runtime/cli", "examples/..."}},
	{"docs", nil},
	{"internal/plates", []string{"ir", "dsl"}},
	{"internal/figure", []string{"internal/plates", "ir", "runtime", "gonum.org/v1/plot", "gonum.org/v1/gonum"}},
	{"internal/mutate", []string{"codegen", "plan", "conjugacy", "ir", "dsl", "verify"}},
	{"internal/program", []string{"codegen"}},
	{"internal/randspec", []string{"ir"}},
	{"internal/...", []string{"generated/...", "runtime"}},
	{"cmd/...", []string{"...", "github.com/alecthomas/kong"}},
	{"bench/...", []string{"...", "gonum.org/v1/gonum"}},
	{".", nil},
}

func TestImports(t *testing.T) {
	cfg := &packages.Config{Mode: packages.NeedName | packages.NeedImports | packages.NeedModule | packages.NeedFiles, Dir: "../.."}
	pkgs, err := packages.Load(cfg, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) < 5 {
		t.Fatalf("only %d packages found", len(pkgs))
	}
	for _, p := range pkgs {
		for _, file := range p.GoFiles { // Go's test cache sees what a test opens, and not what go/packages loads
			_, _ = os.ReadFile(file)
		}
		own := inModule(p.PkgPath)
		row := slices.IndexFunc(mayImport, func(r struct {
			pkg  string
			deps []string
		}) bool {
			return matches(r.pkg, own)
		})
		if row < 0 {
			t.Errorf("%s is not in the table of imports: add it, with as few as it needs", own)
			continue
		}
		for path, dep := range p.Imports {
			if dep.Module == nil { // the standard library
				continue
			}
			if !slices.ContainsFunc(mayImport[row].deps, func(d string) bool {
				if dep.Module.Path == modulePath {
					return matches(d, inModule(path))
				}
				return d == dep.Module.Path
			}) {
				t.Errorf("%s imports %s, which it must not", own, path)
			}
		}
	}
}

// inModule is a package's path in this module, "." for the root.
func inModule(path string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(path, modulePath), "/")
	if rest == "" {
		return "."
	}
	return rest
}

// matches reports whether a path in this module fits a pattern, which may end in /... or be "..." for all.
func matches(pattern, name string) bool {
	below, tree := strings.CutSuffix(pattern, "...")
	return pattern == name || tree && strings.HasPrefix(name+"/", below)
}
