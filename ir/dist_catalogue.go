// This file lists the catalogue. Order matters only for entries that share a name: the first whose parameters fit is taken.

package ir

// Dists is the catalogue of distributions. To add one: a file dist_x.go and a line here, and its numerics in runtime.
var Dists = []*Dist{
	flat,
	normal, mvNormal, mvNormalPrec,
	gamma, invGamma, exponential, invGaussian,
	beta, dirichlet,
	categorical, bernoulli, binomial, poisson, multinomial,
	uniform, laplace, logNormal, studentT, halfNormal, halfCauchy,
	wishart, invWishart,
	gem,
}

// Supports shared by several distributions.
var (
	realLine = func([]Expr) Support { return Support{Kind: Line} }
	positive = func([]Expr) Support { return Support{Kind: Line, Lo: &Num{Value: 0}} }
	unit     = func([]Expr) Support { return Support{Kind: Line, Lo: &Num{Value: 0}, Hi: &Num{Value: 1}} }
)

// Spellings of a scale parameter in terms of the canonical one.
var (
	inverse = func(e Expr) Expr { return &Bin{Op: '/', L: &Num{Value: 1, At: e.Span()}, R: e, At: e.Span()} }
	square  = func(e Expr) Expr { return &Bin{Op: '^', L: e, R: &Num{Value: 2, At: e.Span()}, At: e.Span()} }
	// varianceSpellings are the rival conventions for a variance.
	varianceSpellings = []Spelling{{"sd", square}, {"prec", inverse}}
)

// half is 1/2 as a coefficient.
const half = 0.5

func minus(a, b Poly) Poly { return Add(a, b.Scale(-1)) }

func inv(p Poly) Poly { return Pow(p, -1) }

func lgamma(p Poly) Poly { return Apply("lgamma", p) }

// quadratic returns Σ_p Σ_q prec(p, q)·(x-m)[p]·(x-m)[q] over the plate of x.
func quadratic(x, m Val, prec func(p, q Ix) Poly) Poly {
	return x.Each(0, "p'", func(p Ix) Poly {
		return x.Each(0, "q'", func(q Ix) Poly {
			return Mul(prec(p, q), minus(x.At(p), m.At(p)), minus(x.At(q), m.At(q)))
		})
	})
}
