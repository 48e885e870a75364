// This file holds simplification: guards decided, merged and used to eliminate indices.

package ir

import (
	"slices"
)

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
