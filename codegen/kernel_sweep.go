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
		before = append(before, jen.Id("anew").Op(":=").Id("s").Dot("anew"))
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
		loops = append(fours.loop(e), jen.For(jen.Empty(), jen.Id(i).Op("<").Id("past"), jen.Id(i).Op("++")).Block(out.stmts...))
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

// gathers reports whether a sweep over all units may gather the accumulators anew, each element adding its part to nothing, instead
// of moving them: each part belongs to one element, and neither this draw nor one before it in the sweep reads or moves them.
func (k *kern) gathers() bool {
	ok := k.hasMoves(allAccs) && !k.Removed && len(k.Loops) == 1
	k.eachMove(allAccs, func(acc *plan.Acc, m conjugacy.Move) {
		ok = ok && m.Alone && !k.Reads(acc.Name)
		for _, before := range k.g.kerns {
			if before.Kernel == k.Kernel {
				break
			}
			ok = ok && !(before.local() && (before.Reads(acc.Name) || before.follows(acc.Name) || before.movesBy(acc.Name)))
		}
	})
	return ok
}

// movesBy reports whether some accumulator follows the target by a change that reads this one.
func (k *kern) movesBy(name string) bool {
	found := false
	k.eachMove(allAccs, func(_ *plan.Acc, m conjugacy.Move) {
		for _, t := range m.Delta {
			t.WalkAtoms(func(a *ir.Atom) { found = found || a.Fn == ir.AccAtom && a.Name == name })
		}
	})
	return found
}

// ahead returns the natural parameters that hold a sum, differ between units and do not change while the sweep goes on: those of several units
// are computed together, before any of them is drawn, so that the sums of one need not wait for the draw of another.
func (k *kern) ahead() map[string]bool {
	out := map[string]bool{}
	if k.Removed || k.Conditional.Kernel != conjugacy.Exact || len(k.Loops) != 1 {
		return nil
	}
	for n, p := range k.Params.Coef {
		sum, own, fixed := false, false, true
		for _, t := range p {
			sum = sum || len(t.Over) > 0
			own = own || t.Free()[k.Target.J[0].Name]
			t.WalkAtoms(func(a *ir.Atom) {
				fixed = fixed && a.Var != k.v && !(a.Fn == ir.AccAtom && k.follows(a.Name))
			})
		}
		if sum && own && fixed {
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
