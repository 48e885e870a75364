// This file tests which models foretell their data, and how the weights are split. What generated code makes of it is checked
// against the log joint by verify.

package plan

import (
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

const topicHead = `model m
plate docs
plate words[docs]
plate topics = 3
plate vocab
plate groups
data g[docs] : groups
local theta[d in docs] ~ Dirichlet(0.5) over topics
local z[d in docs, i in words[d]] ~ Categorical(theta[d])
`

func TestPredictions(t *testing.T) {
	for _, tt := range []struct {
		name, spec string
		prior      int    // factors
		given      int    // factors
		proper     bool   // whether those sum to 1
		why        string // part of the reason, if there is none
	}{
		{"nothing integrated out", topicHead + `global beta[k in topics] ~ Dirichlet(0.5) over vocab
data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])`, 1, 1, true, ""},
		{"proportions integrated out", topicHead + `global beta[k in topics] ~ Dirichlet(0.5) over vocab
data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])
collapse theta`, 1, 1, true, ""},
		{"all integrated out", topicHead + `global beta[k in topics] ~ Dirichlet(0.5) over vocab
data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])
collapse theta, beta`, 2, 1, false, ""},
		{"topics of groups", topicHead + `global beta[h in groups, k in topics] ~ Dirichlet(0.5) over vocab
data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[g[d], z[d, i]])
collapse theta`, 1, 1, true, ""},
		{"topics of groups integrated out", topicHead + `global beta[h in groups, k in topics] ~ Dirichlet(0.5) over vocab
data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[g[d], z[d, i]])
collapse theta, beta`, 0, 0, false, "the probabilities of x differ between the elements of docs"},
		{"two things said of each word", topicHead + `global beta[k in topics] ~ Dirichlet(0.5) over vocab
global gamma[k in topics] ~ Dirichlet(0.5) over groups
data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])
data y[d in docs, i in words[d]] : groups ~ Categorical(gamma[z[d, i]])`, 0, 0, false, "depend on x and on y"},
		{"words that decide more", topicHead + `global beta[k in topics] ~ Dirichlet(0.5) over vocab
global mu[v in vocab] ~ Normal(0, var = 1)
data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])
data y[d in docs, i in words[d]] : real ~ Normal(mu[x[d, i]], var = 1)`, 0, 0, false, "x decides something about y too"},
		{"numbers", topicHead + `global mu[k in topics] ~ Normal(0, var = 1)
data x[d in docs, i in words[d]] : real ~ Normal(mu[z[d, i]], var = 1)`, 0, 0, false, "no products of probabilities"},
		{"words in a chain", `model m
plate docs
plate words[docs]
plate topics = 3
plate vocab
global P[k in topics] ~ Dirichlet(1) over topics
global beta[k in topics] ~ Dirichlet(0.5) over vocab
local z[d in docs, 1] ~ Categorical(P[1])
local z[d in docs, i in words[d] if i > 1] ~ Categorical(P[z[d, i-1]])
data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])`, 0, 0, false, "hold for some values only"},
		{"no data", topicHead, 0, 0, false, "no data of its own"},
		{"no words", `model m
plate K = 2
plate N
global pi ~ Dirichlet(1) over K
global z ~ Categorical(pi)
global mu[k in K] ~ Dirichlet(1) over K
data x[n in N] : K ~ Categorical(mu[z])`, 0, 0, false, "not a local"},
		{"a restaurant", `model m
plate N
plate V
plate clusters : unbounded
global pi ~ GEM(1) over clusters
global beta[k in clusters] ~ Dirichlet(1) over V
local z[n in N] ~ Categorical(pi)
data x[n in N] : V ~ Categorical(beta[z[n]])
collapse pi`, 0, 0, false, "clusters is unbounded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file, diags := dsl.Parse("m.gm", tt.spec)
			if diags.HasErrors() {
				t.Fatal(diags[0].Msg)
			}
			m, diags := ir.Check(file)
			if diags.HasErrors() {
				t.Fatal(diags[0].Msg)
			}
			a, diags := conjugacy.Analyze(m)
			if diags.HasErrors() {
				t.Fatal(diags[0].Msg)
			}
			p, _ := Build(a)
			ps, why := p.Predictions()
			switch {
			case tt.why != "":
				if len(ps) != 0 || !strings.Contains(strings.Join(why, "\n"), tt.why) {
					t.Errorf("%d predictions, %q; want none, because %q", len(ps), why, tt.why)
				}
			case len(ps) != 1:
				t.Errorf("%d predictions, %q; want one", len(ps), why)
			case len(ps[0].Prior) != tt.prior || len(ps[0].Given) != tt.given || ps[0].Proper != tt.proper || ps[0].X.Name != "x":
				t.Errorf("%d factors without %s, %d with it, proper: %v; want %d, %d, %v",
					len(ps[0].Prior), ps[0].X.Name, len(ps[0].Given), ps[0].Proper, tt.prior, tt.given, tt.proper)
			}
		})
	}
}
