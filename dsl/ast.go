// This file holds the syntax tree: what the text says, with a span on every node, and nothing about statistics.

package dsl

// A Pos is a place in a source text. Offset counts bytes from 0; Line and Col count from 1, Col in characters.
type Pos struct{ Offset, Line, Col int }

// A Span is the half-open stretch of source that a node was read from.
type Span struct{ Start, End Pos }

// A File is one parsed spec.
type File struct {
	Path  string // as given to Parse; used in messages
	Src   string
	Model Ident
	Doc   string // the comment above `model`, without slashes
	Decls []Decl // in source order
}

// An Ident is a name where it was written.
type Ident struct {
	Name string
	Span Span
}

// A Decl is one statement of the model.
type Decl interface {
	DeclSpan() Span
	decl()
}

// A Role says who a variable is.
type Role int

// The roles, in the order in which the language reference lists them.
const (
	Const  Role = iota // hyperparameter, set when the sampler is made
	Data               // observed
	Global             // unknown, shared
	Local              // unknown, one or more for each unit
	Let                // deterministic: a name for an expression
)

// String returns the keyword.
func (r Role) String() string { return [...]string{"const", "data", "global", "local", "let"}[r] }

// A PlateDecl is `plate words[docs]`, `plate topics = 20` or `plate clusters : unbounded`.
type PlateDecl struct {
	Span      Span
	Name      Ident
	Over      *Ident // the plate that this one is ragged over, or nil
	Size      Expr   // default size, or nil
	Unbounded bool
}

// A VarDecl declares a const, data, global, local or let variable:
//
//	role name[axes] : type ~ dist over plates = value
//
// Which parts are present depends on the role; the parser accepts any, the checker judges.
type VarDecl struct {
	Span  Span
	Role  Role
	Name  Ident
	Axes  []Axis
	Type  *Type
	Dist  *Call   // after `~`
	Over  []Ident // after `over`
	Value Expr    // after `=`: a const's default, a let's definition
}

// An ObserveDecl is `observe y[n in N] = z[n] > 0`.
type ObserveDecl struct {
	Span  Span
	Name  Ident
	Axes  []Axis
	Value Expr
}

// A ListDecl is a directive with a list of names: `collapse a, b`, `block (a, b)`, `monitor a, b[1]`.
type ListDecl struct {
	Span  Span
	Verb  string // "collapse", "block" or "monitor"
	Items []Expr // names; for monitor also elements such as b[1]
}

// A KernelDecl is `kernel v : slice`.
type KernelDecl struct {
	Span Span
	Name Ident
	Kind Ident
}

// A BatchDecl is `batch over docs`.
type BatchDecl struct {
	Span  Span
	Plate Ident
}

// An Axis is one position between the brackets of a declared variable: `n in N`, `i in words[d]`,
// `t in T if t > 1`, an event axis `P`, or a literal `1` (which then stands in Lit alone).
type Axis struct {
	Span  Span
	Index *Ident // nil for an event axis
	Plate Ident
	Of    []Expr // the indices of a ragged plate's parent
	Cond  Expr   // after `if`, or nil
	Lit   Expr   // a literal index; then all else is empty
}

// A Type is what stands after the colon: `real > 0`, `vocab`, `cov`, `real in (0, 1)`.
type Type struct {
	Span     Span
	Name     Ident // real, int, bool, cov, simplex, or a plate
	Lo, Hi   Expr  // bounds, or nil
	LoClosed bool  // `>=`
	HiClosed bool  // `<=`
}

// An Expr is an expression.
type Expr interface {
	ExprSpan() Span
	expr()
}

// A Number is a literal; Text keeps its spelling.
type Number struct {
	Span  Span
	Text  string
	Value float64
}

// A Name is a bare name: a variable, a plate (its size), or an index.
type Name struct{ Ident Ident }

// An Index is `x[e, f]`.
type Index struct {
	Span Span
	X    Ident
	Args []Expr
}

// A Call is `f(e, name = g)`: a function or a distribution.
type Call struct {
	Span Span
	Fn   Ident
	Args []Arg
}

// An Arg is one argument of a call; Name is nil for a positional one. `sum(k in K, e)` has its binder as
// the first argument, with Binder set and Value nil.
type Arg struct {
	Name   *Ident
	Value  Expr
	Binder *Axis
}

// A Unary is `-x`.
type Unary struct {
	Span Span
	X    Expr
}

// A Binary is `x op y` with op one of + - * / ^ < <= > >= == !=.
type Binary struct {
	Span  Span
	Op    string
	OpPos Pos
	X, Y  Expr
}

// A Paren keeps the parentheses of the source for the formatter.
type Paren struct {
	Span Span
	X    Expr
}

func (d *PlateDecl) DeclSpan() Span   { return d.Span }
func (d *VarDecl) DeclSpan() Span     { return d.Span }
func (d *ObserveDecl) DeclSpan() Span { return d.Span }
func (d *ListDecl) DeclSpan() Span    { return d.Span }
func (d *KernelDecl) DeclSpan() Span  { return d.Span }
func (d *BatchDecl) DeclSpan() Span   { return d.Span }

func (*PlateDecl) decl()   {}
func (*VarDecl) decl()     {}
func (*ObserveDecl) decl() {}
func (*ListDecl) decl()    {}
func (*KernelDecl) decl()  {}
func (*BatchDecl) decl()   {}

func (e *Number) ExprSpan() Span { return e.Span }
func (e *Name) ExprSpan() Span   { return e.Ident.Span }
func (e *Index) ExprSpan() Span  { return e.Span }
func (e *Call) ExprSpan() Span   { return e.Span }
func (e *Unary) ExprSpan() Span  { return e.Span }
func (e *Binary) ExprSpan() Span { return e.Span }
func (e *Paren) ExprSpan() Span  { return e.Span }

func (*Number) expr() {}
func (*Name) expr()   {}
func (*Index) expr()  {}
func (*Call) expr()   {}
func (*Unary) expr()  {}
func (*Binary) expr() {}
func (*Paren) expr()  {}
