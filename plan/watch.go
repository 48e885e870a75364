// This file holds watches: which sums may lose their digits as they follow the unknowns, or as these leave their references, and when they are
// looked at.

package plan

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A Watch says when an accumulator is compared with the largest size that it had. It follows the unknowns by differences, so that a term
// that was 1e16 leaves rounding errors of the size of 1 behind. If it has shrunk by so much, it is summed anew.
type Watch int

const (
	// Never is an accumulator whose terms keep about the size that data, constants and references give them: counts, sums of logarithms
	// or of probabilities.
	Never Watch = iota
	// EachUpdate is one whose size has nothing to do with the number of units: it is looked at after every update of locals.
	EachUpdate
	// EachUnit is one that has a row for each unit, which no other unit moves: the rows of those that were refreshed are looked at.
	EachUnit
	// EachSweep is any other that grows with the number of units, while a small batch moves little of it: it is looked at after as many
	// refreshments as there are units.
	EachSweep
)

// watch decides when an accumulator is looked at. Only locals move accumulators.
func (p *Plan) watch(acc *Acc) {
	switch {
	case acc.Data() || !slices.ContainsFunc(acc.Body.F, wild):
		acc.Watch = Never
	case !slices.ContainsFunc(acc.Params, func(b ir.Bind) bool { return p.unitwise(b.Plate) }):
		acc.Watch = EachUpdate
	case p.rowwise(acc):
		acc.Watch, acc.Units = EachUnit, p.group(acc.Moves[0].Var)
	default:
		acc.Watch = EachSweep
	}
}

// strays returns the references that are taken anew, with all sums, where what they are of has left them far behind: those of positive numbers
// in products. One with both signs is near 0 by chance.
func (p *Plan) strays() []conjugacy.Reference {
	return slices.DeleteFunc(slices.Clone(p.Analysis.Accs.References), func(r conjugacy.Reference) bool {
		lo, ok := r.Of.Support.Lo.(*ir.Num)
		return !r.Product || !ok || lo.Value < 0 || len(p.Locals) == 0
	})
}

// rowwise reports whether the cells that one unit moves, and no other, lie side by side.
func (p *Plan) rowwise(acc *Acc) bool {
	g := p.group(acc.Moves[0].Var)
	if !p.byUnit(acc.Accumulator) || slices.ContainsFunc(acc.Moves, func(m conjugacy.Move) bool { return p.group(m.Var) != g }) {
		return false
	}
	for i := range g.Axes() {
		if acc.Order[i] != i {
			return false
		}
	}
	return true
}

// unitwise reports whether units are elements of the plate, or of a plate that is ragged over it.
func (p *Plan) unitwise(plate *ir.Plate) bool {
	return slices.ContainsFunc(p.Locals, func(g *Group) bool {
		for q := g.Plate; q != nil; q = q.Over {
			if q == plate {
				return true
			}
		}
		return false
	})
}

// wild reports whether a factor may be of any size. What is between two numbers is not, but for its inverse, nor is a logarithm of
// whatever floating point holds.
func wild(f ir.Fac) bool {
	found := false
	ir.Term{C: 1, F: []ir.Fac{f}}.WalkAtoms(func(a *ir.Atom) {
		found = found || a.Var != nil && a.Var.Unknown() && a.Var.Type.Elem == ir.Real
	})
	if !found || f.P < 0 {
		return found
	}
	switch a := f.A; a.Fn {
	case ir.RefAtom:
		return !bounded(a.Var.Support)
	case ir.CallAtom:
		return !slices.Contains([]string{"log", "logistic", "Phi"}, a.Name)
	case ir.ClosedAtom:
		return slices.ContainsFunc(a.Args[0], func(t ir.Term) bool { return slices.ContainsFunc(t.F, wild) })
	}
	return true
}

// bounded reports whether all numbers of a support lie between two that are known beforehand.
func bounded(s ir.Support) bool {
	_, below := s.Lo.(*ir.Num)
	_, above := s.Hi.(*ir.Num)
	return s.Kind == ir.Simplex || s.Kind == ir.Line && below && above
}
