package dsl

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mustParse parses src, which must be right.
func mustParse(t testing.TB, src string) *File {
	t.Helper()
	f, ds := Parse("test.gm", src)
	if len(ds) > 0 {
		var b strings.Builder
		ds.Format(&b, f)
		t.Fatalf("unexpected messages:\n%s", b.String())
	}
	return f
}

// specs returns the repository's specs by name.
func specs(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../specs/*.gm")
	if err != nil || len(paths) < 3 {
		t.Fatalf("specs: found %d, err %v", len(paths), err)
	}
	all := map[string]string{}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(p)] = string(b)
	}
	return all
}

// parseTests gives statements and their dumps. The formatter's and the fuzzer's tests start from them too.
var parseTests = []struct{ src, want string }{
	{"plate N", "plate N"},
	{"plate words[docs]", "plate words of docs"},
	{"plate topics = 20", "plate topics = 20"},
	{"plate T = P + 1", "plate T = (+ P 1)"},
	{"plate clusters : unbounded", "plate clusters unbounded"},
	{"plate unbounded : unbounded", "plate unbounded unbounded"},

	{"const lambda : real > 0 = 1", "const lambda : real > 0 = 1"},
	{"const nu0 : real > P - 1 = P + 2", "const nu0 : real > (- P 1) = (+ P 2)"},
	{"const Psi0[P, P] : cov = identity(P)", "const Psi0 [P] [P] : cov = (identity P)"},
	{"const m0[P] : real = 0", "const m0 [P] : real = 0"},
	{"const s : real = -1e-3", "const s : real = (neg 1e-3)"},
	{"const n : int >= 0 <= 10", "const n : int >= 0 <= 10"},
	{"const n : int < 10 > 0", "const n : int > 0 < 10"},
	{"const n : int in [0, 2*K]", "const n : int >= 0 <= (* 2 K)"},

	{"data X[N, D] : real", "data X [N] [D] : real"},
	{"data y[N] : bool", "data y [N] : bool"},
	{"data g[N] : groups", "data g [N] : groups"},
	{"data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])",
		"data x [d in docs] [i in words of d] : vocab ~ (Categorical beta[z[d i]])"},
	{"data x[n in N, P] : real ~ Normal(mu[z[n]], cov = Sigma[z[n]])",
		"data x [n in N] [P] : real ~ (Normal mu[z[n]] cov=Sigma[z[n]])"},

	{"global beta[k in topics] ~ Dirichlet(eta) over vocab", "global beta [k in topics] ~ (Dirichlet eta) over vocab"},
	{"global A[i in S] ~ Dirichlet(a) over S, T", "global A [i in S] ~ (Dirichlet a) over S over T"},
	{"global s : real in (0, 100) ~ Flat()", "global s : real > 0 < 100 ~ (Flat)"},
	{"global x : real > 0 < 10 ~ Normal(0, sd = 2)", "global x : real > 0 < 10 ~ (Normal 0 sd=2)"},

	{"local x[t in T if t > 1] ~ Normal(rho * x[t-1], var = s2)",
		"local x [t in T if (> t 1)] ~ (Normal (* rho x[(- t 1)]) var=s2)"},
	{"local x[1] ~ Normal(0, var = 10)", "local x [1] ~ (Normal 0 var=10)"},
	{"local z[d in docs, i in words[d] if i >= 2] ~ Categorical(A[z[d, i-1]])",
		"local z [d in docs] [i in words of d if (>= i 2)] ~ (Categorical A[z[d (- i 1)]])"},

	{"let eta[n in N] = a[g1[n]] + b[g2[n]]", "let eta [n in N] = (+ a[g1[n]] b[g2[n]])"},
	{"observe y[n in N] = z[n] > 0", "observe y [n in N] = (> z[n] 0)"},
	{"observe y[n in N] = cut(z[n], c)", "observe y [n in N] = (cut z[n] c)"},
	{"observe y = a == b", "observe y = (== a b)"},

	{"collapse pi, mu, Sigma", "collapse pi mu Sigma"},
	{"block (a, b)", "block a b"},
	{"block a, b", "block a b"},
	{"monitor mu, w[1], S[i, 2]", "monitor mu w[1] S[i 2]"},
	{"kernel v : slice", "kernel v slice"},
	{"batch over docs", "batch docs"},

	// Precedence and associativity.
	{"let a = b - c - d", "let a = (- (- b c) d)"},
	{"let a = b / c * d", "let a = (* (/ b c) d)"},
	{"let a = b + c * d ^ e", "let a = (+ b (* c (^ d e)))"},
	{"let a = x^y^z", "let a = (^ x (^ y z))"},
	{"let a = -x^2", "let a = (neg (^ x 2))"},
	{"let a = (-x)^2", "let a = (^ (paren (neg x)) 2)"},
	{"let a = 2^-x^y", "let a = (^ 2 (neg (^ x y)))"},
	{"let a = -x * -y", "let a = (* (neg x) (neg y))"},
	{"let a = b - -c", "let a = (- b (neg c))"},
	{"let a = --b", "let a = (neg (neg b))"},
	{"let a = b + c <= d * e", "let a = (<= (+ b c) (* d e))"},
	{"let a = b != c", "let a = (!= b c)"},
	{"let a = (b < c) + 1", "let a = (+ (paren (< b c)) 1)"},
	{"let a = b<-c", "let a = (< b (neg c))"},

	// Calls.
	{"let a = f()", "let a = (f)"},
	{"let a = sum(k in K, x[k] * w[k])", "let a = (sum [k in K] (* x[k] w[k]))"},
	{"let a = sum(i in words[d] if i > 1, x[d, i])", "let a = (sum [i in words of d if (> i 1)] x[d i])"},
	{"let a = f(x, y = 2, z == 3)", "let a = (f x y=2 (== z 3))"},
	{"let a = log(sum(k in K, exp(x[k])))", "let a = (log (sum [k in K] (exp x[k])))"},

	// Numbers keep their spelling.
	{"let a = 1 + 0.50 + 1E-3 + 1.5e+10 + 007", "let a = (+ (+ (+ (+ 1 0.50) 1E-3) 1.5e+10) 007)"},

	// Statement keywords and `unbounded` are ordinary names elsewhere.
	{"data data[model] : plate ~ kernel(block, let = monitor)", "data data [model] : plate ~ (kernel block let=monitor)"},
	{"let let = unbounded + batch[data]", "let let = (+ unbounded batch[data])"},
	{"let insight = iff + overt", "let insight = (+ iff overt)"},

	// Statements over several lines.
	{"let a = f(b,\n  c\n)\nlet d = e", "let a = (f b c)\nlet d = e"},
	{"let a = b +\n c", "let a = (+ b c)"},
	{"let a = b\n + c\n - d", "let a = (- (+ b c) d)"},
	{"let a\n  = b", "let a = b"},
	{"let a = b + // one\n\n // two\n c // three", "let a = (+ b c)"},
	{"global w[d in D]\n  ~ Normal(0, var = s)\n  over D", "global w [d in D] ~ (Normal 0 var=s) over D"},
	{"collapse a,\n b,\n c", "collapse a b c"},
	{"data x[\n  N,\n  P\n] : real", "data x [N] [P] : real"},

	// Layout does not matter.
	{"let\ta=b[c,d]*( e )", "let a = (* b[c d] (paren e))"},
	{"let a = b\r\nlet c = d\r", "let a = b\nlet c = d"},
	{"  plate N   // indented", "plate N"},
}

func TestParse(t *testing.T) {
	for _, tt := range parseTests {
		got := Dump(mustParse(t, "model m\n"+tt.src))
		if want := "model m\n" + tt.want + "\n"; got != want {
			t.Errorf("%q\n got %q\nwant %q", tt.src, got, want)
		}
	}
}

// TestParseTree looks at one tree in full, spans included.
func TestParseTree(t *testing.T) {
	f := mustParse(t, "model m\nobserve y[n in N] = z[n] > 0 // µ")
	at := func(from, to int) Span { return Span{Pos{8 + from, 2, 1 + from}, Pos{8 + to, 2, 1 + to}} }
	want := []Decl{&ObserveDecl{
		Span: at(0, 28),
		Name: Ident{"y", at(8, 9)},
		Axes: []Axis{{Span: at(10, 16), Index: &Ident{"n", at(10, 11)}, Plate: Ident{"N", at(15, 16)}}},
		Value: &Binary{
			Span:  at(20, 28),
			Op:    ">",
			OpPos: at(25, 26).Start,
			X:     &Index{Span: at(20, 24), X: Ident{"z", at(20, 21)}, Args: []Expr{&Name{Ident{"n", at(22, 23)}}}},
			Y:     &Number{at(27, 28), "0", 0},
		},
	}}
	if d := cmp.Diff(want, f.Decls); d != "" {
		t.Errorf("tree (-want +got):\n%s", d)
	}
	if want := (Ident{"m", Span{Pos{6, 1, 7}, Pos{7, 1, 8}}}); f.Model != want {
		t.Errorf("model %v, want %v", f.Model, want)
	}
}

// checkSpans checks each node's span: its text, read alone, is that node again, without space around it, and lines and
// columns agree with offsets.
func checkSpans(t *testing.T, f *File) {
	t.Helper()
	check := func(what string, s Span) string {
		for _, p := range []Pos{s.Start, s.End} {
			before := f.Src[:p.Offset]
			line := 1 + strings.Count(before, "\n")
			col := 1 + len([]rune(before[strings.LastIndex(before, "\n")+1:]))
			if p.Line != line || p.Col != col {
				t.Errorf("%s at offset %d: %d:%d, want %d:%d", what, p.Offset, p.Line, p.Col, line, col)
			}
		}
		text := f.Src[s.Start.Offset:s.End.Offset]
		if text == "" || text != strings.TrimSpace(text) {
			t.Errorf("%s has the text %q", what, text)
		}
		return text
	}
	ident := func(id Ident) {
		if text := check("name", id.Span); text != id.Name {
			t.Errorf("the name %s has the text %q", id.Name, text)
		}
	}
	axis := func(a *Axis) {
		text := check("axis", a.Span)
		g := mustParse(t, "model m\ndata x[\n"+text+"\n]")
		var want, got dumper
		want.axis(a)
		got.axis(&g.Decls[0].(*VarDecl).Axes[0])
		if want.String() != got.String() {
			t.Errorf("axis %s has the text %q", want.String(), text)
		}
		if a.Lit == nil {
			ident(a.Plate)
		}
		if a.Index != nil {
			ident(*a.Index)
		}
	}
	ident(f.Model)
	for _, d := range f.Decls {
		g := mustParse(t, "model m\n"+check("statement", d.DeclSpan()))
		if got, want := DeclString(g.Decls[0]), DeclString(d); got != want {
			t.Errorf("statement span: %s, want %s", got, want)
		}
		switch d := d.(type) {
		case *PlateDecl:
			ident(d.Name)
		case *VarDecl:
			ident(d.Name)
			for i := range d.Axes {
				axis(&d.Axes[i])
			}
			for _, o := range d.Over {
				ident(o)
			}
			if d.Type != nil {
				ident(d.Type.Name)
				text := check("type", d.Type.Span)
				g := mustParse(t, "model m\ndata x : "+text)
				var want, got printer
				want.typ(d.Type)
				got.typ(g.Decls[0].(*VarDecl).Type)
				if want.String() != got.String() {
					t.Errorf("type span: %q for %s", text, want.String())
				}
			}
		case *ObserveDecl:
			ident(d.Name)
		case *KernelDecl:
			ident(d.Name)
			ident(d.Kind)
		case *BatchDecl:
			ident(d.Plate)
		}
		WalkDecl(d, func(e Expr) bool {
			text := check("expression", e.ExprSpan())
			g := mustParse(t, "model m\nlet a = (\n"+text+"\n)")
			got := g.Decls[0].(*VarDecl).Value.(*Paren).X
			if ExprString(got) != ExprString(e) {
				t.Errorf("the span of %s has the text %q", ExprString(e), text)
			}
			switch e := e.(type) {
			case *Index:
				ident(e.X)
			case *Call:
				ident(e.Fn)
				for i := range e.Args {
					if e.Args[i].Name != nil {
						ident(*e.Args[i].Name)
					}
					if e.Args[i].Binder != nil {
						axis(e.Args[i].Binder)
					}
				}
			case *Binary:
				if at := e.OpPos.Offset; !strings.HasPrefix(f.Src[at:], e.Op) {
					t.Errorf("operator %s at offset %d", e.Op, at)
				}
			}
			return true
		})
	}
}

func TestSpans(t *testing.T) {
	for _, tt := range parseTests {
		checkSpans(t, mustParse(t, "model m // µ\n"+tt.src))
	}
	for _, src := range specs(t) {
		checkSpans(t, mustParse(t, src))
	}
}

func TestDoc(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"model m", ""},
		{"// One.\n//   Two.\nmodel m // not this", "One.\n  Two."},
		{"// No.\n\n//Yes.\nmodel m\n// No.", "Yes."},
		{"// No.\n\nmodel m", ""},
		{"// \x00\uFEFFA.\nmodel m", "A."},
	} {
		if got := mustParse(t, tt.src).Doc; got != tt.want {
			t.Errorf("%q: doc %q, want %q", tt.src, got, tt.want)
		}
	}
}

// TestRecovery: bad statements cost nothing but themselves.
func TestRecovery(t *testing.T) {
	f, ds := Parse("test.gm", "model m\nplate 3\nplate N\nlet a = (b\nlet c = d +\nlet e = f\nglobl g\nmonitor e\n")
	if got, want := Dump(f), "model m\nplate N\nlet e = f\nmonitor e\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var lines []int
	for _, d := range ds {
		lines = append(lines, d.Span.Start.Line)
	}
	if want := []int{2, 4, 5, 7}; !cmp.Equal(lines, want) {
		t.Errorf("errors on lines %v, want %v", lines, want)
	}
}

// TestGrammarInDoc: the grammar is shown in the package doc and above the structs; both must say the same.
func TestGrammarInDoc(t *testing.T) {
	production := regexp.MustCompile(`(?m)^//\t[A-Z]\w+ +=.*\n(//\t {12}.*\n)?`)
	remark := regexp.MustCompile(` \. {2,}.*`)
	read := func(name string) (all []string) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range production.FindAllString(string(b), -1) {
			all = append(all, remark.ReplaceAllString(p, " ."))
		}
		return all
	}
	doc, grammar := read("doc.go"), read("grammar.go")
	if len(doc) < 20 {
		t.Errorf("found %d productions in doc.go", len(doc))
	}
	if d := cmp.Diff(doc, grammar); d != "" {
		t.Errorf("doc.go and grammar.go differ:\n%s", d)
	}
}

// TestDocExample: the package doc's example is a spec in canonical form.
func TestDocExample(t *testing.T) {
	b, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "//\tmodel lasso\n")
	rest, _, _ = strings.Cut(rest, "// # ")
	src := "model lasso\n"
	for _, l := range strings.Split(strings.TrimSuffix(rest, "//\n"), "\n") {
		src += strings.TrimPrefix(strings.TrimPrefix(l, "//"), "\t") + "\n"
	}
	src = strings.TrimRight(src, "\n") + "\n"
	f := mustParse(t, src)
	if got := Format(f); got != src {
		t.Errorf("not canonical:\n%s", got)
	}
	if spec := mustParse(t, specs(t)["lasso.gm"]); Dump(spec) != Dump(f) {
		t.Errorf("differs from specs/lasso.gm")
	}
}

func TestWalk(t *testing.T) {
	f := mustParse(t, "model m\nlocal x[i in W[a] if b > c] : real > d ~ D(e, p = f[g], -h^(j)) = sum(k in K[l] if m < n, o)")
	var got []string
	WalkDecl(f.Decls[0], func(e Expr) bool {
		switch e := e.(type) {
		case *Name:
			got = append(got, e.Ident.Name)
		case *Index:
			got = append(got, e.X.Name)
		}
		return true
	})
	if want := strings.Fields("a b c d e f g h j l m n o"); !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	n := 0
	Walk(f.Decls[0].(*VarDecl).Value, func(Expr) bool { n++; return false })
	if n != 1 {
		t.Errorf("false did not stop the walk: %d calls", n)
	}
}

func BenchmarkParse(b *testing.B) {
	for name, src := range specs(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for range b.N {
				Parse(name, src)
			}
		})
	}
	b.Run("1MB", func(b *testing.B) {
		src := "model m\n"
		for i := 0; len(src) < maxSource-100; i++ {
			src += strings.Repeat(fmt.Sprintf("let a%d[n in N] = b[n] + c[g[n]] * 2.5\n", i), 1000)
		}
		src = src[:strings.LastIndexByte(src[:maxSource], '\n')]
		b.SetBytes(int64(len(src)))
		for range b.N {
			if _, ds := Parse("big.gm", src); len(ds) > 0 {
				b.Fatal(ds[0].Msg)
			}
		}
	})
}
