// This file holds the typed model: names resolved, shapes and supports known. Check builds it; nothing changes it afterwards.

package ir

import (
	"cmp"
	"strconv"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// A Model is a joint density: the product of its Factors and Constraints.
type Model struct {
	Name        string
	Doc         string // the comment above `model`
	File        *dsl.File
	Plates      []*Plate // in declaration order
	Vars        []*Var   // in declaration order
	Factors     []*Factor
	Constraints []*Constraint
	Collapse    []*Var   // integrated out, jointly
	Blocks      []*Block // drawn jointly on request
	Monitor     []*Ref   // what is written; empty means the default
	Kernels     map[*Var]string
	Batch       *Plate // the unit of batching if the spec names it; some local's UnitAxes of it are not 0

	byName map[string]*Var
}

// A Block is what a directive wants drawn jointly.
type Block struct {
	Vars []*Var
	Span dsl.Span
}

// A Plate is an index set.
type Plate struct {
	Name      string
	Span      dsl.Span
	Over      *Plate // ragged over this plate, or nil
	Size      int    // default size, or -1
	Like      *Plate // the default size is that of this plate plus More; nil if it is Size
	More      int
	Unbounded bool
}

// DefaultSize writes the default size as a spec does, or "" if there is none.
func (p *Plate) DefaultSize() string {
	switch {
	case p.Like != nil:
		return IndexExpr{Name: p.Like.Name, Add: p.More}.String()
	case p.Size >= 0:
		return strconv.Itoa(p.Size)
	}
	return ""
}

// Depth returns the number of plates that p is ragged over, one over the other: so many parent indices its size takes.
func (p *Plate) Depth() int {
	n := 0
	for q := p.Over; q != nil; q = q.Over {
		n++
	}
	return n
}

// Var returns the variable of that name, or nil.
func (m *Model) Var(name string) *Var { return m.byName[name] }

// An Elem is the type of one element of a variable.
type Elem int

// The element types. Reals are float64; categories are elements of a plate, 0-based inside the compiler.
const (
	Real Elem = iota
	Int
	Bool
	Cat
)

// A Type is an element type; Of is the plate of a category.
type Type struct {
	Elem Elem
	Of   *Plate
}

// A Var is one variable with all its axes.
type Var struct {
	Name    string
	Role    dsl.Role
	Span    dsl.Span
	Axes    []*Plate // outermost first, event axes last; a ragged plate directly follows its parent
	Event   int      // how many trailing axes belong to one draw: 1 for vectors, 2 for matrices
	Type    Type
	Support Support
	Default Expr     // const: default, nil if it must be set
	Params  []Binder // the indices of its axes in its only statement, if it has one; for a let those of its definition
	Def     Expr     // let: its definition
}

// Unknown reports whether the sampler draws v.
func (v *Var) Unknown() bool { return v.Role == dsl.Global || v.Role == dsl.Local }

// UnitAxes returns how many of the first axes say which element of p an element of v belongs to: one if v runs over p first, more if p is
// ragged over the plates that v runs over first, 0 if it does not begin so.
func (v *Var) UnitAxes(p *Plate) int {
	n := p.Depth() + 1
	if n > len(v.Axes)-v.Event {
		return 0
	}
	for i := n - 1; i >= 0; i-- {
		if v.Axes[i] != p {
			return 0
		}
		p = p.Over
	}
	return n
}

// A SupportKind is the shape of a support.
type SupportKind int

// The supports.
const (
	Line    SupportKind = iota // real numbers between Lo and Hi, where given
	Simplex                    // vectors of positive numbers that sum to 1
	SPD                        // symmetric positive definite matrices
	Finite                     // elements of Type.Of
	Binary                     // false, true
	Counts                     // integers from Lo (default 0) to Hi, where given
)

// A Support is where a variable lives. Lo and Hi are expressions free of unknowns or not; nil means no bound.
type Support struct {
	Kind               SupportKind
	Lo, Hi             Expr // in terms of the Var's Params where they depend on its indices
	LoClosed, HiClosed bool // a real may equal the bound (Counts always may)
	Ordered            bool // each element along the last axis is greater than the one before it
}

// A Binder is an index that runs over a plate: the elements Lo, Lo+1, ..., size-1+Hi, 0-based (Lo >= 0 >= Hi).
type Binder struct {
	Name   string
	Plate  *Plate
	Of     []IndexExpr // a ragged plate's parent index
	Lo, Hi int
}

// An IndexExpr is the value of an index, 0-based: Name + Add, or the category Cat + Add, or, with neither, the literal Add.
type IndexExpr struct {
	Name string
	Cat  *Ref
	Add  int
	Span dsl.Span
}

// A Factor is one term of the joint density: for every value of Over, X has the distribution Dist(Args),
// restricted to (Lo, Hi) and renormalised where those are given.
type Factor struct {
	Over   []Binder
	X      *Ref
	Dist   *Dist
	Args   []Expr // canonical parameters, in the order of Dist.Params
	Lo, Hi Expr   // truncation, nil if none
	Span   dsl.Span
}

// Ends returns the bounds between which the factor draws: those of the truncation, else of the distribution; nil where there is none.
func (f *Factor) Ends() (lo, hi Expr) {
	s := f.Dist.Support(f.Args)
	return cmp.Or(f.Lo, s.Lo), cmp.Or(f.Hi, s.Hi)
}

// Link returns the function, Phi or logistic, that makes the probability of a Bernoulli, and its argument; "" if none does. Close to 1 the
// probability itself has lost how far from 1 it is.
func (f *Factor) Link() (fn string, x Expr) {
	if f.Dist.Name == "Bernoulli" {
		if a, ok := f.Args[0].(*App); ok && (a.Fn == "Phi" || a.Fn == "logistic") {
			return a.Fn, a.X
		}
	}
	return "", nil
}

// A Constraint says that data cut the space of the unknowns: Y = (L > R), so Y[n] decides which side holds;
// or, with Cuts, Y is the number of elements of the ordered vector Cuts that lie below L.
type Constraint struct {
	Over []Binder
	Y    *Ref
	Less bool // Y = (L < R) rather than (L > R)
	L, R Expr // R nil with Cuts
	Cuts *Ref
	Span dsl.Span
}

// An Expr is a typed expression. Its Shape is the plates of its axes, empty for a scalar.
type Expr interface {
	Shape() []*Plate
	Span() dsl.Span
}

// A Num is a number.
type Num struct {
	Value float64
	At    dsl.Span
}

// A Ref is a variable at Idx; fewer indices than axes leave the trailing axes open (a row, a matrix).
// References to let variables are substituted by Check, except on a Monitor list.
type Ref struct {
	Var *Var
	Idx []IndexExpr
	At  dsl.Span
}

// A SizeOf is the size of a plate as a number; Of gives a ragged plate's parent index.
type SizeOf struct {
	Plate *Plate
	Of    []IndexExpr
	At    dsl.Span
}

// An IndexVal is the value of an index as a number, 1-based as the user sees it.
type IndexVal struct {
	Index IndexExpr
	At    dsl.Span
}

// A Bin is L op R, op one of + - * / ^. Shapes agree, or one side of + - * / is a scalar (the right side of / and ^ always is).
type Bin struct {
	Op   byte
	L, R Expr
	At   dsl.Span
}

// An App is a function of one scalar, or elementwise of one vector: log exp sqrt logistic Phi abs lgamma.
type App struct {
	Fn string
	X  Expr
	At dsl.Span
}

// A Dot is the inner product of two vectors over the same plate.
type Dot struct {
	A, B Expr
	At   dsl.Span
}

// A Sum is Σ over the binder of a scalar body; sum(x) of a vector x is resolved into this form.
type Sum struct {
	Over Binder
	Body Expr
	At   dsl.Span
}

// A Fill is a scalar broadcast to a vector or to a multiple of the identity matrix: Dirichlet(alpha) over K, identity(P).
type Fill struct {
	X     Expr
	Plate []*Plate // one: a constant vector; two (the same twice): X times the identity
	At    dsl.Span
}

func (e *Num) Shape() []*Plate      { return nil }
func (e *Ref) Shape() []*Plate      { return e.Var.Axes[len(e.Idx):] }
func (e *SizeOf) Shape() []*Plate   { return nil }
func (e *IndexVal) Shape() []*Plate { return nil }
func (e *Bin) Shape() []*Plate {
	if s := e.L.Shape(); len(s) > 0 {
		return s
	}
	return e.R.Shape()
}
func (e *App) Shape() []*Plate  { return e.X.Shape() }
func (e *Dot) Shape() []*Plate  { return nil }
func (e *Sum) Shape() []*Plate  { return nil }
func (e *Fill) Shape() []*Plate { return e.Plate }

func (e *Num) Span() dsl.Span      { return e.At }
func (e *Ref) Span() dsl.Span      { return e.At }
func (e *SizeOf) Span() dsl.Span   { return e.At }
func (e *IndexVal) Span() dsl.Span { return e.At }
func (e *Bin) Span() dsl.Span      { return e.At }
func (e *App) Span() dsl.Span      { return e.At }
func (e *Dot) Span() dsl.Span      { return e.At }
func (e *Sum) Span() dsl.Span      { return e.At }
func (e *Fill) Span() dsl.Span     { return e.At }
