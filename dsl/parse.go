// This file holds Parse: source text in, syntax tree and diagnostics out.

package dsl

import (
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// Parse reads one spec. It always returns a File, which holds the statements that could be read; each that could
// not gives one error, so one run reports them all (up to a limit). It never panics, whatever src is. path is
// used in messages only.
func Parse(path, src string) (*File, Diags) {
	p := &parser{file: &File{Path: path, Src: src}}
	lines, ds := lexLines(src)
	if p.diags = ds; ds != nil {
		return p.file, p.diags
	}
	stmts := split(lines)
	for i, s := range stmts {
		if len(p.diags) == maxErrors {
			p.diags.Errorf(s[0].span(), codeTooMany, "too many errors: from here on nothing was read")
			return p.file, p.diags
		}
		p.stmt(i, s)
	}
	p.checkModel(stmts)
	p.file.Doc = modelDoc(lines, p.file.Model)
	return p.file, p.diags
}

// A parser is the state of one run of Parse.
type parser struct {
	file     *File
	diags    Diags
	hasModel bool // some statement is, or was meant to be, the model line
}

// stmt parses the i-th statement into the file, or reports why it cannot be.
func (p *parser) stmt(i int, s stmt) {
	if s[0].is("model") {
		if p.hasModel {
			p.diags.Errorf(s[0].span(), codeModelLine, "a second `model` line").Note("a file holds one model")
			return
		}
		p.hasModel = true
		if i > 0 {
			p.diags.Errorf(s[0].span(), codeModelLine, "the `model` line comes first").
				WithHint("move it above all other statements")
		}
	}
	if d := s.check(); d != nil {
		p.diags = append(p.diags, d)
		return
	}
	if s[0].Type != tokIdent || !isKeyword(s[0].Value) {
		d := keywordDiag(s)
		p.hasModel = p.hasModel || strings.HasPrefix(d.Hint, "did you mean `model`")
		p.diags = append(p.diags, d)
		return
	}
	g, err := parseStmt(s)
	if err != nil {
		p.diags = append(p.diags, syntaxDiag(s, err))
		return
	}
	span := Span{s[0].span().Start, s[len(s)-1].span().End}
	c := converter{}
	if g.Model != nil {
		p.file.Model = c.ident(g.Model)
		return
	}
	d := c.decl(g, span)
	if len(c.diags) > 0 {
		p.diags = append(p.diags, c.diags[0])
		return
	}
	p.file.Decls = append(p.file.Decls, d)
}

// parseStmt gives a checked statement to participle.
func parseStmt(s stmt) (*gStmt, participle.Error) {
	peeker, err := lexer.Upgrade(&tokenLexer{toks: s, end: s[0].Pos}, tokSpace)
	if err == nil {
		var g *gStmt
		if g, err = grammar().ParseFromLexer(peeker); err == nil {
			return g, nil
		}
	}
	if perr, ok := err.(participle.Error); ok {
		return nil, perr
	}
	return nil, participle.Errorf(s[0].Pos, "%s", err)
}

// checkModel reports that no statement names the model.
func (p *parser) checkModel(stmts []stmt) {
	switch {
	case p.hasModel:
	case len(stmts) == 0:
		p.diags.Errorf(Span{Pos{0, 1, 1}, Pos{0, 1, 1}}, codeNoModel, "no model: the file has no statements").
			WithHint("begin with `model NAME`")
	default:
		p.diags.Errorf(stmts[0][0].span(), codeNoModel, "no model: the first statement is not `model NAME`").
			Note("the name becomes that of the generated package").
			WithHint("put `model NAME` before this line")
	}
}

// unseen drops what cannot be seen in a comment and may not stand in one of Go's.
var unseen = strings.NewReplacer("\x00", "", "\uFEFF", "")

// modelDoc returns the text of the comment lines directly above the model line, without slashes.
func modelDoc(lines []line, model Ident) string {
	at := model.Span.Start.Line - 1 // index of the model line, or -1
	begin := at
	for begin > 0 && len(lines[begin-1].toks) == 0 && lines[begin-1].comment != nil {
		begin--
	}
	var text []string
	for i := begin; i < at; i++ {
		text = append(text, strings.TrimPrefix(strings.TrimPrefix(lines[i].comment.Value, "//"), " "))
	}
	return unseen.Replace(strings.Join(text, "\n"))
}
