package m00

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
	K int // plate K = 3
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("K", n.K, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data x[n in N] : real ~ Normal(mu[z[n]], var = s2[z[n]])
	// over N
	X []float64
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
	// global pi ~ Dirichlet(1) over K
	// over K; each row sums to 1
	Pi []float64

	// global mu[k in K] ~ Normal(0, sd = 10)
	// over K
	Mu []float64

	// global s2[k in K] ~ InvGamma(2, scale = 1)
	// over K; s2 > 0
	S2 []float64

	// local z[n in N] ~ Categorical(pi)
	// over N; categories of K, from 0
	Z []int32
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Pi = slices.Clone(st.Pi)
	st.Mu = slices.Clone(st.Mu)
	st.S2 = slices.Clone(st.S2)
	st.Z = slices.Clone(st.Z)
	return st
}

type Sampler struct {
	data   Data
	hyper  Hyper
	state  State
	rng    *runtime.Rand
	joint1 []float64 // scratch of the log joint
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m00: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m00: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m00: %w", err)
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
	N := s.data.N
	if observed {
		if err := runtime.Length("X", len(s.data.X), N); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	x := s.data.X
	if observed {
		if err := runtime.Finite("X", x...); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	pi := s.state.Pi
	K := s.data.K
	mu := s.state.Mu
	s2 := s.state.S2
	z := s.state.Z
	N := s.data.N
	if err := errors.Join(
		runtime.Length("Pi", len(pi), K),
		runtime.Length("Mu", len(mu), K),
		runtime.Length("S2", len(s2), K),
		runtime.Length("Z", len(z), N),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Categories("Z", z, K),
		runtime.Simplex("Pi", pi, K),
		runtime.Finite("Mu", mu...),
		runtime.Positive("S2", s2...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	K := s.data.K
	N := s.data.N
	s.state.Pi = make([]float64, K)
	s.state.Mu = make([]float64, K)
	s.state.S2 = make([]float64, K)
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
	pi := s.state.Pi
	K := s.data.K
	mu := s.state.Mu
	s2 := s.state.S2
	z := s.state.Z
	// pi
	s.rng.StartSimplex(pi, K)
	// mu
	for i := range mu {
		mu[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// s2
	for i := range s2 {
		s2[i] = s.rng.Start(0, math.Inf(1))
	}
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
		return fmt.Errorf("m00: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m00: the state has log density %v", lp)
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
	pi := s.state.Pi
	mu := s.state.Mu
	s2 := s.state.S2
	N := s.data.N
	z := s.state.Z
	x := s.data.X
	lp := 0.0
	// global pi ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	lp += runtime.DirichletLogPDF(pi, alphaVec)
	// global mu[k in K] ~ Normal(0, sd = 10)
	for k := range K {
		lp += runtime.NormalLogPDF(mu[k], 0, 100)
	}
	// global s2[k in K] ~ InvGamma(2, scale = 1)
	for k := range K {
		lp += runtime.InvGammaLogPDF(s2[k], 2, 1)
	}
	// local z[n in N] ~ Categorical(pi)
	for n := range N {
		lp += runtime.CategoricalLogPMF(z[n], pi)
	}
	// data x[n in N] : real ~ Normal(mu[z[n]], var = s2[z[n]])
	for n := range N {
		lp += runtime.NormalLogPDF(x[n], mu[int(z[n])], s2[int(z[n])])
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
		return Data{}, State{}, fmt.Errorf("m00: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m00: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m00: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m00: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m00: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m00: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	s.data.X = make([]float64, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	K := s.data.K
	alphaVec := make([]float64, K)
	pi := s.state.Pi
	mu := s.state.Mu
	s2 := s.state.S2
	N := s.data.N
	z := s.state.Z
	x := s.data.X
	// global pi ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	s.rng.Dirichlet(pi, alphaVec)
	// global mu[k in K] ~ Normal(0, sd = 10)
	for k := range K {
		mu[k] = s.rng.Normal(0, 100)
	}
	// global s2[k in K] ~ InvGamma(2, scale = 1)
	for k := range K {
		s2[k] = s.rng.InvGamma(2, 1)
	}
	// local z[n in N] ~ Categorical(pi)
	for n := range N {
		k := s.rng.Categorical(pi)
		if k < 0 {
			return runtime.DrawError(runtime.ErrParameter, "z", n)
		}
		z[n] = int32(k)
	}
	// data x[n in N] : real ~ Normal(mu[z[n]], var = s2[z[n]])
	for n := range N {
		x[n] = s.rng.Normal(mu[int(z[n])], s2[int(z[n])])
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: mu, s2[1], pi.
func (s *Sampler) Names() []string {
	var names []string
	K := s.data.K
	for k := range K {
		names = append(names, runtime.ElementLabel("mu", k))
	}
	names = append(names, runtime.ElementLabel("s2", 0))
	for k := range K {
		names = append(names, runtime.ElementLabel("pi", k))
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	K := s.data.K
	mu := s.state.Mu
	s2 := s.state.S2
	pi := s.state.Pi
	for k := range K {
		dst = append(dst, mu[k])
	}
	dst = append(dst, s2[0])
	for k := range K {
		dst = append(dst, pi[k])
	}
	return dst
}
