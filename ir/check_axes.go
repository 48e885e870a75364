// This file holds axes: what stands between the brackets of a declared variable, with its ranges.

package ir

import (
	"fmt"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// An axis is one position of a statement's brackets.
type axis struct {
	bound
	name  string // of the index; "" for an event axis or a bare literal
	event bool
	span  dsl.Span
}

// A statement is one declaration for one choice of its literal indices: `x[t in T if t <= 2]` gives two.
type statement struct {
	decl *dsl.VarDecl
	axes []axis
	sc   *scope
}

// binders returns the plates that a statement runs over.
func (s *statement) binders() []Binder { return bindersOf(s.axes) }

func bindersOf(axes []axis) []Binder {
	var bs []Binder
	for _, a := range axes {
		if !a.event && !a.literal() {
			bs = append(bs, Binder{Name: a.name, Plate: a.plate, Of: a.of, Lo: a.lo, Hi: a.hi})
		}
	}
	return bs
}

// indices returns the position that a statement defines, its event axes left open.
func indicesOf(axes []axis) []IndexExpr {
	var ix []IndexExpr
	for _, a := range axes {
		if !a.event {
			ix = append(ix, a.idx)
		}
	}
	return ix
}

// maxUnroll bounds how many statements `t <= 8` stands for.
const maxUnroll = 64

// spread resolves the axes and calls emit for each choice of literals. It reports what is wrong and then returns false.
func (c *checker) spread(axes []dsl.Axis, sc *scope, emit func([]axis, *scope)) bool {
	return c.spreadFrom(axes, nil, sc, emit)
}

func (c *checker) spreadFrom(axes []dsl.Axis, before []axis, sc *scope, emit func([]axis, *scope)) bool {
	if len(axes) == 0 {
		emit(append([]axis(nil), before...), sc)
		return true
	}
	choices, ok := c.axis(axes[0], before, sc)
	for _, a := range choices {
		inner := sc
		if a.name != "" {
			inner = &scope{up: sc, name: a.name, bound: a.bound}
		}
		if !c.spreadFrom(axes[1:], append(before[:len(before):len(before)], a), inner, emit) {
			return false
		}
	}
	return ok && len(choices) > 0
}

// axis resolves one axis, to one choice unless its range is a set of literals.
func (c *checker) axis(a dsl.Axis, before []axis, sc *scope) ([]axis, bool) {
	if a.Lit != nil {
		n, ok := wholeNumber(a.Lit)
		if !ok || n < 1 {
			c.errorf(a.Span, "index", "a literal index is a whole number from 1")
			return nil, false
		}
		return []axis{{bound: bound{idx: IndexExpr{Add: n - 1, Span: a.Span}}, span: a.Span}}, true
	}
	p := c.plate(a.Plate)
	if p == nil {
		return nil, false
	}
	of, ok := c.parents(a, p, before, sc)
	if !ok {
		return nil, false
	}
	if a.Index == nil {
		if a.Cond != nil {
			c.errorf(a.Cond.ExprSpan(), "range", "a range needs an index").Hint = fmt.Sprintf("write `i in %s if ...`", p.Name)
			return nil, false
		}
		return []axis{{bound: bound{plate: p, of: of}, event: true, span: a.Span}}, true
	}
	name := a.Index.Name
	if sc.find(name) != nil {
		c.errorf(a.Index.Span, "duplicate", "index %s is used twice", name).Hint = "give each index a name of its own"
		return nil, false
	}
	if c.vars[name] != nil || c.plates[name] != nil {
		what := "plate"
		if c.vars[name] != nil {
			what = "variable"
		}
		c.errorf(a.Index.Span, "duplicate", "index %s has the name of a %s", name, what).Hint = "rename the index"
		return nil, false
	}
	one := axis{bound: bound{idx: IndexExpr{Name: name, Span: a.Index.Span}, plate: p, of: of}, name: name, span: a.Span}
	if a.Cond == nil {
		return []axis{one}, true
	}
	r, ok := c.rangeOf(a.Cond, name, p)
	if !ok {
		return nil, false
	}
	if !r.isSet {
		one.lo, one.hi = r.lo, r.hi
		return []axis{one}, true
	}
	var all []axis
	for _, k := range r.set {
		one.idx = IndexExpr{Add: k, Span: a.Cond.ExprSpan()}
		all = append(all, one)
	}
	return all, true
}

// parents resolves the indices of a ragged plate's parents, innermost last.
func (c *checker) parents(a dsl.Axis, p *Plate, before []axis, sc *scope) ([]IndexExpr, bool) {
	depth := 0
	for q := p.Over; q != nil; q = q.Over {
		depth++
	}
	if len(a.Of) == 0 && depth > 0 && a.Index == nil && len(before) >= depth && before[len(before)-1].plate == p.Over {
		return indicesOf(before[len(before)-depth:]), true // x[docs, words]
	}
	if len(a.Of) != depth {
		switch {
		case depth == 0:
			c.errorf(a.Span, "ragged", "plate %s is not ragged, so it takes no index", p.Name)
		case depth == 1:
			c.errorf(a.Span, "ragged", "plate %s is ragged over %s, so it needs an index of that plate", p.Name, p.Over.Name).
				Hint = fmt.Sprintf("write `%s[i]` after an index `i in %s`", p.Name, p.Over.Name)
		default:
			c.errorf(a.Span, "ragged", "plate %s needs the %d indices of the plates it is ragged over", p.Name, depth)
		}
		return nil, false
	}
	return c.indices(sc, a.Of, chain(p.Over))
}

// chain returns a plate with all it is ragged over, outermost first.
func chain(p *Plate) []*Plate {
	var ps []*Plate
	for ; p != nil; p = p.Over {
		ps = append([]*Plate{p}, ps...)
	}
	return ps
}

// checkOrder reports a ragged axis that does not follow its parent.
func (c *checker) checkOrder(axes []axis) bool {
	for i, a := range axes {
		if a.plate == nil || a.plate.Over == nil {
			continue
		}
		parents := chain(a.plate.Over)
		at := i - len(parents)
		for j, p := range parents {
			if at < 0 || axes[at+j].plate != p || !axes[at+j].event && (j >= len(a.of) || !sameIndex(axes[at+j].idx, a.of[j])) {
				c.errorf(a.span, "ragged", "the ragged axis %s must directly follow the index of %s", a.plate.Name, a.plate.Over.Name)
				return false
			}
		}
	}
	return true
}

// A span of positions: a set of literals or a range relative to both ends.
type positions struct {
	lo, hi int
	isSet  bool
	set    []int
}

// rangeOf reads the condition of an axis.
func (c *checker) rangeOf(e dsl.Expr, index string, p *Plate) (r positions, ok bool) {
	b, isBin := unparen(e).(*dsl.Binary)
	if !isBin {
		return r, c.badRange(e, index, p)
	}
	isIndex := func(e dsl.Expr) bool {
		n, ok := unparen(e).(*dsl.Name)
		return ok && n.Ident.Name == index
	}
	switch {
	case isIndex(b.X):
		return c.rangeSide(b.Op, b.Y, e, index, p)
	case isIndex(b.Y):
		flip := map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}
		op := b.Op
		if f := flip[op]; f != "" {
			op = f
		}
		return c.rangeSide(op, b.X, e, index, p)
	}
	return r, c.badRange(e, index, p)
}

// rangeSide reads `index op e`.
func (c *checker) rangeSide(op string, e, whole dsl.Expr, index string, p *Plate) (r positions, ok bool) {
	if k, isLit := wholeNumber(e); isLit {
		last := 0
		switch op {
		case ">":
			return positions{lo: max(k, 0)}, true
		case ">=":
			return positions{lo: max(k-1, 0)}, true
		case "<":
			last = k - 1
		case "<=":
			last = k
		case "==":
			if k < 1 {
				c.errorf(whole.ExprSpan(), "range", "no element of %s satisfies this: indices start at 1", p.Name)
				return r, false
			}
			return positions{isSet: true, set: []int{k - 1}}, true
		default:
			return r, c.badRange(whole, index, p)
		}
		if last < 1 {
			c.errorf(whole.ExprSpan(), "range", "no element of %s satisfies this: indices start at 1", p.Name)
			return r, false
		}
		if last > maxUnroll {
			c.errorf(whole.ExprSpan(), "range", "a range of %d single elements is too long; at most %d", last, maxUnroll)
			return r, false
		}
		for i := range last {
			r.set = append(r.set, i)
		}
		r.isSet = true
		return r, true
	}
	k, isSize := sizePlus(e, p)
	if !isSize {
		return r, c.badRange(whole, index, p)
	}
	switch op {
	case "<":
		k--
	case "<=":
	default:
		c.errorf(whole.ExprSpan(), "range", "the end of a plate has no index of its own, so `%s %s %s` cannot be used", index, op, c.text(e.ExprSpan())).
			Hint = fmt.Sprintf("count from the start: let a chain begin at `%s == 1` and go on for `%s > 1`", index, index)
		return r, false
	}
	if k > 0 {
		c.errorf(whole.ExprSpan(), "range", "every element of %s satisfies this", p.Name).Hint = "leave the range out"
		return r, false
	}
	return positions{hi: k}, true
}

func (c *checker) badRange(e dsl.Expr, index string, p *Plate) bool {
	c.errorf(e.ExprSpan(), "range", "this range cannot be read").Hint =
		fmt.Sprintf("compare the index with a whole number or the plate's size: `%s > 1`, `%s == 1`, `%s < %s`", index, index, index, p.Name)
	return false
}

// sizePlus reads `T`, `T - 1`, `words[d] - 1`: the size of plate p and what is added to it.
func sizePlus(e dsl.Expr, p *Plate) (int, bool) {
	switch e := unparen(e).(type) {
	case *dsl.Name:
		return 0, e.Ident.Name == p.Name
	case *dsl.Index:
		return 0, e.X.Name == p.Name && p.Over != nil
	case *dsl.Binary:
		k, isLit := wholeNumber(e.Y)
		base, isSize := sizePlus(e.X, p)
		switch {
		case !isLit || !isSize:
		case e.Op == "+":
			return base + k, true
		case e.Op == "-":
			return base - k, true
		}
	}
	return 0, false
}
