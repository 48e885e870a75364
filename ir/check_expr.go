// This file holds expressions: from syntax to typed form, shapes checked, let variables substituted.

package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// functions are those of one scalar; on a vector they act element by element.
var functions = []string{"log", "exp", "sqrt", "logistic", "Phi", "abs", "lgamma"}

// otherFunctions are what other languages call them.
var otherFunctions = map[string]string{
	"ln": "log", "inv_logit": "logistic", "invlogit": "logistic", "ilogit": "logistic", "expit": "logistic", "sigmoid": "logistic",
	"phi": "Phi", "pnorm": "Phi", "probit": "Phi", "lngamma": "lgamma", "loggamma": "lgamma", "inprod": "dot", "inner": "dot", "fabs": "abs",
	"square": "x^2", "pow": "x^y", "eye": "identity", "step": "observe y = x > 0",
}

// whole types an expression where a vector must stand as a vector; it returns nil if something was reported.
func (c *checker) whole(sc *scope, e dsl.Expr) Expr {
	return c.lifted(c.expr(sc, e))
}

// expr types an expression of numbers; it returns nil if something was reported.
func (c *checker) expr(sc *scope, e dsl.Expr) Expr {
	switch e := e.(type) {
	case *dsl.Paren:
		return c.expr(sc, e.X)
	case *dsl.Number:
		return &Num{Value: e.Value, At: e.Span}
	case *dsl.Unary:
		x := c.expr(sc, e.X)
		if x == nil {
			return nil
		}
		if n, ok := x.(*Num); ok {
			return &Num{Value: -n.Value, At: e.Span}
		}
		return c.arith('*', &Num{Value: -1, At: e.Span}, x, e.Span)
	case *dsl.Name:
		return c.name(sc, e.Ident, nil, e.Ident.Span)
	case *dsl.Index:
		return c.name(sc, e.X, e.Args, e.Span)
	case *dsl.Binary:
		if !strings.Contains("+-*/^", e.Op) {
			c.errorf(e.Span, "comparison", "a comparison is not a number").
				Hint = "comparisons stand in `observe y = a > b` and after `if`"
			return nil
		}
		l, r := c.expr(sc, e.X), c.expr(sc, e.Y)
		if l == nil || r == nil {
			return nil
		}
		return c.arith(e.Op[0], l, r, e.Span)
	case *dsl.Call:
		return c.call(sc, e)
	}
	return nil
}

// name types a bare or indexed name.
func (c *checker) name(sc *scope, id dsl.Ident, args []dsl.Expr, at dsl.Span) Expr {
	if s := sc.find(id.Name); s != nil {
		if len(args) > 0 {
			c.errorf(at, "index", "%s is an index, so it has no elements", id.Name)
			return nil
		}
		if s.plate != nil && s.plate.Unbounded {
			c.errorf(at, "unbounded", "%s has no value: the categories of %s are told apart by what belongs to them, not by a number", id.Name, s.plate.Name)
			return nil
		}
		ix := s.idx
		ix.Span = at
		return &IndexVal{Index: ix, At: at}
	}
	if p := c.plates[id.Name]; p != nil {
		return c.size(sc, p, args, at)
	}
	v := c.vars[id.Name]
	if v == nil {
		if slices.Contains(distNames(), id.Name) {
			c.errorf(at, "distribution", "%s is a distribution; it stands after `~` only", id.Name)
			return nil
		}
		c.unknownName(sc, id)
		return nil
	}
	c.used[v.Var] = true
	if !c.signature(v) {
		for _, a := range args { // names inside are worth a look all the same
			c.lookOver(sc, a)
		}
		return nil
	}
	ix, ok := c.refIndices(sc, v, args, at)
	if !ok {
		return nil
	}
	if v.Type.Elem == Cat {
		c.errorf(at, "type", "%s is a category of %s, not a number", c.text(at), v.Type.Of.Name).
			Hint = "a category can only be an index, as in `mu[" + c.text(at) + "]`"
		return nil
	}
	if v.Role == dsl.Let {
		return c.letRef(v, ix, at)
	}
	return &Ref{Var: v.Var, Idx: ix, At: at}
}

// lookOver reports unknown names inside something that already failed.
func (c *checker) lookOver(sc *scope, e dsl.Expr) {
	switch e := unparen(e).(type) {
	case *dsl.Name:
		if sc.find(e.Ident.Name) == nil && c.vars[e.Ident.Name] == nil && c.plates[e.Ident.Name] == nil {
			c.unknownName(sc, e.Ident)
		}
	case *dsl.Binary:
		c.lookOver(sc, e.X)
		c.lookOver(sc, e.Y)
	}
}

// refIndices resolves the indices of a reference.
func (c *checker) refIndices(sc *scope, v *variable, args []dsl.Expr, at dsl.Span) ([]IndexExpr, bool) {
	if len(args) > len(v.Axes) {
		d := c.errorf(at, "shape", "%s has %s, but %d are given here", v.Name, countIndices(len(v.Axes)), len(args))
		if len(v.Axes) > 0 {
			d.Notes = append(d.Notes, "its axes are "+describeShape(v.Axes))
		}
		return nil, false
	}
	return c.indices(sc, args, v.Axes)
}

func countIndices(n int) string {
	if n == 0 {
		return "no index"
	}
	return fmt.Sprintf("%d %s", n, plural(n, "index", "indices"))
}

// size types a plate in arithmetic.
func (c *checker) size(sc *scope, p *Plate, args []dsl.Expr, at dsl.Span) Expr {
	c.used[p] = true
	if p.Unbounded {
		c.errorf(at, "unbounded", "the unbounded plate %s has no size", p.Name)
		return nil
	}
	parents := chain(p.Over)
	if len(args) != len(parents) {
		if len(parents) == 0 {
			c.errorf(at, "index", "%s is a plate, so it has no elements", p.Name)
		} else {
			c.errorf(at, "ragged", "the size of the ragged plate %s depends on %s", p.Name, p.Over.Name).
				Hint = fmt.Sprintf("write `%s[d]` for an index d of %s", p.Name, p.Over.Name)
		}
		return nil
	}
	ix, ok := c.indices(sc, args, parents)
	if !ok {
		return nil
	}
	return &SizeOf{Plate: p, Of: ix, At: at}
}

// arith types l op r.
func (c *checker) arith(op byte, l, r Expr, at dsl.Span) Expr {
	ls, rs := l.Shape(), r.Shape()
	bad := func(format string, args ...any) Expr {
		c.errorf(at, "shape", format, args...)
		return nil
	}
	switch {
	case len(ls) > 2 || len(rs) > 2:
		return bad("arithmetic on %s", describeShape(longer(ls, rs)))
	case (op == '/' || op == '^') && len(rs) > 0:
		return bad("the right side of %c must be a scalar, not %s", op, describeShape(rs))
	case op == '^' && len(ls) == 2:
		return bad("a matrix has no power here")
	case len(ls) > 0 && len(rs) > 0 && (!slices.Equal(ls, rs) || !c.sameParents(l, r)):
		d := c.errorf(at, "shape", "shapes differ: %s %c %s", describeShape(ls), op, describeShape(rs))
		if len(ls) == 2 && len(rs) == 1 && op == '*' {
			d.Hint = "for a matrix times a vector write one dot product a row"
		}
		return nil
	case op == '*' && len(ls) == 2 && len(rs) == 2:
		return bad("matrices cannot be multiplied")
	case (op == '+' || op == '-') && len(ls)+len(rs) == 2 && (len(ls) == 2 || len(rs) == 2):
		m := longer(ls, rs)
		d := c.errorf(at, "shape", "a scalar cannot be added to a matrix")
		if m[0] == m[1] {
			d.Hint = fmt.Sprintf("for a multiple of the identity write `* identity(%s)`", m[0].Name)
		}
		return nil
	}
	if isLam(l) || isLam(r) {
		return c.lamBin(op, l, r, at)
	}
	return &Bin{Op: op, L: l, R: r, At: at}
}

func longer(a, b []*Plate) []*Plate {
	if len(a) < len(b) {
		return b
	}
	return a
}

// sameParents reports whether two vectors over the same ragged plate belong to the same parent.
func (c *checker) sameParents(a, b Expr) bool {
	s := a.Shape()
	if len(s) != 1 || s[0].Over == nil {
		return true
	}
	x, okX := raggedParents(a)
	y, okY := raggedParents(b)
	return okX && okY && slices.EqualFunc(x, y, sameIndex)
}

// raggedParents returns the parent indices of a vector over a ragged plate.
func raggedParents(e Expr) ([]IndexExpr, bool) {
	s := e.Shape()
	if len(s) != 1 || s[0].Over == nil {
		return nil, len(s) == 1
	}
	n := len(chain(s[0].Over))
	switch e := e.(type) {
	case *Ref:
		if len(e.Idx) < n {
			return nil, false
		}
		return e.Idx[len(e.Idx)-n:], true
	case *Bin:
		if len(e.L.Shape()) > 0 {
			return raggedParents(e.L)
		}
		return raggedParents(e.R)
	case *App:
		return raggedParents(e.X)
	case *lam:
		return e.over.Of, true
	}
	return nil, false
}

// call types a function.
func (c *checker) call(sc *scope, e *dsl.Call) Expr {
	name := e.Fn.Name
	switch name {
	case "sum":
		return c.sum(sc, e)
	case "dot":
		return c.dot(sc, e)
	case "identity":
		return c.identity(e)
	case "cut":
		c.errorf(e.Span, "cut", "cut stands in `observe y = cut(x, c)` only")
		return nil
	}
	if slices.Contains(distNames(), name) {
		c.errorf(e.Span, "distribution", "%s is a distribution; it stands after `~` only", name).
			Hint = "give the quantity a name: `local v ~ " + name + "(...)`"
		return nil
	}
	if !slices.Contains(functions, name) {
		if c.vars[name] != nil || c.plates[name] != nil {
			c.errorf(e.Span, "unknown-function", "%s is not a function", name).Hint = fmt.Sprintf("for its elements write `%s[...]`", name)
			return nil
		}
		d := c.errorf(e.Fn.Span, "unknown-function", "unknown function %s", name)
		if h := otherFunctions[name]; h != "" {
			d.Hint = "write " + h
		} else if near := dsl.Nearest(name, append([]string{"dot", "sum", "identity"}, functions...)); near != "" {
			d.Hint = fmt.Sprintf("did you mean %s?", near)
		} else {
			d.Hint = "known are dot, sum, identity, " + strings.Join(functions, ", ")
		}
		return nil
	}
	args, ok := c.positional(sc, e, 1)
	if !ok {
		return nil
	}
	x := args[0]
	if s := x.Shape(); len(s) > 1 {
		c.errorf(e.Span, "shape", "%s is for numbers and vectors, not for %s", name, describeShape(s))
		return nil
	}
	if l, ok := x.(*lam); ok {
		return &lam{over: l.over, body: &App{Fn: name, X: l.body, At: e.Span}, at: e.Span}
	}
	return &App{Fn: name, X: x, At: e.Span}
}

// positional types the n arguments of a function.
func (c *checker) positional(sc *scope, e *dsl.Call, n int) ([]Expr, bool) {
	if len(e.Args) != n {
		c.errorf(e.Span, "argument", "%s takes %d %s, not %d", e.Fn.Name, n, plural(n, "argument", "arguments"), len(e.Args))
		return nil, false
	}
	var out []Expr
	ok := true
	for _, a := range e.Args {
		if a.Name != nil {
			c.errorf(a.Name.Span, "argument", "arguments of %s have no names", e.Fn.Name)
			ok = false
			continue
		}
		if a.Value == nil {
			c.errorf(e.Span, "argument", "%s takes no index", e.Fn.Name)
			ok = false
			continue
		}
		x := c.expr(sc, a.Value)
		ok = ok && x != nil
		out = append(out, x)
	}
	return out, ok
}

// sum types `sum(x)` and `sum(k in K, e)`.
func (c *checker) sum(sc *scope, e *dsl.Call) Expr {
	if len(e.Args) == 0 || e.Args[0].Binder == nil {
		args, ok := c.positional(sc, e, 1)
		if !ok {
			return nil
		}
		x := args[0]
		if s := x.Shape(); len(s) != 1 {
			c.errorf(e.Span, "shape", "sum needs a vector, not %s", describeShape(s)).
				Hint = "or an index and a term: `sum(k in K, ...)`"
			return nil
		}
		return c.overElements(sc, e.Span, func(ix IndexExpr) Expr { return element(x, ix) }, x)
	}
	if len(e.Args) != 2 || e.Args[1].Value == nil || e.Args[1].Name != nil {
		c.errorf(e.Span, "argument", "sum takes an index and a term: `sum(k in K, ...)`")
		return nil
	}
	var out Expr
	n := 0
	ok := c.spread([]dsl.Axis{*e.Args[0].Binder}, sc, func(axes []axis, inner *scope) {
		a := axes[0]
		if n++; n > 1 {
			return
		}
		if a.event || a.literal() {
			c.errorf(a.span, "sum", "a sum needs an index that runs: `sum(k in K, ...)`")
			return
		}
		if a.plate.Unbounded {
			c.errorf(a.span, "unbounded", "a sum cannot run over the unbounded plate %s", a.plate.Name)
			return
		}
		body := c.whole(inner, e.Args[1].Value)
		if body == nil {
			return
		}
		if s := body.Shape(); len(s) > 0 {
			c.errorf(e.Args[1].Value.ExprSpan(), "shape", "the term of a sum must be a scalar, not %s", describeShape(s))
			return
		}
		out = &Sum{Over: bindersOf(axes)[0], Body: body, At: e.Span}
	})
	if !ok {
		return nil
	}
	return out
}

// overElements sums f over the elements of the vector x.
func (c *checker) overElements(sc *scope, at dsl.Span, f func(IndexExpr) Expr, x Expr) Expr {
	p := x.Shape()[0]
	if p.Unbounded {
		c.errorf(at, "unbounded", "a sum cannot run over the unbounded plate %s", p.Name)
		return nil
	}
	of, ok := raggedParents(x)
	if !ok {
		c.errorf(at, "ragged", "cannot tell whose part of the ragged plate %s this is", p.Name).
			Hint = fmt.Sprintf("write the sum out: `sum(i in %s[d], ...)`", p.Name)
		return nil
	}
	name := c.freshIndex(sc, p, at)
	body := f(IndexExpr{Name: name, Span: at})
	if body == nil {
		return nil
	}
	return &Sum{Over: Binder{Name: name, Plate: p, Of: of}, Body: body, At: at}
}

// dot types `dot(a, b)`.
func (c *checker) dot(sc *scope, e *dsl.Call) Expr {
	args, ok := c.positional(sc, e, 2)
	if !ok {
		return nil
	}
	a, b := args[0], args[1]
	as, bs := a.Shape(), b.Shape()
	if len(as) != 1 || len(bs) != 1 {
		i := 0
		if len(as) == 1 {
			i, as = 1, bs
		}
		d := c.errorf(e.Args[i].Value.ExprSpan(), "shape", "dot needs two vectors, but this is %s", describeShape(as))
		if len(as) == 2 {
			d.Hint = "give the row: an index for all but the last axis"
		}
		return nil
	}
	if as[0] != bs[0] || !c.sameParents(a, b) {
		c.errorf(e.Span, "shape", "dot needs two vectors over the same plate, but these lie over %s and %s", as[0].Name, bs[0].Name)
		return nil
	}
	if !isLam(a) && !isLam(b) {
		if as[0].Unbounded {
			c.errorf(e.Span, "unbounded", "a dot product cannot run over the unbounded plate %s", as[0].Name)
			return nil
		}
		return &Dot{A: a, B: b, At: e.Span}
	}
	if x, y := lift(a), lift(b); x != nil && y != nil {
		return &Dot{A: x, B: y, At: e.Span}
	}
	return c.overElements(sc, e.Span, func(ix IndexExpr) Expr {
		x, y := element(a, ix), element(b, ix)
		if x == nil || y == nil {
			return nil
		}
		return &Bin{Op: '*', L: x, R: y, At: e.Span}
	}, a)
}

// identity types `identity(P)`.
func (c *checker) identity(e *dsl.Call) Expr {
	if len(e.Args) == 1 && e.Args[0].Value != nil && e.Args[0].Name == nil {
		if n, ok := unparen(e.Args[0].Value).(*dsl.Name); ok {
			p := c.plate(n.Ident)
			if p == nil {
				return nil
			}
			if p.Over == nil && !p.Unbounded {
				return &Fill{X: &Num{Value: 1, At: e.Span}, Plate: []*Plate{p, p}, At: e.Span}
			}
		}
	}
	c.errorf(e.Span, "argument", "identity takes a plate of fixed size: `identity(P)`")
	return nil
}
