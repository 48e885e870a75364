package runtime

// This file holds the checks that generated constructors make of what they are given. Elements are counted from 1 in messages,
// as statisticians count.

import (
	"fmt"
	"math"
)

// Finite reports the first of xs that is NaN or infinite.
func Finite(name string, xs ...float64) error {
	return firstBad(name, xs, isFinite, "is not a finite number")
}

// Positive reports the first of xs that is not in (0, ∞).
func Positive(name string, xs ...float64) error {
	return firstBad(name, xs, isPositive, "is not positive")
}

// NonNegative reports the first of xs that is not in [0, ∞).
func NonNegative(name string, xs ...float64) error {
	return firstBad(name, xs, func(x float64) bool { return x >= 0 && x <= huge }, "is negative")
}

// InUnit reports the first of xs that is not in [0, 1].
func InUnit(name string, xs ...float64) error {
	return firstBad(name, xs, func(x float64) bool { return x >= 0 && x <= 1 }, "is not between 0 and 1")
}

// firstBad reports the first of xs that is not ok.
func firstBad(name string, xs []float64, ok func(float64) bool, what string) error {
	for i, x := range xs {
		if ok(x) {
			continue
		}
		if !isFinite(x) {
			what = "is not a finite number"
		}
		return fmt.Errorf("%s: %v %s", element(name, i, len(xs)), x, what)
	}
	return nil
}

// element names element i of n, from 1; a scalar needs no index.
func element(name string, i, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, i+1)
}

// Simplex reports the first row of xs (rows of length k) that is not a probability vector: an element outside [0, 1], or a sum
// off 1 by more than 1e-8.
func Simplex(name string, xs []float64, k int) error {
	if k < 1 || len(xs)%k != 0 {
		return fmt.Errorf("%s: %d elements are not rows of %d", name, len(xs), k)
	}
	for row := 0; row < len(xs); row += k {
		sum := 0.0
		for j, x := range xs[row : row+k] {
			if !(x >= 0 && x <= 1) {
				return fmt.Errorf("%s: %v is not between 0 and 1", cell(name, row/k, j, len(xs)/k), x)
			}
			sum += x
		}
		if !(math.Abs(sum-1) <= 1e-8) {
			return fmt.Errorf("%s: the elements sum to %v, not 1", element(name, row/k, len(xs)/k), sum)
		}
	}
	return nil
}

// cell names element j of row i of n, from 1.
func cell(name string, i, j, n int) string {
	if n == 1 {
		return fmt.Sprintf("%s[%d]", name, j+1)
	}
	return fmt.Sprintf("%s[%d,%d]", name, i+1, j+1)
}

// PosDef reports the first of the p×p matrices in xs that is not symmetric (to 1e-8 of its diagonal) and positive definite.
func PosDef(name string, xs []float64, p int) error {
	if p < 1 || len(xs)%(p*p) != 0 {
		return fmt.Errorf("%s: %d elements are not %d×%d matrices", name, len(xs), p, p)
	}
	l := make([]float64, p*p)
	count := len(xs) / (p * p)
	for m := range count {
		a := xs[m*p*p : (m+1)*p*p]
		which := element(name, m, count)
		for i := range p {
			for j := range p {
				x, y := a[i*p+j], a[j*p+i]
				if !isFinite(x) {
					return fmt.Errorf("%s[%d,%d]: %v is not a finite number", which, i+1, j+1, x)
				}
				if j < i && math.Abs(x-y) > 1e-8*math.Sqrt(math.Abs(a[i*p+i]*a[j*p+j])) {
					return fmt.Errorf("%s is not symmetric: [%d,%d] is %v, [%d,%d] is %v", which, i+1, j+1, x, j+1, i+1, y)
				}
			}
		}
		copy(l, a)
		if CholInPlace(l, p) != nil {
			return fmt.Errorf("%s is not positive definite", which)
		}
	}
	return nil
}

// Categories reports the first of xs that is not a category 0..size-1. The message counts categories from 1, as data files do.
func Categories(name string, xs []int32, size int) error {
	for i, x := range xs {
		if x < 0 || int(x) >= size {
			return fmt.Errorf("%s: category %d is not in 1..%d", element(name, i, len(xs)), int(x)+1, size)
		}
	}
	return nil
}

// Counts reports the first of xs that is negative.
func Counts(name string, xs ...int) error {
	for i, x := range xs {
		if x < 0 {
			return fmt.Errorf("%s: %d is not a count", element(name, i, len(xs)), x)
		}
	}
	return nil
}

// CountsAtMost reports the first of xs that is not in 0..most.
func CountsAtMost(name string, most int, xs ...int) error {
	for i, x := range xs {
		if x < 0 || x > most {
			return fmt.Errorf("%s: %d is not in 0..%d", element(name, i, len(xs)), x, most)
		}
	}
	return nil
}

// Length reports that name has got elements and not want.
func Length(name string, got, want int) error {
	if got != want {
		return fmt.Errorf("%s: %d elements, want %d", name, got, want)
	}
	return nil
}
