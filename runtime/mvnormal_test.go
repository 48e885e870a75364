package runtime

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
)

// checkMVN draws n vectors and compares, coordinate by coordinate of the whitened vector, with standard Normals, and all
// products with their means: a wrong mean, variance or correlation shows.
func checkMVN(t *testing.T, name string, d int, draw func(dst []float64), mean, cov []float64) {
	t.Helper()
	if bad := mvnRejects(d, draw, mean, cov); bad != "" {
		t.Errorf("%s, d=%d: %s", name, d, bad)
	}
}

func mvnRejects(d int, draw func(dst []float64), mean, cov []float64) string {
	const n = 20000
	l := append([]float64(nil), cov...)
	if err := CholInPlace(l, d); err != nil {
		return err.Error()
	}
	z := make([][]float64, d)
	x := make([]float64, d)
	for range n {
		draw(x)
		for i := range x {
			x[i] -= mean[i]
		}
		solveL(l, x, d)
		for i := range x {
			z[i] = append(z[i], x[i])
		}
	}
	product := make([]float64, n)
	for i := range d {
		for j := range i + 1 {
			want := 0.0
			for k := range product {
				product[k] = z[i][k] * z[j][k]
			}
			if i == j {
				want = 1
			}
			if bad, s := meanRejects(product, want); bad {
				return fmt.Sprintf("covariance [%d,%d] is off by %.3g standard errors", i, j, s)
			}
		}
	}
	for i := range d {
		if bad, s := ksRejects(z[i], NormalCDF); bad {
			return fmt.Sprintf("whitened coordinate %d: sqrt(n)·D = %.3g", i, s)
		}
	}
	return ""
}

func TestMVNormal(t *testing.T) {
	r := NewRand(40)
	for _, d := range []int{1, 2, 5, 9} {
		ws := NewMatWork(1)
		cov, prec, P, mean, h := testSPD(d, 2), make([]float64, d*d), make([]float64, d*d), make([]float64, d), make([]float64, d)
		if err := InvSPD(prec, cov, d, ws); err != nil {
			t.Fatal(err)
		}
		for i := range mean {
			mean[i] = 3 - float64(i)
		}
		for i := range h {
			h[i] = dotTo(prec[i*d:], mean, d)
		}
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		checkMVN(t, "MVNormal", d, func(x []float64) { must(r.MVNormal(x, mean, cov, ws)) }, mean, cov)
		checkMVN(t, "MVNormalPrec", d, func(x []float64) { must(r.MVNormalPrec(x, mean, prec, ws)) }, mean, cov)
		checkMVN(t, "MVNormalNat", d, func(x []float64) { copy(P, prec); must(r.MVNormalNat(x, h, P, ws)) }, mean, cov)

		gonum, ok := distmv.NewNormal(mean, mat.NewSymDense(d, cov), nil)
		if !ok {
			t.Fatal("gonum disagrees")
		}
		x := make([]float64, d)
		for range 20 {
			must(r.MVNormal(x, mean, cov, ws))
			want := gonum.LogProb(x)
			if got := MVNormalLogPDF(x, mean, cov, ws); !near(got, want, 1e-11) {
				t.Errorf("MVNormalLogPDF = %v, want %v", got, want)
			}
			if got := MVNormalPrecLogPDF(x, mean, prec, ws); !near(got, want, 1e-9) {
				t.Errorf("MVNormalPrecLogPDF = %v, want %v", got, want)
			}
		}
		// Planted faults: one variance off by 15 %, the covariance in place of the precision, a mean off by 0.1 sd.
		off := append([]float64(nil), cov...)
		off[d*d-1] *= 1.15
		if mvnRejects(d, func(x []float64) { must(r.MVNormal(x, mean, off, ws)) }, mean, cov) == "" {
			t.Errorf("d=%d: a variance 15 %% too large is missed", d)
		}
		if mvnRejects(d, func(x []float64) { must(r.MVNormal(x, mean, prec, ws)) }, mean, cov) == "" {
			t.Errorf("d=%d: precision for covariance is missed", d)
		}
		off = append([]float64(nil), mean...)
		off[0] += 0.1 * math.Sqrt(cov[0])
		if mvnRejects(d, func(x []float64) { must(r.MVNormal(x, off, cov, ws)) }, mean, cov) == "" {
			t.Errorf("d=%d: a mean off by 0.1 sd is missed", d)
		}
	}

	ws, dst, zero, bad := new(MatWork), make([]float64, 2), make([]float64, 2), []float64{1, 2, 2, 1}
	for name, err := range map[string]error{
		"MVNormal": r.MVNormal(dst, zero, bad, ws), "MVNormalPrec": r.MVNormalPrec(dst, zero, bad, ws),
		"MVNormalNat": r.MVNormalNat(dst, zero, append([]float64(nil), bad...), ws),
	} {
		if !errors.Is(err, ErrNotPosDef) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !math.IsNaN(dst[0]) || !math.IsNaN(dst[1]) {
		t.Errorf("dst = %v after an error", dst)
	}
	if p := MVNormalLogPDF(zero, zero, bad, ws); p == p {
		t.Errorf("MVNormalLogPDF of no covariance: %v", p)
	}
}

func BenchmarkMVNormalNat(b *testing.B) {
	for _, d := range []int{2, 5, 20, 50, 100, 200} {
		prec, P, h, dst, ws := testSPD(d, 1), make([]float64, d*d), make([]float64, d), make([]float64, d), NewMatWork(d)
		r := NewRand(1)
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			for b.Loop() {
				copy(P, prec)
				if err := r.MVNormalNat(dst, h, P, ws); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("chol", d), func(b *testing.B) {
			for b.Loop() {
				copy(P, prec)
				if err := CholInPlace(P, d); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprint("lapack", d), func(b *testing.B) {
			for b.Loop() {
				copy(P, prec)
				if _, ok := lapack64.Potrf(blas64.Symmetric{N: d, Stride: d, Data: P, Uplo: blas.Lower}); !ok {
					b.Fatal("not positive definite")
				}
			}
		})
	}
}
