// This file holds the step from the typed model to its log density: one Poly for each factor.

package ir

import (
	"fmt"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// A Density is a log joint as algebra. Factors with the same Src come from one statement.
type Density struct {
	Model *Model
	Terms []DensityTerm
}

// A DensityTerm is the log density that one statement contributes.
type DensityTerm struct {
	Poly Poly
	Src  *Factor
}

// A Val is a value that a distribution's log density is written in: a scalar, vector, matrix or category.
type Val struct {
	at     func(ix ...Ix) Poly
	Cat    Ix // of a category: its index
	inv    func(p, q Ix) Poly
	logdet func() Poly
	Plates []*Plate
}

// At returns the element at the indices, none for a scalar.
func (v Val) At(ix ...Ix) Poly { return v.at(ix...) }

// Inv returns the element (p, q) of the inverse of a matrix.
func (v Val) Inv(p, q Ix) Poly { return v.inv(p, q) }

// LogDet returns the log determinant of a matrix.
func (v Val) LogDet() Poly { return v.logdet() }

// Size returns the length of the i-th axis as a Poly.
func (v Val) Size(i int) Poly { return (&Atom{Fn: SizeAtom, Plate: v.Plates[i]}).Poly() }

// Each returns Σ over the i-th axis of f at a bound index. The name must end in a prime: no index of a spec does, so it
// captures none.
func (v Val) Each(i int, name string, f func(Ix) Poly) Poly {
	return SumOver(Bind{Name: name, Plate: v.Plates[i]}, f(At(name)))
}

// Lower returns the log density of the model. It reports what the algebra cannot express.
func Lower(m *Model) (*Density, dsl.Diags) {
	d := &Density{Model: m}
	var diags dsl.Diags
	for _, f := range m.Factors {
		if f.Dist.LogDensity == nil {
			continue // Flat: nothing to add
		}
		p, err := lowerFactor(f)
		if err != nil {
			diags = append(diags, &dsl.Diag{Code: "matrix-expression", Span: f.Span, Msg: err.Error(),
				Hint: "write the matrix as a variable, or as a scalar times a matrix variable"})
			continue
		}
		d.Terms = append(d.Terms, DensityTerm{Poly: p, Src: f})
	}
	return d, diags
}

func lowerFactor(f *Factor) (p Poly, err error) {
	x, err := value(f.X)
	if err != nil {
		return nil, err
	}
	args := make([]Val, len(f.Args))
	for i, a := range f.Args {
		if args[i], err = value(a); err != nil {
			return nil, err
		}
	}
	p = f.Dist.LogDensity(x, args)
	if (f.Lo != nil || f.Hi != nil) && f.Dist.LogCDF != nil && dependsOnUnknown(append(f.Args, f.Lo, f.Hi)...) {
		var lo, hi *Val
		if f.Lo != nil {
			v, _ := value(f.Lo)
			lo = &v
		}
		if f.Hi != nil {
			v, _ := value(f.Hi)
			hi = &v
		}
		p = Add(p, f.Dist.LogCDF(args, lo, hi).Scale(-1))
	}
	for _, g := range Exists(f.X) {
		p = Guarded(g, p)
	}
	for i := len(f.Over) - 1; i >= 0; i-- {
		p = SumOver(bindOf(f.Over[i]), p)
	}
	return p.SimplifyAll(), nil
}

// Exists returns the guards under which the plates are large enough for the literal indices of r: a statement about z[2] says
// nothing of a chain of one.
func Exists(r *Ref) []Guard {
	var out []Guard
	for i, x := range r.Idx {
		p := r.Var.Axes[i]
		if x.Name != "" || x.Cat != nil || x.Add == 0 && p.Over == nil {
			continue
		}
		g := Guard{Rel: In, L: []Ix{ixOf(x)}, Plate: p}
		if p.Over != nil {
			g.Of = ixsOf(r.Idx[i-p.Depth() : i])
		}
		out = append(out, g)
	}
	return out
}

// dependsOnUnknown reports whether any of the expressions mentions an unknown.
func dependsOnUnknown(es ...Expr) bool {
	for _, e := range es {
		if e == nil {
			continue
		}
		found := false
		WalkExpr(e, func(e Expr) {
			if r, ok := e.(*Ref); ok && r.Var.Unknown() {
				found = true
			}
		})
		if found {
			return true
		}
	}
	return false
}

// WalkExpr calls fn for e and everything in it, categories in indices included.
func WalkExpr(e Expr, fn func(Expr)) {
	if e == nil {
		return
	}
	fn(e)
	ix := func(xs []IndexExpr) {
		for _, x := range xs {
			if x.Cat != nil {
				WalkExpr(x.Cat, fn)
			}
		}
	}
	switch e := e.(type) {
	case *Ref:
		ix(e.Idx)
	case *SizeOf:
		ix(e.Of)
	case *IndexVal:
		ix([]IndexExpr{e.Index})
	case *Bin:
		WalkExpr(e.L, fn)
		WalkExpr(e.R, fn)
	case *App:
		WalkExpr(e.X, fn)
	case *Dot:
		WalkExpr(e.A, fn)
		WalkExpr(e.B, fn)
	case *Sum:
		ix(e.Over.Of)
		WalkExpr(e.Body, fn)
	case *Fill:
		WalkExpr(e.X, fn)
	}
}

func bindOf(b Binder) Bind {
	return Bind{Name: b.Name, Plate: b.Plate, Of: ixsOf(b.Of), Lo: b.Lo, Hi: b.Hi}
}

func ixsOf(xs []IndexExpr) []Ix {
	out := make([]Ix, len(xs))
	for i, x := range xs {
		out[i] = ixOf(x)
	}
	return out
}

func ixOf(x IndexExpr) Ix {
	if x.Cat != nil {
		return Ix{Cat: RefTo(x.Cat.Var, ixsOf(x.Cat.Idx)...), Add: x.Add}
	}
	return Ix{Name: x.Name, Add: x.Add}
}

// IxOf returns the algebra's index for a typed one.
func IxOf(x IndexExpr) Ix { return ixOf(x) }

// BindOf returns the algebra's binder for a typed one.
func BindOf(b Binder) Bind { return bindOf(b) }

// Scalar returns the Poly of a scalar expression.
func Scalar(e Expr) Poly { return scalarAt(e, nil) }

// value wraps a typed expression for a distribution.
func value(e Expr) (Val, error) {
	v := Val{Plates: e.Shape(), at: func(ix ...Ix) Poly { return scalarAt(e, ix) }}
	if r, ok := e.(*Ref); ok && r.Var.Type.Elem == Cat && len(v.Plates) == 0 {
		v.Cat = Ix{Cat: RefTo(r.Var, ixsOf(r.Idx)...)}
	}
	if len(v.Plates) == 2 {
		scale, base, err := matrix(e)
		if err != nil {
			return v, err
		}
		dim := (&Atom{Fn: SizeAtom, Plate: v.Plates[0]}).Poly()
		switch b := base.(type) {
		case *Ref:
			v.inv = func(p, q Ix) Poly {
				ix := append(ixsOf(b.Idx), p, q)
				return Mul(Pow(scale, -1), (&Atom{Fn: InvAtom, Var: b.Var, Ix: ix}).Poly())
			}
			v.logdet = func() Poly {
				return Add(Mul(dim, Log(scale)), (&Atom{Fn: LogDetAtom, Var: b.Var, Ix: ixsOf(b.Idx)}).Poly())
			}
		case *Fill:
			s := Mul(scale, scalarAt(b.X, nil))
			v.inv = func(p, q Ix) Poly {
				return Guarded(Guard{Rel: Eq, L: []Ix{p}, R: []Ix{q}}, Pow(s, -1))
			}
			v.logdet = func() Poly { return Mul(dim, Log(s)) }
		}
	}
	return v, nil
}

// matrix writes a matrix expression as a scalar times a matrix variable or an identity.
func matrix(e Expr) (scale Poly, base Expr, err error) {
	switch e := e.(type) {
	case *Ref:
		return Number(1), e, nil
	case *Fill:
		return Number(1), e, nil
	case *Bin:
		l, r := e.L, e.R
		if e.Op == '*' && len(l.Shape()) == 0 {
			l, r = r, l
		}
		if (e.Op == '*' || e.Op == '/') && len(r.Shape()) == 0 {
			s, b, err := matrix(l)
			if err != nil {
				return nil, nil, err
			}
			k := scalarAt(r, nil)
			if e.Op == '/' {
				k = Pow(k, -1)
			}
			return Mul(s, k), b, nil
		}
	}
	return nil, nil, fmt.Errorf("this matrix expression has no closed form for its inverse and determinant")
}

// scalarAt returns the scalar at the indices ix of the (possibly array-valued) expression e.
func scalarAt(e Expr, ix []Ix) Poly {
	switch e := e.(type) {
	case *Num:
		return Number(e.Value)
	case *Ref:
		return RefTo(e.Var, append(ixsOf(e.Idx), ix...)...).Poly()
	case *SizeOf:
		return (&Atom{Fn: SizeAtom, Plate: e.Plate, Ix: ixsOf(e.Of)}).Poly()
	case *IndexVal:
		return (&Atom{Fn: IndexAtom, Ix: []Ix{ixOf(e.Index)}}).Poly()
	case *Bin:
		at := func(x Expr) Poly {
			if len(x.Shape()) == 0 {
				return scalarAt(x, nil)
			}
			return scalarAt(x, ix)
		}
		l, r := at(e.L), at(e.R)
		switch e.Op {
		case '+':
			return Add(l, r)
		case '-':
			return Add(l, r.Scale(-1))
		case '*':
			return Mul(l, r)
		case '/':
			return Mul(l, Pow(r, -1))
		}
		if c, ok := r.Constant(); ok {
			return Pow(l, c)
		}
		return Apply("exp", Mul(r, Log(l)))
	case *App:
		return Apply(e.Fn, scalarAt(e.X, ix))
	case *Dot:
		p := e.A.Shape()[0]
		name := fresh(e, p)
		return SumOver(Bind{Name: name, Plate: p, Of: parents(e.A, p)}, Mul(scalarAt(e.A, []Ix{At(name)}), scalarAt(e.B, []Ix{At(name)})))
	case *Sum:
		return SumOver(bindOf(e.Over), scalarAt(e.Body, nil))
	case *Fill:
		p := scalarAt(e.X, nil)
		if len(ix) == 2 {
			return Guarded(Guard{Rel: Eq, L: ix[:1], R: ix[1:]}, p)
		}
		return p
	}
	panic(fmt.Sprintf("ir: expression %T", e))
}

// parents returns the parent indices of the open axis of a vector over a ragged plate: d of w[d].
func parents(e Expr, p *Plate) []Ix {
	n := p.Depth()
	if n == 0 {
		return nil
	}
	var of []Ix
	WalkExpr(e, func(e Expr) {
		if r, ok := e.(*Ref); ok && of == nil && len(r.Shape()) == 1 && r.Shape()[0] == p {
			of = ixsOf(r.Idx[len(r.Idx)-n:])
		}
	})
	return of
}

// fresh names a bound index that the expression itself does not use.
func fresh(e Expr, p *Plate) string {
	used := map[string]bool{}
	WalkExpr(e, func(e Expr) {
		switch e := e.(type) {
		case *Ref:
			for _, x := range e.Idx {
				used[x.Name] = true
			}
		case *Sum:
			used[e.Over.Name] = true
		case *IndexVal:
			used[e.Index.Name] = true
		}
	})
	return FreshName(p, used)
}

// FreshName returns a short index name for a plate, the first letter of its name in lower case or that with primes.
func FreshName(p *Plate, used map[string]bool) string {
	name := lowerFirst(p.Name)
	for used[name] {
		name += "'"
	}
	return name
}

func lowerFirst(s string) string {
	r := []rune(s)[0]
	if r >= 'A' && r <= 'Z' {
		r += 'a' - 'A'
	}
	return string(r)
}
