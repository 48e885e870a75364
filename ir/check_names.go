// This file holds names: the declarations of plates and variables, scopes of indices, look-up with suggestions.

package ir

import (
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// A scope is a linked list of bound indices, innermost first; nil is empty.
type scope struct {
	up   *scope
	name string
	bound
}

// A bound says what an index name stands for.
type bound struct {
	idx    IndexExpr // itself, or a literal if its range is one element
	plate  *Plate
	of     []IndexExpr // a ragged plate's parents
	lo, hi int
}

func (s *scope) find(name string) *scope {
	for ; s != nil; s = s.up {
		if s.name == name {
			return s
		}
	}
	return nil
}

func (s *scope) names() []string {
	var names []string
	for ; s != nil; s = s.up {
		names = append(names, s.name)
	}
	return names
}

// literal reports whether the name stands for one element.
func (b bound) literal() bool { return b.idx.Name == "" }

func (c *checker) declarePlates() {
	for _, d := range c.file.Decls {
		d, ok := d.(*dsl.PlateDecl)
		if !ok {
			continue
		}
		name := d.Name.Name
		if old := c.plates[name]; old != nil {
			c.twice(d.Name, "plate", old.Span)
			continue
		}
		if c.reserved(d.Name, "a plate") {
			continue
		}
		p := &Plate{Name: name, Span: d.Name.Span, Size: -1, Unbounded: d.Unbounded}
		c.plates[name] = p
		c.m.Plates = append(c.m.Plates, p)
	}
	for _, d := range c.file.Decls {
		if d, ok := d.(*dsl.PlateDecl); ok {
			if p := c.plates[d.Name.Name]; p != nil && p.Span == d.Name.Span {
				c.definePlate(p, d)
			}
		}
	}
	for _, p := range c.m.Plates { // rings would never end
		for q, n := p.Over, 0; q != nil; q, n = q.Over, n+1 {
			if n > len(c.m.Plates) {
				c.errorf(p.Span, "cyclic", "plate %s is ragged over itself", p.Name)
				p.Over = nil
				break
			}
		}
		if q := p.Like; q != nil && (q.Over != nil || q.Unbounded) {
			c.errorf(p.Span, "plate-size", "%s has no single size that plate %s could follow", q.Name, p.Name)
			p.Like = nil
		}
		for q, n := p.Like, 0; q != nil; q, n = q.Like, n+1 {
			if n > len(c.m.Plates) {
				c.errorf(p.Span, "cyclic", "the size of plate %s goes round in a circle", p.Name).
					Hint = "leave one of the sizes to the data or to --set"
				p.Like = nil
				break
			}
		}
	}
	c.m.Plates = parentsFirst(c.m.Plates)
}

// parentsFirst puts plates after those that their sizes follow from, and leaves the order as it is otherwise.
func parentsFirst(plates []*Plate) []*Plate {
	var out []*Plate
	var add func(p *Plate)
	add = func(p *Plate) {
		if p == nil || slices.Contains(out, p) {
			return
		}
		add(p.Over)
		add(p.Like)
		out = append(out, p)
	}
	for _, p := range plates {
		add(p)
	}
	return out
}

func (c *checker) definePlate(p *Plate, d *dsl.PlateDecl) {
	if d.Over != nil {
		if p.Over = c.plate(*d.Over); p.Over != nil && p.Over.Unbounded {
			c.errorf(d.Over.Span, "unbounded", "plate %s cannot be ragged over the unbounded plate %s", p.Name, p.Over.Name)
			p.Over = nil
		}
		if d.Size != nil {
			c.errorf(d.Size.ExprSpan(), "plate-size", "the ragged plate %s has no single size", p.Name).
				Hint = "leave it out: the lengths come from the data"
		}
		if d.Unbounded {
			c.errorf(d.Span, "unbounded", "plate %s cannot be both ragged and unbounded", p.Name)
			p.Unbounded = false
		}
		return
	}
	if d.Size == nil {
		return
	}
	if d.Unbounded {
		c.errorf(d.Size.ExprSpan(), "plate-size", "the unbounded plate %s has no size", p.Name)
		return
	}
	if n, ok := wholeNumber(d.Size); ok && n >= 1 {
		p.Size = n
		return
	}
	like, more, ok := sizeSum(d.Size)
	if !ok {
		c.errorf(d.Size.ExprSpan(), "plate-size", "the size of plate %s must be a whole number from 1, or the size of another plate plus or minus one", p.Name).
			Hint = fmt.Sprintf("write `plate %[1]s = 3` or `plate %[1]s = K - 1`; what follows from a setting is given by --set=%[1]s=...", p.Name)
		return
	}
	p.Like, p.More = c.plate(like), more
}

// sizeSum reads `K`, `K - 1` and `1 + K`, where K is a name.
func sizeSum(e dsl.Expr) (name dsl.Ident, more int, ok bool) {
	switch e := unparen(e).(type) {
	case *dsl.Name:
		return e.Ident, 0, true
	case *dsl.Binary:
		x, y, sign := unparen(e.X), e.Y, 1
		if _, isName := x.(*dsl.Name); !isName && e.Op == "+" {
			x, y = unparen(e.Y), e.X
		}
		if e.Op == "-" {
			sign = -1
		}
		n, isName := x.(*dsl.Name)
		more, whole := wholeNumber(y)
		if isName && whole && (e.Op == "+" || e.Op == "-") {
			return n.Ident, sign * more, true
		}
	}
	return name, 0, false
}

func (c *checker) declareVars() {
	for _, d := range c.file.Decls {
		d, ok := d.(*dsl.VarDecl)
		if !ok {
			continue
		}
		name := d.Name.Name
		if p := c.plates[name]; p != nil {
			c.twice(d.Name, "name", p.Span)
			continue
		}
		if v := c.vars[name]; v != nil {
			if v.Role != d.Role || v.Role == dsl.Const || v.Role == dsl.Let {
				c.twice(d.Name, "name", v.Span)
				v.bad = true
				continue
			}
			v.decls = append(v.decls, d)
			continue
		}
		if c.reserved(d.Name, "a variable") {
			continue
		}
		v := &variable{Var: &Var{Name: name, Role: d.Role, Span: d.Name.Span}, decls: []*dsl.VarDecl{d}}
		c.vars[name] = v
		c.order = append(c.order, v)
		c.m.Vars = append(c.m.Vars, v.Var)
		c.m.byName[v.Name] = v.Var
	}
}

func (c *checker) twice(id dsl.Ident, what string, first dsl.Span) {
	d := c.errorf(id.Span, "duplicate", "%s %s is declared twice", what, id.Name)
	d.Notes = append(d.Notes, c.place("the first declaration is", first))
}

// place words a second place of a message.
func (c *checker) place(what string, s dsl.Span) string {
	return fmt.Sprintf("%s on line %d, column %d: %s", what, s.Start.Line, s.Start.Col, c.text(s))
}

// reserved refuses names that the language itself uses.
func (c *checker) reserved(id dsl.Ident, what string) bool {
	if id.Name == "" { // the parser has reported it
		return true
	}
	if slices.Contains(reservedNames(), id.Name) {
		c.errorf(id.Span, "reserved", "%s is a word of the language and cannot name %s", id.Name, what)
		return true
	}
	return false
}

func reservedNames() []string {
	names := []string{"dot", "sum", "identity", "cut", "real", "int", "bool", "cov", "simplex", "ordered", "unbounded"}
	return append(append(names, functions...), distNames()...)
}

func distNames() []string {
	var names []string
	for _, d := range Dists {
		if !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	return names
}

// plate looks up a plate and reports a name that is none.
func (c *checker) plate(id dsl.Ident) *Plate {
	if p := c.plates[id.Name]; p != nil {
		c.used[p] = true
		return p
	}
	if id.Name == "" {
		return nil
	}
	if v := c.vars[id.Name]; v != nil {
		c.errorf(id.Span, "not-a-plate", "%s is a %s variable, not a plate", id.Name, v.Role)
		return nil
	}
	var known []string
	for _, p := range c.m.Plates {
		known = append(known, p.Name)
	}
	d := c.errorf(id.Span, "unknown-plate", "unknown plate %s", id.Name)
	if near := dsl.Nearest(id.Name, known); near != "" {
		d.Hint = fmt.Sprintf("did you mean %s?", near)
	} else {
		d.Hint = fmt.Sprintf("declare it: `plate %s`", id.Name)
	}
	return nil
}

// unknownName reports a name that is neither index, variable nor plate.
func (c *checker) unknownName(sc *scope, id dsl.Ident) {
	if id.Name == "" {
		return
	}
	known := sc.names()
	for _, v := range c.order {
		known = append(known, v.Name)
	}
	for _, p := range c.m.Plates {
		known = append(known, p.Name)
	}
	d := c.errorf(id.Span, "unknown-name", "unknown name %s", id.Name)
	if near := dsl.Nearest(id.Name, known); near != "" {
		d.Hint = fmt.Sprintf("did you mean %s?", near)
	} else {
		d.Hint = fmt.Sprintf("declare it, as in `data %[1]s : real`, `const %[1]s : real` or `global %[1]s ~ ...`", id.Name)
	}
}

// unparen strips the parentheses that are kept for the formatter.
func unparen(e dsl.Expr) dsl.Expr {
	for {
		p, ok := e.(*dsl.Paren)
		if !ok {
			return e
		}
		e = p.X
	}
}

// wholeNumber reads an integer literal, with or without a minus sign.
func wholeNumber(e dsl.Expr) (int, bool) {
	e, sign := unparen(e), 1
	if u, ok := e.(*dsl.Unary); ok {
		e, sign = unparen(u.X), -1
	}
	n, ok := e.(*dsl.Number)
	if !ok || n.Value != float64(int32(n.Value)) {
		return 0, false
	}
	return sign * int(n.Value), true
}
