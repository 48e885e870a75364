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

// SlicePositive is [Rand.Slice] on the logarithm of positive numbers: logf is the log density of x itself, and width is of log x. It stays between
// the smallest and the largest number of floating point, of full precision: what lies beyond is cut off.
func (r *Rand) SlicePositive(x, lo, hi, width float64, logf func(float64) float64) float64 {
	const beside = 1e-6 // so that the ends themselves are inside
	y := r.Slice(math.Log(x), max(math.Log(lo), math.Log(tiny)-beside), min(math.Log(hi), math.Log(huge)+beside), width, func(u float64) float64 {
		return logf(inRange(math.Exp(u))) + u
	})
	return inRange(math.Exp(y))
}

// inRange moves what is next to an end of floating point inside.
func inRange(x float64) float64 { return min(max(x, tiny), huge) }

// SliceWidths are the widths of one unknown's slice samplers, one for each element: 1 until they are learned from how far the
// element moves. While they are learned a draw depends on those before it, and so leaves the posterior invariant only in the
// limit: the kept draws are made with widths that stay.
type SliceWidths struct {
	width, moved []float64
	draws        []int
	learning     bool
}

// NewSliceWidths returns the widths of n elements.
func NewSliceWidths(n int) SliceWidths {
	return SliceWidths{width: make([]float64, n), moved: make([]float64, n), draws: make([]int, n)}
}

// At returns the width of element i.
func (w *SliceWidths) At(i int) float64 {
	if x := w.width[i]; x > 0 {
		return x
	}
	return 1
}

// Parts implements [Saver].
func (w *SliceWidths) Parts() []any { return []any{w.width, w.moved, w.draws, &w.learning} }

// Tune has the widths learned from now on, or stay as they are.
func (w *SliceWidths) Tune(on bool) { w.learning = on }

// Learn notes a move of element i. The width is twice the mean distance, of which late moves count for more than early ones, as
// they are nearer to where the chain will stay.
func (w *SliceWidths) Learn(i int, from, to float64) {
	if !w.learning {
		return
	}
	d := math.Abs(to - from)
	if !isFinite(d) {
		return
	}
	w.draws[i]++
	n := float64(w.draws[i])
	w.moved[i] += n * d
	if w.draws[i] >= leastMoves {
		w.width[i] = 2 * w.moved[i] / (n * (n + 1) / 2)
	}
}

// leastMoves is how many moves a width is learned from.
const leastMoves = 5

// SliceInt makes one slice-sampling move from k under the log probability logf on lo..hi, both included; use math.MinInt and
// math.MaxInt for no bound. It needs no scale: the interval is found by doubling from k alone, Neal (2003), figures 4 to 6,
// on the integers. logf is called between lo and hi only; what it returns as NaN counts as -Inf. The result is k, unmoved, if
// k is outside or logf(k) is not finite.
func (r *Rand) SliceInt(k, lo, hi int, logf func(int) float64) int {
	if k < lo || k > hi {
		return k
	}
	f0 := logf(k)
	if !isFinite(f0) {
		return k
	}
	level := f0 - r.Exp1()
	above := func(d int) bool { // at distance d from k
		j := k + d
		return d < 0 == (j < k) && j >= lo && j <= hi && logf(j) > level
	}
	const doublings = 60
	l, u := 0, 1 // the interval is l..u-1
	for n := 0; n < doublings && (above(l) || above(u-1)); n++ {
		if r.Uint64()>>63 == 0 {
			l -= u - l
		} else {
			u += u - l
		}
	}
	for a, b := l, u; ; {
		d := a + r.IntN(b-a)
		switch {
		case d == 0 || above(d) && doublingReaches(d, l, u, above):
			return k + d
		case d < 0:
			a = d + 1
		default:
			b = d
		}
	}
}

// doublingReaches reports whether doubling from d could have arrived at l..u-1 as it did from 0, without stopping before:
// Neal (2003), figure 6.
func doublingReaches(d, l, u int, above func(int) bool) bool {
	for differ := false; u-l > 1; {
		m := l + (u-l)/2
		differ = differ || (0 < m) != (d < m)
		if d < m {
			u = m
		} else {
			l = m
		}
		if differ && !above(l) && !above(u-1) {
			return false
		}
	}
	return true
}
