// This file holds workers in generated code: copies of the chain that refresh blocks of units side by side.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// crewed reports whether units may be refreshed side by side.
func (g *generator) crewed() bool { return len(g.plan.Locals) > 0 && g.plan.Coupled == "" }

// sums returns the accumulators of real numbers that each block sums for itself, the plain numbers first.
func (g *generator) sums() (plain, arrays []*plan.Acc) {
	for _, a := range g.plan.Accs {
		switch {
		case a.Sharing != plan.Parts:
		case len(a.Params) == 0:
			plain = append(plain, a)
		default:
			arrays = append(arrays, a)
		}
	}
	return plain, arrays
}

// counts returns the accumulators of whole numbers that each worker counts for itself.
func (g *generator) counts() (out []*plan.Acc) {
	for _, a := range g.plan.Accs {
		if a.Sharing == plan.Whole {
			out = append(out, a)
		}
	}
	return out
}

// ownScratch returns the fields that draws of locals write to and leave behind.
func (g *generator) ownScratch() (out []string) {
	if g.anyLocal(func(k *kern) bool { return k.Conditional.Kernel == conjugacy.Enumerate }) {
		out = append(out, "weights", "running")
	}
	if g.keepsRow() {
		out = append(out, "kept")
	}
	if g.anyLocal((*kern).block) {
		out = append(out, "blockH", "blockPrec", "oldBlock")
	}
	for _, k := range g.kerns {
		for _, p := range k.Parts {
			if k.local() && len(p.Params) > 0 {
				out = append(out, partField(p.Name))
			}
		}
	}
	return out
}

func (g *generator) anyLocal(is func(*kern) bool) bool {
	return slices.ContainsFunc(g.kerns, func(k *kern) bool { return k.local() && is(k) })
}

// newCrew returns the statement that makes the crew.
func (g *generator) newCrew(fr *frame) jen.Code {
	elements, sums, counts := intLit(0), intLit(0), intLit(0)
	for _, gr := range g.plan.Locals {
		for _, k := range gr.Kernels {
			var over []*ir.Plate
			for _, b := range k.Loops {
				over = append(over, b.Plate)
			}
			elements = add(elements, fr.total(over))
		}
	}
	plain, arrays := g.sums()
	for _, a := range arrays {
		sums = add(sums, call("", "len", raw(jen.Id("s").Dot(accField(a.Name)))))
	}
	sums = add(sums, intLit(len(plain)))
	for _, a := range g.counts() {
		counts = add(counts, call("", "len", raw(jen.Id("s").Dot(accField(a.Name)))))
	}
	return jen.Id("s").Dot("crew").Op("=").Qual(runtimePath, "NewCrew").Call(
		jen.Qual(runtimePath, "CrewSizes").Values(jen.Dict{
			jen.Id("Units"): g.unitCount(fr, len(g.plan.Locals)).Code(), jen.Id("Elements"): elements.Code(),
			jen.Id("Sums"): sums.Code(), jen.Id("Counts"): counts.Code(),
		}), jen.Id("s").Dot("hire"))
}

// workers prints what the runtime needs to refresh units side by side, or why it may not.
func (g *generator) workers(f *jen.File) {
	switch {
	case len(g.plan.Locals) == 0:
		return
	case !g.crewed():
		comment(f, []string{"Coupled returns why the units are refreshed one after the other."})
		f.Add(method("Coupled").Params().String().Block(jen.Return(jen.Lit(g.plan.Coupled))))
		f.Line()
		return
	}
	comment(f, []string{"Crew returns the workers that refresh the units."})
	f.Add(method("Crew").Params().Op("*").Qual(runtimePath, "Crew").Block(jen.Return(jen.Id("s").Dot("crew"))))
	f.Line()

	comment(f, []string{"A worker refreshes blocks of units: the chain, with random numbers, scratch space and sums of its own."})
	fields := []jen.Code{jen.Id("Sampler"), jen.Id("chain").Op("*").Id("Sampler")}
	if len(g.counts()) > 0 {
		fields = append(fields, jen.Id("first").Bool().Comment("// it counts in the chain's own tables"))
	}
	fields = append(fields, jen.Id("_").Index(jen.Lit(64)).Byte().Comment("// so that it shares no line of the processor's cache with another"))
	f.Type().Id("worker").Struct(fields...)
	f.Line()
	g.hire(f)
	g.join(f)
	g.refresh(f)
	g.merge(f)
}

func worker(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("w").Op("*").Id("worker")).Id(name)
}

// hire prints the method that makes a worker.
func (g *generator) hire(f *jen.File) {
	w := func(n string) *jen.Statement { return jen.Id("w").Dot(n) }
	values := jen.Dict{jen.Id("chain"): jen.Id("s")}
	first := "_"
	if len(g.counts()) > 0 {
		first = "first"
		values[jen.Id(first)] = jen.Id(first)
	}
	body := []jen.Code{
		jen.Id("w").Op(":=").Op("&").Id("worker").Values(values),
		w("rng").Op("=").Id("rng"),
	}
	for _, n := range g.ownScratch() {
		body = append(body, w(n).Op("=").Qual(runtimePath, "Scratch").Types(jen.Float64()).Call(jen.Len(jen.Id("s").Dot(n))))
	}
	if g.anyLocal((*kern).block) {
		body = append(body, w("work").Op("=").Qual(runtimePath, "NewMatWork").Call(jen.Lit(0)))
	}
	var tables []jen.Code
	for _, a := range g.counts() {
		n := accField(a.Name)
		tables = append(tables, w(n).Op("=").Qual(runtimePath, "Scratch").Types(cellType(a)).Call(jen.Len(jen.Id("s").Dot(n))))
	}
	if len(tables) > 0 {
		body = append(body, jen.If(jen.Op("!").Id("first")).Block(tables...))
	}
	body = append(body, jen.Return(jen.Id("w")))
	comment(f, []string{"hire returns a worker that draws from rng."})
	f.Add(method("hire").Params(rngParam(), jen.Id(first).Bool()).Qual(runtimePath, "Worker").Block(body...))
	f.Line()
}

// join prints the method that copies the chain.
func (g *generator) join(f *jen.File) {
	own := func(n string) jen.Code { return jen.Id("w").Dot(n).Op("=").Id("own").Dot(n) }
	body := []jen.Code{
		jen.Id("own").Op(":=").Id("w").Dot("Sampler"),
		jen.Id("w").Dot("Sampler").Op("=").Op("*").Id("w").Dot("chain"),
		own("rng"),
	}
	for _, n := range g.ownScratch() {
		body = append(body, own(n))
	}
	if g.anyLocal((*kern).block) {
		body = append(body, own("work"))
	}
	var tables []jen.Code
	for _, a := range g.counts() {
		tables = append(tables, own(accField(a.Name)), jen.Clear(jen.Id("w").Dot(accField(a.Name))))
	}
	if len(tables) > 0 {
		body = append(body, jen.If(jen.Op("!").Id("w").Dot("first")).Block(tables...))
	}
	comment(f, []string{"Join makes the worker a copy of the chain as it is now, but for what is its own."})
	f.Add(worker("Join").Params().Block(body...))
	f.Line()
}

// refresh prints the method that refreshes a block.
func (g *generator) refresh(f *jen.File) {
	plain, arrays := g.sums()
	w := func(a *plan.Acc) *jen.Statement { return jen.Id("w").Dot(accField(a.Name)) }
	sums := jen.Id("sums")
	var body, after []jen.Code
	for i, a := range arrays {
		n := jen.Len(jen.Id("w").Dot("chain").Dot(accField(a.Name)))
		if i == len(arrays)-1 && len(plain) == 0 {
			body = append(body, w(a).Op("=").Add(sums))
		} else {
			body = append(body, jen.List(w(a), sums).Op("=").List(sums.Clone().Index(jen.Op(":").Add(n)), sums.Clone().Index(n.Clone().Op(":"))))
		}
	}
	for i, a := range plain {
		body = append(body, w(a).Op("=").Lit(0))
		after = append(after, sums.Clone().Index(jen.Lit(i)).Op("=").Add(w(a)))
	}
	all := jen.Id("w").Dot("updateRange").Call(jen.Id("first"), jen.Id("past"))
	some := jen.Id("w").Dot("updateUnits").Call(jen.Id("units"))
	if len(after) == 0 {
		body = append(body, jen.If(jen.Id("units").Op("==").Nil()).Block(jen.Return(all)), jen.Return(some))
	} else {
		body = append(body,
			jen.Var().Err().Error(),
			jen.If(jen.Id("units").Op("==").Nil()).Block(jen.Err().Op("=").Add(all)).Else().Block(jen.Err().Op("=").Add(some)))
		body = append(body, after...)
		body = append(body, jen.Return(jen.Err()))
	}
	comment(f, []string{"Refresh draws the locals of the units, or of first up to, not including, past if units is nil, and leaves in sums what is to be", "added to the chain's."})
	f.Add(worker("Refresh").Params(jen.Id("sums").Index().Float64(), jen.Id("units").Index().Int(), jen.List(jen.Id("first"), jen.Id("past")).Int()).Error().Block(body...))
	f.Line()
}

// merge prints the methods that bring a worker's sums and counts to the chain.
func (g *generator) merge(f *jen.File) {
	plain, arrays := g.sums()
	chain := func(a *plan.Acc) *jen.Statement { return jen.Id("w").Dot("chain").Dot(accField(a.Name)) }
	var body []jen.Code
	for i, a := range arrays {
		c := jen.Qual(runtimePath, "AddCells").Call(chain(a), jen.Id("sums"))
		if i < len(arrays)-1 || len(plain) > 0 {
			c = jen.Id("sums").Op("=").Add(c)
		}
		body = append(body, c)
	}
	for i, a := range plain {
		body = append(body, chain(a).Op("+=").Id("sums").Index(jen.Lit(i)))
	}
	comment(f, []string{"Add adds what Refresh left in sums to the chain's."})
	f.Add(worker("Add").Params(jen.Id("sums").Index().Float64()).Block(body...))
	f.Line()
	body = nil
	for _, a := range g.counts() {
		body = append(body, jen.Qual(runtimePath, "AddCells").Call(chain(a), jen.Id("w").Dot(accField(a.Name))))
	}
	comment(f, []string{"Leave adds what the worker counted to the chain's tables."})
	f.Add(worker("Leave").Params().Block(body...))
	f.Line()
}
