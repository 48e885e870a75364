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

// byUnit reports whether the first index of the accumulator is the unit of every local in it.
func (p *Plan) byUnit(acc *conjugacy.Accumulator) bool {
	if len(acc.Params) == 0 {
		return false
	}
	ok := true
	acc.Body.WalkAtoms(func(a *ir.Atom) {
		if a.Var != nil && a.Var.Role == dsl.Local {
			ok = ok && a.Var.Axes[0] == acc.Params[0].Plate && ir.Same(a.Ix[0], ir.At(acc.Params[0].Name))
		}
	})
	return ok
}

// coupling says what the draw of a local reads of other units, or changes for them; "" if nothing.
func (p *Plan) coupling(g *Group, k *Kernel) string {
	if k.Urn != nil {
		return fmt.Sprintf("opens and closes elements of %s, which are there for all units", k.Urn.Plate.Name)
	}
	unit := k.Target.J[0]
	why := ""
	look := func(t ir.Term) {
		t.WalkAtoms(func(a *ir.Atom) {
			switch {
			case why != "":
			case a.Fn == ir.AccAtom:
				i := slices.IndexFunc(p.Accs, func(acc *Acc) bool { return acc.Name == a.Name })
				if i < 0 || p.Accs[i].Sharing == Still || p.Accs[i].Sharing == Rows && ir.Same(a.Ix[0], unit) {
					return
				}
				acc := p.Accs[i]
				why = "reads " + conjugacy.NewNotation(p.Model, nil, acc.Params...).Poly(ir.Poly{acc.Body}) + ", which the locals of other units change" + p.gone(acc)
			case a.Var != nil && a.Var != k.Target.T && a.Var.Role == dsl.Local && (a.Var.Axes[0] != g.Plate || !ir.Same(a.Ix[0], unit)):
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
