// This file holds collapsing of a location and its variance together: the pair and its statistics, from which alone the joint
// families are recognised.

package conjugacy

import (
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A pairTarget is a location and a variance with the same free indices, touched together.
type pairTarget struct {
	loc, vari *Target
}

// newPair returns the pair if the two unknowns have the same free indices.
func newPair(loc, vari *ir.Var) (*pairTarget, bool) {
	if vari.Event != 2*loc.Event || loc.Event > 1 {
		return nil, false
	}
	a, b := loc.Axes[:len(loc.Axes)-loc.Event], vari.Axes[:len(vari.Axes)-vari.Event]
	if !slices.Equal(a, b) {
		return nil, false
	}
	p := &pairTarget{NewTarget(loc, nil), NewTarget(vari, nil)}
	p.loc.T.Name = "$m"
	return p, true
}

// family returns the family that the pair may be of.
func (p *pairTarget) family() *Family {
	if p.loc.Var.Event == 0 {
		return scalarJointNormal
	}
	return jointNormal
}

// whole reports whether the support of t is the family's: every number of a location, every positive one of a variance.
func (p *pairTarget) whole(t *Target) bool {
	s := t.Var.Support
	switch {
	case s.Hi != nil || s.Ordered:
		return false
	case s.Kind == ir.SPD:
		return true
	case t == p.loc:
		return s.Lo == nil
	}
	n, ok := s.Lo.(*ir.Num)
	return ok && n.Value == 0
}

// touch returns the terms that mention either new value.
func (p *pairTarget) touch(q ir.Poly) ir.Poly {
	var out ir.Poly
	for _, term := range q {
		for _, u := range p.vari.touch(term, nil, nil) {
			for _, w := range p.loc.touch(u, nil, nil) {
				if Mentions(w, p.vari.T) || Mentions(w, p.loc.T) {
					out = append(out, w)
				}
			}
		}
	}
	return p.loc.open(p.vari.open(out.Merge()))
}

// natural returns the natural parameters of the joint family, if the terms are of it.
func (p *pairTarget) natural(q ir.Poly) (coef map[string]ir.Poly, ok bool) {
	coef = map[string]ir.Poly{}
	naturals := map[string]Natural{}
	for _, n := range p.family().Natural {
		coef[n.Name], naturals[n.Name] = nil, n
	}
	matrix := p.loc.Var.Event == 1
	one, two := ir.At("#1"), ir.At("#2")
	for _, term := range q {
		var ms []*ir.Atom
		var variance *ir.Fac
		rest := ir.Term{C: term.C, Over: term.Over, Guards: term.Guards}
		for _, f := range term.F {
			switch {
			case p.loc.inT(f.A):
				if f.A.Fn != ir.RefAtom || f.P != math.Trunc(f.P) || f.P < 0 {
					return nil, false
				}
				for range int(f.P) {
					ms = append(ms, f.A)
				}
			case p.vari.inT(f.A):
				if variance != nil {
					return nil, false
				}
				variance = &f
			default:
				rest.F = append(rest.F, f)
			}
		}
		if variance == nil {
			return nil, false
		}
		k, pow := p.vari.classify([]ir.Fac{*variance})
		isLog := k == logDet || k == LogT
		isInv := k == invMat || k == PowT && pow == -1
		eq := func(x, y ir.Ix) {
			rest.Guards = append(slices.Clone(rest.Guards), ir.Guard{Rel: ir.Eq, L: []ir.Ix{x}, R: []ir.Ix{y}})
		}
		name := ""
		switch {
		case isLog && len(ms) == 0:
			name = "c"
		case isInv && len(ms) == 0:
			name = "S"
			if matrix {
				eq(variance.A.Ix[0], one)
				eq(variance.A.Ix[1], two)
			}
		case isInv && len(ms) == 1:
			name = "b"
			if matrix {
				// v⁻¹[p, q]·m[p] leaves position q: m's index and one of the matrix's must be the same.
				u, v := variance.A.Ix[0], variance.A.Ix[1]
				switch {
				case ir.Same(u, ms[0].Ix[0]):
					rest = contract(rest, u)
					eq(v, one)
				case ir.Same(v, ms[0].Ix[0]):
					rest = contract(rest, v)
					eq(u, one)
				default:
					return nil, false
				}
			}
		case isInv && len(ms) == 2:
			name = "kappa"
			if matrix {
				u, v := variance.A.Ix[0], variance.A.Ix[1]
				a, b := ms[0].Ix[0], ms[1].Ix[0]
				if !(ir.Same(u, a) && ir.Same(v, b) || ir.Same(u, b) && ir.Same(v, a)) || ir.Same(u, v) {
					return nil, false
				}
				rest = contract(contract(rest, u), v)
			}
		default:
			return nil, false
		}
		rest.C /= naturals[name].Scale
		coef[name] = append(coef[name], rest)
	}
	for n := range coef {
		coef[n] = coef[n].SimplifyAll()
		for _, t := range coef[n] {
			for name := range t.Free() {
				if name[0] == '#' && naturals[n].Rank == 0 {
					return nil, false
				}
			}
		}
	}
	return coef, coef["kappa"] != nil && coef["S"] != nil
}

// contract drops the binder of an index that was summed with the statistic.
func contract(t ir.Term, x ir.Ix) ir.Term {
	t.Over = slices.DeleteFunc(slices.Clone(t.Over), func(b ir.Bind) bool { return b.Name == x.Name })
	return t
}

// positionNames are the names of the positions in a vector and in a matrix, which the arguments of a joint log-partition are
// functions of: it binds them as a sum does.
var positionNames = []string{"#1", "#2"}

// Positions returns the plate of the positions that the atom binds, or nil if it is no joint log-partition of vectors.
func Positions(a *ir.Atom) *ir.Plate {
	if a.Fn != ir.CallAtom || a.Name != "logZNIW" {
		return nil
	}
	return a.Args[0][0].F[0].A.Plate // the first argument is its size
}
