// This file holds what generated code says of its own cost.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
)

// drawOperations is what a draw counts for beside its parameters: a Gamma takes some twenty additions and multiplications.
const drawOperations = 16

// operations prints Operations.
func (g *generator) operations(f *jen.File) {
	fr := newFrame(g.l)
	sum := map[bool]ex{true: num(0), false: num(0)} // of locals, and of globals
	for _, k := range g.kerns {
		local := k.local()
		sum[local] = add(sum[local], g.operationsOf(fr, k))
	}
	comment(f, []string{
		"Operations returns about how many operations a draw of the globals and the refreshing of all units take, as the comments of",
		"the draws have it, with 16 for each number drawn, and in how many steps the globals are drawn."})
	f.Add(method("Operations").Params().Params(jen.List(jen.Id("globals"), jen.Id("locals")).Float64(), jen.Id("steps").Int()).Block(
		append(fr.prologue(), jen.Return(sum[false].Code(), sum[true].Code(), jen.Lit(len(g.plan.Globals))))...))
	f.Line()
}

// operationsOf is what all draws of a kernel take.
func (g *generator) operationsOf(fr *frame, k *kern) ex {
	var around []*ir.Plate
	for _, b := range k.Loops {
		around = append(around, b.Plate)
	}
	draws := num(drawOperations)
	for _, p := range k.Conditional.Target.T.Axes { // a vector has a draw for each of its elements
		draws = mul(draws, g.meanSize(fr, p))
	}
	sum := func(c conjugacy.Cost) ex {
		out := draws
		for _, l := range c {
			product := num(1)
			for _, name := range l {
				i := slices.IndexFunc(g.model.Plates, func(p *ir.Plate) bool { return p.Name == name })
				product = mul(product, g.meanSize(fr, g.model.Plates[i]))
			}
			out = add(out, product)
		}
		return out
	}
	kept, without := k.Conditional.Costs(g.plan.Analysis)
	out := sum(kept)
	if without != nil {
		out = call("", "min", out, sum(without))
	}
	for _, p := range around {
		out = mul(g.meanSize(fr, p), out)
	}
	return out
}

// meanSize is the size of a plate, of a ragged one the mean over what it is ragged over.
func (g *generator) meanSize(fr *frame, p *ir.Plate) ex {
	if p.Over == nil {
		return call("", "float64", fr.sizeOf(p))
	}
	total := func(q *ir.Plate) ex { return call("", "float64", fr.total(chainOf(q))) }
	return div(total(p), total(p.Over))
}
