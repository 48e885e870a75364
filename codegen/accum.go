// This file holds accumulators in generated code: their fields, their sums from scratch, and their moves.

package codegen

import (
	"math"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

func accField(name string) string { return "acc" + name[1:] }

func partField(name string) string { return "part" + name[1:] }

// axes returns the plates of an accumulator's or a table's storage, outermost first, with the order of the parameters.
func (g *generator) axes(name string) (plates []*ir.Plate, order []int) {
	a := g.accs[name]
	if a == nil {
		a = g.scratch[name]
	}
	if a != nil {
		for _, i := range a.Order {
			plates = append(plates, a.Params[i].Plate)
		}
		return plates, a.Order
	}
	params := []ir.Bind(nil)
	if p := g.parts[name]; p != nil {
		params = p.Params
	} else {
		params = g.tables[name].Params
	}
	for i, b := range params {
		plates = append(plates, b.Plate)
		order = append(order, i)
	}
	return plates, order
}

// storage returns the field that holds an accumulator or a table.
func (g *generator) storage(name string) string {
	switch {
	case g.accs[name] != nil:
		return accField(name)
	case g.parts[name] != nil:
		return partField(name)
	}
	return name
}

// accumulator returns the value of an accumulator or table at the given arguments.
func (e *emitter) accumulator(name string, args []ir.Ix) ex {
	plates, order := e.g.axes(name)
	if name[0] == '$' { // a local slice that is being filled
		ix := make([]ir.Ix, len(order))
		for i, j := range order {
			ix[i] = args[j]
		}
		return e.load("d:"+name[1:], name[1:], id(name[1:]), plates, ix)
	}
	if a := e.g.accs[name]; a != nil && a.Sparse {
		if v, ok := e.pairs[name]; ok {
			return v
		}
		return raw(jen.Id("s").Dot(accField(name)).Dot("At").Call(e.ix(args[0]).Code(), e.ix(args[1]).Code()))
	}
	if k := e.g.packed[name]; k != nil {
		if e.pack != "" {
			return raw(jen.Id(e.pack).Dot(k.packField(name)))
		}
		return raw(index(e.f.get("pack:"+k.packName(), k.packName(), jen.Id("s").Dot(k.packName())), e.ix(args[0])).Code().Dot(k.packField(name)))
	}
	field := e.g.storage(name)
	if len(plates) == 0 {
		return raw(jen.Id("s").Dot(field))
	}
	ix := make([]ir.Ix, len(order))
	for i, j := range order {
		ix[i] = args[j]
	}
	return e.load("a:"+name, field, e.f.kept(field, plates), plates, ix)
}

// scatter emits acc[params] += sign·t for every value of the parameters: those that an equality fixes are set by it,
// the others are looped over. Parameters stand in t as free names.
func (e *emitter) scatter(acc *plan.Acc, t ir.Term, op string) {
	// Equalities that fix a parameter.
	fixed := map[string]ir.Ix{}
	var guards []ir.Guard
	for _, g := range t.Guards {
		if g.Rel == ir.Eq {
			if fix(g.L[0], g.R[0], acc, fixed) || fix(g.R[0], g.L[0], acc, fixed) {
				continue
			}
		}
		guards = append(guards, g)
	}
	u := t
	u.Guards = guards
	set := &ir.Rewriter{Names: fixed}
	q := set.Term(u)
	if len(q) == 0 {
		return
	}
	u = q[0]
	// Loops over the parameters left free come innermost, in storage order, so that writes run along rows; but a
	// parameter that is the parent of a ragged sum comes first.
	params := slices.Clone(acc.Params)
	for i, b := range params {
		params[i].Of = make([]ir.Ix, len(b.Of))
		for j, x := range b.Of {
			params[i].Of[j] = set.Ix(x)
		}
	}
	parent := map[string]bool{}
	for _, b := range slices.Concat(u.Over, params) {
		for n := range ir.FreeOf(b.Of) {
			parent[n] = true
		}
	}
	var first, last []ir.Bind
	for _, i := range acc.Order {
		b := params[i]
		switch _, ok := fixed[b.Name]; {
		case ok:
		case parent[b.Name]:
			first = append(first, b)
		default:
			last = append(last, b)
		}
	}
	over := slices.Concat(first, u.Over, last)
	args := make([]ir.Ix, len(acc.Params))
	for i, b := range acc.Params {
		args[i] = set.Ix(ir.At(b.Name))
	}
	write := func(c *emitter, v ex, neg bool) {
		if acc.Sparse {
			if neg != (op == "-=") {
				v = minus(v)
			}
			c.out.add(jen.Id("s").Dot(accField(acc.Name)).Dot("Add").Call(c.ix(args[0]).Code(), c.ix(args[1]).Code(), v.Code()))
			return
		}
		dst := c.accumulator(acc.Name, args)
		o := op
		if neg {
			o = map[string]string{"+=": "-=", "-=": "+="}[op]
		}
		switch {
		case v.isNum && v.num == 1 && o == "+=":
			c.out.add(dst.Code().Op("++"))
		case v.isNum && v.num == 1 && o == "-=":
			c.out.add(dst.Code().Op("--"))
		default:
			c.out.add(dst.Code().Op(o).Add(v.Code()))
		}
	}
	extra, negative := num(math.Abs(u.C)), u.C < 0
	whole := func(c *emitter, b ir.Bind, f ir.Fac, by ex, neg bool) bool {
		if f.P != 1 || len(args) == 0 {
			return false
		}
		dst, ok1 := c.wholeRow(&ir.Atom{Fn: ir.AccAtom, Name: acc.Name, Ix: args}, b)
		src, ok2 := c.wholeRow(f.A, b)
		if !ok1 || !ok2 {
			return false
		}
		if neg != negative != (op == "-=") {
			by = minus(by)
		}
		c.out.add(jen.Qual(runtimePath, "AddScaled").Call(dst.Code(), by.Code(), src.Code()))
		return true
	}
	e.nestWrites(over, u.Guards, u.F, extra, whole, func(c *emitter, v ex, neg bool) { write(c, v, neg != negative) })
}

// fix sets the parameter a by a = b, and reports whether it can. What is fixed says nothing of what is fixed: of [a = z[n]] and
// [b = f[n, a]], b is f[n, z[n]].
func fix(a, b ir.Ix, acc *plan.Acc, fixed map[string]ir.Ix) bool {
	if a.Name == "" || a.Add != 0 || !slices.ContainsFunc(acc.Params, func(p ir.Bind) bool { return p.Name == a.Name }) {
		return false
	}
	if _, done := fixed[a.Name]; done {
		return false
	}
	b = (&ir.Rewriter{Names: fixed}).Ix(b)
	if ir.FreeOf([]ir.Ix{b})[a.Name] {
		return false // keep the guard
	}
	is := &ir.Rewriter{Names: map[string]ir.Ix{a.Name: b}}
	for n, x := range fixed {
		fixed[n] = is.Ix(x)
	}
	fixed[a.Name] = b
	return true
}

// nestWrites emits the loops with guards and factors as far out as they can stand: a product that the inner loops do
// not change is named before them.
func (e *emitter) nestWrites(over []ir.Bind, guards []ir.Guard, fs []ir.Fac, extra ex, whole func(c *emitter, b ir.Bind, f ir.Fac, by ex, neg bool) bool, leaf func(*emitter, ex, bool)) {
	e.guarded(over, guards, func(e *emitter, guards []ir.Guard) {
		if len(over) == 0 {
			v, neg := e.productWith(1, fs, extra)
			leaf(e, v, neg)
			return
		}
		here, deeper := split(fs, over, facNames)
		last := len(over) == 1 && len(guards) == 0 && len(deeper) == 1
		if len(here) == 0 {
			if last && !(extra.isNum && extra.num == 1) && whole(e, over[0], deeper[0], extra, false) {
				return
			}
			e.over(over[0], func(c *emitter) { c.nestWrites(over[1:], guards, fs, extra, whole, leaf) })
			return
		}
		v, neg := e.productWith(1, here, extra) // once: it may need statements
		if last && whole(e, over[0], deeper[0], v, neg) {
			return
		}
		if !v.name {
			name := e.f.local("c")
			e.out.add(jen.Id(name).Op(":=").Add(v.Code()))
			v = e.summed(name, here)
			v.endless = v.endless || extra.endless
			v.count = e.counted(here) && !v.endless && (extra.count || extra.isNum)
		}
		e.over(over[0], func(c *emitter) {
			c.nestWrites(over[1:], guards, deeper, v,
				func(c *emitter, b ir.Bind, f ir.Fac, by ex, n bool) bool { return whole(c, b, f, by, n != neg) },
				func(c *emitter, v ex, n bool) { leaf(c, v, n != neg) })
		})
	})
}

// guardNames returns the free index names of a guard.
func guardNames(g ir.Guard) map[string]bool {
	return ir.FreeOf(slices.Concat(g.L, g.R, g.Of))
}
