package m23

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
	K int // plate K
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("D", n.D, 1),
		runtime.Size("K", n.K, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data X[N, D] : real
	// row-major over N, D
	X []float64

	// data g[N] : K
	// over N; categories of K, from 0
	G []int32

	// data y[n in N] : real ~ Normal(eta[n], var = 1 + norm[n])
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
	// global w[d in D] ~ Normal(0, var = 1)
	// over D
	W []float64

	// global v[d in D] ~ Normal(a, var = 1 + a)
	// over D
	V []float64

	// global m[k in K] ~ Normal(sum(v), var = 1)
	// over K
	M []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.W = slices.Clone(st.W)
	st.V = slices.Clone(st.V)
	st.M = slices.Clone(st.M)
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
		return nil, fmt.Errorf("m23: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m23: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m23: %w", err)
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
	if err := errors.Join(
		runtime.Length("X", len(s.data.X), runtime.Extent(N, D)),
		runtime.Length("G", len(s.data.G), N),
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
	X := s.data.X
	g := s.data.G
	K := s.data.K
	y := s.data.Y
	if err := errors.Join(
		runtime.Finite("X", X...),
		runtime.Categories("G", g, K),
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
	w := s.state.W
	D := s.data.D
	v := s.state.V
	m := s.state.M
	K := s.data.K
	if err := errors.Join(
		runtime.Length("W", len(w), D),
		runtime.Length("V", len(v), D),
		runtime.Length("M", len(m), K),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("W", w...),
		runtime.Finite("V", v...),
		runtime.Finite("M", m...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	D := s.data.D
	K := s.data.K
	s.state.W = make([]float64, D)
	s.state.V = make([]float64, D)
	s.state.M = make([]float64, K)
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
	v := s.state.V
	m := s.state.M
	// w
	for i := range w {
		w[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// v
	for i := range v {
		v[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// m
	for i := range m {
		m[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m23: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m23: the state has log density %v", lp)
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
	v := s.state.V
	K := s.data.K
	m := s.state.M
	N := s.data.N
	X := s.data.X
	g := s.data.G
	y := s.data.Y
	lp := 0.0
	// global w[d in D] ~ Normal(0, var = 1)
	for d := range D {
		lp += runtime.NormalLogPDF(w[d], 0, 1)
	}
	// global v[d in D] ~ Normal(a, var = 1 + a)
	total := 0.0
	for d2 := range D {
		total += w[d2] * w[d2]
	}
	total2 := 0.0
	for d2 := range D {
		total2 += w[d2] * w[d2]
	}
	for d := range D {
		lp += runtime.NormalLogPDF(v[d], total, 1+total2)
	}
	// global m[k in K] ~ Normal(sum(v), var = 1)
	total3 := 0.0
	for d := range D {
		total3 += v[d]
	}
	for k := range K {
		lp += runtime.NormalLogPDF(m[k], total3, 1)
	}
	// data y[n in N] : real ~ Normal(eta[n], var = 1 + norm[n])
	for n := range N {
		total4 := 0.0
		for d := range D {
			total4 += w[d] * w[d]
		}
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * (w[d] / (1 + total4))
		}
		total5 := 0.0
		for d := range D {
			total5 += X[n*D+d] * X[n*D+d]
		}
		lp += runtime.NormalLogPDF(y[n], dot+m[int(g[n])], 1+total5)
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
		return Data{}, State{}, fmt.Errorf("m23: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m23: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m23: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m23: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m23: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m23: %w", err)
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
	D := s.data.D
	w := s.state.W
	v := s.state.V
	K := s.data.K
	m := s.state.M
	N := s.data.N
	X := s.data.X
	g := s.data.G
	y := s.data.Y
	// global w[d in D] ~ Normal(0, var = 1)
	for d := range D {
		w[d] = s.rng.Normal(0, 1)
	}
	// global v[d in D] ~ Normal(a, var = 1 + a)
	total := 0.0
	for d2 := range D {
		total += w[d2] * w[d2]
	}
	total2 := 0.0
	for d2 := range D {
		total2 += w[d2] * w[d2]
	}
	for d := range D {
		v[d] = s.rng.Normal(total, 1+total2)
	}
	// global m[k in K] ~ Normal(sum(v), var = 1)
	total3 := 0.0
	for d := range D {
		total3 += v[d]
	}
	for k := range K {
		m[k] = s.rng.Normal(total3, 1)
	}
	// data y[n in N] : real ~ Normal(eta[n], var = 1 + norm[n])
	for n := range N {
		total4 := 0.0
		for d := range D {
			total4 += w[d] * w[d]
		}
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * (w[d] / (1 + total4))
		}
		total5 := 0.0
		for d := range D {
			total5 += X[n*D+d] * X[n*D+d]
		}
		y[n] = s.rng.Normal(dot+m[int(g[n])], 1+total5)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: w, v, m.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	D := s.data.D
	K := s.data.K
	if D <= 1000 {
		for d := range D {
			names = append(names, runtime.ElementLabel("w", d))
		}
	}
	if D <= 1000 {
		for d := range D {
			names = append(names, runtime.ElementLabel("v", d))
		}
	}
	if K <= 1000 {
		for k := range K {
			names = append(names, runtime.ElementLabel("m", k))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	D := s.data.D
	w := s.state.W
	v := s.state.V
	K := s.data.K
	m := s.state.M
	if D <= 1000 {
		for d := range D {
			dst = append(dst, w[d])
		}
	}
	if D <= 1000 {
		for d := range D {
			dst = append(dst, v[d])
		}
	}
	if K <= 1000 {
		for k := range K {
			dst = append(dst, m[k])
		}
	}
	return dst
}
