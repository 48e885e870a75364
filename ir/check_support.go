// This file holds supports of variables and domains of parameters: where things live, and the proof that they stay there.

package ir

import (
	"fmt"
	"math"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// supports sets Var.Support of every variable, and truncates factors whose variable is declared narrower.
func (c *checker) supports() {
	own := map[*Var][]*fact{}
	for _, f := range c.facts {
		own[f.X.Var] = append(own[f.X.Var], f)
	}
	for _, v := range c.order {
		if v.bad || v.guess || v.Role == dsl.Let {
			continue
		}
		v.Support = c.declaredSupport(v)
		if fs := own[v.Var]; len(fs) > 0 {
			c.drawnSupport(v, fs)
		}
	}
}

// declaredSupport is what the type says.
func (c *checker) declaredSupport(v *variable) Support {
	s := Support{Kind: map[Elem]SupportKind{Real: Line, Int: Counts, Bool: Binary, Cat: Finite}[v.Type.Elem]}
	t := v.declaredType()
	if t == nil {
		return s
	}
	switch t.Name.Name {
	case "cov":
		s.Kind = SPD
	case "simplex":
		s.Kind = Simplex
	case "ordered":
		s.Ordered = true
	}
	var sc *scope
	if len(v.stmts) == 1 {
		sc = v.stmts[0].sc
	}
	s.Lo, s.Hi = c.bound(v, sc, t.Lo), c.bound(v, sc, t.Hi)
	s.LoClosed, s.HiClosed = t.LoClosed, t.HiClosed
	if s.Kind == Counts { // an open bound on whole numbers is the closed one next to it
		next := func(e Expr, open bool, by float64) Expr {
			if e == nil || !open {
				return e
			}
			if n, ok := e.(*Num); ok {
				return &Num{Value: n.Value + by, At: n.At}
			}
			return &Bin{Op: '+', L: e, R: &Num{Value: by, At: e.Span()}, At: e.Span()}
		}
		s.Lo, s.Hi = next(s.Lo, !s.LoClosed, 1), next(s.Hi, !s.HiClosed, -1)
		s.LoClosed, s.HiClosed = false, false
	}
	if s.Lo != nil && s.Hi != nil {
		lo, lok := s.Lo.(*Num)
		hi, hok := s.Hi.(*Num)
		if lok && hok && (lo.Value > hi.Value || lo.Value == hi.Value && s.Kind == Line) {
			c.errorf(t.Span, "type", "nothing lies between %g and %g", lo.Value, hi.Value)
		}
	}
	return s
}

func (c *checker) bound(v *variable, sc *scope, e dsl.Expr) Expr {
	if e == nil {
		return nil
	}
	x := c.whole(sc, e)
	if x == nil {
		return nil
	}
	if s := x.Shape(); len(s) > 0 {
		c.errorf(e.ExprSpan(), "shape", "a bound is a number, not %s", describeShape(s))
		return nil
	}
	bad := false
	WalkExpr(x, func(y Expr) {
		r, ok := y.(*Ref)
		switch {
		case !ok || bad:
		case r.Var == v.Var:
			bad = true
			c.errorf(e.ExprSpan(), "cyclic", "the bound of %s depends on itself", v.Name)
		case r.Var.Unknown() && !v.Unknown() && v.Role != dsl.Data:
			bad = true
			c.errorf(e.ExprSpan(), "const", "a bound of const %s cannot depend on %s, which is unknown", v.Name, r.Var.Name)
		case r.Var.Role == dsl.Data && v.Role == dsl.Const:
			bad = true
			c.errorf(e.ExprSpan(), "const", "a bound of const %s cannot depend on %s, which is data", v.Name, r.Var.Name)
		}
	})
	if bad {
		return nil
	}
	return x
}

// drawnSupport combines what the type says with the support of the distributions.
func (c *checker) drawnSupport(v *variable, fs []*fact) {
	declared := v.Support
	var drawn Support
	for i, f := range fs {
		s := f.Dist.Support(f.Args)
		c.truncate(v, f, declared, s)
		s.Lo, s.Hi = f.Ends()
		switch {
		case i == 0:
			drawn = s
		case drawn.Kind != s.Kind:
			c.errorf(f.Span, "support", "the statements about %s give it different supports", v.Name)
			return
		default: // a bound that the statements do not share is not kept
			if drawn.Lo != nil && (s.Lo == nil || !sameExpr(s.Lo, drawn.Lo)) {
				drawn.Lo = nil
			}
			if drawn.Hi != nil && (s.Hi == nil || !sameExpr(s.Hi, drawn.Hi)) {
				drawn.Hi = nil
			}
		}
	}
	t := v.declaredType()
	if t == nil {
		c.emptySupport(fs)
		v.Support = drawn
		return
	}
	if declared.Kind != drawn.Kind {
		c.errorf(t.Span, "type", "%s is declared %s, but %s draws %s", v.Name, supportWord(declared), fs[0].Dist.Name, supportWord(drawn))
		return
	}
	if declared.Ordered {
		c.orderedDraw(v, fs, t)
	}
	c.emptySupport(fs)
	s := drawn
	if fs[0].Lo != nil {
		s.LoClosed = declared.LoClosed
	}
	if fs[0].Hi != nil {
		s.HiClosed = declared.HiClosed
	}
	s.Ordered = declared.Ordered
	v.Support = s
}

// emptySupport reports a distribution whose bounds surely leave nothing between them, such as Uniform(1, 0).
func (c *checker) emptySupport(fs []*fact) {
	for _, f := range fs {
		lo, hi := f.Ends()
		if f.Dist.Support(f.Args).Kind == Line && lo != nil && hi != nil && rangeOf(&Bin{Op: '-', L: hi, R: lo}).hi <= 0 {
			c.errorf(f.st.decl.Dist.Span, "support", "nothing lies between %s and %s", c.describe(lo), c.describe(hi))
		}
	}
}

func supportWord(s Support) string {
	switch s.Kind {
	case Simplex:
		return "a simplex"
	case SPD:
		return "a covariance matrix"
	case Finite:
		return "a category"
	case Binary:
		return "a bool"
	case Counts:
		return "a whole number"
	}
	return "real numbers"
}

// truncate sets the factor's bounds where the declared ones lie inside those of the distribution.
func (c *checker) truncate(v *variable, f *fact, declared, drawn Support) {
	if drawn.Kind != declared.Kind {
		return
	}
	inside := func(d, s Expr, sign float64) bool { // is d a tighter bound than s?
		switch {
		case d == nil:
			return false
		case s == nil:
			return true
		}
		r := rangeOf(&Bin{Op: '-', L: d, R: s})
		if sign < 0 {
			r = r.neg()
		}
		return r.hi > 0 // provably not tighter otherwise
	}
	lo, hi := inside(declared.Lo, drawn.Lo, 1), inside(declared.Hi, drawn.Hi, -1)
	if !lo && !hi {
		return
	}
	t := v.declaredType()
	if drawn.Kind != Line || f.Dist.Event > 0 || f.Dist.LogProb != "" && f.Dist.LogMass == "" {
		if drawn.Kind == Counts && v.Role == dsl.Data && declared.Hi == nil && drawn.Hi != nil {
			return
		}
		c.errorf(t.Span, "truncation", "%s cannot be truncated", f.Dist.Name).Hint = "leave the bounds out"
		return
	}
	if lo {
		f.Lo = declared.Lo
	}
	if hi {
		f.Hi = declared.Hi
	}
	if len(f.Args) > 0 && f.Dist.LogCDF == nil && dependsOnUnknown(append([]Expr{f.Lo, f.Hi}, f.Args...)...) {
		c.errorf(t.Span, "truncation", "%s cannot be truncated when its parameters or the bounds are unknown", f.Dist.Name).
			Notes = []string{"the probability of the truncated range, which divides the density, would change with them"}
		return
	}
	if v.Role == dsl.Data {
		c.warnf(t.Span, "truncation", "the bound truncates the distribution of %s: its density is divided by the probability of the range", v.Name).
			Hint = "leave the bound out if nothing outside it was ruled out when the data were gathered"
	}
}

// orderedDraw checks that the elements of an ordered vector are alike, so that ordering them divides the density by a constant.
func (c *checker) orderedDraw(v *variable, fs []*fact, t *dsl.Type) {
	f := fs[0]
	last := len(f.Over) - 1
	if len(fs) > 1 || f.Dist.Event > 0 || last < 0 || last != len(v.Axes)-1 {
		c.errorf(t.Span, "ordered", "an ordered vector needs one statement with an index on its last axis").
			Hint = fmt.Sprintf("write `%s %s[j in J] : ordered ~ Normal(0, var = 1)`", v.Role, v.Name)
		return
	}
	for _, e := range append([]Expr{f.Lo, f.Hi}, f.Args...) {
		if e != nil && mentions(e, f.Over[last].Name) {
			c.errorf(e.Span(), "ordered", "the elements of the ordered vector %s must have one distribution, but this depends on %s", v.Name, f.Over[last].Name).
				Notes = []string{"otherwise the probability of the order, which divides the density, is not a constant"}
			return
		}
	}
}

// domains checks every parameter against its domain and every function against its own.
func (c *checker) domains() {
	for _, f := range c.facts {
		for k, p := range f.Dist.Params {
			if k < len(f.Args) {
				c.functions(f.Args[k], f.at[k])
				c.domain(f, k, p)
			}
		}
	}
	for _, k := range c.m.Constraints {
		c.functions(k.L, k.Span)
		if k.R != nil {
			c.functions(k.R, k.Span)
		}
	}
	for _, v := range c.order {
		if !v.bad && v.Default != nil {
			c.checkDefault(v)
		}
	}
}

// domain checks one parameter.
func (c *checker) domain(f *fact, k int, p Param) {
	e, given := f.Args[k], f.given[k]
	if given == nil {
		return
	}
	name := fmt.Sprintf("%s of %s", spelledName(p, f.spell[k]), f.Dist.Name)
	switch p.Domain {
	case Positive, PositiveVec:
		if f.spell[k] != nil { // sd, prec, scale ...: a negative one is a slip, even if its square is positive
			e = given
		}
		if !rangeOf(e).positive() {
			c.notPositive(name, given, given, f.at[k])
		}
	case DegreesOfFreedom:
		dim := f.X.Shape()
		if len(dim) > 0 && !aboveDim(e, dim[0]) {
			c.errorf(f.at[k], "domain", "%s must be greater than %s - 1, but nothing says that %s is", name, dim[0].Name, c.describe(given)).
				Hint = fmt.Sprintf("declare it `real > %s - 1`, or write `%s + ...` with something positive", dim[0].Name, dim[0].Name)
		}
	case UnitInterval:
		r := rangeOf(e)
		if r.lo >= 0 && r.hi <= 1 {
			return
		}
		x := given
		if b, ok := x.(*Bin); ok && len(b.L.Shape()) == 0 {
			x = c.outside(b)
		}
		d := c.errorf(within(x.Span(), f.at[k]), "domain", "%s must lie between 0 and 1, but %s may be %s", name, c.describe(x), outsideWord(r))
		c.inside(d, x, given)
		d.Hint = c.declareHint(x, "in (0, 1)", "logistic(...) or Phi(...)")
	case SimplexDomain:
		if !isSimplex(e) {
			d := c.errorf(f.at[k], "domain", "%s must be probabilities that sum to 1, but nothing says that %s is", name, c.describe(given))
			d.Hint = "use a variable drawn from Dirichlet or declared `simplex`"
			if s := e.Shape(); len(s) == 1 && !s[0].Unbounded {
				d.Hint += fmt.Sprintf(", or `1 / %s` for equal ones", s[0].Name)
			}
		}
	case SPDDomain:
		bad := notSPD(e)
		if bad == nil {
			return
		}
		if len(bad.Shape()) == 0 {
			c.notPositive(name, bad, given, f.at[k])
			return
		}
		d := c.errorf(within(bad.Span(), f.at[k]), "domain", "%s must be a covariance matrix, but nothing says that %s is", name, c.describe(bad))
		c.inside(d, bad, given)
		if r, ok := bad.(*Ref); ok && !r.Var.Unknown() {
			d.Hint = fmt.Sprintf("declare `%s %s[...] : cov`", r.Var.Role, r.Var.Name)
		}
	case CountDomain:
		r := rangeOf(e)
		switch {
		case !r.whole:
			d := c.errorf(f.at[k], "domain", "%s must be a whole number, but %s need not be", name, c.describe(given))
			d.Hint = c.declareHint(given, "", "whole numbers")
			if x, ok := given.(*Ref); ok && !x.Var.Unknown() {
				d.Hint = fmt.Sprintf("declare `%s %s : int`", x.Var.Role, x.Var.Name)
			}
		case r.lo < 0:
			c.errorf(f.at[k], "domain", "%s must not be negative, but %s may be", name, c.describe(given)).
				Hint = "declare it `int >= 0`"
		}
	}
}

// within returns the span of a part, or where it is not inside the whole, since it came with a let, that of the whole.
func within(part, whole dsl.Span) dsl.Span {
	if part.Start.Offset < whole.Start.Offset || part.End.Offset > whole.End.Offset || part.Start.Line == 0 {
		return whole
	}
	return part
}

// describe quotes an expression as it stands in the text; a substituted let shows what it stands for.
func (c *checker) describe(e Expr) string { return "`" + ExprString(e) + "`" }

// inside adds a note on where the culprit stands, if it is not the whole.
func (c *checker) inside(d *dsl.Diag, x, whole Expr) {
	if !sameExpr(x, whole) {
		d.Notes = append(d.Notes, "in "+c.describe(whole))
	}
}

// notPositive reports the part of e that keeps it from being positive.
func (c *checker) notPositive(name string, e, whole Expr, at dsl.Span) {
	x := culprit(e)
	r := rangeOf(x)
	how := "zero or negative"
	verb := "may be"
	switch {
	case r.hi <= 0 && r.isPoint() && r.lo == 0:
		how, verb = "zero", "is"
	case r.hi < 0:
		how, verb = "negative", "is"
	case r.hi <= 0:
		how, verb = "never positive", "is"
	case r.lo >= 0:
		how = "zero"
	}
	d := c.errorf(within(x.Span(), at), "domain", "%s must be positive, but %s %s %s", name, c.describe(x), verb, how)
	c.inside(d, x, whole)
	if verb == "may be" {
		d.Hint = c.declareHint(x, "> 0", "exp(...)")
	}
}

// culprit descends to the part of an expression that is to blame if it is not positive.
func culprit(e Expr) Expr {
	switch e := e.(type) {
	case *Fill:
		return culprit(e.X)
	case *Sum:
		if !rangeOf(e.Body).positive() {
			return culprit(e.Body)
		}
	case *Bin:
		l, r := rangeOf(e.L), rangeOf(e.R)
		switch e.Op {
		case '*', '/':
			switch {
			case l.positive() && !r.positive():
				return culprit(e.R)
			case r.positive() && !l.positive():
				return culprit(e.L)
			}
		case '+':
			switch {
			case !l.nonNegative() && r.nonNegative():
				return culprit(e.L)
			case !r.nonNegative() && l.nonNegative():
				return culprit(e.R)
			}
		}
	}
	return e
}

// outside descends to the operand that leaves [0, 1], if there is just one.
func (c *checker) outside(b *Bin) Expr {
	ok := func(e Expr) bool { r := rangeOf(e); return r.lo >= 0 && r.hi <= 1 }
	if b.Op == '*' {
		switch l, r := ok(b.L), ok(b.R); {
		case l && !r:
			return b.R
		case r && !l:
			return b.L
		}
	}
	if n, isNum := b.L.(*Num); b.Op == '-' && isNum && n.Value == 1 {
		return b.R
	}
	return b
}

func outsideWord(r interval) string {
	switch {
	case r.lo < 0 && r.hi > 1:
		return "outside"
	case r.lo < 0:
		return "negative"
	}
	return "greater than 1"
}

// declareHint says how to make x satisfy a bound.
func (c *checker) declareHint(x Expr, bound, function string) string {
	if r, ok := x.(*Ref); ok {
		if r.Var.Unknown() {
			return fmt.Sprintf("give %s a distribution with that support, declare it `real %s`, or use %s", r.Var.Name, bound, function)
		}
		if r.Var.Type.Elem == Real || r.Var.Type.Elem == Int {
			kind := map[Elem]string{Real: "real", Int: "int"}[r.Var.Type.Elem]
			return fmt.Sprintf("declare `%s %s : %s %s`", r.Var.Role, r.Var.Name, kind, bound)
		}
	}
	return fmt.Sprintf("use %s, or parts that are declared `real %s`", function, bound)
}

// functions checks the arguments of functions, divisors and powers in e.
func (c *checker) functions(e Expr, at dsl.Span) {
	walk(e, func(e Expr) {
		switch e := e.(type) {
		case *App:
			r := rangeOf(e.X)
			switch e.Fn {
			case "log", "lgamma":
				if !r.positive() {
					c.notPositive("the argument of "+e.Fn, e.X, e, at)
				}
			case "sqrt":
				if !r.nonNegative() {
					d := c.errorf(within(e.X.Span(), at), "domain", "the argument of sqrt must not be negative, but %s may be", c.describe(e.X))
					d.Hint = c.declareHint(e.X, "> 0", "exp(...)")
				}
			}
		case *Bin:
			l, r := rangeOf(e.L), rangeOf(e.R)
			switch {
			case e.Op == '/' && r.isPoint() && r.lo == 0:
				c.errorf(within(e.At, at), "domain", "division by zero")
			case e.Op == '/' && r.mayBeZero():
				d := c.warnf(within(e.R.Span(), at), "division", "the divisor %s may be zero", c.describe(e.R))
				d.Hint = c.declareHint(e.R, "> 0", "exp(...)")
			case e.Op == '^' && r.isPoint() && r.lo != math.Trunc(r.lo) && !l.nonNegative():
				c.errorf(within(e.L.Span(), at), "domain", "a power that is not whole needs a base that is not negative, but %s may be", c.describe(e.L)).
					Hint = c.declareHint(e.L, "> 0", "exp(...)")
			case e.Op == '^' && r.isPoint() && r.lo < 0 && l.mayBeZero():
				d := c.warnf(within(e.L.Span(), at), "division", "a negative power of %s, which may be zero", c.describe(e.L))
				d.Hint = c.declareHint(e.L, "> 0", "exp(...)")
			case e.Op == '^' && !r.isPoint() && !l.positive():
				c.notPositive("the base of a power that is not a number", e.L, e, at)
			}
		}
	})
}

// checkDefault checks a const's default against its constraint, as far as numbers go.
func (c *checker) checkDefault(v *variable) {
	e, s := v.Default, v.Support
	c.functions(e, e.Span())
	switch v.Type.Elem {
	case Cat:
		n, ok := e.(*Num)
		if !ok || n.Value < 1 || n.Value != math.Trunc(n.Value) {
			c.errorf(e.Span(), "default", "the default of %s must be the number of an element of %s, from 1", v.Name, v.Type.Of.Name)
		}
		return
	case Bool:
		if n, ok := e.(*Num); !ok || n.Value != 0 && n.Value != 1 {
			c.errorf(e.Span(), "default", "the default of the bool %s must be 0 or 1", v.Name)
		}
		return
	}
	switch s.Kind {
	case SPD:
		if bad := notSPD(e); bad != nil {
			d := c.errorf(e.Span(), "default", "the default of %s must be a covariance matrix, but %s is none for sure", v.Name, c.describe(e))
			if p := v.Axes[len(v.Axes)-1]; len(e.Shape()) == 0 {
				d.Hint = fmt.Sprintf("write `%s * identity(%s)`", c.text(e.Span()), p.Name)
			}
		}
		return
	case Simplex:
		p := v.Axes[len(v.Axes)-1]
		if len(e.Shape()) == 0 {
			e = &Fill{X: e, Plate: []*Plate{p}, At: e.Span()}
		}
		if !isSimplex(e) {
			c.errorf(e.Span(), "default", "the default of %s must be probabilities that sum to 1", v.Name).
				Hint = fmt.Sprintf("write `1 / %s`", p.Name)
		}
		return
	}
	r, all := rangeOf(e), rangeOf(&Ref{Var: v.Var})
	switch {
	case s.Ordered && len(e.Shape()) == 0:
		c.errorf(e.Span(), "default", "equal numbers are no default for the ordered %s", v.Name)
	case r.hi < all.lo, r.hi == all.lo && (r.hiOpen || all.loOpen), r.lo > all.hi, r.lo == all.hi && (r.loOpen || all.hiOpen):
		d := c.errorf(e.Span(), "default", "the default of %s lies outside what it is declared to be: %s", v.Name, v.supportString())
		if t := v.declaredType(); t != nil {
			d.Notes = append(d.Notes, c.place("it is declared", t.Span))
		}
	case all.whole && !r.whole:
		c.errorf(e.Span(), "default", "the default of %s must be a whole number", v.Name)
	}
}
