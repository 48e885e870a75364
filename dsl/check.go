// This file checks the tokens of a statement before any grammar is asked: characters, brackets, depth.

package dsl

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// check finds what is wrong with a statement's tokens before any grammar is asked; nil if nothing is.
func (s stmt) check() *Diag {
	var ds Diags
	if len(s) > maxTokens {
		return ds.Errorf(s[0].span(), codeTooBig, "this statement has %d tokens; at most %d are read", len(s), maxTokens).
			WithHint("name parts of it with `let`")
	}
	for i := range s {
		t := &s[i]
		if t.Type == tokStray {
			return strayDiag(s, i)
		}
		if t.Type == tokNumber && i+1 < len(s) && !s[i+1].space && s[i+1].Pos.Line == t.Pos.Line &&
			(s[i+1].Type == tokIdent || s[i+1].Type == tokKeyword || s[i+1].Type == tokNumber) {
			word := t.Value + s[i+1].Value
			return ds.Errorf(spanOf(t.Pos, len(word), len(word)), codeBadNumber, "`%s` is neither a number nor a name", clip(word)).
				Note("numbers are written 1, 0.5 or 1e-3; a name begins with a letter; a product needs its `*`")
		}
	}
	if d := s.checkBrackets(); d != nil {
		return d
	}
	return s.checkDepth()
}

// checkBrackets finds the first bracket without a partner.
func (s stmt) checkBrackets() *Diag {
	var ds Diags
	var open []*token
	closer := map[string]string{"(": ")", "[": "]"}
	for i := range s {
		t := &s[i]
		switch {
		case t.is("(", "["):
			open = append(open, t)
		case t.is(")", "]"):
			if len(open) == 0 {
				return ds.Errorf(t.span(), codeUnclosed, "`%s` closes nothing", t.Value)
			}
			o := open[len(open)-1]
			if want := closer[o.Value]; t.Value != want {
				return ds.Errorf(t.span(), codeUnclosed, "`%s` where `%s` is needed", t.Value, want).
					Note("the `%s` of line %d, column %d is still open", o.Value, o.Pos.Line, o.Pos.Column)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return nil
	}
	o := open[len(open)-1]
	return ds.Errorf(o.span(), codeUnclosed, "`%s` is never closed", o.Value).
		Note("a statement ends at its line's end, or before the next line that begins like a statement").
		WithHint("add `%s`", closer[o.Value])
}

// checkDepth refuses nesting that could exhaust a recursive reader's stack. Each open bracket counts one, and within
// it each minus sign in front and each power of the factor at hand.
func (s stmt) checkDepth() *Diag {
	var outer []int // the depth around each open bracket
	base, depth := 0, 0
	for i := range s {
		t := &s[i]
		switch {
		case t.is("(", "["):
			outer = append(outer, base, depth)
			depth++
			base = depth
		case t.is(")", "]"):
			n := len(outer)
			base, depth = outer[n-2], outer[n-1]
			outer = outer[:n-2]
		case t.is("^"), t.is("-") && s.unary(i):
			depth++
		case isOperator(t):
			depth = base
		}
		if depth > maxDepth {
			var ds Diags
			return ds.Errorf(t.span(), codeTooDeep, "nested more than %d deep", maxDepth).
				WithHint("name the inner parts with `let`")
		}
	}
	return nil
}

// unary reports whether the minus sign s[i] stands in front of its only operand.
func (s stmt) unary(i int) bool {
	return i == 0 || isOperator(&s[i-1]) || s[i-1].is("(", "[")
}

// strayDiag says what is wrong with a character that no spec contains.
func strayDiag(s stmt, i int) *Diag {
	var ds Diags
	t := &s[i]
	r, _ := utf8.DecodeRuneInString(t.Value)
	d := ds.Errorf(t.span(), codeStray, "stray character %s", charName(r))
	switch {
	case r >= 'α' && r <= 'ω':
		d.Note("names are made of ASCII letters, digits and `_`").WithHint("write %s", greek[r-'α'])
	case r == ';':
		d.WithHint("a statement ends with its line: leave the `;` out")
	case r == '#':
		d.WithHint("comments begin with `//`")
	case r == '{' || r == '}':
		d.Note("the language has no blocks: what runs over a plate says so in brackets").WithHint("local z[n in N] ~ ...")
	case r == '"' || r == '\'' || r == '`':
		d.Note("the language has no strings: levels and vocabularies come with the data")
	case r == '&' || r == '|' || r == '!':
		d.Note("conditions cannot be joined or negated")
	case r == '.':
		d.WithHint("write 0.5 for .5, 1 for 1., and `_` in a name")
	case r == 0xA0 || r >= 0x2000 && r <= 0x200B || r == 0x3000:
		d.WithHint("it looks like a space but is none: replace it by one")
	case strings.ContainsRune("−–—", r):
		d.WithHint("write `-`")
	case strings.ContainsRune("×·∗", r):
		d.WithHint("write `*`")
	case r == '≤':
		d.WithHint("write `<=`")
	case r == '≥':
		d.WithHint("write `>=`")
	case r == '∼':
		d.WithHint("write `~`")
	case r >= utf8.RuneSelf:
		d.Note("outside comments a spec is plain ASCII")
	}
	return d
}

// greek spells the letters from α to ω, the final sigma included.
var greek = [...]string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda",
	"mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"}

// charName shows a character and, where it cannot be seen, its number.
func charName(r rune) string {
	if r > ' ' && r < 0x7F {
		if r == '`' {
			return "'`'"
		}
		return fmt.Sprintf("`%c`", r)
	}
	if r < 0x80 || !printable(r) {
		return fmt.Sprintf("U+%04X", r)
	}
	return fmt.Sprintf("`%c` (U+%04X)", r, r)
}

// clip shortens a word for a message.
func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:37]) + "..."
	}
	return s
}
