// This file holds how algebra becomes Go: a Poly is an expression, with loops for its sums in the statements before it.

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

// A block is a list of statements under construction.
type block struct{ stmts []jen.Code }

func (b *block) add(c ...jen.Code) { b.stmts = append(b.stmts, c...) }

// An emitter prints Polys into a function.
type emitter struct {
	f      *frame
	g      *generator
	names  map[string]ex                       // index name -> Go int expression
	value  func(*emitter, *ir.Atom) (ex, bool) // the new value $t, where it is not an index
	cat    ex                                  // the new value $t as an index
	out    *block
	loops  []*loop
	shared map[string]ex     // closed sums already computed in this block, by key; nil where values may change
	pairs  map[string]ex     // values of sparse tables at the pair that the loop is at
	pack   string            // the local that points to the terms of the value being weighed
	hint   map[string]string // index name -> what to call its loop variable
	kept   bool              // Gram matrices are kept wherever this code runs, or not read
	steady map[string]bool   // index names that have one value throughout the function
}

// A loop is one `for` under construction; rows are array rows that it walks along, declared before it.
type loop struct {
	name  string // algebra name
	v     string // Go variable
	size  ex
	pre   *block
	rows  map[string]string
	first string // the first row: the loop ranges over it
	full  bool   // the loop runs over the whole axis
	// unread says that a loop over a whole axis without rows does not read its variable either.
	unread bool
	bound  map[string]bool // index names bound inside this loop; $t if the new value is
}

func (g *generator) emitter(f *frame, out *block) *emitter {
	return &emitter{f: f, g: g, names: map[string]ex{}, out: out}
}

// into returns a copy of the emitter that writes to another block.
func (e *emitter) into(b *block) *emitter {
	c := *e
	c.out = b
	c.shared = nil
	return &c
}

// within returns a copy that writes to the body of an if. What a guard protects may not be read before it: rows then stay inside. A range
// protects, and so does an equality with a number or a neighbour: where n is the second, there is a second.
func (e *emitter) within(b *block, gs []ir.Guard) *emitter {
	c := e.into(b)
	for _, g := range gs {
		if g.Rel == ir.In || g.Rel == ir.Eq && slices.ContainsFunc(slices.Concat(g.L, g.R), elsewhere) {
			c.loops = nil
		}
	}
	return c
}

// elsewhere reports whether the index is a number, or that of a neighbour.
func elsewhere(x ir.Ix) bool { return x.Add != 0 || x.Name == "" && x.Cat == nil }

// bind returns a copy in which an index name has a value.
func (e *emitter) bind(name string, v ex) *emitter {
	c := *e
	c.names = map[string]ex{}
	for k, x := range e.names {
		c.names[k] = x
	}
	c.names[name] = v
	return &c
}

// ix returns the Go int expression of an index.
func (e *emitter) ix(x ir.Ix) ex {
	var base ex
	switch {
	case x.Cat != nil && x.Cat.Var.Name == "$t":
		base = e.cat
	case x.Cat != nil:
		base = call("", "int", e.element(x.Cat))
		if x.Cat.Var.Type.Elem == ir.Bool {
			base = call(runtimePath, "Index", e.element(x.Cat))
		}
	case x.Name != "":
		v, ok := e.names[x.Name]
		if !ok {
			panic(fmt.Sprintf("codegen: index %s is not bound", x.Name))
		}
		base = v
	default:
		return intLit(x.Add)
	}
	switch {
	case x.Add > 0:
		return add(base, intLit(x.Add))
	case x.Add < 0:
		return sub(base, intLit(-x.Add))
	}
	return base
}

func (e *emitter) ixs(xs []ir.Ix) []ex {
	out := make([]ex, len(xs))
	for i, x := range xs {
		out[i] = e.ix(x)
	}
	return out
}

// element returns a variable's element in its Go type.
func (e *emitter) element(a *ir.Atom) ex {
	v := a.Var
	if len(v.Axes) == 0 {
		return e.f.variable(v)
	}
	return e.load("v:"+v.Name, v.Name, e.f.variable(v), v.Axes, a.Ix)
}

// load reads arr[ix], through a row of it if the innermost loop runs along the last axis.
func (e *emitter) load(key, name string, arr ex, plates []*ir.Plate, ix []ir.Ix) ex {
	n := len(ix)
	if n > 0 && len(plates) == n {
		last := ix[n-1]
		for i := len(e.loops) - 1; i >= 0; i-- {
			l := e.loops[i]
			isT := last.Cat != nil && last.Cat.Var.Name == "$t" && l.name == "$t"
			if !(last.Cat == nil && last.Name == l.name || isT) || last.Add != 0 || !l.full {
				continue
			}
			if plates[n-1].Over != nil && (n < 2 || plates[n-2] != plates[n-1].Over) {
				break
			}
			inside := l.bound["$t"] && onNew(ix[:n-1])
			for f := range ir.FreeOf(ix[:n-1]) {
				inside = inside || l.bound[f]
			}
			if inside {
				break
			}
			return index(id(e.row(l, key, name, arr, plates, ix[:n-1])), id(l.v))
		}
	}
	if e.rowsSteadily(plates, ix) {
		key := "row:" + key
		for _, x := range ix[:n-1] {
			key += "," + x.String()
		}
		row := slice(ex{code: arr.at(precPrimary).Index(e.f.offset(plates, e.ixs(ix[:n-1])).Code().Op(":")), prec: precPrimary}, ex{code: jen.Null(), prec: precPrimary}, e.f.sizeOf(plates[n-1]))
		return index(e.f.get(key, name+"Row", row.Code()), e.ix(ix[n-1]))
	}
	return index(arr, e.f.offset(plates, e.ixs(ix)))
}

// onNew reports whether the new value $t is one of the indices, or within one.
func onNew(ix []ir.Ix) bool {
	found := false
	(&ir.Atom{Fn: ir.RefAtom, Ix: ix}).WalkIx(func(x ir.Ix) { found = found || x.Cat != nil && x.Cat.Var.Name == "$t" })
	return found
}

// changes marks that the new value, as an index, differs from turn to turn of the loops around it.
func (e *emitter) changes() {
	for _, l := range e.loops {
		l.bound["$t"] = true
	}
}

// rowsSteadily reports whether all indices but the last have one value throughout the function: the row is then named before
// anything else.
func (e *emitter) rowsSteadily(plates []*ir.Plate, ix []ir.Ix) bool {
	n := len(ix)
	if e.steady == nil || n < 2 || len(plates) != n || plates[n-1].Over != nil {
		return false
	}
	for _, x := range ix[:n-1] {
		if x.Cat != nil || x.Name != "" && !e.steady[x.Name] || x.Add != 0 {
			return false
		}
	}
	return true
}

// row declares, before the loop l, the row of arr at ix and returns its name.
func (e *emitter) row(l *loop, key, name string, arr ex, plates []*ir.Plate, ix []ir.Ix) string {
	var kb strings.Builder
	kb.WriteString(key)
	for _, x := range ix {
		kb.WriteString("," + x.String())
	}
	if r, ok := l.rows[kb.String()]; ok {
		return r
	}
	pre := e.into(l.pre)
	pre.loops = nil
	for _, o := range e.loops {
		if o == l {
			break
		}
		pre.loops = append(pre.loops, o)
	}
	r := e.f.local(name + "Row")
	// The loop ranges over the first row; the others are cut to its length, so that no access is checked for bounds.
	size := l.size
	if l.first == "" {
		l.first = r
	} else {
		size = call("", "len", id(l.first))
	}
	from := arr
	if len(ix) > 0 || len(plates) > 1 {
		from = ex{code: arr.at(precPrimary).Index(e.f.offset(plates, pre.ixs(ix)).Code().Op(":")), prec: precPrimary}
	}
	row := slice(from, ex{code: jen.Null(), prec: precPrimary}, size)
	l.pre.add(jen.Id(r).Op(":=").Add(row.Code()))
	l.rows[kb.String()] = r
	return r
}

// over emits a loop over the binder around what body emits.
func (e *emitter) over(b ir.Bind, body func(*emitter)) {
	v := strings.TrimRight(b.Name, "'")
	if h, ok := e.hint[b.Name]; ok {
		v = h
	} else if b.Name[0] == '#' || b.Name[0] == '~' || b.Name[0] == 'f' && len(b.Name) > 1 {
		v = "i"
	}
	v = e.f.local(v)
	var of []ex
	for _, x := range b.Of {
		of = append(of, e.ix(x))
	}
	size := e.f.sizeOf(b.Plate, of...)
	l := &loop{name: b.Name, v: v, size: size, pre: &block{}, rows: map[string]string{}, full: b.Lo == 0 && b.Hi == 0, bound: map[string]bool{b.Name: true}}
	for _, o := range e.loops {
		o.bound[b.Name] = true
	}
	in := &block{}
	c := e.bind(b.Name, id(v)).into(in)
	c.loops = append(append([]*loop(nil), e.loops...), l)
	body(c)
	e.out.add(l.pre.stmts...)
	l.unread = l.full && l.first == "" && !uses(in.stmts, v)
	e.out.add(l.header(b).Block(in.stmts...))
	delete(e.f.byName, v)
}

func (l *loop) header(b ir.Bind) *jen.Statement {
	if l.unread {
		return jen.For(jen.Range().Add(l.size.Code()))
	}
	if !l.full {
		hi := l.size
		if b.Hi != 0 {
			hi = sub(hi, intLit(-b.Hi))
		}
		return jen.For(jen.Id(l.v).Op(":=").Lit(b.Lo), jen.Id(l.v).Op("<").Add(hi.Code()), jen.Id(l.v).Op("++"))
	}
	if l.first != "" {
		return jen.For(jen.Id(l.v).Op(":=").Range().Id(l.first))
	}
	return jen.For(jen.Id(l.v).Op(":=").Range().Add(l.size.Code()))
}

// overPairs is over for a sum with a factor from a sparse table: where the table's other index is known, the loop runs along
// the pairs that occur.
func (e *emitter) overPairs(b ir.Bind, later []ir.Bind, fs []ir.Fac, body func(*emitter)) {
	for _, f := range fs {
		a := e.g.accs[f.A.Name]
		if f.A.Fn != ir.AccAtom || a == nil || !a.Sparse || f.P <= 0 || b.Lo != 0 || b.Hi != 0 {
			continue
		}
		for i, x := range f.A.Ix {
			y := f.A.Ix[1-i]
			known := true
			for n := range ir.FreeOf([]ir.Ix{y}) {
				known = known && n != b.Name && !slices.ContainsFunc(later, func(l ir.Bind) bool { return l.Name == n })
			}
			if x.Cat != nil || x.Name != b.Name || x.Add != 0 || !known {
				continue
			}
			way := [...]string{"Col", "Row"}[i]
			at, vs, k := e.f.local("at"), e.f.local("values"), e.f.local("i")
			v := e.f.local(strings.TrimRight(b.Name, "'"))
			e.out.add(jen.List(jen.Id(at), jen.Id(vs)).Op(":=").Id("s").Dot(accField(f.A.Name)).Dot(way).Call(e.ix(y).Code()))
			in := &block{}
			c := e.bind(b.Name, id(v)).into(in)
			c.pairs = map[string]ex{f.A.Name: index(id(vs), id(k))}
			for _, o := range e.loops {
				o.bound[b.Name] = true
			}
			body(c)
			e.out.add(jen.For(jen.List(jen.Id(k), jen.Id(v+"32")).Op(":=").Range().Id(at)).Block(
				append([]jen.Code{jen.Id(v).Op(":=").Int().Call(jen.Id(v + "32"))}, in.stmts...)...))
			delete(e.f.byName, v)
			delete(e.f.byName, k)
			return
		}
	}
	e.over(b, body)
}

// guards returns the condition, ranges first since the others may read an element only where the range holds.
func (e *emitter) guards(gs []ir.Guard) ex {
	var out ex
	for _, pass := range []bool{true, false} {
		for _, g := range gs {
			if (g.Rel == ir.In) != pass {
				continue
			}
			c := e.guard(g)
			if out.code == nil {
				out = c
			} else {
				out = and(out, c)
			}
		}
	}
	return out
}

func (e *emitter) guard(g ir.Guard) ex {
	switch g.Rel {
	case ir.In:
		var of []ex
		for _, x := range g.Of {
			of = append(of, e.ix(x))
		}
		x := e.ix(g.L[0])
		upper := func() ex { // names the size of the plate
			hi := e.f.sizeOf(g.Plate, of...)
			if g.Hi != 0 {
				hi = sub(hi, intLit(-g.Hi))
			}
			return cmp("<", x, hi)
		}
		if g.L[0].Name != "" && g.L[0].Add >= g.Lo && g.Lo <= 0 || g.L[0].Name == "" && g.L[0].Cat == nil && g.L[0].Add >= g.Lo {
			return upper()
		}
		if g.Hi == 0 && g.L[0].Cat == nil && g.L[0].Add <= 0 && len(g.Of) == 0 {
			return cmp(">=", x, intLit(g.Lo))
		}
		return and(cmp(">=", x, intLit(g.Lo)), upper())
	case ir.Eq:
		return cmp("==", e.ix(g.L[0]), e.ix(g.R[0]))
	}
	var out ex
	for i := range g.L {
		c := cmp("!=", e.ix(g.L[i]), e.ix(g.R[i]))
		if i == 0 {
			out = c
		} else {
			out = binary("||", precOr, out, c)
		}
	}
	return out
}

// here returns an element as a number; one that the innermost loop does not move along is read once, before it.
func (e *emitter) here(a *ir.Atom) ex {
	v := asReal(a.Var.Type, e.element(a))
	if len(e.loops) == 0 || len(a.Ix) == 0 {
		return v
	}
	l := e.loops[len(e.loops)-1]
	if l.name != "$t" || !l.full {
		return v
	}
	for n := range a.Free() {
		if l.bound[n] {
			return v
		}
	}
	if onNew(a.Ix) {
		return v
	}
	key := "here:" + a.Key()
	name, ok := l.rows[key]
	if !ok {
		name = e.f.local(a.Var.Name + "Here")
		l.rows[key] = name
		pre := e.into(l.pre)
		pre.loops = e.loops[:len(e.loops)-1]
		l.pre.add(jen.Id(name).Op(":=").Add(asReal(a.Var.Type, pre.element(a)).Code()))
	}
	return id(name)
}

// poly emits what p needs and returns its value.
func (e *emitter) poly(p ir.Poly) ex {
	if len(p) == 0 {
		return num(0)
	}
	out := num(0)
	// A positive term first spares a leading minus.
	order := make([]ir.Term, 0, len(p))
	for _, t := range p {
		if t.C > 0 {
			order = append(order, t)
		}
	}
	for _, t := range p {
		if !(t.C > 0) {
			order = append(order, t)
		}
	}
	for _, t := range order {
		v, neg := e.term(t)
		switch {
		case neg && out.isNum && out.num == 0:
			out = minus(v)
		case neg:
			out = sub(out, v)
		default:
			out = add(out, v)
		}
	}
	return out
}

// term returns the term's value and whether to subtract it.
func (e *emitter) term(t ir.Term) (ex, bool) {
	if len(t.Over) == 0 && len(t.Guards) == 0 {
		return e.product(t.C, t.F)
	}
	// What the loops do not change stays outside.
	outside, inside := split(t.F, t.Over, facNames)
	if len(t.Over) == 0 || len(t.Guards) > 0 && slices.ContainsFunc(outside, func(f ir.Fac) bool { return f.A.Reaches() }) {
		outside, inside = nil, t.F // nor is read what the guards protect
	}
	name := e.f.local("sum")
	sum := e.summed(name, inside)
	if a := e.gram(t); a != nil {
		e.out.add(jen.Var().Id(name).Float64())
		e.bothWays(ir.Term{C: 1, Over: t.Over, Guards: t.Guards, F: inside}, a, sum)
		return e.productWith(t.C, outside, sum)
	}
	if dot, ok := e.dot(t, inside); ok {
		e.out.add(jen.Id(name).Op(":=").Add(dot.Code()))
		return e.productWith(t.C, outside, sum)
	}
	e.out.add(jen.Var().Id(name).Float64())
	e.nest(t.Over, t.Guards, inside, func(c *emitter, v ex, neg bool) {
		op := "+="
		if neg {
			op = "-="
		}
		c.out.add(sum.Code().Op(op).Add(v.Code()))
	})
	// c·sum reads better than sum·c only for numbers; divisions stay at the end. (Only one of the two is emitted: a product
	// may need statements.)
	if len(outside) == 0 {
		v, neg := e.product(t.C, nil)
		return mul(v, sum), neg
	}
	return e.productWith(t.C, outside, sum)
}

// dot returns Σ x[i]·y[i] as a call if the sum is over one index along two whole rows of numbers.
func (e *emitter) dot(t ir.Term, fs []ir.Fac) (ex, bool) {
	if len(t.Over) != 1 || len(t.Guards) > 0 {
		return ex{}, false
	}
	if len(fs) == 1 && fs[0].P == 2 {
		fs = []ir.Fac{{A: fs[0].A, P: 1}, {A: fs[0].A, P: 1}}
	}
	if len(fs) != 2 || fs[0].P != 1 || fs[1].P != 1 {
		return ex{}, false
	}
	x, ok1 := e.wholeRow(fs[0].A, t.Over[0])
	y, ok2 := e.wholeRow(fs[1].A, t.Over[0])
	if !ok1 || !ok2 {
		return ex{}, false
	}
	return call(runtimePath, "Dot", x, y), true
}

// wholeRow returns the row of numbers that the atom runs along with the binder, as a slice.
func (e *emitter) wholeRow(a *ir.Atom, b ir.Bind) (ex, bool) {
	var plates []*ir.Plate
	var arr ex
	ix := a.Ix
	switch {
	case a.Fn == ir.RefAtom && a.Var.Name != "$t" && a.Var.Type.Elem == ir.Real && len(a.Var.Axes) == len(ix):
		plates = a.Var.Axes
	case a.Fn == ir.AccAtom && a.Name[0] != '$' && (e.g.accs[a.Name] == nil || !e.g.accs[a.Name].Sparse && !e.g.accs[a.Name].Count):
		ps, order := e.g.axes(a.Name)
		plates = ps
		ix = make([]ir.Ix, len(order))
		for i, j := range order {
			ix[i] = a.Ix[j]
		}
	default:
		return ex{}, false
	}
	n := len(ix)
	if n == 0 || b.Lo != 0 || b.Hi != 0 || b.Plate.Unbounded || b.Plate.Over != nil {
		return ex{}, false
	}
	if last := ix[n-1]; last.Cat != nil || last.Name != b.Name || last.Add != 0 {
		return ex{}, false
	}
	if ir.FreeOf(ix[:n-1])[b.Name] {
		return ex{}, false
	}
	if a.Fn == ir.RefAtom {
		arr = e.f.variable(a.Var)
	} else {
		field := e.g.storage(a.Name)
		arr = e.f.kept(field, plates)
	}
	if n == 1 {
		return arr, true
	}
	lo := e.f.offset(plates, e.ixs(ix[:n-1]))
	from := ex{code: arr.at(precPrimary).Index(lo.Code().Op(":")), prec: precPrimary}
	return slice(from, ex{code: jen.Null(), prec: precPrimary}, e.f.sizeOf(b.Plate)), true
}

// split parts xs into those whose names are all known before the loops, and those that wait for one of them.
func split[T any](xs []T, loops []ir.Bind, names func(T) map[string]bool) (now, then []T) {
	for _, x := range xs {
		free := names(x)
		if slices.ContainsFunc(loops, func(b ir.Bind) bool { return free[b.Name] }) {
			then = append(then, x)
		} else {
			now = append(now, x)
		}
	}
	return now, then
}

func facNames(f ir.Fac) map[string]bool { return f.A.Free() }

// guarded emits body inside the guards that wait for no loop, and hands it the others.
func (e *emitter) guarded(loops []ir.Bind, guards []ir.Guard, body func(c *emitter, then []ir.Guard)) {
	now, then := split(guards, loops, guardNames)
	if len(now) == 0 {
		body(e, then)
		return
	}
	cond := e.guards(now)
	in := &block{}
	body(e.within(in, now), then)
	e.out.add(jen.If(cond.Code()).Block(in.stmts...))
}

// nest emits the loops with each guard and factor at the outermost level where its names are known.
func (e *emitter) nest(over []ir.Bind, guards []ir.Guard, fs []ir.Fac, leaf func(c *emitter, v ex, neg bool)) {
	e.guarded(over, guards, func(e *emitter, guards []ir.Guard) {
		if len(over) == 0 {
			v, neg := e.product(1, fs)
			leaf(e, v, neg)
			return
		}
		rest := over[1:]
		e.overPairs(over[0], rest, fs, func(c *emitter) {
			// Several loops: factors that the inner ones do not change multiply an inner sum.
			here, deeper := split(fs, rest, facNames)
			if len(rest) == 0 || len(here) == 0 {
				c.nest(rest, guards, fs, leaf)
				return
			}
			c.guarded(rest, guards, func(c *emitter, guards []ir.Guard) {
				name := c.f.local("sum")
				c.out.add(jen.Var().Id(name).Float64())
				c.nest(rest, guards, deeper, func(d *emitter, v ex, neg bool) {
					op := "+="
					if neg {
						op = "-="
					}
					d.out.add(jen.Id(name).Op(op).Add(v.Code()))
				})
				v, neg := c.productWith(1, here, c.summed(name, deeper))
				leaf(c, v, neg)
			})
		})
	})
}

// product returns |c|·Π fs and whether it is to be subtracted.
func (e *emitter) product(c float64, fs []ir.Fac) (ex, bool) {
	return e.productWith(c, fs, num(1))
}

// productWith returns |c|·Π fs·extra.
func (e *emitter) productWith(c float64, fs []ir.Fac, extra ex) (ex, bool) {
	neg := c < 0
	top, bottom := num(math.Abs(c)), num(1)
	extra, fs = e.sure(extra, fs)
	top = mul(top, extra)
	for _, f := range fs {
		v := e.atom(f.A, f.P)
		if f.P < 0 {
			switch f.P {
			case -1:
			case -0.5:
				v = call("math", "Sqrt", v)
			default:
				v = power(e.simple(v, -f.P), -f.P)
			}
			bottom = mul(bottom, v)
			continue
		}
		if f.P != 1 {
			v = power(e.simple(v, f.P), f.P)
		}
		top = mul(top, v)
	}
	if bottom.isNum && bottom.num == 1 {
		return top, neg
	}
	return div(top, bottom), neg
}

// simple names a value that is used more than once, as a square is.
func (e *emitter) simple(v ex, p float64) ex {
	if p != 2 && p != 3 || v.isNum || v.cheap {
		return v
	}
	name := e.f.local("r")
	e.out.add(jen.Id(name).Op(":=").Add(v.Code()))
	return id(name)
}

// atom returns the value of an atom.
func (e *emitter) atom(a *ir.Atom, p float64) ex {
	if a.Var != nil && a.Var.Name == "$t" {
		if v, ok := e.value(e, a); ok {
			return v
		}
		panic("codegen: no value for " + a.Key())
	}
	switch a.Fn {
	case ir.RefAtom:
		return e.here(a)
	case ir.InvAtom:
		inv := e.f.l.inv(a.Var)
		return e.load("inv:"+a.Var.Name, inv, e.f.kept(inv, a.Var.Axes), a.Var.Axes, a.Ix)
	case ir.LogDetAtom:
		logDet := e.f.l.logDet(a.Var)
		arr := e.f.kept(logDet, a.Var.Axes)
		axes := a.Var.Axes[:len(a.Var.Axes)-2]
		if len(axes) == 0 {
			return index(arr, intLit(0))
		}
		return e.load("logdet:"+a.Var.Name, logDet, arr, axes, a.Ix)
	case ir.SizeAtom:
		return call("", "float64", e.f.sizeOf(a.Plate, e.ixs(a.Ix)...))
	case ir.IndexAtom:
		return call("", "float64", add(e.ix(a.Ix[0]), intLit(1)))
	case ir.AccAtom:
		v := e.accumulator(a.Name, a.Ix)
		switch acc := e.g.accs[a.Name]; {
		case acc == nil:
		case acc.Count:
			return call("", "float64", v)
		case e.mayEmpty(acc):
			return call("", "max", num(0), v)
		}
		return v
	case ir.ClosedAtom:
		if e.shared == nil || len(a.Args[0]) < 2 {
			return e.poly(a.Args[0])
		}
		if v, ok := e.shared[a.Key()]; ok {
			return v
		}
		v := e.poly(a.Args[0])
		name := e.f.local("r")
		e.out.add(jen.Id(name).Op(":=").Add(v.Code()))
		e.shared[a.Key()] = id(name)
		return id(name)
	}
	if a.Name == "logZNIW" {
		return e.jointLogZ(a)
	}
	if isLog(a) { // log(1 + x): of an x far below 1 nothing is lost, however large what multiplies the logarithm
		if x := ir.Add(a.Args[0], ir.Number(-1)); len(x) > 0 && len(x) < len(a.Args[0]) {
			return call("math", "Log1p", e.poly(x))
		}
	}
	args := make([]ex, len(a.Args))
	for i, q := range a.Args {
		args[i] = e.poly(q)
	}
	switch a.Name {
	case "crp":
		return call(runtimePath, "CRPTerm", args...)
	case "logcrp":
		return call(runtimePath, "LogCRP", args...)
	case "log":
		return call("math", "Log", args...)
	case "exp":
		return call("math", "Exp", args...)
	case "abs":
		return call("math", "Abs", args...)
	case "max":
		return call("", "max", args...)
	case "lgamma":
		if e.value != nil && hasNew(a) { // of any size
			return call(runtimePath, "LgammaNear", args...)
		}
		return call(runtimePath, "LgammaF", args...)
	case "Phi":
		return call(runtimePath, "NormalCDF", args...)
	case "logPhi":
		return call(runtimePath, "LogNormalCDF", args...)
	case "logPhiInterval":
		return call(runtimePath, "LogNormalInterval", args...)
	case "logistic":
		return call(runtimePath, "Logistic", args...)
	case "loglogistic":
		return call(runtimePath, "LogLogistic", args...)
	case "lmvgamma":
		return call(runtimePath, "LMvGamma", call("", "int", args[0]), args[1])
	}
	panic("codegen: no Go for the function " + a.Name)
}

// mayEmpty reports whether the sum is of numbers that are not negative and that categories take in and out: one that has lost all of them is 0 but
// for rounding, and must not be read as a negative number.
func (e *emitter) mayEmpty(acc *plan.Acc) bool {
	taken := slices.ContainsFunc(acc.Moves, func(m conjugacy.Move) bool { return m.Var.Type.Elem == ir.Cat })
	return taken && len(acc.Body.Guards) > 0 && acc.Body.C > 0 && !e.counted(acc.Body.F) &&
		!slices.ContainsFunc(acc.Body.F, func(f ir.Fac) bool { return !f.A.Positive() && math.Mod(f.P, 2) != 0 })
}

// kept returns a field of the sampler that runs over the plates: by a local name, unless the function makes it grow.
func (f *frame) kept(field string, plates []*ir.Plate) ex {
	code := jen.Id("s").Dot(field)
	if f.live && slices.ContainsFunc(plates, func(p *ir.Plate) bool { return p.Unbounded }) {
		return raw(code)
	}
	return f.get("s:"+field, field, code)
}

func exportName(s string) string { return newNamer().exported(s) }
