package runtime

import (
	"math"
	"testing"
)

func TestChecks(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		got  error
		want string
	}{
		{Finite("X", 1, 2, -3), ""},
		{Finite("X"), ""},
		{Finite("X", 1, 2, nan), "X[3]: NaN is not a finite number"},
		{Finite("a", math.Inf(-1)), "a: -Inf is not a finite number"},
		{Positive("a", 1, 0), "a[2]: 0 is not positive"},
		{Positive("a", -2), "a: -2 is not positive"},
		{Positive("a", inf), "a: +Inf is not a finite number"},
		{Positive("a", 1e-300), ""},
		{NonNegative("a", 0, 1), ""},
		{NonNegative("a", -0.5), "a: -0.5 is negative"},
		{NonNegative("a", nan, 1), "a[1]: NaN is not a finite number"},
		{InUnit("p", 0, 1, 0.5), ""},
		{InUnit("p", 0, 1.5), "p[2]: 1.5 is not between 0 and 1"},
		{Simplex("p", []float64{0.25, 0.75, 1, 0}, 2), ""},
		{Simplex("p", []float64{0.25, 0.5}, 2), "p: the elements sum to 0.75, not 1"},
		{Simplex("p", []float64{0.25, 0.75, 1, -1}, 2), "p[2,2]: -1 is not between 0 and 1"},
		{Simplex("p", []float64{1, 0, 0.5, 0}, 2), "p[2]: the elements sum to 0.5, not 1"},
		{Simplex("p", []float64{nan}, 1), "p[1]: NaN is not between 0 and 1"},
		{Simplex("p", []float64{1, 0, 1}, 2), "p: 3 elements are not rows of 2"},
		{PosDef("S", []float64{2, 1, 1, 2}, 2), ""},
		{PosDef("S", []float64{1, 2, 2, 1}, 2), "S is not positive definite"},
		{PosDef("S", []float64{2, 1, 0, 2}, 2), "S is not symmetric: [2,1] is 0, [1,2] is 1"},
		{PosDef("S", []float64{2, nan, 1, 2}, 2), "S[1,2]: NaN is not a finite number"},
		{PosDef("S", []float64{1, 0, 0, 1, 1, 0, 0, -1}, 2), "S[2] is not positive definite"},
		{PosDef("S", []float64{1, 0, 0}, 2), "S: 3 elements are not 2×2 matrices"},
		{Categories("z", []int32{0, 4}, 5), ""},
		{Categories("z", []int32{0, 5}, 5), "z[2]: category 6 is not in 1..5"},
		{Categories("z", []int32{-1}, 5), "z: category 0 is not in 1..5"},
		{Counts("k", 0, 3), ""},
		{Counts("k", 0, -3), "k[2]: -3 is not a count"},
		{CountsAtMost("k", 3, 0, 3), ""},
		{CountsAtMost("k", 3, 0, 4), "k[2]: 4 is not in 0..3"},
		{Length("X", 3, 3), ""},
		{Length("X", 2, 3), "X: 2 elements, want 3"},
	} {
		got := ""
		if c.got != nil {
			got = c.got.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
