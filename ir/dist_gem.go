// This file holds the stick-breaking distribution of Griffiths, Engen and McCloskey.

package ir

// gem has no LogDensity: a GEM is only ever collapsed, and then the partition of its categories is what has a
// probability (the Chinese restaurant process), which conjugacy derives.
var gem = &Dist{
	Name:    "GEM",
	Params:  []Param{{Name: "alpha", Domain: Positive}},
	Event:   1,
	Type:    Real,
	Support: func([]Expr) Support { return Support{Kind: Simplex} },
	Doc:     "x[k] = v[k] Π_{j<k} (1 - v[j]), v[k] ~ Beta(1, alpha), over an unbounded plate",
}
