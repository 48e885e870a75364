package m30

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	N int // plate N
	P int // plate P: dimensions
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("P", n.P, 1),
		runtime.Room("Psi0", runtime.Extent(n.P, n.P)),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data x[n in N, P] : real ~ Normal(mu[z[n]], cov = Sigma[z[n]])
	// row-major over N, P
	X []float64
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const alpha : real > 0 = 1
	Alpha float64

	// const m0[P] : real = 0
	// over P
	M0 []float64
	// const kappa0 : real > 0 = 0.01
	Kappa0 float64
	// const nu0 : real > P - 1 = P + 2
	Nu0 float64

	// const Psi0[P, P] : cov = identity(P)
	// row-major over P, P; symmetric positive definite matrices
	Psi0 []float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	if sizes.check() != nil {
		return h
	}
	h.M0 = make([]float64, sizes.P)
	h.Psi0 = make([]float64, sizes.P*sizes.P)
	P := sizes.P
	Psi0 := h.Psi0
	h.Alpha = 1
	h.Kappa0 = 0.01
	h.Nu0 = float64(P) + 2
	for p := range P {
		for p2 := range P {
			Psi0[p*P+p2] = runtime.Indicator(p == p2)
		}
	}
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	Clusters int // number in use of plate clusters : unbounded

	// global Sigma[k in clusters] ~ InvWishart(df = nu0, scale = Psi0)
	// row-major over clusters, P, P; symmetric positive definite matrices
	Sigma []float64

	// global mu[k in clusters] ~ Normal(m0, cov = Sigma[k] / kappa0)
	// row-major over clusters, P
	Mu []float64

	// local z[n in N] ~ Categorical(pi)
	// over N; categories of clusters, from 0
	Z []int32
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Sigma = slices.Clone(st.Sigma)
	st.Mu = slices.Clone(st.Mu)
	st.Z = slices.Clone(st.Z)
	return st
}

type Sampler struct {
	data   Data
	hyper  Hyper
	state  State
	rng    *runtime.Rand
	mat    *runtime.MatWork
	joint1 []float64 // scratch of the log joint
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m30: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m30: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m30: %w", err)
	}
	if err := s.SetState(st); err != nil {
		return nil, err
	}
	return s, nil
}

// build checks the inputs and makes room for the state and all that is computed from it.
func build(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s := &Sampler{
		data:  data,
		hyper: hyper,
		rng:   rng,
	}
	if err := s.check(true); err != nil {
		return nil, err
	}
	s.mat = new(runtime.MatWork)
	s.joint1 = make([]float64, data.P*data.P)
	s.state.Clusters = 1
	if err := s.makeState(); err != nil {
		return nil, err
	}
	s.alloc()
	s.sumData()
	return s, nil
}

// check reports what is wrong with data and constants; observed says whether the data that have a distribution are there.
func (s *Sampler) check(observed bool) error {
	if err := s.checkSizes(); err != nil {
		return err
	}
	if err := s.checkLengths(observed); err != nil {
		return err
	}
	return s.checkValues(observed)
}

// checkSizes validates the sizes of the plates, and finds where the parts of ragged ones begin.
func (s *Sampler) checkSizes() error {
	if err := s.data.Sizes.check(); err != nil {
		return err
	}
	return nil
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	P := s.data.P
	N := s.data.N
	if err := errors.Join(
		runtime.Length("M0", len(s.hyper.M0), P),
		runtime.Length("Psi0", len(s.hyper.Psi0), runtime.Extent(P, P)),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("X", len(s.data.X), runtime.Extent(N, P)); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	alpha := s.hyper.Alpha
	m0 := s.hyper.M0
	kappa0 := s.hyper.Kappa0
	nu0 := s.hyper.Nu0
	P := s.data.P
	Psi0 := s.hyper.Psi0
	x := s.data.X
	if err := errors.Join(
		runtime.Positive("Alpha", alpha),
		runtime.Finite("M0", m0...),
		runtime.Positive("Kappa0", kappa0),
		runtime.Within("Nu0", nu0, float64(P)-1, math.Inf(1), false, false),
		runtime.PosDef("Psi0", Psi0, P),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Finite("X", x...); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	clusters := s.state.Clusters
	Sigma := s.state.Sigma
	P := s.data.P
	mu := s.state.Mu
	z := s.state.Z
	N := s.data.N
	if err := errors.Join(
		runtime.Counts("Clusters", clusters),
		runtime.Length("Sigma", len(Sigma), runtime.Extent(clusters, P, P)),
		runtime.Length("Mu", len(mu), runtime.Extent(clusters, P)),
		runtime.Length("Z", len(z), N),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Categories("Z", z, clusters),
		runtime.PosDef("Sigma", Sigma, P),
		runtime.Finite("Mu", mu...),
		runtime.InUse("Clusters", clusters, z),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	P := s.data.P
	N := s.data.N
	if err := errors.Join(
		runtime.Room("Sigma", runtime.Extent(s.state.Clusters, P, P)),
		runtime.Room("Mu", runtime.Extent(s.state.Clusters, P)),
	); err != nil {
		return err
	}
	s.state.Sigma = make([]float64, s.state.Clusters*P*P)
	s.state.Mu = make([]float64, s.state.Clusters*P)
	s.state.Z = make([]int32, N)
	return nil
}

// start draws overdispersed starts until one has positive density.
func (s *Sampler) start() error {
	for range 100 {
		s.disperse()
		s.Rebuild()
		if lp := s.LogJoint(); !(math.IsNaN(lp) || math.IsInf(lp, 0)) {
			return nil
		}
	}
	return errors.New("no start of positive density in 100 tries; give initial values")
}

// disperse draws each unknown widely within its support, and on the side of a constraint that the data ask for.
func (s *Sampler) disperse() {
	N := s.data.N
	P := s.data.P
	z := s.state.Z
	// A few clusters.
	s.state.Clusters = 1 + s.rng.IntN(min(10, N))
	s.state.Sigma = make([]float64, s.state.Clusters*P*P)
	s.state.Mu = make([]float64, s.state.Clusters*P)
	seated := 0 // the first units take one each, so that none is empty
	// Sigma
	s.rng.StartSPD(s.state.Sigma, P)
	// mu
	for i := range s.state.Mu {
		s.state.Mu[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// z
	for n := range N {
		z[n] = int32(s.rng.IntN(s.state.Clusters))
		if seated < s.state.Clusters {
			z[n] = int32(seated)
		}
		seated++
	}
}

// State returns the current state. It is overwritten by the next update; Clone it to keep it.
func (s *Sampler) State() *State {
	return &s.state
}

// SetState moves the chain to a copy of st, which must lie within the supports and have positive density; if not, the chain stays
// where it is. Categories of an unbounded plate are numbered from 0 without gaps.
func (s *Sampler) SetState(st State) error {
	old := s.state
	s.state = st.Clone()
	if err := s.checkState(); err != nil {
		s.state = old
		return fmt.Errorf("m30: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m30: the state has log density %v", lp)
	}
	return nil
}

// Data returns the data that the chain was made with.
func (s *Sampler) Data() Data {
	return s.data
}

// logJointWith returns the log density of the data, the unknowns and the values given for what is integrated out.
func (s *Sampler) logJointWith() float64 {
	nu0 := s.hyper.Nu0
	Psi0 := s.hyper.Psi0
	clusters := s.state.Clusters
	Sigma := s.state.Sigma
	P := s.data.P
	mat := s.mat
	m0 := s.hyper.M0
	kappa0 := s.hyper.Kappa0
	covMat := s.joint1
	mu := s.state.Mu
	N := s.data.N
	z := s.state.Z
	alpha := s.hyper.Alpha
	x := s.data.X
	lp := 0.0
	// global Sigma[k in clusters] ~ InvWishart(df = nu0, scale = Psi0)
	for k := range clusters {
		lp += runtime.InvWishartLogPDF(Sigma[k*P*P:k*P*P+P*P], nu0, Psi0, P, mat)
	}
	// global mu[k in clusters] ~ Normal(m0, cov = Sigma[k] / kappa0)
	for k := range clusters {
		for p := range P {
			for p2 := range P {
				covMat[p*P+p2] = Sigma[(k*P+p)*P+p2] / kappa0
			}
		}
		lp += runtime.MVNormalLogPDF(mu[k*P:k*P+P], m0, covMat, mat)
	}
	// global pi ~ GEM(alpha) over clusters: the probability of the partition, by the Chinese restaurant process
	counts := make([]int, clusters)
	// local z[n in N] ~ Categorical(pi)
	for n := range N {
		counts[int(z[n])]++
	}
	lp += runtime.CRPLogPMF(counts, alpha)
	// data x[n in N, P] : real ~ Normal(mu[z[n]], cov = Sigma[z[n]])
	for n := range N {
		lp += runtime.MVNormalLogPDF(x[n*P:n*P+P], mu[int(z[n])*P:int(z[n])*P+P], Sigma[int(z[n])*P*P:int(z[n])*P*P+P*P], mat)
	}
	return lp
}

// Simulate draws the unknowns from their priors, and then the data that have a distribution or are observed. Sizes, lengths of
// ragged plates and all other data are taken from data, which is not changed. An improper prior is an error.
func Simulate(data Data, hyper Hyper, rng *runtime.Rand) (Data, State, error) {
	s := &Sampler{
		data:  data,
		hyper: hyper,
		rng:   rng,
	}
	s.mat = new(runtime.MatWork)
	if err := s.check(false); err != nil {
		return Data{}, State{}, fmt.Errorf("m30: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m30: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m30: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m30: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m30: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m30: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	P := s.data.P
	if err := runtime.Room("X", runtime.Extent(N, P)); err != nil {
		return err
	}
	s.data.X = make([]float64, N*P)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	N := s.data.N
	alpha := s.hyper.Alpha
	z := s.state.Z
	P := s.data.P
	nu0 := s.hyper.Nu0
	Psi0 := s.hyper.Psi0
	mat := s.mat
	m0 := s.hyper.M0
	kappa0 := s.hyper.Kappa0
	covMat := make([]float64, P*P)
	x := s.data.X
	// how often each of clusters was drawn
	var counts []int
	// local z[n in N] ~ Categorical(pi)
	for n := range N {
		k := s.rng.CRP(counts, alpha)
		if k == len(counts) {
			counts = append(counts, 0)
		}
		counts[k]++
		z[n] = int32(k)
	}
	s.state.Clusters = len(counts)
	s.state.Sigma = make([]float64, s.state.Clusters*P*P)
	s.state.Mu = make([]float64, s.state.Clusters*P)
	// global Sigma[k in clusters] ~ InvWishart(df = nu0, scale = Psi0)
	for k := range s.state.Clusters {
		if err := s.rng.InvWishart(s.state.Sigma[k*P*P:k*P*P+P*P], nu0, Psi0, P, mat); err != nil {
			return runtime.DrawError(err, "Sigma", k)
		}
	}
	// global mu[k in clusters] ~ Normal(m0, cov = Sigma[k] / kappa0)
	for k := range s.state.Clusters {
		for p := range P {
			for p2 := range P {
				covMat[p*P+p2] = s.state.Sigma[(k*P+p)*P+p2] / kappa0
			}
		}
		if err := s.rng.MVNormal(s.state.Mu[k*P:k*P+P], m0, covMat, mat); err != nil {
			return runtime.DrawError(err, "mu", k)
		}
	}
	// data x[n in N, P] : real ~ Normal(mu[z[n]], cov = Sigma[z[n]])
	for n := range N {
		if err := s.rng.MVNormal(x[n*P:n*P+P], s.state.Mu[int(z[n])*P:int(z[n])*P+P], s.state.Sigma[int(z[n])*P*P:int(z[n])*P*P+P*P], mat); err != nil {
			return runtime.DrawError(err, "x", n)
		}
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: the number in
// use of clusters.
func (s *Sampler) Names() []string {
	var names []string
	names = append(names, runtime.ElementLabel("clusters"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	clusters := s.state.Clusters
	dst = append(dst, float64(clusters))
	return dst
}
