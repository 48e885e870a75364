// This file holds the Beta and Dirichlet distributions.

package ir

var beta = &Dist{
	Name:    "Beta",
	Params:  []Param{{Name: "a", Domain: Positive}, {Name: "b", Domain: Positive}},
	Type:    Real,
	Support: unit,
	Doc:     "p(x | a, b) = x^(a-1) (1-x)^(b-1) / B(a, b)",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(
			Mul(minus(a[0].At(), Number(1)), Log(x.At())),
			Mul(minus(a[1].At(), Number(1)), Log(minus(Number(1), x.At()))),
			lgamma(Add(a[0].At(), a[1].At())), lgamma(a[0].At()).Scale(-1), lgamma(a[1].At()).Scale(-1))
	},
	Draw: "Beta", LogProb: "BetaLogPDF", LogMass: "BetaLogMass",
}

var dirichlet = &Dist{
	Name:    "Dirichlet",
	Params:  []Param{{Name: "alpha", Dims: 1, Domain: PositiveVec}},
	Event:   1,
	Type:    Real,
	Support: func([]Expr) Support { return Support{Kind: Simplex} },
	Doc:     "p(x | alpha) = Γ(Σ alpha[k]) / Π Γ(alpha[k]) · Π x[k]^(alpha[k]-1)",
	LogDensity: func(x Val, a []Val) Poly {
		total := x.Each(0, "k'", func(k Ix) Poly { return a[0].At(k) })
		return Add(
			x.Each(0, "k'", func(k Ix) Poly {
				return Add(Mul(minus(a[0].At(k), Number(1)), Log(x.At(k))), lgamma(a[0].At(k)).Scale(-1))
			}),
			lgamma(total.SimplifyAll()))
	},
	Draw: "Dirichlet", LogProb: "DirichletLogPDF",
}
