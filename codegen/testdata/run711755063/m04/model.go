package m04

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	T int // plate T
	K int // plate K
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("T", n.T, 1),
		runtime.Size("K", n.K, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data z[t in T if t <= 2] : K ~ Categorical(p)
	// data z[t in T if t > 2] ~ Categorical(A[z[t-1], z[t-2]])
	// over T; categories of K, from 0
	Z []int32
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
	// global p ~ Dirichlet(1) over K
	// over K; each row sums to 1
	P []float64

	// global A[i in K, j in K] ~ Dirichlet(1) over K
	// row-major over K, K, K; each row sums to 1
	A []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.P = slices.Clone(st.P)
	st.A = slices.Clone(st.A)
	return st
}

type Sampler struct {
	data   Data
	hyper  Hyper
	state  State
	rng    *runtime.Rand
	joint1 []float64 // scratch of the log joint
	joint2 []float64
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m04: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m04: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m04: %w", err)
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
	s.joint1 = make([]float64, data.K)
	s.joint2 = make([]float64, data.K)
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
	T := s.data.T
	if observed {
		if err := runtime.Length("Z", len(s.data.Z), T); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	z := s.data.Z
	K := s.data.K
	if observed {
		if err := runtime.Categories("Z", z, K); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	p := s.state.P
	K := s.data.K
	A := s.state.A
	if err := errors.Join(
		runtime.Length("P", len(p), K),
		runtime.Length("A", len(A), runtime.Extent(K, K, K)),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Simplex("P", p, K),
		runtime.Simplex("A", A, K),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	K := s.data.K
	if err := runtime.Room("A", runtime.Extent(K, K, K)); err != nil {
		return err
	}
	s.state.P = make([]float64, K)
	s.state.A = make([]float64, K*K*K)
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
	p := s.state.P
	K := s.data.K
	A := s.state.A
	// p
	s.rng.StartSimplex(p, K)
	// A
	s.rng.StartSimplex(A, K)
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
		return fmt.Errorf("m04: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m04: the state has log density %v", lp)
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
	K := s.data.K
	alphaVec := s.joint1
	p := s.state.P
	A := s.state.A
	z := s.data.Z
	T := s.data.T
	lp := 0.0
	// global p ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	lp += runtime.DirichletLogPDF(p, alphaVec)
	// global A[i in K, j in K] ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	for i := range K {
		for j := range K {
			lp += runtime.DirichletLogPDF(A[(i*K+j)*K:(i*K+j)*K+K], alphaVec)
		}
	}
	// data z[t in T if t <= 2] : K ~ Categorical(p)
	lp += runtime.CategoricalLogPMF(z[0], p)
	// data z[t in T if t <= 2] : K ~ Categorical(p)
	if T > 1 {
		lp += runtime.CategoricalLogPMF(z[1], p)
	}
	// data z[t in T if t > 2] ~ Categorical(A[z[t-1], z[t-2]])
	for t := 2; t < T; t++ {
		lp += runtime.CategoricalLogPMF(z[t], A[(int(z[t-1])*K+int(z[t-2]))*K:(int(z[t-1])*K+int(z[t-2]))*K+K])
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
		return Data{}, State{}, fmt.Errorf("m04: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m04: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m04: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m04: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m04: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m04: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	T := s.data.T
	s.data.Z = make([]int32, T)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	K := s.data.K
	alphaVec := make([]float64, K)
	p := s.state.P
	A := s.state.A
	z := s.data.Z
	T := s.data.T
	// global p ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	s.rng.Dirichlet(p, alphaVec)
	// global A[i in K, j in K] ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	for i := range K {
		for j := range K {
			s.rng.Dirichlet(A[(i*K+j)*K:(i*K+j)*K+K], alphaVec)
		}
	}
	// data z[t in T if t <= 2] : K ~ Categorical(p)
	k := s.rng.Categorical(p)
	if k < 0 {
		return runtime.DrawError(runtime.ErrParameter, "z", 0)
	}
	z[0] = int32(k)
	// data z[t in T if t <= 2] : K ~ Categorical(p)
	if T > 1 {
		k2 := s.rng.Categorical(p)
		if k2 < 0 {
			return runtime.DrawError(runtime.ErrParameter, "z", 1)
		}
		z[1] = int32(k2)
	}
	// data z[t in T if t > 2] ~ Categorical(A[z[t-1], z[t-2]])
	for t := 2; t < T; t++ {
		k2 := s.rng.Categorical(A[(int(z[t-1])*K+int(z[t-2]))*K : (int(z[t-1])*K+int(z[t-2]))*K+K])
		if k2 < 0 {
			return runtime.DrawError(runtime.ErrParameter, "z", t)
		}
		z[t] = int32(k2)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: p, A.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	K := s.data.K
	if K <= 1000 {
		for k := range K {
			names = append(names, runtime.ElementLabel("p", k))
		}
	}
	if runtime.Extent(K, K, K) <= 1000 {
		for k := range K {
			for j := range K {
				for i := range K {
					names = append(names, runtime.ElementLabel("A", i, j, k))
				}
			}
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	K := s.data.K
	p := s.state.P
	A := s.state.A
	if K <= 1000 {
		for k := range K {
			dst = append(dst, p[k])
		}
	}
	if runtime.Extent(K, K, K) <= 1000 {
		for k := range K {
			for j := range K {
				for i := range K {
					dst = append(dst, A[(i*K+j)*K+k])
				}
			}
		}
	}
	return dst
}
