// This file holds further continuous distributions: Uniform, Laplace, LogNormal, StudentT, HalfNormal, HalfCauchy.

package ir

var uniform = &Dist{
	Name:    "Uniform",
	Params:  []Param{{Name: "lo"}, {Name: "hi"}},
	Type:    Real,
	Support: func(a []Expr) Support { return Support{Kind: Line, Lo: a[0], Hi: a[1]} },
	Doc:     "p(x | lo, hi) = 1 / (hi - lo), lo < x < hi",
	LogDensity: func(x Val, a []Val) Poly {
		return Log(minus(a[1].At(), a[0].At())).Scale(-1)
	},
	Draw: "Uniform", LogProb: "UniformLogPDF", LogMass: "UniformLogMass",
}

var laplace = &Dist{
	Name:    "Laplace",
	Params:  []Param{{Name: "mean"}, {Name: "scale", Named: true, Domain: Positive, Spell: []Spelling{{"rate", inverse}}}},
	Type:    Real,
	Support: realLine,
	Doc:     "p(x | mean, scale) = exp(-|x - mean| / scale) / (2 scale); also rate= (scale = 1/rate)",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(Log(a[1].At()).Scale(-1), Mul(Apply("abs", minus(x.At(), a[0].At())), inv(a[1].At())).Scale(-1))
	},
	Draw: "Laplace", LogProb: "LaplaceLogPDF", LogMass: "LaplaceLogMass",
}

var logNormal = &Dist{
	Name:    "LogNormal",
	Params:  []Param{{Name: "meanlog"}, {Name: "var", Named: true, Domain: Positive, Spell: varianceSpellings}},
	Type:    Real,
	Support: positive,
	Doc:     "log x ~ Normal(meanlog, var); also sd=, prec= of log x",
	LogDensity: func(x Val, a []Val) Poly {
		l := Log(x.At())
		return Add(
			l.Scale(-1), Log(a[1].At()).Scale(-half),
			Mul(Pow(minus(l, a[0].At()), 2), inv(a[1].At())).Scale(-half))
	},
	Draw: "LogNormal", LogProb: "LogNormalLogPDF", LogMass: "LogNormalLogMass",
}

var studentT = &Dist{
	Name: "StudentT",
	Params: []Param{{Name: "mean"}, {Name: "df", Named: true, Domain: Positive},
		{Name: "scale", Named: true, Domain: Positive}},
	Type:    Real,
	Support: realLine,
	Doc:     "p(x | mean, df, scale) ∝ (1 + ((x - mean) / scale)² / df)^(-(df+1)/2)",
	LogDensity: func(x Val, a []Val) Poly {
		df, halfNext := a[1].At(), Add(a[1].At(), Number(1)).Scale(half)
		z2 := Mul(Pow(minus(x.At(), a[0].At()), 2), Pow(a[2].At(), -2), inv(df))
		return Add(
			lgamma(halfNext), lgamma(df.Scale(half)).Scale(-1), Log(df).Scale(-half), Log(a[2].At()).Scale(-1),
			Mul(halfNext, Log(Add(Number(1), z2))).Scale(-1))
	},
	Draw: "StudentT", LogProb: "StudentTLogPDF", LogMass: "StudentTLogMass",
}

var halfNormal = &Dist{
	Name:    "HalfNormal",
	Params:  []Param{{Name: "var", Named: true, Domain: Positive, Spell: varianceSpellings}},
	Type:    Real,
	Support: positive,
	Doc:     "p(x | var) = (2 / π var)^(1/2) exp(-x² / (2 var)), x > 0; var, sd= and prec= are those of the Normal before folding",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(Log(a[0].At()).Scale(-half), Mul(Pow(x.At(), 2), inv(a[0].At())).Scale(-half))
	},
	Draw: "HalfNormal", LogProb: "HalfNormalLogPDF", LogMass: "HalfNormalLogMass",
}

var halfCauchy = &Dist{
	Name:    "HalfCauchy",
	Params:  []Param{{Name: "scale", Named: true, Domain: Positive}},
	Type:    Real,
	Support: positive,
	Doc:     "p(x | scale) = 2 / (π scale (1 + (x/scale)²)), x > 0",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(Log(a[0].At()).Scale(-1),
			Log(Add(Number(1), Mul(Pow(x.At(), 2), Pow(a[0].At(), -2)))).Scale(-1))
	},
	Draw: "HalfCauchy", LogProb: "HalfCauchyLogPDF", LogMass: "HalfCauchyLogMass",
}
