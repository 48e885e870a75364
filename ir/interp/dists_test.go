// This file holds what every entry of the catalogue is held to: the functions of package runtime that it names are there, its density
// is one, and its draws are of that density.

package interp

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/internal/testkit"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestCatalogue checks that every distribution can be evaluated, and that the functions that it names take what generated code
// passes to them.
func TestCatalogue(t *testing.T) {
	have := testkit.Signatures(t, "../../runtime")
	for _, d := range ir.Dists {
		if d.Name == "Flat" || d.Name == "GEM" { // improper; drawn as a partition, by CRP
			continue
		}
		e, ok := table[d.LogProb]
		if !ok {
			t.Errorf("%s: no entry for %q", d.Name, d.LogProb)
		}
		one := map[ir.Elem]string{ir.Real: "float64", ir.Int: "int", ir.Bool: "bool", ir.Cat: "int32"}[d.Type]
		drawn, result := one, "" // a number is returned, arrays are filled in
		var params, more []string
		for _, p := range d.Params {
			switch {
			case p.Dims > 0:
				params = append(params, "[]float64")
			case p.Domain == ir.CountDomain:
				params = append(params, "int")
			default:
				params = append(params, "float64")
			}
			if p.Dims == 2 { // to factorise, which may fail
				more, result = []string{"*MatWork"}, "error"
			}
		}
		if d.Event == 2 {
			more = append([]string{"int"}, more...)
		}
		var into []string
		switch {
		case d.Event > 0:
			one = "[]" + one
			into = []string{one}
		case d.Type == ir.Cat:
			result = "int"
		default:
			result = drawn
		}
		join := func(lists ...[]string) (out []string) {
			for _, l := range lists {
				out = append(out, l...)
			}
			return out
		}
		want := map[string]string{
			"Rand." + d.Draw: testkit.Signature(join(into, params, more), result),
			d.LogProb:        testkit.Signature(join([]string{one}, params, more), "float64"),
		}
		if d.LogMass != "" {
			want[d.LogMass] = testkit.Signature(join([]string{"float64", "float64"}, params), "float64")
			if e.cdf == nil {
				t.Errorf("%s can be truncated, but its entry has no distribution function", d.Name)
			}
			if d.Event > 0 || d.Type != ir.Real {
				t.Errorf("%s has a LogMass, but check truncates single real numbers only", d.Name)
			}
		}
		for name, sig := range want {
			switch got := have[name]; {
			case got == "":
				t.Errorf("%s: runtime has no %s, func%s", d.Name, name, sig)
			case got != sig:
				t.Errorf("%s: runtime's %s is func%s, and is called as func%s", d.Name, name, got, sig)
			}
		}
	}
}

// TestTestedInRuntime: runtime's own tests call the log density and the draw of every distribution. TestLines sees them in one dimension
// and at one parameter.
func TestTestedInRuntime(t *testing.T) {
	files, err := filepath.Glob("../../runtime/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests of runtime: %v", err)
	}
	var text strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(b)
	}
	called := func(name string) bool {
		return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\(`).MatchString(text.String())
	}
	for _, d := range ir.Dists {
		if d.Name == "Flat" || d.Name == "GEM" { // improper; a partition, of which runtime/crp_test.go
			continue
		}
		for _, name := range []string{d.LogProb, d.Draw} {
			if !called(name) {
				t.Errorf("%s: no test in runtime calls %s", d.Name, name)
			}
		}
	}
	if called("NoSuchLogPDF") {
		t.Error("a function that there is not is called")
	}
}

// lines has every distribution on a line: the elements of a drawn array follow from its first, by rest.
var lines = []struct {
	decl string // of x
	rest func(x float64) float64
}{
	{"x ~ Normal(1, var = 2)", nil},
	{"x ~ Normal(1, cov = 2 * identity(One))", nil},
	{"x ~ Normal(1, prec = 2 * identity(One))", nil},
	{"x ~ Gamma(2.5, rate = 0.7)", nil},
	{"x ~ InvGamma(2.5, scale = 0.7)", nil},
	{"x ~ Exponential(rate = 0.7)", nil},
	{"x ~ InvGaussian(1.2, shape = 3)", nil},
	{"x ~ Beta(2, 3.5)", nil},
	{"x ~ Dirichlet(1.7) over Two", func(x float64) float64 { return 1 - x }},
	{"x ~ Categorical(q)", nil},
	{"x ~ Bernoulli(0.3)", nil},
	{"x ~ Binomial(7, 0.3)", nil},
	{"x ~ Poisson(2.5)", nil},
	{"x ~ Multinomial(7, q)", func(x float64) float64 { return 7 - x }},
	{"x ~ Uniform(-1, 2)", nil},
	{"x ~ Laplace(0.3, scale = 0.7)", nil},
	{"x ~ LogNormal(0.3, var = 0.5)", nil},
	{"x ~ StudentT(df = 3, mean = 1, scale = 2)", nil},
	{"x ~ HalfNormal(var = 2)", nil},
	{"x ~ HalfCauchy(scale = 0.7)", nil},
	{"x ~ Wishart(df = One + 1.5, scale = 0.7 * identity(One))", nil},
	{"x ~ InvWishart(df = One + 3.5, scale = 0.7 * identity(One))", nil},
}

// TestLines integrates the density of every distribution, and compares draws with it. The table asks runtime for densities, so that
// comparing generated code with it says nothing of these: that is what this test is for, and runtime's own in more dimensions.
func TestLines(t *testing.T) {
	met := map[*ir.Dist]bool{}
	for _, c := range lines {
		m := model(t, "model m\nplate One = 1\nplate Two = 2\nconst q[Two] : simplex\nglobal "+c.decl+"\n")
		d := m.Factors[0].Dist
		met[d] = true
		t.Run(c.decl, func(t *testing.T) {
			values := map[string][]float64{"q": {0.4, 0.6}}
			logp := func(x float64) float64 {
				values["x"] = []float64{x}
				if c.rest != nil {
					values["x"] = append(values["x"], c.rest(x))
				}
				lp, err := LogJoint(m, &Env{Values: values})
				if err != nil { // a category that there is not
					return math.Inf(-1)
				}
				return lp
			}
			const n = 20000
			rng := runtime.NewRand(31)
			var xs []float64
			for range n {
				env := &Env{Values: map[string][]float64{"q": {0.4, 0.6}}}
				if err := Simulate(m, env, rng); err != nil {
					t.Fatal(err)
				}
				xs = append(xs, env.Values["x"][0])
			}
			if d.Type == ir.Real {
				lo, hi := math.Inf(-1), math.Inf(1)
				switch s := m.Var("x").Support; s.Kind {
				case ir.Line:
					if s.Lo != nil {
						lo = s.Lo.(*ir.Num).Value
					}
					if s.Hi != nil {
						hi = s.Hi.(*ir.Num).Value
					}
				case ir.Simplex:
					lo, hi = 0, 1
				case ir.SPD:
					lo = 0
				}
				total, ks := testkit.Fit(xs, logp, lo, hi)
				if !(math.Abs(total) < 1e-6) {
					t.Errorf("the density integrates to exp(%g)", total)
				}
				if !(ks < 2.2) { // has probability 1.3e-4 for right draws, and the seed is fixed
					t.Errorf("draws are off by sqrt(n)·D = %g", ks)
				}
				return
			}
			counts, total := map[float64]float64{}, 0.0
			for _, x := range xs {
				counts[x]++
			}
			for k := range 60 {
				p := math.Exp(logp(float64(k)))
				total += p
				if got := counts[float64(k)]; math.Abs(got-n*p) > 5*math.Sqrt(n*p*(1-p))+3 {
					t.Errorf("%d was drawn %v times, expected %.1f", k, got, n*p)
				}
			}
			if !(math.Abs(total-1) < 1e-12) {
				t.Errorf("the masses sum to %v", total)
			}
		})
	}
	for _, d := range ir.Dists {
		if !met[d] && d.Draw != "" { // not Flat; GEM is in TestSimulateAgreesWithLogJoint
			t.Errorf("%s (%s) has no line in lines", d.Name, d.LogProb)
		}
	}
}
