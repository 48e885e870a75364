// This file holds the rows for positive definite matrices: Wishart, Inverse-Wishart.

package conjugacy

import "github.com/gibbsgen/gibbsgen/ir"

// wishartFamily: |t|^c exp(-tr(S t)/2).
var wishartFamily = &Family{
	Name: "Wishart",
	Natural: []Natural{
		{Name: "c", Stat: logDet, Scale: 1},
		{Name: "S", Stat: matrix, Scale: -0.5, Rank: 2},
	},
	match: func(s *shape) (Params, bool) {
		return Params{R: 1}, s.target.Var.Support.Kind == ir.SPD && s.kinds[matrix] != nil
	},
	words:      wishartWords,
	Draws:      []Call{{Name: "WishartNat", Size: true, Work: true}},
	LogDensity: Call{Name: "WishartNatLogDensity", Size: true, Work: true},
}

func wishartWords(n *Notation, c *Conditional, t string) form {
	d, m := n.param("df"), n.param("S")
	size := n.target.T.Axes[0]
	df := ir.Add(flatten(c.Params.Coef["c"]).Scale(2), (&ir.Atom{Fn: ir.SizeAtom, Plate: size}).Poly(), ir.Number(1))
	return form{
		family:  "Wishart",
		density: "|" + t + "|^((" + d + "-" + size.Name + "-1)/2)·exp{-½·tr(" + m + "·" + t + ")}",
		draw:    t + " | · ~ Wishart(" + d + ", scale = " + m + "⁻¹)",
		params:  []Formula{{d, n.Poly(df)}, {n.matrixEntry(m), n.Poly(c.Params.Coef["S"])}},
	}
}

// invWishartFamily: |t|^c exp(-tr(S t⁻¹)/2).
var invWishartFamily = &Family{
	Name: "InvWishart",
	Natural: []Natural{
		{Name: "c", Stat: logDet, Scale: 1},
		{Name: "S", Stat: invMat, Scale: -0.5, Rank: 2},
	},
	match: func(s *shape) (Params, bool) {
		return Params{R: 1}, s.target.Var.Support.Kind == ir.SPD && s.kinds[invMat] != nil
	},
	words:      invWishartWords,
	Draws:      []Call{{Name: "InvWishartNat", Size: true, Work: true}},
	LogDensity: Call{Name: "InvWishartNatLogDensity", Size: true, Work: true},
}

func invWishartWords(n *Notation, c *Conditional, t string) form {
	d, m := n.param("df"), n.param("S")
	size := n.target.T.Axes[0]
	df := ir.Add(flatten(c.Params.Coef["c"]).Scale(-2), (&ir.Atom{Fn: ir.SizeAtom, Plate: size}).Poly().Scale(-1), ir.Number(-1))
	return form{
		family:  "Inverse-Wishart",
		density: "|" + t + "|^(-(" + d + "+" + size.Name + "+1)/2)·exp{-½·tr(" + m + "·" + t + "⁻¹)}",
		draw:    t + " | · ~ Inverse-Wishart(" + d + ", scale = " + m + ")",
		params:  []Formula{{d, n.Poly(df)}, {n.matrixEntry(m), n.Poly(c.Params.Coef["S"])}},
	}
}

// matrixEntry prints S[i, j] for the two axes of a matrix.
func (n *Notation) matrixEntry(s string) string {
	return s + "[" + n.names["#1"].text + ", " + n.names["#2"].text + "]"
}
