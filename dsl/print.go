// This file prints pieces of a syntax tree as source on one line, for messages.

package dsl

import "strings"

// How tightly operators bind, loosest first. A unary minus stands between * and ^.
const (
	precCompare = iota + 1
	precSum
	precProduct
	precUnary
	precPower
	precAtom
)

var precedence = map[string]int{"<": precCompare, "<=": precCompare, ">": precCompare, ">=": precCompare,
	"==": precCompare, "!=": precCompare, "+": precSum, "-": precSum, "*": precProduct, "/": precProduct, "^": precPower}

// ExprString returns e as source, in the spacing of Format. Parentheses are added where the tree needs them.
func ExprString(e Expr) string {
	var p printer
	p.expr(e, 0)
	return p.String()
}

// DeclString returns a statement as source, on one line.
func DeclString(d Decl) string {
	var p printer
	p.decl(d)
	return p.String()
}

// A printer writes source on one line.
type printer struct {
	strings.Builder
	inIndex int // open index brackets: operators inside stand close
}

func (p *printer) add(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

func (p *printer) decl(d Decl) {
	switch d := d.(type) {
	case *PlateDecl:
		p.add("plate ", d.Name.Name)
		if d.Over != nil {
			p.add("[", d.Over.Name, "]")
		}
		if d.Size != nil {
			p.add(" = ")
			p.expr(d.Size, 0)
		}
		if d.Unbounded {
			p.add(" : unbounded")
		}
	case *VarDecl:
		p.add(d.Role.String(), " ", d.Name.Name)
		p.axes(d.Axes)
		if d.Type != nil {
			p.add(" : ")
			p.typ(d.Type)
		}
		if d.Dist != nil {
			p.add(" ~ ")
			p.expr(d.Dist, 0)
		}
		for i, o := range d.Over {
			p.add([]string{" over ", ", "}[min(i, 1)], o.Name)
		}
		if d.Value != nil {
			p.add(" = ")
			p.expr(d.Value, 0)
		}
	case *ObserveDecl:
		p.add("observe ", d.Name.Name)
		p.axes(d.Axes)
		p.add(" = ")
		p.expr(d.Value, 0)
	case *ListDecl:
		open, end := " ", ""
		if d.Verb == "block" {
			open, end = " (", ")"
		}
		p.add(d.Verb, open)
		p.list(d.Items)
		p.add(end)
	case *KernelDecl:
		p.add("kernel ", d.Name.Name, " : ", d.Kind.Name)
	case *BatchDecl:
		p.add("batch over ", d.Plate.Name)
	}
}

func (p *printer) axes(axes []Axis) {
	if len(axes) == 0 {
		return
	}
	p.open()
	for i := range axes {
		if i > 0 {
			p.add(", ")
		}
		p.axis(&axes[i])
	}
	p.close()
}

func (p *printer) axis(a *Axis) {
	if a.Lit != nil {
		p.expr(a.Lit, 0)
		return
	}
	if a.Index != nil {
		p.add(a.Index.Name, " in ")
	}
	p.add(a.Plate.Name)
	if len(a.Of) > 0 {
		p.open()
		p.list(a.Of)
		p.close()
	}
	if a.Cond != nil {
		p.add(" if ")
		p.expr(a.Cond, 0)
	}
}

func (p *printer) open()  { p.add("["); p.inIndex++ }
func (p *printer) close() { p.add("]"); p.inIndex-- }

func (p *printer) typ(t *Type) {
	p.add(t.Name.Name)
	if t.Lo != nil && t.Hi != nil && t.LoClosed == t.HiClosed {
		brackets := map[bool]string{false: "()", true: "[]"}[t.LoClosed]
		p.add(" in ", brackets[:1])
		p.expr(t.Lo, precSum)
		p.add(", ")
		p.expr(t.Hi, precSum)
		p.add(brackets[1:])
		return
	}
	p.bound(" >", t.Lo, t.LoClosed)
	p.bound(" <", t.Hi, t.HiClosed)
}

func (p *printer) bound(op string, e Expr, closed bool) {
	if e == nil {
		return
	}
	if closed {
		op += "="
	}
	p.add(op, " ")
	p.expr(e, precSum)
}

func (p *printer) list(es []Expr) {
	for i, e := range es {
		if i > 0 {
			p.add(", ")
		}
		p.expr(e, 0)
	}
}

// expr prints e where an operator of the given precedence is allowed.
func (p *printer) expr(e Expr, prec int) {
	if own := exprPrec(e); own < prec {
		p.add("(")
		defer p.add(")")
	}
	switch e := e.(type) {
	case *Number:
		p.add(e.Text)
	case *Name:
		p.add(e.Ident.Name)
	case *Index:
		p.add(e.X.Name)
		p.open()
		p.list(e.Args)
		p.close()
	case *Call:
		p.add(e.Fn.Name, "(")
		for i := range e.Args {
			a := &e.Args[i]
			if i > 0 {
				p.add(", ")
			}
			if a.Binder != nil {
				p.axis(a.Binder)
				continue
			}
			if a.Name != nil {
				p.add(a.Name.Name, " = ")
			}
			p.expr(a.Value, 0)
		}
		p.add(")")
	case *Unary:
		p.add("-")
		p.expr(e.X, precUnary)
	case *Binary:
		left, right := exprPrec(e), exprPrec(e)+1 // sums and products lean left
		switch left {
		case precCompare: // comparisons do not chain
			left = precSum
		case precPower: // the exponent is a factor: powers lean right
			left, right = precAtom, precUnary
		}
		p.expr(e.X, left)
		if op := e.Op; op == "^" || p.inIndex > 0 && exprPrec(e) != precCompare {
			p.add(op)
		} else {
			p.add(" ", op, " ")
		}
		p.expr(e.Y, right)
	case *Paren:
		p.add("(")
		p.expr(e.X, 0)
		p.add(")")
	}
}

func exprPrec(e Expr) int {
	switch e := e.(type) {
	case *Unary:
		return precUnary
	case *Binary:
		return precedence[e.Op]
	}
	return precAtom
}
