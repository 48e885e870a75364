package dsl

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
)

// text is all that a diagnostic says, on one line.
func (d *Diag) text() string {
	s := strings.Join(append([]string{d.Msg}, d.Notes...), "; ")
	if d.Hint != "" {
		s += "; hint: " + d.Hint
	}
	return s
}

// TestErrors runs the chunks of testdata/*.gm: each `### "rx"` wants a message on its line, each message wants one.
func TestErrors(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.gm")
	if err != nil || len(paths) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first := 1 // the chunk's first line in the file
		for _, chunk := range strings.SplitAfter(string(b), "---\n") {
			testChunk(t, path, first, strings.TrimSuffix(chunk, "---\n"))
			first += strings.Count(chunk, "\n")
		}
	}
}

func testChunk(t *testing.T, path string, first int, src string) {
	quoted := regexp.MustCompile(`"([^"]*)"`)
	wants := map[int][]*regexp.Regexp{}
	for i, l := range strings.Split(src, "\n") {
		_, markers, ok := strings.Cut(l, "// ### ")
		if !ok {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(markers, -1) {
			wants[i+1] = append(wants[i+1], regexp.MustCompile(m[1]))
		}
	}
	_, ds := Parse(path, src)
next:
	for _, d := range ds {
		line := d.Span.Start.Line
		for i, rx := range wants[line] {
			if rx.MatchString(d.text()) {
				wants[line] = append(wants[line][:i], wants[line][i+1:]...)
				continue next
			}
		}
		t.Errorf("%s:%d: unexpected message: %s", path, first+line-1, d.text())
	}
	for line, rest := range wants {
		for _, rx := range rest {
			t.Errorf("%s:%d: no message matches %s", path, first+line-1, rx)
		}
	}
}

// TestErrorsAreSentences: no message shows participle's names for things.
func TestErrorsAreSentences(t *testing.T) {
	jargon := regexp.MustCompile(`\bG[A-Z]\w+|<EOF>|<ident>|<number>|token|sub-expression|participle`)
	b, err := os.ReadFile("testdata/errors.gm")
	if err != nil {
		t.Fatal(err)
	}
	for _, chunk := range strings.Split(string(b), "---\n") {
		_, ds := Parse("errors.gm", chunk)
		for _, d := range ds {
			if jargon.MatchString(d.text()) {
				t.Errorf("line %d: %s", d.Span.Start.Line, d.text())
			}
		}
	}
}

// TestPhrases: every production and every quoted token of the grammar has a phrase.
func TestPhrases(t *testing.T) {
	productions := regexp.MustCompile(`(?m)^(G\w+) = `)
	quoted := regexp.MustCompile(`"[^"]+"`)
	ebnf := grammar().String()
	found := productions.FindAllStringSubmatch(ebnf, -1)
	if len(found) < 20 {
		t.Fatalf("found %d productions", len(found))
	}
	for _, p := range found {
		if phrases[p[1]] == "" {
			t.Errorf("no phrase for %s", p[1])
		}
	}
	for _, q := range quoted.FindAllString(ebnf, -1) {
		word, _ := strconv.Unquote(q)
		begins := isKeyword(word) // never expected: keywords are checked before
		operator := strings.Contains("+ - * / < <= > >= == !=", word)
		if phrases[q] == "" && !begins && !operator {
			t.Errorf("no phrase for %s", q)
		}
	}
	for k := range phrases {
		if strings.HasPrefix(k, "G") && !strings.Contains(ebnf, "\n"+k+" = ") && !strings.HasPrefix(ebnf, k+" = ") {
			t.Errorf("the phrase for %s is of no production", k)
		}
	}
}

func TestForms(t *testing.T) {
	for _, k := range keywords {
		if forms[k] == "" {
			t.Errorf("no form for %s", k)
		}
	}
}

// TestCodes runs the examples of codes.go: each must give its code.
func TestCodes(t *testing.T) {
	b, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile(`// Example: (.*)\n\tcode\w+ = "(.*)"`)
	all := example.FindAllStringSubmatch(string(b), -1)
	if len(all) < 12 {
		t.Fatalf("found %d examples", len(all))
	}
	for _, m := range all {
		src, code := m[1], m[2]
		src = strings.ReplaceAll(src, `\xff`, "\xff")
		if strings.Contains(src, "((((...") {
			src = "let a = " + strings.Repeat("(", 201) + "b" + strings.Repeat(")", 201)
		}
		if strings.Contains(src, "aaaa...") {
			src = "collapse " + strings.Repeat("a", 8193)
		}
		if code != "no-model" {
			src = "model m\n" + src
		}
		if _, ds := Parse("x.gm", src); len(ds) != 1 || ds[0].Code != code {
			t.Errorf("%s: %q gives %d messages", code, clip(src), len(ds))
			for _, d := range ds {
				t.Logf("%s: %s", d.Code, d.Msg)
			}
		}
	}
}

// TestLimits: hostile sources are refused, at the right place, with one message.
func TestLimits(t *testing.T) {
	nest := func(open, inner, close string, n int) string {
		return "let a = " + strings.Repeat(open, n) + inner + strings.Repeat(close, n)
	}
	model := func(s string) string { return "model m\n" + s }
	for _, tt := range []struct {
		name, src string
		code      string // "" if it is allowed
		line, col int
	}{
		{"empty", "", codeNoModel, 1, 1},
		{"blank", "\n \n// x\n", codeNoModel, 1, 1},
		{"byte order mark", "\uFEFFmodel m", "", 0, 0},
		{"source", model(strings.Repeat("// x\n", maxSource/5)), codeTooBig, 1, 1},
		{"2 MB line", model(strings.Repeat("x", 2<<20)), codeTooBig, 1, 1},
		{"line", model("plate N\n" + strings.Repeat(" ", maxLine+1)), codeTooBig, 3, 1},
		{"line just right", model(strings.Repeat(" ", maxLine)), "", 0, 0},
		{"name", model("plate " + strings.Repeat("N", maxToken+1)), codeTooBig, 2, 7},
		{"number", model("let a = " + strings.Repeat("1", maxToken+1)), codeTooBig, 2, 9},
		{"comment", model("plate N //" + strings.Repeat("x", maxToken)), codeTooBig, 2, 9},
		{"statement", model("let a = b" + strings.Repeat("\n+ c", maxTokens/2)), codeTooBig, 2, 1},
		{"long sum", model("let a = b" + strings.Repeat("\n+ c", maxTokens/2-2)), "", 0, 0},
		{"bad byte", "model m // é\xc3(", codeNotUTF8, 1, 13},
		{"cut short", "model m // \xe2\x88", codeNotUTF8, 1, 12},
		{"replacement character", "model m // \uFFFD", "", 0, 0},
		{"nul", model("plate \x00"), codeStray, 2, 7},

		{"parentheses", model(nest("(", "b", ")", maxDepth)), "", 0, 0},
		{"parentheses", model(nest("(", "b", ")", maxDepth+1)), codeTooDeep, 2, 209},
		{"parentheses", model(nest("(", "b", ")", 4_000)), codeTooDeep, 2, 209},
		{"brackets", model(nest("b[", "b", "]", 2_000)), codeTooDeep, 2, 210 + maxDepth},
		{"calls", model(nest("f(", "b", ")", 2_000)), codeTooDeep, 2, 210 + maxDepth},
		{"minus signs", model(nest("-", "b", "", maxDepth)), "", 0, 0},
		{"minus signs", model(nest("-", "b", "", 9_000)), codeTooDeep, 2, 209},
		{"powers", model(nest("b^", "b", "", maxDepth)), "", 0, 0},
		{"powers", model(nest("b^", "b", "", 4_000)), codeTooDeep, 2, 210 + maxDepth},
		{"mixed", model(nest("-b^(", "b", ")", 1_000)), codeTooDeep, 2, 9 + 4*(maxDepth/3) + 3},
		{"sums", model(nest("(b+", "b", ")", 1_000)), codeTooDeep, 2, 9 + 3*maxDepth},
		{"after a power", model("let a = b^c" + strings.Repeat(" * -b^-c", 1_000)), "", 0, 0},
		{"in arguments", model("let a = f(-b" + strings.Repeat(", -b", 1_000) + ")"), "", 0, 0},
		{"10,000 deep", model("let a = " + strings.Repeat("(\n", 10_000)), codeTooBig, 2, 1},
		{"10,000 deep, one line", model(nest("(", "b", ")", 10_000)), codeTooBig, 2, 1},
		{"10,000 open", model("let a = " + strings.Repeat("[", 9_990)), codeUnclosed, 2, 9_998},
	} {
		_, ds := Parse("x.gm", tt.src)
		switch {
		case tt.code == "" && len(ds) == 0:
		case len(ds) != 1 || ds[0].Code != tt.code:
			t.Errorf("%s: want %q, got %d messages", tt.name, tt.code, len(ds))
			for _, d := range ds {
				t.Logf("%s: %s", d.Code, d.Msg)
			}
		case ds[0].Span.Start.Line != tt.line || ds[0].Span.Start.Col != tt.col:
			t.Errorf("%s: at %d:%d, want %d:%d", tt.name, ds[0].Span.Start.Line, ds[0].Span.Start.Col, tt.line, tt.col)
		}
	}
}

func TestTooManyErrors(t *testing.T) {
	_, ds := Parse("x.gm", "model m\n"+strings.Repeat("plate 3\n", 1000))
	if len(ds) != maxErrors+1 || ds[maxErrors].Code != codeTooMany {
		t.Errorf("got %d messages, the last %s", len(ds), ds[len(ds)-1].Msg)
	}
}

// TestReserved: what the lexer reserves is what the docs say.
func TestReserved(t *testing.T) {
	for _, w := range []string{"over", "in", "if"} {
		l := lexLine(w, lexer.Position{Line: 1, Column: 1})
		if l.toks[0].Type != tokKeyword {
			t.Errorf("%s is not reserved", w)
		}
	}
	for _, w := range append([]string{"unbounded", "inn", "over_", "if0"}, keywords...) {
		l := lexLine(w, lexer.Position{Line: 1, Column: 1})
		if len(l.toks) != 1 || l.toks[0].Type != tokIdent {
			t.Errorf("%s is not a name", w)
		}
	}
}
