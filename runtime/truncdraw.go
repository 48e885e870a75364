package runtime

// This file holds draws from truncated distributions that have no method of their own.

import "math"

// Truncated draws x in (lo, hi) from a distribution, given how to draw from all of it and the log probability of an interval: by
// rejection, and where that takes too long by inverting the distribution function by bisection. NaN where the interval has no
// probability.
func (r *Rand) Truncated(lo, hi float64, draw func() float64, logMass func(lo, hi float64) float64) float64 {
	for range tries {
		if x := draw(); x > lo && x < hi {
			return x
		}
	}
	all := logMass(lo, hi)
	if !isFinite(all) {
		return nan()
	}
	u := all + math.Log(r.Open01())
	a, b := max(lo, -huge/4), min(hi, huge/4)
	for range 2100 { // halving takes at most 2098 steps from one end of the float64s to the other
		mid := a + (b-a)/2
		if mid <= a || mid >= b {
			break
		}
		if logMass(lo, mid) < u {
			a = mid
		} else {
			b = mid
		}
	}
	return inside(b, lo, hi)
}
