// This file follows R-hat as a run grows, in the classic form of Gelman & Rubin and in that of Vehtari et al.

package runtime

import "math"

// EPSR returns the estimated potential scale reduction of Gelman & Rubin (1992) in the form of Gelman et al., Bayesian Data
// Analysis (3rd ed., section 11.4): for m chains of n draws, none of them split,
//
//	R̂ = √( var⁺/W ),  var⁺ = (n-1)/n·W + B/n
//
// where W is the mean of the variances within chains and B is n times the variance of their means. It is a number of one
// scalar; of a vector, take the largest over its elements. It needs two chains and a finite variance, and does not see a drift
// that the chains share: judge by [Rhat], and use this to compare with what was published.
//
// Like the other diagnostics it takes chains × draws without warmup, cuts chains to the shortest, and is NaN where there is no
// answer. If every chain stands still, each at another place, it is +Inf.
func EPSR(chains [][]float64) float64 { return rhat(cut(chains)) }

// RunningEPSR returns [EPSR] of the first at[i] draws of each chain, for each i; NaN where a chain is shorter. at must ascend. It
// looks at each draw once.
func RunningEPSR(chains [][]float64, at []int) []float64 {
	x := cut(chains)
	out := make([]float64, len(at))
	mean := make([]float64, len(x))
	ss := make([]float64, len(x)) // sums of squared deviations: Welford (1962)
	n := 0
	for i, upTo := range at {
		if upTo < 2 || len(x) < 2 || upTo > len(x[0]) {
			out[i] = math.NaN()
			continue
		}
		for ; n < upTo; n++ {
			for c := range x {
				d := x[c][n] - mean[c]
				mean[c] += d / float64(n+1)
				ss[c] += d * (x[c][n] - mean[c])
			}
		}
		out[i] = reduction(mean, ss, n)
	}
	return out
}

// RunningRhat returns [Rhat] of the first at[i] draws of each chain, for each i; NaN where a chain is shorter. Each costs sorting
// these draws: at iterations that grow by a constant factor, all of them cost little more than the last.
func RunningRhat(chains [][]float64, at []int) []float64 {
	x := cut(chains)
	out := make([]float64, len(at))
	first := make([][]float64, len(x))
	for i, n := range at {
		if n < 1 || len(x) == 0 || n > len(x[0]) {
			out[i] = math.NaN()
			continue
		}
		for c := range x {
			first[c] = x[c][:n]
		}
		out[i] = Rhat(first)
	}
	return out
}
