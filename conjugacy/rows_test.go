// This file tests which vectors can be drawn without their matrix, and from what.

package conjugacy_test

import (
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/google/go-cmp/cmp"
)

func TestRows(t *testing.T) {
	const head = "model m\nplate N\nplate D\ndata X[N, D] : real\ndata s[D] : real\n"
	const y = "data y[n in N] : real ~ Normal(dot(X[n], w), var = 1)\n"
	for _, c := range []struct {
		what string
		spec spec
		want string // of w: diag, lin, weight, score; empty if it needs its matrix
	}{
		{"lasso, locals", named(t, "lassoprobit"), "1 / (sigma2·tau2[i]); 0; 1; z[n]"},
		{"lasso, data", named(t, "lassogauss2"), "1 / (sigma2·tau2[i]); 0; 1 / sigma2; y[n] / sigma2"},
		{"weights, a mean, several vectors", named(t, "widereg"),
			"1 / t2[i]; m / t2[i]; q[n] / s2[k]; q[n]·y[n, k] / s2[k] - q[n]·u[n] / s2[k] - off[n, k]·q[n] / s2[k]"},
		{"coefficients at the positions", named(t, "spike"), ""},
		{"sums that move with locals", named(t, "mixreg"), ""},
		{"a flat prior", inline(head + "global w[d in D] ~ Flat()\n" + y), ""},
		{"a flat prior of one", inline(head + "global w[d in D if d > 1] ~ Normal(0, var = 1)\nglobal w[1] ~ Flat()\n" + y), ""},
		{"a prior of two parts", inline(head + "global w[d in D if d > 1] ~ Normal(0, var = 1)\nglobal w[1] ~ Normal(0, var = 9)\n" + y), ""},
		{"a prior that is not diagonal", inline(head + "const S[D, D] : cov = identity(D)\nglobal w[D] ~ Normal(s, cov = S)\n" + y), ""},
		{"another element for itself", inline(head + "global w[d in D] ~ Normal(0, var = 1)\nglobal g[d in D] ~ Bernoulli(0.5)\n" +
			"data y[n in N] : real ~ Normal(sum(d in D, X[n, d] * w[d]) + sum(d in D, X[n, d] * g[d]), var = 1)\n"), ""},
	} {
		a := mustAnalyse(t, c.spec)
		w := conditional(a, "w")
		got := ""
		if w.Rows != nil {
			var parts []string
			for _, l := range conjugacy.RowsDerivation(w, a)[2:] {
				_, value, _ := strings.Cut(l, " = ")
				parts = append(parts, value)
			}
			got = strings.Join(parts, "; ")
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s:\n%s", c.what, d)
		}
		if (len(a.Grams) > 0) != (c.want != "") {
			t.Errorf("%s: %d Gram matrices can be done without", c.what, len(a.Grams))
		}
	}
}

func inline(src string) spec { return spec{"m", "m.gm", src} }
