// This file holds the Gamma family: Gamma, Inverse-Gamma, Exponential.

package ir

var gamma = &Dist{
	Name: "Gamma",
	Params: []Param{{Name: "shape", Domain: Positive},
		{Name: "rate", Named: true, Domain: Positive, Spell: []Spelling{{"scale", inverse}}}},
	Type:    Real,
	Support: positive,
	Doc:     "p(x | shape, rate) = rate^shape x^(shape-1) exp(-rate x) / Γ(shape); also scale= (rate = 1/scale)",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(
			Mul(a[0].At(), Log(a[1].At())), lgamma(a[0].At()).Scale(-1),
			Mul(minus(a[0].At(), Number(1)), Log(x.At())), Mul(a[1].At(), x.At()).Scale(-1))
	},
	Draw: "Gamma", LogProb: "GammaLogPDF", LogMass: "GammaLogMass",
}

var invGamma = &Dist{
	Name: "InvGamma",
	Params: []Param{{Name: "shape", Domain: Positive},
		{Name: "scale", Named: true, Domain: Positive, Spell: []Spelling{{"rate", inverse}}}},
	Type:    Real,
	Support: positive,
	Doc:     "p(x | shape, scale) = scale^shape x^(-shape-1) exp(-scale/x) / Γ(shape); also rate= (scale = 1/rate), 1/x ~ Gamma(shape, rate = scale)",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(
			Mul(a[0].At(), Log(a[1].At())), lgamma(a[0].At()).Scale(-1),
			Mul(Add(a[0].At(), Number(1)), Log(x.At())).Scale(-1), Mul(a[1].At(), inv(x.At())).Scale(-1))
	},
	Draw: "InvGamma", LogProb: "InvGammaLogPDF", LogMass: "InvGammaLogMass",
}

var exponential = &Dist{
	Name: "Exponential",
	Params: []Param{{Name: "rate", Named: true, Domain: Positive,
		Spell: []Spelling{{"scale", inverse}, {"mean", inverse}}}},
	Type:    Real,
	Support: positive,
	Doc:     "p(x | rate) = rate exp(-rate x); also scale= or mean= (rate = 1/scale)",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(Log(a[0].At()), Mul(a[0].At(), x.At()).Scale(-1))
	},
	Draw: "Exponential", LogProb: "ExponentialLogPDF", LogMass: "ExponentialLogMass",
}
