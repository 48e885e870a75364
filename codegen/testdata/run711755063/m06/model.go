package m06

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	N       int // plate N
	Classes int // plate classes
	Schools int // plate schools
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("Classes", n.Classes, 1),
		runtime.Size("Schools", n.Schools, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data cl[N] : classes
	// over N; categories of classes, from 0
	Cl []int32

	// data sch[classes] : schools
	// over classes; categories of schools, from 0
	Sch []int32

	// data y[n in N] : real ~ Normal(a[cl[n]] + b[sch[cl[n]]], var = 1)
	// over N
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
	// global b[s in schools] ~ Normal(0, var = 1)
	// over schools
	B []float64

	// global a[c in classes] ~ Normal(b[sch[c]], var = 1)
	// over classes
	A []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.B = slices.Clone(st.B)
	st.A = slices.Clone(st.A)
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
		return nil, fmt.Errorf("m06: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m06: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m06: %w", err)
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
	classes := s.data.Classes
	if err := errors.Join(
		runtime.Length("Cl", len(s.data.Cl), N),
		runtime.Length("Sch", len(s.data.Sch), classes),
	); err != nil {
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
	cl := s.data.Cl
	classes := s.data.Classes
	sch := s.data.Sch
	schools := s.data.Schools
	y := s.data.Y
	if err := errors.Join(
		runtime.Categories("Cl", cl, classes),
		runtime.Categories("Sch", sch, schools),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Finite("Y", y...); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	b := s.state.B
	schools := s.data.Schools
	a := s.state.A
	classes := s.data.Classes
	if err := errors.Join(
		runtime.Length("B", len(b), schools),
		runtime.Length("A", len(a), classes),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("B", b...),
		runtime.Finite("A", a...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	schools := s.data.Schools
	classes := s.data.Classes
	s.state.B = make([]float64, schools)
	s.state.A = make([]float64, classes)
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
	b := s.state.B
	a := s.state.A
	// b
	for i := range b {
		b[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// a
	for i := range a {
		a[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m06: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m06: the state has log density %v", lp)
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
	schools := s.data.Schools
	b := s.state.B
	classes := s.data.Classes
	sch := s.data.Sch
	a := s.state.A
	N := s.data.N
	cl := s.data.Cl
	y := s.data.Y
	lp := 0.0
	// global b[s in schools] ~ Normal(0, var = 1)
	for s_ := range schools {
		lp += runtime.NormalLogPDF(b[s_], 0, 1)
	}
	// global a[c in classes] ~ Normal(b[sch[c]], var = 1)
	for c := range classes {
		lp += runtime.NormalLogPDF(a[c], b[int(sch[c])], 1)
	}
	// data y[n in N] : real ~ Normal(a[cl[n]] + b[sch[cl[n]]], var = 1)
	for n := range N {
		lp += runtime.NormalLogPDF(y[n], a[int(cl[n])]+b[int(sch[int(cl[n])])], 1)
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
		return Data{}, State{}, fmt.Errorf("m06: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m06: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m06: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m06: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m06: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m06: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	s.data.Y = make([]float64, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	schools := s.data.Schools
	b := s.state.B
	classes := s.data.Classes
	sch := s.data.Sch
	a := s.state.A
	N := s.data.N
	cl := s.data.Cl
	y := s.data.Y
	// global b[s in schools] ~ Normal(0, var = 1)
	for s_ := range schools {
		b[s_] = s.rng.Normal(0, 1)
	}
	// global a[c in classes] ~ Normal(b[sch[c]], var = 1)
	for c := range classes {
		a[c] = s.rng.Normal(b[int(sch[c])], 1)
	}
	// data y[n in N] : real ~ Normal(a[cl[n]] + b[sch[cl[n]]], var = 1)
	for n := range N {
		y[n] = s.rng.Normal(a[int(cl[n])]+b[int(sch[int(cl[n])])], 1)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: b, a.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	schools := s.data.Schools
	classes := s.data.Classes
	if schools <= 1000 {
		for s_ := range schools {
			names = append(names, runtime.ElementLabel("b", s_))
		}
	}
	if classes <= 1000 {
		for c := range classes {
			names = append(names, runtime.ElementLabel("a", c))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	schools := s.data.Schools
	b := s.state.B
	classes := s.data.Classes
	a := s.state.A
	if schools <= 1000 {
		for s_ := range schools {
			dst = append(dst, b[s_])
		}
	}
	if classes <= 1000 {
		for c := range classes {
			dst = append(dst, a[c])
		}
	}
	return dst
}
