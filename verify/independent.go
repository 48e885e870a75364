// This file checks that units which several workers refresh are drawn independently of each other: two workers with one stream of random
// numbers draw each unit from the right distribution, and all together from a wrong one.

package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gibbsgen/gibbsgen/runtime"
)

const independentTries = 300 // refreshments from one and the same state, at a first look

// independentTrials is the trial of units that are refreshed in blocks. From one state, all units are refreshed again and again; given
// the globals they are independent, so that whether one of them comes out high says nothing of whether another one does. Given how often
// each does, the number of times that both do is hypergeometric: Fisher's exact test.
func (l *lab) independentTrials() []trial {
	sets, err := l.grounds()
	if err != nil { // invarianceTrials tells
		return nil
	}
	s, err := l.forwardOnce(sets[0], 20216)
	if err != nil {
		return nil
	}
	if _, ok := as[runtime.Crewed](s); !ok || s.Units() < 2 {
		return nil
	}
	states := 20
	if l.opt.Level == Full {
		states = 100
	}
	return []trial{{"units", "units in blocks are independent", "-log10 of the least tail probability", func(v view) (sight, error) {
		var saw sight
		for i := range states {
			s, err := l.forwardOnce(sets[i%len(sets)], 20217, v.key, uint64(i))
			if err != nil {
				return saw, err
			}
			columns, err := s.refreshed(independentTries * v.times)
			if errors.Is(err, runtime.ErrNotPosDef) { // by rounding, as it may be; other rows count how often
				continue
			}
			if err != nil {
				return saw, err
			}
			saw.n += independentTries * v.times
			n := len(columns)
			for k := range n * n {
				a, b := columns[k/n], columns[k%n]
				if k/n >= k%n || a.part == b.part {
					continue
				}
				alpha := v.alpha / float64(states*n*(n-1)/2)
				p := association(a.values, b.values)
				saw.take(-math.Log10(p), -math.Log10(alpha), func() string {
					return fmt.Sprintf("%s and %s of different units go together when the units are refreshed in blocks: by chance with probability %.2g (%s)",
						a.name, b.name, p, l.sizes(s))
				})
			}
		}
		return saw, nil
	}}}
}

// A drawnColumn is what draws of one element from one state gave.
type drawnColumn struct {
	name   string
	part   int // along the outermost axis
	values []float64
}

// refreshed refreshes all units in blocks of one, each time from the state that s is in, and returns the values of the first element of
// each outermost part of every local.
func (s *specimen) refreshed(times int) ([]drawnColumn, error) {
	crewed, _ := as[runtime.Crewed](s)
	crewed.Crew().SetWorkers(2)
	crewed.Crew().SetBlock(1)
	s.look()
	start, err := s.lab.set(s.env)
	if err != nil {
		return nil, err
	}
	var out []drawnColumn
	for range times {
		if err := s.SetInit(start); err != nil {
			return nil, err
		}
		if err := s.UpdateLocals(nil); err != nil {
			return nil, err
		}
		at := 0
		for _, u := range s.Unknowns() {
			if !u.Local || u.Unbounded() {
				continue
			}
			for part, i := range firstOfEach(u) {
				if i < 0 {
					continue
				}
				if at == len(out) {
					out = append(out, drawnColumn{name: fmt.Sprintf("element %d of %s", i+1, u.Name), part: part})
				}
				out[at].values = append(out[at].values, u.Value(i))
				at++
			}
		}
	}
	return out, nil
}

// firstOfEach returns the first element of each part along the outermost axis, -1 of one that has none.
func firstOfEach(u runtime.Unknown) []int {
	out := slices.Repeat([]int{-1}, u.Dims[0].Size)
	ix := make([]int, len(u.Dims))
	u.Walk(ix, func(i int) error {
		if out[ix[0]] < 0 {
			out[ix[0]] = i
		}
		return nil
	})
	return out
}

// association returns the probability by which two samples go together as much as they do, or more, by chance: each is cut in two.
func association(a, b []float64) float64 {
	x, y := cut(a), cut(b)
	n, ones, others, both := len(x), 0, 0, 0
	for i := range x {
		if x[i] {
			ones++
		}
		if y[i] {
			others++
		}
		if x[i] && y[i] {
			both++
		}
	}
	lg := func(k int) float64 { return runtime.LgammaF(float64(k) + 1) }
	choose := func(n, k int) float64 { return lg(n) - lg(k) - lg(n-k) }
	low, high := 0.0, 0.0
	for k := max(0, ones+others-n); k <= min(ones, others); k++ {
		p := math.Exp(choose(ones, k) + choose(n-ones, others-k) - choose(n, others))
		if k <= both {
			low += p
		}
		if k >= both {
			high += p
		}
	}
	return max(min(1, 2*min(low, high)), 1e-300)
}

// cut says of each number whether it lies above the median, or, if few different ones are met, whether it is the most frequent.
func cut(xs []float64) []bool {
	count := map[float64]int{}
	for _, x := range xs {
		count[x]++
	}
	out := make([]bool, len(xs))
	if len(count) > len(xs)/2 {
		sorted := slices.Clone(xs)
		sort.Float64s(sorted)
		for i, x := range xs {
			out[i] = x > sorted[len(xs)/2]
		}
		return out
	}
	mode, most := 0.0, 0
	for x, n := range count {
		if n > most || n == most && x < mode {
			mode, most = x, n
		}
	}
	for i, x := range xs {
		out[i] = x == mode
	}
	return out
}
