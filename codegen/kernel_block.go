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

// positions returns the plates that a vector runs over, or a matrix twice.
func (k *kern) positions() []*ir.Plate {
	if k.v.Support.Kind == ir.SPD {
		return k.Target.T.Axes[:1]
	}
	return k.Target.T.Axes
}

// slots returns the plates of a natural parameter's elements.
func (k *kern) slots(n conjugacy.Natural) []*ir.Plate { return slices.Repeat(k.positions(), n.Rank) }

// parts returns the names of a block's natural parameters: of vectors and matrices, and of numbers.
func (k *kern) parts() (arrays, numbers []string) {
	for _, n := range k.Family.Natural {
		if n.Rank > 0 {
			arrays = append(arrays, n.Name)
		} else {
			numbers = append(numbers, n.Name)
		}
	}
	return arrays, numbers
}

// rooms returns the sampler's room for a block's vector and matrix of natural parameters, by their names.
func (k *kern) rooms(e *emitter) map[string]jen.Code {
	out := map[string]jen.Code{}
	for _, n := range k.Family.Natural {
		if n.Rank > 0 {
			field := []string{1: "blockH", 2: "blockPrec"}[n.Rank]
			out[n.Name] = jen.Id("s").Dot(field).Index(jen.Op(":").Add(e.f.total(k.slots(n)).Code()))
		}
	}
	return out
}

// fillCall returns the statement that fills vectors and matrices, as placed gives them, and declares the numbers.
func (k *kern) fillCall(rooms map[string]jen.Code, indices []jen.Code) jen.Code {
	arrays, numbers := k.parts()
	out := jen.Id("s").Dot(k.given()).Call(append(placed(arrays, rooms), indices...)...)
	if len(numbers) > 0 {
		return jen.List(ids(numbers)...).Op(":=").Add(out)
	}
	return out
}

// placed returns the parameters where rooms has them, or else as local variables.
func placed(names []string, rooms map[string]jen.Code) []jen.Code {
	out := ids(names)
	for i, n := range names {
		if c, ok := rooms[n]; ok {
			out[i] = c
		}
	}
	return out
}

// printBlockParams emits wGivenRest for a vector or matrix: it fills the given slices with natural parameters.
func (k *kern) printBlockParams(f *jen.File) {
	e, out := k.body(append(k.letters(), k.natural()...)...)
	e.kept = k.Rows != nil
	arrays, numbers := k.parts()
	for _, n := range k.Family.Natural {
		if n.Rank > 0 {
			e.fill(n.Name, k.slots(n), k.Params.Coef[n.Name])
		}
		if n.Rank == 2 && k.Location == nil { // what is collapsed is not drawn
			out.add(jen.Qual(runtimePath, "Symmetrise").Call(jen.Id(n.Name), e.f.total(k.positions()).Code()))
		}
	}
	decl := method(k.given()).Params(k.signature(jen.List(ids(arrays)...).Index().Float64())...)
	if len(numbers) > 0 {
		var values []jen.Code
		for _, n := range numbers {
			values = append(values, e.poly(k.Params.Coef[n]).Code())
		}
		out.add(jen.Return(values...))
		decl = decl.Params(jen.List(ids(numbers)...).Float64())
	}
	assemble(f, k.doc(k.given(), "fills in the natural parameters of the full conditional of "+k.Label()+"."), decl, e, out)
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
		e.out.add(jen.Id("clear").Call(jen.Id(dst).Index(jen.Op(":").Add(e.f.total(slots).Code()))))
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
	e, out := k.body(append(k.letters(), "old", "next", "err")...)
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
	arrays, _ := k.parts()
	refused := func(draw jen.Code) jen.Code {
		return jen.If(jen.Err().Op(":=").Add(draw), jen.Err().Op("!=").Nil()).Block(jen.Return(k.wrap()))
	}
	d, draw := k.drawCall(e, []jen.Code{jen.Id("next")})
	steps := []jen.Code{jen.List(ids(arrays)...).Op(":=").List(placed(arrays, k.rooms(e))...), k.fillCall(nil, k.args())}
	if d.Work {
		steps = append(steps, refused(draw))
	} else {
		steps = append(steps, draw, jen.If(jen.Id("next").Index(jen.Lit(0)).Op("!=").Id("next").Index(jen.Lit(0))).Block(jen.Return(k.improper())))
	}
	if k.Rows != nil {
		fill, takes := k.rowsFilled(e, k.args())
		takes = append(append([]jen.Code{jen.Id("next")}, takes...), s("work"))
		out.add(jen.If(k.rowsOf()).Block(append(fill, refused(s("rng").Dot(k.Family.ByRows.Name).Call(takes...)))...).Else().Block(steps...))
	} else {
		out.add(steps...)
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
	assemble(f, []string{k.drawName() + " draws " + k.Label() + " from its full conditional."}, method(k.drawName()).Params(k.signature()...).Error(), e, out)
}
