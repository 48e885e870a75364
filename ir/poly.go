// This file holds the normal form of log densities: sums of products in index notation, scalars only.
//
//	Σ over binders of  c · Π atom^power · [guards]
//
// A matrix is an atom with indices, dot is a binder. A sum inside a product stays closed, as an atom of its own;
// Collect and Separate open it only along the target, or where that eliminates a binder.
// Polys are values: no function changes its arguments.

package ir

import (
	"math"
	"slices"
	"sort"
)

// A Poly is a sum of terms; the empty Poly is zero.
type Poly []Term

// A Term is C · Π F over all values of the binders for which the guards hold.
type Term struct {
	C      float64
	Over   []Bind
	Guards []Guard
	F      []Fac
}

// A Fac is an atom raised to a power.
type Fac struct {
	A *Atom
	P float64
}

// A Bind is a bound index over the elements Lo .. size-1+Hi of a plate; Of is the parent index of a ragged plate.
type Bind struct {
	Name   string
	Plate  *Plate
	Of     []Ix
	Lo, Hi int
}

// An Ix is the value of an index, 0-based: Name + Add, Cat + Add, or Add alone.
type Ix struct {
	Name string
	Cat  *Atom
	Add  int
}

// A Rel is the relation that a guard states.
type Rel int

// Eq and Ne compare tuples; In says that L[0] lies in the range of a plate.
const (
	Eq Rel = iota
	Ne
	In
)

// A Guard is an Iverson bracket.
type Guard struct {
	Rel    Rel
	L, R   []Ix
	Plate  *Plate // In: Lo <= L[0] <= size-1+Hi
	Of     []Ix
	Lo, Hi int
}

// An Atom is what the algebra does not look into, except where it says so.
type Atom struct {
	Fn    Fn
	Var   *Var   // Ref, Inv, LogDet
	Name  string // Acc, Call: which
	Ix    []Ix
	Args  []Poly // Closed, Call
	Plate *Plate // Size
	key   string
}

// An Fn is the kind of an atom.
type Fn int

// The kinds of atoms. Call is an opaque function: log, exp, lgamma, Phi, logPhi, logistic, loglogistic, abs.
const (
	RefAtom    Fn = iota // Var[Ix]
	InvAtom              // (Var[Ix but two]⁻¹)[last two]
	LogDetAtom           // log det Var[Ix]
	SizeAtom             // size of Plate, Ix the parent's index
	IndexAtom            // Ix[0] as a number, 1-based
	AccAtom              // accumulator Name[Ix]
	ClosedAtom           // (Args[0]), a sum kept closed
	CallAtom             // Name(Args...)
)

// Number returns the constant c.
func Number(c float64) Poly {
	if c == 0 {
		return nil
	}
	return Poly{{C: c}}
}

// Of returns the atom as a Poly.
func (a *Atom) Poly() Poly { return Poly{{C: 1, F: []Fac{{a, 1}}}} }

// RefTo returns the atom v[ix].
func RefTo(v *Var, ix ...Ix) *Atom { return &Atom{Fn: RefAtom, Var: v, Ix: ix} }

// At returns the index that a name stands for.
func At(name string) Ix { return Ix{Name: name} }

// Constant reports whether p is a number, and which.
func (p Poly) Constant() (float64, bool) {
	switch {
	case len(p) == 0:
		return 0, true
	case len(p) == 1 && len(p[0].F) == 0 && len(p[0].Over) == 0 && len(p[0].Guards) == 0:
		return p[0].C, true
	}
	return 0, false
}

// Add returns the sum, like terms merged.
func Add(ps ...Poly) Poly {
	var out Poly
	for _, p := range ps {
		out = append(out, p...)
	}
	return out.merge()
}

// Scale returns c·p.
func (p Poly) Scale(c float64) Poly {
	if c == 0 {
		return nil
	}
	out := slices.Clone(p)
	for i := range out {
		out[i].C *= c
	}
	return out
}

// Close returns p as a Poly of one term, closing the sum if it has several.
func (p Poly) Close() Poly {
	if len(p) <= 1 {
		return p
	}
	return (&Atom{Fn: ClosedAtom, Args: []Poly{p}}).Poly()
}

// Mul returns the product. Sums of several terms are closed first, unless the other side is a number.
func Mul(ps ...Poly) Poly {
	out := Number(1)
	for _, p := range ps {
		if c, ok := p.Constant(); ok {
			out = out.Scale(c)
			continue
		}
		if c, ok := out.Constant(); ok {
			out = p.Scale(c)
			continue
		}
		a, b := out.Close(), p.Close()
		if len(a) == 0 || len(b) == 0 {
			return nil
		}
		out = Poly{mulTerm(a[0], b[0])}.merge()
	}
	return out
}

// ExpandPower returns rest·sum^n with the sum opened. Like terms are merged at the end only: the sum's free names are those that
// rest binds, and of Σ_ij (a[i] + a[j]) the two terms are alike, though a[i]·y[i,j] and a[j]·y[i,j] are not.
func ExpandPower(rest Term, sum Poly, n int) Poly {
	out := Poly{rest}
	for range n {
		var next Poly
		for _, s := range out {
			for _, t := range sum {
				next = append(next, mulTerm(s, t))
			}
		}
		out = next
	}
	return out.merge()
}

// mulTerm multiplies two terms, renaming the binders of t that s knows.
func mulTerm(s, t Term) Term {
	used := map[string]bool{}
	s.names(used)
	free := map[string]bool{}
	t.names(free)
	for _, b := range t.Over {
		if used[b.Name] {
			name := b.Name
			for used[name] || free[name] {
				name += "'"
			}
			free[name] = true
			t = t.rename(b.Name, name)
		}
	}
	out := Term{C: s.C * t.C}
	out.Over = append(slices.Clone(s.Over), t.Over...)
	out.Guards = append(slices.Clone(s.Guards), t.Guards...)
	out.F = append(slices.Clone(s.F), t.F...)
	return out.tidy()
}

// tidy merges equal factors and sorts them.
func (t Term) tidy() Term {
	var f []Fac
	for _, x := range t.F {
		i := slices.IndexFunc(f, func(y Fac) bool { return y.A.Key() == x.A.Key() })
		if i >= 0 {
			f[i].P += x.P
			continue
		}
		f = append(f, x)
	}
	f = slices.DeleteFunc(f, func(x Fac) bool { return x.P == 0 })
	sort.SliceStable(f, func(i, j int) bool { return f[i].A.Key() < f[j].A.Key() })
	t.F = f
	return t
}

// Pow returns p^e. A product distributes over the power where that is sound for the signs of its factors.
func Pow(p Poly, e float64) Poly {
	if c, ok := p.Constant(); ok {
		return Number(math.Pow(c, e))
	}
	if e == 0 {
		return Number(1)
	}
	if e == 1 {
		return p
	}
	p = p.Close()
	t := p[0]
	if len(t.Over) > 0 || len(t.Guards) > 0 {
		return (&Atom{Fn: ClosedAtom, Args: []Poly{p}}).power(e)
	}
	if e == math.Trunc(e) {
		t.C = math.Pow(t.C, e)
		t.F = slices.Clone(t.F)
		for i := range t.F {
			t.F[i].P *= e
		}
		return Poly{t}
	}
	pos, rest := t.splitPositive()
	for i := range pos.F {
		pos.F[i].P *= e
	}
	pos.C = math.Pow(pos.C, e)
	out := Poly{pos}
	if len(rest.F) > 0 || rest.C != 1 {
		var r Poly
		if len(rest.F) == 1 && rest.C == 1 && rest.F[0].P == 1 {
			r = rest.F[0].A.power(e)
		} else {
			r = (&Atom{Fn: ClosedAtom, Args: []Poly{{rest}}}).power(e)
		}
		out = Mul(out, r)
	}
	return out
}

func (a *Atom) power(e float64) Poly { return Poly{{C: 1, F: []Fac{{a, e}}}} }

// splitPositive writes a term without binders as a product of known positive factors and the rest.
func (t Term) splitPositive() (pos, rest Term) {
	pos.C, rest.C = t.C, 1
	if t.C < 0 {
		pos.C, rest.C = -t.C, -1
	}
	for _, f := range t.F {
		if f.A.Positive() {
			pos.F = append(pos.F, f)
		} else {
			rest.F = append(rest.F, f)
		}
	}
	return pos, rest
}

// Positive reports whether the atom is known to be above zero.
func (a *Atom) Positive() bool {
	switch a.Fn {
	case SizeAtom, IndexAtom:
		return true
	case RefAtom:
		s := a.Var.Support
		if a.Var.Type.Elem != Real && !(a.Var.Type.Elem == Int && s.Lo != nil) {
			return false
		}
		if s.Kind == Simplex {
			return true
		}
		return s.Kind == Line && s.Lo != nil && NonNegative(s.Lo) || s.Kind == Counts && s.Lo != nil && strictlyPositive(s.Lo)
	case CallAtom:
		return a.Name == "exp" || a.Name == "logistic" || a.Name == "Phi"
	case ClosedAtom:
		for _, t := range a.Args[0] {
			if t.C < 0 {
				return false
			}
			for _, f := range t.F {
				if !f.A.Positive() && !(f.P == 2 || f.P == 4) {
					return false
				}
			}
		}
		// At least one term must be strictly positive; squares and guarded sums may vanish.
		for _, t := range a.Args[0] {
			if len(t.Guards) == 0 && len(t.Over) == 0 && !slices.ContainsFunc(t.F, func(f Fac) bool { return !f.A.Positive() }) {
				return true
			}
		}
	}
	return false
}

// NonNegative reports whether a bound is a number not below zero, or built from positive variables only.
func NonNegative(e Expr) bool {
	switch e := e.(type) {
	case *Num:
		return e.Value >= 0
	case *Ref:
		return e.Var.Support.Kind == Simplex || e.Var.Support.Kind == Line && e.Var.Support.Lo != nil && NonNegative(e.Var.Support.Lo)
	case *SizeOf:
		return true
	case *Bin:
		switch e.Op {
		case '+', '*', '/':
			return NonNegative(e.L) && NonNegative(e.R)
		case '-':
			if n, ok := e.R.(*Num); ok && n.Value <= 1 {
				_, size := e.L.(*SizeOf)
				return size
			}
		}
	}
	return false
}

func strictlyPositive(e Expr) bool {
	n, ok := e.(*Num)
	return ok && n.Value > 0
}

// Log returns log p; the logarithm of a product splits into known positive factors and the rest.
func Log(p Poly) Poly {
	if c, ok := p.Constant(); ok && c > 0 {
		return Number(math.Log(c))
	}
	if q, ok := complement(p); ok {
		return q
	}
	if len(p) != 1 || len(p[0].Over) > 0 {
		return (&Atom{Fn: CallAtom, Name: "log", Args: []Poly{p}}).Poly()
	}
	t := p[0]
	if len(t.Guards) > 0 {
		return (&Atom{Fn: CallAtom, Name: "log", Args: []Poly{p}}).Poly()
	}
	pos, rest := t.splitPositive()
	out := Number(math.Log(pos.C))
	for _, f := range pos.F {
		var l Poly
		switch {
		case f.A.Fn == CallAtom && f.A.Name == "exp":
			l = f.A.Args[0]
		case f.A.Fn == CallAtom && (f.A.Name == "logistic" || f.A.Name == "Phi"):
			l = (&Atom{Fn: CallAtom, Name: "log" + f.A.Name, Args: f.A.Args}).Poly()
		case f.A.Fn == ClosedAtom:
			l = (&Atom{Fn: CallAtom, Name: "log", Args: f.A.Args}).Poly()
		default:
			l = (&Atom{Fn: CallAtom, Name: "log", Args: []Poly{f.A.Poly()}}).Poly()
		}
		out = append(out, l.Scale(f.P)...)
	}
	if len(rest.F) > 0 || rest.C != 1 {
		// What is left must be positive too, since the whole is: a power comes out of the logarithm.
		if len(rest.F) == 1 && rest.C == 1 && rest.F[0].P != math.Trunc(rest.F[0].P) || len(rest.F) == 1 && rest.C == 1 && math.Mod(rest.F[0].P, 2) != 0 {
			arg := rest.F[0].A.Poly()
			if rest.F[0].A.Fn == ClosedAtom {
				arg = rest.F[0].A.Args[0]
			}
			out = append(out, (&Atom{Fn: CallAtom, Name: "log", Args: []Poly{arg}}).Poly().Scale(rest.F[0].P)...)
		} else {
			out = append(out, (&Atom{Fn: CallAtom, Name: "log", Args: []Poly{{rest}}}).Poly()...)
		}
	}
	return out.merge()
}

// complement rewrites log(1 - logistic(x)) and log(1 - Phi(x)), which cancel, as the log of the function at -x.
func complement(p Poly) (Poly, bool) {
	if len(p) != 2 {
		return nil, false
	}
	one, call := p[0], p[1]
	if len(one.F) > 0 {
		one, call = call, one
	}
	if len(one.F) > 0 || one.C != 1 || len(one.Over)+len(one.Guards)+len(call.Over)+len(call.Guards) > 0 {
		return nil, false
	}
	if call.C != -1 || len(call.F) != 1 || call.F[0].P != 1 || call.F[0].A.Fn != CallAtom {
		return nil, false
	}
	a := call.F[0].A
	if a.Name != "logistic" && a.Name != "Phi" {
		return nil, false
	}
	return (&Atom{Fn: CallAtom, Name: "log" + a.Name, Args: []Poly{a.Args[0].Scale(-1)}}).Poly(), true
}

// Apply returns the opaque function fn of p.
func Apply(fn string, args ...Poly) Poly {
	switch fn {
	case "log":
		return Log(args[0])
	case "sqrt":
		return Pow(args[0], 0.5)
	case "exp":
		if c, ok := args[0].Constant(); ok {
			return Number(math.Exp(c))
		}
		// exp(c·log a) is a power of a.
		if len(args[0]) == 1 && len(args[0][0].Over) == 0 && len(args[0][0].Guards) == 0 && len(args[0][0].F) == 1 {
			f := args[0][0].F[0]
			if f.P == 1 && f.A.Fn == CallAtom && f.A.Name == "log" {
				return Pow(f.A.Args[0].Close(), args[0][0].C)
			}
		}
	case "lgamma":
		if c, ok := args[0].Constant(); ok && c > 0 {
			l, _ := math.Lgamma(c)
			return Number(l)
		}
	}
	return (&Atom{Fn: CallAtom, Name: fn, Args: args}).Poly()
}

// SumOver returns Σ over b of p.
func SumOver(b Bind, p Poly) Poly {
	out := slices.Clone(p)
	for i, t := range out {
		bound := b
		for _, o := range t.Over {
			if o.Name == b.Name { // an inner binder of the same name: keep them apart
				out[i] = t.rename(o.Name, o.Name+"'")
			}
		}
		out[i].Over = append([]Bind{bound}, out[i].Over...)
	}
	return out
}

// Guarded returns [g]·p.
func Guarded(g Guard, p Poly) Poly {
	out := slices.Clone(p)
	for i := range out {
		out[i].Guards = append(slices.Clone(out[i].Guards), g)
	}
	return out
}

// merge adds terms that differ only in their coefficient and in the names of bound indices. A closed sum that is a term
// by itself is opened: a sum of sums is one sum.
func (p Poly) merge() Poly {
	p = p.flatten()
	if len(p) < 2 {
		if len(p) == 1 && p[0].C == 0 {
			return nil
		}
		return p
	}
	at := map[string]int{}
	var out Poly
	for _, t := range p {
		k := t.canonKey()
		if i, ok := at[k]; ok {
			out[i].C += t.C
			continue
		}
		at[k] = len(out)
		out = append(out, t)
	}
	return slices.DeleteFunc(out, func(t Term) bool { return t.C == 0 })
}

func (p Poly) flatten() Poly {
	sole := func(t Term) bool {
		return len(t.F) == 1 && t.F[0].P == 1 && t.F[0].A.Fn == ClosedAtom && len(t.Over) == 0 && len(t.Guards) == 0
	}
	if !slices.ContainsFunc(p, sole) {
		return p
	}
	var out Poly
	for _, t := range p {
		if sole(t) {
			out = append(out, t.F[0].A.Args[0].Scale(t.C)...)
		} else {
			out = append(out, t)
		}
	}
	return out.flatten()
}
