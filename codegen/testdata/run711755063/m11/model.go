package m11

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
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("I", n.I, 1),
		runtime.Size("J", n.J, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data age[J] : real
	// over J
	Age []float64

	// data y[i in I, j in J] : real ~ Normal(eta[i, j], prec = tc)
	// row-major over I, J
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
	// global a0 ~ Normal(0, prec = 1e-6)
	A0 float64
	// global b0 ~ Normal(0, prec = 1e-6)
	B0 float64

	// global ta ~ Gamma(1e-3, rate = 1e-3)
	// ta > 0
	Ta float64

	// global tb ~ Gamma(1e-3, rate = 1e-3)
	// tb > 0
	Tb float64

	// global tc ~ Gamma(1e-3, rate = 1e-3)
	// tc > 0
	Tc float64

	// local a[i in I] ~ Normal(a0, prec = ta)
	// over I
	A []float64

	// local b[i in I] ~ Normal(b0, prec = tb)
	// over I
	B []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
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
		return nil, fmt.Errorf("m11: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m11: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m11: %w", err)
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
	J := s.data.J
	I := s.data.I
	if err := runtime.Length("Age", len(s.data.Age), J); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("Y", len(s.data.Y), runtime.Extent(I, J)); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	age := s.data.Age
	y := s.data.Y
	if err := runtime.Finite("Age", age...); err != nil {
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
	a := s.state.A
	I := s.data.I
	b := s.state.B
	a0 := s.state.A0
	b0 := s.state.B0
	ta := s.state.Ta
	tb := s.state.Tb
	tc := s.state.Tc
	if err := errors.Join(
		runtime.Length("A", len(a), I),
		runtime.Length("B", len(b), I),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("A0", a0),
		runtime.Finite("B0", b0),
		runtime.Positive("Ta", ta),
		runtime.Positive("Tb", tb),
		runtime.Positive("Tc", tc),
		runtime.Finite("A", a...),
		runtime.Finite("B", b...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	I := s.data.I
	s.state.A = make([]float64, I)
	s.state.B = make([]float64, I)
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
	a := s.state.A
	b := s.state.B
	// a0
	s.state.A0 = s.rng.Start(math.Inf(-1), math.Inf(1))
	// b0
	s.state.B0 = s.rng.Start(math.Inf(-1), math.Inf(1))
	// ta
	s.state.Ta = s.rng.Start(0, math.Inf(1))
	// tb
	s.state.Tb = s.rng.Start(0, math.Inf(1))
	// tc
	s.state.Tc = s.rng.Start(0, math.Inf(1))
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
		return fmt.Errorf("m11: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m11: the state has log density %v", lp)
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
	a0 := s.state.A0
	b0 := s.state.B0
	ta := s.state.Ta
	tb := s.state.Tb
	tc := s.state.Tc
	I := s.data.I
	a := s.state.A
	b := s.state.B
	J := s.data.J
	age := s.data.Age
	y := s.data.Y
	lp := 0.0
	// global a0 ~ Normal(0, prec = 1e-6)
	lp += runtime.NormalLogPDF(a0, 0, 1000000)
	// global b0 ~ Normal(0, prec = 1e-6)
	lp += runtime.NormalLogPDF(b0, 0, 1000000)
	// global ta ~ Gamma(1e-3, rate = 1e-3)
	lp += runtime.GammaLogPDF(ta, 0.001, 0.001)
	// global tb ~ Gamma(1e-3, rate = 1e-3)
	lp += runtime.GammaLogPDF(tb, 0.001, 0.001)
	// global tc ~ Gamma(1e-3, rate = 1e-3)
	lp += runtime.GammaLogPDF(tc, 0.001, 0.001)
	// local a[i in I] ~ Normal(a0, prec = ta)
	for i := range I {
		lp += runtime.NormalLogPDF(a[i], a0, 1/ta)
	}
	// local b[i in I] ~ Normal(b0, prec = tb)
	for i := range I {
		lp += runtime.NormalLogPDF(b[i], b0, 1/tb)
	}
	// data y[i in I, j in J] : real ~ Normal(eta[i, j], prec = tc)
	for i := range I {
		for j := range J {
			total := 0.0
			for j2 := range J {
				total += age[j2]
			}
			lp += runtime.NormalLogPDF(y[i*J+j], a[i]+b[i]*(age[j]-total/float64(J)), 1/tc)
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
		return Data{}, State{}, fmt.Errorf("m11: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m11: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m11: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m11: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m11: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m11: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	I := s.data.I
	J := s.data.J
	if err := runtime.Room("Y", runtime.Extent(I, J)); err != nil {
		return err
	}
	s.data.Y = make([]float64, I*J)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	I := s.data.I
	a := s.state.A
	b := s.state.B
	J := s.data.J
	age := s.data.Age
	y := s.data.Y
	// global a0 ~ Normal(0, prec = 1e-6)
	s.state.A0 = s.rng.Normal(0, 1000000)
	// global b0 ~ Normal(0, prec = 1e-6)
	s.state.B0 = s.rng.Normal(0, 1000000)
	// global ta ~ Gamma(1e-3, rate = 1e-3)
	s.state.Ta = s.rng.Gamma(0.001, 0.001)
	// global tb ~ Gamma(1e-3, rate = 1e-3)
	s.state.Tb = s.rng.Gamma(0.001, 0.001)
	// global tc ~ Gamma(1e-3, rate = 1e-3)
	s.state.Tc = s.rng.Gamma(0.001, 0.001)
	// local a[i in I] ~ Normal(a0, prec = ta)
	for i := range I {
		a[i] = s.rng.Normal(s.state.A0, 1/s.state.Ta)
	}
	// local b[i in I] ~ Normal(b0, prec = tb)
	for i := range I {
		b[i] = s.rng.Normal(s.state.B0, 1/s.state.Tb)
	}
	// data y[i in I, j in J] : real ~ Normal(eta[i, j], prec = tc)
	for i := range I {
		for j := range J {
			total := 0.0
			for j2 := range J {
				total += age[j2]
			}
			y[i*J+j] = s.rng.Normal(a[i]+b[i]*(age[j]-total/float64(J)), 1/s.state.Tc)
		}
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: a0, b0, ta, tb,
// tc.
func (s *Sampler) Names() []string {
	var names []string
	names = append(names, runtime.ElementLabel("a0"))
	names = append(names, runtime.ElementLabel("b0"))
	names = append(names, runtime.ElementLabel("ta"))
	names = append(names, runtime.ElementLabel("tb"))
	names = append(names, runtime.ElementLabel("tc"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	a0 := s.state.A0
	b0 := s.state.B0
	ta := s.state.Ta
	tb := s.state.Tb
	tc := s.state.Tc
	dst = append(dst, a0)
	dst = append(dst, b0)
	dst = append(dst, ta)
	dst = append(dst, tb)
	dst = append(dst, tc)
	return dst
}
