// This file holds the arrays of a Sampler, and what it sums from scratch.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// printAccumulators prints alloc, sumData, Rebuild, the sums and the tables.
func (g *generator) printAccumulators(f *jen.File) {
	g.alloc(f)
	var data, state, refs []jen.Code
	g.printUrns(f)
	for _, p := range g.urns() {
		state = append(state, jen.Id("s").Dot("resize"+g.l.size[p]).Call(jen.Id("s").Dot("state").Dot(g.l.size[p])))
	}
	for _, r := range g.plan.Analysis.Accs.References {
		ref, of := jen.Id("s").Dot(g.l.refs[r.Var]), jen.Id("s").Dot("state").Dot(g.l.field[r.Of])
		if len(r.Of.Axes) == 0 {
			refs = append(refs, ref.Op("=").Add(of))
		} else {
			refs = append(refs, ref.Clone().Op("=").Append(ref.Clone().Index(jen.Op(":").Lit(0)), of.Op("...")))
		}
	}
	for _, v := range g.plan.Inverses {
		c := g.invertAll(f, v)
		if v.Unknown() {
			state = append(state, c)
		} else {
			data = append(data, c)
		}
	}
	for _, a := range g.plan.Accs {
		c := jen.Id("s").Dot("sum" + exportName(accField(a.Name))).Call()
		if a.Gram != nil {
			c = jen.If(jen.Op("!").Id("s").Dot(byRows(a.Accumulator))).Block(c)
		}
		if g.followsState(a) {
			state = append(state, c)
		} else {
			data = append(data, c)
		}
		g.printSum(f, a)
	}
	comment(f, []string{"sumData computes the sums that depend on data and constants alone."})
	f.Add(method("sumData").Params().Block(data...))
	f.Line()
	if g.anyTables() {
		state = append(state, jen.Id("s").Dot("hoist").Call())
	}
	comment(f, []string{"Rebuild recomputes accumulators and caches from the state, so that rounding does not pile up."})
	if len(refs) > 0 {
		f.Add(method("Rebuild").Params().Block(append(refs, jen.Id("s").Dot("Resum").Call())...))
		f.Line()
		comment(f, []string{"Resum is Rebuild with the sums taken about the same references as before."})
		f.Add(method("Resum").Params().Block(state...))
	} else {
		f.Add(method("Rebuild").Params().Block(state...))
		f.Line()
		comment(f, []string{"Resum is Rebuild: no sum is taken about a reference."})
		f.Add(method("Resum").Params().Block(jen.Id("s").Dot("Rebuild").Call()))
	}
	f.Line()
	g.hoist(f)
}

// printSum prints the method that sums one accumulator from scratch.
func (g *generator) printSum(f *jen.File, a *plan.Acc) {
	fr := newFrame(g.l)
	out := &block{}
	e := g.emitter(fr, out)
	name := "sum" + exportName(accField(a.Name))
	switch {
	case a.Sparse:
		out.add(jen.Id("s").Dot(accField(a.Name)).Op("=").Qual(runtimePath, "NewPairs").Call(fr.sizeOf(a.Params[0].Plate).Code(), fr.sizeOf(a.Params[1].Plate).Code()))
	case len(a.Params) == 0:
		out.add(jen.Id("s").Dot(accField(a.Name)).Op("=").Lit(0))
	default:
		out.add(jen.Clear(jen.Id("s").Dot(accField(a.Name))))
	}
	e.scatter(a, a.Body, "+=")
	if a.Sparse {
		out.add(jen.Id("s").Dot(accField(a.Name)).Dot("Done").Call())
	}
	if a.Watch != plan.Never {
		out.add(onPeaks("SetPeaks", a))
	}
	assemble(f, []string{name + " computes " + accField(a.Name) + " from scratch: " + g.accDoc(a) + "."}, method(name).Params(), e, out)
}

// alloc prints the allocation of accumulators, tables and scratch.
func (g *generator) alloc(f *jen.File) {
	fr := newFrame(g.l)
	var body []jen.Code
	s := func(n string) *jen.Statement { return jen.Id("s").Dot(n) }
	mk := func(field string, n ex) { body = append(body, s(field).Op("=").Make(jen.Index().Float64(), n.Code())) }
	for _, a := range g.plan.Accs {
		if len(a.Params) > 0 && !a.Sparse {
			plates, _ := g.axes(a.Name)
			c := s(accField(a.Name)).Op("=").Make(jen.Index().Add(cellType(a)), fr.total(plates).Code())
			if a.Gram != nil {
				at := s(byRows(a.Accumulator))
				x := a.Gram.X.Axes
				body = append(body, at.Clone().Op("=").Qual(runtimePath, "ByRows").Call(fr.sizeOf(x[0]).Code(), fr.sizeOf(x[1]).Code()))
				c = jen.If(jen.Op("!").Add(at)).Block(c)
			}
			body = append(body, c)
		}
		if a.Watch != plan.Never && len(a.Params) > 0 {
			plates, _ := g.axes(a.Name)
			mk(peakField(a.Name), fr.total(plates))
		}
	}
	for _, k := range g.kerns {
		if g.packs(k) {
			plates, _ := g.axes(k.packs()[0].Name)
			body = append(body, s(k.packName()).Op("=").Make(jen.Index().Id(k.packType()), fr.total(plates).Code()))
		}
		for _, t := range k.Tables {
			if g.packed[t.Name] == nil {
				plates, _ := g.axes(t.Name)
				mk(t.Name, fr.total(plates))
			}
		}
		for _, p := range k.Parts {
			if len(p.Params) > 0 {
				plates, _ := g.axes(p.Name)
				mk(partField(p.Name), fr.total(plates))
			}
		}
		if k.Conditional.Kernel == conjugacy.SliceKernel {
			n := intLit(1)
			if !k.sharesWidth() {
				n = fr.total(k.v.Axes)
			}
			body = append(body, s(k.widths()).Op("=").Qual(runtimePath, "NewSliceWidths").Call(n.Code()))
		}
	}
	for _, v := range g.plan.Inverses {
		mk(g.l.inv(v), fr.total(v.Axes))
		mk(g.l.logDet(v), fr.total(v.Axes[:len(v.Axes)-2]))
	}
	maxOf := func(xs []ex) ex {
		if len(xs) == 1 {
			return xs[0]
		}
		return call("", "max", xs...)
	}
	var cats, dims, squares []ex
	for _, k := range g.gone {
		for _, x := range k.scratches() {
			mk(x.field, fr.total(x.axes()))
			body = append(body, x.settle(fr)...)
		}
	}
	for _, k := range slices.Concat(g.kerns, g.gone) {
		e := g.emitter(fr, &block{})
		if k.Conditional.Kernel == conjugacy.Enumerate {
			cats = append(cats, k.categories(e))
		}
		if k.block() {
			d := k.dims(e)
			dims = append(dims, d)
			for _, n := range k.Family.Natural {
				if n.Rank == 2 {
					d = fr.total(k.slots(n))
				}
			}
			if k.Rows != nil { // the matrix may not be needed
				room := id(fr.local("room"))
				body = append(body, jen.Add(room.Code()).Op(":=").Add(d.Code()), jen.If(k.rowsOf()).Block(room.Code().Op("=").Add(k.rowsSize(e).Code())))
				d = room
			}
			squares = append(squares, d)
		}
	}
	if len(cats) > 0 {
		mk("weights", maxOf(cats))
		mk("running", maxOf(cats))
		if g.keepsRow() {
			mk("kept", maxOf(cats))
		}
	}
	if len(dims) > 0 {
		mk("blockH", maxOf(dims))
		mk("oldBlock", maxOf(dims))
		mk("blockPrec", maxOf(squares))
	}
	if g.anyBlock() || len(g.plan.Inverses) > 0 {
		body = append(body, s("work").Op("=").Qual(runtimePath, "NewMatWork").Call(jen.Lit(0)))
	}
	if g.crewed() {
		body = append(body, g.newCrew(fr))
	}
	comment(f, []string{"alloc makes the accumulators and scratch space, so that a sweep allocates nothing."})
	f.Add(method("alloc").Params().Block(append(fr.prologue(), body...)...))
	f.Line()
}

// invertAll prints the method that inverts one matrix, and returns the code that inverts all of the variable.
func (g *generator) invertAll(f *jen.File, v *ir.Var) jen.Code {
	axes := v.Axes[:len(v.Axes)-2]
	var params, args []jen.Code
	fr := newFrame(g.l)
	e := g.emitter(fr, &block{})
	var ix []ex
	var names []string
	for i := range axes {
		n := fr.local(string(rune('i' + i)))
		names = append(names, n)
		params = append(params, jen.Id(n).Int())
		args = append(args, jen.Id(n))
		ix = append(ix, id(n))
	}
	p := fr.sizeOf(v.Axes[len(v.Axes)-1])
	at, off := fr.offset(axes, ix), fr.offset(v.Axes, ix)
	part := func(c *jen.Statement) *jen.Statement {
		if len(axes) == 0 {
			return c
		}
		return c.Index(off.Code().Op(":")).Index(jen.Op(":").Add(mul(p, p).Code()))
	}
	name := "invert" + g.l.field[v]
	src := part(fr.variable(v).Code())
	inv := part(jen.Id("s").Dot(g.l.inv(v)))
	body := []jen.Code{
		jen.List(jen.Id("logdet"), jen.Err()).Op(":=").Qual(runtimePath, "InvertSPD").Call(inv, src, p.Code(), jen.Id("s").Dot("work")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Qual(runtimePath, "DrawError").Call(append([]jen.Code{jen.Err(), jen.Lit(v.Name)}, args...)...))),
		jen.Id("s").Dot(g.l.logDet(v)).Index(at.Code()).Op("=").Id("logdet"),
		jen.Return(jen.Nil()),
	}
	comment(f, []string{name + " keeps the inverse and log determinant of " + v.Name + " up to date."})
	f.Add(method(name).Params(params...).Error().Block(append(fr.prologue(), body...)...))
	f.Line()
	_ = e
	callOut := &block{}
	fr2 := newFrame(g.l)
	c := g.emitter(fr2, callOut)
	var rec func(c *emitter, i int)
	rec = func(c *emitter, i int) {
		if i == len(axes) {
			var as []jen.Code
			for _, n := range names {
				as = append(as, c.names["~"+n].Code())
			}
			c.out.add(jen.Id("_").Op("=").Id("s").Dot(name).Call(as...))
			return
		}
		b := ir.Bind{Name: "~" + names[i], Plate: axes[i]}
		for up := i - 1; up >= 0 && axes[up+1].Over == axes[up]; up-- {
			b.Of = slices.Insert(b.Of, 0, ir.At("~"+names[up]))
		}
		c.over(b, func(d *emitter) { rec(d, i+1) })
	}
	rec(c, 0)
	return jen.Block(append(fr2.prologue(), callOut.stmts...)...)
}
