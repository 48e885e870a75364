// This file holds initial values in generated code: a chain put where a file says.

package codegen

import "github.com/dave/jennifer/jen"

// setInit prints SetInit. What runs over an unbounded plate, or is of one, is left out: no file can know its size.
func (g *generator) setInit(f *jen.File) {
	body := []jen.Code{jen.Id("st").Op(":=").Id("s").Dot("state").Dot("Clone").Call()}
	for _, v := range g.states() {
		if overUnbounded(v) || v.Type.Of != nil && v.Type.Of.Unbounded {
			continue
		}
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
	f.Comment("// SetInit moves the chain to the values that set has, and leaves the other unknowns where they are. The error names the element")
	f.Comment("// that lies outside its support; the chain then stays where it was.")
	f.Func().Add(recv()).Id("SetInit").Params(jen.Id("set").Op("*").Qual(dataioPath, "Set")).Error().Block(body...)
	f.Line()
}
