// This file checks what is refused because a draw of one unknown at a time, or a normalising constant, would be wrong.

package conjugacy_test

import (
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

func TestRefusals(t *testing.T) {
	for _, test := range []struct{ name, spec, code, msg string }{
		{"a bool in an end of a support", `
local x[n in N] ~ Bernoulli(0.3)
data d[n in N] ~ Uniform(0, 1 + 2 * x[n])
`, "reducible", "the discrete unknown x decides between which bounds"},
		{"a category in an end of a support", `
global b[k in K] ~ Gamma(2, rate = 1)
local z[n in N] ~ Categorical(1 / K) over K
data d[n in N] ~ Uniform(0, b[z[n]])
`, "reducible", "the discrete unknown z decides between which bounds"},
		{"an end of some elements, integrated out", `
global m[k in K if k == 1] ~ HalfNormal(sd = 2)
global m[k in K if k > 1] ~ Normal(0, sd = 2)
local z[n in N] ~ Categorical(1 / K) over K
data d[n in N] : real ~ Normal(m[z[n]], sd = 1)
collapse m
`, "collapse", "m cannot be integrated out"},
		{"a location cut at 0, integrated out with its variance", `
global s[k in K] ~ InvGamma(2, scale = 1)
global m[k in K] : real > 0 ~ Normal(0, var = 2 * s[k])
local z[n in N] ~ Categorical(1 / K) over K
data d[n in N] : real ~ Normal(m[z[n]], var = s[z[n]])
collapse m, s
`, "collapse", "m cannot be integrated out"},
		{"a variance cut above, integrated out with its location", `
global s[k in K] : real < 3 ~ InvGamma(2, scale = 1)
global m[k in K] ~ Normal(0, var = 2 * s[k])
local z[n in N] ~ Categorical(1 / K) over K
data d[n in N] : real ~ Normal(m[z[n]], var = s[z[n]])
collapse m, s
`, "collapse", "s cannot be integrated out"},
		{"what a new category's parameters are drawn from, integrated out", `
plate C : unbounded
global pi ~ GEM(1) over C
data x[K] : real
global p[c in C] ~ Dirichlet(1) over K
global m[c in C] ~ Categorical(p[c]) over K
local z[n in N] ~ Categorical(pi)
data d[n in N] : K ~ Categorical(p[z[n]])
data e[n in N] : real ~ Normal(x[m[z[n]]], sd = 1)
collapse pi, p
`, "collapse", "p cannot be integrated out"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, ds := dsl.Parse("spec.gm", "model refused\nplate N\nplate K\n"+test.spec)
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			m, ds := ir.Check(f)
			if ds.HasErrors() {
				t.Fatal(ds)
			}
			_, ds = conjugacy.Analyze(m)
			for _, d := range ds {
				if d.Code == test.code && strings.Contains(d.Msg, test.msg) {
					return
				}
			}
			t.Errorf("%v: want an error %s, %q", ds, test.code, test.msg)
		})
	}
}
