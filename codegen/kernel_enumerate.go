// This file holds kernels of finite unknowns: the weights of all values and the pick among them.

package codegen

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// printOne emits drawZ for one element, with the given body.
func (k *kern) printOne(f *jen.File, what string, body func(e *emitter)) {
	e, out := k.body("old", "next", "total", "w", "run")
	body(e)
	out.add(jen.Return(jen.Nil()))
	assemble(f, k.doc(k.drawName(), what), method(k.drawName()).Params(k.signature()...).Error(), e, out)
}

// enumerate emits the draw of a finite unknown: weights of all values, choice, moves.
func (k *kern) enumerate(e *emitter) {
	cell := k.cell(e)
	value := func() *jen.Statement {
		if k.v.Type.Elem == ir.Bool {
			return jen.Qual(runtimePath, "Index").Call(cell.Code())
		}
		return jen.Int().Call(cell.Code())
	}
	var write jen.Code = cell.Code().Op("=").Int32().Call(jen.Id("next"))
	if k.v.Type.Elem == ir.Bool {
		write = cell.Code().Op("=").Id("next").Op("==").Lit(1)
	}
	moves := k.hasMoves(allAccs)
	if moves || k.Removed {
		e.out.add(jen.Id("old").Op(":=").Add(value()))
	}
	outer, _ := k.outerFactors()
	keep := func(e *emitter, at string) {
		if len(outer) > 0 {
			k.keepRow(e, outer, id("kept"), id(at))
		}
	}
	if k.Removed {
		k.moves(e, readAccs, "-=", k.scalarAt("old"))
		keep(e, "old")
	}
	// The weights of the last one drawn stay behind, for verification.
	delete(e.f.byName, "w")
	delete(e.f.byName, "run")
	w := e.f.get("weights", "w", jen.Id("s").Dot("weights").Index(jen.Op(":").Add(k.categories(e).Code())))
	run := e.f.get("running", "run", jen.Id("s").Dot("running").Index(jen.Op(":").Len(w.Code())))
	rng := jen.Id("s").Dot("rng")
	if x, y, c, ok := k.product(e); ok {
		args := []jen.Code{w.Code(), run.Code(), x.Code(), y.Code()}
		fn := "PickProducts"
		if c.code != nil {
			fn = "PickProduct"
			args = append(args, c.Code())
		}
		e.out.add(jen.Id("next").Op(":=").Add(rng).Dot(fn).Call(args...))
	} else {
		k.weigh(e, w)
		fn := "Pick"
		if k.Factors == nil {
			fn = "PickLog"
		}
		e.out.add(jen.Id("next").Op(":=").Add(rng).Dot(fn).Call(w.Code(), run.Code()))
	}
	bad := &block{}
	if k.Removed {
		k.putBack(e.into(bad), k.scalarAt("old")) // leave the accumulators as they were
	}
	bad.add(jen.Return(k.improperAt(e)))
	e.out.add(jen.If(jen.Id("next").Op("<").Lit(0)).Block(bad.stmts...))
	in := &block{}
	switch {
	case k.Entangled:
		k.putBack(e, k.scalarAt("old"))
		k.untangledMoves(e.into(in), k.scalarAt("old"), k.scalarAt("next"))
	case k.Removed:
		k.moves(e, readAccs, "+=", k.scalarAt("next"))
		keep(e, "next")
		k.moves(e.into(in), otherAccs, "-=", k.scalarAt("old"))
		k.moves(e.into(in), otherAccs, "+=", k.scalarAt("next"))
	case moves && k.ranged() && k.gathers():
		sub := &block{}
		k.moves(e.into(sub), allAccs, "-=", k.scalarAt("old"))
		in.add(jen.If(jen.Op("!").Id("anew")).Block(sub.stmts...))
		k.moves(e.into(in), allAccs, "+=", k.scalarAt("next"))
		in.add(write)
		e.out.add(jen.If(jen.Id("anew").Op("||").Id("next").Op("!=").Id("old")).Block(in.stmts...))
		return
	case moves:
		k.moves(e.into(in), allAccs, "-=", k.scalarAt("old"))
		k.moves(e.into(in), allAccs, "+=", k.scalarAt("next"))
	default:
		e.out.add(write)
		return
	}
	in.add(write)
	e.out.add(jen.If(jen.Id("next").Op("!=").Id("old")).Block(in.stmts...))
}

// printWeights emits zWeights for a category of an unbounded plate.
func (k *kern) printWeights(f *jen.File) {
	e, out := k.body("w", "p")
	out.add(jen.Id("w").Op("=").Id("w").Index(jen.Op(":").Add(k.categories(e).Code())))
	k.weigh(e, id("w"))
	what := "fills w with the weights of the values of " + k.Label() + "."
	if k.Factors == nil {
		what = "fills w with the logarithms of the weights of the values of " + k.Label() + "."
	}
	assemble(f, k.doc(k.weightsName(), what), method(k.weightsName()).Params(k.signature(jen.Id("w").Index().Float64())...), e, out)
}

func (k *kern) weightsName() string { return k.lower() + "Weights" }

// categories returns the number of values of a finite target.
func (k *kern) categories(e *emitter) ex {
	if k.v.Type.Elem == ir.Bool {
		return intLit(2)
	}
	return e.f.sizeOf(k.v.Type.Of)
}

// weigh emits the loop that fills w with the weight of every value: as products where Factors says so, else in logarithms.
func (k *kern) weigh(e *emitter, w ex) {
	v := e.f.local("k")
	name := fmt.Sprintf("%#v", w.code)
	l := &loop{name: "$t", v: v, size: k.categories(e), pre: &block{}, rows: map[string]string{"": name}, first: name, full: true, bound: map[string]bool{"$t": true}}
	e.changes()
	in := &block{}
	c := e.bind("$t", id(v)).into(in)
	c.cat = id(v)
	c.value = func(e *emitter, a *ir.Atom) (ex, bool) { return call("", "float64", e.cat), true }
	c.loops = append(slices.Clone(e.loops), l)
	dst := index(w, id(v))
	if k.g.packs(k) {
		terms := e.f.get("pack:"+k.packName(), k.packName(), jen.Id("s").Dot(k.packName()).Index(jen.Op(":").Len(w.Code())))
		c.pack = e.f.local("term")
		in.add(jen.Id(c.pack).Op(":=").Op("&").Add(index(terms, id(v)).Code()))
	}
	if k.Factors == nil {
		in.add(dst.Code().Op("=").Add(c.poly(k.LogW).Code()))
	} else {
		p := num(1)
		outer, inner := k.outerFactors()
		if len(outer) > 0 {
			p = index(id("kept"), id(v))
		}
		var guarded []plan.WeightFactor
		for _, wf := range inner {
			if len(wf.Guards) > 0 {
				guarded = append(guarded, wf)
				continue
			}
			p = weightFactor(c, p, wf)
		}
		if len(guarded) == 0 {
			in.add(dst.Code().Op("=").Add(p.Code()))
		} else {
			product := id(e.f.own("p"))
			start := p.Code()
			if p.isNum {
				start = jen.Lit(p.num) // 1.0, where 1 would be an int
			}
			in.add(product.Code().Op(":=").Add(start))
			for _, wf := range guarded {
				then := &block{}
				d := c.within(then, wf.Guards)
				x := weightFactor(d, product, wf)
				then.add(product.Code().Op("=").Add(x.Code()))
				in.add(jen.If(c.guards(wf.Guards).Code()).Block(then.stmts...))
			}
			in.add(dst.Code().Op("=").Add(product.Code()))
		}
	}
	e.out.add(l.pre.stmts...)
	e.out.add(l.header(ir.Bind{}).Block(in.stmts...))
	delete(e.f.byName, v)
}

// weightFactor multiplies p by the factor.
func weightFactor(e *emitter, p ex, wf plan.WeightFactor) ex {
	v := e.poly(wf.Value)
	switch {
	case wf.Power == 1:
		return mul(p, v)
	case wf.Power == -1:
		return div(p, v)
	case wf.Power < 0:
		return div(p, power(v, -wf.Power))
	}
	return mul(p, power(v, wf.Power))
}

// outerFactors parts the weight factors into those that do not change along the innermost index but for the target's own
// moves, and the others. The product of the former is kept in a row over the values, of which a move changes two.
func (k *kern) outerFactors() (outer, inner []plan.WeightFactor) {
	if !k.Removed || !k.ranged() {
		return nil, k.Factors
	}
	last := k.Loops[len(k.Loops)-1].Name
	worth := false
	for _, f := range k.Factors {
		along := len(f.Guards) > 0
		for _, t := range f.Value {
			along = along || t.Free()[last] || len(t.Over) > 0
			t.WalkAtoms(func(a *ir.Atom) {
				if a.Fn != ir.AccAtom {
					return
				}
				worth = worth || k.follows(a.Name)
				// Only cells at the value itself move with it.
				n := 0
				for _, x := range a.Ix {
					if x.Cat != nil && x.Cat.Var == k.Target.T {
						n++
					}
				}
				along = along || k.follows(a.Name) && n != 1
			})
		}
		if along {
			inner = append(inner, f)
		} else {
			outer = append(outer, f)
		}
	}
	if !worth {
		return nil, k.Factors
	}
	return outer, inner
}

// keepRow emits row[at] = Π outer factors at the value at.
func (k *kern) keepRow(e *emitter, outer []plan.WeightFactor, row, at ex) {
	c := *e
	c.cat = at
	c.loops = nil
	p := num(1)
	for _, f := range outer {
		p = weightFactor(&c, p, f)
	}
	e.out.add(index(row, at).Code().Op("=").Add(p.Code()))
}

// product reads the weights as x[t]·(c + y[t]) or x[t]·y[t] (c absent): two rows of numbers along the values, of which x may be
// the row that is kept.
func (k *kern) product(e *emitter) (x, y, c ex, ok bool) {
	outer, inner := k.outerFactors()
	if k.v.Type.Elem != ir.Cat || len(inner) != 1 && len(inner) != 2 || len(inner) == 1 && len(outer) == 0 || len(inner) == 2 && len(outer) > 0 {
		return ex{}, ex{}, ex{}, false
	}
	t := ir.Ix{Cat: ir.RefTo(k.Target.T)}
	b := ir.Bind{Name: "t°", Plate: k.v.Type.Of}
	row := func(p ir.Poly) (ex, bool) {
		if len(p) != 1 || p[0].C != 1 || len(p[0].Over)+len(p[0].Guards) > 0 || len(p[0].F) != 1 || p[0].F[0].P != 1 {
			return ex{}, false
		}
		q := (&ir.Rewriter{Cats: map[string]ir.Ix{t.Cat.Key(): ir.At(b.Name)}}).Term(p[0])
		return e.wholeRow(q[0].F[0].A, b)
	}
	// shifted reads a factor as c + row, or as a row alone.
	shifted := func(f plan.WeightFactor) (y, c ex, ok bool) {
		if len(f.Guards) > 0 || f.Power != 1 {
			return ex{}, ex{}, false
		}
		if y, ok = row(f.Value); ok || len(f.Value) != 2 {
			return y, ex{}, ok
		}
		for j := range f.Value {
			rest := ir.Poly{f.Value[1-j]}
			if mentions(rest, k.Target.T) {
				continue
			}
			if y, ok = row(ir.Poly{f.Value[j]}); ok {
				return y, e.poly(rest), true
			}
		}
		return ex{}, ex{}, false
	}
	if len(inner) == 1 {
		y, c, ok = shifted(inner[0])
		return id("kept"), y, c, ok
	}
	for i := range inner {
		x, shift, ok1 := shifted(inner[i])
		if !ok1 || shift.code != nil {
			continue
		}
		if y, c, ok := shifted(inner[1-i]); ok {
			return x, y, c, true
		}
	}
	return ex{}, ex{}, ex{}, false
}

// mentions reports whether p mentions v.
func mentions(p ir.Poly, v *ir.Var) bool {
	for _, t := range p {
		if conjugacy.Mentions(t, v) {
			return true
		}
	}
	return false
}
