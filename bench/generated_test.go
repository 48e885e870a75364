// This file makes the generated samplers that BenchmarkPairs compares, on the data of
// the hand-written ones.

package bench

import (
	"testing"

	genlasso "github.com/gibbsgen/gibbsgen/generated/lasso"
	genlda "github.com/gibbsgen/gibbsgen/generated/lda"
	genmixture "github.com/gibbsgen/gibbsgen/generated/mixture"

	"github.com/gibbsgen/gibbsgen/bench/hand/lda"
	"github.com/gibbsgen/gibbsgen/bench/hand/mixture"
	"github.com/gibbsgen/gibbsgen/bench/hand/probit"
	"github.com/gibbsgen/gibbsgen/runtime"
)

func generatedMixture(t testing.TB) func() {
	h := mixture.BenchHyper
	s, err := genmixture.New(
		genmixture.Data{Sizes: genmixture.Sizes{N: 10_000, K: 5}, X: mixture.Bench(10_000)},
		genmixture.Hyper{Alpha: h.Alpha, M0: h.M0, V0: h.V0, A: h.A, B: h.B}, runtime.NewRand(1))
	return sweeps(t, s, err)
}

func generatedProbit(t testing.TB) func() {
	const n, d = 100_000, 20
	x, y := probit.Bench(n, d)
	h := probit.BenchHyper
	s, err := genlasso.New(genlasso.Data{Sizes: genlasso.Sizes{N: n, D: d}, X: x, Y: y},
		genlasso.Hyper{Lambda: h.Lambda, A: h.A, B: h.B}, runtime.NewRand(1))
	return sweeps(t, s, err)
}

func generatedLDA(t testing.TB) func() {
	c := lda.Bench()
	data := genlda.Data{Sizes: genlda.Sizes{Docs: len(c.Docs), Topics: lda.BenchTopics, Vocab: c.V}}
	for _, doc := range c.Docs {
		data.WordsLen = append(data.WordsLen, len(doc))
		data.X = append(data.X, doc...)
	}
	h := lda.BenchHyper
	s, err := genlda.New(data, genlda.Hyper{Alpha: h.Alpha, Eta: h.Eta}, runtime.NewRand(1))
	return sweeps(t, s, err)
}

// sweeps returns a generated sampler's sweep, warmed up: globals, then locals.
func sweeps(t testing.TB, s runtime.Sampler, err error) func() {
	if err != nil {
		t.Fatal(err)
	}
	return warm(func() {
		if err := s.UpdateGlobals(); err != nil {
			t.Fatal(err)
		}
		if err := s.UpdateLocals(nil); err != nil {
			t.Fatal(err)
		}
	})
}
