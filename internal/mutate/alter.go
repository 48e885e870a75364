// This file holds the ways in which derivations are altered.

package main

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A rewrite alters a term; it returns false to drop it.
type rewrite func(t ir.Term) (ir.Term, bool)

// conditional returns that of a variable, which the model has.
func conditional(a *conjugacy.Analysis, v string) *conjugacy.Conditional {
	return a.Conds[slices.IndexFunc(a.Conds, func(c *conjugacy.Conditional) bool { return c.Target.Var.Name == v })]
}

// changed rewrites the terms of p. It reports whether p is another now.
func changed(p *ir.Poly, fn rewrite) bool {
	before := p.CanonKey()
	var out ir.Poly
	for _, t := range *p {
		if u, ok := fn(t); ok {
			out = append(out, u)
		}
	}
	*p = out
	return p.CanonKey() != before
}

// inCoef alters the terms of a natural parameter.
func inCoef(v, name string, fn rewrite) func(*conjugacy.Analysis) bool {
	return func(a *conjugacy.Analysis) bool {
		c := conditional(a, v)
		p := c.Params.Coef[name]
		ok := changed(&p, fn)
		c.Params.Coef[name] = p
		return ok
	}
}

// inLog alters the terms of a log density.
func inLog(v string, fn rewrite) func(*conjugacy.Analysis) bool {
	return func(a *conjugacy.Analysis) bool { return changed(&conditional(a, v).LogT, fn) }
}

// inMoves alters the terms of every move with v.
func inMoves(v string, fn rewrite) func(*conjugacy.Analysis) bool {
	return func(a *conjugacy.Analysis) bool {
		ok := false
		for _, acc := range a.Accs.List {
			for i := range acc.Moves {
				if acc.Moves[i].Var.Name == v {
					ok = changed(&acc.Moves[i].Delta, fn) || ok
				}
			}
		}
		return ok
	}
}

func scaled(c float64) rewrite {
	return func(t ir.Term) (ir.Term, bool) {
		t.C *= c
		return t, true
	}
}

// unguarded drops the guards of a kind.
func unguarded(rel ir.Rel) rewrite {
	return func(t ir.Term) (ir.Term, bool) {
		t.Guards = slices.DeleteFunc(slices.Clone(t.Guards), func(g ir.Guard) bool { return g.Rel == rel })
		return t, true
	}
}

// captured gives two binders over one plate the same name, as a product without renaming would.
func captured(t ir.Term) (ir.Term, bool) {
	if len(t.Over) == 2 && t.Over[0].Plate == t.Over[1].Plate {
		first, second := t.Over[0], t.Over[1]
		t.Over = nil
		t = renamed(t, second.Name, first.Name)
		t.Over = []ir.Bind{first}
	}
	return t, true
}

// renamed replaces a free index name.
func renamed(t ir.Term, from, to string) ir.Term {
	return (&ir.Rewriter{Names: map[string]ir.Ix{from: ir.At(to)}}).Term(t)[0]
}

// renamedVar replaces a variable by another of the same shape.
func renamedVar(t ir.Term, from, to string) (ir.Term, bool) {
	var other *ir.Var
	t.WalkAtoms(func(a *ir.Atom) {
		if a.Var != nil && a.Var.Name == to {
			other = a.Var
		}
	})
	if other == nil {
		return t, true
	}
	return (&ir.Rewriter{Atom: func(a *ir.Atom) (ir.Poly, bool) {
		if a.Var != nil && a.Var.Name == from {
			return ir.RefTo(other, a.Ix...).Poly(), true
		}
		return nil, false
	}}).Term(t)[0], true
}
