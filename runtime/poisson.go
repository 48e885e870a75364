package runtime

// This file holds the Poisson distribution.

import "math"

// Poisson draws k with probability rate^k exp(-rate)/k!. The rate may be 0; -1 for an invalid one, or one above 2^62.
func (r *Rand) Poisson(rate float64) int {
	if !(rate >= 0 && rate <= 0x1p62) {
		return -1
	}
	if rate < 10 {
		k := 0
		for t := r.Exp1(); t < rate; t += r.Exp1() {
			k++
		}
		return k
	}
	// Hörmann (1993), algorithm PTRS: transformed rejection with a squeeze.
	b := 0.931 + 2.53*math.Sqrt(rate)
	a := -0.059 + 0.02483*b
	invAlpha := 1.1239 + 1.1328/(b-3.4)
	vr := 0.9277 - 3.6224/(b-2)
	for {
		u, v := r.Open01()-0.5, r.Open01()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + rate + 0.43)
		if us >= 0.07 && v <= vr {
			return int(k)
		}
		if k < 0 || k > 0x1p62 || us < 0.013 && v > us {
			continue
		}
		if math.Log(v*invAlpha/(a/(us*us)+b)) <= logPoisson(k, rate) {
			return int(k)
		}
	}
}

// PoissonLogPMF returns the log probability of k under Poisson(rate): -Inf for k < 0.
func PoissonLogPMF(k int, rate float64) float64 {
	if !(rate >= 0 && rate <= huge) {
		return nan()
	}
	if k < 0 {
		return math.Inf(-1)
	}
	if rate == 0 {
		if k == 0 {
			return 0
		}
		return math.Inf(-1)
	}
	return logPoisson(float64(k), rate)
}
