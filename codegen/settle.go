// This file holds what generated code does about sums that have shrunk so far that they have lost their digits.

package codegen

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/plan"
)

// watched returns the accumulators that are looked at then.
func (g *generator) watched(when plan.Watch) (out []*plan.Acc) {
	for _, a := range g.plan.Accs {
		if a.Watch == when {
			out = append(out, a)
		}
	}
	return out
}

// peakField names what holds the largest sizes that the cells of an accumulator had.
func peakField(name string) string { return "peak" + name[1:] }

// peakType is as long as the accumulator has cells.
func peakType(a *plan.Acc) *jen.Statement {
	if len(a.Params) == 0 {
		return jen.Index(jen.Lit(1)).Float64()
	}
	return jen.Index().Float64()
}

// peaks returns them as a slice.
func peaks(a *plan.Acc) *jen.Statement {
	at := jen.Id("s").Dot(peakField(a.Name))
	if len(a.Params) == 0 {
		return at.Index(jen.Op(":"))
	}
	return at
}

// onPeaks returns the call of a function of the runtime with the peaks of an accumulator and with its sums.
func onPeaks(fn string, a *plan.Acc) *jen.Statement {
	sums := jen.Id("s").Dot(accField(a.Name))
	if len(a.Params) > 0 {
		sums = sums.Op("...")
	}
	return jen.Qual(runtimePath, fn).Call(peaks(a), sums)
}

// callSettle returns the call of settle at the end of an update of locals; nil if there is nothing to settle.
func (g *generator) callSettle() jen.Code {
	switch {
	case len(g.watched(plan.EachUnit)) > 0 || g.looksEachSweep():
		return jen.Id("s").Dot("settle").Call(jen.Id("units"))
	case len(g.watched(plan.EachUpdate)) > 0:
		return jen.Id("s").Dot("settle").Call()
	}
	return nil
}

// looksEachSweep reports whether there is something to look at once as many units were refreshed as there are.
func (g *generator) looksEachSweep() bool {
	return len(g.watched(plan.EachSweep))+len(g.plan.Strays) > 0
}

// settle prints the method that takes sums anew. References stay, so that the other sums stay what they are, unless they are of no use any more.
func (g *generator) settle(f *jen.File) {
	if g.callSettle() == nil {
		return
	}
	fr := newFrame(g.l, "u", "i")
	var body, params []jen.Code
	again := func(a *plan.Acc) jen.Code { return jen.Id("s").Dot("sum" + exportName(accField(a.Name))).Call() }
	look := func(as []*plan.Acc) (out []jen.Code) {
		for _, a := range as {
			out = append(out, jen.If(onPeaks("Shrunk", a)).Block(again(a)))
		}
		return out
	}
	doc := []string{"settle sums anew what is so much smaller than it was that the rounding errors show which it was left with."}
	body = append(body, look(g.watched(plan.EachUpdate))...)
	rows, rest, units := g.watched(plan.EachUnit), g.watched(plan.EachSweep), jen.Id("units")
	if len(rows) > 0 || g.looksEachSweep() {
		params = append(params, units.Clone().Index().Int())
	}
	if len(rows) > 0 {
		var each []jen.Code
		for _, a := range rows {
			cond, at := g.unitCells(fr, a)
			of := func(field string) *jen.Statement { return jen.Id("s").Dot(field).Index(at.Clone()) }
			shrunk := jen.Qual(runtimePath, "Shrunk").Call(of(peakField(a.Name)), of(accField(a.Name)).Op("..."))
			each = append(each, cond(jen.If(shrunk).Block(again(a))))
		}
		body = append(body,
			jen.If(units.Clone().Op("==").Nil()).Block(look(rows)...),
			jen.For(jen.List(jen.Id("_"), jen.Id("u")).Op(":=").Range().Add(units.Clone())).Block(each...))
	}
	if g.looksEachSweep() {
		doc = append(doc, "Those that grow with the number of units it looks at once as many were refreshed as there are.")
		refreshed := jen.Id("s").Dot("refreshed")
		body = append(body,
			refreshed.Clone().Op("+=").Len(units),
			jen.If(units.Clone().Op("!=").Nil().Op("&&").Add(refreshed).Op("<").Id("s").Dot("Units").Call()).Block(jen.Return()),
			refreshed.Clone().Op("=").Lit(0))
		if len(g.plan.Strays) > 0 {
			doc = append(doc, "All are summed anew, about other references, if their own were left far behind.")
			body = append(body, jen.If(jen.Id("s").Dot("Strayed").Call()).Block(jen.Id("s").Dot("Rebuild").Call(), jen.Return()))
		}
		body = append(body, look(rest)...)
	}
	comment(f, doc)
	f.Add(method("settle").Params(params...).Block(append(fr.prologue(), body...)...))
	f.Line()
}

// printStrayed prints the method that says whether sums are to be taken about other references.
func (g *generator) printStrayed(f *jen.File) {
	var names []string
	var any *jen.Statement
	for _, r := range g.plan.Strays {
		names = append(names, r.Of.Name)
		ref, now := jen.Id("s").Dot(g.l.refs[r.Var]), jen.Id("s").Dot("state").Dot(g.l.field[r.Of])
		if len(r.Of.Axes) == 0 {
			ref = jen.Index().Float64().Values(ref)
		} else {
			now.Op("...")
		}
		if is := jen.Qual(runtimePath, "Strayed").Call(ref, now); any == nil {
			any = is
		} else {
			any.Op("||").Add(is)
		}
	}
	if any == nil {
		return
	}
	comment(f, []string{"Strayed reports whether one of these has left the reference of its sums far behind: " + strings.Join(names, ", ") + "."})
	f.Add(method("Strayed").Params().Bool().Block(jen.Return(any)))
	f.Line()
}

// unitCells returns where the row of unit u lies in an accumulator, and what makes sure that there is one: of several kinds of units, the
// others have none.
func (g *generator) unitCells(fr *frame, a *plan.Acc) (cond func(jen.Code) jen.Code, at *jen.Statement) {
	u := id("u")
	cond = func(c jen.Code) jen.Code { return c }
	if k := slices.Index(g.plan.Locals, a.Units); len(g.plan.Locals) > 1 {
		u = id("i")
		from, n := g.unitCount(fr, k), fr.total(chainOf(a.Units.Plate))
		cond = func(c jen.Code) jen.Code {
			return jen.If(jen.Id("i").Op(":=").Add(sub(id("u"), from).Code()),
				jen.Id("i").Op(">=").Lit(0).Op("&&").Id("i").Op("<").Add(n.Code())).Block(c)
		}
	}
	plates, _ := g.axes(a.Name)
	chain := chainLen(plates)
	begin := func(x ex) *jen.Statement {
		for _, p := range plates[a.Units.Axes():chain] {
			x = index(fr.start(p), x)
		}
		return mul(x, fr.total(plates[chain:])).Code()
	}
	return cond, begin(u).Op(":").Add(begin(add(u, intLit(1))))
}
