// This file holds the types of a generated package: Sizes, Data, Hyper and State, with what the spec says of each field.

package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// types prints Sizes, Data, Hyper with DefaultHyper, and State.
func (g *generator) types(f *jen.File) {
	g.sizesType(f)
	g.dataType(f)
	g.hyperType(f)
	g.defaultHyper(f)
	g.stateType(f)
}

func (g *generator) sizesType(f *jen.File) {
	var fields []jen.Code
	for _, p := range g.model.Plates {
		if p.Over != nil || p.Unbounded {
			continue
		}
		field := jen.Id(g.l.size[p]).Int()
		fields = append(fields, field.Comment("// "+g.plateText(p)))
	}
	f.Comment("// Sizes holds the number of elements of each plate, at least 1.")
	f.Type().Id("Sizes").Struct(fields...)
	f.Line()

	need := g.leastSizes()
	w := g.writer()
	for _, p := range g.model.Plates {
		if p.Over == nil && !p.Unbounded {
			w.try("Size", jen.Lit(g.l.size[p]), jen.Id("n").Dot(g.l.size[p]), jen.Lit(max(1, need[p])))
		}
	}
	for _, v := range g.roles(dsl.Const) {
		if len(v.Axes) > 1 && !overRagged(v) {
			var ns []jen.Code
			for _, p := range v.Axes {
				ns = append(ns, jen.Id("n").Dot(g.l.size[p]))
			}
			w.try("Room", jen.Lit(g.l.field[v]), jen.Qual(runtimePath, "Extent").Call(ns...))
		}
	}
	f.Comment("// check reports a size that is not positive or too large.")
	f.Func().Params(jen.Id("n").Id("Sizes")).Id("check").Params().Error().Block(jen.Return(w.join()))
	f.Line()
}

// plateText says what a plate is.
func (g *generator) plateText(p *ir.Plate) string {
	text := "plate " + p.Name
	if d := g.plateDecl(p); d != nil {
		if q := g.quote(d.Span); q != "" {
			text = q
		}
		if r := g.remark(d.Span); r != "" {
			text += ": " + r
		}
	}
	return text
}

func (g *generator) dataType(f *jen.File) {
	fields := []jen.Code{jen.Id("Sizes")}
	for _, p := range g.model.Plates {
		if p.Over == nil {
			continue
		}
		fields = append(fields, jen.Line(),
			jen.Comment("// "+g.plateText(p)+": how many for each element of "+p.Over.Name+","), jen.Comment("// 0 or more."),
			jen.Id(g.l.size[p]).Index().Int())
	}
	for _, v := range g.roles(dsl.Data) {
		fields = append(fields, g.field(v)...)
	}
	f.Comment("// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never")
	f.Comment("// writes to it; the caller must not write to it either.")
	f.Type().Id("Data").Struct(fields...)
	f.Line()
}

func (g *generator) hyperType(f *jen.File) {
	var fields []jen.Code
	for _, v := range g.roles(dsl.Const) {
		fields = append(fields, g.field(v)...)
	}
	fields = noBlank(fields)
	f.Comment("// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.")
	f.Type().Id("Hyper").Struct(fields...)
	f.Line()
}

func (g *generator) stateType(f *jen.File) {
	var fields []jen.Code
	for _, p := range g.model.Plates {
		if p.Unbounded {
			fields = append(fields, jen.Id(g.l.size[p]).Int().Comment("// number in use of "+g.plateText(p)), jen.Line())
		}
	}
	for _, v := range g.states() {
		fields = append(fields, g.field(v)...)
	}
	fields = noBlank(fields)
	f.Comment("// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.")
	f.Type().Id("State").Struct(fields...)
	f.Line()

	var copies []jen.Code
	for _, v := range g.states() {
		if len(v.Axes) > 0 {
			name := g.l.field[v]
			copies = append(copies, jen.Id("st").Dot(name).Op("=").Qual("slices", "Clone").Call(jen.Id("st").Dot(name)))
		}
	}
	f.Comment("// Clone returns a copy that shares nothing with st.")
	f.Func().Params(jen.Id("st").Id("State")).Id("Clone").Params().Id("State").Block(append(copies, jen.Return(jen.Id("st")))...)
	f.Line()
}

// noBlank drops a blank line at the top.
func noBlank(fields []jen.Code) []jen.Code {
	if len(fields) > 0 {
		if l, ok := fields[0].(*jen.Statement); ok && fmt.Sprintf("%#v", l) == "\n" {
			return fields[1:]
		}
	}
	return fields
}

// roles returns the variables of a role, in declaration order.
func (g *generator) roles(r dsl.Role) []*ir.Var {
	return slices.DeleteFunc(slices.Clone(g.model.Vars), func(v *ir.Var) bool { return v.Role != r })
}

// field returns a struct field, with the spec's statements about the variable and its shape above it.
func (g *generator) field(v *ir.Var) []jen.Code {
	var out []jen.Code
	say := func(text string) { out = append(out, jen.Comment("// "+text)) }
	for _, d := range g.statements(v.Name) {
		text := g.quote(d.Span)
		if r := g.remark(d.Span); r != "" {
			text += "  (" + r + ")"
		}
		say(text)
	}
	declared := slices.ContainsFunc(g.statements(v.Name), func(d *dsl.VarDecl) bool { return d.Type != nil && (d.Type.Lo != nil || d.Type.Hi != nil) })
	if s := shapeText(v, !declared); s != "" {
		say(s)
	}
	out = append(out, jen.Id(g.l.field[v]).Add(fieldType(v)))
	if len(out) > 2 {
		out = append([]jen.Code{jen.Line()}, out...)
	}
	return out
}

// shapeText says how the elements of v are laid out and what they are.
func shapeText(v *ir.Var, bounds bool) string {
	var parts []string
	switch len(v.Axes) {
	case 0:
	case 1:
		parts = append(parts, "over "+v.Axes[0].Name)
	default:
		parts = append(parts, "row-major over "+plateNames(v.Axes))
	}
	switch v.Support.Kind {
	case ir.Simplex:
		parts = append(parts, "each row sums to 1")
	case ir.SPD:
		parts = append(parts, "symmetric positive definite matrices")
	case ir.Finite:
		parts = append(parts, "categories of "+v.Type.Of.Name+", from 0")
	case ir.Counts:
		if bounds {
			parts = append(parts, "whole numbers"+boundsText(v.Support, true))
		}
	case ir.Line:
		if b := boundsText(v.Support, false); b != "" && bounds {
			parts = append(parts, v.Name+b)
		}
	}
	if v.Support.Ordered {
		parts = append(parts, "each row increases")
	}
	return strings.Join(parts, "; ")
}

func boundsText(s ir.Support, closed bool) string {
	var parts []string
	if s.Lo != nil {
		op := " > "
		if closed || s.LoClosed {
			op = " >= "
		}
		parts = append(parts, op+clean(ir.ExprString(s.Lo)))
	}
	if s.Hi != nil {
		op := " < "
		if closed || s.HiClosed {
			op = " <= "
		}
		parts = append(parts, op+clean(ir.ExprString(s.Hi)))
	}
	return strings.Join(parts, " and")
}

// defaultHyper prints DefaultHyper.
func (g *generator) defaultHyper(f *jen.File) {
	w := g.writer("sizes", "h")
	w.path = map[string]string{"data": "sizes", "hyper": "h"}
	var unset []string
	for _, v := range g.constOrder() {
		w.write[v] = true
		if v.Default == nil || overRagged(v) {
			unset = append(unset, v.Name)
		}
		w.defaultOf(v)
	}
	f.Comment("// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New")
	f.Comment("// then says which.")
	if len(unset) > 0 {
		f.Comment("// The others, " + strings.Join(unset, ", ") + ", are NaN, zero or nil and must be set.")
	}
	body := []jen.Code{jen.Var().Id("h").Id("Hyper")}
	if allocs := w.allocDefaults(); len(allocs) > 0 {
		body = append(body, jen.If(jen.Id("sizes").Dot("check").Call().Op("!=").Nil()).Block(jen.Return(jen.Id("h"))))
		body = append(body, allocs...)
	}
	body = append(body, w.body()...)
	body = append(body, jen.Return(jen.Id("h")))
	f.Func().Id("DefaultHyper").Params(jen.Id("sizes").Id("Sizes")).Id("Hyper").Block(body...)
	f.Line()
}

// constOrder returns the constants, each after those that its default depends on.
func (g *generator) constOrder() []*ir.Var {
	return ordered(g.roles(dsl.Const), func(v *ir.Var) []*ir.Var { return mentioned(v.Default) })
}

// ordered returns the variables, each after those that it depends on, otherwise in the given order.
func ordered(vars []*ir.Var, needs func(*ir.Var) []*ir.Var) []*ir.Var {
	var out []*ir.Var
	seen := map[*ir.Var]bool{}
	var visit func(v *ir.Var)
	visit = func(v *ir.Var) {
		if seen[v] {
			return
		}
		seen[v] = true
		for _, u := range needs(v) {
			if slices.Contains(vars, u) {
				visit(u)
			}
		}
		out = append(out, v)
	}
	for _, v := range vars {
		visit(v)
	}
	return out
}

// factorsOf returns the factors that draw v.
func (g *generator) factorsOf(v *ir.Var) []*ir.Factor {
	return slices.DeleteFunc(slices.Clone(g.model.Factors), func(f *ir.Factor) bool { return f.X.Var != v })
}

// mentioned returns the variables of the expressions.
func mentioned(es ...ir.Expr) []*ir.Var {
	var out []*ir.Var
	for _, e := range es {
		anyRef(e, func(r *ir.Ref) bool {
			out = append(out, r.Var)
			return false
		})
	}
	return out
}

// allocDefaults makes the arrays that have defaults.
func (w *writer) allocDefaults() []jen.Code {
	var out []jen.Code
	for _, v := range w.g.constOrder() {
		if len(v.Axes) == 0 || v.Default == nil || overRagged(v) {
			continue
		}
		size := ex{}
		for _, p := range v.Axes {
			n := raw(jen.Id("sizes").Dot(w.l.size[p]))
			if size.code == nil {
				size = n
			} else {
				size = mul(size, n)
			}
		}
		out = append(out, jen.Id("h").Dot(w.l.field[v]).Op("=").Make(fieldType(v), size.Code()))
	}
	return out
}

// defaultOf emits the default of one constant.
func (w *writer) defaultOf(v *ir.Var) {
	switch {
	case overRagged(v):
		return
	case v.Default == nil:
		if v.Type.Elem == ir.Real && len(v.Axes) == 0 {
			w.emit(w.variable(v).Code().Op("=").Qual("math", "NaN").Call())
		}
		return
	case len(v.Axes) == 0:
		w.emit(w.variable(v).Code().Op("=").Add(w.convert(v.Type, w.scalar(v.Default)).Code()))
		return
	}
	at := w.array(v.Default)
	if len(v.Default.Shape()) == 0 {
		x := w.convert(v.Type, at())
		if x.isNum && x.num == 0 {
			return // as made
		}
		i := w.local("i")
		w.emit(jen.For(jen.Id(i).Op(":=").Range().Add(w.variable(v).Code())).Block(
			index(w.variable(v), id(i)).Code().Op("=").Add(x.Code())))
		delete(w.byName, i)
		return
	}
	w.axes(v.Axes, v.Params, func(ix []ex) {
		w.emit(w.element(v, ix).Code().Op("=").Add(w.convert(v.Type, at(ix...)).Code()))
	})
}

// convert returns a float64 as an element of another type.
func (w *writer) convert(t ir.Type, x ex) ex {
	switch t.Elem {
	case ir.Int:
		if x.isNum {
			return intLit(int(x.num))
		}
		return call("", "int", x)
	case ir.Bool:
		return cmp("!=", x, num(0))
	case ir.Cat:
		if x.isNum {
			return intLit(int(x.num) - 1)
		}
		return call("", "int32", sub(x, num(1)))
	}
	return x
}

// samplerFields returns the fields of Sampler that this half of the generator uses.
func (g *generator) samplerFields() []jen.Code {
	out := []jen.Code{
		jen.Id("data").Id("Data"), jen.Id("hyper").Id("Hyper"), jen.Id("state").Id("State"),
		jen.Id("rng").Op("*").Qual(runtimePath, "Rand"),
	}
	for _, p := range g.model.Plates {
		if p.Over != nil {
			out = append(out, jen.Id(startField(p)).Index().Int().Comment("// where the "+p.Name+" of each element of "+p.Over.Name+" begin"))
		}
	}
	if g.needsMat() {
		out = append(out, jen.Id("mat").Op("*").Qual(runtimePath, "MatWork"))
	}
	if len(g.states()) > 0 {
		out = append(out, jen.Id("unknowns").Index().Qual(runtimePath, "Unknown").Comment("// what Unknowns returns"))
	}
	if len(g.model.Exchangeable()) > 0 {
		out = append(out, jen.Id("exchangeable").Index().Qual(runtimePath, "Exchangeable").Comment("// what Exchangeable returns"))
	}
	out = append(out, g.predictFields()...)
	for i, b := range g.judge().buffers {
		field := jen.Id(b.field).Index().Float64()
		if i == 0 {
			field = field.Comment("// scratch of the log joint")
		}
		out = append(out, field)
	}
	return out
}

// needsMat reports whether some distribution has a matrix among its parameters.
func (g *generator) needsMat() bool {
	return slices.ContainsFunc(g.model.Factors, func(f *ir.Factor) bool { return usesMatrix(f.Dist) })
}
