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
	return r.pickRunning(run, total)
}

// pickRunning returns the first k whose running sum exceeds a uniform share of the total. Floats that are not negative
// compare as their bits do, so it counts sums without a branch to mispredict.
func (r *Rand) pickRunning(run []float64, total float64) int {
	if !(total > 0 && total <= math.MaxFloat64) {
		return -1
	}
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
		if Ordinary(l) {
			pow, rest := ExpParts(l)
			total += pow + pow*Expm1Small(rest)
		} else if !(l < 0) {
			total = math.Inf(1)
		}
		run[k] = total
	}
	return r.PickRunning(w, run, total)
}

// PickRunning is PickLog where run already holds the running sums of exp(w[k]), and total the last of them. A total that is
// not an ordinary number means that the weights under- or overflow as they are.
func (r *Rand) PickRunning(w, run []float64, total float64) int {
	if !(total > 0x1p-900 && total <= math.MaxFloat64) {
		return r.pickFar(w, run)
	}
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

// An exponential function in two halves, each small enough to be inlined, so that one argument's arithmetic overlaps with
// the next one's: with x = k·ln2/64 + r, |r| <= ln2/128, exp(x) = 2^(k/64)·exp(r).

const (
	leastExp = -708.0 // below, exp is no normal number
	mostExp  = 700.0
	perStep  = 64 / math.Ln2
	// ln2/64 in two parts, the first short enough that k times it is exact.
	stepHi = 0x1.62e42fefap-7
	stepLo = 0x1.cf79abc9e3b39p-46
	// Adding it rounds to an integer, which then stands in the low bits.
	toInteger = 0x1.8p52
)

// pow2 holds the bits of 2^(j/64), less j<<46, so that adding k<<46 to entry k mod 64 gives the bits of 2^(k/64).
var pow2 = func() (t [64]uint64) {
	for j := range t {
		t[j] = math.Float64bits(math.Exp2(float64(j)/64)) - uint64(j)<<46
	}
	return t
}()

// Ordinary reports whether exp(x) is a number that ExpParts takes: neither underflows nor overflows.
func Ordinary(x float64) bool { return x >= leastExp && x <= mostExp }

// ExpParts splits exp(x), Ordinary(x): it is pow + pow·Expm1Small(r), within an ulp or so.
func ExpParts(x float64) (pow, r float64) {
	shifted := x*perStep + toInteger
	k := shifted - toInteger
	b := math.Float64bits(shifted)
	return math.Float64frombits(pow2[b%64] + b<<46), x - k*stepHi - k*stepLo
}

// Expm1Small returns exp(r) - 1 for |r| <= ln2/128 by Taylor's polynomial.
func Expm1Small(r float64) float64 {
	r2 := r * r
	return r + r2*(0.5+r*(1.0/6)+r2*(1.0/24+r*(1.0/120)))
}
