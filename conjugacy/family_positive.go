// This file holds the rows for positive numbers: Gamma of a power, generalised inverse Gaussian, LogNormal.

package conjugacy

import "github.com/gibbsgen/gibbsgen/ir"

// gammaFamily: t^c exp(-b t^r): t^r is Gamma with shape (c+1)/r, so Gamma (r = 1), Inverse-Gamma (-1), a standard
// deviation (-2), a scale (2).
var gammaFamily = &Family{
	Name: "Gamma",
	Match: func(s *shape) (Params, bool) {
		if !s.positive() || len(s.pow) > 1 || s.opaque != nil || !s.only([]kind{logT}, keys(s.pow)...) {
			return Params{}, false
		}
		r := 1.0
		for p := range s.pow {
			r = p
		}
		cut := !s.loZero || s.hasHi || s.extra
		if len(s.pow) == 0 && !cut {
			return Params{}, false // a power of t alone is improper on (0, ∞)
		}
		return Params{Coef: map[string]ir.Poly{"c": s.kinds[logT], "b": s.pow[r].Scale(-1)}, R: r, Truncated: cut}, true
	},
}

// gigFamily: t^c exp(-a t^r - b t^-r), r > 0.
var gigFamily = &Family{
	Name: "GIG",
	Match: func(s *shape) (Params, bool) {
		if !s.positive() || !s.loZero || s.hasHi || s.extra || len(s.pow) != 2 || s.opaque != nil || !s.only([]kind{logT}, keys(s.pow)...) {
			return Params{}, false
		}
		var r float64
		for p := range s.pow {
			r = max(r, p)
		}
		if r <= 0 || s.pow[-r] == nil {
			return Params{}, false
		}
		return Params{Coef: map[string]ir.Poly{"c": s.kinds[logT], "a": s.pow[r].Scale(-1), "b": s.pow[-r].Scale(-1)}, R: r}, true
	},
}

// logNormalFamily: t^c exp(-q (log t)²/2).
var logNormalFamily = &Family{
	Name: "LogNormal",
	Match: func(s *shape) (Params, bool) {
		if !s.positive() || !s.loZero || s.hasHi || s.extra || s.kinds[logSq] == nil || !s.only([]kind{logT, logSq}) {
			return Params{}, false
		}
		return Params{Coef: map[string]ir.Poly{"c": s.kinds[logT], "q": s.kinds[logSq].Scale(-2)}}, true
	},
}

func keys(m map[float64]ir.Poly) []float64 {
	var out []float64
	for k := range m {
		out = append(out, k)
	}
	return out
}
