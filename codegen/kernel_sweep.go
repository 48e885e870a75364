// This file holds sweeps: the draws of many units in one loop, and what is computed ahead of it or of several draws in
// it.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// printSweep emits drawZ for the innermost index from first up to past, the outer ones given: one loop around body.
func (k *kern) printSweep(f *jen.File, what string, body func(e *emitter)) {
	names := k.letters()
	for _, n := range names {
		names = append(names, n+"s", n+"0", n+"1", n+"2", n+"3")
	}
	e, out := k.body(append(names, "old", "next", "first", "past", "lo", "hi", "w", "run", "diff", "anew", "kept", "k", "base", "m", "j", "rows", "sum", "rng", "four", "x0", "x1", "x2", "x3", "next0", "next1", "next2", "next3", "diff0", "diff1", "diff2", "diff3")...)
	ahead := k.ahead()
	var loops []jen.Code
	inner := k.Loops[len(k.Loops)-1]
	row := &loop{name: inner.Name, v: k.params[len(k.params)-1], pre: &block{}, rows: map[string]string{}, full: true, bound: map[string]bool{inner.Name: true}}
	if len(k.Loops) > 1 {
		// What runs along the loop is read through a row, found before it.
		var of []ex
		for _, x := range inner.Of {
			of = append(of, e.ix(x))
		}
		row.size = e.f.sizeOf(inner.Plate, of...)
		e.loops = []*loop{row}
		e.steady = map[string]bool{}
		for _, b := range k.Loops[:len(k.Loops)-1] {
			e.steady[b.Name] = true
		}
	}
	fours, inFours := k.fours(e)
	if len(ahead) > 0 && !inFours {
		loops = k.sweepAhead(e, ahead)
	} else {
		body(e)
	}
	n := len(k.params) - 1
	i := k.params[n]
	before := row.pre.stmts
	e.loops = nil
	what += ", for " + k.Names[k.Loops[n].Name] + " from first up to, not including, past."
	if k.gathers() {
		clr := &block{}
		k.eachMove(allAccs, func(acc *plan.Acc, _ conjugacy.Move) {
			if len(acc.Params) == 0 {
				clr.add(jen.Id("s").Dot(accField(acc.Name)).Op("=").Lit(0))
			} else {
				clr.add(jen.Clear(jen.Id("s").Dot(accField(acc.Name))))
			}
		})
		before = append(before,
			jen.Id("anew").Op(":=").Id("first").Op("==").Lit(0).Op("&&").Id("past").Op("==").Add(e.f.sizeOf(k.Loops[0].Plate).Code()).Comment("// all of them: gather the sums from nothing"),
			jen.If(jen.Id("anew")).Block(clr.stmts...))
	}
	if outer, _ := k.outerFactors(); len(outer) > 0 {
		head := &block{}
		c := e.into(head)
		c.loops = nil
		in := &block{}
		d := c.into(in)
		k.keepRow(d, outer, id("kept"), id("k"))
		c.out.add(jen.Id("kept").Op(":=").Id("s").Dot("kept").Index(jen.Op(":").Add(k.categories(e).Code())).Comment("// what the weights have in common along the loop"))
		c.out.add(jen.For(jen.Id("k").Op(":=").Range().Id("kept")).Block(in.stmts...))
		before = append(before, head.stmts...)
	}
	if inFours {
		loops = append(fours, jen.For(jen.Empty(), jen.Id(i).Op("<").Id("past"), jen.Id(i).Op("++")).Block(out.stmts...))
	} else if loops == nil {
		loops = []jen.Code{jen.For(jen.Id(i).Op(":=").Id("first"), jen.Id(i).Op("<").Id("past"), jen.Id(i).Op("++")).Block(out.stmts...)}
	}
	all := &block{stmts: slices.Concat(before, loops, []jen.Code{jen.Return(jen.Nil())})}
	var params []jen.Code
	for _, p := range k.params[:n] {
		params = append(params, jen.Id(p))
	}
	params = append(params, jen.Id("first"), jen.Id("past").Int())
	assemble(f, k.doc(k.drawName(), what),
		method(k.drawName()).Params(params...).Error(), e, all)
}

// rangeCall returns the call that draws the innermost index from lo up to hi.
func (k *kern) rangeCall(outer []ex, lo, hi ex) *jen.Statement {
	var args []jen.Code
	for _, x := range outer {
		args = append(args, x.Code())
	}
	return jen.Id("s").Dot(k.drawName()).Call(append(args, lo.Code(), hi.Code())...)
}

// gathers reports whether a sweep over all units may gather the accumulators anew, each element adding its part, instead
// of moving them: each part belongs to one element, and no draw of the sweep reads them.
func (k *kern) gathers() bool {
	ok := k.hasMoves(allAccs) && !k.Removed && len(k.Loops) == 1
	k.eachMove(allAccs, func(acc *plan.Acc, m conjugacy.Move) { ok = ok && m.Alone && !k.Reads(acc.Name) })
	return ok
}

// ahead returns the natural parameters that hold a sum and do not change while the sweep goes on: those of several units
// are computed together, before any of them is drawn, so that the sums of one need not wait for the draw of another.
func (k *kern) ahead() map[string]bool {
	out := map[string]bool{}
	if k.Removed || k.Conditional.Kernel != conjugacy.Exact || len(k.Loops) != 1 {
		return nil
	}
	for n, p := range k.Params.Coef {
		sum, fixed := false, true
		for _, t := range p {
			sum = sum || len(t.Over) > 0
			t.WalkAtoms(func(a *ir.Atom) {
				fixed = fixed && a.Var != k.v && !(a.Fn == ir.AccAtom && k.follows(a.Name))
			})
		}
		if sum && fixed {
			out[n] = true
		}
	}
	return out
}

// together is how many units have their sums computed ahead.
const together = 8

// sweepAhead emits the loop with the parameters in ahead computed for several units at a time.
func (k *kern) sweepAhead(e *emitter, ahead map[string]bool) []jen.Code {
	i := k.params[0]
	var decls []jen.Code
	one, two := &block{}, &block{}
	c := e.into(one)
	one.add(jen.Id(i).Op(":=").Id("base").Op("+").Id("j"))
	two.add(jen.Id(i).Op(":=").Id("base").Op("+").Id("j"))
	for _, n := range k.natural() {
		if !ahead[n] {
			continue
		}
		decls = append(decls, jen.Var().Id(n+"s").Index(jen.Lit(together)).Float64().Comment("// computed ahead, so that no sum waits for a draw"))
		two.add(jen.Id(n).Op(":=").Id(n + "s").Index(jen.Id("j")))
		v := c.poly(k.Params.Coef[n])
		one.add(jen.Id(n + "s").Index(jen.Id("j")).Op("=").Add(v.Code()))
	}
	k.scalarAfter(e.into(two), ahead)
	loop := jen.For(jen.Id("base").Op(":=").Id("first"), jen.Id("base").Op("<").Id("past"), jen.Id("base").Op("+=").Lit(together)).Block(
		jen.Id("m").Op(":=").Id("min").Call(jen.Lit(together), jen.Id("past").Op("-").Id("base")),
		jen.For(jen.Id("j").Op(":=").Range().Id("m")).Block(one.stmts...),
		jen.For(jen.Id("j").Op(":=").Range().Id("m")).Block(two.stmts...))
	return append(decls, loop)
}

// fours returns the loop that draws four units at a time, as long as there are four: their rows of one matrix are multiplied by
// a vector side by side, and added to the accumulator side by side, so that vector and accumulator are read once for the four.
// It is for kernels of which that is all: one natural parameter is such a product, the others are numbers, the draw takes them
// and at most a side that the data decide, and nothing follows the target but, linearly, a sum of the matrix's rows.
func (k *kern) fours(e *emitter) (loop []jen.Code, ok bool) {
	if k.Conditional.Kernel != conjugacy.Exact || k.block() || len(k.Loops) != 1 || k.Removed || k.Entangled {
		return nil, false
	}
	at, _, sided := k.side(e)
	if !sided && k.Params.Truncated || sided && (!at.isNum || !k.unit(k.Bounds[0].Y)) {
		return nil, false
	}
	var name string
	var x *ir.Atom
	var w ex
	rooms := map[string]ex{}
	for _, n := range k.natural() {
		if v, is := k.Params.Coef[n].Constant(); is {
			rooms[n] = num(v)
			continue
		}
		if name != "" {
			return nil, false
		}
		if x, w, ok = k.dotRow(e, k.Params.Coef[n]); !ok {
			return nil, false
		}
		name = n
	}
	if name == "" {
		return nil, false
	}
	acc, moved := k.addedRow(e, x)
	if k.hasMoves(allAccs) && !moved {
		return nil, false
	}

	i := id(k.params[0])
	unit := func(j int) ex { return add(i, intLit(j)) }
	each := func(fn func(j int) jen.Code) (out []jen.Code) {
		for j := range 4 {
			out = append(out, fn(j))
		}
		return out
	}
	numbered := func(s string) func(int) jen.Code { return func(j int) jen.Code { return jen.Id(s + itoa(j)) } }
	cell := func(j int) jen.Code { return index(id("four"), intLit(j)).Code() }
	size := e.f.sizeOf(x.Var.Axes[1])
	upTo := func(v ex) *jen.Statement { return v.Code().Index(jen.Op(":").Add(size.Code())) }
	d, v := e.f.own("i"), e.f.own("v")
	along := func(j int) ex { return index(id("x"+itoa(j)), id(d)) }

	in := &block{}
	in.add(jen.Id("rows").Op(":=").Add(e.f.variable(x.Var).Code()).Index(mul(i, size).Code().Op(":")).Index(jen.Op(":").Add(mul(intLit(4), size).Code())))
	in.add(jen.List(each(numbered("x"))...).Op(":=").List(each(func(j int) jen.Code {
		if j == 0 {
			return upTo(id("rows"))
		}
		return jen.Id("rows").Index(mul(intLit(j), size).Code().Op(":")).Index(jen.Op(":").Add(size.Code()))
	})...))
	in.add(jen.Var().List(each(numbered(name))...).Float64())
	in.add(jen.For(jen.List(jen.Id(d), jen.Id(v)).Op(":=").Range().Add(upTo(w))).Block(each(func(j int) jen.Code {
		return jen.Id(name + itoa(j)).Op("+=").Add(mul(along(j), id(v)).Code())
	})...))
	fn, _ := k.Draw(sided)
	for j := range 4 {
		rooms[name] = id(name + itoa(j))
		given := map[string]jen.Code{}
		for n, v := range rooms {
			given[n] = v.Code()
		}
		args := k.takes(e, fn, given)
		if sided {
			yj := index(e.f.variable(k.Bounds[0].Y.Var), unit(j))
			if _, sign := k.cut(e, k.Bounds[0]); sign < 0 {
				yj = ex{code: jen.Op("!").Add(yj.at(precUnary)), prec: precUnary}
			}
			args = append(args, at.Code(), yj.Code())
		}
		in.add(jen.Id("next" + itoa(j)).Op(":=").Id("rng").Dot(fn.Name).Call(args...))
	}
	in.add(jen.If(jen.Id("sum").Op(":=").Id("next0").Op("+").Id("next1").Op("+").Id("next2").Op("+").Id("next3"), jen.Id("sum").Op("!=").Id("sum")).Block(
		jen.Break().Comment("// the loop below says of which")))
	in.add(jen.Id("four").Op(":=").Add(e.f.variable(k.v).Code()).Index(i.Code().Op(":")).Index(jen.Op(":").Lit(4)))
	if moved {
		in.add(jen.List(each(numbered("diff"))...).Op(":=").List(each(func(j int) jen.Code {
			return jen.Id("next" + itoa(j)).Op("-").Add(cell(j))
		})...))
	}
	in.add(jen.List(each(cell)...).Op("=").List(each(numbered("next"))...))
	if moved {
		part := func(j int) ex { return mul(id("diff"+itoa(j)), along(j)) }
		half := func(j int) *jen.Statement { return jen.Parens(add(part(j), part(j+1)).Code()) }
		in.add(jen.For(jen.Id(d).Op(":=").Range().Add(upTo(acc))).Block(
			index(acc, id(d)).Code().Op("+=").Add(half(0)).Op("+").Add(half(2))))
	}
	return []jen.Code{
		jen.Id("rng").Op(":=").Id("s").Dot("rng"),
		i.Code().Op(":=").Id("first"),
		jen.For(jen.Empty(), i.Code().Op("+").Lit(4).Op("<=").Id("past"), i.Code().Op("+=").Lit(4)).Block(in.stmts...),
	}, true
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
