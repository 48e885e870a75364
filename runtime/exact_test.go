package runtime

// This file holds the yardsticks of the tests: distribution functions by quadrature, the Kolmogorov-Smirnov and the chi-square
// test, and a test that each of them can fail.

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// falseAlarm is the probability that one check of a right sampler fails. Seeds are fixed, so it is settled once: with some 400
// checks in this package, the chance that a right version ever had to change a seed is 4e-4.
const falseAlarm = 1e-6

// A density is a distribution function on the line, tabulated by quadrature of exp(logf), logf having one mode.
type density struct {
	logf  func(float64) float64
	top   float64   // the largest logf
	x     []float64 // cell ends
	cum   []float64 // integral of exp(logf-top) up to them
	total float64
}

// Gauss-Legendre, 7 points on (-1, 1): Abramowitz & Stegun (1964), table 25.4.
var (
	glX = [...]float64{0, 0.405845151377397166906606412076961, 0.741531185599394439863864773280788, 0.949107912342758524526189684047851}
	glW = [...]float64{0.417959183673469387755102040816327, 0.381830050505118944950369775488975, 0.279705391489276667901467771423780, 0.129484966168869693270611432679082}
)

func (d *density) integral(a, b float64) float64 {
	m, h := (a+b)/2, (b-a)/2
	s := glW[0] * math.Exp(d.logf(m)-d.top)
	for i := 1; i < 4; i++ {
		s += glW[i] * (math.Exp(d.logf(m+h*glX[i])-d.top) + math.Exp(d.logf(m-h*glX[i])-d.top))
	}
	return s * h
}

// newDensity tabulates exp(logf) on (lo, hi), out to where logf is 50 below its top.
func newDensity(logf func(float64) float64, lo, hi float64) *density {
	d := &density{logf: logf}
	// The mode: a coarse scan, then a ternary search.
	a, b := max(lo, -800), min(hi, 800)
	const scan = 4001
	at := func(i int) float64 { return a + (b-a)*(float64(i)+0.5)/scan }
	best := 0
	for i := range scan {
		if logf(at(i)) > logf(at(best)) {
			best = i
		}
	}
	l, u := max(a, at(best-1)), min(b, at(best+1))
	for range 300 {
		if m1, m2 := l+(u-l)/3, u-(u-l)/3; logf(m1) < logf(m2) {
			l = m1
		} else {
			u = m2
		}
	}
	mode := (l + u) / 2
	d.top = logf(mode)
	end := func(bound, sign float64) float64 {
		near, far := 0.0, 1e-15*max(math.Abs(mode), 1e-290)
		low := func(step float64) bool {
			x := mode + sign*step
			return sign*(x-bound) >= 0 || !(logf(x) > d.top-50)
		}
		for !low(far) {
			near, far = far, 2*far
		}
		for range 60 {
			if m := (near + far) / 2; low(m) {
				far = m
			} else {
				near = m
			}
		}
		if x := mode + sign*far; sign*(x-bound) < 0 {
			return x
		}
		return bound
	}
	left, right := end(lo, -1), end(hi, 1)
	const cells = 1500
	for i := range cells {
		d.x = append(d.x, left+(mode-left)*float64(i)/cells)
	}
	for i := range cells + 1 {
		d.x = append(d.x, mode+(right-mode)*float64(i)/cells)
	}
	d.cum = make([]float64, len(d.x))
	for i := 1; i < len(d.x); i++ {
		d.cum[i] = d.cum[i-1] + d.integral(d.x[i-1], d.x[i])
	}
	d.total = d.cum[len(d.cum)-1]
	return d
}

// cdf returns P(X <= x).
func (d *density) cdf(x float64) float64 {
	i, _ := slices.BinarySearch(d.x, x)
	switch {
	case i == 0:
		return 0
	case i == len(d.x):
		return 1
	}
	return (d.cum[i-1] + d.integral(d.x[i-1], x)) / d.total
}

// logTotal returns the log of the integral of exp(logf).
func (d *density) logTotal() float64 { return math.Log(d.total) + d.top }

// ksRejects applies the Kolmogorov-Smirnov test, with the bound of Massart (1990), which holds at every n:
// P(sup|F_n - F| > e) <= 2 exp(-2ne²). Draws that are NaN reject.
func ksRejects(xs []float64, cdf func(float64) float64) (bool, float64) {
	slices.Sort(xs)
	n, d := float64(len(xs)), 0.0
	for i, x := range xs {
		if x != x {
			return true, x
		}
		f := cdf(x)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	return d > math.Sqrt(math.Log(2/falseAlarm)/(2*n)), d * math.Sqrt(n)
}

func sample(n int, draw func() float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = draw()
	}
	return xs
}

// draws is the sample size of the tests of continuous draws: a distribution function off by 0.016 somewhere is caught.
const draws = 30000

func checkKS(t *testing.T, name string, draw func() float64, cdf func(float64) float64) {
	t.Helper()
	if bad, d := ksRejects(sample(draws, draw), cdf); bad {
		t.Errorf("%s: Kolmogorov-Smirnov sqrt(n)·D = %.3g", name, d)
	}
}

// checkDensity compares draws with the density exp(logf) on (lo, hi).
func checkDensity(t *testing.T, name string, draw func() float64, logf func(float64) float64, lo, hi float64) {
	t.Helper()
	checkKS(t, name, draw, newDensity(logf, lo, hi).cdf)
}

// chiRejects applies Pearson's test to counts of n draws, cell k having probability p[k]; cells are pooled, in order, until 10
// are expected, and what p leaves over is the last.
func chiRejects(counts []int, p []float64, n int) (bool, float64) {
	var stat, expect, rest float64
	got, gotRest, cells := 0, n, 0
	rest = float64(n)
	add := func(o, e float64) {
		stat += (o - e) * (o - e) / e
		cells++
	}
	for k, c := range counts {
		expect += float64(n) * p[k]
		got += c
		if expect >= 10 && rest-expect >= 10 {
			add(float64(got), expect)
			rest -= expect
			gotRest -= got
			expect, got = 0, 0
		}
	}
	add(float64(gotRest), rest)
	if cells == 1 {
		return gotRest != n, 1
	}
	p0 := distuv.ChiSquared{K: float64(cells - 1)}.Survival(stat)
	return p0 < falseAlarm, p0
}

// checkPMF compares integer draws with probabilities exp(logp(k)), k = 0, ..., size-1 and beyond.
func checkPMF(t *testing.T, name string, draw func() int, logp func(int) float64, from, size int) {
	t.Helper()
	if bad, p := pmfRejects(draw, logp, from, size); bad {
		t.Errorf("%s: chi-square p = %.3g", name, p)
	}
}

func pmfRejects(draw func() int, logp func(int) float64, from, size int) (bool, float64) {
	counts, p := make([]int, size), make([]float64, size)
	for k := range p {
		p[k] = math.Exp(logp(from + k))
	}
	const n = 100000
	for range n {
		k := draw()
		if k < 0 && from >= 0 {
			return true, math.NaN()
		}
		if i := k - from; i >= 0 && i < size {
			counts[i]++
		}
	}
	return chiRejects(counts, p, n)
}

// checkMean compares the mean of draws with what it should be, at falseAlarm by the Normal limit: 5 standard errors are 5.7e-7.
func meanRejects(xs []float64, want float64) (bool, float64) {
	n := float64(len(xs))
	m, v := 0.0, 0.0
	for _, x := range xs {
		m += x / n
	}
	for _, x := range xs {
		v += (x - m) * (x - m) / n
	}
	z := (m - want) / math.Sqrt(v/n)
	return !(math.Abs(z) < 5), z
}

func checkMean(t *testing.T, name string, xs []float64, want float64) {
	t.Helper()
	if bad, z := meanRejects(xs, want); bad {
		t.Errorf("%s: mean is %.3g standard errors from %v", name, z, want)
	}
}

// A coordinate is one in which densities on the line, the half-line or the unit interval are unimodal with light tails.
type coordinate struct {
	x, u func(float64) float64
	logJ func(u float64) float64 // log |dx/du|
}

// about is the coordinate for the line about a centre, in units of scale.
func about(centre, scale float64) coordinate {
	return coordinate{
		func(u float64) float64 { return centre + scale*math.Sinh(u) },
		func(x float64) float64 { return math.Asinh((x - centre) / scale) },
		func(u float64) float64 { return math.Log(scale) + math.Log(math.Cosh(u)) },
	}
}

var (
	onHalfLine = coordinate{math.Exp, math.Log, func(u float64) float64 { return u }}
	onUnit     = coordinate{
		Logistic,
		func(x float64) float64 { return math.Log(x) - math.Log1p(-x) },
		func(u float64) float64 { return -math.Abs(u) - 2*math.Log1p(math.Exp(-math.Abs(u))) },
	}
)

// logMass returns the log of the integral of exp(logf) over the coordinate's range.
func logMass(c coordinate, logf func(float64) float64) float64 {
	return newDensity(func(u float64) float64 { return logf(c.x(u)) + c.logJ(u) }, -700, 700).logTotal()
}

func near(a, b, tol float64) bool {
	return a == b || math.Abs(a-b) <= tol*max(1, math.Abs(a), math.Abs(b))
}

// TestYardsticks plants faults and sees each yardstick catch them.
func TestYardsticks(t *testing.T) {
	r := NewRand(1)
	gammaCDF := func(x float64) float64 { return GammaCDF(x, 3, 2) }
	if bad, _ := ksRejects(sample(draws, func() float64 { return r.Gamma(3.5, 2) }), gammaCDF); !bad {
		t.Error("Kolmogorov-Smirnov misses a shape wrong by 1/2")
	}
	if bad, _ := ksRejects(sample(draws, func() float64 { return r.Gamma(3, 2*1.05) }), gammaCDF); !bad {
		t.Error("Kolmogorov-Smirnov misses a rate wrong by 5 %")
	}
	gig := newDensity(logPower(-3, 2, 3, 1), math.Inf(-1), math.Inf(1))
	if bad, _ := ksRejects(sample(draws, func() float64 { return math.Log(r.GIGNat(-2.5, 2, 3)) }), gig.cdf); !bad {
		t.Error("Kolmogorov-Smirnov misses a generalised inverse Gaussian with p wrong by 1/2")
	}
	tail := newDensity(func(x float64) float64 { return -x * x / 2 }, 40, math.Inf(1))
	if bad, _ := ksRejects(sample(draws, func() float64 { return r.TruncNormalNat(2, 1, 40, math.Inf(1)) }), tail.cdf); !bad {
		t.Error("Kolmogorov-Smirnov misses a tail 2 standard deviations off")
	}
	if bad, _ := ksRejects([]float64{1, math.NaN()}, gammaCDF); !bad {
		t.Error("Kolmogorov-Smirnov misses NaN")
	}
	forgot := newDensity(func(u float64) float64 { return 2*u - 2*math.Exp(u) }, math.Inf(-1), math.Inf(1)) // no Jacobian
	if bad, _ := ksRejects(sample(draws, func() float64 { return math.Log(r.Gamma(3, 2)) }), forgot.cdf); !bad {
		t.Error("quadrature misses a forgotten Jacobian")
	}
	if bad, _ := pmfRejects(func() int { return r.Poisson(7.1) }, func(k int) float64 { return PoissonLogPMF(k, 7) }, 0, 40); !bad {
		t.Error("chi-square misses a rate wrong by 0.1")
	}
	if bad, _ := meanRejects(sample(draws, func() float64 { return r.Norm() + 0.05 }), 0); !bad {
		t.Error("the test of means misses 0.05 standard deviations")
	}
	if l := logMass(onHalfLine, func(x float64) float64 { return InvGammaLogPDF(x, 3, 2) - 1e-6 }); near(l, 0, 1e-8) {
		t.Error("normalisation misses a constant off by 1e-6")
	}
	wrongShape := func(x float64) float64 { return 3*math.Log(2) - LgammaF(3) + 2.5*math.Log(x) - 2*x }
	if l := logMass(onHalfLine, wrongShape); near(l, 0, 1e-8) {
		t.Error("normalisation misses a shape wrong by 1/2")
	}
	if l := sumPMF(func(k int) float64 { return PoissonLogPMF(k, 7) + 1e-6 }, 0, 100); near(l, 0, 1e-9) {
		t.Error("summation misses a constant off by 1e-6")
	}
}

func sumPMF(logp func(int) float64, from, size int) float64 {
	l := make([]float64, size)
	for k := range l {
		l[k] = logp(from + k)
	}
	return LogSumExp(l)
}

// TestQuadrature holds the table of a density against a closed form.
func TestQuadrature(t *testing.T) {
	d := newDensity(func(x float64) float64 { return -x * x / 2 }, math.Inf(-1), math.Inf(1))
	for _, x := range []float64{-6, -1, 0.3, 2, 5} {
		if !near(d.cdf(x), NormalCDF(x), 1e-13) {
			t.Errorf("cdf(%v) = %v, want %v", x, d.cdf(x), NormalCDF(x))
		}
	}
}

func ExampleFinite() {
	fmt.Println(Finite("X", 1, 2, math.NaN()))
	// Output: X[3]: NaN is not a finite number
}
