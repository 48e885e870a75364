// This file holds how generated code shows its unknowns to those who don't know the model.

package codegen

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
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
		if v.Role == dsl.Local {
			d = append(d, is("Local", jen.True()))
		}
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

// exchangeable prints Exchangeable, if there is such a plate.
func (g *generator) exchangeable(f *jen.File) {
	plates := g.model.Exchangeable()
	if len(plates) == 0 {
		return
	}
	var made, set []jen.Code
	var names []string
	for i, p := range plates {
		names = append(names, p.Name)
		at := jen.Id("e").Index(jen.Lit(i))
		made = append(made, jen.Line().Values(jen.Id("Plate").Op(":").Lit(p.Name)))
		size := jen.Id("s").Dot("data").Dot(g.l.size[p])
		if p.Unbounded {
			size = jen.Id("s").Dot("state").Dot(g.l.size[p])
		}
		set = append(set, at.Clone().Dot("Size").Op("=").Add(size))
		if a := g.members(p); a != nil {
			set = append(set, at.Clone().Dot("Members").Op("=").Id("s").Dot(accField(a.Name)))
		}
	}
	field := jen.Id("s").Dot("exchangeable")
	list := jen.Index().Qual(runtimePath, "Exchangeable")
	comment(f, wrap("Exchangeable returns the plates whose elements nothing but their numbers tells apart: "+strings.Join(names, ", ")+"."))
	f.Func().Add(recv()).Id("Exchangeable").Params().Add(list).Block(slices.Concat([]jen.Code{
		jen.If(field.Clone().Op("==").Nil()).Block(field.Clone().Op("=").Add(list.Clone()).Values(append(made, jen.Line())...)),
		jen.Id("e").Op(":=").Add(field),
	}, set, []jen.Code{jen.Return(jen.Id("e"))})...)
	f.Line()
}

// members returns the accumulator that counts how many categories are each element of p, or nil if none is kept. Of several
// variables with categories of p each has its own, none of which is the whole.
func (g *generator) members(p *ir.Plate) *plan.Acc {
	if len(g.categoriesOf(p)) != 1 || g.plan == nil {
		return nil
	}
	for _, a := range g.plan.Accs {
		b := a.Body
		if len(a.Params) == 1 && a.Params[0].Plate == p && !a.Sparse && !a.Count && b.C == 1 && len(b.F) == 0 && len(b.Guards) == 1 &&
			b.Guards[0].Rel == ir.Eq && slices.IndexFunc(b.Over, func(o ir.Bind) bool { return o.Lo != 0 || o.Hi != 0 }) < 0 {
			return a
		}
	}
	return nil
}
