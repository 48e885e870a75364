// This file holds the rows for the unit interval and the simplex: Beta, Dirichlet.

package conjugacy

import "github.com/gibbsgen/gibbsgen/ir"

// betaFamily: t^c (1-t)^d on (0, 1).
var betaFamily = &Family{
	Name: "Beta",
	Natural: []Natural{
		{Name: "c", Stat: LogT, Scale: 1},
		{Name: "d", Stat: Log1mT, Scale: 1},
	},
	match: func(s *shape) (Params, bool) {
		return Params{R: 1}, s.scalarLine() && s.loZero && s.hiOne && !s.extra
	},
	words: betaWords,
	Draws: []Call{{Name: "BetaNat"}},
	logPartition: func(p Params, _ *ir.Plate) ir.Poly {
		c, d := ir.Add(p.Coef["c"], ir.Number(1)), ir.Add(p.Coef["d"], ir.Number(1))
		return ir.Add(lgamma(c), lgamma(d), lgamma(ir.Add(c, d)).Scale(-1))
	},
	LogPDF: Call{Name: "BetaNatLogPDF"},
}

func betaWords(n *Notation, c *Conditional, t string) form {
	a, b := n.param("a"), n.param("b")
	return form{
		family:  "Beta",
		density: t + "^(" + a + "-1)·(1 - " + t + ")^(" + b + "-1)",
		draw:    t + " | · ~ Beta(" + a + ", " + b + ")",
		params:  []Formula{{a, n.Poly(plus(c.Params.Coef["c"], 1))}, {b, n.Poly(plus(c.Params.Coef["d"], 1))}},
	}
}

// dirichletFamily: Π t[k]^c[k] on the simplex.
var dirichletFamily = &Family{
	Name:    "Dirichlet",
	Natural: []Natural{{Name: "c", Stat: logVec, Scale: 1, Rank: 1}},
	match: func(s *shape) (Params, bool) {
		return Params{R: 1}, s.target.Var.Support.Kind == ir.Simplex && !s.extra
	},
	words:      dirichletWords,
	Draws:      []Call{{Name: "DirichletNat"}},
	LogDensity: Call{Name: "DirichletNatLogDensity"},
	logPartition: func(p Params, dim *ir.Plate) ir.Poly {
		b := ir.Bind{Name: "k'", Plate: dim}
		c := spread(ir.Add(p.Coef["c"], ir.Number(1)), b.Name)
		return ir.Add(ir.SumOver(b, lgamma(c)), lgamma(ir.SumOver(b, c).SimplifyAll()).Scale(-1))
	},
	LogPDF: Call{Name: "DirichletNatLogPDF"},
}

func dirichletWords(n *Notation, c *Conditional, t string) form {
	i, _ := n.blockIndices()
	a := n.param("a")
	element := n.atom(&ir.Atom{Fn: ir.RefAtom, Var: n.target.T, Ix: []ir.Ix{ir.At("#1")}})
	return form{
		family:  "Dirichlet",
		density: "∏" + subscript(i, nil) + " " + element + "^(" + a + "[" + i + "]-1)",
		draw:    t + " | · ~ Dirichlet(" + a + ")",
		params:  []Formula{{a + "[" + i + "]", n.Poly(plus(c.Params.Coef["c"], 1))}},
	}
}
