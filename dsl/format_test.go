package dsl

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormat(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"spacing",
			"model   m\nlet a=b+c*d^ 2-e/( f )\nconst c:real>0=1e-3\nglobal w[d in D]~Normal ( 0,var=s )\n",
			"model m\nlet a = b + c * d^2 - e / (f)\nconst c : real > 0 = 1e-3\nglobal w[d in D] ~ Normal(0, var = s)\n"},
		{"indices stand close",
			"model m\nlocal x[t in T if t>1] ~ Normal(x[t - 1] - x[ 2 * t+f(a + b) ], var = v)\n",
			"model m\nlocal x[t in T if t > 1] ~ Normal(x[t-1] - x[2*t+f(a+b)], var = v)\n"},
		{"minus signs",
			"model m\nlet a = - b - - c + f( - d, e = - 1) < -3\nlet b = x[- 1] + x[t - - 1]\ndata y[n in N if n > - 1] : int in [ - 1 , 1 ]\n",
			"model m\nlet a = -b - -c + f(-d, e = -1) < -3\nlet b = x[-1] + x[t--1]\ndata y[n in N if n > -1] : int in [-1, 1]\n"},
		{"keywords before brackets",
			"model m\nblock(a,b)\nconst c:real in(0,1)\nglobal d:real in[0,1]~D()\ndata x[t in T if(t)>1]:real\n",
			"model m\nblock (a, b)\nconst c : real in (0, 1)\nglobal d : real in [0, 1] ~ D()\ndata x[t in T if (t) > 1] : real\n"},
		{"a block gets its parentheses",
			"model m\nblock a, b // c\nblock a,\nb\n",
			"model m\nblock (a, b)  // c\nblock (a,\n    b)\n"},
		{"numbers keep their spelling",
			"model m\nlet a = 1.50 + 1E5 + 007\n",
			"model m\nlet a = 1.50 + 1E5 + 007\n"},
		{"blank lines",
			"\n\nmodel m\n\n\n\nplate N\n\n// c\n\n\nplate P\n\n\n",
			"model m\n\nplate N\n\n// c\n\nplate P\n"},
		{"no newline at the end", "model m\r\nplate N", "model m\nplate N\n"},
		{"byte order mark", "\uFEFFmodel m\n", "model m\n"},
		{"comments",
			"//head\nmodel m//one\nplate Number // two   \n   // own line\nplate P\t// three\nplate Q\nplate R // four\n//tail",
			"//head\nmodel m       //one\nplate Number  // two\n// own line\nplate P  // three\nplate Q\nplate R  // four\n//tail\n"},
		{"comments align by characters, whatever they hold",
			"model m // µ\nplate NN // é\n",
			"model m   // µ\nplate NN  // é\n"},
		{"broken statements",
			"model m\nlet a = f(b, // one\n\n  // two\n      c)\nlet d = e\n   +f // three\n -g\n// four\nplate N\n",
			"model m\nlet a = f(b,  // one\n    // two\n    c)\nlet d = e\n    + f  // three\n    - g\n// four\nplate N\n"},
		{"unary minus at the start of a line",
			"model m\nlet a = b *\n - c\n -d\n",
			"model m\nlet a = b *\n    -c\n    - d\n"},
		{"errors leave the source as it is", "model   m\nplate 3\n", "model   m\nplate 3\n"},
	} {
		f, _ := Parse("test.gm", tt.src)
		got := Format(f)
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
		if _, ds := Parse("test.gm", tt.src); len(ds) == 0 {
			checkFormat(t, f)
		}
	}
}

// checkFormat checks the laws of the formatter, and that of the printer, on a file without errors.
func checkFormat(t *testing.T, f *File) {
	t.Helper()
	text := Format(f)
	g, ds := Parse("formatted.gm", text)
	if len(ds) > 0 {
		t.Fatalf("%q formatted does not parse: line %d: %s", f.Src, ds[0].Span.Start.Line, ds[0].text())
	}
	if Dump(f) != Dump(g) || f.Doc != g.Doc {
		t.Errorf("formatting changed the tree:\n%s", cmp.Diff(Dump(f), Dump(g)))
	}
	if again := Format(g); again != text {
		t.Errorf("not idempotent (-once +twice):\n%s", cmp.Diff(text, again))
	}
	if a, b := comments(f.Src), comments(text); a != b {
		t.Errorf("comments changed:\n%s", cmp.Diff(a, b))
	}

	var b strings.Builder
	b.WriteString("model " + f.Model.Name + "\n")
	for _, d := range f.Decls {
		line := DeclString(d)
		if len(line) > maxLine || strings.Contains(line, "\n") {
			return // one line cannot hold it
		}
		b.WriteString(line + "\n")
	}
	if b.Len() > maxSource {
		return
	}
	h, ds := Parse("printed.gm", b.String())
	if len(ds) > 0 {
		t.Fatalf("printed does not parse: %s\n%s", ds[0].text(), clip(b.String()))
	}
	if Dump(f) != Dump(h) {
		t.Errorf("printing changed the tree:\n%s", cmp.Diff(Dump(f), Dump(h)))
	}
	// The printer and the formatter agree on spacing, but for the interval forms, which the tree does not tell apart.
	if formatted := Format(h); b.Len() < breakAt && formatted != b.String() {
		t.Errorf("printer and formatter differ (-printer +formatter):\n%s", cmp.Diff(b.String(), formatted))
	}
}

// comments returns all comments of a source, in order.
func comments(src string) string {
	lines, _ := lexLines(src)
	var all []string
	for _, l := range lines {
		if l.comment != nil {
			all = append(all, l.comment.Value)
		}
	}
	return strings.Join(all, "\n")
}

func TestFormatLaws(t *testing.T) {
	for _, tt := range parseTests {
		checkFormat(t, mustParse(t, "// doc\nmodel m\n"+tt.src+" // end\n"))
	}
	for _, src := range specs(t) {
		checkFormat(t, mustParse(t, src))
	}
}

// TestSpecsAreCanonical: the repository's specs are as Format leaves them.
func TestSpecsAreCanonical(t *testing.T) {
	for name, src := range specs(t) {
		if d := cmp.Diff(src, Format(mustParse(t, src))); d != "" {
			t.Errorf("%s (-is +should be):\n%s", name, d)
		}
	}
}

// TestFormatLong: a line at the limit grows no line beyond it.
func TestFormatLong(t *testing.T) {
	for _, src := range []string{
		"model m\nlet a=b" + strings.Repeat("+c", 4_900) + "//" + strings.Repeat("x", maxToken-2),
		"model m\nlet a=f(" + strings.Repeat("c,", 4_900) + "c)",
		"model m\nlet a=" + strings.Repeat("(", 200) + "b" + strings.Repeat(")", 200),
		"model m\ncollapse a" + strings.Repeat(","+strings.Repeat("b", maxToken), 7),
		"model m\nplate " + strings.Repeat("N", 2<<10) + "[" + strings.Repeat("D", 2<<10) + "]", // no place to break but inside
		"model m\nlet a=x[" + strings.Repeat("y[t-1]+", 900) + "1]",
	} {
		f := mustParse(t, src)
		checkFormat(t, f)
		for i, l := range strings.Split(Format(f), "\n") {
			if len(l) > maxLine/2 {
				t.Errorf("line %d is %d bytes long", i+1, len(l))
			}
		}
	}
}

// TestExprString: trees that no source gives get the parentheses that they need.
func TestExprString(t *testing.T) {
	n := func(s string) Expr { return &Name{Ident{Name: s}} }
	bin := func(x Expr, op string, y Expr) Expr { return &Binary{X: x, Op: op, Y: y} }
	neg := func(x Expr) Expr { return &Unary{X: x} }
	for _, tt := range []struct {
		e    Expr
		want string
	}{
		{bin(bin(n("a"), "+", n("b")), "*", n("c")), "(a + b) * c"},
		{bin(n("a"), "-", bin(n("b"), "-", n("c"))), "a - (b - c)"},
		{bin(bin(n("a"), "-", n("b")), "-", n("c")), "a - b - c"},
		{bin(n("a"), "/", bin(n("b"), "*", n("c"))), "a / (b * c)"},
		{bin(bin(n("a"), "^", n("b")), "^", n("c")), "(a^b)^c"},
		{bin(n("a"), "^", bin(n("b"), "^", n("c"))), "a^b^c"},
		{bin(neg(n("a")), "^", n("b")), "(-a)^b"},
		{neg(bin(n("a"), "^", n("b"))), "-a^b"},
		{neg(bin(n("a"), "*", n("b"))), "-(a * b)"},
		{bin(neg(n("a")), "*", neg(n("b"))), "-a * -b"},
		{bin(bin(n("a"), "<", n("b")), "<", n("c")), "(a < b) < c"},
		{bin(n("a"), "<", bin(n("b"), "+", n("c"))), "a < b + c"},
		{bin(n("a"), "+", bin(n("b"), "<", n("c"))), "a + (b < c)"},
		{&Index{X: Ident{Name: "x"}, Args: []Expr{bin(n("t"), "-", n("k"))}}, "x[t-k]"},
	} {
		if got := ExprString(tt.e); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
