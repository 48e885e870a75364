// This file holds the third step: the family of a conditional, found from the set of statistics, the support and the
// bounds alone; and what there is to know of a family.

package conjugacy

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A Family is one shape of full conditional: an exponential family, with the functions of package runtime that know it in
// numbers. What is peculiar to a family stands in its entry and nowhere else; statistics are classify's.
type Family struct {
	Name    string
	Natural []Natural // in the order in which runtime takes them

	// match reports whether a shape that has no statistics but those of Natural is of the family, with all of Params but
	// the coefficients. The joint families have none: joint.go looks for them.
	match func(s *shape) (Params, bool)
	// words are the density and the draw for one conditional; t is the target as it is written.
	words func(n *Notation, c *Conditional, t string) form

	// Draws are methods of runtime.Rand, the first that suits to be taken; one of a block fills its first argument.
	Draws []Call
	// LogDensity is the log density of a block up to a constant, at its first argument; a number's follows from Natural.
	LogDensity Call
	// ByRows and RowsLogDensity are the same of a block in the form Rows: they take its parameters, and X.
	ByRows, RowsLogDensity Call

	// logPartition is the log of the normalising constant as algebra, up to a number, where collapsing has a use for it. Of
	// a block, dim is the plate of the positions #1 and #2.
	logPartition func(p Params, dim *ir.Plate) ir.Poly
	// LogPDF is the log density with every constant: what collapsing is checked with.
	LogPDF Call
}

// A Natural is a natural parameter: the density has the factor exp(Scale·value·statistic). A statistic that is missing has
// the value 0.
type Natural struct {
	Name  string
	Stat  Kind
	Power float64 // of the statistic PowT, as a multiple of Params.R
	Scale float64
	Rank  int // 0 for a number, 1 for a vector and 2 for a matrix over the block's positions
}

// A Call is a function of runtime. It takes the natural parameters and then, in this order, what the fields say.
type Call struct {
	Name    string
	Without map[string]float64 // the natural parameters that it does not take, since they are these
	Power   bool               // the power of t
	Bounds  bool               // those of t: 0 and +∞ if nothing cuts
	Side    bool               // a point, and whether t lies above it
	At0     bool               // of Side: the point is 0, and not taken
	Size    bool               // the number of the block's positions, or of a matrix's rows
	Work    bool               // the workspace to factorise a matrix in; a draw that takes it returns an error
}

// Params are the natural parameters of a conditional under the names that its family gives them.
type Params struct {
	Coef map[string]ir.Poly // before separation
	R    float64            // the power of t, of families that are for any; else 1
	// Truncated says that the bounds cut the family's own support.
	Truncated bool
}

// Block reports whether the family is of vectors or matrices.
func (f *Family) Block() bool {
	return slices.ContainsFunc(f.Natural, func(n Natural) bool { return n.Rank > 0 })
}

// Draw returns the draw that suits the conditional; side says that t lies on one side of a point, by data.
func (c *Conditional) Draw(side bool) (Call, bool) {
	for _, d := range c.Family.Draws {
		suits := d.Side == side && (!d.At0 || len(c.Bounds) == 1 && len(c.Bounds[0].B) == 0) && (d.Power || c.Params.R == 1) && (d.Bounds || d.Side || !c.Params.Truncated)
		for name, x := range d.Without {
			value, ok := c.Params.Coef[name].Constant()
			suits = suits && ok && value == x
		}
		if suits {
			return d, true
		}
	}
	return Call{}, false
}

// Families in the order in which they are tried; the order matters only where one row is a special case of another
// (a Normal between bounds with no quadratic term is an exponential, which the truncated Normal defines).
var Families = []*Family{
	normalFamily, mvNormalFamily,
	gammaFamily, gigFamily, logNormalFamily,
	betaFamily, dirichletFamily,
	wishartFamily, invWishartFamily,
	jointNormal, scalarJointNormal,
}

// A Kind is a recognised statistic.
type Kind int

// The statistics. Those of a number are exported: from them codegen prints its log density.
const (
	opaque Kind = iota
	PowT        // t^p
	LogT        // log t
	LogSqT      // (log t)²
	Log1mT      // log(1 - t)
	vec1        // t[#1]
	vec2        // t[#1] t[#2]
	logVec      // log t[#1]
	matrix      // t[#1,#2] of a symmetric matrix
	invMat      // t⁻¹[#1,#2]
	logDet      // log det t
)

// classify says which statistic the factors are.
func (t *Target) classify(f []ir.Fac) (Kind, float64) {
	isT := func(a *ir.Atom) bool { return a.Fn == ir.RefAtom && a.Var == t.T }
	blocks := len(t.T.Axes)
	switch len(f) {
	case 1:
		a, p := f[0].A, f[0].P
		switch {
		case isT(a) && blocks == 0:
			return PowT, p
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
					return LogT, 1
				case p == 2:
					return LogSqT, 2
				}
			}
			if p == 1 && blocks == 0 && len(arg) == 2 && len(ir.Add(arg, t.tPoly(), ir.Number(-1))) == 0 {
				return Log1mT, 1
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
	kinds  map[Kind]ir.Poly    // coefficient of the others
	opaque *Stat               // the first statistic that no row knows
	hasLo  bool                // the support or a constraint bounds t below, above
	hasHi  bool
	loZero bool // the lower bound is that of the family of positive numbers, exactly 0
	hiOne  bool
	extra  bool // constraints cut the support further
}

func (t *Target) shapeOf(stats []Stat, constrained bool) *shape {
	s := &shape{target: t, pow: map[float64]ir.Poly{}, kinds: map[Kind]ir.Poly{}, extra: constrained}
	for i, st := range stats {
		k, p := t.classify(st.F)
		switch k {
		case opaque:
			if s.opaque == nil {
				s.opaque = &stats[i]
			}
		case PowT:
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

// coefs returns the values of the natural parameters at the power r of t, if the shape has no other statistics.
func (s *shape) coefs(of []Natural, r float64) (map[string]ir.Poly, bool) {
	out := map[string]ir.Poly{}
	found := 0
	for _, n := range of {
		p, ok := s.kinds[n.Stat]
		if n.Stat == PowT {
			p, ok = s.pow[n.Power*r]
		}
		if ok {
			found++
		}
		out[n.Name] = p.Scale(1 / n.Scale)
	}
	return out, s.opaque == nil && found == len(s.kinds)+len(s.pow)
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
	for _, f := range Families {
		if f.match == nil {
			continue
		}
		p, ok := f.match(s)
		if !ok {
			continue
		}
		if p.Coef, ok = s.coefs(f.Natural, p.R); ok {
			return f, p, true
		}
	}
	return nil, Params{}, false
}
