package runtime

// This file holds the small dense linear algebra of the samplers: Cholesky and what is built on it, without allocation.

import (
	"errors"
	"math"
)

// ErrNotPosDef is returned where a matrix that must be symmetric positive definite is not, or holds NaN.
var ErrNotPosDef = errors.New("matrix is not positive definite")

// ErrParameter is returned by vector and matrix draws for parameters outside their domain.
var ErrParameter = errors.New("parameter out of range")

// MatWork is scratch space for matrix functions. It grows to the largest order it meets and then allocates no more. It
// must not be shared by goroutines, and holds nothing between calls.
type MatWork struct {
	a, b []float64 // n×n
	u, v []float64 // n
}

// NewMatWork returns scratch space for matrices up to n×n.
func NewMatWork(n int) *MatWork {
	ws := new(MatWork)
	ws.grow(n)
	return ws
}

func (ws *MatWork) grow(n int) {
	if len(ws.u) < n {
		ws.a, ws.b = make([]float64, n*n), make([]float64, n*n)
		ws.u, ws.v = make([]float64, n), make([]float64, n)
	}
}

// CholInPlace factorises the symmetric positive definite n×n matrix a = L·Lᵀ. It reads the lower triangle and overwrites
// it with L; the strict upper triangle is left alone. On ErrNotPosDef a is spoilt.
//
// Rows go in pairs, in blocks of 2×2, so that each number loaded is used twice and four sums overlap.
func CholInPlace(a []float64, n int) error {
	i := 0
	for ; i+1 < n; i += 2 {
		x0, x1 := a[i*n:i*n+i+1], a[i*n+n:i*n+n+i+2]
		for j := 0; j < i; j += 2 {
			y0, y1 := a[j*n:j*n+j+1], a[j*n+n:j*n+n+j+2]
			s00, s01, s10, s11 := dots(x0[:j], x1[:j], y0[:j], y1[:j])
			d0, d1 := 1/y0[j], 1/y1[j+1]
			u, v := (x0[j]-s00)*d0, (x1[j]-s10)*d0
			x0[j], x1[j] = u, v
			x0[j+1], x1[j+1] = (x0[j+1]-s01-u*y1[j])*d1, (x1[j+1]-s11-v*y1[j])*d1
		}
		s00, _, s10, s11 := dots(x0[:i], x1[:i], x0[:i], x1[:i])
		d := x0[i] - s00
		if !isPositive(d) {
			return ErrNotPosDef
		}
		x0[i] = math.Sqrt(d)
		u := (x1[i] - s10) / x0[i]
		x1[i] = u
		if d = x1[i+1] - s11 - u*u; !isPositive(d) {
			return ErrNotPosDef
		}
		x1[i+1] = math.Sqrt(d)
	}
	if i < n { // the last row of an odd order
		x := a[i*n : i*n+n]
		for j := range i {
			row := a[j*n : j*n+j+1]
			x[j] = (x[j] - dotTo(row, x, j)) / row[j]
		}
		d := x[i] - dotTo(x, x, i)
		if !isPositive(d) {
			return ErrNotPosDef
		}
		x[i] = math.Sqrt(d)
	}
	return nil
}

// dots returns the inner products x0·y0, x0·y1, x1·y0, x1·y1 of four slices of one length.
func dots(x0, x1, y0, y1 []float64) (s00, s01, s10, s11 float64) {
	x1, y0, y1 = x1[:len(x0)], y0[:len(x0)], y1[:len(x0)]
	for k, u := range x0 {
		v, p, q := x1[k], y0[k], y1[k]
		s00 += u * p
		s01 += u * q
		s10 += v * p
		s11 += v * q
	}
	return
}

// dotTo returns the inner product of the first n elements, in four sums that the processor may overlap.
func dotTo(x, y []float64, n int) float64 {
	x, y = x[:n], y[:n]
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// subScaled subtracts alpha·x from y.
func subScaled(y, x []float64, alpha float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] -= alpha * v
	}
}

// solveL overwrites x with L⁻¹x.
func solveL(l, x []float64, n int) {
	for i := range n {
		row := l[i*n : i*n+i+1]
		x[i] = (x[i] - dotTo(row, x, i)) / row[i]
	}
}

// solveLT overwrites x with L⁻ᵀx.
func solveLT(l, x []float64, n int) {
	for i := n - 1; i >= 0; i-- {
		row := l[i*n : i*n+i+1]
		x[i] /= row[i]
		subScaled(x, row[:i], x[i])
	}
}

// InvSPD puts the inverse of the symmetric positive definite n×n matrix a into dst, both triangles. dst may be a.
func InvSPD(dst, a []float64, n int, ws *MatWork) error {
	ws.grow(n)
	l := ws.a[:n*n]
	copy(l, a[:n*n])
	if err := CholInPlace(l, n); err != nil {
		return err
	}
	// Column j of the inverse is L⁻ᵀL⁻¹e_j; on and below the diagonal it needs only that part of L.
	for j := range n {
		x := ws.u[j:n] // x[i-j] is row i
		clear(x)
		x[0] = 1 / l[j*n+j]
		for i := j + 1; i < n; i++ {
			x[i-j] = -dotTo(l[i*n+j:i*n+i], x, i-j) / l[i*n+i]
		}
		for i := n - 1; i >= j; i-- {
			x[i-j] /= l[i*n+i]
			subScaled(x, l[i*n+j:i*n+i], x[i-j])
			dst[i*n+j], dst[j*n+i] = x[i-j], x[i-j]
		}
	}
	return nil
}

// LogDetSPD returns log|a| of the symmetric positive definite n×n matrix a, which it leaves alone.
func LogDetSPD(a []float64, n int, ws *MatWork) (float64, error) {
	ws.grow(n)
	l := ws.a[:n*n]
	copy(l, a[:n*n])
	if err := CholInPlace(l, n); err != nil {
		return nan(), err
	}
	return logDetChol(l, n), nil
}

func logDetChol(l []float64, n int) float64 {
	s := 0.0
	for i := range n {
		s += math.Log(l[i*n+i])
	}
	return 2 * s
}

// QuadForm returns xᵀ·a·x for an n×n matrix a, n the length of x.
func QuadForm(a, x []float64) float64 {
	n, s := len(x), 0.0
	for i, v := range x {
		s += v * dotTo(a[i*n:i*n+n], x, n)
	}
	return s
}

func fillNaN(x []float64) {
	for i := range x {
		x[i] = nan()
	}
}
