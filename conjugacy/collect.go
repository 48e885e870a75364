// This file holds the second step: the touched terms as Σ coefficient · statistic(t).

package conjugacy

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A Stat is one statistic of the new value with its coefficient, the natural parameter. Positions in a block stand as
// the free indices #1, #2, ... in both.
type Stat struct {
	Key   string   // canonical text of F
	F     []ir.Fac // the factors that mention t
	Coef  ir.Poly
	Slots []*ir.Plate // the plates of #1, #2, ...
}

// Collect opens products along t and returns the statistics, sorted by key.
func (t *Target) Collect(p ir.Poly) []Stat {
	byKey := map[string]*Stat{}
	var keys []string
	for _, term := range t.open(p) {
		if !Mentions(term, t.T) {
			continue // what opening a square leaves of the rest
		}
		s := t.split(term)
		old, ok := byKey[s.Key]
		if !ok {
			byKey[s.Key] = &s
			keys = append(keys, s.Key)
			continue
		}
		old.Coef = append(old.Coef, s.Coef...)
	}
	sort.Strings(keys)
	var out []Stat
	for _, k := range keys {
		s := byKey[k]
		s.Coef = s.Coef.SimplifyAll()
		if len(s.Coef) > 0 {
			out = append(out, *s)
		}
	}
	return out
}

// inT reports whether the atom mentions t.
func (t *Target) inT(a *ir.Atom) bool {
	found := false
	ir.Term{C: 1, F: []ir.Fac{{A: a, P: 1}}}.WalkAtoms(func(b *ir.Atom) { found = found || b.Var == t.T })
	return found
}

// open multiplies out the closed sums that mention t, keeping what is free of t in them closed, until no product
// hides a statistic.
func (t *Target) open(p ir.Poly) ir.Poly {
	var out ir.Poly
	for _, term := range p {
		out = append(out, t.openTerm(term)...)
	}
	return out.Merge()
}

func (t *Target) openTerm(term ir.Term) ir.Poly {
	for i, f := range term.F {
		if !t.inT(f.A) {
			continue
		}
		rest := term
		rest.F = slices.Delete(slices.Clone(term.F), i, i+1)
		switch {
		case f.A.Fn == ir.ClosedAtom && f.P > 0 && f.P == math.Trunc(f.P) && f.P <= 4:
			// A product of two residuals is a square in the making: (x[p] - t[p])·(x[q] - t[q]).
			pair := slices.IndexFunc(rest.F, func(g ir.Fac) bool { return f.P == 1 && g.P == 1 && twins(f.A, g.A) && t.inT(g.A) })
			if pair < 0 {
				// An expansion may reveal products to open inside the parts.
				return t.open(ir.ExpandPower(rest, t.opened(f, f.P == 2), int(f.P)))
			}
			g := rest.F[pair]
			rest.F = slices.Delete(slices.Clone(rest.F), pair, pair+1)
			return t.open(ir.ExpandPower(rest, multiplied(t.opened(f, true), t.opened(g, true)), 1))
		case f.A.Fn == ir.CallAtom && f.A.Name == "exp" && len(f.A.Args[0]) > 1:
			with, without := ir.Poly{}, ir.Poly{}
			for _, u := range f.A.Args[0] {
				if Mentions(u, t.T) {
					with = append(with, u)
				} else {
					without = append(without, u)
				}
			}
			if len(without) == 0 {
				continue
			}
			q := ir.Mul(ir.Poly{rest}, ir.Pow(ir.Apply("exp", with), f.P), ir.Pow(ir.Apply("exp", without), f.P))
			return t.open(q)
		}
	}
	return ir.Poly{term}
}

// opened returns the terms of a closed sum, those free of t as one; where it is squared, about the target's reference if it has one.
func (t *Target) opened(f ir.Fac, squared bool) ir.Poly {
	with, without := ir.Poly{}, ir.Poly{}
	for _, u := range f.A.Args[0] {
		if Mentions(u, t.T) {
			with = append(with, u)
		} else {
			without = append(without, u)
		}
	}
	if squared {
		if about, ok := t.aboutReference(with, without); ok {
			return about
		}
	}
	return append(without.Close(), with...)
}

// aboutReference writes R + T, T linear in t, as (R + T°) - T° + T, where T° is T at the target's reference: the coefficient
// of t is then a sum of residuals about it, which other conditionals keep too.
func (t *Target) aboutReference(with, without ir.Poly) (ir.Poly, bool) {
	if t.references == nil || t.Var.Role != dsl.Global || t.Var.Type.Elem != ir.Real || t.Var.Support.Kind != ir.Line || len(without) == 0 {
		return nil, false
	}
	for _, u := range with {
		n := 0
		for _, f := range u.F {
			if t.inT(f.A) {
				n++
				if f.A.Fn != ir.RefAtom || f.A.Var != t.T || f.P != 1 {
					return nil, false
				}
			}
		}
		if n != 1 {
			return nil, false
		}
	}
	heavy := false
	for _, u := range without {
		u.WalkAtoms(func(a *ir.Atom) { heavy = heavy || heavyVar(a.Var) })
	}
	if !heavy {
		return nil, false
	}
	ref := t.references.reference(t.Var)
	if !slices.ContainsFunc(with, t.unscaled) {
		t.references.multiplied(t.Var)
	}
	at := (&ir.Rewriter{Atom: func(a *ir.Atom) (ir.Poly, bool) {
		if a.Fn != ir.RefAtom || a.Var != t.T {
			return nil, false
		}
		ix := make([]ir.Ix, 0, len(t.J))
		k := 0
		for i, b := range t.Block {
			if b {
				ix = append(ix, a.Ix[k])
				k++
			} else {
				ix = append(ix, t.J[i])
			}
		}
		return ir.RefTo(ref, ix...).Poly(), true
	}}).Poly(with)
	out := append(ir.Add(without, at).Close(), at.Scale(-1)...)
	return append(out, with...), true
}

// unscaled reports whether no other global that is a number multiplies the target in the term.
func (t *Target) unscaled(term ir.Term) bool {
	found := false
	term.WalkAtoms(func(a *ir.Atom) {
		found = found || a.Var != nil && a.Var != t.T && a.Var.Role == dsl.Global && a.Var.Type.Elem == ir.Real
	})
	return !found
}

// split parts a term into statistic and coefficient, and names the block positions.
func (t *Target) split(term ir.Term) Stat {
	var s Stat
	coef := ir.Term{C: term.C, Over: term.Over, Guards: term.Guards}
	type use struct {
		a *ir.Atom
		p float64
	}
	var uses []use
	for _, f := range term.F {
		if !t.inT(f.A) {
			coef.F = append(coef.F, f)
			continue
		}
		// $t[e]^2 of a block uses two positions.
		if f.A.Fn == ir.RefAtom && len(f.A.Ix) > 0 && f.P == math.Trunc(f.P) && f.P > 0 {
			for range int(f.P) {
				uses = append(uses, use{f.A, 1})
			}
			continue
		}
		uses = append(uses, use{f.A, f.P})
	}
	slot := 0
	var keys []string
	for _, u := range uses {
		a := u.a
		inner := a
		if a.Fn == ir.CallAtom && len(a.Args) == 1 && len(a.Args[0]) == 1 && len(a.Args[0][0].F) == 1 && a.Name == "log" {
			inner = a.Args[0][0].F[0].A
		}
		if inner.Var == t.T && len(inner.Ix) > 0 {
			ix := make([]ir.Ix, len(inner.Ix))
			for i, e := range inner.Ix {
				slot++
				name := "#" + strconv.Itoa(slot)
				ix[i] = ir.At(name)
				coef.Guards = append(slices.Clone(coef.Guards), ir.Guard{Rel: ir.Eq, L: []ir.Ix{e}, R: []ir.Ix{ir.At(name)}})
				axes := t.T.Axes
				s.Slots = append(s.Slots, axes[len(axes)-len(inner.Ix)+i])
			}
			b := &ir.Atom{Fn: inner.Fn, Var: inner.Var, Ix: ix}
			if inner != a {
				a = ir.Log(b.Poly())[0].F[0].A
			} else {
				a = b
			}
		}
		s.F = append(s.F, ir.Fac{A: a, P: u.p})
		k := a.Key()
		if u.p != 1 {
			k += "^" + strconv.FormatFloat(u.p, 'g', -1, 64)
		}
		keys = append(keys, k)
	}
	sort.Strings(keys)
	s.Key = strings.Join(keys, " ")
	s.Coef = ir.Poly{coef}
	return s
}
