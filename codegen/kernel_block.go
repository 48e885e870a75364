// This file holds kernels of vectors and matrices: their natural parameters, filled into slices, and their draw.

package codegen

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// printBlockParams emits wGivenRest for a vector or matrix: it fills the given slices with natural parameters.
func (k *kern) printBlockParams(f *jen.File) {
	e, out := k.body("h", "prec", "c", "S", "b", "kappa")
	axes := k.Target.T.Axes
	var params []jen.Code
	var rets []jen.Code
	fill := e.fill
	switch k.Family.Name {
	case "MVNormal":
		params = []jen.Code{jen.List(jen.Id("h"), jen.Id("prec")).Index().Float64()}
		fill("h", axes, k.Params.Coef["h"])
		fill("prec", append(slices.Clone(axes), axes...), k.Params.Coef["prec"])
		e.out.add(jen.Qual(runtimePath, "Symmetrise").Call(jen.Id("prec"), k.dims(e).Code()))
	case "Dirichlet":
		params = []jen.Code{jen.Id("c").Index().Float64()}
		fill("c", axes, k.Params.Coef["c"])
	case "Normal-Inverse-Wishart":
		params = []jen.Code{jen.List(jen.Id("b"), jen.Id("S")).Index().Float64()}
		rets = []jen.Code{jen.List(jen.Id("kappa"), jen.Id("c")).Float64()}
		fill("b", axes[:1], k.Params.Coef["b"])
		fill("S", axes, k.Params.Coef["S"])
		kappa, c := e.poly(k.Params.Coef["kappa"]), e.poly(k.Params.Coef["c"])
		e.out.add(jen.Return(kappa.Code(), c.Code()))
	default:
		params = []jen.Code{jen.Id("S").Index().Float64()}
		rets = []jen.Code{jen.Id("c").Float64()}
		fill("S", axes, k.Params.Coef["S"])
		e.out.add(jen.Qual(runtimePath, "Symmetrise").Call(jen.Id("S"), e.f.sizeOf(axes[0]).Code()))
		v := e.poly(k.Params.Coef["c"])
		e.out.add(jen.Return(v.Code()))
	}
	decl := method(k.given()).Params(k.signature(params...)...)
	if rets != nil {
		decl = decl.Params(rets...)
	}
	assemble(f, k.doc(k.given(), "fills in the natural parameters of the full conditional of "+k.label()+"."), decl, e, out)
}

// fill emits dst[#1, #2, ...] = p for all positions: first the terms that every position has, then those of a diagonal
// or another tied pair.
func (e *emitter) fill(dst string, slots []*ir.Plate, p ir.Poly) {
	names := slotNames(len(slots))
	var full, tied ir.Poly
	for _, t := range p {
		isTied := false
		for _, g := range t.Guards {
			if g.Rel != ir.Eq {
				continue
			}
			n := 0
			for name := range guardNames(g) {
				if name[0] == '#' {
					n++
				}
			}
			isTied = isTied || n > 0
		}
		if isTied {
			tied = append(tied, t)
		} else {
			full = append(full, t)
		}
	}
	var nest func(c *emitter, i int, body func(*emitter))
	nest = func(c *emitter, i int, body func(*emitter)) {
		if i == len(slots) {
			body(c)
			return
		}
		c.over(ir.Bind{Name: names[i], Plate: slots[i]}, func(d *emitter) { nest(d, i+1, body) })
	}
	args := make([]ir.Ix, len(names))
	for i, n := range names {
		args[i] = ir.At(n)
	}
	if len(full) == 0 {
		e.out.add(jen.Id("clear").Call(jen.Id(dst).Index(jen.Op(":").Add(e.f.extent(slots).Code()))))
	} else {
		nest(e, 0, func(c *emitter) {
			cell := c.load("d:"+dst, dst, id(dst), slots, args)
			v := c.poly(full)
			c.out.add(cell.Code().Op("=").Add(v.Code()))
		})
	}
	acc := &plan.Acc{Accumulator: &conjugacy.Accumulator{Name: "$" + dst}}
	for i, n := range names {
		acc.Params = append(acc.Params, ir.Bind{Name: n, Plate: slots[i]})
		acc.Order = append(acc.Order, i)
	}
	e.g.scratch["$"+dst] = acc
	for _, t := range tied {
		e.scatter(acc, t, "+=")
	}
}

// slotNames are the block positions of a vector or matrix statistic.
func slotNames(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("#%d", i+1)
	}
	return out
}

// slice returns the part of the state that is the target's block.
func (k *kern) slice(e *emitter) ex {
	if len(k.v.Axes) == len(k.Target.T.Axes) {
		return e.f.variable(k.v)
	}
	off := k.place(e)
	return slice(ex{code: e.f.variable(k.v).at(precPrimary).Index(off.Code().Op(":")), prec: precPrimary}, ex{code: jen.Null(), prec: precPrimary}, k.dims(e))
}

// printBlock emits drawW for a vector or matrix.
func (k *kern) printBlock(f *jen.File) {
	e, out := k.body("old", "next", "h", "prec", "c", "S", "err")
	n := k.dims(e)
	s := func(field string) *jen.Statement { return jen.Id("s").Dot(field) }
	dst := k.slice(e)
	moves := k.hasMoves(allAccs) || k.Removed
	out.add(jen.Id("next").Op(":=").Add(dst.Code()))
	if moves {
		e.f.byName["old"] = true
		out.add(jen.Id("old").Op(":=").Add(s("oldBlock")).Index(jen.Op(":").Add(n.Code())))
		out.add(jen.Id("copy").Call(jen.Id("old"), jen.Id("next")))
	}
	if k.Removed {
		k.moves(e, k.takenOut(), "-=", k.blockAt("old"))
	}
	fail := func(cond jen.Code) { out.add(jen.If(cond).Block(jen.Return(k.improper()))) }
	switch k.Family.Name {
	case "MVNormal":
		out.add(jen.List(jen.Id("h"), jen.Id("prec")).Op(":=").List(s("blockH").Index(jen.Op(":").Add(n.Code())), s("blockPrec").Index(jen.Op(":").Add(mul(n, n).Code()))))
		out.add(s(k.given()).Call(k.args(jen.Id("h"), jen.Id("prec"))...))
		out.add(jen.If(jen.Err().Op(":=").Add(s("rng")).Dot("MVNormalNat").Call(jen.Id("next"), jen.Id("h"), jen.Id("prec"), s("work")), jen.Err().Op("!=").Nil()).Block(jen.Return(k.wrap())))
	case "Dirichlet":
		out.add(jen.Id("c").Op(":=").Add(s("blockH")).Index(jen.Op(":").Add(n.Code())))
		out.add(s(k.given()).Call(k.args(jen.Id("c"))...))
		out.add(s("rng").Dot("DirichletNat").Call(jen.Id("next"), jen.Id("c")))
		fail(jen.Id("next").Index(jen.Lit(0)).Op("!=").Id("next").Index(jen.Lit(0)))
	default:
		p := e.f.sizeOf(k.Target.T.Axes[0])
		out.add(jen.Id("S").Op(":=").Add(s("blockPrec")).Index(jen.Op(":").Add(n.Code())))
		out.add(jen.Id("c").Op(":=").Add(s(k.given())).Call(k.args(jen.Id("S"))...))
		out.add(jen.If(jen.Err().Op(":=").Add(s("rng")).Dot(k.Family.Name+"Nat").Call(jen.Id("next"), jen.Id("c"), jen.Id("S"), p.Code(), s("work")), jen.Err().Op("!=").Nil()).Block(jen.Return(k.wrap())))
	}
	switch {
	case k.Entangled:
		// The moves read the target's current value: put it back for as long as they do.
		swap := jen.Qual(runtimePath, "Swap").Call(jen.Id("old"), jen.Id("next"))
		out.add(swap)
		k.untangled(e, k.blockAt("next"), k.blockAt("old"))
		out.add(swap.Clone())
	case moves:
		if !k.Removed {
			k.moves(e, allAccs, "-=", k.blockAt("old"))
		}
		k.moves(e, allAccs, "+=", k.blockAt("next"))
	}
	if slices.Contains(k.g.plan.Inverses, k.v) {
		out.add(jen.If(jen.Err().Op(":=").Add(s("invert"+k.g.l.field[k.v])).Call(k.args()...), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err())))
	}
	out.add(jen.Return(jen.Nil()))
	assemble(f, []string{k.drawName() + " draws " + k.label() + " from its full conditional."}, method(k.drawName()).Params(k.signature()...).Error(), e, out)
}
