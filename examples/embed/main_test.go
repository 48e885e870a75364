package main

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestRun runs the whole program and looks for its lines.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out, "../../specs", runtime.Options{Chains: 2, Warmup: 50, Draws: 100, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n(Intercept) ", "\nbmi ", "\nglu ", "P(2 kinds) = ", "of a kind) = "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, &out, "../../specs", runtime.Options{Chains: 2, Draws: 100}); err == nil {
		t.Error("an ended context is no error")
	}
}

// TestSeedsAgree asserts that two runs from different seeds, and so from different starts, agree: probabilities within 5 Monte Carlo
// errors of their difference. With 11 coefficients that raises a false alarm in about 1 of 150,000 pairs of seeds. A
// difference below 0.01 passes as well, since the error of a probability near 0 or 1 rests on few draws.
func TestSeedsAgree(t *testing.T) {
	opts := runtime.Options{Chains: 4, Warmup: 500, Draws: 2000, Seed: 11}
	a, err := lassoDiabetes(t.Context(), "../../specs/lasso.csv", opts)
	if err != nil {
		t.Fatal(err)
	}
	opts.Seed = 12
	b, err := lassoDiabetes(t.Context(), "../../specs/lasso.csv", opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(a) != 11 {
		t.Fatalf("%d coefficients, want 11", len(a))
	}
	for i, c := range a {
		if d := math.Abs(c.Positive - b[i].Positive); d > 5*math.Hypot(c.PositiveMCSE, b[i].PositiveMCSE)+0.01 {
			t.Errorf("P(%s > 0) is %.3f ± %.3f and %.3f ± %.3f", c.Name, c.Positive, c.PositiveMCSE, b[i].Positive, b[i].PositiveMCSE)
		}
		if !(c.Lo < c.Mean && c.Mean < c.Hi && c.Rhat < 1.05) {
			t.Errorf("%+v: the mean lies outside its interval, or R-hat is large", c)
		}
	}
}

// TestKinds asserts what twenty points in two heaps leave no doubt about; an error of 0.5 in these probabilities is 20 times
// their Monte Carlo error even if only one draw in ten were independent.
func TestKinds(t *testing.T) {
	m, err := mixEruptions(t.Context(), runtime.Options{Warmup: 500, Draws: 4000, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	var total float64
	for _, p := range m.Clusters {
		total += p
	}
	if math.Abs(total-1) > 1e-9 {
		t.Errorf("the probabilities of numbers of kinds add up to %g", total)
	}
	if m.ShortWithLong > 0.5 || m.ShortWithShort < 0.5 {
		t.Errorf("the shortest is of a kind with the longest at %.3f, and with the second shortest at %.3f", m.ShortWithLong, m.ShortWithShort)
	}
}
