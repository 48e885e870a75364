// This file holds index expressions: plate indices, shifted ones, literals and categories, checked against their plate.

package ir

import (
	"fmt"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// indices resolves the leading indices of something with these axes.
func (c *checker) indices(sc *scope, args []dsl.Expr, axes []*Plate) ([]IndexExpr, bool) {
	var ix []IndexExpr
	ok := true
	for i, a := range args {
		x, good := c.index(sc, a, axes[i], ix)
		ok = ok && good
		ix = append(ix, x)
	}
	return ix, ok
}

// index resolves one index of an axis of plate p; before holds the indices to its left, which fix a ragged plate's parents.
func (c *checker) index(sc *scope, e dsl.Expr, p *Plate, before []IndexExpr) (ix IndexExpr, ok bool) {
	at := e.ExprSpan()
	base, shift := shifted(e)
	if base == nil {
		if shift < 1 {
			c.errorf(at, "index", "indices start at 1, so there is no element %d of %s", shift, p.Name)
			return ix, false
		}
		if p.Unbounded {
			c.errorf(at, "unbounded", "an element of the unbounded plate %s has no fixed number", p.Name)
			return ix, false
		}
		return IndexExpr{Add: shift - 1, Span: at}, true
	}
	var id dsl.Ident
	switch b := base.(type) {
	case *dsl.Name:
		id = b.Ident
		if s := sc.find(id.Name); s != nil {
			return c.boundIndex(s, shift, at, p, before)
		}
	case *dsl.Index:
		id = b.X
	default:
		c.errorf(at, "index", "this cannot be an index of %s", p.Name).Hint =
			"an index is a plate's index, such a one plus or minus a whole number, a category, or a whole number"
		return ix, false
	}
	v := c.vars[id.Name]
	switch {
	case v == nil && c.plates[id.Name] != nil:
		d := c.errorf(at, "index", "%s is a plate, not an index of one", id.Name)
		if id.Name == p.Name {
			d.Hint = fmt.Sprintf("for every element of %s at once leave the axis out; otherwise bind an index: `i in %s`", p.Name, p.Name)
		}
		return ix, false
	case v == nil:
		c.unknownName(sc, id)
		return ix, false
	}
	c.used[v.Var] = true
	if !c.signature(v) {
		return ix, false
	}
	if v.Type.Elem != Cat {
		c.errorf(at, "index", "%s cannot be an index: it is %s, not a category", c.text(base.ExprSpan()), elemWord(v.Type)).
			Hint = fmt.Sprintf("declare it as a category: `%s : %s`", v.Name, p.Name)
		return ix, false
	}
	if v.Type.Of != p {
		c.errorf(at, "index", "%s is a category of %s, but %s is wanted here", c.text(base.ExprSpan()), v.Type.Of.Name, p.Name)
		return ix, false
	}
	if shift != 0 {
		c.errorf(at, "range", "%s may lie outside %s: a category cannot be shifted", c.text(at), p.Name).
			Hint = "use a table indexed by the category instead"
		return ix, false
	}
	var args []dsl.Expr
	if b, isIndex := base.(*dsl.Index); isIndex {
		args = b.Args
	}
	if len(args) != len(v.Axes) {
		c.errorf(at, "shape", "%s needs %d %s here, not %d", v.Name, len(v.Axes), plural(len(v.Axes), "index", "indices"), len(args))
		return ix, false
	}
	inner, ok := c.indices(sc, args, v.Axes)
	if !ok {
		return ix, false
	}
	if v.Role == dsl.Let {
		x, ok := c.letRef(v, inner, at).(*Ref)
		if !ok {
			return ix, false
		}
		return IndexExpr{Cat: x, Span: at}, true
	}
	return IndexExpr{Cat: &Ref{Var: v.Var, Idx: inner, At: at}, Span: at}, true
}

// boundIndex checks a bound index name, shifted, against plate p.
func (c *checker) boundIndex(s *scope, shift int, at dsl.Span, p *Plate, before []IndexExpr) (IndexExpr, bool) {
	ix := s.idx
	ix.Add += shift
	ix.Span = at
	if s.plate != p {
		if s.plate == nil { // its axis failed
			return ix, false
		}
		c.errorf(at, "index", "%s runs over %s, but an index of %s is wanted here", s.name, s.plate.Name, p.Name).
			Hint = fmt.Sprintf("use an index over %[1]s, or a category: `data g[%[2]s] : %[1]s` and then g[%[3]s]", p.Name, s.plate.Name, s.name)
		return ix, false
	}
	for i, o := range s.of {
		if j := len(before) - len(s.of) + i; j < 0 || !sameIndex(o, before[j]) {
			c.errorf(at, "index", "%s runs over %s[%s], another element's part of the ragged plate", s.name, p.Name, indexList(s.of))
			return ix, false
		}
	}
	what := c.text(at)
	switch {
	case s.literal() && ix.Add < 0:
		c.errorf(at, "range", "%s is %d here, but indices start at 1", what, ix.Add+1)
		return ix, false
	case s.literal() && p.Unbounded:
		c.errorf(at, "unbounded", "an element of the unbounded plate %s has no fixed number", p.Name)
		return ix, false
	case s.literal():
		return ix, true
	case s.lo+shift < 0:
		c.errorf(at, "range", "%s falls off the start of %s: %s starts at %d", what, p.Name, s.name, s.lo+1).
			Hint = fmt.Sprintf("restrict the index: `%s in %s if %s > %d`", s.name, p.Name, s.name, -shift)
		return ix, false
	case s.hi+shift > 0:
		d := c.errorf(at, "range", "%s falls off the end of %s", what, p.Name)
		if shift == 1 {
			d.Hint = fmt.Sprintf("restrict the index: `%s in %s if %s < %s`", s.name, p.Name, s.name, p.Name)
		} else {
			d.Hint = fmt.Sprintf("restrict the index: `%s in %s if %s <= %s - %d`", s.name, p.Name, s.name, p.Name, shift)
		}
		return ix, false
	case p.Unbounded && shift != 0:
		c.errorf(at, "unbounded", "indices of the unbounded plate %s cannot be shifted", p.Name)
		return ix, false
	}
	return ix, true
}

// shifted splits `e + 2` into e and 2. A number alone has base nil.
func shifted(e dsl.Expr) (base dsl.Expr, shift int) {
	e = unparen(e)
	if k, ok := wholeNumber(e); ok {
		return nil, k
	}
	if b, ok := e.(*dsl.Binary); ok && (b.Op == "+" || b.Op == "-") {
		x, k := shifted(b.X)
		y, l := shifted(b.Y)
		switch {
		case y == nil && b.Op == "+":
			return x, k + l
		case y == nil:
			return x, k - l
		case x == nil && b.Op == "+":
			return y, k + l
		}
	}
	return e, 0
}

// sameIndex reports whether two indices are surely the same element.
func sameIndex(a, b IndexExpr) bool {
	if a.Name != b.Name || a.Add != b.Add || (a.Cat == nil) != (b.Cat == nil) {
		return false
	}
	return a.Cat == nil || sameRef(a.Cat, b.Cat)
}

func sameRef(a, b *Ref) bool {
	if a.Var != b.Var || len(a.Idx) != len(b.Idx) {
		return false
	}
	for i := range a.Idx {
		if !sameIndex(a.Idx[i], b.Idx[i]) {
			return false
		}
	}
	return true
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// elemWord names a type in a message.
func elemWord(t Type) string {
	switch t.Elem {
	case Int:
		return "a whole number"
	case Bool:
		return "a bool"
	case Cat:
		if t.Of != nil {
			return "a category of " + t.Of.Name
		}
		return "a category"
	}
	return "a real number"
}
