// This file checks the check of checkpoints: whichever part is left out, it finds that out.

package verify

import (
	"slices"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/crossed"
	"github.com/gibbsgen/gibbsgen/generated/dpmm"
	"github.com/gibbsgen/gibbsgen/generated/lasso"
	"github.com/gibbsgen/gibbsgen/generated/lda"
	"github.com/gibbsgen/gibbsgen/generated/pump"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// lacking is a sampler that leaves one part out.
type lacking struct {
	Subject
	part int
}

func (s lacking) Parts() []any {
	parts := s.Subject.Parts()
	return slices.Delete(parts, s.part, s.part+1)
}

func (s lacking) Tune(on bool) {
	if t, ok := s.Subject.(runtime.Tuner); ok {
		t.Tune(on)
	}
}

// The peaks of sums make no difference until a sum has shrunk by seven digits; internal/mutate leaves out those of one that does.
func TestPartLeftOut(t *testing.T) {
	for _, m := range []struct {
		schema dataio.Schema
		open   func(*dataio.Set, *runtime.Rand) (runtime.Sampler, error)
		peaks  int // the part that they are, 0 if there are none
	}{
		{lasso.Schema, lasso.Open, 6},
		{dpmm.Schema, dpmm.Open, 0},
		{lda.Schema, lda.Open, 0},
		{pump.Schema, pump.Open, 6},
		{crossed.Schema, crossed.Open, 0},
	} {
		t.Run(m.schema.Model, func(t *testing.T) {
			missed := map[int]bool{}
			for try := range uint64(5) {
				rng := runtime.NewRand(5, try)
				set := example(m.schema, []int{12, 3, 5}, 1, nil, rng)
				if x := set.Values["x"]; x != nil && x.Real != nil { // two clusters, far apart
					for i := range x.Real {
						x.Real[i] += 40 * float64(i*2/len(x.Real))
					}
				}
				open := func() Subject {
					s, err := m.open(set, runtime.NewRand(6, try))
					if err != nil {
						t.Fatal(err)
					}
					return s.(Subject)
				}
				if err := resumed(&specimen{Subject: open()}, &specimen{Subject: open()}); err != nil {
					t.Fatal(err)
				}
				for part := range open().Parts() {
					missed[part] = missed[part] || fails(lacking{open(), part}, lacking{open(), part})
				}
			}
			for part := range len(missed) {
				if !missed[part] && (part != m.peaks || part == 0) {
					t.Errorf("part %d can be left out", part)
				}
			}
		})
	}
}

// fails reports whether the check finds fault, or the sampler comes to grief in it.
func fails(s, other Subject) (bad bool) {
	defer func() { bad = recover() != nil || bad }()
	return resumed(&specimen{Subject: s}, &specimen{Subject: other}) != nil
}
