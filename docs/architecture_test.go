// This file compares ARCHITECTURE.md with the source: the imports of the packages, and the names of files and of what is in them.

package docs_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const architecture = "../ARCHITECTURE.md"

// packages are those of the table, in its order; generated/lasso stands for all generated ones.
var packages = []string{"dsl", "ir", "ir/interp", "conjugacy", "plan", "codegen", "runtime", "runtime/dataio", "runtime/cli", "verify",
	"generated/lasso", "internal/plates", "internal/figure", "cmd/gibbsgen"}

// TestImportTable: the table of imports is what the files import.
func TestImportTable(t *testing.T) {
	const module = "github.com/gibbsgen/gibbsgen"
	table := "\n\n| package | of this module | of others |\n|---|---|---|\n"
	for _, dir := range packages {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no files: %v", dir, err)
		}
		var own, others []string
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range f.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					t.Fatal(err)
				}
				first, _, _ := strings.Cut(path, "/")
				switch {
				case path == module:
					own = append(own, "`.`")
				case strings.HasPrefix(path, module+"/"):
					own = append(own, "`"+strings.TrimPrefix(path, module+"/")+"`")
				case strings.Contains(first, "."):
					others = append(others, "`"+path+"`")
				}
			}
		}
		table += fmt.Sprintf("| `%s` | %s | %s |\n", dir, names(own), names(others))
	}
	section(t, architecture, "imports", table+"\n")
}

// names joins distinct names in order.
func names(s []string) string {
	slices.Sort(s)
	return strings.Join(slices.Compact(s), ", ")
}

// TestArchitectureNames: every file and directory that the page names exists, and where it says `name` in `file`, or `a` and `b` in
// `file`, the file has the name. Files called x or x_test are those that a reader is to write.
func TestArchitectureNames(t *testing.T) {
	text, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	flat := strings.Join(strings.Fields(string(text)), " ")
	path := regexp.MustCompile("`([a-z_./]+(?:\\.go|\\.gm|/))`")
	toWrite := regexp.MustCompile(`(^|[/_])x(_test)?\.`)
	files := 0
	for _, m := range path.FindAllStringSubmatch(flat, -1) {
		if toWrite.MatchString(m[1]) {
			continue
		}
		files++
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
			t.Errorf("no such file: %v", err)
		}
	}
	in := regexp.MustCompile("((?:`[A-Za-z]+`(?:, | and ))*`[A-Za-z]+`) in `([a-z_/]+\\.go)`")
	word := regexp.MustCompile("`([A-Za-z]+)`")
	places := 0
	for _, m := range in.FindAllStringSubmatch(flat, -1) {
		src, err := os.ReadFile(filepath.Join("..", m[2]))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, w := range word.FindAllStringSubmatch(m[1], -1) {
			places++
			if !regexp.MustCompile(`(?m)(^|\s|\))` + w[1] + `\b`).Match(src) {
				t.Errorf("%s has no %s", m[2], w[1])
			}
		}
	}
	if files < 30 || places < 20 {
		t.Errorf("only %d files and %d names were checked: are the patterns still right?", files, places)
	}
}
