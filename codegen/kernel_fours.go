// This file holds sweeps that draw four units at a time.

package codegen

import (
	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// A fours is a kernel whose units' rows of one matrix are multiplied by a vector side by side, and added to an accumulator side by
// side, so that vector and accumulator are read once for four units. That is all that such a kernel does: one natural parameter
// is the product, the others are numbers, the draw takes them and at most a side that the data decide, and nothing follows
// the target but, linearly, a sum of the matrix's rows.
type fours struct {
	*kern
	name  string        // of the natural parameter
	x     *ir.Atom      // the matrix
	w     ex            // the vector
	given map[string]ex // the other natural parameters
	at    ex            // of a one-sided draw: where the side begins
	sided bool
	acc   ex // what the rows are added to
	moved bool
}

// fours reads the kernel as one.
func (k *kern) fours(e *emitter) (*fours, bool) {
	if k.Conditional.Kernel != conjugacy.Exact || k.block() || len(k.Loops) != 1 || k.Removed || k.Entangled {
		return nil, false
	}
	f := &fours{kern: k, given: map[string]ex{}}
	f.at, _, f.sided = k.side(e)
	if !f.sided && k.Params.Truncated || f.sided && (!f.at.isNum || !k.unit(k.Bounds[0].Y)) {
		return nil, false
	}
	for _, n := range k.natural() {
		if v, is := k.Params.Coef[n].Constant(); is {
			f.given[n] = num(v)
			continue
		}
		ok := f.name == ""
		if ok {
			f.x, f.w, ok = k.dotRow(e, k.Params.Coef[n])
		}
		if !ok {
			return nil, false
		}
		f.name = n
	}
	if f.name == "" {
		return nil, false
	}
	f.acc, f.moved = k.addedRow(e, f.x)
	return f, f.moved || !k.hasMoves(allAccs)
}

// loop emits the loop over fours of units, which leaves the unit's index where fewer than four are left.
func (f *fours) loop(e *emitter) []jen.Code {
	i := id(f.params[0])
	numbered := func(s string) func(int) ex { return func(j int) ex { return id(s + itoa(j)) } }
	each := func(fn func(j int) ex) (out []jen.Code) {
		for j := range 4 {
			out = append(out, fn(j).Code())
		}
		return out
	}
	list := func(fn func(j int) ex) *jen.Statement { return jen.List(each(fn)...) }
	size := e.f.sizeOf(f.x.Var.Axes[1])
	from := func(v, lo, n ex) ex {
		return raw(v.Code().Index(lo.Code().Op(":")).Index(jen.Op(":").Add(n.Code())))
	}
	upTo := func(v ex) ex { return raw(v.Code().Index(jen.Op(":").Add(size.Code()))) }
	d, v := e.f.own("i"), e.f.own("v")
	x := func(j int) ex { return index(id("x"+itoa(j)), id(d)) }
	cell := func(j int) ex { return index(id("four"), intLit(j)) }
	next, diff, dot := numbered("next"), numbered("diff"), numbered(f.name)

	in := &block{}
	in.add(jen.Id("rows").Op(":=").Add(from(e.f.variable(f.x.Var), mul(i, size), mul(intLit(4), size)).Code()))
	in.add(list(numbered("x")).Op(":=").Add(list(func(j int) ex {
		if j == 0 {
			return upTo(id("rows"))
		}
		return from(id("rows"), mul(intLit(j), size), size)
	})))
	in.add(jen.Var().Add(list(dot)).Float64())
	var sums []jen.Code
	for j := range 4 {
		sums = append(sums, dot(j).Code().Op("+=").Add(mul(x(j), id(v)).Code()))
	}
	in.add(jen.For(jen.List(jen.Id(d), jen.Id(v)).Op(":=").Range().Add(upTo(f.w).Code())).Block(sums...))
	for j := range 4 {
		in.add(next(j).Code().Op(":=").Add(f.draw(e, add(i, intLit(j)), dot(j))))
	}
	if !f.moved {
		in.add(jen.If(jen.Id("sum").Op(":=").Add(add(add(add(next(0), next(1)), next(2)), next(3)).Code()), jen.Id("sum").Op("!=").Id("sum")).Block(
			jen.Break().Comment("// the loop below says of which")))
	}
	in.add(jen.Id("four").Op(":=").Add(from(e.f.variable(f.v), i, intLit(4)).Code()))
	if f.moved {
		in.add(list(diff).Op(":=").Add(list(func(j int) ex { return sub(next(j), cell(j)) })))
	}
	in.add(list(cell).Op("=").Add(list(next)))
	if f.moved {
		part := func(j int) ex { return mul(diff(j), x(j)) }
		half := func(j int) *jen.Statement { return jen.Parens(add(part(j), part(j+1)).Code()) }
		in.add(jen.For(jen.Id(d).Op(":=").Range().Add(upTo(f.acc).Code())).Block(
			index(f.acc, id(d)).Code().Op("+=").Add(half(0)).Op("+").Add(half(2))))
	}
	out := []jen.Code{
		jen.Id("rng").Op(":=").Id("s").Dot("rng"),
		i.Code().Op(":=").Id("first"),
		jen.For(jen.Empty(), i.Code().Op("+").Lit(4).Op("<=").Id("past"), i.Code().Op("+=").Lit(4)).Block(in.stmts...),
	}
	if f.moved { // a draw that is no number makes the sums none: they are looked at once
		u := e.f.own("u")
		out = append(out, jen.If(i.Code().Op(">").Id("first").Op("&&").Qual(runtimePath, "AnyNaN").Call(upTo(f.acc).Code())).Block(
			jen.For(jen.Id(u).Op(":=").Id("first"), jen.Id(u).Op("<").Add(i.Code()), jen.Id(u).Op("++")).Block(
				jen.If(index(e.f.variable(f.v), id(u)).Code().Op("!=").Add(index(e.f.variable(f.v), id(u)).Code())).Block(
					jen.Return(f.improperAt(e.bind(f.Loops[0].Name, id(u))))))))
	}
	return out
}

// draw returns the draw of the unit, given its product.
func (f *fours) draw(e *emitter, unit, dot ex) *jen.Statement {
	fn, _ := f.Draw(f.sided)
	rooms := map[string]jen.Code{f.name: dot.Code()}
	for n, v := range f.given {
		rooms[n] = v.Code()
	}
	args := f.takes(e, fn, rooms)
	if f.sided {
		y := index(e.f.variable(f.Bounds[0].Y.Var), unit)
		if _, sign := f.cut(e, f.Bounds[0]); sign < 0 {
			y = ex{code: jen.Op("!").Add(y.at(precUnary)), prec: precUnary}
		}
		if !fn.At0 {
			args = append(args, f.at.Code())
		}
		args = append(args, y.Code())
	}
	return jen.Id("rng").Dot(fn.Name).Call(args...)
}

// unit reports whether the atom is an array's element at the unit.
func (k *kern) unit(a *ir.Atom) bool {
	return len(a.Ix) == 1 && a.Ix[0].Cat == nil && a.Ix[0].Name == k.Loops[0].Name && a.Ix[0].Add == 0
}

// unitRow reports whether the atom runs with b along the unit's row of a matrix of numbers.
func (k *kern) unitRow(a *ir.Atom, b ir.Bind) bool {
	if a.Fn != ir.RefAtom || a.Var == k.v || a.Var.Type.Elem != ir.Real || len(a.Ix) != 2 || len(a.Var.Axes) != 2 || b.Lo != 0 || b.Hi != 0 {
		return false
	}
	x, y := a.Ix[0], a.Ix[1]
	return x.Cat == nil && x.Name == k.Loops[0].Name && x.Add == 0 && y.Cat == nil && y.Name == b.Name && y.Add == 0 && b.Plate.Over == nil && !b.Plate.Unbounded
}

// dotRow reads a natural parameter as the product of the unit's row of x with the vector w.
func (k *kern) dotRow(e *emitter, p ir.Poly) (x *ir.Atom, w ex, ok bool) {
	if len(p) != 1 || p[0].C != 1 || len(p[0].Over) != 1 || len(p[0].Guards) > 0 || len(p[0].F) != 2 || p[0].F[0].P != 1 || p[0].F[1].P != 1 {
		return nil, ex{}, false
	}
	b := p[0].Over[0]
	for i := range 2 {
		x, other := p[0].F[i].A, p[0].F[1-i].A
		if !k.unitRow(x, b) || other.Free()[k.Loops[0].Name] || other.Var == k.v || other.Fn == ir.AccAtom && k.follows(other.Name) {
			continue
		}
		if w, ok := e.wholeRow(other, b); ok {
			return x, w, true
		}
	}
	return nil, ex{}, false
}

// addedRow reads the only move as acc += t·(the unit's row of x).
func (k *kern) addedRow(e *emitter, x *ir.Atom) (acc ex, ok bool) {
	n := 0
	k.eachMove(allAccs, func(a *plan.Acc, m conjugacy.Move) {
		n += len(m.Delta)
		if len(m.Delta) != 1 || len(a.Params) != 1 || a.Count || !linearInT(m.Delta[0]) {
			return
		}
		t := m.Delta[0]
		if t.C != 1 || len(t.Over)+len(t.Guards) > 0 || len(t.F) != 2 {
			return
		}
		for _, f := range t.F {
			if f.P == 1 && f.A.Var == x.Var && k.unitRow(f.A, a.Params[0]) {
				acc, ok = e.f.kept(accField(a.Name), []*ir.Plate{a.Params[0].Plate}), true
			}
		}
	})
	return acc, ok && n == 1
}
