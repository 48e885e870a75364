// This file holds prediction: how likely a further element of some data is, given the state, when every element has a
// category of its own. The weights by which that category is drawn say it: with one more pair (z, x),
//
//	p(z = t, x = v | state) ∝ W(t, v) = Π factors of the weight of t,
//
// where sums run over the elements that are there; so p(x = v | state) = Σ_t W(t, v) / Σ_v Σ_t W(t, v).

package plan

import (
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// ValueIndex is the name under which Given has the value of the further element.
const ValueIndex = "$x"

// A Prediction is the weight of a category split by the data element that it speaks of.
type Prediction struct {
	*Kernel
	X      *ir.Var
	Prior  []WeightFactor // without the element; the innermost index is in none
	Given  []WeightFactor // with it
	Proper bool           // the product of Given sums to 1 over the element's values, so that the sum of Prior is the denominator
}

// Predictions returns those that the model admits, and for each other kernel of categories why it has none.
func (p *Plan) Predictions() (out []*Prediction, why []string) {
	for _, k := range p.Kernels() {
		if k.Target.Var.Type.Elem != ir.Cat {
			continue
		}
		q, no := k.prediction(p.Model)
		if no != "" {
			why = append(why, k.Target.Var.Name+": "+no)
			continue
		}
		out = append(out, q)
	}
	return out, why
}

// prediction splits the kernel's weights, or says why not.
func (k *Kernel) prediction(m *ir.Model) (*Prediction, string) {
	z := k.Target.Var
	factors, ok := k.products()
	switch {
	case k.Urn != nil:
		return nil, fmt.Sprintf("its plate %s is unbounded", z.Type.Of.Name)
	case z.Role != dsl.Local || len(k.Loops) == 0 || len(k.Loops) != len(z.Axes):
		return nil, "it is not a local with an element for each element of some data"
	case !ok:
		return nil, "the weights of its values are no products of probabilities"
	}
	inner := k.Loops[len(k.Loops)-1]
	var at *ir.Atom // x[J]
	no := ""
	for _, t := range k.LogT {
		t.WalkAtoms(func(a *ir.Atom) {
			switch {
			case a.Fn == ir.SizeAtom && a.Plate == inner.Plate:
				no = fmt.Sprintf("its weights depend on the size of %s", inner.Plate.Name)
			case a.Var == nil || a.Var.Role != dsl.Data || !ir.FreeOf(a.Ix)[inner.Name]:
			case at == nil:
				at = a
			case at.Key() != a.Key():
				no = fmt.Sprintf("its weights depend on %s and on %s", at.Var.Name, a.Var.Name)
			}
		})
	}
	switch {
	case no != "":
		return nil, no
	case at == nil:
		return nil, "its weights depend on no data of its own"
	}
	x := at.Var
	if no := k.alone(m, at); no != "" {
		return nil, no
	}
	out := &Prediction{Kernel: k, X: x}
	outer := false // whether Given depends on indices beside its own
	rw := &ir.Rewriter{Cats: map[string]ir.Ix{at.Key(): ir.At(ValueIndex)}}
	for _, f := range factors {
		if len(f.Guards) > 0 {
			return nil, "its weights have factors that hold for some values only"
		}
		f.Value = rw.Poly(f.Value)
		free := map[string]bool{}
		for _, t := range f.Value {
			for n := range t.Free() {
				free[n] = true
			}
		}
		switch {
		case free[inner.Name]:
			return nil, fmt.Sprintf("its weights depend on other elements than %s at the same place of %s", x.Name, inner.Plate.Name)
		case free[ValueIndex]:
			out.Given = append(out.Given, f)
			for _, b := range k.Loops {
				outer = outer || free[b.Name]
			}
		default:
			out.Prior = append(out.Prior, f)
		}
	}
	if out.Proper = len(out.Given) == 1 && isProbability(out.Given[0]); !out.Proper && outer {
		return nil, fmt.Sprintf("the probabilities of %s differ between the elements of %s", x.Name, k.Loops[0].Plate.Name)
	}
	return out, ""
}

// alone says what else the element x[J] has to do with, if anything: a further one then is not its category and value alone.
func (k *Kernel) alone(m *ir.Model, at *ir.Atom) string {
	x := at.Var
	if x.Type.Elem != ir.Cat {
		return fmt.Sprintf("%s is no category", x.Name)
	}
	if len(at.Ix) != len(k.Loops) || len(x.Axes) != len(k.Loops) {
		return fmt.Sprintf("%s does not run over the same plates", x.Name)
	}
	for i, ix := range at.Ix {
		if ix.Name != k.Loops[i].Name || ix.Add != 0 || ix.Cat != nil {
			return fmt.Sprintf("%s does not have the same indices", x.Name)
		}
	}
	own := 0
	for _, f := range m.Factors {
		if f.X.Var == x {
			own++
		}
		for _, e := range append(slices.Clone(f.Args), f.Lo, f.Hi) {
			if refersTo(e, x) {
				return fmt.Sprintf("%s decides something about %s too", x.Name, f.X.Var.Name)
			}
		}
	}
	for _, c := range m.Constraints {
		if refersTo(c.Y, x) || refersTo(c.L, x) || refersTo(c.R, x) {
			return fmt.Sprintf("%s is part of an observe statement", x.Name)
		}
	}
	if own != 1 {
		return fmt.Sprintf("%s has %d statements, not one", x.Name, own)
	}
	return ""
}

func refersTo(e ir.Expr, v *ir.Var) bool {
	found := false
	if e != nil {
		ir.WalkExpr(e, func(e ir.Expr) {
			r, ok := e.(*ir.Ref)
			found = found || ok && r.Var == v
		})
	}
	return found
}

// isProbability reports whether a factor is an element of a probability vector, the value its index.
func isProbability(f WeightFactor) bool {
	if f.Power != 1 || len(f.Value) != 1 {
		return false
	}
	t := f.Value[0]
	if t.C != 1 || len(t.Over)+len(t.Guards) > 0 || len(t.F) != 1 || t.F[0].P != 1 {
		return false
	}
	a := t.F[0].A
	if a.Fn != ir.RefAtom || a.Var.Support.Kind != ir.Simplex || len(a.Ix) == 0 {
		return false
	}
	n := len(a.Ix) - 1
	last := a.Ix[n]
	return last.Name == ValueIndex && last.Add == 0 && !ir.FreeOf(a.Ix[:n])[ValueIndex]
}
