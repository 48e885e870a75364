// This file holds kernels without a family: the log density and the slice sampler on it.

package codegen

import (
	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
)

func (k *kern) logName() string { return k.lower() + "LogDensity" }

// printLogDensity emits the log density of a conditional without a family, up to a constant.
func (k *kern) printLogDensity(f *jen.File) {
	e, out := k.body("t", "lo", "hi")
	e.value = func(*emitter, *ir.Atom) (ex, bool) { return id("t"), true }
	v := e.poly(k.LogT)
	out.add(jen.Return(v.Code()))
	assemble(f, k.doc(k.logName(), "returns the log density of the full conditional of "+k.label()+" at t, up to a constant."),
		method(k.logName()).Params(k.signature(jen.Id("t").Float64())...).Float64(), e, out)
}

// printSlice emits drawAlpha by the slice sampler: on the log scale for positive numbers.
func (k *kern) printSlice(f *jen.File) {
	e, out := k.body("old", "next", "lo", "hi", "u", "t")
	e.f.write[k.v] = true
	cell := k.cell(e)
	out.add(jen.Id("old").Op(":=").Add(cell.Code()))
	if k.Removed {
		k.moves(e, k.takenOut(), "-=", k.scalarAt("old"))
	}
	out.add(jen.Var().List(jen.Id("lo"), jen.Id("hi")).Float64())
	k.bounds(e)
	n, isNum := k.v.Support.Lo.(*ir.Num)
	if isNum && n.Value == 0 && k.v.Support.Hi == nil {
		out.add(jen.Id("next").Op(":=").Qual("math", "Exp").Call(jen.Id("s").Dot("rng").Dot("Slice").Call(
			jen.Qual("math", "Log").Call(jen.Id("old")), jen.Qual("math", "Log").Call(jen.Id("lo")), jen.Qual("math", "Log").Call(jen.Id("hi")), jen.Lit(1),
			jen.Func().Params(jen.Id("u").Float64()).Float64().Block(
				jen.Return(jen.Id("s").Dot(k.logName()).Call(k.args(jen.Qual("math", "Exp").Call(jen.Id("u")))...).Op("+").Id("u")),
			))))
	} else {
		out.add(jen.Id("next").Op(":=").Id("s").Dot("rng").Dot("Slice").Call(
			jen.Id("old"), jen.Id("lo"), jen.Id("hi"), jen.Lit(1),
			jen.Func().Params(jen.Id("t").Float64()).Float64().Block(
				jen.Return(jen.Id("s").Dot(k.logName()).Call(k.args(jen.Id("t"))...)),
			)))
	}
	out.add(jen.If(jen.Id("next").Op("!=").Id("next")).Block(jen.Return(k.improper())))
	switch {
	case k.Entangled:
		k.untangled(e, k.scalarAt("old"), k.scalarAt("next"))
	case k.Removed:
		k.moves(e, allAccs, "+=", k.scalarAt("next"))
	case k.hasMoves(allAccs):
		k.movesBetween(e)
	}
	out.add(cell.Code().Op("=").Id("next"))
	out.add(jen.Return(jen.Nil()))
	assemble(f, []string{k.drawName() + " draws " + k.label() + " by the slice sampler (Neal 2003): no family fits, because of " + oneLine(k.Why) + "."},
		method(k.drawName()).Params(k.signature()...).Error(), e, out)
}
