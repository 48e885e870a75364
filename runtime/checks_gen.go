package runtime

// This file holds further checks that generated constructors make: sizes, and bounds that depend on other values.

import (
	"fmt"
	"math"
	"sort"
)

// maxSize is the largest size of a plate: its elements are numbered by int32.
const maxSize = math.MaxInt32

// maxElements is more elements than one array can be meant to have.
const maxElements = 1 << 40

// Size reports a plate's size that is below least, or more than an int32 can count.
func Size(name string, n, least int) error {
	switch {
	case n > maxSize:
		return fmt.Errorf("%s: size %d is above %d", name, n, maxSize)
	case n < least && least == 1:
		return fmt.Errorf("%s: size %d is not positive", name, n)
	case n < least:
		return fmt.Errorf("%s: size %d, but the model speaks of element %d", name, n, least)
	}
	return nil
}

// Lengths reports lengths of a ragged plate's parts that are not as many as there are parents, negative or below least, or
// in total more than an int32 can count.
func Lengths(name string, lengths []int, parents, least int) error {
	if len(lengths) != parents {
		return fmt.Errorf("%s: %d lengths, want %d", name, len(lengths), parents)
	}
	total := 0
	for i, n := range lengths {
		switch {
		case n < 0:
			return fmt.Errorf("%s: length %d is negative", element(name, i, len(lengths)), n)
		case n < least:
			return fmt.Errorf("%s: length %d, but the model speaks of element %d", element(name, i, len(lengths)), n, least)
		case n > maxSize-total:
			return fmt.Errorf("%s: the lengths add up to more than %d", name, maxSize)
		}
		total += n
	}
	return nil
}

// Offsets returns where the parts of a ragged plate begin in a flat array, and where the last one ends.
func Offsets(lengths []int) []int {
	at := make([]int, len(lengths)+1)
	for i, n := range lengths {
		at[i+1] = at[i] + n
	}
	return at
}

// ListOf returns which part of a ragged plate the i-th element of all belongs to; offsets are those of the parts.
func ListOf(offsets []int, i int) int { return sort.SearchInts(offsets, i+1) - 1 }

// Extent returns the product of sizes, or MaxInt if it overflows or one of them is negative.
func Extent(sizes ...int) int {
	out := 1
	for _, n := range sizes {
		if n < 0 || n > 0 && out > math.MaxInt/n {
			return math.MaxInt
		}
		out *= n
	}
	return out
}

// Room reports an array of so many elements that no machine has room for it.
func Room(name string, n int) error {
	if n > maxElements {
		return fmt.Errorf("%s: too many elements", name)
	}
	return nil
}

// OneMore reports that a plate of categories has not one element more than there are cutpoints.
func OneMore(name string, n int, cuts string, k int) error {
	if n != k+1 {
		return fmt.Errorf("%s: size %d, but %d cutpoints (%s) make %d categories", name, n, k, cuts, k+1)
	}
	return nil
}

// Within reports that x, element ix (from 0) of name, does not lie between lo and hi, each of which it may equal if closed. Infinite
// bounds are none; x must be finite.
func Within(name string, x, lo, hi float64, loClosed, hiClosed bool, ix ...int) error {
	if isFinite(x) && (x > lo || loClosed && x == lo) && (x < hi || hiClosed && x == hi) {
		return nil
	}
	left, right := "(", ")"
	if loClosed {
		left = "["
	}
	if hiClosed {
		right = "]"
	}
	return fmt.Errorf("%s: %v is not in %s%v, %v%s", ElementName(name, ix...), x, left, lo, hi, right)
}

// CountWithin reports that x, element ix (from 0) of name, is not in lo..hi.
func CountWithin(name string, x, lo, hi int, ix ...int) error {
	switch {
	case x >= lo && x <= hi:
		return nil
	case hi == math.MaxInt:
		return fmt.Errorf("%s: %d is less than %d", ElementName(name, ix...), x, lo)
	}
	return fmt.Errorf("%s: %d is not in %d..%d", ElementName(name, ix...), x, lo, hi)
}

// SumsTo reports that the counts xs, row ix (from 0) of name, do not add up to n.
func SumsTo(name string, xs []int, n int, ix ...int) error {
	sum := 0
	for _, x := range xs {
		sum += x
	}
	if sum != n {
		return fmt.Errorf("%s: the counts add up to %d, not %d", ElementName(name, ix...), sum, n)
	}
	return nil
}

// InUse reports that of the k categories in use of an unbounded plate one has no element, or that k is not positive.
func InUse(name string, k int, cats ...[]int32) error {
	total := 0
	for _, xs := range cats {
		total += len(xs)
	}
	if k < 0 || k > total || k == 0 && total > 0 {
		return fmt.Errorf("%s: %d in use, want 1..%d", name, k, total)
	}
	used := make([]bool, k)
	for _, xs := range cats {
		for _, x := range xs {
			if x >= 0 && int(x) < k {
				used[x] = true
			}
		}
	}
	for i, u := range used {
		if !u {
			return fmt.Errorf("%s: category %d of %d in use has no element", name, i+1, k)
		}
	}
	return nil
}

// Increasing reports the first element of xs that is not greater than the one before it in its row of length k.
func Increasing(name string, xs []float64, k int) error {
	for i := 1; i < len(xs); i++ {
		if i%k != 0 && !(xs[i] > xs[i-1]) {
			return fmt.Errorf("%s: %v is not greater than %v before it", cell(name, i/k, i%k, len(xs)/k), xs[i], xs[i-1])
		}
	}
	return nil
}

// Ordered reports whether each row of xs, of length k, strictly increases.
func Ordered(xs []float64, k int) bool { return Increasing("", xs, k) == nil }

// CutCategory returns how many of the ordered cutpoints lie below x: the category, from 0, that they put x in.
func CutCategory(x float64, cuts []float64) int {
	k := 0
	for k < len(cuts) && x > cuts[k] {
		k++
	}
	return k
}
