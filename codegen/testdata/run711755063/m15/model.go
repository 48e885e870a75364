package m15

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
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return runtime.Size("T", n.T, 1)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data y[t in T] : real ~ Normal(0, var = exp(h[t]))
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
	// global mu ~ Normal(0, var = 10)
	Mu float64

	// global phi ~ Uniform(-1, 1)
	// phi > -1 and < 1
	Phi float64

	// global s2 ~ InvGamma(2, scale = 0.1)
	// s2 > 0
	S2 float64

	// local h[t in T if t == 1] ~ Normal(mu, var = s2)
	// local h[t in T if t > 1] ~ Normal(mu + phi * (h[t-1] - mu), var = s2)
	// over T
	H []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.H = slices.Clone(st.H)
	return st
}

type Sampler struct {
	data  Data
	hyper Hyper
	state State
	rng   *runtime.Rand
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m15: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m15: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m15: %w", err)
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
	h_ := s.state.H
	T := s.data.T
	mu := s.state.Mu
	phi := s.state.Phi
	s2 := s.state.S2
	if err := runtime.Length("H", len(h_), T); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("Mu", mu),
		runtime.Within("Phi", phi, -1, 1, false, false),
		runtime.Positive("S2", s2),
		runtime.Finite("H", h_...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	T := s.data.T
	s.state.H = make([]float64, T)
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
	h_ := s.state.H
	// mu
	s.state.Mu = s.rng.Start(math.Inf(-1), math.Inf(1))
	// phi
	s.state.Phi = s.rng.Start(-1, 1)
	// s2
	s.state.S2 = s.rng.Start(0, math.Inf(1))
	// h
	for i := range h_ {
		h_[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m15: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m15: the state has log density %v", lp)
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
	mu := s.state.Mu
	phi := s.state.Phi
	s2 := s.state.S2
	h_ := s.state.H
	T := s.data.T
	y := s.data.Y
	lp := 0.0
	// global mu ~ Normal(0, var = 10)
	lp += runtime.NormalLogPDF(mu, 0, 10)
	// global phi ~ Uniform(-1, 1)
	lp += runtime.UniformLogPDF(phi, -1, 1)
	// global s2 ~ InvGamma(2, scale = 0.1)
	lp += runtime.InvGammaLogPDF(s2, 2, 0.1)
	// local h[t in T if t == 1] ~ Normal(mu, var = s2)
	lp += runtime.NormalLogPDF(h_[0], mu, s2)
	// local h[t in T if t > 1] ~ Normal(mu + phi * (h[t-1] - mu), var = s2)
	for t := 1; t < T; t++ {
		lp += runtime.NormalLogPDF(h_[t], mu+phi*(h_[t-1]-mu), s2)
	}
	// data y[t in T] : real ~ Normal(0, var = exp(h[t]))
	for t := range T {
		lp += runtime.NormalLogPDF(y[t], 0, math.Exp(h_[t]))
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
		return Data{}, State{}, fmt.Errorf("m15: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m15: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m15: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m15: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m15: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m15: %w", err)
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
	h_ := s.state.H
	T := s.data.T
	y := s.data.Y
	// global mu ~ Normal(0, var = 10)
	s.state.Mu = s.rng.Normal(0, 10)
	// global phi ~ Uniform(-1, 1)
	s.state.Phi = s.rng.Uniform(-1, 1)
	// global s2 ~ InvGamma(2, scale = 0.1)
	s.state.S2 = s.rng.InvGamma(2, 0.1)
	// local h[t in T if t == 1] ~ Normal(mu, var = s2)
	h_[0] = s.rng.Normal(s.state.Mu, s.state.S2)
	// local h[t in T if t > 1] ~ Normal(mu + phi * (h[t-1] - mu), var = s2)
	for t := 1; t < T; t++ {
		h_[t] = s.rng.Normal(s.state.Mu+s.state.Phi*(h_[t-1]-s.state.Mu), s.state.S2)
	}
	// data y[t in T] : real ~ Normal(0, var = exp(h[t]))
	for t := range T {
		y[t] = s.rng.Normal(0, math.Exp(h_[t]))
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: mu, phi, s2.
func (s *Sampler) Names() []string {
	var names []string
	names = append(names, runtime.ElementLabel("mu"))
	names = append(names, runtime.ElementLabel("phi"))
	names = append(names, runtime.ElementLabel("s2"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	mu := s.state.Mu
	phi := s.state.Phi
	s2 := s.state.S2
	dst = append(dst, mu)
	dst = append(dst, phi)
	dst = append(dst, s2)
	return dst
}
