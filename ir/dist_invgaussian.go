// This file holds the Inverse-Gaussian distribution.

package ir

var invGaussian = &Dist{
	Name:    "InvGaussian",
	Params:  []Param{{Name: "mean", Domain: Positive}, {Name: "shape", Named: true, Domain: Positive}},
	Type:    Real,
	Support: positive,
	Doc:     "p(x | mean, shape) = (shape / 2π x³)^(1/2) exp(-shape (x - mean)² / (2 mean² x))",
	LogDensity: func(x Val, a []Val) Poly {
		return Add(
			Log(a[1].At()).Scale(half), Log(x.At()).Scale(-1.5),
			Mul(a[1].At(), x.At(), Pow(a[0].At(), -2)).Scale(-half),
			Mul(a[1].At(), inv(a[0].At())),
			Mul(a[1].At(), inv(x.At())).Scale(-half))
	},
	Draw: "InvGaussian", LogProb: "InvGaussianLogPDF", LogMass: "InvGaussianLogMass",
}
