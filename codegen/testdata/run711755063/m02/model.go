package m02

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	Seqs int // plate seqs
	K    int // plate K = 2
	V    int // plate V
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("Seqs", n.Seqs, 1),
		runtime.Size("K", n.K, 1),
		runtime.Size("V", n.V, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// plate times[seqs]: how many for each element of seqs,
	// 0 or more.
	TimesLen []int

	// data y[s in seqs, t in times[s]] : V ~ Categorical(B[z[s, t]])
	// row-major over seqs, times; categories of V, from 0
	Y []int32
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
	// global init ~ Dirichlet(1) over K
	// over K; each row sums to 1
	Init []float64

	// global A[k in K] ~ Dirichlet(1) over K
	// row-major over K, K; each row sums to 1
	A []float64

	// global B[k in K] ~ Dirichlet(0.5) over V
	// row-major over K, V; each row sums to 1
	B []float64

	// local z[s in seqs, 1] ~ Categorical(init)
	// local z[s in seqs, t in times[s] if t > 1] ~ Categorical(A[z[s, t-1]])
	// row-major over seqs, times; categories of K, from 0
	Z []int32
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Init = slices.Clone(st.Init)
	st.A = slices.Clone(st.A)
	st.B = slices.Clone(st.B)
	st.Z = slices.Clone(st.Z)
	return st
}

type Sampler struct {
	data    Data
	hyper   Hyper
	state   State
	rng     *runtime.Rand
	timesAt []int     // where the times of each element of seqs begin
	joint1  []float64 // scratch of the log joint
	joint2  []float64
	joint3  []float64
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m02: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m02: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m02: %w", err)
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
	s.joint3 = make([]float64, data.V)
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
	if err := runtime.Lengths("TimesLen", s.data.TimesLen, s.data.Seqs, 0); err != nil {
		return err
	}
	s.timesAt = runtime.Offsets(s.data.TimesLen)
	return nil
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	timesAt := s.timesAt
	if observed {
		if err := runtime.Length("Y", len(s.data.Y), timesAt[len(timesAt)-1]); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	y := s.data.Y
	V := s.data.V
	if observed {
		if err := runtime.Categories("Y", y, V); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	init_ := s.state.Init
	K := s.data.K
	A := s.state.A
	B := s.state.B
	V := s.data.V
	z := s.state.Z
	timesAt := s.timesAt
	if err := errors.Join(
		runtime.Length("Init", len(init_), K),
		runtime.Length("A", len(A), runtime.Extent(K, K)),
		runtime.Length("B", len(B), runtime.Extent(K, V)),
		runtime.Length("Z", len(z), timesAt[len(timesAt)-1]),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Categories("Z", z, K),
		runtime.Simplex("Init", init_, K),
		runtime.Simplex("A", A, K),
		runtime.Simplex("B", B, V),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	K := s.data.K
	V := s.data.V
	timesAt := s.timesAt
	if err := errors.Join(
		runtime.Room("A", runtime.Extent(K, K)),
		runtime.Room("B", runtime.Extent(K, V)),
	); err != nil {
		return err
	}
	s.state.Init = make([]float64, K)
	s.state.A = make([]float64, K*K)
	s.state.B = make([]float64, K*V)
	s.state.Z = make([]int32, timesAt[len(timesAt)-1])
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
	init_ := s.state.Init
	K := s.data.K
	A := s.state.A
	B := s.state.B
	V := s.data.V
	z := s.state.Z
	// init
	s.rng.StartSimplex(init_, K)
	// A
	s.rng.StartSimplex(A, K)
	// B
	s.rng.StartSimplex(B, V)
	// z
	for i := range z {
		z[i] = int32(s.rng.IntN(K))
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
		return fmt.Errorf("m02: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m02: the state has log density %v", lp)
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
	init_ := s.state.Init
	A := s.state.A
	V := s.data.V
	alphaVec2 := s.joint3
	B := s.state.B
	seqs := s.data.Seqs
	timesAt := s.timesAt
	z := s.state.Z
	y := s.data.Y
	lp := 0.0
	// global init ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	lp += runtime.DirichletLogPDF(init_, alphaVec)
	// global A[k in K] ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	for k := range K {
		lp += runtime.DirichletLogPDF(A[k*K:k*K+K], alphaVec)
	}
	// global B[k in K] ~ Dirichlet(0.5) over V
	for v := range V {
		alphaVec2[v] = 0.5
	}
	for k := range K {
		lp += runtime.DirichletLogPDF(B[k*V:k*V+V], alphaVec2)
	}
	// local z[s in seqs, 1] ~ Categorical(init)
	for s_ := range seqs {
		if timesAt[s_+1]-timesAt[s_] > 0 {
			lp += runtime.CategoricalLogPMF(z[timesAt[s_]], init_)
		}
	}
	// local z[s in seqs, t in times[s] if t > 1] ~ Categorical(A[z[s, t-1]])
	for s_ := range seqs {
		for t := 1; t < timesAt[s_+1]-timesAt[s_]; t++ {
			lp += runtime.CategoricalLogPMF(z[timesAt[s_]+t], A[int(z[timesAt[s_]+(t-1)])*K:int(z[timesAt[s_]+(t-1)])*K+K])
		}
	}
	// data y[s in seqs, t in times[s]] : V ~ Categorical(B[z[s, t]])
	for s_ := range seqs {
		for t := range timesAt[s_+1] - timesAt[s_] {
			lp += runtime.CategoricalLogPMF(y[timesAt[s_]+t], B[int(z[timesAt[s_]+t])*V:int(z[timesAt[s_]+t])*V+V])
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
		return Data{}, State{}, fmt.Errorf("m02: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m02: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m02: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m02: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m02: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m02: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	timesAt := s.timesAt
	s.data.Y = make([]int32, timesAt[len(timesAt)-1])
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	K := s.data.K
	alphaVec := make([]float64, K)
	init_ := s.state.Init
	A := s.state.A
	V := s.data.V
	alphaVec2 := make([]float64, V)
	B := s.state.B
	seqs := s.data.Seqs
	timesAt := s.timesAt
	z := s.state.Z
	y := s.data.Y
	// global init ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	s.rng.Dirichlet(init_, alphaVec)
	// global A[k in K] ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	for k := range K {
		s.rng.Dirichlet(A[k*K:k*K+K], alphaVec)
	}
	// global B[k in K] ~ Dirichlet(0.5) over V
	for v := range V {
		alphaVec2[v] = 0.5
	}
	for k := range K {
		s.rng.Dirichlet(B[k*V:k*V+V], alphaVec2)
	}
	// local z[s in seqs, 1] ~ Categorical(init)
	for s_ := range seqs {
		if timesAt[s_+1]-timesAt[s_] > 0 {
			k := s.rng.Categorical(init_)
			if k < 0 {
				return runtime.DrawError(runtime.ErrParameter, "z", s_, 0)
			}
			z[timesAt[s_]] = int32(k)
		}
	}
	// local z[s in seqs, t in times[s] if t > 1] ~ Categorical(A[z[s, t-1]])
	for s_ := range seqs {
		for t := 1; t < timesAt[s_+1]-timesAt[s_]; t++ {
			k := s.rng.Categorical(A[int(z[timesAt[s_]+(t-1)])*K : int(z[timesAt[s_]+(t-1)])*K+K])
			if k < 0 {
				return runtime.DrawError(runtime.ErrParameter, "z", s_, t)
			}
			z[timesAt[s_]+t] = int32(k)
		}
	}
	// data y[s in seqs, t in times[s]] : V ~ Categorical(B[z[s, t]])
	for s_ := range seqs {
		for t := range timesAt[s_+1] - timesAt[s_] {
			k := s.rng.Categorical(B[int(z[timesAt[s_]+t])*V : int(z[timesAt[s_]+t])*V+V])
			if k < 0 {
				return runtime.DrawError(runtime.ErrParameter, "y", s_, t)
			}
			y[timesAt[s_]+t] = int32(k)
		}
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: init, A, B.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	K := s.data.K
	V := s.data.V
	if K <= 1000 {
		for k := range K {
			names = append(names, runtime.ElementLabel("init", k))
		}
	}
	if runtime.Extent(K, K) <= 1000 {
		for k := range K {
			for k2 := range K {
				names = append(names, runtime.ElementLabel("A", k2, k))
			}
		}
	}
	if runtime.Extent(K, V) <= 1000 {
		for v := range V {
			for k := range K {
				names = append(names, runtime.ElementLabel("B", k, v))
			}
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	K := s.data.K
	init_ := s.state.Init
	A := s.state.A
	V := s.data.V
	B := s.state.B
	if K <= 1000 {
		for k := range K {
			dst = append(dst, init_[k])
		}
	}
	if runtime.Extent(K, K) <= 1000 {
		for k := range K {
			for k2 := range K {
				dst = append(dst, A[k2*K+k])
			}
		}
	}
	if runtime.Extent(K, V) <= 1000 {
		for v := range V {
			for k := range K {
				dst = append(dst, B[k*V+v])
			}
		}
	}
	return dst
}
