// This file holds the Normal on one side of a point, the inner loop of probit models.

package runtime

import "math"

// NormalSide draws from Normal(mean, 1) on the side of at that above says: (at, ∞) or (-∞, at).
func (r *Rand) NormalSide(mean, at float64, above bool) float64 {
	sign := 2*Indicator(above) - 1
	m := sign * (mean - at)
	if m >= 0 {
		for { // at least half of the draws are on that side
			if x := m + r.Norm(); x > 0 {
				return at + sign*x
			}
		}
	}
	return at + sign*r.positiveNormal(m)
}

// NormalSideNat draws x with density ∝ exp(h·x - prec·x²/2), prec > 0, on one side of at.
func (r *Rand) NormalSideNat(h, prec, at float64, above bool) float64 {
	if !isPositive(prec) {
		lo, hi := math.Inf(-1), at
		if above {
			lo, hi = at, math.Inf(1)
		}
		return r.TruncNormalNat(h, prec, lo, hi)
	}
	sd := 1 / math.Sqrt(prec)
	sign := 2*Indicator(above) - 1
	return at + sign*sd*r.positiveNormal(sign*(h/prec-at)/sd)
}

// positiveNormal draws from Normal(mean, 1) on (0, ∞).
func (r *Rand) positiveNormal(mean float64) float64 {
	if mean >= 0 {
		for { // at least half of the draws are positive
			if x := mean + r.Norm(); x > 0 {
				return x
			}
		}
	}
	if !(mean > -1e9) {
		return r.farNormal(mean)
	}
	// Robert (1995): exponential proposals of the rate that accepts most, at least 0.76.
	rate := (math.Sqrt(mean*mean+4) - mean) / 2
	for {
		x := r.Exp1() / rate
		if d := x - mean - rate; 2*r.Exp1() > d*d {
			return x
		}
	}
}

// farNormal is positiveNormal for a mean so far below 0 that x²/2 is below 1e-15 of mean·x, or no number.
func (r *Rand) farNormal(mean float64) float64 {
	if mean != mean {
		return nan()
	}
	return r.truncExp(-mean, math.Inf(1))
}
