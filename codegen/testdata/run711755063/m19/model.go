package m19

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	I int // plate I
	J int // plate J
	T int // plate T
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("I", n.I, 1),
		runtime.Size("J", n.J, 1),
		runtime.Size("T", n.T, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data y[i in I, j in J] : real ~ Normal(x[i, j], var = 1)
	// row-major over I, J
	Y []float64

	// data u[t in T] : real ~ Normal(a[t] + b[t], var = 1)
	// over T
	U []float64
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
	// global s2 ~ InvGamma(1, scale = 1)
	// s2 > 0
	S2 float64

	// local x[i in I if i == 1, j in J if j == 1] ~ Normal(0, var = s2)
	// local x[i in I if i > 1, j in J if j == 1] ~ Normal(x[i-1, 1], var = s2)
	// local x[i in I if i == 1, j in J if j > 1] ~ Normal(x[1, j-1], var = s2)
	// local x[i in I if i > 1, j in J if j > 1] ~ Normal(x[i-1, j] + x[i, j-1], var = s2)
	// row-major over I, J
	X []float64

	// local a[1] ~ Normal(0, var = 1)
	// local a[t in T if t > 1] ~ Normal(b[t-1] + a[1], var = 1)
	// over T
	A []float64

	// local b[t in T] ~ Normal(a[t], var = 1)
	// over T
	B []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.X = slices.Clone(st.X)
	st.A = slices.Clone(st.A)
	st.B = slices.Clone(st.B)
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
		return nil, fmt.Errorf("m19: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m19: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m19: %w", err)
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
	I := s.data.I
	J := s.data.J
	T := s.data.T
	if observed {
		if err := errors.Join(
			runtime.Length("Y", len(s.data.Y), runtime.Extent(I, J)),
			runtime.Length("U", len(s.data.U), T),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	y := s.data.Y
	u := s.data.U
	if observed {
		if err := errors.Join(
			runtime.Finite("Y", y...),
			runtime.Finite("U", u...),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	x := s.state.X
	I := s.data.I
	J := s.data.J
	a := s.state.A
	T := s.data.T
	b := s.state.B
	s2 := s.state.S2
	if err := errors.Join(
		runtime.Length("X", len(x), runtime.Extent(I, J)),
		runtime.Length("A", len(a), T),
		runtime.Length("B", len(b), T),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Positive("S2", s2),
		runtime.Finite("X", x...),
		runtime.Finite("A", a...),
		runtime.Finite("B", b...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	I := s.data.I
	J := s.data.J
	T := s.data.T
	if err := runtime.Room("X", runtime.Extent(I, J)); err != nil {
		return err
	}
	s.state.X = make([]float64, I*J)
	s.state.A = make([]float64, T)
	s.state.B = make([]float64, T)
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
	x := s.state.X
	a := s.state.A
	b := s.state.B
	// s2
	s.state.S2 = s.rng.Start(0, math.Inf(1))
	// x
	for i := range x {
		x[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// a
	for i := range a {
		a[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// b
	for i := range b {
		b[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m19: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m19: the state has log density %v", lp)
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
	s2 := s.state.S2
	x := s.state.X
	J := s.data.J
	I := s.data.I
	y := s.data.Y
	a := s.state.A
	T := s.data.T
	b := s.state.B
	u := s.data.U
	lp := 0.0
	// global s2 ~ InvGamma(1, scale = 1)
	lp += runtime.InvGammaLogPDF(s2, 1, 1)
	// local x[i in I if i == 1, j in J if j == 1] ~ Normal(0, var = s2)
	lp += runtime.NormalLogPDF(x[0], 0, s2)
	// local x[i in I if i > 1, j in J if j == 1] ~ Normal(x[i-1, 1], var = s2)
	for i := 1; i < I; i++ {
		lp += runtime.NormalLogPDF(x[i*J], x[(i-1)*J], s2)
	}
	// local x[i in I if i == 1, j in J if j > 1] ~ Normal(x[1, j-1], var = s2)
	for j := 1; j < J; j++ {
		lp += runtime.NormalLogPDF(x[j], x[j-1], s2)
	}
	// local x[i in I if i > 1, j in J if j > 1] ~ Normal(x[i-1, j] + x[i, j-1], var = s2)
	for i := 1; i < I; i++ {
		for j := 1; j < J; j++ {
			lp += runtime.NormalLogPDF(x[i*J+j], x[(i-1)*J+j]+x[i*J+(j-1)], s2)
		}
	}
	// data y[i in I, j in J] : real ~ Normal(x[i, j], var = 1)
	for i := range I {
		for j := range J {
			lp += runtime.NormalLogPDF(y[i*J+j], x[i*J+j], 1)
		}
	}
	// local a[1] ~ Normal(0, var = 1)
	lp += runtime.NormalLogPDF(a[0], 0, 1)
	// local a[t in T if t > 1] ~ Normal(b[t-1] + a[1], var = 1)
	for t := 1; t < T; t++ {
		lp += runtime.NormalLogPDF(a[t], b[t-1]+a[0], 1)
	}
	// local b[t in T] ~ Normal(a[t], var = 1)
	for t := range T {
		lp += runtime.NormalLogPDF(b[t], a[t], 1)
	}
	// data u[t in T] : real ~ Normal(a[t] + b[t], var = 1)
	for t := range T {
		lp += runtime.NormalLogPDF(u[t], a[t]+b[t], 1)
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
		return Data{}, State{}, fmt.Errorf("m19: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m19: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m19: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m19: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m19: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m19: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	I := s.data.I
	J := s.data.J
	T := s.data.T
	if err := runtime.Room("Y", runtime.Extent(I, J)); err != nil {
		return err
	}
	s.data.Y = make([]float64, I*J)
	s.data.U = make([]float64, T)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	x := s.state.X
	J := s.data.J
	I := s.data.I
	y := s.data.Y
	a := s.state.A
	T := s.data.T
	b := s.state.B
	u := s.data.U
	// global s2 ~ InvGamma(1, scale = 1)
	s.state.S2 = s.rng.InvGamma(1, 1)
	// local x[i in I if i == 1, j in J if j == 1] ~ Normal(0, var = s2)
	x[0] = s.rng.Normal(0, s.state.S2)
	// local x[i in I if i > 1, j in J if j == 1] ~ Normal(x[i-1, 1], var = s2)
	for i := 1; i < I; i++ {
		x[i*J] = s.rng.Normal(x[(i-1)*J], s.state.S2)
	}
	// local x[i in I if i == 1, j in J if j > 1] ~ Normal(x[1, j-1], var = s2)
	for j := 1; j < J; j++ {
		x[j] = s.rng.Normal(x[j-1], s.state.S2)
	}
	// local x[i in I if i > 1, j in J if j > 1] ~ Normal(x[i-1, j] + x[i, j-1], var = s2)
	for i := 1; i < I; i++ {
		for j := 1; j < J; j++ {
			x[i*J+j] = s.rng.Normal(x[(i-1)*J+j]+x[i*J+(j-1)], s.state.S2)
		}
	}
	// data y[i in I, j in J] : real ~ Normal(x[i, j], var = 1)
	for i := range I {
		for j := range J {
			y[i*J+j] = s.rng.Normal(x[i*J+j], 1)
		}
	}
	// local a[1] ~ Normal(0, var = 1)
	a[0] = s.rng.Normal(0, 1)
	for t := range T {
		// local a[t in T if t > 1] ~ Normal(b[t-1] + a[1], var = 1)
		if t >= 1 {
			a[t] = s.rng.Normal(b[t-1]+a[0], 1)
		}
		// local b[t in T] ~ Normal(a[t], var = 1)
		b[t] = s.rng.Normal(a[t], 1)
	}
	// data u[t in T] : real ~ Normal(a[t] + b[t], var = 1)
	for t := range T {
		u[t] = s.rng.Normal(a[t]+b[t], 1)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: s2.
func (s *Sampler) Names() []string {
	var names []string
	names = append(names, runtime.ElementLabel("s2"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	s2 := s.state.S2
	dst = append(dst, s2)
	return dst
}
