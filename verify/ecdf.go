// This file holds the test of ranks that should be uniform: how far their distribution function may stray from the diagonal, at all
// points at once. Säilynoja, Bürkner & Vehtari (2022), "Graphical test for discrete uniformity and its applications in goodness-of-fit
// evaluation and multiple sample comparison".

package verify

import (
	"math"
	"sync"
)

// A band says how often each of the values 0, ..., k-1 and those below it may occur among n independent ones that are equally likely. Of
// the number R(i) of those below i, each alone is Binomial(n, i/k); the band holds those whose tail probability, on the side that is the
// smaller, twice, is at least level. The level is such that all of R(1), ..., R(k-1) lie in the band with probability 1-alpha at the
// least, and hardly more.
type band struct {
	n, k   int
	alpha  float64
	level  float64
	points []binomial // of R(1), ..., R(k-1)
}

// statistic returns the largest, over the points, of -log10 of the tail probability, given how often each value occurred. It is at the
// most threshold if and only if the distribution function lies in the band.
func (b *band) statistic(counts []int) float64 {
	most, below := 0.0, 0
	for i := range b.points {
		below += counts[i]
		most = max(most, -math.Log10(b.points[i].tail(below)))
	}
	return most
}

func (b *band) threshold() float64 { return -math.Log10(b.level) }

// differences returns the band at R(1), ..., R(k-1) as differences of the distribution function to the diagonal, the lower and the upper.
func (b *band) differences() [][2]float64 {
	out := make([][2]float64, len(b.points))
	for i := range b.points {
		lo, hi := b.points[i].between(b.level)
		expected := float64(i+1) / float64(b.k)
		out[i] = [2]float64{float64(lo)/float64(b.n) - expected, float64(hi)/float64(b.n) - expected}
	}
	return out
}

// bands keeps those that were made.
var bands sync.Map // by bandKey

type bandKey struct {
	n, k  int
	alpha float64
}

// newBand returns the band for n values of k, outside of which they stray with probability alpha.
func newBand(n, k int, alpha float64) *band {
	key := bandKey{n, k, alpha}
	if b, ok := bands.Load(key); ok {
		return b.(*band)
	}
	b := &band{n: n, k: k, alpha: alpha}
	for i := 1; i < k; i++ {
		b.points = append(b.points, newBinomial(n, float64(i)/float64(k)))
	}
	// The level lies between Bonferroni's and alpha itself. The probability is a step function of it: the end that is kept is the one
	// below alpha. Below 1e-10 rounding would show, and Bonferroni's it is.
	lo, hi := alpha/float64(k-1), alpha
	for alpha > 1e-10 && hi/lo > 1.002 {
		if mid := math.Sqrt(lo * hi); b.strays(mid) <= alpha {
			lo = mid
		} else {
			hi = mid
		}
	}
	b.level = lo
	bands.Store(key, b)
	return b
}

// strays returns the probability that the band of the given level is left. Increments of R are those of a Poisson process with n events,
// given that there are n at the end: so they are independent until the end, where the probability is divided by that of n events. The
// recursion carries the probability of each R(i) and of not having left the band before.
func (b *band) strays(level float64) float64 {
	step, least := poisson(float64(b.n) / float64(b.k))
	at, from := []float64{1}, 0 // probabilities of from, from+1, ...
	for i := range b.k {
		lo, hi := b.n, b.n // the end
		if i < len(b.points) {
			lo, hi = b.points[i].between(level)
		}
		next := make([]float64, hi-lo+1)
		for r, p := range at {
			// from + r + least + j lies in the band
			first := lo - from - r - least
			for j := max(0, first); j < min(len(step), first+len(next)); j++ {
				next[j-first] += p * step[j]
			}
		}
		at, from = next, lo
	}
	n := float64(b.n)
	log := -math.Log(2*math.Pi*n)/2 - 1/(12*n) + 1/(360*n*n*n) - 1/(1260*n*n*n*n*n) // of n^n e^-n / n!: Stirling's series
	if b.n < 20 {
		lg, _ := math.Lgamma(n + 1)
		log = n*math.Log(n) - n - lg
	}
	return 1 - at[0]/math.Exp(log)
}

// A binomial holds tail probabilities of a binomial variable.
type binomial struct {
	n     int
	from  int       // the least number that is held
	tails []float64 // of from, from+1, ...: twice the smaller of P(X <= x) and P(X >= x), 1 at the most
}

const negligible = 1e-60 // relative to the largest probability

// newBinomial tabulates the tails where they are not negligible.
func newBinomial(n int, p float64) binomial {
	mode := min(n, int(float64(n+1)*p))
	probs, from := outward(mode, n,
		func(x int) float64 { return float64(n-x) / float64(x+1) * p / (1 - p) })
	b := binomial{n: n, from: from, tails: make([]float64, len(probs))}
	lower, upper := 0.0, 0.0
	for i, q := range probs {
		lower += q
		b.tails[i] = lower
	}
	for i := len(probs) - 1; i >= 0; i-- {
		upper += probs[i]
		b.tails[i] = min(1, 2*min(b.tails[i], upper))
	}
	return b
}

// tail returns the tail probability of x.
func (b *binomial) tail(x int) float64 {
	if i := x - b.from; i >= 0 && i < len(b.tails) {
		return b.tails[i]
	}
	return negligible
}

// between returns the least and the largest number whose tail probability is at least level, at most 1.
func (b *binomial) between(level float64) (lo, hi int) {
	lo, hi = 0, len(b.tails)-1
	for b.tails[lo] < level {
		lo++
	}
	for b.tails[hi] < level {
		hi--
	}
	return b.from + lo, b.from + hi
}

// poisson returns the probabilities of least, least+1, ... events, as far as they are not negligible.
func poisson(mean float64) (probs []float64, least int) {
	return outward(int(mean), math.MaxInt, func(x int) float64 { return mean / float64(x+1) })
}

// outward returns the probabilities of from, from+1, ..., as far as they are not negligible, of a variable between 0 and most: ratio(x) is
// that of x+1 to that of x. Going outward from the mode and dividing by the sum leaves nothing to cancel.
func outward(mode, most int, ratio func(x int) float64) (probs []float64, from int) {
	up := []float64{1}
	for x := mode; x < most && up[x-mode] > negligible; x++ {
		up = append(up, up[x-mode]*ratio(x))
	}
	var down []float64 // of mode-1, mode-2, ...
	for x, p := mode, 1.0; x > 0 && p > negligible; x-- {
		p /= ratio(x - 1)
		down = append(down, p)
	}
	sum := 0.0
	for i := len(down) - 1; i >= 0; i-- {
		probs = append(probs, down[i])
		sum += down[i]
	}
	probs = append(probs, up...)
	for _, p := range up {
		sum += p
	}
	for i := range probs {
		probs[i] /= sum
	}
	return probs, mode - len(down)
}
