// This file holds the rows for positive numbers: Gamma of a power, generalised inverse Gaussian, LogNormal.

package conjugacy

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// gammaFamily: t^c exp(-b t^r): t^r is Gamma with shape (c+1)/r, so Gamma (r = 1), Inverse-Gamma (-1), a standard
// deviation (-2), a scale (2).
var gammaFamily = &Family{
	Name: "Gamma",
	Natural: []Natural{
		{Name: "c", Stat: LogT, Scale: 1},
		{Name: "b", Stat: PowT, Power: 1, Scale: -1},
	},
	match: func(s *shape) (Params, bool) {
		if !s.positive() {
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
		return Params{R: r, Truncated: cut}, true
	},
	words: gammaWords,
	Draws: []Call{
		{Name: "GammaNat"},
		{Name: "GammaPowNat", Power: true, Bounds: true},
	},
	logPartition: func(p Params, _ *ir.Plate) ir.Poly {
		shape := ir.Add(p.Coef["c"], ir.Number(1)).Scale(1 / p.R)
		return ir.Add(lgamma(shape), ir.Mul(shape, ir.Log(p.Coef["b"])).Scale(-1))
	},
	LogPDF: Call{Name: "GammaPowNatLogPDF", Power: true},
}

func gammaWords(n *Notation, c *Conditional, t string) form {
	r := c.Params.R
	shape, rate, scale := n.param("shape"), n.param("rate"), n.param("scale")
	k, b := n.Poly(plus(c.Params.Coef["c"], 1).Scale(1/r)), n.Poly(c.Params.Coef["b"])
	switch r {
	case 1:
		return form{
			family:  "Gamma",
			density: t + "^(" + shape + "-1)·exp{-" + rate + "·" + t + "}",
			draw:    t + " | · ~ Gamma(" + shape + ", " + rate + ")",
			params:  []Formula{{shape, k}, {rate, b}},
		}
	case -1:
		return form{
			family:  "Inverse-Gamma",
			density: t + "^(-" + shape + "-1)·exp{-" + scale + "/" + t + "}",
			draw:    t + " | · ~ Inverse-Gamma(" + shape + ", " + scale + ")",
			params:  []Formula{{shape, k}, {scale, b}},
		}
	}
	power := Power(t, r)
	return form{
		family:  "Gamma of " + power,
		density: t + "^(" + times(r, shape) + "-1)·exp{-" + rate + "·" + power + "}",
		draw:    power + " | · ~ Gamma(" + shape + ", " + rate + ")",
		params:  []Formula{{shape, k}, {rate, b}},
	}
}

// gigFamily: t^c exp(-a t^r - b t^-r), r > 0.
var gigFamily = &Family{
	Name: "GIG",
	Natural: []Natural{
		{Name: "c", Stat: LogT, Scale: 1},
		{Name: "a", Stat: PowT, Power: 1, Scale: -1},
		{Name: "b", Stat: PowT, Power: -1, Scale: -1},
	},
	match: func(s *shape) (Params, bool) {
		if !s.positive() || !s.loZero || s.hasHi || s.extra || len(s.pow) != 2 {
			return Params{}, false
		}
		var r float64
		for p := range s.pow {
			r = max(r, p)
		}
		return Params{R: r}, r > 0
	},
	words: gigWords,
	Draws: []Call{
		{Name: "GIGNat"},
		{Name: "GIGPowNat", Power: true},
	},
}

func gigWords(n *Notation, c *Conditional, t string) form {
	r := c.Params.R
	index := plus(c.Params.Coef["c"], 1).Scale(1 / r)
	number, constant := index.Constant()
	p, a, b := n.param("p"), n.param("a"), n.param("b")
	u := Power(t, r)
	f := form{params: []Formula{{a, n.Poly(c.Params.Coef["a"])}, {b, n.Poly(c.Params.Coef["b"])}}}
	front := Power(t, r*number-1) + "·"
	if constant {
		p = Number(number)
	} else {
		front = t + "^(" + times(r, p) + "-1)·"
		f.params = slices.Insert(f.params, 0, Formula{p, n.Poly(index)})
	}
	f.density = front + "exp{-" + a + "·" + u + " - " + b + "/" + u + "}"
	switch {
	case constant && number == 0.5: // 1/u has density u^(-3/2)·exp{-a/u - b·u}
		f.family = "Inverse-Gaussian of 1/" + u
		f.draw = "1/" + u + " | · ~ Inverse-Gaussian(mean = √(" + a + "/" + b + "), shape = 2·" + a + ")"
	case constant && number == -0.5:
		f.family = "Inverse-Gaussian"
		if r != 1 {
			f.family += " of " + u
		}
		f.draw = u + " | · ~ Inverse-Gaussian(mean = √(" + b + "/" + a + "), shape = 2·" + b + ")"
	default:
		f.family = "generalised inverse Gaussian"
		if r != 1 {
			f.family += " of " + u
		}
		f.draw = u + " | · ~ GIG(" + p + ", 2·" + a + ", 2·" + b + "), where GIG(p, A, B) has density ∝ u^(p-1)·exp{-(A·u + B/u)/2}"
	}
	return f
}

func times(c float64, s string) string {
	if c == 1 {
		return s
	}
	return Number(c) + "·" + s
}

// logNormalFamily: t^c exp(-q (log t)²/2).
var logNormalFamily = &Family{
	Name: "LogNormal",
	Natural: []Natural{
		{Name: "c", Stat: LogT, Scale: 1},
		{Name: "q", Stat: LogSqT, Scale: -0.5},
	},
	match: func(s *shape) (Params, bool) {
		return Params{R: 1}, s.positive() && s.loZero && !s.hasHi && !s.extra && s.kinds[LogSqT] != nil
	},
	words: logNormalWords,
	Draws: []Call{{Name: "LogNormalNat"}},
}

func logNormalWords(n *Notation, c *Conditional, t string) form {
	h, v := n.param("h"), n.param("v")
	return form{
		family:  "LogNormal",
		density: "exp{" + h + "·log " + t + " - ½·(log " + t + ")²/" + v + "} / " + t,
		draw:    "log " + t + " | · ~ Normal(" + v + "·" + h + ", var = " + v + ")",
		params:  []Formula{{"1/" + v, n.Poly(c.Params.Coef["q"])}, {h, n.Poly(plus(c.Params.Coef["c"], 1))}},
	}
}
