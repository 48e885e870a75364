// This file holds the vector operations of inner loops; gonum has them in assembly.

package runtime

import "gonum.org/v1/gonum/floats"

// Dot returns Σ x[i]·y[i]. The lengths must be equal.
func Dot(x, y []float64) float64 { return floats.Dot(x, y) }

// AddScaled adds c·x to dst. The lengths must be equal.
func AddScaled(dst []float64, c float64, x []float64) { floats.AddScaled(dst, c, x) }

// Consecutive returns how many of the first units are consecutive numbers.
func Consecutive(units []int) int {
	n := 1
	for n < len(units) && units[n] == units[n-1]+1 {
		n++
	}
	return n
}
