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

func normalForm(n *Notation, c *Conditional, t string) form {
	h, prec := c.Params.Coef["h"], c.Params.Coef["prec"]
	if len(prec) == 0 {
		return form{
			family:  "exponential between bounds",
			density: "exp{h·" + t + "}",
			draw:    t + " | · ~ density ∝ exp{h·" + t + "}",
			params:  []Formula{{"h", n.Poly(h)}},
		}
	}
	return form{
		family:  "Normal",
		density: "exp{h·" + t + " - ½·" + t + "²/v}",
		draw:    t + " | · ~ Normal(v·h, var = v)",
		params:  []Formula{{"1/v", n.Poly(prec)}, {"h", n.Poly(h)}},
	}
}

func mvNormalForm(n *Notation, c *Conditional, t string) form {
	i, j := n.blockIndices()
	return form{
		family:  "multivariate Normal",
		density: "exp{hᵀ" + t + " - ½·" + t + "ᵀ Q " + t + "}",
		draw:    t + " | · ~ Normal(Q⁻¹h, cov = Q⁻¹)",
		params:  []Formula{{"Q[" + i + "; " + j + "]", n.Poly(c.Params.Coef["prec"])}, {"h[" + i + "]", n.Poly(c.Params.Coef["h"])}},
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
	shape := plus(c.Params.Coef["c"], 1).Scale(1 / r)
	b := n.Poly(c.Params.Coef["b"])
	power := Power(t, r)
	tc := t + "^c·"
	f := form{density: tc + "exp{-rate·" + power + "}", params: []Formula{{"shape", n.Poly(shape)}, {"rate", b}}}
	switch r {
	case 1:
		f.family, f.draw = "Gamma", t+" | · ~ Gamma(shape, rate)"
		f.density = t + "^(shape-1)·exp{-rate·" + t + "}"
	case -1:
		f.family, f.draw = "Inverse-Gamma", t+" | · ~ Inverse-Gamma(shape, scale)"
		f.density = t + "^(-shape-1)·exp{-scale/" + t + "}"
		f.params[1].Name = "scale"
	default:
		f.family = "Gamma of " + power
		f.draw = power + " | · ~ Gamma(shape, rate)"
		f.density = t + "^(" + Number(r) + "·shape-1)·exp{-rate·" + power + "}"
	}
	return f
}

func gigForm(n *Notation, c *Conditional, t string) form {
	r := c.Params.R
	p := plus(c.Params.Coef["c"], 1).Scale(1 / r)
	a, b := n.Poly(c.Params.Coef["a"]), n.Poly(c.Params.Coef["b"])
	u := Power(t, r)
	inverse := "1/" + u
	index, constant := p.Constant()
	f := form{params: []Formula{{"a", a}, {"b", b}}}
	front := Power(t, r*index-1) + "·"
	if !constant {
		front = t + "^(" + times(r, "p") + "-1)·"
		f.params = slices.Insert(f.params, 0, Formula{"p", n.Poly(p)})
	}
	f.density = front + "exp{-a·" + u + " - b/" + u + "}"
	switch {
	case constant && index == 0.5: // 1/u has density u^(-3/2)·exp{-a/u - b·u}
		f.family = "Inverse-Gaussian of " + inverse
		f.draw = inverse + " | · ~ Inverse-Gaussian(mean = √(a/b), shape = 2·a)"
	case constant && index == -0.5:
		f.family = "Inverse-Gaussian"
		if r != 1 {
			f.family += " of " + u
		}
		f.draw = u + " | · ~ Inverse-Gaussian(mean = √(b/a), shape = 2·b)"
	default:
		f.family = "generalised inverse Gaussian"
		f.draw = u + " | · ~ GIG(" + map[bool]string{true: n.Poly(p), false: "p"}[constant] + ", 2·a, 2·b), where GIG(p, A, B) has density ∝ u^(p-1)·exp{-(A·u + B/u)/2}"
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
	return form{
		family:  "LogNormal",
		density: "exp{h·log " + t + " - ½·(log " + t + ")²/v} / " + t,
		draw:    "log " + t + " | · ~ Normal(v·h, var = v)",
		params:  []Formula{{"1/v", n.Poly(c.Params.Coef["q"])}, {"h", n.Poly(plus(c.Params.Coef["c"], 1))}},
	}
}

func betaForm(n *Notation, c *Conditional, t string) form {
	return form{
		family:  "Beta",
		density: t + "^(a-1)·(1 - " + t + ")^(b-1)",
		draw:    t + " | · ~ Beta(a, b)",
		params:  []Formula{{"a", n.Poly(plus(c.Params.Coef["c"], 1))}, {"b", n.Poly(plus(c.Params.Coef["d"], 1))}},
	}
}

func dirichletForm(n *Notation, c *Conditional, t string) form {
	i, _ := n.blockIndices()
	element := n.atom(&ir.Atom{Fn: ir.RefAtom, Var: n.target.T, Ix: []ir.Ix{ir.At("#1")}})
	return form{
		family:  "Dirichlet",
		density: "∏" + subscript(i, nil) + " " + element + "^(a[" + i + "]-1)",
		draw:    t + " | · ~ Dirichlet(a)",
		params:  []Formula{{"a[" + i + "]", n.Poly(plus(c.Params.Coef["c"], 1))}},
	}
}

func wishartForm(n *Notation, c *Conditional, t string) form {
	size := n.target.T.Axes[0]
	df := ir.Add(flatten(c.Params.Coef["c"]).Scale(2), (&ir.Atom{Fn: ir.SizeAtom, Plate: size}).Poly(), ir.Number(1))
	return form{
		family:  "Wishart",
		density: "|" + t + "|^((df-" + size.Name + "-1)/2)·exp{-½·tr(S·" + t + ")}",
		draw:    t + " | · ~ Wishart(df, scale = S⁻¹)",
		params:  []Formula{{"df", n.Poly(df)}, {n.matrixEntry("S"), n.Poly(c.Params.Coef["S"])}},
	}
}

func invWishartForm(n *Notation, c *Conditional, t string) form {
	size := n.target.T.Axes[0]
	df := ir.Add(flatten(c.Params.Coef["c"]).Scale(-2), (&ir.Atom{Fn: ir.SizeAtom, Plate: size}).Poly().Scale(-1), ir.Number(-1))
	return form{
		family:  "Inverse-Wishart",
		density: "|" + t + "|^(-(df+" + size.Name + "+1)/2)·exp{-½·tr(S·" + t + "⁻¹)}",
		draw:    t + " | · ~ Inverse-Wishart(df, scale = S)",
		params:  []Formula{{"df", n.Poly(df)}, {n.matrixEntry("S"), n.Poly(c.Params.Coef["S"])}},
	}
}

// matrixEntry prints S[i, j] for the two axes of a matrix.
func (n *Notation) matrixEntry(s string) string {
	return s + "[" + n.names["#1"].text + ", " + n.names["#2"].text + "]"
}
