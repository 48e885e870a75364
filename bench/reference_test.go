package bench

import (
	"math"
	"testing"

	genmixture "github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestFarFromZero looks at two clusters at ±1e6 with standard deviation 1: the scale of a component's variance, read off its
// conditional, against the residuals summed one by one. Sums of squares about 0 would lose two digits in a hundred there
// (relative error 1e-2, and more with one reference for both); sums about a reference of each component's own lose none.
func TestFarFromZero(t *testing.T) {
	rng := runtime.NewRand(8)
	sizes := genmixture.Sizes{N: 20_000, K: 2}
	x := make([]float64, sizes.N)
	for n := range x {
		x[n] = math.Copysign(1e6, float64(n%2)-0.5) + rng.Norm()
	}
	h := genmixture.DefaultHyper(sizes)
	h.V0 = 1e13
	s, err := genmixture.New(genmixture.Data{Sizes: sizes, X: x}, h, rng)
	if err != nil {
		t.Fatal(err)
	}
	st := s.State().Clone()
	for n := range x {
		st.Z[n] = int32(n % 2)
	}
	st.Mu[0], st.Mu[1], st.S2[0], st.S2[1] = -1e6+0.3, 1e6-0.2, 1, 1
	if err := s.SetState(st); err != nil {
		t.Fatal(err)
	}
	for sweep := range 30 { // the means move, the references stay
		if err := runtime.Step(s); err != nil {
			t.Fatal(sweep, err)
		}
	}
	now := s.State().Clone()
	for _, c := range s.Conditionals() {
		for k := range 2 {
			if c.Name != runtime.ElementName("s2", k) {
				continue
			}
			want := h.B
			for n, z := range now.Z {
				if int(z) == k {
					want += (x[n] - now.Mu[k]) * (x[n] - now.Mu[k]) / 2
				}
			}
			// log q(s2) = c·log s2 - b/s2, so at 1 it is -b.
			if got := -c.LogDensity([]float64{1}); !(math.Abs(got-want) < 1e-9*want) {
				t.Errorf("%s: scale %.12g, residuals one by one give %.12g", c.Name, got, want)
			}
		}
	}
}
