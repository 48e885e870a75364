// This file splits lines of tokens into statements.

package dsl

// A stmt is the tokens of one statement.
type stmt []token

// split groups the tokens of the lines into statements. A line goes on with the statement before it
//
//   - inside brackets,
//   - after a line that ends with an operator or a comma,
//   - if it begins with an operator, a comma or a closing bracket,
//
// but never if it begins like a statement, `data x`: one forgotten bracket must not swallow the rest of the file.
func split(lines []line) []stmt {
	var stmts []stmt
	depth := 0
	for i := range lines {
		l := &lines[i]
		if len(l.toks) == 0 {
			// A comment inside a statement belongs to it; whether it is inside, the next line tells.
			continue
		}
		l.cont = len(stmts) > 0 && !beginsStatement(l.toks) &&
			(depth > 0 || goesOn(&l.toks[0]) || opensMore(last(stmts)))
		if !l.cont {
			stmts = append(stmts, nil)
			depth = 0
		}
		cur := &stmts[len(stmts)-1]
		for _, t := range l.toks {
			if t.is("(", "[") {
				depth++
			} else if t.is(")", "]") && depth > 0 {
				depth--
			}
			*cur = append(*cur, t)
		}
	}
	// Comment lines between the lines of one statement are inside it.
	for i, inside := len(lines)-1, false; i >= 0; i-- {
		if len(lines[i].toks) > 0 {
			inside = lines[i].cont
		} else {
			lines[i].cont = inside
		}
	}
	return stmts
}

// last returns the last token of the last statement.
func last(stmts []stmt) *token {
	s := stmts[len(stmts)-1]
	return &s[len(s)-1]
}

// beginsStatement reports whether a line begins with a keyword and a name, which no expression contains.
func beginsStatement(toks []token) bool {
	return len(toks) > 1 && toks[0].Type == tokIdent && isKeyword(toks[0].Value) &&
		(toks[1].Type == tokIdent || toks[0].is("batch") && toks[1].is("over"))
}

// goesOn reports whether a line that begins with t continues the one before.
func goesOn(t *token) bool { return isOperator(t) || t.is(")", "]") }

// opensMore reports whether a line that ends with t is continued by the next.
func opensMore(t *token) bool { return isOperator(t) }

// isOperator reports whether t is a symbol or word that stands between two things.
func isOperator(t *token) bool {
	return t.Type == tokKeyword ||
		t.is("+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "=", "~", ":", ",")
}
