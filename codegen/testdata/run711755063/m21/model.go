package m21

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	Pupils  int // plate pupils
	Schools int // plate schools
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("Pupils", n.Pupils, 1),
		runtime.Size("Schools", n.Schools, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// plate visits[pupils]: how many for each element of pupils,
	// 0 or more.
	VisitsLen []int

	// data at[pupils, visits] : schools
	// row-major over pupils, visits; categories of schools, from 0
	At []int32

	// data w[p in pupils, v in visits[p]] : real > 0
	// row-major over pupils, visits
	W []float64

	// data y[p in pupils] : real ~ Normal(share[p] + slope * p + visits[p] / pupils, var = 1)
	// over pupils
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
	// global a[s in schools] ~ Normal(0, var = 1)
	// over schools
	A []float64
	// global slope ~ Normal(0, var = 1)
	Slope float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.A = slices.Clone(st.A)
	return st
}

type Sampler struct {
	data     Data
	hyper    Hyper
	state    State
	rng      *runtime.Rand
	visitsAt []int // where the visits of each element of pupils begin
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m21: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m21: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m21: %w", err)
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
	if err := runtime.Lengths("VisitsLen", s.data.VisitsLen, s.data.Pupils, 0); err != nil {
		return err
	}
	s.visitsAt = runtime.Offsets(s.data.VisitsLen)
	return nil
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	visitsAt := s.visitsAt
	pupils := s.data.Pupils
	if err := errors.Join(
		runtime.Length("At", len(s.data.At), visitsAt[len(visitsAt)-1]),
		runtime.Length("W", len(s.data.W), visitsAt[len(visitsAt)-1]),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("Y", len(s.data.Y), pupils); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	at := s.data.At
	schools := s.data.Schools
	w := s.data.W
	y := s.data.Y
	if err := errors.Join(
		runtime.Categories("At", at, schools),
		runtime.Positive("W", w...),
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
	a := s.state.A
	schools := s.data.Schools
	slope := s.state.Slope
	if err := runtime.Length("A", len(a), schools); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("A", a...),
		runtime.Finite("Slope", slope),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	schools := s.data.Schools
	s.state.A = make([]float64, schools)
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
	// a
	for i := range a {
		a[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// slope
	s.state.Slope = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m21: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m21: the state has log density %v", lp)
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
	a := s.state.A
	slope := s.state.Slope
	pupils := s.data.Pupils
	visitsAt := s.visitsAt
	w := s.data.W
	at := s.data.At
	y := s.data.Y
	lp := 0.0
	// global a[s in schools] ~ Normal(0, var = 1)
	for s_ := range schools {
		lp += runtime.NormalLogPDF(a[s_], 0, 1)
	}
	// global slope ~ Normal(0, var = 1)
	lp += runtime.NormalLogPDF(slope, 0, 1)
	// data y[p in pupils] : real ~ Normal(share[p] + slope * p + visits[p] / pupils, var = 1)
	for p := range pupils {
		total := 0.0
		for v := range visitsAt[p+1] - visitsAt[p] {
			total += w[visitsAt[p]+v] * a[int(at[visitsAt[p]+v])]
		}
		total2 := 0.0
		for v := range visitsAt[p+1] - visitsAt[p] {
			total2 += w[visitsAt[p]+v]
		}
		lp += runtime.NormalLogPDF(y[p], total/(1+total2)+slope*float64(p+1)+float64(visitsAt[p+1]-visitsAt[p])/float64(pupils), 1)
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
		return Data{}, State{}, fmt.Errorf("m21: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m21: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m21: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m21: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m21: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m21: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	pupils := s.data.Pupils
	s.data.Y = make([]float64, pupils)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	schools := s.data.Schools
	a := s.state.A
	pupils := s.data.Pupils
	visitsAt := s.visitsAt
	w := s.data.W
	at := s.data.At
	y := s.data.Y
	// global a[s in schools] ~ Normal(0, var = 1)
	for s_ := range schools {
		a[s_] = s.rng.Normal(0, 1)
	}
	// global slope ~ Normal(0, var = 1)
	s.state.Slope = s.rng.Normal(0, 1)
	// data y[p in pupils] : real ~ Normal(share[p] + slope * p + visits[p] / pupils, var = 1)
	for p := range pupils {
		total := 0.0
		for v := range visitsAt[p+1] - visitsAt[p] {
			total += w[visitsAt[p]+v] * a[int(at[visitsAt[p]+v])]
		}
		total2 := 0.0
		for v := range visitsAt[p+1] - visitsAt[p] {
			total2 += w[visitsAt[p]+v]
		}
		y[p] = s.rng.Normal(total/(1+total2)+s.state.Slope*float64(p+1)+float64(visitsAt[p+1]-visitsAt[p])/float64(pupils), 1)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: a, slope.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	schools := s.data.Schools
	if schools <= 1000 {
		for s_ := range schools {
			names = append(names, runtime.ElementLabel("a", s_))
		}
	}
	names = append(names, runtime.ElementLabel("slope"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	schools := s.data.Schools
	a := s.state.A
	slope := s.state.Slope
	if schools <= 1000 {
		for s_ := range schools {
			dst = append(dst, a[s_])
		}
	}
	dst = append(dst, slope)
	return dst
}
