// This file writes the numbers of axes.

package figure

import (
	"math"
	"strconv"
	"strings"
)

// labels writes multiples of step with as many digits as tell them apart: all in plain form, or all with exponents where that is shorter.
func labels(values []float64, step float64) []string {
	unit := int(math.Floor(math.Log10(step) + 1e-9)) // the place of the step's first digit
	plain, scientific := make([]string, len(values)), make([]string, len(values))
	length := [2]int{}
	for i, x := range values {
		plain[i], scientific[i] = "0", "0"
		if math.Abs(x) > step/2 {
			plain[i] = strconv.FormatFloat(x, 'f', max(0, -unit), 64)
			digits := max(0, int(math.Floor(math.Log10(math.Abs(x))+1e-9))-unit)
			mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits, 64), "e")
			if strings.Contains(mantissa, ".") {
				mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
			}
			n, _ := strconv.Atoi(exponent)
			scientific[i] = mantissa + "e" + strconv.Itoa(n)
		}
		length[0] = max(length[0], len(plain[i]))
		length[1] = max(length[1], len(scientific[i]))
	}
	if length[0] <= 6 || length[0] <= length[1] {
		return plain
	}
	return scientific
}
