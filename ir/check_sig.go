// This file holds signatures: the axes and the element type of each variable, found on demand and before any expression is typed.

package ir

import (
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// signature finds the axes and the type of v, and reports whether they are known. A variable that is being looked at
// already counts as unknown, so that `x[t] ~ Normal(x[t-1], ...)` gets its shape from elsewhere.
func (c *checker) signature(v *variable) bool {
	if v.state == unseen {
		v.state = busy
		if v.bad { // a loop of lets
			v.state = done
			return false
		}
		if v.Role == dsl.Let {
			c.letSignature(v)
		} else {
			c.varSignature(v)
		}
		v.state = done
	}
	return v.state == done && !v.bad && !v.guess
}

func (c *checker) varSignature(v *variable) {
	dists := 0
	for _, d := range v.decls {
		if d.Dist != nil {
			dists++
		}
	}
	var plain *dsl.VarDecl // the one statement without a distribution
	for _, d := range v.decls {
		if d.Dist != nil {
			continue
		}
		switch {
		case v.Unknown():
			v.bad = true
			c.errorf(d.Span, "no-distribution", "%s %s has no distribution", v.Role, v.Name).
				Hint = fmt.Sprintf("give it one: `%s ~ ...`", c.text(d.Name.Span))
			return
		case plain != nil:
			v.bad = true
			c.twice(d.Name, "name", plain.Name.Span)
			return
		}
		plain = d
	}
	for _, d := range v.decls {
		ok := c.spread(d.Axes, nil, func(axes []axis, sc *scope) {
			v.stmts = append(v.stmts, &statement{decl: d, axes: axes, sc: sc})
		})
		if !ok {
			v.bad = true
		}
	}
	if v.bad {
		return
	}
	for _, st := range v.stmts {
		if !c.checkOrder(st.axes) {
			v.bad = true
			return
		}
	}
	c.declaredType(v)
	if plain != nil && !c.plainAxes(v, plain) {
		v.bad = true
	}
	if dists > 0 && !v.bad {
		c.drawnAxes(v, plain)
	}
	if v.bad {
		return
	}
	c.unboundedAxes(v)
	if v.Role == dsl.Local && len(v.Axes)-v.Event == 0 {
		c.errorf(v.Span, "local", "local %s has no plate, but locals belong to units", v.Name).
			Hint = fmt.Sprintf("declare it `global %s`", v.Name)
	}
	if v.Type.Elem == Cat && v.Type.Of == nil && !v.guess {
		v.guess = true
	}
}

// plainAxes takes the axes of a declaration without a distribution as they stand.
func (c *checker) plainAxes(v *variable, d *dsl.VarDecl) bool {
	var st *statement
	for _, s := range v.stmts {
		if s.decl == d {
			st = s
		}
	}
	for i, a := range st.axes {
		if !a.event && (a.literal() || a.lo > 0 || a.hi < 0) {
			c.errorf(a.span, "range", "%s %s is declared for part of its plate only", v.Role, v.Name).
				Hint = "declare all of it"
			return false
		}
		v.Axes = append(v.Axes, a.plate)
		if !a.event {
			v.Params = append(v.Params, st.binders()[len(v.Params)])
		} else if i < len(st.axes)-1 && !st.axes[i+1].event {
			v.Params = nil
		}
	}
	if d.Type == nil {
		if len(v.decls) == 1 {
			c.errorf(v.Span, "no-type", "%s %s has no type", v.Role, v.Name).
				Hint = fmt.Sprintf("write `%s %s : real`, or int, bool, cov, simplex, or a plate for a category", v.Role, v.Name)
			return false
		}
		return true
	}
	switch kind := d.Type.Name.Name; kind {
	case "cov":
		n := len(v.Axes)
		if n < 2 || v.Axes[n-1] != v.Axes[n-2] {
			c.errorf(d.Type.Span, "shape", "a cov is a square matrix, so the last two axes of %s must be the same plate", v.Name).
				Hint = fmt.Sprintf("write `%s[P, P] : cov`", v.Name)
			return false
		}
		v.Event = 2
	case "simplex", "ordered":
		if len(v.Axes) == 0 {
			c.errorf(d.Type.Span, "shape", "%s is a vector type, so %s needs an axis", kind, v.Name).
				Hint = fmt.Sprintf("write `%s[K] : %s`", v.Name, kind)
			return false
		}
		v.Event = 1
	}
	return true
}

// drawnAxes finds the axes of a variable that has a distribution: those with an index, then those of one draw.
func (c *checker) drawnAxes(v *variable, plain *dsl.VarDecl) {
	var named, event []*Plate
	var first *statement
	explicit := false
	for _, st := range v.stmts {
		if st.decl == plain {
			continue
		}
		n := 0
		var ev []*Plate
		for _, a := range st.axes {
			switch {
			case a.event:
				ev = append(ev, a.plate)
			case len(ev) > 0:
				c.errorf(a.span, "shape", "the index %s stands after an axis without an index", c.text(a.span)).
					Hint = "axes without an index belong to one draw and come last"
				v.bad = true
				return
			default:
				n++
			}
		}
		if first == nil {
			first, named, event, explicit = st, make([]*Plate, n), ev, len(ev) > 0
		} else if n != len(named) || len(ev) > 0 != explicit || explicit && !slices.Equal(ev, event) {
			c.disagree(v, st, first)
			return
		}
		for i, a := range st.axes[:n] {
			if named[i] == nil {
				named[i] = a.plate
			} else if a.plate != nil && a.plate != named[i] {
				c.disagree(v, st, first)
				return
			}
		}
	}
	if plain != nil {
		v.Event = len(event)
		if n := len(named); len(v.Axes) != n+len(event) || !slices.Equal(v.Axes[n:], event) {
			c.disagree(v, first, v.stmts[0])
			return
		}
		for i, p := range named {
			if p != nil && p != v.Axes[i] {
				c.disagree(v, first, v.stmts[0])
				return
			}
		}
	} else {
		for i, p := range named {
			if p == nil {
				c.errorf(v.Span, "shape", "nothing says which plate axis %d of %s runs over", i+1, v.Name).
					Hint = fmt.Sprintf("add the statement for the rest, as in `%s[t in T if t > 1] ~ ...`", v.Name)
				v.bad = true
				return
			}
		}
		v.Axes = named
	}
	for _, st := range v.stmts {
		for i := range st.axes {
			if st.axes[i].plate == nil {
				st.axes[i].plate = v.Axes[i]
			}
		}
	}
	if len(v.stmts) == 1 {
		v.Params = first.binders()
	}
	if plain == nil && explicit {
		v.Axes = append(v.Axes, event...)
	}
	c.fromDistribution(v, explicit || v.Role == dsl.Data)
	if v.Unknown() && !explicit && !v.guess && v.Event == 0 && v.Type.Elem == Cat && v.Type.Of == nil {
		v.guess = true
	}
}

func (c *checker) disagree(v *variable, a, b *statement) {
	v.bad = true
	d := c.errorf(a.decl.Name.Span, "shape", "two statements about %s disagree on its axes", v.Name)
	d.Notes = append(d.Notes, c.place("the other is", b.decl.Span))
}

// fromDistribution infers the event axes, unless they are fixed, and the type, unless declared, from the distributions.
func (c *checker) fromDistribution(v *variable, fixed bool) {
	found := false
	try := func(sure bool) {
		for _, st := range v.stmts {
			call := st.decl.Dist
			if found || call == nil {
				continue
			}
			shapes := make([]shape, len(call.Args))
			all := true
			for i, a := range call.Args {
				if a.Value == nil {
					shapes[i] = shape{known: true}
					continue
				}
				shapes[i] = c.shapeOf(st.sc, a.Value)
				all = all && shapes[i].known
			}
			if sure && !all {
				continue
			}
			b, _ := match(call, shapes)
			if b == nil {
				continue
			}
			ev, cat := c.drawShape(b, shapes, st.decl.Over)
			if len(ev) < b.dist.Event && !fixed || b.dist.Type == Cat && cat == nil {
				continue
			}
			found = true
			if !fixed {
				v.Axes = append(slices.Clip(v.Axes), ev...)
			}
			v.Event = b.dist.Event
			if fixed {
				v.Event = min(v.Event, len(v.Axes))
			}
			if v.Type == (Type{}) && st.declared() == nil && v.declaredType() == nil {
				v.Type = Type{Elem: b.dist.Type, Of: cat}
			}
		}
	}
	try(true)
	try(false)
	if !found {
		v.guess = !fixed || v.declaredType() == nil
	}
}

func (s *statement) declared() *dsl.Type { return s.decl.Type }

// declaredType returns the type that the text gives v, if any.
func (v *variable) declaredType() *dsl.Type {
	for _, d := range v.decls {
		if d.Type != nil {
			return d.Type
		}
	}
	return nil
}

// declaredType sets the element type from the text.
func (c *checker) declaredType(v *variable) {
	var first *dsl.Type
	for _, d := range v.decls {
		t := d.Type
		if t == nil {
			continue
		}
		if first != nil {
			if c.text(t.Span) != c.text(first.Span) {
				e := c.errorf(t.Span, "type", "two statements about %s disagree on its type", v.Name)
				e.Notes = append(e.Notes, c.place("the other is", first.Span))
				v.bad = true
			}
			continue
		}
		first = t
		bounded := t.Lo != nil || t.Hi != nil
		switch t.Name.Name {
		case "real", "ordered", "simplex", "cov":
			v.Type = Type{Elem: Real}
			if bounded && t.Name.Name != "real" {
				c.errorf(t.Span, "type", "a %s takes no bounds", t.Name.Name)
			}
		case "int":
			v.Type = Type{Elem: Int}
		case "bool":
			v.Type = Type{Elem: Bool}
		default:
			p := c.typePlate(t.Name)
			if p == nil {
				v.bad = true
				continue
			}
			v.Type = Type{Elem: Cat, Of: p}
		}
		if bounded && (v.Type.Elem == Bool || v.Type.Elem == Cat) {
			c.errorf(t.Span, "type", "bounds make no sense for %s", elemWord(v.Type))
		}
	}
}

// typePlate looks up the plate that a type names.
func (c *checker) typePlate(id dsl.Ident) *Plate {
	p := c.plates[id.Name]
	if p == nil {
		if id.Name == "" {
			return nil
		}
		known := []string{"real", "int", "bool", "cov", "simplex", "ordered"}
		for _, q := range c.m.Plates {
			known = append(known, q.Name)
		}
		d := c.errorf(id.Span, "unknown-type", "unknown type %s", id.Name)
		if near := dsl.Nearest(id.Name, known); near != "" {
			d.Hint = fmt.Sprintf("did you mean %s?", near)
		} else {
			d.Hint = "types are real, int, bool, cov, simplex, ordered, or a plate for a category"
		}
		return nil
	}
	c.used[p] = true
	if p.Over != nil {
		c.errorf(id.Span, "ragged", "categories cannot be elements of the ragged plate %s", p.Name)
		return nil
	}
	return p
}

// unboundedAxes keeps unbounded plates to globals and to categories, and to the first axis of what is drawn: elements come and go as rows.
func (c *checker) unboundedAxes(v *variable) {
	for i, p := range v.Axes {
		if p.Unbounded && 0 < i && i < len(v.Axes)-v.Event && v.Role == dsl.Global {
			d := c.errorf(v.Span, "unbounded", "%s %s runs over the unbounded plate %s, which is not its first", v.Role, v.Name, p.Name)
			if d.Hint = fmt.Sprintf("put the index of %s first", p.Name); v.Axes[0].Unbounded {
				d.Hint = "only one plate of a global can be unbounded"
			}
			v.bad = true
			return
		}
		if p.Unbounded && v.Role != dsl.Global {
			c.errorf(v.Span, "unbounded", "%s %s cannot run over the unbounded plate %s", v.Role, v.Name, p.Name).
				Hint = "only globals and categories can"
			v.bad = true
			return
		}
	}
	if v.Type.Elem == Cat && v.Type.Of != nil && v.Type.Of.Unbounded && !v.Unknown() {
		c.errorf(v.Span, "unbounded", "%s %s cannot hold categories of the unbounded plate %s", v.Role, v.Name, v.Type.Of.Name)
		v.bad = true
	}
}

// letSignature finds the axes of a let: its indices, then those of its definition.
func (c *checker) letSignature(v *variable) {
	d := v.decls[0]
	for _, part := range []struct {
		there bool
		at    dsl.Span
		what  string
	}{
		{d.Dist != nil, d.Span, "a distribution"},
		{d.Type != nil, d.Span, "a type: it follows from the definition"},
	} {
		if part.there {
			c.errorf(part.at, "let", "let %s cannot have %s", v.Name, part.what)
			v.bad = true
			return
		}
	}
	if d.Value == nil {
		c.errorf(d.Span, "let", "let %s has no definition", v.Name).Hint = fmt.Sprintf("write `let %s = ...`", v.Name)
		v.bad = true
		return
	}
	ok := c.spread(d.Axes, nil, func(axes []axis, sc *scope) {
		v.stmts = append(v.stmts, &statement{decl: d, axes: axes, sc: sc})
	})
	if !ok || !c.checkOrder(v.stmts[0].axes) {
		v.bad = true
		return
	}
	st := v.stmts[0]
	var event []*Plate
	for _, a := range st.axes {
		switch {
		case a.event:
			event = append(event, a.plate)
			continue
		case a.literal() || a.lo > 0 || a.hi < 0:
			c.errorf(a.span, "range", "let %s is defined for part of its plate only", v.Name).Hint = "define all of it"
			v.bad = true
			return
		case len(event) > 0:
			c.errorf(a.span, "shape", "the index %s stands after an axis without an index", c.text(a.span))
			v.bad = true
			return
		}
		v.Axes = append(v.Axes, a.plate)
	}
	v.Params = st.binders()
	sh := c.shapeOf(st.sc, d.Value)
	switch {
	case len(event) > 0:
		v.Axes = append(v.Axes, event...)
		v.Event = len(event)
	case sh.known:
		v.Axes = append(v.Axes, sh.plates...)
		v.Event = len(sh.plates)
	default:
		v.guess = true
	}
	if w := c.refersTo(d.Value); w != nil && w != v && c.signature(w) && w.Type.Elem == Cat && len(sh.plates) == 0 {
		v.Type = w.Type
	}
	c.unboundedAxes(v)
}

// refersTo returns the variable that an expression is a bare reference to, or nil.
func (c *checker) refersTo(e dsl.Expr) *variable {
	switch e := unparen(e).(type) {
	case *dsl.Name:
		return c.vars[e.Ident.Name]
	case *dsl.Index:
		return c.vars[e.X.Name]
	}
	return nil
}

// A shape is the plates of an expression's axes, if they are known.
type shape struct {
	plates []*Plate
	known  bool
}

// shapeOf infers the shape of an expression from the signatures it uses. It reports nothing.
func (c *checker) shapeOf(sc *scope, e dsl.Expr) shape {
	scalar := shape{known: true}
	switch e := unparen(e).(type) {
	case *dsl.Number:
		return scalar
	case *dsl.Unary:
		return c.shapeOf(sc, e.X)
	case *dsl.Name:
		return c.shapeOfRef(sc, e.Ident.Name, 0)
	case *dsl.Index:
		return c.shapeOfRef(sc, e.X.Name, len(e.Args))
	case *dsl.Binary:
		l, r := c.shapeOf(sc, e.X), c.shapeOf(sc, e.Y)
		if len(l.plates) < len(r.plates) {
			l.plates = r.plates
		}
		return shape{l.plates, l.known && r.known}
	case *dsl.Call:
		switch {
		case e.Fn.Name == "dot" || e.Fn.Name == "sum":
			return scalar
		case e.Fn.Name == "identity" && len(e.Args) == 1 && e.Args[0].Value != nil:
			if n, ok := unparen(e.Args[0].Value).(*dsl.Name); ok {
				if p := c.plates[n.Ident.Name]; p != nil {
					return shape{[]*Plate{p, p}, true}
				}
			}
		case slices.Contains(functions, e.Fn.Name) && len(e.Args) == 1 && e.Args[0].Value != nil:
			return c.shapeOf(sc, e.Args[0].Value)
		}
	}
	return shape{}
}

func (c *checker) shapeOfRef(sc *scope, name string, args int) shape {
	if sc.find(name) != nil || c.plates[name] != nil {
		return shape{known: true}
	}
	v := c.vars[name]
	if v == nil || !c.signature(v) || args > len(v.Axes) {
		return shape{}
	}
	return shape{v.Axes[args:], true}
}
