// This file checks what is told from draws.

package interp

import (
	"math"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestRounded: a number that is its mean, but for rounding, is no draw. Densities that are steep at 0 or 1, and
// numbers with digits to spare, are drawn.
func TestRounded(t *testing.T) {
	for _, tt := range []struct {
		dist    string
		rounded bool
	}{
		{"Normal(1e20, sd = 1)", true},
		{"LogNormal(100, sd = 1e-16)", true},
		{"Gamma(1e22, rate = 1)", true},  // whose density is a difference of numbers that are rounded
		{"LogNormal(1e4, sd = 1)", true}, // moved back to where floating point ends
		{"Normal(1e8, sd = 1)", false},
		{"Normal(0, sd = 1e-100)", false},
		{"Gamma(1e8, rate = 1)", false},
		{"Gamma(0.01, rate = 1)", false},
		{"Beta(0.1, 0.02)", false},
		{"HalfCauchy(scale = 1e30)", false},
		{"Uniform(0, 1e-30)", false},
	} {
		m := model(t, "model m\nplate N\ndata x[n in N] : real ~ "+tt.dist+"\n")
		for seed := range uint64(20) {
			env := &Env{Sizes: map[string]int{"N": 5}}
			if err := Simulate(m, env, runtime.NewRand(seed)); err != nil {
				t.Fatal(err)
			}
			err := Rounded(m, env)
			if (err != nil) != tt.rounded {
				t.Errorf("%s, seed %d: %v", tt.dist, seed, err)
				break
			}
		}
	}
}

// TestRoundedShape: a draw from a Beta of a shape beyond 1e12 that is unknown is none.
func TestRoundedShape(t *testing.T) {
	m := model(t, "model m\nglobal a ~ InvGamma(2, scale = 1)\ndata x : real ~ Beta(a, 1)\n")
	for a, want := range map[float64]bool{3: false, 1e9: false, 1e13: true} {
		env := &Env{Values: map[string][]float64{"a": {a}, "x": {0.5}}}
		if err := Rounded(m, env); (err != nil) != want {
			t.Errorf("a = %g: %v", a, err)
		}
	}
}

// TestRoundedShare: a share that cannot be told from 1 may be any closer one, unless nothing goes by that.
func TestRoundedShare(t *testing.T) {
	m := model(t, "model m\nglobal a ~ InvGamma(2, scale = 1)\ndata x : real ~ Beta(1, a)\ndata y : real ~ Beta(1, 0.01)\n")
	for _, tt := range []struct {
		a, x, y float64
		want    bool
	}{
		{0.01, 0.5, 0.5, false},
		{0.01, 1 - 1e-12, 0.5, false},
		{0.01, 1 - 0x1p-53, 0.5, true},
		{0.01, 1 - 0x1p-51, 0.5, true},
		{0.01, 1e-300, 0.5, false},
		{0.01, 0.5, 1 - 0x1p-53, false},
	} {
		env := &Env{Values: map[string][]float64{"a": {tt.a}, "x": {tt.x}, "y": {tt.y}}}
		if err := Rounded(m, env); (err != nil) != tt.want {
			t.Errorf("a = %g, x = %g, y = %g: %v", tt.a, tt.x, tt.y, err)
		}
	}
}

// TestRoundedSimplex: an element of a point of the simplex where floating point begins may be any smaller one.
func TestRoundedSimplex(t *testing.T) {
	m := model(t, "model m\nplate K = 2\nglobal a ~ InvGamma(2, scale = 1)\ndata x[K] : simplex ~ Dirichlet(a) over K\n")
	for least, want := range map[float64]bool{0.3: false, 1e-300: false, 0x1p-1022: true} {
		env := &Env{Values: map[string][]float64{"a": {1}, "x": {1 - least, least}}}
		if err := Rounded(m, env); (err != nil) != want {
			t.Errorf("%g: %v", least, err)
		}
	}
}

// TestLargestShape: a shape counts by how small it is, too.
func TestLargestShape(t *testing.T) {
	m := model(t, "model m\nglobal a ~ HalfNormal(var = 1)\ndata x : real ~ Gamma(a, rate = 1)\n")
	for a, want := range map[float64]float64{1: 100, 1e-12: 1e14, 1e9: 1e9} {
		got, err := Largest(m, &Env{Values: map[string][]float64{"a": {a}, "x": {0.5}}})
		if err != nil || !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("a = %g: %g, %v, want %g", a, got, err, want)
		}
	}
}

// TestLargestMass: a density cut off far out in a tail is a difference of large numbers.
func TestLargestMass(t *testing.T) {
	m := model(t, "model m\nglobal a ~ Normal(0, var = 1)\ndata x : real > 0 ~ Normal(a, var = 1)\n")
	for a, want := range map[float64]float64{1: 17.3, -1e5: 5e11} {
		got, err := Largest(m, &Env{Values: map[string][]float64{"a": {a}, "x": {0.5}}})
		if err != nil || !(math.Abs(got-want) <= 0.01*want) {
			t.Errorf("a = %g: %g, %v, want %g", a, got, err, want)
		}
	}
}
