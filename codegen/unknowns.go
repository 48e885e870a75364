// This file holds how generated code shows its unknowns to those who don't know the model.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
)

// viewFields are the fields of runtime.Unknown that hold the elements.
var viewFields = map[ir.Elem]string{ir.Real: "Real", ir.Int: "Int", ir.Bool: "Bool", ir.Cat: "Cat"}

// unknowns prints Unknowns: what does not change is made once, and the views are set at every call.
func (g *generator) unknowns(f *jen.File) {
	s := func(field string) *jen.Statement { return jen.Id("s").Dot(field) }
	is := func(field string, x jen.Code) jen.Code { return jen.Id(field).Op(":").Add(x) }
	dim := func(p *ir.Plate) jen.Code {
		name := is("Plate", jen.Lit(p.Name))
		switch {
		case p.Over != nil:
			return jen.Values(name, is("At", s(startField(p))))
		case p.Unbounded:
			return jen.Values(name, is("Unbounded", jen.True()))
		}
		return jen.Values(name, is("Size", s("data").Dot(g.l.size[p])))
	}
	var made, set []jen.Code
	for i, v := range g.states() {
		at := jen.Id("u").Index(jen.Lit(i))
		field := at.Clone().Dot(viewFields[v.Type.Elem])
		d := []jen.Code{is("Name", jen.Lit(v.Name))}
		if len(v.Axes) == 0 {
			d = append(d, is(viewFields[v.Type.Elem], jen.Make(jen.Index().Add(goType(v.Type)), jen.Lit(1))))
			set = append(set, field.Index(jen.Lit(0)).Op("=").Add(s("state")).Dot(g.l.field[v]))
		} else {
			var dims []jen.Code
			for k, p := range v.Axes {
				dims = append(dims, dim(p))
				if p.Unbounded {
					set = append(set, at.Clone().Dot("Dims").Index(jen.Lit(k)).Dot("Size").Op("=").Add(s("state")).Dot(g.l.size[p]))
				}
			}
			d = append(d, is("Dims", jen.Index().Qual(runtimePath, "Dim").Values(dims...)))
			set = append(set, field.Op("=").Add(s("state")).Dot(g.l.field[v]))
		}
		if of := v.Type.Of; of != nil {
			d = append(d, is("Of", jen.Qual(runtimePath, "Dim").Add(dim(of))))
			if of.Unbounded {
				set = append(set, at.Clone().Dot("Of").Dot("Size").Op("=").Add(s("state")).Dot(g.l.size[of]))
			}
		}
		made = append(made, jen.Line().Values(d...))
	}
	list := jen.Index().Qual(runtimePath, "Unknown")
	body := []jen.Code{jen.Return(jen.Nil())}
	if len(made) > 0 {
		body = slices.Concat([]jen.Code{
			jen.If(s("unknowns").Op("==").Nil()).Block(s("unknowns").Op("=").Add(list.Clone()).Values(append(made, jen.Line())...)),
			jen.Id("u").Op(":=").Add(s("unknowns")),
		}, set, []jen.Code{jen.Return(jen.Id("u"))})
	}
	f.Comment("// Unknowns returns what the state holds, by name and shape, as views that are valid until the next update.")
	f.Func().Add(recv()).Id("Unknowns").Params().Add(list).Block(body...)
	f.Line()
}
