// This file holds forward simulation in generated code: unknowns and data drawn from the model, statement by statement.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// simulate prints Simulate and what it calls.
func (g *generator) simulate(f *jen.File) {
	fail := func() *jen.Statement {
		return jen.List(jen.Id("Data").Values(), jen.Id("State").Values(), wrapped(g.pkg))
	}
	body := []jen.Code{newSampler()}
	if g.needsMat() {
		body = append(body, jen.Id("s").Dot("mat").Op("=").New(jen.Qual(runtimePath, "MatWork")))
	}
	for _, step := range []jen.Code{
		jen.Id("s").Dot("check").Call(jen.False()),
		jen.Id("s").Dot("makeState").Call(),
		jen.Id("s").Dot("makeData").Call(),
		jen.Id("s").Dot("draw").Call(),
		jen.Id("s").Dot("checkState").Call(),
		jen.Id("s").Dot("check").Call(jen.True()),
	} {
		body = append(body, ifErr(jen.Add(step), fail()))
	}
	body = append(body, jen.Return(jen.Id("s").Dot("data"), jen.Id("s").Dot("state"), jen.Nil()))
	f.Comment("// Simulate draws the unknowns from their priors, and then the data that have a distribution or are observed. Sizes, lengths of")
	f.Comment("// ragged plates and all other data are taken from data, which is not changed. An improper prior is an error.")
	f.Func().Id("Simulate").Params(append(inputs(), rngParam())...).Params(jen.Id("Data"), jen.Id("State"), jen.Error()).Block(body...)
	f.Line()
	g.makeData(f)

	f.Comment("// draw draws everything, each statement after those that it depends on.")
	f.Func().Add(recv()).Id("draw").Params().Error().Block(g.drawBody()...)
	f.Line()
}

// makeData prints makeData.
func (g *generator) makeData(f *jen.File) {
	w := g.writer()
	for _, v := range g.roles(dsl.Data) {
		all, part := g.given(v)
		if all || len(v.Axes) == 0 {
			continue
		}
		field := func() *jen.Statement { return jen.Id("s").Dot("data").Dot(g.l.field[v]) }
		switch {
		case part:
			w.emit(field().Op("=").Qual("slices", "Clone").Call(field()))
		default:
			if len(v.Axes) > chainLen(v.Axes) {
				w.emit(ifErr(jen.Qual(runtimePath, "Room").Call(jen.Lit(g.l.field[v]), w.extent(v)), jen.Err()))
			}
			w.emit(field().Op("=").Make(fieldType(v), w.total(v.Axes).Code()))
		}
	}
	f.Comment("// makeData makes room for the data that are drawn, so that what was given is never written to.")
	f.Func().Add(recv()).Id("makeData").Params().Error().Block(append(w.body(), jen.Return(jen.Nil()))...)
	f.Line()
}

// A drawer prints the statements of draw.
type drawer struct {
	*writer
	fixed  map[*node]map[int]ex // axes whose index a loop around several statements has set
	opened map[*ir.Plate]bool   // unbounded plates whose categories have been counted
	args   []ex                 // of the current statement, what no index changes
	failed bool                 // some component has no order
}

// drawBody returns the statements of draw.
func (g *generator) drawBody() []jen.Code {
	refuse := func(text string) []jen.Code {
		return []jen.Code{jen.Return(jen.Qual("errors", "New").Call(jen.Lit(text)))}
	}
	for _, f := range g.model.Factors {
		switch {
		case f.Dist.Draw == "" && !isGEM(f):
			return refuse("the prior of " + f.X.Var.Name + " is improper, so nothing can be drawn from it")
		}
	}
	d := &drawer{writer: g.liveWriter(), fixed: map[*node]map[int]ex{}, opened: map[*ir.Plate]bool{}}
	for _, v := range g.model.Vars {
		if v.Role == dsl.Data && len(v.Axes) == 0 {
			d.write[v] = true
		}
	}
	nodes, deps := g.nodes()
	for _, v := range g.collapsed() {
		d.declare(v, nodes)
	}
	for _, p := range g.model.Plates {
		if f := g.stick(p); f != nil {
			d.comment("how often each of " + p.Name + " was drawn")
			if axes := f.X.Var.Axes; len(axes) > 1 {
				d.emit(jen.Id(d.counts(p)).Op(":=").Make(jen.Index().Index().Int(), d.total(axes[:len(axes)-1]).Code()))
			} else {
				d.emit(jen.Var().Id(d.counts(p)).Index().Int())
			}
		}
	}
	d.all(nodes, deps)
	for _, p := range g.model.Plates {
		if g.stick(p) != nil {
			d.open(p)
		}
	}
	if d.failed {
		return refuse("the statements of the model refer to each other in a circle, so they cannot be drawn forward")
	}
	return append(d.body(), jen.Return(jen.Nil()))
}

// declare declares a variable that is integrated out: it is drawn, but no part of the state.
func (d *drawer) declare(v *ir.Var, nodes []*node) {
	name := d.bindVar(v)
	d.comment(v.Name + " is no part of the state.")
	switch {
	case len(v.Axes) == 0 || overUnbounded(v):
		d.emit(jen.Var().Id(name).Add(fieldType(v)))
	default:
		d.emit(jen.Id(name).Op(":=").Make(fieldType(v), d.total(v.Axes).Code()))
	}
	used := slices.ContainsFunc(nodes, func(n *node) bool {
		return slices.ContainsFunc(n.uses, func(r *ir.Ref) bool { return r.Var == v })
	})
	if !used {
		d.emit(jen.Id("_").Op("=").Id(name))
	}
}

// counts is the local slice of how often each category of p was drawn.
func (d *drawer) counts(p *ir.Plate) string {
	key := "counts:" + p.Name
	if d.byKey[key] == "" {
		d.byKey[key] = d.own("counts")
	}
	return d.byKey[key]
}

// open sets the number in use of p, once its categories are drawn, and makes room for what runs over it.
func (d *drawer) open(p *ir.Plate) {
	if d.opened[p] {
		return
	}
	d.opened[p] = true
	if len(d.g.stick(p).Over) > 0 {
		d.emit(jen.For(jen.List(jen.Id("_"), jen.Id("c")).Op(":=").Range().Id(d.counts(p))).Block(
			d.sizeOf(p).Code().Op("=").Max(d.sizeOf(p).Code(), jen.Len(jen.Id("c")))))
	} else {
		d.emit(d.sizeOf(p).Code().Op("=").Len(jen.Id(d.counts(p))))
	}
	for _, v := range append(d.g.states(), d.g.collapsed()...) {
		if slices.Contains(v.Axes, p) {
			d.emit(d.variable(v).Code().Op("=").Make(fieldType(v), d.total(v.Axes).Code()))
		}
	}
}

// all emits the nodes in an order that their dependences allow.
func (d *drawer) all(nodes []*node, deps []dep) {
	from := map[*node][]dep{}
	for _, x := range deps {
		from[x.from] = append(from[x.from], x)
	}
	for _, comp := range components(nodes, deps) {
		var in []dep
		for _, n := range comp {
			for _, x := range from[n] {
				if slices.Contains(comp, x.to) {
					in = append(in, x)
				}
			}
		}
		if len(comp) == 1 && (len(in) == 0 || len(d.fixed[comp[0]]) == 0 && inOrder(comp[0], in)) {
			d.node(comp[0])
			continue
		}
		c := findChain(comp, in, d.fixed)
		if c == nil {
			d.failed = true
			return
		}
		d.along(comp, c)
	}
}

// along emits a loop over a chain's plate, and in it what is drawn of each element.
func (d *drawer) along(comp []*node, c *chain) {
	first := comp[0]
	a := nthAxis(first.def.Var, c.plate, c.nth)
	// The parents of a ragged plate come first.
	depth := len(chainOf(c.plate)) - 1
	for i := a - depth; i < a; i++ {
		if _, done := d.fixed[first][i]; !done {
			d.loop(comp, first, i, a, c.nth, false, func() { d.along(comp, c) })
			return
		}
	}
	d.loop(comp, first, a, a, c.nth, c.down, func() { d.all(comp, c.stay) })
}

// loop emits a loop over axis i of what the first node draws, which fixes the same axis of all of them: they are aligned at the axis a
// over the chain's plate.
func (d *drawer) loop(comp []*node, first *node, i, a, nth int, down bool, body func()) {
	p, plate := first.def.Var.Axes[i], first.def.Var.Axes[a]
	var of []ex
	for j := i - len(chainOf(p)) + 1; j < i; j++ {
		of = append(of, d.fixed[first][j])
	}
	size := d.sizeOf(p, of...)
	name := indexName(p)
	for _, n := range comp {
		at := nthAxis(n.def.Var, plate, nth) - (a - i)
		if x := n.def.Idx[at]; x.Name != "" {
			name = x.Name
			break
		}
	}
	v := d.local(name)
	for _, n := range comp {
		if d.fixed[n] == nil {
			d.fixed[n] = map[int]ex{}
		}
		d.fixed[n][nthAxis(n.def.Var, plate, nth)-(a-i)] = id(v)
	}
	inner := d.block(body)
	for _, n := range comp {
		delete(d.fixed[n], nthAxis(n.def.Var, plate, nth)-(a-i))
	}
	delete(d.byName, v)
	d.emit(header(v, size, 0, 0, down, true).Block(inner...))
}

// node emits the draws of one statement, over the axes that no loop around it has fixed.
func (d *drawer) node(n *node) {
	for _, p := range n.plates {
		d.open(p)
	}
	text := ""
	if n.factor != nil {
		text = d.g.quote(n.factor.Span)
	} else {
		text = d.g.quote(n.cut.Span)
	}
	d.statement(text)
	d.args = nil
	if f := n.factor; f != nil && fromStick(f) == nil && len(d.fixed[n]) == 0 && !guarded(f.X) {
		d.args = make([]ex, len(f.Args))
		for i, a := range f.Args { // what no index changes is computed before the loops
			if free(a, n.over) {
				d.args[i] = d.arg(f, i, a)
			}
		}
	}
	d.outer(n, 0)
	if v := n.def.Var; v.Support.Ordered && n.factor != nil {
		d.emit(jen.Qual(runtimePath, "SortRows").Call(d.variable(v).Code(), d.sizeOf(v.Axes[len(v.Axes)-1]).Code()))
	}
}

// outer binds the indices of a node's axes from axis i on, and then draws.
func (d *drawer) outer(n *node, i int) {
	if i == len(n.def.Idx) {
		if len(d.fixed[n]) == 0 {
			d.exists(n.def, func() { d.draw(n) })
		} else {
			d.draw(n)
		}
		return
	}
	x := n.def.Idx[i]
	v, isFixed := d.fixed[n][i]
	var b ir.Binder
	for _, o := range n.over {
		if o.Name == x.Name {
			b = o
		}
	}
	size := func() ex {
		p := n.def.Var.Axes[i]
		return d.sizeOf(p, d.indices(n.def.Idx[i-len(chainOf(p))+1:i])...)
	}
	when := func(cond ex, body func()) {
		if inner := d.block(body); len(inner) > 0 {
			d.emit(jen.If(cond.Code()).Block(inner...))
		}
	}
	rest := func() { d.outer(n, i+1) }
	switch {
	case isFixed && x.Name == "":
		when(cmp("==", v, intLit(x.Add)), rest)
	case isFixed:
		bound := func() { d.within(x.Name, v, rest) }
		switch {
		case b.Lo > 0 && b.Hi < 0:
			when(and(cmp(">=", v, intLit(b.Lo)), cmp("<", v, sub(size(), intLit(-b.Hi)))), bound)
		case b.Lo > 0:
			when(cmp(">=", v, intLit(b.Lo)), bound)
		case b.Hi < 0:
			when(cmp("<", v, sub(size(), intLit(-b.Hi))), bound)
		default:
			bound()
		}
	case x.Name == "":
		if len(d.fixed[n]) > 0 && mayMiss(x, n.def.Var.Axes[i]) {
			when(cmp(">", size(), intLit(x.Add)), rest)
			return
		}
		rest()
	default:
		d.over(b, rest)
	}
}

// draw emits one draw.
func (d *drawer) draw(n *node) {
	if n.cut != nil {
		d.observe(n.cut)
		return
	}
	f := n.factor
	if p := fromStick(f); p != nil && d.g.stick(p) != nil {
		d.seatNext(f, p)
		return
	}
	args := make([]ex, len(f.Args))
	copy(args, d.args)
	for i, a := range f.Args {
		if args[i].code == nil {
			args[i] = d.arg(f, i, a)
		}
	}
	x := d.target(f.X)
	var at []jen.Code
	for _, i := range d.indices(f.X.Idx) {
		at = append(at, i.Code())
	}
	switch {
	case f.Lo != nil || f.Hi != nil:
		d.emit(x.Code().Op("=").Add(d.truncated(f, args).Code()))
	case usesMatrix(f.Dist):
		draw := d.rng(f.Dist.Draw, d.matrix(f, append([]ex{x}, args...))...)
		d.emit(jen.If(jen.Err().Op(":=").Add(draw.Code()), jen.Err().Op("!=").Nil()).Block(
			jen.Return(jen.Qual(runtimePath, "DrawError").Call(append([]jen.Code{jen.Err(), jen.Lit(f.X.Var.Name)}, at...)...))))
	case f.Dist.Event > 0:
		d.emit(d.rng(f.Dist.Draw, append([]ex{x}, args...)...).Code())
	case f.Dist.Type == ir.Cat:
		k := d.temp("k")
		d.emit(jen.Id(k).Op(":=").Add(d.rng(f.Dist.Draw, args...).Code()))
		d.emit(jen.If(jen.Id(k).Op("<").Lit(0)).Block(
			jen.Return(jen.Qual(runtimePath, "DrawError").Call(append([]jen.Code{jen.Qual(runtimePath, "ErrParameter"), jen.Lit(f.X.Var.Name)}, at...)...))))
		d.emit(x.Code().Op("=").Int32().Call(jen.Id(k)))
	default:
		d.emit(x.Code().Op("=").Add(d.rng(f.Dist.Draw, args...).Code()))
	}
}

// seatNext emits the draw of a category from a stick: by the Chinese restaurant process, in order of appearance.
func (d *drawer) seatNext(f *ir.Factor, p *ir.Plate) {
	stick, of := d.g.stick(p), f.Args[0].(*ir.Ref)
	counts, k := id(d.counts(p)), d.temp("k")
	at := d.indices(of.Idx)
	if len(at) > 0 {
		counts = index(counts, d.offset(of.Var.Axes[:len(at)], at))
	}
	d.bindAll(stick.Over, at, func() {
		d.emit(jen.Id(k).Op(":=").Add(d.rng("CRP", counts, d.scalar(stick.Args[0])).Code()))
	})
	d.emit(
		jen.If(jen.Id(k).Op("==").Len(counts.Code())).Block(counts.Code().Op("=").Append(counts.Code(), jen.Lit(0))),
		counts.Code().Index(jen.Id(k)).Op("++"),
		d.ref(f.X).Code().Op("=").Int32().Call(jen.Id(k)))
}

// truncated returns a draw between the bounds of a factor.
func (d *drawer) truncated(f *ir.Factor, args []ex) ex {
	lo, hi := constant(negInf), constant(posInf)
	if f.Lo != nil {
		lo = d.scalar(f.Lo)
	}
	if f.Hi != nil {
		hi = d.scalar(f.Hi)
	}
	if f.Dist.LogCDF != nil && f.Dist.Draw == "Normal" {
		return d.rng("TruncNormalNat", arith('/', args[0], args[1]), arith('/', num(1), args[1]), lo, hi)
	}
	float := jen.Float64()
	draw := jen.Func().Params().Add(float.Clone()).Block(jen.Return(d.rng(f.Dist.Draw, args...).Code()))
	logMass := jen.Func().Params(jen.List(jen.Id("lo"), jen.Id("hi")).Float64()).Float64().Block(
		jen.Return(call(runtimePath, f.Dist.LogMass, append([]ex{id("lo"), id("hi")}, args...)...).Code()))
	return d.rng("Truncated", lo, hi, raw(draw), raw(logMass))
}

// observe emits what a constraint says of the data.
func (d *drawer) observe(c *ir.Constraint) {
	if c.Cuts != nil {
		k := call(runtimePath, "CutCategory", d.scalar(c.L), d.values(c.Cuts, c.Cuts.Var.Name))
		d.emit(d.ref(c.Y).Code().Op("=").Int32().Call(k.Code()))
		return
	}
	d.emit(d.ref(c.Y).Code().Op("=").Add(d.compare(c).Code()))
}
