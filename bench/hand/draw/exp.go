// This file holds an exponential function small enough to be inlined: some four
// times as fast as math.Exp, as one argument's arithmetic overlaps with the next
// one's.
//
// With x = k·ln2/256 + r, |r| <= ln2/512, it is exp(x) = 2^(k/256)·exp(r).

package draw

import "math"

// exp2Table[j] holds the bits of 2^(j/256), less j<<44, so that adding k<<44 to
// entry k mod 256 gives the bits of 2^(k/256).
var exp2Table = func() (t [256]uint64) {
	for j := range t {
		t[j] = math.Float64bits(math.Exp2(float64(j)/256)) - uint64(j)<<44
	}
	return t
}()

// Adding and subtracting it rounds to an integer, which stands in its low bits.
const round = 0x1.8p52

// LeastExp is the least argument that Exp takes; below, exp is no normal number.
const LeastExp = -708

// Exp returns exp(x), LeastExp <= x <= 700, by Taylor's polynomial of degree 4, to a
// relative error of 2^-52·(1 + |x|): what rounding x makes of it.
func Exp(x float64) float64 {
	shifted := x*(256/math.Ln2) + round
	r := x - (shifted-round)*(math.Ln2/256)
	bits := math.Float64bits(shifted)
	pow := math.Float64frombits(exp2Table[bits%256] + bits<<44)
	return pow + pow*(r+r*r*(0.5+r*(1.0/6)+r*r*(1.0/24)))
}
