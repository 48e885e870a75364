package runtime

// This file tests the checks of sizes and bounds, and the starts, by tables.

import (
	"math"
	"slices"
	"testing"
)

func TestChecksOfSizesAndBounds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		err  error
		want string // "" for none
	}{
		{Size("N", 1, 1), ""},
		{Size("N", 0, 1), "N: size 0 is not positive"},
		{Size("N", -3, 1), "N: size -3 is not positive"},
		{Size("T", 1, 2), "T: size 1, but the model speaks of element 2"},
		{Size("N", math.MaxInt, 1), "N: size 9223372036854775807 is above 2147483647"},
		{Lengths("WordsLen", []int{0, 3}, 2, 0), ""},
		{Lengths("WordsLen", []int{0, 3}, 3, 0), "WordsLen: 2 lengths, want 3"},
		{Lengths("WordsLen", []int{0, -1}, 2, 0), "WordsLen[2]: length -1 is negative"},
		{Lengths("WordsLen", []int{2, 1}, 2, 2), "WordsLen[2]: length 1, but the model speaks of element 2"},
		{Lengths("WordsLen", []int{math.MaxInt, math.MaxInt}, 2, 0), "WordsLen: the lengths add up to more than 2147483647"},
		{Room("X", Extent(1<<20, 1<<20)), ""},
		{Room("X", Extent(1<<21, 1<<20)), "X: too many elements"},
		{OneMore("Y", 4, "C", 3), ""},
		{OneMore("Y", 3, "C", 3), "Y: size 3, but 3 cutpoints (C) make 4 categories"},
		{Within("X", 1, 0, inf, false, false), ""},
		{Within("X", 0, 0, 1, true, false, 1, 2), ""},
		{Within("X", 0, 0, 1, false, true, 1, 2), "X[2,3]: 0 is not in (0, 1]"},
		{Within("X", 1, 0, 1, true, false), "X: 1 is not in [0, 1)"},
		{Within("X", inf, 0, inf, false, true), "X: +Inf is not in (0, +Inf]"},
		{Within("X", math.NaN(), -inf, inf, true, true, 0), "X[1]: NaN is not in [-Inf, +Inf]"},
		{CountWithin("K", 3, 0, 3), ""},
		{CountWithin("K", 4, 0, 3, 4), "K[5]: 4 is not in 0..3"},
		{CountWithin("K", 0, 1, math.MaxInt), "K: 0 is less than 1"},
		{SumsTo("W", []int{1, 2}, 3, 0), ""},
		{SumsTo("W", []int{1, 3}, 3, 0), "W[1]: the counts add up to 4, not 3"},
		{InUse("K", 2, []int32{0, 1, 0}), ""},
		{InUse("K", 2, []int32{0}, []int32{1}), ""},
		{InUse("K", 0), ""},
		{InUse("K", 2, []int32{0, 0, 0}), "K: category 2 of 2 in use has no element"},
		{InUse("K", 0, []int32{0}), "K: 0 in use, want 1..1"},
		{InUse("K", 3, []int32{0, 1}), "K: 3 in use, want 1..2"},
		{InUse("K", -1, []int32{0, 1}), "K: -1 in use, want 1..2"},
		{Increasing("C", []float64{1, 2, 0, 1}, 2), ""},
		{Increasing("C", []float64{1, 2, 1, 1}, 2), "C[2,2]: 1 is not greater than 1 before it"},
		{Increasing("C", []float64{1, math.NaN()}, 2), "C[2]: NaN is not greater than 1 before it"},
	} {
		got := ""
		if c.err != nil {
			got = c.err.Error()
		}
		if got != c.want {
			t.Errorf("error %q, want %q", got, c.want)
		}
	}
}

func TestExtentAndOffsets(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		want  int
	}{
		{nil, 1}, {[]int{3, 4}, 12}, {[]int{0, math.MaxInt}, 0}, {[]int{math.MaxInt, 2}, math.MaxInt}, {[]int{-1, 3}, math.MaxInt},
		{[]int{1 << 31, 1 << 31}, 1 << 62}, {[]int{1 << 32, 1 << 32}, math.MaxInt},
	} {
		if got := Extent(c.sizes...); got != c.want {
			t.Errorf("Extent(%v) = %d, want %d", c.sizes, got, c.want)
		}
	}
	if got := Offsets([]int{2, 0, 3}); !slices.Equal(got, []int{0, 2, 2, 5}) {
		t.Errorf("Offsets = %v", got)
	}
}

func TestCutCategory(t *testing.T) {
	cuts := []float64{-1, 0, 2}
	for x, want := range map[float64]int{-5: 0, -1: 0, -0.5: 1, 0: 1, 1: 2, 2: 2, 3: 3} {
		if got := CutCategory(x, cuts); got != want {
			t.Errorf("CutCategory(%v) = %d, want %d", x, got, want)
		}
	}
}

// TestStart draws starts between all kinds of bounds.
func TestStart(t *testing.T) {
	r := NewRand(4)
	inf := math.Inf(1)
	for _, b := range [][2]float64{{-inf, inf}, {0, inf}, {-inf, -3}, {2, 2.5}, {1e300, inf}, {-1e308, 1e308}} {
		least, most := inf, -inf
		for range 1000 {
			x := r.Start(b[0], b[1])
			if !(x > b[0] && x < b[1] && isFinite(x)) {
				t.Fatalf("Start(%v, %v) = %v", b[0], b[1], x)
			}
			least, most = min(least, x), max(most, x)
		}
		if least == most && b[0] != 1e300 {
			t.Errorf("Start(%v, %v) is always %v", b[0], b[1], least)
		}
	}
	for range 100 {
		if k := r.StartCount(2, 4); k < 2 || k > 4 {
			t.Fatalf("StartCount(2, 4) = %d", k)
		}
		if k := r.StartCount(-5, math.MaxInt); k < -5 || k > 5 {
			t.Fatalf("StartCount(-5, ∞) = %d", k)
		}
	}
	xs := make([]float64, 12)
	r.StartSimplex(xs, 4)
	if err := Simplex("xs", xs, 4); err != nil {
		t.Error(err)
	}
	xs = make([]float64, 18)
	r.StartSPD(xs, 3)
	if err := PosDef("xs", xs, 3); err != nil {
		t.Error(err)
	}
	ys := []float64{3, 1, 2, 9, 8, 7}
	SortRows(ys, 3)
	if err := Increasing("ys", ys, 3); err != nil {
		t.Error(err)
	}
}

func TestElementLabel(t *testing.T) {
	if got := ElementLabel("S", 1, 0); got != "S.2.1" {
		t.Errorf("ElementLabel = %q", got)
	}
	if got := ElementLabel("mu"); got != "mu" {
		t.Errorf("ElementLabel = %q", got)
	}
}
