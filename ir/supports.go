// This file holds interval analysis: between which numbers an expression must lie, given the supports of its variables.

package ir

import (
	"math"
)

// An interval is the set of values an expression may take, or a superset of it. An infinite end is always open.
type interval struct {
	lo, hi         float64
	loOpen, hiOpen bool
	whole          bool // whole numbers only
}

var everything = interval{lo: math.Inf(-1), hi: math.Inf(1), loOpen: true, hiOpen: true}

func point(x float64) interval { return interval{lo: x, hi: x, whole: x == math.Trunc(x)} }

func from(lo float64, open bool) interval {
	return interval{lo: lo, loOpen: open, hi: math.Inf(1), hiOpen: true}
}

func between(lo, hi float64, open bool) interval {
	return interval{lo: lo, hi: hi, loOpen: open, hiOpen: open}
}

func (a interval) positive() bool    { return a.lo > 0 || a.lo == 0 && a.loOpen }
func (a interval) nonNegative() bool { return a.lo >= 0 }
func (a interval) negative() bool    { return a.hi < 0 || a.hi == 0 && a.hiOpen }
func (a interval) isPoint() bool     { return a.lo == a.hi }

// mayBeZero reports whether 0 is among the values.
func (a interval) mayBeZero() bool { return !a.positive() && !a.negative() }

// An end is one end of an interval.
type end struct {
	x    float64
	open bool
}

// times multiplies two ends; 0 times an infinite end is 0, the limit along the other.
func (p end) times(q end) end {
	switch {
	case p.x == 0 && !p.open, q.x == 0 && !q.open:
		return end{0, false}
	case p.x == 0 || q.x == 0:
		return end{0, true}
	}
	return end{keepSign(p.x*q.x, math.Signbit(p.x) != math.Signbit(q.x)), p.open || q.open}
}

// keepSign returns x, or where a product or power of numbers other than 0 has been rounded to 0 the nearest number of its sign.
func keepSign(x float64, negative bool) float64 {
	switch {
	case x != 0:
		return x
	case negative:
		return -math.SmallestNonzeroFloat64
	}
	return math.SmallestNonzeroFloat64
}

// tidy repairs what rounding and overflow have done: NaN ends are infinite, infinite ends are open, and an interval whose ends
// were rounded together is widened.
func (a interval) tidy() interval {
	if a.lo != a.lo || a.lo > a.hi {
		a.lo = math.Inf(-1)
	}
	if a.hi != a.hi || a.lo > a.hi {
		a.hi = math.Inf(1)
	}
	if a.lo == a.hi && (a.loOpen || a.hiOpen) {
		a.lo, a.hi = math.Nextafter(a.lo, math.Inf(-1)), math.Nextafter(a.hi, math.Inf(1))
		a.loOpen, a.hiOpen = false, false
	}
	a.loOpen = a.loOpen || math.IsInf(a.lo, 0)
	a.hiOpen = a.hiOpen || math.IsInf(a.hi, 0)
	return a
}

func (a interval) add(b interval) interval {
	return interval{lo: a.lo + b.lo, hi: a.hi + b.hi, loOpen: a.loOpen || b.loOpen, hiOpen: a.hiOpen || b.hiOpen, whole: a.whole && b.whole}.tidy()
}

func (a interval) neg() interval {
	return interval{lo: -a.hi, hi: -a.lo, loOpen: a.hiOpen, hiOpen: a.loOpen, whole: a.whole}
}

func (a interval) mul(b interval) interval {
	var ends []end
	for _, p := range []end{{a.lo, a.loOpen}, {a.hi, a.hiOpen}} {
		for _, q := range []end{{b.lo, b.loOpen}, {b.hi, b.hiOpen}} {
			ends = append(ends, p.times(q))
		}
	}
	lo, hi := ends[0], ends[0]
	for _, e := range ends[1:] {
		if e.x < lo.x || e.x == lo.x && !e.open {
			lo = e
		}
		if e.x > hi.x || e.x == hi.x && !e.open {
			hi = e
		}
	}
	return interval{lo: lo.x, hi: hi.x, loOpen: lo.open, hiOpen: hi.open, whole: a.whole && b.whole}.tidy()
}

// inverse is 1/a; everything if a may be zero.
func (a interval) inverse() interval {
	switch {
	case a.mayBeZero():
		return everything
	case !a.positive():
		return a.neg().inverse().neg()
	}
	r := interval{lo: 1 / a.hi, hi: math.Inf(1), loOpen: a.hiOpen, hiOpen: true}
	if a.lo > 0 {
		r.hi, r.hiOpen = 1/a.lo, a.loOpen
	}
	return r.tidy()
}

// monotone applies an increasing function with the given limits at ±∞.
func (a interval) monotone(f func(float64) float64) interval {
	return interval{lo: f(a.lo), hi: f(a.hi), loOpen: a.loOpen, hiOpen: a.hiOpen}.tidy()
}

func (a interval) abs() interval {
	switch {
	case a.lo >= 0:
		return a
	case a.hi <= 0:
		return a.neg()
	}
	r := interval{lo: 0, hi: -a.lo, hiOpen: a.loOpen, whole: a.whole}
	if a.hi > -a.lo || a.hi == -a.lo && !a.hiOpen {
		r.hi, r.hiOpen = a.hi, a.hiOpen
	}
	return r
}

// pow is a^b.
func (a interval) pow(b interval) interval {
	if !b.isPoint() {
		if a.positive() {
			return from(0, true)
		}
		return everything
	}
	k := b.lo
	switch {
	case k == 0:
		return point(1)
	case k < 0:
		return a.pow(point(-k)).inverse()
	case k == math.Trunc(k) && math.Mod(k, 2) == 0:
		a = a.abs()
	case k != math.Trunc(k) && !a.nonNegative():
		return everything
	}
	r := a.monotone(func(x float64) float64 {
		if x == 0 {
			return 0
		}
		return keepSign(math.Pow(x, k), x < 0)
	})
	r.whole = a.whole && k == math.Trunc(k)
	return r
}

// sum is the sum of one or more such numbers, or of none.
func (a interval) sum(maybeNone bool) interval {
	r := everything
	if a.lo >= 0 {
		r.lo, r.loOpen = a.lo, a.loOpen
		if maybeNone {
			r.lo, r.loOpen = 0, false
		}
	}
	if a.hi <= 0 {
		r.hi, r.hiOpen = a.hi, a.hiOpen
		if maybeNone {
			r.hi, r.hiOpen = 0, false
		}
	}
	r.whole = a.whole
	return r
}

// A ranger computes intervals. Variables whose bounds are being looked at count as unbounded, so that rings end.
type ranger struct{ busy map[*Var]bool }

// rangeOf returns the interval of a scalar, or of each element of an array.
func rangeOf(e Expr) interval { return (&ranger{map[*Var]bool{}}).expr(e) }

func (r *ranger) expr(e Expr) interval {
	switch e := e.(type) {
	case *Num:
		return point(e.Value)
	case *Ref:
		return r.variable(e.Var)
	case *SizeOf:
		a := from(1, false)
		if e.Plate.Over != nil {
			a.lo = 0
		}
		a.whole = true
		return a
	case *IndexVal:
		a := from(1, false)
		a.whole = true
		return a
	case *Bin:
		return r.bin(e)
	case *App:
		return r.app(e)
	case *Dot:
		a, b := r.expr(e.A), r.expr(e.B)
		switch { // weights that sum to 1 give a mean
		case isSimplex(e.A):
			return b
		case isSimplex(e.B):
			return a
		}
		p := a.mul(b)
		if sameExpr(e.A, e.B) {
			p = a.pow(point(2))
		}
		return p.sum(e.A.Shape()[0].Over != nil)
	case *Sum:
		return r.expr(e.Body).sum(e.Over.Plate.Over != nil || e.Over.Lo > 0 || e.Over.Hi < 0)
	case *Fill:
		return r.expr(e.X)
	}
	return everything
}

// variable returns the interval of a variable's elements.
func (r *ranger) variable(v *Var) interval {
	s := v.Support
	switch s.Kind {
	case Simplex:
		return between(0, 1, true)
	case Binary:
		return interval{lo: 0, hi: 1, whole: true}
	case SPD, Finite:
		return everything
	}
	if r.busy[v] {
		return everything
	}
	r.busy[v] = true
	defer delete(r.busy, v)
	a := everything
	if s.Kind == Counts {
		a = from(0, false)
		a.whole = true
	}
	if s.Lo != nil {
		b := r.expr(s.Lo)
		a.lo, a.loOpen = b.lo, b.loOpen || s.Kind == Line && !s.LoClosed
	}
	if s.Hi != nil {
		b := r.expr(s.Hi)
		a.hi, a.hiOpen = b.hi, b.hiOpen || s.Kind == Line && !s.HiClosed
	}
	return a
}

// Positive reports whether the elements of v are positive by its support.
func (v *Var) Positive() bool { return (&ranger{map[*Var]bool{}}).variable(v).positive() }

func (r *ranger) bin(e *Bin) interval {
	a, b := r.expr(e.L), r.expr(e.R)
	switch e.Op {
	case '+':
		return a.add(b)
	case '-':
		if sameExpr(e.L, e.R) {
			return point(0)
		}
		return a.add(b.neg())
	case '*':
		if sameExpr(e.L, e.R) {
			return a.pow(point(2))
		}
		return a.mul(b)
	case '/':
		if a.positive() && b.positive() && r.isPartOf(e.L, e.R) { // a / (a + b)
			return between(0, 1, true)
		}
		return a.mul(b.inverse())
	case '^':
		return a.pow(b)
	}
	return everything
}

// isPartOf reports whether whole is a sum of part and of something positive.
func (r *ranger) isPartOf(part, whole Expr) bool {
	b, ok := whole.(*Bin)
	if !ok || b.Op != '+' {
		return false
	}
	return (sameExpr(part, b.L) || r.isPartOf(part, b.L)) && r.expr(b.R).positive() ||
		(sameExpr(part, b.R) || r.isPartOf(part, b.R)) && r.expr(b.L).positive()
}

func (r *ranger) app(e *App) interval {
	a := r.expr(e.X)
	switch e.Fn {
	case "exp":
		return a.monotone(func(x float64) float64 {
			if math.IsInf(x, -1) {
				return 0
			}
			return keepSign(math.Exp(x), false)
		})
	case "log":
		if !a.nonNegative() {
			return everything
		}
		return a.monotone(math.Log)
	case "sqrt":
		if !a.nonNegative() {
			return everything
		}
		return a.monotone(math.Sqrt)
	case "logistic", "Phi":
		f := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
		if e.Fn == "Phi" {
			f = func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
		}
		return a.monotone(func(x float64) float64 {
			switch y := f(x); {
			case math.IsInf(x, 0):
				return y
			case y == 1:
				return math.Nextafter(1, 0)
			default:
				return keepSign(y, false)
			}
		})
	case "abs":
		return a.abs()
	}
	return everything
}

// isSimplex reports whether a vector surely consists of positive numbers that sum to 1.
func isSimplex(e Expr) bool {
	if len(e.Shape()) != 1 {
		return false
	}
	switch e := e.(type) {
	case *Ref:
		return e.Var.Support.Kind == Simplex
	case *Fill: // 1 / K
		b, ok := e.X.(*Bin)
		if !ok || b.Op != '/' {
			return false
		}
		n, isNum := b.L.(*Num)
		s, isSize := b.R.(*SizeOf)
		return isNum && isSize && n.Value == 1 && s.Plate == e.Plate[0]
	case *Bin: // a * p + (1 - a) * q
		if e.Op != '+' {
			return false
		}
		a, p := weighted(e.L)
		b, q := weighted(e.R)
		if a == nil || b == nil || !isSimplex(p) || !isSimplex(q) {
			return false
		}
		complement := func(a, b Expr) bool {
			m, ok := b.(*Bin)
			if !ok || m.Op != '-' {
				return false
			}
			n, ok := m.L.(*Num)
			r := rangeOf(a)
			return ok && n.Value == 1 && sameExpr(m.R, a) && r.lo >= 0 && r.hi <= 1
		}
		return complement(a, b) || complement(b, a)
	}
	return false
}

// weighted splits a scalar times a vector.
func weighted(e Expr) (scalar, vector Expr) {
	b, ok := e.(*Bin)
	switch {
	case !ok || b.Op != '*':
	case len(b.L.Shape()) == 0 && len(b.R.Shape()) == 1:
		return b.L, b.R
	case len(b.R.Shape()) == 0 && len(b.L.Shape()) == 1:
		return b.R, b.L
	}
	return nil, nil
}

// notSPD returns the part of a matrix expression that keeps it from being provably symmetric positive definite, or nil.
func notSPD(e Expr) Expr {
	positive := func(x Expr) Expr {
		if rangeOf(x).positive() {
			return nil
		}
		return x
	}
	switch e := e.(type) {
	case *Ref:
		if e.Var.Support.Kind == SPD {
			return nil
		}
	case *Fill:
		return positive(e.X)
	case *Bin:
		l, r := e.L, e.R
		switch {
		case e.Op == '*' && len(l.Shape()) == 0:
			l, r = r, l
			fallthrough
		case e.Op == '*' || e.Op == '/':
			if bad := notSPD(l); bad != nil {
				return bad
			}
			return positive(r)
		case e.Op == '+':
			if bad := notSPD(l); bad != nil {
				return bad
			}
			return notSPD(r)
		}
	}
	return e
}

// aboveDim reports whether e > P - 1 for every size P >= 1 of the plate. It follows lower bounds of the form a·P + b.
func aboveDim(e Expr, p *Plate) bool {
	a, b, strict, ok := atLeast(e, p, 0)
	if !ok {
		r := rangeOf(e)
		a, b, strict = 0, r.lo, r.loOpen
	}
	if a < 1 {
		return false // a constant bound is outgrown by P, however large
	}
	return a+b > 0 || a+b == 0 && strict // at P = 1, where it is tightest
}

// atLeast finds a bound e >= a·P + b, or > if strict.
func atLeast(e Expr, p *Plate, depth int) (a, b float64, strict, ok bool) {
	switch e := e.(type) {
	case *Num:
		return 0, e.Value, false, true
	case *SizeOf:
		if e.Plate == p {
			return 1, 0, false, true
		}
	case *Ref:
		s := e.Var.Support
		if s.Lo != nil && s.Kind == Line && depth < 8 {
			a, b, strict, ok = atLeast(s.Lo, p, depth+1)
			return a, b, strict || !s.LoClosed, ok
		}
	case *Bin:
		n, isNum := e.R.(*Num)
		a, b, strict, ok = atLeast(e.L, p, depth)
		switch {
		case e.Op == '-' && isNum && ok:
			return a, b - n.Value, strict, true
		case e.Op == '+' && ok:
			c, d, s, ok := atLeast(e.R, p, depth)
			if ok {
				return a + c, b + d, strict || s, true
			}
			r := rangeOf(e.R)
			return a, b + r.lo, strict || r.loOpen, !math.IsInf(r.lo, -1)
		case e.Op == '*' && isNum && n.Value > 0 && ok:
			return a * n.Value, b * n.Value, strict, true
		}
		if m, isNum := e.L.(*Num); e.Op == '*' && isNum && m.Value > 0 {
			a, b, strict, ok = atLeast(e.R, p, depth)
			return a * m.Value, b * m.Value, strict, ok
		}
	}
	r := rangeOf(e)
	if math.IsInf(r.lo, -1) {
		return 0, 0, false, false
	}
	return 0, r.lo, r.loOpen, true
}

// sameExpr reports whether two expressions are written alike, so that they have the same value.
func sameExpr(a, b Expr) bool {
	switch a := a.(type) {
	case *Num:
		b, ok := b.(*Num)
		return ok && a.Value == b.Value
	case *Ref:
		b, ok := b.(*Ref)
		return ok && sameRef(a, b)
	case *SizeOf:
		b, ok := b.(*SizeOf)
		return ok && a.Plate == b.Plate && sameIndices(a.Of, b.Of)
	case *IndexVal:
		b, ok := b.(*IndexVal)
		return ok && sameIndex(a.Index, b.Index)
	case *Bin:
		b, ok := b.(*Bin)
		return ok && a.Op == b.Op && sameExpr(a.L, b.L) && sameExpr(a.R, b.R)
	case *App:
		b, ok := b.(*App)
		return ok && a.Fn == b.Fn && sameExpr(a.X, b.X)
	case *Dot:
		b, ok := b.(*Dot)
		return ok && sameExpr(a.A, b.A) && sameExpr(a.B, b.B)
	case *Sum:
		b, ok := b.(*Sum)
		return ok && a.Over.Name == b.Over.Name && a.Over.Plate == b.Over.Plate && a.Over.Lo == b.Over.Lo && a.Over.Hi == b.Over.Hi &&
			sameIndices(a.Over.Of, b.Over.Of) && sameExpr(a.Body, b.Body)
	case *Fill:
		b, ok := b.(*Fill)
		return ok && len(a.Plate) == len(b.Plate) && a.Plate[0] == b.Plate[0] && sameExpr(a.X, b.X)
	}
	return false
}

func sameIndices(a, b []IndexExpr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameIndex(a[i], b[i]) {
			return false
		}
	}
	return true
}
