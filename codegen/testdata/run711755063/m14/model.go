package m14

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
	G int // plate G
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("G", n.G, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data g[N] : G
	// over N; categories of G, from 0
	G2 []int32

	// data y[n in N] : real ~ Normal(mu[g[n]], sd = s)
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
	// global s : real > 0 ~ Normal(0, var = 4)
	S float64

	// global sd0 ~ Uniform(0, 100)
	// sd0 > 0 and < 100
	Sd0 float64

	// global mu[k in G] ~ Normal(0, sd = sd0)
	// over G
	Mu []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Mu = slices.Clone(st.Mu)
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
		return nil, fmt.Errorf("m14: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m14: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m14: %w", err)
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
	if err := runtime.Length("G2", len(s.data.G2), N); err != nil {
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
	g := s.data.G2
	G := s.data.G
	y := s.data.Y
	if err := runtime.Categories("G2", g, G); err != nil {
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
	mu := s.state.Mu
	G := s.data.G
	s_ := s.state.S
	sd0 := s.state.Sd0
	if err := runtime.Length("Mu", len(mu), G); err != nil {
		return err
	}
	return errors.Join(
		runtime.Positive("S", s_),
		runtime.Within("Sd0", sd0, 0, 100, false, false),
		runtime.Finite("Mu", mu...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	G := s.data.G
	s.state.Mu = make([]float64, G)
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
	mu := s.state.Mu
	// s
	s.state.S = s.rng.Start(0, math.Inf(1))
	// sd0
	s.state.Sd0 = s.rng.Start(0, 100)
	// mu
	for i := range mu {
		mu[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m14: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m14: the state has log density %v", lp)
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
	s_ := s.state.S
	sd0 := s.state.Sd0
	G := s.data.G
	mu := s.state.Mu
	N := s.data.N
	g := s.data.G2
	y := s.data.Y
	lp := 0.0
	// global s : real > 0 ~ Normal(0, var = 4)
	if s_ <= 0 {
		return math.Inf(-1)
	}
	lp -= runtime.NormalLogMass(0, math.Inf(1), 0, 4)
	lp += runtime.NormalLogPDF(s_, 0, 4)
	// global sd0 ~ Uniform(0, 100)
	lp += runtime.UniformLogPDF(sd0, 0, 100)
	// global mu[k in G] ~ Normal(0, sd = sd0)
	for k := range G {
		lp += runtime.NormalLogPDF(mu[k], 0, sd0*sd0)
	}
	// data y[n in N] : real ~ Normal(mu[g[n]], sd = s)
	for n := range N {
		lp += runtime.NormalLogPDF(y[n], mu[int(g[n])], s_*s_)
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
		return Data{}, State{}, fmt.Errorf("m14: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m14: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m14: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m14: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m14: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m14: %w", err)
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
	G := s.data.G
	mu := s.state.Mu
	N := s.data.N
	g := s.data.G2
	y := s.data.Y
	// global s : real > 0 ~ Normal(0, var = 4)
	s.state.S = s.rng.TruncNormalNat(0, 0.25, 0, math.Inf(1))
	// global sd0 ~ Uniform(0, 100)
	s.state.Sd0 = s.rng.Uniform(0, 100)
	// global mu[k in G] ~ Normal(0, sd = sd0)
	for k := range G {
		mu[k] = s.rng.Normal(0, s.state.Sd0*s.state.Sd0)
	}
	// data y[n in N] : real ~ Normal(mu[g[n]], sd = s)
	for n := range N {
		y[n] = s.rng.Normal(mu[int(g[n])], s.state.S*s.state.S)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: s, sd0, mu.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	G := s.data.G
	names = append(names, runtime.ElementLabel("s"))
	names = append(names, runtime.ElementLabel("sd0"))
	if G <= 1000 {
		for k := range G {
			names = append(names, runtime.ElementLabel("mu", k))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	s_ := s.state.S
	sd0 := s.state.Sd0
	G := s.data.G
	mu := s.state.Mu
	dst = append(dst, s_)
	dst = append(dst, sd0)
	if G <= 1000 {
		for k := range G {
			dst = append(dst, mu[k])
		}
	}
	return dst
}
