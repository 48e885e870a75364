// This file tests the notation, the costs and the explanations. The goldens in testdata/explain hold, for every spec and for a
// model of each family that no spec has, family, accumulators and cost of each conditional: a change there is a change of what
// samplers do.

package conjugacy

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the goldens anew")

// inWords are the models of testdata/models whose explanations are goldens too: they have the families that no spec has.
var inWords = []string{"lognormal", "wishart"}

func TestExplainGoldens(t *testing.T) {
	paths, err := filepath.Glob("../specs/*.gm")
	if err != nil || len(paths) == 0 {
		t.Fatalf("specs: %v, %v", paths, err)
	}
	for _, name := range inWords {
		paths = append(paths, filepath.Join("testdata", "models", name+".gm"))
	}
	known, met := map[string]bool{}, map[*Family]bool{}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".gm")
		known[name+".txt"] = true
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a := analysed(t, path, string(src))
			for _, c := range a.Conds {
				met[c.Family] = true
			}
			var b bytes.Buffer
			if err := WriteText(&b, a, Explain(a)); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "explain", name+".txt")
			if *update {
				if err := os.WriteFile(golden, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s (-golden +now; go test -update accepts it):\n%s", golden, diff)
			}
		})
	}
	goldens, _ := filepath.Glob("testdata/explain/*.txt")
	for _, g := range goldens {
		if !known[filepath.Base(g)] {
			t.Errorf("%s belongs to no spec", g)
		}
	}
	for _, f := range Families {
		if !met[f] && len(f.Draws) > 0 { // what is only integrated out is not explained
			t.Errorf("no golden has the words of %s: name a model with it in inWords", f.Name)
		}
	}
}

func analysed(t *testing.T, path, src string) *Analysis {
	t.Helper()
	file, diags := dsl.Parse(path, src)
	var m *ir.Model
	var a *Analysis
	if !diags.HasErrors() {
		m, diags = ir.Check(file)
	}
	if !diags.HasErrors() {
		a, diags = Analyze(m)
	}
	if diags.HasErrors() {
		var b strings.Builder
		diags.Format(&b, file)
		t.Fatal(b.String())
	}
	return a
}

// TestExplain looks at single lines of small models.
func TestExplain(t *testing.T) {
	const mixture = "model m\nplate N\nplate K = 3\nglobal pi ~ Dirichlet(1) over K\nglobal mu[k in K] ~ Normal(0, var = 9)\n" +
		"local z[n in N] ~ Categorical(pi)\ndata x[n in N] : real ~ Normal(mu[z[n]], var = 1)\n"
	const chain = "model m\nplate T\nglobal q ~ InvGamma(2, scale = 1)\nlocal x[1] ~ Normal(0, var = 1)\n" +
		"local x[t in T if t > 1] ~ Normal(x[t-1], var = q)\ndata y[t in T] : real ~ Normal(x[t], var = 1)\n"
	for _, tt := range []struct {
		name, src, unknown string
		want               func(Explanation) string
		text               string
	}{
		{"a prior and a likelihood", mixture, "mu[k]", conditional,
			"mu[k] | · ∝ Normal(mu[k]; 0, var = 9) · ∏_{n: z[n] = k} Normal(x[n]; mu[z[n]], var = 1)"},
		{"a location", mixture, "mu[k]", parameters, "1/v = 1/9 + A1[k]; h = A2[k]"},
		{"parameters avoid the spec's names", "model m\nplate N\nconst a : real > 0 = 1\nglobal p ~ Beta(a, a)\ndata y[n in N] : bool ~ Bernoulli(p)\n",
			"p", parameters, "a′ = a + A1; b = a + A2"},
		{"neighbours in time", chain, "x[t]", conditional,
			"x[t] | · ∝ Normal(x[1]; 0, var = 1)^[t = 1] · Normal(x[t]; x[t - 1], var = q)^[t>1] · Normal(x[t + 1]; x[t], var = q)^[t<T] · Normal(y[t]; x[t], var = 1)"},
		{"ranges", chain, "q", conditional, "q | · ∝ InvGamma(q; 2, scale = 1) · ∏_{t>1} Normal(x[t]; x[t - 1], var = q)"},
		{"a standard deviation", "model m\nplate N\nglobal s ~ Uniform(0, 10)\ndata y[n in N] : real ~ Normal(0, sd = s)\n", "s", family, "truncated Gamma of s⁻²"},
		{"a scale mixture", "model m\nglobal t ~ Exponential(rate = 1)\ndata w : real ~ Normal(0, var = t)\n", "t", family, "Inverse-Gaussian of 1/t"},
		{"a generalised inverse Gaussian", "model m\nglobal t ~ Gamma(3, rate = 1)\ndata w : real ~ Normal(0, var = t)\n", "t", family, "generalised inverse Gaussian"},
		{"an exponential", "model m\nglobal r ~ Exponential(rate = 2)\ndata k : int ~ Poisson(r)\n", "r", parameters, "shape = k + 1; rate = 3"},
		{"what stands in the way", "model m\nglobal a ~ Exponential(rate = 1)\ndata x : real > 0 ~ Gamma(a, rate = 1)\n", "a",
			func(e Explanation) string { return e.InTheWay }, "log Γ(a)"},
		{"a constraint", "model m\nplate N\nglobal m ~ Normal(0, var = 1)\nlocal z[n in N] ~ Normal(m, var = 1)\ndata y[n in N] : bool\nobserve y[n in N] = z[n] > 0\n",
			"z[n]", func(e Explanation) string { return strings.Join(e.Bounds, "; ") }, "z[n] > 0 if y[n], z[n] < 0 if not"},
		{"the cost of an enumeration", mixture, "z[n]", func(e Explanation) string { return e.Cost }, "O(K)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, e := range Explain(analysed(t, "m.gm", tt.src)) {
				if e.Name == tt.unknown {
					if got := tt.want(e); !strings.HasPrefix(got, tt.text) {
						t.Errorf("got  %s\nwant %s", got, tt.text)
					}
					return
				}
			}
			t.Errorf("no conditional of %s", tt.unknown)
		})
	}
}

func conditional(e Explanation) string { return e.Conditional }
func family(e Explanation) string      { return e.Family }
func parameters(e Explanation) string {
	var s []string
	for _, p := range e.Parameters {
		s = append(s, p.Name+" = "+p.Value)
	}
	return strings.Join(s, "; ")
}

func TestNotation(t *testing.T) {
	plate := &ir.Plate{Name: "N", Size: -1}
	x := &ir.Var{Name: "x", Axes: []*ir.Plate{plate}}
	v := &ir.Var{Name: "v"}
	m := &ir.Model{Plates: []*ir.Plate{plate}, Vars: []*ir.Var{x, v}}
	at := func(name string) ir.Poly { return ir.RefTo(x, ir.At(name)).Poly() }
	sum := func(name string, p ir.Poly) ir.Poly { return ir.SumOver(ir.Bind{Name: name, Plate: plate}, p) }
	vp := ir.RefTo(v).Poly()
	free := ir.Bind{Name: "f1", Plate: plate}
	for _, tt := range []struct {
		p    ir.Poly
		want string
	}{
		{nil, "0"},
		{ir.Number(-0.5), "-½"},
		{ir.Number(2.5), "5/2"},
		{ir.Number(5e-5), "0.00005"},
		{ir.Number(-1.0 / 9), "-1/9"},
		{ir.Number(math.Pi), "3.141592653589793"},
		{ir.Add(ir.Number(-1), vp), "v - 1"},
		{ir.Add(ir.Number(1), vp.Scale(-1)), "1 - v"},
		{ir.Pow(vp, -1), "1 / v"},
		{ir.Pow(vp, 0.5), "√v"},
		{ir.Pow(vp, -0.5).Scale(3), "3 / √v"},
		{ir.Pow(vp, 3), "v³"},
		{ir.Mul(at("f1"), ir.Pow(vp, 1.5)), "v^(3/2)·x[n]"},
		{ir.Log(vp).Scale(-2), "-2·log v"},
		{ir.Pow(ir.Apply("log", vp), 2), "(log v)²"},
		{ir.Apply("lgamma", ir.Add(vp, ir.Number(1))), "log Γ(v + 1)"},
		{ir.Apply("abs", vp), "|v|"},
		{sum("n", at("n")), "Σₙ′ x[n′]"}, // n is taken by f1
		{sum("q", ir.Mul(at("q"), at("f1"))), "x[n] Σₙ′ x[n′]"},
		{sum("q", ir.Number(1)), "Σₙ′ 1"},
		{ir.Pow(ir.Add(at("f1"), vp.Scale(-1)), 2).Scale(-0.5), "-½·(x[n] - v)²"},
		{ir.Poly{{C: 1, Over: []ir.Bind{{Name: "t", Plate: plate, Lo: 1, Hi: -1}}, F: []ir.Fac{{A: ir.RefTo(x, ir.Ix{Name: "t", Add: -1}), P: 1}}}}, "Σ_{n′>1, n′<N} x[n′-1]"},
		{ir.Guarded(ir.Guard{Rel: ir.Eq, L: []ir.Ix{{Add: 2}}, R: []ir.Ix{ir.At("f1")}}, vp), "[n = 3]·v"},
		{ir.Guarded(ir.Guard{Rel: ir.In, L: []ir.Ix{{Name: "f1", Add: 1}}, Plate: plate}, vp), "[n < N]·v"},
		{ir.Guarded(ir.Guard{Rel: ir.Ne, L: []ir.Ix{ir.At("f1"), {}}, R: []ir.Ix{{Add: 1}, {Add: 2}}}, vp), "[(n, 1) ≠ (2, 3)]·v"},
	} {
		if got := NewNotation(m, nil, free).Poly(tt.p); got != tt.want {
			t.Errorf("%s prints as %s, want %s", tt.p, got, tt.want)
		}
	}
}

func TestCost(t *testing.T) {
	d, n := &ir.Plate{Name: "D"}, &ir.Plate{Name: "N"}
	x := &ir.Var{Name: "X", Axes: []*ir.Plate{n, d}}
	over := func(p *ir.Plate, name string) ir.Bind { return ir.Bind{Name: name, Plate: p} }
	dot := ir.SumOver(over(d, "d"), ir.RefTo(x, ir.At("n"), ir.At("d")).Poly())
	square := ir.SumOver(over(n, "n"), ir.Pow(dot, 2))
	diagonal := ir.Guarded(ir.Guard{Rel: ir.Eq, L: []ir.Ix{ir.At("i")}, R: []ir.Ix{ir.At("j")}}, ir.Number(1))
	for _, tt := range []struct {
		cost Cost
		want string
	}{
		{CostOf(nil), "O(1)"},
		{CostOf(dot), "O(D)"},
		{CostOf(square), "O(D·N)"},
		{CostOf(ir.Add(dot, square)), "O(D·N)"},
		{CostOf(ir.Number(1), over(d, "i"), over(d, "j")), "O(D²)"},
		{CostOf(diagonal, over(d, "i"), over(d, "j")), "O(D)"},
		{CostOf(nil).Times("K"), "O(K)"},
		{Cost{{"N"}}.Plus(loops{"D", "D"}, loops{"D"}), "O(D² + N)"},
	} {
		if got := tt.cost.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// TestWriters reads the JSON back, and looks for every unknown in the other formats and in the comment of generated code.
func TestWriters(t *testing.T) {
	a := analysed(t, "m.gm", "model m\nplate N\nglobal mu ~ Normal(0, var = 9)\nglobal v ~ InvGamma(2, scale = 1)\ndata x[n in N] : real ~ Normal(mu, var = v)\n")
	es := Explain(a)
	var js, md bytes.Buffer
	if err := WriteJSON(&js, a, es); err != nil {
		t.Fatal(err)
	}
	var back struct{ Conditionals []Explanation }
	if err := json.Unmarshal(js.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(es, back.Conditionals); diff != "" {
		t.Errorf("JSON loses something:\n%s", diff)
	}
	if err := WriteMarkdown(&md, a, es); err != nil {
		t.Fatal(err)
	}
	for i, e := range es {
		if !strings.Contains(md.String(), "## global "+e.Name+"\n") {
			t.Errorf("no heading for %s in\n%s", e.Name, md.String())
		}
		comment := strings.Join(Derivation(a.Conds[i], a), "\n")
		for _, want := range []string{"\tp(" + e.Name + " | ·) ∝ ", e.Draw, "Factors: m.gm:", "Cost of one draw: "} {
			if !strings.Contains(comment, want) {
				t.Errorf("%q is not in the comment\n%s", want, comment)
			}
		}
	}
}

// TestFactorOnce: a factor in which two elements of a block stand is one factor, and is printed as one.
func TestFactorOnce(t *testing.T) {
	a := analysed(t, "once.gm", `model once
plate N
plate K
const S[K, K] : cov
global mu ~ Normal(0, cov = S)
data x[n in N] : real ~ Normal(mu[1] + mu[2], var = 1)
`)
	e := Explain(a)[0]
	if n := strings.Count(e.Conditional, "∏ₙ"); n != 1 {
		t.Errorf("the factor of x stands there %d times: %s", n, e.Conditional)
	}
	if want := "global mu ~ Normal(0, cov = S)"; e.Factors[0].Text != want {
		t.Errorf("the statement is quoted as %q, want %q", e.Factors[0].Text, want)
	}
}
