// This file holds directives: collapse, block, monitor, kernel, batch.

package ir

import (
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
)

func (c *checker) directives() {
	for _, d := range c.file.Decls {
		switch d := d.(type) {
		case *dsl.ListDecl:
			switch d.Verb {
			case "collapse":
				for _, v := range c.unknownList(d) {
					if slices.Contains(c.m.Collapse, v) {
						c.errorf(d.Span, "duplicate", "%s is collapsed twice", v.Name)
						continue
					}
					c.m.Collapse = append(c.m.Collapse, v)
				}
			case "block":
				var block []*Var
				for _, v := range c.unknownList(d) {
					if slices.Contains(block, v) {
						c.errorf(d.Span, "duplicate", "%s is named twice", v.Name)
						continue
					}
					for _, b := range c.m.Blocks {
						if slices.Contains(b.Vars, v) {
							c.errorf(d.Span, "duplicate", "%s is in two blocks", v.Name)
						}
					}
					block = append(block, v)
				}
				if len(block) > 0 {
					c.m.Blocks = append(c.m.Blocks, &Block{block, d.Span})
				}
			case "monitor":
				c.monitor(d)
			}
		case *dsl.KernelDecl:
			v := c.unknown(d.Name, "a kernel")
			if v == nil {
				continue
			}
			if old := c.m.Kernels[v.Var]; old != "" {
				c.errorf(d.Span, "duplicate", "%s has two kernels", v.Name)
				continue
			}
			c.m.Kernels[v.Var] = d.Kind.Name
		}
	}
	for _, d := range c.file.Decls {
		if d, ok := d.(*dsl.BatchDecl); ok {
			c.batch(d)
		}
	}
	for _, b := range c.m.Blocks {
		for _, v := range b.Vars {
			if slices.Contains(c.m.Collapse, v) {
				c.errorf(v.Span, "duplicate", "%s is collapsed, so it cannot be drawn in a block", v.Name)
			}
		}
	}
	for _, v := range c.m.Vars {
		if c.m.Kernels[v] != "" && slices.Contains(c.m.Collapse, v) {
			c.errorf(v.Span, "duplicate", "%s is collapsed, so it has no kernel", v.Name)
		}
	}
	c.monitored()
	c.collapsedSticks()
}

// monitored leaves out what is listed twice, and refuses what no file of draws can hold. It comes after all directives, since a collapse may follow.
func (c *checker) monitored() {
	all := c.m.Monitor
	c.m.Monitor = slices.DeleteFunc(slices.Clone(all), func(m *Ref) bool {
		for i, o := range all { // before m, or all of what m is an element of
			n := len(o.Idx)
			first := n < len(m.Idx) || n == len(m.Idx) && i < slices.Index(all, m)
			if o.Var == m.Var && first && indexList(o.Idx) == indexList(m.Idx[:n]) {
				c.warnf(m.At, "duplicate", "%s is monitored twice", ExprString(m))
				return true
			}
		}
		return false
	})
	for _, m := range c.m.Monitor {
		v := m.Var
		if slices.Contains(c.m.Collapse, v) {
			c.errorf(m.At, "monitor", "%s is collapsed: the sampler never holds it, so there is nothing to write", v.Name).
				Hint = fmt.Sprintf("take %s out of `monitor`, or out of `collapse`", v.Name)
		}
		if v.Role != dsl.Let {
			continue
		}
		said := false
		WalkExpr(v.Def, func(e Expr) {
			if r, ok := e.(*Ref); ok && !said && slices.Contains(c.m.Collapse, r.Var) {
				said = true
				c.errorf(m.At, "monitor", "%s is made of %s, which is collapsed: the sampler never holds it", v.Name, r.Var.Name).
					Hint = fmt.Sprintf("take %s out of `monitor`, or %s out of `collapse`", v.Name, r.Var.Name)
			}
		})
	}
}

// unknownList resolves a list of unknowns.
func (c *checker) unknownList(d *dsl.ListDecl) []*Var {
	var out []*Var
	for _, e := range d.Items {
		n, ok := unparen(e).(*dsl.Name)
		if !ok {
			c.errorf(e.ExprSpan(), "directive", "%s takes names of variables, not elements", d.Verb)
			continue
		}
		if v := c.unknown(n.Ident, d.Verb); v != nil {
			out = append(out, v.Var)
		}
	}
	return out
}

// unknown looks up a variable that the sampler draws.
func (c *checker) unknown(id dsl.Ident, what string) *variable {
	v := c.vars[id.Name]
	switch {
	case v == nil && c.plates[id.Name] != nil:
		c.errorf(id.Span, "directive", "%s is a plate; %s is for a global or local variable", id.Name, what)
	case v == nil:
		c.unknownName(nil, id)
	case !v.Unknown():
		d := c.errorf(id.Span, "directive", "%s is a %s variable; %s is for a global or local one", id.Name, v.Role, what)
		d.Notes = append(d.Notes, c.place("it is declared", v.Span))
		v = nil
	case v.bad || v.guess:
		v = nil
	}
	return v
}

// monitor resolves what is written: unknowns and lets, whole or single elements.
func (c *checker) monitor(d *dsl.ListDecl) {
	for _, e := range d.Items {
		var id dsl.Ident
		var args []dsl.Expr
		switch x := unparen(e).(type) {
		case *dsl.Name:
			id = x.Ident
		case *dsl.Index:
			id, args = x.X, x.Args
		default:
			c.errorf(e.ExprSpan(), "directive", "monitor takes names and elements").Hint = "give the expression a name: `let m = ...`"
			continue
		}
		v := c.vars[id.Name]
		if v == nil || v.Role != dsl.Let {
			if v = c.unknown(id, "monitor"); v == nil {
				continue
			}
		}
		c.used[v.Var] = true
		if !c.signature(v) {
			continue
		}
		ix, ok := c.refIndices(nil, v, args, e.ExprSpan())
		if ok {
			c.m.Monitor = append(c.m.Monitor, &Ref{Var: v.Var, Idx: ix, At: e.ExprSpan()})
		}
	}
}

// batch resolves the unit of batching: a plate that a local runs over first, or one that is ragged over that. It comes after the
// other directives, since what is collapsed has no units.
func (c *checker) batch(d *dsl.BatchDecl) {
	p := c.plate(d.Plate)
	if p == nil {
		return
	}
	if c.m.Batch != nil {
		c.errorf(d.Span, "duplicate", "the unit of batching is named twice")
		return
	}
	c.m.Batch = p
	hint := "batches are made of the units that locals belong to"
	for _, v := range c.order {
		i := slices.Index(v.Axes, p)
		switch {
		case v.Role != dsl.Local:
		case v.bad || v.guess: // what its axes are is not known
			return
		case v.UnitAxes(p) > 0 && slices.Contains(c.m.Collapse, v.Var):
			hint = fmt.Sprintf("%s is collapsed: the sampler never holds it, so there is nothing to refresh", v.Name)
		case v.UnitAxes(p) > 0:
			return
		case i >= len(v.Axes)-v.Event:
			hint = fmt.Sprintf("%s is drawn whole along %s", v.Name, p.Name)
		case i >= 0:
			hint = fmt.Sprintf("%s runs over %s before it runs over %s: its units are the elements of %s", v.Name, v.Axes[0].Name, p.Name, v.Axes[0].Name)
		}
	}
	c.errorf(d.Plate.Span, "directive", "no local has %s as its outermost plate", p.Name).Hint = hint
}

// collapsedSticks reports what depends on the weights of a stick that is integrated out.
func (c *checker) collapsedSticks() {
	for _, f := range c.facts {
		for k, a := range f.Args {
			whole := f.Dist.Params[k].Cats
			WalkExpr(a, func(e Expr) {
				r, ok := e.(*Ref)
				if !ok || !slices.Contains(c.m.Collapse, r.Var) || r.Var.Event != 1 || !r.Var.Axes[len(r.Var.Axes)-1].Unbounded {
					return
				}
				if x, isRef := a.(*Ref); !whole || !isRef || x != r {
					c.errorf(f.given[k].Span(), "collapse", "nothing may depend on %s once it is collapsed, except categories drawn from it", r.Var.Name)
				}
			})
		}
	}
}

// constDefault types the default of a const.
func (c *checker) constDefault(v *variable, value dsl.Expr) {
	e := c.whole(nil, value)
	if e == nil || !c.signature(v) {
		return
	}
	ok := true
	WalkExpr(e, func(e Expr) {
		if r, isRef := e.(*Ref); isRef && r.Var.Role != dsl.Const && ok {
			ok = false
			c.errorf(r.At, "const", "the default of %s depends on %s, which is a %s variable", v.Name, r.Var.Name, r.Var.Role).
				Hint = "a default is made of numbers, sizes of plates and other consts"
		}
	})
	if s := e.Shape(); ok && len(s) > 0 && !slices.Equal(s, v.Axes) {
		have := "a scalar"
		if len(v.Axes) > 0 {
			have = describeShape(v.Axes)
		}
		c.errorf(value.ExprSpan(), "shape", "const %s is %s, but its default is %s", v.Name, have, describeShape(s))
		ok = false
	}
	if ok {
		v.Default = e
	}
}

// indexList writes indices as a spec would.
func indexList(ix []IndexExpr) string {
	s := ""
	for i, x := range ix {
		if i > 0 {
			s += ", "
		}
		s += x.String()
	}
	return s
}

// String writes an index as a spec would: literals 1-based.
func (x IndexExpr) String() string {
	s := x.Name
	if x.Cat != nil {
		s = ExprString(x.Cat)
	}
	switch {
	case s == "":
		return fmt.Sprint(x.Add + 1)
	case x.Add > 0:
		return fmt.Sprintf("%s + %d", s, x.Add)
	case x.Add < 0:
		return fmt.Sprintf("%s - %d", s, -x.Add)
	}
	return s
}
