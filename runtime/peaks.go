// This file holds what watches sums that are kept by differences: what was large in one leaves its rounding errors behind, and so do references
// that are far from what they are of.

package runtime

import "math"

// shrunk is the part of its largest size below which a sum is taken anew. A term of size P that comes and goes leaves about 1e-16 P in
// it, and so does each term that comes or goes meanwhile: at 1e-7 P that is 1e-9 of the sum, or with very many of them 1e-7. A sum of terms
// of both signs comes that near to 0 by chance at one look in ten million; then one of 1e6 terms costs as much, on average, as a tenth of a
// term at each look.
const shrunk = 1e-7

// SetPeaks begins anew: the sums, which were just taken from scratch, are as large as they were so far. There are as many peaks.
func SetPeaks(peaks []float64, sums ...float64) {
	for i, x := range sums {
		peaks[i] = math.Abs(x)
	}
}

// Shrunk reports whether one of the sums is so much smaller than its peak, the largest size that it had here or in SetPeaks, that it is to
// be taken from scratch, or is no number at all. It raises peaks that are exceeded.
func Shrunk(peaks []float64, sums ...float64) bool {
	peaks = peaks[:len(sums)]
	for i, x := range sums {
		switch a := math.Abs(x); {
		case a > peaks[i]:
			peaks[i] = a
		case !(a >= shrunk*peaks[i]):
			return true
		}
	}
	return false
}

// strayed is how many times larger or smaller than its reference a positive number is that has left it far behind. Squares about a product of
// two references, of which one has been left so far, lose six digits.
const strayed = 1e3

// Strayed reports whether one of the positive numbers is so far from its reference that all sums are to be taken about other ones. There are as
// many references.
func Strayed(refs []float64, now ...float64) bool {
	refs = refs[:len(now)]
	for i, x := range now {
		if x > strayed*refs[i] || x*strayed < refs[i] {
			return true
		}
	}
	return false
}
