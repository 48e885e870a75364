// This file holds where each variable of a model occurs, so that deriving a conditional, or integrating out an unknown, takes
// what its own factors take, however many others the model has.

package conjugacy

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// An index lists by unknown what mentions it, each list in the order of the model.
type index struct {
	terms       map[*ir.Var][]int // positions in Density.Terms
	drawn       map[*ir.Var][]*ir.Factor
	constraints map[*ir.Var][]*ir.Constraint
	ends        map[*ir.Var][]supportEnd
}

// A supportEnd says that the elements of a factor's variable lie above (or below) at. It bounds the unknowns that at depends on, and the
// variable itself where other statements about it have another end, so that its support has none.
type supportEnd struct {
	factor *ir.Factor
	at     ir.Expr
	above  bool
}

// newIndex returns the index of the model and its density.
func newIndex(d *ir.Density) *index {
	x := &index{terms: map[*ir.Var][]int{}, drawn: map[*ir.Var][]*ir.Factor{}, constraints: map[*ir.Var][]*ir.Constraint{}, ends: map[*ir.Var][]supportEnd{}}
	for i, dt := range d.Terms {
		x.addTerm(i, dt)
	}
	for _, f := range d.Model.Factors {
		x.drawn[f.X.Var] = append(x.drawn[f.X.Var], f)
		x.addEnds(f)
	}
	for _, c := range d.Model.Constraints {
		es := []ir.Expr{c.Y, c.L}
		if c.R != nil {
			es = append(es, c.R)
		}
		if c.Cuts != nil {
			es = append(es, c.Cuts)
		}
		for _, v := range unknowns(es...) {
			x.constraints[v] = append(x.constraints[v], c)
		}
	}
	return x
}

// addTerm takes in a term of the density. A statement belongs to its own variable even where that cancels.
func (x *index) addTerm(i int, dt ir.DensityTerm) {
	own := dt.Src.X.Var
	x.terms[own] = append(x.terms[own], i)
	for _, v := range mentioned(dt.Poly) {
		if v != own {
			x.terms[v] = append(x.terms[v], i)
		}
	}
}

// together reports whether some term mentions both.
func (x *index) together(v, w *ir.Var) bool {
	return slices.ContainsFunc(x.terms[v], func(i int) bool {
		_, found := slices.BinarySearch(x.terms[w], i)
		return found
	})
}

// addEnds takes in the ends of the support of what the factor draws.
func (x *index) addEnds(f *ir.Factor) {
	if f.X.Var.Type.Elem != ir.Real || len(f.X.Shape()) > 0 {
		return
	}
	lo, hi := f.Ends()
	shared := f.X.Var.Support // of all statements about the variable
	for _, e := range []struct {
		supportEnd
		shared bool
	}{{supportEnd{f, lo, true}, shared.Lo != nil}, {supportEnd{f, hi, false}, shared.Hi != nil}} {
		if e.at == nil {
			continue
		}
		of := unknowns(e.at)
		if !e.shared && !slices.Contains(of, f.X.Var) {
			of = append(of, f.X.Var)
		}
		for _, v := range of {
			x.ends[v] = append(x.ends[v], e.supportEnd)
		}
	}
}

// unknowns returns the unknowns in the expressions, in order.
func unknowns(es ...ir.Expr) []*ir.Var {
	var out []*ir.Var
	seen := map[*ir.Var]bool{}
	for _, e := range es {
		ir.WalkExpr(e, func(e ir.Expr) {
			if r, ok := e.(*ir.Ref); ok && r.Var.Unknown() && !seen[r.Var] {
				seen[r.Var] = true
				out = append(out, r.Var)
			}
		})
	}
	return out
}

// mentioned returns the unknowns that p mentions, in order.
func mentioned(p ir.Poly) []*ir.Var {
	var out []*ir.Var
	seen := map[*ir.Var]bool{}
	for _, t := range p {
		t.WalkAtoms(func(a *ir.Atom) {
			if a.Var != nil && a.Var.Unknown() && !seen[a.Var] {
				seen[a.Var] = true
				out = append(out, a.Var)
			}
		})
	}
	return out
}
