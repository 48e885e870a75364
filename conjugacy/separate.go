// This file holds the fourth step: natural parameters parted into what depends on a summed-over plate of data or
// locals (heavy: an accumulator) and what does not (light: arithmetic at draw time).
//
// A binder is inner, and its sum becomes an accumulator, when no light factor depends on it. To get there light factors
// with a heavy category are spread over its values (spread.go), and closed sums that mix light and heavy are opened. What is
// parted is put together again (gather.go); what cannot be stays as it was, a direct sum.

package conjugacy

import (
	"maps"
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A separator parts the terms of one conditional.
type separator struct {
	reg    *Registry
	target *Target
	scope  map[string]ir.Bind // plates of the free names: the target's J and block positions
	ranges []ir.Guard         // what is known around a closed sum of where its free names lie
	// removed is set when a sum over the other elements of the target is read off an accumulator of all of them: the
	// kernel must take the target's own contribution out first.
	removed bool
	keep    bool // the target stays in: its part cannot be told from the others'
}

// separate parts every term of p; the texts of those that stay direct are returned too.
func (s *separator) separate(p ir.Poly) (out ir.Poly, direct []ir.Term) {
	s.keep = s.keep || s.entwined(p)
	whole := map[string]bool{} // terms that could not be parted
	for _, t := range p {
		q, ok := s.term(t, 0)
		if !ok {
			q, ok = t.Simplify()
			if !ok {
				continue
			}
			whole[q.CanonKey()] = true
		}
		out = append(out, q...)
	}
	out = out.SimplifyAll()
	for i, t := range out {
		u, d := s.inside(t)
		out[i] = u
		direct = append(direct, d...)
		if whole[ir.Poly{t}.CanonKey()] && s.stays(u) {
			direct = append(direct, u)
		}
	}
	return out.Merge(), direct
}

// entwined reports whether a sum to be kept holds the target's variable in a sum of its own: of Σ_n x[n]·(y[n] - Σ_j w[n,j]·a[j]) every
// term has a part in a[J], so that none is the target's to take out.
func (s *separator) entwined(p ir.Poly) bool {
	found := false
	for _, t := range p {
		if s.target == nil || !s.heavySum(t) {
			continue
		}
		for _, f := range t.F {
			free := f.A.Free()
			if f.A.Fn != ir.ClosedAtom || !slices.ContainsFunc(t.Over, func(b ir.Bind) bool { return free[b.Name] }) {
				continue
			}
			walkAtom(f.A, map[string]bool{}, func(a *ir.Atom, inner map[string]bool) {
				for n := range ir.FreeOf(a.Ix) {
					found = found || a.Var == s.target.Var && inner[n]
				}
			})
		}
	}
	return found
}

// stays reports whether the term, all within it parted, still sums data or locals other than the target's own, as
// Σ_d f(x[J, d]) does not: that is the cost of one element.
func (s *separator) stays(t ir.Term) bool {
	found := false
	t.WalkAtoms(func(a *ir.Atom) {
		if !heavyVar(a.Var) {
			return
		}
		for _, b := range t.Over {
			own := s.target != nil && s.target.Var.Role == dsl.Local && slices.ContainsFunc(a.Ix, func(x ir.Ix) bool { return x.Name != "" && x.Name[0] == '$' }) &&
				!slices.Contains(s.target.Var.Axes, b.Plate)
			found = found || a.Free()[b.Name] && !own
		}
	})
	return found
}

// inside parts the sums within the term's functions and closed sums, whose free indices the term's own binders give.
func (s *separator) inside(t ir.Term) (out ir.Term, direct []ir.Term) {
	sub := &separator{reg: s.reg, target: s.target, keep: s.keep, scope: maps.Clone(s.scope)}
	for _, b := range t.Over {
		sub.scope[b.Name] = b
	}
	sub.ranges = append(slices.Clone(s.ranges), rangesOf(t)...)
	res := ir.Poly{{C: t.C, Over: t.Over, Guards: t.Guards}}
	for _, f := range t.F {
		if len(f.A.Args) == 0 {
			res = ir.Poly{ir.Product(res[0], ir.Term{C: 1, F: []ir.Fac{f}})}
			continue
		}
		if plate := Positions(f.A); plate != nil {
			for _, n := range positionNames {
				sub.scope[n] = ir.Bind{Name: n, Plate: plate}
			}
		}
		args := make([]ir.Poly, len(f.A.Args))
		for i, p := range f.A.Args {
			q, d := sub.separate(p)
			args[i] = q
			direct = append(direct, d...)
		}
		a := *f.A
		b := ir.Atom{Fn: a.Fn, Name: a.Name, Args: args}
		res = ir.Poly{ir.Product(res[0], ir.Term{C: 1, F: []ir.Fac{{A: &b, P: f.P}}})}
	}
	s.removed = s.removed || sub.removed
	return res[0], direct
}

// about returns the terms that mention t.
func (t *Target) about(p ir.Poly) ir.Poly {
	var out ir.Poly
	for _, term := range p {
		if Mentions(term, t.T) {
			out = append(out, term)
		}
	}
	return out
}

// heavyVar reports whether v is data or a local. A matrix is light even if it is local: what moves with it would need the
// inverses of its old and new values.
func heavyVar(v *ir.Var) bool {
	return v != nil && (v.Role == dsl.Data || v.Role == dsl.Local) && !lightVar(v)
}

// lightVar reports whether v is a global, the new value, or a matrix.
func lightVar(v *ir.Var) bool {
	return v != nil && (v.Role == dsl.Global || v.Name == "$t" || v.Role == dsl.Local && v.Support.Kind == ir.SPD)
}

// weight says what an atom is made of: heavy (data, locals) and light (globals, t) parts; constants are neither.
func (s *separator) weight(a *ir.Atom) (heavy, light bool) {
	ir.Term{C: 1, F: []ir.Fac{{A: a, P: 1}}}.WalkAtoms(func(b *ir.Atom) {
		switch {
		case b.Var == nil:
		case s.fixed(b):
			light = true // a local at a free index does not run with the sum: as good as light
		case heavyVar(b.Var):
			heavy = true
		case lightVar(b.Var):
			light = true
		}
	})
	return heavy, light
}

// term parts one term. It reports false if a binder over data or locals cannot be summed away.
func (s *separator) term(t ir.Term, depth int) (ir.Poly, bool) {
	q, ok := t.Simplify()
	if !ok {
		return nil, true
	}
	t = q[0]
	bound := map[string]bool{}
	for _, b := range t.Over {
		bound[b.Name] = true
	}
	if !s.heavySum(t) && !constantSum(t) {
		return counted(t), true
	}
	if depth > 40 {
		return nil, false
	}
	// Binders that a light factor needs directly can't be summed away. A reference by itself is as good as light: (XᵀX)w° is
	// two sums already there, and a third if w° went into the sum.
	pinned := map[string]bool{}
	for _, f := range t.F {
		if heavy, light := s.weight(f.A); light && !heavy || s.reg.isReference(f.A) {
			for n := range directNames(f.A) {
				pinned[n] = true
			}
		}
	}
	// So does a guard on a category that is light: [z[n] = k] with z global is no part of a sum that is kept.
	for _, g := range t.Guards {
		for n := range directNames(&ir.Atom{Fn: ir.RefAtom, Ix: lightIxs(g)}) {
			pinned[n] = true
		}
	}
	inner := func(names map[string]bool) bool {
		for n := range names {
			if bound[n] && !pinned[n] {
				return true
			}
		}
		return false
	}
	// (1) Light factors with a heavy category: spread them over its values.
	for _, f := range t.F {
		if f.A.Fn == ir.ClosedAtom || f.A.Fn == ir.CallAtom && f.A.Name != "log" {
			continue
		}
		if c := s.heavyCat(f.A, inner); c != nil && s.lightButFor(f.A) {
			return s.onehot(t, c, depth)
		}
	}
	// (2) Guards that tie a category that is summed over to one that is not: a light one, or one of the target's own.
	for _, g := range t.Guards {
		probe := ir.Term{C: 1, Guards: []ir.Guard{g}}
		light := false
		probe.WalkAtoms(func(b *ir.Atom) { light = light || lightVar(b.Var) })
		for _, x := range slices.Concat(g.L, g.R) {
			light = light || x.Cat != nil && !inner(x.Cat.Free())
		}
		if !light {
			continue
		}
		if c := s.heavyCatIn(append(slices.Clone(g.L), g.R...), inner); c != nil && !s.plainSplit(t, g, c) {
			return s.onehot(t, c, depth)
		}
	}
	// (3) Factors that mix light and heavy: open them.
	for i, f := range t.F {
		heavy, light := s.weight(f.A)
		if !heavy || !light || !inner(f.A.Free()) {
			continue
		}
		if c := s.heavyCat(f.A, inner); c != nil && s.lightButFor(f.A) {
			return s.onehot(t, c, depth)
		}
		rest := t
		rest.F = slices.Delete(slices.Clone(t.F), i, i+1)
		switch {
		case f.A.Fn == ir.ClosedAtom && f.P > 0 && f.P == math.Trunc(f.P) && f.P <= 4:
			// A product of two residuals is a square in the making: (x[p] - m[p])·(x[q] - m[q]).
			pair := slices.IndexFunc(rest.F, func(g ir.Fac) bool {
				heavy, light := s.weight(g.A)
				return f.P == 1 && g.P == 1 && twins(f.A, g.A) && heavy && light && inner(g.A.Free())
			})
			if pair < 0 {
				return s.all(ir.ExpandPower(rest, s.opened(f, f.P == 2), int(f.P)), depth+1)
			}
			g := rest.F[pair]
			rest.F = slices.Delete(slices.Clone(rest.F), pair, pair+1)
			return s.all(ir.ExpandPower(rest, multiplied(s.opened(f, true), s.opened(g, true)), 1), depth+1)
		case f.A.Fn == ir.CallAtom && f.A.Name == "exp" && len(f.A.Args[0]) > 1:
			prod := ir.Poly{rest}
			for _, u := range f.A.Args[0] {
				prod = ir.Mul(prod, ir.Pow(ir.Apply("exp", ir.Poly{u}), f.P))
			}
			return s.all(prod, depth+1)
		}
		return nil, false
	}
	// (4) Every factor is pure. Inequalities that bind an inner index are expanded as 1 - [=], or dropped where the target takes itself out:
	// these come last, so that what is left of the others at [=] stays under them.
	own := -1
	for gi, g := range t.Guards {
		if g.Rel != ir.Ne || !inner(ir.FreeOf(append(slices.Clone(g.L), g.R...))) {
			continue
		}
		rest := t
		rest.Guards = slices.Delete(slices.Clone(t.Guards), gi, gi+1)
		eq := rest
		eq.C = -eq.C
		eq.Guards = append(slices.Clone(rest.Guards), ir.Guard{Rel: ir.Eq, L: g.L, R: g.R})
		if s.target != nil && !s.keep && s.target.Var.Role == dsl.Local && s.ownExclusion(g, eq) {
			own = gi
			continue
		}
		return s.all(ir.Poly{rest, eq}, depth+1)
	}
	if own >= 0 {
		t.Guards = slices.Delete(slices.Clone(t.Guards), own, own+1)
		s.removed = true
		return s.term(t, depth+1)
	}
	return s.gather(t, bound, pinned)
}

// twins reports whether the two closed sums are one, but for the name of an index.
func twins(f, g *ir.Atom) bool {
	only := func(a, b *ir.Atom) (out []string) {
		other := b.Free()
		for n := range a.Free() {
			if !other[n] {
				out = append(out, n)
			}
		}
		return out
	}
	n, m := only(f, g), only(g, f)
	if f.Fn != ir.ClosedAtom || g.Fn != ir.ClosedAtom || len(n) != 1 || len(m) != 1 {
		return false
	}
	p := (&ir.Rewriter{Names: map[string]ir.Ix{m[0]: ir.At(n[0])}}).Poly(g.Args[0])
	return p.CanonKey() == f.Args[0].CanonKey()
}

// multiplied returns the product of two sums term by term.
func multiplied(p, q ir.Poly) ir.Poly {
	var out ir.Poly
	for _, t := range p {
		for _, u := range q {
			out = append(out, ir.Product(t, u))
		}
	}
	return out
}

// opened returns the terms of a closed sum, those that are heavy alone as one. Where it is squared, locations are written about their
// references.
func (s *separator) opened(f ir.Fac, squared bool) ir.Poly {
	sum := f.A.Args[0]
	if squared {
		sum = s.about(f)
	}
	var pure, mixed ir.Poly
	for _, u := range sum {
		if s.pureHeavy(u) {
			pure = append(pure, u)
		} else {
			mixed = append(mixed, u)
		}
	}
	return append(pure.Close(), mixed...)
}

// about returns the terms of a closed sum that is to be opened, locations written about their references,
//
//	v = v° + (v - v°),
//
// where v° is a value of v that the sampler keeps until it sums everything anew. What is heavy is then a square of
// residuals about v°, and Σ(x - v)² = Σ(x - v°)² - 2(v - v°)Σ(x - v°) + n(v - v°)² does not cancel however far the data
// lie from 0.
func (s *separator) about(f ir.Fac) ir.Poly {
	sum := f.A.Args[0]
	if s.reg.references == nil {
		return sum
	}
	for _, u := range sum {
		if s.target != nil && Mentions(u, s.target.T) {
			return sum
		}
	}
	var out ir.Poly
	for _, u := range sum {
		at := -1
		for i, g := range u.F {
			_, light := s.weight(g.A)
			if !light {
				continue
			}
			if at >= 0 || g.P != 1 || g.A.Fn != ir.RefAtom || g.A.Var.Role != dsl.Global || g.A.Var.Type.Elem != ir.Real {
				at = -2
				break
			}
			at = i
		}
		if at < 0 {
			out = append(out, u)
			continue
		}
		v := u.F[at].A
		ref := ir.RefTo(s.reg.reference(v.Var), v.Ix...)
		rest := u
		rest.F = slices.Delete(slices.Clone(u.F), at, at+1)
		delta := &ir.Atom{Fn: ir.ClosedAtom, Args: []ir.Poly{ir.Add(v.Poly(), ref.Poly().Scale(-1))}}
		out = append(out, ir.Product(rest, ref.Poly()[0]), ir.Product(rest, delta.Poly()[0]))
	}
	return out
}

func (s *separator) all(p ir.Poly, depth int) (ir.Poly, bool) {
	var out ir.Poly
	for _, t := range p {
		q, ok := s.term(t, depth)
		if !ok {
			return nil, false
		}
		out = append(out, q...)
	}
	return out, true
}

// constantSum reports whether some binder of t runs over constants and index values alone: such a sum is taken once, too.
func constantSum(t ir.Term) bool {
	return slices.ContainsFunc(t.Over, func(b ir.Bind) bool {
		some, all := false, true
		for _, f := range t.F {
			if f.A.Free()[b.Name] {
				some = true
				ir.Term{C: 1, F: []ir.Fac{f}}.WalkAtoms(func(a *ir.Atom) { all = all && constant(a) })
			}
		}
		return some && all
	})
}

// constant reports whether the atom, its indices and arguments apart, never changes: a constant or the number of an index.
func constant(a *ir.Atom) bool {
	return a.Var == nil && a.Fn != ir.AccAtom || a.Var != nil && a.Var.Role == dsl.Const
}

// counted writes Σ_j [j ≠ i], of a j that stands nowhere else, as the number of all j less one.
func counted(t ir.Term) ir.Poly {
	for gi, g := range t.Guards {
		if g.Rel != ir.Ne || len(g.L) != 1 {
			continue
		}
		rest := t
		rest.Guards = slices.Delete(slices.Clone(t.Guards), gi, gi+1)
		used := ir.Term{C: 1, Guards: rest.Guards, F: rest.F}.Free()
		for _, b := range rest.Over {
			for n := range ir.FreeOf(b.Of) {
				used[n] = true
			}
		}
		for _, b := range t.Over {
			if used[b.Name] || !(ir.Same(g.L[0], ir.At(b.Name)) || ir.Same(g.R[0], ir.At(b.Name))) {
				continue
			}
			eq := rest
			eq.C = -eq.C
			eq.Guards = append(slices.Clone(rest.Guards), ir.Guard{Rel: ir.Eq, L: g.L, R: g.R})
			var out ir.Poly
			for _, u := range []ir.Term{rest, eq} {
				if q, ok := u.Simplify(); ok {
					out = append(out, q...)
				}
			}
			return out
		}
	}
	return ir.Poly{t}
}

// heavySum reports whether a binder of t ranges over data or locals.
func (s *separator) heavySum(t ir.Term) bool {
	found := false
	visit := func(a *ir.Atom) {
		if !heavyVar(a.Var) {
			return
		}
		for n := range a.Free() {
			found = found || slices.ContainsFunc(t.Over, func(b ir.Bind) bool { return b.Name == n })
		}
	}
	t.WalkAtoms(visit)
	return found
}

// lightIxs returns the indices that a guard compares, those that are light categories or within one.
func lightIxs(g ir.Guard) []ir.Ix {
	var out []ir.Ix
	for _, x := range slices.Concat(g.L, g.R) {
		light := false
		ir.Term{C: 1, Guards: []ir.Guard{{Rel: ir.Eq, L: []ir.Ix{x}, R: []ir.Ix{x}}}}.WalkAtoms(func(b *ir.Atom) { light = light || lightVar(b.Var) })
		if light {
			out = append(out, x)
		}
	}
	return out
}

// directNames returns the index names that an atom depends on other than through a heavy category.
func directNames(a *ir.Atom) map[string]bool {
	out := map[string]bool{}
	a.WalkIx(func(x ir.Ix) {
		if x.Cat == nil && x.Name != "" {
			out[x.Name] = true
		}
	})
	// Names that only occur inside heavy categories do not pin.
	only := map[string]bool{}
	var walk func(ix []ir.Ix, inHeavy bool)
	walk = func(ix []ir.Ix, inHeavy bool) {
		for _, x := range ix {
			if x.Cat != nil {
				walk(x.Cat.Ix, inHeavy || heavyCategory(x.Cat)) // of c[z[n]], z light, n is not free to go
			} else if !inHeavy && x.Name != "" {
				only[x.Name] = true
			}
		}
	}
	walkAtomIx(a, func(ix []ir.Ix) { walk(ix, false) })
	for n := range out {
		if !only[n] {
			delete(out, n)
		}
	}
	for n := range out {
		if !a.Free()[n] {
			delete(out, n)
		}
	}
	return out
}

func walkAtomIx(a *ir.Atom, fn func([]ir.Ix)) {
	fn(a.Ix)
	for _, p := range a.Args {
		for _, t := range p {
			for _, g := range t.Guards {
				fn(g.L)
				fn(g.R)
			}
			for _, f := range t.F {
				walkAtomIx(f.A, fn)
			}
		}
	}
}
