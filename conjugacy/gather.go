// This file holds the end of separate: a sum whose factors are light or heavy each, as products of accumulators.

package conjugacy

import (
	"maps"
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// gather moves what is free of inner binders out of the sum and makes an accumulator of each connected part of the rest.
func (s *separator) gather(t ir.Term, bound, pinned map[string]bool) (ir.Poly, bool) {
	inner := map[string]bool{}
	for n := range bound {
		inner[n] = !pinned[n]
	}
	// Names that factors made of constants alone depend on stay outside with them only if nothing heavy shares them.
	touches := func(names map[string]bool) bool {
		for n := range names {
			if inner[n] {
				return true
			}
		}
		return false
	}
	out := ir.Term{C: t.C}
	var parts []part
	for _, f := range t.F {
		if names := f.A.Free(); touches(names) {
			parts = append(parts, part{names: names, fac: &f})
		} else {
			out.F = append(out.F, f)
		}
	}
	for _, g := range t.Guards {
		names := ir.FreeOf(append(append(slices.Clone(g.L), g.R...), g.Of...))
		if touches(names) {
			parts = append(parts, part{names: names, guard: &g})
		} else {
			out.Guards = append(out.Guards, g)
		}
	}
	scope := maps.Clone(s.scope)
	for _, b := range t.Over {
		if inner[b.Name] {
			names := ir.FreeOf(b.Of)
			names[b.Name] = true
			parts = append(parts, part{names: names, bind: &b})
		} else {
			out.Over = append(out.Over, b)
			scope[b.Name] = b
		}
	}
	ranges := append(slices.Clone(s.ranges), rangesOf(out)...)
	for _, comp := range components(parts, inner) {
		body := ir.Term{C: 1}
		for _, b := range t.Over { // in the order of t, parents first
			if slices.ContainsFunc(comp, func(p part) bool { return p.bind != nil && p.bind.Name == b.Name }) {
				body.Over = append(body.Over, b)
			}
		}
		heavy := false
		for _, p := range comp {
			if p.guard != nil {
				body.Guards = append(body.Guards, *p.guard)
			}
			if p.fac != nil {
				body.F = append(body.F, *p.fac)
			}
		}
		// Of A[n] = Σ_d x[n-1, d] there is none where n-1 is no element: the sum is made for every n. Nor need there be a second
		// element for Σ_d x[2, d].
		for _, g := range ranges {
			if shifts(body, g.L[0]) {
				body.Guards = append(body.Guards, g)
			}
		}
		// The target's own element exists, and with it the second one where [2 = J]: not so for a sum that is kept for all.
		for _, g := range numbered(body) {
			if !slices.ContainsFunc(body.Guards, func(h ir.Guard) bool {
				return h.Rel == ir.In && ir.Same(h.L[0], g.L[0]) && h.Plate == g.Plate && slices.EqualFunc(h.Of, g.Of, ir.Same)
			}) {
				body.Guards = append(body.Guards, g)
			}
		}
		body.WalkAtoms(func(a *ir.Atom) {
			heavy = heavy || heavyVar(a.Var) || a.Fn == ir.IndexAtom || a.Var != nil && constant(a) && len(a.Ix) > 0
		})
		if !heavy {
			// Constants only: a light sum, closed so that it stays apart.
			q, ok := body.Simplify()
			if !ok {
				return nil, true
			}
			p := ir.Mul(ir.Poly{out}, (&ir.Atom{Fn: ir.ClosedAtom, Args: []ir.Poly{q}}).Poly())
			out = p[0]
			continue
		}
		// Of an unbounded plate elements come and go, and with them what is kept about a reference: Σ_k (mu°[k] - m)² does not last.
		for _, b := range body.Over {
			if b.Plate.Unbounded && !ofMembers(body, b.Name) {
				return nil, false
			}
		}
		// A table over two unbounded plates, Σ_n [z[n] = j]·[y[n] = k], would be laid out anew whenever a category comes or goes, at every
		// draw of one: that costs as much as to sum it where it is read.
		unbounded := 0
		for n := range body.Free() {
			b, ok := scope[n]
			if !ok || b.Plate.Unbounded && !ofMembers(body, n) {
				return nil, false
			}
			if b.Plate.Unbounded {
				unbounded++
			}
		}
		if unbounded > 1 {
			return nil, false
		}
		q, ok := body.Simplify()
		if !ok {
			return nil, true
		}
		if len(q[0].Over) == 0 {
			out = ir.Product(out, q[0])
			continue
		}
		b := q[0]
		out.C *= b.C
		b.C = 1
		out = ir.Product(out, s.reg.atom(b, scope).Poly()[0])
	}
	return ir.Poly{out}, true
}

// ofMembers reports whether the sum is over those whose category is the name, so that it is 0 of a category without members: that is
// how sums over an unbounded plate grow with it.
func ofMembers(t ir.Term, name string) bool {
	return slices.ContainsFunc(t.Guards, func(g ir.Guard) bool {
		return g.Rel == ir.Eq && slices.ContainsFunc(indices(len(g.L)), func(i int) bool {
			return ir.Same(g.L[i], ir.At(name)) && g.R[i].Cat != nil || ir.Same(g.R[i], ir.At(name)) && g.L[i].Cat != nil
		})
	})
}

type part struct {
	names map[string]bool
	fac   *ir.Fac
	guard *ir.Guard
	bind  *ir.Bind
}

// components groups parts that share an inner name, in order of first appearance.
func components(parts []part, inner map[string]bool) [][]part {
	var out [][]part
	var names []map[string]bool
	for _, p := range parts {
		var in []int
		for i := range out {
			for n := range p.names {
				if inner[n] && names[i][n] {
					in = append(in, i)
					break
				}
			}
		}
		if len(in) == 0 {
			out = append(out, nil)
			names = append(names, map[string]bool{})
			in = []int{len(out) - 1}
		}
		first := in[0]
		for _, i := range slices.Backward(in[1:]) {
			out[first] = append(out[first], out[i]...)
			for n := range names[i] {
				names[first][n] = true
			}
			out = slices.Delete(out, i, i+1)
			names = slices.Delete(names, i, i+1)
		}
		out[first] = append(out[first], p)
		for n := range p.names {
			if inner[n] {
				names[first][n] = true
			}
		}
	}
	return out
}
