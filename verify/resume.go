// This file checks what a sampler stores in a checkpoint: a chain that goes on from one is the chain that never stopped.

package verify

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// resumed moves s on, leaves it in a checkpoint, and has another sampler of the same data, which has gone its own way, go on from there: from
// then on both must be the same to the last bit, in values, log joint and in all that a checkpoint holds.
func resumed(s, other *specimen) error {
	tune := func(on bool) {
		for _, x := range []*specimen{s, other} {
			if t, ok := as[runtime.Tuner](x); ok {
				t.Tune(on)
			}
		}
	}
	tune(true)
	if err := sweeps(s, 7); err != nil {
		return err
	}
	if err := sweeps(other, 4); err != nil {
		return err
	}
	other.Rebuild()
	left, err := runtime.EncodeParts(s.Subject)
	if err != nil {
		return err
	}
	if err := runtime.DecodeParts(left, other.Subject); err != nil {
		return err
	}
	for round := range 4 {
		for _, x := range []*specimen{s, other} {
			if round == 2 {
				x.Rebuild()
			}
			if err := sweeps(x, 3*round); err != nil { // none at first: what was read back is what was written
				return err
			}
		}
		if round == 1 {
			tune(false)
		}
		if x, y := s.Subject.LogJoint(), other.Subject.LogJoint(); x != y && x == x { // the printed ones
			return fmt.Errorf("%d sweeps after a checkpoint the log joint is %v, and %v if the chain did not stop: Parts lacks something", 3*round, y, x)
		}
		one, err := runtime.EncodeParts(s.Subject)
		two, again := runtime.EncodeParts(other.Subject)
		if err := errors.Join(err, again); err != nil {
			return err
		}
		if !bytes.Equal(one, two) {
			return errors.New("a chain that goes on from a checkpoint leaves the one that did not stop: Parts lacks something that its draws depend on")
		}
	}
	return nil
}

// sweeps makes n sweeps in two batches and n over all units at once, which a sampler may go about in another way.
func sweeps(s *specimen, n int) error {
	units := make([]int, s.Units())
	for i := range units {
		units[i] = i
	}
	half := len(units) / 2
	for range n {
		if err := errors.Join(s.UpdateGlobals(), s.UpdateLocals(units[:half]), s.UpdateGlobals(), s.UpdateLocals(units[half:]), s.step()); err != nil {
			return err
		}
	}
	return nil
}
