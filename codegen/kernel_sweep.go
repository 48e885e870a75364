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
		names = append(names, n+"s")
	}
	e, out := k.body(append(names, "old", "next", "total", "first", "past", "lo", "hi", "w", "run", "diff", "anew", "pow", "rest", "l", "kept", "k", "base", "m", "j", "diffs")...)
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
	}
	if len(ahead) > 0 {
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
	if loops == nil {
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
	var rows, after []jen.Code
	c := e.into(one)
	one.add(jen.Id(i).Op(":=").Id("base").Op("+").Id("j"))
	head := len(one.stmts)
	two.add(jen.Id(i).Op(":=").Id("base").Op("+").Id("j"))
	for _, n := range k.natural() {
		if !ahead[n] {
			continue
		}
		decls = append(decls, jen.Var().Id(n+"s").Index(jen.Lit(together)).Float64().Comment("// computed ahead, so that no sum waits for a draw"))
		two.add(jen.Id(n).Op(":=").Id(n + "s").Index(jen.Id("j")))
		if x, w, ok := k.dotRows(e, k.Params.Coef[n]); ok {
			rows = append(rows, jen.Qual(runtimePath, "DotRows").Call(jen.Id(n+"s").Index(jen.Op(":").Id("m")), x, w))
			continue
		}
		v := c.poly(k.Params.Coef[n])
		one.add(jen.Id(n + "s").Index(jen.Id("j")).Op("=").Add(v.Code()))
	}
	k.scalarAfter(e.into(two), ahead)
	if acc, x, ok := k.addRows(e); ok {
		decls = append(decls, jen.Var().Id("diffs").Index(jen.Lit(together)).Float64())
		after = append(after, jen.Qual(runtimePath, "AddRows").Call(acc, jen.Id("diffs").Index(jen.Op(":").Id("m")), x))
	}
	loops := []jen.Code{jen.Id("m").Op(":=").Id("min").Call(jen.Lit(together), jen.Id("past").Op("-").Id("base"))}
	loops = append(loops, rows...)
	if len(one.stmts) > head {
		loops = append(loops, jen.For(jen.Id("j").Op(":=").Range().Id("m")).Block(one.stmts...))
	}
	loops = append(loops, jen.For(jen.Id("j").Op(":=").Range().Id("m")).Block(two.stmts...))
	loops = append(loops, after...)
	loop := jen.For(jen.Id("base").Op(":=").Id("first"), jen.Id("base").Op("<").Id("past"), jen.Id("base").Op("+=").Lit(together)).Block(loops...)
	return append(decls, loop)
}

// unitRows returns the rows of the units from base to base+m of a two-dimensional array of numbers whose first axis is the unit's
// and whose second is the binder's.
func (k *kern) unitRows(e *emitter, a *ir.Atom, b ir.Bind) (jen.Code, bool) {
	unit := k.Loops[0].Name
	if a.Fn != ir.RefAtom || a.Var == k.v || a.Var.Type.Elem != ir.Real || len(a.Ix) != 2 || len(a.Var.Axes) != 2 || b.Lo != 0 || b.Hi != 0 {
		return nil, false
	}
	x, y := a.Ix[0], a.Ix[1]
	if x.Cat != nil || x.Name != unit || x.Add != 0 || y.Cat != nil || y.Name != b.Name || y.Add != 0 || b.Plate.Over != nil || b.Plate.Unbounded {
		return nil, false
	}
	n := e.f.sizeOf(b.Plate)
	return e.f.variable(a.Var).Code().Index(mul(id("base"), n).Code().Op(":")).Index(jen.Op(":").Add(mul(id("m"), n).Code())), true
}

// dotRows reads a natural parameter as the product of the unit's row with a vector.
func (k *kern) dotRows(e *emitter, p ir.Poly) (x, w jen.Code, ok bool) {
	if len(p) != 1 || p[0].C != 1 || len(p[0].Over) != 1 || len(p[0].Guards) > 0 || len(p[0].F) != 2 || p[0].F[0].P != 1 || p[0].F[1].P != 1 {
		return nil, nil, false
	}
	b := p[0].Over[0]
	for i := range 2 {
		other := p[0].F[1-i].A
		if other.Free()[k.Loops[0].Name] {
			continue
		}
		if x, ok = k.unitRows(e, p[0].F[i].A, b); ok {
			if v, ok := e.wholeRow(other, b); ok {
				return x, v.Code(), true
			}
		}
	}
	return nil, nil, false
}

// addRows reads the only move as acc += t·(the unit's row).
func (k *kern) addRows(e *emitter) (acc, x jen.Code, ok bool) {
	n := 0
	k.eachMove(allAccs, func(a *plan.Acc, m conjugacy.Move) {
		n += len(m.Delta)
		if len(m.Delta) != 1 || len(a.Params) != 1 || !linearInT(m.Delta[0]) {
			return
		}
		t := m.Delta[0]
		if t.C != 1 || len(t.Over)+len(t.Guards) > 0 || len(t.F) != 2 {
			return
		}
		for _, f := range t.F {
			if f.P != 1 {
				return
			}
			if rows, is := k.unitRows(e, f.A, a.Params[0]); is {
				x, ok = rows, true
				acc = e.f.kept(accField(a.Name), []*ir.Plate{a.Params[0].Plate}).Code()
			}
		}
	})
	return acc, x, ok && n == 1
}
