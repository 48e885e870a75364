// This file holds kernels without a family: the log density and the slice sampler on it.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
)

func (k *kern) logName() string { return k.lower() + "LogDensity" }

// widths is the field of the slice sampler's widths.
func (k *kern) widths() string { return k.lower() + "Widths" }

// sharesWidth reports whether all elements go by one width: categories that come and go have none of their own.
func (k *kern) sharesWidth() bool {
	return slices.ContainsFunc(k.v.Axes, func(p *ir.Plate) bool { return p.Unbounded })
}

func (k *kern) partsName() string { return k.lower() + "Parts" }

// printParts emits alphaParts: what of the log density is free of the new value.
func (k *kern) printParts(f *jen.File) {
	if len(k.Parts) == 0 {
		return
	}
	e, out := k.body("t", "lo", "hi")
	for _, p := range k.Parts {
		args := make([]ir.Ix, len(p.Params))
		for i, b := range p.Params {
			args[i] = ir.At(b.Name)
		}
		set := func(c *emitter) {
			cell := c.accumulator(p.Name, args)
			v := c.poly(p.Value)
			c.out.add(cell.Code().Op("=").Add(v.Code()))
		}
		var fill func(c *emitter, over []ir.Bind)
		fill = func(c *emitter, over []ir.Bind) {
			if len(over) > 0 {
				c.over(over[0], func(d *emitter) { fill(d, over[1:]) })
				return
			}
			if len(p.Guards) > 0 {
				in := &block{}
				cond := c.guards(p.Guards)
				set(c.within(in, p.Guards))
				c.out.add(jen.If(cond.Code()).Block(in.stmts...))
				return
			}
			set(c)
		}
		fill(e, p.Params)
	}
	assemble(f, []string{k.partsName() + " computes, once a draw, what " + k.logName() + " need not compute for each t."},
		method(k.partsName()).Params(k.signature()...), e, out)
}

// callParts returns the call of alphaParts, if there is one.
func (k *kern) callParts(args ...jen.Code) []jen.Code {
	if len(k.Parts) == 0 {
		return nil
	}
	return []jen.Code{jen.Id("s").Dot(k.partsName()).Call(args...)}
}

// printLogDensity emits the log density of a conditional without a family, up to a constant.
func (k *kern) printLogDensity(f *jen.File) {
	e, out := k.body("t", "lo", "hi")
	e.value = func(*emitter, *ir.Atom) (ex, bool) { return id("t"), true }
	v := e.poly(k.LogParts)
	out.add(jen.Return(v.Code()))
	assemble(f, k.doc(k.logName(), "returns the log density of the full conditional of "+k.Label()+" at t, up to a constant."),
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
	out.add(k.callParts(k.args()...)...)
	at := intLit(0)
	if !k.sharesWidth() {
		at = k.place(e)
	}
	widths := jen.Id("s").Dot(k.widths())
	slice, scale := "Slice", func(x string) jen.Code { return jen.Id(x) }
	if n, isNum := k.v.Support.Lo.(*ir.Num); isNum && n.Value == 0 && k.v.Support.Hi == nil {
		slice, scale = "SlicePositive", func(x string) jen.Code { return jen.Qual("math", "Log").Call(jen.Id(x)) }
	}
	out.add(jen.Id("next").Op(":=").Id("s").Dot("rng").Dot(slice).Call(jen.Id("old"), jen.Id("lo"), jen.Id("hi"), widths.Clone().Dot("At").Call(at.Code()),
		jen.Func().Params(jen.Id("t").Float64()).Float64().Block(
			jen.Return(jen.Id("s").Dot(k.logName()).Call(k.args(jen.Id("t"))...)),
		)))
	out.add(widths.Clone().Dot("Learn").Call(at.Code(), scale("old"), scale("next")))
	out.add(jen.If(jen.Id("next").Op("!=").Id("next")).Block(jen.Return(k.improper())))
	k.follow(e)
	out.add(cell.Code().Op("=").Id("next"))
	out.add(jen.Return(jen.Nil()))
	assemble(f, []string{k.drawName() + " draws " + k.Label() + " by the slice sampler (Neal 2003): no family fits, because of " + oneLine(k.Why) + "."},
		method(k.drawName()).Params(k.signature()...).Error(), e, out)
}
