// This file holds the formatter: the canonical layout of a spec.

package dsl

import (
	"strings"
	"unicode/utf8"
)

const (
	contIndent = 4       // columns before the later lines of a statement
	breakAt    = 1 << 10 // bytes after which a line is broken, so that no formatted line is longer than Parse reads
	commentGap = "  "    // at least, before a comment that follows code
)

// Format returns f in canonical form: one space around operators (none around `^`, nor around arithmetic inside index
// brackets), one statement a line unless its author broke it, later lines of a statement indented by four, at most one
// blank line in a row. Comments are kept, those after the code of consecutive lines aligned. Numbers keep their spelling.
//
// It works on f.Src. A source with errors is returned as it is: what cannot be read cannot be laid out.
// Format is idempotent, and its result parses to the same tree but for spans.
func Format(f *File) string {
	if _, ds := Parse(f.Path, f.Src); ds.HasErrors() {
		return f.Src
	}
	lines, _ := lexLines(f.Src)
	stmts := split(lines)

	var out []outLine
	var lay layout
	next := 0 // the next statement
	for i := range lines {
		l := &lines[i]
		switch {
		case len(l.toks) > 0:
			if !l.cont {
				lay = layout{}
				next++
			}
			toks := l.toks
			if s := stmts[next-1]; s[0].is("block") {
				toks = canonicalBlock(s, toks)
			}
			broken := lay.line(toks, l.cont)
			if l.comment != nil {
				broken[len(broken)-1].comment = l.comment.Value
			}
			out = append(out, broken...)
		case l.comment != nil:
			own := outLine{comment: l.comment.Value, cont: l.cont}
			out = append(out, own)
		case !l.cont && len(out) > 0 && !out[len(out)-1].blank():
			out = append(out, outLine{})
		}
	}
	for len(out) > 0 && out[len(out)-1].blank() {
		out = out[:len(out)-1]
	}
	return render(out)
}

// An outLine is one line of formatted source.
type outLine struct {
	code    string // without indent
	comment string
	cont    bool // indented
}

func (l *outLine) blank() bool { return l.code == "" && l.comment == "" }

func (l *outLine) indent() string {
	if l.cont {
		return strings.Repeat(" ", contIndent)
	}
	return ""
}

// render aligns the comments of consecutive lines that have both code and comment.
func render(lines []outLine) string {
	var b strings.Builder
	for i := 0; i < len(lines); {
		width, end := 0, i
		for end < len(lines) && lines[end].code != "" && lines[end].comment != "" {
			width = max(width, utf8.RuneCountInString(lines[end].indent()+lines[end].code))
			end++
		}
		for ; i < end; i++ {
			code := lines[i].indent() + lines[i].code
			b.WriteString(code)
			b.WriteString(strings.Repeat(" ", width-utf8.RuneCountInString(code)))
			b.WriteString(commentGap + lines[i].comment + "\n")
		}
		if i < len(lines) { // code alone, comment alone, or blank
			if !lines[i].blank() {
				b.WriteString(lines[i].indent() + lines[i].code + lines[i].comment)
			}
			b.WriteByte('\n')
			i++
		}
	}
	return b.String()
}

// A layout spaces the tokens of one statement; it lives through the lines of the statement.
type layout struct {
	prev    token  // the last token laid out; zero before the first
	unary   bool   // prev is a minus sign in front of its operand
	n       int    // tokens laid out
	open    []bool // the open brackets: is it an index bracket?
	inIndex int    // how many of them are
}

// line lays out the tokens of one source line, on more lines if it would become too long.
func (lay *layout) line(toks []token, cont bool) []outLine {
	out := []outLine{{cont: cont}}
	var b strings.Builder
	for i := range toks {
		t := &toks[i]
		space := lay.next(t)
		if i > 0 && b.Len() > breakAt && lay.mayBreak(t) {
			out[len(out)-1].code = b.String()
			out = append(out, outLine{cont: true})
			b.Reset()
		} else if i > 0 && space {
			b.WriteByte(' ')
		}
		b.WriteString(t.Value)
		lay.advance(t)
	}
	out[len(out)-1].code = b.String()
	return out
}

// next reports whether a space stands before t.
func (lay *layout) next(t *token) bool {
	prev := &lay.prev
	switch {
	case t.is(")", "]", ","), prev.is("(", "["), t.is("^"), prev.is("^"), lay.unary:
		return false
	case t.is("(", "["):
		return prev.Type != tokIdent || lay.n == 1 // a call or an index stands close, but not `block (`
	case lay.inIndex > 0 && (arithmetic(prev) || arithmetic(t) && !lay.isUnary(t)):
		return false
	}
	return true
}

// mayBreak reports whether the line may end before t: where split would join it again.
func (lay *layout) mayBreak(t *token) bool {
	return len(lay.open) > 0 || opensMore(&lay.prev) || goesOn(t)
}

// advance takes note of t.
func (lay *layout) advance(t *token) {
	lay.unary = lay.isUnary(t)
	switch {
	case t.is("(", "["):
		index := t.is("[") && lay.prev.Type == tokIdent
		lay.open = append(lay.open, index)
		if index {
			lay.inIndex++
		}
	case t.is(")", "]") && len(lay.open) > 0:
		if lay.open[len(lay.open)-1] {
			lay.inIndex--
		}
		lay.open = lay.open[:len(lay.open)-1]
	}
	lay.prev = *t
	lay.n++
}

// isUnary reports whether t, the next token, is a minus sign in front of its only operand.
func (lay *layout) isUnary(t *token) bool {
	return t.is("-") && (isOperator(&lay.prev) || lay.prev.is("(", "["))
}

func arithmetic(t *token) bool { return t.is("+", "-", "*", "/") }

// canonicalBlock gives the tokens of one line of a block statement the parentheses that it may lack.
func canonicalBlock(s stmt, toks []token) []token {
	if s[1].is("(") {
		return toks
	}
	var out []token
	for _, t := range toks {
		out = append(out, t)
		paren := token{Token: t.Token}
		if t.Pos == s[0].Pos {
			paren.Value = "("
			paren.Type = lexRules.Symbols()["Op"]
			out = append(out, paren)
		}
		if t.Pos == s[len(s)-1].Pos {
			paren.Value = ")"
			paren.Type = lexRules.Symbols()["Op"]
			out = append(out, paren)
		}
	}
	return out
}
