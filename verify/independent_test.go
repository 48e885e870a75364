// This file checks the test of association.

package verify

import (
	"math"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

func TestAssociation(t *testing.T) {
	// The lady tasting tea (Fisher 1935): 3 of 4 cups right has a tail probability of 17/70.
	milk, said := []float64{1, 1, 1, 1, 0, 0, 0, 0}, []float64{1, 1, 1, 0, 1, 0, 0, 0}
	if got, want := association(milk, said), 2*17.0/70; math.Abs(got-want) > 1e-12 {
		t.Errorf("association %v, want %v", got, want)
	}
	rng := runtime.NewRand(1)
	low := 0
	const tries = 2000
	for range tries {
		var a, b []float64
		for range 50 {
			a, b = append(a, rng.Norm()), append(b, rng.Norm())
		}
		if association(a, b) < 0.05 {
			low++
		}
		if association(a, a) > 1e-10 {
			t.Fatal("a sample does not go together with itself")
		}
	}
	// The test is of discrete numbers, and cautious: at most 5%, of which the count exceeds 5 standard deviations once in 3 million.
	if most := 0.05*tries + 5*math.Sqrt(0.05*0.95*tries); float64(low) > most {
		t.Errorf("%d of %d independent pairs seem to go together at 5%%", low, tries)
	}
}
