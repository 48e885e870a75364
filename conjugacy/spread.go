// This file holds how separate spreads light factors with a heavy category over its values, b[g[n]] = Σ_c b[c]·[g[n] = c].

package conjugacy

import (
	"maps"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// heavyCategory reports whether the category is heavy throughout. Of c[z, d[n]], z light, no sum can be kept: it is d[n] that is spread.
func heavyCategory(c *ir.Atom) bool {
	return heavyVar(c.Var) && len(lightIxs(ir.Guard{L: c.Ix})) == 0
}

// heavyCat returns a heavy category in an index of the atom whose own indices are to be summed away.
func (s *separator) heavyCat(a *ir.Atom, inner func(map[string]bool) bool) *ir.Atom {
	var found *ir.Atom
	a.WalkIx(func(x ir.Ix) {
		if found == nil && x.Cat != nil && heavyCategory(x.Cat) && inner(x.Cat.Free()) && isFreeIn(a, x.Cat) {
			found = x.Cat
		}
	})
	return found
}

// isFreeIn reports whether no index of the category c is bound inside a.
func isFreeIn(a, c *ir.Atom) bool {
	free := a.Free()
	for n := range c.Free() {
		if !free[n] {
			return false
		}
	}
	return true
}

func (s *separator) heavyCatIn(ix []ir.Ix, inner func(map[string]bool) bool) *ir.Atom {
	var found *ir.Atom
	var walk func([]ir.Ix)
	walk = func(xs []ir.Ix) {
		for _, x := range xs {
			if x.Cat == nil {
				continue
			}
			if found == nil && heavyCategory(x.Cat) && inner(x.Cat.Free()) {
				found = x.Cat
			}
			walk(x.Cat.Ix)
		}
	}
	walk(ix)
	return found
}

// plainSplit reports whether the guard g already spreads the category c over a bound index. In [c[z[n]] = k] it is c that
// k stands for, not z[n]: with c global the guard is light, and spreading z[n] is what keeps it out of the accumulator.
func (s *separator) plainSplit(t ir.Term, g ir.Guard, c *ir.Atom) bool {
	if g.Rel != ir.Eq {
		return false
	}
	l, r := g.L[0], g.R[0]
	if r.Cat != nil && r.Cat.Key() == c.Key() {
		l, r = r, l
	}
	return l.Cat != nil && l.Cat.Key() == c.Key() && r.Cat == nil
}

// lightButFor reports whether the atom's value, its heavy categories apart, is light: a global, constant or t.
func (s *separator) lightButFor(a *ir.Atom) bool {
	light := true
	var look func(a *ir.Atom)
	look = func(a *ir.Atom) {
		if heavyVar(a.Var) {
			light = false
		}
		for _, p := range a.Args {
			for _, t := range p {
				for _, f := range t.F {
					look(f.A)
				}
			}
		}
	}
	look(a)
	return light
}

// onehot rewrites t as Σ_c [cat = c]·t, with c for cat everywhere.
func (s *separator) onehot(t ir.Term, cat *ir.Atom, depth int) (ir.Poly, bool) {
	used := map[string]bool{}
	t.WalkIx(func(x ir.Ix) { used[x.Name] = true })
	for _, b := range t.Over {
		used[b.Name] = true
	}
	for n := range s.scope {
		used[n] = true
	}
	c := ir.FreshName(cat.Var.Type.Of, used)
	u := t
	u.Over = append(slices.Clone(t.Over), ir.Bind{Name: c, Plate: cat.Var.Type.Of})
	// The category is replaced here and not left to Simplify, which would rather eliminate the new binder.
	p := (&ir.Rewriter{Cats: map[string]ir.Ix{cat.Key(): ir.At(c)}}).Term(u)
	if len(p) == 0 {
		return nil, true
	}
	v := p[0]
	v.Guards = append(slices.Clone(v.Guards), ir.Guard{Rel: ir.Eq, L: []ir.Ix{{Cat: cat}}, R: []ir.Ix{ir.At(c)}})
	return s.termHot(v, depth+1, c)
}

// termHot is term for a term that already carries one-hot binders, which Simplify must not eliminate again.
func (s *separator) termHot(t ir.Term, depth int, hot ...string) (ir.Poly, bool) {
	sub := &separator{reg: s.reg, target: s.target, keep: s.keep, scope: maps.Clone(s.scope), ranges: s.ranges}
	// Free the hot binder while its term is parted; bind it again around the result.
	var outer []ir.Bind
	u := t
	u.Over = nil
	for _, b := range t.Over {
		if slices.Contains(hot, b.Name) {
			outer = append(outer, b)
			sub.scope[b.Name] = b
		} else {
			u.Over = append(u.Over, b)
		}
	}
	p, ok := sub.term(u, depth)
	s.removed = s.removed || sub.removed
	if !ok {
		return nil, false
	}
	for _, b := range outer {
		p = ir.SumOver(b, p)
	}
	return p, true
}

// pureHeavy reports whether a term of a closed sum has no light part: neither factor, nor index, nor guard.
func (s *separator) pureHeavy(u ir.Term) bool {
	pure := true
	u.WalkAtoms(func(b *ir.Atom) {
		if lightVar(b.Var) || s.fixed(b) {
			pure = false
		}
	})
	return pure
}

// fixed reports whether the atom is a local at the target's own indices, so that it is a single value in the conditional.
func (s *separator) fixed(a *ir.Atom) bool {
	if a.Var == nil || a.Var.Role != dsl.Local || a.Var.Name == "$t" || len(a.Ix) == 0 {
		return false
	}
	for n := range a.Free() {
		if n[0] != '$' {
			return false
		}
	}
	return true
}

// ownExclusion reports whether the inequality keeps the target's own element out of a sum, and what it keeps out, eq, depends on that element:
// then it is what the target takes out. Of Σ_n [n ≠ J]·[c[n] ≠ J]·v[c[n]] the term of n = J goes by another element.
func (s *separator) ownExclusion(g ir.Guard, eq ir.Term) bool {
	for _, r := range g.R {
		if !slices.ContainsFunc(s.target.J, func(j ir.Ix) bool { return j.Name != "" && ir.Same(j, r) }) {
			return false
		}
	}
	// The new value itself, which may be a factor or a condition beside the sum, is not asked for.
	eq.F = slices.DeleteFunc(slices.Clone(eq.F), func(f ir.Fac) bool { return Mentions(ir.Term{F: []ir.Fac{f}}, s.target.T) })
	eq.Guards = slices.DeleteFunc(slices.Clone(eq.Guards), func(g ir.Guard) bool { return Mentions(ir.Term{Guards: []ir.Guard{g}}, s.target.T) })
	return len(s.target.Touch(ir.Poly{eq})) > 0
}
