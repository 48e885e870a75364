// This file holds the discrete distributions: Categorical, Bernoulli, Binomial, Poisson, Multinomial.

package ir

var categorical = &Dist{
	Name:    "Categorical",
	Params:  []Param{{Name: "p", Dims: 1, Domain: SimplexDomain, Cats: true}},
	Type:    Cat,
	Support: func([]Expr) Support { return Support{Kind: Finite} },
	Doc:     "P(x = k | p) = p[k]",
	LogDensity: func(x Val, a []Val) Poly {
		return Log(a[0].At(x.Cat))
	},
	Draw: "Categorical", LogProb: "CategoricalLogPMF",
}

var bernoulli = &Dist{
	Name:    "Bernoulli",
	Params:  []Param{{Name: "p", Domain: UnitInterval}},
	Type:    Bool,
	Support: func([]Expr) Support { return Support{Kind: Binary} },
	Doc:     "P(x = 1 | p) = p",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(
			Mul(x.At(), Log(a[0].At())),
			Mul(minus(Number(1), x.At()), Log(minus(Number(1), a[0].At()))))
	},
	Draw: "Bernoulli", LogProb: "BernoulliLogPMF",
}

var binomial = &Dist{
	Name:    "Binomial",
	Params:  []Param{{Name: "n", Domain: CountDomain}, {Name: "p", Domain: UnitInterval}},
	Type:    Int,
	Support: func(a []Expr) Support { return Support{Kind: Counts, Lo: &Num{}, Hi: a[0]} },
	Doc:     "P(x | n, p) = C(n, x) p^x (1-p)^(n-x)",
	LogDensity: func(x Val, a []Val) Poly {
		one := Number(1)
		return Add(
			Mul(x.At(), Log(a[1].At())),
			Mul(minus(a[0].At(), x.At()), Log(minus(one, a[1].At()))),
			lgamma(Add(a[0].At(), one)), lgamma(Add(x.At(), one)).Scale(-1), lgamma(Add(minus(a[0].At(), x.At()), one)).Scale(-1))
	},
	Draw: "Binomial", LogProb: "BinomialLogPMF",
}

var poisson = &Dist{
	Name:    "Poisson",
	Params:  []Param{{Name: "rate", Domain: Positive}},
	Type:    Int,
	Support: func([]Expr) Support { return Support{Kind: Counts, Lo: &Num{}} },
	Doc:     "P(x | rate) = rate^x exp(-rate) / x!",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(Mul(x.At(), Log(a[0].At())), a[0].At().Scale(-1), lgamma(Add(x.At(), Number(1))).Scale(-1))
	},
	Draw: "Poisson", LogProb: "PoissonLogPMF",
}

var multinomial = &Dist{
	Name:    "Multinomial",
	Params:  []Param{{Name: "n", Domain: CountDomain}, {Name: "p", Dims: 1, Domain: SimplexDomain}},
	Event:   1,
	Type:    Int,
	Support: func(a []Expr) Support { return Support{Kind: Counts, Lo: &Num{}, Hi: a[0]} },
	Doc:     "P(x | n, p) = n! / Π x[k]! · Π p[k]^x[k]",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(
			x.Each(0, "k'", func(k Ix) Poly {
				return Add(Mul(x.At(k), Log(a[1].At(k))), lgamma(Add(x.At(k), Number(1))).Scale(-1))
			}),
			lgamma(Add(a[0].At(), Number(1))))
	},
	Draw: "Multinomial", LogProb: "MultinomialLogPMF",
}
