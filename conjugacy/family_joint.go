// This file holds the rows for a location and its variance together: Normal-Inverse-Wishart, Normal-Inverse-Gamma.

package conjugacy

import "github.com/gibbsgen/gibbsgen/ir"

// jointNormal is the family of a location m and its variance v, a matrix:
//
//	exp(c·log|v| - κ·mᵀv⁻¹m/2 + bᵀv⁻¹m - tr(S v⁻¹)/2).
var jointNormal = &Family{
	Name: "Normal-Inverse-Wishart",
	Natural: []Natural{
		{Name: "kappa", Scale: -0.5},
		{Name: "b", Scale: 1, Rank: 1},
		{Name: "S", Scale: -0.5, Rank: 2},
		{Name: "c", Scale: 1},
	},
	words: jointWords,
	logPartition: func(p Params, dim *ir.Plate) ir.Poly { // the runtime evaluates it
		size := &ir.Atom{Fn: ir.SizeAtom, Plate: dim}
		return ir.Apply("logZNIW", size.Poly(), p.Coef["kappa"], p.Coef["b"], p.Coef["S"], p.Coef["c"])
	},
	LogPDF: Call{Name: "NIWNatLogPDF", Size: true, Work: true},
}

// scalarJointNormal is the same of two numbers, with S for S/2. Its log-partition is, where a = -c - 3/2,
//
//	lgamma(a) - a·log(S - b²/2κ) - ½·log κ.
var scalarJointNormal = &Family{
	Name: "Normal-Inverse-Gamma",
	Natural: []Natural{
		{Name: "kappa", Scale: -0.5},
		{Name: "b", Scale: 1},
		{Name: "S", Scale: -1},
		{Name: "c", Scale: 1},
	},
	words: jointWords,
	logPartition: func(p Params, _ *ir.Plate) ir.Poly {
		a := ir.Add(p.Coef["c"].Scale(-1), ir.Number(-1.5))
		rate := ir.Add(p.Coef["S"], ir.Mul(ir.Pow(p.Coef["b"].Close(), 2), ir.Pow(p.Coef["kappa"], -1)).Scale(-0.5))
		return ir.Add(lgamma(a), ir.Mul(a, ir.Log(rate)).Scale(-1), ir.Log(p.Coef["kappa"]).Scale(-0.5))
	},
	LogPDF: Call{Name: "NIGNatLogPDF"},
}

func jointWords(n *Notation, c *Conditional, t string) form {
	f := form{family: c.Family.Name, draw: t + " | · ~ " + c.Family.Name, density: "exp{Σ coefficient · statistic}"}
	for _, k := range sortedKeys(c.Params.Coef) {
		f.params = append(f.params, Formula{k, n.Poly(c.Params.Coef[k])})
	}
	return f
}
