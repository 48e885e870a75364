package m33

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
	P int // plate P
	J int // plate J
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("P", n.P, 1),
		runtime.Size("J", n.J, 1),
		runtime.Room("Psi", runtime.Extent(n.P, n.P)),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data x[n in N, P] : real ~ Normal(mu[z[n]], cov = Sigma[z[n]])
	// row-major over N, P
	X []float64

	// data y[n in N] : J ~ Categorical(rho[z[n]])
	// over N; categories of J, from 0
	Y []int32
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const Psi[P, P] : cov = identity(P)
	// row-major over P, P; symmetric positive definite matrices
	Psi []float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	if sizes.check() != nil {
		return h
	}
	h.Psi = make([]float64, sizes.P*sizes.P)
	P := sizes.P
	Psi := h.Psi
	for p := range P {
		for p2 := range P {
			Psi[p*P+p2] = runtime.Indicator(p == p2)
		}
	}
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	Clusters int // number in use of plate clusters : unbounded

	// global alpha ~ Gamma(1, rate = 1)
	// alpha > 0
	Alpha float64

	// global rho[k in clusters] ~ Dirichlet(1) over J
	// row-major over clusters, J; each row sums to 1
	Rho []float64

	// local z[n in N] ~ Categorical(pi)
	// over N; categories of clusters, from 0
	Z []int32
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Rho = slices.Clone(st.Rho)
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
	joint2 []float64
	joint3 []float64
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m33: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m33: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m33: %w", err)
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
	s.joint1 = make([]float64, data.P)
	s.joint2 = make([]float64, data.P*data.P)
	s.joint3 = make([]float64, data.J)
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
	if err := runtime.Length("Psi", len(s.hyper.Psi), runtime.Extent(P, P)); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Length("X", len(s.data.X), runtime.Extent(N, P)),
			runtime.Length("Y", len(s.data.Y), N),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	Psi := s.hyper.Psi
	P := s.data.P
	x := s.data.X
	y := s.data.Y
	J := s.data.J
	if err := runtime.PosDef("Psi", Psi, P); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Finite("X", x...),
			runtime.Categories("Y", y, J),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	clusters := s.state.Clusters
	rho := s.state.Rho
	J := s.data.J
	z := s.state.Z
	N := s.data.N
	alpha := s.state.Alpha
	if err := errors.Join(
		runtime.Counts("Clusters", clusters),
		runtime.Length("Rho", len(rho), runtime.Extent(clusters, J)),
		runtime.Length("Z", len(z), N),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Categories("Z", z, clusters),
		runtime.Positive("Alpha", alpha),
		runtime.Simplex("Rho", rho, J),
		runtime.InUse("Clusters", clusters, z),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	J := s.data.J
	N := s.data.N
	if err := runtime.Room("Rho", runtime.Extent(s.state.Clusters, J)); err != nil {
		return err
	}
	s.state.Rho = make([]float64, s.state.Clusters*J)
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
	J := s.data.J
	z := s.state.Z
	// A few clusters.
	s.state.Clusters = 1 + s.rng.IntN(min(10, N))
	s.state.Rho = make([]float64, s.state.Clusters*J)
	seated := 0 // the first units take one each, so that none is empty
	// alpha
	s.state.Alpha = s.rng.Start(0, math.Inf(1))
	// rho
	s.rng.StartSimplex(s.state.Rho, J)
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
		return fmt.Errorf("m33: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m33: the state has log density %v", lp)
	}
	return nil
}

// Data returns the data that the chain was made with.
func (s *Sampler) Data() Data {
	return s.data
}

// logJointWith returns the log density of the data, the unknowns and the values given for what is integrated out.
// Sigma is flat, row-major, over clusters, P, P.
// mu is flat, row-major, over clusters, P.
func (s *Sampler) logJointWith(Sigma []float64, mu []float64) float64 {
	alpha := s.state.Alpha
	P := s.data.P
	Psi := s.hyper.Psi
	clusters := s.state.Clusters
	mat := s.mat
	meanVec := s.joint1
	covMat := s.joint2
	J := s.data.J
	alphaVec := s.joint3
	rho := s.state.Rho
	N := s.data.N
	z := s.state.Z
	x := s.data.X
	y := s.data.Y
	lp := 0.0
	// global alpha ~ Gamma(1, rate = 1)
	lp += runtime.GammaLogPDF(alpha, 1, 1)
	// global Sigma[k in clusters] ~ InvWishart(df = P + 1, scale = Psi)
	for k := range clusters {
		lp += runtime.InvWishartLogPDF(Sigma[k*P*P:k*P*P+P*P], float64(P)+1, Psi, P, mat)
	}
	// global mu[k in clusters] ~ Normal(0, cov = Sigma[k] / 2)
	for p := range P {
		meanVec[p] = 0
	}
	for k := range clusters {
		for p := range P {
			for p2 := range P {
				covMat[p*P+p2] = Sigma[(k*P+p)*P+p2] / 2
			}
		}
		lp += runtime.MVNormalLogPDF(mu[k*P:k*P+P], meanVec, covMat, mat)
	}
	// global rho[k in clusters] ~ Dirichlet(1) over J
	for j := range J {
		alphaVec[j] = 1
	}
	for k := range clusters {
		lp += runtime.DirichletLogPDF(rho[k*J:k*J+J], alphaVec)
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
	// data y[n in N] : J ~ Categorical(rho[z[n]])
	for n := range N {
		lp += runtime.CategoricalLogPMF(y[n], rho[int(z[n])*J:int(z[n])*J+J])
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
		return Data{}, State{}, fmt.Errorf("m33: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m33: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m33: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m33: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m33: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m33: %w", err)
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
	s.data.Y = make([]int32, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	N := s.data.N
	z := s.state.Z
	J := s.data.J
	P := s.data.P
	Psi := s.hyper.Psi
	mat := s.mat
	meanVec := make([]float64, P)
	covMat := make([]float64, P*P)
	alphaVec := make([]float64, J)
	x := s.data.X
	y := s.data.Y
	// Sigma is no part of the state.
	var Sigma []float64
	// mu is no part of the state.
	var mu []float64
	// how often each of clusters was drawn
	var counts []int
	// global alpha ~ Gamma(1, rate = 1)
	s.state.Alpha = s.rng.Gamma(1, 1)
	// local z[n in N] ~ Categorical(pi)
	for n := range N {
		k := s.rng.CRP(counts, s.state.Alpha)
		if k == len(counts) {
			counts = append(counts, 0)
		}
		counts[k]++
		z[n] = int32(k)
	}
	s.state.Clusters = len(counts)
	s.state.Rho = make([]float64, s.state.Clusters*J)
	Sigma = make([]float64, s.state.Clusters*P*P)
	mu = make([]float64, s.state.Clusters*P)
	// global Sigma[k in clusters] ~ InvWishart(df = P + 1, scale = Psi)
	for k := range s.state.Clusters {
		if err := s.rng.InvWishart(Sigma[k*P*P:k*P*P+P*P], float64(P)+1, Psi, P, mat); err != nil {
			return runtime.DrawError(err, "Sigma", k)
		}
	}
	// global mu[k in clusters] ~ Normal(0, cov = Sigma[k] / 2)
	for p := range P {
		meanVec[p] = 0
	}
	for k := range s.state.Clusters {
		for p := range P {
			for p2 := range P {
				covMat[p*P+p2] = Sigma[(k*P+p)*P+p2] / 2
			}
		}
		if err := s.rng.MVNormal(mu[k*P:k*P+P], meanVec, covMat, mat); err != nil {
			return runtime.DrawError(err, "mu", k)
		}
	}
	// global rho[k in clusters] ~ Dirichlet(1) over J
	for j := range J {
		alphaVec[j] = 1
	}
	for k := range s.state.Clusters {
		s.rng.Dirichlet(s.state.Rho[k*J:k*J+J], alphaVec)
	}
	// data x[n in N, P] : real ~ Normal(mu[z[n]], cov = Sigma[z[n]])
	for n := range N {
		if err := s.rng.MVNormal(x[n*P:n*P+P], mu[int(z[n])*P:int(z[n])*P+P], Sigma[int(z[n])*P*P:int(z[n])*P*P+P*P], mat); err != nil {
			return runtime.DrawError(err, "x", n)
		}
	}
	// data y[n in N] : J ~ Categorical(rho[z[n]])
	for n := range N {
		k := s.rng.Categorical(s.state.Rho[int(z[n])*J : int(z[n])*J+J])
		if k < 0 {
			return runtime.DrawError(runtime.ErrParameter, "y", n)
		}
		y[n] = int32(k)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: alpha, the
// number in use of clusters.
func (s *Sampler) Names() []string {
	var names []string
	names = append(names, runtime.ElementLabel("alpha"))
	names = append(names, runtime.ElementLabel("clusters"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	alpha := s.state.Alpha
	clusters := s.state.Clusters
	dst = append(dst, alpha)
	dst = append(dst, float64(clusters))
	return dst
}
