// This file holds what a formula costs: the loops that evaluating it takes, as O(...) in plate names.

package conjugacy

import (
	"slices"
	"sort"
	"strings"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A Cost is a sum of products of plate sizes, the dearest only: what another product contains is left out. The empty
// Cost is O(1).
type Cost []loops

// loops is the plates of nested loops, sorted.
type loops []string

// CostOf returns the cost of evaluating p once for each value of params.
func CostOf(p ir.Poly, params ...ir.Bind) Cost {
	var c Cost
	for _, t := range p {
		c = c.Plus(costOfTerm(t, params)...)
	}
	return c
}

func costOfTerm(t ir.Term, params []ir.Bind) Cost {
	around := unpinned(append(slices.Clone(params), t.Over...), t.Guards)
	c := Cost{plates(around)}
	t.WalkAtoms(func(a *ir.Atom) {
		if len(a.Args) == 0 {
			return
		}
		// A sum inside is evaluated once for each value of the loops that it depends on.
		free := a.Free()
		ir.Term{C: 1, F: []ir.Fac{{A: a, P: 1}}}.WalkAtoms(func(b *ir.Atom) { free["$t"] = free["$t"] || b.Var != nil && b.Var.Name == "$t" })
		var on []ir.Bind
		for _, b := range around {
			if free[b.Name] {
				on = append(on, b)
			}
		}
		outer := plates(on)
		if p := Positions(a); p != nil {
			c = c.Plus(outer.times(p.Name, p.Name, p.Name)) // a matrix to factorise
		}
		for _, p := range a.Args {
			for _, m := range CostOf(p) {
				c = c.Plus(outer.times(m...))
			}
		}
	})
	return c.Plus()
}

// unpinned drops the loops that an equality does away with: of [i = j] one, of [k = z[n]] that over k.
func unpinned(binders []ir.Bind, guards []ir.Guard) []ir.Bind {
	binders = slices.Clone(binders)
	drop := func(x ir.Ix) bool {
		i := slices.IndexFunc(binders, func(b ir.Bind) bool { return x.Cat == nil && b.Name == x.Name })
		if i >= 0 {
			binders = slices.Delete(binders, i, i+1)
		}
		return i >= 0
	}
	for _, g := range guards {
		if g.Rel != ir.Eq {
			continue
		}
		for i := range g.L {
			if !drop(g.L[i]) {
				drop(g.R[i])
			}
		}
	}
	return binders
}

func plates(binders []ir.Bind) loops {
	var out loops
	for _, b := range binders {
		out = append(out, b.Plate.Name)
	}
	sort.Strings(out)
	return out
}

func (l loops) times(m ...string) loops {
	out := append(slices.Clone(l), m...)
	sort.Strings(out)
	return out
}

// within reports whether m has every loop of l.
func (l loops) within(m loops) bool {
	m = slices.Clone(m)
	for _, p := range l {
		i := slices.Index(m, p)
		if i < 0 {
			return false
		}
		m = slices.Delete(m, i, i+1)
	}
	return true
}

// Plus returns the sum.
func (c Cost) Plus(more ...loops) Cost {
	var out Cost
	all := append(slices.Clone(c), more...)
	for i, l := range all {
		if !slices.ContainsFunc(all[:i], func(m loops) bool { return l.within(m) }) &&
			!slices.ContainsFunc(all[i+1:], func(m loops) bool { return l.within(m) && len(l) < len(m) }) {
			out = append(out, l)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if len(out[i]) != len(out[j]) {
			return len(out[i]) > len(out[j])
		}
		return strings.Join(out[i], " ") < strings.Join(out[j], " ")
	})
	return out
}

// Times returns the cost of doing it once for each element of the plates.
func (c Cost) Times(plates ...string) Cost {
	if len(c) == 0 {
		c = Cost{nil}
	}
	var out Cost
	for _, l := range c {
		out = append(out, l.times(plates...))
	}
	return out.Plus()
}

// String prints the cost: O(1), O(D³), O(K·P² + N).
func (c Cost) String() string { return "O(" + c.inside() + ")" }

func (c Cost) inside() string {
	var sum []string
	for _, l := range c {
		var product []string
		for i := 0; i < len(l); {
			j := i
			for j < len(l) && l[j] == l[i] {
				j++
			}
			product = append(product, Power(l[i], float64(j-i)))
			i = j
		}
		if len(product) > 0 {
			sum = append(sum, strings.Join(product, "·"))
		}
	}
	if len(sum) == 0 {
		return "1"
	}
	return strings.Join(sum, " + ")
}
