// This file holds substitution: renaming bound indices, replacing indices and atoms.

package ir

import (
	"slices"
	"strings"
)

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
