// This file holds the Wishart and Inverse-Wishart distributions.

package ir

// spd is the support of covariance and precision matrices.
var spd = func([]Expr) Support { return Support{Kind: SPD} }

var wishart = &Dist{
	Name: "Wishart",
	Params: []Param{{Name: "df", Named: true, Domain: DegreesOfFreedom},
		{Name: "scale", Named: true, Dims: 2, Domain: SPDDomain}},
	Event:   2,
	Type:    Real,
	Support: spd,
	Doc:     "p(X | df, scale) ∝ |X|^((df-P-1)/2) exp(-tr(scale⁻¹ X)/2), E X = df·scale",
	LogDensity: func(x Val, a []Val) Poly {
		dim, df := x.Size(0), a[0].At()
		tr := x.Each(0, "p'", func(p Ix) Poly {
			return x.Each(0, "q'", func(q Ix) Poly { return Mul(a[1].Inv(p, q), x.At(q, p)) })
		})
		return Add(
			Mul(Add(df, dim.Scale(-1), Number(-1)), x.LogDet()).Scale(half), tr.Scale(-half),
			Mul(df, a[1].LogDet()).Scale(-half), Apply("lmvgamma", dim, df.Scale(half)).Scale(-1),
			Mul(df, dim).Scale(-half*ln2))
	},
	Draw: "Wishart", LogProb: "WishartLogPDF",
}

var invWishart = &Dist{
	Name: "InvWishart",
	Params: []Param{{Name: "df", Named: true, Domain: DegreesOfFreedom},
		{Name: "scale", Named: true, Dims: 2, Domain: SPDDomain}},
	Event:   2,
	Type:    Real,
	Support: spd,
	Doc:     "p(X | df, scale) ∝ |X|^(-(df+P+1)/2) exp(-tr(scale X⁻¹)/2), E X = scale/(df-P-1)",
	LogDensity: func(x Val, a []Val) Poly {
		dim, df := x.Size(0), a[0].At()
		tr := x.Each(0, "p'", func(p Ix) Poly {
			return x.Each(0, "q'", func(q Ix) Poly { return Mul(a[1].At(p, q), x.Inv(q, p)) })
		})
		return Add(
			Mul(Add(df, dim, Number(1)), x.LogDet()).Scale(-half), tr.Scale(-half),
			Mul(df, a[1].LogDet()).Scale(half), Apply("lmvgamma", dim, df.Scale(half)).Scale(-1),
			Mul(df, dim).Scale(-half*ln2))
	},
	Draw: "InvWishart", LogProb: "InvWishartLogPDF",
}

const ln2 = 0.693147180559945309417232121458176568
