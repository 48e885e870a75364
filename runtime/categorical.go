package runtime

// This file holds the Categorical, Bernoulli and Multinomial distributions.

import "math"

// Categorical draws k with probability w[k]/Σw. The weights must not be negative. It returns -1 if their sum is 0, NaN or Inf.
func (r *Rand) Categorical(w []float64) int { return r.pick(w, sumOf(w)) }

// CategoricalLog draws k with probability ∝ exp(logw[k]) and OVERWRITES logw with weights of which the largest is 1. It returns
// -1 if none is finite, or any is NaN or +Inf.
func (r *Rand) CategoricalLog(logw []float64) int {
	top := math.Inf(-1)
	for _, v := range logw {
		if !(v <= top) {
			top = v
			if v != v {
				break
			}
		}
	}
	if !isFinite(top) {
		return -1
	}
	sum := 0.0
	for k, v := range logw {
		e := math.Exp(v - top)
		logw[k] = e
		sum += e
	}
	return r.pick(logw, sum)
}

// pick walks w until it has passed a uniform fraction of sum: by eights first, since within a block the additions overlap.
func (r *Rand) pick(w []float64, sum float64) int {
	if !isPositive(sum) {
		return -1
	}
	u := sum * r.Float64()
	k := 0
	for len(w)-k >= 16 {
		b := w[k : k+8 : k+8]
		s := (b[0] + b[1]) + (b[2] + b[3]) + ((b[4] + b[5]) + (b[6] + b[7]))
		if u < s {
			break
		}
		u -= s
		k += 8
	}
	for ; k < len(w); k++ {
		if u -= w[k]; u < 0 {
			return k
		}
	}
	for k = len(w) - 1; k > 0 && w[k] == 0; k-- { // rounding ate the last of it
	}
	return k
}

// sumOf adds in four sums that the processor may overlap.
func sumOf(x []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(x) >= 4 {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		x = x[4:]
	}
	for _, v := range x {
		s0 += v
	}
	return (s0 + s1) + (s2 + s3)
}

// CategoricalLogPMF returns log p[k]: -Inf for k outside p. p must be a probability vector; only its element k is looked at.
func CategoricalLogPMF(k int32, p []float64) float64 {
	if k < 0 || int(k) >= len(p) {
		return math.Inf(-1)
	}
	if !(p[k] >= 0 && p[k] <= 1+1e-8) {
		return nan()
	}
	return math.Log(p[k])
}

// Bernoulli draws true with probability p; false for an invalid p.
func (r *Rand) Bernoulli(p float64) bool { return r.Float64() < p }

// BernoulliLogPMF returns log p or log(1-p).
func BernoulliLogPMF(y bool, p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return nan()
	}
	if y {
		return math.Log(p)
	}
	return math.Log1p(-p)
}

// BernoulliProbitLogPMF returns log P(y) for y ~ Bernoulli(Φ(x)), however far out x is.
func BernoulliProbitLogPMF(y bool, x float64) float64 {
	if !y {
		x = -x
	}
	return LogNormalCDF(x)
}

// BernoulliLogitLogPMF returns log P(y) for y ~ Bernoulli(1 / (1 + exp(-x))), however far out x is.
func BernoulliLogitLogPMF(y bool, x float64) float64 {
	if !y {
		x = -x
	}
	return LogLogistic(x)
}

// XLogY returns x·log y, which is 0 for x = 0 whatever y is.
func XLogY(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log(y)
}

// XTimes returns x·l, which is 0 for x = 0 even where l is infinite, as the logarithm of 0 is.
func XTimes(x, l float64) float64 {
	if x == 0 {
		return 0
	}
	return x * l
}

// Multinomial puts into dst how often each category came up in n trials with probabilities ∝ p, by conditional Binomials. It
// fills dst with -1 if n < 0 or the probabilities are negative, or their sum 0, NaN or Inf.
func (r *Rand) Multinomial(dst []int, n int, p []float64) {
	p = p[:len(dst)]
	rest, bad := 0.0, n < 0
	for _, v := range p {
		rest += v
		bad = bad || v < 0
	}
	if bad || !isPositive(rest) {
		for k := range dst {
			dst[k] = -1
		}
		return
	}
	last := len(p) - 1
	for p[last] == 0 {
		last--
	}
	clear(dst)
	for k, v := range p[:last] {
		if n == 0 {
			return
		}
		dst[k] = r.Binomial(n, min(v/rest, 1))
		n -= dst[k]
		rest -= v
	}
	dst[last] = n
}

// MultinomialLogPMF returns the log probability of counts k in n trials with probabilities p: -Inf unless k >= 0 sums to n.
func MultinomialLogPMF(k []int, n int, p []float64) float64 {
	p = p[:len(k)]
	if n < 0 {
		return nan()
	}
	s, sum, total, out := LgammaF(float64(n)+1), 0, 0.0, false
	for i, v := range k {
		if !(p[i] >= 0) {
			return nan()
		}
		total += p[i]
		sum += v
		if v < 0 || v > n {
			out = true
			continue
		}
		if v > 0 {
			s += float64(v)*math.Log(p[i]) - LgammaF(float64(v)+1)
		}
	}
	if !(math.Abs(total-1) <= 1e-8) {
		return nan()
	}
	if out || sum != n {
		return math.Inf(-1)
	}
	return s
}
