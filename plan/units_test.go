// This file tests which models' units are independent given the globals, and what becomes of the accumulators. That draws and sums
// are then right is checked on generated code, by verify.

package plan

import (
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

func build(t *testing.T, src string) *Plan {
	t.Helper()
	file, diags := dsl.Parse("m.gm", src)
	model, more := ir.Check(file)
	diags = append(diags, more...)
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags[0], src)
	}
	analysis, diags := conjugacy.Analyze(model)
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags[0], src)
	}
	p, diags := Build(analysis)
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags[0], src)
	}
	return p
}

func TestUnits(t *testing.T) {
	names := map[Sharing]string{Still: "still", Rows: "rows", Whole: "whole", Parts: "parts"}
	for _, tt := range []struct {
		name, spec string
		coupled    string // part of the reason
		sharing    string // of the accumulators in turn, if not coupled
	}{
		{"mixture", `model m
plate N
plate K = 3
global pi ~ Dirichlet(1) over K
global mu[k in K] ~ Normal(0, var = 10)
local z[n in N] ~ Categorical(pi)
data x[n in N] : real ~ Normal(mu[z[n]], var = 1)`, "", "whole parts"},
		{"mixture, proportions integrated out", `model m
plate N
plate K = 3
global pi ~ Dirichlet(1) over K
global mu[k in K] ~ Normal(0, var = 10)
local z[n in N] ~ Categorical(pi)
data x[n in N] : real ~ Normal(mu[z[n]], var = 1)
collapse pi`, "the draw of z[n] reads Σₙ [z[n] = k], which the locals of other units change, since pi is integrated out", ""},
		{"topics", topicHead + `global beta[k in topics] ~ Dirichlet(0.5) over vocab
data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])
collapse theta`, "", "whole rows"},
		{"tokens", topicHead + `global pi ~ Dirichlet(1) over topics
global m[k in topics] ~ Normal(0, var = 1)
local u[d in docs, i in words[d]] ~ Categorical(pi)
data x[d in docs, i in words[d]] : real ~ Normal(m[u[d, i]], var = 1)
collapse theta
batch over words`, "the draw of z[d, i] reads Σᵢ [z[d, i] = k], which the locals of other units change, since theta is integrated out", ""},
		{"independent tokens", `model m
plate docs
plate words[docs]
plate K = 3
global pi ~ Dirichlet(1) over K
global m[k in K] ~ Normal(0, var = 1)
local z[d in docs, i in words[d]] ~ Categorical(pi)
data x[d in docs, i in words[d]] : real ~ Normal(m[z[d, i]], var = 1)
batch over words`, "", "whole parts"},
		{"tokens and what they share", `model m
plate docs
plate words[docs]
global v ~ InvGamma(2, scale = 1)
local a[d in docs] ~ Normal(0, var = v)
local b[d in docs, i in words[d]] ~ Normal(a[d], var = 1)
data x[d in docs, i in words[d]] : real ~ Normal(b[d, i], var = v)
batch over words`, "the draw of a[d] reads Σᵢ b[d, i], which the locals of other units change", ""},
		{"the same by documents", `model m
plate docs
plate words[docs]
global v ~ InvGamma(2, scale = 1)
local a[d in docs] ~ Normal(0, var = v)
local b[d in docs, i in words[d]] ~ Normal(a[d], var = 1)
data x[d in docs, i in words[d]] : real ~ Normal(b[d, i], var = v)
batch over docs`, "", "parts parts rows"},
		{"a chain", `model m
plate T
global v ~ InvGamma(2, scale = 1)
local x[t in T] ~ Normal(0, var = v)
data y[T] : real
data y[t in T if t > 1] ~ Normal(x[t] + x[t - 1], var = 1)`, "the draw of x[t] reads elements of x that belong to other units", ""},
		{"one element for all", `model m
plate T
global v ~ InvGamma(2, scale = 1)
local x[t in T] ~ Normal(0, var = v)
data y[T] : real
data y[t in T if t > 1] ~ Normal(x[t] + x[1], var = 1)`, "reads elements of x that belong to other units", ""},
		{"two plates", `model m
plate N
plate G
data g[N] : G
global v ~ InvGamma(2, scale = 1)
local a[j in G] ~ Normal(0, var = v)
local x[n in N] ~ Normal(a[g[n]], var = v)
data y[n in N] : real ~ Normal(x[n], var = 1)`, "the draw of a[j] reads", ""},
		{"two plates that have nothing to do with each other", `model m
plate N
plate G
global v ~ InvGamma(2, scale = 1)
local a[j in G] ~ Normal(0, var = v)
local x[n in N] ~ Normal(0, var = v)
data y[n in N] : real ~ Normal(x[n], var = 1)
data u[j in G] : real ~ Normal(a[j], var = 1)`, "", "parts parts"},
	} {
		p := build(t, tt.spec)
		if tt.coupled == "" && p.Coupled != "" || !strings.Contains(p.Coupled, tt.coupled) {
			t.Errorf("%s: coupled: %q, want %q", tt.name, p.Coupled, tt.coupled)
			continue
		}
		var got []string
		for _, a := range p.Accs {
			got = append(got, names[a.Sharing])
		}
		if s := strings.Join(got, " "); tt.coupled == "" && s != tt.sharing {
			t.Errorf("%s: accumulators %s, want %s", tt.name, s, tt.sharing)
		}
	}
}
