// This file holds Go expressions under construction: jennifer code with its precedence, so that parentheses stand only where Go needs them.

package codegen

import (
	"math"

	"github.com/dave/jennifer/jen"
)

// runtimePath is what generated code links to.
const runtimePath = "github.com/gibbsgen/gibbsgen/runtime"

// verifyPath is what a generated package's test calls.
const verifyPath = "github.com/gibbsgen/gibbsgen/verify"

// Precedences of Go's operators, as in the language specification.
const (
	precOr = 1 + iota
	precAnd
	precCmp
	precAdd
	precMul
	precUnary
	precPrimary
)

// An ex is a Go expression.
type ex struct {
	code  *jen.Statement
	prec  int
	neg   bool    // printed with a leading minus
	num   float64 // the value, if isNum
	isNum bool
	cheap bool // a name or an element: may be written twice
	name  bool // a name
	// Of a name: a whole number that may be 0, and what may be -∞.
	count, endless bool
}

func (e ex) at(prec int) *jen.Statement {
	if e.prec < prec {
		return jen.Parens(e.code.Clone())
	}
	return e.code.Clone()
}

// Code returns the expression as jennifer code.
func (e ex) Code() *jen.Statement { return e.code.Clone() }

func id(name string) ex { return ex{code: jen.Id(name), prec: precPrimary, cheap: true, name: true} }

func raw(c *jen.Statement) ex { return ex{code: c, prec: precPrimary} }

// num returns a float literal, whole numbers without a point.
func num(v float64) ex {
	e := ex{prec: precPrimary, num: v, isNum: true}
	switch {
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		e.code = jen.Lit(int(v))
	default:
		e.code = jen.Lit(v)
	}
	if v < 0 {
		e.prec, e.neg = precUnary, true
	}
	return e
}

func intLit(n int) ex { return ex{code: jen.Lit(n), prec: precPrimary, num: float64(n), isNum: true} }

func binary(op string, prec int, a, b ex) ex {
	return ex{code: a.at(prec).Op(op).Add(b.at(prec + 1)), prec: prec, neg: a.neg}
}

func mul(a, b ex) ex {
	switch {
	case a.isNum && a.num == 1:
		return b
	case b.isNum && b.num == 1:
		return a
	case a.isNum && a.num == -1:
		return minus(b)
	}
	return binary("*", precMul, a, b)
}

func div(a, b ex) ex { return binary("/", precMul, a, b) }

func add(a, b ex) ex {
	if a.isNum && a.num == 0 {
		return b
	}
	if b.isNum && b.num == 0 {
		return a
	}
	return binary("+", precAdd, a, b)
}

func sub(a, b ex) ex {
	if b.isNum && b.num == 0 {
		return a
	}
	return binary("-", precAdd, a, b)
}

func minus(a ex) ex {
	if a.isNum {
		return num(-a.num)
	}
	return ex{code: jen.Op("-").Add(a.at(precUnary)), prec: precUnary, neg: true}
}

func cmp(op string, a, b ex) ex { return binary(op, precCmp, a, b) }

func and(a, b ex) ex { return binary("&&", precAnd, a, b) }

func call(pkg, fn string, args ...ex) ex {
	var cs []jen.Code
	for _, a := range args {
		cs = append(cs, a.Code())
	}
	if pkg == "" {
		return ex{code: jen.Id(fn).Call(cs...), prec: precPrimary}
	}
	return ex{code: jen.Qual(pkg, fn).Call(cs...), prec: precPrimary}
}

func index(a, i ex) ex {
	return ex{code: a.at(precPrimary).Index(i.Code()), prec: precPrimary, cheap: true}
}

// slice returns a[lo:hi].
func slice(a, lo, hi ex) ex {
	return ex{code: a.at(precPrimary).Index(lo.Code().Op(":").Add(hi.Code())), prec: precPrimary}
}

// power returns a^p, written as a reader would.
func power(a ex, p float64) ex {
	switch p {
	case 1:
		return a
	case 0.5:
		return call("math", "Sqrt", a)
	case 2:
		return mul(a, a)
	case 3:
		return mul(mul(a, a), a)
	}
	return call("math", "Pow", a, num(p))
}
