// This file says in which order the updates of one chain are made.

package runtime

import "fmt"

// A schedule decides the order of one chain's updates. It may keep a position
// and a permutation, so each chain has its own; it never looks at the state of
// the chain, since the order of updates must not depend on the draws.
//
// The unit of time is the sweep: work that refreshes every local unit once on
// average, with at least one draw of the globals. A schedule with batches of m
// of N units makes N/m rounds (globals, then one batch) a sweep.
type schedule interface {
	// sweep moves the chain on by one sweep. Its error says which update
	// failed.
	sweep(s Sampler) error
}

// newSchedule returns the schedule of a chain. There is one as yet, and no
// choice to make.
func newSchedule() schedule { return fullSweep{} }

// fullSweep draws the globals once, then every local: batches of m = N.
type fullSweep struct{}

func (fullSweep) sweep(s Sampler) error { return Step(s) }

// Step makes one full sweep of s: UpdateGlobals, then UpdateLocals of all units
// in order.
func Step(s Sampler) error {
	if err := s.UpdateGlobals(); err != nil {
		return fmt.Errorf("globals: %w", err)
	}
	if err := s.UpdateLocals(nil); err != nil {
		return fmt.Errorf("locals: %w", err)
	}
	return nil
}
