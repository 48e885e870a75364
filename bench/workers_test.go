// This file times sweeps by two workers against one, and draws of the globals as the number of units grows.

package bench

import (
	"errors"
	"fmt"
	"testing"

	genlasso "github.com/gibbsgen/gibbsgen/generated/lasso"
	genlda "github.com/gibbsgen/gibbsgen/generated/lda"
	genmixture "github.com/gibbsgen/gibbsgen/generated/mixture"

	"github.com/gibbsgen/gibbsgen/bench/corpus"
	"github.com/gibbsgen/gibbsgen/bench/hand/lda"
	"github.com/gibbsgen/gibbsgen/bench/hand/mixture"
	"github.com/gibbsgen/gibbsgen/bench/hand/probit"
	"github.com/gibbsgen/gibbsgen/bench/pairs"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// A maker makes a sampler of n units.
type maker func(t testing.TB, n int) runtime.Crewed

func lassoOf(t testing.TB, n int) runtime.Crewed {
	const d = 20
	x, y := probit.Bench(n, d)
	h := probit.BenchHyper
	s, err := genlasso.New(genlasso.Data{Sizes: genlasso.Sizes{N: n, D: d}, X: x, Y: y},
		genlasso.Hyper{Lambda: h.Lambda, A: h.A, B: h.B}, runtime.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mixtureOf(t testing.TB, n int) runtime.Crewed {
	h := mixture.BenchHyper
	s, err := genmixture.New(genmixture.Data{Sizes: genmixture.Sizes{N: n, K: 5}, X: mixture.Bench(n)},
		genmixture.Hyper{Alpha: h.Alpha, M0: h.M0, V0: h.V0, A: h.A, B: h.B}, runtime.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ldaOf returns LDA with 20 topics and 5000 words on documents of that many tokens.
func ldaOf(tokens int) maker {
	return func(t testing.TB, n int) runtime.Crewed {
		const topics = 20
		c := corpus.Synthetic(n, tokens, 5000, topics)
		data := genlda.Data{Sizes: genlda.Sizes{Docs: n, Topics: topics, Vocab: c.V}}
		for _, doc := range c.Docs {
			data.WordsLen = append(data.WordsLen, len(doc))
			data.X = append(data.X, doc...)
		}
		s, err := genlda.New(data, genlda.Hyper{Alpha: lda.BenchHyper.Alpha, Eta: lda.BenchHyper.Eta}, runtime.NewRand(1))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// BenchmarkWorkers compares sweeps by one worker (A) with sweeps by two (B), by the wall clock: it wants two processors for itself.
func BenchmarkWorkers(b *testing.B) {
	for _, c := range []struct {
		name string
		make maker
		n    int
	}{
		{"lasso", lassoOf, 1_000_000},
		{"mixture", mixtureOf, 1_000_000},
		{"lda", ldaOf(200), 15_000},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := c.make(b, c.n)
			by := func(workers int) func() {
				return func() {
					s.Crew().SetWorkers(workers)
					if err := errors.Join(s.UpdateGlobals(), s.UpdateLocals(nil)); err != nil {
						b.Fatal(err)
					}
				}
			}
			for range 5 {
				by(2)()
			}
			pairs.Wall(b, by(1), by(2))
		})
	}
}

// BenchmarkGlobals times a draw of the globals at numbers of units that grow by tens: it takes the same time at all of them.
func BenchmarkGlobals(b *testing.B) {
	for _, c := range []struct {
		name string
		make maker
	}{{"lasso", lassoOf}, {"mixture", mixtureOf}, {"lda", ldaOf(10)}} {
		for _, n := range []int{10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				s := c.make(b, n)
				for range 5 {
					if err := runtime.Step(s); err != nil {
						b.Fatal(err)
					}
				}
				for b.Loop() {
					if err := s.UpdateGlobals(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestGlobalsFlat counts the operations of a draw of the globals: their number does not depend on the number of units.
func TestGlobalsFlat(t *testing.T) {
	for _, c := range []struct {
		name string
		make maker
	}{{"lasso", lassoOf}, {"mixture", mixtureOf}, {"lda", ldaOf(10)}} {
		var first float64
		for _, n := range []int{100, 1000, 10_000} {
			globals, locals, _ := c.make(t, n).(runtime.Operator).Operations()
			if first == 0 {
				first = globals
			}
			if globals != first || locals < float64(n) {
				t.Errorf("%s, %d units: %g operations of the globals, %g of the locals; of 100 units the globals take %g", c.name, n, globals, locals, first)
			}
		}
	}
}
