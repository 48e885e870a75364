// This file checks that updates leave the posterior alone, draws and bookkeeping and order of updates together: unknowns and data that
// are drawn from the model have the same distribution after any number of updates. The test is exact: there is no chain to converge.
// See Gandy & Scott (2021), "Unit testing for MCMC and other Monte Carlo methods".

package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// A Forward draws unknowns and data from the model, with the plates, covariates and constants of the set, and returns a sampler of
// these data that stands at these unknowns.
type Forward func(set *dataio.Set, rng *runtime.Rand) (Subject, error)

const (
	replicates  = 1000 // draws from the model on either side of a comparison
	repeats     = 20   // times that each is updated: a wrong update leads further and further away
	falseAlarms = 1e-3 // probability that a right sampler fails one call of Invariance
	lostMost    = 0.05 // of the draws from the model may lie beyond floating point. It is what their loss moves distribution functions by at the most.
)

// An update moves a sampler on, and leaves the posterior alone if all is well.
type update struct {
	name string
	move func(s Subject, rng *runtime.Rand) error
}

// Invariance checks the updates of the samplers that forward makes, on data sets of several small sizes: full sweeps, rounds of batches, in
// blocks, and the draws of single elements of each unknown. What is compared, by the test of Kolmogorov and Smirnov, are single
// elements, the log joint, and what is monitored.
func Invariance(t TB, schema dataio.Schema, forward Forward) {
	t.Helper()
	for i, sizes := range [][]int{{5, 2, 3}, {2, 4, 3, 2}} {
		set, err := ordinarySet(schema, sizes, uint64(i), forward)
		if err != nil {
			t.Errorf("sizes %v: no data set could be made: %v", sizes, err)
			continue
		}
		if err := invariant(set, uint64(i), replicates, falseAlarms/2, forward); err != nil {
			t.Errorf("sizes %v: %v", sizes, err)
		}
	}
}

// ordinarySet returns a data set at which the model draws numbers of ordinary size. Only its constants and covariates are picked by
// that; what is compared is drawn anew.
func ordinarySet(schema dataio.Schema, sizes []int, key uint64, forward Forward) (*dataio.Set, error) {
	set, _, err := pick(schema, sizes, key, func(set *dataio.Set, _ int, rng *runtime.Rand) (Subject, error) { return forward(set, rng) })
	return set, err
}

// invariant compares n draws from the model with as many that were updated, for each update. alpha is the probability of a false alarm in
// all comparisons together.
func invariant(set *dataio.Set, key uint64, n int, alpha float64, forward Forward) error {
	s, err := forward(set, runtime.NewRand(20211, key))
	if err != nil {
		return err
	}
	updates := updatesOf(s)
	names, _ := watch(s)
	alpha /= float64(len(updates) * len(names)) // Bonferroni
	before, err := sample(set, runtime.NewRand(20212, key), n, names, forward, 0, nil)
	if err != nil {
		return err
	}
	for i, u := range updates {
		after, err := sample(set, runtime.NewRand(20213, key, uint64(i)), n, names, forward, repeats, u.move)
		if err != nil {
			return fmt.Errorf("%s: %w", u.name, err)
		}
		for j, name := range names {
			if d, most := distance(before[j], after[j]), critical(len(before[j]), len(after[j]), alpha); d > most {
				return fmt.Errorf("%s changes the distribution of %s: in %d draws from the model its distribution functions before and after "+
					"are %.3g apart, and %.3g at the most by chance (false alarms: %.2g)", u.name, name, n, d, most, alpha)
			}
		}
	}
	return nil
}

// updatesOf lists the updates of a sampler.
func updatesOf(s Subject) []update {
	sweep := func(s Subject, _ *runtime.Rand) error { return runtime.Step(s) }
	out := []update{{"a sweep", sweep}}
	if n := s.Units(); n > 1 {
		for _, m := range slices.Compact([]int{1, (n + 1) / 2}) {
			out = append(out, update{fmt.Sprintf("a pass in batches of %d", m), func(s Subject, rng *runtime.Rand) error { return pass(s, m, rng) }})
		}
	}
	if _, ok := s.(runtime.Crewed); ok && s.Units() > 1 {
		out = append(out, update{"a sweep in blocks", func(s Subject, rng *runtime.Rand) error {
			c := s.(runtime.Crewed).Crew()
			c.SetWorkers(2)
			c.SetBlock(1)
			return sweep(s, rng)
		}})
	}
	seen := map[string]bool{}
	for _, c := range s.Conditionals() {
		v := nameOf(c.Name)
		if c.Collapsed || seen[v] {
			continue
		}
		seen[v] = true
		out = append(out, update{"the draw of " + v, func(s Subject, rng *runtime.Rand) error { return drawOne(s, v, rng) }})
	}
	return out
}

// pass makes rounds of m units until all are through, in random order.
func pass(s Subject, m int, rng *runtime.Rand) error {
	b := runtime.NewBatches(s.Units(), m, runtime.CyclicScan, rng)
	for left := s.Units(); left > 0; left -= m {
		if err := s.UpdateGlobals(); err != nil {
			return err
		}
		if err := s.UpdateLocals(b.Next()); err != nil {
			return err
		}
	}
	return nil
}

// drawOne draws an element of the variable, any one of those there are.
func drawOne(s Subject, variable string, rng *runtime.Rand) error {
	of := slices.DeleteFunc(s.Conditionals(), func(c runtime.Conditional) bool { return nameOf(c.Name) != variable || c.Collapsed })
	if len(of) == 0 {
		return nil // its plate has no element just now
	}
	return of[rng.IntN(len(of))].Draw()
}

// nameOf returns the variable that an element's name is of.
func nameOf(element string) string {
	name, _, _ := strings.Cut(element, "[")
	return name
}

// watch returns what is compared, and its names.
func watch(s Subject) (names []string, values []float64) {
	names, values = []string{"the log joint"}, []float64{s.LogJoint()}
	if shower, ok := s.(runtime.Shower); ok {
		for _, u := range shower.Unknowns() {
			if n := u.Len(); n > 0 && !u.Unbounded() {
				names = append(names, "the first "+u.Name, "the last "+u.Name)
				values = append(values, u.Value(0), u.Value(n-1))
			}
		}
	}
	scalars := runtime.NewInvariants(s, 8)
	return append(names, scalars.Names()...), scalars.Append(values)
}

// sample draws n times from the model, moves on so many times, and returns the sorted values of each watched number.
func sample(set *dataio.Set, rng *runtime.Rand, n int, names []string, forward Forward, times int,
	move func(Subject, *runtime.Rand) error) ([][]float64, error) {
	out := make([][]float64, len(names))
	lost := 0
	var lastLost error
	for range n {
		s, err := forward(set, rng)
		if err != nil {
			lost, lastLost = lost+1, err
			continue
		}
		for range times {
			if err := move(s, rng); err != nil {
				return nil, err
			}
		}
		got, row := watch(s)
		if !slices.Equal(got, names) {
			return nil, fmt.Errorf("%v is watched, and was %v", got, names)
		}
		for j, x := range row {
			out[j] = append(out[j], x)
		}
	}
	if float64(lost) > lostMost*float64(n) {
		return nil, fmt.Errorf("%d of %d draws from the model could not be used, the last since %w", lost, n, lastLost)
	}
	for _, xs := range out {
		slices.Sort(xs)
	}
	return out, nil
}

// distance returns the largest difference of the distribution functions of two sorted samples. Equal numbers are stepped over at
// once, so that of discrete numbers too it is right, and its test the more cautious.
func distance(a, b []float64) float64 {
	var most float64
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x := min(a[i], b[j])
		for i < len(a) && !(a[i] > x) {
			i++
		}
		for j < len(b) && !(b[j] > x) {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}

// critical returns the distance that samples of n and m from one distribution exceed with probability alpha: Smirnov's (1939) limit, and
// the bound of Dvoretzky, Kiefer & Wolfowitz in its form for two samples (Wei & Dudley 2012).
func critical(n, m int, alpha float64) float64 {
	size := float64(n) * float64(m) / float64(n+m)
	return math.Sqrt(math.Log(2/alpha) / 2 / size)
}
