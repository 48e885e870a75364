// This file holds the third step: the family of a conditional, found from the set of statistics, the support and the
// bounds alone.

package conjugacy

import (
	"github.com/gibbsgen/gibbsgen/ir"
)

// A Family is one shape of full conditional. Natural parameters are coefficients of statistics; a missing statistic
// counts as zero.
type Family struct {
	Name  string
	Match func(s *shape) (Params, bool)
}

// Params are the natural parameters of a conditional under the names that its family gives them.
type Params struct {
	Coef map[string]ir.Poly // before separation
	R    float64            // the power of t in the Gamma and generalised inverse Gaussian rows
	// Truncated says that the bounds cut the family's own support.
	Truncated bool
}

// families in the order in which they are tried; the order matters only where one row is a special case of another
// (a Normal between bounds with no quadratic term is an exponential, which the truncated Normal defines).
var families = []*Family{
	normalFamily, mvNormalFamily,
	gammaFamily, gigFamily, logNormalFamily,
	betaFamily, dirichletFamily,
	wishartFamily, invWishartFamily,
}

// A kind is a recognised statistic.
type kind int

const (
	opaque kind = iota
	power       // t^p, of a scalar
	logT        // log t
	logSq       // (log t)²
	log1m       // log(1 - t)
	vec1        // t[#1]
	vec2        // t[#1] t[#2]
	logVec      // log t[#1]
	matrix      // t[#1,#2] of a symmetric matrix
	invMat      // t⁻¹[#1,#2]
	logDet      // log det t
)

// classify says which statistic the factors are.
func (t *Target) classify(f []ir.Fac) (kind, float64) {
	isT := func(a *ir.Atom) bool { return a.Fn == ir.RefAtom && a.Var == t.T }
	blocks := len(t.T.Axes)
	switch len(f) {
	case 1:
		a, p := f[0].A, f[0].P
		switch {
		case isT(a) && blocks == 0:
			return power, p
		case isT(a) && t.T.Support.Kind == ir.SPD && p == 1:
			return matrix, 1
		case isT(a) && p == 1:
			return vec1, 1
		case a.Fn == ir.InvAtom && a.Var == t.T && p == 1:
			return invMat, 1
		case a.Fn == ir.LogDetAtom && a.Var == t.T && p == 1:
			return logDet, 1
		case a.Fn == ir.CallAtom && a.Name == "log":
			arg := a.Args[0]
			if len(arg) == 1 && len(arg[0].Over)+len(arg[0].Guards) == 0 && arg[0].C == 1 && len(arg[0].F) == 1 && arg[0].F[0].P == 1 && isT(arg[0].F[0].A) {
				switch {
				case blocks > 0 && p == 1:
					return logVec, 1
				case p == 1:
					return logT, 1
				case p == 2:
					return logSq, 2
				}
			}
			if p == 1 && blocks == 0 && len(arg) == 2 && len(ir.Add(arg, t.tPoly(), ir.Number(-1))) == 0 {
				return log1m, 1
			}
		}
	case 2:
		if isT(f[0].A) && isT(f[1].A) && f[0].P == 1 && f[1].P == 1 && blocks > 0 && t.T.Support.Kind != ir.SPD {
			return vec2, 1
		}
	}
	return opaque, 0
}

func (t *Target) tPoly() ir.Poly { return ir.RefTo(t.T).Poly() }

// A shape is what families look at.
type shape struct {
	target *Target
	pow    map[float64]ir.Poly // coefficient of t^p
	kinds  map[kind]ir.Poly    // coefficient of the others
	opaque *Stat               // the first statistic that no row knows
	hasLo  bool                // the support or a constraint bounds t below, above
	hasHi  bool
	loZero bool // the lower bound is that of the family of positive numbers, exactly 0
	hiOne  bool
	extra  bool // constraints cut the support further
}

func (t *Target) shapeOf(stats []Stat, constrained bool) *shape {
	s := &shape{target: t, pow: map[float64]ir.Poly{}, kinds: map[kind]ir.Poly{}, extra: constrained}
	for i, st := range stats {
		k, p := t.classify(st.F)
		switch k {
		case opaque:
			if s.opaque == nil {
				s.opaque = &stats[i]
			}
		case power:
			s.pow[p] = st.Coef
		default:
			s.kinds[k] = st.Coef
		}
	}
	sup := t.Var.Support
	if sup.Kind == ir.Line {
		s.hasLo, s.hasHi = sup.Lo != nil, sup.Hi != nil
		if n, ok := sup.Lo.(*ir.Num); ok {
			s.loZero = n.Value == 0
		}
		if n, ok := sup.Hi.(*ir.Num); ok {
			s.hiOne = n.Value == 1
		}
	}
	return s
}

// only reports whether the shape has no statistics but the given kinds and powers.
func (s *shape) only(kinds []kind, powers ...float64) bool {
	if s.opaque != nil {
		return false
	}
	for k := range s.kinds {
		ok := false
		for _, x := range kinds {
			ok = ok || x == k
		}
		if !ok {
			return false
		}
	}
	for p := range s.pow {
		ok := false
		for _, x := range powers {
			ok = ok || x == p
		}
		if !ok {
			return false
		}
	}
	return true
}

// scalarLine reports whether the target is one real number.
func (s *shape) scalarLine() bool {
	return len(s.target.T.Axes) == 0 && s.target.Var.Support.Kind == ir.Line && s.target.Var.Type.Elem == ir.Real
}

// positive reports whether the target is one positive number.
func (s *shape) positive() bool {
	return s.scalarLine() && s.hasLo && ir.NonNegative(s.target.Var.Support.Lo)
}

// recognise returns the first family that fits.
func recognise(s *shape) (*Family, Params, bool) {
	for _, f := range families {
		if p, ok := f.Match(s); ok {
			return f, p, true
		}
	}
	return nil, Params{}, false
}
