// This file checks what must agree to the last bit, or but for rounding: sweeps with the draws that they are made of, units refreshed by
// themselves, and sweeps by several workers.

package verify

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// units refreshes each unit by itself. Every real local that a sweep over all units redraws must be redrawn with one of them, and no
// other one; the accumulators must be those of the state. Categories may be drawn as they are, and what opens new ones draws globals.
func (s *specimen) units() error {
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
		return names, s.summed()
	}
	globals, err := redrawn(s.UpdateGlobals)
	if err != nil {
		return err
	}
	isGlobal := map[string]bool{}
	for _, name := range globals {
		isGlobal[nameOf(name)] = true
	}
	// A Gamma variable of tiny shape may be the smallest number there is, again and again: what is looked for has changed each time.
	const again = 5
	all, err := redrawn(func() error { return s.UpdateLocals(nil) })
	for range again {
		next, failed := redrawn(func() error { return s.UpdateLocals(nil) })
		err = cmp.Or(err, failed)
		all = slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(next, name) })
	}
	if err != nil {
		return err
	}
	unitOf := map[string]int{}
	for u := range s.Units() {
		for range again {
			names, err := redrawn(func() error { return s.UpdateLocals([]int{u}) })
			if err != nil {
				return fmt.Errorf("unit %d: %w", u, err)
			}
			for _, name := range names {
				if other, ok := unitOf[name]; ok && other != u && !isGlobal[nameOf(name)] {
					return fmt.Errorf("%s is drawn with unit %d, and with unit %d", name, other, u)
				}
				unitOf[name] = u
			}
		}
	}
	for _, name := range all {
		if _, ok := unitOf[name]; !ok && !isGlobal[nameOf(name)] {
			return fmt.Errorf("%s is drawn with all units, and with none of them by itself", name)
		}
	}
	return nil
}

const rounds = 40 // in which small batches go through all units

// drifts reports a sum that loses its digits where units are refreshed one at a time. What the sampler keeps is compared after each round
// of all units, and stays as it is, so that what rounding errors there are have the time to show.
func (s *specimen) drifts() error {
	for range rounds {
		for u := range s.Units() {
			if err := errors.Join(s.UpdateGlobals(), s.UpdateLocals([]int{u})); err != nil {
				if s.wild() { // as it may be after so many rounds, where there are no data
					return nil
				}
				return err
			}
		}
		kept, err := runtime.EncodeParts(s.Subject)
		if err != nil {
			return err
		}
		if err := errors.Join(s.summed(), runtime.DecodeParts(kept, s.Subject)); err != nil {
			return err
		}
	}
	return nil
}

// seeded makes the same sweeps twice from the same seed: the draws and the accumulators must be the same, bit for bit.
func seeded(again func() *specimen) error {
	first, err := again().trail()
	if err != nil {
		return err
	}
	got, err := again().trail()
	if err != nil {
		return err
	}
	return alike(first, got, "the first time", "the second")
}

// crew makes the same sweeps in blocks of one unit, by 1, 2 and 4 workers: the draws and the accumulators must be the same, bit for bit.
func crew(again func() *specimen) error {
	var first []float64
	for _, workers := range []int{1, 2, 4} {
		s := again()
		c, ok := as[runtime.Crewed](s)
		if !ok {
			return nil
		}
		c.Crew().SetWorkers(workers)
		c.Crew().SetBlock(1)
		got, err := s.trail()
		if err != nil {
			return fmt.Errorf("in blocks, by %d workers: %w", workers, err)
		}
		if workers == 1 {
			first = got
		}
		if err := alike(first, got, "by one worker", fmt.Sprintf("by %d", workers)); err != nil {
			return err
		}
	}
	return nil
}

// trail makes sweeps over all units and every other one in turn, and returns what they leave, unknowns and accumulators, which must be
// those of the state.
func (s *specimen) trail() (got []float64, err error) {
	if t, ok := as[runtime.Tuner](s); ok {
		t.Tune(true)
	}
	var some []int
	for u := 0; u < s.Units(); u += 2 {
		some = append(some, u)
	}
	for round := range 6 {
		units := some
		if round%2 == 0 {
			units = nil
		}
		if err := errors.Join(s.UpdateGlobals(), s.UpdateLocals(units)); err != nil {
			return nil, err
		}
		for _, c := range s.Conditionals() {
			got = append(got, c.Get()...)
		}
		got = append(got, s.Accumulators()...)
		if err := s.summed(); err != nil {
			return nil, err
		}
	}
	return got, nil
}

// alike compares two trails.
func alike(first, got []float64, one, other string) error {
	if len(first) != len(got) {
		return fmt.Errorf("sweeps leave %d numbers %s, and %d %s", len(first), one, len(got), other)
	}
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(first[i]) {
			return fmt.Errorf("number %d of %d that sweeps leave is %g %s, and %g %s", i+1, len(got), first[i], one, got[i], other)
		}
	}
	return nil
}

// together makes sweeps with one sampler, and the same draws one by one, in the same order and from the same random numbers, with
// its twin: a sweep over all units may go about it in another way. Rounding alone may part them.
func together(s, twin *specimen) error {
	named := func(s *specimen, name string) *runtime.Conditional {
		conds := s.Conditionals() // anew each time: categories of unbounded plates come and go
		i := slices.IndexFunc(conds, func(c runtime.Conditional) bool { return c.Name == name })
		if i < 0 {
			return nil
		}
		return &conds[i]
	}
	for range 3 {
		if err := s.step(); err != nil {
			return err
		}
		for _, c := range twin.Conditionals() {
			if c.Collapsed {
				continue
			}
			twin.resum()
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
