// Package bench holds comparisons of the samplers that gibbsgen generates with
// others: README.md lists them.
package bench

import (
	"testing"

	"github.com/gibbsgen/gibbsgen/bench/hand/lda"
	"github.com/gibbsgen/gibbsgen/bench/hand/mixture"
	"github.com/gibbsgen/gibbsgen/bench/hand/probit"
	"github.com/gibbsgen/gibbsgen/bench/pairs"
)

// A program makes a sampler, warms it up, and returns its sweep.
type program func(testing.TB) func()

// table lists what BenchmarkPairs compares: A, whose time is the numerator, and B.
var table = []struct {
	name string
	a, b program
}{
	{"mixture", generatedMixture, handMixture},
	{"probit", generatedProbit, handProbit},
	{"lda", generatedLDA, handLDA},
}

func BenchmarkPairs(b *testing.B) {
	for _, c := range table {
		b.Run(c.name, func(b *testing.B) { pairs.Pair(b, c.a(b), c.b(b)) })
	}
}

const warmup = 50 // sweeps, so that what is timed is what most of a run is

func handMixture(t testing.TB) func() {
	s, err := mixture.New(mixture.Bench(10_000), 5, mixture.BenchHyper, 1)
	if err != nil {
		t.Fatal(err)
	}
	return warm(s.Sweep)
}

func handProbit(t testing.TB) func() {
	x, y := probit.Bench(100_000, 20)
	s, err := probit.New(x, y, probit.BenchHyper, 1)
	if err != nil {
		t.Fatal(err)
	}
	return warm(func() {
		if err := s.Sweep(); err != nil {
			t.Fatal(err)
		}
	})
}

func handLDA(t testing.TB) func() {
	s, err := lda.New(lda.Bench(), lda.BenchTopics, lda.BenchHyper, 1)
	if err != nil {
		t.Fatal(err)
	}
	return warm(s.Sweep)
}

func warm(sweep func()) func() {
	for range warmup {
		sweep()
	}
	return sweep
}
