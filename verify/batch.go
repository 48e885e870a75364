// This file checks that nothing is left out: that every unknown is drawn, and every unit of a batch refreshed. An update that leaves
// something out leaves the posterior alone, so that no check of invariance can miss it.

package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// covered reports an unknown that has no conditional, and a real element that twenty sweeps do not move.
func (s *specimen) covered() error {
	var start []runtime.Unknown
	for _, u := range s.Unknowns() {
		if !u.Unbounded() {
			u.Real = slices.Clone(u.Real)
			start = append(start, u)
		}
		if u.Len() > 0 && !slices.ContainsFunc(s.Conditionals(), func(c runtime.Conditional) bool { return nameOf(c.Name) == u.Name }) {
			return fmt.Errorf("nothing draws %s", u.Name)
		}
	}
	moved := map[string][]bool{}
	for range 20 {
		if err := s.step(); err != nil {
			return err
		}
		for _, u := range s.Unknowns() {
			for i, before := range start {
				if before.Name != u.Name {
					continue
				}
				if moved[u.Name] == nil {
					moved[u.Name] = make([]bool, len(u.Real))
				}
				for j, x := range u.Real {
					moved[u.Name][j] = moved[u.Name][j] || x != start[i].Real[j]
				}
			}
		}
	}
	for _, u := range start {
		if s.lab.typed.Var(u.Name).Support.Kind == ir.Simplex { // of one element: 1
			continue
		}
		if j := slices.Index(moved[u.Name], false); j >= 0 {
			return fmt.Errorf("20 sweeps leave element %d of %s where it was", j+1, u.Name)
		}
	}
	return nil
}

// locals returns the values of all locals that no element is born of or dies in.
func (s *specimen) locals() (names []string, values []float64) {
	for _, u := range s.Unknowns() {
		if u.Local && !u.Unbounded() {
			for i := range u.Len() {
				names, values = append(names, fmt.Sprintf("element %d of %s", i+1, u.Name)), append(values, u.Value(i))
			}
		}
	}
	return names, values
}

const (
	aloneTries = 100   // refreshments of a unit by itself
	oftenMoved = 3     // that move an element which then must move in batches too
	batchTries = 20000 // of a batch: what moves three times in a hundred stays where it is that often with a probability below 1e-7
)

// batches refreshes units in batches of several kinds: whatever moves when a unit is refreshed by itself must move in a batch with that
// unit, and must not in a batch without.
func (s *specimen) batches() error {
	n := s.Units()
	if err := s.UpdateGlobals(); err != nil {
		return err
	}
	names, before := s.locals()
	unitOf := make([]int, len(before))
	moved := make([]int, len(before))
	for u := range n {
		for range aloneTries {
			if err := s.UpdateLocals([]int{u}); err != nil {
				return err
			}
			_, now := s.locals()
			for i, x := range now {
				if x != before[i] {
					unitOf[i] = u
					moved[i]++
				}
			}
			before = now
		}
	}
	all := make([]int, n)
	for u := range all {
		all[u] = u
	}
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	var odd []int
	for u := 1; u < n; u += 2 {
		odd = append(odd, u)
	}
	for _, units := range [][]int{nil, all, all[:(n+1)/2], all[n/2:], odd, backwards} {
		if units != nil && len(units) == 0 {
			continue
		}
		in := func(u int) bool { return units == nil || slices.Contains(units, u) }
		left := 0
		pending := make([]bool, len(moved))
		for i, k := range moved {
			if pending[i] = k >= oftenMoved && in(unitOf[i]); pending[i] {
				left++
			}
		}
		for range batchTries {
			if left == 0 {
				break
			}
			if err := s.UpdateLocals(units); err != nil {
				return err
			}
			_, now := s.locals()
			for i, x := range now {
				switch {
				case x == before[i]:
				case moved[i] > 0 && !in(unitOf[i]):
					return fmt.Errorf("%s belongs to unit %d, and moves with units %v", names[i], unitOf[i], units)
				case pending[i]:
					pending[i] = false
					left--
				}
			}
			before = now
		}
		if i := slices.Index(pending, true); i >= 0 {
			return fmt.Errorf("%s moves when unit %d is refreshed by itself, and not when units %v are", names[i], unitOf[i], orAll(units))
		}
	}
	return s.summed()
}

func orAll(units []int) any {
	if units == nil {
		return "all"
	}
	return units
}

// manyUnits is the number of units of which workers refresh so many at a time that they get in each other's way if they can.
const manyUnits = 1000

// crowded has workers sweep over many units: sums that one of them writes to while another does are off in the end.
func (l *lab) crowded() error {
	many := *l
	many.opt.Sizes = map[string]int{}
	for _, v := range l.typed.Vars {
		if v.Role == dsl.Local {
			many.opt.Sizes[v.Axes[0].Name] = manyUnits
		}
	}
	for name, n := range l.opt.Sizes {
		many.opt.Sizes[name] = n
	}
	_, again, err := many.ordinarySpecimen([]int{2, 3}, 78)
	if err != nil {
		return unmakeable("%v", err)
	}
	sweeps := 300
	if l.opt.Level == Full {
		sweeps = 2000
	}
	var first []float64
	for _, workers := range []int{1, 4} {
		s := again()
		c, ok := as[runtime.Crewed](s)
		if !ok {
			return nil
		}
		c.Crew().SetWorkers(workers)
		c.Crew().SetBlock(manyUnits / 4)
		for range sweeps {
			if err := errors.Join(s.UpdateGlobals(), s.UpdateLocals(nil)); err != nil {
				return err
			}
		}
		if err := s.summed(); err != nil {
			return fmt.Errorf("%s, %d workers: %w", l.sizes(s), workers, err)
		}
		_, got := s.locals()
		if workers == 1 {
			first = got
		} else if !slices.Equal(got, first) {
			return fmt.Errorf("%s: sweeps by %d workers leave other values than those by one", l.sizes(s), workers)
		}
	}
	return nil
}
