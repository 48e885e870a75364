// Package verify checks a generated sampler against its own model: every full conditional against the log joint, which is
// printed straight from the spec, and every accumulator against its sum from scratch.
package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// A Subject is a sampler that opens itself up for verification; generated samplers do.
type Subject interface {
	runtime.Sampler
	runtime.Saver
	Conditionals() []runtime.Conditional
	Accumulators() []float64
	Resum() // Rebuild with sums about the same references
}

// A Build makes the sampler of a data set; if simulate is set, the data that have distributions are first drawn from the
// model. Models with improper priors say that they cannot.
type Build func(set *dataio.Set, simulate bool, rng *runtime.Rand) (Subject, error)

// A TB is what the checks need of *testing.T.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// tolerance bounds the difference of two log densities relative to the size of what they are differences of; the
// conditionals agree to about 1e-12, so that 1e-8 leaves room for cancellation and none for a wrong term.
const tolerance = 1e-8

// Conditionals checks the sampler that build makes, on data sets of several small sizes, all sizes one among them (a chain
// of one, groups of one member or none). build simulates where it can.
func Conditionals(t TB, schema dataio.Schema, build Build) {
	t.Helper()
	for i, sizes := range [][]int{{1}, {2}, {4, 3, 2, 5}, {9, 2, 3, 1, 4}, {3, 12, 5}, {2, 5, 2, 3}} {
		s, again, err := example(schema, sizes, uint64(i), build)
		if err != nil {
			t.Errorf("sizes %v: no data set could be made: %v", sizes, err)
			continue
		}
		rng := runtime.NewRand(20152, uint64(i))
		for round := range 3 {
			if err := State(s, rng, 60); err != nil {
				t.Errorf("sizes %v, state %d: %v", sizes, round+1, err)
				break
			}
			if err := sweep(s); err != nil {
				t.Errorf("sizes %v, sweep %d: %v", sizes, round+1, err)
				break
			}
			if err := Labels(s, rng); err != nil {
				t.Errorf("sizes %v, after sweep %d: %v", sizes, round+1, err)
				break
			}
		}
		if err := together(again(), again()); err != nil {
			t.Errorf("sizes %v: %v", sizes, err)
		}
		if err := resumed(again(), again()); err != nil {
			t.Errorf("sizes %v: %v", sizes, err)
		}
		if err := units(again()); err != nil {
			t.Errorf("sizes %v: %v", sizes, err)
		}
		if err := crew(again); err != nil {
			t.Errorf("sizes %v: %v", sizes, err)
		}
	}
}

// units refreshes each unit by itself. Every real local that a sweep over all units redraws must be redrawn with one of them, and no
// other one; the accumulators must be those of the state. Categories may be drawn as they are, and what opens new ones draws globals.
func units(s Subject) error {
	if s.Units() == 0 {
		return nil
	}
	values := func() map[string][]float64 {
		out := map[string][]float64{}
		for _, c := range s.Conditionals() {
			if c.Values == nil && !c.Collapsed {
				out[c.Name] = c.Get()
			}
		}
		return out
	}
	// redrawn returns what is not as it was, which has probability 0 of what is drawn but for the slice sampler.
	redrawn := func(update func() error) ([]string, error) {
		before := values()
		if err := update(); err != nil {
			return nil, err
		}
		var names []string
		for name, x := range values() {
			if old := before[name]; old != nil && !slices.Equal(old, x) {
				names = append(names, name)
			}
		}
		return names, summed(s)
	}
	globals, err := redrawn(s.UpdateGlobals)
	if err != nil {
		return err
	}
	isGlobal := map[string]bool{}
	for _, name := range globals {
		isGlobal[variable(name)] = true
	}
	all, err := redrawn(func() error { return s.UpdateLocals(nil) })
	if err != nil {
		return err
	}
	unitOf := map[string]int{}
	for u := range s.Units() {
		names, err := redrawn(func() error { return s.UpdateLocals([]int{u}) })
		if err != nil {
			return fmt.Errorf("unit %d: %w", u, err)
		}
		for _, name := range names {
			if other, ok := unitOf[name]; ok && !isGlobal[variable(name)] {
				return fmt.Errorf("%s is drawn with unit %d, and with unit %d", name, other, u)
			}
			unitOf[name] = u
		}
	}
	for _, name := range all {
		if _, ok := unitOf[name]; !ok && !isGlobal[variable(name)] {
			return fmt.Errorf("%s is drawn with all units, and with none of them by itself", name)
		}
	}
	return nil
}

// variable returns the name without its indices.
func variable(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// crew makes sweeps in blocks of one unit or a few, all units and every other one in turn, by 1, 2 and 4 workers. The draws and
// the accumulators must be the same, bit for bit, and the accumulators those of the state.
func crew(again func() Subject) error {
	var first []float64
	for _, workers := range []int{1, 2, 4} {
		s := again()
		c, ok := s.(runtime.Crewed)
		if !ok {
			return nil
		}
		c.Crew().SetWorkers(workers)
		c.Crew().SetBlock(1)
		if t, ok := s.(runtime.Tuner); ok {
			t.Tune(true)
		}
		var some []int
		for u := 0; u < s.Units(); u += 2 {
			some = append(some, u)
		}
		var got []float64
		for round := range 6 {
			units := some
			if round%2 == 0 {
				units = nil
			}
			if err := s.UpdateGlobals(); err != nil {
				return err
			}
			if err := s.UpdateLocals(units); err != nil {
				return err
			}
			for _, c := range s.Conditionals() {
				got = append(got, c.Get()...)
			}
			got = append(got, s.Accumulators()...)
			if err := summed(s); err != nil {
				return fmt.Errorf("in blocks, by %d workers: %w", workers, err)
			}
		}
		if workers == 1 {
			first = got
		}
		for i := range got {
			if math.Float64bits(got[i]) != math.Float64bits(first[i]) {
				return fmt.Errorf("number %d of %d that sweeps in blocks leave is %g by one worker, and %g by %d", i+1, len(got), first[i], got[i], workers)
			}
		}
	}
	return nil
}

// together makes sweeps with one sampler, and the same draws one by one, in the same order and from the same random numbers, with
// its twin: a sweep over all units may go about it in another way. Rounding alone may part them.
func together(s, twin Subject) error {
	named := func(s Subject, name string) *runtime.Conditional {
		conds := s.Conditionals() // anew each time: categories of unbounded plates come and go
		i := slices.IndexFunc(conds, func(c runtime.Conditional) bool { return c.Name == name })
		if i < 0 {
			return nil
		}
		return &conds[i]
	}
	for range 3 {
		if err := runtime.Step(s); err != nil {
			return err
		}
		for _, c := range twin.Conditionals() {
			if c.Collapsed {
				continue
			}
			twin.Resum()
			if now := named(twin, c.Name); now != nil {
				if err := now.Draw(); err != nil {
					return fmt.Errorf("%s: %w", c.Name, err)
				}
			}
		}
		for _, c := range s.Conditionals() {
			other := named(twin, c.Name)
			if other == nil {
				return fmt.Errorf("%s is there after a sweep, and not if all are drawn one by one", c.Name)
			}
			got, want := c.Get(), other.Get()
			for j, x := range got {
				if !c.Collapsed && !near(x, want[j], 1e3*(math.Abs(want[j])+1)) {
					return fmt.Errorf("%s: a sweep draws %g, and %g if it is drawn by itself", c.Name, x, want[j])
				}
			}
		}
	}
	return nil
}

// sweep makes one sweep, after which the accumulators must be those of the new state: a sweep over all units may keep them
// in another way than draws one at a time do.
func sweep(s Subject) error {
	if err := runtime.Step(s); err != nil {
		return err
	}
	return summed(s)
}

// summed compares the accumulators with their sums from scratch, which it leaves.
func summed(s Subject) error {
	kept := s.Accumulators()
	s.Resum()
	for i, want := range s.Accumulators() {
		if !near(kept[i], want, math.Abs(want)+1) {
			return fmt.Errorf("after the sweep accumulator value %d is %g, and %g summed from scratch", i+1, kept[i], want)
		}
	}
	return nil
}

// example makes the sampler of a data set of ordinary size. In the end it takes data that are not simulated. The check holds at every
// state, so picking among states is no bias. again makes the same sampler again.
func example(schema dataio.Schema, sizes []int, key uint64, build Build) (s Subject, again func() Subject, err error) {
	_, again, err = pick(schema, sizes, key, func(set *dataio.Set, try int, rng *runtime.Rand) (Subject, error) { return build(set, try < 100, rng) })
	if err != nil {
		return nil, nil, err
	}
	return again(), again, nil
}

// pick makes data sets until one gives a sampler of ordinary size: a vague prior such as Inverse-Gamma(0.01, 0.01) simulates numbers
// beyond floating point more often than not, at which nothing can be compared. A model may refuse the sizes (as many categories as
// cutpoints and one more): then others are tried. again makes that sampler again.
func pick(schema dataio.Schema, sizes []int, key uint64, build func(set *dataio.Set, try int, rng *runtime.Rand) (Subject, error)) (
	picked *dataio.Set, again func() Subject, err error) {
	for try := range 200 {
		rng := runtime.NewRand(20151, key, uint64(try))
		if again == nil && try%100 >= 30 {
			sizes = make([]int, len(schema.Plates))
			for i := range sizes {
				sizes[i] = 1 + rng.IntN(5)
			}
		}
		style := try % 3
		if again == nil && try%10 == 9 {
			style = 3 // probabilities, which no other style makes
		}
		set := Example(schema, sizes, style, rng)
		before := *rng
		s, refused := build(set, try, rng)
		if refused != nil {
			if again == nil {
				err = refused
			}
			continue
		}
		picked, err = set, nil
		again = func() Subject {
			rng := before
			twin, _ := build(set, try, &rng) // as it was made above
			return twin
		}
		// Data of an extraordinary size show in the log joint at the sampler's own start.
		if math.Abs(s.LogJoint()) < 1e5 && ordinary(s.AppendValues(nil)) {
			return picked, again, nil
		}
	}
	if again == nil && err == nil {
		err = errors.New("no data of ordinary size")
	}
	return picked, again, err
}

// ordinary reports whether every value is 0 or of a size between 1e-5 and 1e5.
func ordinary(xs []float64) bool {
	for _, x := range xs {
		if a := math.Abs(x); a != 0 && !(a > 1e-5 && a < 1e5) {
			return false
		}
	}
	return true
}

// Example makes a data set of small sizes: plates in order take the given sizes, ragged ones lengths from 0 up. style
// 0 draws real covariates from all numbers, 1 from positive ones, 2 from (0, 1), 3 rows of them that sum to 1.
func Example(schema dataio.Schema, sizes []int, style int, rng *runtime.Rand) *dataio.Set {
	set := &dataio.Set{Sizes: map[string]int{}, Ragged: map[string][]int{}, Values: map[string]*dataio.Value{}, Levels: map[string][]string{}}
	for i, p := range schema.Plates {
		if p.Parent == "" {
			set.Sizes[p.Name] = sizes[i%len(sizes)]
		}
	}
	for i, p := range schema.Plates {
		if p.Parent != "" {
			lists := set.Sizes[p.Parent]
			for _, l := range set.Ragged[p.Parent] { // a ragged plate over a ragged one, which comes before it
				lists += l
			}
			for d := range lists {
				set.Ragged[p.Name] = append(set.Ragged[p.Name], (d+i)%4)
			}
		}
	}
	for _, f := range schema.Fields {
		if f.Const && f.Default {
			continue
		}
		n := 1
		for _, d := range f.Dims {
			if lens, ok := set.Ragged[d]; ok {
				n = 0
				for _, l := range lens {
					n += l
				}
				continue
			}
			n *= set.Sizes[d]
		}
		v := &dataio.Value{}
		for i := range n {
			switch f.Kind {
			case dataio.Real:
				x := rng.Normal(0, 1)
				switch {
				case f.Const && len(f.Dims) == 2 && f.Dims[0] == f.Dims[1]:
					x = 0
					if p := set.Sizes[f.Dims[0]]; i/p == i%p {
						x = 1
					}
				case f.Const || style == 1 || style == 3:
					x = math.Exp(x / 2)
				case style == 2:
					x = runtime.Logistic(x)
				}
				v.Real = append(v.Real, x)
			case dataio.Int:
				v.Int = append(v.Int, 1+rng.IntN(5))
			case dataio.Bool:
				v.Bool = append(v.Bool, rng.IntN(2) == 1)
			case dataio.Category:
				v.Cat = append(v.Cat, int32(rng.IntN(max(1, set.Sizes[f.Of]))))
			}
		}
		if style == 3 && f.Kind == dataio.Real && len(f.Dims) > 0 && !f.Const {
			k := set.Sizes[f.Dims[len(f.Dims)-1]]
			for row := range slices.Chunk(v.Real, max(1, k)) {
				var sum float64
				for _, x := range row {
					sum += x
				}
				for i := range row {
					row[i] /= sum
				}
			}
		}
		set.Values[f.Name] = v
	}
	return set
}

// State checks at most limit conditionals, picked at random, at the sampler's current state. It leaves the sampler at
// another state.
func State(s Subject, rng *runtime.Rand, limit int) error {
	var errs []error
	for range limit {
		conds := s.Conditionals() // anew each time: categories of unbounded plates come and go
		if err := one(s, conds[rng.IntN(len(conds))]); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// one checks a conditional: its log density and the log joint must differ between two values of the target by the same
// amount, whatever the target's current value is; then it draws, and the accumulators must be those of the new state.
func one(s Subject, c runtime.Conditional) error {
	s.Resum()
	x0 := c.Get()
	if err := c.Draw(); err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	x1 := c.Get()
	moved := s.Accumulators()
	s.Resum()
	for i, want := range s.Accumulators() {
		if !near(moved[i], want, math.Abs(want)+1) {
			return fmt.Errorf("%s: after its draw accumulator value %d is %g, and %g summed from scratch", c.Name, i+1, moved[i], want)
		}
	}
	values := [][]float64{x1}
	if c.Values != nil {
		x0, values = x1, nil // a draw may renumber categories
		for k := range c.Values() {
			values = append(values, []float64{float64(k)})
		}
	}
	c.Set(x0)
	j0, q0 := s.LogJoint(), c.LogDensity(x0)
	if math.IsNaN(j0) || math.IsInf(j0, 0) {
		return fmt.Errorf("%s: the log joint is %g at the current state", c.Name, j0)
	}
	for _, x := range values {
		c.Set(x0)
		dq := c.LogDensity(x) - q0
		c.Set(x)
		j := s.LogJoint()
		dj := j - j0
		if math.IsInf(dj, -1) && math.IsInf(dq, -1) {
			continue
		}
		scale := math.Abs(j) + math.Abs(j0) + math.Abs(q0) + 1
		if !near(dq, dj, scale) {
			return fmt.Errorf("%s: from %v to %v the log conditional changes by %.12g, the log joint by %.12g", c.Name, x0, x, dq, dj)
		}
		if again := c.LogDensity(x) - c.LogDensity(x0); !near(again, dj, scale) {
			return fmt.Errorf("%s: the conditional depends on the value it replaces: from %v to %v it changes by %.12g, the log joint by %.12g", c.Name, x0, x, again, dj)
		}
	}
	c.Set(x1)
	return nil
}

func near(a, b, scale float64) bool { return math.Abs(a-b) <= tolerance*scale || a == b }
