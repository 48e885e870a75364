// This file holds how the values of a finite unknown are weighed: as products where every factor is a probability, in
// logarithms elsewhere; and what of the weights is computed once per global update instead of once per unit.

package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// weigh fills in Factors or LogW, and Tables.
func (k *Kernel) weigh(p *Plan) {
	h := &hoister{k: k, prefix: "tab" + exportable(k.Target.Var.Name)}
	if fs, ok := k.products(); ok {
		k.Factors = h.factors(fs)
		return
	}
	k.LogW = h.gather(h.sum(k.LogT))
}

// gather turns the plain rows over the values that remain into tables too, if there are tables already: what the inner loop
// reads of one value then lies side by side.
func (h *hoister) gather(p ir.Poly) ir.Poly {
	if len(h.k.Tables) == 0 {
		return p
	}
	rw := &ir.Rewriter{Atom: func(a *ir.Atom) (ir.Poly, bool) {
		if a.Fn != ir.RefAtom || len(a.Ix) != 1 || !h.plain(a.Poly()) || !unitFree(a) {
			return nil, false
		}
		at, ok := h.table(a.Poly())
		if !ok {
			return nil, false
		}
		return at.Poly(), true
	}}
	return rw.Poly(p)
}

func exportable(s string) string {
	r := []rune(s)
	if r[0] >= 'a' && r[0] <= 'z' {
		r[0] += 'A' - 'a'
	}
	return string(r)
}

// products reads Σ ± log p as Π p^±1: every term must be the logarithm of something to a power of one, with a small
// whole coefficient and no sum over it.
func (k *Kernel) products() ([]WeightFactor, bool) {
	if k.Target.Var.Type.Elem != ir.Cat {
		return nil, false
	}
	var out []WeightFactor
	for _, t := range k.LogT {
		if len(t.Over) > 0 || len(t.F) != 1 || t.F[0].P != 1 || t.C != math.Trunc(t.C) || math.Abs(t.C) > 3 {
			return nil, false
		}
		a := t.F[0].A
		if a.Fn != ir.CallAtom || a.Name != "log" {
			return nil, false
		}
		out = append(out, WeightFactor{Guards: t.Guards, Value: a.Args[0], Power: t.C})
	}
	return out, len(out) > 0
}

// A hoister moves what depends on $t and globals alone into tables.
type hoister struct {
	k      *Kernel
	prefix string
}

// local reports whether the kernel is run for many units between two global updates: only then a table pays.
// Categories of an unbounded plate come and go within a sweep.
func (h *hoister) local() bool { return h.k.Target.Var.Role == dsl.Local && h.k.Urn == nil }

// unitFree reports whether the atom's value, but for categories in its indices, depends on globals, constants and t only.
func unitFree(a *ir.Atom) bool {
	free := true
	var look func(a *ir.Atom)
	look = func(a *ir.Atom) {
		if a.Fn == ir.AccAtom || a.Var != nil && (a.Var.Role == dsl.Local || a.Var.Role == dsl.Data) && a.Var.Name != "$t" {
			free = false
		}
		for _, p := range a.Args {
			for _, t := range p {
				for _, f := range t.F {
					look(f.A)
				}
			}
		}
	}
	look(a)
	return free
}

// onT reports whether something mentions $t.
func (h *hoister) onT(t ir.Term) bool {
	found := false
	t.WalkAtoms(func(a *ir.Atom) { found = found || a.Var == h.k.Target.T })
	return found
}

// parametrise replaces $t and the other categories by parameters; ok is false if an index depends on the unit otherwise.
func (h *hoister) parametrise(p ir.Poly) (value ir.Poly, params []ir.Bind, args []ir.Ix, ok bool) {
	cats := map[string]ir.Ix{}
	tIx := ir.Ix{Cat: ir.RefTo(h.k.Target.T)}
	ok = true
	var names []string
	visit := func(x ir.Ix) {
		if x.Cat == nil {
			return
		}
		if x.Cat.Var == h.k.Target.T {
			cats[x.Cat.Key()] = ir.At("t")
			return
		}
		if x.Cat.Var.Role == dsl.Local || x.Cat.Var.Role == dsl.Data {
			ok = ok && !x.Cat.Var.Type.Of.Unbounded // its categories come and go while the table stands
			if _, seen := cats[x.Cat.Key()]; !seen {
				name := fmt.Sprintf("c%d", len(names)+1)
				names = append(names, name)
				cats[x.Cat.Key()] = ir.At(name)
				params = append(params, ir.Bind{Name: name, Plate: x.Cat.Var.Type.Of})
				args = append(args, ir.Ix{Cat: x.Cat})
			}
		}
	}
	for _, t := range p {
		t.WalkIx(visit)
	}
	value = (&ir.Rewriter{Cats: cats}).Poly(p)
	params = append(params, ir.Bind{Name: "t", Plate: h.k.Target.Var.Type.Of})
	args = append(args, tIx)
	for _, t := range value {
		for n := range t.Free() {
			ok = ok && slices.ContainsFunc(params, func(b ir.Bind) bool { return b.Name == n })
		}
	}
	return value, params, args, ok
}

// table returns an atom that reads the table of p, or p itself if it is not one. What is read where guards hold may be read there alone,
// and a table is made without them.
func (h *hoister) table(p ir.Poly, guards ...ir.Guard) (*ir.Atom, bool) {
	if !h.local() || h.k.Target.Var.Type.Elem != ir.Cat {
		return nil, false
	}
	value, params, args, ok := h.parametrise(p)
	if !ok || len(guards) > 0 && reaches(value) {
		return nil, false
	}
	key := value.CanonKey()
	for _, t := range h.k.Tables {
		if t.Value.CanonKey() == key && len(t.Params) == len(params) {
			return &ir.Atom{Fn: ir.AccAtom, Name: t.Name, Ix: args}, true
		}
	}
	t := &Table{Name: fmt.Sprintf("%s%d", h.prefix, len(h.k.Tables)+1), Params: params, Value: value}
	h.k.Tables = append(h.k.Tables, t)
	return &ir.Atom{Fn: ir.AccAtom, Name: t.Name, Ix: args}, true
}

// plain reports whether p is a single reference whose innermost index is $t: reading it is as quick as a table.
func (h *hoister) plain(p ir.Poly) bool {
	if len(p) != 1 || p[0].C != 1 || len(p[0].Over)+len(p[0].Guards) > 0 || len(p[0].F) != 1 || p[0].F[0].P != 1 {
		return false
	}
	a := p[0].F[0].A
	if a.Fn != ir.RefAtom || len(a.Ix) == 0 {
		return false
	}
	last := a.Ix[len(a.Ix)-1]
	return last.Cat != nil && last.Cat.Var == h.k.Target.T
}

// factors hoists a product: the factors of $t and globals alone become one table, those that also need other
// categories a table of their own.
func (h *hoister) factors(fs []WeightFactor) []WeightFactor {
	var out []WeightFactor
	common := ir.Number(1)
	n := 0
	for _, f := range fs {
		if len(f.Guards) > 0 || !allUnitFree(f.Value) {
			out = append(out, f)
			continue
		}
		_, params, _, ok := h.parametrise(f.Value)
		if ok && len(params) == 1 {
			common = ir.Mul(common, ir.Pow(f.Value, f.Power))
			n++
			continue
		}
		if at, ok := h.table(ir.Pow(f.Value, f.Power)); ok && !(h.plain(f.Value) && f.Power == 1) {
			out = append(out, WeightFactor{Value: at.Poly(), Power: 1})
			continue
		}
		out = append(out, f)
	}
	// A guarded factor keeps its guard and reads a table too.
	for i, f := range out {
		if len(f.Guards) > 0 && allUnitFree(f.Value) && !(h.plain(f.Value) && f.Power == 1) {
			if at, ok := h.table(ir.Pow(f.Value, f.Power), f.Guards...); ok {
				out[i] = WeightFactor{Guards: f.Guards, Value: at.Poly(), Power: 1}
			}
		}
	}
	switch {
	case n == 0:
	case h.plain(common):
		out = append(out, WeightFactor{Value: common, Power: 1})
	default:
		if at, ok := h.table(common); ok {
			out = append(out, WeightFactor{Value: at.Poly(), Power: 1})
		} else {
			out = append(out, WeightFactor{Value: common, Power: 1})
		}
	}
	return out
}

// reaches reports whether p reads what there may not be.
func reaches(p ir.Poly) bool {
	return slices.ContainsFunc(p, func(t ir.Term) bool {
		return slices.ContainsFunc(t.F, func(f ir.Fac) bool { return f.A.Reaches() })
	})
}

func allUnitFree(p ir.Poly) bool {
	for _, t := range p {
		for _, f := range t.F {
			if !unitFree(f.A) {
				return false
			}
		}
	}
	return true
}

// sum hoists in the log domain: whole terms of $t and globals alone go into one table, and so does, in each other
// term, the product of such factors unless it is a plain reference.
func (h *hoister) sum(p ir.Poly) ir.Poly {
	var whole, out ir.Poly
	for _, t := range p {
		if !h.onT(t) {
			continue
		}
		if len(t.Guards) == 0 && allUnitFree(ir.Poly{t}) {
			if _, params, _, ok := h.parametrise(ir.Poly{t}); ok && len(params) == 1 {
				whole = append(whole, t)
				continue
			}
		}
		light, rest := ir.Term{C: t.C}, t
		rest.C = 1
		rest.F = nil
		bound := map[string]bool{}
		for _, b := range t.Over {
			bound[b.Name] = true
		}
		for _, f := range t.F {
			within := false
			for n := range f.A.Free() {
				within = within || bound[n]
			}
			if !within && unitFree(f.A) {
				light.F = append(light.F, f)
			} else {
				rest.F = append(rest.F, f)
			}
		}
		if len(light.F) > 0 && h.onT(light) && !(light.C == 1 && h.plain(ir.Poly{light})) {
			if at, ok := h.table(ir.Poly{light}, t.Guards...); ok {
				rest.F = append([]ir.Fac{{A: at, P: 1}}, rest.F...)
				out = append(out, rest)
				continue
			}
		}
		out = append(out, t)
	}
	if len(whole) > 0 {
		if at, ok := h.table(whole); ok {
			out = append(at.Poly(), out...)
		} else {
			out = append(whole, out...)
		}
	}
	return out
}
