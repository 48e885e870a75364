package runtime

// This file holds the Wishart and Inverse-Wishart distributions, by Bartlett's decomposition.

import "math"

// Wishart draws the p×p matrix dst with density ∝ |X|^((df-p-1)/2) exp(-tr(scale⁻¹X)/2); its mean is df·scale. It needs
// df > p-1 (else ErrParameter) and a positive definite scale (else ErrNotPosDef). dst may be scale.
func (r *Rand) Wishart(dst []float64, df float64, scale []float64, p int, ws *MatWork) error {
	l, t, err := r.bartlett(dst, df, scale, p, ws)
	if err != nil {
		return err
	}
	// X = (LT)(LT)ᵀ. Row i of LT is Σ_k l_ik t_k, written over row i of L from the left.
	for i := range p {
		li := l[i*p : i*p+i+1]
		for j := range i + 1 {
			s := 0.0
			for k := j; k <= i; k++ {
				s += li[k] * t[k*p+j]
			}
			li[j] = s
		}
	}
	for i := range p {
		for j := range i + 1 {
			s := dotTo(l[i*p:], l[j*p:], j+1)
			dst[i*p+j], dst[j*p+i] = s, s
		}
	}
	return nil
}

// InvWishart draws the p×p matrix dst with density ∝ |X|^(-(df+p+1)/2) exp(-tr(scale·X⁻¹)/2); its mean is scale/(df-p-1). It
// needs df > p-1 (else ErrParameter) and a positive definite scale (else ErrNotPosDef). dst may be scale.
func (r *Rand) InvWishart(dst []float64, df float64, scale []float64, p int, ws *MatWork) error {
	l, t, err := r.bartlett(dst, df, scale, p, ws)
	if err != nil {
		return err
	}
	// With scale = LLᵀ, X⁻¹ = L⁻ᵀTTᵀL⁻¹, so X = MMᵀ with M = LT⁻ᵀ: row i of M solves T·m = (row i of L).
	for i := range p {
		m := l[i*p : i*p+p]
		clear(m[i+1:])
		solveL(t, m, p)
	}
	for i := range p {
		for j := range i + 1 {
			s := dotTo(l[i*p:], l[j*p:], p)
			dst[i*p+j], dst[j*p+i] = s, s
		}
	}
	return nil
}

// WishartNat draws the p×p matrix dst with density ∝ |X|^c · exp(-tr(S·X)/2): Wishart with df = 2c+p+1 and scale S⁻¹. Errors
// are those of Wishart. dst may be S.
func (r *Rand) WishartNat(dst []float64, c float64, S []float64, p int, ws *MatWork) error {
	l, t, err := r.bartlett(dst, 2*c+float64(p)+1, S, p, ws)
	if err != nil {
		return err
	}
	// X = MMᵀ with M = L⁻ᵀT, solved from the last row up: m_i = (t_i - Σ_{k>i} l_ki m_k) / l_ii.
	for i := p - 1; i >= 0; i-- {
		mi := t[i*p : i*p+p]
		clear(mi[i+1:])
		for k := i + 1; k < p; k++ {
			subScaled(mi, t[k*p:k*p+p], l[k*p+i])
		}
		for j := range mi {
			mi[j] /= l[i*p+i]
		}
	}
	for i := range p {
		for j := range i + 1 {
			s := dotTo(t[i*p:], t[j*p:], p)
			dst[i*p+j], dst[j*p+i] = s, s
		}
	}
	return nil
}

// InvWishartNat draws the p×p matrix dst with density ∝ |X|^c · exp(-tr(S·X⁻¹)/2), c negative: Inverse-Wishart with
// df = -2c-p-1 and scale S. Errors are those of InvWishart. dst may be S.
func (r *Rand) InvWishartNat(dst []float64, c float64, S []float64, p int, ws *MatWork) error {
	return r.InvWishart(dst, -2*c-float64(p)-1, S, p, ws)
}

// bartlett returns, in ws, the Cholesky factor of m and a lower triangular T with TTᵀ ~ Wishart(df, identity): Bartlett (1933).
// On error dst is filled with NaN.
func (r *Rand) bartlett(dst []float64, df float64, m []float64, p int, ws *MatWork) (l, t []float64, err error) {
	if p < 1 || !(df > float64(p-1)) || df > huge {
		fillNaN(dst)
		return nil, nil, ErrParameter
	}
	ws.grow(p)
	l, t = ws.a[:p*p], ws.b[:p*p]
	copy(l, m[:p*p])
	if err := CholInPlace(l, p); err != nil {
		fillNaN(dst)
		return nil, nil, err
	}
	for i := range p {
		for j := range i {
			t[i*p+j] = r.Norm()
		}
		t[i*p+i] = math.Sqrt(r.Gamma((df-float64(i))/2, 0.5))
	}
	return l, t, nil
}

// WishartLogPDF returns the log density of Wishart(df, scale) at the p×p matrix x: -Inf if x is not positive definite.
func WishartLogPDF(x []float64, df float64, scale []float64, p int, ws *MatWork) float64 {
	n := float64(p)
	if p < 1 || !(df > n-1) || df > huge {
		return nan()
	}
	logS, logX, tr := wishartParts(scale, x, p, ws)
	if logS != logS || tr != tr {
		return nan()
	}
	if logX != logX {
		return math.Inf(-1)
	}
	return (df-n-1)/2*logX - tr/2 - df/2*logS - df*n/2*math.Ln2 - LMvGamma(p, df/2)
}

// InvWishartLogPDF returns the log density of InvWishart(df, scale) at the p×p matrix x: -Inf if x is not positive definite.
func InvWishartLogPDF(x []float64, df float64, scale []float64, p int, ws *MatWork) float64 {
	n := float64(p)
	if p < 1 || !(df > n-1) || df > huge {
		return nan()
	}
	logX, logS, tr := wishartParts(x, scale, p, ws)
	if logS != logS {
		return nan()
	}
	if logX != logX {
		return math.Inf(-1)
	}
	return df/2*logS - (df+n+1)/2*logX - tr/2 - df*n/2*math.Ln2 - LMvGamma(p, df/2)
}

// wishartParts returns log|a|, log|b| and tr(a⁻¹b); NaN for the log of what is not positive definite.
func wishartParts(a, b []float64, p int, ws *MatWork) (logA, logB, tr float64) {
	ws.grow(p)
	la, lb := ws.a[:p*p], ws.b[:p*p]
	copy(la, a[:p*p])
	copy(lb, b[:p*p])
	logA, logB = nan(), nan()
	if CholInPlace(lb, p) == nil {
		logB = logDetChol(lb, p)
	}
	if CholInPlace(la, p) != nil {
		return
	}
	logA = logDetChol(la, p)
	// tr(a⁻¹b) = |La⁻¹Lb|², column by column of Lb.
	x := ws.u[:p]
	for j := range p {
		for i := range p {
			x[i] = 0
			if i >= j {
				x[i] = lb[i*p+j]
			}
		}
		solveL(la, x, p)
		tr += dotTo(x, x, p)
	}
	return
}
