// Package dsl reads and writes gibbsgen's model language. It knows syntax and no statistics: names, shapes and
// distributions are the next stage's to judge.
//
//	text ─Parse→ File          the syntax tree, a span on every node
//	File ─Format→ text         the canonical layout, comments kept
//	File ─Dump→ text           the tree's structure, for tests and -dump=ast
//	Diags ─Format→ text        messages with excerpts of the source
//
// # The language
//
// A spec describes one model, one statement a line. A statement may go on over several lines: inside brackets, after
// a line that ends with an operator or a comma, or on a line that begins with an operator. Comments run from // to the
// line's end. Names are ASCII; only over, in and if are reserved.
//
//	Statement = Model | Plate | Var | Observe | List | Kernel | Batch .
//	Model     = "model" Name .
//	Plate     = "plate" Name [ "[" Name "]" ] [ "=" Expr | ":" "unbounded" ] .
//	Var       = ( "const" | "data" | "global" | "local" | "let" )
//	            Name [ Axes ] [ ":" Type ] [ "~" Dist [ "over" Name { "," Name } ] ] [ "=" Expr ] .
//	Observe   = "observe" Name [ Axes ] "=" Expr .
//	List      = ( "collapse" | "monitor" ) Item { "," Item }
//	          | "block" ( Item { "," Item } | "(" Item { "," Item } ")" ) .
//	Item      = Name [ "[" Expr { "," Expr } "]" ] .              elements: monitor only
//	Kernel    = "kernel" Name ":" Name .
//	Batch     = "batch" "over" Name .
//
//	Axes      = "[" Axis { "," Axis } "]" .
//	Axis      = Number | [ Name "in" ] Name [ "[" Expr { "," Expr } "]" ] [ "if" Expr ] .
//	Type      = Name ( Interval | { Bound } ) .
//	Interval  = "in" ( "(" Sum "," Sum ")" | "[" Sum "," Sum "]" ) .
//	Bound     = ( "<" | "<=" | ">" | ">=" ) Sum .                 at most one for each side
//	Dist      = Name Args .
//
//	Expr      = Sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) Sum ] .
//	Sum       = Product { ( "+" | "-" ) Product } .
//	Product   = Factor { ( "*" | "/" ) Factor } .
//	Factor    = "-" Factor | Power .
//	Power     = Atom [ "^" Factor ] .                             so -x^2 is -(x^2) and x^y^z is x^(y^z)
//	Atom      = Number | Name [ Args | "[" Expr { "," Expr } "]" ] | "(" Expr ")" .
//	Args      = "(" [ Arg { "," Arg } ] ")" .
//	Arg       = Name "in" Axis | Name "=" Expr | Expr .           as in sum(k in K, w[k]) and Normal(0, var = 1)
//
//	Name      = ( letter | "_" ) { letter | digit | "_" } .       but not over, in, if
//	Number    = digits [ "." digits ] [ ( "e" | "E" ) [ "+" | "-" ] digits ] .
//
// # An example
//
// The Bayesian lasso with a probit response (specs/lasso.gm):
//
//	model lasso
//
//	plate N  // observations
//	plate D  // predictors
//
//	const lambda : real > 0 = 1
//	const a : real > 0 = 1
//	const b : real > 0 = 1
//
//	data X[N, D] : real
//	data y[N] : bool
//
//	global sigma2 ~ InvGamma(a, scale = b)
//	global tau2[d in D] ~ Exponential(rate = lambda^2 / 2)
//	global w[d in D] ~ Normal(0, var = sigma2 * tau2[d])
//
//	local z[n in N] ~ Normal(dot(X[n], w), var = 1)
//	observe y[n in N] = z[n] > 0  // a constraint: z is truncated by what was seen
//
// # How Parse works
//
// The source is lexed line by line (lex.go) and its lines are grouped into statements; participle parses each on its own
// (grammar.go), so a bad one costs one message and nothing else. participle's structs are converted to the tree
// (convert.go), its complaints to sentences (errors.go). Size and nesting are bounded before any recursion starts.
package dsl
