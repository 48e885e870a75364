// This file checks that nothing is left out: that every unknown is drawn, and every unit of a batch refreshed. An update that leaves
// something out leaves the posterior alone, so that no check of invariance can miss it.

package verify

import (
	"errors"
	"fmt"
	"maps"
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
	batchStates = 3  // at which batches are looked at
	aloneTries  = 20 // refreshments of a unit by itself
	oftenMoved  = 8  // of those that move an element, which then must move in batches too
	batchTries  = 80 // refreshments of a batch
)

// batches refreshes units in batches of several kinds, each time from the same state: whatever moves when a unit is refreshed by itself must
// not move in a batch without that unit. In a batch with it, it must move, at one of several states at least: where units are not independent,
// those before it may leave it no choice, as one value of it is all but certain then; but hardly wherever the chain stands.
func (s *specimen) batches() error {
	all := make([]int, s.Units())
	for u := range all {
		all[u] = u
	}
	backwards := slices.Clone(all)
	slices.Reverse(backwards)
	var odd []int
	for u := 1; u < len(all); u += 2 {
		odd = append(odd, u)
	}
	kinds := [][]int{nil, all, all[:(len(all)+1)/2], all[len(all)/2:], odd, backwards}
	still := make([]map[string]int, len(kinds)) // by element: at how many states it should have moved and did not; -1 once it did
	for k := range still {
		still[k] = map[string]int{}
	}
	for range batchStates {
		if err := s.step(); err != nil {
			return err
		}
		s.look()
		start, err := s.lab.set(s.env)
		if err != nil {
			return err
		}
		names, before := s.locals()
		// moved returns how often each element moves when units are refreshed.
		moved := func(units []int, tries int) ([]int, error) {
			out := make([]int, len(before))
			for range tries {
				if err := errors.Join(s.SetInit(start), s.UpdateLocals(units)); err != nil {
					return nil, err
				}
				_, now := s.locals()
				for i, x := range now {
					if x != before[i] {
						out[i]++
					}
				}
			}
			return out, nil
		}
		unitOf := make([]int, len(before))
		often := make([]bool, len(before))
		for u := range all {
			alone, err := moved([]int{u}, aloneTries)
			if err != nil {
				return err
			}
			for i, n := range alone {
				if n > 0 {
					unitOf[i], often[i] = u, n >= oftenMoved
				}
			}
		}
		for k, units := range kinds {
			if units != nil && len(units) == 0 {
				continue
			}
			times, err := moved(units, batchTries)
			if err != nil {
				return err
			}
			for i, n := range times {
				in := units == nil || slices.Contains(units, unitOf[i])
				switch {
				case n > 0 && !in && often[i]:
					return fmt.Errorf("%s belongs to unit %d, and moves with units %v", names[i], unitOf[i], units)
				case n > 0:
					still[k][names[i]] = -1
				case in && often[i] && still[k][names[i]] >= 0:
					still[k][names[i]]++
				}
			}
		}
		if err := s.SetInit(start); err != nil {
			return err
		}
	}
	for k, units := range kinds {
		names, _ := s.locals()
		for _, name := range names {
			if still[k][name] > 1 {
				return fmt.Errorf("%s moves when its unit is refreshed by itself, and at none of %d states when units %v are", name, still[k][name], orAll(units))
			}
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

// crowds returns the plates whose elements are units, as far as nothing grows with them but locals and data, and in proportion.
func (l *lab) crowds() map[string]int {
	out := map[string]int{}
	for _, v := range l.typed.Vars {
		if v.Role == dsl.Local {
			out[v.Axes[0].Name] = manyUnits
		}
	}
	for _, v := range l.typed.Vars {
		for i, p := range v.Axes {
			if i > 0 || v.Role != dsl.Local && v.Role != dsl.Data {
				delete(out, p.Name)
			}
		}
	}
	for name := range l.opt.Sizes {
		delete(out, name)
	}
	return out
}

// crowded has workers sweep over many units: sums that one of them writes to while another does are off in the end.
func (l *lab) crowded(crowds map[string]int) error {
	many := *l
	many.opt.Sizes = maps.Clone(l.opt.Sizes)
	if many.opt.Sizes == nil {
		many.opt.Sizes = map[string]int{}
	}
	maps.Copy(many.opt.Sizes, crowds)
	_, again, err := many.ordinarySpecimen([]int{2, 3}, 78)
	if err != nil {
		return unmakeable("%v", err)
	}
	sweeps := map[Level]int{Exact: 30, Quick: 300, Full: 2000}[l.opt.Level]
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
