// This file holds the Normal rows: scalar, truncated, and the vector block.

package conjugacy

import "github.com/gibbsgen/gibbsgen/ir"

// normalFamily: exp(h·t - prec·t²/2), on the whole line or between bounds.
var normalFamily = &Family{
	Name: "Normal",
	Match: func(s *shape) (Params, bool) {
		if !s.scalarLine() || !s.only(nil, 1, 2) {
			return Params{}, false
		}
		cut := s.hasLo || s.hasHi || s.extra
		if !cut && s.pow[2] == nil {
			return Params{}, false // no proper density: the caller says so
		}
		// On (0, ∞) with t alone the Gamma row says the same thing better.
		if s.pow[2] == nil && s.pow[1] != nil && s.loZero && !s.hasHi && !s.extra {
			return Params{}, false
		}
		return Params{Coef: map[string]ir.Poly{"h": s.pow[1], "prec": s.pow[2].Scale(-2)}, Truncated: cut}, true
	},
}

// mvNormalFamily: exp(hᵀt - tᵀ prec t/2) of a vector.
var mvNormalFamily = &Family{
	Name: "MVNormal",
	Match: func(s *shape) (Params, bool) {
		sup := s.target.Var.Support
		if len(s.target.T.Axes) == 0 || sup.Kind != ir.Line || s.hasLo || s.hasHi || s.extra ||
			s.target.Var.Type.Elem != ir.Real || !s.only([]kind{vec1, vec2}) || s.kinds[vec2] == nil {
			return Params{}, false
		}
		return Params{Coef: map[string]ir.Poly{"h": s.kinds[vec1], "prec": s.kinds[vec2].Scale(-2)}}, true
	},
}
