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

// TestQuickExp holds the exponential to what its comment says, over its whole domain.
func TestQuickExp(t *testing.T) {
	for x := leastExp + 0.1; x < mostExp-1; x += 0.137 {
		if got, want := quickExp(x), math.Exp(x); !(math.Abs(got/want-1) <= 0x1p-52*(1+math.Abs(x))) {
			t.Fatalf("exp(%g) = %g, want %g", x, got, want)
		}
	}
}

// TestNormalSide compares one-sided Normals with the exact distribution function, near and far out.
func TestNormalSide(t *testing.T) {
	r := NewRand(34)
	for _, m := range []float64{-30, -3, -1.999, -0.5, 0, 0.7, 1.7, 3.499, 6} {
		for _, above := range []bool{true, false} {
			const at = 1.5
			sign := 2*Indicator(above) - 1
			mean := at + sign*m
			cdf := func(e float64) float64 { // of the distance from at, by the logs of both tails
				return -math.Expm1(LogNormalCDF(m-e) - LogNormalCDF(m))
			}
			checkKS(t, fmt.Sprint("NormalSide ", m, above), func() float64 { return sign * (r.NormalSide(mean, at, above) - at) }, cdf)
			checkKS(t, fmt.Sprint("PositiveSide ", m, above), func() float64 { return sign * r.PositiveSide(sign*m, above) }, cdf)
			const prec = 4.0
			checkKS(t, fmt.Sprint("NormalSideNat ", m, above), func() float64 {
				return 2 * sign * (r.NormalSideNat(prec*(at+sign*m/2), prec, at, above) - at)
			}, cdf)
		}
	}
}

// TestSides holds the strips under the Normal density to what makes picking one of them exact: they touch, have one area, and bound
// the density from above and, by what is sure, from below.
func TestSides(t *testing.T) {
	area := math.Sqrt(math.Pi/2) * math.Erfc(sideEnd/math.Sqrt2)
	hi := float64(sideEnd)
	for k := len(sides.strips) - 2; k >= 0; k-- {
		s := sides.strips[k]
		if width := s.width * 0x1p53; !near(s.lo+width, hi, 1e-15) || !near(width*math.Exp(-s.edge)/area, 1, 1e-13) {
			t.Fatalf("strip %d from %v: it ends at %v, want %v; area %v, want %v", k, s.lo, s.lo+width, hi, width*math.Exp(-s.edge), area)
		}
		for i := range 11 {
			x := s.lo + float64(i)/10*(hi-s.lo)
			if y := math.Exp(s.edge - x*x/2); !(y <= 1+1e-14 && y >= float64(s.sure)/(1<<sideBits)-1e-14) {
				t.Fatalf("strip %d at %v: the density is %v of the upper end, sure %v", k, x, y, s.sure)
			}
		}
		hi = s.lo
	}
	for m := sideLeast + 1e-9; m < sideMost; m += 1e-3 {
		if k := sides.first[int((m-sideLeast)*sideCells)]; sides.strips[k].lo > -m || sides.strips[k+4].lo < -m {
			t.Fatalf("mean %v starts at strip %d, from %v", m, k, sides.strips[k].lo)
		}
	}
}
