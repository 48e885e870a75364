package m01

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	T int // plate T
	K int // plate K = 2
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("T", n.T, 1),
		runtime.Size("K", n.K, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data y[t in T] : real ~ Normal(mu[z[t]], prec = tau)
	// over T
	Y []float64
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct{}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// global init ~ Dirichlet(1) over K
	// over K; each row sums to 1
	Init []float64

	// global A[k in K] ~ Dirichlet(1) over K
	// row-major over K, K; each row sums to 1
	A []float64

	// global mu[k in K] ~ Normal(0, var = 100)
	// over K
	Mu []float64

	// global tau ~ Gamma(1, rate = 1)
	// tau > 0
	Tau float64

	// local z[t in T if t == 1] ~ Categorical(init)
	// local z[t in T if t > 1] ~ Categorical(A[z[t-1]])
	// over T; categories of K, from 0
	Z []int32
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Init = slices.Clone(st.Init)
	st.A = slices.Clone(st.A)
	st.Mu = slices.Clone(st.Mu)
	st.Z = slices.Clone(st.Z)
	return st
}

type Sampler struct {
	data   Data
	hyper  Hyper
	state  State
	rng    *runtime.Rand
	joint1 []float64 // scratch of the log joint
	joint2 []float64
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m01: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m01: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m01: %w", err)
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
	s.joint1 = make([]float64, data.K)
	s.joint2 = make([]float64, data.K)
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
	T := s.data.T
	if observed {
		if err := runtime.Length("Y", len(s.data.Y), T); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	y := s.data.Y
	if observed {
		if err := runtime.Finite("Y", y...); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	init_ := s.state.Init
	K := s.data.K
	A := s.state.A
	mu := s.state.Mu
	z := s.state.Z
	T := s.data.T
	tau := s.state.Tau
	if err := errors.Join(
		runtime.Length("Init", len(init_), K),
		runtime.Length("A", len(A), runtime.Extent(K, K)),
		runtime.Length("Mu", len(mu), K),
		runtime.Length("Z", len(z), T),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Categories("Z", z, K),
		runtime.Simplex("Init", init_, K),
		runtime.Simplex("A", A, K),
		runtime.Finite("Mu", mu...),
		runtime.Positive("Tau", tau),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	K := s.data.K
	T := s.data.T
	if err := runtime.Room("A", runtime.Extent(K, K)); err != nil {
		return err
	}
	s.state.Init = make([]float64, K)
	s.state.A = make([]float64, K*K)
	s.state.Mu = make([]float64, K)
	s.state.Z = make([]int32, T)
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
	init_ := s.state.Init
	K := s.data.K
	A := s.state.A
	mu := s.state.Mu
	z := s.state.Z
	// init
	s.rng.StartSimplex(init_, K)
	// A
	s.rng.StartSimplex(A, K)
	// mu
	for i := range mu {
		mu[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// tau
	s.state.Tau = s.rng.Start(0, math.Inf(1))
	// z
	for i := range z {
		z[i] = int32(s.rng.IntN(K))
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
		return fmt.Errorf("m01: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m01: the state has log density %v", lp)
	}
	return nil
}

// Data returns the data that the chain was made with.
func (s *Sampler) Data() Data {
	return s.data
}

// LogJoint returns the log density of the data and the unknowns at the current state, every constant included: -Inf where
// a constraint is violated.
func (s *Sampler) LogJoint() float64 {
	K := s.data.K
	alphaVec := s.joint1
	init_ := s.state.Init
	A := s.state.A
	mu := s.state.Mu
	tau := s.state.Tau
	z := s.state.Z
	T := s.data.T
	y := s.data.Y
	lp := 0.0
	// global init ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	lp += runtime.DirichletLogPDF(init_, alphaVec)
	// global A[k in K] ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	for k := range K {
		lp += runtime.DirichletLogPDF(A[k*K:k*K+K], alphaVec)
	}
	// global mu[k in K] ~ Normal(0, var = 100)
	for k := range K {
		lp += runtime.NormalLogPDF(mu[k], 0, 100)
	}
	// global tau ~ Gamma(1, rate = 1)
	lp += runtime.GammaLogPDF(tau, 1, 1)
	// local z[t in T if t == 1] ~ Categorical(init)
	lp += runtime.CategoricalLogPMF(z[0], init_)
	// local z[t in T if t > 1] ~ Categorical(A[z[t-1]])
	for t := 1; t < T; t++ {
		lp += runtime.CategoricalLogPMF(z[t], A[int(z[t-1])*K:int(z[t-1])*K+K])
	}
	// data y[t in T] : real ~ Normal(mu[z[t]], prec = tau)
	for t := range T {
		lp += runtime.NormalLogPDF(y[t], mu[int(z[t])], 1/tau)
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
	if err := s.check(false); err != nil {
		return Data{}, State{}, fmt.Errorf("m01: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m01: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m01: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m01: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m01: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m01: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	T := s.data.T
	s.data.Y = make([]float64, T)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	K := s.data.K
	alphaVec := make([]float64, K)
	init_ := s.state.Init
	A := s.state.A
	mu := s.state.Mu
	z := s.state.Z
	T := s.data.T
	y := s.data.Y
	// global init ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	s.rng.Dirichlet(init_, alphaVec)
	// global A[k in K] ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	for k := range K {
		s.rng.Dirichlet(A[k*K:k*K+K], alphaVec)
	}
	// global mu[k in K] ~ Normal(0, var = 100)
	for k := range K {
		mu[k] = s.rng.Normal(0, 100)
	}
	// global tau ~ Gamma(1, rate = 1)
	s.state.Tau = s.rng.Gamma(1, 1)
	// local z[t in T if t == 1] ~ Categorical(init)
	k := s.rng.Categorical(init_)
	if k < 0 {
		return runtime.DrawError(runtime.ErrParameter, "z", 0)
	}
	z[0] = int32(k)
	// local z[t in T if t > 1] ~ Categorical(A[z[t-1]])
	for t := 1; t < T; t++ {
		k2 := s.rng.Categorical(A[int(z[t-1])*K : int(z[t-1])*K+K])
		if k2 < 0 {
			return runtime.DrawError(runtime.ErrParameter, "z", t)
		}
		z[t] = int32(k2)
	}
	// data y[t in T] : real ~ Normal(mu[z[t]], prec = tau)
	for t := range T {
		y[t] = s.rng.Normal(mu[int(z[t])], 1/s.state.Tau)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: init, A, mu,
// tau.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	K := s.data.K
	if K <= 1000 {
		for k := range K {
			names = append(names, runtime.ElementLabel("init", k))
		}
	}
	if runtime.Extent(K, K) <= 1000 {
		for k := range K {
			for k2 := range K {
				names = append(names, runtime.ElementLabel("A", k2, k))
			}
		}
	}
	if K <= 1000 {
		for k := range K {
			names = append(names, runtime.ElementLabel("mu", k))
		}
	}
	names = append(names, runtime.ElementLabel("tau"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	K := s.data.K
	init_ := s.state.Init
	A := s.state.A
	mu := s.state.Mu
	tau := s.state.Tau
	if K <= 1000 {
		for k := range K {
			dst = append(dst, init_[k])
		}
	}
	if runtime.Extent(K, K) <= 1000 {
		for k := range K {
			for k2 := range K {
				dst = append(dst, A[k2*K+k])
			}
		}
	}
	if K <= 1000 {
		for k := range K {
			dst = append(dst, mu[k])
		}
	}
	dst = append(dst, tau)
	return dst
}
