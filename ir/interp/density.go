// This file holds the table from catalogue entries to their numerics in runtime.

package interp

import (
	"fmt"
	"math"

	"github.com/gibbsgen/gibbsgen/runtime"
	"gonum.org/v1/gonum/mathext"
)

// An entry is how one distribution is evaluated and drawn. Args are the canonical parameters, matrices row-major.
type entry struct {
	logp func(x []float64, args [][]float64) float64
	draw func(r *runtime.Rand, dst []float64, args [][]float64) error
	cdf  func(x float64, a []float64) float64 // P(X < x) of a scalar one, where truncation needs it
	sf   func(x float64, a []float64) float64 // P(X > x)

	logcdf, logsf func(x float64, a []float64) float64 // their logarithms, where far tails matter
	positive      bool                                 // the support is (0, ∞), or begins at 0
	share         bool                                 // the support is (0, 1)
}

// onPositive says that the formulas hold from 0 on only.
func (e entry) onPositive() entry {
	e.positive = true
	return e
}

// onShares says that the support is (0, 1).
func (e entry) onShares() entry {
	e.share = true
	return e
}

// tails adds the logarithms of the distribution functions.
func (e entry) tails(logcdf, logsf func(x float64, a []float64) float64) entry {
	e.logcdf, e.logsf = logcdf, logsf
	return e
}

// scalar makes an entry of functions of numbers.
func scalar(logp func(x float64, a []float64) float64, draw func(r *runtime.Rand, a []float64) float64) entry {
	flat := func(args [][]float64) []float64 {
		a := make([]float64, len(args))
		for i := range args {
			a[i] = args[i][0]
		}
		return a
	}
	return entry{
		logp: func(x []float64, args [][]float64) float64 { return logp(x[0], flat(args)) },
		draw: func(r *runtime.Rand, dst []float64, args [][]float64) error {
			dst[0] = draw(r, flat(args))
			return nil
		},
	}
}

func (e entry) between(cdf, sf func(x float64, a []float64) float64) entry {
	e.cdf, e.sf = cdf, sf
	if sf == nil {
		e.sf = func(x float64, a []float64) float64 { return 1 - cdf(x, a) }
	}
	return e
}

// The table goes by ir.Dist.LogProb.
var table = map[string]entry{
	"NormalLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.NormalLogPDF(x, a[0], a[1]) },
		func(r *runtime.Rand, a []float64) float64 { return r.Normal(a[0], a[1]) }).between(
		func(x float64, a []float64) float64 { return phi((x - a[0]) / math.Sqrt(a[1])) },
		func(x float64, a []float64) float64 { return phi((a[0] - x) / math.Sqrt(a[1])) }).tails(
		func(x float64, a []float64) float64 { return runtime.LogNormalCDF((x - a[0]) / math.Sqrt(a[1])) },
		func(x float64, a []float64) float64 { return runtime.LogNormalCDF((a[0] - x) / math.Sqrt(a[1])) }),
	"LogNormalLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.LogNormalLogPDF(x, a[0], a[1]) },
		func(r *runtime.Rand, a []float64) float64 { return r.LogNormal(a[0], a[1]) }).between(
		func(x float64, a []float64) float64 { return phi((math.Log(x) - a[0]) / math.Sqrt(a[1])) },
		func(x float64, a []float64) float64 { return phi((a[0] - math.Log(x)) / math.Sqrt(a[1])) }).onPositive(),
	"HalfNormalLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.HalfNormalLogPDF(x, a[0]) },
		func(r *runtime.Rand, a []float64) float64 { return r.HalfNormal(a[0]) }).between(
		func(x float64, a []float64) float64 { return math.Erf(x / math.Sqrt(2*a[0])) },
		func(x float64, a []float64) float64 { return math.Erfc(x / math.Sqrt(2*a[0])) }).onPositive(),
	"HalfCauchyLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.HalfCauchyLogPDF(x, a[0]) },
		func(r *runtime.Rand, a []float64) float64 { return r.HalfCauchy(a[0]) }).between(
		func(x float64, a []float64) float64 { return 2 / math.Pi * math.Atan(x/a[0]) },
		func(x float64, a []float64) float64 { return 2 / math.Pi * math.Atan(a[0]/x) }).onPositive(),
	"LaplaceLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.LaplaceLogPDF(x, a[0], a[1]) },
		func(r *runtime.Rand, a []float64) float64 { return r.Laplace(a[0], a[1]) }).between(
		func(x float64, a []float64) float64 { return laplaceCDF((x - a[0]) / a[1]) },
		func(x float64, a []float64) float64 { return laplaceCDF((a[0] - x) / a[1]) }),
	"StudentTLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.StudentTLogPDF(x, a[0], a[1], a[2]) },
		func(r *runtime.Rand, a []float64) float64 { return r.StudentT(a[0], a[1], a[2]) }).between(
		func(x float64, a []float64) float64 { return studentCDF((x-a[0])/a[2], a[1]) },
		func(x float64, a []float64) float64 { return studentCDF((a[0]-x)/a[2], a[1]) }),
	"UniformLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.UniformLogPDF(x, a[0], a[1]) },
		func(r *runtime.Rand, a []float64) float64 { return r.Uniform(a[0], a[1]) }).between(
		func(x float64, a []float64) float64 { return (x - a[0]) / (a[1] - a[0]) },
		func(x float64, a []float64) float64 { return (a[1] - x) / (a[1] - a[0]) }),
	"ExponentialLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.ExponentialLogPDF(x, a[0]) },
		func(r *runtime.Rand, a []float64) float64 { return r.Exponential(a[0]) }).between(
		func(x float64, a []float64) float64 { return -math.Expm1(-a[0] * x) },
		func(x float64, a []float64) float64 { return math.Exp(-a[0] * x) }).onPositive(),
	"GammaLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.GammaLogPDF(x, a[0], a[1]) },
		func(r *runtime.Rand, a []float64) float64 { return r.Gamma(a[0], a[1]) }).between(
		func(x float64, a []float64) float64 { return runtime.GammaCDF(x, a[0], a[1]) },
		func(x float64, a []float64) float64 { return gammaSF(x, a[0], a[1]) }).onPositive(),
	"InvGammaLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.InvGammaLogPDF(x, a[0], a[1]) },
		func(r *runtime.Rand, a []float64) float64 { return r.InvGamma(a[0], a[1]) }).between(
		func(x float64, a []float64) float64 { return gammaSF(1/x, a[0], a[1]) },
		func(x float64, a []float64) float64 { return runtime.GammaCDF(1/x, a[0], a[1]) }).onPositive(),
	"InvGaussianLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.InvGaussianLogPDF(x, a[0], a[1]) },
		func(r *runtime.Rand, a []float64) float64 { return r.InvGaussian(a[0], a[1]) }).between(
		func(x float64, a []float64) float64 { // Chhikara & Folks (1974)
			s := math.Sqrt(a[1] / x)
			return phi(s*(x/a[0]-1)) + math.Exp(2*a[1]/a[0]+runtime.LogNormalCDF(-s*(x/a[0]+1)))
		}, func(x float64, a []float64) float64 {
			s := math.Sqrt(a[1] / x)
			return phi(-s*(x/a[0]-1)) - math.Exp(2*a[1]/a[0]+runtime.LogNormalCDF(-s*(x/a[0]+1)))
		}).onPositive(),
	"BetaLogPDF": scalar(
		func(x float64, a []float64) float64 { return runtime.BetaLogPDF(x, a[0], a[1]) },
		func(r *runtime.Rand, a []float64) float64 { return r.Beta(a[0], a[1]) }).between(
		func(x float64, a []float64) float64 { return runtime.BetaCDF(x, a[0], a[1]) },
		func(x float64, a []float64) float64 { return runtime.BetaCDF(1-x, a[1], a[0]) }).onShares(),
	"BernoulliLogPMF": scalar(
		func(x float64, a []float64) float64 {
			if x != 0 && x != 1 {
				return math.Inf(-1)
			}
			return runtime.BernoulliLogPMF(x == 1, a[0])
		},
		func(r *runtime.Rand, a []float64) float64 {
			if r.Bernoulli(a[0]) {
				return 1
			}
			return 0
		}),
	"PoissonLogPMF": scalar(
		func(x float64, a []float64) float64 {
			return count(x, func(k int) float64 { return runtime.PoissonLogPMF(k, a[0]) })
		},
		func(r *runtime.Rand, a []float64) float64 { return float64(r.Poisson(a[0])) }),
	"BinomialLogPMF": scalar(
		func(x float64, a []float64) float64 {
			return count(x, func(k int) float64 {
				n, err := whole(a[0])
				if err != nil {
					return math.NaN()
				}
				return runtime.BinomialLogPMF(k, n, a[1])
			})
		},
		func(r *runtime.Rand, a []float64) float64 { return float64(r.Binomial(int(a[0]), a[1])) }),
	"CategoricalLogPMF": {
		logp: func(x []float64, a [][]float64) float64 {
			return count(x[0], func(k int) float64 { return runtime.CategoricalLogPMF(int32(k), a[0]) })
		},
		draw: func(r *runtime.Rand, dst []float64, a [][]float64) error {
			dst[0] = float64(r.Categorical(a[0]))
			return nil
		},
	},
	"DirichletLogPDF": {
		logp: func(x []float64, a [][]float64) float64 { return runtime.DirichletLogPDF(x, a[0]) },
		draw: func(r *runtime.Rand, dst []float64, a [][]float64) error { r.Dirichlet(dst, a[0]); return nil },
	},
	"MultinomialLogPMF": {
		logp: func(x []float64, a [][]float64) float64 {
			k := make([]int, len(x))
			for i := range x {
				n, err := whole(x[i])
				if err != nil {
					return math.Inf(-1)
				}
				k[i] = n
			}
			n, err := whole(a[0][0])
			if err != nil {
				return math.NaN()
			}
			return runtime.MultinomialLogPMF(k, n, a[1])
		},
		draw: func(r *runtime.Rand, dst []float64, a [][]float64) error {
			k := make([]int, len(dst))
			r.Multinomial(k, int(a[0][0]), a[1])
			for i := range k {
				dst[i] = float64(k[i])
			}
			return nil
		},
	},
	"MVNormalLogPDF": {
		logp: func(x []float64, a [][]float64) float64 { return runtime.MVNormalLogPDF(x, a[0], a[1], work(x)) },
		draw: func(r *runtime.Rand, dst []float64, a [][]float64) error {
			return r.MVNormal(dst, a[0], a[1], work(dst))
		},
	},
	"MVNormalPrecLogPDF": {
		logp: func(x []float64, a [][]float64) float64 { return runtime.MVNormalPrecLogPDF(x, a[0], a[1], work(x)) },
		draw: func(r *runtime.Rand, dst []float64, a [][]float64) error {
			return r.MVNormalPrec(dst, a[0], a[1], work(dst))
		},
	},
	"WishartLogPDF": {
		logp: func(x []float64, a [][]float64) float64 {
			return runtime.WishartLogPDF(x, a[0][0], a[1], order(x), work(x))
		},
		draw: func(r *runtime.Rand, dst []float64, a [][]float64) error {
			return r.Wishart(dst, a[0][0], a[1], order(dst), work(dst))
		},
	},
	"InvWishartLogPDF": {
		logp: func(x []float64, a [][]float64) float64 {
			return runtime.InvWishartLogPDF(x, a[0][0], a[1], order(x), work(x))
		},
		draw: func(r *runtime.Rand, dst []float64, a [][]float64) error {
			return r.InvWishart(dst, a[0][0], a[1], order(dst), work(dst))
		},
	},
}

// order is the p of a flat p×p matrix.
func order(x []float64) int { return int(math.Round(math.Sqrt(float64(len(x))))) }

func work(x []float64) *runtime.MatWork { return runtime.NewMatWork(len(x)) }

// count evaluates a mass function at a stored whole number.
func count(x float64, f func(int) float64) float64 {
	k, err := whole(x)
	if err != nil {
		return math.Inf(-1)
	}
	return f(k)
}

func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// gammaSF returns P(X > x) for X ~ Gamma(shape, rate), to all digits far out too.
func gammaSF(x, shape, rate float64) float64 {
	if math.IsInf(x, 1) {
		return 0
	}
	return mathext.GammaIncRegComp(shape, rate*max(x, 0))
}

func laplaceCDF(z float64) float64 {
	if z < 0 {
		return math.Exp(z) / 2
	}
	return 1 - math.Exp(-z)/2
}

// studentCDF goes by the incomplete beta function.
func studentCDF(t, df float64) float64 {
	tail := runtime.BetaCDF(df/(df+t*t), df/2, 0.5) / 2
	if t < 0 {
		return tail
	}
	return 1 - tail
}

// logBetween returns log P(lo < X < hi); infinite bounds mean none.
func (e entry) logBetween(lo, hi float64, args [][]float64) (float64, error) {
	if e.cdf == nil {
		return 0, fmt.Errorf("no distribution function to truncate by")
	}
	a := make([]float64, len(args))
	for i := range args {
		a[i] = args[i][0]
	}
	if e.positive {
		lo = max(lo, 0)
	}
	if e.logcdf != nil {
		f, upper, lower := e.logcdf, hi, lo
		if e.cdf(lo, a) >= 0.5 { // both in the upper half: difference of the tails
			f, upper, lower = e.logsf, lo, hi
		}
		return f(upper, a) + math.Log1p(-math.Exp(f(lower, a)-f(upper, a))), nil
	}
	at := func(f func(float64, []float64) float64, x, below, above float64) float64 {
		switch p := f(x, a); {
		case math.IsInf(x, -1):
			return below
		case math.IsInf(x, 1):
			return above
		case p != p:
			return p
		default:
			return min(max(p, 0), 1) // beyond the support, formulas may leave [0, 1]
		}
	}
	below := at(e.cdf, lo, 0, 1)
	if below < 0.5 {
		return math.Log(at(e.cdf, hi, 0, 1) - below), nil
	}
	return math.Log(at(e.sf, lo, 1, 0) - at(e.sf, hi, 1, 0)), nil // both in the upper half: difference of the tails
}
