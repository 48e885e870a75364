// This file holds units: which of them may be refreshed side by side, and where the accumulators that they move are kept then.

package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A Sharing says what workers that refresh units side by side do with an accumulator.
type Sharing int

const (
	// Still is an accumulator that no local moves: all read it.
	Still Sharing = iota
	// Rows is one of which each unit reads and moves a row of its own: all write to it.
	Rows
	// Whole is a table of whole numbers, for which order is nothing: each worker counts in a table of its own.
	Whole
	// Parts is a sum of real numbers: each block of units has a sum of its own, and these are added in the order of the blocks.
	Parts
)

// Units says what the units are, "" if there are none.
func (p *Plan) Units() string {
	if len(p.Locals) == 0 {
		return ""
	}
	var ps []string
	for _, g := range p.Locals {
		ps = append(ps, g.Plate.Name)
	}
	return "the elements of " + strings.Join(ps, ", then of ")
}

// SideBySide says whether units may be refreshed side by side, or why not.
func (p *Plan) SideBySide() string {
	switch {
	case len(p.Locals) == 0:
		return "There are no local units."
	case p.Coupled != "":
		return "The units, " + p.Units() + ", are refreshed one after the other: " + p.Coupled + "."
	}
	return "The units, " + p.Units() + ", are independent given the globals: several workers may refresh them side by side."
}

// unitPlate returns the plate of which a local's units are the elements.
func (p *Plan) unitPlate(v *ir.Var) *ir.Plate {
	if b := p.Model.Batch; b != nil && v.UnitAxes(b) > 0 {
		return b
	}
	return v.Axes[0]
}

// group returns the group of a local, a new one if it is the first.
func (p *Plan) group(v *ir.Var) *Group {
	plate := p.unitPlate(v)
	i := slices.IndexFunc(p.Locals, func(g *Group) bool { return g.Plate == plate })
	if i < 0 {
		i = len(p.Locals)
		p.Locals = append(p.Locals, &Group{Plate: plate})
	}
	return p.Locals[i]
}

// own reports whether the indices begin with those of the unit.
func (g *Group) own(ix, unit []ir.Ix) bool {
	for i := range g.Axes() {
		if i >= len(ix) || i >= len(unit) || !ir.Same(ix[i], unit[i]) {
			return false
		}
	}
	return true
}

// couple finds out whether units are independent given the globals: then Coupled is "", and every accumulator has its Sharing. A unit's
// draws may read the globals, its own locals, and accumulators of which it has a row of its own.
func (p *Plan) couple() {
	for _, acc := range p.Accs {
		acc.Sharing = p.sharing(acc)
	}
	for _, g := range p.Locals {
		for _, k := range g.Kernels {
			if why := p.coupling(g, k); why != "" {
				p.Coupled = "the draw of " + k.Label() + " " + why
				return
			}
		}
	}
}

// sharing returns what is done with an accumulator if units are independent.
func (p *Plan) sharing(acc *Acc) Sharing {
	switch {
	case !slices.ContainsFunc(acc.Moves, func(m conjugacy.Move) bool { return m.Var.Role == dsl.Local }):
		return Still
	case p.byUnit(acc.Accumulator):
		return Rows
	case len(acc.Params) > 0 && len(acc.Body.F) == 0 && acc.Body.C == float64(int32(acc.Body.C)):
		return Whole
	}
	return Parts
}

// byUnit reports whether the first indices of the accumulator are the unit of every local in it.
func (p *Plan) byUnit(acc *conjugacy.Accumulator) bool {
	var at []ir.Ix
	for _, b := range acc.Params {
		at = append(at, ir.At(b.Name))
	}
	ok := true
	acc.Body.WalkAtoms(func(a *ir.Atom) {
		if a.Var != nil && a.Var.Role == dsl.Local {
			g := &Group{Plate: p.unitPlate(a.Var)}
			ok = ok && g.own(a.Ix, at) && acc.Params[g.Axes()-1].Plate == g.Plate
		}
	})
	return ok
}

// coupling says what the draw of a local reads of other units, or changes for them; "" if nothing.
func (p *Plan) coupling(g *Group, k *Kernel) string {
	if k.Urn != nil {
		return fmt.Sprintf("opens and closes elements of %s, which are there for all units", k.Urn.Plate.Name)
	}
	unit := k.Target.J
	why := ""
	look := func(t ir.Term) {
		t.WalkAtoms(func(a *ir.Atom) {
			switch {
			case why != "":
			case a.Fn == ir.AccAtom:
				i := slices.IndexFunc(p.Accs, func(acc *Acc) bool { return acc.Name == a.Name })
				if i < 0 || p.Accs[i].Sharing == Still || p.Accs[i].Sharing == Rows && g.own(a.Ix, unit) {
					return
				}
				acc := p.Accs[i]
				why = "reads " + conjugacy.NewNotation(p.Model, nil, acc.Params...).Poly(ir.Poly{acc.Body}) + ", which the locals of other units change" + p.gone(acc)
			case a.Var != nil && a.Var != k.Target.T && a.Var.Role == dsl.Local && (p.unitPlate(a.Var) != g.Plate || !g.own(a.Ix, unit)):
				why = fmt.Sprintf("reads elements of %s that belong to other units", a.Var.Name)
			}
		})
	}
	each := func(q ir.Poly) {
		for _, t := range q {
			look(t)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(k.Params.Coef)) {
		each(k.Params.Coef[n])
	}
	each(k.LogT)
	each(k.Lo)
	each(k.Hi)
	for _, b := range k.Bounds {
		each(b.A)
		each(b.B)
		look(ir.Term{C: 1, Over: b.Over, Guards: b.Guards})
	}
	for _, acc := range p.Accs {
		for _, m := range acc.Moves {
			if m.Var == k.Target.Var {
				each(m.Delta)
			}
		}
	}
	return why
}

// gone names what is integrated out, if its conditional reads the accumulator: that is why it couples the units.
func (p *Plan) gone(acc *Acc) string {
	for _, c := range p.Collapsed {
		if c.Reads(acc.Name) {
			return ", since " + c.Target.Var.Name + " is integrated out"
		}
	}
	return ""
}

// Label names the target as the spec does: mu[k].
func (k *Kernel) Label() string {
	out := k.Target.Var.Name
	for i, b := range k.Loops {
		out += map[bool]string{true: "[", false: ", "}[i == 0] + k.Names[b.Name]
	}
	if len(k.Loops) > 0 {
		out += "]"
	}
	return out
}
