package runtime

// This file holds the truncated Normal distribution, exact however far out in the tails.

import "math"

// tries bounds every rejection loop whose acceptance is known to exceed 0.2: legitimate draws never come near it, and what
// rounding has made impossible (an interval with no float64 inside) ends.
const tries = 1000

// TruncNormalNat draws x with density ∝ exp(h·x - prec·x²/2) on (lo, hi). Bounds may be infinite. prec = 0 is the exponential
// between the bounds, prec < 0 a density with its mass at the ends, which needs both bounds finite. It is NaN where the
// density is improper; where lo equals hi that is the draw.
//
// Where the mode is inside a wide interval it rejects from the Normal. Elsewhere it draws the excess over the nearer bound
// from an exponential, as in Robert (1995) and Chopin (2011), so that nothing cancels: N(0, 1) on (40, ∞) and N(-1e10, 1) on
// (0, ∞) keep all their digits.
func (r *Rand) TruncNormalNat(h, prec, lo, hi float64) float64 {
	root := math.Sqrt(prec)
	m := h / root // mean in units of sd
	if !(lo < hi) || !isPositive(root) || !isFinite(m) {
		return r.truncNormalEdge(h, prec, lo, hi)
	}
	sd := 1 / root
	a, b := lo*root-m, hi*root-m
	if a < 0 && b > 0 && b-a > 2 {
		// P(accept) >= 0.47, its value for (0, 2).
		mean := m * sd
		for range tries {
			if x := mean + sd*r.Norm(); x > lo && x < hi {
				return x
			}
		}
		return r.truncNormalEdge(h, prec, lo, hi)
	}
	w := (hi - lo) * root
	switch {
	case a >= 0:
		return inside(lo+sd*r.normExcess(a, w), lo, hi)
	case b <= 0:
		return inside(hi-sd*r.normExcess(-b, w), lo, hi)
	}
	// The mode is inside a short interval: P(accept) >= 0.59 from the uniform.
	z := 0.0
	for range tries {
		e := w * r.Open01()
		if z = a + e; 2*r.Exp1() > z*z {
			return inside(lo+sd*e, lo, hi)
		}
	}
	return inside(lo+sd*(z-a), lo, hi)
}

// normExcess draws e in (0, w) with density ∝ exp(-a·e - e²/2), a >= 0: the excess of a standard Normal over a.
func (r *Rand) normExcess(a, w float64) float64 {
	if a > 1e9 {
		return r.truncExp(a, w) // e²/2 is below 1e-15 of a·e
	}
	if w < 1 {
		// P(accept) >= exp(-1/2).
		for {
			if e := r.truncExp(a, w); 2*r.Exp1() > e*e {
				return e
			}
		}
	}
	// Robert's rate, which maximises the acceptance of the one-sided case: at least 0.76.
	rate := (a + math.Sqrt(a*a+4)) / 2
	for {
		e := r.Exp1() / rate
		if d := e + a - rate; e < w && 2*r.Exp1() > d*d {
			return e
		}
	}
}

// truncNormalEdge takes what is not a proper Normal between distinct bounds.
func (r *Rand) truncNormalEdge(h, prec, lo, hi float64) float64 {
	switch {
	case !(lo <= hi) || !isFinite(h) || !isFinite(prec):
		return nan()
	case lo == hi || prec == 0:
		return r.TruncExpNat(h, lo, hi)
	case prec > 0: // overflow of the mean, or a wide interval with no number inside
		mean := h / prec
		if !isFinite(mean) {
			return nan()
		}
		return inside(mean, lo, hi)
	case isFinite(lo) && isFinite(hi):
		return r.valley(h, -prec, lo, hi)
	}
	return nan()
}

// valley draws x with density ∝ exp(h·x + p·x²/2) on the finite (lo, hi), p > 0, by rejection from the exponentials through
// the ends of each of its two slopes. A convex function is below its chords; P(accept) is about 1/2 at worst.
func (r *Rand) valley(h, p, lo, hi float64) float64 {
	bottom := min(max(-h/p, lo), hi)
	d1, d2 := bottom-lo, hi-bottom
	s1, s2 := -(h + p*(lo+d1/2)), h+p*(hi-d2/2) // steepness of the chords, outward
	s1, s2 = max(s1, 0), max(s2, 0)
	// Both slopes have the same bottom unless it is an end, where the other slope has length 0.
	left := Logistic(logMeanExp(s1*d1) + math.Log(d1) - logMeanExp(s2*d2) - math.Log(d2))
	for range tries {
		var x, under float64
		if r.Float64() < left {
			e := r.truncExp(s1, d1)
			x, under = lo+e, e*(d1-e)
		} else {
			e := r.truncExp(s2, d2)
			x, under = hi-e, e*(d2-e)
		}
		if r.Exp1() > p/2*under {
			return inside(x, lo, hi)
		}
	}
	return nan()
}

// logMeanExp returns log of the mean of exp over (0, x), x >= 0: log((exp(x)-1)/x).
func logMeanExp(x float64) float64 {
	if x < 1e-8 {
		return x / 2
	}
	return x + math.Log(-math.Expm1(-x)/x)
}
