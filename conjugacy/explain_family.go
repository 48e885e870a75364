// This file holds how each family is written: the shape of its density, and the draw in its usual parametrisation.

package conjugacy

import (
	"slices"
	"strconv"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A Formula is a name and what it stands for.
type Formula struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A form is a family's density and draw for one conditional, with the parameters that they mention.
type form struct {
	family  string // by name, in its usual parametrisation: Inverse-Gamma
	density string // ∝ what, in terms of the target and the parameters
	draw    string // what is distributed how
	params  []Formula
}

// forms has one entry a family; t prints the target, coef returns a natural parameter by its name in Params.Coef.
var forms = map[*Family]func(n *Notation, c *Conditional, t string) form{
	normalFamily:     normalForm,
	mvNormalFamily:   mvNormalForm,
	gammaFamily:      gammaForm,
	gigFamily:        gigForm,
	logNormalFamily:  logNormalForm,
	betaFamily:       betaForm,
	dirichletFamily:  dirichletForm,
	wishartFamily:    wishartForm,
	invWishartFamily: invWishartForm,
}

// plus returns p + c.
func plus(p ir.Poly, c float64) ir.Poly { return ir.Add(flatten(p), ir.Number(c)) }

// param returns the name of a parameter, with a prime if the spec has a variable of that name: a′ = a + y[i].
func (n *Notation) param(name string) string {
	for n.model.Var(name) != nil || n.taken(name) {
		name += "′"
	}
	return name
}

func normalForm(n *Notation, c *Conditional, t string) form {
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

func mvNormalForm(n *Notation, c *Conditional, t string) form {
	i, j := n.blockIndices()
	h, q := n.param("h"), n.param("Q")
	return form{
		family:  "multivariate Normal",
		density: "exp{" + h + "ᵀ" + t + " - ½·" + t + "ᵀ " + q + " " + t + "}",
		draw:    t + " | · ~ Normal(" + q + "⁻¹" + h + ", cov = " + q + "⁻¹)",
		params:  []Formula{{q + "[" + i + "; " + j + "]", n.Poly(c.Params.Coef["prec"])}, {h + "[" + i + "]", n.Poly(c.Params.Coef["h"])}},
	}
}

// blockIndices prints the first and the second position of the block.
func (n *Notation) blockIndices() (i, j string) {
	axes := len(n.target.T.Axes)
	for k := range 2 * axes {
		s := n.names["#"+strconv.Itoa(k+1)].text
		switch {
		case k == 0:
			i = s
		case k < axes:
			i += ", " + s
		case k == axes:
			j = s
		default:
			j += ", " + s
		}
	}
	return i, j
}

func gammaForm(n *Notation, c *Conditional, t string) form {
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

func gigForm(n *Notation, c *Conditional, t string) form {
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

func logNormalForm(n *Notation, c *Conditional, t string) form {
	h, v := n.param("h"), n.param("v")
	return form{
		family:  "LogNormal",
		density: "exp{" + h + "·log " + t + " - ½·(log " + t + ")²/" + v + "} / " + t,
		draw:    "log " + t + " | · ~ Normal(" + v + "·" + h + ", var = " + v + ")",
		params:  []Formula{{"1/" + v, n.Poly(c.Params.Coef["q"])}, {h, n.Poly(plus(c.Params.Coef["c"], 1))}},
	}
}

func betaForm(n *Notation, c *Conditional, t string) form {
	a, b := n.param("a"), n.param("b")
	return form{
		family:  "Beta",
		density: t + "^(" + a + "-1)·(1 - " + t + ")^(" + b + "-1)",
		draw:    t + " | · ~ Beta(" + a + ", " + b + ")",
		params:  []Formula{{a, n.Poly(plus(c.Params.Coef["c"], 1))}, {b, n.Poly(plus(c.Params.Coef["d"], 1))}},
	}
}

func dirichletForm(n *Notation, c *Conditional, t string) form {
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

func wishartForm(n *Notation, c *Conditional, t string) form {
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

func invWishartForm(n *Notation, c *Conditional, t string) form {
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
