// This file holds what generated code does about sums that have shrunk so far that they have lost their digits.

package codegen

import (
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
	case len(g.watched(plan.EachSweep)) > 0:
		return jen.Id("s").Dot("settle").Call(jen.Id("units"))
	case len(g.watched(plan.EachUpdate)) > 0:
		return jen.Id("s").Dot("settle").Call()
	}
	return nil
}

// settle prints the method that takes sums anew. References stay, so that the other sums stay what they are.
func (g *generator) settle(f *jen.File) {
	if g.callSettle() == nil {
		return
	}
	var body, params []jen.Code
	look := func(as []*plan.Acc) {
		for _, a := range as {
			body = append(body, jen.If(onPeaks("Shrunk", a)).Block(jen.Id("s").Dot("sum"+exportName(accField(a.Name))).Call()))
		}
	}
	doc := []string{"settle sums anew what is so much smaller than it was that the rounding errors show which it was left with."}
	look(g.watched(plan.EachUpdate))
	if as := g.watched(plan.EachSweep); len(as) > 0 {
		doc = append(doc, "Sums with cells for each unit it looks at once as many units were refreshed as there are.")
		params = append(params, jen.Id("units").Index().Int())
		refreshed, units := jen.Id("s").Dot("refreshed"), jen.Id("units")
		body = append(body,
			refreshed.Clone().Op("+=").Len(units),
			jen.If(units.Clone().Op("!=").Nil().Op("&&").Add(refreshed).Op("<").Id("s").Dot("Units").Call()).Block(jen.Return()),
			refreshed.Clone().Op("=").Lit(0))
		look(as)
	}
	comment(f, doc)
	f.Add(method("settle").Params(params...).Block(body...))
	f.Line()
}
