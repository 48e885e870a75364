// This file type-checks what the compiler prints in this process, which takes a fiftieth of the time of building it.

package randspec_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/gibbsgen/gibbsgen/codegen"
)

// A checker type-checks packages against those that are loaded.
type checker map[string]*types.Package

// newChecker loads the types of what generated packages import.
func newChecker(t *testing.T) checker {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile},
		"std", "github.com/gibbsgen/gibbsgen/runtime/...", "github.com/gibbsgen/gibbsgen/verify")
	if err != nil {
		t.Fatal(err)
	}
	c := checker{}
	packages.Visit(pkgs, nil, func(p *packages.Package) { c[p.PkgPath] = p.Types })
	return c
}

// Import returns a package that is loaded.
func (c checker) Import(path string) (*types.Package, error) {
	if p := c[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not loaded", path)
}

// check returns what the type checker has against the files of a package, its test among them.
func (c checker) check(pkg string, files []codegen.File) error {
	var said []string
	fset := token.NewFileSet()
	byName := map[string][]*ast.File{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		g, err := parser.ParseFile(fset, f.Name, f.Src, 0)
		if err != nil {
			return err
		}
		byName[g.Name.Name] = append(byName[g.Name.Name], g)
	}
	conf := types.Config{Importer: c, Error: func(err error) { said = append(said, err.Error()) }}
	for name, gs := range byName {
		conf.Check(pkg+"/"+name, fset, gs, nil)
	}
	if len(said) > 0 {
		return fmt.Errorf("it does not compile:\n%s", strings.Join(said, "\n"))
	}
	return nil
}
