// This file checks predictions by brute force: the element is put in, with every category and value in turn, and the log joint
// of a sampler made for the longer data says how likely each pair is.

package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// predictions checks those of the sampler, on data sets of several small sizes and at several states. Only data over a ragged plate are
// checked: of others, a further element would lengthen all that runs over the plate.
func (l *lab) predictions(t *tally) {
	for i, sizes := range [][]int{{1}, {2}, {4, 3, 2, 5}, {3, 2, 4, 3, 5}} {
		rng := l.rand(20153, uint64(i))
		set := l.example(sizes, 0, rng)
		s, err := l.open(set, rng)
		if err != nil { // the data may have to be probabilities
			set = l.example(sizes, 3, rng)
			s, err = l.open(set, rng)
		}
		if err != nil {
			continue
		}
		p, ok := as[runtime.Predictor](s)
		if !ok || len(p.Predictions()) == 0 {
			return
		}
		row := t.row("prediction", "predictions", "disagreements", 0)
		row.timed(func() {
			for range 3 {
				if err := s.step(); err != nil {
					row.noteError(err, l.sizes(s))
					return
				}
				for _, p := range p.Predictions() {
					row.noteError(l.predicts(set, s, p), fmt.Sprintf("%s: %s and %s", l.sizes(s), p.Unknown, p.Data))
				}
			}
		})
	}
}

// predicts compares, for a further element of each parent, the probability of each value with that by the log joint.
func (l *lab) predicts(set *dataio.Set, s *specimen, p runtime.Prediction) error {
	field := l.Schema.Fields[slices.IndexFunc(l.Schema.Fields, func(f dataio.Field) bool { return f.Name == p.Data })]
	if len(field.Dims) != 2 || set.Ragged[field.Dims[1]] == nil {
		return nil
	}
	plate := field.Dims[1]
	at := 0
	p.Prepare()
	for parent, length := range set.Ragged[plate] {
		at += length
		longer := *set
		longer.Ragged = map[string][]int{}
		for name, l := range set.Ragged {
			longer.Ragged[name] = slices.Clone(l)
		}
		longer.Ragged[plate][parent]++
		weights := make([]float64, set.Sizes[field.Of])
		var logs [][]float64
		for x := range weights {
			longer.Values = map[string]*dataio.Value{}
			for name, v := range set.Values {
				longer.Values[name] = v
			}
			longer.Values[p.Data] = &dataio.Value{Cat: slices.Insert(slices.Clone(set.Values[p.Data].Cat), at, int32(x))}
			b, err := l.open(&longer, runtime.NewRand(1))
			if err != nil {
				return err
			}
			var row []float64
			for z := range categories(s, p.Unknown) {
				if err := b.SetInit(stateOf(s, p.Unknown, at, int32(z))); err != nil {
					return err
				}
				row = append(row, b.LogJoint())
			}
			logs = append(logs, row)
		}
		most := math.Inf(-1)
		for _, row := range logs {
			most = max(most, slices.Max(row))
		}
		total := 0.0
		for x, row := range logs {
			for _, l := range row {
				weights[x] += math.Exp(l - most)
			}
			total += weights[x]
		}
		for x, w := range weights {
			if got, want := p.Prob([]int{parent}, int32(x)), w/total; !near(got, want, 1) {
				return fmt.Errorf("a further element of parent %d is %d with probability %.12g, by the log joint %.12g", parent+1, x+1, got, want)
			}
		}
	}
	return nil
}

// categories is the number of values of an unknown.
func categories(s *specimen, unknown string) int {
	for _, u := range s.Unknowns() {
		if u.Name == unknown {
			return u.Of.Size
		}
	}
	return 0
}

// stateOf returns the state of s with a category put in.
func stateOf(s *specimen, unknown string, at int, z int32) *dataio.Set {
	set := &dataio.Set{Values: map[string]*dataio.Value{}}
	for _, u := range s.Unknowns() {
		v := &dataio.Value{Real: u.Real, Int: u.Int, Bool: u.Bool, Cat: u.Cat}
		if u.Name == unknown {
			v.Cat = slices.Insert(slices.Clone(u.Cat), at, z)
		}
		set.Values[u.Name] = v
	}
	return set
}
