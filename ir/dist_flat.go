// This file holds the improper flat prior.

package ir

var flat = &Dist{
	Name:    "Flat",
	Type:    Real,
	Support: realLine,
	Doc:     "p(x) ∝ 1, improper",
}
