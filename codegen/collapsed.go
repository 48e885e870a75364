// This file holds what generated code does about unknowns that were integrated out: their conditionals, and the log joint
// of what is left, log p(rest) = log p(v, rest) - log q(v | rest), which holds for every value of v.

package codegen

import (
	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A scratch is a value of a collapsed unknown, kept by the sampler. Over an unbounded plate one element is kept, and the
// same is taken for all in use.
type scratch struct {
	v     *ir.Var
	field string
	tiled bool
}

func (k *kern) scratches() []scratch {
	vs := []*ir.Var{k.v}
	if k.Location != nil {
		vs = []*ir.Var{k.Location.Var, k.v}
	}
	var out []scratch
	for _, v := range vs {
		out = append(out, scratch{v: v, field: "some" + k.g.l.name[v], tiled: overUnbounded(v)})
	}
	return out
}

// all is the field that repeats the element.
func (x scratch) all() string { return x.field + "Each" }

// axes are the plates of what is kept.
func (x scratch) axes() []*ir.Plate {
	if x.tiled {
		return x.v.Axes[1:]
	}
	return x.v.Axes
}

// settle returns the code that gives the scratch value a place inside the support.
func (x scratch) settle(f *frame) []jen.Code {
	dst := jen.Id("s").Dot(x.field)
	size := func() jen.Code { return f.sizeOf(x.v.Axes[len(x.v.Axes)-1]).Code() }
	switch x.v.Support.Kind {
	case ir.Simplex:
		return []jen.Code{jen.Qual(runtimePath, "Fill").Call(dst, jen.Lit(1).Op("/").Float64().Call(size()))}
	case ir.SPD:
		return []jen.Code{jen.Qual(runtimePath, "FillIdentity").Call(dst, size())}
	}
	return []jen.Code{jen.Qual(runtimePath, "Fill").Call(dst, jen.Lit(0.5))}
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
	// logJointWith takes the collapsed arrays in the order of declaration.
	fr := newFrame(g.l)
	out := &block{}
	var args []jen.Code
	for _, v := range g.model.Vars {
		for _, k := range g.gone {
			for _, x := range k.scratches() {
				if x.v != v {
					continue
				}
				at := jen.Id("s").Dot(x.field)
				if x.tiled {
					at = jen.Id("s").Dot(x.all())
					out.add(at.Clone().Op("=").Qual(runtimePath, "Tile").Call(at.Clone(), jen.Id("s").Dot(x.field), fr.sizeOf(v.Axes[0]).Code()))
				}
				if len(v.Axes) == 0 {
					at = at.Index(jen.Lit(0))
				}
				args = append(args, at)
			}
		}
	}
	out.add(jen.Return(jen.Id("s").Dot("logJointWith").Call(args...).Op("-").Id("s").Dot("LogCollapsed").Call()))
	comment(f, []string{
		"LogJoint returns the log density of data and unknowns with what is integrated out integrated out: by",
		"log p(rest) = log p(v, rest) - log q(v | rest) at some value v, which one makes no difference. Every constant is included."})
	f.Add(method("LogJoint").Params().Float64().Block(append(fr.prologue(), out.stmts...)...))
	f.Line()
	g.logCollapsed(f)
}

// logCollapsed prints LogCollapsed.
func (g *generator) logCollapsed(f *jen.File) {
	reserved := []string{"lq"}
	for _, k := range g.gone {
		reserved = append(reserved, k.own()...) // what logQ names
	}
	fr := newFrame(g.l, reserved...)
	out := &block{}
	e := g.emitter(fr, out)
	out.add(jen.Id("lq").Op(":=").Lit(0.0))
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
	out.add(jen.Return(jen.Id("lq")))
	comment(f, []string{"LogCollapsed returns log q(v | rest) of what is integrated out, at the value v at which LogJoint takes the log joint apart."})
	f.Add(method("LogCollapsed").Params().Float64().Block(append(fr.prologue(), out.stmts...)...))
	f.Line()
}

// logQ returns the statements that add log q(v[J] | rest) to lq.
func (k *kern) logQ(e *emitter) []jen.Code {
	var args []jen.Code
	for _, b := range k.Loops {
		args = append(args, e.names[b.Name].Code())
	}
	var xs []jen.Code
	for _, x := range k.scratches() {
		xs = append(xs, x.at(e, k))
	}
	fn := k.Family.LogPDF
	take := func(rooms map[string]jen.Code) jen.Code {
		return jen.Id("lq").Op("+=").Qual(runtimePath, fn.Name).Call(append(xs, k.takes(e, fn, rooms)...)...)
	}
	if !k.block() {
		return []jen.Code{jen.Block(jen.List(ids(k.results())...).Op(":=").Id("s").Dot(k.given()).Call(args...), take(nil))}
	}
	rooms := k.rooms(e)
	out := []jen.Code{k.fillCall(rooms, args), take(rooms)}
	if _, numbers := k.parts(); len(numbers) > 0 {
		out = []jen.Code{jen.Block(out...)}
	}
	return out
}

// at returns the scratch value's element or block for the current indices of the kernel's target.
func (x scratch) at(e *emitter, k *kern) jen.Code {
	var ix []ex
	if !x.tiled {
		for _, b := range k.Loops {
			ix = append(ix, e.names[b.Name])
		}
	}
	c := jen.Id("s").Dot(x.field)
	if x.v.Event == 0 {
		return c.Index(e.f.offset(x.axes(), ix).Code())
	}
	return x.part(e, ix)
}

// part returns the block at ix as a slice.
func (x scratch) part(e *emitter, ix []ex) *jen.Statement {
	c := jen.Id("s").Dot(x.field)
	if len(ix) == 0 && (x.v.Event > 0 || len(x.axes()) == 0) {
		return c
	}
	n := e.f.total(x.v.Axes[len(x.v.Axes)-x.v.Event:])
	return c.Index(e.f.offset(x.axes(), ix).Code().Op(":")).Index(jen.Op(":").Add(n.Code()))
}

// collapsedConditional emits the entries by which verification varies the values at which LogJoint is taken apart: the
// log joint must not change with them.
func (g *generator) collapsedConditional(e *emitter, k *kern, loops []ir.Bind) {
	for _, x := range k.scratches() {
		if x.tiled {
			g.anyValue(e, k, x, nil)
			continue
		}
		var rec func(c *emitter, loops []ir.Bind)
		rec = func(c *emitter, loops []ir.Bind) {
			if len(loops) > 0 {
				c.hint = k.Names
				c.over(loops[0], func(d *emitter) { rec(d, loops[1:]) })
				return
			}
			var ix []ex
			for _, b := range k.Loops {
				ix = append(ix, c.names[b.Name])
			}
			g.anyValue(c, k, x, ix)
		}
		rec(e, loops)
	}
}

func (g *generator) anyValue(e *emitter, k *kern, x scratch, ix []ex) {
	part := x.part(e, ix)
	fn, as := "AnyReal", []jen.Code{part.Clone()}
	switch {
	case x.v.Support.Kind == ir.Simplex:
		fn = "AnySimplex"
	case x.v.Support.Kind == ir.SPD:
		fn = "AnySPD"
		as = append(as, e.f.sizeOf(x.v.Axes[len(x.v.Axes)-1]).Code())
	case x.v.Support.Hi != nil:
		fn = "AnyUnit"
	case x.v.Support.Lo != nil:
		fn = "AnyPositive"
	}
	var args []jen.Code
	for _, i := range ix {
		args = append(args, i.Code())
	}
	e.out.add(jen.Id("out").Op("=").Append(jen.Id("out"), jen.Qual(runtimePath, "Conditional").Values(jen.Dict{
		jen.Id("Name"): jen.Lit("collapsed ").Op("+").Qual(runtimePath, "ElementName").Call(append([]jen.Code{jen.Lit(x.v.Name)}, args...)...),
		jen.Id("Get"):  jen.Func().Params().Index().Float64().Block(jen.Return(jen.Qual("slices", "Clone").Call(part.Clone()))),
		jen.Id("Set"):  jen.Func().Params(jen.Id("x").Index().Float64()).Block(jen.Copy(part.Clone(), jen.Id("x"))),
		jen.Id("Draw"): jen.Func().Params().Error().Block(
			jen.Id("s").Dot("rng").Dot(fn).Call(as...),
			jen.Return(jen.Nil())),
		jen.Id("LogDensity"): jen.Func().Params(jen.Index().Float64()).Float64().Block(jen.Return(jen.Lit(0))),
		jen.Id("Collapsed"):  jen.True(),
	})))
}
