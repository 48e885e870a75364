// This file holds Parts in generated code: what a checkpoint stores of a chain.

package codegen

import (
	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// printParts prints Parts. Sums that follow the state are stored, not taken anew: they carry the rounding of their updates. What
// follows from data and constants is left out, and tables and scratch, which every draw fills before it reads them.
func (g *generator) printParts(f *jen.File) {
	fr := newFrame(g.l)
	fr.live = true
	s := func(field string) *jen.Statement { return jen.Id("s").Dot(field) }
	list := []jen.Code{s("rng")}
	add := func(at *jen.Statement, plates []*ir.Plate) {
		switch {
		case len(plates) == 0:
			at = jen.Op("&").Add(at)
		case plates[0].Unbounded:
			at = jen.Qual(runtimePath, "Growing").Call(jen.Op("&").Add(at), jen.Op("&").Add(s("state").Dot(g.l.size[plates[0]])), fr.total(plates[1:]).Code())
		}
		list = append(list, at)
	}
	for _, p := range g.model.Plates {
		if p.Unbounded {
			add(s("state").Dot(g.l.size[p]), nil) // before what it is the length of
		}
	}
	for _, v := range g.states() {
		add(s("state").Dot(g.l.field[v]), v.Axes)
	}
	for _, a := range g.plan.Accs {
		switch {
		case !g.followsState(a):
		case a.Sparse:
			list = append(list, s(accField(a.Name)))
		default:
			plates, _ := g.axes(a.Name)
			add(s(accField(a.Name)), plates)
		}
		if a.Watch != plan.Never {
			if plates, _ := g.axes(a.Name); len(plates) > 0 {
				add(s(peakField(a.Name)), plates)
			} else {
				list = append(list, peaks(a))
			}
		}
	}
	for _, r := range g.plan.Analysis.Accs.References {
		add(s(g.l.refs[r.Var]), r.Of.Axes)
	}
	for _, v := range g.plan.Inverses {
		if v.Unknown() {
			add(s(g.l.inv(v)), v.Axes)
			if logDet := v.Axes[:len(v.Axes)-2]; len(logDet) > 0 {
				add(s(g.l.logDet(v)), logDet)
			} else {
				list = append(list, s(g.l.logDet(v))) // a slice of one
			}
		}
	}
	for _, k := range g.kerns {
		if k.Conditional.Kernel == conjugacy.SliceKernel {
			list = append(list, jen.Op("&").Add(s(k.widths())))
		}
	}
	if g.looksEachSweep() {
		add(s("refreshed"), nil)
	}
	for i := range list {
		list[i] = jen.Line().Add(list[i])
	}
	comment(f, []string{"Parts lists what a checkpoint stores: all that the next update depends on, and data and constants do not give."})
	f.Add(method("Parts").Params().Index().Any().Block(append(fr.prologue(), jen.Return(jen.Index().Any().Values(append(list, jen.Line())...)))...))
	f.Line()
}

// followsState reports whether a sum changes as the chain moves: with the unknowns, or with the references that it is about.
func (g *generator) followsState(a *plan.Acc) bool {
	return !a.Data() || g.plan.Analysis.Accs.About(a.Accumulator)
}
