// This file holds what a slice sampler computes once a draw: it evaluates its log density some ten times, and of the sums that no
// accumulator can hold much is free of the new value.

package conjugacy

import (
	"slices"
	"strconv"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A Part is free of the new value: a whole sum, or the factors of a sum's terms, one value for each element that the sum runs
// over.
type Part struct {
	Name   string     // of the atom that stands for it
	Params []ir.Bind  // the sum's binders; none of a whole sum
	Guards []ir.Guard // where the values are asked for
	Value  ir.Poly
}

// Once parts the log density of a slice sampler: into what is computed once a draw, under the names P1, P2, ... after the first n of
// them, and the log density in terms of it.
func (c *Conditional) Once(n int) (parts []Part, log ir.Poly) {
	for _, t := range c.LogT {
		p, rest, ok := partOf(t, c.Target.T)
		if ok {
			p.Name = "P" + strconv.Itoa(n+len(parts)+1)
			args := make([]ir.Ix, len(p.Params))
			for i, b := range p.Params {
				args[i] = ir.At(b.Name)
			}
			rest = ir.Product(rest, (&ir.Atom{Fn: ir.AccAtom, Name: p.Name, Ix: args}).Poly()[0])
			parts = append(parts, p)
		}
		log = append(log, rest)
	}
	return parts, log
}

// partOf parts a term into what is computed once and what remains of it, if that spares more than looking numbers up.
func partOf(t ir.Term, target *ir.Var) (p Part, rest ir.Term, ok bool) {
	bound := map[string]bool{}
	for _, b := range t.Over {
		if b.Plate.Unbounded {
			return p, t, false
		}
		bound[b.Name] = true
	}
	inside := func(names map[string]bool) bool {
		for n := range names {
			if bound[n] {
				return true
			}
		}
		return false
	}
	rest = ir.Term{C: t.C}
	for _, g := range t.Guards {
		if !inside(ir.FreeOf(slices.Concat(g.L, g.R, g.Of))) {
			rest.Guards = append(rest.Guards, g)
		}
	}
	var free, with []ir.Fac
	work := false
	for _, f := range t.F {
		switch {
		case !inside(f.A.Free()):
			rest.F = append(rest.F, f)
		case Mentions(ir.Term{C: 1, F: []ir.Fac{f}}, target):
			with = append(with, f)
		default:
			free = append(free, f)
			work = work || len(f.A.Args) > 0
		}
	}
	switch {
	case len(t.Over) == 0:
		return p, t, false
	case len(with) == 0:
		return Part{Value: ir.Poly{{C: 1, Over: t.Over, Guards: t.Guards, F: free}}}, rest, true
	case !work || !whole(t.Over):
		return p, t, false
	}
	rest.Over, rest.Guards, rest.F = t.Over, t.Guards, append(rest.F, with...)
	return Part{Params: t.Over, Guards: t.Guards, Value: ir.Poly{{C: 1, F: free}}}, rest, true
}

// whole reports whether the binders run over whole plates: over a ragged one for every element of the plate that it hangs on.
func whole(over []ir.Bind) bool {
	for i, b := range over {
		for j, x := range b.Of {
			at := i - len(b.Of) + j
			if at < 0 || x.Cat != nil || x.Name != over[at].Name || x.Add != 0 {
				return false
			}
		}
	}
	return true
}

// sliceCost words the cost of a slice sampler's draw.
func (c *Conditional) sliceCost() string {
	var once Cost
	parts, log := c.Once(0)
	for _, p := range parts {
		once = once.Plus(CostOf(ir.Poly{{C: 1, Over: p.Params, Guards: p.Guards, F: []ir.Fac{{A: &ir.Atom{Fn: ir.ClosedAtom, Args: []ir.Poly{p.Value}}, P: 1}}}})...)
	}
	each := CostOf(log)
	words := each.String() + " for each evaluation, some ten a draw"
	if all := once.Plus(each...); all.String() != each.String() {
		words = once.String() + " once, " + words
	}
	return words
}
