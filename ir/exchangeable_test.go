package ir_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// Each case replaces or adds statements of one mixture; want is whether its components stay exchangeable.
func TestExchangeable(t *testing.T) {
	base := []string{
		"plate N", "plate K = 3",
		"global pi ~ Dirichlet(1) over K",
		"global mu[k in K] ~ Normal(0, var = 100)",
		"local z[n in N] ~ Categorical(pi)",
		"data x[n in N] : real ~ Normal(mu[z[n]], var = 1)",
	}
	for _, c := range []struct {
		name string
		with string // replaces the statement of base that begins alike, or is added
		want bool
	}{
		{"as it is", "", true},
		{"a hyperparameter drawn for all", "global m ~ Normal(0, var = 9)\nglobal mu[k in K] ~ Normal(m, var = 1)", true},
		{"a hyperparameter drawn for each", "global s[k in K] ~ InvGamma(2, scale = 1)\nglobal mu[k in K] ~ Normal(0, var = s[k])", true},
		{"vector of unknown concentrations", "global a[k in K] ~ Gamma(1, rate = 1)\nglobal pi ~ Dirichlet(a) over K", true},
		{"transitions", "global P[j in K] ~ Dirichlet(1) over K\nlocal z[n in N if n > 1] ~ Categorical(P[z[n-1]])\nlocal z[1] ~ Categorical(pi)", true},
		{"sum over the components", "data y[n in N] : real ~ Normal(sum(k in K, mu[k]), var = 1)", true},
		{"the size alone", "global mu[k in K] ~ Normal(K, var = 1)", true},

		{"a constant for each", "const m[K] : real = 0\nglobal mu[k in K] ~ Normal(m[k], var = 1)", false},
		{"data over the components", "data m[K] : real\nglobal mu[k in K] ~ Normal(m[k], var = 1)", false},
		{"some labels seen", "data g[N] : K\ndata y[n in N] : real ~ Normal(mu[g[n]], var = 1)", false},
		{"the index as a number", "global mu[k in K] ~ Normal(k, var = 1)", false},
		{"one component by number", "global d ~ Normal(mu[1], var = 1)", false},
		{"the first apart", "global mu[1] ~ Normal(0, var = 1)\nglobal mu[k in K if k > 1] ~ Normal(0, var = 4)", false},
		{"neighbours", "global mu[1] ~ Normal(0, var = 1)\nglobal mu[k in K if k > 1] ~ Normal(mu[k-1], var = 4)", false},
		{"all but the last in a sum", "data y[n in N] : real ~ Normal(sum(k in K if k < K, mu[k]), var = 1)", false},
		{"a bound for each", "global mu[k in K] : real > k ~ Normal(0, var = 100)", false},
		{"lists of the components' own", "plate M[K]\ndata y[k in K, i in M[k]] : real ~ Normal(mu[k], var = 1)", false},
	} {
		var stmts []string
		added := strings.Split(c.with, "\n")
		head := func(s string) string {
			return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '[' })[:2], " ")
		}
		for _, s := range base {
			if i := slices.IndexFunc(added, func(a string) bool { return a != "" && head(a) == head(s) }); i < 0 {
				stmts = append(stmts, s)
				continue
			}
			for _, a := range added { // in the place of what it replaces, with what it needs
				if a != "" {
					stmts = append(stmts, a)
				}
			}
			added = []string{""}
		}
		if c.with != "" && added[0] != "" {
			stmts = append(stmts, added...)
		}
		f, diags := dsl.Parse("m.gm", "model m\n"+strings.Join(stmts, "\n")+"\n")
		m, more := ir.Check(f)
		if diags.HasErrors() || more.HasErrors() {
			for _, d := range append(diags, more...) {
				t.Errorf("%s: %s", c.name, d.Msg)
			}
			continue
		}
		got := slices.ContainsFunc(m.Exchangeable(), func(p *ir.Plate) bool { return p.Name == "K" })
		if got != c.want {
			t.Errorf("%s: exchangeable %v, want %v", c.name, got, c.want)
		}
		if slices.ContainsFunc(m.Exchangeable(), func(p *ir.Plate) bool { return p.Name == "N" }) {
			t.Errorf("%s: the units are told apart by their data", c.name)
		}
	}
}
