// This file checks that plates which a sampler calls exchangeable are: renumbering their elements changes neither the log joint
// nor the scalars that are said to be invariant to it.

package verify

import (
	"fmt"
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// labels renumbers each exchangeable plate at random, at the sampler's current state, and leaves the sampler there.
func (s *specimen) labels(rng *runtime.Rand) error {
	e, ok := as[runtime.Exchanger](s)
	if !ok {
		return nil
	}
	scalars := runtime.NewInvariants(s.Subject, 100)
	for i := range e.Exchangeable() {
		s.Resum()
		plate := e.Exchangeable()[i]
		before, joint := scalars.Append(nil), s.LogJoint()
		to := permutation(plate.Size, rng)
		for _, u := range s.Unknowns() {
			renumber(s.Subject, u, plate.Plate, to)
		}
		s.Resum()
		if now := s.LogJoint(); !near(now, joint, math.Abs(joint)+1) && !(math.IsNaN(now) && math.IsNaN(joint)) {
			return fmt.Errorf("%s is called exchangeable, but renumbering its elements to %v takes the log joint from %.12g to %.12g", plate.Plate, to, joint, now)
		}
		for k, now := range scalars.Append(nil) {
			if !near(now, before[k], math.Abs(before[k])+1) && !(math.IsNaN(now) && math.IsNaN(before[k])) {
				return fmt.Errorf("renumbering the elements of %s to %v takes %s from %.12g to %.12g", plate.Plate, to, scalars.Names()[k], before[k], now)
			}
		}
	}
	return nil
}

func permutation(n int, rng *runtime.Rand) []int {
	out := make([]int, n)
	for i := range out {
		j := rng.IntN(i + 1)
		out[i] = out[j]
		out[j] = i
	}
	return out
}

// renumber moves what u has of element k of the plate to element to[k]. It writes to the views of the sampler's state, which no one
// else may.
func renumber(s Subject, u runtime.Unknown, plate string, to []int) {
	inner, ragged := 1, false // elements below the axis
	for axis, d := range slices.Backward(u.Dims) {
		if d.Plate == plate {
			if ragged {
				inner = u.Len() / d.Size
				for _, above := range u.Dims[:axis] {
					inner /= above.Size
				}
			}
			move(u.Real, to, inner)
			move(u.Int, to, inner)
			move(u.Bool, to, inner)
			move(u.Cat, to, inner)
		}
		inner *= d.Size
		ragged = ragged || d.At != nil
	}
	if u.Of.Plate != plate {
		return
	}
	for i, c := range u.Cat {
		u.Cat[i] = int32(to[c])
	}
	if len(u.Dims) == 0 { // the view of a scalar is a copy
		for _, c := range s.Conditionals() {
			if c.Name == u.Name {
				c.Set([]float64{float64(u.Cat[0])})
			}
		}
	}
}

// move moves row k to row to[k] in each of the blocks of len(to) rows of n elements.
func move[T any](x []T, to []int, n int) {
	old := slices.Clone(x)
	for i := range x {
		block, k := i/(n*len(to)), i/n%len(to)
		x[(block*len(to)+to[k])*n+i%n] = old[i]
	}
}
