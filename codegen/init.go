// This file holds initial values in generated code: a chain put where a file says.

package codegen

import (
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/ir"
)

// setInit prints SetInit.
func (g *generator) setInit(f *jen.File) {
	body := []jen.Code{jen.Id("st").Op(":=").Id("s").Dot("state").Dot("Clone").Call()}
	for _, p := range g.model.Plates {
		if p.Unbounded {
			body = append(body, jen.If(jen.List(jen.Id("n"), jen.Id("ok")).Op(":=").Id("set").Dot("Sizes").Index(jen.Lit(p.Name)), jen.Id("ok")).Block(
				jen.Id("st").Dot(g.l.size[p]).Op("=").Id("n")))
		}
	}
	for _, v := range g.states() {
		from := jen.Id("v").Dot(viewFields[v.Type.Elem])
		to := jen.Id("st").Dot(g.l.field[v])
		take := []jen.Code{to.Clone().Op("=").Add(from)}
		if len(v.Axes) == 0 {
			take = []jen.Code{
				jen.If(jen.Len(from.Clone()).Op("!=").Lit(1)).Block(jen.Return(
					jen.Qual("fmt", "Errorf").Call(jen.Lit(g.pkg+": "+v.Name+": %d elements, want 1"), jen.Len(from.Clone())))),
				to.Clone().Op("=").Add(from).Index(jen.Lit(0)),
			}
		}
		body = append(body, jen.If(jen.Id("v").Op(":=").Id("set").Dot("Values").Index(jen.Lit(v.Name)), jen.Id("v").Op("!=").Nil()).Block(take...))
	}
	body = append(body, jen.Return(jen.Id("s").Dot("SetState").Call(jen.Id("st"))))
	doc := []string{
		"SetInit moves the chain to the values that set has, and leaves the other unknowns where they are. The error names the element",
		"that lies outside its support; the chain then stays where it was."}
	if slices.ContainsFunc(g.model.Plates, func(p *ir.Plate) bool { return p.Unbounded }) {
		doc = append(doc, "Of a plate without bounds set.Sizes has how many elements are in use.")
	}
	comment(f, doc)
	f.Func().Add(recv()).Id("SetInit").Params(jen.Id("set").Op("*").Qual(dataioPath, "Set")).Error().Block(body...)
	f.Line()
}
