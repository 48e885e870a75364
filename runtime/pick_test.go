package runtime

import (
	"fmt"
	"math"
	"testing"
)

// TestPicks compares every way of picking a category with its weights, zeros among and after them, by chi-square at the false-alarm
// rate of checkPMF; sizes stand on both sides of the blocks of eight.
func TestPicks(t *testing.T) {
	r := NewRand(33)
	for _, k := range []int{1, 2, 5, 7, 8, 9, 16, 17, 24, 50} {
		x, y, w, run, logw := make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)
		const c = 0.5
		total, shifted := 0.0, 0.0
		for i := range x {
			x[i], y[i] = float64((i*7)%5), float64(1+i%3)
		}
		x[0] = 2
		for i := range x {
			total += x[i] * y[i]
			shifted += x[i] * (c + y[i])
		}
		logp := func(i int) float64 { return math.Log(x[i] * y[i] / total) }
		logs := func(up float64) {
			for i := range w {
				logw[i] = up + math.Log(x[i]*y[i])
			}
		}
		check := func(name string, draw func() int, logp func(int) float64) {
			t.Helper()
			checkPMF(t, fmt.Sprint(name, " ", k), draw, logp, 0, k)
		}
		check("Pick", func() int {
			for i := range w {
				w[i] = x[i] * y[i]
			}
			return r.Pick(w, run)
		}, logp)
		check("PickProducts", func() int { return r.PickProducts(w, run, x, y) }, logp)
		check("PickProduct", func() int { return r.PickProduct(w, run, x, y, c) }, func(i int) float64 { return math.Log(x[i] * (c + y[i]) / shifted) })
		for _, up := range []float64{0, -3000, 3000} { // ordinary, and as they are all under- or overflowing
			logs(up)
			check(fmt.Sprint("PickLog ", up), func() int { return r.PickLog(logw, run) }, logp)
		}
		// A planted fault: one more of the first weight.
		if bad, _ := pmfRejects(func() int {
			copy(w, x)
			w[0] *= 1.5
			return r.PickProducts(w, run, w, y)
		}, logp, 0, k); k > 1 && !bad {
			t.Errorf("%d categories: a weight half as large again is missed", k)
		}
	}
	run := make([]float64, 20)
	for _, w := range [][]float64{{0, 0}, {1, math.NaN()}, {math.Inf(1), 1}, make([]float64, 20)} {
		if k := r.Pick(w, run); k != -1 {
			t.Errorf("Pick(%v) = %d, want -1", w, k)
		}
	}
	if k := r.PickLog([]float64{math.NaN(), 0}, run); k != -1 {
		t.Errorf("PickLog of a NaN = %d, want -1", k)
	}
}

// TestExpParts holds the exponential to 4 units in the last place over its whole domain.
func TestExpParts(t *testing.T) {
	for x := -707.9; x < 699; x += 0.137 {
		pow, rest := ExpParts(x)
		if got, want := pow+pow*Expm1Small(rest), math.Exp(x); !(math.Abs(got-want) <= 4*0x1p-52*want) {
			t.Fatalf("exp(%g) = %g, want %g", x, got, want)
		}
	}
}

// TestNormalSide compares one-sided Normals with the exact distribution function, near and far out.
func TestNormalSide(t *testing.T) {
	r := NewRand(34)
	for _, m := range []float64{-30, -3, -0.5, 0, 0.7, 6} {
		for _, above := range []bool{true, false} {
			const at = 1.5
			sign := 2*Indicator(above) - 1
			mean := at + sign*m
			cdf := func(e float64) float64 { // of the distance from at, by the logs of both tails
				return -math.Expm1(LogNormalCDF(m-e) - LogNormalCDF(m))
			}
			checkKS(t, fmt.Sprint("NormalSide ", m, above), func() float64 { return sign * (r.NormalSide(mean, at, above) - at) }, cdf)
			const prec = 4.0
			checkKS(t, fmt.Sprint("NormalSideNat ", m, above), func() float64 {
				return 2 * sign * (r.NormalSideNat(prec*(at+sign*m/2), prec, at, above) - at)
			}, cdf)
		}
	}
}

// TestRows compares the products by rows with those of single rows, for numbers of rows on both sides of four.
func TestRows(t *testing.T) {
	r := NewRand(35)
	const d = 5
	for _, n := range []int{0, 1, 3, 4, 7, 8} {
		a, c, x, got, sum := make([]float64, n*d), make([]float64, n), make([]float64, d), make([]float64, n), make([]float64, d)
		r.AnyReal(a)
		r.AnyReal(c)
		r.AnyReal(x)
		DotRows(got, a, x)
		AddRows(sum, c, a)
		want := make([]float64, d)
		for i := range n {
			if s := Dot(a[i*d:][:d], x); !near(got[i], s, 1e-12) {
				t.Errorf("%d rows: product %d is %g, want %g", n, i, got[i], s)
			}
			AddScaled(want, c[i], a[i*d:][:d])
		}
		for j := range want {
			if !near(sum[j], want[j], 1e-12) {
				t.Errorf("%d rows: sum %d is %g, want %g", n, j, sum[j], want[j])
			}
		}
	}
}
