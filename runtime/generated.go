// This file holds small pieces that generated samplers call in their kernels.

package runtime

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Conditional is one full conditional of a generated sampler, opened up for verification. Values are flat slices: one
// number for a scalar, a category's 0-based index or a bool's 0 or 1 for a discrete unknown.
type Conditional struct {
	Name       string
	Values     func() int // number of values of a finite unknown now; nil otherwise
	Get        func() []float64
	Set        func(x []float64)         // also rebuilds the accumulators
	LogDensity func(x []float64) float64 // log q(x | rest) up to a constant
	Draw       func() error
	Collapsed  bool // integrated out: the sampler never draws it, and Draw gives it any value
}

// ElementName returns v[i,j] with 1-based indices.
func ElementName(name string, ix ...int) string {
	if len(ix) == 0 {
		return name
	}
	s := make([]string, len(ix))
	for i, k := range ix {
		s[i] = strconv.Itoa(k + 1)
	}
	return name + "[" + strings.Join(s, ",") + "]"
}

// Swap exchanges the elements of two slices of the same length.
func Swap(a, b []float64) {
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
}

// Improper returns the error of a conditional that has no proper density at the current state.
func Improper(name string, ix ...int) error {
	return fmt.Errorf("%s: its full conditional is improper or not finite at the current state; give it a proper prior, or check for values that overflow", ElementName(name, ix...))
}

// DrawError adds the target's name to an error of a draw.
func DrawError(err error, name string, ix ...int) error {
	return fmt.Errorf("%s: %w", ElementName(name, ix...), err)
}

// Indicator returns 1 for true and 0 for false.
func Indicator(b bool) float64 { return float64(Index(b)) }

// AnyNaN reports whether one of the numbers is none.
func AnyNaN(x []float64) bool {
	return slices.ContainsFunc(x, func(v float64) bool { return v != v })
}

// Reals returns the counts as numbers.
func Reals(counts []int32) []float64 {
	out := make([]float64, len(counts))
	for i, n := range counts {
		out[i] = float64(n)
	}
	return out
}

// Index returns 1 for true and 0 for false. The compiler makes no branch of it, which data would mispredict.
func Index(b bool) int {
	var i int
	if b {
		i = 1
	}
	return i
}

// CutBy returns the interval (lo, hi) cut by the inequality a·t + b > 0, or a·t + b <= 0 where side is false.
func CutBy(lo, hi, a, b float64, side bool) (float64, float64) {
	switch {
	case a == 0:
	case (a > 0) == side:
		lo = max(lo, -b/a)
	default:
		hi = min(hi, -b/a)
	}
	return lo, hi
}

// Symmetrise replaces the n by n matrix a by (a + aᵀ)/2.
func Symmetrise(a []float64, n int) {
	for i := range n {
		for j := range i {
			m := (a[i*n+j] + a[j*n+i]) / 2
			a[i*n+j], a[j*n+i] = m, m
		}
	}
}

// InvertSPD writes the inverse of the n by n matrix a to dst and returns the log determinant of a.
func InvertSPD(dst, a []float64, n int, ws *MatWork) (float64, error) {
	if err := InvSPD(dst, a, n, ws); err != nil {
		return math.NaN(), err
	}
	return LogDetSPD(a, n, ws)
}

// MVNormalNatLogDensity returns hᵀx - xᵀPx/2.
func MVNormalNatLogDensity(x, h, P []float64) float64 {
	n := len(x)
	var s float64
	for i, xi := range x {
		var q float64
		for j, xj := range x {
			q += P[i*n+j] * xj
		}
		s += xi * (h[i] - q/2)
	}
	return s
}

// DirichletNatLogDensity returns Σ c[k] log x[k].
func DirichletNatLogDensity(x, c []float64) float64 {
	var s float64
	for k, xk := range x {
		s += c[k] * math.Log(xk)
	}
	return s
}

// WishartNatLogDensity returns c log|X| - tr(S X)/2 for p by p matrices.
func WishartNatLogDensity(x []float64, c float64, S []float64, p int, ws *MatWork) float64 {
	l, err := LogDetSPD(x, p, ws)
	if err != nil {
		return math.Inf(-1)
	}
	var tr float64
	for i := range p {
		for j := range p {
			tr += S[i*p+j] * x[j*p+i]
		}
	}
	return c*l - tr/2
}

// InvWishartNatLogDensity returns c log|X| - tr(S X⁻¹)/2 for p by p matrices.
func InvWishartNatLogDensity(x []float64, c float64, S []float64, p int, ws *MatWork) float64 {
	inv := make([]float64, p*p)
	l, err := InvertSPD(inv, x, p, ws)
	if err != nil {
		return math.Inf(-1)
	}
	var tr float64
	for i := range p {
		for j := range p {
			tr += S[i*p+j] * inv[j*p+i]
		}
	}
	return c*l - tr/2
}

// LogLogistic returns log(1 / (1 + exp(-x))) without overflow.
func LogLogistic(x float64) float64 {
	if x < 0 {
		return x - math.Log1p(math.Exp(x))
	}
	return -math.Log1p(math.Exp(-x))
}

// ErrNoStart is returned by a generated New that finds no starting value within the constraints.
var ErrNoStart = errors.New("no starting value within the constraints was found")
