package m08

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
	P int // plate P
	K int // plate K = 2
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("P", n.P, 1),
		runtime.Size("K", n.K, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data x[n in N, p in P] : real ~ Normal(dot(L[p], f[n]), var = psi[p])
	// row-major over N, P
	X []float64
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
	// global L[p in P, k in K] ~ Normal(0, var = 1)
	// row-major over P, K
	L []float64

	// global psi[p in P] ~ InvGamma(2, scale = 1)
	// over P; psi > 0
	Psi []float64

	// local f[n in N, k in K] ~ Normal(0, var = 1)
	// row-major over N, K
	F []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.L = slices.Clone(st.L)
	st.Psi = slices.Clone(st.Psi)
	st.F = slices.Clone(st.F)
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
		return nil, fmt.Errorf("m08: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m08: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m08: %w", err)
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
	P := s.data.P
	if observed {
		if err := runtime.Length("X", len(s.data.X), runtime.Extent(N, P)); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	x := s.data.X
	if observed {
		if err := runtime.Finite("X", x...); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	L := s.state.L
	P := s.data.P
	K := s.data.K
	psi := s.state.Psi
	f := s.state.F
	N := s.data.N
	if err := errors.Join(
		runtime.Length("L", len(L), runtime.Extent(P, K)),
		runtime.Length("Psi", len(psi), P),
		runtime.Length("F", len(f), runtime.Extent(N, K)),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("L", L...),
		runtime.Positive("Psi", psi...),
		runtime.Finite("F", f...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	P := s.data.P
	K := s.data.K
	N := s.data.N
	if err := errors.Join(
		runtime.Room("L", runtime.Extent(P, K)),
		runtime.Room("F", runtime.Extent(N, K)),
	); err != nil {
		return err
	}
	s.state.L = make([]float64, P*K)
	s.state.Psi = make([]float64, P)
	s.state.F = make([]float64, N*K)
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
	L := s.state.L
	psi := s.state.Psi
	f := s.state.F
	// L
	for i := range L {
		L[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// psi
	for i := range psi {
		psi[i] = s.rng.Start(0, math.Inf(1))
	}
	// f
	for i := range f {
		f[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m08: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m08: the state has log density %v", lp)
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
	P := s.data.P
	K := s.data.K
	L := s.state.L
	psi := s.state.Psi
	N := s.data.N
	f := s.state.F
	x := s.data.X
	lp := 0.0
	// global L[p in P, k in K] ~ Normal(0, var = 1)
	for p := range P {
		for k := range K {
			lp += runtime.NormalLogPDF(L[p*K+k], 0, 1)
		}
	}
	// global psi[p in P] ~ InvGamma(2, scale = 1)
	for p := range P {
		lp += runtime.InvGammaLogPDF(psi[p], 2, 1)
	}
	// local f[n in N, k in K] ~ Normal(0, var = 1)
	for n := range N {
		for k := range K {
			lp += runtime.NormalLogPDF(f[n*K+k], 0, 1)
		}
	}
	// data x[n in N, p in P] : real ~ Normal(dot(L[p], f[n]), var = psi[p])
	for n := range N {
		for p := range P {
			dot := 0.0
			for k := range K {
				dot += L[p*K+k] * f[n*K+k]
			}
			lp += runtime.NormalLogPDF(x[n*P+p], dot, psi[p])
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
		return Data{}, State{}, fmt.Errorf("m08: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m08: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m08: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m08: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m08: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m08: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	P := s.data.P
	if err := runtime.Room("X", runtime.Extent(N, P)); err != nil {
		return err
	}
	s.data.X = make([]float64, N*P)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	P := s.data.P
	K := s.data.K
	L := s.state.L
	psi := s.state.Psi
	N := s.data.N
	f := s.state.F
	x := s.data.X
	// global L[p in P, k in K] ~ Normal(0, var = 1)
	for p := range P {
		for k := range K {
			L[p*K+k] = s.rng.Normal(0, 1)
		}
	}
	// global psi[p in P] ~ InvGamma(2, scale = 1)
	for p := range P {
		psi[p] = s.rng.InvGamma(2, 1)
	}
	// local f[n in N, k in K] ~ Normal(0, var = 1)
	for n := range N {
		for k := range K {
			f[n*K+k] = s.rng.Normal(0, 1)
		}
	}
	// data x[n in N, p in P] : real ~ Normal(dot(L[p], f[n]), var = psi[p])
	for n := range N {
		for p := range P {
			dot := 0.0
			for k := range K {
				dot += L[p*K+k] * f[n*K+k]
			}
			x[n*P+p] = s.rng.Normal(dot, psi[p])
		}
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: L, psi.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	K := s.data.K
	P := s.data.P
	if runtime.Extent(P, K) <= 1000 {
		for k := range K {
			for p := range P {
				names = append(names, runtime.ElementLabel("L", p, k))
			}
		}
	}
	if P <= 1000 {
		for p := range P {
			names = append(names, runtime.ElementLabel("psi", p))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	K := s.data.K
	P := s.data.P
	L := s.state.L
	psi := s.state.Psi
	if runtime.Extent(P, K) <= 1000 {
		for k := range K {
			for p := range P {
				dst = append(dst, L[p*K+k])
			}
		}
	}
	if P <= 1000 {
		for p := range P {
			dst = append(dst, psi[p])
		}
	}
	return dst
}
