// This file holds the multivariate Normal.

package draw

import "math"

// MVNormal draws x with density ∝ exp(hᵀx - xᵀPx/2): mean P⁻¹h, covariance P⁻¹.
// It overwrites P, len(x)² row-major, whose lower triangle alone it reads, by its
// Cholesky factor, and reports whether P was positive definite.
func (r *Rand) MVNormal(x, h, P []float64) bool {
	n := len(x)
	for i := range n {
		li := P[i*n : i*n+i+1]
		for j := range i {
			lj := P[j*n : j*n+j+1]
			s := li[j]
			for k, v := range lj[:j] {
				s -= v * li[k]
			}
			li[j] = s / lj[j]
		}
		s := li[i]
		for _, v := range li[:i] {
			s -= v * v
		}
		if !(s > 0) {
			return false
		}
		li[i] = math.Sqrt(s)
	}
	// P = LLᵀ: x = L⁻ᵀ(L⁻¹h + z), z standard.
	for i := range n {
		s := h[i]
		for k, v := range P[i*n : i*n+i] {
			s -= v * x[k]
		}
		x[i] = s / P[i*n+i]
	}
	for i := range x {
		x[i] += r.Norm()
	}
	for i := n - 1; i >= 0; i-- {
		x[i] /= P[i*n+i]
		for k, v := range P[i*n : i*n+i] {
			x[k] -= v * x[i]
		}
	}
	return true
}
