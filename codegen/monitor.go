// This file holds what generated code writes of each draw: the monitored scalars and their CmdStan names.

package codegen

import (
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// maxDefault is the number of elements from which a variable is written only on request.
const maxDefault = 1000

// A watched is one item of what is written.
type watched struct {
	v     *ir.Var
	idx   []ir.IndexExpr
	plate *ir.Plate // instead of a variable: the number in use of an unbounded plate
	large bool      // left out if it has more than maxDefault elements
}

// watches returns what is written: the spec's list, or the globals and the numbers in use. What runs over an unbounded plate has no
// columns, which are the same for all draws: Unknowns shows it.
func (g *generator) watches() []watched {
	var out []watched
	if len(g.model.Monitor) > 0 {
		for _, r := range g.model.Monitor {
			if !overUnbounded(r.Var) {
				out = append(out, watched{v: r.Var, idx: r.Idx})
			}
		}
		return out
	}
	for _, v := range g.states() {
		if v.Role == dsl.Global && !overUnbounded(v) && !overRagged(v) {
			out = append(out, watched{v: v, large: len(v.Axes) > 0})
		}
	}
	for _, p := range g.model.Plates {
		if p.Unbounded {
			out = append(out, watched{plate: p})
		}
	}
	return out
}

// monitor prints Names and AppendValues.
func (g *generator) monitor(f *jen.File) {
	items := g.watches()
	var listed []string
	large := false
	for _, m := range items {
		switch {
		case m.plate != nil:
			listed = append(listed, "the number in use of "+m.plate.Name)
		default:
			listed = append(listed, clean(ir.ExprString(&ir.Ref{Var: m.v, Idx: m.idx})))
			large = large || m.large
		}
	}
	w := g.writer("names")
	for _, m := range items {
		w.watch(m, func(v *ir.Var, name string, ix []ex) {
			var cs []jen.Code
			for _, i := range ix {
				cs = append(cs, i.Code())
			}
			w.emit(jen.Id("names").Op("=").Append(jen.Id("names"), jen.Qual(runtimePath, "ElementLabel").Call(append([]jen.Code{jen.Lit(name)}, cs...)...)))
		})
	}
	what := "nothing"
	if len(listed) > 0 {
		what = strings.Join(listed, ", ")
	}
	for _, line := range wrap("Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: " + what + ".") {
		f.Comment("// " + line)
	}
	if large {
		f.Comment("// An array of more than " + itoa(maxDefault) + " elements is left out unless the spec monitors it.")
	}
	var shown []string
	for _, r := range g.model.Monitor {
		if overUnbounded(r.Var) {
			shown = append(shown, r.Var.Name)
		}
	}
	if len(shown) > 0 {
		f.Comment("// Over an unbounded plate run " + strings.Join(shown, ", ") + ": no columns, but Unknowns shows them.")
	}
	body := append([]jen.Code{jen.Var().Id("names").Index().String()}, w.body()...)
	f.Func().Add(recv()).Id("Names").Params().Index().String().Block(append(body, jen.Return(jen.Id("names")))...)
	f.Line()

	w = g.writer("dst")
	for _, m := range items {
		w.watch(m, func(v *ir.Var, _ string, ix []ex) {
			if m.plate != nil {
				w.emit(appendTo("dst", call("", "float64", w.sizeOf(m.plate))))
				return
			}
			w.emit(appendTo("dst", w.monitored(v, ix)))
		})
	}
	f.Comment("// AppendValues appends the current values of what Names names; categories count from 1, true is 1.")
	f.Func().Add(recv()).Id("AppendValues").Params(jen.Id("dst").Index().Float64()).Index().Float64().Block(append(w.body(), jen.Return(jen.Id("dst")))...)
	f.Line()
}

func appendTo(name string, x ex) jen.Code {
	return jen.Id(name).Op("=").Append(jen.Id(name), x.Code())
}

// watch emits loops over the elements of an item, the last index outermost, and calls body with the indices. Axes that are ragged go
// in their own order, since the inner one depends on the outer.
func (w *writer) watch(m watched, body func(v *ir.Var, name string, ix []ex)) {
	if m.plate != nil {
		body(nil, m.plate.Name, nil)
		return
	}
	v := m.v
	ix := w.indices(m.idx)
	name := v.Name
	for len(ix) < len(v.Axes) {
		ix = append(ix, ex{})
	}
	// Groups of axes: a plate with those ragged over it.
	var groups [][2]int
	for i := 0; i < len(v.Axes); {
		j := i + chainLen(v.Axes[i:])
		groups = append(groups, [2]int{i, j})
		i = j
	}
	var nest func(k int)
	var along func(k, i int)
	nest = func(k int) {
		if k < 0 {
			body(v, name, ix)
			return
		}
		along(k, groups[k][0])
	}
	along = func(k, i int) {
		if i == groups[k][1] {
			nest(k - 1)
			return
		}
		if i < len(m.idx) {
			along(k, i+1)
			return
		}
		p := v.Axes[i]
		size := w.sizeOf(p, ix[i-len(chainOf(p))+1:i]...)
		axis := indexName(p)
		if i < len(v.Params) {
			axis = v.Params[i].Name
		}
		loop := w.local(axis)
		ix[i] = id(loop)
		inner := w.block(func() { along(k, i+1) })
		ix[i] = ex{}
		delete(w.byName, loop)
		w.emit(header(loop, size, 0, 0, false, true).Block(inner...))
	}
	all := func() { nest(len(groups) - 1) }
	if m.large {
		inner := w.block(all)
		cond := cmp("<=", raw(w.extent(v)), intLit(maxDefault))
		w.emit(jen.If(cond.Code()).Block(inner...))
		return
	}
	all()
}

// monitored returns the value of one element as it is written.
func (w *writer) monitored(v *ir.Var, ix []ex) ex {
	if v.Role != dsl.Let {
		x := w.element(v, ix)
		if v.Type.Elem == ir.Cat {
			return call("", "float64", add(x, intLit(1)))
		}
		return asReal(v.Type, x)
	}
	var x ex
	n := len(v.Params)
	w.bindAll(v.Params, ix[:n], func() {
		if r, ok := v.Def.(*ir.Ref); ok && r.Var.Type.Elem == ir.Cat {
			x = call("", "float64", add(w.ref(r), intLit(1)))
			return
		}
		x = w.array(v.Def)(ix[n:]...)
	})
	return x
}

// wrap breaks text into lines for a comment.
func wrap(text string) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+len(word) >= 120 {
			out = append(out, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(out, line)
}
