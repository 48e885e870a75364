// This file finds the plates whose elements nothing but their numbers tells apart: the components of a mixture, topics, hidden
// states, factors.

package ir

import "slices"

// Exchangeable returns the plates of which the elements can be renumbered, in the unknowns over the plate and in the categories
// that are elements of it, without a change to the joint density. Chains may number them differently, so what is said of an element
// by its number is of no use: label switching (Stephens 2000, "Dealing with label switching in mixture models", JRSS B 62).
//
// A plate is one unless data, a constant, a list of another length for each element or a statement knows an element: by a number,
// by a shift, by a part of the plate, by an index used as a number, or by an order of values. The distributions of the catalogue
// treat the elements of a vector alike; only GEM breaks its stick in order, but of it the partition alone remains once it
// is integrated out, and it has to be.
func (m *Model) Exchangeable() []*Plate {
	var out []*Plate
	for _, p := range m.Plates {
		unknown := slices.ContainsFunc(m.Vars, func(v *Var) bool { return v.Unknown() && v.about(p) })
		if unknown && !m.known(p) {
			out = append(out, p)
		}
	}
	return out
}

// about reports whether v runs over p or has categories of it.
func (v *Var) about(p *Plate) bool { return slices.Contains(v.Axes, p) || v.Type.Of == p }

// known reports whether something tells elements of p apart.
func (m *Model) known(p *Plate) bool {
	for _, q := range m.Plates {
		if q == p && p.Over != nil || q.Over == p {
			return true
		}
	}
	for _, v := range m.Vars {
		given := !v.Unknown() && v.Def == nil // lets are substituted
		if v.about(p) && (given || v.Support.Ordered && v.Axes[len(v.Axes)-1] == p) {
			return true
		}
		if picks(p, v.Params, v.Support.Lo, v.Support.Hi) {
			return true
		}
	}
	for _, f := range m.Factors {
		if picks(p, f.Over, append([]Expr{f.X, f.Lo, f.Hi}, f.Args...)...) {
			return true
		}
	}
	for _, c := range m.Constraints {
		es := []Expr{c.Y, c.L}
		if c.R != nil {
			es = append(es, c.R)
		}
		if c.Cuts != nil {
			es = append(es, c.Cuts)
		}
		if picks(p, c.Over, es...) {
			return true
		}
	}
	return false
}

// picks reports whether expressions under these binders single out elements of p.
func picks(p *Plate, over []Binder, es ...Expr) bool {
	found := false
	binders := slices.Clone(over)
	each := func(fn func(Expr)) {
		for _, e := range es {
			if e != nil {
				WalkExpr(e, fn)
			}
		}
	}
	each(func(e Expr) {
		if s, ok := e.(*Sum); ok {
			binders = append(binders, s.Over)
		}
	})
	for _, b := range binders {
		found = found || b.Plate == p && (b.Lo != 0 || b.Hi != 0)
	}
	each(func(e Expr) {
		switch e := e.(type) {
		case *Ref:
			for i, x := range e.Idx {
				found = found || e.Var.Axes[i] == p && (x.Add != 0 || x.Name == "" && x.Cat == nil)
			}
		case *IndexVal:
			if c := e.Index.Cat; c != nil {
				found = found || c.Var.Type.Of == p
			}
			for _, b := range binders {
				found = found || b.Name == e.Index.Name && b.Plate == p
			}
		}
	})
	return found
}
