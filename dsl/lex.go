// This file turns source text into lines of tokens, and refuses sources that no spec looks like.

package dsl

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// Limits on what Parse reads. They are far above any real spec: their work is to make hostile input fail early,
// with a message, in bounded time and stack.
const (
	maxSource = 1 << 20  // bytes of source
	maxLine   = 64 << 10 // bytes of one line
	maxToken  = 8 << 10  // bytes of one name, number or comment
	maxTokens = 10_000   // tokens of one statement
	maxDepth  = 200      // nesting of brackets, minus signs and powers
	maxErrors = 100      // messages of one run
)

// The lexer's rules; the first that matches wins. No rule crosses a line's end, so the source is lexed line by
// line, and Stray takes any character, so that lexing never fails.
var lexRules = lexer.MustStateful(lexer.Rules{"Root": {
	{Name: "Space", Pattern: `[ \t\r\x{FEFF}]+`},
	{Name: "Keyword", Pattern: `(?:over|in|if)\b`}, // the only reserved words
	{Name: "Ident", Pattern: `[A-Za-z_][A-Za-z0-9_]*`},
	{Name: "Comment", Pattern: `//.*`},
	{Name: "Op", Pattern: `<=|>=|==|!=|[-+*/^<>=~:,()\[\]]`},
	{Name: "Number", Pattern: `[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?`},
	{Name: "Stray", Pattern: `(?s).`},
}})

var (
	tokSpace   = lexRules.Symbols()["Space"]
	tokKeyword = lexRules.Symbols()["Keyword"]
	tokIdent   = lexRules.Symbols()["Ident"]
	tokComment = lexRules.Symbols()["Comment"]
	tokNumber  = lexRules.Symbols()["Number"]
	tokStray   = lexRules.Symbols()["Stray"]
)

// keywords are the words that begin a statement. Elsewhere they are ordinary names.
var keywords = []string{"model", "plate", "const", "data", "global", "local", "let", "observe",
	"collapse", "block", "monitor", "kernel", "batch"}

func isKeyword(s string) bool {
	for _, k := range keywords {
		if s == k {
			return true
		}
	}
	return false
}

// A token is one token without the spaces around it.
type token struct {
	lexer.Token
	space bool // preceded by a space, on the same line
}

func (t *token) is(ops ...string) bool {
	for _, op := range ops {
		if t.Value == op && t.Type != tokComment {
			return true
		}
	}
	return false
}

func (t *token) span() Span { return spanOf(t.Pos, len(t.Value), utf8.RuneCountInString(t.Value)) }

func toPos(p lexer.Position) Pos { return Pos{Offset: p.Offset, Line: p.Line, Col: p.Column} }

// spanOf is a span within one line: bytes and chars are its length in each unit.
func spanOf(p lexer.Position, bytes, chars int) Span {
	start := toPos(p)
	return Span{start, Pos{start.Offset + bytes, start.Line, start.Col + chars}}
}

// A line is one line of source, lexed.
type line struct {
	toks    []token // without spaces and comment
	comment *token  // or nil
	cont    bool    // goes on with the statement of an earlier line; set by split
}

// lexLines lexes src. It reports sources that are refused whole; then there are no lines.
func lexLines(src string) ([]line, Diags) {
	var ds Diags
	if len(src) > maxSource {
		ds.Errorf(Span{Pos{0, 1, 1}, Pos{0, 1, 1}}, codeTooBig,
			"the source is %d bytes long; at most %d are read", len(src), maxSource).
			WithHint("a spec holds no data: keep that in files of its own")
		return nil, ds
	}
	var lines []line
	for offset, n := 0, 1; offset < len(src); n++ {
		text := src[offset:]
		next := len(src)
		if end := strings.IndexByte(text, '\n'); end >= 0 {
			text, next = text[:end], offset+end+1
		}
		at := lexer.Position{Offset: offset, Line: n, Column: 1}
		if d := checkLine(text, at); d != nil {
			return nil, append(ds, d)
		}
		l := lexLine(text, at)
		for i := range l.toks {
			if t := &l.toks[i]; len(t.Value) > maxToken {
				ds.Errorf(t.span(), codeTooBig, "this name or number is %d bytes long; at most %d are read", len(t.Value), maxToken)
				return nil, ds
			}
		}
		if c := l.comment; c != nil && len(c.Value) > maxToken {
			ds.Errorf(c.span(), codeTooBig, "this comment is %d bytes long; at most %d are read", len(c.Value), maxToken).
				WithHint("break it over several lines")
			return nil, ds
		}
		lines = append(lines, l)
		offset = next
	}
	return lines, ds
}

// checkLine refuses a line that is too long or not text.
func checkLine(text string, at lexer.Position) *Diag {
	var ds Diags
	if len(text) > maxLine {
		return ds.Errorf(spanOf(at, 0, 0), codeTooBig, "this line is %d bytes long; at most %d are read", len(text), maxLine).
			WithHint("a statement may go on over several lines inside brackets, or after an operator or a comma")
	}
	if utf8.ValidString(text) {
		return nil
	}
	for i, r := range text {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(text[i:]); size != 1 {
			continue // U+FFFD itself, well encoded
		}
		at.Offset, at.Column = at.Offset+i, at.Column+utf8.RuneCountInString(text[:i])
		return ds.Errorf(spanOf(at, 1, 1), codeNotUTF8, "the byte 0x%02X is not UTF-8", text[i]).
			WithHint("save the file as UTF-8")
	}
	return nil
}

// lexLine lexes one line that begins at the given place.
func lexLine(text string, at lexer.Position) line {
	var l line
	lex, _ := lexRules.LexString("", text) // fails only on reading
	space := true
	for {
		t, err := lex.Next()
		if err != nil || t.EOF() { // Stray makes errors impossible
			return l
		}
		t.Pos.Offset += at.Offset
		t.Pos.Line = at.Line
		switch t.Type {
		case tokSpace:
			space = true
			continue
		case tokComment:
			t.Value = strings.TrimRight(t.Value, " \t\r")
			l.comment = &token{t, space}
		default:
			l.toks = append(l.toks, token{t, space})
		}
		space = false
	}
}
