package runtime

// This file holds univariate slice samplers, for conditionals that no family takes.

import "math"

// sliceSteps bounds the stepping out, in widths: Neal's m.
const sliceSteps = 64

// Slice makes one slice-sampling move from x under the log density logf on (lo, hi), which may be infinite: stepping out by
// width and shrinkage, Neal (2003), figures 3 and 5, stepping limited to 64 widths in all (which stays exact). logf is called
// strictly between lo and hi only and may return -Inf; what it returns as NaN counts as -Inf. The result is NaN if x is not inside or logf(x) is not
// finite. A width that is not positive means hi-lo, or 1 where that is infinite.
func (r *Rand) Slice(x, lo, hi, width float64, logf func(float64) float64) float64 {
	if !(x > lo && x < hi) || !isFinite(x) {
		return nan()
	}
	f0 := logf(x)
	if !isFinite(f0) {
		return nan()
	}
	if !isPositive(width) {
		if width = hi - lo; !isPositive(width) {
			width = 1
		}
	}
	level := f0 - r.Exp1()
	l := x - width*r.Float64()
	u := l + width
	left := int(r.Float64() * sliceSteps)
	right := sliceSteps - 1 - left
	for ; left > 0 && l > lo && logf(l) > level; left-- {
		l -= width
	}
	for ; right > 0 && u < hi && logf(u) > level; right-- {
		u += width
	}
	l, u = max(l, lo, -huge), min(u, hi, huge)
	for range 2000 { // a float64 interval cannot be halved more often
		y := l + (u-l)*r.Float64()
		if u-l > huge {
			y = 2 * (l/2 + (u/2-l/2)*r.Float64())
		}
		if y > lo && y < hi && logf(y) > level {
			return y
		}
		if y < x {
			l = y
		} else {
			u = y
		}
		if !(l < u) {
			break
		}
	}
	return x
}

// SliceInt makes one slice-sampling move from k under the log probability logf on lo..hi, both included; use math.MinInt and
// math.MaxInt for no bound. It needs no scale: the interval is found by doubling, Neal (2003), figures 4 to 6, on the density
// that is constant over [k, k+1). logf is called between lo and hi only. The result is k, unmoved, if k is outside or logf(k) is not finite.
func (r *Rand) SliceInt(k, lo, hi int, logf func(int) float64) int {
	if k < lo || k > hi {
		return k
	}
	f0 := logf(k)
	if !isFinite(f0) {
		return k
	}
	level := f0 - r.Exp1()
	// Positions are relative to k, so that large k lose nothing.
	above := func(x float64) bool {
		x = math.Floor(x)
		if math.Abs(x) > 0x1p60 {
			return false
		}
		j := k + int(x)
		if x > 0 != (j > k) && x != 0 { // overflow
			return false
		}
		return j >= lo && j <= hi && logf(j) > level
	}
	const width = 2.0
	x0 := r.Float64()
	l := x0 - width*r.Float64()
	u := l + width
	aboveL, aboveU := above(l), above(u)
	for range 60 {
		if !aboveL && !aboveU {
			break
		}
		if r.Uint64()>>63 == 0 {
			l -= u - l
			aboveL = above(l)
		} else {
			u += u - l
			aboveU = above(u)
		}
	}
	a, b := l, u
	for range 2000 {
		x := a + (b-a)*r.Float64()
		if above(x) && doublingReaches(x0, x, l, u, width, above) {
			return k + int(math.Floor(x))
		}
		if x < x0 {
			a = x
		} else {
			b = x
		}
	}
	return k
}

// doublingReaches reports whether doubling from x could have arrived at (l, u) as it did from x0: Neal (2003), figure 6.
func doublingReaches(x0, x, l, u, width float64, above func(float64) bool) bool {
	differ := false
	for u-l > 1.1*width {
		m := (l + u) / 2
		if (x0 < m) != (x < m) {
			differ = true
		}
		if x < m {
			u = m
		} else {
			l = m
		}
		if differ && !above(l) && !above(u) {
			return false
		}
	}
	return true
}
