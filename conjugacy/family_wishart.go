// This file holds the rows for positive definite matrices: Wishart, Inverse-Wishart.

package conjugacy

import "github.com/gibbsgen/gibbsgen/ir"

// wishartFamily: |t|^c exp(-tr(S t)/2).
var wishartFamily = &Family{
	Name: "Wishart",
	Match: func(s *shape) (Params, bool) {
		if s.target.Var.Support.Kind != ir.SPD || s.kinds[matrix] == nil || !s.only([]kind{matrix, logDet}) {
			return Params{}, false
		}
		return Params{Coef: map[string]ir.Poly{"c": s.kinds[logDet], "S": s.kinds[matrix].Scale(-2)}}, true
	},
}

// invWishartFamily: |t|^c exp(-tr(S t⁻¹)/2).
var invWishartFamily = &Family{
	Name: "InvWishart",
	Match: func(s *shape) (Params, bool) {
		if s.target.Var.Support.Kind != ir.SPD || s.kinds[invMat] == nil || !s.only([]kind{invMat, logDet}) {
			return Params{}, false
		}
		return Params{Coef: map[string]ir.Poly{"c": s.kinds[logDet], "S": s.kinds[invMat].Scale(-2)}}, true
	},
}
