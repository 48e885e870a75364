// This file checks that the numbers that are written are those of their names.

package verify

import (
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// named reports a scalar that is written under a name that no element has, or one with another value.
func (s *specimen) named() error {
	if err := s.step(); err != nil { // apart from starts, which may be all alike
		return err
	}
	names, values := s.Names(), s.AppendValues(nil)
	if len(names) != len(values) {
		return fmt.Errorf("%d names, and %d numbers", len(names), len(values))
	}
	is := map[string]float64{}
	for _, u := range s.Unknowns() {
		for _, d := range append(slices.Clone(u.Dims), u.Of) {
			if d.Unbounded { // the number in use
				is[d.Plate] = float64(d.Size)
			}
		}
		ix := make([]int, len(u.Dims))
		u.Walk(ix, func(i int) error {
			is[runtime.ElementLabel(u.Name, ix...)] = u.Value(i)
			return nil
		})
	}
	seen := map[string]bool{}
	for i, name := range names {
		if seen[name] {
			return fmt.Errorf("two numbers are called %s", name)
		}
		seen[name] = true
		want, ok := is[name]
		switch {
		case !ok:
			return fmt.Errorf("%s is written, and is no element of an unknown", name)
		case values[i] != want:
			return fmt.Errorf("what is written as %s is %g, and %s is %g", name, values[i], name, want)
		}
	}
	return nil
}
