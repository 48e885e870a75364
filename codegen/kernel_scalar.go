// This file holds kernels of one number with a family: its natural parameters, its draw, its log density.

package codegen

import (
	"math"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
)

// results are the values that a scalar conditional's function returns: natural parameters, then bounds.
func (k *kern) results() []string {
	out := k.natural()
	if k.Params.Truncated {
		out = append(out, "lo", "hi")
	}
	return out
}

func ids(names []string) []jen.Code {
	var out []jen.Code
	for _, n := range names {
		out = append(out, jen.Id(n))
	}
	return out
}

// printParams emits muGivenRest: the natural parameters of a scalar conditional.
func (k *kern) printParams(f *jen.File) {
	e, out := k.body(k.results()...)
	var rets []jen.Code
	for _, n := range k.natural() {
		v := e.poly(k.Params.Coef[n])
		rets = append(rets, v.Code())
	}
	if k.Params.Truncated {
		// The parameters are named before the bounds are found, since the latter need statements.
		for i, n := range k.natural() {
			out.add(jen.Id(n).Op("=").Add(rets[i]))
			rets[i] = jen.Id(n)
		}
		k.bounds(e)
		rets = append(rets, jen.Id("lo"), jen.Id("hi"))
	}
	out.add(jen.Return(rets...))
	assemble(f, k.doc(k.given(), "returns the natural parameters of the full conditional of "+k.Label()+"."),
		method(k.given()).Params(k.signature()...).Params(jen.List(ids(k.results())...).Float64()), e, out)
}

// printScalar emits drawMu.
func (k *kern) printScalar(f *jen.File) {
	e, out := k.body(append(k.results(), "next", "old")...)
	e.f.write[k.v] = true
	old := k.cell(e)
	moves := k.hasMoves(allAccs)
	if moves || k.Removed {
		out.add(jen.Id("old").Op(":=").Add(old.Code()))
	}
	if k.Removed {
		k.moves(e, k.takenOut(), "-=", k.scalarAt("old"))
	}
	out.add(jen.List(ids(k.results())...).Op(":=").Id("s").Dot(k.given()).Call(k.args()...))
	_, draw := k.drawCall(e, nil)
	out.add(jen.Id("next").Op(":=").Add(draw))
	out.add(jen.If(jen.Id("next").Op("!=").Id("next")).Block(jen.Return(k.improper())))
	k.follow(e)
	out.add(old.Code().Op("=").Id("next"))
	out.add(jen.Return(jen.Nil()))
	assemble(f, []string{k.drawName() + " draws " + k.Label() + " from its full conditional."}, method(k.drawName()).Params(k.signature()...).Error(), e, out)
}

// scalar emits the draw of one number: natural parameters, draw, moves.
func (k *kern) scalar(e *emitter) { k.scalarAfter(e, nil) }

func (k *kern) scalarAfter(e *emitter, ahead map[string]bool) {
	old := k.cell(e)
	moves := k.hasMoves(allAccs)
	if moves || k.Removed {
		e.out.add(jen.Id("old").Op(":=").Add(old.Code()))
	}
	if k.Removed {
		k.moves(e, k.takenOut(), "-=", k.scalarAt("old"))
	}
	for _, n := range k.natural() {
		if ahead[n] {
			continue
		}
		v := e.poly(k.Params.Coef[n])
		if v.isNum {
			e.out.add(jen.Id(n).Op(":=").Float64().Call(v.Code()))
		} else {
			e.out.add(jen.Id(n).Op(":=").Add(v.Code()))
		}
	}
	var draw *jen.Statement
	if at, y, ok := k.side(e); ok {
		_, draw = k.drawCall(e, nil, at.Code(), y.Code())
		k.leave(e, append(ids(k.natural()), at.Code(), jen.Qual(runtimePath, "Indicator").Call(y.Code()))...)
	} else {
		if k.Params.Truncated {
			e.out.add(jen.Var().List(jen.Id("lo"), jen.Id("hi")).Float64())
			k.bounds(e)
		}
		_, draw = k.drawCall(e, nil)
		k.leave(e, ids(k.results())...)
	}
	e.out.add(jen.Id("next").Op(":=").Add(draw))
	e.out.add(jen.If(jen.Id("next").Op("!=").Id("next")).Block(jen.Return(k.improperAt(e))))
	k.follow(e)
	e.out.add(old.Code().Op("=").Id("next"))
}

// leave emits the assignment of the last draw's natural parameters and bounds to s.given: one by one, since copying a whole
// array waits for its parts to be written.
func (k *kern) leave(e *emitter, vs ...jen.Code) {
	var lhs []jen.Code
	for i := range vs {
		lhs = append(lhs, jen.Id("s").Dot("given").Index(jen.Lit(i)))
	}
	e.out.add(jen.List(lhs...).Op("=").List(vs...))
}

// logDensity returns log q(x) up to a constant for a number with its natural parameters in local variables.
func (k *kern) logDensity(x ex) ex {
	log := call("math", "Log", x)
	var out ex
	for i, n := range k.Family.Natural {
		v := mul(num(math.Abs(n.Scale)), id(n.Name))
		switch p := n.Power * k.Params.R; n.Stat {
		case conjugacy.PowT:
			switch p {
			case 1:
				v = mul(v, x)
			case 2:
				v = mul(mul(v, x), x)
			case -1:
				v = mul(v, div(num(1), x))
			default:
				v = mul(v, call("math", "Pow", x, num(p)))
			}
		case conjugacy.LogT:
			v = mul(v, log)
		case conjugacy.LogSqT:
			v = mul(mul(v, log), log)
		case conjugacy.Log1mT:
			v = mul(v, call("math", "Log1p", minus(x)))
		default:
			panic("codegen: no density for " + k.Family.Name)
		}
		switch {
		case i == 0 && n.Scale > 0:
			out = v
		case i == 0:
			out = minus(v)
		case n.Scale > 0:
			out = add(out, v)
		default:
			out = sub(out, v)
		}
	}
	return out
}
