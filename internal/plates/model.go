// Package plates draws up plate diagrams: a model's variables as nodes, its index sets as plates around them, and an arrow
// from each variable to those whose distribution mentions it. This file says which nodes, plates and arrows there are; layout.go
// finds their places.
package plates

import (
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A Node is a variable. Boxes are in points, y downwards from the top of the diagram.
type Node struct {
	Name   string // with the axes of one draw, as Sigma[P, P]
	Detail string // its distribution, "" if it is given
	Kind   Kind
	Loop   string // the index at which it depends on itself, as t-1; "" if it does not
	Box    Box
	LoopAt Box // room for the loop and its text, at the right of Box
}

// A Kind says how a node is drawn.
type Kind int

// The kinds of nodes.
const (
	Constant  Kind = iota
	Given          // data
	Unknown        // drawn by the sampler
	Collapsed      // integrated out
)

// A Plate is a rectangle around nodes: there is one of each for every element of an index set. A set that crosses another one has
// several rectangles.
type Plate struct {
	Label   string // the set, and whether it is unbounded
	Box     Box
	LabelAt Box
}

// An Edge is an arrow.
type Edge struct {
	From, To *Node
	Path     []Point // joined by vertical lines, and by curves that begin and end vertically
}

// A Diagram is a model's plate diagram.
type Diagram struct {
	Width, Height float64
	Nodes         []*Node
	Plates        []*Plate // outer ones before inner ones
	Edges         []*Edge
}

// A Point is a place.
type Point struct{ X, Y float64 }

// A Box is a rectangle, Min its upper left corner.
type Box struct{ Min, Max Point }

// Of draws up a model's diagram. measure is the width of a text in points, at the size in which Name and labels (NameSize) or
// details (DetailSize) are written. The consts and data that nothing mentions are left out.
func Of(m *ir.Model, measure func(text string, size float64) float64) *Diagram {
	b := &builder{model: m, measure: measure, nodes: map[*ir.Var]*leaf{}, root: &group{}, diagram: &Diagram{}}
	uses := usesOf(m)
	mentioned := map[*ir.Var]bool{}
	for _, u := range uses {
		mentioned[u.from], mentioned[u.to] = true, true
	}
	for _, v := range m.Vars {
		if v.Role != dsl.Let && (mentioned[v] || v.Unknown()) {
			b.add(v, uses)
		}
	}
	drawn := map[[2]*ir.Var]bool{}
	for _, u := range uses {
		from, to := b.nodes[u.from], b.nodes[u.to]
		switch key := [2]*ir.Var{u.from, u.to}; {
		case from == nil || to == nil || drawn[key]:
		case from == to:
			from.node.Loop = u.loop
		default:
			drawn[key] = true
			e := &Edge{From: from.node, To: to.node}
			b.diagram.Edges = append(b.diagram.Edges, e)
			b.edges = append(b.edges, &edge{Edge: e, from: from, to: to})
		}
	}
	b.layout()
	return b.diagram
}

// A use is that of a variable in the statement of another one.
type use struct {
	from, to *ir.Var
	plates   int    // how many leading indices of from are those of the statement
	loop     string // if from is to: its index there
}

// usesOf lists the uses in a model, in source order.
func usesOf(m *ir.Model) []use {
	var out []use
	collect := func(to *ir.Ref, over []ir.Binder, exprs ...ir.Expr) {
		for _, e := range exprs {
			ir.WalkExpr(e, func(e ir.Expr) {
				r, ok := e.(*ir.Ref)
				if !ok || r == to {
					return
				}
				u := use{from: r.Var, to: to.Var}
				for u.plates < len(r.Idx) && slices.ContainsFunc(over, func(b ir.Binder) bool {
					return b.Name != "" && b.Name == r.Idx[u.plates].Name
				}) {
					u.plates++
				}
				if r.Var == to.Var {
					var at []string
					for _, ix := range r.Idx {
						if ix.Add != 0 {
							at = append(at, ix.String())
						}
					}
					u.loop = strings.Join(at, ", ")
				}
				out = append(out, u)
			})
		}
	}
	for _, f := range m.Factors {
		collect(f.X, f.Over, append(slices.Clone(f.Args), f.Lo, f.Hi)...)
		for _, ix := range f.X.Idx {
			if ix.Cat != nil {
				collect(f.X, f.Over, ix.Cat)
			}
		}
	}
	for _, c := range m.Constraints {
		collect(c.Y, c.Over, c.L, c.R)
		if c.Cuts != nil {
			collect(c.Y, c.Over, c.Cuts)
		}
	}
	for _, v := range m.Vars {
		if v.Default != nil {
			collect(&ir.Ref{Var: v}, nil, v.Default)
		}
	}
	return out
}

// add makes a variable's node, inside its plates.
func (b *builder) add(v *ir.Var, uses []use) {
	n := &Node{Kind: Unknown}
	switch {
	case v.Role == dsl.Const:
		n.Kind = Constant
	case v.Role == dsl.Data:
		n.Kind = Given
	case slices.Contains(b.model.Collapse, v):
		n.Kind = Collapsed
	}
	var details []string
	detail := func(s string) {
		if !slices.Contains(details, s) {
			details = append(details, s)
		}
	}
	plates := -1 // how many of its axes are plates around it, the others being part of one draw
	for _, f := range b.model.Factors {
		if f.X.Var == v {
			detail(f.Dist.Name)
			plates = len(v.Axes) - v.Event
		}
	}
	for _, c := range b.model.Constraints {
		if c.Y.Var == v {
			detail("observed")
			plates = len(v.Axes)
		}
	}
	if plates < 0 { // nothing says what one draw is: the uses do
		plates = 0
		for _, u := range uses {
			if u.from == v {
				plates = max(plates, u.plates)
			}
		}
	}
	n.Detail = strings.Join(details, ", ")
	n.Name = v.Name
	if inner := v.Axes[plates:]; len(inner) > 0 {
		n.Name += "["
		for i, p := range inner {
			if i > 0 {
				n.Name += ", "
			}
			n.Name += p.Name
		}
		n.Name += "]"
	}
	g := b.root
	for _, p := range v.Axes[:plates] {
		g = b.inside(g, p)
	}
	l := &leaf{node: n, parent: g}
	b.nodes[v] = l
	b.diagram.Nodes = append(b.diagram.Nodes, n)
	g.items = append(g.items, &item{leaf: l})
}

// inside returns the rectangle of a plate in another one.
func (b *builder) inside(g *group, p *ir.Plate) *group {
	for _, it := range g.items {
		if it.group != nil && it.group.of == p {
			return it.group
		}
	}
	label := p.Name // without its default size, which need not be that of a run
	if p.Unbounded {
		label += ", unbounded"
	}
	in := &group{of: p, parent: g, depth: g.depth + 1, plate: &Plate{Label: label}}
	g.items = append(g.items, &item{group: in})
	return in
}
