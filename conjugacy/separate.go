// This file holds the fourth step: natural parameters parted into what depends on a summed-over plate of data or
// locals (heavy: an accumulator) and what does not (light: arithmetic at draw time).
//
// A binder is inner, and its sum becomes an accumulator, when no light factor depends on it. To get there light factors
// with a heavy category are spread over its values, b[g[n]] = Σ_c b[c]·[g[n] = c], and closed sums that mix light
// and heavy are opened. What cannot be parted stays as it was, a direct sum.

package conjugacy

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// An Accumulator is a sum over data and locals that several conditionals may share:
// Name[Params] = Body, whose free indices are the Params.
type Accumulator struct {
	Name   string
	Params []ir.Bind
	Body   ir.Term
	Moves  []Move // how it follows the unknowns in it; none if it is made of data alone
}

// Data reports whether the accumulator never changes.
func (a *Accumulator) Data() bool { return len(a.Moves) == 0 }

// A Move is an accumulator's change when one element of Var changes: Delta at the new value less Delta at the old.
type Move struct {
	Var    *ir.Var
	Target *Target
	Delta  ir.Poly // in $t, the target's J and the accumulator's Params
	Alone  bool    // each term of the sum belongs to one element of Var
}

// A Registry holds the accumulators of a model; equal ones are kept once.
type Registry struct {
	List       []*Accumulator
	References []Reference
	references map[*ir.Var]*ir.Var // of a location, its reference
	isRef      map[*ir.Var]bool
	byKey      map[string]*Accumulator
	byName     map[string]*Accumulator
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{byKey: map[string]*Accumulator{}, byName: map[string]*Accumulator{}, references: map[*ir.Var]*ir.Var{}, isRef: map[*ir.Var]bool{}}
}

// A Reference is a location with the value about which sums are taken.
type Reference struct {
	Of, Var *ir.Var
	// Product says that no term of some location has Of without another global, as a in a·b·x. Where the two trade their sizes, a by 1e-8 and
	// b by 1e8, neither is near its reference, and squares about a°·b°·x cancel to the last digit.
	Product bool
}

// reference returns the variable that holds v°. To the algebra it is a constant: it changes only when all is summed anew.
func (r *Registry) reference(v *ir.Var) *ir.Var {
	if ref, ok := r.references[v]; ok {
		return ref
	}
	ref := &ir.Var{Name: v.Name + "°", Role: dsl.Const, Span: v.Span, Axes: v.Axes, Event: v.Event, Type: v.Type, Support: ir.Support{Kind: ir.Line}}
	r.references[v], r.isRef[ref] = ref, true
	r.References = append(r.References, Reference{Of: v, Var: ref})
	return ref
}

// multiplied notes that the location, which has a reference, is one of a product.
func (r *Registry) multiplied(v *ir.Var) {
	for i := range r.References {
		r.References[i].Product = r.References[i].Product || r.References[i].Of == v
	}
}

// isReference reports whether the atom is an element of a reference.
func (r *Registry) isReference(a *ir.Atom) bool {
	return a.Fn == ir.RefAtom && r.isRef[a.Var]
}

// About reports whether the accumulator is taken about references, and so must be summed anew with them.
func (r *Registry) About(a *Accumulator) bool {
	found := false
	a.Body.WalkAtoms(func(at *ir.Atom) { found = found || r.isRef[at.Var] })
	return found
}

// Get returns the accumulator of that name, or nil.
func (r *Registry) Get(name string) *Accumulator { return r.byName[name] }

// atom returns the accumulator for the sum body, whose free names have the plates in scope.
func (r *Registry) atom(body ir.Term, scope map[string]ir.Bind) *ir.Atom {
	var free []string
	named := body.Free()
	scope = maps.Clone(scope)
	for n := range named {
		free = append(free, n)
		if b := scope[n]; slices.ContainsFunc(b.Of, func(x ir.Ix) bool { return x.Name != "" && !named[x.Name] }) {
			b.Of = parentsOf(body, n, b)
			scope[n] = b
		}
	}
	sort.Strings(free)
	free = parentsFirst(free, scope)
	// The order of the formal parameters is the one whose text is least, so that equal sums meet whatever their names; an index of a
	// ragged plate comes after its parents'.
	var best ir.Term
	var bestKey string
	var bestOrder []string
	permute(free, func(order []string) {
		if !slices.Equal(order, parentsFirst(order, scope)) {
			return
		}
		names := map[string]ir.Ix{}
		for i, n := range order {
			names[n] = ir.At("f" + strconv.Itoa(i+1))
		}
		p := (&ir.Rewriter{Names: names}).Term(body)
		if len(p) != 1 {
			return
		}
		k := p.CanonKey()
		for i, n := range order {
			k += fmt.Sprintf("; f%d in %s", i+1, scope[n].Plate.Name)
		}
		if bestKey == "" || k < bestKey {
			best, bestKey, bestOrder = p[0], k, slices.Clone(order)
		}
	})
	a, ok := r.byKey[bestKey]
	if !ok {
		a = &Accumulator{Name: "A" + strconv.Itoa(len(r.List)+1), Body: best}
		names := map[string]ir.Ix{}
		for i, n := range bestOrder {
			names[n] = ir.At("f" + strconv.Itoa(i+1))
		}
		for i, n := range bestOrder {
			b := scope[n]
			of := make([]ir.Ix, len(b.Of))
			for j, x := range b.Of {
				of[j] = x
				if y, ok := names[x.Name]; ok {
					of[j] = y
				}
			}
			a.Params = append(a.Params, ir.Bind{Name: "f" + strconv.Itoa(i+1), Plate: b.Plate, Of: of})
		}
		r.List = append(r.List, a)
		r.byKey[bestKey] = a
		r.byName[a.Name] = a
	}
	at := &ir.Atom{Fn: ir.AccAtom, Name: a.Name}
	for _, n := range bestOrder {
		at.Ix = append(at.Ix, ir.At(n))
	}
	return at
}

// parentsOf returns the indices that a body has before name, which is of a ragged plate: they may be others that are known to be equal to
// those of the binder.
func parentsOf(body ir.Term, name string, b ir.Bind) []ir.Ix {
	of := b.Of
	body.WalkAtoms(func(a *ir.Atom) {
		for i, x := range a.Ix {
			if x.Cat == nil && x.Name == name && i >= len(b.Of) && a.Var != nil && a.Var.Axes[i] == b.Plate {
				of = a.Ix[i-len(b.Of) : i]
			}
		}
	})
	return of
}

// parentsFirst puts indices of ragged plates after those of their parents, and leaves the order as it is otherwise.
func parentsFirst(names []string, scope map[string]ir.Bind) []string {
	var out []string
	var add func(n string)
	add = func(n string) {
		if slices.Contains(out, n) || !slices.Contains(names, n) {
			return
		}
		for _, x := range scope[n].Of {
			add(x.Name)
		}
		out = append(out, n)
	}
	for _, n := range names {
		add(n)
	}
	return out
}

// permute calls fn for every order of names (at most five of them; beyond that only the given one).
func permute(names []string, fn func([]string)) {
	if len(names) > 5 {
		fn(names)
		return
	}
	order := slices.Clone(names)
	var rec func(int)
	rec = func(k int) {
		if k == len(order) {
			fn(order)
			return
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			rec(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	rec(0)
}

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
	sub := &separator{reg: s.reg, target: s.target, keep: s.keep, scope: map[string]ir.Bind{}}
	for n, b := range s.scope {
		sub.scope[n] = b
	}
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
	sub := &separator{reg: s.reg, target: s.target, keep: s.keep, scope: map[string]ir.Bind{}}
	for n, b := range s.scope {
		sub.scope[n] = b
	}
	sub.ranges = s.ranges
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
	// The new value itself, which may be a factor beside the sum, is not asked for.
	eq.F = slices.DeleteFunc(slices.Clone(eq.F), func(f ir.Fac) bool { return Mentions(ir.Term{F: []ir.Fac{f}}, s.target.T) })
	return len(s.target.Touch(ir.Poly{eq})) > 0
}

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
	scope := map[string]ir.Bind{}
	for n, b := range s.scope {
		scope[n] = b
	}
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

// rangesOf returns what the term says of where its indices lie: its ranges, and those of its sums that leave out an end.
func rangesOf(t ir.Term) []ir.Guard {
	var out []ir.Guard
	for _, g := range t.Guards {
		if g.Rel == ir.In {
			out = append(out, g)
		}
	}
	for _, b := range t.Over {
		if b.Lo != 0 || b.Hi != 0 {
			out = append(out, ir.Guard{Rel: ir.In, L: []ir.Ix{ir.At(b.Name)}, Plate: b.Plate, Of: b.Of, Lo: b.Lo, Hi: b.Hi})
		}
	}
	return out
}

// numbered returns the ranges that elements are in which the term names by their number, from the second on, since each plate has a first;
// but a ragged one may be empty.
func numbered(t ir.Term) []ir.Guard {
	return rangesRead(t, func(x ir.Ix, p *ir.Plate) bool { return x.Name == "" && (x.Add != 0 || p.Over != nil) })
}

// rangesRead returns the ranges of the elements that the term reads, for those of their indices, categories apart, that are asked for.
func rangesRead(t ir.Term, asked func(x ir.Ix, p *ir.Plate) bool) []ir.Guard {
	var out []ir.Guard
	t.WalkAtoms(func(a *ir.Atom) {
		if a.Var == nil {
			return
		}
		for i, x := range a.Ix {
			if x.Cat != nil || i >= len(a.Var.Axes) || !asked(x, a.Var.Axes[i]) {
				continue
			}
			g := ir.Guard{Rel: ir.In, L: []ir.Ix{x}, Plate: a.Var.Axes[i]}
			for p, j := g.Plate.Over, i-1; p != nil; p, j = p.Over, j-1 {
				g.Of = slices.Insert(g.Of, 0, a.Ix[j])
			}
			out = append(out, g)
		}
	})
	return out
}

// lacking returns the ranges of elements by their number and of neighbours, in the categories within the indices, that what is known does not imply.
func lacking(known []ir.Guard, ix ...ir.Ix) []ir.Guard {
	read := rangesRead(ir.Term{Guards: []ir.Guard{{Rel: ir.Eq, L: ix}}}, func(x ir.Ix, p *ir.Plate) bool {
		return x.Add != 0 || x.Name == "" && p.Over != nil
	})
	return slices.DeleteFunc(read, func(r ir.Guard) bool { return implied(r, known) })
}

// implied reports whether the known ranges tell that an index is in the whole of its plate, as n-1 is where n is from the second on.
func implied(r ir.Guard, known []ir.Guard) bool {
	x := r.L[0]
	above, below := x.Name != "" && x.Add >= 0, x.Name != "" && x.Add <= 0
	for _, k := range known {
		y := k.L[0]
		if k.Plate != r.Plate || y.Cat != nil || y.Name != x.Name || x.Name == "" && x.Add != y.Add || !slices.EqualFunc(k.Of, r.Of, ir.Same) {
			continue
		}
		above = above || y.Add-k.Lo <= x.Add
		below = below || y.Add-k.Hi >= x.Add
	}
	return above && below
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

// shifts reports whether an index of the term may lie off the end of a plate where at, a name or a number, is out of its range.
func shifts(t ir.Term, at ir.Ix) bool {
	found := false
	t.WalkIx(func(x ir.Ix) {
		found = found || x.Cat == nil && x.Name == at.Name && x.Add != 0 && (x.Name != "" || x.Add == at.Add)
	})
	return found
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
