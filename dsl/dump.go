// This file dumps a syntax tree: the form in which tests and `-dump=ast` see it.

package dsl

import "strings"

// String returns the dump of f, as Dump does.
func (f *File) String() string { return Dump(f) }

// Dump shows the structure of a file, one statement a line, without spans or comments. Two files with the same dump
// differ only in layout. Expressions are in prefix form:
//
//	local z [n in N] ~ (Normal (dot X[n] w) var=1)
func Dump(f *File) string {
	var p dumper
	p.add("model ", f.Model.Name, "\n")
	for _, d := range f.Decls {
		p.decl(d)
		p.add("\n")
	}
	return p.String()
}

type dumper struct{ strings.Builder }

func (p *dumper) add(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

func (p *dumper) decl(d Decl) {
	switch d := d.(type) {
	case *PlateDecl:
		p.add("plate ", d.Name.Name)
		if d.Over != nil {
			p.add(" of ", d.Over.Name)
		}
		p.part(" = ", d.Size)
		if d.Unbounded {
			p.add(" unbounded")
		}
	case *VarDecl:
		p.add(d.Role.String(), " ", d.Name.Name)
		p.axes(d.Axes)
		if t := d.Type; t != nil {
			p.add(" : ", t.Name.Name)
			p.part(map[bool]string{false: " > ", true: " >= "}[t.LoClosed], t.Lo)
			p.part(map[bool]string{false: " < ", true: " <= "}[t.HiClosed], t.Hi)
		}
		if d.Dist != nil {
			p.part(" ~ ", d.Dist)
		}
		for _, o := range d.Over {
			p.add(" over ", o.Name)
		}
		p.part(" = ", d.Value)
	case *ObserveDecl:
		p.add("observe ", d.Name.Name)
		p.axes(d.Axes)
		p.part(" = ", d.Value)
	case *ListDecl:
		p.add(d.Verb)
		for _, x := range d.Items {
			p.part(" ", x)
		}
	case *KernelDecl:
		p.add("kernel ", d.Name.Name, " ", d.Kind.Name)
	case *BatchDecl:
		p.add("batch ", d.Plate.Name)
	}
}

func (p *dumper) axes(axes []Axis) {
	for i := range axes {
		p.add(" ")
		p.axis(&axes[i])
	}
}

func (p *dumper) axis(a *Axis) {
	p.add("[")
	if a.Index != nil {
		p.add(a.Index.Name, " in ")
	}
	p.add(a.Plate.Name)
	for _, x := range a.Of {
		p.part(" of ", x)
	}
	p.part(" if ", a.Cond)
	p.part("", a.Lit)
	p.add("]")
}

// part dumps e after a prefix, or nothing if there is no e.
func (p *dumper) part(prefix string, e Expr) {
	if e != nil {
		p.add(prefix)
		p.expr(e)
	}
}

func (p *dumper) expr(e Expr) {
	switch e := e.(type) {
	case *Number:
		p.add(e.Text)
	case *Name:
		p.add(e.Ident.Name)
	case *Index:
		p.add(e.X.Name, "[")
		for i, x := range e.Args {
			p.part([]string{"", " "}[min(i, 1)], x)
		}
		p.add("]")
	case *Call:
		p.add("(", e.Fn.Name)
		for i := range e.Args {
			p.add(" ")
			a := &e.Args[i]
			if a.Binder != nil {
				p.axis(a.Binder)
			}
			if a.Name != nil {
				p.add(a.Name.Name, "=")
			}
			p.part("", a.Value)
		}
		p.add(")")
	case *Unary:
		p.part("(neg ", e.X)
		p.add(")")
	case *Binary:
		p.part("("+e.Op+" ", e.X)
		p.part(" ", e.Y)
		p.add(")")
	case *Paren:
		p.part("(paren ", e.X)
		p.add(")")
	}
}
