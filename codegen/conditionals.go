// This file holds the face that generated code turns to verification: every conditional with its log density, and the test that
// compares it with the log joint.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
)

// printConditionals prints Conditionals and Accumulators.
func (g *generator) printConditionals(f *jen.File) {
	reserved := []string{"out", "x", "old", "err"} // what the functions of the entries name
	for _, k := range slices.Concat(g.kerns, g.gone) {
		reserved = append(reserved, k.own()...)
	}
	fr := newFrame(g.l, reserved...)
	fr.live = true
	out := &block{}
	e := g.emitter(fr, out)
	out.add(jen.Var().Id("out").Index().Qual(runtimePath, "Conditional"))
	for _, k := range g.kerns {
		g.conditional(e, k, k.Loops)
	}
	for _, k := range g.gone {
		g.collapsedConditional(e, k, k.Loops)
	}
	out.add(jen.Return(jen.Id("out")))
	assemble(f, []string{"Conditionals lists every full conditional that the sampler draws from, for verification against LogJoint."},
		method("Conditionals").Params().Index().Qual(runtimePath, "Conditional"), e, out)

	var apps []jen.Code
	apps = append(apps, jen.Var().Id("out").Index().Float64())
	for _, a := range g.plan.Accs {
		c := jen.Id("s").Dot(accField(a.Name))
		switch {
		case a.Sparse:
			c = c.Dot("Values").Call().Op("...")
		case a.Count:
			c = jen.Qual(runtimePath, "Reals").Call(c).Op("...")
		case len(a.Params) > 0:
			c = c.Op("...")
		}
		apps = append(apps, jen.Id("out").Op("=").Append(jen.Id("out"), c))
	}
	apps = append(apps, jen.Return(jen.Id("out")))
	comment(f, []string{"Accumulators returns a copy of every accumulator, for verification against Resum."})
	f.Add(method("Accumulators").Params().Index().Float64().Block(apps...))
	f.Line()
}

// conditional emits the entries of one kernel.
func (g *generator) conditional(e *emitter, k *kern, loops []ir.Bind) {
	if len(loops) > 0 {
		e.hint = k.Names
		e.over(loops[0], func(c *emitter) { g.conditional(c, k, loops[1:]) })
		return
	}
	var args []jen.Code
	var ix []ex
	name := jen.Lit(k.v.Name)
	for _, b := range k.Loops {
		args = append(args, e.names[b.Name].Code())
		ix = append(ix, e.names[b.Name])
	}
	if len(args) > 0 {
		name = jen.Qual(runtimePath, "ElementName").Call(append([]jen.Code{jen.Lit(k.v.Name)}, args...)...)
	}
	with := func(first ...jen.Code) []jen.Code { return append(first, args...) }
	state := jen.Id("s").Dot("state").Dot(g.l.field[k.v])
	lits := jen.Dict{jen.Id("Name"): name}
	x0 := jen.Id("x").Index(jen.Lit(0))
	if k.block() {
		n := k.dims(e)
		part := state.Clone()
		if len(k.v.Axes) > len(k.Target.T.Axes) {
			part = part.Index(e.f.offset(k.v.Axes, ix).Code().Op(":")).Index(jen.Op(":").Add(n.Code()))
		}
		lits[jen.Id("Get")] = jen.Func().Params().Index().Float64().Block(jen.Return(jen.Qual("slices", "Clone").Call(part.Clone())))
		lits[jen.Id("Set")] = jen.Func().Params(jen.Id("x").Index().Float64()).Block(jen.Id("copy").Call(part.Clone(), jen.Id("x")), jen.Id("s").Dot("Resum").Call())
	} else {
		cell := state.Clone()
		if len(k.v.Axes) > 0 {
			cell = cell.Index(e.f.offset(k.v.Axes, ix).Code())
		}
		get, set := cell.Clone(), x0.Clone()
		switch k.v.Type.Elem {
		case ir.Cat:
			get, set = jen.Float64().Call(cell.Clone()), jen.Int32().Call(x0.Clone())
		case ir.Bool:
			get, set = jen.Qual(runtimePath, "Indicator").Call(cell.Clone()), x0.Clone().Op("==").Lit(1)
		}
		lits[jen.Id("Get")] = jen.Func().Params().Index().Float64().Block(jen.Return(jen.Index().Float64().Values(get)))
		lits[jen.Id("Set")] = jen.Func().Params(jen.Id("x").Index().Float64()).Block(cell.Clone().Op("=").Add(set), jen.Id("s").Dot("Resum").Call())
	}
	draw := jen.Id("s").Dot(k.drawName()).Call(args...)
	if k.ranged() {
		n := len(ix) - 1
		draw = k.rangeCall(ix[:n], ix[n], add(ix[n], intLit(1)))
	}
	if k.ranged() || k.Conditional.Kernel == conjugacy.Enumerate && k.Urn == nil {
		k.drawn(e, lits, draw)
		e.out.add(jen.Id("out").Op("=").Append(jen.Id("out"), jen.Qual(runtimePath, "Conditional").Values(lits)))
		return
	}
	lits[jen.Id("Draw")] = jen.Func().Params().Error().Block(jen.Return(draw))
	var body []jen.Code
	pre := &block{}
	if k.Removed {
		// The parameters are those of the others: take the target's own part out while they are read.
		pre.add(jen.Id("put").Op(":=").Id("s").Dot("without" + k.name).Call(args...))
		pre.add(jen.Defer().Id("put").Call())
	}
	switch k.Conditional.Kernel {
	case conjugacy.Enumerate:
		lits[jen.Id("Values")] = jen.Func().Params().Int().Block(jen.Return(k.categories(e).Code()))
		body = append(body, pre.stmts...)
		weights := jen.Id("s").Dot("weights")
		if k.Urn != nil {
			body = append(body, atLeast("weights", k.categories(e).Code()))
			weights.Index(jen.Op(":").Add(k.categories(e).Code()))
		}
		if k.Factors != nil {
			body = append(body,
				jen.Id("s").Dot(k.weightsName()).Call(with(weights)...),
				jen.Return(jen.Qual("math", "Log").Call(jen.Id("s").Dot("weights").Index(jen.Int().Call(x0.Clone())))))
		} else {
			body = append(body,
				jen.Id("s").Dot(k.weightsName()).Call(with(weights)...),
				jen.Return(jen.Id("s").Dot("weights").Index(jen.Int().Call(x0.Clone()))))
		}
	case conjugacy.SliceKernel:
		body = append(body, pre.stmts...)
		body = append(body, k.callParts(args...)...)
		body = append(body, jen.Return(jen.Id("s").Dot(k.logName()).Call(with(x0.Clone())...)))
	default:
		body = append(body, pre.stmts...)
		if !k.block() {
			body = append(body, jen.List(ids(k.results())...).Op(":=").Id("s").Dot(k.given()).Call(args...))
			if k.Params.Truncated {
				body = append(body, jen.If(x0.Clone().Op("<").Id("lo").Op("||").Add(x0.Clone()).Op(">").Id("hi")).Block(jen.Return(jen.Qual("math", "Inf").Call(jen.Lit(-1)))))
			}
			body = append(body, jen.Return(k.logDensity(raw(x0)).Code()))
			break
		}
		if k.Rows != nil {
			fill, takes := k.rowsFilled(e, args)
			density := jen.Qual(runtimePath, k.Family.RowsLogDensity.Name).Call(append([]jen.Code{jen.Id("x")}, takes...)...)
			body = append(body, jen.If(k.rowsOf()).Block(append(fill, jen.Return(density))...))
		}
		rooms, fn := k.rooms(e), k.Family.LogDensity
		body = append(body, k.fillCall(rooms, args),
			jen.Return(jen.Qual(runtimePath, fn.Name).Call(append([]jen.Code{jen.Id("x")}, k.takes(e, fn, rooms)...)...)))
	}
	lits[jen.Id("LogDensity")] = jen.Func().Params(jen.Id("x").Index().Float64()).Float64().Block(body...)
	e.out.add(jen.Id("out").Op("=").Append(jen.Id("out"), jen.Qual(runtimePath, "Conditional").Values(lits)))
}

// drawn fills in the entry of a kernel that leaves behind the weights or natural parameters of its last draw: its log
// density is read off a draw, which is then undone. So what is verified is what draws, and not a copy of it.
func (k *kern) drawn(e *emitter, lits jen.Dict, draw *jen.Statement) {
	lits[jen.Id("Draw")] = jen.Func().Params().Error().Block(jen.Return(draw.Clone()))
	cell := jen.Id("s").Dot("state").Dot(k.g.l.field[k.v])
	if len(k.v.Axes) > 0 {
		var ix []ex
		for _, b := range k.Loops {
			ix = append(ix, e.names[b.Name])
		}
		cell = cell.Index(e.f.offset(k.v.Axes, ix).Code())
	}
	x := jen.Id("x").Index(jen.Lit(0))
	body := []jen.Code{
		jen.Id("old").Op(":=").Add(cell.Clone()),
		jen.Id("err").Op(":=").Add(draw.Clone()),
		cell.Clone().Op("=").Id("old"),
		jen.Id("s").Dot("Resum").Call(),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Qual("math", "NaN").Call())),
	}
	given := func(i int) *jen.Statement { return jen.Id("s").Dot("given").Index(jen.Lit(i)) }
	switch {
	case k.Conditional.Kernel == conjugacy.Enumerate:
		lits[jen.Id("Values")] = jen.Func().Params().Int().Block(jen.Return(k.categories(e).Code()))
		w := jen.Id("s").Dot("weights").Index(jen.Int().Call(x.Clone()))
		if k.Factors != nil {
			w = jen.Qual("math", "Log").Call(w)
		}
		body = append(body, jen.Return(w))
	default:
		n := len(k.Family.Natural)
		var left []jen.Code
		for i := range n {
			left = append(left, given(i))
		}
		body = append(body, jen.List(ids(k.natural())...).Op(":=").List(left...))
		aside, _ := k.body() // not e: what the bound is made of would be read there and not used
		_, _, side := k.side(aside)
		outside := jen.Qual("math", "Inf").Call(jen.Lit(-1))
		switch {
		case side:
			body = append(body, jen.If(jen.Parens(x.Clone().Op(">").Add(given(n))).Op("!=").Parens(given(n+1).Op("==").Lit(1))).Block(jen.Return(outside)))
		case k.Params.Truncated:
			body = append(body, jen.If(x.Clone().Op("<").Add(given(n)).Op("||").Add(x.Clone()).Op(">").Add(given(n+1))).Block(jen.Return(outside)))
		}
		body = append(body, jen.Return(k.logDensity(raw(x)).Code()))
	}
	lits[jen.Id("LogDensity")] = jen.Func().Params(jen.Id("x").Index().Float64()).Float64().Block(body...)
}

// printWithout prints, for kernels that take their target out of the accumulators, the function that does so and puts it back.
func (k *kern) printWithout(f *jen.File) {
	e, out := k.body("old")
	e.f.write[k.v] = true
	cell := k.cell(e)
	read := cell.Code()
	at := k.scalarAt("old")
	switch {
	case k.block():
		read = k.slice(e).Code()
		at = k.blockAt("old")
	case k.v.Type.Elem == ir.Cat:
		read = jen.Int().Call(read)
	case k.v.Type.Elem == ir.Bool:
		read = jen.Qual(runtimePath, "Index").Call(read)
	}
	out.add(jen.Id("old").Op(":=").Add(read))
	k.moves(e, readAccs, "-=", at)
	in := &block{}
	k.putBack(e.into(in), at)
	out.add(jen.Return(jen.Func().Params().Block(in.stmts...)))
	name := "without" + k.name
	assemble(f, []string{name + " takes " + k.Label() + " out of the accumulators and returns what puts it back."},
		method(name).Params(k.signature()...).Params(jen.Func().Params()), e, out)
}

// printTest prints the package's own test.
func (g *generator) printTest(f *jen.File) {
	comment(f, []string{"TestSampler has the sampler prove itself, on data sets that it makes up: its conditionals against the log joint of the spec, its sums,",
		"its draws, and what its updates do to draws from the model."})
	f.Func().Id("TestSampler").Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		jen.Qual(verifyPath, "Test").Call(jen.Id("t"), jen.Qual(verifyPath, "Model").Values(jen.Dict{
			jen.Id("Source"):  jen.Id("Source"),
			jen.Id("Schema"):  jen.Id("Schema"),
			jen.Id("Open"):    jen.Id("Open"),
			jen.Id("Forward"): jen.Id("Forward"),
		})))
}
