package m26

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	T    int // plate T
	Docs int // plate docs
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("T", n.T, 1),
		runtime.Size("Docs", n.Docs, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// plate words[docs]: how many for each element of docs,
	// 0 or more.
	WordsLen []int

	// data y[T] : real
	// data y[t in T if 2 <= t] ~ Normal(y[t-1], var = 1)
	// over T
	Y []float64

	// data u[T] : real
	// data u[t in T if t < T - 1] ~ Normal(u[t+2], var = 1)
	// over T
	U []float64

	// data v[T] : real
	// data v[t in T if T - 1 >= t] ~ Normal(v[1 + t], var = 1)
	// over T
	V []float64

	// data w[docs, words] : real
	// data w[d in docs, i in words[d] if i < words[d]] ~ Normal(w[d, i+1], var = 1)
	// row-major over docs, words
	W []float64

	// data z[t in T if t <= 1] : real ~ Normal(a[1], var = 1)
	// data z[t in T if t > 1] ~ Normal(a[t], var = 1)
	// over T
	Z []float64
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
	// global a[t in T if 1 == t] ~ Normal(0, var = 1)
	// global a[t in T if t >= 2] ~ Normal(a[t-1] + sum(s in T if s > 1, y[s]) + sum(s in T if s < T, y[s]), var = 1)
	// over T
	A []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.A = slices.Clone(st.A)
	return st
}

type Sampler struct {
	data    Data
	hyper   Hyper
	state   State
	rng     *runtime.Rand
	wordsAt []int // where the words of each element of docs begin
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m26: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m26: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m26: %w", err)
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
	if err := runtime.Lengths("WordsLen", s.data.WordsLen, s.data.Docs, 0); err != nil {
		return err
	}
	s.wordsAt = runtime.Offsets(s.data.WordsLen)
	return nil
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	T := s.data.T
	wordsAt := s.wordsAt
	if err := errors.Join(
		runtime.Length("Y", len(s.data.Y), T),
		runtime.Length("U", len(s.data.U), T),
		runtime.Length("V", len(s.data.V), T),
		runtime.Length("W", len(s.data.W), wordsAt[len(wordsAt)-1]),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("Z", len(s.data.Z), T); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	y := s.data.Y
	u := s.data.U
	v := s.data.V
	w := s.data.W
	z := s.data.Z
	if observed {
		if err := errors.Join(
			runtime.Finite("Y", y...),
			runtime.Finite("U", u...),
			runtime.Finite("V", v...),
			runtime.Finite("W", w...),
			runtime.Finite("Z", z...),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	a := s.state.A
	T := s.data.T
	if err := runtime.Length("A", len(a), T); err != nil {
		return err
	}
	return runtime.Finite("A", a...)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	T := s.data.T
	s.state.A = make([]float64, T)
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
		return fmt.Errorf("m26: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m26: the state has log density %v", lp)
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
	T := s.data.T
	y := s.data.Y
	u := s.data.U
	v := s.data.V
	docs := s.data.Docs
	wordsAt := s.wordsAt
	w := s.data.W
	a := s.state.A
	z := s.data.Z
	lp := 0.0
	// data y[t in T if 2 <= t] ~ Normal(y[t-1], var = 1)
	for t := 1; t < T; t++ {
		lp += runtime.NormalLogPDF(y[t], y[t-1], 1)
	}
	// data u[t in T if t < T - 1] ~ Normal(u[t+2], var = 1)
	for t := range T - 2 {
		lp += runtime.NormalLogPDF(u[t], u[t+2], 1)
	}
	// data v[t in T if T - 1 >= t] ~ Normal(v[1 + t], var = 1)
	for t := range T - 1 {
		lp += runtime.NormalLogPDF(v[t], v[t+1], 1)
	}
	// data w[d in docs, i in words[d] if i < words[d]] ~ Normal(w[d, i+1], var = 1)
	for d := range docs {
		for i := range wordsAt[d+1] - wordsAt[d] - 1 {
			lp += runtime.NormalLogPDF(w[wordsAt[d]+i], w[wordsAt[d]+(i+1)], 1)
		}
	}
	// global a[t in T if 1 == t] ~ Normal(0, var = 1)
	lp += runtime.NormalLogPDF(a[0], 0, 1)
	// global a[t in T if t >= 2] ~ Normal(a[t-1] + sum(s in T if s > 1, y[s]) + sum(s in T if s < T, y[s]), var = 1)
	for t := 1; t < T; t++ {
		total := 0.0
		for s_ := 1; s_ < T; s_++ {
			total += y[s_]
		}
		total2 := 0.0
		for s_ := range T - 1 {
			total2 += y[s_]
		}
		lp += runtime.NormalLogPDF(a[t], a[t-1]+total+total2, 1)
	}
	// data z[t in T if t <= 1] : real ~ Normal(a[1], var = 1)
	lp += runtime.NormalLogPDF(z[0], a[0], 1)
	// data z[t in T if t > 1] ~ Normal(a[t], var = 1)
	for t := 1; t < T; t++ {
		lp += runtime.NormalLogPDF(z[t], a[t], 1)
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
		return Data{}, State{}, fmt.Errorf("m26: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m26: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m26: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m26: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m26: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m26: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	T := s.data.T
	s.data.Y = slices.Clone(s.data.Y)
	s.data.U = slices.Clone(s.data.U)
	s.data.V = slices.Clone(s.data.V)
	s.data.W = slices.Clone(s.data.W)
	s.data.Z = make([]float64, T)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	T := s.data.T
	y := s.data.Y
	u := s.data.U
	v := s.data.V
	docs := s.data.Docs
	wordsAt := s.wordsAt
	w := s.data.W
	a := s.state.A
	z := s.data.Z
	// data y[t in T if 2 <= t] ~ Normal(y[t-1], var = 1)
	for t := 1; t < T; t++ {
		y[t] = s.rng.Normal(y[t-1], 1)
	}
	for t := T - 1; t >= 0; t-- {
		// data u[t in T if t < T - 1] ~ Normal(u[t+2], var = 1)
		if t < T-2 {
			u[t] = s.rng.Normal(u[t+2], 1)
		}
	}
	for t := T - 1; t >= 0; t-- {
		// data v[t in T if T - 1 >= t] ~ Normal(v[1 + t], var = 1)
		if t < T-1 {
			v[t] = s.rng.Normal(v[t+1], 1)
		}
	}
	for d := range docs {
		for i := wordsAt[d+1] - wordsAt[d] - 1; i >= 0; i-- {
			// data w[d in docs, i in words[d] if i < words[d]] ~ Normal(w[d, i+1], var = 1)
			if i < wordsAt[d+1]-wordsAt[d]-1 {
				w[wordsAt[d]+i] = s.rng.Normal(w[wordsAt[d]+(i+1)], 1)
			}
		}
	}
	// global a[t in T if 1 == t] ~ Normal(0, var = 1)
	a[0] = s.rng.Normal(0, 1)
	// global a[t in T if t >= 2] ~ Normal(a[t-1] + sum(s in T if s > 1, y[s]) + sum(s in T if s < T, y[s]), var = 1)
	for t := 1; t < T; t++ {
		total := 0.0
		for s_ := 1; s_ < T; s_++ {
			total += y[s_]
		}
		total2 := 0.0
		for s_ := range T - 1 {
			total2 += y[s_]
		}
		a[t] = s.rng.Normal(a[t-1]+total+total2, 1)
	}
	// data z[t in T if t <= 1] : real ~ Normal(a[1], var = 1)
	z[0] = s.rng.Normal(a[0], 1)
	// data z[t in T if t > 1] ~ Normal(a[t], var = 1)
	for t := 1; t < T; t++ {
		z[t] = s.rng.Normal(a[t], 1)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: a.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	T := s.data.T
	if T <= 1000 {
		for t := range T {
			names = append(names, runtime.ElementLabel("a", t))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	T := s.data.T
	a := s.state.A
	if T <= 1000 {
		for t := range T {
			dst = append(dst, a[t])
		}
	}
	return dst
}
