package runtime

// This file holds overdispersed starts: where a chain begins before it has learnt anything, wide on the scale of the support.

import (
	"math"
	"slices"
)

// Start draws a starting value in (lo, hi); either bound may be infinite. On the line it is uniform on (-2, 2), above or below one
// bound exp(u) away from it with u uniform on (-2, 2), and between two bounds uniform on the middle eight tenths.
func (r *Rand) Start(lo, hi float64) float64 {
	u := 4*r.Open01() - 2
	switch below, above := lo >= -huge, hi <= huge; {
	case below && above:
		return inside(lo*(0.5-0.2*u)+hi*(0.5+0.2*u), lo, hi)
	case below:
		return inside(lo+math.Exp(u), lo, hi)
	case above:
		return inside(hi-math.Exp(u), lo, hi)
	}
	return u
}

// StartCount draws a starting count in lo..hi, one of the first ten.
func (r *Rand) StartCount(lo, hi int) int {
	if hi <= lo {
		return lo
	}
	n := hi - lo
	if n < 0 || n > 9 { // below 0 it has overflowed
		n = 9
	}
	return lo + r.IntN(n+1)
}

// StartSimplex fills the rows of xs, of length k, with draws from Dirichlet(1, ..., 1).
func (r *Rand) StartSimplex(xs []float64, k int) {
	ones := make([]float64, k)
	for i := range ones {
		ones[i] = 1
	}
	for row := 0; row+k <= len(xs); row += k {
		r.Dirichlet(xs[row:row+k], ones)
	}
}

// StartSPD fills the p×p matrices of xs with multiples of the identity between e^-1 and e.
func (r *Rand) StartSPD(xs []float64, p int) {
	clear(xs)
	for at := 0; at+p*p <= len(xs); at += p * p {
		d := math.Exp(2*r.Open01() - 1)
		for i := range p {
			xs[at+i*p+i] = d
		}
	}
}

// SortRows sorts each row of xs, of length k.
func SortRows(xs []float64, k int) {
	for row := 0; row+k <= len(xs); row += k {
		slices.Sort(xs[row : row+k])
	}
}
