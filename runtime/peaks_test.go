package runtime

import (
	"math"
	"testing"
)

// TestShrunk: a sum of numbers with tails so heavy that it ranges over more digits than there are is right to within 1e-8 at each look, if it
// is taken anew when Shrunk says so, and goes wrong if it is not.
func TestShrunk(t *testing.T) {
	for _, mended := range []bool{true, false} {
		r := NewRand(7)
		x := make([]float64, 3)
		var sum, worst float64
		var peak [1]float64
		anew := 0
		for i := range 30000 {
			old := x[i%3]
			x[i%3] = math.Exp(12*r.Exp1()) - math.Exp(12*r.Exp1())
			sum += x[i%3] - old
			want := x[0] + x[1] + x[2]
			if Shrunk(peak[:], sum) && mended {
				sum = want
				SetPeaks(peak[:], sum)
				anew++
			}
			worst = max(worst, math.Abs(sum-want)/(math.Abs(want)+1))
		}
		if mended != (worst < 1e-8) {
			t.Errorf("mended %v: the sum is %g off", mended, worst)
		}
		if mended && (anew == 0 || anew > 3000) {
			t.Errorf("taken anew %d times", anew)
		}
	}
}

func TestShrunkCases(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tt := range []struct {
		peaks, sums []float64
		want        bool
	}{
		{[]float64{0}, []float64{0}, false}, // nothing that was never anything
		{[]float64{1}, []float64{0}, true},
		{[]float64{1e9}, []float64{-1e3}, false},
		{[]float64{1e9}, []float64{-1}, true},
		{[]float64{1e9, 1}, []float64{1e9, 2}, false}, // each cell has a peak of its own
		{[]float64{1, 1e9}, []float64{2, 1}, true},
		{[]float64{1}, []float64{nan}, true},
		{[]float64{1}, []float64{inf}, false},
		{[]float64{inf}, []float64{1}, true},
		{nil, nil, false},
	} {
		if got := Shrunk(tt.peaks, tt.sums...); got != tt.want {
			t.Errorf("Shrunk(%v, %v) is %v", tt.peaks, tt.sums, got)
		}
	}
	peaks := []float64{1, 1}
	Shrunk(peaks, 3, -2)
	if peaks[0] != 3 || peaks[1] != 2 {
		t.Errorf("peaks of 3 and -2 are %v", peaks)
	}
}

// TestStrayed: a number has left its reference behind if it is more than a thousand times larger or smaller.
func TestStrayed(t *testing.T) {
	for _, tt := range []struct {
		refs, now []float64
		want      bool
	}{
		{[]float64{1, 2}, []float64{900, 2e-3}, false},
		{[]float64{1, 2}, []float64{1, 1e-3}, true},
		{[]float64{1, 2}, []float64{1100, 2}, true},
		{[]float64{1}, []float64{math.NaN()}, false}, // other references would be no better
		{[]float64{0}, []float64{0}, false},
		{[]float64{math.MaxFloat64}, []float64{math.MaxFloat64}, false},
		{nil, nil, false},
	} {
		if got := Strayed(tt.refs, tt.now...); got != tt.want {
			t.Errorf("Strayed(%v, %v) is %v", tt.refs, tt.now, got)
		}
	}
}
