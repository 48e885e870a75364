// This file writes the numbers of axes.

package figure

import (
	"math"
	"strconv"
	"strings"
)

// number writes a multiple of step with as many decimals as step has, in a form that stays short.
func number(x, step float64) string {
	if math.Abs(x) < step/2 {
		return "0"
	}
	if a := math.Abs(x); a >= 1e6 || a < 1e-4 {
		digits := max(0, int(math.Floor(math.Log10(a)+1e-9))-int(math.Floor(math.Log10(step)+1e-9)))
		s := strconv.FormatFloat(x, 'e', min(digits, 3), 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		n, _ := strconv.Atoi(exponent)
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return mantissa + "e" + strconv.Itoa(n)
	}
	return strconv.FormatFloat(x, 'f', max(0, -int(math.Floor(math.Log10(step)+1e-9))), 64)
}
