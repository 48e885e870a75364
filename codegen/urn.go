// This file holds draws of categories of an unbounded plate in generated code: occupied categories and a few empty ones are
// weighed, categories appear and vanish, and those in use stay numbered from 0 without gaps.

package codegen

import (
	"math"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// growing lists the arrays with the unbounded plate as their first axis: state, inverses, accumulators, scratch.
type growing struct {
	code  *jen.Statement
	inner []*ir.Plate // the other axes
	acc   bool        // to be zero for an empty category
}

func (g *generator) growing(p *ir.Plate) []growing {
	var out []growing
	add := func(code *jen.Statement, plates []*ir.Plate, acc bool) {
		if i := slices.Index(plates, p); i == 0 {
			out = append(out, growing{code: code, inner: plates[1:], acc: acc})
		}
	}
	for _, v := range g.model.Vars {
		if v.Unknown() && g.stored(v) {
			add(jen.Id("s").Dot("state").Dot(g.l.field[v]), v.Axes, false)
		}
	}
	for _, r := range g.plan.Analysis.Accs.References {
		add(jen.Id("s").Dot(g.l.refs[r.Var]), r.Of.Axes, false)
	}
	for _, v := range g.plan.Inverses {
		add(jen.Id("s").Dot(g.l.inv(v)), v.Axes, false)
		add(jen.Id("s").Dot(g.l.logDet(v)), v.Axes[:len(v.Axes)-2], false)
	}
	for _, a := range g.plan.Accs {
		plates, _ := g.axes(a.Name)
		add(jen.Id("s").Dot(accField(a.Name)), plates, true)
		if a.Watch != plan.Never {
			add(jen.Id("s").Dot(peakField(a.Name)), plates, true)
		}
	}
	return out
}

// urns returns the unbounded plates with an urn, in order.
func (g *generator) urns() []*ir.Plate {
	var out []*ir.Plate
	for _, u := range g.plan.Analysis.Urns {
		out = append(out, u.Plate)
	}
	return out
}

// printUrns prints, for each unbounded plate, what makes room, swaps two categories and draws one from the prior.
func (g *generator) printUrns(f *jen.File) {
	for _, p := range g.urns() {
		name := g.l.size[p]
		fr := newFrame(g.l, "n", "i", "j", "k")
		fr.live = true
		var body []jen.Code
		for _, a := range g.growing(p) {
			n := mul(id("n"), fr.total(a.inner))
			body = append(body, a.code.Clone().Op("=").Qual(runtimePath, "Resize").Call(a.code.Clone(), n.Code()))
			if a.acc {
				from := mul(raw(jen.Id("s").Dot("state").Dot(g.l.size[p])), fr.total(a.inner))
				body = append(body, jen.Clear(a.code.Clone().Index(jen.Id("min").Call(from.Code(), n.Code()).Op(":"))))
			}
		}
		comment(f, []string{"resize" + name + " makes room for n " + p.Name + ". What the sums hold of those not in use is zero."})
		f.Add(method("resize" + name).Params(jen.Id("n").Int()).Block(append(fr.prologue(), body...)...))
		f.Line()

		fr = newFrame(g.l, "i", "j", "x", "n")
		fr.live = true
		body = []jen.Code{jen.If(jen.Id("i").Op("==").Id("j")).Block(jen.Return())}
		for _, a := range g.growing(p) {
			body = append(body, jen.Qual(runtimePath, "SwapRows").Call(a.code.Clone(), jen.Id("i"), jen.Id("j"), fr.total(a.inner).Code()))
		}
		for _, v := range g.categoriesOf(p) {
			body = append(body, jen.Qual(runtimePath, "SwapLabels").Call(jen.Id("s").Dot("state").Dot(g.l.field[v]), jen.Int32().Call(jen.Id("i")), jen.Int32().Call(jen.Id("j"))))
		}
		comment(f, []string{"swap" + name + " exchanges the numbers of two " + p.Name + "."})
		f.Add(method("swap" + name).Params(jen.List(jen.Id("i"), jen.Id("j")).Int()).Block(append(fr.prologue(), body...)...))
		f.Line()
		g.printFresh(f, p)
	}
}

// fresh returns the unknowns of the sampler that run over p, in the order in which they can be drawn from the prior.
func (g *generator) fresh(p *ir.Plate) []*ir.Var {
	for _, k := range g.kerns {
		if k.Urn != nil && k.Urn.Plate == p {
			return ordered(k.Fresh, func(v *ir.Var) []*ir.Var {
				var out []*ir.Var
				for _, f := range g.factorsOf(v) {
					out = append(out, mentioned(f.Args...)...)
				}
				return out
			})
		}
	}
	return nil
}

// printFresh prints the draw of one category's parameters from the prior.
func (g *generator) printFresh(f *jen.File, p *ir.Plate) {
	vs := g.fresh(p)
	if len(vs) == 0 {
		return
	}
	d := &drawer{writer: g.liveWriter("k"), fixed: map[*node]map[int]ex{}, opened: map[*ir.Plate]bool{}}
	for _, v := range vs {
		for _, fac := range g.model.Factors {
			if fac.X.Var != v {
				continue
			}
			d.within(fac.Over[0].Name, id("k"), func() {
				d.overAll(fac.Over[1:], func() { d.draw(&node{factor: fac}) })
			})
			if slices.Contains(g.plan.Inverses, v) {
				d.emit(jen.If(jen.Err().Op(":=").Id("s").Dot("invert"+g.l.field[v]).Call(jen.Id("k")), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err())))
			}
		}
	}
	for _, r := range g.plan.Analysis.Accs.References {
		if len(r.Of.Axes) > 0 && r.Of.Axes[0] == p {
			n := d.frame.total(r.Of.Axes[1:])
			d.emit(jen.Copy(
				jen.Id("s").Dot(g.l.refs[r.Var]).Index(mul(id("k"), n).Code().Op(":")).Index(jen.Op(":").Add(n.Code())),
				jen.Id("s").Dot("state").Dot(g.l.field[r.Of]).Index(mul(id("k"), n).Code().Op(":"))))
		}
	}
	d.emit(jen.Return(jen.Nil()))
	name := "fresh" + g.l.size[p]
	comment(f, []string{name + " draws the parameters of category k of " + p.Name + " from their prior."})
	f.Add(method(name).Params(jen.Id("k").Int()).Error().Block(d.body()...))
	f.Line()
}

// printUrn emits drawZ for a category of an unbounded plate.
func (k *kern) printUrn(f *jen.File) {
	p := k.Urn.Plate
	name := k.g.l.size[p]
	e, out := k.body("old", "next", "inUse", "empty", "w", "k")
	e.f.live = true
	cell := raw(k.cell(e).Code())
	inUse := jen.Id("s").Dot("state").Dot(k.g.l.size[p])
	out.add(jen.Id("old").Op(":=").Int().Call(cell.Code()))
	// Weights that tell the target's own part from the others' by its value are read while it is in.
	stays := !k.Removed
	if !stays {
		k.moves(e, allAccs, "-=", k.scalarAt("old"))
	}
	// A category that loses its last member is the first of the empty ones, with the parameters it had.
	out.add(jen.Id("inUse").Op(":=").Add(inUse.Clone()), jen.Id("empty").Op(":=").Id("inUse"))
	count := e.bind("#1", id("old")).poly(k.Urn.Count)
	last, members := &block{}, 0
	last.add(jen.Id("inUse").Op("--"), jen.Id("s").Dot("swap"+name).Call(jen.Id("old"), jen.Id("inUse")))
	if stays {
		members = 1
		last.add(jen.Id("old").Op("=").Id("inUse"))
	}
	out.add(jen.If(count.Code().Op("==").Lit(members)).Block(last.stmts...))
	spare := k.Spare
	if !stays {
		out.add(inUse.Clone().Op("=").Id("inUse")) // what the sums hold of the last one is cleared
	}
	out.add(jen.Id("s").Dot("resize" + name).Call(jen.Id("inUse").Op("+").Lit(spare)))
	if len(k.Fresh) > 0 {
		out.add(jen.For(jen.Id("k").Op(":=").Id("empty"), jen.Id("k").Op("<").Id("inUse").Op("+").Lit(spare), jen.Id("k").Op("++")).Block(
			jen.If(jen.Err().Op(":=").Id("s").Dot("fresh"+name).Call(jen.Id("k")), jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Err()))))
	} else {
		out.add(jen.Id("_").Op("=").Id("empty"))
	}
	out.add(inUse.Clone().Op("=").Id("inUse").Op("+").Lit(spare))
	out.add(atLeast("weights", inUse), atLeast("running", inUse))
	out.add(jen.Id("w").Op(":=").Id("s").Dot("weights").Index(jen.Op(":").Add(inUse.Clone())))
	out.add(jen.Id("s").Dot(k.weightsName()).Call(k.args(jen.Id("w"))...))
	pick, share := "PickLog", jen.Id("w").Index(jen.Id("k")).Op("-=").Lit(math.Log(float64(spare)))
	if k.Factors != nil {
		pick, share = "Pick", jen.Id("w").Index(jen.Id("k")).Op("/=").Lit(spare)
	}
	if spare > 1 {
		out.add(jen.For(jen.Id("k").Op(":=").Id("inUse"), jen.Id("k").Op("<").Len(jen.Id("w")), jen.Id("k").Op("++")).Block(
			share.Comment("// the empty ones share the weight of a new one")))
	}
	out.add(jen.Id("next").Op(":=").Id("s").Dot("rng").Dot(pick).Call(jen.Id("w"), jen.Id("s").Dot("running").Index(jen.Op(":").Len(jen.Id("w")))))
	out.add(jen.If(jen.Id("next").Op("<").Lit(0)).Block(jen.Return(k.improper())))
	if stays {
		k.moves(e, allAccs, "-=", k.scalarAt("old"))
	}
	out.add(jen.If(jen.Id("next").Op(">=").Id("inUse")).Block(
		jen.Id("s").Dot("swap"+name).Call(jen.Id("next"), jen.Id("inUse")),
		jen.Id("next").Op("=").Id("inUse"),
		jen.Id("inUse").Op("++"),
	))
	out.add(inUse.Clone().Op("=").Id("inUse"))
	out.add(jen.Id("s").Dot("resize" + name).Call(jen.Id("inUse")))
	out.add(cell.Code().Op("=").Int32().Call(jen.Id("next")))
	k.putIn(e, allAccs, k.scalarAt("next"))
	out.add(jen.Return(jen.Nil()))
	which := "Neal (2000), Algorithm 3: all that runs over " + p.Name + " is integrated out."
	if len(k.Fresh) > 0 {
		which = "Neal (2000), Algorithm 8, with " + itoa(spare) + " empty categories, their parameters drawn from the prior."
	}
	assemble(f, []string{k.drawName() + " draws " + k.Label() + " from its full conditional among the " + p.Name + " in use and empty ones:", which},
		method(k.drawName()).Params(k.signature()...).Error(), e, out)
}

// jointLogZ emits the log-partition of a Normal-Inverse-Wishart at natural parameters with vector positions, of which b and S
// are filled in first.
func (e *emitter) jointLogZ(a *ir.Atom) ex {
	args, plate := a.Args, conjugacy.Positions(a)
	n := e.f.sizeOf(plate)
	// A spec or a kernel may have a b of its own.
	room := func(name, field string, n ex) string {
		key := "joint:" + name + plate.Name // of several, each has its own size
		if _, ok := e.f.byKey[key]; !ok {
			e.f.byKey[key] = e.f.own(name)
			e.f.uses = append(e.f.uses, use{e.f.byKey[key], jen.Id("s").Dot(field).Index(jen.Op(":").Add(n.Code()))})
		}
		return e.f.byKey[key]
	}
	b, s := room("b", "blockH", n), room("S", "blockPrec", mul(n, n))
	c := *e
	c.loops = nil
	c.fill(b, []*ir.Plate{plate}, args[2])
	c.fill(s, []*ir.Plate{plate, plate}, args[3])
	kappa, logDet := e.poly(args[1]), e.poly(args[4])
	name := e.f.local("z")
	e.out.add(jen.Id(name).Op(":=").Qual(runtimePath, "LogZNIW").Call(kappa.Code(), jen.Id(b), jen.Id(s), logDet.Code(), n.Code(), jen.Id("s").Dot("work")))
	return id(name)
}

// atLeast makes a field of the sampler n long, if it is shorter: other kernels use it too.
func atLeast(field string, n *jen.Statement) jen.Code {
	f := jen.Id("s").Dot(field)
	return f.Clone().Op("=").Qual(runtimePath, "Resize").Call(f.Clone(), jen.Id("max").Call(jen.Len(f.Clone()), n.Clone()))
}
