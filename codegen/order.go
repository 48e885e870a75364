// This file holds the order of forward simulation: statements after what they depend on, and chains along a plate element by element.

package codegen

import (
	"maps"
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A node is one statement that draws something: a factor, or a constraint, which cuts data from unknowns.
type node struct {
	factor *ir.Factor
	cut    *ir.Constraint
	def    *ir.Ref // what is drawn
	over   []ir.Binder
	uses   []*ir.Ref
	plates []*ir.Plate // unbounded plates whose number in use it needs
}

// A dep says that node from refers to something that node to draws.
type dep struct {
	from, to *node
	ref      *ir.Ref
}

// nodes returns the statements of the model, sticks left out, and their dependences.
func (g *generator) nodes() (nodes []*node, deps []dep) {
	add := func(n *node, es ...ir.Expr) {
		for _, e := range es {
			anyRef(e, func(r *ir.Ref) bool {
				n.uses = append(n.uses, r)
				return false
			})
		}
		for _, p := range n.def.Var.Axes {
			if p.Unbounded {
				n.plates = append(n.plates, p)
			}
		}
		nodes = append(nodes, n)
	}
	for _, f := range g.model.Factors {
		if isGEM(f) {
			continue
		}
		args := f.Args
		if p := fromStick(f); p != nil && g.stick(p) != nil {
			args = append(slices.Clone(args), g.stick(p).Args...)
		}
		add(&node{factor: f, def: f.X, over: f.Over}, append([]ir.Expr{f.Lo, f.Hi}, args...)...)
	}
	for _, c := range g.model.Constraints {
		es := []ir.Expr{c.L, c.R}
		if c.Cuts != nil {
			es = append(es, c.Cuts)
		}
		add(&node{cut: c, def: c.Y, over: c.Over}, es...)
	}
	draws := map[*ir.Var][]int{} // positions of the nodes that draw elements of it
	var urns []int               // of those whose categories come from a stick
	for i, n := range nodes {
		draws[n.def.Var] = append(draws[n.def.Var], i)
		if n.factor != nil && fromStick(n.factor) != nil {
			urns = append(urns, i)
		}
	}
	for _, n := range nodes {
		var near []int // what it may depend on
		for _, r := range n.uses {
			near = append(near, draws[r.Var]...)
		}
		if len(n.plates) > 0 {
			near = append(near, urns...)
		}
		slices.Sort(near)
		for _, i := range slices.Compact(near) {
			m := nodes[i]
			for _, r := range n.uses {
				if r.Var == m.def.Var && mayMeet(n, r, m) {
					deps = append(deps, dep{n, m, r})
				}
			}
			if m.factor != nil && slices.Contains(n.plates, fromStick(m.factor)) {
				deps = append(deps, dep{n, m, nil})
			}
		}
	}
	return nodes, deps
}

// mayMeet reports whether r, as n uses it, may be an element that m draws: literal indices may rule it out.
func mayMeet(n *node, r *ir.Ref, m *node) bool {
	for i := range min(len(r.Idx), len(m.def.Idx)) {
		x, y := r.Idx[i], m.def.Idx[i]
		if x.Cat != nil {
			continue
		}
		lo, one := x.Add, x.Name == "" // the range of x is at least lo, or just lo
		for _, b := range n.over {
			if b.Name == x.Name {
				lo += b.Lo
			}
		}
		from, only := y.Add, y.Name == ""
		for _, b := range m.over {
			if b.Name == y.Name {
				from += b.Lo
			}
		}
		if one && only && lo != from || one && !only && lo < from || only && !one && isBinder(n, x.Name) && from < lo {
			return false
		}
	}
	return true
}

func isBinder(n *node, name string) bool {
	return slices.ContainsFunc(n.over, func(b ir.Binder) bool { return b.Name == name })
}

// components returns the strongly connected components of the nodes, each after those it depends on.
func components(nodes []*node, deps []dep) [][]*node {
	at := map[*node]int{}
	for i, n := range nodes {
		at[n] = i
	}
	next, prev := make([][]int, len(nodes)), make([][]int, len(nodes))
	for _, d := range deps {
		i, j := at[d.from], at[d.to]
		next[i], prev[j] = append(next[i], j), append(prev[j], i)
	}
	done := make([]bool, len(nodes))
	// reach returns what edges lead to from i by way of nodes that are not left out.
	reach := func(i int, edges [][]int, leftOut func(int) bool) map[int]bool {
		seen, queue := map[int]bool{i: true}, []int{i}
		for len(queue) > 0 {
			i, queue = queue[0], queue[1:]
			for _, j := range edges[i] {
				if !seen[j] && !leftOut(j) {
					seen[j] = true
					queue = append(queue, j)
				}
			}
		}
		return seen
	}
	var out [][]*node
	var visit func(i int)
	visit = func(i int) {
		if done[i] {
			return
		}
		ahead := reach(i, next, func(j int) bool { return done[j] }) // by way of what is done nothing else is reached
		both := reach(i, prev, func(j int) bool { return !ahead[j] })
		var comp []*node
		for _, j := range slices.Sorted(maps.Keys(both)) {
			done[j] = true
			comp = append(comp, nodes[j])
		}
		for _, j := range slices.Sorted(maps.Keys(ahead)) {
			visit(j)
		}
		out = append(out, comp)
	}
	for i := range nodes {
		visit(i)
	}
	return out
}

// shift returns how far along axis i of what n draws and axis j of what it refers to the dependence reaches; only its sign counts
// where one end is a literal.
func (d dep) shift(i, j int) (int, bool) {
	if d.ref == nil || i >= len(d.from.def.Idx) || j >= len(d.ref.Idx) {
		return 0, false
	}
	x, r := d.from.def.Idx[i], d.ref.Idx[j]
	switch {
	case x.Cat != nil || r.Cat != nil:
		return 0, false
	case x.Name == r.Name:
		return r.Add - x.Add, true
	case r.Name == "": // x[t] <- x[1]
		for _, b := range d.from.over {
			if b.Name == x.Name && r.Add < b.Lo {
				return -1, true
			}
		}
	}
	return 0, false
}

// nthAxis returns the axis of v that is its nth over the plate, or -1.
func nthAxis(v *ir.Var, p *ir.Plate, nth int) int {
	for i, q := range v.Axes {
		if q == p {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	return -1
}

// A chain is a plate along which every dependence goes one way or stays; stay are those that do.
type chain struct {
	plate *ir.Plate
	nth   int
	down  bool
	stay  []dep
}

// findChain looks for a plate that orders a component; used holds the axes that are fixed already.
func findChain(comp []*node, in []dep, fixed map[*node]map[int]ex) *chain {
	v := comp[0].def.Var
	for a, p := range v.Axes {
		if _, done := fixed[comp[0]][a]; done {
			continue
		}
		nth := 0
		for _, q := range v.Axes[:a] {
			if q == p {
				nth++
			}
		}
		for _, way := range []int{-1, 1} {
			c := &chain{plate: p, nth: nth, down: way > 0}
			ok := true
			for _, d := range in {
				s, known := d.shift(nthAxis(d.from.def.Var, p, nth), nthAxis(d.to.def.Var, p, nth))
				if nthAxis(d.from.def.Var, p, nth) < 0 || nthAxis(d.to.def.Var, p, nth) < 0 {
					known = false
				}
				switch {
				case !known || s*way < 0:
					ok = false
				case s == 0:
					c.stay = append(c.stay, d)
				}
			}
			if ok && len(c.stay) < len(in) {
				return c
			}
		}
	}
	return nil
}

// inOrder reports whether the plain loops of a single node visit every element after those it depends on.
func inOrder(n *node, in []dep) bool {
	for _, d := range in {
		before := false
		for i := range n.def.Idx {
			s, known := d.shift(i, i)
			if !known || s > 0 {
				return false
			}
			if s < 0 {
				before = true
				break
			}
		}
		if !before {
			return false
		}
	}
	return true
}
