// Package exact holds the tests of the samplers in bench: distribution functions,
// frequencies, and what makes both exact.
//
// A Gibbs sweep leaves the posterior invariant. So if parameters are drawn from
// the prior, data given these, and then sweeps are made from the parameters that
// made the data, what comes out is a draw from the prior again, and jointly with the
// data: pairs like the first ones. Repeating this gives independent draws of known
// distribution, which the tests below judge at exact false-alarm rates; no
// autocorrelation enters. (Geweke 2004 in its independent form; the
// "exact invariance test" of Bouchard-Côté et al. 2022.)
package exact

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// FalseAlarm is the probability that one check of a right sampler fails. Seeds
// are fixed, so that it is settled once.
const FalseAlarm = 1e-6

// Sample returns n draws.
func Sample(n int, draw func() float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = draw()
	}
	return x
}

// KS fails t unless x, independent draws, have the distribution function cdf, by
// Kolmogorov and Smirnov's test: P(D > d) <= 2·exp(-2nd²), Massart (1990). It sorts x.
func KS(t testing.TB, name string, x []float64, cdf func(float64) float64) {
	t.Helper()
	slices.Sort(x)
	n, d := float64(len(x)), 0.0
	for i, v := range x {
		f := cdf(v)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f) // NaN stays
	}
	if limit := math.Sqrt(math.Log(2/FalseAlarm) / (2 * n)); !(d <= limit) {
		t.Errorf("%s: Kolmogorov-Smirnov distance %.4f from %d draws, at most %.4f", name, d, len(x), limit)
	}
}

// Frequencies fails t unless counts of independent draws agree with the
// probabilities p, by Pearson's chi-square; rare outcomes are pooled until 10 are
// expected.
func Frequencies(t testing.TB, name string, counts []int, p []float64) {
	t.Helper()
	n := 0
	for _, c := range counts {
		n += c
	}
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, p[a]-p[b])) }) // rarest first
	type cell struct{ seen, expected float64 }
	var cells []cell
	var c cell
	for _, i := range order {
		c.seen += float64(counts[i])
		c.expected += float64(n) * p[i]
		if c.expected >= 10 {
			cells = append(cells, c)
			c = cell{}
		}
	}
	if len(cells) < 2 {
		t.Fatalf("%s: %d draws are too few for a test", name, n)
	}
	cells[len(cells)-1].seen += c.seen
	cells[len(cells)-1].expected += c.expected
	var stat float64
	for _, c := range cells {
		stat += (c.seen - c.expected) * (c.seen - c.expected) / c.expected
	}
	if tail := (distuv.ChiSquared{K: float64(len(cells) - 1)}).Survival(stat); !(tail >= FalseAlarm) {
		t.Errorf("%s: chi-square %.1f in %d cells from %d draws: p = %.2g", name, stat, len(cells), n, tail)
	}
}

// Pick draws an index with probability p[i], given a uniform u in [0, 1).
func Pick(p []float64, u float64) int {
	for i, v := range p {
		if u -= v; u < 0 {
			return i
		}
	}
	return len(p) - 1
}
