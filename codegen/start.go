// This file holds the overdispersed start in generated code.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
)

// tries is how often a start is drawn before New gives up.
const tries = 100

// start prints start and disperse.
func (g *generator) start(f *jen.File) {
	f.Comment("// start draws overdispersed starts until one has positive density.")
	f.Func().Add(recv()).Id("start").Params().Error().Block(
		jen.For(jen.Range().Lit(tries)).Block(
			jen.Id("s").Dot("disperse").Call(),
			jen.Id("s").Dot("Rebuild").Call(),
			jen.If(jen.Id("lp").Op(":=").Id("s").Dot("LogJoint").Call(), jen.Op("!").Parens(notFinite("lp"))).Block(jen.Return(jen.Nil())),
		),
		jen.Return(jen.Qual("fmt", "Errorf").Call(jen.Lit("%w in "+itoa(tries)+" tries; give initial values by --init, or in Go to NewAt"), jen.Qual(runtimePath, "ErrNoStart"))),
	)
	f.Line()

	w := g.liveWriter()
	for _, p := range g.model.Plates {
		if p.Unbounded {
			w.startInUse(p)
		}
	}
	for _, v := range g.startOrder() {
		w.startVar(v)
	}
	f.Comment("// disperse draws each unknown widely within its support, and on the side of a constraint that the data ask for.")
	f.Func().Add(recv()).Id("disperse").Params().Block(w.body()...)
	f.Line()
}

// cuts returns the constraints with v alone on one side: they say between which bounds it starts.
func (g *generator) cuts(v *ir.Var) []*ir.Constraint {
	return slices.DeleteFunc(slices.Clone(g.model.Constraints), func(c *ir.Constraint) bool { return alone(c, v) == nil })
}

// alone returns the reference to v that makes up a whole side of the constraint, or nil.
func alone(c *ir.Constraint, v *ir.Var) *ir.Ref {
	for _, e := range []ir.Expr{c.L, c.R} {
		if r, ok := e.(*ir.Ref); ok && r.Var == v && len(r.Shape()) == 0 {
			return r
		}
	}
	return nil
}

// other returns what r is compared with.
func other(c *ir.Constraint, r *ir.Ref) ir.Expr {
	if c.L == ir.Expr(r) {
		return c.R
	}
	return c.L
}

// startOrder returns the state's variables, each after those that its bounds and constraints refer to.
func (g *generator) startOrder() []*ir.Var {
	return ordered(g.states(), func(v *ir.Var) []*ir.Var {
		out := mentioned(v.Support.Lo, v.Support.Hi)
		for _, f := range g.factorsOf(v) {
			lo, hi := f.Ends()
			out = append(out, mentioned(lo, hi)...)
		}
		for _, c := range g.cuts(v) {
			if c.Cuts != nil {
				out = append(out, c.Cuts.Var)
			} else {
				out = append(out, mentioned(other(c, alone(c, v)))...)
			}
		}
		return out
	})
}

// startInUse draws the number in use of an unbounded plate and makes room for what runs over it.
func (w *writer) startInUse(p *ir.Plate) {
	units := w.g.units(w, p)
	inUse := w.sizeOf(p)
	w.comment("A few " + p.Name + ".")
	w.emit(inUse.Code().Op("=").Lit(1).Op("+").Add(jen.Id("s").Dot("rng").Dot("IntN").Call(jen.Min(jen.Lit(10), units.Code()))))
	for _, v := range w.g.states() {
		if slices.Contains(v.Axes, p) {
			w.emit(w.variable(v).Code().Op("=").Make(fieldType(v), w.total(v.Axes).Code()))
		}
	}
	if used := w.g.categoriesOf(p); len(used) > 0 {
		w.emit(jen.Id(w.seat(p)).Op(":=").Lit(0).Comment("// the first units take one each, so that none is empty"))
	}
}

// seat is the local counter of units that have been given one of p's categories.
func (w *writer) seat(p *ir.Plate) string {
	key := "seat:" + p.Name
	if w.byKey[key] == "" {
		w.byKey[key] = w.own("seated")
	}
	return w.byKey[key]
}

// categoriesOf returns the state's variables that hold categories of p.
func (g *generator) categoriesOf(p *ir.Plate) []*ir.Var {
	return slices.DeleteFunc(g.states(), func(v *ir.Var) bool { return v.Type.Elem != ir.Cat || v.Type.Of != p })
}

func (w *writer) rng(method string, args ...ex) ex {
	var cs []jen.Code
	for _, a := range args {
		cs = append(cs, a.Code())
	}
	return raw(jen.Id("s").Dot("rng").Dot(method).Call(cs...))
}

// startVar emits the start of one variable.
func (w *writer) startVar(v *ir.Var) {
	w.comment(v.Name)
	last := func() ex { return w.sizeOf(v.Axes[len(v.Axes)-1]) }
	switch s := v.Support; s.Kind {
	case ir.Simplex:
		w.emit(w.rng("StartSimplex", w.variable(v), last()).Code())
	case ir.SPD:
		w.emit(w.rng("StartSPD", w.variable(v), last()).Code())
	case ir.Binary:
		w.fill(v, func() ex { return w.rng("Bernoulli", num(0.5)) })
	case ir.Finite:
		draw := call("", "int32", w.rng("IntN", w.sizeOf(v.Type.Of)))
		if v.Type.Of.Unbounded {
			seat := jen.Id(w.seat(v.Type.Of))
			w.axes(v.Axes, v.Params, func(ix []ex) {
				x := w.element(v, ix)
				w.emit(x.Code().Op("=").Add(draw.Code()))
				w.emit(jen.If(seat.Clone().Op("<").Add(w.sizeOf(v.Type.Of).Code())).Block(x.Code().Op("=").Int32().Call(seat.Clone())))
				w.emit(seat.Clone().Op("++"))
			})
			return
		}
		w.fill(v, func() ex { return draw })
	case ir.Counts:
		lo, hi := w.bound(v, s.Lo), w.bound(v, s.Hi)
		if lo == nil {
			lo = &ir.Num{}
		}
		w.axes(v.Axes, v.Params, func(ix []ex) {
			top := raw(jen.Qual("math", "MaxInt"))
			if hi != nil {
				top = w.integer(hi)
			}
			w.emit(w.element(v, ix).Code().Op("=").Add(w.rng("StartCount", w.integer(lo), top).Code()))
		})
	case ir.Line:
		w.startReal(v)
		if s.Ordered {
			w.emit(jen.Qual(runtimePath, "SortRows").Call(w.variable(v).Code(), last().Code()))
		}
	}
}

// fill sets every element of v.
func (w *writer) fill(v *ir.Var, draw func() ex) {
	if len(v.Axes) == 0 {
		w.emit(w.variable(v).Code().Op("=").Add(draw().Code()))
		return
	}
	xs := w.variable(v)
	i := w.own("i")
	w.emit(jen.For(jen.Id(i).Op(":=").Range().Add(xs.Code())).Block(index(xs, id(i)).Code().Op("=").Add(draw().Code())))
	delete(w.byName, i)
}

// startReal starts a real variable between its bounds and on the right side of its constraints.
func (w *writer) startReal(v *ir.Var) {
	s := v.Support
	lo, hi := w.bound(v, s.Lo), w.bound(v, s.Hi)
	limits := func() (l, h ex) {
		l, h = constant(negInf), constant(posInf)
		if lo != nil {
			l = w.scalar(lo)
		}
		if hi != nil {
			h = w.scalar(hi)
		}
		return l, h
	}
	indexed := slices.ContainsFunc(v.Params, func(b ir.Binder) bool {
		return lo != nil && mentionsIndex(lo, b.Name) || hi != nil && mentionsIndex(hi, b.Name)
	})
	if indexed {
		w.axes(v.Axes, v.Params, func(ix []ex) {
			l, h := limits()
			w.emit(w.element(v, ix).Code().Op("=").Add(w.rng("Start", l, h).Code()))
		})
	} else {
		l, h := limits()
		w.fill(v, func() ex { return w.rng("Start", l, h) })
	}
	w.startBetweenOwnEnds(v)
	// Constraints about the same elements, as of an interval, are met together, and all of those about one number.
	cs := w.g.cuts(v)
	for len(cs) > 0 {
		first := cs[0]
		same := []*ir.Constraint{first}
		var rest []*ir.Constraint
		for _, c := range cs[1:] {
			if len(v.Axes) == 0 || elementwise(first, v) && elementwise(c, v) {
				same = append(same, c)
			} else {
				rest = append(rest, c)
			}
		}
		cs = rest
		w.constrain(v, same, limits)
	}
}

// startBetweenOwnEnds starts the elements of v between bounds that only some of its statements give.
func (w *writer) startBetweenOwnEnds(v *ir.Var) {
	for _, f := range w.g.factorsOf(v) {
		lo, hi := f.Ends()
		if (lo == nil || v.Support.Lo != nil) && (hi == nil || v.Support.Hi != nil) || v.Support.Ordered || len(f.X.Shape()) > 0 || !w.available(lo) || !w.available(hi) {
			continue
		}
		w.overAll(f.Over, func() {
			w.exists(f.X, func() {
				l, h := constant(negInf), constant(posInf)
				if lo != nil {
					l = w.scalar(lo)
				}
				if hi != nil {
					h = w.scalar(hi)
				}
				w.emit(w.element(v, w.indices(f.X.Idx)).Code().Op("=").Add(w.rng("Start", l, h).Code()))
			})
		})
	}
}

// elementwise reports whether a constraint is about each element of v in turn.
func elementwise(c *ir.Constraint, v *ir.Var) bool {
	r := alone(c, v)
	if len(r.Idx) != len(c.Over) {
		return false
	}
	for i, b := range c.Over {
		if x := r.Idx[i]; x.Cat != nil || x.Add != 0 || x.Name != b.Name || b.Lo != 0 || b.Hi != 0 {
			return false
		}
	}
	return true
}

// constrain draws the elements of v that the constraints are about between the bounds that they and the support give.
func (w *writer) constrain(v *ir.Var, cs []*ir.Constraint, limits func() (l, h ex)) {
	first := cs[0]
	var lo, hi string
	begin := func(l, h ex) {
		lo, hi = w.temp("lo"), w.temp("hi")
		w.emit(jen.List(jen.Id(lo), jen.Id(hi)).Op(":=").List(asFloat(l), asFloat(h)))
	}
	draw := func(ix []ex) { w.emit(w.element(v, ix).Code().Op("=").Add(w.rng("Start", id(lo), id(hi)).Code())) }
	if len(v.Axes) == 0 { // one number between the bounds of all units
		begin(limits())
		for _, c := range cs {
			w.overAll(c.Over, func() {
				w.exists(c.Y, func() { w.narrow(c, alone(c, v), lo, hi) })
			})
		}
		draw(nil)
		return
	}
	w.overAll(first.Over, func() {
		w.exists(first.Y, func() {
			l, h := constant(negInf), constant(posInf)
			ix := w.indices(alone(first, v).Idx)
			w.bindAll(v.Params, ix, func() { l, h = limits() })
			begin(l, h)
			w.narrow(first, alone(first, v), lo, hi)
			for _, c := range cs[1:] {
				var at []ex
				for _, b := range first.Over {
					at = append(at, w.env[b.Name].e)
				}
				w.bindAll(c.Over, at, func() { w.narrow(c, alone(c, v), lo, hi) })
			}
			draw(ix)
		})
	})
}

func asFloat(e ex) *jen.Statement {
	if e.isNum {
		return jen.Float64().Call(e.Code())
	}
	return e.Code()
}

// bindAll binds index names to values.
func (w *writer) bindAll(bs []ir.Binder, ix []ex, body func()) {
	if len(bs) == 0 || len(ix) == 0 {
		body()
		return
	}
	w.within(bs[0].Name, ix[0], func() { w.bindAll(bs[1:], ix[1:], body) })
}

// narrow tightens lo or hi to what a constraint leaves.
func (w *writer) narrow(c *ir.Constraint, r *ir.Ref, lo, hi string) {
	clear(w.buffers)
	raise := func(x ex) jen.Code { return jen.Id(lo).Op("=").Max(jen.Id(lo), x.Code()) }
	lower := func(x ex) jen.Code { return jen.Id(hi).Op("=").Min(jen.Id(hi), x.Code()) }
	if c.Cuts != nil {
		y, cuts := call("", "int", w.ref(c.Y)), w.values(c.Cuts, c.Cuts.Var.Name)
		w.emit(
			jen.If(cmp(">", y, intLit(0)).Code()).Block(raise(index(cuts, sub(y, intLit(1))))),
			jen.If(cmp("<", y, call("", "len", cuts)).Code()).Block(lower(index(cuts, y))))
		return
	}
	bound := w.scalar(other(c, r))
	above, below := raise(bound), lower(bound)
	if greater := (c.L == ir.Expr(r)) != c.Less; !greater {
		above, below = below, above
	}
	w.emit(jen.If(w.ref(c.Y).Code()).Block(above).Else().Block(below))
}
