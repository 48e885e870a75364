package runtime

// This file holds the multivariate Normal distribution.

// MVNormal draws dst from the multivariate Normal with the given mean and COVARIANCE, d×d, d = len(dst).
func (r *Rand) MVNormal(dst, mean, cov []float64, ws *MatWork) error {
	n := len(dst)
	ws.grow(n)
	l, z := ws.a[:n*n], ws.u[:n]
	copy(l, cov[:n*n])
	if err := CholInPlace(l, n); err != nil {
		fillNaN(dst)
		return err
	}
	for i := range z {
		z[i] = r.Norm()
	}
	for i := range n {
		dst[i] = mean[i] + dotTo(l[i*n:], z, i+1)
	}
	return nil
}

// MVNormalPrec draws dst from the multivariate Normal with the given mean and PRECISION, d×d, d = len(dst).
func (r *Rand) MVNormalPrec(dst, mean, prec []float64, ws *MatWork) error {
	n := len(dst)
	ws.grow(n)
	l := ws.a[:n*n]
	copy(l, prec[:n*n])
	if err := CholInPlace(l, n); err != nil {
		fillNaN(dst)
		return err
	}
	z := ws.u[:n]
	for i := range z {
		z[i] = r.Norm()
	}
	solveLT(l, z, n)
	for i := range n {
		dst[i] = mean[i] + z[i]
	}
	return nil
}

// MVNormalNat draws dst with density ∝ exp(hᵀx - xᵀPx/2): mean P⁻¹h, covariance P⁻¹. P is d×d, d = len(dst), and only its
// lower triangle is read; IT IS OVERWRITTEN with the Cholesky factor L, P = L·Lᵀ. dst, h and P must not overlap. The error is
// ErrNotPosDef, and dst then NaN.
func (r *Rand) MVNormalNat(dst, h, P []float64, ws *MatWork) error {
	n := len(dst)
	if err := CholInPlace(P, n); err != nil {
		fillNaN(dst)
		return err
	}
	copy(dst, h[:n])
	solveL(P, dst, n)
	for i := range dst {
		dst[i] += r.Norm()
	}
	solveLT(P, dst, n)
	return nil
}

// MVNormalLogPDF returns the log density of the multivariate Normal with the given mean and COVARIANCE at x; NaN if cov is not
// positive definite.
func MVNormalLogPDF(x, mean, cov []float64, ws *MatWork) float64 {
	n := len(x)
	ws.grow(n)
	l, z := ws.a[:n*n], ws.u[:n]
	copy(l, cov[:n*n])
	if CholInPlace(l, n) != nil {
		return nan()
	}
	for i := range z {
		z[i] = x[i] - mean[i]
	}
	solveL(l, z, n)
	return -0.5 * (float64(n)*log2Pi + logDetChol(l, n) + dotTo(z, z, n))
}

// MVNormalPrecLogPDF returns the log density of the multivariate Normal with the given mean and PRECISION at x; NaN if prec is
// not positive definite.
func MVNormalPrecLogPDF(x, mean, prec []float64, ws *MatWork) float64 {
	n := len(x)
	ws.grow(n)
	l, z := ws.a[:n*n], ws.u[:n]
	copy(l, prec[:n*n])
	if CholInPlace(l, n) != nil {
		return nan()
	}
	for i := range z {
		z[i] = x[i] - mean[i]
	}
	q := 0.0
	for j := range n { // |Lᵀz|²
		s := 0.0
		for i := j; i < n; i++ {
			s += l[i*n+j] * z[i]
		}
		q += s * s
	}
	return -0.5 * (float64(n)*log2Pi - logDetChol(l, n) + q)
}
