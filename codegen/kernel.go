// This file holds kernels in generated code: for each conditional, the function that computes its natural parameters
// or weights, and the one that draws from it and moves the accumulators along.

package codegen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// A kern is a kernel with the Go names that its functions share.
type kern struct {
	*plan.Kernel
	g      *generator
	v      *ir.Var
	name   string   // Mu
	params []string // k
}

func (g *generator) kern(k *plan.Kernel) *kern {
	out := &kern{Kernel: k, g: g, v: k.Target.Var, name: g.kernelNames[k]}
	for _, b := range k.Loops {
		p := localName(k.Names[b.Name])
		if slices.Contains(out.own(), p) {
			p += "_"
		}
		out.params = append(out.params, p)
	}
	return out
}

// own returns the names that the kernel's functions give to values of their own, in formulas that follow the literature.
func (k *kern) own() []string {
	switch k.Conditional.Kernel {
	case conjugacy.Enumerate:
		return []string{"w", "p", "total", "put"}
	case conjugacy.SliceKernel:
		return []string{"t", "u", "diff", "put"}
	}
	own := append(slices.Clone(coefNames[k.Family.Name]), "diff", "put", "x")
	if k.ranged() && len(k.ahead()) > 0 {
		own = append(own, "base", "m", "j", "diffs")
		for _, n := range coefNames[k.Family.Name] {
			own = append(own, n+"s")
		}
	}
	return own
}

// lower is the name's unexported form: mu.
func (k *kern) lower() string { return strings.ToLower(k.name[:1]) + k.name[1:] }

// signature returns the target's indices as parameters, after the given ones.
func (k *kern) signature(before ...jen.Code) []jen.Code {
	out := before
	for i, p := range k.params {
		if i < len(k.params)-1 {
			out = append(out, jen.Id(p))
		} else {
			out = append(out, jen.Id(p).Int())
		}
	}
	return out
}

// args returns the target's indices as arguments.
func (k *kern) args(before ...jen.Code) []jen.Code {
	for _, p := range k.params {
		before = append(before, jen.Id(p))
	}
	return before
}

// body returns an emitter for a function of the target's indices.
func (k *kern) body(reserved ...string) (*emitter, *block) {
	f := newFrame(k.g.l, append(append([]string(nil), k.params...), reserved...)...)
	out := &block{}
	e := k.g.emitter(f, out)
	for i, b := range k.Loops {
		e.names[b.Name] = id(k.params[i])
		e.names[k.Names[b.Name]] = id(k.params[i])
	}
	return e, out
}

// place returns the flat position of the target's element, or of where its block begins.
func (k *kern) place(e *emitter) ex {
	var ix []ex
	for _, j := range k.Target.J {
		if j.Name == "" {
			break
		}
		ix = append(ix, e.ix(j))
	}
	return e.f.offset(k.v.Axes, ix)
}

// cell returns the state's element as it is assigned to.
func (k *kern) cell(e *emitter) ex {
	if len(e.loops) > 0 {
		return e.load("v:"+k.v.Name, k.v.Name, e.f.variable(k.v), k.v.Axes, k.Target.J)
	}
	if len(k.v.Axes) == 0 {
		return raw(jen.Id("s").Dot("state").Dot(k.g.l.field[k.v]))
	}
	return index(e.f.variable(k.v), k.place(e))
}

// block reports whether the target is a vector or matrix.
func (k *kern) block() bool { return len(k.Target.T.Axes) > 0 }

// dims returns the number of elements of the block.
func (k *kern) dims(e *emitter) ex { return e.f.extent(k.Target.T.Axes) }

func method(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("s").Op("*").Id("Sampler")).Id(name)
}

// assemble prints a method: the derivation as its comment, the prologue, the body.
func assemble(f *jen.File, doc []string, decl *jen.Statement, e *emitter, out *block) {
	comment(f, doc)
	f.Add(decl.Block(append(e.f.prologue(), out.stmts...)...))
	f.Line()
}

func comment(f *jen.File, doc []string) {
	for _, l := range doc {
		l = strings.TrimRight(l, " ")
		l = strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' || r == 0x2028 || r == 0x2029 {
				return ' '
			}
			return r
		}, l)
		if l == "" || l[0] != '\t' {
			l = strings.TrimRight(" "+l, " ")
		}
		f.Comment("//" + l)
	}
}

// print emits the kernel's functions.
func (k *kern) print(f *jen.File) {
	switch k.Conditional.Kernel {
	case conjugacy.Enumerate:
		switch {
		case k.Urn != nil:
			k.printWeights(f)
			k.printUrn(f)
		case k.ranged():
			k.printSweep(f, "weighs every value of "+k.label()+" and draws one", k.enumerate)
		default:
			k.printOne(f, "weighs every value of "+k.label()+" and draws one.", k.enumerate)
		}
	case conjugacy.SliceKernel:
		k.printLogDensity(f)
		k.printSlice(f)
	default:
		switch {
		case k.block():
			k.printBlockParams(f)
			k.printBlock(f)
		case k.ranged():
			k.printSweep(f, "draws "+k.label()+" from its full conditional", k.scalar)
		default:
			k.printParams(f)
			k.printScalar(f)
		}
	}
}

// ranged reports whether the draws of many units stand in one loop: locals whose conditional is a few lines of arithmetic,
// for which a call for each would cost as much as the draw.
func (k *kern) ranged() bool {
	if !k.local() || k.Urn != nil || k.block() {
		return false
	}
	return k.Conditional.Kernel != conjugacy.SliceKernel
}

// gathers reports whether a sweep over all units may gather the accumulators anew, each element adding its part, instead
// of moving them: each part belongs to one element, and no draw of the sweep reads them.
func (k *kern) gathers() bool {
	ok := k.hasMoves(allAccs) && !k.Removed && len(k.Loops) == 1
	k.eachMove(allAccs, func(acc *plan.Acc, m conjugacy.Move) { ok = ok && m.Alone && !k.Reads(acc.Name) })
	return ok
}

// printSweep emits drawZ for the innermost index from first up to past, the outer ones given: one loop around body.
func (k *kern) printSweep(f *jen.File, what string, body func(e *emitter)) {
	e, out := k.body("old", "next", "total", "first", "past", "h", "prec", "c", "a", "b", "d", "q", "lo", "hi", "w", "run", "diff", "anew", "pow", "rest", "l", "kept", "k", "base", "m", "j", "hs", "precs", "cs", "as", "bs", "ds", "qs", "diffs")
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

// printOne emits drawZ for one element, with the given body.
func (k *kern) printOne(f *jen.File, what string, body func(e *emitter)) {
	e, out := k.body("old", "next", "total", "w", "run")
	body(e)
	out.add(jen.Return(jen.Nil()))
	assemble(f, k.doc(k.drawName(), what), method(k.drawName()).Params(k.signature()...).Error(), e, out)
}

// scalar emits the draw of one number: natural parameters, draw, moves.
func (k *kern) scalar(e *emitter) { k.scalarAfter(e, nil) }

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
	for _, n := range coefNames[k.Family.Name] {
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

func (k *kern) scalarAfter(e *emitter, ahead map[string]bool) {
	old := k.cell(e)
	moves := k.hasMoves(allAccs)
	if moves || k.Removed {
		e.out.add(jen.Id("old").Op(":=").Add(old.Code()))
	}
	if k.Removed {
		k.moves(e, k.takenOut(), "-=", k.scalarAt("old"))
	}
	for _, n := range coefNames[k.Family.Name] {
		if ahead[n] {
			continue
		}
		v := e.poly(k.Params.Coef[n])
		if v.isNum {
			e.out.add(jen.Id(n).Op(":=").Float64().Call(v.Code()))
		} else {
			e.out.add(jen.Id(n).Op(":=").Add(v.Code()))
		}
	}
	draw := k.drawCall()
	if at, y, ok := k.side(e); ok {
		if one, isConst := k.Params.Coef["prec"].Constant(); isConst && one == 1 {
			draw = jen.Id("s").Dot("rng").Dot("NormalSide").Call(jen.Id("h"), at.Code(), y.Code())
		} else {
			draw = jen.Id("s").Dot("rng").Dot("NormalSideNat").Call(jen.Id("h"), jen.Id("prec"), at.Code(), y.Code())
		}
		k.leave(e, jen.Id("h"), jen.Id("prec"), at.Code(), jen.Qual(runtimePath, "Indicator").Call(y.Code()))
	} else {
		if k.Params.Truncated {
			e.out.add(jen.Var().List(jen.Id("lo"), jen.Id("hi")).Float64())
			k.bounds(e)
		}
		var vs []jen.Code
		for _, n := range k.results() {
			vs = append(vs, jen.Id(n))
		}
		k.leave(e, vs...)
	}
	e.out.add(jen.Id("next").Op(":=").Add(draw))
	e.out.add(jen.If(jen.Id("next").Op("!=").Id("next")).Block(jen.Return(k.improperAt(e))))
	switch {
	case k.Entangled:
		k.untangled(e, k.scalarAt("old"), k.scalarAt("next"))
	case k.Removed:
		k.moves(e, allAccs, "+=", k.scalarAt("next"))
	case moves:
		k.movesBetween(e)
	}
	e.out.add(old.Code().Op("=").Id("next"))
}

// leave emits the assignment of the last draw's natural parameters and bounds to s.given: one by one, since copying a whole
// array waits for its parts to be written.
func (k *kern) leave(e *emitter, vs ...jen.Code) {
	var lhs []jen.Code
	for i := range vs {
		lhs = append(lhs, jen.Id("s").Dot("given").Index(jen.Lit(i)))
	}
	e.out.add(jen.List(lhs...).Op("=").List(vs...))
}

// side returns where and on which side the only bound on a Normal lies, if the data decide that.
func (k *kern) side(e *emitter) (at, y ex, ok bool) {
	if k.Family.Name != "Normal" || len(k.Bounds) != 1 || k.v.Support.Lo != nil || k.v.Support.Hi != nil {
		return ex{}, ex{}, false
	}
	b := k.Bounds[0]
	if b.Y == nil || len(b.Over) > 0 || len(b.Guards) > 0 {
		return ex{}, ex{}, false
	}
	at, sign := k.cut(e, b)
	if sign == 0 {
		return ex{}, ex{}, false
	}
	y = e.element(b.Y)
	if sign < 0 {
		y = ex{code: jen.Op("!").Add(y.at(precUnary)), prec: precUnary}
	}
	return at, y, true
}

// improperAt is improper with the indices as the emitter has them.
func (k *kern) improperAt(e *emitter) *jen.Statement {
	args := []jen.Code{jen.Lit(k.v.Name)}
	for _, b := range k.Loops {
		args = append(args, e.names[b.Name].Code())
	}
	return jen.Qual(runtimePath, "Improper").Call(args...)
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

// follows reports whether the accumulator moves with the target.
func (k *kern) follows(acc string) bool {
	found := false
	k.eachMove(allAccs, func(a *plan.Acc, _ conjugacy.Move) { found = found || a.Name == acc })
	return found
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
	} else if k.Factors != nil {
		k.weigh(e, w, ex{})
		e.out.add(jen.Id("next").Op(":=").Add(rng).Dot("Pick").Call(w.Code(), run.Code()))
	} else {
		k.weigh(e, w, run)
		e.out.add(jen.Id("next").Op(":=").Add(rng).Dot("PickRunning").Call(w.Code(), run.Code(), jen.Id("total")))
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

// coefNames lists the natural parameters of a family in the order of the runtime's draw.
var coefNames = map[string][]string{
	"Normal": {"h", "prec"}, "Gamma": {"c", "b"}, "GIG": {"c", "a", "b"}, "LogNormal": {"c", "q"}, "Beta": {"c", "d"},
	"MVNormal": {"h", "prec"}, "Dirichlet": {"c"}, "Wishart": {"c", "S"}, "InvWishart": {"c", "S"},
	"Normal-Inverse-Gamma": {"kappa", "b", "S", "c"},
}

// results are the values that a scalar conditional's function returns: natural parameters, then bounds.
func (k *kern) results() []string {
	out := slices.Clone(coefNames[k.Family.Name])
	if k.Params.Truncated {
		out = append(out, "lo", "hi")
	}
	return out
}

func (k *kern) given() string { return k.lower() + "GivenRest" }

// printParams emits muGivenRest: the natural parameters of a scalar conditional.
func (k *kern) printParams(f *jen.File) {
	e, out := k.body(k.results()...)
	var rets []jen.Code
	for _, n := range coefNames[k.Family.Name] {
		v := e.poly(k.Params.Coef[n])
		rets = append(rets, v.Code())
	}
	if k.Params.Truncated {
		// The parameters are named before the bounds are found, since the latter need statements.
		for i, n := range coefNames[k.Family.Name] {
			out.add(jen.Id(n).Op("=").Add(rets[i]))
			rets[i] = jen.Id(n)
		}
		k.bounds(e)
		rets = append(rets, jen.Id("lo"), jen.Id("hi"))
	}
	out.add(jen.Return(rets...))
	var res []jen.Code
	names := k.results()
	for i, n := range names {
		if i < len(names)-1 {
			res = append(res, jen.Id(n))
		} else {
			res = append(res, jen.Id(n).Float64())
		}
	}
	assemble(f, k.doc(k.given(), "returns the natural parameters of the full conditional of "+k.label()+"."), method(k.given()).Params(k.signature()...).Params(res...), e, out)
}

// label names the target as the spec does: mu[k].
func (k *kern) label() string {
	if len(k.params) == 0 {
		return k.v.Name
	}
	var ns []string
	for _, b := range k.Loops {
		ns = append(ns, k.Names[b.Name])
	}
	return k.v.Name + "[" + strings.Join(ns, ", ") + "]"
}

// doc returns the head comment of a conditional: what the function does, then the derivation.
func (k *kern) doc(fn, what string) []string {
	out := []string{fn + " " + what, ""}
	for _, l := range k.g.derivation(k.Conditional) {
		if l != "" {
			l = "\t" + l
		}
		out = append(out, l)
	}
	return out
}

// bounds emits the assignment of lo and hi: the support's, cut by the constraints.
func (k *kern) bounds(e *emitter) {
	lo, hi := call("math", "Inf", intLit(-1)), call("math", "Inf", intLit(1))
	if k.v.Support.Lo != nil {
		lo = e.poly(k.Lo)
	}
	if k.v.Support.Hi != nil {
		hi = e.poly(k.Hi)
	}
	e.out.add(jen.List(jen.Id("lo"), jen.Id("hi")).Op("=").List(lo.Code(), hi.Code()))
	for _, b := range k.Bounds {
		e.nest(b.Over, b.Guards, nil, func(c *emitter, _ ex, _ bool) {
			at, sign := k.cut(c, b)
			switch {
			case sign == 0:
				var y jen.Code = jen.True()
				if b.Y != nil {
					y = c.element(b.Y).Code()
				}
				c.out.add(jen.List(jen.Id("lo"), jen.Id("hi")).Op("=").Qual(runtimePath, "CutBy").Call(
					jen.Id("lo"), jen.Id("hi"), c.poly(b.A).Code(), c.poly(b.B).Code(), y))
			case b.Y == nil && sign > 0:
				c.out.add(jen.Id("lo").Op("=").Id("max").Call(jen.Id("lo"), at.Code()))
			case b.Y == nil:
				c.out.add(jen.Id("hi").Op("=").Id("min").Call(jen.Id("hi"), at.Code()))
			default:
				up := jen.Id("lo").Op("=").Id("max").Call(jen.Id("lo"), at.Code())
				down := jen.Id("hi").Op("=").Id("min").Call(jen.Id("hi"), at.Code())
				if sign < 0 {
					up, down = down, up
				}
				c.out.add(jen.If(c.element(b.Y).Code()).Block(up).Else().Block(down))
			}
		})
	}
}

// cut returns where the inequality A·t + B > 0 cuts the line if A is 1 or -1, and the side.
func (k *kern) cut(e *emitter, b conjugacy.Bound) (at ex, sign int) {
	a, ok := b.A.Constant()
	if !ok || math.Abs(a) != 1 {
		return ex{}, 0
	}
	return e.poly(b.B.Scale(-a)), int(a)
}

// drawCall returns the runtime's draw for a scalar family with its natural parameters in local variables.
func (k *kern) drawCall() *jen.Statement {
	rng := jen.Id("s").Dot("rng")
	ids := func(names ...string) []jen.Code {
		var out []jen.Code
		for _, n := range names {
			out = append(out, jen.Id(n))
		}
		return out
	}
	switch k.Family.Name {
	case "Normal":
		if k.Params.Truncated {
			return rng.Dot("TruncNormalNat").Call(ids("h", "prec", "lo", "hi")...)
		}
		return rng.Dot("NormalNat").Call(ids("h", "prec")...)
	case "Gamma":
		switch {
		case k.Params.Truncated:
			return rng.Dot("GammaPowNat").Call(jen.Id("c"), jen.Id("b"), jen.Lit(k.Params.R), jen.Id("lo"), jen.Id("hi"))
		case k.Params.R == 1:
			return rng.Dot("GammaNat").Call(ids("c", "b")...)
		}
		return rng.Dot("GammaPowNat").Call(jen.Id("c"), jen.Id("b"), jen.Lit(k.Params.R), jen.Lit(0), jen.Qual("math", "Inf").Call(jen.Lit(1)))
	case "GIG":
		if k.Params.R == 1 {
			return rng.Dot("GIGNat").Call(ids("c", "a", "b")...)
		}
		return rng.Dot("GIGPowNat").Call(jen.Id("c"), jen.Id("a"), jen.Id("b"), jen.Lit(k.Params.R))
	case "LogNormal":
		return rng.Dot("LogNormalNat").Call(ids("c", "q")...)
	case "Beta":
		return rng.Dot("BetaNat").Call(ids("c", "d")...)
	}
	panic("codegen: no draw for " + k.Family.Name)
}

// logDensity returns log q(x) up to a constant for a scalar family with its natural parameters in local variables.
func (k *kern) logDensity(x ex) ex {
	log := call("math", "Log", x)
	pow := func(r float64) ex {
		switch r {
		case 1:
			return x
		case -1:
			return div(num(1), x)
		}
		return call("math", "Pow", x, num(r))
	}
	switch k.Family.Name {
	case "Normal":
		return sub(mul(id("h"), x), mul(mul(mul(num(0.5), id("prec")), x), x))
	case "Gamma":
		return sub(mul(id("c"), log), mul(id("b"), pow(k.Params.R)))
	case "GIG":
		return sub(sub(mul(id("c"), log), mul(id("a"), pow(k.Params.R))), mul(id("b"), pow(-k.Params.R)))
	case "LogNormal":
		return sub(mul(id("c"), log), mul(mul(mul(num(0.5), id("q")), log), log))
	case "Beta":
		return add(mul(id("c"), log), mul(id("d"), call("math", "Log1p", minus(x))))
	}
	panic("codegen: no density for " + k.Family.Name)
}

// printScalar emits drawMu.
func (k *kern) printScalar(f *jen.File) {
	e, out := k.body(append(k.results(), "next", "old")...)
	e.f.write[k.v] = true
	old := k.cell(e)
	moves := k.hasMoves(allAccs)
	if moves || k.Removed {
		out.add(jen.Id("old").Op(":=").Add(old.Code()))
	}
	if k.Removed {
		k.moves(e, k.takenOut(), "-=", k.scalarAt("old"))
	}
	var lhs []jen.Code
	for _, n := range k.results() {
		lhs = append(lhs, jen.Id(n))
	}
	out.add(jen.List(lhs...).Op(":=").Id("s").Dot(k.given()).Call(k.args()...))
	out.add(jen.Id("next").Op(":=").Add(k.drawCall()))
	out.add(jen.If(jen.Id("next").Op("!=").Id("next")).Block(jen.Return(k.improper())))
	switch {
	case k.Entangled:
		k.untangled(e, k.scalarAt("old"), k.scalarAt("next"))
	case k.Removed:
		k.moves(e, allAccs, "+=", k.scalarAt("next"))
	case moves:
		k.movesBetween(e)
	}
	out.add(old.Code().Op("=").Id("next"))
	out.add(jen.Return(jen.Nil()))
	assemble(f, []string{k.drawName() + " draws " + k.label() + " from its full conditional."}, method(k.drawName()).Params(k.signature()...).Error(), e, out)
}

func (k *kern) drawName() string { return "draw" + k.name }

// improper returns the error for a conditional without a proper density.
func (k *kern) improper() *jen.Statement {
	args := []jen.Code{jen.Lit(k.v.Name)}
	return jen.Qual(runtimePath, "Improper").Call(k.args(args...)...)
}

// scalarAt makes $t the local variable of that name.
func (k *kern) scalarAt(name string) func(*emitter) *emitter {
	return func(e *emitter) *emitter {
		c := *e
		c.value = func(_ *emitter, a *ir.Atom) (ex, bool) {
			if k.v.Type.Elem == ir.Bool {
				return call("", "float64", id(name)), true
			}
			return id(name), a.Fn == ir.RefAtom
		}
		c.cat = id(name)
		return &c
	}
}

// blockAt makes $t[i] the elements of the local slice of that name.
func (k *kern) blockAt(name string) func(*emitter) *emitter {
	return func(e *emitter) *emitter {
		c := *e
		c.value = func(e *emitter, a *ir.Atom) (ex, bool) {
			return e.load("t:"+name, name, id(name), k.Target.T.Axes, a.Ix), a.Fn == ir.RefAtom
		}
		return &c
	}
}

// Which accumulators a step of a draw moves: all that follow the target, or only those that its own parameters read, or
// only the others.
type which int

const (
	allAccs which = iota
	readAccs
	otherAccs
)

// eachMove visits the accumulators that follow this target.
func (k *kern) eachMove(w which, fn func(acc *plan.Acc, m conjugacy.Move)) {
	for _, acc := range k.g.plan.Accs {
		for _, m := range acc.Moves {
			if m.Var == k.v && (w == allAccs || (w == readAccs) == k.Reads(acc.Name)) {
				fn(acc, m)
			}
		}
	}
}

func (k *kern) hasMoves(w which) bool {
	found := false
	k.eachMove(w, func(*plan.Acc, conjugacy.Move) { found = true })
	return found
}

// moves emits every accumulator's change at one value of the target.
func (k *kern) moves(e *emitter, w which, op string, at func(*emitter) *emitter) {
	// The accumulators' parameters go by their places in the sums: residuals at the same category are the same.
	shared := map[string]ex{}
	k.eachMove(w, func(acc *plan.Acc, m conjugacy.Move) {
		for _, t := range m.Delta {
			c := at(e)
			c.shared = shared
			c.scatter(acc, t, op)
		}
	})
}

// takenOut are the accumulators that a target takes itself out of before its parameters are read.
func (k *kern) takenOut() which {
	if k.Entangled {
		return readAccs
	}
	return allAccs
}

// putBack undoes the taking out. Of accumulators that read each other, the last is first.
func (k *kern) putBack(e *emitter, old func(*emitter) *emitter) {
	if !k.Removed {
		return
	}
	var undo []func()
	k.eachMove(readAccs, func(acc *plan.Acc, m conjugacy.Move) {
		undo = append(undo, func() {
			for _, t := range m.Delta {
				old(e).scatter(acc, t, "+=")
			}
		})
	})
	if k.Entangled {
		slices.Reverse(undo)
	}
	for _, fn := range undo {
		fn()
	}
}

// untangled emits the moves of accumulators that read each other or the target's current value.
func (k *kern) untangled(e *emitter, old, next func(*emitter) *emitter) {
	k.putBack(e, old)
	k.untangledMoves(e, old, next)
}

// untangledMoves moves each accumulator in full before the next one, which it may read.
func (k *kern) untangledMoves(e *emitter, old, next func(*emitter) *emitter) {
	k.eachMove(allAccs, func(acc *plan.Acc, m conjugacy.Move) {
		for _, t := range m.Delta {
			if conjugacy.Mentions(t, m.Target.T) { // the rest cancels
				old(e).scatter(acc, t, "-=")
			}
		}
		for _, t := range m.Delta {
			if conjugacy.Mentions(t, m.Target.T) {
				next(e).scatter(acc, t, "+=")
			}
		}
	})
}

// movesBetween emits the changes from old to next: a term linear in t takes the difference once.
func (k *kern) movesBetween(e *emitter) {
	diff := false
	anew := k.ranged() && k.gathers() // adding every part to zero, there is nothing to take off
	var linear, other []func()
	k.eachMove(allAccs, func(acc *plan.Acc, m conjugacy.Move) {
		for _, t := range m.Delta {
			if linearInT(t) {
				diff = true
				linear = append(linear, func() {
					c := *e
					c.value = func(*emitter, *ir.Atom) (ex, bool) { return id("diff"), true }
					c.scatter(acc, t, "+=")
				})
				continue
			}
			other = append(other, func() {
				if anew {
					in := &block{}
					k.scalarAt("old")(e.into(in)).scatter(acc, t, "-=")
					e.out.add(jen.If(jen.Op("!").Id("anew")).Block(in.stmts...))
				} else {
					k.scalarAt("old")(e).scatter(acc, t, "-=")
				}
				k.scalarAt("next")(e).scatter(acc, t, "+=")
			})
		}
	})
	if diff {
		e.f.byName["diff"] = true
		e.out.add(jen.Id("diff").Op(":=").Id("next").Op("-").Id("old"))
		if anew {
			e.out.add(jen.If(jen.Id("anew")).Block(jen.Id("diff").Op("=").Id("next")))
		}
	}
	if k.ranged() && len(k.ahead()) > 0 {
		if _, _, ok := k.addRows(e); ok {
			e.out.add(jen.Id("diffs").Index(jen.Id("j")).Op("=").Id("diff"))
			return
		}
	}
	for _, fn := range append(linear, other...) {
		fn()
	}
}

// linearInT reports whether the term is t times something free of it.
func linearInT(t ir.Term) bool {
	n := 0
	for _, f := range t.F {
		found := false
		ir.Term{C: 1, F: []ir.Fac{f}}.WalkAtoms(func(a *ir.Atom) { found = found || a.Var != nil && a.Var.Name == "$t" })
		if found {
			if f.A.Fn != ir.RefAtom || f.A.Var.Name != "$t" || f.P != 1 {
				return false
			}
			n++
		}
	}
	for _, g := range t.Guards {
		for _, x := range slices.Concat(g.L, g.R, g.Of) {
			if x.Cat != nil && x.Cat.Var.Name == "$t" {
				return false
			}
		}
	}
	return n == 1
}

// categories returns the number of values of a finite target.
func (k *kern) categories(e *emitter) ex {
	if k.v.Type.Elem == ir.Bool {
		return intLit(2)
	}
	return e.f.sizeOf(k.v.Type.Of)
}

func (k *kern) weightsName() string { return k.lower() + "Weights" }

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
			if Mentions(rest, k.Target.T) {
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

// Mentions reports whether p mentions v.
func Mentions(p ir.Poly, v *ir.Var) bool {
	for _, t := range p {
		if conjugacy.Mentions(t, v) {
			return true
		}
	}
	return false
}

// weigh emits the loop that fills w with the weight of every value: as products where Factors says so, else in logarithms,
// and then, if run is given, with the running sums of the weights in run and their total.
func (k *kern) weigh(e *emitter, w, run ex) {
	v := e.f.local("k")
	name := fmt.Sprintf("%#v", w.code)
	l := &loop{name: "$t", v: v, size: k.categories(e), pre: &block{}, rows: map[string]string{"": name}, first: name, full: true, bound: map[string]bool{"$t": true}}
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
		x := c.poly(k.LogW)
		if run.code == nil {
			in.add(dst.Code().Op("=").Add(x.Code()))
		} else {
			e.out.add(jen.Id("total").Op(":=").Lit(0.0))
			rt := func(fn string) *jen.Statement { return jen.Qual(runtimePath, fn) }
			in.add(
				jen.Id("l").Op(":=").Add(x.Code()),
				dst.Code().Op("=").Id("l"),
				jen.If(rt("Ordinary").Call(jen.Id("l"))).Block(
					jen.List(jen.Id("pow"), jen.Id("rest")).Op(":=").Add(rt("ExpParts")).Call(jen.Id("l")),
					jen.Id("total").Op("+=").Id("pow").Op("+").Id("pow").Op("*").Add(rt("Expm1Small")).Call(jen.Id("rest")),
				).Else().If(jen.Op("!").Parens(jen.Id("l").Op("<").Lit(0))).Block(
					jen.Id("total").Op("=").Qual("math", "Inf").Call(jen.Lit(1)),
				),
				index(run, id(v)).Code().Op("=").Id("total"))
		}
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
			in.add(jen.Id("p").Op(":=").Add(p.Code()))
			for _, wf := range guarded {
				then := &block{}
				d := c.within(then, wf.Guards)
				x := weightFactor(d, id("p"), wf)
				then.add(jen.Id("p").Op("=").Add(x.Code()))
				in.add(jen.If(c.guards(wf.Guards).Code()).Block(then.stmts...))
			}
			in.add(dst.Code().Op("=").Id("p"))
		}
	}
	e.out.add(l.pre.stmts...)
	e.out.add(l.header(ir.Bind{}).Block(in.stmts...))
	delete(e.f.byName, v)
}

// printWeights emits zWeights for a category of an unbounded plate.
func (k *kern) printWeights(f *jen.File) {
	e, out := k.body("w", "p")
	out.add(jen.Id("w").Op("=").Id("w").Index(jen.Op(":").Add(k.categories(e).Code())))
	k.weigh(e, id("w"), ex{})
	what := "fills w with the weights of the values of " + k.label() + "."
	if k.Factors == nil {
		what = "fills w with the logarithms of the weights of the values of " + k.label() + "."
	}
	assemble(f, k.doc(k.weightsName(), what), method(k.weightsName()).Params(k.signature(jen.Id("w").Index().Float64())...), e, out)
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

func (k *kern) logName() string { return k.lower() + "LogDensity" }

// printLogDensity emits the log density of a conditional without a family, up to a constant.
func (k *kern) printLogDensity(f *jen.File) {
	e, out := k.body("t", "lo", "hi")
	e.value = func(*emitter, *ir.Atom) (ex, bool) { return id("t"), true }
	v := e.poly(k.LogT)
	out.add(jen.Return(v.Code()))
	assemble(f, k.doc(k.logName(), "returns the log density of the full conditional of "+k.label()+" at t, up to a constant."),
		method(k.logName()).Params(k.signature(jen.Id("t").Float64())...).Float64(), e, out)
}

// printSlice emits drawAlpha by the slice sampler: on the log scale for positive numbers.
func (k *kern) printSlice(f *jen.File) {
	e, out := k.body("old", "next", "lo", "hi", "u", "t")
	e.f.write[k.v] = true
	cell := k.cell(e)
	out.add(jen.Id("old").Op(":=").Add(cell.Code()))
	if k.Removed {
		k.moves(e, k.takenOut(), "-=", k.scalarAt("old"))
	}
	out.add(jen.Var().List(jen.Id("lo"), jen.Id("hi")).Float64())
	k.bounds(e)
	n, isNum := k.v.Support.Lo.(*ir.Num)
	if isNum && n.Value == 0 && k.v.Support.Hi == nil {
		out.add(jen.Id("next").Op(":=").Qual("math", "Exp").Call(jen.Id("s").Dot("rng").Dot("Slice").Call(
			jen.Qual("math", "Log").Call(jen.Id("old")), jen.Qual("math", "Log").Call(jen.Id("lo")), jen.Qual("math", "Log").Call(jen.Id("hi")), jen.Lit(1),
			jen.Func().Params(jen.Id("u").Float64()).Float64().Block(
				jen.Return(jen.Id("s").Dot(k.logName()).Call(k.args(jen.Qual("math", "Exp").Call(jen.Id("u")))...).Op("+").Id("u")),
			))))
	} else {
		out.add(jen.Id("next").Op(":=").Id("s").Dot("rng").Dot("Slice").Call(
			jen.Id("old"), jen.Id("lo"), jen.Id("hi"), jen.Lit(1),
			jen.Func().Params(jen.Id("t").Float64()).Float64().Block(
				jen.Return(jen.Id("s").Dot(k.logName()).Call(k.args(jen.Id("t"))...)),
			)))
	}
	out.add(jen.If(jen.Id("next").Op("!=").Id("next")).Block(jen.Return(k.improper())))
	switch {
	case k.Entangled:
		k.untangled(e, k.scalarAt("old"), k.scalarAt("next"))
	case k.Removed:
		k.moves(e, allAccs, "+=", k.scalarAt("next"))
	case k.hasMoves(allAccs):
		k.movesBetween(e)
	}
	out.add(cell.Code().Op("=").Id("next"))
	out.add(jen.Return(jen.Nil()))
	assemble(f, []string{k.drawName() + " draws " + k.label() + " by the slice sampler (Neal 2003): no family fits, because of " + oneLine(k.Why) + "."},
		method(k.drawName()).Params(k.signature()...).Error(), e, out)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// slotNames are the block positions of a vector or matrix statistic.
func slotNames(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("#%d", i+1)
	}
	return out
}

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

// wrap returns err with the target's name and indices.
func (k *kern) wrap() *jen.Statement {
	return jen.Qual(runtimePath, "DrawError").Call(k.args(jen.Err(), jen.Lit(k.v.Name))...)
}
