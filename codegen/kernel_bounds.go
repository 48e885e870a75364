// This file holds the bounds of one number in generated code: the support's, cut by the constraints.

package codegen

import (
	"math"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
)

// bounds emits the assignment of lo and hi: the support's, cut by the constraints.
func (k *kern) bounds(e *emitter) {
	lo, hi := call("math", "Inf", intLit(-1)), call("math", "Inf", intLit(1))
	if k.v.Support.Lo != nil {
		lo = e.poly(k.Lo)
	}
	if k.v.Support.Hi != nil {
		hi = e.poly(k.Hi)
	}
	e.out.add(jen.List(jen.Id("lo"), jen.Id("hi")).Op("=").List(lo.Code(), hi.Code()))
	for _, b := range k.Bounds {
		e.nest(b.Over, b.Guards, nil, func(c *emitter, _ ex, _ bool) {
			at, sign := k.cut(c, b)
			switch {
			case sign == 0:
				var y jen.Code = jen.True()
				if b.Y != nil {
					y = c.element(b.Y).Code()
				}
				c.out.add(jen.List(jen.Id("lo"), jen.Id("hi")).Op("=").Qual(runtimePath, "CutBy").Call(
					jen.Id("lo"), jen.Id("hi"), c.poly(b.A).Code(), c.poly(b.B).Code(), y))
			case b.Y == nil && sign > 0:
				c.out.add(jen.Id("lo").Op("=").Id("max").Call(jen.Id("lo"), at.Code()))
			case b.Y == nil:
				c.out.add(jen.Id("hi").Op("=").Id("min").Call(jen.Id("hi"), at.Code()))
			default:
				up := jen.Id("lo").Op("=").Id("max").Call(jen.Id("lo"), at.Code())
				down := jen.Id("hi").Op("=").Id("min").Call(jen.Id("hi"), at.Code())
				if sign < 0 {
					up, down = down, up
				}
				c.out.add(jen.If(c.element(b.Y).Code()).Block(up).Else().Block(down))
			}
		})
	}
}

// cut returns where the inequality A·t + B > 0 cuts the line if A is 1 or -1, and the side.
func (k *kern) cut(e *emitter, b conjugacy.Bound) (at ex, sign int) {
	a, ok := b.A.Constant()
	if !ok || math.Abs(a) != 1 {
		return ex{}, 0
	}
	return e.poly(b.B.Scale(-a)), int(a)
}

// side returns where and on which side the only bound lies, if the data decide that and the family has a draw for it.
func (k *kern) side(e *emitter) (at, y ex, ok bool) {
	if _, ok := k.Draw(true); !ok || len(k.Bounds) != 1 || k.v.Support.Lo != nil || k.v.Support.Hi != nil {
		return ex{}, ex{}, false
	}
	b := k.Bounds[0]
	if b.Y == nil || len(b.Over) > 0 || len(b.Guards) > 0 {
		return ex{}, ex{}, false
	}
	at, sign := k.cut(e, b)
	if sign == 0 {
		return ex{}, ex{}, false
	}
	y = e.element(b.Y)
	if sign < 0 {
		y = ex{code: jen.Op("!").Add(y.at(precUnary)), prec: precUnary}
	}
	return at, y, true
}
