package plan

import (
	"strings"
	"testing"
)

// TestWatch: what is looked at for lost digits, and when.
func TestWatch(t *testing.T) {
	names := map[Watch]string{Never: "never", EachUpdate: "update", EachUnit: "unit", EachSweep: "sweep"}
	for _, tt := range []struct{ name, spec, want string }{
		{"counts, and sums of data by category", `model m
plate N
plate K = 3
global pi ~ Dirichlet(1) over K
global mu[k in K] ~ Normal(0, var = 10)
local z[n in N] ~ Categorical(pi)
data x[n in N] : real ~ Normal(mu[z[n]], var = 1)`, "never never"},
		{"a number, and its logarithm", `model m
plate N
global a ~ Exponential(rate = 1)
global b ~ Gamma(1, rate = 1)
local t[n in N] ~ Gamma(a, rate = b)
data x[n in N] : int ~ Poisson(t[n])`, "never update"},
		{"logarithms of probabilities", `model m
plate N
global a ~ Exponential(rate = 1)
global b ~ Exponential(rate = 1)
local p[n in N] ~ Beta(a, b)
data x[n in N] : bool ~ Bernoulli(p[n])`, "never never"},
		{"between two numbers, and its inverse", `model m
plate N
global a ~ Gamma(1, rate = 1)
global c ~ Gamma(1, rate = 1)
local u[n in N] ~ Uniform(0, 1)
data x[n in N] : real > 0 ~ Exponential(rate = a * u[n])
data y[n in N] : real > 0 ~ Exponential(rate = c / u[n])`, "never update"},
		{"vectors by category", `model m
plate N
plate K = 3
global pi ~ Dirichlet(1) over K
global mu[k in K] ~ Normal(0, var = 10)
local z[n in N] ~ Categorical(pi)
local u[n in N] ~ Normal(mu[z[n]], var = 1)
data x[n in N] : real ~ Normal(u[n], var = 1)`, "never update"},
		{"of each unit", `model m
plate docs
plate pars[docs]
global s2 ~ InvGamma(1, scale = 1)
local m[d in docs] ~ Normal(0, var = 10)
local p[d in docs, i in pars[d]] ~ Normal(m[d], var = s2)
data x[d in docs, i in pars[d]] : real ~ Normal(p[d, i], var = 1)`, "update unit"},
		{"of the parent of each unit", `model m
plate docs
plate pars[docs]
global s2 ~ InvGamma(1, scale = 1)
local m[d in docs] ~ Normal(0, var = 10)
local p[d in docs, i in pars[d]] ~ Normal(m[d], var = s2)
data x[d in docs, i in pars[d]] : real ~ Normal(p[d, i], var = 1)
batch over pars`, "update sweep"},
	} {
		var got []string
		for _, acc := range build(t, tt.spec).Accs {
			if !acc.Data() {
				got = append(got, names[acc.Watch])
			}
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, g, tt.want)
		}
	}
}

// TestStrays: of which numbers the references are looked at.
func TestStrays(t *testing.T) {
	for _, tt := range []struct{ name, mean, want string }{
		{"a product", "a * b * sum(x)", "a b"},
		{"of a number of both signs", "a * c * sum(x)", "a"},
		{"a product and a term by itself", "a * b * sum(x) + a", "b"},
		{"a sum", "a * sum(x) + b", ""},
	} {
		p := build(t, `model m
plate N
global a ~ HalfNormal(var = 1)
global b ~ HalfNormal(var = 1)
global c ~ Normal(0, var = 1)
local x[n in N] ~ Normal(c, var = a + b)
data y[n in N] : real ~ Normal(`+tt.mean+`, var = 1)`)
		var got []string
		for _, r := range p.Strays {
			got = append(got, r.Of.Name)
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, g, tt.want)
		}
	}
}
