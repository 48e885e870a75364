// This file holds products that would be 0·log 0 or 0·∞: what is sure has probability 0 or 1, and x·log y is 0 for x = 0 whatever y is. Where a
// count, or a sum over members, that may be 0 stands beside the logarithm of something that may be 0, or beside an exponential or one over a
// square, which may be beyond floating point, the product is a call of the runtime, which looks; elsewhere it stays a product.

package codegen

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// sure takes counts and what is endless out of the factors of extra·Π fs, if they may make 0·∞: the first result has them in it.
func (e *emitter) sure(extra ex, fs []ir.Fac) (ex, []ir.Fac) {
	// A part, or a sum, of exponentials is 0 where there is nothing to add, and then so is its product with another one.
	at := slices.IndexFunc(fs, func(f ir.Fac) bool { return e.endless(f) && !e.isPart(f) })
	paired := at >= 0
	added := func(f ir.Fac) bool { return e.isCount(f) || paired && e.isPart(f) }
	if !paired {
		at = slices.IndexFunc(fs, e.endless)
	}
	counts := extra.count || extra.endless && paired
	if at < 0 && !extra.endless || !counts && !slices.ContainsFunc(fs, added) {
		return extra, fs
	}
	x, by := num(1), extra
	if counts {
		x, by = extra, num(1)
	}
	var rest []ir.Fac
	for i, f := range fs {
		switch {
		case i == at:
		case added(f):
			x = mul(x, e.atom(f.A, 1))
		default:
			rest = append(rest, f)
		}
	}
	switch {
	case at < 0:
		return call(runtimePath, "XTimes", x, by), rest
	case isLog(fs[at].A):
		return mul(by, call(runtimePath, "XLogY", x, e.poly(fs[at].A.Args[0]))), rest
	}
	v, _ := e.productWith(1, fs[at:at+1], num(1))
	return mul(by, call(runtimePath, "XTimes", x, v)), rest
}

// summed is the local in which Σ Π fs is added up. There may be nothing to add: what is not endless itself counts.
func (e *emitter) summed(name string, fs []ir.Fac) ex {
	v := id(name)
	v.endless = slices.ContainsFunc(fs, e.endless)
	v.count = !v.endless
	return v
}

// isCount reports whether the factor is a whole number that may be 0, or a sum over members, of which there may be none.
func (e *emitter) isCount(f ir.Fac) bool {
	acc := e.g.accs[f.A.Name]
	ofMembers := f.A.Fn == ir.AccAtom && f.P == 1 && acc != nil && len(acc.Body.Guards) > 0
	return ofMembers || e.whole(f) && e.vanishing(f)
}

// isPart reports whether the factor is a part of the density that is computed once a draw.
func (e *emitter) isPart(f ir.Fac) bool {
	return f.A.Fn == ir.AccAtom && f.P == 1 && e.g.parts[f.A.Name] != nil
}

// counted reports whether all the factors are whole numbers.
func (e *emitter) counted(fs []ir.Fac) bool {
	return !slices.ContainsFunc(fs, func(f ir.Fac) bool { return !e.whole(f) })
}

// whole reports whether the factor is a whole number: a bool, an integer, a size, or a sum of such.
func (e *emitter) whole(f ir.Fac) bool {
	a := f.A
	switch a.Fn {
	case ir.RefAtom:
		return f.P == 1 && (a.Var.Type.Elem == ir.Bool || a.Var.Type.Elem == ir.Int)
	case ir.SizeAtom, ir.IndexAtom:
		return f.P == 1
	case ir.ClosedAtom:
		return f.P == 1 && !slices.ContainsFunc(a.Args[0], func(t ir.Term) bool { return t.C != float64(int(t.C)) || !e.counted(t.F) })
	case ir.AccAtom:
		acc := e.g.accs[a.Name]
		return f.P == 1 && acc != nil && e.counted(acc.Body.F)
	}
	return false
}

// endless reports whether the factor may be infinite: an exponential, one over the square of the new value, the logarithm of an exponential or of
// what may be 0, a sum or a table of such.
func (e *emitter) endless(f ir.Fac) bool {
	a := f.A
	switch {
	case a.Fn == ir.CallAtom && a.Name == "exp", a.Fn == ir.RefAtom && a.Var.Name == "$t" && f.P <= -2:
		return true
	case f.P != 1:
		return false
	}
	some := func(p ir.Poly) bool {
		return slices.ContainsFunc(p, func(t ir.Term) bool { return slices.ContainsFunc(t.F, e.endless) })
	}
	switch {
	case isLog(a):
		return e.vanishes(a.Args[0]) || some(a.Args[0])
	case a.Fn == ir.ClosedAtom:
		return some(a.Args[0])
	case a.Fn == ir.AccAtom && e.g.tables[a.Name] != nil:
		return some(e.g.tables[a.Name].Value)
	case a.Fn == ir.AccAtom && e.g.parts[a.Name] != nil:
		return some(e.g.parts[a.Name].Value)
	}
	return false
}

func isLog(a *ir.Atom) bool { return a.Fn == ir.CallAtom && a.Name == "log" }

// vanishes reports whether the positive sum may be computed as 0: where something is taken away, or each of its terms may be 0. Draws keep
// off the ends of (0, 1), so that 1 less such an unknown is not 0.
func (e *emitter) vanishes(p ir.Poly) bool {
	each := true
	for _, t := range p {
		if t.C < 0 {
			return !(len(p) == 2 && len(t.Over)+len(t.Guards) == 0 && t.C == -1 && len(t.F) == 1 && t.F[0].P == 1 && belowOne(t.F[0].A) &&
				slices.ContainsFunc(p, func(u ir.Term) bool { return u.C == 1 && len(u.F)+len(u.Over)+len(u.Guards) == 0 }))
		}
		empty := len(t.Guards) > 0 || slices.ContainsFunc(t.Over, func(b ir.Bind) bool { return b.Plate.Over != nil || b.Lo != 0 || b.Hi != 0 })
		each = each && (empty || slices.ContainsFunc(t.F, e.vanishing))
	}
	return each
}

// belowOne reports whether the atom is an element of a variable that lies below 1.
func belowOne(a *ir.Atom) bool {
	if a.Fn != ir.RefAtom || a.Var.Support.Kind != ir.Line || a.Var.Support.HiClosed {
		return false
	}
	hi, ok := a.Var.Support.Hi.(*ir.Num)
	return ok && hi.Value <= 1
}

// vanishing reports whether the factor may be 0. Simplices that are data may have zeros, those that are drawn have none.
func (e *emitter) vanishing(f ir.Fac) bool {
	if f.P < 0 {
		return false
	}
	switch a := f.A; a.Fn {
	case ir.RefAtom:
		return !a.Var.Positive() || a.Var.Support.Kind == ir.Simplex && !a.Var.Unknown()
	case ir.SizeAtom:
		return a.Plate.Over != nil
	case ir.IndexAtom:
		return false
	case ir.ClosedAtom:
		return e.vanishes(a.Args[0])
	case ir.AccAtom:
		t := e.g.tables[a.Name]
		return t == nil || e.vanishes(t.Value)
	}
	return true
}
