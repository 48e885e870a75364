// This file holds the choice of a category from weights, in the inner loops of enumerated conditionals.

package runtime

import "math"

// Pick returns k with probability proportional to w[k] >= 0; run is scratch of at least w's length. It returns -1 if the
// sum of the weights is not a positive finite number.
func (r *Rand) Pick(w, run []float64) int {
	if len(w) > 16 {
		return r.pickBlocks(w, run)
	}
	run = run[:len(w)]
	var total float64
	for k, x := range w {
		total += x
		run[k] = total
	}
	if !(total > 0 && total <= math.MaxFloat64) {
		return -1
	}
	return r.pickRunning(run, total)
}

// pickRunning returns the first k whose running sum exceeds a uniform share of the total, a positive number. Floats that are not negative
// compare as their bits do, so it counts sums without a branch to mispredict.
func (r *Rand) pickRunning(run []float64, total float64) int {
	u := math.Float64bits(r.Float64() * total)
	k := len(run) - 1
	for _, v := range run[:k] {
		k -= int((u - math.Float64bits(v)) >> 63)
	}
	if u >= math.Float64bits(total) {
		k = lastWeighted(run) // u rounded up to the total
	}
	return k
}

// pickBlocks sums blocks of eight, whose additions do not wait for each other, and searches blocks first.
func (r *Rand) pickBlocks(w, run []float64) int {
	n := len(w) / 8
	cum := run[:n+1]
	var total float64
	for j := range n {
		b := w[j*8:][:8]
		total += ((b[0] + b[1]) + (b[2] + b[3])) + ((b[4] + b[5]) + (b[6] + b[7]))
		cum[j] = total
	}
	for _, x := range w[n*8:] {
		total += x
	}
	cum[n] = total
	return r.pickBlock(w, cum, total)
}

// PickProducts is PickProduct for weights x[k]·y[k].
func (r *Rand) PickProducts(w, run, x, y []float64) int {
	n := len(w) / 8
	x, y = x[:len(w)], y[:len(w)]
	if n == 0 {
		for k := range w {
			w[k] = x[k] * y[k]
		}
		return r.Pick(w, run)
	}
	run = run[:n+1]
	var total float64
	for j := range run[:n] {
		wb, xb, yb := w[j*8:][:8], x[j*8:][:8], y[j*8:][:8]
		p0, p1, p2, p3 := xb[0]*yb[0], xb[1]*yb[1], xb[2]*yb[2], xb[3]*yb[3]
		p4, p5, p6, p7 := xb[4]*yb[4], xb[5]*yb[5], xb[6]*yb[6], xb[7]*yb[7]
		wb[0], wb[1], wb[2], wb[3] = p0, p1, p2, p3
		wb[4], wb[5], wb[6], wb[7] = p4, p5, p6, p7
		total += ((p0 + p1) + (p2 + p3)) + ((p4 + p5) + (p6 + p7))
		run[j] = total
	}
	for k := n * 8; k < len(w); k++ {
		p := x[k] * y[k]
		w[k] = p
		total += p
	}
	run[n] = total
	return r.pickBlock(w, run, total)
}

// pickBlock searches the running sums of blocks of eight, then the block.
func (r *Rand) pickBlock(w, cum []float64, total float64) int {
	if !(total > 0 && total <= math.MaxFloat64) {
		return -1
	}
	n := len(cum) - 1
	u := r.Float64() * total
	ub := math.Float64bits(u)
	j := n
	for _, v := range cum[:n] {
		j -= int((ub - math.Float64bits(v)) >> 63)
	}
	if j > 0 {
		u -= cum[j-1]
	}
	ub = math.Float64bits(u)
	rest := w[j*8:]
	if len(rest) > 8 {
		rest = rest[:8]
	}
	k := j*8 + len(rest)
	var c float64
	for _, x := range rest {
		c += x
		k -= int((ub - math.Float64bits(c)) >> 63)
	}
	k = min(k, len(w)-1)
	for k > 0 && w[k] == 0 {
		k-- // rounding went past the last category with weight
	}
	return k
}

// PickLog returns k with probability proportional to exp(w[k]); run is scratch of at least w's length. It returns -1 if
// no weight is positive or one is not a number.
func (r *Rand) PickLog(w, run []float64) int {
	run = run[:len(w)]
	var total float64
	for k, l := range w {
		if l >= leastExp && l <= mostExp {
			total += quickExp(l)
		} else if !(l < 0) {
			total = math.Inf(1)
		}
		run[k] = total
	}
	if !(total > 0x1p-900 && total <= math.MaxFloat64) {
		return r.pickFar(w, run)
	}
	return r.pickRunning(run, total)
}

// lastWeighted returns the last category that adds to the running sums.
func lastWeighted(run []float64) int {
	k := len(run) - 1
	for k > 0 && run[k] == run[k-1] {
		k--
	}
	return k
}

// PickProduct returns k with probability proportional to w[k] = x[k]·(c + y[k]), which it leaves in w; run is scratch. The
// lengths of x and y are those of w. It returns -1 if the sum of the weights is not a positive finite number.
func (r *Rand) PickProduct(w, run, x, y []float64, c float64) int {
	n := len(w) / 8
	if n > 0 {
		x, y = x[:len(w)], y[:len(w)]
		run = run[:n+1]
	}
	if n == 0 {
		for k := range w {
			w[k] = x[k] * (c + y[k])
		}
		return r.Pick(w, run)
	}
	var total float64
	for j := range run[:n] {
		wb, xb, yb := w[j*8:][:8], x[j*8:][:8], y[j*8:][:8]
		p0, p1, p2, p3 := xb[0]*(c+yb[0]), xb[1]*(c+yb[1]), xb[2]*(c+yb[2]), xb[3]*(c+yb[3])
		p4, p5, p6, p7 := xb[4]*(c+yb[4]), xb[5]*(c+yb[5]), xb[6]*(c+yb[6]), xb[7]*(c+yb[7])
		wb[0], wb[1], wb[2], wb[3] = p0, p1, p2, p3
		wb[4], wb[5], wb[6], wb[7] = p4, p5, p6, p7
		total += ((p0 + p1) + (p2 + p3)) + ((p4 + p5) + (p6 + p7))
		run[j] = total
	}
	for k := n * 8; k < len(w); k++ {
		p := x[k] * (c + y[k])
		w[k] = p
		total += p
	}
	run[n] = total
	return r.pickBlock(w, run, total)
}

// pickFar is PickLog for weights that under- or overflow as they are: relative to the largest.
func (r *Rand) pickFar(w, run []float64) int {
	most := math.Inf(-1)
	for _, l := range w {
		if l != l {
			return -1
		}
		most = max(most, l)
	}
	if math.IsInf(most, 0) {
		return -1
	}
	var total float64
	for k, l := range w {
		total += math.Exp(l - most)
		run[k] = total
	}
	return r.pickRunning(run, total)
}

// exp's fast form: with x = k·ln2/256 + r, |r| <= ln2/512, exp(x) = 2^(k/256)·exp(r), and exp(r) by Taylor's polynomial of
// degree 4, whose error is below 4e-17.

const (
	leastExp = -708.0 // below, exp is no normal number
	mostExp  = 700.0
	expSteps = 256
	expBits  = 8
	// Adding it rounds to an integer, which then stands in the low bits.
	toInteger = 0x1.8p52
)

// pow2 holds the bits of 2^(j/256), less j<<44, so that adding k<<44 to entry k mod 256 gives the bits of 2^(k/256).
var pow2 = func() (t [expSteps]uint64) {
	for j := range t {
		t[j] = math.Float64bits(math.Exp2(float64(j)/expSteps)) - uint64(j)<<(52-expBits)
	}
	return t
}()

// quickExp returns exp(x), leastExp <= x <= mostExp, to a relative error of 2^-52·(1 + |x|): what the rounding of x itself
// makes of it.
func quickExp(x float64) float64 {
	shifted := x*(expSteps/math.Ln2) + toInteger
	r := x - (shifted-toInteger)*(math.Ln2/expSteps)
	b := math.Float64bits(shifted)
	pow := math.Float64frombits(pow2[b%expSteps] + b<<(52-expBits))
	return pow + pow*(r+r*r*(0.5+r*(1.0/6)+r*r*(1.0/24)))
}
