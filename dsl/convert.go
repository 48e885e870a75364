// This file turns participle's structs into the syntax tree. What the grammar lets through and the language does not
// is refused here.

package dsl

import (
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"
)

// A converter converts one statement.
type converter struct{ diags Diags }

func (c *converter) decl(g *gStmt, span Span) Decl {
	switch {
	case g.Plate != nil:
		d := &PlateDecl{Span: span, Name: c.ident(g.Plate.Name), Unbounded: g.Plate.Unbounded, Size: c.expr(g.Plate.Size)}
		if g.Plate.Over != nil {
			over := c.ident(g.Plate.Over)
			d.Over = &over
		}
		return d
	case g.Var != nil:
		return c.varDecl(g.Var, span)
	case g.Observe != nil:
		o := g.Observe
		return &ObserveDecl{Span: span, Name: c.ident(o.Name), Axes: c.axes(o.Axes), Value: c.expr(o.Value)}
	case g.List != nil:
		return c.listDecl(g.List, span)
	case g.Kernel != nil:
		return &KernelDecl{Span: span, Name: c.ident(g.Kernel.Name), Kind: c.ident(g.Kernel.Kind)}
	default:
		return &BatchDecl{Span: span, Plate: c.ident(g.Batch)}
	}
}

// roles maps a keyword to its role.
var roles = map[string]Role{"const": Const, "data": Data, "global": Global, "local": Local, "let": Let}

func (c *converter) varDecl(g *gVar, span Span) Decl {
	d := &VarDecl{Span: span, Role: roles[g.Role], Name: c.ident(g.Name), Axes: c.axes(g.Axes), Over: c.idents(g.Over)}
	if g.Type != nil {
		d.Type = c.typ(g.Type)
	}
	if g.Dist != nil {
		d.Dist = c.dist(g.Dist)
	}
	if g.Value != nil {
		d.Value = c.expr(g.Value.X)
	}
	c.checkTilde(g, d)
	return d
}

// checkTilde refuses `=` where only `~` makes sense, and the reverse.
func (c *converter) checkTilde(g *gVar, d *VarDecl) {
	var target printer // the name with its axes
	target.add(d.Name.Name)
	target.axes(d.Axes)
	name := clip(target.String())
	switch {
	case (d.Role == Global || d.Role == Local) && d.Value != nil && d.Dist == nil:
		eq := g.Value.span()
		eq.End = Pos{eq.Start.Offset + 1, eq.Start.Line, eq.Start.Col + 1}
		diag := c.diags.Errorf(eq, codeTilde, "`=` where `~` is needed: a %s is drawn, not set", d.Role).
			Note("`~` gives a variable its distribution, `=` a const its default and a let its definition")
		if _, call := d.Value.(*Call); call {
			diag.WithHint("%s %s ~ %s", d.Role, name, clip(ExprString(d.Value)))
		} else {
			diag.WithHint("what is computed from other variables is a let: let %s = %s", name, clip(ExprString(d.Value)))
		}
	case d.Role == Const && d.Dist != nil:
		c.diags.Errorf(d.Dist.Span, codeTilde, "a const has no distribution").
			Note("a const is set when the sampler is made; what is to be inferred is a global or a local").
			WithHint("global %s ~ %s", name, clip(ExprString(d.Dist)))
	case d.Role == Let && d.Dist != nil:
		c.diags.Errorf(d.Dist.Span, codeTilde, "`~` where `=` is needed: a let is computed, not drawn").
			Note("a random variable is a global, a local or data").
			WithHint("let %s = ..., or global %s ~ %s", name, name, clip(ExprString(d.Dist)))
	case d.Role == Let && d.Value == nil:
		c.diags.Errorf(Span{d.Span.End, d.Span.End}, codeSyntax, "expected `=`, found the end of the statement").
			Note("%s", forms["let"])
	}
}

func (c *converter) listDecl(g *gList, span Span) Decl {
	d := &ListDecl{Span: span, Verb: g.Verb}
	items := g.Items
	if g.Verb == "" {
		d.Verb, items = "block", g.Block
	}
	for _, it := range items {
		name := c.ident(it.Name)
		if len(it.Args) == 0 {
			d.Items = append(d.Items, &Name{name})
			continue
		}
		if d.Verb != "monitor" {
			c.diags.Errorf(it.span(), codeSyntax, "`%s` takes whole variables, not elements", d.Verb).
				WithHint("%s %s", d.Verb, name.Name)
		}
		d.Items = append(d.Items, &Index{Span: it.span(), X: name, Args: c.exprs(it.Args)})
	}
	return d
}

func (c *converter) axes(gs []*gAxis) []Axis {
	var axes []Axis
	for _, g := range gs {
		axes = append(axes, c.axis(g))
	}
	return axes
}

func (c *converter) axis(g *gAxis) Axis {
	a := Axis{Span: g.span()}
	if g.Lit != nil {
		a.Lit = c.number(g.Lit)
		return a
	}
	if g.Index != nil {
		index := c.ident(g.Index)
		a.Index = &index
	}
	a.Plate, a.Of, a.Cond = c.ident(g.Plate), c.exprs(g.Of), c.expr(g.Cond)
	return a
}

func (c *converter) typ(g *gType) *Type {
	t := &Type{Span: g.span(), Name: c.ident(g.Name)}
	if len(g.Open) > 0 {
		t.Lo, t.Hi = c.sum(g.Open[0]), c.sum(g.Open[1])
	}
	if len(g.Closed) > 0 {
		t.Lo, t.Hi, t.LoClosed, t.HiClosed = c.sum(g.Closed[0]), c.sum(g.Closed[1]), true, true
	}
	for _, b := range g.Bounds {
		bound, closed, side := &t.Lo, &t.LoClosed, "lower"
		if b.Op[0] == '<' {
			bound, closed, side = &t.Hi, &t.HiClosed, "upper"
		}
		if *bound != nil {
			c.diags.Errorf(b.span(), codeBounds, "two %s bounds for one type", side).WithHint("keep the tighter one")
		}
		*bound, *closed = c.sum(b.X), len(b.Op) == 2
	}
	return t
}

func (c *converter) dist(g *gDist) *Call {
	return &Call{Span: g.span(), Fn: c.ident(g.Name), Args: c.args(g.Args)}
}

func (c *converter) args(g *gArgs) []Arg {
	var args []Arg
	for _, a := range g.Args {
		var arg Arg
		if a.Binder != nil {
			axis := c.axis(a.Binder)
			arg.Binder = &axis
		} else {
			if a.Name != nil {
				name := c.ident(a.Name)
				arg.Name = &name
			}
			arg.Value = c.expr(a.Value)
		}
		args = append(args, arg)
	}
	return args
}

func (c *converter) ident(g *gName) Ident { return Ident{g.Text, g.span()} }

func (c *converter) idents(gs []*gName) []Ident {
	var ids []Ident
	for _, g := range gs {
		ids = append(ids, c.ident(g))
	}
	return ids
}

func (c *converter) exprs(gs []*gExpr) []Expr {
	var es []Expr
	for _, g := range gs {
		es = append(es, c.expr(g))
	}
	return es
}

// expr converts an expression; an absent one is nil.
func (c *converter) expr(g *gExpr) Expr {
	if g == nil {
		return nil
	}
	x := c.sum(g.X)
	if g.Tail != nil {
		x = binary(x, g.Tail.Op, g.Tail.Pos, c.sum(g.Tail.Y))
	}
	return x
}

func (c *converter) sum(g *gSum) Expr {
	x := c.product(g.X)
	for _, t := range g.Tail {
		x = binary(x, t.Op, t.Pos, c.product(t.Y))
	}
	return x
}

func (c *converter) product(g *gProduct) Expr {
	x := c.factor(g.X)
	for _, t := range g.Tail {
		x = binary(x, t.Op, t.Pos, c.factor(t.Y))
	}
	return x
}

func (c *converter) factor(g *gFactor) Expr {
	if g.Neg != nil {
		return &Unary{Span: g.span(), X: c.factor(g.Neg)}
	}
	x := c.atom(g.Power.X)
	if t := g.Power.Tail; t != nil {
		x = binary(x, "^", t.Pos, c.factor(t.Y))
	}
	return x
}

func (c *converter) atom(g *gAtom) Expr {
	switch {
	case g.Number != nil:
		return c.number(g.Number)
	case g.Paren != nil:
		return &Paren{Span: g.span(), X: c.expr(g.Paren)}
	case g.Args != nil:
		return &Call{Span: g.span(), Fn: c.ident(g.Name), Args: c.args(g.Args)}
	case g.Index != nil:
		return &Index{Span: g.span(), X: c.ident(g.Name), Args: c.exprs(g.Index)}
	default:
		return &Name{c.ident(g.Name)}
	}
}

func (c *converter) number(g *gNumber) *Number {
	v, err := strconv.ParseFloat(g.Text, 64)
	if err != nil {
		c.diags.Errorf(g.span(), codeBadNumber, "the number `%s` is too large", clip(g.Text)).
			Note("numbers are 64-bit floating point: at most about 1.8e308")
	}
	return &Number{Span: g.span(), Text: g.Text, Value: v}
}

func binary(x Expr, op string, at lexer.Position, y Expr) Expr {
	return &Binary{Span: Span{x.ExprSpan().Start, y.ExprSpan().End}, Op: op, OpPos: toPos(at), X: x, Y: y}
}
