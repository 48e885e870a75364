// This file holds what the words of families are made of: the shape of a density, and the draw in its usual parametrisation.

package conjugacy

import (
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

// plus returns p + c.
func plus(p ir.Poly, c float64) ir.Poly { return ir.Add(flatten(p), ir.Number(c)) }

// param returns the name of a parameter, with a prime if the spec has a variable of that name: a′ = a + y[i].
func (n *Notation) param(name string) string {
	for n.model.Var(name) != nil || n.taken(name) {
		name += "′"
	}
	return name
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
