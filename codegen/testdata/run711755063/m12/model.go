package m12

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	N      int // plate N
	D      int // plate D
	Levels int // plate levels
	Cuts   int // plate cuts
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("D", n.D, 1),
		runtime.Size("Levels", n.Levels, 1),
		runtime.Size("Cuts", n.Cuts, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data X[N, D] : real
	// row-major over N, D
	X []float64

	// data y[N] : levels
	// over N; categories of levels, from 0
	Y []int32

	// data limit[N] : real
	// over N
	Limit []float64

	// data seen[N] : bool
	// over N
	Seen []bool
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
	// global w[d in D] ~ Normal(0, var = 10)
	// over D
	W []float64

	// global c[j in cuts] : ordered ~ Normal(0, var = 100)
	// over cuts; each row increases
	C []float64

	// local z[n in N] ~ Normal(dot(X[n], w), var = 1)
	// over N
	Z []float64

	// local life[n in N] ~ Exponential(rate = exp(dot(X[n], w)))
	// over N; life > 0
	Life []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.W = slices.Clone(st.W)
	st.C = slices.Clone(st.C)
	st.Z = slices.Clone(st.Z)
	st.Life = slices.Clone(st.Life)
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
		return nil, fmt.Errorf("m12: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m12: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m12: %w", err)
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
	return runtime.OneMore("Levels", s.data.Levels, "Cuts", s.data.Cuts)
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	N := s.data.N
	D := s.data.D
	if err := errors.Join(
		runtime.Length("X", len(s.data.X), runtime.Extent(N, D)),
		runtime.Length("Limit", len(s.data.Limit), N),
	); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Length("Y", len(s.data.Y), N),
			runtime.Length("Seen", len(s.data.Seen), N),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	X := s.data.X
	limit := s.data.Limit
	y := s.data.Y
	levels := s.data.Levels
	if err := errors.Join(
		runtime.Finite("X", X...),
		runtime.Finite("Limit", limit...),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Categories("Y", y, levels); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	w := s.state.W
	D := s.data.D
	c := s.state.C
	cuts := s.data.Cuts
	z := s.state.Z
	N := s.data.N
	life := s.state.Life
	if err := errors.Join(
		runtime.Length("W", len(w), D),
		runtime.Length("C", len(c), cuts),
		runtime.Length("Z", len(z), N),
		runtime.Length("Life", len(life), N),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("W", w...),
		runtime.Finite("C", c...),
		runtime.Increasing("C", c, cuts),
		runtime.Finite("Z", z...),
		runtime.Positive("Life", life...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	D := s.data.D
	cuts := s.data.Cuts
	N := s.data.N
	s.state.W = make([]float64, D)
	s.state.C = make([]float64, cuts)
	s.state.Z = make([]float64, N)
	s.state.Life = make([]float64, N)
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
	w := s.state.W
	c := s.state.C
	cuts := s.data.Cuts
	z := s.state.Z
	N := s.data.N
	y := s.data.Y
	life := s.state.Life
	limit := s.data.Limit
	seen := s.data.Seen
	// w
	for i := range w {
		w[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// c
	for i := range c {
		c[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	runtime.SortRows(c, cuts)
	// z
	for i := range z {
		z[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	for n := range N {
		lo, hi := math.Inf(-1), math.Inf(1)
		if int(y[n]) > 0 {
			lo = max(lo, c[int(y[n])-1])
		}
		if int(y[n]) < len(c) {
			hi = min(hi, c[int(y[n])])
		}
		z[n] = s.rng.Start(lo, hi)
	}
	// life
	for i := range life {
		life[i] = s.rng.Start(0, math.Inf(1))
	}
	for n := range N {
		lo, hi := float64(0), math.Inf(1)
		if seen[n] {
			hi = min(hi, limit[n])
		} else {
			lo = max(lo, limit[n])
		}
		life[n] = s.rng.Start(lo, hi)
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
		return fmt.Errorf("m12: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m12: the state has log density %v", lp)
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
	D := s.data.D
	w := s.state.W
	cuts := s.data.Cuts
	c := s.state.C
	N := s.data.N
	X := s.data.X
	z := s.state.Z
	life := s.state.Life
	y := s.data.Y
	seen := s.data.Seen
	limit := s.data.Limit
	lp := 0.0
	// global w[d in D] ~ Normal(0, var = 10)
	for d := range D {
		lp += runtime.NormalLogPDF(w[d], 0, 10)
	}
	// global c[j in cuts] : ordered ~ Normal(0, var = 100)
	for j := range cuts {
		lp += runtime.NormalLogPDF(c[j], 0, 100)
	}
	// local z[n in N] ~ Normal(dot(X[n], w), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		lp += runtime.NormalLogPDF(z[n], dot, 1)
	}
	// local life[n in N] ~ Exponential(rate = exp(dot(X[n], w)))
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		lp += runtime.ExponentialLogPDF(life[n], math.Exp(dot))
	}
	// observe y[n in N] = cut(z[n], c)
	for n := range N {
		if int(y[n]) != runtime.CutCategory(z[n], c) {
			return math.Inf(-1)
		}
	}
	// observe seen[n in N] = life[n] <= limit[n]
	for n := range N {
		if seen[n] != (life[n] < limit[n]) {
			return math.Inf(-1)
		}
	}
	// The elements of c are in order; each order of n was as likely as any other.
	if !runtime.Ordered(c, cuts) {
		return math.Inf(-1)
	}
	lp += runtime.LgammaF(float64(cuts) + 1)
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
		return Data{}, State{}, fmt.Errorf("m12: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m12: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m12: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m12: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m12: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m12: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	s.data.Y = make([]int32, N)
	s.data.Seen = make([]bool, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	D := s.data.D
	w := s.state.W
	cuts := s.data.Cuts
	c := s.state.C
	N := s.data.N
	X := s.data.X
	z := s.state.Z
	life := s.state.Life
	y := s.data.Y
	seen := s.data.Seen
	limit := s.data.Limit
	// global w[d in D] ~ Normal(0, var = 10)
	for d := range D {
		w[d] = s.rng.Normal(0, 10)
	}
	// global c[j in cuts] : ordered ~ Normal(0, var = 100)
	for j := range cuts {
		c[j] = s.rng.Normal(0, 100)
	}
	runtime.SortRows(c, cuts)
	// local z[n in N] ~ Normal(dot(X[n], w), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		z[n] = s.rng.Normal(dot, 1)
	}
	// local life[n in N] ~ Exponential(rate = exp(dot(X[n], w)))
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * w[d]
		}
		life[n] = s.rng.Exponential(math.Exp(dot))
	}
	// observe y[n in N] = cut(z[n], c)
	for n := range N {
		y[n] = int32(runtime.CutCategory(z[n], c))
	}
	// observe seen[n in N] = life[n] <= limit[n]
	for n := range N {
		seen[n] = life[n] < limit[n]
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: w, c.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	D := s.data.D
	cuts := s.data.Cuts
	if D <= 1000 {
		for d := range D {
			names = append(names, runtime.ElementLabel("w", d))
		}
	}
	if cuts <= 1000 {
		for j := range cuts {
			names = append(names, runtime.ElementLabel("c", j))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	D := s.data.D
	w := s.state.W
	cuts := s.data.Cuts
	c := s.state.C
	if D <= 1000 {
		for d := range D {
			dst = append(dst, w[d])
		}
	}
	if cuts <= 1000 {
		for j := range cuts {
			dst = append(dst, c[j])
		}
	}
	return dst
}
