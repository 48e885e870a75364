package m16

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
	K int // plate K = 4
	C int // plate C = 2
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("D", n.D, 1),
		runtime.Size("K", n.K, 1),
		runtime.Size("C", n.C, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data X[N, D] : real
	// row-major over N, D
	X []float64

	// data x[n in N] : real ~ Normal(mu[c[z[n]]], var = 1)
	// over N
	X2 []float64

	// data y[n in N] : real ~ Normal(dot(w[z[n]], X[n]), var = 1)
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
	// global q ~ Dirichlet(1) over K
	// over K; each row sums to 1
	Q []float64

	// global c[k in K] ~ Categorical(1 / C) over C
	// over K; categories of C, from 0
	C []int32

	// global mu[j in C] ~ Normal(0, var = 10)
	// over C
	Mu []float64

	// global w[k in K, d in D] ~ Normal(0, var = 1)
	// row-major over K, D
	W []float64

	// local z[n in N] ~ Categorical(q)
	// over N; categories of K, from 0
	Z []int32
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Q = slices.Clone(st.Q)
	st.C = slices.Clone(st.C)
	st.Mu = slices.Clone(st.Mu)
	st.W = slices.Clone(st.W)
	st.Z = slices.Clone(st.Z)
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
		return nil, fmt.Errorf("m16: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m16: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m16: %w", err)
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
	s.joint2 = make([]float64, data.C)
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
	if err := runtime.Length("X", len(s.data.X), runtime.Extent(N, D)); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Length("X2", len(s.data.X2), N),
			runtime.Length("Y", len(s.data.Y), N),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	X := s.data.X
	x := s.data.X2
	y := s.data.Y
	if err := runtime.Finite("X", X...); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Finite("X2", x...),
			runtime.Finite("Y", y...),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	q := s.state.Q
	K := s.data.K
	c := s.state.C
	mu := s.state.Mu
	C := s.data.C
	w := s.state.W
	D := s.data.D
	z := s.state.Z
	N := s.data.N
	if err := errors.Join(
		runtime.Length("Q", len(q), K),
		runtime.Length("C", len(c), K),
		runtime.Length("Mu", len(mu), C),
		runtime.Length("W", len(w), runtime.Extent(K, D)),
		runtime.Length("Z", len(z), N),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Categories("C", c, C),
		runtime.Categories("Z", z, K),
		runtime.Simplex("Q", q, K),
		runtime.Finite("Mu", mu...),
		runtime.Finite("W", w...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	K := s.data.K
	C := s.data.C
	D := s.data.D
	N := s.data.N
	if err := runtime.Room("W", runtime.Extent(K, D)); err != nil {
		return err
	}
	s.state.Q = make([]float64, K)
	s.state.C = make([]int32, K)
	s.state.Mu = make([]float64, C)
	s.state.W = make([]float64, K*D)
	s.state.Z = make([]int32, N)
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
	q := s.state.Q
	K := s.data.K
	C := s.data.C
	c := s.state.C
	mu := s.state.Mu
	w := s.state.W
	z := s.state.Z
	// q
	s.rng.StartSimplex(q, K)
	// c
	for i := range c {
		c[i] = int32(s.rng.IntN(C))
	}
	// mu
	for i := range mu {
		mu[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// w
	for i := range w {
		w[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
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
		return fmt.Errorf("m16: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m16: the state has log density %v", lp)
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
	q := s.state.Q
	C := s.data.C
	pVec := s.joint2
	c := s.state.C
	mu := s.state.Mu
	D := s.data.D
	w := s.state.W
	N := s.data.N
	z := s.state.Z
	x := s.data.X2
	X := s.data.X
	y := s.data.Y
	lp := 0.0
	// global q ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	lp += runtime.DirichletLogPDF(q, alphaVec)
	// global c[k in K] ~ Categorical(1 / C) over C
	for c := range C {
		pVec[c] = 1 / float64(C)
	}
	for k := range K {
		lp += runtime.CategoricalLogPMF(c[k], pVec)
	}
	// global mu[j in C] ~ Normal(0, var = 10)
	for j := range C {
		lp += runtime.NormalLogPDF(mu[j], 0, 10)
	}
	// global w[k in K, d in D] ~ Normal(0, var = 1)
	for k := range K {
		for d := range D {
			lp += runtime.NormalLogPDF(w[k*D+d], 0, 1)
		}
	}
	// local z[n in N] ~ Categorical(q)
	for n := range N {
		lp += runtime.CategoricalLogPMF(z[n], q)
	}
	// data x[n in N] : real ~ Normal(mu[c[z[n]]], var = 1)
	for n := range N {
		lp += runtime.NormalLogPDF(x[n], mu[int(c[int(z[n])])], 1)
	}
	// data y[n in N] : real ~ Normal(dot(w[z[n]], X[n]), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += w[int(z[n])*D+d] * X[n*D+d]
		}
		lp += runtime.NormalLogPDF(y[n], dot, 1)
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
		return Data{}, State{}, fmt.Errorf("m16: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m16: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m16: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m16: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m16: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m16: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	s.data.X2 = make([]float64, N)
	s.data.Y = make([]float64, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	K := s.data.K
	alphaVec := make([]float64, K)
	q := s.state.Q
	C := s.data.C
	pVec := make([]float64, C)
	c := s.state.C
	mu := s.state.Mu
	D := s.data.D
	w := s.state.W
	N := s.data.N
	z := s.state.Z
	x := s.data.X2
	X := s.data.X
	y := s.data.Y
	// global q ~ Dirichlet(1) over K
	for k := range K {
		alphaVec[k] = 1
	}
	s.rng.Dirichlet(q, alphaVec)
	// global c[k in K] ~ Categorical(1 / C) over C
	for c := range C {
		pVec[c] = 1 / float64(C)
	}
	for k := range K {
		k2 := s.rng.Categorical(pVec)
		if k2 < 0 {
			return runtime.DrawError(runtime.ErrParameter, "c", k)
		}
		c[k] = int32(k2)
	}
	// global mu[j in C] ~ Normal(0, var = 10)
	for j := range C {
		mu[j] = s.rng.Normal(0, 10)
	}
	// global w[k in K, d in D] ~ Normal(0, var = 1)
	for k := range K {
		for d := range D {
			w[k*D+d] = s.rng.Normal(0, 1)
		}
	}
	// local z[n in N] ~ Categorical(q)
	for n := range N {
		k := s.rng.Categorical(q)
		if k < 0 {
			return runtime.DrawError(runtime.ErrParameter, "z", n)
		}
		z[n] = int32(k)
	}
	// data x[n in N] : real ~ Normal(mu[c[z[n]]], var = 1)
	for n := range N {
		x[n] = s.rng.Normal(mu[int(c[int(z[n])])], 1)
	}
	// data y[n in N] : real ~ Normal(dot(w[z[n]], X[n]), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += w[int(z[n])*D+d] * X[n*D+d]
		}
		y[n] = s.rng.Normal(dot, 1)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: q, c, mu, w.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	K := s.data.K
	C := s.data.C
	D := s.data.D
	if K <= 1000 {
		for k := range K {
			names = append(names, runtime.ElementLabel("q", k))
		}
	}
	if K <= 1000 {
		for k := range K {
			names = append(names, runtime.ElementLabel("c", k))
		}
	}
	if C <= 1000 {
		for j := range C {
			names = append(names, runtime.ElementLabel("mu", j))
		}
	}
	if runtime.Extent(K, D) <= 1000 {
		for d := range D {
			for k := range K {
				names = append(names, runtime.ElementLabel("w", k, d))
			}
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	K := s.data.K
	q := s.state.Q
	c := s.state.C
	C := s.data.C
	mu := s.state.Mu
	D := s.data.D
	w := s.state.W
	if K <= 1000 {
		for k := range K {
			dst = append(dst, q[k])
		}
	}
	if K <= 1000 {
		for k := range K {
			dst = append(dst, float64(c[k]+1))
		}
	}
	if C <= 1000 {
		for j := range C {
			dst = append(dst, mu[j])
		}
	}
	if runtime.Extent(K, D) <= 1000 {
		for d := range D {
			for k := range K {
				dst = append(dst, w[k*D+d])
			}
		}
	}
	return dst
}
