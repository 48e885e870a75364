package runtime

// This file holds the Chinese restaurant process: the distribution of the partition that draws from a GEM make.

import "math"

// CRPLogPMF returns the log probability that n = Σ counts customers sit at tables of these sizes, as one given partition of
// them, under the Chinese restaurant process of concentration alpha:
//
//	Γ(alpha) / Γ(alpha + n) · alpha^K · Π_k Γ(counts[k]),
//
// K the number of tables that are not empty (Antoniak 1974; Pitman 1996). Empty ones count for nothing. NaN if alpha is not
// positive or a count is negative.
func CRPLogPMF(counts []int, alpha float64) float64 {
	if !isPositive(alpha) {
		return nan()
	}
	n, tables, s := 0, 0, 0.0
	for _, c := range counts {
		if c < 0 {
			return nan()
		}
		if c > 0 {
			n += c
			tables++
			s += LgammaF(float64(c))
		}
	}
	if n == 0 {
		return 0
	}
	return s + float64(tables)*math.Log(alpha) + LgammaF(alpha) - LgammaF(alpha+float64(n))
}

// CRP draws the table of the next customer where counts[k] sit at table k: k with probability ∝ counts[k], a new table, len(counts),
// with probability ∝ alpha.
func (r *Rand) CRP(counts []int, alpha float64) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	u := r.Float64() * (alpha + float64(n))
	for k, c := range counts {
		if u -= float64(c); u < 0 {
			return k
		}
	}
	return len(counts)
}
