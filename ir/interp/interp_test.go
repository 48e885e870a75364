package interp

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
)

func model(t testing.TB, src string) *ir.Model {
	t.Helper()
	f, diags := dsl.Parse("test.gm", src)
	if diags.HasErrors() {
		t.Fatal(diags[0].Msg)
	}
	m, diags := ir.Check(f)
	if m == nil {
		for _, d := range diags {
			t.Errorf("%d: %s", d.Span.Start.Line, d.Msg)
		}
		t.FailNow()
	}
	return m
}

// Densities written out by hand, from their definitions, not from runtime.

func lnormal(x, mean, v float64) float64 {
	return -0.5*math.Log(2*math.Pi*v) - (x-mean)*(x-mean)/(2*v)
}
func lg(x float64) float64 { y, _ := math.Lgamma(x); return y }
func lgamma(x, shape, rate float64) float64 {
	return shape*math.Log(rate) - lg(shape) + (shape-1)*math.Log(x) - rate*x
}
func linvgamma(x, shape, scale float64) float64 {
	return shape*math.Log(scale) - lg(shape) - (shape+1)*math.Log(x) - scale/x
}
func ldirichlet(x []float64, alpha float64) float64 {
	s := lg(alpha*float64(len(x))) - float64(len(x))*lg(alpha)
	for _, p := range x {
		s += (alpha - 1) * math.Log(p)
	}
	return s
}

// linvwishart2 is the Inverse-Wishart density of 2×2 matrices, written out with determinants and adjugates.
func linvwishart2(x, s [4]float64, df float64) float64 {
	dx, ds := x[0]*x[3]-x[1]*x[2], s[0]*s[3]-s[1]*s[2]
	tr := (s[0]*x[3] - s[1]*x[2] - s[2]*x[1] + s[3]*x[0]) / dx
	return df/2*math.Log(ds) - df*math.Ln2 - (0.5*math.Log(math.Pi) + lg(df/2) + lg((df-1)/2)) - (df+3)/2*math.Log(dx) - tr/2
}

func lmvn2(x, m [2]float64, s [4]float64) float64 {
	d := s[0]*s[3] - s[1]*s[2]
	a, b := x[0]-m[0], x[1]-m[1]
	return -math.Log(2*math.Pi) - 0.5*math.Log(d) - 0.5*(s[3]*a*a-(s[1]+s[2])*a*b+s[0]*b*b)/d
}

// The tolerance: sums of a few dozen terms of size 1..100 in float64.
const tol = 1e-11

func check(t *testing.T, m *ir.Model, env *Env, want float64) {
	t.Helper()
	got, err := LogJoint(m, env)
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) && got != want {
		t.Errorf("%s: log joint %v, by hand %v", m.Name, got, want)
	}
}

func TestLasso(t *testing.T) {
	m := model(t, good(t, "design.gm", 0))
	env := &Env{
		Sizes: map[string]int{"N": 3, "D": 2},
		Values: map[string][]float64{
			"a": {2}, "X": {1, 2, -1, 0.5, 0, 3}, "y": {1, 0, 1},
			"sigma2": {0.7}, "tau2": {0.3, 1.9}, "w": {0.4, -1.1}, "z": {0.2, -0.3, 0.9},
		},
	}
	want := linvgamma(0.7, 2, 1) +
		math.Log(0.5) - 0.5*0.3 + math.Log(0.5) - 0.5*1.9 +
		lnormal(0.4, 0, 0.7*0.3) + lnormal(-1.1, 0, 0.7*1.9) +
		lnormal(0.2, 0.4-2.2, 1) + lnormal(-0.3, -0.4-0.55, 1) + lnormal(0.9, -3.3, 1)
	check(t, m, env, want)
	env.Values["y"][1] = 1 // z[2] < 0
	check(t, m, env, math.Inf(-1))
	env.Values["y"][1] = 0
	env.Values["tau2"][1] = -1
	if lp, err := LogJoint(m, env); err == nil && !math.IsInf(lp, -1) {
		t.Errorf("tau2 = -1 has log joint %v", lp)
	}
}

func TestLDA(t *testing.T) {
	m := model(t, good(t, "design.gm", 1))
	env := &Env{
		Sizes:   map[string]int{"docs": 3, "topics": 2, "vocab": 3},
		Lengths: map[string][]int{"words": {2, 0, 1}},
		Values: map[string][]float64{
			"beta":  {0.2, 0.3, 0.5, 0.6, 0.3, 0.1},
			"theta": {0.25, 0.75, 0.5, 0.5, 0.9, 0.1},
			"z":     {0, 1, 1}, "x": {2, 0, 1},
		},
	}
	want := ldirichlet([]float64{0.2, 0.3, 0.5}, 0.01) + ldirichlet([]float64{0.6, 0.3, 0.1}, 0.01) +
		ldirichlet([]float64{0.25, 0.75}, 0.1) + ldirichlet([]float64{0.5, 0.5}, 0.1) + ldirichlet([]float64{0.9, 0.1}, 0.1) +
		math.Log(0.25*0.75*0.1) + math.Log(0.5*0.6*0.3)
	check(t, m, env, want)
	env.Values["z"] = []float64{0, 1}
	if _, err := LogJoint(m, env); err == nil {
		t.Error("too few values of z pass")
	}
}

func TestDPMM(t *testing.T) {
	m := model(t, good(t, "design.gm", 2))
	s0, s1 := [4]float64{2, 0.3, 0.3, 1}, [4]float64{1, -0.2, -0.2, 0.5}
	mu := [][2]float64{{0.5, 1}, {-2, 0.1}}
	xs := [][2]float64{{0.4, 1.2}, {-1.5, 0}, {1, 1}}
	env := &Env{
		Sizes:     map[string]int{"N": 3, "P": 2, "clusters": 2},
		Collapsed: map[string]bool{"pi": true},
		Values: map[string][]float64{
			"alpha": {1.5}, "kappa0": {0.25},
			"Sigma": {2, 0.3, 0.3, 1, 1, -0.2, -0.2, 0.5}, "mu": {0.5, 1, -2, 0.1},
			"z": {0, 1, 0}, "x": {0.4, 1.2, -1.5, 0, 1, 1},
		},
	}
	id := [4]float64{1, 0, 0, 1}
	scale := func(s [4]float64, c float64) [4]float64 { return [4]float64{s[0] * c, s[1] * c, s[2] * c, s[3] * c} }
	base := linvwishart2(s0, id, 4) + linvwishart2(s1, id, 4) +
		lmvn2(mu[0], [2]float64{}, scale(s0, 4)) + lmvn2(mu[1], [2]float64{}, scale(s1, 4)) +
		lmvn2(xs[0], mu[0], s0) + lmvn2(xs[1], mu[1], s1) + lmvn2(xs[2], mu[0], s0)
	// Seats at the restaurant: α/α · α/(1+α) · 1/(2+α).
	check(t, m, env, base+math.Log(1.5/2.5)+math.Log(1/3.5))
	// With the weights: v1 = 0.5, v2 = 0.2/0.5, both Beta(1, 1.5); dv2/dπ2 = 1/0.5.
	env.Collapsed = nil
	env.Values["pi"] = []float64{0.5, 0.2}
	stick := 2*math.Log(1.5) + 0.5*math.Log(0.5) + 0.5*math.Log(0.6) - math.Log(0.5)
	check(t, m, env, base+stick+math.Log(0.5*0.2*0.5))
}

func TestHMMAndChains(t *testing.T) {
	m := model(t, good(t, "classics.gm", 1))
	env := &Env{
		Sizes: map[string]int{"T": 3},
		Values: map[string][]float64{
			"init": {0.3, 0.7}, "A": {0.9, 0.1, 0.4, 0.6}, "mu": {-1, 2}, "tau": {0.5},
			"z": {1, 0, 0}, "y": {1.5, -1, 0},
		},
	}
	want := 3*ldirichlet([]float64{0.5, 0.5}, 1) + lnormal(-1, 0, 100) + lnormal(2, 0, 100) + lgamma(0.5, 1, 1) +
		math.Log(0.7*0.4*0.9) + lnormal(1.5, 2, 2) + lnormal(-1, -1, 2) + lnormal(0, -1, 2)
	check(t, m, env, want)

	m = model(t, good(t, "classics.gm", 3)) // AR(1) latent with a truncated coefficient, AR(2) observed from its third on
	env = &Env{
		Sizes: map[string]int{"T": 3},
		Values: map[string][]float64{
			"phi": {0.8}, "s2": {0.5}, "f1": {0.5}, "f2": {-0.25}, "x": {1, 0.5, 0}, "y": {0, 1, 0}, "u": {3, 2, 1},
		},
	}
	inside := math.Erf(1 / math.Sqrt2)
	want = lnormal(0.8, 0, 1) - math.Log(inside) + linvgamma(0.5, 1, 1) + lnormal(0.5, 0, 1) + lnormal(-0.25, 0, 1) +
		lnormal(1, 0, 10) + lnormal(0.5, 0.8, 0.5) + lnormal(0, 0.4, 0.5) +
		lnormal(0, 1, 1) + lnormal(1, 0.5, 1) + lnormal(0, 0, 1) +
		lnormal(1, 0.5*2-0.25*3, 0.5)
	check(t, m, env, want)
	env.Values["phi"] = []float64{1.2}
	check(t, m, env, math.Inf(-1))
	// One time point: the statements about later ones say nothing.
	env = &Env{Sizes: map[string]int{"T": 1}, Values: map[string][]float64{
		"phi": {0.8}, "s2": {0.5}, "f1": {0.5}, "f2": {-0.25}, "x": {1}, "y": {0}, "u": {3}}}
	check(t, m, env, lnormal(0.8, 0, 1)-math.Log(inside)+linvgamma(0.5, 1, 1)+lnormal(0.5, 0, 1)+lnormal(-0.25, 0, 1)+lnormal(1, 0, 10)+lnormal(0, 1, 1))
}

func TestOrdinal(t *testing.T) {
	m := model(t, good(t, "classics.gm", 12))
	env := &Env{
		Sizes: map[string]int{"N": 2, "D": 1, "levels": 3, "cuts": 2},
		Values: map[string][]float64{
			"X": {1, -1}, "y": {1, 2}, "limit": {1, 1}, "seen": {0, 1},
			"w": {0.5}, "c": {-1, 0.2}, "z": {0, 1}, "life": {3, 0.4},
		},
	}
	want := lnormal(0.5, 0, 10) + math.Log(2) + lnormal(-1, 0, 100) + lnormal(0.2, 0, 100) +
		lnormal(0, 0.5, 1) + lnormal(1, -0.5, 1) +
		0.5 - math.Exp(0.5)*3 - 0.5 - math.Exp(-0.5)*0.4
	check(t, m, env, want)
	for _, v := range []struct {
		name string
		vals []float64
	}{{"c", []float64{0.2, -1}}, {"z", []float64{0.3, 1}}, {"life", []float64{0.5, 0.4}}} {
		old := env.Values[v.name]
		env.Values[v.name] = v.vals
		check(t, m, env, math.Inf(-1))
		env.Values[v.name] = old
	}
}

func TestRaggedMembership(t *testing.T) {
	m := model(t, good(t, "classics.gm", 21))
	env := &Env{
		Sizes:   map[string]int{"pupils": 2, "schools": 2},
		Lengths: map[string][]int{"visits": {2, 1}},
		Values: map[string][]float64{
			"at": {0, 1, 1}, "w": {0.5, 1.5, 2}, "a": {1, -2}, "slope": {0.1}, "y": {0.3, -1},
		},
	}
	share := []float64{(0.5*1 + 1.5*-2) / 3, 2 * -2 / 3.0}
	want := lnormal(1, 0, 1) + lnormal(-2, 0, 1) + lnormal(0.1, 0, 1) +
		lnormal(0.3, share[0]+0.1*1+2.0/2, 1) + lnormal(-1, share[1]+0.1*2+1.0/2, 1)
	check(t, m, env, want)
	// A let on a Monitor list evaluates too, whole and by element.
	got, err := Eval(m, &ir.Ref{Var: m.Var("share")}, env, nil)
	if err != nil || math.Abs(got[0]-share[0])+math.Abs(got[1]-share[1]) > tol {
		t.Errorf("share = %v (%v), by hand %v", got, err, share)
	}
	got, err = Eval(m, &ir.Ref{Var: m.Var("share"), Idx: []ir.IndexExpr{{Name: "p"}}}, env, map[string]int{"p": 1})
	if err != nil || math.Abs(got[0]-share[1]) > tol {
		t.Errorf("share[2] = %v (%v), by hand %v", got, err, share[1])
	}
}

func TestDiscrete(t *testing.T) {
	m := model(t, `model m
plate N
plate K
data n[N] : int > 0
const q[K] : simplex = 1 / K
global p ~ Beta(2, 3)
global r ~ Gamma(2, rate = 1)
data b[i in N] : bool ~ Bernoulli(p)
data c[i in N] : int ~ Binomial(n[i], p)
data d[i in N] : int ~ Poisson(n[i] * r)
data e[i in N, K] : int ~ Multinomial(n[i], q)
data f[i in N] : K ~ Categorical(q)
`)
	env := &Env{Sizes: map[string]int{"N": 1, "K": 2}, Values: map[string][]float64{
		"n": {4}, "p": {0.3}, "r": {1.5}, "b": {0}, "c": {3}, "d": {2}, "e": {1, 3}, "f": {1}}}
	want := math.Log(12*0.3*0.49) + lgamma(1.5, 2, 1) + math.Log(0.7) + math.Log(4*0.027*0.7) +
		2*math.Log(6) - 6 - math.Log(2) + math.Log(4.0/16) + math.Log(0.5)
	check(t, m, env, want)
	env.Values["c"] = []float64{5}
	check(t, m, env, math.Inf(-1))
}

// TestMissing checks that what cannot be evaluated is an error that names its cause.
func TestMissing(t *testing.T) {
	m := model(t, good(t, "classics.gm", 0))
	env := func() *Env {
		return &Env{Sizes: map[string]int{"N": 2}, Values: map[string][]float64{
			"pi": {0.2, 0.3, 0.5}, "mu": {0, 1, 2}, "s2": {1, 1, 1}, "z": {0, 2}, "x": {0, 1}}}
	}
	for _, c := range []struct {
		name  string
		spoil func(*Env)
		want  string
	}{
		{"no value", func(e *Env) { delete(e.Values, "mu") }, "mu has no value"},
		{"no size", func(e *Env) { delete(e.Sizes, "N") }, "plate N has no size"},
		{"too many", func(e *Env) { e.Values["z"] = []float64{0, 1, 2} }, "z has 3 values, but its plates make 2"},
		{"category", func(e *Env) { e.Values["z"] = []float64{0, 3} }, "element 4 of 3 in plate K"},
		{"fraction", func(e *Env) { e.Values["z"] = []float64{0, 0.5} }, "0.5 is not a whole number"},
		{"parameter", func(e *Env) { e.Values["s2"] = []float64{-1, 1, 1} }, "Normal"},
	} {
		e := env()
		c.spoil(e)
		if lp, err := LogJoint(m, e); err == nil && !math.IsInf(lp, -1) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want an error with %q", c.name, lp, err, c.want)
		}
	}
	if _, err := LogJoint(m, env()); err != nil {
		t.Error(err)
	}
}

// good returns the i-th model of a file of the checker's corpus.
func good(t testing.TB, file string, i int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "good", file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n---\n")[i]
}

// setting fills an Env for any model: every plate of size n, ragged lengths 0, 1, 2, 0, 1, ..., covariates that suit
// their types.
func setting(m *ir.Model, n int, rng *runtime.Rand) *Env {
	env := &Env{Sizes: map[string]int{}, Lengths: map[string][]int{}, Values: map[string][]float64{}, Collapsed: map[string]bool{}}
	x := &machine{m: m, env: env, starts: map[*ir.Plate][]int{}, values: map[*ir.Var][]float64{}, def: map[*ir.Var]bool{}}
	for _, p := range m.Plates {
		if p.Over == nil && !p.Unbounded {
			env.Sizes[p.Name] = n
		}
	}
	for _, p := range m.Plates {
		if p.Over != nil {
			k, _ := x.total(p.Over)
			for i := range k {
				env.Lengths[p.Name] = append(env.Lengths[p.Name], i%3)
			}
			_ = x.layOut(p)
		}
	}
	for _, v := range m.Vars {
		if v.Role != dsl.Data && (v.Role != dsl.Const || v.Default != nil) {
			continue
		}
		_, k, err := x.locate(v.Axes, nil)
		if err != nil {
			continue
		}
		vals := make([]float64, k)
		for i := range vals {
			switch v.Type.Elem {
			case ir.Cat:
				vals[i] = float64(rng.IntN(n))
			case ir.Bool:
				vals[i] = float64(rng.IntN(2))
			case ir.Int:
				vals[i] = float64(1 + rng.IntN(5))
			default:
				vals[i] = float64(i) + rng.Open01() // consts without defaults may be ordered
			}
		}
		env.Values[v.Name] = vals
	}
	for _, v := range m.Collapse {
		env.Collapsed[v.Name] = true
	}
	return env
}
