package interp

import (
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestSimulateAll simulates every good model of the corpus at several sizes and evaluates what came out.
func TestSimulateAll(t *testing.T) {
	for _, file := range []string{"design.gm", "classics.gm", "corners.gm"} {
		text, err := os.ReadFile("../testdata/good/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range strings.Split(string(text), "\n---\n") {
			m := model(t, src)
			for seed := range uint64(12) {
				rng := runtime.NewRand(seed)
				env := setting(m, 1+int(seed)%3, rng)
				err := Simulate(m, env, rng)
				if improper(m) {
					if err == nil || !strings.Contains(err.Error(), "Flat") {
						t.Errorf("%s: an improper prior was simulated (%v)", m.Name, err)
					}
					break
				}
				if err != nil {
					t.Errorf("%s, seed %d: %v", m.Name, seed, err)
					break
				}
				lp, err := LogJoint(m, env)
				// Underflow to the edge of a support (a Dirichlet(0.01)'s zeros) makes ±Inf, rarely; NaN never.
				if err != nil || lp != lp || math.IsInf(lp, 0) && m.Name != "lda" && m.Name != "hmms" && m.Name != "rats" && m.Name != "counts" {
					t.Errorf("%s, seed %d: log joint %v (%v)", m.Name, seed, lp, err)
				}
			}
		}
	}
}

func improper(m *ir.Model) bool {
	for _, f := range m.Factors {
		if f.Dist.Name == "Flat" {
			return true
		}
	}
	return false
}

// TestSimulateAgreesWithLogJoint compares the frequencies of all states of a small discrete model, with a chain, a
// category of a category and a collapsed stick, with exp(LogJoint). At n draws each count is within 5 standard
// deviations: with some 200 states the false-alarm rate is below 200 × 6e-7 = 1.2e-4, and the seed is fixed.
func TestSimulateAgreesWithLogJoint(t *testing.T) {
	m := model(t, `model m
plate T = 2
plate K = 2
plate C : unbounded
const q[K] : simplex = 1 / K
const e[K, K] : simplex
global pi ~ GEM(0.7) over C
global a ~ Bernoulli(0.3)
local z[t in T if t > 1] ~ Categorical((0.2 + 0.5 * a) * e[z[t-1]] + (1 - (0.2 + 0.5 * a)) * q)
local z[1] ~ Categorical(q)
local c[t in T] ~ Categorical(pi)
data y[t in T] : bool ~ Bernoulli(0.1 + 0.7 * a)
collapse pi
`)
	const n = 40000
	rng := runtime.NewRand(5)
	counts := map[string]int{}
	logp := map[string]float64{}
	for range n {
		env := &Env{Collapsed: map[string]bool{"pi": true}, Values: map[string][]float64{"e": {0.9, 0.1, 0.3, 0.7}}}
		if err := Simulate(m, env, rng); err != nil {
			t.Fatal(err)
		}
		var key strings.Builder
		for _, v := range []string{"a", "z", "c", "y"} {
			for _, x := range env.Values[v] {
				key.WriteByte('0' + byte(x))
			}
		}
		k := key.String()
		counts[k]++
		if _, ok := logp[k]; !ok {
			lp, err := LogJoint(m, env)
			if err != nil {
				t.Fatal(err)
			}
			logp[k] = lp
		}
	}
	total := 0.0
	for k, lp := range logp {
		p := math.Exp(lp)
		total += p
		if d := float64(counts[k]) - n*p; math.Abs(d) > 5*math.Sqrt(n*p*(1-p))+3 {
			t.Errorf("state %s: %d times, expected %.1f", k, counts[k], n*p)
		}
	}
	if math.Abs(total-1) > 0.01 { // states not seen have little probability
		t.Errorf("probabilities of %d states sum to %v", len(logp), total)
	}
}

// TestTruncatedNormalisers integrates exp(LogJoint) of truncated distributions numerically.
func TestTruncatedNormalisers(t *testing.T) {
	met := map[*ir.Dist]bool{}
	for _, c := range []struct {
		dist   string
		lo, hi float64
	}{
		{"Normal(1, var = 2)", -0.5, 4}, {"Normal(0, var = 1)", 6, 8}, {"Normal(0, var = 1)", -42, -40}, {"LogNormal(0, sd = 1)", 0.5, 3}, {"HalfNormal(sd = 2)", 1, 2},
		{"HalfCauchy(scale = 1)", 2, 5}, {"Laplace(1, scale = 2)", -1, 3}, {"StudentT(df = 3, mean = 1, scale = 2)", -2, 5},
		{"Uniform(0, 4)", 1, 2}, {"Exponential(rate = 2)", 1, 3}, {"Gamma(2.5, rate = 1)", 1, 4}, {"InvGamma(3, scale = 2)", 0.5, 4},
		{"InvGaussian(1, shape = 2)", 0.5, 2}, {"Beta(2, 3)", 0.25, 0.75},
		{"Gamma(2.5, rate = 1)", 30, 35}, {"InvGamma(4, scale = 100)", 1.5, 3}, {"InvGaussian(1, shape = 2)", 20, 25}, // far out
	} {
		f, diags := dsl.Parse("m", "model m\nglobal x : real in ("+fl(c.lo)+", "+fl(c.hi)+") ~ "+c.dist+"\n")
		if diags.HasErrors() {
			t.Fatal(diags[0].Msg)
		}
		m, diags := ir.Check(f)
		if m == nil {
			t.Errorf("%s: %s", c.dist, diags[0].Msg)
			continue
		}
		met[m.Factors[0].Dist] = true
		if m.Factors[0].Lo == nil || m.Factors[0].Hi == nil {
			t.Errorf("%s is not truncated", c.dist)
		}
		density := func(x float64) float64 {
			lp, err := LogJoint(m, &Env{Values: map[string][]float64{"x": {x}}})
			if err != nil {
				t.Fatal(c.dist, err)
			}
			return math.Exp(lp)
		}
		// Simpson's rule with 2000 steps: error far below 1e-7 for these; Laplace's kink lies on a node.
		const n = 2000
		h, sum := (c.hi-c.lo)/n, 0.0
		for i := 0; i <= n; i++ {
			x := c.lo + h*float64(i)
			w := 2.0
			switch {
			case i == 0 || i == n:
				w, x = 1, min(max(x, c.lo+1e-12), c.hi-1e-12)
			case i%2 == 1:
				w = 4
			}
			sum += w * density(x)
		}
		if got := sum * h / 3; math.Abs(got-1) > 1e-7 {
			t.Errorf("%s on (%g, %g) integrates to %v", c.dist, c.lo, c.hi, got)
		}
		if density(c.lo-0.01) != 0 || density(c.hi+0.01) != 0 {
			t.Errorf("%s: density outside (%g, %g)", c.dist, c.lo, c.hi)
		}
		// Kolmogorov–Smirnov against the numerical distribution function: sqrt(n)·D > 2.2 has probability 1.3e-4, and the seed is fixed.
		rng := runtime.NewRand(9)
		var xs []float64
		for range 500 {
			env := &Env{}
			if err := Simulate(m, env, rng); err != nil {
				t.Fatal(c.dist, err)
			}
			xs = append(xs, env.Values["x"][0])
		}
		sort.Float64s(xs)
		d, cdf, at := 0.0, 0.0, c.lo
		for i, x := range xs {
			steps := 20
			hh := (x - at) / float64(steps)
			for s := range steps { // midpoints
				cdf += hh * density(at+hh*(float64(s)+0.5))
			}
			at = x
			d = max(d, math.Abs(cdf-float64(i)/500), math.Abs(cdf-float64(i+1)/500))
		}
		if math.Sqrt(500)*d > 2.2 {
			t.Errorf("%s on (%g, %g): draws are off by D = %v", c.dist, c.lo, c.hi, d)
		}
	}
	for _, d := range ir.Dists {
		if d.LogMass != "" && !met[d] {
			t.Errorf("%s, which can be truncated, has no case", d.Name)
		}
	}
}

func fl(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// TestPlantedFaults changes single factors of a model and demands that the log joint notices.
func TestPlantedFaults(t *testing.T) {
	m := model(t, good(t, "classics.gm", 1))
	rng := runtime.NewRand(3)
	env := setting(m, 3, rng)
	if err := Simulate(m, env, rng); err != nil {
		t.Fatal(err)
	}
	want, err := LogJoint(m, env)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range m.Factors {
		faults := map[string]func(*ir.Factor){
			"dropped": nil,
		}
		if len(f.Over) > 0 {
			faults["one element short"] = func(g *ir.Factor) {
				g.Over = append([]ir.Binder(nil), g.Over...)
				g.Over[0].Hi--
			}
		}
		if f.Dist.Name == "Normal" {
			faults["half the variance"] = func(g *ir.Factor) {
				g.Args = []ir.Expr{g.Args[0], &ir.Bin{Op: '*', L: &ir.Num{Value: 0.5}, R: g.Args[1]}}
			}
		}
		for name, plant := range faults {
			bad := *m
			bad.Factors = append([]*ir.Factor(nil), m.Factors...)
			if plant == nil {
				bad.Factors = append(bad.Factors[:i:i], bad.Factors[i+1:]...)
			} else {
				g := *f
				plant(&g)
				bad.Factors[i] = &g
			}
			got, err := LogJoint(&bad, env)
			// Dirichlet(1) over two elements has log density 0: the only factor whose loss may not show.
			if f.Dist.Name == "Dirichlet" {
				continue
			}
			if err == nil && math.Abs(got-want) < 1e-9 {
				t.Errorf("%s of factor %d goes unnoticed", name, i)
			}
		}
	}
}
