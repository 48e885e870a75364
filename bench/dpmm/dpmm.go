// Package dpmm holds an independent sampler of the Dirichlet process mixture of
// Normals, written to be obviously right rather than fast, and the posterior of the
// number of clusters on Old Faithful that it found.
//
//	partition ~ Chinese restaurant process (alpha)
//	Sigma[k]  ~ InvWishart(df = nu0, scale = Psi0)
//	mu[k]     ~ Normal(m0, cov = Sigma[k]/kappa0)
//	x[n]      ~ Normal(mu[z[n]], cov = Sigma[z[n]])
//
// All but the partition is integrated out: Neal (2000), "Markov chain sampling methods
// for Dirichlet process mixture models", JCGS 9(2), Algorithm 3.
package dpmm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
)

// Prior holds the constants.
type Prior struct {
	Alpha  float64
	M0     []float64 // P
	Kappa0 float64
	Nu0    float64     // > P-1
	Psi0   [][]float64 // P×P, positive definite
}

// DefaultPrior is that of specs/dpmm.gm in p dimensions.
func DefaultPrior(p int) Prior {
	prior := Prior{Alpha: 1, M0: make([]float64, p), Kappa0: 0.01, Nu0: float64(p) + 2}
	for i := range p {
		prior.Psi0 = append(prior.Psi0, make([]float64, p))
		prior.Psi0[i][i] = 1
	}
	return prior
}

// A Cluster holds what its marginal likelihood needs of its points.
type Cluster struct {
	N   int
	Sum []float64   // P, Σx
	SS  [][]float64 // P×P, Σxxᵀ
}

func newCluster(p int) *Cluster {
	c := &Cluster{Sum: make([]float64, p)}
	for range p {
		c.SS = append(c.SS, make([]float64, p))
	}
	return c
}

// add puts x in, sign = 1, or takes it out, sign = -1.
func (c *Cluster) add(x []float64, sign int) {
	c.N += sign
	for i, v := range x {
		c.Sum[i] += float64(sign) * v
		for j, w := range x {
			c.SS[i][j] += float64(sign) * v * w
		}
	}
}

// logMarginal returns the log of the density of c's points, its mean and covariance
// integrated out: Murphy (2007), "Conjugate Bayesian analysis of the Gaussian
// distribution", equation 266.
func (prior *Prior) logMarginal(c *Cluster) float64 {
	p, n := len(prior.M0), float64(c.N)
	kappa, nu := prior.Kappa0+n, prior.Nu0+n
	// Psi = Psi0 + Σxxᵀ + kappa0·m0·m0ᵀ - kappa·m·mᵀ, m = (kappa0·m0 + Σx)/kappa.
	psi0, psi := mat.NewSymDense(p, nil), mat.NewSymDense(p, nil)
	for i := range p {
		for j := range i + 1 {
			mi := (prior.Kappa0*prior.M0[i] + c.Sum[i]) / kappa
			mj := (prior.Kappa0*prior.M0[j] + c.Sum[j]) / kappa
			psi0.SetSym(i, j, prior.Psi0[i][j])
			psi.SetSym(i, j, prior.Psi0[i][j]+c.SS[i][j]+prior.Kappa0*prior.M0[i]*prior.M0[j]-kappa*mi*mj)
		}
	}
	return -n*float64(p)/2*math.Log(math.Pi) +
		mathext.MvLgamma(nu/2, p) - mathext.MvLgamma(prior.Nu0/2, p) +
		prior.Nu0/2*logDet(psi0) - nu/2*logDet(psi) +
		float64(p)/2*(math.Log(prior.Kappa0)-math.Log(kappa))
}

func logDet(m *mat.SymDense) float64 {
	var chol mat.Cholesky
	if !chol.Factorize(m) {
		return math.NaN()
	}
	return chol.LogDet()
}

// Sampler is one chain.
type Sampler struct {
	prior    Prior
	x        [][]float64
	rand     *rand.Rand
	Z        []int      // N: cluster of each point
	Clusters []*Cluster // none empty
}

// New returns a chain on x, N points of P coordinates, from the partition z, whose
// labels are 0, 1, ..., none left out.
func New(x [][]float64, prior Prior, z []int, seed uint64) (*Sampler, error) {
	p := len(prior.M0)
	if !(prior.Alpha > 0 && prior.Kappa0 > 0 && prior.Nu0 > float64(p)-1) || len(prior.Psi0) != p {
		return nil, fmt.Errorf("dpmm: prior %+v", prior)
	}
	if len(z) != len(x) || len(x) == 0 {
		return nil, fmt.Errorf("dpmm: %d points, %d labels", len(x), len(z))
	}
	s := &Sampler{prior: prior, x: x, rand: rand.New(rand.NewPCG(seed, 0)), Z: slices.Clone(z)}
	for range slices.Max(z) + 1 {
		s.Clusters = append(s.Clusters, newCluster(p))
	}
	for i, k := range z {
		if k < 0 || len(x[i]) != p {
			return nil, fmt.Errorf("dpmm: point %d has label %d and %d coordinates, want %d", i, k, len(x[i]), p)
		}
		s.Clusters[k].add(x[i], 1)
	}
	for k, c := range s.Clusters {
		if c.N == 0 {
			return nil, fmt.Errorf("dpmm: no point has label %d", k)
		}
	}
	return s, nil
}

// Sweep draws the cluster of each point given those of all others:
//
//	P(z[i] = k)   ∝ N[k]·p(x[i] | points of k)   for each cluster k of the others
//	P(z[i] = new) ∝ alpha·p(x[i])
//
// p(x | points) being the ratio of marginals with and without x.
func (s *Sampler) Sweep() {
	logs := make([]float64, len(s.Clusters))
	for k, c := range s.Clusters {
		logs[k] = s.prior.logMarginal(c)
	}
	p := len(s.prior.M0)
	for i, x := range s.x {
		// Take the point out, and its cluster if that is empty now.
		k := s.Z[i]
		s.Clusters[k].add(x, -1)
		logs[k] = s.prior.logMarginal(s.Clusters[k])
		if s.Clusters[k].N == 0 {
			s.Clusters = slices.Delete(s.Clusters, k, k+1)
			logs = slices.Delete(logs, k, k+1)
			for j, z := range s.Z {
				if z > k {
					s.Z[j]--
				}
			}
		}
		// Try it in each cluster, and in one of its own.
		s.Clusters = append(s.Clusters, newCluster(p))
		logs = append(logs, 0)
		with := make([]float64, len(logs))
		weight := make([]float64, len(logs))
		for k, c := range s.Clusters {
			n := float64(c.N)
			if c.N == 0 {
				n = s.prior.Alpha
			}
			c.add(x, 1)
			with[k] = s.prior.logMarginal(c)
			c.add(x, -1)
			weight[k] = math.Log(n) + with[k] - logs[k]
		}
		k = s.pick(weight)
		s.Z[i] = k
		s.Clusters[k].add(x, 1)
		logs[k] = with[k]
		if last := len(s.Clusters) - 1; s.Clusters[last].N == 0 {
			s.Clusters = s.Clusters[:last]
			logs = logs[:last]
		}
	}
	s.recount() // so that rounding does not add up
}

// recount makes the clusters anew from the labels.
func (s *Sampler) recount() {
	for k := range s.Clusters {
		s.Clusters[k] = newCluster(len(s.prior.M0))
	}
	for i, x := range s.x {
		s.Clusters[s.Z[i]].add(x, 1)
	}
}

// pick draws an index with probability ∝ exp(logw).
func (s *Sampler) pick(logw []float64) int {
	most := slices.Max(logw)
	var total float64
	for _, l := range logw {
		total += math.Exp(l - most)
	}
	u := s.rand.Float64() * total
	for k, l := range logw {
		if u -= math.Exp(l - most); u < 0 {
			return k
		}
	}
	return slices.Index(logw, most)
}
