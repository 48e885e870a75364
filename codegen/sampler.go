// This file holds the Sampler type of generated code and its sweep.

package codegen

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// packageDoc is the package comment: the model as the spec has it, and how it is sampled.
func (g *generator) packageDoc() []string {
	out := []string{" Package " + g.pkg + " samples the posterior of the model " + oneLine(g.model.Name) + "."}
	if g.model.Doc != "" {
		out = append(out, "")
		for l := range strings.SplitSeq(strings.TrimSpace(g.model.Doc), "\n") {
			out = append(out, " "+oneLine(l))
		}
	}
	out = append(out, "", " The model, in the notation of "+oneLine(g.spec)+":", "")
	for l := range strings.SplitSeq(strings.TrimSpace(g.model.File.Src), "\n") {
		code, _, _ := strings.Cut(l, "//")
		if code = strings.TrimSpace(code); code != "" {
			out = append(out, "\t"+oneLine(code))
		}
	}
	out = append(out, "", " One sweep draws the globals, then the locals, each from its full conditional:", "")
	for _, k := range g.kerns {
		out = append(out, "\t"+k.Label()+": "+oneLine(conjugacy.Summary(k.Conditional, g.plan.Analysis)))
	}
	if len(g.plan.Locals) > 0 {
		out = append(out, "", " "+oneLine(g.plan.SideBySide()))
	}
	return out
}

// cellType returns the type of an accumulator's cells.
func cellType(a *plan.Acc) *jen.Statement {
	if a.Count {
		return jen.Int32()
	}
	return jen.Float64()
}

// samplerType prints the struct.
func (g *generator) samplerType(f *jen.File) {
	fields := g.samplerFields()
	fields = append(fields, jen.Line())
	for _, a := range g.plan.Accs {
		t := jen.Float64()
		if len(a.Params) > 0 {
			t = jen.Index().Add(cellType(a))
		}
		if a.Sparse {
			t = jen.Op("*").Qual(runtimePath, "Pairs")
		}
		fields = append(fields, jen.Id(accField(a.Name)).Add(t).Comment("// "+g.accDoc(a)))
		if a.Gram != nil {
			fields = append(fields, jen.Id(byRows(a.Accumulator)).Bool().Comment("// "+a.Gram.X.Name+" has so few rows that they serve better than "+accField(a.Name)+", which is then not kept"))
		}
		if a.Watch != plan.Never {
			fields = append(fields, jen.Id(peakField(a.Name)).Add(peakType(a)).Comment("// the largest size that "+accField(a.Name)+" had since it was summed"))
		}
	}
	for _, k := range g.kerns {
		if g.packs(k) {
			fields = append(fields, jen.Id(k.packName()).Index().Id(k.packType()).Comment("// by value of "+k.Label()))
		}
		for _, t := range k.Tables {
			if g.packed[t.Name] != nil {
				continue
			}
			fields = append(fields, jen.Id(t.Name).Index().Float64().Comment("// "+g.tableDoc(t)))
		}
		for _, p := range k.Parts {
			t := jen.Float64()
			if len(p.Params) > 0 {
				t = jen.Index().Float64()
			}
			fields = append(fields, jen.Id(partField(p.Name)).Add(t).Comment("// "+g.partDoc(k, p)))
		}
		if k.Conditional.Kernel == conjugacy.SliceKernel {
			fields = append(fields, jen.Id(k.widths()).Qual(runtimePath, "SliceWidths").Comment("// of "+k.v.Name))
		}
	}
	for _, r := range g.plan.Analysis.Accs.References {
		fields = append(fields, jen.Id(g.l.refs[r.Var]).Add(fieldType(r.Of)).Comment("// "+r.Of.Name+" when the sums were last taken, about which they are"))
	}
	for _, v := range g.plan.Inverses {
		fields = append(fields, jen.Id(g.l.inv(v)).Index().Float64().Comment("// inverses of "+v.Name))
		fields = append(fields, jen.Id(g.l.logDet(v)).Index().Float64().Comment("// log determinants of "+v.Name))
	}
	for _, k := range g.gone {
		for _, x := range k.scratches() {
			fields = append(fields, jen.Id(x.field).Index().Float64().Comment("// a value of "+x.v.Name+" at which the log joint is taken apart"))
			if x.tiled {
				fields = append(fields, jen.Id(x.all()).Index().Float64().Comment("// the same for all"))
			}
		}
	}
	fields = append(fields, jen.Line())
	if g.anyEnumerate() {
		fields = append(fields, jen.List(jen.Id("weights"), jen.Id("running")).Index().Float64().Comment("// of a finite unknown's values, and their running sums"))
	}
	if g.anyBlock() {
		fields = append(fields, jen.List(jen.Id("blockH"), jen.Id("blockPrec"), jen.Id("oldBlock")).Index().Float64().Comment("// natural parameters and former value of a vector"))
	}
	if g.keepsRow() {
		fields = append(fields, jen.Id("kept").Index().Float64().Comment("// the part of weights that a sweep's inner loop leaves alone"))
	}
	given := 0
	for _, k := range g.kerns {
		if k.ranged() && k.Conditional.Kernel == conjugacy.Exact {
			given = max(given, 4, len(k.results()))
		}
	}
	if given > 0 {
		fields = append(fields, jen.Id("given").Index(jen.Lit(given)).Float64().Comment("// natural parameters and bounds of the local drawn last, for verification"))
	}
	if g.anyBlock() || len(g.plan.Inverses) > 0 {
		fields = append(fields, jen.Id("work").Op("*").Qual(runtimePath, "MatWork"))
	}
	if len(g.gathered()) > 0 {
		fields = append(fields, jen.Id("anew").Bool().Comment("// all units are being refreshed: sums are gathered from nothing"))
	}
	if g.crewed() {
		fields = append(fields, jen.Id("crew").Op("*").Qual(runtimePath, "Crew").Comment("// refreshes units side by side"))
	}
	if g.looksEachSweep() {
		fields = append(fields, jen.Id("refreshed").Int().Comment("// units since sums with cells for each of them were looked at"))
	}
	for _, k := range g.kerns {
		if !g.packs(k) {
			continue
		}
		var fs []jen.Code
		for _, t := range k.packs() {
			fs = append(fs, jen.Id(k.packField(t.Name)).Float64().Comment("// "+g.tableDoc(t)))
		}
		comment(f, []string{k.packType() + " is what the weight of one value of " + k.Label() + " needs of the globals."})
		f.Type().Id(k.packType()).Struct(fs...)
		f.Line()
	}
	comment(f, []string{"Sampler is one Markov chain. Its methods must not be called concurrently; for several chains make several samplers."})
	f.Type().Id("Sampler").Struct(fields...)
	f.Line()
}

func (g *generator) anyEnumerate() bool {
	for _, k := range g.kerns {
		if k.Conditional.Kernel == conjugacy.Enumerate {
			return true
		}
	}
	return false
}

// keepsRow reports whether some kernel keeps a row of factors.
func (g *generator) keepsRow() bool {
	return slices.ContainsFunc(g.kerns, func(k *kern) bool {
		if k.Conditional.Kernel != conjugacy.Enumerate || k.Factors == nil {
			return false
		}
		outer, _ := k.outerFactors()
		return len(outer) > 0
	})
}

func (g *generator) anyBlock() bool {
	for _, k := range slices.Concat(g.kerns, g.gone) {
		if k.block() {
			return true
		}
	}
	return false
}

func (g *generator) accDoc(a *plan.Acc) string {
	return conjugacy.NewNotation(g.model, nil, a.Params...).Poly(ir.Poly{a.Body})
}

// partDoc says what a part is, for the element that is drawn.
func (g *generator) partDoc(k *kern, p conjugacy.Part) string {
	return "for the draw of " + k.Label() + ": " + conjugacy.NewNotation(g.model, k.Target, p.Params...).Poly(p.Value)
}

func (g *generator) tableDoc(t *plan.Table) string {
	return conjugacy.NewNotation(g.model, nil, t.Params...).Poly(t.Value)
}

// unitCount returns the number of units of the groups before i, and of all of them for i = len.
func (g *generator) unitCount(f *frame, i int) ex {
	out := intLit(0)
	for _, gr := range g.plan.Locals[:i] {
		out = add(out, f.total(chainOf(gr.Plate)))
	}
	return out
}

// sweep prints Units, UpdateGlobals and UpdateLocals.
func (g *generator) sweep(f *jen.File) {
	fr := newFrame(g.l)
	n := g.unitCount(fr, len(g.plan.Locals))
	comment(f, []string{"Units returns the number of local units" + g.unitDoc() + "."})
	f.Add(method("Units").Params().Int().Block(append(fr.prologue(), jen.Return(n.Code()))...))
	f.Line()

	fr = newFrame(g.l)
	out := &block{}
	e := g.emitter(fr, out)
	for _, k := range g.kerns {
		if !k.local() {
			g.callDraw(e, k, k.Loops, jen.Return)
		}
	}
	out.add(jen.Return(jen.Nil()))
	comment(f, []string{"UpdateGlobals draws every global once from its full conditional."})
	f.Add(method("UpdateGlobals").Params().Error().Block(append(fr.prologue(), out.stmts...)...))
	f.Line()

	g.updateLocals(f)
	g.tune(f)
}

// updateLocals prints UpdateLocals and what it calls.
func (g *generator) updateLocals(f *jen.File) {
	doc := []string{"UpdateLocals refreshes the locals of the given units, in that order; nil means all, in order."}
	if g.crewed() {
		doc = append(doc, "Many units are cut into blocks, for the crew's workers.")
	}
	comment(f, doc)
	s, units := func(n string) *jen.Statement { return jen.Id("s").Dot(n) }, jen.Id("units")
	head := method("UpdateLocals").Params(jen.Id("units").Index().Int()).Error()
	if len(g.plan.Locals) == 0 {
		f.Add(head.Block(jen.Return(jen.Nil())))
		f.Line()
		return
	}
	var body, after []jen.Code
	if g.anyTables() {
		body = append(body, s("hoist").Call())
	}
	if accs := g.gathered(); len(accs) > 0 {
		var clr []jen.Code
		for _, a := range accs {
			if len(a.Params) == 0 {
				clr = append(clr, s(accField(a.Name)).Op("=").Lit(0))
			} else {
				clr = append(clr, jen.Clear(s(accField(a.Name))))
			}
		}
		body = append(body, s("anew").Op("=").Add(units).Op("==").Nil(), jen.If(s("anew")).Block(clr...))
		after = append(after, s("anew").Op("=").False())
	}
	if c := g.callSettle(); c != nil {
		after = append(after, c)
	}
	update := s("updateUnits").Call(units)
	if g.crewed() {
		refresh := s("crew").Dot("Refresh").Call(s("rng"), units)
		many := s("crew").Dot("Blocks").Call(units).Op(">").Lit(1)
		if len(after) == 0 {
			body = append(body, jen.If(many).Block(jen.Return(refresh)), jen.Return(update))
		} else {
			body = append(body, jen.Var().Err().Error(), jen.If(many).Block(jen.Err().Op("=").Add(refresh)).Else().Block(jen.Err().Op("=").Add(update)))
		}
	} else if len(after) == 0 {
		body = append(body, jen.Return(update))
	} else {
		body = append(body, jen.Err().Op(":=").Add(update))
	}
	if len(after) > 0 {
		body = append(body, append(after, jen.Return(jen.Err()))...)
	}
	f.Add(head.Block(body...))
	f.Line()
	comment(f, []string{"updateUnits draws the locals of the units one after the other."})
	f.Add(method("updateUnits").Params(jen.Id("units").Index().Int()).Error().Block(
		jen.If(jen.Id("units").Op("==").Nil()).Block(jen.Return(s("updateRange").Call(jen.Lit(0), s("Units").Call()))),
		jen.For(jen.Len(units).Op(">").Lit(0)).Block(
			jen.Id("n").Op(":=").Qual(runtimePath, "Consecutive").Call(units),
			jen.If(jen.Err().Op(":=").Add(s("updateRange")).Call(units.Clone().Index(jen.Lit(0)), units.Clone().Index(jen.Lit(0)).Op("+").Id("n")), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err())),
			units.Clone().Op("=").Id("units").Index(jen.Id("n").Op(":"))),
		jen.Return(jen.Nil())))
	f.Line()
	g.settle(f)
	g.printStrayed(f)
	g.updateRange(f)
	g.workers(f)
}

// gathered returns the accumulators that a sweep over all units gathers anew.
func (g *generator) gathered() (out []*plan.Acc) {
	for _, a := range g.plan.Accs {
		if slices.ContainsFunc(g.kerns, func(k *kern) bool { return k.ranged() && k.gathers() && k.follows(a.Name) }) {
			out = append(out, a)
		}
	}
	return out
}

func (k *kern) local() bool {
	for _, gr := range k.g.plan.Locals {
		for _, x := range gr.Kernels {
			if x == k.Kernel {
				return true
			}
		}
	}
	return false
}

func (g *generator) unitDoc() string {
	if len(g.plan.Locals) == 0 {
		return ", none in this model"
	}
	return ": " + oneLine(g.plan.Units())
}

func (g *generator) anyTables() bool { return len(g.tables) > 0 }

// tune prints Tune, if there is anything to tune.
func (g *generator) tune(f *jen.File) {
	var body []jen.Code
	for _, k := range g.kerns {
		if k.Conditional.Kernel == conjugacy.SliceKernel {
			body = append(body, jen.Id("s").Dot(k.widths()).Dot("Tune").Call(jen.Id("on")))
		}
	}
	if len(body) == 0 {
		return
	}
	comment(f, []string{"Tune has the slice samplers learn their widths from now on, or keep them: warmup's business, see runtime.Tuner."})
	f.Add(method("Tune").Params(jen.Id("on").Bool()).Block(body...))
	f.Line()
}

// updateRange prints the draws of the locals of consecutive units.
func (g *generator) updateRange(f *jen.File) {
	fr := newFrame(g.l, "first", "past", "u", "lo", "hi", "list", "stop")
	out := &block{}
	e := g.emitter(fr, out)
	for i, gr := range g.plan.Locals {
		in := out
		lo, hi := id("first"), id("past")
		if len(g.plan.Locals) > 1 {
			// The units of this plate among those asked for.
			start := g.unitCount(fr, i)
			in = &block{}
			in.add(jen.Id("lo").Op(":=").Add(sub(call("", "max", id("first"), start), start).Code()))
			in.add(jen.Id("hi").Op(":=").Add(sub(call("", "min", id("past"), g.unitCount(fr, i+1)), start).Code()))
			lo, hi = id("lo"), id("hi")
		}
		for _, k := range gr.Kernels {
			if gr.Axes() == 1 {
				g.drawUnits(e.into(in), g.kernOf(k), nil, lo, hi)
			} else {
				g.drawLists(e.into(in), g.kernOf(k), gr.Plate, lo, hi)
			}
		}
		if in != out {
			out.add(jen.Block(in.stmts...))
		}
	}
	out.add(jen.Return(jen.Nil()))
	comment(f, []string{"updateRange draws the locals of the units from first up to, not including, past, each from its full conditional."})
	f.Add(method("updateRange").Params(jen.List(jen.Id("first"), jen.Id("past")).Int()).Error().Block(append(fr.prologue(), out.stmts...)...))
	f.Line()
}

// drawUnits emits the draws of one local of the units from lo up to hi, the last of the indices that say which unit it is; outer holds the
// others.
func (g *generator) drawUnits(e *emitter, k *kern, outer []ex, lo, hi ex) {
	n := len(outer) + 1
	try := func(call *jen.Statement) jen.Code {
		return jen.If(jen.Err().Op(":=").Add(call), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err()))
	}
	if k.ranged() && len(k.Loops) == n {
		e.out.add(try(k.rangeCall(outer, lo, hi)))
		return
	}
	each := &block{}
	d := e.into(each)
	outer = append(slices.Clone(outer), id("u"))
	for i, x := range outer {
		d = d.bind(k.Loops[i].Name, x)
	}
	if k.ranged() {
		g.callRanges(d, k, k.Loops[n:], outer, try)
	} else {
		g.callDraw(d, k, k.Loops[n:], jen.Return)
	}
	e.out.add(jen.For(jen.Id("u").Op(":=").Add(lo.Code()), jen.Id("u").Op("<").Add(hi.Code()), jen.Id("u").Op("++")).Block(each.stmts...))
}

// drawLists is drawUnits of units that are elements of the lists of a ragged plate, one list after the other, from the first-th element
// of all up to the past-th.
func (g *generator) drawLists(e *emitter, k *kern, plate *ir.Plate, first, past ex) {
	chain := chainOf(plate)
	at, lo, list, stop := e.f.start(plate), id("lo"), id("list"), id("stop")
	in := &block{}
	// Which list it is: its number among those of its parent, which is a list again, and so on.
	outer := make([]ex, len(chain)-1)
	outer[0] = list
	for i := len(outer) - 1; i > 0; i-- {
		lists := e.f.start(chain[i])
		parent := id(e.f.own("in" + exportName(chain[i-1].Name)))
		in.add(parent.Code().Op(":=").Qual(runtimePath, "ListOf").Call(lists.Code(), outer[0].Code()))
		outer[i], outer[0] = sub(outer[0], index(lists, parent)), parent
	}
	in.add(stop.Code().Op(":=").Min(past.Code(), index(at, add(list, intLit(1))).Code()))
	g.drawUnits(e.into(in), k, outer, sub(lo, index(at, list)), sub(stop, index(at, list)))
	in.add(lo.Code().Op("=").Add(stop.Code()))
	e.out.add(jen.For(
		jen.List(lo.Code(), list.Code()).Op(":=").List(first.Code(), jen.Qual(runtimePath, "ListOf").Call(at.Code(), first.Code())),
		lo.Code().Op("<").Add(past.Code()),
		list.Code().Op("++")).Block(in.stmts...))
}

// callRanges emits the loops over the middle indices around the call that draws all of the innermost.
func (g *generator) callRanges(e *emitter, k *kern, loops []ir.Bind, outer []ex, try func(*jen.Statement) jen.Code) {
	b := loops[0]
	if len(loops) > 1 {
		e.hint = k.Names
		e.over(b, func(c *emitter) { g.callRanges(c, k, loops[1:], append(outer, c.names[b.Name]), try) })
		return
	}
	var of []ex
	for _, x := range b.Of {
		of = append(of, e.ix(x))
	}
	e.out.add(try(k.rangeCall(outer, intLit(0), e.f.sizeOf(b.Plate, of...))))
}

func (g *generator) kernOf(k *plan.Kernel) *kern {
	for _, x := range g.kerns {
		if x.Kernel == k {
			return x
		}
	}
	return nil
}

// callDraw emits the loops over the remaining indices and the call of the kernel's draw.
func (g *generator) callDraw(e *emitter, k *kern, loops []ir.Bind, ret func(...jen.Code) *jen.Statement) {
	if len(loops) > 0 {
		b := loops[0]
		e.hint = k.Names
		e.over(b, func(c *emitter) { g.callDraw(c, k, loops[1:], ret) })
		return
	}
	var args []jen.Code
	for _, b := range k.Loops {
		args = append(args, e.names[b.Name].Code())
	}
	e.out.add(jen.If(jen.Err().Op(":=").Id("s").Dot(k.drawName()).Call(args...), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err())))
}

// packs returns the kernel's tables over the values alone.
func (k *kern) packs() []*plan.Table {
	var out []*plan.Table
	if k.Factors != nil {
		return nil
	}
	for _, t := range k.Tables {
		if len(t.Params) == 1 {
			out = append(out, t)
		}
	}
	return out
}

// packs reports whether a kernel's tables stand side by side.
func (g *generator) packs(k *kern) bool { return len(k.packs()) > 1 }

func (k *kern) packName() string { return k.lower() + "Terms" }

func (k *kern) packType() string { return k.lower() + "Term" }

func (k *kern) packField(table string) string {
	for i, t := range k.packs() {
		if t.Name == table {
			return "t" + itoa(i+1)
		}
	}
	return ""
}

// hoist prints the computation of the tables.
func (g *generator) hoist(f *jen.File) {
	if !g.anyTables() {
		return
	}
	fr := newFrame(g.l)
	out := &block{}
	e := g.emitter(fr, out)
	for _, k := range g.kerns {
		for _, t := range k.Tables {
			args := make([]ir.Ix, len(t.Params))
			for i, b := range t.Params {
				args[i] = ir.At(b.Name)
			}
			var rec func(c *emitter, i int)
			rec = func(c *emitter, i int) {
				if i == len(t.Params) {
					cell := c.accumulator(t.Name, args)
					v := c.poly(t.Value)
					c.out.add(cell.Code().Op("=").Add(v.Code()))
					return
				}
				c.over(t.Params[i], func(d *emitter) { rec(d, i+1) })
			}
			rec(e, 0)
		}
	}
	assemble(f, []string{"hoist computes, once for all units, what their weights need of the globals."}, method("hoist").Params(), e, out)
}
