package m20

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
	P int // plate P
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("T", n.T, 1),
		runtime.Size("P", n.P, 1),
		runtime.Room("S0", runtime.Extent(n.P, n.P)),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data y[t in T, P] : real ~ Normal(x[t], cov = identity(P))
	// row-major over T, P
	Y []float64
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const S0[P, P] : cov = 10 * identity(P)
	// row-major over P, P; symmetric positive definite matrices
	S0 []float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	if sizes.check() != nil {
		return h
	}
	h.S0 = make([]float64, sizes.P*sizes.P)
	P := sizes.P
	S0 := h.S0
	for p := range P {
		for p2 := range P {
			S0[p*P+p2] = 10 * runtime.Indicator(p == p2)
		}
	}
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// global rho ~ Uniform(-1, 1)
	// rho > -1 and < 1
	Rho float64

	// global Q ~ InvWishart(df = P + 2, scale = S0)
	// row-major over P, P; symmetric positive definite matrices
	Q []float64

	// local x[t in T if t > 1] ~ Normal(rho * x[t-1], cov = Q)
	// local x[1] ~ Normal(0, cov = S0)
	// row-major over T, P
	X []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Q = slices.Clone(st.Q)
	st.X = slices.Clone(st.X)
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
	joint3 []float64
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m20: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m20: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m20: %w", err)
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
	s.joint2 = make([]float64, data.P)
	s.joint3 = make([]float64, data.P*data.P)
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
	T := s.data.T
	if err := runtime.Length("S0", len(s.hyper.S0), runtime.Extent(P, P)); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("Y", len(s.data.Y), runtime.Extent(T, P)); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	S0 := s.hyper.S0
	P := s.data.P
	y := s.data.Y
	if err := runtime.PosDef("S0", S0, P); err != nil {
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
	Q := s.state.Q
	P := s.data.P
	x := s.state.X
	T := s.data.T
	rho := s.state.Rho
	if err := errors.Join(
		runtime.Length("Q", len(Q), runtime.Extent(P, P)),
		runtime.Length("X", len(x), runtime.Extent(T, P)),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Within("Rho", rho, -1, 1, false, false),
		runtime.PosDef("Q", Q, P),
		runtime.Finite("X", x...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	P := s.data.P
	T := s.data.T
	if err := errors.Join(
		runtime.Room("Q", runtime.Extent(P, P)),
		runtime.Room("X", runtime.Extent(T, P)),
	); err != nil {
		return err
	}
	s.state.Q = make([]float64, P*P)
	s.state.X = make([]float64, T*P)
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
	Q := s.state.Q
	P := s.data.P
	x := s.state.X
	// rho
	s.state.Rho = s.rng.Start(-1, 1)
	// Q
	s.rng.StartSPD(Q, P)
	// x
	for i := range x {
		x[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m20: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m20: the state has log density %v", lp)
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
	rho := s.state.Rho
	P := s.data.P
	S0 := s.hyper.S0
	Q := s.state.Q
	mat := s.mat
	T := s.data.T
	meanVec := s.joint1
	x := s.state.X
	covMat := s.joint3
	y := s.data.Y
	lp := 0.0
	// global rho ~ Uniform(-1, 1)
	lp += runtime.UniformLogPDF(rho, -1, 1)
	// global Q ~ InvWishart(df = P + 2, scale = S0)
	lp += runtime.InvWishartLogPDF(Q, float64(P)+2, S0, P, mat)
	// local x[t in T if t > 1] ~ Normal(rho * x[t-1], cov = Q)
	for t := 1; t < T; t++ {
		for p := range P {
			meanVec[p] = rho * x[(t-1)*P+p]
		}
		lp += runtime.MVNormalLogPDF(x[t*P:t*P+P], meanVec, Q, mat)
	}
	// local x[1] ~ Normal(0, cov = S0)
	for p := range P {
		meanVec[p] = 0
	}
	lp += runtime.MVNormalLogPDF(x[0:P], meanVec, S0, mat)
	// data y[t in T, P] : real ~ Normal(x[t], cov = identity(P))
	for p := range P {
		for p2 := range P {
			covMat[p*P+p2] = runtime.Indicator(p == p2)
		}
	}
	for t := range T {
		lp += runtime.MVNormalLogPDF(y[t*P:t*P+P], x[t*P:t*P+P], covMat, mat)
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
		return Data{}, State{}, fmt.Errorf("m20: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m20: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m20: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m20: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m20: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m20: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	T := s.data.T
	P := s.data.P
	if err := runtime.Room("Y", runtime.Extent(T, P)); err != nil {
		return err
	}
	s.data.Y = make([]float64, T*P)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	P := s.data.P
	S0 := s.hyper.S0
	Q := s.state.Q
	mat := s.mat
	meanVec := make([]float64, P)
	x := s.state.X
	T := s.data.T
	covMat := make([]float64, P*P)
	y := s.data.Y
	// global rho ~ Uniform(-1, 1)
	s.state.Rho = s.rng.Uniform(-1, 1)
	// global Q ~ InvWishart(df = P + 2, scale = S0)
	if err := s.rng.InvWishart(Q, float64(P)+2, S0, P, mat); err != nil {
		return runtime.DrawError(err, "Q")
	}
	// local x[1] ~ Normal(0, cov = S0)
	for p := range P {
		meanVec[p] = 0
	}
	if err := s.rng.MVNormal(x[0:P], meanVec, S0, mat); err != nil {
		return runtime.DrawError(err, "x", 0)
	}
	// local x[t in T if t > 1] ~ Normal(rho * x[t-1], cov = Q)
	for t := 1; t < T; t++ {
		for p := range P {
			meanVec[p] = s.state.Rho * x[(t-1)*P+p]
		}
		if err := s.rng.MVNormal(x[t*P:t*P+P], meanVec, Q, mat); err != nil {
			return runtime.DrawError(err, "x", t)
		}
	}
	// data y[t in T, P] : real ~ Normal(x[t], cov = identity(P))
	for p := range P {
		for p2 := range P {
			covMat[p*P+p2] = runtime.Indicator(p == p2)
		}
	}
	for t := range T {
		if err := s.rng.MVNormal(y[t*P:t*P+P], x[t*P:t*P+P], covMat, mat); err != nil {
			return runtime.DrawError(err, "y", t)
		}
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: rho, Q.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	P := s.data.P
	names = append(names, runtime.ElementLabel("rho"))
	if runtime.Extent(P, P) <= 1000 {
		for p := range P {
			for p2 := range P {
				names = append(names, runtime.ElementLabel("Q", p2, p))
			}
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	rho := s.state.Rho
	P := s.data.P
	Q := s.state.Q
	dst = append(dst, rho)
	if runtime.Extent(P, P) <= 1000 {
		for p := range P {
			for p2 := range P {
				dst = append(dst, Q[p2*P+p])
			}
		}
	}
	return dst
}
