package runtime

// This file holds the Binomial distribution.

import "math"

// Binomial draws the number of successes in n trials of probability p; -1 unless n >= 0 and p is in [0, 1].
func (r *Rand) Binomial(n int, p float64) int {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return -1
	case p > 0.5:
		return n - r.binomial(n, 1-p)
	}
	return r.binomial(n, p)
}

// binomial does so for p <= 1/2.
func (r *Rand) binomial(n int, p float64) int {
	if n == 0 || p == 0 {
		return 0
	}
	nf := float64(n)
	if nf*p < 10 {
		// Successes by their waiting times, which are geometric: Devroye (1986), X.4.3.
		k, left, c := 0, nf, math.Log1p(-p)
		for {
			left -= math.Floor(-r.Exp1()/c) + 1
			if left < 0 {
				return k
			}
			k++
		}
	}
	// Hörmann (1993), algorithm BTRS: transformed rejection with a squeeze.
	q := 1 - p
	spq := math.Sqrt(nf * p * q)
	b := 1.15 + 2.53*spq
	a := -0.0873 + 0.0248*b + 0.01*p
	c := nf*p + 0.5
	vr := 0.92 - 4.2/b
	alpha := (2.83 + 5.1/b) * spq
	m := math.Floor((nf + 1) * p)
	top := logBinomial(m, nf-m, p, q)
	for {
		u, v := r.Open01()-0.5, r.Open01()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + c)
		if us >= 0.07 && v <= vr {
			return int(k)
		}
		if k < 0 || k > nf {
			continue
		}
		if math.Log(v*alpha/(a/(us*us)+b)) <= logBinomial(k, nf-k, p, q)-top {
			return int(k)
		}
	}
}

// BinomialLogPMF returns the log probability of k successes in n trials of probability p: -Inf for k outside 0..n.
func BinomialLogPMF(k, n int, p float64) float64 {
	if n < 0 || !(p >= 0 && p <= 1) {
		return nan()
	}
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	switch {
	case n == 0, p == 0 && k == 0, p == 1 && k == n:
		return 0
	case p == 0 || p == 1:
		return math.Inf(-1)
	}
	return logBinomial(float64(k), float64(n-k), p, 1-p)
}
