package runtime

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// testSPD returns a d×d covariance with correlations of both signs; scale multiplies it.
func testSPD(d int, scale float64) []float64 {
	r := NewRand(uint64(d))
	l := make([]float64, d*d)
	for i := range d {
		for j := range i {
			l[i*d+j] = math.Copysign(0.3+0.4*r.Float64(), r.Norm()) // never near 0: correlations are to be missed
		}
		l[i*d+i] = 0.5 + r.Float64()
	}
	a := make([]float64, d*d)
	for i := range d {
		for j := range d {
			a[i*d+j] = scale * dotTo(l[i*d:], l[j*d:], d)
		}
		a[i*d+i] += scale / 4
	}
	return a
}

func TestMatrixHelpers(t *testing.T) {
	for _, d := range []int{1, 2, 3, 7, 20} {
		a, ws := testSPD(d, 3), new(MatWork)
		inv := make([]float64, d*d)
		if err := InvSPD(inv, a, d, ws); err != nil {
			t.Fatal(err)
		}
		var chol mat.Cholesky
		if !chol.Factorize(mat.NewSymDense(d, a)) {
			t.Fatal("gonum disagrees")
		}
		var want mat.SymDense
		if err := chol.InverseTo(&want); err != nil {
			t.Fatal(err)
		}
		for i := range d {
			for j := range d {
				if !near(inv[i*d+j], want.At(i, j), 1e-8) {
					t.Errorf("d=%d: inverse[%d,%d] = %v, want %v", d, i, j, inv[i*d+j], want.At(i, j))
				}
			}
		}
		if got, err := LogDetSPD(a, d, ws); err != nil || !near(got, chol.LogDet(), 1e-12) {
			t.Errorf("d=%d: log determinant %v (%v), want %v", d, got, err, chol.LogDet())
		}
		x := make([]float64, d)
		for i := range x {
			x[i] = float64(i) - 1.5
		}
		xv := mat.NewVecDense(d, x)
		if got, want := QuadForm(a, x), mat.Inner(xv, mat.NewDense(d, d, a), xv); !near(got, want, 1e-12) {
			t.Errorf("d=%d: quadratic form %v, want %v", d, got, want)
		}
		copy(inv, a)
		if err := InvSPD(inv, inv, d, ws); err != nil || !near(inv[0], want.At(0, 0), 1e-8) {
			t.Errorf("d=%d: InvSPD in place: %v", d, err)
		}
	}
	for _, bad := range [][]float64{{1, 2, 2, 1}, {0, 0, 0, 1}, {math.NaN(), 0, 0, 1}, {1, math.NaN(), math.NaN(), 1}, {math.Inf(1), 0, 0, 1}} {
		ws := new(MatWork)
		if err := InvSPD(make([]float64, 4), bad, 2, ws); !errors.Is(err, ErrNotPosDef) {
			t.Errorf("%v: %v", bad, err)
		}
		if _, err := LogDetSPD(bad, 2, ws); !errors.Is(err, ErrNotPosDef) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
