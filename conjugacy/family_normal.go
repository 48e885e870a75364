// This file holds the Normal rows: scalar, truncated, and the vector block.

package conjugacy

import "github.com/gibbsgen/gibbsgen/ir"

// normalFamily: exp(h·t - prec·t²/2), on the whole line or between bounds.
var normalFamily = &Family{
	Name: "Normal",
	Natural: []Natural{
		{Name: "h", Stat: PowT, Power: 1, Scale: 1},
		{Name: "prec", Stat: PowT, Power: 2, Scale: -0.5},
	},
	match: func(s *shape) (Params, bool) {
		if !s.scalarLine() {
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
		return Params{R: 1, Truncated: cut}, true
	},
	words: normalWords,
	Draws: []Call{
		{Name: "NormalNat"},
		{Name: "TruncNormalNat", Bounds: true},
		{Name: "PositiveSide", Without: map[string]float64{"prec": 1}, Side: true, At0: true},
		{Name: "NormalSide", Without: map[string]float64{"prec": 1}, Side: true},
		{Name: "NormalSideNat", Side: true},
	},
	logPartition: func(p Params, _ *ir.Plate) ir.Poly {
		h, prec := p.Coef["h"], p.Coef["prec"]
		return ir.Add(ir.Mul(ir.Pow(h.Close(), 2), ir.Pow(prec, -1)).Scale(0.5), ir.Log(prec).Scale(-0.5))
	},
	LogPDF: Call{Name: "NormalNatLogPDF"},
}

func normalWords(n *Notation, c *Conditional, t string) form {
	h, v := n.param("h"), n.param("v")
	linear, prec := c.Params.Coef["h"], c.Params.Coef["prec"]
	if len(prec) == 0 {
		return form{
			family:  "exponential between bounds",
			density: "exp{" + h + "·" + t + "}",
			draw:    t + " | · ~ density ∝ exp{" + h + "·" + t + "}",
			params:  []Formula{{h, n.Poly(linear)}},
		}
	}
	return form{
		family:  "Normal",
		density: "exp{" + h + "·" + t + " - ½·" + t + "²/" + v + "}",
		draw:    t + " | · ~ Normal(" + v + "·" + h + ", var = " + v + ")",
		params:  []Formula{{"1/" + v, n.Poly(prec)}, {h, n.Poly(linear)}},
	}
}

// mvNormalFamily: exp(hᵀt - tᵀ prec t/2) of a vector.
var mvNormalFamily = &Family{
	Name: "MVNormal",
	Natural: []Natural{
		{Name: "h", Stat: vec1, Scale: 1, Rank: 1},
		{Name: "prec", Stat: vec2, Scale: -0.5, Rank: 2},
	},
	match: func(s *shape) (Params, bool) {
		sup := s.target.Var.Support
		if len(s.target.T.Axes) == 0 || sup.Kind != ir.Line || s.hasLo || s.hasHi || s.extra ||
			s.target.Var.Type.Elem != ir.Real || s.kinds[vec2] == nil {
			return Params{}, false
		}
		return Params{R: 1}, true
	},
	words:      mvNormalWords,
	Draws:      []Call{{Name: "MVNormalNat", Work: true}},
	LogDensity: Call{Name: "MVNormalNatLogDensity"},

	ByRows:         Call{Name: "MVNormalRows", Work: true},
	RowsLogDensity: Call{Name: "MVNormalRowsLogDensity"},
}

func mvNormalWords(n *Notation, c *Conditional, t string) form {
	i, j := n.blockIndices()
	h, q := n.param("h"), n.param("Q")
	return form{
		family:  "multivariate Normal",
		density: "exp{" + h + "ᵀ" + t + " - ½·" + t + "ᵀ " + q + " " + t + "}",
		draw:    t + " | · ~ Normal(" + q + "⁻¹" + h + ", cov = " + q + "⁻¹)",
		params:  []Formula{{q + "[" + i + "; " + j + "]", n.Poly(c.Params.Coef["prec"])}, {h + "[" + i + "]", n.Poly(c.Params.Coef["h"])}},
	}
}
