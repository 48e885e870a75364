// This file compiles the examples of the documentation: every block of Markdown that is marked gm, in every page.

package docs_test

import (
	"fmt"
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

// An example is one block.
type example struct {
	file string
	line int // of the page, where its text begins
	src  string
}

// examples returns the blocks of all pages.
func examples(t *testing.T) []example {
	t.Helper()
	var out []example
	pages, err := filepath.Glob("*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range append(pages, "../ARCHITECTURE.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		inside := false
		for i, line := range strings.Split(string(text), "\n") {
			switch {
			case inside && strings.HasPrefix(line, "```"):
				inside = false
			case inside:
				out[len(out)-1].src += line + "\n"
			case line == "```gm":
				inside = true
				out = append(out, example{file: page, line: i + 2})
			case strings.HasPrefix(line, "```gm"):
				t.Errorf("%s:%d: %q: a block of the language is marked ```gm", page, i+1, line)
			}
		}
		if inside {
			t.Errorf("%s: the last block is not closed", page)
		}
	}
	return out
}

// A message is what the compiler says of a line.
type message struct {
	line int
	text string // error: ... or warning: ...
}

var said = regexp.MustCompile(`(error|warning): `)

// expected returns the messages that comments announce: `// error: a` or `// error: a error: b`.
func expected(src string) []message {
	var out []message
	for i, line := range strings.Split(src, "\n") {
		_, comment, _ := strings.Cut(line, "// ")
		at := said.FindAllStringIndex(comment, -1)
		if len(at) == 0 || at[0][0] != 0 {
			continue
		}
		for k, a := range at {
			end := len(comment)
			if k+1 < len(at) {
				end = at[k+1][0]
			}
			out = append(out, message{i + 1, strings.TrimSpace(comment[a[0]:end])})
		}
	}
	return out
}

// compile runs the pipeline up to the Go files and returns what it says. A part of a model gets a model line, and nobody minds that
// it does not use all that it declares.
func compile(src string) (said []message, err error) {
	before := ""
	part := !regexp.MustCompile(`(?m)^model `).MatchString(src)
	if part {
		before = "model part\n"
	}
	note := func(diags dsl.Diags) {
		for _, d := range diags {
			if part && (d.Code == "unused" || d.Code == "no-data") {
				continue
			}
			kind := "error: "
			if d.Severity == dsl.Warning {
				kind = "warning: "
			}
			said = append(said, message{d.Span.Start.Line - strings.Count(before, "\n"), kind + d.Msg})
		}
	}
	file, diags := dsl.Parse("example.gm", before+src)
	note(diags)
	if diags.HasErrors() {
		return said, nil
	}
	model, diags := ir.Check(file)
	note(diags)
	if model == nil {
		return said, nil
	}
	analysis, diags := conjugacy.Analyze(model)
	note(diags)
	if diags.HasErrors() {
		return said, nil
	}
	p, diags := plan.Build(analysis)
	note(diags)
	if diags.HasErrors() {
		return said, nil
	}
	files, err := codegen.Generate(p, codegen.Options{Spec: "example.gm"})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no files were generated")
	}
	return said, err
}

// TestExamples compiles every example. What the compiler says has to begin with what the comment of its line announces; it may say nothing
// else, and all that is announced has to be said.
func TestExamples(t *testing.T) {
	all := examples(t)
	if len(all) < 20 {
		t.Fatalf("only %d examples: is the pattern still right?", len(all))
	}
	for _, x := range all {
		t.Run(fmt.Sprintf("%s:%d", filepath.Base(x.file), x.line), func(t *testing.T) {
			want := expected(x.src)
			got, err := compile(x.src)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range got {
				i := slices.IndexFunc(want, func(w message) bool { return w.line == m.line && strings.HasPrefix(m.text, w.text) })
				if i < 0 {
					t.Errorf("%s:%d: not announced: %s", x.file, x.line+m.line-1, m.text)
					continue
				}
				want = slices.Delete(want, i, i+1)
			}
			for _, w := range want {
				t.Errorf("%s:%d: announced, but not said: %s", x.file, x.line+w.line-1, w.text)
			}
		})
	}
}

// TestExpected: a test of the test, for it must be able to fail.
func TestExpected(t *testing.T) {
	const src = "plate N // a plate\nglobal a ~ Normal(0, 1) // error: one error: two\ndata y : real // warning: three\n"
	want := []message{{2, "error: one"}, {2, "error: two"}, {3, "warning: three"}}
	if got := expected(src); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	got, err := compile("global a ~ Normal(0, 1)\n")
	if err != nil || len(got) != 1 || got[0].line != 1 || !strings.HasPrefix(got[0].text, "error: the second parameter of Normal must be named") {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestLinks: every link within the documentation leads to a file that is there.
func TestLinks(t *testing.T) {
	pages, _ := filepath.Glob("*.md")
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, page := range append(pages, "../ARCHITECTURE.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// parse parses and checks a part of a model.
func parse(src string) (*dsl.File, dsl.Diags) {
	file, diags := dsl.Parse("example.gm", "model part\n"+src)
	if !diags.HasErrors() {
		_, more := ir.Check(file)
		diags = append(diags, more...)
	}
	return file, diags
}
