// This file holds how the work of the compiler grows with the number of statements: hardly more than in proportion, since a
// program that writes specs may write thousands.

package conjugacy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// longSpecs are models of many statements: what comes first, what is repeated for each number, and what is listed at the end.
var longSpecs = []struct{ name, first, each, collapse string }{
	{"scalars", "", "global a# ~ Normal(0, var = 1)\ndata y# : real ~ Normal(a#, var = 1)\n", ""},
	{"accumulators", "plate N\n", "global a# ~ Normal(0, var = 1)\ndata y#[n in N] : real ~ Normal(a#, var = 1)\n", ""},
	{"moves", "plate N\n", "global a# ~ Normal(0, var = 1)\nlocal x#[n in N] ~ Normal(a#, var = 1)\ndata y#[n in N] : real ~ Normal(x#[n], var = 1)\n", ""},
	{"hyperparameter", "global m ~ Normal(0, var = 1)\nglobal s ~ InvGamma(2, scale = 1)\n", "global a# ~ Normal(m, var = s)\ndata y# : real ~ Normal(a#, var = 1)\n", ""},
	{"constraints", "plate N\n", "global a# ~ Normal(0, var = 1)\nlocal x#[n in N] ~ Normal(a#, var = 1)\ndata y#[N] : bool\nobserve y#[n in N] = x#[n] > 0\n", ""},
	{"bounds", "", "global b# ~ Gamma(2, rate = 1)\ndata y# : real ~ Uniform(0, b#)\n", ""},
	{"pairs", "plate N\n", "global s# ~ InvGamma(2, scale = 1)\nglobal m# ~ Normal(0, var = s#)\ndata y#[n in N] : real ~ Normal(m#, var = s#)\n", "m#, s#"},
	{"collapsed", "plate N\nplate K = 2\n", "global p# ~ Dirichlet(1) over K\nlocal z#[n in N] ~ Categorical(p#)\ndata y#[n in N] : K ~ Categorical(p#)\n", "p#"},
}

func longSpec(t testing.TB, i, n int) *dsl.File {
	t.Helper()
	s := longSpecs[i]
	var b strings.Builder
	b.WriteString("model long\n" + s.first)
	var collapse []string
	for k := range n {
		of := func(text string) string { return strings.ReplaceAll(text, "#", fmt.Sprint(k)) }
		b.WriteString(of(s.each))
		collapse = append(collapse, of(s.collapse))
	}
	if s.collapse != "" {
		b.WriteString("collapse " + strings.Join(collapse, ", ") + "\n")
	}
	f, diags := dsl.Parse("long.gm", b.String())
	if diags.HasErrors() {
		t.Fatal(diags[0].Msg)
	}
	return f
}

func buildLong(t testing.TB, f *dsl.File) *plan.Plan {
	t.Helper()
	m, diags := ir.Check(f)
	if diags.HasErrors() {
		t.Fatal(diags[0].Msg)
	}
	a, diags := conjugacy.Analyze(m)
	if diags.HasErrors() {
		t.Fatal(diags[0].Msg)
	}
	p, diags := plan.Build(a)
	if diags.HasErrors() {
		t.Fatal(diags[0].Msg)
	}
	return p
}

// TestGrowth counts allocations, as a measure of work that no other process disturbs: four times the statements may not
// take six times as many.
func TestGrowth(t *testing.T) {
	for i, s := range longSpecs {
		t.Run(s.name, func(t *testing.T) {
			work := func(n int) float64 {
				f := longSpec(t, i, n)
				return testing.AllocsPerRun(1, func() { buildLong(t, f) })
			}
			few, many := work(100), work(400)
			t.Logf("%.0f, %.0f", few, many)
			if many > 6*few {
				t.Errorf("100 statements take %.0f allocations, 400 take %.0f", few, many)
			}
		})
	}
}

// BenchmarkGrowth measures the stages of the compiler for ever more statements.
func BenchmarkGrowth(b *testing.B) {
	for i, s := range longSpecs {
		for _, n := range []int{1000, 2000, 4000} {
			f := longSpec(b, i, n)
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
				for b.Loop() {
					buildLong(b, f)
				}
			})
		}
	}
	p := buildLong(b, longSpec(b, 0, 1000))
	b.Run("generate/1000", func(b *testing.B) {
		for b.Loop() {
			if _, err := codegen.Generate(p, codegen.Options{Spec: "long.gm"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
