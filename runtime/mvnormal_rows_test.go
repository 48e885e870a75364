package runtime

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

// A rowsNormal is a multivariate Normal in the parametrisation of MVNormalRows.
type rowsNormal struct{ lin, diag, weight, score, x []float64 }

func newRowsNormal(n, d int, r *Rand) *rowsNormal {
	f := func(n int, draw func() float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = draw()
		}
		return x
	}
	norm, pos := func() float64 { return r.Normal(0, 1) }, func() float64 { return math.Exp(r.Normal(0, 1)) }
	return &rowsNormal{f(d, norm), f(d, pos), f(n, pos), f(n, norm), f(n*d, norm)}
}

// dense returns h and P of MVNormalNat.
func (p *rowsNormal) dense() (h, P []float64) {
	d := len(p.diag)
	h, P = slices.Clone(p.lin), make([]float64, d*d)
	for i, v := range p.diag {
		P[i*d+i] = v
	}
	for n, w := range p.weight {
		for i := range d {
			h[i] += p.score[n] * p.x[n*d+i]
			for j := range d {
				P[i*d+j] += w * p.x[n*d+i] * p.x[n*d+j]
			}
		}
	}
	return h, P
}

func (p *rowsNormal) draw(r *Rand, dst []float64, ws *MatWork) error {
	return r.MVNormalRows(dst, slices.Clone(p.lin), slices.Clone(p.diag), p.weight, slices.Clone(p.score), p.x, ws)
}

// The draws are compared with the exact mean and covariance, and so are those of MVNormalNat from the same parameters.
// mvnRejects makes at most d(d+1)/2 comparisons of means, each with 5.7e-7 chance of a false alarm, and d of distributions, at
// falseAlarm: below 1e-4 for all of them together; and the seed is fixed.
func TestMVNormalRows(t *testing.T) {
	r, ws := NewRand(50), new(MatWork)
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	for _, size := range [][2]int{{1, 1}, {1, 5}, {2, 3}, {3, 9}, {4, 4}, {5, 2}, {0, 2}} {
		n, d := size[0], size[1]
		p := newRowsNormal(n, d, r)
		if n == 3 {
			p.weight[1] = 0 // a row in the mean alone
		}
		h, P := p.dense()
		cov, mean, L := make([]float64, d*d), make([]float64, d), make([]float64, d*d)
		must(InvSPD(cov, P, d, ws))
		for i := range mean {
			mean[i] = dotTo(cov[i*d:], h, d)
		}
		name := fmt.Sprint("MVNormalRows, n=", n)
		checkMVN(t, name, d, func(x []float64) { must(p.draw(r, x, ws)) }, mean, cov)
		checkMVN(t, "MVNormalNat of the same", d, func(x []float64) { copy(L, P); must(r.MVNormalNat(x, h, L, ws)) }, mean, cov)

		x, y := make([]float64, d), make([]float64, d)
		for range 10 {
			must(p.draw(r, x, ws))
			must(p.draw(r, y, ws))
			got := MVNormalRowsLogDensity(x, p.lin, p.diag, p.weight, p.score, p.x) - MVNormalRowsLogDensity(y, p.lin, p.diag, p.weight, p.score, p.x)
			if want := MVNormalNatLogDensity(x, h, P) - MVNormalNatLogDensity(y, h, P); !near(got, want, 1e-10) {
				t.Errorf("n=%d, d=%d: log densities differ by %v, want %v", n, d, got, want)
			}
		}
		if n == 0 {
			continue
		}
		// Planted faults: a row's weight, its part in the mean, one prior precision.
		for _, fault := range []struct {
			what string
			at   *float64
			to   float64
		}{
			{"weight", &p.weight[0], 2 * p.weight[0]},
			{"score", &p.score[0], p.score[0] + 0.3*math.Sqrt(p.weight[0])},
			{"diag", &p.diag[0], 2 * p.diag[0]},
		} {
			was := *fault.at
			*fault.at = fault.to
			if n <= d && mvnRejects(d, func(x []float64) { must(p.draw(r, x, ws)) }, mean, cov) == "" {
				t.Errorf("n=%d, d=%d: a wrong %s is missed", n, d, fault.what)
			}
			*fault.at = was
		}
	}
}

// Where the formula does not hold the draw is that of the matrix, or refused.
func TestMVNormalRowsEdges(t *testing.T) {
	r, ws := NewRand(51), new(MatWork)
	for _, c := range []struct {
		what  string
		spoil func(p *rowsNormal)
	}{
		{"a flat prior of one", func(p *rowsNormal) { p.diag[2] = 0 }},
		{"a negative prior precision", func(p *rowsNormal) { p.diag[2] = -0.01 }},
		{"a row with negative weight", func(p *rowsNormal) { p.weight[0] = -0.001; p.score[0] = 0 }},
		{"a row of zeros", func(p *rowsNormal) { clear(p.x[:5]) }},
		{"a vague prior", func(p *rowsNormal) { p.diag[0], p.diag[1] = 1e-9, 1e-7 }},
		{"a sharp prior", func(p *rowsNormal) { p.diag[0], p.diag[1] = 1e12, 1e9 }},
		{"a precise and a vague datum", func(p *rowsNormal) { p.weight[0], p.weight[1] = 1e6, 1e-9 }},
	} {
		p := newRowsNormal(3, 5, r)
		c.spoil(p)
		h, P := p.dense()
		cov, mean := make([]float64, 25), make([]float64, 5)
		if err := InvSPD(cov, P, 5, ws); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		for i := range mean {
			mean[i] = dotTo(cov[i*5:], h, 5)
		}
		checkMVN(t, c.what, 5, func(x []float64) {
			if err := p.draw(r, x, ws); err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
		}, mean, cov)
	}
	for _, c := range []struct {
		what  string
		spoil func(p *rowsNormal)
	}{
		{"more flat priors than rows", func(p *rowsNormal) { clear(p.diag[:3]) }},
		{"prior precision NaN", func(p *rowsNormal) { p.diag[1] = nan() }},
		{"prior precision infinite", func(p *rowsNormal) { p.diag[1] = math.Inf(1) }},
		{"weight NaN", func(p *rowsNormal) { p.weight[1] = nan() }},
	} {
		p, x := newRowsNormal(2, 5, r), make([]float64, 5)
		c.spoil(p)
		if err := p.draw(r, x, ws); !errors.Is(err, ErrNotPosDef) || !math.IsNaN(x[0]) {
			t.Errorf("%s: %v, %v", c.what, x, err)
		}
	}
}

// The product that the draw factorises is made in strips: their edges are checked against the definition.
func TestWeightedGram(t *testing.T) {
	r := NewRand(52)
	for _, size := range [][2]int{{0, 3}, {1, 1}, {2, 256}, {3, 257}, {5, 511}, {6, 1025}} {
		n, d := size[0], size[1]
		p := newRowsNormal(n, d, r)
		M := make([]float64, n*n)
		weightedGram(M, p.x, p.diag, n, d)
		for i := range n {
			for j := range i + 1 {
				want := 0.0
				for k, c := range p.diag {
					want += c * p.x[i*d+k] * p.x[j*d+k]
				}
				if math.Abs(M[i*n+j]-want) > 1e-9 {
					t.Errorf("n=%d, d=%d: [%d,%d] = %v, want %v", n, d, i, j, M[i*n+j], want)
				}
			}
		}
	}
}

func BenchmarkMVNormalRows(b *testing.B) {
	for _, size := range [][2]int{{50, 100}, {50, 200}, {50, 500}, {50, 2000}, {200, 400}, {200, 2000}} {
		n, d := size[0], size[1]
		r, ws := NewRand(1), new(MatWork)
		p := newRowsNormal(n, d, r)
		dst, lin, diag, score := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, n)
		b.Run(fmt.Sprintf("n=%d,d=%d", n, d), func(b *testing.B) {
			for b.Loop() {
				copy(lin, p.lin)
				copy(diag, p.diag)
				copy(score, p.score)
				if err := r.MVNormalRows(dst, lin, diag, p.weight, score, p.x, ws); err != nil {
					b.Fatal(err)
				}
			}
		})
		h, prec := p.dense()
		P := make([]float64, d*d)
		b.Run(fmt.Sprintf("dense,d=%d", d), func(b *testing.B) {
			for b.Loop() {
				copy(P, prec)
				if err := r.MVNormalNat(dst, h, P, ws); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
