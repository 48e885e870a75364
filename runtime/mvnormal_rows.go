package runtime

// This file holds the multivariate Normal whose precision is a diagonal and a sum over few rows, drawn without the D×D matrix.

import (
	"math"
	"slices"
)

// ByRows reports whether MVNormalRows is cheaper than the matrix and MVNormalNat, for n rows of length d: the products that
// they take are n²d/2 + n³/6 and d³/6. So d is then larger than n, and the matrix larger than the rows.
func ByRows(n, d int) bool {
	N, D := float64(n), float64(d)
	return 3*N*N*D+N*N*N < D*D*D
}

// MVNormalRows draws dst with the density of MVNormalNat,
//
//	∝ exp(hᵀx - xᵀPx/2),   P = diag(diag) + Σ_n weight[n]·X[n]X[n]ᵀ,   h = lin + Σ_n score[n]·X[n],
//
// in O(N²D + N³) without forming P, where X is N×D, N = len(weight) = len(score) and D = len(dst) = len(lin) = len(diag). lin,
// diag and score ARE OVERWRITTEN; weight and X are left alone. No two may overlap. The error is ErrNotPosDef, and dst then NaN.
//
// Bhattacharya, Chakraborty & Mallick (2016), Fast sampling with Gaussian scale-mixture priors in high-dimensional
// regression, Biometrika 103, Algorithm 2, with a mean in the prior. Let Δ = diag(diag)⁻¹, row n of Φ be √weight[n]·X[n], and
// α[n] = score[n]/√weight[n]. With u ~ Normal(Δ·lin, cov = Δ) and δ ~ Normal(0, cov = I),
//
//	x = u + ΔΦᵀ(I + ΦΔΦᵀ)⁻¹(α - Φu - δ).
//
// A diagonal that is not positive throughout, or a negative weight, is left to MVNormalNat.
func (r *Rand) MVNormalRows(dst, lin, diag, weight, score, X []float64, ws *MatWork) error {
	n, d := len(weight), len(dst)
	lin, diag, score = lin[:d], diag[:d], score[:n]
	others := 0
	for _, v := range diag {
		if v-v != 0 { // infinite, or no number
			fillNaN(dst)
			return ErrNotPosDef
		}
		if v <= 0 {
			others++
		}
	}
	if others > n { // the rows cannot make up for so many
		fillNaN(dst)
		return ErrNotPosDef
	}
	if others > 0 || slices.ContainsFunc(weight, func(v float64) bool { return v < 0 }) {
		return r.mvNormalRowsDense(dst, lin, diag, weight, score, X, ws)
	}
	ws.grow(n)
	M, v, root := ws.a[:n*n], ws.u[:n], ws.v[:n]
	for k, w := range weight {
		root[k] = math.Sqrt(w)
		if w == 0 { // such a row is in the mean alone
			AddScaled(lin, score[k], X[k*d:][:d])
			score[k] = 0
		} else {
			score[k] /= root[k]
		}
	}
	for i, v := range diag {
		diag[i] = 1 / v
		dst[i] = diag[i]*lin[i] + math.Sqrt(diag[i])*r.Norm()
	}
	weightedGram(M, X, diag, n, d)
	for k, s := range root {
		for j, t := range root[:k+1] {
			M[k*n+j] *= s * t
		}
		M[k*n+k]++
		v[k] = score[k] - s*Dot(X[k*d:][:d], dst) - r.Norm()
	}
	if err := CholInPlace(M, n); err != nil {
		fillNaN(dst)
		return err
	}
	solveL(M, v, n)
	solveLT(M, v, n)
	clear(lin)
	for k, s := range root {
		AddScaled(lin, s*v[k], X[k*d:][:d])
	}
	for i := range dst {
		dst[i] += diag[i] * lin[i]
	}
	return nil
}

// mvNormalRowsDense is MVNormalRows by way of the matrix, for parameters that its formula does not cover.
func (r *Rand) mvNormalRowsDense(dst, lin, diag, weight, score, X []float64, ws *MatWork) error {
	d := len(dst)
	P := make([]float64, d*d)
	for i, v := range diag {
		P[i*d+i] = v
	}
	for k, w := range weight {
		x := X[k*d:][:d]
		AddScaled(lin, score[k], x)
		for i, v := range x {
			AddScaled(P[i*d:][:i+1], w*v, x[:i+1])
		}
	}
	return r.MVNormalNat(dst, lin, P, ws)
}

// weightedGram fills the lower triangle of the n×n matrix M with X·diag(c)·Xᵀ. X is n×d; it goes through it in strips narrow
// enough that n rows of one stay near the processor.
func weightedGram(M, X, c []float64, n, d int) {
	clear(M)
	const width = 256
	var x0, x1 [width]float64
	for lo := 0; lo < d; lo += width {
		c := c[lo:min(lo+width, d)]
		m := len(c)
		at := func(k int) []float64 { return X[k*d+lo:][:m] }
		i := 0
		for ; i+1 < n; i += 2 {
			p, q := at(i), at(i+1)
			for k, v := range c {
				x0[k], x1[k] = v*p[k], v*q[k]
			}
			for j := 0; j <= i; j += 2 { // of the last block the cell above the diagonal is filled too
				s00, s01, s10, s11 := dots(x0[:m], x1[:m], at(j), at(j+1))
				M[i*n+j] += s00
				M[i*n+j+1] += s01
				M[i*n+n+j] += s10
				M[i*n+n+j+1] += s11
			}
		}
		if i < n { // the last row of an odd number
			for k, v := range at(i) {
				x0[k] = c[k] * v
			}
			for j := range n {
				M[i*n+j] += dotTo(x0[:m], at(j), m)
			}
		}
	}
}

// MVNormalRowsLogDensity returns hᵀx - xᵀPx/2 for the h and P of MVNormalRows.
func MVNormalRowsLogDensity(x, lin, diag, weight, score, X []float64) float64 {
	var s float64
	for i, v := range x {
		s += v * (lin[i] - diag[i]*v/2)
	}
	for k, w := range weight {
		p := Dot(X[k*len(x):][:len(x)], x)
		s += p * (score[k] - w*p/2)
	}
	return s
}
