package m09

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
	D int // plate D
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("P", n.P, 1),
		runtime.Size("D", n.D, 1),
		runtime.Room("V", runtime.Extent(n.P, n.P)),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data X[N, D] : real
	// row-major over N, D
	X []float64

	// data y[n in N, P] : real ~ Normal(mean[n], prec = Omega)
	// row-major over N, P
	Y []float64
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const V[P, P] : cov = identity(P)
	// row-major over P, P; symmetric positive definite matrices
	V []float64
	// const nu : real > P - 1 = P + 1
	Nu float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	if sizes.check() != nil {
		return h
	}
	h.V = make([]float64, sizes.P*sizes.P)
	P := sizes.P
	V := h.V
	for p := range P {
		for p2 := range P {
			V[p*P+p2] = runtime.Indicator(p == p2)
		}
	}
	h.Nu = float64(P) + 1
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// global B[p in P, d in D] ~ Normal(0, var = 10)
	// row-major over P, D
	B []float64

	// global Omega ~ Wishart(df = nu, scale = V)
	// row-major over P, P; symmetric positive definite matrices
	Omega []float64

	// global m ~ Normal(0, cov = 100 * identity(P))
	// over P
	M []float64

	// local mean[n in N, p in P] ~ Normal(m[p] + dot(B[p], X[n]), var = 1)
	// row-major over N, P
	Mean []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.B = slices.Clone(st.B)
	st.Omega = slices.Clone(st.Omega)
	st.M = slices.Clone(st.M)
	st.Mean = slices.Clone(st.Mean)
	return st
}

type Sampler struct {
	data   Data
	hyper  Hyper
	state  State
	rng    *runtime.Rand
	mat    *runtime.MatWork
	joint1 []float64 // scratch of the log joint
	joint2 []float64
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m09: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m09: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m09: %w", err)
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
	s.mat = new(runtime.MatWork)
	s.joint1 = make([]float64, data.P)
	s.joint2 = make([]float64, data.P*data.P)
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
	P := s.data.P
	N := s.data.N
	D := s.data.D
	if err := errors.Join(
		runtime.Length("V", len(s.hyper.V), runtime.Extent(P, P)),
		runtime.Length("X", len(s.data.X), runtime.Extent(N, D)),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("Y", len(s.data.Y), runtime.Extent(N, P)); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	V := s.hyper.V
	P := s.data.P
	nu := s.hyper.Nu
	X := s.data.X
	y := s.data.Y
	if err := errors.Join(
		runtime.PosDef("V", V, P),
		runtime.Within("Nu", nu, float64(P)-1, math.Inf(1), false, false),
		runtime.Finite("X", X...),
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
	B := s.state.B
	P := s.data.P
	D := s.data.D
	Omega := s.state.Omega
	m := s.state.M
	mean := s.state.Mean
	N := s.data.N
	if err := errors.Join(
		runtime.Length("B", len(B), runtime.Extent(P, D)),
		runtime.Length("Omega", len(Omega), runtime.Extent(P, P)),
		runtime.Length("M", len(m), P),
		runtime.Length("Mean", len(mean), runtime.Extent(N, P)),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("B", B...),
		runtime.PosDef("Omega", Omega, P),
		runtime.Finite("M", m...),
		runtime.Finite("Mean", mean...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	P := s.data.P
	D := s.data.D
	N := s.data.N
	if err := errors.Join(
		runtime.Room("B", runtime.Extent(P, D)),
		runtime.Room("Omega", runtime.Extent(P, P)),
		runtime.Room("Mean", runtime.Extent(N, P)),
	); err != nil {
		return err
	}
	s.state.B = make([]float64, P*D)
	s.state.Omega = make([]float64, P*P)
	s.state.M = make([]float64, P)
	s.state.Mean = make([]float64, N*P)
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
	B := s.state.B
	Omega := s.state.Omega
	P := s.data.P
	m := s.state.M
	mean := s.state.Mean
	// B
	for i := range B {
		B[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// Omega
	s.rng.StartSPD(Omega, P)
	// m
	for i := range m {
		m[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// mean
	for i := range mean {
		mean[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m09: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m09: the state has log density %v", lp)
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
	D := s.data.D
	B := s.state.B
	nu := s.hyper.Nu
	V := s.hyper.V
	Omega := s.state.Omega
	mat := s.mat
	meanVec := s.joint1
	covMat := s.joint2
	m := s.state.M
	N := s.data.N
	X := s.data.X
	mean := s.state.Mean
	y := s.data.Y
	lp := 0.0
	// global B[p in P, d in D] ~ Normal(0, var = 10)
	for p := range P {
		for d := range D {
			lp += runtime.NormalLogPDF(B[p*D+d], 0, 10)
		}
	}
	// global Omega ~ Wishart(df = nu, scale = V)
	lp += runtime.WishartLogPDF(Omega, nu, V, P, mat)
	// global m ~ Normal(0, cov = 100 * identity(P))
	for p := range P {
		meanVec[p] = 0
	}
	for p := range P {
		for p2 := range P {
			covMat[p*P+p2] = 100 * runtime.Indicator(p == p2)
		}
	}
	lp += runtime.MVNormalLogPDF(m, meanVec, covMat, mat)
	// local mean[n in N, p in P] ~ Normal(m[p] + dot(B[p], X[n]), var = 1)
	for n := range N {
		for p := range P {
			dot := 0.0
			for d := range D {
				dot += B[p*D+d] * X[n*D+d]
			}
			lp += runtime.NormalLogPDF(mean[n*P+p], m[p]+dot, 1)
		}
	}
	// data y[n in N, P] : real ~ Normal(mean[n], prec = Omega)
	for n := range N {
		lp += runtime.MVNormalPrecLogPDF(y[n*P:n*P+P], mean[n*P:n*P+P], Omega, mat)
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
	s.mat = new(runtime.MatWork)
	if err := s.check(false); err != nil {
		return Data{}, State{}, fmt.Errorf("m09: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m09: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m09: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m09: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m09: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m09: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	P := s.data.P
	if err := runtime.Room("Y", runtime.Extent(N, P)); err != nil {
		return err
	}
	s.data.Y = make([]float64, N*P)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	P := s.data.P
	D := s.data.D
	B := s.state.B
	nu := s.hyper.Nu
	V := s.hyper.V
	Omega := s.state.Omega
	mat := s.mat
	meanVec := make([]float64, P)
	covMat := make([]float64, P*P)
	m := s.state.M
	N := s.data.N
	X := s.data.X
	mean := s.state.Mean
	y := s.data.Y
	// global B[p in P, d in D] ~ Normal(0, var = 10)
	for p := range P {
		for d := range D {
			B[p*D+d] = s.rng.Normal(0, 10)
		}
	}
	// global Omega ~ Wishart(df = nu, scale = V)
	if err := s.rng.Wishart(Omega, nu, V, P, mat); err != nil {
		return runtime.DrawError(err, "Omega")
	}
	// global m ~ Normal(0, cov = 100 * identity(P))
	for p := range P {
		meanVec[p] = 0
	}
	for p := range P {
		for p2 := range P {
			covMat[p*P+p2] = 100 * runtime.Indicator(p == p2)
		}
	}
	if err := s.rng.MVNormal(m, meanVec, covMat, mat); err != nil {
		return runtime.DrawError(err, "m")
	}
	// local mean[n in N, p in P] ~ Normal(m[p] + dot(B[p], X[n]), var = 1)
	for n := range N {
		for p := range P {
			dot := 0.0
			for d := range D {
				dot += B[p*D+d] * X[n*D+d]
			}
			mean[n*P+p] = s.rng.Normal(m[p]+dot, 1)
		}
	}
	// data y[n in N, P] : real ~ Normal(mean[n], prec = Omega)
	for n := range N {
		if err := s.rng.MVNormalPrec(y[n*P:n*P+P], mean[n*P:n*P+P], Omega, mat); err != nil {
			return runtime.DrawError(err, "y", n)
		}
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: B, Omega, m.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	D := s.data.D
	P := s.data.P
	if runtime.Extent(P, D) <= 1000 {
		for d := range D {
			for p := range P {
				names = append(names, runtime.ElementLabel("B", p, d))
			}
		}
	}
	if runtime.Extent(P, P) <= 1000 {
		for p := range P {
			for p2 := range P {
				names = append(names, runtime.ElementLabel("Omega", p2, p))
			}
		}
	}
	if P <= 1000 {
		for p := range P {
			names = append(names, runtime.ElementLabel("m", p))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	D := s.data.D
	P := s.data.P
	B := s.state.B
	Omega := s.state.Omega
	m := s.state.M
	if runtime.Extent(P, D) <= 1000 {
		for d := range D {
			for p := range P {
				dst = append(dst, B[p*D+d])
			}
		}
	}
	if runtime.Extent(P, P) <= 1000 {
		for p := range P {
			for p2 := range P {
				dst = append(dst, Omega[p2*P+p])
			}
		}
	}
	if P <= 1000 {
		for p := range P {
			dst = append(dst, m[p])
		}
	}
	return dst
}
