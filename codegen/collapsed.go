// This file holds what generated code does about unknowns that were integrated out: their conditionals, and the log joint
// of what is left, log p(rest) = log p(v, rest) - log q(v | rest), which holds for every value of v.
package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
)

// scratch is the field that holds a value of the collapsed unknown.
func (k *kern) scratch() string { return "some" + k.name }

// settle returns the code that gives the scratch value a place inside the support.
func (k *kern) settle(f *frame) []jen.Code {
	dst := jen.Id("s").Dot(k.scratch())
	if k.v.Support.Kind == ir.Simplex {
		n := f.sizeOf(k.v.Axes[len(k.v.Axes)-1])
		return []jen.Code{jen.For(jen.Id("i").Op(":=").Range().Add(dst.Clone())).Block(
			dst.Clone().Index(jen.Id("i")).Op("=").Lit(1).Op("/").Float64().Call(n.Code()))}
	}
	return []jen.Code{jen.For(jen.Id("i").Op(":=").Range().Add(dst.Clone())).Block(
		dst.Clone().Index(jen.Id("i")).Op("=").Lit(0.5))}
}

// printCollapsed prints the conditionals of what was integrated out, and LogJoint.
func (g *generator) printCollapsed(f *jen.File) {
	if len(g.model.Collapse) == 0 {
		return
	}
	for _, k := range g.gone {
		if k.block() {
			k.printBlockParams(f)
		} else {
			k.printParams(f)
		}
	}
	fr := newFrame(g.l, "lp")
	out := &block{}
	e := g.emitter(fr, out)
	var args []jen.Code
	// logJointWith takes the collapsed arrays in the order of declaration.
	for _, v := range g.model.Vars {
		for _, k := range g.gone {
			if k.v == v {
				args = append(args, jen.Id("s").Dot(k.scratch()))
			}
		}
	}
	out.add(jen.Id("lp").Op(":=").Id("s").Dot("logJointWith").Call(args...))
	for _, k := range g.gone {
		var rec func(c *emitter, loops []ir.Bind)
		rec = func(c *emitter, loops []ir.Bind) {
			if len(loops) > 0 {
				c.hint = k.Names
				c.over(loops[0], func(d *emitter) { rec(d, loops[1:]) })
				return
			}
			c.out.add(k.logQ(c)...)
		}
		rec(e, k.Loops)
	}
	out.add(jen.Return(jen.Id("lp")))
	comment(f, []string{
		"LogJoint returns the log density of data and unknowns with what is integrated out integrated out: by",
		"log p(rest) = log p(v, rest) - log q(v | rest) at some value v, which one makes no difference. Every constant is included."})
	f.Add(method("LogJoint").Params().Float64().Block(append(fr.prologue(), out.stmts...)...))
	f.Line()
}

// logQ returns the statements that take log q(v[J] | rest) off lp.
func (k *kern) logQ(e *emitter) []jen.Code {
	var args []jen.Code
	var ix []ex
	for _, b := range k.Loops {
		args = append(args, e.names[b.Name].Code())
		ix = append(ix, e.names[b.Name])
	}
	x := jen.Id("s").Dot(k.scratch())
	off := e.f.offset(k.v.Axes, ix)
	minus := func(fn string, as ...jen.Code) jen.Code {
		return jen.Id("lp").Op("-=").Qual(runtimePath, fn).Call(as...)
	}
	if k.block() {
		n := k.dims(e)
		if len(ix) > 0 {
			x = x.Index(off.Code().Op(":")).Index(jen.Op(":").Add(n.Code()))
		}
		h := jen.Id("s").Dot("blockH").Index(jen.Op(":").Add(n.Code()))
		return []jen.Code{
			jen.Id("s").Dot(k.given()).Call(append([]jen.Code{h.Clone()}, args...)...),
			minus(k.Family.Name+"NatLogPDF", x, h.Clone()),
		}
	}
	x = x.Index(off.Code())
	var lhs []jen.Code
	for _, n := range k.results() {
		lhs = append(lhs, jen.Id(n))
	}
	as := append([]jen.Code{x}, slices.Clone(lhs)...)
	fn := k.Family.Name + "NatLogPDF"
	if k.Family.Name == "Gamma" {
		fn = "GammaPowNatLogPDF"
		as = append(as, jen.Lit(k.Params.R))
	}
	return []jen.Code{jen.Block(
		jen.List(lhs...).Op(":=").Id("s").Dot(k.given()).Call(args...),
		minus(fn, as...),
	)}
}

// collapsedConditional emits the entry by which verification varies the value at which LogJoint is taken apart: the
// log joint must not change with it.
func (g *generator) collapsedConditional(e *emitter, k *kern, loops []ir.Bind) {
	if len(loops) > 0 {
		e.hint = k.Names
		e.over(loops[0], func(c *emitter) { g.collapsedConditional(c, k, loops[1:]) })
		return
	}
	var ix []ex
	var args []jen.Code
	for _, b := range k.Loops {
		ix = append(ix, e.names[b.Name])
		args = append(args, e.names[b.Name].Code())
	}
	x := jen.Id("s").Dot(k.scratch())
	off := e.f.offset(k.v.Axes, ix)
	n := intLit(1)
	if k.block() {
		n = k.dims(e)
	}
	if len(ix) > 0 || !k.block() {
		x = x.Index(off.Code().Op(":")).Index(jen.Op(":").Add(n.Code()))
	}
	fn := "AnyReal"
	switch {
	case k.v.Support.Kind == ir.Simplex:
		fn = "AnySimplex"
	case k.v.Support.Hi != nil:
		fn = "AnyUnit"
	case k.v.Support.Lo != nil:
		fn = "AnyPositive"
	}
	e.out.add(jen.Id("out").Op("=").Append(jen.Id("out"), jen.Qual(runtimePath, "Conditional").Values(jen.Dict{
		jen.Id("Name"): jen.Lit("collapsed ").Op("+").Qual(runtimePath, "ElementName").Call(append([]jen.Code{jen.Lit(k.v.Name)}, args...)...),
		jen.Id("Get"):  jen.Func().Params().Index().Float64().Block(jen.Return(jen.Qual("slices", "Clone").Call(x.Clone()))),
		jen.Id("Set"):  jen.Func().Params(jen.Id("x").Index().Float64()).Block(jen.Copy(x.Clone(), jen.Id("x"))),
		jen.Id("Draw"): jen.Func().Params().Error().Block(
			jen.Id("s").Dot("rng").Dot(fn).Call(x.Clone()),
			jen.Return(jen.Nil())),
		jen.Id("LogDensity"): jen.Func().Params(jen.Index().Float64()).Float64().Block(jen.Return(jen.Lit(0))),
	})))
}
