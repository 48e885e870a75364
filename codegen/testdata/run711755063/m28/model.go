package m28

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	N int // plate N: observations
	D int // plate D: predictors
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("D", n.D, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data X[N, D] : real
	// row-major over N, D
	X []float64

	// data y[N] : bool
	// over N
	Y []bool
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const lambda : real > 0 = 1
	Lambda float64
	// const a : real > 0 = 1
	A float64
	// const b : real > 0 = 1
	B float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	h.Lambda = 1
	h.A = 1
	h.B = 1
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// global sigma2 ~ InvGamma(a, scale = b)
	// sigma2 > 0
	Sigma2 float64

	// global tau2[d in D] ~ Exponential(rate = lambda^2 / 2)
	// over D; tau2 > 0
	Tau2 []float64

	// global w[d in D] ~ Normal(0, var = sigma2 * tau2[d])
	// over D
	W []float64

	// local z[n in N] ~ Normal(dot(X[n], w), var = 1)
	// over N
	Z []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Tau2 = slices.Clone(st.Tau2)
	st.W = slices.Clone(st.W)
	st.Z = slices.Clone(st.Z)
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
		return nil, fmt.Errorf("m28: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m28: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m28: %w", err)
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
	D := s.data.D
	if err := runtime.Length("X", len(s.data.X), runtime.Extent(N, D)); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("Y", len(s.data.Y), N); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	lambda := s.hyper.Lambda
	a := s.hyper.A
	b := s.hyper.B
	X := s.data.X
	return errors.Join(
		runtime.Positive("Lambda", lambda),
		runtime.Positive("A", a),
		runtime.Positive("B", b),
		runtime.Finite("X", X...),
	)
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	tau2 := s.state.Tau2
	D := s.data.D
	w := s.state.W
	z := s.state.Z
	N := s.data.N
	sigma2 := s.state.Sigma2
	if err := errors.Join(
		runtime.Length("Tau2", len(tau2), D),
		runtime.Length("W", len(w), D),
		runtime.Length("Z", len(z), N),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Positive("Sigma2", sigma2),
		runtime.Positive("Tau2", tau2...),
		runtime.Finite("W", w...),
		runtime.Finite("Z", z...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	D := s.data.D
	N := s.data.N
	s.state.Tau2 = make([]float64, D)
	s.state.W = make([]float64, D)
	s.state.Z = make([]float64, N)
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
	tau2 := s.state.Tau2
	w := s.state.W
	z := s.state.Z
	N := s.data.N
	y := s.data.Y
	// sigma2
	s.state.Sigma2 = s.rng.Start(0, math.Inf(1))
	// tau2
	for i := range tau2 {
		tau2[i] = s.rng.Start(0, math.Inf(1))
	}
	// w
	for i := range w {
		w[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// z
	for i := range z {
		z[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	for n := range N {
		lo, hi := math.Inf(-1), math.Inf(1)
		if y[n] {
			lo = max(lo, 0)
		} else {
			hi = min(hi, 0)
		}
		z[n] = s.rng.Start(lo, hi)
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
		return fmt.Errorf("m28: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m28: the state has log density %v", lp)
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
	a := s.hyper.A
	b := s.hyper.B
	sigma2 := s.state.Sigma2
	lambda := s.hyper.Lambda
	D := s.data.D
	tau2 := s.state.Tau2
	w := s.state.W
	N := s.data.N
	X := s.data.X
	z := s.state.Z
	y := s.data.Y
	lp := 0.0
	// global sigma2 ~ InvGamma(a, scale = b)
	lp += runtime.InvGammaLogPDF(sigma2, a, b)
	// global tau2[d in D] ~ Exponential(rate = lambda^2 / 2)
	for d := range D {
		lp += runtime.ExponentialLogPDF(tau2[d], lambda*lambda/2)
	}
	// global w[d in D] ~ Normal(0, var = sigma2 * tau2[d])
	for d := range D {
		lp += runtime.NormalLogPDF(w[d], 0, sigma2*tau2[d])
	}
	// local z[n in N] ~ Normal(dot(X[n], w), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		lp += runtime.NormalLogPDF(z[n], dot, 1)
	}
	// observe y[n in N] = z[n] > 0
	for n := range N {
		if y[n] != (z[n] > 0) {
			return math.Inf(-1)
		}
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
		return Data{}, State{}, fmt.Errorf("m28: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m28: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m28: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m28: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m28: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m28: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	s.data.Y = make([]bool, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	a := s.hyper.A
	b := s.hyper.B
	lambda := s.hyper.Lambda
	D := s.data.D
	tau2 := s.state.Tau2
	w := s.state.W
	N := s.data.N
	X := s.data.X
	z := s.state.Z
	y := s.data.Y
	// global sigma2 ~ InvGamma(a, scale = b)
	s.state.Sigma2 = s.rng.InvGamma(a, b)
	// global tau2[d in D] ~ Exponential(rate = lambda^2 / 2)
	for d := range D {
		tau2[d] = s.rng.Exponential(lambda * lambda / 2)
	}
	// global w[d in D] ~ Normal(0, var = sigma2 * tau2[d])
	for d := range D {
		w[d] = s.rng.Normal(0, s.state.Sigma2*tau2[d])
	}
	// local z[n in N] ~ Normal(dot(X[n], w), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		z[n] = s.rng.Normal(dot, 1)
	}
	// observe y[n in N] = z[n] > 0
	for n := range N {
		y[n] = z[n] > 0
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: sigma2, tau2, w.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	D := s.data.D
	names = append(names, runtime.ElementLabel("sigma2"))
	if D <= 1000 {
		for d := range D {
			names = append(names, runtime.ElementLabel("tau2", d))
		}
	}
	if D <= 1000 {
		for d := range D {
			names = append(names, runtime.ElementLabel("w", d))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	sigma2 := s.state.Sigma2
	D := s.data.D
	tau2 := s.state.Tau2
	w := s.state.W
	dst = append(dst, sigma2)
	if D <= 1000 {
		for d := range D {
			dst = append(dst, tau2[d])
		}
	}
	if D <= 1000 {
		for d := range D {
			dst = append(dst, w[d])
		}
	}
	return dst
}
