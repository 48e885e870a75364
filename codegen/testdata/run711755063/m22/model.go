package m22

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
	D int // plate D
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

	// data y[n in N] : real ~ StudentT(df = nu, mean = dot(X[n], w), scale = s)
	// over N
	Y []float64

	// data u[n in N] : real ~ Laplace(dot(X[n], w), scale = s)
	// over N
	U []float64

	// data v[n in N] : real > 0 ~ LogNormal(0, sd = s)
	// over N
	V []float64
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
	// global tau ~ HalfCauchy(scale = 1)
	// tau > 0
	Tau float64

	// global lam[d in D] ~ HalfCauchy(scale = 1)
	// over D; lam > 0
	Lam []float64

	// global w[d in D] ~ Normal(0, sd = tau * lam[d])
	// over D
	W []float64

	// global s ~ HalfNormal(sd = 1)
	// s > 0
	S float64
	// global nu : real > 2 ~ Exponential(rate = 0.1)
	Nu float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Lam = slices.Clone(st.Lam)
	st.W = slices.Clone(st.W)
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
		return nil, fmt.Errorf("m22: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m22: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m22: %w", err)
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
		if err := errors.Join(
			runtime.Length("Y", len(s.data.Y), N),
			runtime.Length("U", len(s.data.U), N),
			runtime.Length("V", len(s.data.V), N),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	X := s.data.X
	y := s.data.Y
	u := s.data.U
	v := s.data.V
	if err := runtime.Finite("X", X...); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Finite("Y", y...),
			runtime.Finite("U", u...),
			runtime.Positive("V", v...),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	lam := s.state.Lam
	D := s.data.D
	w := s.state.W
	tau := s.state.Tau
	s_ := s.state.S
	nu := s.state.Nu
	if err := errors.Join(
		runtime.Length("Lam", len(lam), D),
		runtime.Length("W", len(w), D),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Positive("Tau", tau),
		runtime.Positive("Lam", lam...),
		runtime.Finite("W", w...),
		runtime.Positive("S", s_),
		runtime.Within("Nu", nu, 2, math.Inf(1), false, false),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	D := s.data.D
	s.state.Lam = make([]float64, D)
	s.state.W = make([]float64, D)
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
	lam := s.state.Lam
	w := s.state.W
	// tau
	s.state.Tau = s.rng.Start(0, math.Inf(1))
	// lam
	for i := range lam {
		lam[i] = s.rng.Start(0, math.Inf(1))
	}
	// w
	for i := range w {
		w[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// s
	s.state.S = s.rng.Start(0, math.Inf(1))
	// nu
	s.state.Nu = s.rng.Start(2, math.Inf(1))
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
		return fmt.Errorf("m22: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m22: the state has log density %v", lp)
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
	tau := s.state.Tau
	D := s.data.D
	lam := s.state.Lam
	w := s.state.W
	s_ := s.state.S
	nu := s.state.Nu
	N := s.data.N
	X := s.data.X
	y := s.data.Y
	u := s.data.U
	v := s.data.V
	lp := 0.0
	// global tau ~ HalfCauchy(scale = 1)
	lp += runtime.HalfCauchyLogPDF(tau, 1)
	// global lam[d in D] ~ HalfCauchy(scale = 1)
	for d := range D {
		lp += runtime.HalfCauchyLogPDF(lam[d], 1)
	}
	// global w[d in D] ~ Normal(0, sd = tau * lam[d])
	for d := range D {
		lp += runtime.NormalLogPDF(w[d], 0, math.Pow(tau*lam[d], 2))
	}
	// global s ~ HalfNormal(sd = 1)
	lp += runtime.HalfNormalLogPDF(s_, 1)
	// global nu : real > 2 ~ Exponential(rate = 0.1)
	if nu <= 2 {
		return math.Inf(-1)
	}
	lp -= runtime.ExponentialLogMass(2, math.Inf(1), 0.1)
	lp += runtime.ExponentialLogPDF(nu, 0.1)
	// data y[n in N] : real ~ StudentT(df = nu, mean = dot(X[n], w), scale = s)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		lp += runtime.StudentTLogPDF(y[n], nu, dot, s_)
	}
	// data u[n in N] : real ~ Laplace(dot(X[n], w), scale = s)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		lp += runtime.LaplaceLogPDF(u[n], dot, s_)
	}
	// data v[n in N] : real > 0 ~ LogNormal(0, sd = s)
	for n := range N {
		lp += runtime.LogNormalLogPDF(v[n], 0, s_*s_)
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
		return Data{}, State{}, fmt.Errorf("m22: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m22: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m22: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m22: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m22: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m22: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	s.data.Y = make([]float64, N)
	s.data.U = make([]float64, N)
	s.data.V = make([]float64, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	D := s.data.D
	lam := s.state.Lam
	w := s.state.W
	N := s.data.N
	X := s.data.X
	y := s.data.Y
	u := s.data.U
	v := s.data.V
	// global tau ~ HalfCauchy(scale = 1)
	s.state.Tau = s.rng.HalfCauchy(1)
	// global lam[d in D] ~ HalfCauchy(scale = 1)
	for d := range D {
		lam[d] = s.rng.HalfCauchy(1)
	}
	// global w[d in D] ~ Normal(0, sd = tau * lam[d])
	for d := range D {
		w[d] = s.rng.Normal(0, math.Pow(s.state.Tau*lam[d], 2))
	}
	// global s ~ HalfNormal(sd = 1)
	s.state.S = s.rng.HalfNormal(1)
	// global nu : real > 2 ~ Exponential(rate = 0.1)
	s.state.Nu = s.rng.Truncated(2, math.Inf(1), func() float64 {
		return s.rng.Exponential(0.1)
	}, func(lo, hi float64) float64 {
		return runtime.ExponentialLogMass(lo, hi, 0.1)
	})
	// data y[n in N] : real ~ StudentT(df = nu, mean = dot(X[n], w), scale = s)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		y[n] = s.rng.StudentT(s.state.Nu, dot, s.state.S)
	}
	// data u[n in N] : real ~ Laplace(dot(X[n], w), scale = s)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		u[n] = s.rng.Laplace(dot, s.state.S)
	}
	// data v[n in N] : real > 0 ~ LogNormal(0, sd = s)
	for n := range N {
		v[n] = s.rng.LogNormal(0, s.state.S*s.state.S)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: tau, lam, w, s,
// nu.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	D := s.data.D
	names = append(names, runtime.ElementLabel("tau"))
	if D <= 1000 {
		for d := range D {
			names = append(names, runtime.ElementLabel("lam", d))
		}
	}
	if D <= 1000 {
		for d := range D {
			names = append(names, runtime.ElementLabel("w", d))
		}
	}
	names = append(names, runtime.ElementLabel("s"))
	names = append(names, runtime.ElementLabel("nu"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	tau := s.state.Tau
	D := s.data.D
	lam := s.state.Lam
	w := s.state.W
	s_ := s.state.S
	nu := s.state.Nu
	dst = append(dst, tau)
	if D <= 1000 {
		for d := range D {
			dst = append(dst, lam[d])
		}
	}
	if D <= 1000 {
		for d := range D {
			dst = append(dst, w[d])
		}
	}
	dst = append(dst, s_)
	dst = append(dst, nu)
	return dst
}
