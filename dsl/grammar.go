// This file holds the grammar of one statement: the EBNF, and the structs from which participle builds the parser.

package dsl

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The whole grammar. Statements are told apart by lines before participle sees them (see split).
//
//	Statement = Model | Plate | Var | Observe | List | Kernel | Batch .
//	Model     = "model" Name .
//	Plate     = "plate" Name [ "[" Name "]" ] [ "=" Expr | ":" "unbounded" ] .
//	Var       = ( "const" | "data" | "global" | "local" | "let" )
//	            Name [ Axes ] [ ":" Type ] [ "~" Dist [ "over" Name { "," Name } ] ] [ "=" Expr ] .
//	Observe   = "observe" Name [ Axes ] "=" Expr .
//	List      = ( "collapse" | "monitor" ) Item { "," Item }
//	          | "block" ( Item { "," Item } | "(" Item { "," Item } ")" ) .
//	Item      = Name [ "[" Expr { "," Expr } "]" ] .
//	Kernel    = "kernel" Name ":" Name .
//	Batch     = "batch" "over" Name .
//
//	Axes      = "[" Axis { "," Axis } "]" .
//	Axis      = Number | [ Name "in" ] Name [ "[" Expr { "," Expr } "]" ] [ "if" Expr ] .
//	Type      = Name ( Interval | { Bound } ) .
//	Interval  = "in" ( "(" Sum "," Sum ")" | "[" Sum "," Sum "]" ) .
//	Bound     = ( "<" | "<=" | ">" | ">=" ) Sum .
//	Dist      = Name Args .
//
//	Expr      = Sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) Sum ] .
//	Sum       = Product { ( "+" | "-" ) Product } .
//	Product   = Factor { ( "*" | "/" ) Factor } .
//	Factor    = "-" Factor | Power .
//	Power     = Atom [ "^" Factor ] .
//	Atom      = Number | Name [ Args | "[" Expr { "," Expr } "]" ] | "(" Expr ")" .
//	Args      = "(" [ Arg { "," Arg } ] ")" .
//	Arg       = Name "in" Axis | Name "=" Expr | Expr .
//
//	Name      = ( letter | "_" ) { letter | digit | "_" } .        but not over, in, if
//	Number    = digits [ "." digits ] [ ( "e" | "E" ) [ "+" | "-" ] digits ] .
type gStmt struct {
	Model   *gName    `parser:"  'model' @@"`
	Plate   *gPlate   `parser:"| 'plate' @@"`
	Var     *gVar     `parser:"| @@"`
	Observe *gObserve `parser:"| 'observe' @@"`
	List    *gList    `parser:"| @@"`
	Kernel  *gKernel  `parser:"| 'kernel' @@"`
	Batch   *gName    `parser:"| 'batch' 'over' @@"`
}

// A place is embedded in productions whose span is needed; participle fills it in by the names of its fields.
type place struct {
	Pos, EndPos lexer.Position
}

func (p place) span() Span { return Span{toPos(p.Pos), toPos(p.EndPos)} }

type gName struct {
	place
	Text string `parser:"@Ident"`
}

type gNumber struct {
	place
	Text string `parser:"@Number"`
}

type gPlate struct {
	Name      *gName `parser:"@@"`
	Over      *gName `parser:"( '[' @@ ']' )?"`
	Size      *gExpr `parser:"( '=' @@"`
	Unbounded bool   `parser:"| ':' @'unbounded' )?"`
}

type gVar struct {
	Role  string   `parser:"@( 'const' | 'data' | 'global' | 'local' | 'let' )"`
	Name  *gName   `parser:"@@"`
	Axes  []*gAxis `parser:"( '[' @@ ( ',' @@ )* ']' )?"`
	Type  *gType   `parser:"( ':' @@ )?"`
	Dist  *gDist   `parser:"( '~' @@"`
	Over  []*gName `parser:"  ( 'over' @@ ( ',' @@ )* )? )?"`
	Value *gValue  `parser:"@@?"`
}

type gValue struct {
	place
	X *gExpr `parser:"'=' @@"`
}

type gObserve struct {
	Name  *gName   `parser:"@@"`
	Axes  []*gAxis `parser:"( '[' @@ ( ',' @@ )* ']' )?"`
	Value *gExpr   `parser:"'=' @@"`
}

type gList struct {
	Block []*gItem `parser:"  'block' ( '(' @@ ( ',' @@ )* ')' | @@ ( ',' @@ )* )"`
	Verb  string   `parser:"| @( 'collapse' | 'monitor' )"`
	Items []*gItem `parser:"  @@ ( ',' @@ )*"`
}

type gItem struct {
	place
	Name *gName   `parser:"@@"`
	Args []*gExpr `parser:"( '[' @@ ( ',' @@ )* ']' )?"`
}

type gKernel struct {
	Name *gName `parser:"@@"`
	Kind *gName `parser:"':' @@"`
}

type gAxis struct {
	place
	Lit   *gNumber `parser:"  @@"`
	Index *gName   `parser:"| ( (?= Ident 'in' ) @@ 'in' )?"`
	Plate *gName   `parser:"  @@"`
	Of    []*gExpr `parser:"  ( '[' @@ ( ',' @@ )* ']' )?"`
	Cond  *gExpr   `parser:"  ( 'if' @@ )?"`
}

type gType struct {
	place
	Name   *gName    `parser:"@@"`
	Open   []*gSum   `parser:"( 'in' ( '(' @@ ',' @@ ')'"`
	Closed []*gSum   `parser:"       | '[' @@ ',' @@ ']' )"`
	Bounds []*gBound `parser:"| @@+ )?"`
}

type gBound struct {
	place
	Op string `parser:"@( '<=' | '>=' | '<' | '>' )"`
	X  *gSum  `parser:"@@"`
}

type gDist struct {
	place
	Name *gName `parser:"@@"`
	Args *gArgs `parser:"@@"`
}

type gExpr struct {
	X    *gSum     `parser:"@@"`
	Tail *gCmpTail `parser:"@@?"`
}

type gCmpTail struct {
	place
	Op string `parser:"@( '<=' | '>=' | '==' | '!=' | '<' | '>' )"`
	Y  *gSum  `parser:"@@"`
}

type gSum struct {
	X    *gProduct   `parser:"@@"`
	Tail []*gSumTail `parser:"@@*"`
}

type gSumTail struct {
	place
	Op string    `parser:"@( '+' | '-' )"`
	Y  *gProduct `parser:"@@"`
}

type gProduct struct {
	X    *gFactor        `parser:"@@"`
	Tail []*gProductTail `parser:"@@*"`
}

type gProductTail struct {
	place
	Op string   `parser:"@( '*' | '/' )"`
	Y  *gFactor `parser:"@@"`
}

type gFactor struct {
	place
	Neg   *gFactor `parser:"  '-' @@"`
	Power *gPower  `parser:"| @@"`
}

type gPower struct {
	X    *gAtom      `parser:"@@"`
	Tail *gPowerTail `parser:"@@?"`
}

type gPowerTail struct {
	place
	Y *gFactor `parser:"'^' @@"`
}

type gAtom struct {
	place
	Number *gNumber `parser:"  @@"`
	Name   *gName   `parser:"| @@"`
	Args   *gArgs   `parser:"  ( @@"`
	Index  []*gExpr `parser:"  | '[' @@ ( ',' @@ )* ']' )?"`
	Paren  *gExpr   `parser:"| '(' @@ ')'"`
}

type gArgs struct {
	Args []*gArg `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
}

type gArg struct {
	Binder *gAxis `parser:"  (?= Ident 'in' ) @@"`
	Name   *gName `parser:"| ( (?= Ident '=' ) @@ '=' )?"`
	Value  *gExpr `parser:"  @@"`
}

// grammar builds the parser, once, when first needed.
var grammar = sync.OnceValue(func() *participle.Parser[gStmt] {
	return participle.MustBuild[gStmt](participle.Lexer(lexRules), participle.Elide("Space"),
		participle.UseLookahead(0)) // the grammar is LL(1) but for its (?= ) groups: commit at once, report there
})

// A tokenLexer hands participle the tokens of one statement. Between tokens that do not touch it puts a Space, which
// participle elides: so that a node's EndPos, the place of the token after it, is where the node's own text ends.
type tokenLexer struct {
	toks []token
	next int
	end  lexer.Position // of the last token handed out
}

func (l *tokenLexer) Next() (lexer.Token, error) {
	if l.next == len(l.toks) {
		return lexer.EOFToken(l.end), nil
	}
	t := l.toks[l.next].Token
	if l.next > 0 && t.Pos.Offset != l.end.Offset {
		space := lexer.Token{Type: tokSpace, Pos: l.end}
		l.end = t.Pos
		return space, nil
	}
	l.next++
	l.end.Offset, l.end.Line, l.end.Column = t.Pos.Offset+len(t.Value), t.Pos.Line, t.Pos.Column+len(t.Value)
	return t, nil // tokens of a checked statement are ASCII: bytes are characters
}
