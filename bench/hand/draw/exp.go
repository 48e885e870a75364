// This file holds an exponential function in two halves, each small enough to be
// inlined: some four times as fast as math.Exp, as one argument's arithmetic
// overlaps with the next one's.
//
// With x = k·ln2/64 + r, |r| <= ln2/128, it is exp(x) = 2^(k/64)·exp(r).

package draw

import "math"

// exp2Table[j] holds the bits of 2^(j/64), less j<<46, so that adding k<<46 to
// entry k mod 64 gives the bits of 2^(k/64).
var exp2Table = func() (t [64]uint64) {
	for j := range t {
		t[j] = math.Float64bits(math.Exp2(float64(j)/64)) - uint64(j)<<46
	}
	return t
}()

const (
	perLn2 = 64 / math.Ln2
	// ln2/64 in two parts: the first short enough that k times it is exact.
	stepHi = 0x1.62e42fefap-7
	stepLo = 0x1.cf79abc9e3b39p-46
	// Adding and subtracting it rounds to an integer, which stands in its low bits.
	round = 0x1.8p52
)

// LeastExp is the least argument that ExpParts takes; below, exp is no normal number.
const LeastExp = -708

// ExpParts splits exp(x), LeastExp <= x <= 700: it is pow + pow·Expm1(r), to 1 unit
// in the last place or so.
func ExpParts(x float64) (pow, r float64) {
	shifted := x*perLn2 + round
	k := shifted - round
	bits := math.Float64bits(shifted)
	return math.Float64frombits(exp2Table[bits%64] + bits<<46), x - k*stepHi - k*stepLo
}

// Expm1 returns exp(r) - 1 for |r| <= ln2/128, by Taylor's polynomial of degree 5.
func Expm1(r float64) float64 {
	r2 := r * r
	return r + r2*(0.5+r*(1.0/6)+r2*(1.0/24+r*(1.0/120)))
}
