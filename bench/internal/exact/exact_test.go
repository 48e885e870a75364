package exact

import (
	"math/rand/v2"
	"testing"
)

// failures counts what a check says, instead of failing.
type failures struct {
	testing.TB
	n int
}

func (f *failures) Helper()               {}
func (f *failures) Errorf(string, ...any) { f.n++ }

// TestPower plants faults, and sees that right draws pass.
func TestPower(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	uniform := func(x float64) float64 { return x }
	coin := func(p float64) []int {
		var c [2]int
		for range 20000 {
			if r.Float64() < p {
				c[0]++
			} else {
				c[1]++
			}
		}
		return c[:]
	}
	half := []float64{0.5, 0.5}
	for _, c := range []struct {
		name  string
		check func(testing.TB)
		fails int
	}{
		{"right", func(t testing.TB) { KS(t, "", Sample(20000, r.Float64), uniform) }, 0},
		{"squared", func(t testing.TB) {
			KS(t, "", Sample(20000, func() float64 { u := r.Float64(); return u * (0.9 + 0.1*u) }), uniform)
		}, 1},
		{"right coin", func(t testing.TB) { Frequencies(t, "", coin(0.5), half) }, 0},
		{"bent coin", func(t testing.TB) { Frequencies(t, "", coin(0.52), half) }, 1},
	} {
		f := &failures{TB: t}
		c.check(f)
		if f.n != c.fails {
			t.Errorf("%s: %d failures, want %d", c.name, f.n, c.fails)
		}
	}
}
