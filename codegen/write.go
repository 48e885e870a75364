// This file holds how the typed model becomes Go: a writer prints expressions, loops and rows straight from the spec's
// statements, with no algebra in between, so that what it prints can judge the kernels.

package codegen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A writer prints statements into the innermost open block of one function.
type writer struct {
	*frame
	g       *generator
	env     map[string]*bound // index names of the spec
	out     []jen.Code        // the innermost open block
	temps   []string          // local names declared in it
	depth   int               // how many blocks are open
	joined  []jen.Code        // checks that are to be joined into one error
	buffers map[string]int    // buffers in use by the current statement, by shape
	scratch func(shape []*ir.Plate, size ex) *jen.Statement
}

// A bound is the Go value of an index name.
type bound struct {
	e    ex
	used bool
}

// writer returns a writer whose buffers are made at the head of the function.
func (g *generator) writer(params ...string) *writer {
	w := &writer{frame: newFrame(g.l, params...), g: g, env: map[string]*bound{}, buffers: map[string]int{}}
	w.scratch = func(_ []*ir.Plate, size ex) *jen.Statement {
		return jen.Make(jen.Index().Float64(), size.Code())
	}
	return w
}

// liveWriter returns a writer for a function that changes the state: scalars and whatever grows with an unbounded plate are
// addressed through s each time.
func (g *generator) liveWriter(params ...string) *writer {
	w := g.writer(params...)
	w.live = true
	for _, v := range g.model.Vars {
		if g.stored(v) {
			w.write[v] = true
		}
	}
	return w
}

// body returns the function's statements: the local names it uses, then what was printed.
func (w *writer) body() []jen.Code { return append(w.prologue(), w.out...) }

func (w *writer) emit(c ...jen.Code) { w.out = append(w.out, c...) }

// comment emits a line of comment. The space keeps a spec's text from ever being a directive or opening a block.
func (w *writer) comment(text string) { w.emit(jen.Comment("// " + text)) }

// block collects what body emits. Local names that body invents are free again afterwards.
func (w *writer) block(body func()) []jen.Code {
	out, temps := w.out, w.temps
	w.out, w.temps = nil, nil
	w.depth++
	body()
	w.depth--
	inner := w.out
	for _, t := range w.temps {
		delete(w.byName, t)
	}
	w.out, w.temps = out, temps
	return inner
}

// temp returns a name for a variable declared in the current block.
func (w *writer) temp(name string) string {
	name = w.own(name)
	w.temps = append(w.temps, name)
	return name
}

// within binds an index name to a Go expression while body runs, and reports whether body used it.
func (w *writer) within(name string, e ex, body func()) bool {
	old := w.env[name]
	b := &bound{e: e}
	w.env[name] = b
	body()
	if old == nil {
		delete(w.env, name)
	} else {
		w.env[name] = old
	}
	return b.used
}

// over emits a loop over a binder.
func (w *writer) over(b ir.Binder, body func()) { w.overDown(b, false, body) }

// overDown is over, downwards if down.
func (w *writer) overDown(b ir.Binder, down bool, body func()) {
	size := w.sizeOf(b.Plate, w.indices(b.Of)...)
	i := w.local(b.Name)
	used := false
	inner := w.block(func() { used = w.within(b.Name, id(i), body) })
	delete(w.byName, i)
	if len(inner) > 0 {
		w.emit(header(i, size, b.Lo, b.Hi, down, used).Block(inner...))
	}
}

// header is the head of a loop from lo to size+hi-1.
func header(i string, size ex, lo, hi int, down, used bool) *jen.Statement {
	v := jen.Id(i)
	end := size
	if hi != 0 {
		end = sub(size, intLit(-hi))
	}
	switch {
	case down:
		return jen.For(v.Clone().Op(":=").Add(sub(end, intLit(1)).Code()), v.Clone().Op(">=").Lit(lo), v.Clone().Op("--"))
	case lo != 0:
		return jen.For(v.Clone().Op(":=").Lit(lo), v.Clone().Op("<").Add(end.Code()), v.Clone().Op("++"))
	case !used:
		return jen.For(jen.Range().Add(end.Code()))
	}
	return jen.For(v.Clone().Op(":=").Range().Add(end.Code()))
}

// overAll nests loops.
func (w *writer) overAll(bs []ir.Binder, body func()) {
	if len(bs) == 0 {
		body()
		return
	}
	w.over(bs[0], func() { w.overAll(bs[1:], body) })
}

// axes nests loops over all elements of the plates, a ragged one following its parents, and calls body with the indices.
// Their names are the spec's where it has any.
func (w *writer) axes(plates []*ir.Plate, names []ir.Binder, body func(ix []ex)) {
	var ix []ex
	var nest func(k int)
	nest = func(k int) {
		if k == len(plates) {
			body(ix)
			return
		}
		p := plates[k]
		var of []ex
		for q, j := p.Over, k-1; q != nil; q, j = q.Over, j-1 {
			of = append([]ex{ix[j]}, of...)
		}
		name, bound := indexName(p), fmt.Sprintf("#%d", k) // no index of the spec
		if k < len(names) {
			name, bound = names[k].Name, names[k].Name
		}
		size := w.sizeOf(p, of...)
		i := w.local(name)
		ix = append(ix, id(i))
		inner := w.block(func() { w.within(bound, id(i), func() { nest(k + 1) }) })
		ix = ix[:k]
		delete(w.byName, i)
		if len(inner) > 0 {
			w.emit(header(i, size, 0, 0, false, true).Block(inner...))
		}
	}
	nest(0)
}

// indexName invents an index name for a plate: N -> n, words -> w.
func indexName(p *ir.Plate) string {
	for _, r := range strings.ToLower(ascii(p.Name)) {
		if r >= 'a' && r <= 'z' {
			return string(r)
		}
	}
	return "i"
}

// index returns the Go int of an index.
func (w *writer) index(x ir.IndexExpr) ex {
	var e ex
	switch {
	case x.Cat != nil:
		e = call("", "int", w.ref(x.Cat))
	case x.Name == "":
		return intLit(x.Add)
	default:
		b := w.env[x.Name]
		if b == nil {
			panic("codegen: index " + x.Name + " is not bound")
		}
		b.used = true
		e = b.e
	}
	if x.Add < 0 {
		return sub(e, intLit(-x.Add))
	}
	return add(e, intLit(x.Add))
}

func (w *writer) indices(xs []ir.IndexExpr) []ex {
	var out []ex
	for _, x := range xs {
		out = append(out, w.index(x))
	}
	return out
}

// ref returns a variable's element in its Go type.
func (w *writer) ref(r *ir.Ref) ex { return w.element(r.Var, w.indices(r.Idx)) }

// row returns the part of a variable that starts at the given indices, as a slice.
func (w *writer) row(v *ir.Var, ix []ex) ex {
	whole := w.variable(v)
	if len(ix) == 0 {
		return whole
	}
	lo := w.offset(v.Axes, ix)
	open := v.Axes[len(ix):]
	if open[0].Over != nil && open[0].Over == v.Axes[len(ix)-1] {
		next := slices.Clone(ix)
		next[len(ix)-1] = add(next[len(ix)-1], intLit(1))
		return slice(whole, lo, w.offset(v.Axes, next))
	}
	return slice(whole, lo, add(lo, w.total(open)))
}

// constant returns a literal for any number, the infinite ones too.
func constant(v float64) ex {
	switch {
	case math.IsInf(v, 1):
		return call("math", "Inf", intLit(1))
	case math.IsInf(v, -1):
		return call("math", "Inf", num(-1))
	case math.IsNaN(v):
		return call("math", "NaN")
	case v == 0:
		return num(0) // not -0, which is no literal
	}
	return num(v)
}

// scalar returns a scalar expression as a float64.
func (w *writer) scalar(e ir.Expr) ex {
	switch e := e.(type) {
	case *ir.Num:
		return constant(e.Value)
	case *ir.Ref:
		return asReal(e.Var.Type, w.ref(e))
	case *ir.SizeOf:
		return call("", "float64", w.sizeOf(e.Plate, w.indices(e.Of)...))
	case *ir.IndexVal:
		i := e.Index
		i.Add++
		x := w.index(i)
		if x.isNum {
			return num(x.num)
		}
		return call("", "float64", x)
	case *ir.Bin:
		return arith(e.Op, w.scalar(e.L), w.scalar(e.R))
	case *ir.App:
		return apply(e.Fn, w.scalar(e.X))
	case *ir.Dot:
		a, b := w.array(e.A), w.array(e.B)
		p := e.A.Shape()[0]
		return w.sum("dot", ir.Binder{Name: indexName(p), Plate: p, Of: w.parents(e.A)}, func(i ex) ex { return mul(a(i), b(i)) })
	case *ir.Sum:
		return w.sum("total", e.Over, func(ex) ex { return w.scalar(e.Body) })
	}
	panic(fmt.Sprintf("codegen: %T is no scalar", e))
}

// sum emits a loop that adds the terms up and returns where the sum is.
func (w *writer) sum(name string, over ir.Binder, term func(i ex) ex) ex {
	t := w.temp(name)
	w.emit(jen.Id(t).Op(":=").Lit(0.0))
	size := w.sizeOf(over.Plate, w.indices(over.Of)...)
	i := w.local(over.Name)
	used := false
	var body jen.Code
	inner := w.block(func() {
		used = w.within(over.Name, id(i), func() { body = jen.Id(t).Op("+=").Add(term(id(i)).Code()) })
		w.emit(body)
	})
	delete(w.byName, i)
	used = used || uses(inner, i)
	w.emit(header(i, size, over.Lo, over.Hi, false, used).Block(inner...))
	return id(t)
}

// uses reports whether code mentions an identifier.
func uses(code []jen.Code, name string) bool {
	text := fmt.Sprintf("%#v", jen.Block(code...))
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}) {
		if word == name {
			return true
		}
	}
	return false
}

// parents returns the indices that a vector over a ragged plate belongs to.
func (w *writer) parents(e ir.Expr) []ir.IndexExpr {
	p := e.Shape()[0]
	if p.Over == nil {
		return nil
	}
	var out []ir.IndexExpr
	ir.WalkExpr(e, func(x ir.Expr) {
		r, ok := x.(*ir.Ref)
		if ok && out == nil && len(r.Shape()) == 1 && r.Shape()[0] == p {
			depth := len(chainOf(p)) - 1
			out = r.Idx[len(r.Idx)-depth:]
		}
	})
	return out
}

// arith returns a op b. Go would do arithmetic on literals in whole numbers, and refuse what overflows: it is done here.
func arith(op byte, a, b ex) ex {
	if a.isNum && b.isNum {
		switch op {
		case '+':
			return constant(a.num + b.num)
		case '-':
			return constant(a.num - b.num)
		case '*':
			return constant(a.num * b.num)
		case '/':
			return constant(a.num / b.num)
		default:
			return constant(math.Pow(a.num, b.num))
		}
	}
	switch op {
	case '+':
		return add(a, b)
	case '-':
		return sub(a, b)
	case '*':
		return mul(a, b)
	case '/':
		if b.isNum && b.num == 1 {
			return a
		}
		return div(a, b)
	}
	if b.isNum && (b.num == 0.5 || b.num == 1 || (b.num == 2 || b.num == 3) && a.prec == precPrimary && len(plain(a)) < 20) {
		return power(a, b.num)
	}
	return call("math", "Pow", a, b)
}

func plain(e ex) string { return fmt.Sprintf("%#v", e.code) }

// apply returns fn(x).
func apply(fn string, x ex) ex {
	switch fn {
	case "log":
		return call("math", "Log", x)
	case "exp":
		return call("math", "Exp", x)
	case "sqrt":
		return call("math", "Sqrt", x)
	case "abs":
		return call("math", "Abs", x)
	case "logistic":
		return call(runtimePath, "Logistic", x)
	case "Phi":
		return call(runtimePath, "NormalCDF", x)
	case "lgamma":
		return call(runtimePath, "LgammaF", x)
	}
	panic("codegen: no Go for the function " + fn)
}

// array returns the elements of a vector or matrix as a function of their indices. Scalars in it are computed at once.
func (w *writer) array(e ir.Expr) func(ix ...ex) ex {
	if len(e.Shape()) == 0 {
		x := w.scalar(e)
		return func(...ex) ex { return x }
	}
	switch e := e.(type) {
	case *ir.Ref:
		at := w.indices(e.Idx)
		return func(ix ...ex) ex {
			return asReal(e.Var.Type, w.element(e.Var, append(slices.Clip(at), ix...)))
		}
	case *ir.Bin:
		l, r := w.array(e.L), w.array(e.R)
		return func(ix ...ex) ex { return arith(e.Op, l(ix...), r(ix...)) }
	case *ir.App:
		x := w.array(e.X)
		return func(ix ...ex) ex { return apply(e.Fn, x(ix...)) }
	case *ir.Fill:
		x := w.scalar(e.X)
		if len(e.Plate) == 1 {
			return func(...ex) ex { return x }
		}
		return func(ix ...ex) ex { return mul(x, call(runtimePath, "Indicator", cmp("==", ix[0], ix[1]))) }
	}
	panic(fmt.Sprintf("codegen: %T is no array", e))
}

// values returns a vector or matrix as a slice of float64: a row of the variable if it is a plain reference, else a buffer that it
// fills.
func (w *writer) values(e ir.Expr, name string) ex {
	if r, ok := e.(*ir.Ref); ok && r.Var.Type.Elem == ir.Real {
		return w.row(r.Var, w.indices(r.Idx))
	}
	shape := e.Shape()
	at := w.array(e)
	buf := w.buffer(shape, name)
	w.axes(shape, nil, func(ix []ex) {
		w.emit(index(buf, w.offset(shape, ix)).Code().Op("=").Add(at(ix...).Code()))
	})
	return buf
}

// buffer returns scratch space that no other argument of the current statement uses.
func (w *writer) buffer(shape []*ir.Plate, name string) ex {
	key := ""
	for _, p := range shape {
		key += "," + p.Name
	}
	w.buffers[key]++
	key = fmt.Sprintf("buffer%s %d", key, w.buffers[key])
	return w.get(key, name, w.scratch(shape, w.total(shape)))
}

// statement begins a statement of the spec: buffers are free again.
func (w *writer) statement(text string) {
	clear(w.buffers)
	w.comment(text)
}

// integer returns a scalar that is a whole number as an int.
func (w *writer) integer(e ir.Expr) ex {
	switch e := e.(type) {
	case *ir.Num:
		if e.Value == math.Trunc(e.Value) && math.Abs(e.Value) < 1<<53 {
			return intLit(int(e.Value))
		}
	case *ir.Ref:
		if e.Var.Type.Elem == ir.Int {
			return w.ref(e)
		}
	case *ir.SizeOf:
		return w.sizeOf(e.Plate, w.indices(e.Of)...)
	}
	x := w.scalar(e)
	if x.isNum {
		return intLit(int(x.num))
	}
	return call("", "int", call("math", "Round", x))
}

// arg returns one canonical parameter of a factor in its Go type.
func (w *writer) arg(f *ir.Factor, i int, a ir.Expr) ex {
	switch p := f.Dist.Params[i]; {
	case p.Dims > 0:
		return w.values(a, p.Name+[]string{"", "Vec", "Mat"}[min(p.Dims, 2)])
	case p.Domain == ir.CountDomain:
		return w.integer(a)
	}
	return w.scalar(a)
}

// matrix adds what functions of matrices take besides: the order of a drawn matrix, and room to work in.
func (w *writer) matrix(f *ir.Factor, args []ex) []ex {
	if !usesMatrix(f.Dist) {
		return args
	}
	if f.Dist.Event == 2 {
		args = append(args, w.sizeOf(f.X.Var.Axes[len(f.X.Var.Axes)-1]))
	}
	return append(args, w.get("mat", "mat", jen.Id("s").Dot("mat")))
}

func usesMatrix(d *ir.Dist) bool {
	return slices.ContainsFunc(d.Params, func(p ir.Param) bool { return p.Dims == 2 })
}

// target returns what a factor is about: an element, or a row.
func (w *writer) target(r *ir.Ref) ex {
	ix := w.indices(r.Idx)
	if len(ix) == len(r.Var.Axes) {
		return w.element(r.Var, ix)
	}
	return w.row(r.Var, ix)
}

// exists emits body under the condition that the literal indices of r lie inside their plates: `x[2] ~ ...` says nothing where
// there is but one.
func (w *writer) exists(r *ir.Ref, body func()) {
	cond := w.inside(r)
	if cond.code == nil {
		body()
		return
	}
	if inner := w.block(body); len(inner) > 0 {
		w.emit(jen.If(cond.Code()).Block(inner...))
	}
}

// guarded reports whether an index of r may lie outside its plate.
func guarded(r *ir.Ref) bool {
	for i, x := range r.Idx {
		if mayMiss(x, r.Var.Axes[i]) {
			return true
		}
	}
	return false
}

// mayMiss reports whether a literal index may lie outside p: only a ragged plate may be empty.
func mayMiss(x ir.IndexExpr, p *ir.Plate) bool {
	return x.Name == "" && x.Cat == nil && (x.Add > 0 || p.Over != nil)
}

func (w *writer) inside(r *ir.Ref) ex {
	var cond ex
	for i, x := range r.Idx {
		p := r.Var.Axes[i]
		if !mayMiss(x, p) {
			continue
		}
		depth := len(chainOf(p)) - 1
		c := cmp(">", w.sizeOf(p, w.indices(r.Idx[i-depth:i])...), intLit(x.Add))
		if cond.code == nil {
			cond = c
		} else {
			cond = and(cond, c)
		}
	}
	return cond
}

// free reports whether an expression mentions no index of the given binders.
func free(e ir.Expr, bs []ir.Binder) bool {
	return !slices.ContainsFunc(bs, func(b ir.Binder) bool { return mentionsIndex(e, b.Name) })
}

// mentionsIndex reports whether an index name occurs free in an expression.
func mentionsIndex(e ir.Expr, name string) bool {
	in := func(xs ...ir.IndexExpr) bool {
		return slices.ContainsFunc(xs, func(x ir.IndexExpr) bool {
			return x.Cat == nil && x.Name == name || x.Cat != nil && mentionsIndex(x.Cat, name)
		})
	}
	switch e := e.(type) {
	case *ir.Ref:
		return in(e.Idx...)
	case *ir.SizeOf:
		return in(e.Of...)
	case *ir.IndexVal:
		return in(e.Index)
	case *ir.Bin:
		return mentionsIndex(e.L, name) || mentionsIndex(e.R, name)
	case *ir.App:
		return mentionsIndex(e.X, name)
	case *ir.Dot:
		return mentionsIndex(e.A, name) || mentionsIndex(e.B, name)
	case *ir.Fill:
		return mentionsIndex(e.X, name)
	case *ir.Sum:
		return in(e.Over.Of...) || e.Over.Name != name && mentionsIndex(e.Body, name)
	}
	return false
}

// anyRef reports whether some reference in e satisfies ok; categories in indices count.
func anyRef(e ir.Expr, ok func(*ir.Ref) bool) bool {
	found := false
	if e != nil {
		ir.WalkExpr(e, func(x ir.Expr) {
			if r, isRef := x.(*ir.Ref); isRef && ok(r) {
				found = true
			}
		})
	}
	return found
}

// known reports whether e can be computed from data and constants.
func known(e ir.Expr) bool { return !anyRef(e, func(r *ir.Ref) bool { return r.Var.Unknown() }) }

// stick returns the factor that draws a GEM over the plate, or nil.
func (g *generator) stick(p *ir.Plate) *ir.Factor {
	for _, f := range g.model.Factors {
		if isGEM(f) && f.X.Var.Axes[len(f.X.Var.Axes)-1] == p {
			return f
		}
	}
	return nil
}

func isGEM(f *ir.Factor) bool { return f.Dist.Name == "GEM" }

// fromStick returns the plate of a category that f draws from the weights of a GEM, or nil.
func fromStick(f *ir.Factor) *ir.Plate {
	if t := f.X.Var.Type; t.Elem == ir.Cat && t.Of.Unbounded && len(f.Args) == 1 {
		if r, ok := f.Args[0].(*ir.Ref); ok && r.Var.Axes[len(r.Var.Axes)-1] == t.Of {
			return t.Of
		}
	}
	return nil
}

// stored reports whether the sampler's state holds v: it is unknown and not integrated out.
func (g *generator) stored(v *ir.Var) bool {
	return v.Unknown() && !slices.Contains(g.model.Collapse, v) && !g.isStick(v)
}

func (g *generator) isStick(v *ir.Var) bool {
	return slices.ContainsFunc(g.model.Factors, func(f *ir.Factor) bool { return isGEM(f) && f.X.Var == v })
}

// states returns the variables of the state in declaration order.
func (g *generator) states() []*ir.Var {
	return slices.DeleteFunc(slices.Clone(g.model.Vars), func(v *ir.Var) bool { return !g.stored(v) })
}

func overUnbounded(v *ir.Var) bool {
	return slices.ContainsFunc(v.Axes, func(p *ir.Plate) bool { return p.Unbounded })
}

func overRagged(v *ir.Var) bool {
	return slices.ContainsFunc(v.Axes, func(p *ir.Plate) bool { return p.Over != nil })
}

var negInf, posInf = math.Inf(-1), math.Inf(1)
