// This file holds the bridge from files to a generated package: the Source of the spec, the Schema of what the model reads, Load
// and Open.

package codegen

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// dataioPath is what reads data files.
const dataioPath = runtimePath + "/dataio"

// load prints Source, Schema, Load and Open.
func (g *generator) load(f *jen.File) {
	var plates, fields []jen.Code
	for _, p := range g.model.Plates {
		if p.Unbounded {
			continue
		}
		d := []jen.Code{jen.Id("Name").Op(":").Lit(p.Name)}
		if p.Over != nil {
			d = append(d, jen.Id("Parent").Op(":").Lit(p.Over.Name))
		}
		d = append(d, jen.Id("Size").Op(":").Lit(p.Size))
		if p.Like != nil {
			d = append(d, jen.Id("Like").Op(":").Lit(p.Like.Name), jen.Id("More").Op(":").Lit(p.More))
		}
		if slices.ContainsFunc(g.roles(dsl.Data), func(v *ir.Var) bool { return slices.Contains(v.Axes, p) }) {
			d = append(d, jen.Id("Axis").Op(":").True())
		}
		plates = append(plates, jen.Line().Values(d...))
	}
	for _, v := range g.model.Vars {
		if v.Role != dsl.Data && v.Role != dsl.Const {
			continue
		}
		kinds := map[ir.Elem]string{ir.Real: "Real", ir.Int: "Int", ir.Bool: "Bool", ir.Cat: "Category"}
		d := []jen.Code{jen.Id("Name").Op(":").Lit(v.Name), jen.Id("Kind").Op(":").Qual(dataioPath, kinds[v.Type.Elem])}
		if v.Type.Elem == ir.Cat {
			d = append(d, jen.Id("Of").Op(":").Lit(v.Type.Of.Name))
		}
		if len(v.Axes) > 0 {
			var dims []jen.Code
			for _, p := range v.Axes {
				dims = append(dims, jen.Lit(p.Name))
			}
			d = append(d, jen.Id("Dims").Op(":").Index().String().Values(dims...))
		}
		if v.Role == dsl.Const {
			d = append(d, jen.Id("Const").Op(":").True())
			if v.Default != nil {
				d = append(d, jen.Id("Default").Op(":").True())
			}
		}
		fields = append(fields, jen.Line().Values(d...))
	}
	list := func(typ string, items []jen.Code) *jen.Statement {
		if len(items) > 0 {
			items = append(items, jen.Line())
		}
		return jen.Index().Qual(dataioPath, typ).Values(items...)
	}
	f.Comment("// Source is the text of the spec.")
	f.Const().Id("Source").Op("=").Add(text(g.model.File.Src))
	f.Line()
	f.Comment("// Schema lists what the model reads from data files.")
	f.Var().Id("Schema").Op("=").Qual(dataioPath, "Schema").Values(
		jen.Line().Id("Model").Op(":").Lit(g.model.Name),
		jen.Line().Id("Plates").Op(":").Add(list("Plate", plates)),
		jen.Line().Id("Fields").Op(":").Add(list("Field", fields)),
		jen.Line(),
	)
	f.Line()
	g.loadFunc(f)
	f.Comment("// Open returns a chain for data read from files. One that finds no start (runtime.ErrNoStart) comes with that error: SetInit")
	f.Comment("// may yet put it somewhere.")
	f.Func().Id("Open").Params(jen.Id("set").Op("*").Qual(dataioPath, "Set"), rngParam()).Params(jen.Qual(runtimePath, "Sampler"), jen.Error()).Block(
		jen.List(jen.Id("data"), jen.Id("hyper"), jen.Err()).Op(":=").Id("Load").Call(jen.Id("set")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.List(jen.Id("s"), jen.Err()).Op(":=").Id("build").Call(jen.Id("data"), jen.Id("hyper"), jen.Id("rng")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), wrapped(g.pkg))),
		ifErr(jen.Id("s").Dot("start").Call(), jen.List(jen.Id("s"), wrapped(g.pkg))),
		jen.Return(jen.Id("s"), jen.Nil()),
	)
	f.Line()
	failed := jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err()))
	f.Comment("// Forward draws unknowns and data from the model by Simulate, with the sizes, covariates and constants of the set, and returns the chain")
	f.Comment("// of these data that stands at these unknowns.")
	f.Func().Id("Forward").Params(jen.Id("set").Op("*").Qual(dataioPath, "Set"), rngParam()).Params(jen.Qual(runtimePath, "Sampler"), jen.Error()).Block(
		jen.List(jen.Id("data"), jen.Id("hyper"), jen.Err()).Op(":=").Id("Load").Call(jen.Id("set")),
		failed,
		jen.List(jen.Id("data"), jen.Id("state"), jen.Err()).Op(":=").Id("Simulate").Call(jen.Id("data"), jen.Id("hyper"), jen.Id("rng")),
		failed,
		jen.List(jen.Id("s"), jen.Err()).Op(":=").Id("NewAt").Call(jen.Id("data"), jen.Id("hyper"), jen.Id("state"), jen.Id("rng")),
		failed,
		jen.Return(jen.Id("s"), jen.Nil()),
	)
}

// text prints a string as it reads, between backquotes, unless Go would read another one there.
func text(s string) *jen.Statement {
	if !utf8.ValidString(s) || strings.ContainsAny(s, "`\r\x00\ufeff") {
		return jen.Lit(s)
	}
	return jen.Op("`" + s + "`")
}

// loadFunc prints Load.
func (g *generator) loadFunc(f *jen.File) {
	set := func(field string) *jen.Statement { return jen.Id("set").Dot(field) }
	body := []jen.Code{jen.Var().Id("data").Id("Data")}
	for _, p := range g.model.Plates {
		switch {
		case p.Unbounded:
		case p.Over != nil:
			body = append(body, jen.Id("data").Dot(g.l.size[p]).Op("=").Add(set("Ragged")).Index(jen.Lit(p.Name)))
		default:
			body = append(body, jen.Id("data").Dot(g.l.size[p]).Op("=").Add(set("Sizes")).Index(jen.Lit(p.Name)))
		}
	}
	body = append(body, jen.Id("hyper").Op(":=").Id("DefaultHyper").Call(jen.Id("data").Dot("Sizes")))
	for _, v := range g.model.Vars {
		if v.Role != dsl.Data && v.Role != dsl.Const {
			continue
		}
		slice := map[ir.Elem]string{ir.Real: "Real", ir.Int: "Int", ir.Bool: "Bool", ir.Cat: "Cat"}[v.Type.Elem]
		dst := jen.Id("data")
		if v.Role == dsl.Const {
			dst = jen.Id("hyper")
		}
		dst = dst.Dot(g.l.field[v])
		value := set("Values").Index(jen.Lit(v.Name))
		take := []jen.Code{dst.Clone().Op("=").Id("v").Dot(slice)}
		if len(v.Axes) == 0 {
			take = []jen.Code{
				jen.If(jen.Len(jen.Id("v").Dot(slice)).Op("!=").Lit(1)).Block(jen.Return(jen.Id("data"), jen.Id("hyper"),
					jen.Qual("fmt", "Errorf").Call(jen.Lit(v.Name+": %d elements, want 1"), jen.Len(jen.Id("v").Dot(slice))))),
				dst.Clone().Op("=").Id("v").Dot(slice).Index(jen.Lit(0)),
			}
		}
		stmt := jen.If(jen.Id("v").Op(":=").Add(value), jen.Id("v").Op("!=").Nil()).Block(take...)
		if v.Role == dsl.Data || v.Default == nil {
			stmt = stmt.Else().Block(jen.Return(jen.Id("data"), jen.Id("hyper"), jen.Qual("errors", "New").Call(jen.Lit("no value for "+v.Name))))
		}
		body = append(body, stmt)
	}
	body = append(body, jen.Return(jen.Id("data"), jen.Id("hyper"), jen.Nil()))
	f.Comment("// Load takes data and constants from what was read; constants that were not have their defaults.")
	f.Func().Id("Load").Params(jen.Id("set").Op("*").Qual(dataioPath, "Set")).Params(jen.Id("Data"), jen.Id("Hyper"), jen.Error()).Block(body...)
	f.Line()
}
