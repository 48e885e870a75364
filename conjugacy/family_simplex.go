// This file holds the rows for the unit interval and the simplex: Beta, Dirichlet.

package conjugacy

import "github.com/gibbsgen/gibbsgen/ir"

// betaFamily: t^c (1-t)^d on (0, 1).
var betaFamily = &Family{
	Name: "Beta",
	Match: func(s *shape) (Params, bool) {
		if !s.scalarLine() || !s.loZero || !s.hiOne || s.extra || !s.only([]kind{logT, log1m}) {
			return Params{}, false
		}
		return Params{Coef: map[string]ir.Poly{"c": s.kinds[logT], "d": s.kinds[log1m]}}, true
	},
}

// dirichletFamily: Π t[k]^c[k] on the simplex.
var dirichletFamily = &Family{
	Name: "Dirichlet",
	Match: func(s *shape) (Params, bool) {
		if s.target.Var.Support.Kind != ir.Simplex || s.extra || !s.only([]kind{logVec}) {
			return Params{}, false
		}
		return Params{Coef: map[string]ir.Poly{"c": s.kinds[logVec]}}, true
	},
}
