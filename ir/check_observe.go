// This file holds observe: what data say about unknowns by cutting their space.

package ir

import (
	"fmt"

	"github.com/gibbsgen/gibbsgen/dsl"
)

func (c *checker) observes() {
	parts := map[*variable][]part{}
	var order []*variable
	for _, d := range c.file.Decls {
		d, ok := d.(*dsl.ObserveDecl)
		if !ok {
			continue
		}
		v := c.observed(d)
		if v == nil {
			continue
		}
		c.used[v.Var] = true
		ok = c.spread(d.Axes, nil, func(axes []axis, sc *scope) {
			if !c.observeAxes(v, d, axes) {
				return
			}
			con := c.constraint(v, d, axes, sc)
			if con == nil {
				return
			}
			c.m.Constraints = append(c.m.Constraints, con)
			if len(parts[v]) == 0 {
				order = append(order, v)
			}
			parts[v] = append(parts[v], part{axes, d.Span})
		})
		_ = ok // what is wrong with the axes has been reported
	}
	for _, v := range order {
		c.shareOut(v, "is observed", parts[v], true)
	}
}

// observed looks up what an observe statement is about.
func (c *checker) observed(d *dsl.ObserveDecl) *variable {
	v := c.vars[d.Name.Name]
	if v == nil {
		if c.plates[d.Name.Name] != nil {
			c.errorf(d.Name.Span, "observe", "%s is a plate; only data can be observed", d.Name.Name)
		} else {
			c.unknownName(nil, d.Name)
		}
		return nil
	}
	if v.Role != dsl.Data {
		d := c.errorf(d.Name.Span, "observe", "%s is a %s variable; only data can be observed", v.Name, v.Role)
		d.Notes = append(d.Notes, c.place("it is declared", v.Span))
		if v.Unknown() {
			d.Hint = fmt.Sprintf("declare what was seen as `data`, and observe that as a function of %s", v.Name)
		}
		return nil
	}
	if !c.signature(v) {
		return nil
	}
	for _, decl := range v.decls {
		if decl.Dist != nil {
			e := c.errorf(d.Name.Span, "observe", "%s has a distribution already, so it cannot be observed as well", v.Name)
			e.Notes = append(e.Notes, c.place("the distribution is", decl.Dist.Span))
			e.Hint = "keep one of the two"
			return nil
		}
	}
	return v
}

// observeAxes checks the axes of an observe statement against those of its variable.
func (c *checker) observeAxes(v *variable, d *dsl.ObserveDecl, axes []axis) bool {
	if !c.checkOrder(axes) {
		return false
	}
	if len(axes) != len(v.Axes) {
		c.errorf(d.Name.Span, "shape", "%s has %s, but %d are given here", v.Name, countIndices(len(v.Axes)), len(axes))
		return false
	}
	for i := range axes {
		a := &axes[i]
		if a.event {
			c.errorf(a.span, "shape", "observe needs an index here").Hint = fmt.Sprintf("write `i in %s`", a.plate.Name)
			return false
		}
		if a.plate == nil {
			a.plate = v.Axes[i]
		}
		if a.plate != v.Axes[i] {
			c.errorf(a.span, "index", "axis %d of %s runs over %s, not %s", i+1, v.Name, v.Axes[i].Name, a.plate.Name)
			return false
		}
	}
	return true
}

// constraint types the right side of an observe statement.
func (c *checker) constraint(v *variable, d *dsl.ObserveDecl, axes []axis, sc *scope) *Constraint {
	con := &Constraint{Over: bindersOf(axes), Y: &Ref{Var: v.Var, Idx: indicesOf(axes), At: d.Name.Span}, Span: d.Span}
	switch e := unparen(d.Value).(type) {
	case *dsl.Binary:
		switch e.Op {
		case "<", "<=", ">", ">=":
			return c.comparison(con, v, e, sc)
		case "==", "!=":
			c.equality(v, d, sc, e.X, e.Y)
			return nil
		}
	case *dsl.Call:
		if e.Fn.Name == "cut" {
			return c.cut(con, v, e, sc)
		}
	}
	c.equality(v, d, sc, d.Value)
	return nil
}

func (c *checker) comparison(con *Constraint, v *variable, e *dsl.Binary, sc *scope) *Constraint {
	l, r := c.whole(sc, e.X), c.whole(sc, e.Y)
	if v.Type.Elem != Bool {
		c.errorf(e.Span, "type", "a comparison is true or false, but %s is %s", v.Name, elemWord(v.Type)).
			Hint = fmt.Sprintf("declare `data %s : bool`", c.text(v.Span))
		return nil
	}
	if l == nil || r == nil {
		return nil
	}
	for i, x := range []Expr{l, r} {
		if s := x.Shape(); len(s) > 0 {
			c.errorf([]dsl.Expr{e.X, e.Y}[i].ExprSpan(), "shape", "observe compares numbers, but this is %s", describeShape(s))
			return nil
		}
	}
	if !c.continuous(e.Span, l, r) {
		return nil
	}
	con.Less, con.L, con.R = e.Op[0] == '<', l, r
	return con
}

func (c *checker) cut(con *Constraint, v *variable, e *dsl.Call, sc *scope) *Constraint {
	args, ok := c.positional(sc, e, 2)
	if !ok {
		return nil
	}
	if v.Type.Elem != Cat {
		c.errorf(e.Span, "type", "cut gives a category, but %s is %s", v.Name, elemWord(v.Type)).
			Hint = fmt.Sprintf("declare `data %s : K` for a plate K of one element more than there are cutpoints", c.text(v.Span))
		return nil
	}
	if s := args[0].Shape(); len(s) > 0 {
		c.errorf(e.Args[0].Value.ExprSpan(), "shape", "cut takes a number, but this is %s", describeShape(s))
		return nil
	}
	cuts, ok := args[1].(*Ref)
	if !ok || len(cuts.Shape()) != 1 {
		c.errorf(e.Args[1].Value.ExprSpan(), "shape", "the cutpoints must be a vector variable")
		return nil
	}
	if t := c.vars[cuts.Var.Name].declaredType(); t == nil || t.Name.Name != "ordered" {
		c.errorf(e.Args[1].Value.ExprSpan(), "cut", "nothing says that the cutpoints %s are in order", cuts.Var.Name).
			Hint = fmt.Sprintf("declare `%s %s[...] : ordered`", cuts.Var.Role, cuts.Var.Name)
		return nil
	}
	if cuts.Shape()[0] == v.Type.Of {
		c.errorf(e.Span, "cut", "%d cutpoints make %d categories, so the cutpoints need a plate smaller by one than %s", 2, 3, v.Type.Of.Name)
		return nil
	}
	if !c.continuous(e.Span, args[0]) {
		return nil
	}
	con.L, con.Cuts = args[0], cuts
	return con
}

// continuous reports a constraint that leaves nothing to truncate, or whose sides discrete unknowns shift: then what satisfies it may fall
// apart into regions between which no draw of one unknown leads.
func (c *checker) continuous(at dsl.Span, es ...Expr) bool {
	real, discrete := unknowns(es...)
	switch {
	case real != nil && discrete == nil:
		return true
	case real != nil:
		d := c.errorf(at, "reducible", "the discrete unknown %s shifts what is compared here", discrete.Name)
		d.Notes = append(d.Notes, "what satisfies it may fall apart, and moving one unknown at a time never lead from one part to the other")
		d.Hint = fmt.Sprintf("let %s shift the mean of a real unknown instead, and compare that: `local t ~ Normal(..., var = ...)`", discrete.Name)
	case discrete != nil:
		d := c.errorf(at, "reducible", "this ties discrete unknowns such as %s together", discrete.Name)
		d.Notes = append(d.Notes, "moving one of them at a time could never leave a state that satisfies it")
		d.Hint = "give the observation a distribution, or make the comparison about something continuous"
	default:
		c.errorf(at, "observe", "there is nothing unknown here").Hint = "an observation says something about an unknown"
	}
	return false
}

// unknowns returns the first continuous and the first discrete unknown among the expressions.
func unknowns(es ...Expr) (real, discrete *Var) {
	for _, e := range es {
		WalkExpr(e, func(e Expr) {
			r, ok := e.(*Ref)
			switch {
			case !ok || !r.Var.Unknown():
			case r.Var.Type.Elem == Real:
				if real == nil {
					real = r.Var
				}
			case discrete == nil:
				discrete = r.Var
			}
		})
	}
	return real, discrete
}

// equality refuses `observe y = e` and `observe y = (a == b)`, and says why.
func (c *checker) equality(v *variable, d *dsl.ObserveDecl, sc *scope, sides ...dsl.Expr) {
	var discrete *variable // a side that is a bare category
	var typed []Expr
	for _, s := range sides {
		if w := c.refersTo(s); w != nil && c.signature(w) && w.Type.Elem == Cat {
			c.used[w.Var] = true
			discrete = w
			continue
		}
		e := c.whole(sc, s)
		if e == nil {
			return
		}
		typed = append(typed, e)
	}
	real, whole := unknowns(typed...)
	if real == nil && (discrete != nil || whole != nil) {
		name := ""
		if discrete != nil {
			name = discrete.Name
		} else {
			name = whole.Name
		}
		e := c.errorf(d.Value.ExprSpan(), "reducible", "an equality would tie the discrete unknown %s down", name)
		e.Notes = append(e.Notes, "moving one unknown at a time could never leave a state that satisfies it")
		e.Hint = fmt.Sprintf("give %s a distribution that allows for error", v.Name)
		return
	}
	if real == nil {
		c.errorf(d.Value.ExprSpan(), "observe", "there is nothing unknown here").Hint = "an observation says something about an unknown"
		return
	}
	e := c.errorf(d.Value.ExprSpan(), "degenerate", "an equality with a real number has probability zero")
	e.Notes = append(e.Notes, "observe takes inequalities, such as `observe y = z > 0`, and categories cut from a number, `observe y = cut(z, c)`")
	e.Hint = fmt.Sprintf("to say that %s is measured with error give it a distribution: `data %s ~ Normal(..., var = ...)`", v.Name, v.Name)
}
