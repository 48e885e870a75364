// This file puts what participle says of a bad statement into plain sentences: what was found, what the statement looks
// like when it is right, and what was probably meant.

package dsl

import (
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
)

// forms shows how each statement is written.
var forms = map[string]string{
	"model":    "a model line is `model NAME`",
	"plate":    "a plate is `plate N`, `plate words[docs]`, `plate topics = 20` or `plate clusters : unbounded`",
	"const":    "a const is `const NAME[axes] : type = default`, such as `const a : real > 0 = 1`",
	"data":     "data is `data NAME[axes] : type ~ distribution`, such as `data y[N] : bool`",
	"global":   "a global is `global NAME[axes] : type ~ distribution over plate`, such as `global w[d in D] ~ Normal(0, var = s2)`",
	"local":    "a local is `local NAME[axes] : type ~ distribution over plate`, such as `local z[n in N] ~ Categorical(pi)`",
	"let":      "a let is `let NAME[axes] = expression`",
	"observe":  "an observe is `observe NAME[axes] = expression`, such as `observe y[n in N] = z[n] > 0`",
	"collapse": "a collapse is `collapse a, b`",
	"block":    "a block is `block (a, b)`",
	"monitor":  "a monitor is `monitor a, b[1]`",
	"kernel":   "a kernel is `kernel NAME : KIND`, such as `kernel v : slice`",
	"batch":    "a batch is `batch over PLATE`",
}

// keywordDiag is for a statement that begins with no keyword.
func keywordDiag(s stmt) *Diag {
	var ds Diags
	t := &s[0]
	const list = "a statement begins with one of model, plate, const, data, global, local, let, observe, collapse, " +
		"block, monitor, kernel, batch"
	if t.Type != tokIdent {
		return ds.Errorf(t.span(), codeKeyword, "no statement begins with %s", quote(t)).Note(list)
	}
	name := clip(t.Value)
	near := Nearest(t.Value, keywords)
	next := &token{}
	if len(s) > 1 {
		next = &s[1]
	}
	switch {
	case t.is("for"):
		return ds.Errorf(t.span(), codeKeyword, "there are no loops").
			Note("what runs over a plate says so in brackets").WithHint("local z[n in N] ~ ...")
	case near != "" && !next.is("~", "=", "["):
		return ds.Errorf(t.span(), codeKeyword, "unknown keyword `%s`", name).Note(list).WithHint("did you mean `%s`?", near)
	case next.is("~", "["):
		return ds.Errorf(t.span(), codeKeyword, "`%s` has no role", name).Note(list).
			WithHint("an unknown is `global %s ...` or `local %s ...`, what was seen is `data %s ...`", name, name, name)
	case next.is("=", ":"):
		return ds.Errorf(t.span(), codeKeyword, "`%s` has no role", name).Note(list).
			WithHint("write `let %s = ...` for a definition, `const %s : real = ...` for a setting", name, name)
	}
	return ds.Errorf(t.span(), codeKeyword, "unknown keyword `%s`", name).Note(list)
}

// syntaxDiag is for a statement that does not follow the grammar.
func syntaxDiag(s stmt, err participle.Error) *Diag {
	i := 0 // the token that was not expected; len(s) is the statement's end
	for i < len(s) && s[i].Pos.Offset < err.Position().Offset {
		i++
	}
	e := syntaxError{s: s, i: i, want: wanted(err.Message())}
	if e.kind("block") && e.wants(`"("`) {
		e.want = "GItem" // parentheses are a block's to choose
	}
	var ds Diags
	var d *Diag
	if what := phrases[e.want]; what == "" {
		d = ds.Errorf(e.span(), codeSyntax, "unexpected %s", strings.TrimPrefix(e.found(), "the "))
	} else {
		d = ds.Errorf(e.span(), codeSyntax, "expected %s, found %s", what, e.found())
	}
	d.Note("%s", forms[s[0].Value])
	for _, guess := range guesses {
		if hint := guess(&e); hint != "" {
			d.Hint = hint
			break
		}
	}
	return d
}

// A syntaxError is what is known of one.
type syntaxError struct {
	s    stmt
	i    int    // s[i] was not expected
	want string // what was: a production or a quoted token, "" if the statement could have ended
}

// at returns a token counted from the bad one; a token that is nothing where there is none.
func (e *syntaxError) at(k int) *token {
	if i := e.i + k; i >= 0 && i < len(e.s) {
		return &e.s[i]
	}
	return &token{}
}

func (e *syntaxError) atEnd() bool { return e.i == len(e.s) }

func (e *syntaxError) span() Span {
	if e.atEnd() {
		end := e.s[len(e.s)-1].span().End
		return Span{end, end}
	}
	return e.s[e.i].span()
}

func (e *syntaxError) found() string {
	if e.atEnd() {
		return "the end of the statement"
	}
	return quote(&e.s[e.i])
}

func (e *syntaxError) kind(kinds ...string) bool {
	for _, k := range kinds {
		if e.s[0].Value == k {
			return true
		}
	}
	return false
}

func (e *syntaxError) wants(names ...string) bool {
	for _, n := range names {
		if e.want == n {
			return true
		}
	}
	return false
}

func quote(t *token) string {
	if t.Type == tokKeyword {
		return "the reserved word `" + t.Value + "`"
	}
	return "`" + clip(t.Value) + "`"
}

// wanted takes from participle's message what it expected first: a production's name or a quoted token. The message
// reads: unexpected token "x" (expected GName ("[" GAxis "]")?).
func wanted(msg string) string {
	const mark = " (expected "
	at := strings.LastIndex(msg, mark)
	if at < 0 {
		return ""
	}
	rest := strings.TrimLeft(msg[at+len(mark):], "(")
	if q, err := strconv.QuotedPrefix(rest); err == nil {
		return q
	}
	if end := strings.IndexAny(rest, " ()?*+!"); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

// phrases says in words what participle expected. TestPhrases checks that no production is missing.
var phrases = map[string]string{
	`"("`: "`(` or `[`", `")"`: "`)`", `"["`: "`[`", `"]"`: "`]`", `","`: "`,`", `"="`: "`=`", `":"`: "`:`", `"~"`: "`~`",
	"GName": "a name", "GPlate": "a name", "GItem": "a name", "GKernel": "a name", "GObserve": "a name", "<ident>": "a name",
	"GVar": "a name", "GStmt": "a statement", "GList": "a name",
	"GNumber": "a number", "<number>": "a number",
	"GExpr": "an expression", "GSum": "an expression", "GProduct": "an expression", "GFactor": "an expression",
	"GPower": "an expression", "GAtom": "an expression", "GArg": "an argument",
	"GType": "a type", "GDist": "a distribution", "GArgs": "parameters in parentheses",
	"GAxis": "an axis", "GBound": "a bound", "GValue": "`=`",
	"GCmpTail": "a comparison", "GSumTail": "`+` or `-`", "GProductTail": "`*` or `/`", "GPowerTail": "`^`",
	`"in"`: "`in`", `"if"`: "`if`", `"over"`: "`over`", `"unbounded"`: "`unbounded`", `"-"`: "`-`", `"^"`: "`^`",
}

// guesses at what was meant; the first that answers wins, so the special ones stand before the general.
var guesses = []func(*syntaxError) string{
	func(e *syntaxError) string { // x <- 3
		if e.at(0).is("<") && e.at(1).is("-") && !e.at(1).space {
			return "write `~` before a distribution, `=` before a value"
		}
		return ""
	},
	func(e *syntaxError) string { // x := 3
		if e.at(0).is("=") && e.at(-1).is(":") {
			return "write `=`"
		}
		return ""
	},
	func(e *syntaxError) string { // a ** b
		if e.at(0).is("*") && e.at(-1).is("*") {
			return "a power is written `^`"
		}
		return ""
	},
	func(e *syntaxError) string { // a > = b
		if e.at(0).is("=") && e.at(-1).is("<", ">") {
			return "write `" + e.at(-1).Value + "=` without a space"
		}
		return ""
	},
	func(e *syntaxError) string { // let a == b
		if e.at(0).is("==") {
			return "write `=`; `==` compares"
		}
		return ""
	},
	func(e *syntaxError) string { // let a = +b
		if e.at(0).is("+") && e.wants("GExpr", "GSum", "GProduct", "GFactor") {
			return "leave the `+` out"
		}
		return ""
	},
	func(e *syntaxError) string { // observe y ~ ...
		if e.kind("observe") && e.at(0).is("~") {
			return "an observe computes what was seen; data that has a distribution is `data y[...] ~ ...`"
		}
		return ""
	},
	func(e *syntaxError) string { // plate N 20, plate K : bounded
		switch {
		case !e.kind("plate"):
		case e.wants(`"unbounded"`) && Nearest(e.at(0).Value, []string{"unbounded"}) != "":
			return "did you mean `unbounded`?"
		case e.wants(`"unbounded"`), e.at(0).Type == tokNumber:
			return "a plate's size is written `plate N = 20`"
		case e.at(0).is("in"):
			return "write `plate words[docs]`"
		}
		return ""
	},
	func(e *syntaxError) string { // a distribution without parameters, or none
		switch {
		case e.wants("GArgs"):
			return "every distribution has parentheses: " + clip(e.at(-1).Value) + "(...)"
		case e.wants("GDist"):
			return "a distribution is called by its name: ~ Normal(0, var = 1)"
		}
		return ""
	},
	func(e *syntaxError) string { // x[in N]
		if e.inAxes() && e.at(0).is("in") {
			return "name the index: `n in " + clip(e.at(1).Value) + "`"
		}
		return ""
	},
	func(e *syntaxError) string { // a name that is reserved
		if e.at(0).Type == tokKeyword && e.wants("GName", "GVar", "GPlate", "GItem", "GKernel", "GObserve", "GAxis", "<ident>") {
			return "over, in and if are reserved: use another name"
		}
		return ""
	},
	func(e *syntaxError) string { // batch docs
		if e.kind("batch") && e.wants(`"over"`) {
			return "write `batch over docs`"
		}
		return ""
	},
	func(e *syntaxError) string { // let y[n in N] = x[n in N]
		if e.at(0).is("in") {
			return "an index is bound where a variable is declared, or by sum(k in K, ...); elsewhere write x[n]"
		}
		return ""
	},
	func(e *syntaxError) string { // a < b < c
		if e.at(0).is("<", "<=", ">", ">=", "!=") && e.wants("", `")"`, `"]"`, `","`) {
			return "comparisons do not chain; a type with two bounds is `real > 0 < 10` or `real in (0, 10)`"
		}
		return ""
	},
	func(e *syntaxError) string { // x[1][2], f(x)[1]
		switch {
		case !e.at(0).is("["):
		case e.at(-1).is("]"):
			return "give all indices in one pair of brackets: x[i, j]"
		case e.at(-1).is(")"):
			return "only a variable takes an index: name the value with `let`"
		}
		return ""
	},
	func(e *syntaxError) string { // const a = 1 : real
		if e.kind("const", "data", "global", "local", "let") && e.want == "" && e.at(0).is("[", ":", "~", "over", "=") {
			return "the order is NAME[axes] : type ~ distribution over plates = value"
		}
		return ""
	},
	func(e *syntaxError) string { // x[n N], x[t + 1] where axes are declared
		switch {
		case !e.inAxes():
		case e.at(0).Type == tokIdent && e.at(-1).Type == tokIdent:
			return "write `" + clip(e.at(-1).Value) + " in " + clip(e.at(0).Value) + "`"
		case e.at(0).is("+", "-"):
			return "the brackets of a declaration name its plates; a shift goes where the variable is used: x[t-1]"
		}
		return ""
	},
	func(e *syntaxError) string { // real 3
		if e.kind("const", "data", "global", "local") && e.want == "" && e.at(-2).is(":") {
			return "a type is bounded as in `real > 0` or `real in (0, 1)`"
		}
		return ""
	},
	func(e *syntaxError) string { // collapse a b; a b
		operand := e.at(0).Type == tokIdent || e.at(0).Type == tokNumber || e.at(0).is("(")
		before := e.at(-1).Type == tokIdent && e.i > 1 || e.at(-1).Type == tokNumber || e.at(-1).is(")", "]")
		switch {
		case !operand || !before:
		case e.kind("collapse", "block", "monitor"):
			return "put a comma between names"
		case e.want == "" && e.at(-1).is(")") && e.s[:e.i].has("~"):
			return "write `over " + clip(e.at(0).Value) + "`"
		case e.at(-1).Type == tokIdent && e.at(-2).is("(", ","):
			return "an operator, a comma or `=` is missing before " + quote(e.at(0))
		case e.kind("let", "observe", "const", "data", "global", "local") && e.s[:e.i].has("~", "="):
			return "an operator or a comma is missing before " + quote(e.at(0))
		}
		return ""
	},
}

// inAxes reports whether the bad token is inside the brackets of the declared name.
func (e *syntaxError) inAxes() bool {
	return e.kind("const", "data", "global", "local", "let", "observe") && len(e.s) > 2 && e.s[2].is("[") && e.i > 2 &&
		!e.s[:e.i].has("]")
}

// has reports whether any of s is one of the symbols.
func (s stmt) has(ops ...string) bool {
	for i := range s {
		if s[i].is(ops...) {
			return true
		}
	}
	return false
}
