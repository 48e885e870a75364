package m10

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
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return runtime.Size("N", n.N, 1)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data t[N] : real > 0
	// over N
	T []float64

	// data x[n in N] : int ~ Poisson(theta[n] * t[n])
	// over N; whole numbers >= 0
	X []int
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const c : real > 0 = 1
	C float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	h.C = 1
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// global alpha ~ Exponential(rate = c)
	// alpha > 0
	Alpha float64

	// global beta ~ Gamma(0.1, rate = 1)
	// beta > 0
	Beta float64

	// local theta[n in N] ~ Gamma(alpha, rate = beta)
	// over N; theta > 0
	Theta []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Theta = slices.Clone(st.Theta)
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
		return nil, fmt.Errorf("m10: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m10: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m10: %w", err)
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
	N := s.data.N
	if err := runtime.Length("T", len(s.data.T), N); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("X", len(s.data.X), N); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	c := s.hyper.C
	t := s.data.T
	x := s.data.X
	if err := errors.Join(
		runtime.Positive("C", c),
		runtime.Positive("T", t...),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Counts("X", x...); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	theta := s.state.Theta
	N := s.data.N
	alpha := s.state.Alpha
	beta := s.state.Beta
	if err := runtime.Length("Theta", len(theta), N); err != nil {
		return err
	}
	return errors.Join(
		runtime.Positive("Alpha", alpha),
		runtime.Positive("Beta", beta),
		runtime.Positive("Theta", theta...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	N := s.data.N
	s.state.Theta = make([]float64, N)
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
	theta := s.state.Theta
	// alpha
	s.state.Alpha = s.rng.Start(0, math.Inf(1))
	// beta
	s.state.Beta = s.rng.Start(0, math.Inf(1))
	// theta
	for i := range theta {
		theta[i] = s.rng.Start(0, math.Inf(1))
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
		return fmt.Errorf("m10: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m10: the state has log density %v", lp)
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
	c := s.hyper.C
	alpha := s.state.Alpha
	beta := s.state.Beta
	N := s.data.N
	theta := s.state.Theta
	t := s.data.T
	x := s.data.X
	lp := 0.0
	// global alpha ~ Exponential(rate = c)
	lp += runtime.ExponentialLogPDF(alpha, c)
	// global beta ~ Gamma(0.1, rate = 1)
	lp += runtime.GammaLogPDF(beta, 0.1, 1)
	// local theta[n in N] ~ Gamma(alpha, rate = beta)
	for n := range N {
		lp += runtime.GammaLogPDF(theta[n], alpha, beta)
	}
	// data x[n in N] : int ~ Poisson(theta[n] * t[n])
	for n := range N {
		lp += runtime.PoissonLogPMF(x[n], theta[n]*t[n])
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
		return Data{}, State{}, fmt.Errorf("m10: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m10: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m10: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m10: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m10: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m10: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	s.data.X = make([]int, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	c := s.hyper.C
	N := s.data.N
	theta := s.state.Theta
	t := s.data.T
	x := s.data.X
	// global alpha ~ Exponential(rate = c)
	s.state.Alpha = s.rng.Exponential(c)
	// global beta ~ Gamma(0.1, rate = 1)
	s.state.Beta = s.rng.Gamma(0.1, 1)
	// local theta[n in N] ~ Gamma(alpha, rate = beta)
	for n := range N {
		theta[n] = s.rng.Gamma(s.state.Alpha, s.state.Beta)
	}
	// data x[n in N] : int ~ Poisson(theta[n] * t[n])
	for n := range N {
		x[n] = s.rng.Poisson(theta[n] * t[n])
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: alpha, beta.
func (s *Sampler) Names() []string {
	var names []string
	names = append(names, runtime.ElementLabel("alpha"))
	names = append(names, runtime.ElementLabel("beta"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	alpha := s.state.Alpha
	beta := s.state.Beta
	dst = append(dst, alpha)
	dst = append(dst, beta)
	return dst
}
