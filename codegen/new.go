// This file holds construction in generated code: validation of data and constants, the overdispersed start, and access to
// data and state.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// newFunc prints New, NewAt, what they call, and the accessors.
func (g *generator) newFunc(f *jen.File) {
	g.constructors(f)
	g.checkFunc(f)
	g.checkState(f)
	g.makeState(f)
	g.start(f)
	g.accessors(f)
}

var (
	recv   = func() *jen.Statement { return jen.Params(jen.Id("s").Op("*").Id("Sampler")) }
	inputs = func() []jen.Code {
		return []jen.Code{jen.Id("data").Id("Data"), jen.Id("hyper").Id("Hyper")}
	}
	rngParam   = func() *jen.Statement { return jen.Id("rng").Op("*").Qual(runtimePath, "Rand") }
	newSampler = func() *jen.Statement {
		return jen.Id("s").Op(":=").Op("&").Id("Sampler").Values(jen.Dict{
			jen.Id("data"): jen.Id("data"), jen.Id("hyper"): jen.Id("hyper"), jen.Id("rng"): jen.Id("rng"),
		})
	}
	ifErr = func(do, result *jen.Statement) *jen.Statement {
		return jen.If(jen.Err().Op(":=").Add(do), jen.Err().Op("!=").Nil()).Block(jen.Return(result))
	}
	wrapped = func(pkg string) *jen.Statement {
		return jen.Qual("fmt", "Errorf").Call(jen.Lit(pkg+": %w"), jen.Err())
	}
)

func (g *generator) constructors(f *jen.File) {
	fail := func() *jen.Statement { return jen.List(jen.Nil(), wrapped(g.pkg)) }
	f.Comment("// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error")
	f.Comment("// names the field and the element. If no start of positive density is found, use NewAt.")
	f.Func().Id("New").Params(append(inputs(), rngParam())...).Params(jen.Op("*").Id("Sampler"), jen.Error()).Block(
		jen.List(jen.Id("s"), jen.Err()).Op(":=").Id("build").Call(jen.Id("data"), jen.Id("hyper"), jen.Id("rng")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(fail())),
		ifErr(jen.Id("s").Dot("start").Call(), fail()),
		jen.Return(jen.Id("s"), jen.Nil()),
	)
	f.Line()
	f.Comment("// NewAt returns a chain that starts at the given state, which is copied.")
	f.Func().Id("NewAt").Params(append(inputs(), jen.Id("st").Id("State"), rngParam())...).Params(jen.Op("*").Id("Sampler"), jen.Error()).Block(
		jen.List(jen.Id("s"), jen.Err()).Op(":=").Id("build").Call(jen.Id("data"), jen.Id("hyper"), jen.Id("rng")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(fail())),
		ifErr(jen.Id("s").Dot("SetState").Call(jen.Id("st")), jen.List(jen.Nil(), jen.Err())),
		jen.Return(jen.Id("s"), jen.Nil()),
	)
	f.Line()

	body := []jen.Code{newSampler(), ifErr(jen.Id("s").Dot("check").Call(jen.True()), jen.List(jen.Nil(), jen.Err()))}
	body = append(body, g.buffers()...)
	for _, p := range g.model.Plates {
		if p.Unbounded {
			body = append(body, jen.Id("s").Dot("state").Dot(g.l.size[p]).Op("=").Lit(1))
		}
	}
	body = append(body,
		ifErr(jen.Id("s").Dot("makeState").Call(), jen.List(jen.Nil(), jen.Err())),
		jen.Id("s").Dot("alloc").Call(), jen.Id("s").Dot("sumData").Call(), jen.Return(jen.Id("s"), jen.Nil()))
	f.Comment("// build checks the inputs and makes room for the state and all that is computed from it.")
	f.Func().Id("build").Params(append(inputs(), rngParam())...).Params(jen.Op("*").Id("Sampler"), jen.Error()).Block(body...)
	f.Line()
}

// buffers makes the scratch space of the log joint.
func (g *generator) buffers() []jen.Code {
	var out []jen.Code
	if g.needsMat() {
		out = append(out, jen.Id("s").Dot("mat").Op("=").New(jen.Qual(runtimePath, "MatWork")))
	}
	for _, b := range g.judge().buffers {
		size := ex{}
		for _, p := range b.shape {
			n := raw(jen.Id("data").Dot(g.l.size[p]))
			if size.code == nil {
				size = n
			} else {
				size = mul(size, n)
			}
		}
		out = append(out, jen.Id("s").Dot(b.field).Op("=").Make(jen.Index().Float64(), size.Code()))
	}
	return out
}

// given reports whether v is data that nothing draws, so that Simulate needs it too; part says that some of it is drawn.
func (g *generator) given(v *ir.Var) (all, part bool) {
	drawn, plain, full := false, false, false
	for _, d := range g.statements(v.Name) {
		plain = plain || d.Dist == nil
	}
	for _, f := range g.factorsOf(v) {
		drawn = true
		full = full || covers(f.Over, f.X)
	}
	for _, c := range g.model.Constraints {
		if c.Y.Var == v {
			drawn = true
			full = full || covers(c.Over, c.Y)
		}
	}
	return !drawn, drawn && plain && !full
}

// covers reports whether a statement is about every element.
func covers(over []ir.Binder, x *ir.Ref) bool {
	for _, i := range x.Idx {
		if i.Name == "" {
			return false
		}
	}
	return !slices.ContainsFunc(over, func(b ir.Binder) bool { return b.Lo != 0 || b.Hi != 0 })
}

// checkFunc prints check, which validates data and constants in three steps, since each may rely on the ones before: sizes,
// lengths, values.
func (g *generator) checkFunc(f *jen.File) {
	w := g.writer("observed")
	g.checkSizes(w)
	sizes := append(w.body(), jen.Return(w.join()))

	w = g.writer("observed")
	g.checkLengths(w)
	lengths := append(w.body(), jen.Return(w.join()))

	w = g.writer("observed")
	inputs := append(g.roles(dsl.Const), g.roles(dsl.Data)...)
	rest := inputs
	if g.lookUp() {
		var cats []*ir.Var
		cats, rest = categoriesFirst(inputs)
		g.checkInputs(w, cats)
		w.flush()
	}
	g.checkInputs(w, rest)
	w.whenObserved(func() { g.checkTotals(w) })
	values := append(w.body(), jen.Return(w.join()))

	f.Comment("// check reports what is wrong with data and constants; observed says whether the data that have a distribution are there.")
	f.Func().Add(recv()).Id("check").Params(jen.Id("observed").Bool()).Error().Block(
		ifErr(jen.Id("s").Dot("checkSizes").Call(), jen.Err()),
		ifErr(jen.Id("s").Dot("checkLengths").Call(jen.Id("observed")), jen.Err()),
		jen.Return(jen.Id("s").Dot("checkValues").Call(jen.Id("observed"))),
	)
	f.Line()
	f.Comment("// checkSizes validates the sizes of the plates, and finds where the parts of ragged ones begin.")
	f.Func().Add(recv()).Id("checkSizes").Params().Error().Block(sizes...)
	f.Line()
	f.Comment("// checkLengths validates the lengths of arrays.")
	f.Func().Add(recv()).Id("checkLengths").Params(jen.Id("observed").Bool()).Error().Block(lengths...)
	f.Line()
	f.Comment("// checkValues validates every element of data and constants.")
	f.Func().Add(recv()).Id("checkValues").Params(jen.Id("observed").Bool()).Error().Block(values...)
	f.Line()
}

// checkInputs emits the checks of the elements of data and constants.
func (g *generator) checkInputs(w *writer, vars []*ir.Var) {
	for _, v := range vars {
		if v.Role == dsl.Const || isGiven(g, v) {
			w.checkVar(v)
		}
	}
	w.whenObserved(func() {
		for _, v := range vars {
			if v.Role == dsl.Data && !isGiven(g, v) {
				w.checkVar(v)
			}
		}
	})
}

// lookUp reports whether a bound is looked up by a category, so that categories must be checked before bounds.
func (g *generator) lookUp() bool {
	found := false
	look := func(e ir.Expr) {
		found = found || anyRef(e, func(r *ir.Ref) bool { return r.Var.Type.Elem == ir.Cat })
	}
	for _, v := range g.model.Vars {
		look(v.Support.Lo)
		look(v.Support.Hi)
	}
	for _, f := range g.model.Factors {
		if f.Dist.Event == 1 && f.Dist.Type == ir.Int {
			look(f.Args[0])
		}
	}
	return found
}

// categoriesFirst splits variables into categories and others.
func categoriesFirst(vars []*ir.Var) (cats, rest []*ir.Var) {
	for _, v := range vars {
		if v.Support.Kind == ir.Finite {
			cats = append(cats, v)
		} else {
			rest = append(rest, v)
		}
	}
	return cats, rest
}

// flush emits the checks collected so far.
func (w *writer) flush() {
	if len(w.joined) > 0 {
		w.emit(ifErr(w.join(), jen.Err()))
	}
}

// try checks by runtime.fn(args): together with others outside of loops, and at once inside.
func (w *writer) try(fn string, args ...jen.Code) {
	call := jen.Qual(runtimePath, fn).Call(args...)
	if w.depth == 0 {
		w.joined = append(w.joined, call)
	} else {
		w.emit(ifErr(call, jen.Err()))
	}
}

// join returns the error of the checks collected so far.
func (w *writer) join() *jen.Statement {
	checks := w.joined
	w.joined = nil
	switch len(checks) {
	case 0:
		return jen.Nil()
	case 1:
		return jen.Add(checks[0])
	}
	return jen.Qual("errors", "Join").Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}, checks...)
}

// whenObserved emits the checks that body makes under the condition that data which have a distribution are there.
func (w *writer) whenObserved(body func()) {
	before, out := w.joined, w.out
	w.joined, w.out = nil, nil
	body()
	w.flush()
	inner := w.out
	w.joined, w.out = before, out
	if len(inner) > 0 {
		w.flush() // what came before comes first
		w.emit(jen.If(jen.Id("observed")).Block(inner...))
	}
}

// checkSizes emits the checks of sizes.
func (g *generator) checkSizes(w *writer) {
	need := g.leastSizes()
	w.emit(ifErr(jen.Id("s").Dot("data").Dot("Sizes").Dot("check").Call(), jen.Err()))
	for _, p := range g.model.Plates {
		if p.Over == nil {
			continue
		}
		lengths := jen.Id("s").Dot("data").Dot(g.l.size[p])
		parents := jen.Id("s").Dot("data").Dot(g.l.size[p.Over])
		if p.Over.Over != nil {
			at := jen.Id("s").Dot(startField(p.Over))
			parents = at.Clone().Index(jen.Len(at.Clone()).Op("-").Lit(1))
		}
		w.emit(jen.If(
			jen.Err().Op(":=").Qual(runtimePath, "Lengths").Call(jen.Lit(g.l.size[p]), lengths.Clone(), parents, jen.Lit(need[p])), jen.Err().Op("!=").Nil(),
		).Block(jen.Return(jen.Err())))
		w.emit(jen.Id("s").Dot(startField(p)).Op("=").Qual(runtimePath, "Offsets").Call(lengths.Clone()))
	}
	for _, c := range g.model.Constraints {
		if c.Cuts != nil {
			k, y := c.Cuts.Shape()[0], c.Y.Var.Type.Of
			if k.Unbounded || y.Unbounded || k.Over != nil {
				continue
			}
			w.try("OneMore", jen.Lit(g.l.size[y]), jen.Id("s").Dot("data").Dot(g.l.size[y]), jen.Lit(g.l.size[k]), jen.Id("s").Dot("data").Dot(g.l.size[k]))
		}
	}
}

// leastSizes returns how many elements a plate must have for the literal indices that statements refer to. An index is excused in
// a statement about an element at least as far along: that statement is void where the plate is shorter.
func (g *generator) leastSizes() map[*ir.Plate]int {
	need := map[*ir.Plate]int{}
	look := func(x *ir.Ref, es ...ir.Expr) {
		about := map[*ir.Plate]int{}
		if x != nil {
			for i, ix := range x.Idx {
				if ix.Name == "" && ix.Cat == nil {
					about[x.Var.Axes[i]] = max(about[x.Var.Axes[i]], ix.Add+1)
				}
			}
		}
		for _, e := range es {
			anyRef(e, func(r *ir.Ref) bool {
				for i, ix := range r.Idx {
					p := r.Var.Axes[i]
					if ix.Name == "" && ix.Cat == nil && ix.Add+1 > about[p] {
						need[p] = max(need[p], ix.Add+1)
					}
				}
				return false
			})
		}
	}
	for _, f := range g.model.Factors {
		look(f.X, append([]ir.Expr{f.Lo, f.Hi}, f.Args...)...)
	}
	for _, c := range g.model.Constraints {
		look(c.Y, c.L, c.R)
		if c.Cuts != nil {
			look(c.Y, c.Cuts)
		}
	}
	for _, v := range g.model.Vars {
		look(nil, v.Support.Lo, v.Support.Hi)
	}
	for _, r := range g.model.Monitor {
		look(nil, r, r.Var.Def)
	}
	return need
}

// extent returns code for the number of elements of v, safe from overflow.
func (w *writer) extent(v *ir.Var) *jen.Statement {
	var ns []jen.Code
	for i := 0; i < len(v.Axes); {
		j := i + chainLen(v.Axes[i:])
		ns = append(ns, w.total(v.Axes[i:j]).Code())
		i = j
	}
	if len(ns) == 1 {
		return ns[0].(*jen.Statement)
	}
	return jen.Qual(runtimePath, "Extent").Call(ns...)
}

// isGiven reports whether v is data that nothing draws.
func isGiven(g *generator, v *ir.Var) bool {
	all, _ := g.given(v)
	return all
}

// checkLengths emits the checks of array lengths.
func (g *generator) checkLengths(w *writer) {
	check := func(v *ir.Var) {
		w.try("Length", jen.Lit(g.l.field[v]), jen.Len(jen.Id("s").Dot(holder(v)).Dot(g.l.field[v])), w.extent(v))
	}
	var drawn []*ir.Var
	for _, v := range append(g.roles(dsl.Const), g.roles(dsl.Data)...) {
		if len(v.Axes) == 0 {
			continue
		}
		switch all, part := g.given(v); {
		case v.Role == dsl.Const && v.Default != nil && overRagged(v):
			// DefaultHyper knows no lengths of ragged plates.
			field := jen.Id("s").Dot(holder(v)).Dot(g.l.field[v])
			fill := w.block(func() {
				w.emit(field.Clone().Op("=").Make(fieldType(v), w.extent(v)))
				w.rawDefault(v)
			})
			w.emit(jen.If(field.Clone().Op("==").Nil()).Block(fill...))
			check(v)
		case v.Role == dsl.Const || all || part:
			check(v)
		default:
			drawn = append(drawn, v)
		}
	}
	w.whenObserved(func() {
		for _, v := range drawn {
			check(v)
		}
	})
}

// rawDefault fills a constant that has just been made.
func (w *writer) rawDefault(v *ir.Var) {
	at := w.array(v.Default)
	n := len(v.Default.Shape())
	field := raw(jen.Id("s").Dot("hyper").Dot(w.l.field[v]))
	w.axes(v.Axes, v.Params, func(ix []ex) {
		w.emit(index(field, w.offset(v.Axes, ix)).Code().Op("=").Add(w.convert(v.Type, at(ix[:n]...)).Code()))
	})
}

// checkVar emits the check that the elements of v are finite and lie within its support.
func (w *writer) checkVar(v *ir.Var) {
	name := jen.Lit(w.l.field[v])
	all := func() jen.Code { // for variadic helpers
		if len(v.Axes) == 0 {
			return w.variable(v).Code()
		}
		return w.variable(v).Code().Op("...")
	}
	s := v.Support
	switch s.Kind {
	case ir.Simplex:
		w.try("Simplex", name, w.variable(v).Code(), w.sizeOf(v.Axes[len(v.Axes)-1]).Code())
	case ir.SPD:
		w.try("PosDef", name, w.variable(v).Code(), w.sizeOf(v.Axes[len(v.Axes)-1]).Code())
	case ir.Finite:
		xs := w.variable(v).Code()
		if len(v.Axes) == 0 {
			xs = jen.Index().Int32().Values(xs)
		}
		w.try("Categories", name, xs, w.sizeOf(v.Type.Of).Code())
	case ir.Counts:
		lo, hi := w.bound(v, s.Lo), w.bound(v, s.Hi)
		if hi == nil && (lo == nil || isZero(lo)) {
			w.try("Counts", name, all())
			return
		}
		if lo == nil {
			lo = &ir.Num{}
		}
		w.eachBound(v, lo, hi, func(at []jen.Code, x ex) {
			top := raw(jen.Qual("math", "MaxInt"))
			if hi != nil {
				top = w.integer(hi)
			}
			w.try("CountWithin", append([]jen.Code{name, x.Code(), w.integer(lo).Code(), top.Code()}, at...)...)
		})
	case ir.Line:
		lo, hi := w.bound(v, s.Lo), w.bound(v, s.Hi)
		switch {
		case lo == nil && hi == nil:
			w.try("Finite", name, all())
		case hi == nil && isZero(lo) && !s.LoClosed:
			w.try("Positive", name, all())
		case hi == nil && isZero(lo):
			w.try("NonNegative", name, all())
		default:
			w.eachBound(v, lo, hi, func(at []jen.Code, x ex) {
				l, h := constant(negInf), constant(posInf)
				if lo != nil {
					l = w.scalar(lo)
				}
				if hi != nil {
					h = w.scalar(hi)
				}
				w.try("Within", append([]jen.Code{name, x.Code(), l.Code(), h.Code(), jen.Lit(s.LoClosed), jen.Lit(s.HiClosed)}, at...)...)
			})
		}
		if s.Ordered {
			w.try("Increasing", name, w.variable(v).Code(), w.sizeOf(v.Axes[len(v.Axes)-1]).Code())
		}
	}
}

func isZero(e ir.Expr) bool {
	n, ok := e.(*ir.Num)
	return ok && n.Value == 0
}

// bound returns a bound of v if it can be evaluated where v is checked: data know nothing of unknowns, and an index of one of several
// statements has no meaning.
func (w *writer) bound(v *ir.Var, e ir.Expr) ir.Expr {
	if e == nil || !v.Unknown() && !known(e) || !w.available(e) {
		return nil
	}
	for _, f := range w.g.model.Factors {
		for _, b := range f.Over {
			mine := slices.ContainsFunc(v.Params, func(p ir.Binder) bool { return p.Name == b.Name })
			if f.X.Var == v && !mine && mentionsIndex(e, b.Name) {
				return nil
			}
		}
	}
	return e
}

// available reports whether all that e refers to is at hand: what is integrated out is not.
func (w *writer) available(e ir.Expr) bool {
	return !anyRef(e, func(r *ir.Ref) bool { return r.Var.Unknown() && !w.g.stored(r.Var) })
}

// eachBound runs body for every element of v, with the indices of its statement bound; at is where it is, for a message.
func (w *writer) eachBound(v *ir.Var, lo, hi ir.Expr, body func(at []jen.Code, x ex)) {
	if len(v.Axes) > 0 {
		w.flush() // what the bounds are made of is checked first
	}
	w.axes(v.Axes, v.Params, func(ix []ex) {
		var at []jen.Code
		for _, i := range ix {
			at = append(at, i.Code())
		}
		body(at, w.element(v, ix))
	})
}

// checkTotals emits the check that multinomial counts add up to their number of trials.
func (g *generator) checkTotals(w *writer) {
	for _, f := range g.model.Factors {
		v := f.X.Var
		if v.Role != dsl.Data || f.Dist.Event != 1 || f.Dist.Type != ir.Int || !known(f.Args[0]) {
			continue
		}
		w.overAll(f.Over, func() {
			w.exists(f.X, func() {
				var at []jen.Code
				for _, i := range w.indices(f.X.Idx) {
					at = append(at, i.Code())
				}
				w.try("SumsTo", append([]jen.Code{jen.Lit(g.l.field[v]), w.target(f.X).Code(), w.integer(f.Args[0]).Code()}, at...)...)
			})
		})
	}
}

// checkState prints checkState.
func (g *generator) checkState(f *jen.File) {
	w := g.writer()
	for _, p := range g.model.Plates {
		if p.Unbounded {
			w.try("Counts", jen.Lit(g.l.size[p]), w.sizeOf(p).Code())
		}
	}
	for _, v := range g.states() {
		if len(v.Axes) > 0 {
			w.try("Length", jen.Lit(g.l.field[v]), jen.Len(w.variable(v).Code()), w.extent(v))
		}
	}
	w.flush() // lengths must be right before bounds are looked up
	cats, rest := categoriesFirst(g.states())
	for _, v := range cats {
		w.checkVar(v)
	}
	if g.lookUp() {
		w.flush()
	}
	for _, v := range rest {
		w.checkVar(v)
	}
	for _, p := range g.model.Plates {
		if !p.Unbounded {
			continue
		}
		args := []jen.Code{jen.Lit(g.l.size[p]), w.sizeOf(p).Code()}
		for _, v := range g.categoriesOf(p) {
			xs := w.variable(v).Code()
			if len(v.Axes) == 0 {
				xs = jen.Index().Int32().Values(xs)
			}
			args = append(args, xs)
		}
		w.try("InUse", args...)
	}
	f.Comment("// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.")
	f.Func().Add(recv()).Id("checkState").Params().Error().Block(append(w.body(), jen.Return(w.join()))...)
	f.Line()
}

// units returns how many categories of an unbounded plate are drawn, which is the most that can be in use.
func (g *generator) units(w *writer, p *ir.Plate) ex {
	n := intLit(0)
	for _, v := range g.categoriesOf(p) {
		n = add(n, w.total(v.Axes))
	}
	return n
}

// makeState prints makeState.
func (g *generator) makeState(f *jen.File) {
	w := g.liveWriter()
	for _, v := range g.states() {
		if len(v.Axes) == 0 {
			continue
		}
		if ns := w.extent(v); len(v.Axes) > chainLen(v.Axes) {
			w.try("Room", jen.Lit(g.l.field[v]), ns)
		}
	}
	w.flush()
	for _, v := range g.states() {
		if len(v.Axes) > 0 {
			field := jen.Id("s").Dot("state").Dot(g.l.field[v])
			w.emit(field.Clone().Op("=").Make(fieldType(v), w.total(v.Axes).Code()))
		}
	}
	f.Comment("// makeState makes room for the state.")
	f.Func().Add(recv()).Id("makeState").Params().Error().Block(append(w.body(), jen.Return(jen.Nil()))...)
	f.Line()
}

// accessors prints State, SetState and Data.
func (g *generator) accessors(f *jen.File) {
	f.Comment("// State returns the current state. It is overwritten by the next update; Clone it to keep it.")
	f.Func().Add(recv()).Id("State").Params().Op("*").Id("State").Block(jen.Return(jen.Op("&").Id("s").Dot("state")))
	f.Line()
	f.Comment("// SetState moves the chain to a copy of st, which must lie within the supports and have positive density; if not, the chain stays")
	f.Comment("// where it is. Categories of an unbounded plate are numbered from 0 without gaps.")
	undo := []jen.Code{jen.Id("s").Dot("state").Op("=").Id("old")}
	f.Func().Add(recv()).Id("SetState").Params(jen.Id("st").Id("State")).Error().Block(
		jen.Id("old").Op(":=").Id("s").Dot("state"),
		jen.Id("s").Dot("state").Op("=").Id("st").Dot("Clone").Call(),
		jen.If(jen.Err().Op(":=").Id("s").Dot("checkState").Call(), jen.Err().Op("!=").Nil()).Block(
			append(slices.Clone(undo), jen.Return(wrapped(g.pkg)))...),
		jen.Id("s").Dot("Rebuild").Call(),
		jen.If(jen.Id("lp").Op(":=").Id("s").Dot("LogJoint").Call(), notFinite("lp")).Block(
			append(slices.Clone(undo), jen.Id("s").Dot("Rebuild").Call(),
				jen.Return(jen.Qual("fmt", "Errorf").Call(jen.Lit(g.pkg+": the state has log density %v"), jen.Id("lp"))))...),
		jen.Return(jen.Nil()),
	)
	f.Line()
	f.Comment("// Data returns the data that the chain was made with.")
	f.Func().Add(recv()).Id("Data").Params().Id("Data").Block(jen.Return(jen.Id("s").Dot("data")))
	f.Line()
}

func notFinite(name string) *jen.Statement {
	return jen.Qual("math", "IsNaN").Call(jen.Id(name)).Op("||").Qual("math", "IsInf").Call(jen.Id(name), jen.Lit(0))
}
