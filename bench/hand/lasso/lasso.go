// Package lasso holds a hand-written Gibbs sampler of the Bayesian lasso with a
// Gaussian response: Park & Casella (2008), "The Bayesian Lasso", JASA 103(482),
// section 2, with a proper prior on the variance.
//
//	sigma2  ~ InvGamma(a, scale = b)
//	tau2[d] ~ Exponential(rate = lambda²/2)
//	w[d]    ~ Normal(0, var = sigma2·tau2[d])
//	y[n]    ~ Normal(dot(X[n], w), var = sigma2)
//
// It serves to cross-check the reference made with JAGS.
package lasso

import (
	"fmt"
	"math"

	"github.com/gibbsgen/gibbsgen/bench/hand/draw"
)

// Hyper holds the constants of the prior, all positive.
type Hyper struct {
	Lambda float64
	A, B   float64 // shape and scale of sigma2
}

// State is one point of the chain.
type State struct {
	Sigma2 float64
	Tau2   []float64 // D
	W      []float64 // D
}

// Sampler is one chain. All it needs of the data are sums.
type Sampler struct {
	State
	hyper Hyper
	rand  *draw.Rand
	n     int
	xx    []float64 // XᵀX, D×D
	xy    []float64 // Xᵀy, D
	yy    float64   // yᵀy
	p     []float64 // D×D, scratch
	h     []float64 // D, scratch
}

// New returns a chain on X, N×D row-major, and y, N.
func New(X, y []float64, hyper Hyper, seed uint64) (*Sampler, error) {
	n := len(y)
	if n == 0 || len(X) == 0 || len(X)%n != 0 {
		return nil, fmt.Errorf("lasso: X has %d elements, which are no rows for %d responses", len(X), n)
	}
	if !(hyper.Lambda > 0 && hyper.A > 0 && hyper.B > 0) {
		return nil, fmt.Errorf("lasso: %+v: want all positive", hyper)
	}
	d := len(X) / n
	s := &Sampler{
		State: State{Sigma2: 1, Tau2: make([]float64, d), W: make([]float64, d)},
		hyper: hyper, rand: draw.New(seed), n: n,
		xx: make([]float64, d*d), xy: make([]float64, d), p: make([]float64, d*d), h: make([]float64, d),
	}
	for j := range s.Tau2 {
		s.Tau2[j] = 1
	}
	for i, v := range y {
		x := X[i*d : i*d+d]
		for j := range d {
			s.xy[j] += x[j] * v
			for k := range d {
				s.xx[j*d+k] += x[j] * x[k]
			}
		}
		s.yy += v * v
	}
	return s, nil
}

// Sweep draws w, sigma2 and tau2 in turn.
func (s *Sampler) Sweep() error {
	d := len(s.W)
	// w | · ~ Normal(P⁻¹h, P⁻¹), P = (XᵀX + diag(1/tau2))/sigma2, h = Xᵀy/sigma2.
	for i := range s.p {
		s.p[i] = s.xx[i] / s.Sigma2
	}
	for j := range d {
		s.p[j*d+j] += 1 / (s.Sigma2 * s.Tau2[j])
		s.h[j] = s.xy[j] / s.Sigma2
	}
	if !s.rand.MVNormal(s.W, s.h, s.p) {
		return fmt.Errorf("lasso: the precision of w is not positive definite")
	}
	// sigma2 | · ~ InvGamma(a + N/2 + D/2, b + |y - Xw|²/2 + Σ w²/tau2 / 2).
	rss, shrink := s.yy, 0.0
	for j, wj := range s.W {
		var xw float64
		for k, wk := range s.W {
			xw += s.xx[j*d+k] * wk
		}
		rss += wj * (xw - 2*s.xy[j])
		shrink += wj * wj / s.Tau2[j]
	}
	s.Sigma2 = s.rand.InvGamma(s.hyper.A+float64(s.n+d)/2, s.hyper.B+(max(rss, 0)+shrink)/2)
	// 1/tau2 | · ~ InvGaussian(mean √(lambda²·sigma2/w²), shape lambda²).
	l2 := s.hyper.Lambda * s.hyper.Lambda
	for j, w := range s.W {
		s.Tau2[j] = 1 / s.rand.InvGaussian(s.hyper.Lambda*math.Sqrt(s.Sigma2)/math.Abs(w), l2)
	}
	return nil
}
