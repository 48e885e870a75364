// This file holds the Normal distribution: scalar, and vector with a covariance or a precision matrix.

package ir

var normal = &Dist{
	Name:    "Normal",
	Params:  []Param{{Name: "mean"}, {Name: "var", Named: true, Domain: Positive, Spell: varianceSpellings}},
	Type:    Real,
	Support: realLine,
	Doc:     "p(x | mean, var) = (2π var)^(-1/2) exp(-(x - mean)² / (2 var)); also sd= (var = sd²), prec= (var = 1/prec)",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(
			Log(a[1].At()).Scale(-half),
			Mul(Pow(minus(x.At(), a[0].At()), 2), inv(a[1].At())).Scale(-half))
	},
	LogCDF: func(a []Val, lo, hi *Val) Poly {
		z := func(b *Val) Poly { return Mul(minus(b.At(), a[0].At()), Pow(a[1].At(), -half)) }
		switch {
		case lo == nil:
			return Apply("logPhi", z(hi))
		case hi == nil:
			return Apply("logPhi", z(lo).Scale(-1))
		}
		return Apply("logPhiInterval", z(lo), z(hi))
	},
	Draw: "Normal", LogProb: "NormalLogPDF", LogMass: "NormalLogMass",
}

var mvNormal = &Dist{
	Name:    "Normal",
	Params:  []Param{{Name: "mean", Dims: 1}, {Name: "cov", Named: true, Dims: 2, Domain: SPDDomain}},
	Event:   1,
	Type:    Real,
	Support: realLine,
	Doc:     "p(x | mean, cov) = |2π cov|^(-1/2) exp(-(x - mean)ᵀ cov⁻¹ (x - mean) / 2)",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(a[1].LogDet().Scale(-half), quadratic(x, a[0], a[1].Inv).Scale(-half))
	},
	Draw: "MVNormal", LogProb: "MVNormalLogPDF",
}

var mvNormalPrec = &Dist{
	Name:    "Normal",
	Params:  []Param{{Name: "mean", Dims: 1}, {Name: "prec", Named: true, Dims: 2, Domain: SPDDomain}},
	Event:   1,
	Type:    Real,
	Support: realLine,
	Doc:     "p(x | mean, prec) = |prec/2π|^(1/2) exp(-(x - mean)ᵀ prec (x - mean) / 2)",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(a[1].LogDet().Scale(half), quadratic(x, a[0], func(p, q Ix) Poly { return a[1].At(p, q) }).Scale(-half))
	},
	Draw: "MVNormalPrec", LogProb: "MVNormalPrecLogPDF",
}
