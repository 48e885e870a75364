// This file holds what generated comments say of a spec: its statements, quoted on one line, and the remarks beside them.

package codegen

import (
	"strings"
	"unicode"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// quote returns the source of a span on one line, without comments. The result is text for a line comment: it holds no line break and
// nothing that Go's scanner would refuse.
func (g *generator) quote(at dsl.Span) string {
	src := g.model.File.Src
	if at.Start.Offset < 0 || at.End.Offset > len(src) || at.Start.Offset >= at.End.Offset {
		return ""
	}
	var parts []string
	for _, line := range strings.Split(src[at.Start.Offset:at.End.Offset], "\n") {
		code, _, _ := strings.Cut(line, "//")
		parts = append(parts, code)
	}
	return clean(strings.Join(parts, " "))
}

// remark returns the comment that stands after a span on its last line.
func (g *generator) remark(at dsl.Span) string {
	src := g.model.File.Src
	if at.End.Offset < 0 || at.End.Offset > len(src) {
		return ""
	}
	line, _, _ := strings.Cut(src[at.End.Offset:], "\n")
	_, text, _ := strings.Cut(line, "//")
	return clean(text)
}

// clean makes text safe for a line comment.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || r == '\ufeff' || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// statements returns the declarations of v as they stand in the spec, and the remarks beside them.
func (g *generator) statements(name string) (decls []*dsl.VarDecl) {
	for _, d := range g.model.File.Decls {
		if d, ok := d.(*dsl.VarDecl); ok && d.Name.Name == name {
			decls = append(decls, d)
		}
	}
	return decls
}

// plateDecl returns the declaration of a plate, or nil.
func (g *generator) plateDecl(p *ir.Plate) *dsl.PlateDecl {
	for _, d := range g.model.File.Decls {
		if d, ok := d.(*dsl.PlateDecl); ok && d.Name.Name == p.Name {
			return d
		}
	}
	return nil
}
