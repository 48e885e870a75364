// This file holds how accumulators follow the unknowns in them: touch again, applied to the sum itself.

package conjugacy

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// moves derives the update rules of every accumulator, for each unknown in it. What a rule sums over data alone becomes
// an accumulator too, so the list grows while it is walked.
func (a *Analysis) moves() {
	at := map[*ir.Var]int{}
	for i, c := range a.Conds {
		at[c.Target.Var] = i
	}
	for i := 0; i < len(a.Accs.List); i++ {
		acc := a.Accs.List[i]
		var movers []int // in the order of the conditionals
		for _, v := range mentioned(ir.Poly{acc.Body}) {
			if i, ok := at[v]; ok && v.Role == dsl.Local {
				movers = append(movers, i)
			}
		}
		slices.Sort(movers)
		for _, i := range movers {
			c := a.Conds[i]
			v, t := c.Target.Var, c.Target
			var delta ir.Poly
			for _, term := range t.Touch(ir.Poly{acc.Body}) {
				if len(term.Over) == 0 && t.dotted(term) {
					delta = append(delta, term) // (x - Σ_k L[k]·t[k])² is K products, opened it is K²
				} else {
					delta = append(delta, t.openTerm(term)...)
				}
			}
			delta = delta.Merge()
			whole := len(delta)
			if !c.Removed || !c.Reads(acc.Name) {
				delta = t.about(delta) // what is free of t cancels between old and new, but not where old is taken out for good
			}
			sep := &separator{reg: a.Accs, target: nil, scope: map[string]ir.Bind{}}
			for _, b := range acc.Params {
				sep.scope[b.Name] = b
			}
			for _, b := range t.Binders() {
				sep.scope[b.Name] = b
			}
			q, _ := sep.separate(delta)
			acc.Moves = append(acc.Moves, Move{Var: v, Target: t, Delta: q, Alone: alone(t, acc.Body) && len(delta) == whole})
		}
	}
}

// dotted reports whether the term sums over elements of the new value within a closed sum.
func (t *Target) dotted(term ir.Term) bool {
	return slices.ContainsFunc(term.F, func(f ir.Fac) bool {
		return f.A.Fn == ir.ClosedAtom && slices.ContainsFunc(f.A.Args[0], func(u ir.Term) bool { return len(u.Over) > 0 && Mentions(u, t.T) })
	})
}

// untangle finds the conditionals whose moves read what they change: of Σ_ij f(x[i], x[j]) the change with x[J] needs Σ_j f(·, x[j]),
// which moves too. The accumulators are put in an order in which such a sum comes before those that it reads, so that each
// is moved while the others, and the target itself, still are where they were.
func (a *Analysis) untangle() {
	conds := map[*ir.Var]*Conditional{}
	for _, c := range a.Conds {
		conds[c.Target.Var] = c
	}
	readers := map[string][]*Accumulator{} // whose moves read what moves with the same unknown
	for _, acc := range a.Accs.List {
		for _, m := range acc.Moves {
			c := conds[m.Var]
			for _, term := range m.Delta {
				term.WalkAtoms(func(at *ir.Atom) {
					if at.Fn == ir.AccAtom && a.Accs.Get(at.Name).movesWith(m.Var) {
						readers[at.Name] = append(readers[at.Name], acc)
						c.Entangled = true
					}
					c.Entangled = c.Entangled || at.Var == m.Var && c.Target.own(at)
				})
			}
		}
	}
	var order []*Accumulator
	done := map[string]bool{}
	var visit func(acc *Accumulator)
	visit = func(acc *Accumulator) {
		if done[acc.Name] {
			return
		}
		done[acc.Name] = true
		for _, reader := range readers[acc.Name] {
			visit(reader)
		}
		order = append(order, acc)
	}
	for _, acc := range a.Accs.List {
		visit(acc)
	}
	a.Accs.List = order
}

// movesWith reports whether the accumulator changes with the unknown.
func (acc *Accumulator) movesWith(v *ir.Var) bool {
	return slices.ContainsFunc(acc.Moves, func(m Move) bool { return m.Var == v })
}

// own reports whether the mention may be the target's own element.
func (t *Target) own(a *ir.Atom) bool {
	e, j := t.tuple(a)
	for i := range e {
		if ir.Compare(e[i], j[i]) < 0 {
			return false
		}
	}
	return true
}

// prune drops the accumulators that nothing reads: those of terms that turned out not to mention the target, once parted.
func (a *Analysis) prune() {
	read := map[string]bool{}
	var look func(p ir.Poly)
	look = func(p ir.Poly) {
		for _, t := range p {
			t.WalkAtoms(func(at *ir.Atom) {
				if at.Fn != ir.AccAtom || read[at.Name] {
					return
				}
				read[at.Name] = true
				if acc := a.Accs.Get(at.Name); acc != nil {
					for _, m := range acc.Moves {
						look(m.Delta)
					}
				}
			})
		}
	}
	conds := slices.Clone(a.Conds)
	for _, c := range a.Collapsed {
		conds = append(conds, c.Conditional)
	}
	for _, c := range conds {
		for _, p := range c.Params.Coef {
			look(p)
		}
		look(c.LogT)
	}
	for _, u := range a.Urns {
		look(u.Count)
	}
	a.Accs.List = slices.DeleteFunc(a.Accs.List, func(acc *Accumulator) bool { return !read[acc.Name] })
}

// Reads reports whether the conditional's parameters or weights read the accumulator.
func (c *Conditional) Reads(acc string) bool {
	for _, p := range c.Params.Coef {
		if reads(p, acc) {
			return true
		}
	}
	return reads(c.LogT, acc)
}

// alone reports whether each term of the sum belongs to exactly one element of the target, so that adding every element's
// part to zero gives the whole: the body mentions it at one place only.
func alone(t *Target, body ir.Term) bool {
	places := map[string]bool{}
	walkTerm(body, map[string]bool{}, false, func(a *ir.Atom, inner map[string]bool) {
		if !t.is(a) {
			return
		}
		key := ""
		e, _ := t.tuple(a)
		for _, x := range e {
			key += x.String() + ";"
			for n := range ir.FreeOf([]ir.Ix{x}) {
				if inner[n] {
					key += "inner" // a sum within the sum
					places[key+"2"] = true
				}
			}
		}
		places[key] = true
	})
	return len(places) == 1
}
