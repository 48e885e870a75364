// This file holds how a method of generated code is put together: its comment, what it reads first, its body.

package codegen

import (
	"strings"

	"github.com/dave/jennifer/jen"
)

func method(name string) *jen.Statement {
	return jen.Func().Params(jen.Id("s").Op("*").Id("Sampler")).Id(name)
}

// assemble prints a method: the derivation as its comment, the prologue, the body.
func assemble(f *jen.File, doc []string, decl *jen.Statement, e *emitter, out *block) {
	comment(f, doc)
	f.Add(decl.Block(append(e.f.prologue(), out.stmts...)...))
	f.Line()
}

func comment(f *jen.File, doc []string) {
	for _, l := range doc {
		l = strings.TrimRight(l, " ")
		l = strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' || r == 0x2028 || r == 0x2029 {
				return ' '
			}
			return r
		}, l)
		if l == "" || l[0] != '\t' {
			l = strings.TrimRight(" "+l, " ")
		}
		f.Comment("//" + l)
	}
}

// oneLine makes a text from the spec fit in a comment line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
