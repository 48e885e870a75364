package runtime

// This file holds the Uniform distribution and the Exponential truncated to an interval.

import "math"

// Uniform draws from (lo, hi), both finite.
func (r *Rand) Uniform(lo, hi float64) float64 { return r.TruncExpNat(0, lo, hi) }

// UniformLogPDF returns the log density of Uniform(lo, hi) at x: -Inf outside [lo, hi].
func UniformLogPDF(x, lo, hi float64) float64 {
	if !(lo < hi) || !isFinite(lo) || !isFinite(hi) || x != x {
		return nan()
	}
	if x < lo || x > hi {
		return math.Inf(-1)
	}
	if w := hi - lo; w <= huge {
		return -math.Log(w)
	}
	return -math.Ln2 - math.Log(hi/2-lo/2)
}

// TruncExpNat draws x with density ∝ exp(h·x) on (lo, hi). A bound may be infinite where the density dies out; otherwise it
// is improper, and NaN. Where lo equals hi that is the draw.
func (r *Rand) TruncExpNat(h, lo, hi float64) float64 {
	switch {
	case !(lo <= hi) || h != h:
		return nan()
	case lo == hi:
		if !isFinite(lo) {
			return nan()
		}
		return lo
	case h < 0 && lo >= -huge:
		return inside(lo+r.truncExp(-h, hi-lo), lo, hi)
	case h > 0 && hi <= huge:
		return inside(hi-r.truncExp(h, hi-lo), lo, hi)
	case h == 0 && isFinite(lo) && isFinite(hi):
		u := r.Open01()
		if w := hi - lo; w <= huge {
			return inside(lo+u*w, lo, hi)
		}
		return inside(lo*(1-u)+hi*u, lo, hi)
	}
	return nan()
}

// truncExp draws e in (0, w) with density ∝ exp(-rate·e): rate >= 0, 0 < w <= ∞, and w finite where rate is 0.
func (r *Rand) truncExp(rate, w float64) float64 {
	switch rw := rate * w; {
	case rw > 40:
		for {
			if e := r.Exp1() / rate; e <= w {
				return e
			}
		}
	case rw > 1e-15:
		return -math.Log1p(r.Open01()*math.Expm1(-rw)) / rate
	}
	return r.Open01() * w
}
