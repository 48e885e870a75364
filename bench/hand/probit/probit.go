// Package probit holds a hand-written Gibbs sampler of the Bayesian lasso with a
// probit response, as fast as one thread of plain Go is made to go. Park & Casella
// (2008), "The Bayesian Lasso", JASA 103(482); Albert & Chib (1993), "Bayesian
// analysis of binary and polychotomous response data", JASA 88(422).
//
//	sigma2  ~ InvGamma(a, scale = b)
//	tau2[d] ~ Exponential(rate = lambda²/2)
//	w[d]    ~ Normal(0, var = sigma2·tau2[d])
//	z[n]    ~ Normal(dot(X[n], w), var = 1)
//	y[n]    = z[n] > 0
//
// A sweep draws sigma2, tau2, w jointly, then each z[n]. What makes it fast: XᵀX
// is computed once; the rows of X carry the sign of y, so that what is drawn is
// |z[n]|, positive whatever y; the rows are taken four at a time, so that w and
// Xᵀz are loaded once for the four. Xᵀz is gathered anew in each sweep, at the cost
// of keeping it up to date, and so without drift.
package probit

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

// Globals are the parameters.
type Globals struct {
	Sigma2 float64
	Tau2   []float64 // D
	W      []float64 // D
}

// Sampler is one chain.
type Sampler struct {
	Globals
	hyper Hyper
	rand  *draw.Rand
	n     int
	x     []float64 // N×D, row n multiplied by the sign of z[n]
	abs   []float64 // N, |z[n]|
	xx    []float64 // XᵀX, D×D
	xz    []float64 // Xᵀz, D
	p     []float64 // D×D, scratch
}

// New returns a chain on X, N×D row-major, and y, N, from w = 0. X is copied.
func New(X []float64, y []bool, hyper Hyper, seed uint64) (*Sampler, error) {
	n := len(y)
	if n == 0 || len(X) == 0 || len(X)%n != 0 {
		return nil, fmt.Errorf("probit: X has %d elements, which are no rows for %d responses", len(X), n)
	}
	if !(hyper.Lambda > 0 && hyper.A > 0 && hyper.B > 0) {
		return nil, fmt.Errorf("probit: %+v: want all positive", hyper)
	}
	d := len(X) / n
	s := &Sampler{
		Globals: Globals{Sigma2: 1, Tau2: make([]float64, d), W: make([]float64, d)},
		hyper:   hyper, rand: draw.New(seed), n: n,
		x: append([]float64(nil), X...), abs: make([]float64, n),
		xx: make([]float64, d*d), xz: make([]float64, d), p: make([]float64, d*d),
	}
	for j := range s.Tau2 {
		s.Tau2[j] = 1
	}
	for i, positive := range y {
		row := s.x[i*d : i*d+d]
		for j, v := range row {
			for k := range row[:j+1] {
				s.xx[j*d+k] += v * row[k]
			}
		}
		if !positive {
			for j := range row {
				row[j] = -row[j]
			}
		}
	}
	s.locals()
	return s, nil
}

// AppendZ appends z[0], ..., z[N-1], given the y of New.
func (s *Sampler) AppendZ(dst []float64, y []bool) []float64 {
	for i, v := range s.abs {
		if !y[i] {
			v = -v
		}
		dst = append(dst, v)
	}
	return dst
}

// SetZ sets z, whose signs must be those of y.
func (s *Sampler) SetZ(z []float64) {
	d := len(s.W)
	clear(s.xz)
	for i, v := range z {
		s.abs[i] = math.Abs(v)
		for j := range s.xz {
			s.xz[j] += s.abs[i] * s.x[i*d+j]
		}
	}
}

// Sweep draws the globals, then the locals.
func (s *Sampler) Sweep() error {
	if err := s.globals(); err != nil {
		return err
	}
	s.locals()
	return nil
}

// globals draws
//
//	sigma2    | · ~ InvGamma(a + D/2, b + Σ w²/tau2 / 2)
//	1/tau2[d] | · ~ InvGaussian(mean √(lambda²·sigma2/w[d]²), shape lambda²)
//	w         | · ~ Normal(mean P⁻¹Xᵀz, cov P⁻¹), P = XᵀX + diag(1/(sigma2·tau2))
func (s *Sampler) globals() error {
	r, d := s.rand, len(s.W)
	var shrink float64
	for j, w := range s.W {
		shrink += w * w / s.Tau2[j]
	}
	s.Sigma2 = r.InvGamma(s.hyper.A+float64(d)/2, s.hyper.B+shrink/2)
	copy(s.p, s.xx)
	for j, w := range s.W {
		s.Tau2[j] = s.drawTau2(w)
		s.p[j*d+j] += 1 / (s.Sigma2 * s.Tau2[j])
	}
	if !r.MVNormal(s.W, s.xz, s.p) {
		return fmt.Errorf("probit: the precision of w is not positive definite")
	}
	return nil
}

// drawTau2 draws the tau2 of a coefficient. At w = 0, where the chain starts, the
// Inverse-Gaussian's limit is tau2 ~ Gamma(1/2, rate lambda²/2).
func (s *Sampler) drawTau2(w float64) float64 {
	l := s.hyper.Lambda
	if w == 0 {
		z := s.rand.Norm() / l
		return z * z
	}
	return 1 / s.rand.InvGaussian(l*math.Sqrt(s.Sigma2)/math.Abs(w), l*l)
}

// locals draws each z[n] | · ~ Normal(dot(X[n], w), 1), truncated to y's side of 0, and
// gathers Xᵀz.
func (s *Sampler) locals() {
	r, d := s.rand, len(s.W)
	w, xz := s.W, s.xz[:d]
	clear(xz)
	i := 0
	for ; i+4 <= s.n; i += 4 {
		rows := s.x[i*d : (i+4)*d]
		x0, x1, x2, x3 := rows[:d], rows[d:2*d], rows[2*d:3*d], rows[3*d:4*d]
		x1, x2, x3 = x1[:len(x0)], x2[:len(x0)], x3[:len(x0)]
		var m0, m1, m2, m3 float64
		for j, v := range w[:len(x0)] {
			m0 += x0[j] * v
			m1 += x1[j] * v
			m2 += x2[j] * v
			m3 += x3[j] * v
		}
		z0, z1 := r.PositiveNormal(m0), r.PositiveNormal(m1)
		z2, z3 := r.PositiveNormal(m2), r.PositiveNormal(m3)
		abs := s.abs[i : i+4]
		abs[0], abs[1], abs[2], abs[3] = z0, z1, z2, z3
		for j := range xz[:len(x0)] {
			xz[j] += (x0[j]*z0 + x1[j]*z1) + (x2[j]*z2 + x3[j]*z3)
		}
	}
	for ; i < s.n; i++ {
		row := s.x[i*d : i*d+d]
		var m float64
		for j, v := range row {
			m += v * w[j]
		}
		z := r.PositiveNormal(m)
		s.abs[i] = z
		for j, v := range row {
			xz[j] += v * z
		}
	}
}
