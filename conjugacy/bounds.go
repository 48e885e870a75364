// This file holds constraints as factors: touching a linear inequality gives a bound on the target.

package conjugacy

import (
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A Bound is an inequality A·t + B > 0 (or < 0 where the datum Y is false) that holds for every value of Over for
// which the guards hold: min and max over the touch set give the interval of t.
type Bound struct {
	Over   []ir.Bind
	Guards []ir.Guard
	A, B   ir.Poly
	Y      *ir.Atom // the bool that decides the side; nil: always positive
}

// bounds returns the inequalities that the constraints and the supports of other variables put on the target.
func (a *Analysis) bounds(t *Target) ([]Bound, *dsl.Diag) {
	var out []Bound
	add := func(over []ir.Binder, guards []ir.Guard, diff ir.Poly, y *ir.Atom, span dsl.Span) *dsl.Diag {
		term := ir.Term{C: 1, Guards: guards, F: nil}
		for _, b := range over {
			term.Over = append(term.Over, ir.BindOf(b))
		}
		term.F = []ir.Fac{{A: &ir.Atom{Fn: ir.ClosedAtom, Args: []ir.Poly{diff}}, P: 1}}
		if y != nil {
			term.F = append(term.F, ir.Fac{A: &ir.Atom{Fn: ir.CallAtom, Name: "side", Args: []ir.Poly{y.Poly()}}, P: 1})
		}
		for _, u := range t.touch(term, nil, nil) {
			if !Mentions(u, t.T) {
				continue
			}
			if t.Var.Type.Elem != ir.Real {
				return &dsl.Diag{Code: "reducible", Span: span, Msg: fmt.Sprintf("the discrete unknown %s decides between which bounds something lies", t.Var.Name),
					Notes: []string{"what lies between them may fall apart, and moving one unknown at a time never lead from one part to the other"},
					Hint:  "let " + t.Var.Name + " decide about a mean or a scale"}
			}
			b := Bound{Over: u.Over, Guards: u.Guards}
			rest := ir.Term{C: u.C}
			for _, f := range u.F {
				if f.A.Fn == ir.CallAtom && f.A.Name == "side" {
					b.Y = f.A.Args[0][0].F[0].A
					continue
				}
				rest.F = append(rest.F, f)
			}
			for _, w := range t.openTerm(rest) {
				if !Mentions(w, t.T) {
					b.B = append(b.B, w)
					continue
				}
				s := t.split(w)
				if k, p := t.classify(s.F); k != PowT || p != 1 {
					return &dsl.Diag{Code: "constraint", Span: span, Msg: fmt.Sprintf("the constraint is not linear in %s", t.Var.Name),
						Hint: "only linear inequalities can be drawn from"}
				}
				b.A = append(b.A, s.Coef...)
			}
			out = append(out, b)
		}
		return nil
	}
	for _, c := range a.where.constraints[t.Var] {
		y := ir.Scalar(c.Y)[0].F[0].A
		l := ir.Scalar(c.L)
		if c.Cuts == nil {
			d := ir.Add(l, ir.Scalar(c.R).Scale(-1))
			if c.Less {
				d = d.Scale(-1)
			}
			if err := add(c.Over, nil, d, y, c.Span); err != nil {
				return nil, err
			}
			continue
		}
		plate := c.Cuts.Var.Axes[len(c.Cuts.Var.Axes)-1]
		for side, shift := range []int{-1, 0} {
			at := ir.Ix{Cat: y, Add: shift}
			ref := ir.RefTo(c.Cuts.Var, append(ixs(c.Cuts.Idx), at)...)
			d := ir.Add(l, ref.Poly().Scale(-1))
			if side == 1 {
				d = d.Scale(-1)
			}
			in := ir.Guard{Rel: ir.In, L: []ir.Ix{at}, Plate: plate}
			if err := add(c.Over, []ir.Guard{in}, d, nil, c.Span); err != nil {
				return nil, err
			}
		}
	}
	// An ordered vector: each element lies between its neighbours.
	if t.Var.Support.Ordered {
		last := len(t.J) - 1
		near := func(shift int) (ir.Guard, ir.Poly) {
			at := t.J[last]
			at.Add += shift
			ix := append(slices.Clone(t.J[:last]), at)
			return ir.Guard{Rel: ir.In, L: []ir.Ix{at}, Plate: t.Var.Axes[last]}, ir.RefTo(t.Var, ix...).Poly()
		}
		below, v := near(-1)
		above, w := near(1)
		out = append(out,
			Bound{Guards: []ir.Guard{below}, A: ir.Number(1), B: v.Scale(-1)},
			Bound{Guards: []ir.Guard{above}, A: ir.Number(-1), B: w})
	}
	// A support that ends at an unknown: Uniform(0, b) bounds b by every draw from it. And one that is the target's in some elements only.
	for _, e := range a.where.ends[t.Var] {
		d := ir.Add(ir.Scalar(e.factor.X), ir.Scalar(e.at).Scale(-1))
		if !e.above {
			d = d.Scale(-1)
		}
		if err := add(e.factor.Over, nil, d, nil, e.factor.Span); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func ixs(xs []ir.IndexExpr) []ir.Ix {
	out := make([]ir.Ix, len(xs))
	for i, x := range xs {
		out[i] = ir.IxOf(x)
	}
	return out
}
