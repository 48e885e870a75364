// This file holds substitution and simplification: renaming bound indices, replacing indices and atoms, closing guards.

package ir

import (
	"slices"
	"strings"
)

// names adds every index name that t mentions, bound or free.
func (t Term) names(into map[string]bool) {
	for _, b := range t.Over {
		into[b.Name] = true
		ixNames(b.Of, into)
	}
	for _, g := range t.Guards {
		ixNames(g.L, into)
		ixNames(g.R, into)
		ixNames(g.Of, into)
	}
	for _, f := range t.F {
		f.A.names(into)
	}
}

func (a *Atom) names(into map[string]bool) {
	ixNames(a.Ix, into)
	for _, p := range a.Args {
		for _, t := range p {
			t.names(into)
		}
	}
}

func ixNames(ix []Ix, into map[string]bool) {
	for _, x := range ix {
		if x.Name != "" {
			into[x.Name] = true
		}
		if x.Cat != nil {
			x.Cat.names(into)
		}
	}
}

// Free returns the free index names of t.
func (t Term) Free() map[string]bool {
	out := map[string]bool{}
	t.free(out)
	return out
}

func (t Term) free(into map[string]bool) {
	own := map[string]bool{}
	for _, g := range t.Guards {
		ixFree(g.L, own)
		ixFree(g.R, own)
		ixFree(g.Of, own)
	}
	for _, f := range t.F {
		f.A.free(own)
	}
	for _, b := range t.Over {
		ixFree(b.Of, own)
	}
	for _, b := range t.Over {
		delete(own, b.Name)
	}
	for n := range own {
		into[n] = true
	}
}

// Free returns the free index names of the atom.
func (a *Atom) Free() map[string]bool {
	out := map[string]bool{}
	a.free(out)
	return out
}

func (a *Atom) free(into map[string]bool) {
	ixFree(a.Ix, into)
	for _, p := range a.Args {
		for _, t := range p {
			t.free(into)
		}
	}
}

// FreeOf adds the free names of the indices.
func FreeOf(ix []Ix) map[string]bool {
	out := map[string]bool{}
	ixFree(ix, out)
	return out
}

func ixFree(ix []Ix, into map[string]bool) {
	for _, x := range ix {
		if x.Name != "" {
			into[x.Name] = true
		}
		if x.Cat != nil {
			x.Cat.free(into)
		}
	}
}

// rename replaces the binder name from by to throughout the term.
func (t Term) rename(from, to string) Term {
	over := slices.Clone(t.Over)
	for i := range over {
		if over[i].Name == from {
			over[i].Name = to
		}
	}
	t.Over = over
	r := Rewriter{Names: map[string]Ix{from: At(to)}, fresh: true}
	return r.inside(t)
}

// A Rewriter replaces free index names, categories and atoms everywhere in a term.
type Rewriter struct {
	Names map[string]Ix            // index name -> index
	Cats  map[string]Ix            // key of a category atom -> the index it is known to equal
	Atom  func(*Atom) (Poly, bool) // replaces an atom outright; seen after its indices were rewritten
	Cat   func(*Atom) (Ix, bool)   // replaces an index by category; seen after its own indices were rewritten

	fresh bool            // what is put in is new: nothing can capture it
	taken map[string]bool // the names in Cats and in what is put in, once known
}

// captures reports whether a sum over that name would capture what is put in, or hide a category that is to be replaced.
func (r *Rewriter) captures(name string) bool {
	if r.fresh {
		return false
	}
	if r.taken == nil {
		r.taken = map[string]bool{}
		for _, x := range r.Names {
			ixNames([]Ix{x}, r.taken)
		}
		for key, x := range r.Cats {
			ixNames([]Ix{x}, r.taken)
			for _, n := range strings.FieldsFunc(key, func(c rune) bool { return strings.ContainsRune("[](),; +-", c) }) {
				r.taken[n] = true
			}
		}
	}
	return r.taken[name]
}

func (r *Rewriter) ix(x Ix) Ix {
	if x.Cat != nil {
		if y, ok := r.Cats[x.Cat.Key()]; ok {
			y.Add += x.Add
			return y
		}
		ix := r.ixs(x.Cat.Ix)
		c := x.Cat
		if !sameIx(ix, c.Ix) {
			c = &Atom{Fn: c.Fn, Var: c.Var, Name: c.Name, Ix: ix}
		}
		if y, ok := r.Cats[c.Key()]; ok {
			y.Add += x.Add
			return y
		}
		if r.Cat != nil {
			if y, ok := r.Cat(c); ok {
				y.Add += x.Add
				return y
			}
		}
		return Ix{Cat: c, Add: x.Add}
	}
	if y, ok := r.Names[x.Name]; ok && x.Name != "" {
		y.Add += x.Add
		return y
	}
	return x
}

func (r *Rewriter) ixs(ix []Ix) []Ix {
	if len(ix) == 0 {
		return ix
	}
	out := make([]Ix, len(ix))
	for i, x := range ix {
		out[i] = r.ix(x)
	}
	return out
}

func sameIx(a, b []Ix) bool {
	return slices.EqualFunc(a, b, func(x, y Ix) bool { return x.String() == y.String() })
}

func (r *Rewriter) guard(g Guard) Guard {
	g.L, g.R, g.Of = r.ixs(g.L), r.ixs(g.R), r.ixs(g.Of)
	return g
}

// inside rewrites the factors, guards and binder parents of t; the result may have become a sum elsewhere, so
// atoms that turn into sums are closed.
func (r *Rewriter) inside(t Term) Term {
	p := r.Term(t)
	if len(p) == 1 {
		return p[0]
	}
	return Term{}
}

// Ix rewrites an index.
func (r *Rewriter) Ix(x Ix) Ix { return r.ix(x) }

// Poly rewrites every term.
func (r *Rewriter) Poly(p Poly) Poly {
	var out Poly
	for _, t := range p {
		out = append(out, r.Term(t)...)
	}
	return out.merge()
}

// within rewrites the terms of an atom's argument. A sum in there over a name that stands outside for something else, in what
// is put in or in a category to be replaced, gets another name first: [z[m] = k] says nothing of the z[m] in Σ_m z[m].
func (r *Rewriter) within(p Poly) Poly {
	var out Poly
	for _, t := range p {
		for _, b := range t.Over {
			if !r.captures(b.Name) {
				continue
			}
			used := map[string]bool{}
			t.names(used)
			name := b.Name + "'"
			for used[name] || r.captures(name) {
				name += "'"
			}
			t = t.rename(b.Name, name)
		}
		out = append(out, r.Term(t)...)
	}
	return out.merge()
}

// Term rewrites one term. Names bound in it shadow the rewriter's.
func (r *Rewriter) Term(t Term) Poly {
	q := r
	for _, b := range t.Over {
		if _, ok := r.Names[b.Name]; ok {
			names := map[string]Ix{}
			for k, v := range r.Names {
				names[k] = v
			}
			for _, b := range t.Over {
				delete(names, b.Name)
			}
			q = &Rewriter{Names: names, Cats: r.Cats, Atom: r.Atom, Cat: r.Cat, fresh: r.fresh}
			break
		}
	}
	out := Term{C: t.C}
	for _, b := range t.Over {
		b.Of = q.ixs(b.Of)
		out.Over = append(out.Over, b)
	}
	for _, g := range t.Guards {
		out.Guards = append(out.Guards, q.guard(g))
	}
	res := Poly{out}
	for _, f := range t.F {
		res = mulInto(res, Pow(q.atom(f.A), f.P))
		if len(res) == 0 {
			return nil
		}
	}
	return res
}

// mulInto multiplies a single-term Poly by another, closed.
func mulInto(p, q Poly) Poly {
	if c, ok := q.Constant(); ok {
		return p.Scale(c)
	}
	q = q.Close()
	if len(p) == 0 || len(q) == 0 {
		return nil
	}
	return Poly{mulTerm(p[0], q[0])}
}

func (r *Rewriter) atom(a *Atom) Poly {
	b := a
	ix := r.ixs(a.Ix)
	switch a.Fn {
	case ClosedAtom:
		p := r.within(a.Args[0])
		if len(p) == 1 {
			if len(p[0].Over) > 0 || len(p[0].Guards) > 0 {
				return (&Atom{Fn: ClosedAtom, Args: []Poly{p}}).Poly()
			}
			return p
		}
		return p.Close()
	case CallAtom:
		args := make([]Poly, len(a.Args))
		for i, p := range a.Args {
			args[i] = r.within(p)
		}
		return Apply(a.Name, args...)
	default:
		if !sameIx(ix, a.Ix) {
			b = &Atom{Fn: a.Fn, Var: a.Var, Name: a.Name, Ix: ix, Plate: a.Plate}
		}
	}
	if r.Atom != nil {
		if p, ok := r.Atom(b); ok {
			return p
		}
	}
	return b.Poly()
}

// Product returns s·t as one term.
func Product(s, t Term) Term { return mulTerm(s, t) }

// Merge adds like terms.
func (p Poly) Merge() Poly { return p.merge() }

// Same reports whether two indices are written alike.
func Same(a, b Ix) bool { return a.String() == b.String() }

// shiftOf splits an index into what it is built on and its shift.
func shiftOf(x Ix) (base string, add int) {
	add = x.Add
	x.Add = 0
	if x.Name == "" && x.Cat == nil {
		return "", add
	}
	return x.String(), add
}

// Compare decides whether two indices are equal for certain (1), different for certain (-1), or neither (0).
func Compare(a, b Ix) int {
	ab, aa := shiftOf(a)
	bb, ba := shiftOf(b)
	if ab != bb {
		return 0
	}
	if aa == ba {
		return 1
	}
	return -1
}

// Simplify closes the guards of t: known equalities are substituted everywhere, binders that an equality or an absence
// of mentions makes idle are eliminated, decided guards go. It reports false if the term is zero.
func (t Term) Simplify() (Poly, bool) {
	for {
		changed := false
		if t.C == 0 {
			return nil, false
		}
		var gs []Guard
		seen := map[string]bool{}
		for _, g := range t.Guards {
			switch g.Rel {
			case Eq:
				for i := range g.L {
					switch Compare(g.L[i], g.R[i]) {
					case 1:
					case -1:
						return nil, false
					default:
						e := Guard{Rel: Eq, L: g.L[i : i+1], R: g.R[i : i+1]}
						if !seen[e.String()] {
							seen[e.String()] = true
							gs = append(gs, e)
						}
					}
				}
			case Ne:
				n := Guard{Rel: Ne}
				certain := false
				for i := range g.L {
					switch Compare(g.L[i], g.R[i]) {
					case 1:
					case -1:
						certain = true
					default:
						n.L = append(n.L, g.L[i])
						n.R = append(n.R, g.R[i])
					}
				}
				if certain {
					continue
				}
				if len(n.L) == 0 {
					return nil, false
				}
				if !seen[n.String()] {
					seen[n.String()] = true
					gs = append(gs, n)
				}
			case In:
				x := g.L[0]
				if x.Name == "" && x.Cat == nil && x.Add < g.Lo {
					return nil, false
				}
				// A name or category is in its own plate; a level of an ordinal response may lie beyond the last cutpoint.
				if (x.Name != "" || x.Cat != nil && x.Cat.Var.Type.Of == g.Plate) && x.Add == 0 && g.Lo == 0 && g.Hi == 0 {
					continue
				}
				if x.Name == "" && x.Cat == nil && x.Add >= g.Lo && g.Hi == 0 && x.Add == 0 && g.Plate.Over == nil {
					continue // plates have at least one element, but the lists of a ragged one may be empty
				}
				if !seen[g.String()] {
					seen[g.String()] = true
					gs = append(gs, g)
				}
			}
		}
		t.Guards = gs
		if t.contradicts() {
			return nil, false
		}

		for gi, g := range t.Guards {
			if g.Rel != Eq {
				continue
			}
			l, r := g.L[0], g.R[0]
			if bi := t.binder(l, r); bi >= 0 {
				u, ok := t.eliminate(gi, bi, l, r)
				if ok {
					t, changed = u, true
					break
				}
			}
			if bi := t.binder(r, l); bi >= 0 {
				u, ok := t.eliminate(gi, bi, r, l)
				if ok {
					t, changed = u, true
					break
				}
			}
			// A category that is known: put its value wherever it stands.
			if l.Cat == nil && r.Cat != nil {
				l, r = r, l
			}
			if l.Cat != nil && l.Add == 0 && (r.Cat == nil || r.Cat.Key() > l.Cat.Key() || r.Cat.Var.Name == "$t") && !(l.Cat.Var.Name == "$t" && r.Cat != nil) {
				rest := t
				rest.Guards = slices.Delete(slices.Clone(t.Guards), gi, gi+1)
				if !rest.mentionsCat(l.Cat.Key()) {
					continue
				}
				rw := Rewriter{Cats: map[string]Ix{l.Cat.Key(): r}}
				p := rw.Term(rest)
				if len(p) == 0 {
					return nil, false
				}
				t = p[0]
				t.Guards = append(slices.Clone(t.Guards), Guard{Rel: Eq, L: []Ix{l}, R: []Ix{r}})
				changed = true
				break
			}
		}
		if changed {
			continue
		}
		// A binder that nothing mentions counts the elements of its plate.
		for i, b := range t.Over {
			rest := t
			rest.Over = slices.Delete(slices.Clone(t.Over), i, i+1)
			used := map[string]bool{}
			rest.names(used)
			if used[b.Name] {
				continue
			}
			p := mulInto(Poly{rest}, b.count())
			t, changed = p[0], true
			break
		}
		if !changed {
			t = t.dropTrivialClosed()
			return Poly{t}, true
		}
	}
}

// count returns the number of elements that the binder runs over.
func (o Bind) count() Poly {
	size := (&Atom{Fn: SizeAtom, Plate: o.Plate, Ix: o.Of}).Poly()
	less := o.Lo - o.Hi
	if less == 0 {
		return size
	}
	size = Add(size, Number(float64(-less)))
	if less == 1 && o.Plate.Over == nil {
		return size // plates have at least one element
	}
	return Apply("max", nil, size) // a chain that is too short has no such element, not a negative number of them
}

// literals calls fn for every guard of t but i, as it reads with the literal that the i-th, [x = 2], gives to a free name.
func (t Term) literals(fn func(old, known Guard)) {
	for i, g := range t.Guards {
		if g.Rel != Eq {
			continue
		}
		x, lit := g.L[0], g.R[0]
		if x.Name == "" && x.Cat == nil {
			x, lit = lit, x
		}
		if x.Name == "" || lit.Name != "" || lit.Cat != nil || slices.ContainsFunc(t.Over, func(b Bind) bool { return b.Name == x.Name }) {
			continue
		}
		rw := Rewriter{Names: map[string]Ix{x.Name: {Add: lit.Add - x.Add}}}
		for j, h := range t.Guards {
			if j != i {
				fn(h, rw.guard(h))
			}
		}
	}
}

// contradicts reports whether the literal values of free names make another guard false: [i = 0][i = 1].
func (t Term) contradicts() bool {
	never := false
	t.literals(func(_, g Guard) {
		all, none := true, false
		for k := range g.L {
			if g.Rel != In {
				c := Compare(g.L[k], g.R[k])
				all, none = all && c > 0, none || c < 0
			}
		}
		switch g.Rel {
		case Eq:
			never = never || none
		case Ne:
			never = never || all
		case In:
			x := g.L[0]
			never = never || x.Name == "" && x.Cat == nil && x.Add < g.Lo
		}
	})
	return never
}

// Settle drops the inequalities that go without saying once the cases of a target have been told apart: with [i = 0], [i ≠ 1], and
// [j ≠ i] of a j that starts at 1. (While they are being told apart, Touch needs them.)
func (p Poly) Settle() Poly {
	out := slices.Clone(p)
	for i, t := range out {
		idle := map[string]bool{}
		t.literals(func(old, g Guard) {
			if g.Rel != Ne {
				return
			}
			for k := range g.L {
				if Compare(g.L[k], g.R[k]) < 0 || t.below(g.L[k], g.R[k]) || t.below(g.R[k], g.L[k]) {
					idle[old.String()] = true
				}
			}
		})
		if len(idle) > 0 {
			out[i].Guards = slices.DeleteFunc(slices.Clone(t.Guards), func(g Guard) bool { return idle[g.String()] })
		}
	}
	return out.SimplifyAll()
}

// below reports whether the literal x lies below all values that y takes in t.
func (t Term) below(x, y Ix) bool {
	if x.Name != "" || x.Cat != nil || y.Name == "" {
		return false
	}
	i := slices.IndexFunc(t.Over, func(b Bind) bool { return b.Name == y.Name })
	return i >= 0 && x.Add < t.Over[i].Lo+y.Add
}

// dropTrivialClosed multiplies out closed sums of power one that hold a single term.
func (t Term) dropTrivialClosed() Term {
	for i, f := range t.F {
		if f.A.Fn == ClosedAtom && f.P == 1 && len(f.A.Args[0]) == 1 {
			rest := t
			rest.F = slices.Delete(slices.Clone(t.F), i, i+1)
			return mulTerm(rest, f.A.Args[0][0]).dropTrivialClosed()
		}
	}
	return t
}

// binder returns the position of the binder that x is a plain shift of, unless y depends on it too.
func (t Term) binder(x, y Ix) int {
	if x.Name == "" {
		return -1
	}
	if FreeOf([]Ix{y})[x.Name] {
		return -1
	}
	return slices.IndexFunc(t.Over, func(b Bind) bool { return b.Name == x.Name })
}

// eliminate substitutes the binder bi, for which name+a = y, and keeps its range as a guard. It declines if y depends
// on a binder that comes later and whose range depends on this one.
func (t Term) eliminate(gi, bi int, x, y Ix) (Term, bool) {
	b := t.Over[bi]
	val := y
	val.Add -= x.Add
	rest := Term{C: t.C, F: t.F}
	rest.Over = slices.Delete(slices.Clone(t.Over), bi, bi+1)
	rest.Guards = slices.Delete(slices.Clone(t.Guards), gi, gi+1)
	// A ragged index may only be replaced by one of the same list: keep [parent = parent'] out of it by declining
	// when the value is bound later with a parent that depends on b.
	for _, o := range rest.Over {
		if o.Name == y.Name && FreeOf(o.Of)[b.Name] {
			return t, false
		}
	}
	rw := Rewriter{Names: map[string]Ix{b.Name: val}}
	p := rw.Term(rest)
	if len(p) == 0 {
		return Term{}, true
	}
	out := p[0]
	if b.Lo != 0 || b.Hi != 0 || val.Add != 0 {
		out.Guards = append(slices.Clone(out.Guards), Guard{Rel: In, L: []Ix{val}, Plate: b.Plate, Of: b.Of, Lo: b.Lo, Hi: b.Hi})
	}
	return out, true
}

func (t Term) mentionsCat(key string) bool {
	found := false
	t.WalkIx(func(x Ix) {
		if x.Cat != nil && x.Cat.Key() == key {
			found = true
		}
	})
	return found
}

// WalkIx calls fn for every index in t, those inside atoms and categories included.
func (t Term) WalkIx(fn func(Ix)) {
	for _, b := range t.Over {
		walkIxs(b.Of, fn)
	}
	for _, g := range t.Guards {
		walkIxs(g.L, fn)
		walkIxs(g.R, fn)
		walkIxs(g.Of, fn)
	}
	for _, f := range t.F {
		f.A.WalkIx(fn)
	}
}

// WalkIx calls fn for every index in the atom.
func (a *Atom) WalkIx(fn func(Ix)) {
	walkIxs(a.Ix, fn)
	for _, p := range a.Args {
		for _, t := range p {
			t.WalkIx(fn)
		}
	}
}

func walkIxs(ix []Ix, fn func(Ix)) {
	for _, x := range ix {
		fn(x)
		if x.Cat != nil {
			walkIxs(x.Cat.Ix, fn)
		}
	}
}

// Reaches reports whether the atom reads what there may not be: an element by its number, or a neighbour. It is then to be read only
// where the conditions hold that it stands under.
func (a *Atom) Reaches() bool {
	found := false
	Term{F: []Fac{{A: a, P: 1}}}.WalkAtoms(func(b *Atom) {
		for i, x := range b.Ix {
			switch {
			case b.Fn == IndexAtom:
			case x.Add != 0:
				found = true
			case x.Name == "" && x.Cat == nil: // a ragged plate may have not even a first element
				found = found || b.Var == nil || i < len(b.Var.Axes) && b.Var.Axes[i].Over != nil
			}
		}
	})
	return found
}

// WalkAtoms calls fn for every atom in t: factors, what they contain, and categories.
func (t Term) WalkAtoms(fn func(*Atom)) {
	for _, f := range t.F {
		f.A.WalkAtoms(fn)
	}
	t.WalkIx(func(x Ix) {
		if x.Cat != nil {
			fn(x.Cat)
		}
	})
}

// WalkAtoms calls fn for the atom and every atom in its arguments (categories in indices not included).
func (a *Atom) WalkAtoms(fn func(*Atom)) {
	fn(a)
	for _, p := range a.Args {
		for _, t := range p {
			for _, f := range t.F {
				f.A.WalkAtoms(fn)
			}
		}
	}
}

// SimplifyAll simplifies every term and merges.
func (p Poly) SimplifyAll() Poly {
	var out Poly
	for _, t := range p {
		if q, ok := t.Simplify(); ok {
			out = append(out, q...)
		}
	}
	return out.merge()
}
