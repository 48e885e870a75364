// This file judges draws: R-hat, effective sample sizes and Monte Carlo errors.
//
// All follow Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021),
// "Rank-normalization, folding, and localization: an improved R-hat for
// assessing convergence of MCMC", Bayesian Analysis 16(2), and agree with the R
// package posterior (1.4) to rounding. In short, with each chain split in two
// halves so that drift within a chain shows as disagreement between chains:
//
//	R̂   = √( var⁺/W ),  var⁺ = (n-1)/n·W + B/n,  W and B the variances
//	       within and between n-draw chains
//	ESS = S/τ̂,  τ̂ = -1 + 2·Σ over pairs of (ρ̂₂ₜ + ρ̂₂ₜ₊₁)  for S draws, the sum
//	       cut by Geyer's (1992) initial monotone sequence
//	ρ̂ₜ  = 1 - (W - mean over chains of the autocovariance at lag t)/var⁺
//
// "Bulk" applies them to normal scores of the ranks over all chains, which exist
// for any distribution; "tail" to the indicators of the 5 % and 95 % quantiles.

package runtime

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
)

// The functions below take chains × draws of one scalar, without warmup, and
// leave them alone. Chains of unequal length (after an interruption) are cut to
// the shortest. The answer is NaN where there is none: no chain, too few draws, a
// draw that is NaN, an infinite one unless ranks alone count, or draws that are all the same.

// Rhat returns the larger of the rank-normalised split R-hat and its folded
// version, the same of |x - median|: the first sees chains that differ in
// location, the second in scale. Below 1.01 is good.
func Rhat(chains [][]float64) float64 {
	x := cut(chains)
	return rankRhat(x, normalScores(split(x)))
}

// rankRhat is Rhat of x, whose halves have these normal scores.
func rankRhat(x, scores [][]float64) float64 {
	return max(rhat(scores), rhat(normalScores(split(fold(x))))) // NaN if either is
}

// SplitRhat returns the plain split R-hat (Gelman et al. 2013), for comparison
// with older software. It needs a finite variance.
func SplitRhat(chains [][]float64) float64 { return rhat(split(cut(chains))) }

// ESSBulk returns the effective sample size of the normal scores of the ranks:
// how well the bulk of the distribution has been explored.
func ESSBulk(chains [][]float64) float64 {
	return ess(normalScores(split(cut(chains))))
}

// ESSTail returns the smaller of the effective sample sizes of the 5 % and the
// 95 % quantile.
func ESSTail(chains [][]float64) float64 {
	x := cut(chains)
	return essTail(x, pool(x))
}

// essTail is ESSTail with the draws of x sorted.
func essTail(x [][]float64, sorted []float64) float64 {
	return min(essQuantile(x, sorted, 0.05), essQuantile(x, sorted, 0.95)) // NaN if either is
}

// ESSMean returns the effective sample size for the mean, S/τ̂ of the draws as
// they are.
func ESSMean(chains [][]float64) float64 { return ess(split(cut(chains))) }

// ESSSD returns the effective sample size for the standard deviation, S/τ̂ of the distances from the mean of all draws.
func ESSSD(chains [][]float64) float64 {
	x := cut(chains)
	mean := stat.Mean(slices.Concat(x...), nil)
	return ess(split(transform(x, func(v float64) float64 { return math.Abs(v - mean) })))
}

// TauInt returns the integrated autocorrelation time of the draws as they are, τ̂ in units of draws: so many are worth
// an independent one for the mean. It is that of chains taken whole, 1 for independent draws, below it for antithetic ones, and not kept
// from 0 and below as it is in an effective sample size.
func TauInt(chains [][]float64) float64 { return tau(cut(chains)) }

// ESSQuantile returns the effective sample size for the quantile at prob.
func ESSQuantile(chains [][]float64, prob float64) float64 {
	x := cut(chains)
	return essQuantile(x, pool(x), prob)
}

// essQuantile is ESSQuantile with the draws of x sorted.
func essQuantile(x [][]float64, sorted []float64, prob float64) float64 {
	if unusable(x) || !(prob >= 0 && prob <= 1) {
		return math.NaN()
	}
	if prob == 1 { // all draws are below the largest: take the last gap
		n := float64(len(sorted))
		prob = (n - 0.5) / n
	}
	q := quantileSorted(sorted, prob)
	return ess(split(transform(x, func(v float64) float64 {
		if v <= q {
			return 1
		}
		return 0
	})))
}

// MCSEMean returns the Monte Carlo standard error of the mean of all draws.
func MCSEMean(chains [][]float64) float64 {
	_, variance := stat.MeanVariance(pool(cut(chains)), nil)
	return math.Sqrt(variance / ESSMean(chains))
}

// MCSESD returns the Monte Carlo standard error of the standard deviation of all
// draws, by the delta method from that of the variance. It needs a finite fourth
// moment.
func MCSESD(chains [][]float64) float64 {
	x := cut(chains)
	all := pool(x)
	if len(all) == 0 {
		return math.NaN()
	}
	mean := stat.Mean(all, nil)
	var m2, m4 float64 // central moments
	for _, v := range all {
		d2 := (v - mean) * (v - mean)
		m2 += d2
		m4 += d2 * d2
	}
	m2 /= float64(len(all))
	m4 /= float64(len(all))
	n := ESSMean(transform(x, func(v float64) float64 { return (v - mean) * (v - mean) }))
	return math.Sqrt((m4 - m2*m2) / n / m2 / 4)
}

// MCSEQuantile returns the Monte Carlo standard error of the quantile at prob:
// half the distance of the draws at the ends of a one-sigma interval for the
// rank, which is Beta(ESS·prob + 1, ESS·(1-prob) + 1).
func MCSEQuantile(chains [][]float64, prob float64) float64 {
	x := cut(chains)
	all := pool(x)
	n := essQuantile(x, all, prob)
	if math.IsNaN(n) {
		return n
	}
	s := float64(len(all))
	// Φ(-1) and Φ(1), to the digits that posterior has.
	lo := mathext.InvRegIncBeta(n*prob+1, n*(1-prob)+1, 0.1586553)
	hi := mathext.InvRegIncBeta(n*prob+1, n*(1-prob)+1, 0.8413447)
	first := max(int(math.Floor(lo*s)), 1)
	last := min(int(math.Ceil(hi*s)), len(all))
	return (all[last-1] - all[first-1]) / 2
}

// Quantile returns the quantile at prob of all the draws, of R's type 7 (Hyndman
// & Fan 1996): linear between order statistics, the least at 0, the largest at 1.
func Quantile(chains [][]float64, prob float64) float64 {
	return quantileSorted(pool(cut(chains)), prob)
}

// quantileSorted is Quantile of sorted draws.
func quantileSorted(sorted []float64, prob float64) float64 {
	if len(sorted) == 0 || math.IsNaN(sorted[0]) || !(prob >= 0 && prob <= 1) {
		return math.NaN()
	}
	// Rounded as R does it, so no fused multiply-add, which the conversions
	// forbid: ESSQuantile compares draws with the answer, and a last bit matters.
	at := 1 + float64(float64(len(sorted)-1)*prob) // 1-based
	i := int(at)
	lo, frac := sorted[i-1], at-float64(i)
	if frac == 0 || sorted[i] == lo {
		return lo
	}
	return float64((1-frac)*lo) + float64(frac*sorted[i])
}

// rhat is the potential scale reduction of chains taken as they are.
func rhat(x [][]float64) float64 {
	if len(x) < 2 || len(x[0]) < 2 || unusable(x) {
		return math.NaN()
	}
	means := make([]float64, len(x))
	squares := make([]float64, len(x))
	n := len(x[0])
	for i, c := range x {
		var v float64
		means[i], v = stat.MeanVariance(c, nil)
		squares[i] = v * float64(n-1)
	}
	return reduction(means, squares, n)
}

// reduction is the potential scale reduction of chains of n draws that have these means and sums of squared deviations.
func reduction(means, squares []float64, n int) float64 {
	within := stat.Mean(squares, nil) / float64(n-1)
	between := stat.Variance(means, nil) * float64(n)
	return math.Sqrt((between/within + float64(n-1)) / float64(n))
}

// ess is the effective sample size of chains taken as they are, S/τ̂. It is never more than S·log₁₀ S: an antithetic chain's τ̂
// may come out near or below 0 by chance.
func ess(x [][]float64) float64 {
	t := tau(x)
	if math.IsNaN(t) {
		return t
	}
	s := float64(len(x) * len(x[0]))
	return s / math.Max(t, 1/math.Log10(s))
}

// tau is the integrated autocorrelation time of chains taken as they are.
func tau(x [][]float64) float64 {
	if len(x) == 0 || len(x[0]) < 3 || unusable(x) {
		return math.NaN()
	}
	n := len(x[0])
	acov, means := autocovariance(x)
	within := acov[0] * float64(n) / float64(n-1)
	total := acov[0] // var⁺
	if len(x) > 1 {
		total += stat.Variance(means, nil)
	}
	if !(total > 0) || math.IsInf(total, 0) { // squares under- or overflowed
		return math.NaN()
	}
	rho := func(t int) float64 { return 1 - (within-acov[t])/total }

	// Geyer's initial positive sequence: pairs ρ₂ₜ + ρ₂ₜ₊₁ as long as they are
	// positive. seq holds what is kept, t the lag of the last pair looked at.
	seq := make([]float64, n)
	even, odd := 1.0, rho(1)
	seq[0], seq[1] = even, odd
	t := 0
	for t < n-5 && even+odd > 0 {
		t += 2
		even, odd = rho(t), rho(t+1)
		if even+odd >= 0 {
			seq[t], seq[t+1] = even, odd
		}
	}
	// Half of the pair at the end, which helps antithetic chains.
	if even > 0 {
		seq[t] = even
	}
	// The initial monotone sequence: no pair above the one before it.
	for i := 2; i <= t-2; i += 2 {
		if before := seq[i-2] + seq[i-1]; seq[i]+seq[i+1] > before {
			seq[i] = before / 2
			seq[i+1] = seq[i]
		}
	}
	// ρ₀ counts even where no pair was kept: so does posterior, on account of
	// R's 1:0, and then says τ̂ = 2. Only chains of a handful of draws, or that
	// nearly alternate, come here.
	sum := -1 + seq[t]
	for _, r := range seq[:max(t, 1)] {
		sum += 2 * r
	}
	return sum
}

// autocovariance returns the mean over chains of the autocovariance at each lag,
// with divisor n (Geyer 1992: the biased estimate has the smaller error), and
// the mean of each chain. By FFT: O(n log n).
func autocovariance(x [][]float64) (acov, means []float64) {
	n := len(x[0])
	size := fastSize(2 * n) // zeros keep the ends from meeting
	fft := fourier.NewFFT(size)
	padded := make([]float64, size)
	coeffs := make([]complex128, size/2+1)
	power := make([]float64, len(coeffs))
	means = make([]float64, len(x))
	for i, c := range x {
		means[i], _ = stat.MeanVariance(c, nil)
		for j, v := range c {
			padded[j] = v - means[i]
		}
		fft.Coefficients(coeffs, padded)
		for j, z := range coeffs {
			power[j] += real(z)*real(z) + imag(z)*imag(z)
		}
	}
	for j, p := range power {
		coeffs[j] = complex(p, 0)
	}
	acov = fft.Sequence(padded, coeffs)[:n]
	for i := range acov {
		acov[i] /= float64(n) * float64(size) * float64(len(x)) // gonum's FFT is not normalised
	}
	return acov, means
}

// fastSize returns the least even number from n up that has no prime factor
// above 5, and at most 13 factors of 4, 2, 3 and 5: gonum's transform has room
// for no more.
func fastSize(n int) int {
	for n += n % 2; ; n += 2 {
		m, factors := n, 0
		for _, p := range [...]int{4, 2, 3, 5} {
			for m%p == 0 {
				m /= p
				factors++
			}
		}
		if m == 1 && factors <= 13 {
			return n
		}
	}
}

// cut returns the chains, each as long as the shortest; nil if that is empty.
func cut(chains [][]float64) [][]float64 {
	if len(chains) == 0 {
		return nil
	}
	n := len(chains[0])
	for _, c := range chains {
		n = min(n, len(c))
	}
	if n == 0 {
		return nil
	}
	x := make([][]float64, len(chains))
	for i, c := range chains {
		x[i] = c[:n]
	}
	return x
}

// split returns the halves of the chains. The middle draw of an odd number is
// left out; a single draw can't be split.
func split(x [][]float64) [][]float64 {
	if len(x) == 0 || len(x[0]) == 1 {
		return x
	}
	n := len(x[0])
	halves := make([][]float64, 0, 2*len(x))
	for _, c := range x {
		halves = append(halves, c[:n/2], c[n-n/2:])
	}
	return halves
}

// pool returns all draws, sorted; NaN comes first.
func pool(x [][]float64) []float64 {
	all := slices.Concat(x...)
	slices.Sort(all)
	return all
}

// transform returns f of each draw.
func transform(x [][]float64, f func(float64) float64) [][]float64 {
	y := make([][]float64, len(x))
	for i, c := range x {
		y[i] = make([]float64, len(c))
		for j, v := range c {
			y[i][j] = f(v)
		}
	}
	return y
}

// fold returns the distances from the median of all draws.
func fold(x [][]float64) [][]float64 {
	all := pool(x)
	if len(all) == 0 {
		return x
	}
	half := len(all) / 2
	median := all[half]
	if len(all)%2 == 0 {
		median = (all[half-1] + all[half]) / 2
	}
	return transform(x, func(v float64) float64 { return math.Abs(v - median) })
}

// normalScores replaces each draw by Φ⁻¹((r - 3/8)/(S + 1/4)), r its rank among
// all S (Blom 1958); equal draws share their mean rank. NaN stays NaN.
func normalScores(x [][]float64) [][]float64 {
	all := pool(x)
	scores := make([]float64, len(all)) // of equal draws at the place of the first
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j] == all[i] {
			j++
		}
		rank := float64(i+1+j) / 2 // the mean of i+1, ..., j
		scores[i] = mathext.NormalQuantile((rank - 3./8) / (float64(len(all)) + 1./4))
		i = j
	}
	return transform(x, func(v float64) float64 {
		if math.IsNaN(v) {
			return v
		}
		first, _ := slices.BinarySearch(all, v)
		return scores[first]
	})
}

// unusable reports whether there is nothing to judge: no draw, one that is not
// finite, or all the same.
func unusable(x [][]float64) bool {
	constant := true
	for _, c := range x {
		for _, v := range c {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return true
			}
			constant = constant && v == x[0][0]
		}
	}
	return constant
}

// Autocorrelation returns the autocorrelations of one chain's draws at lags 0, 1, ..., lags, or as many as there are; nil if there are none:
// no draw, one that is not finite, or all the same.
func Autocorrelation(chain []float64, lags int) []float64 {
	x := [][]float64{chain}
	if len(chain) == 0 || unusable(x) {
		return nil
	}
	acov, _ := autocovariance(x)
	rho := acov[:min(lags+1, len(acov))]
	variance := rho[0]
	for i := range rho {
		rho[i] /= variance
	}
	return rho
}
