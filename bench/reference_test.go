package bench

import (
	"math"
	"testing"

	gendpmm "github.com/gibbsgen/gibbsgen/generated/dpmm"
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

// TestMatrixFarFromZero is TestFarFromZero for a covariance: its conditional's log density at a diagonal matrix, in which the scale
// matrix's diagonal stands, against the residuals summed one by one.
func TestMatrixFarFromZero(t *testing.T) {
	rng := runtime.NewRand(9)
	sizes := gendpmm.Sizes{N: 2000, P: 2}
	x := make([]float64, sizes.N*sizes.P)
	for i := range x {
		x[i] = math.Copysign(1e6, float64(i/sizes.P%2)-0.5) + rng.Norm()
	}
	h := gendpmm.DefaultHyper(sizes)
	h.Kappa0 = 1e-12
	s, err := gendpmm.New(gendpmm.Data{Sizes: sizes, X: x}, h, rng)
	if err != nil {
		t.Fatal(err)
	}
	st := s.State().Clone()
	st.Clusters = 2
	st.Sigma = []float64{1, 0, 0, 1, 1, 0, 0, 1}
	st.Mu = []float64{-1e6 + 0.3, -1e6, 1e6, 1e6 - 0.2}
	for n := range st.Z {
		st.Z[n] = int32(n % 2)
	}
	if err := s.SetState(st); err != nil {
		t.Fatal(err)
	}
	for sweep := range 30 {
		if err := runtime.Step(s); err != nil {
			t.Fatal(sweep, err)
		}
	}
	now := s.State().Clone()
	p := sizes.P
	for _, c := range s.Conditionals() {
		for k := range now.Clusters {
			if c.Name != runtime.ElementName("Sigma", k) {
				continue
			}
			// Between Sigma = I and I with its first element halved, log q changes by a multiple of log 2, which a third point takes
			// out, and by -½·S[1,1].
			q := func(v float64) float64 { return c.LogDensity([]float64{v, 0, 0, 1}) }
			got := -(q(0.5) + q(2) - 2*q(1)) / (0.5 * 0.5) // ½·S·(2 + ½ - 2)
			want := h.Psi0[0] + h.Kappa0*(now.Mu[k*p]-h.M0[0])*(now.Mu[k*p]-h.M0[0])
			for n, z := range now.Z {
				if int(z) == k {
					want += (x[n*p] - now.Mu[k*p]) * (x[n*p] - now.Mu[k*p])
				}
			}
			if !(math.Abs(got-want) < 1e-9*want) {
				t.Errorf("%s: scale %.12g, residuals one by one give %.12g", c.Name, got, want)
			}
		}
	}
}
