// Package mixture holds a hand-written Gibbs sampler of a finite mixture of
// univariate Normals, as fast as one thread of plain Go is made to go.
//
//	pi    ~ Dirichlet(alpha, ..., alpha)
//	mu[k] ~ Normal(m0, var = v0)
//	s2[k] ~ InvGamma(a, scale = b)
//	z[n]  ~ Categorical(pi)
//	x[n]  ~ Normal(mu[z[n]], var = s2[z[n]])
//
// A sweep draws pi, mu, s2, then each z[n]. What makes it fast: all that depends
// on a component alone is computed once a sweep; exponentials are inlined, so that
// those of a point overlap; no branch depends on a draw; the sums that the next
// sweep's globals need are gathered as the labels are drawn.
package mixture

import (
	"fmt"
	"math"

	"github.com/gibbsgen/gibbsgen/bench/hand/draw"
)

// Hyper holds the constants of the prior. All but M0 are positive.
type Hyper struct {
	Alpha  float64
	M0, V0 float64 // mean and variance of mu
	A, B   float64 // shape and scale of s2
}

// State is one point of the chain.
type State struct {
	Pi, Mu, S2 []float64 // K
	Z          []int32   // N, 0-based
}

// A component holds the logarithm of what a point's weight is made of:
// log pi[k] - ½log s2[k], and 1/(2·s2[k]).
type component struct{ log, mu, half float64 }

// sums are those over the points of one component, of their count and of the first
// two powers of x - ref. The reference is where the component's mean was when
// they were gathered, so that no digits cancel.
type sums struct{ n, ref, d, d2 float64 }

// Sampler is one chain.
type Sampler struct {
	State
	hyper Hyper
	rand  *draw.Rand
	x     []float64
	comps []component // K
	stats []sums      // K
	w     []float64   // K, scratch
}

// New returns a chain of k components on x, with labels cut from the order of x
// modulo k.
func New(x []float64, k int, hyper Hyper, seed uint64) (*Sampler, error) {
	if k < 1 {
		return nil, fmt.Errorf("mixture: %d components", k)
	}
	if !(hyper.Alpha > 0 && hyper.V0 > 0 && hyper.A > 0 && hyper.B > 0) {
		return nil, fmt.Errorf("mixture: %+v: want all but M0 positive", hyper)
	}
	s := &Sampler{
		State: State{Pi: make([]float64, k), Mu: make([]float64, k), S2: make([]float64, k), Z: make([]int32, len(x))},
		hyper: hyper, rand: draw.New(seed), x: x,
		comps: make([]component, k), stats: make([]sums, k), w: make([]float64, k),
	}
	for j := range k {
		s.Pi[j], s.Mu[j], s.S2[j] = 1/float64(k), hyper.M0, 1
	}
	for i := range s.Z {
		s.Z[i] = int32(i % k)
	}
	s.Recount()
	return s, nil
}

// Recount gathers the sums from the state: after the state has been set from outside.
func (s *Sampler) Recount() {
	for j := range s.stats {
		s.stats[j] = sums{ref: s.Mu[j]}
	}
	for i, z := range s.Z {
		s.stats[z].add(s.x[i] - s.stats[z].ref)
	}
}

func (t *sums) add(d float64) {
	t.n++
	t.d += d
	t.d2 += d * d
}

// Sweep draws the globals, then the labels.
func (s *Sampler) Sweep() {
	s.globals()
	s.labels()
}

// globals draws
//
//	pi    | · ~ Dirichlet(alpha + n)
//	mu[k] | · ~ Normal(mean h/p, var 1/p), p = 1/v0 + n/s2[k], h = m0/v0 + Σx/s2[k]
//	s2[k] | · ~ InvGamma(a + n/2, b + Σ(x - mu[k])²/2)
//
// the sums being over the n points of component k.
func (s *Sampler) globals() {
	r, h := s.rand, s.hyper
	var total float64
	for k := range s.stats {
		s.Pi[k] = r.Gamma(h.Alpha + s.stats[k].n)
		total += s.Pi[k]
	}
	for k, t := range s.stats {
		s.Pi[k] /= total
		prec := 1/h.V0 + t.n/s.S2[k]
		// About the reference: mu - ref has prior mean m0 - ref.
		shift := ((h.M0-t.ref)/h.V0+t.d/s.S2[k])/prec + r.Norm()/math.Sqrt(prec)
		s.Mu[k] = t.ref + shift
		ss := t.d2 - shift*(2*t.d-shift*t.n)
		s.S2[k] = r.InvGamma(h.A+t.n/2, h.B+max(ss, 0)/2)
		s.stats[k] = sums{ref: s.Mu[k]}
	}
	s.hoist()
}

// hoist computes what depends on a component alone.
func (s *Sampler) hoist() {
	for k := range s.comps {
		s.comps[k] = component{math.Log(s.Pi[k]) - 0.5*math.Log(s.S2[k]), s.Mu[k], 0.5 / s.S2[k]}
	}
}

// labels draws each z[n] with P(z[n] = k) ∝ pi[k]·s2[k]^-½·exp(-(x[n] - mu[k])²/(2·s2[k])),
// and gathers the sums.
func (s *Sampler) labels() {
	r, comps, stats := s.rand, s.comps, s.stats
	w, zs := s.w[:len(comps)], s.Z[:len(s.x)]
	last := len(comps) - 1
	for i, x := range s.x {
		var total float64
		for k := range comps {
			c := &comps[k]
			d := x - c.mu
			if l := c.log - d*d*c.half; l >= draw.LeastExp {
				total += draw.Exp(l)
			}
			w[k] = total
		}
		if !(total > 0x1p-900) {
			total = s.far(x)
		}
		// How many running sums are at most u. Floats that are not negative
		// compare as their bits do, and so without a branch to mispredict.
		u := math.Float64bits(r.Float64() * total)
		z := last
		for _, v := range w[:last] {
			z -= int((u - math.Float64bits(v)) >> 63)
		}
		zs[i] = int32(z)
		t := &stats[z]
		t.add(x - t.ref)
	}
}

// far fills w with the running sums of the weights of a point so far from all
// components that they would underflow, relative to the largest. It returns the
// last.
func (s *Sampler) far(x float64) float64 {
	most := math.Inf(-1)
	for k, c := range s.comps {
		d := x - c.mu
		s.w[k] = c.log - d*d*c.half
		most = max(most, s.w[k])
	}
	var total float64
	for k, l := range s.w {
		total += math.Exp(l - most)
		s.w[k] = total
	}
	return total
}

// LogJoint returns log p(x, pi, mu, s2, z), constants included.
func (s *Sampler) LogJoint() float64 {
	h := s.hyper
	k := float64(len(s.Pi))
	lp := lgamma(k*h.Alpha) - k*lgamma(h.Alpha)
	for j := range s.Pi {
		lp += (h.Alpha-1)*math.Log(s.Pi[j]) + logNormal(s.Mu[j], h.M0, h.V0) +
			h.A*math.Log(h.B) - lgamma(h.A) - (h.A+1)*math.Log(s.S2[j]) - h.B/s.S2[j]
	}
	for i, z := range s.Z {
		lp += math.Log(s.Pi[z]) + logNormal(s.x[i], s.Mu[z], s.S2[z])
	}
	return lp
}

func logNormal(x, mean, variance float64) float64 {
	d := x - mean
	return -0.5 * (math.Log(2*math.Pi*variance) + d*d/variance)
}

func lgamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}
