package runtime

import (
	"math"
	"testing"
)

// TestEPSR compares with the formula worked out by hand: means 2 and 5, variances 1 and 4, so W = 2.5, B = 3·4.5 = 13.5,
// var⁺ = ⅔·2.5 + 4.5 = 6.1666667.
func TestEPSR(t *testing.T) {
	want := math.Sqrt((2./3*2.5 + 4.5) / 2.5)
	if got := EPSR([][]float64{{1, 2, 3}, {3, 5, 7}}); math.Abs(got-want) > 1e-15 {
		t.Errorf("EPSR = %v, want %v", got, want)
	}
	for name, x := range map[string][][]float64{
		"no chains": nil, "one chain": {{1, 2, 3}}, "one draw": {{1}, {2}}, "constant": {{1, 1}, {1, 1}},
		"NaN": {{1, math.NaN(), 2}, {1, 2, 3}}, "infinite": {{1, math.Inf(1), 2}, {1, 2, 3}},
	} {
		if got := EPSR(x); !math.IsNaN(got) {
			t.Errorf("EPSR of %s = %v, want NaN", name, got)
		}
	}
	if got := EPSR([][]float64{{1, 1, 1}, {2, 2, 2}}); !math.IsInf(got, 1) {
		t.Errorf("EPSR of chains that stand still = %v, want +Inf", got)
	}
	// A drift that all share hides from EPSR, and not from R-hat.
	drift := diagSets["drift"]
	if e, r := EPSR(drift), Rhat(drift); e > 1.01 || r < 1.1 {
		t.Errorf("common drift: EPSR %v, Rhat %v", e, r)
	}
}

func TestRunning(t *testing.T) {
	at := []int{0, 1, 2, 3, 7, 50, 99, 100, 101}
	for _, set := range []string{"shifted", "wider", "odd"} {
		x := diagSets[set]
		epsr, rhat := RunningEPSR(x, at), RunningRhat(x, at)
		for i, n := range at {
			if n < 1 || n > len(x[0]) {
				if !math.IsNaN(epsr[i]) || !math.IsNaN(rhat[i]) {
					t.Errorf("%s: of %d draws EPSR %v and R-hat %v, want NaN", set, n, epsr[i], rhat[i])
				}
				continue
			}
			first := make([][]float64, len(x))
			for c := range x {
				first[c] = x[c][:n]
			}
			if want := EPSR(first); !(math.Abs(epsr[i]-want) < 1e-12) && !(math.IsNaN(want) && math.IsNaN(epsr[i])) {
				t.Errorf("%s: EPSR of %d draws = %v, want %v", set, n, epsr[i], want)
			}
			if want := Rhat(first); rhat[i] != want && !(math.IsNaN(want) && math.IsNaN(rhat[i])) {
				t.Errorf("%s: R-hat of %d draws = %v, want %v", set, n, rhat[i], want)
			}
		}
	}
	nan := [][]float64{{1, 2, 3, math.NaN(), 5}, {1, 3, 2, 4, 6}}
	if got := RunningEPSR(nan, []int{3, 4, 5}); math.IsNaN(got[0]) || !math.IsNaN(got[1]) || !math.IsNaN(got[2]) {
		t.Errorf("EPSR with the fourth draw NaN: %v", got)
	}
	if RunningEPSR(nil, nil) == nil || len(RunningRhat(nil, []int{3})) != 1 {
		t.Error("no chains")
	}
}
