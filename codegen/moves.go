// This file holds moves: how the accumulators follow a target from its old value to the next.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// Which accumulators a step of a draw moves: all that follow the target, or only those that its own parameters read, or
// only the others.
type which int

const (
	allAccs which = iota
	readAccs
	otherAccs
)

// eachMove visits the accumulators that follow this target.
func (k *kern) eachMove(w which, fn func(acc *plan.Acc, m conjugacy.Move)) {
	for _, acc := range k.g.plan.Accs {
		for _, m := range acc.Moves {
			if m.Var == k.v && (w == allAccs || (w == readAccs) == k.Reads(acc.Name)) {
				fn(acc, m)
			}
		}
	}
}

func (k *kern) hasMoves(w which) bool {
	found := false
	k.eachMove(w, func(*plan.Acc, conjugacy.Move) { found = true })
	return found
}

// follows reports whether the accumulator moves with the target.
func (k *kern) follows(acc string) bool {
	found := false
	k.eachMove(allAccs, func(a *plan.Acc, _ conjugacy.Move) { found = found || a.Name == acc })
	return found
}

// scalarAt makes $t the local variable of that name.
func (k *kern) scalarAt(name string) func(*emitter) *emitter {
	return func(e *emitter) *emitter {
		e.changes()
		c := *e
		c.value = func(_ *emitter, a *ir.Atom) (ex, bool) {
			if k.v.Type.Elem == ir.Bool {
				return call("", "float64", id(name)), true
			}
			return id(name), a.Fn == ir.RefAtom
		}
		c.cat = id(name)
		return &c
	}
}

// blockAt makes $t[i] the elements of the local slice of that name.
func (k *kern) blockAt(name string) func(*emitter) *emitter {
	return func(e *emitter) *emitter {
		c := *e
		c.value = func(e *emitter, a *ir.Atom) (ex, bool) {
			return e.load("t:"+name, name, id(name), k.Target.T.Axes, a.Ix), a.Fn == ir.RefAtom
		}
		return &c
	}
}

// moves emits every accumulator's change at one value of the target.
func (k *kern) moves(e *emitter, w which, op string, at func(*emitter) *emitter) {
	// The accumulators' parameters go by their places in the sums: residuals at the same category are the same.
	shared := map[string]ex{}
	k.eachMove(w, func(acc *plan.Acc, m conjugacy.Move) {
		for _, t := range m.Delta {
			c := at(e)
			c.shared = shared
			c.scatter(acc, t, op)
		}
	})
}

// takenOut are the accumulators that a target takes itself out of before its parameters are read.
func (k *kern) takenOut() which {
	if k.Entangled {
		return readAccs
	}
	return allAccs
}

// putBack undoes the taking out.
func (k *kern) putBack(e *emitter, old func(*emitter) *emitter) {
	if k.Removed {
		k.putIn(e, readAccs, old)
	}
}

// putIn puts a value of the target into accumulators that it was taken out of. As taking out went from the sums that read to those that are
// read, each reading the value that was there, this goes the other way.
func (k *kern) putIn(e *emitter, w which, at func(*emitter) *emitter) {
	if !k.Entangled {
		k.moves(e, w, "+=", at)
		return
	}
	var put []func()
	k.eachMove(w, func(acc *plan.Acc, m conjugacy.Move) {
		put = append(put, func() {
			for _, t := range m.Delta {
				at(e).scatter(acc, t, "+=")
			}
		})
	})
	for _, fn := range slices.Backward(put) {
		fn()
	}
}

// untangled emits the moves of accumulators that read each other or the target's current value.
func (k *kern) untangled(e *emitter, old, next func(*emitter) *emitter) {
	k.putBack(e, old)
	k.untangledMoves(e, old, next)
}

// untangledMoves moves each accumulator in full before the next one, which it may read.
func (k *kern) untangledMoves(e *emitter, old, next func(*emitter) *emitter) {
	k.eachMove(allAccs, func(acc *plan.Acc, m conjugacy.Move) {
		for _, t := range m.Delta {
			if conjugacy.Mentions(t, m.Target.T) { // the rest cancels
				old(e).scatter(acc, t, "-=")
			}
		}
		for _, t := range m.Delta {
			if conjugacy.Mentions(t, m.Target.T) {
				next(e).scatter(acc, t, "+=")
			}
		}
	})
}

// follow emits what the accumulators do once a number is drawn, before it is stored.
func (k *kern) follow(e *emitter) {
	switch {
	case k.Entangled:
		k.untangled(e, k.scalarAt("old"), k.scalarAt("next"))
	case k.Removed:
		k.moves(e, allAccs, "+=", k.scalarAt("next"))
	case k.hasMoves(allAccs):
		k.movesBetween(e)
	}
}

// movesBetween emits the changes from old to next: a term linear in t takes the difference once.
func (k *kern) movesBetween(e *emitter) {
	diff := false
	anew := k.ranged() && k.gathers() // adding every part to zero, there is nothing to take off
	var linear, other []func()
	k.eachMove(allAccs, func(acc *plan.Acc, m conjugacy.Move) {
		for _, t := range m.Delta {
			if linearInT(t) {
				diff = true
				linear = append(linear, func() {
					c := *e
					c.value = func(*emitter, *ir.Atom) (ex, bool) { return id("diff"), true }
					c.scatter(acc, t, "+=")
				})
				continue
			}
			other = append(other, func() {
				if anew {
					in := &block{}
					k.scalarAt("old")(e.into(in)).scatter(acc, t, "-=")
					e.out.add(jen.If(jen.Op("!").Id("anew")).Block(in.stmts...))
				} else {
					k.scalarAt("old")(e).scatter(acc, t, "-=")
				}
				k.scalarAt("next")(e).scatter(acc, t, "+=")
			})
		}
	})
	if diff {
		e.f.byName["diff"] = true
		e.out.add(jen.Id("diff").Op(":=").Id("next").Op("-").Id("old"))
		if anew {
			e.out.add(jen.If(jen.Id("anew")).Block(jen.Id("diff").Op("=").Id("next")))
		}
	}
	for _, fn := range append(linear, other...) {
		fn()
	}
}

// linearInT reports whether the term is t times something free of it.
func linearInT(t ir.Term) bool {
	n := 0
	for _, f := range t.F {
		if hasNew(f.A) {
			if f.A.Fn != ir.RefAtom || f.A.Var.Name != "$t" || f.P != 1 {
				return false
			}
			n++
		}
	}
	for _, g := range t.Guards {
		for _, x := range slices.Concat(g.L, g.R, g.Of) {
			if x.Cat != nil && x.Cat.Var.Name == "$t" {
				return false
			}
		}
	}
	return n == 1
}

// hasNew reports whether the new value is in the atom.
func hasNew(a *ir.Atom) bool {
	found := false
	a.WalkAtoms(func(b *ir.Atom) { found = found || b.Var != nil && b.Var.Name == "$t" })
	return found
}
