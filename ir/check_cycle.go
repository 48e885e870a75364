// This file holds the dependency graph: definitions must not go round in a circle, but may follow a chain along a plate.

package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// An edge says that element `at` of a variable is defined by element `to` of another.
type edge struct {
	from, to *Var
	at, ref  *Ref     // nil where a bound or a default is meant: then no order along a plate can save it
	over     []Binder // of the factor
}

// cycles reports circular definitions.
func (c *checker) cycles() {
	var edges []edge
	add := func(from *Var, at *Ref, over []Binder, es ...Expr) {
		for _, e := range es {
			if e == nil {
				continue
			}
			WalkExpr(e, func(e Expr) {
				if r, ok := e.(*Ref); ok {
					edges = append(edges, edge{from, r.Var, at, r, over})
				}
			})
		}
	}
	for _, f := range c.facts {
		add(f.X.Var, f.X, f.Over, append([]Expr{f.Lo, f.Hi}, f.Args...)...)
	}
	for _, v := range c.m.Vars {
		if v.Role == dsl.Const {
			add(v, nil, nil, v.Default, v.Support.Lo, v.Support.Hi)
		}
	}
	if loop := unordered(c.m.Vars, edges, nil); loop != nil {
		c.reportCycle(loop, edges)
	}
}

// unordered returns a loop of variables that no order of definition allows, or nil.
func unordered(vars []*Var, edges []edge, used []*Plate) []*Var {
	comps := components(vars, edges)
	number := map[*Var]int{}
	for i, comp := range comps {
		for _, v := range comp {
			number[v] = i + 1
		}
	}
	within := make([][]edge, len(comps))
	for _, e := range edges {
		if i := number[e.from]; i > 0 && i == number[e.to] {
			within[i-1] = append(within[i-1], e)
		}
	}
	for i, comp := range comps {
		in := within[i]
		if len(in) == 0 {
			continue
		}
		if ok, loop := chains(comp, in, used); !ok {
			if loop == nil {
				loop = loopOf(comp, in)
			}
			return loop
		}
	}
	return nil
}

// chains reports whether some plate orders the definitions: every step goes one way along it or stays, and what stays is
// ordered in turn. If a plate orders all but a loop of steps that stay, it returns that loop.
func chains(comp []*Var, in []edge, used []*Plate) (ok bool, loop []*Var) {
	for _, p := range comp[0].Axes {
		if slices.Contains(used, p) && count(comp[0].Axes, p) < 2 {
			continue
		}
		for nth := range count(comp[0].Axes, p) {
			for _, way := range []int{-1, 1} {
				var stay []edge
				ok := true
				for _, e := range in {
					s, known := e.shift(p, nth)
					switch {
					case !known || s*way < 0:
						ok = false
					case s == 0:
						stay = append(stay, e)
					}
				}
				if !ok || len(stay) == len(in) {
					continue
				}
				inner := unordered(comp, stay, append(used, p))
				if inner == nil {
					return true, nil
				}
				loop = inner
			}
		}
	}
	return false, loop
}

func count(axes []*Plate, p *Plate) int {
	n := 0
	for _, q := range axes {
		if q == p {
			n++
		}
	}
	return n
}

func nthAxis(v *Var, p *Plate, nth int) int {
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

// shift returns how far along the nth axis of plate p the definition reaches; only its sign counts where one end is a literal.
func (e edge) shift(p *Plate, nth int) (int, bool) {
	if e.at == nil {
		return 0, false
	}
	i, j := nthAxis(e.from, p, nth), nthAxis(e.to, p, nth)
	if i < 0 || j < 0 || i >= len(e.at.Idx) || j >= len(e.ref.Idx) {
		return 0, false
	}
	x, r := e.at.Idx[i], e.ref.Idx[j]
	switch {
	case x.Cat != nil || r.Cat != nil:
		return 0, false
	case x.Name == r.Name:
		return r.Add - x.Add, true
	case r.Name == "": // x[t] <- x[1]
		for _, b := range e.over {
			if b.Name == x.Name && r.Add < b.Lo {
				return -1, true
			}
		}
	}
	return 0, false
}

// components returns the strongly connected components, in order of the first variable.
func components(vars []*Var, edges []edge) [][]*Var {
	next := map[*Var][]*Var{}
	for _, e := range edges {
		next[e.from] = append(next[e.from], e.to)
	}
	var comps [][]*Var
	index, low, on := map[*Var]int{}, map[*Var]int{}, map[*Var]bool{}
	var stack []*Var
	var visit func(v *Var) // Tarjan (1972)
	visit = func(v *Var) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack, on[v] = append(stack, v), true
		for _, w := range next[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] == index[v] {
			at := len(stack) - 1
			for stack[at] != v {
				at--
			}
			comp := slices.Clone(stack[at:])
			for _, w := range comp {
				on[w] = false
			}
			stack = stack[:at]
			comps = append(comps, comp)
		}
	}
	for _, v := range vars {
		if index[v] == 0 {
			visit(v)
		}
	}
	return comps
}

// loopOf returns a shortest loop in a component, its first variable repeated at the end.
func loopOf(comp []*Var, in []edge) []*Var {
	next := map[*Var][]*Var{}
	for _, e := range in {
		next[e.from] = append(next[e.from], e.to)
	}
	var best []*Var
	for _, start := range comp {
		prev := map[*Var]*Var{}
		queue := []*Var{start}
		for len(queue) > 0 {
			v := queue[0]
			queue = queue[1:]
			for _, to := range next[v] {
				if to == start {
					loop := []*Var{start}
					for w := v; w != start; w = prev[w] {
						loop = append(loop, w)
					}
					loop = append(loop, start)
					slices.Reverse(loop)
					if best == nil || len(loop) < len(best) {
						best = loop
					}
					queue = nil
					break
				}
				if prev[to] == nil {
					prev[to] = v
					queue = append(queue, to)
				}
			}
		}
	}
	return best
}

func (c *checker) reportCycle(loop []*Var, edges []edge) {
	var names []string
	for _, v := range loop {
		names = append(names, v.Name)
	}
	d := c.errorf(loop[0].Span, "cyclic", "cyclic definition: %s", strings.Join(names, " -> "))
	for i := range loop[1:] {
		for _, e := range edges {
			if e.from == loop[i] && e.to == loop[i+1] {
				d.Notes = append(d.Notes, c.place(fmt.Sprintf("%s depends on %s", e.from.Name, e.to.Name), e.ref.At))
				break
			}
		}
	}
	if len(loop) == 2 && len(loop[0].Axes) > 0 {
		d.Hint = "along a plate a definition may look back, as in `x[t-1]`, or forward, but not both"
	} else {
		d.Hint = "leave one of them out: what a variable is defined by cannot be defined by it"
	}
}
