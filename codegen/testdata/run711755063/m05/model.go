package m05

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
	I int // plate I
	J int // plate J
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("I", n.I, 1),
		runtime.Size("J", n.J, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data g1[N] : I
	// over N; categories of I, from 0
	G1 []int32

	// data g2[N] : J
	// over N; categories of J, from 0
	G2 []int32

	// data y[n in N] : real ~ Normal(m + a[g1[n]] + b[g2[n]], var = v)
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
	// global m ~ Flat()  (### "warning: with a flat prior")
	M float64

	// global va ~ InvGamma(1, scale = 1)
	// va > 0
	Va float64

	// global vb ~ InvGamma(1, scale = 1)
	// vb > 0
	Vb float64

	// global v ~ InvGamma(1, scale = 1)
	// v > 0
	V float64

	// global a[i in I] ~ Normal(0, var = va)
	// over I
	A []float64

	// global b[j in J] ~ Normal(0, var = vb)
	// over J
	B []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.A = slices.Clone(st.A)
	st.B = slices.Clone(st.B)
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
		return nil, fmt.Errorf("m05: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m05: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m05: %w", err)
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
	if err := errors.Join(
		runtime.Length("G1", len(s.data.G1), N),
		runtime.Length("G2", len(s.data.G2), N),
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
	g1 := s.data.G1
	I := s.data.I
	g2 := s.data.G2
	J := s.data.J
	y := s.data.Y
	if err := errors.Join(
		runtime.Categories("G1", g1, I),
		runtime.Categories("G2", g2, J),
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
	a := s.state.A
	I := s.data.I
	b := s.state.B
	J := s.data.J
	m := s.state.M
	va := s.state.Va
	vb := s.state.Vb
	v := s.state.V
	if err := errors.Join(
		runtime.Length("A", len(a), I),
		runtime.Length("B", len(b), J),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("M", m),
		runtime.Positive("Va", va),
		runtime.Positive("Vb", vb),
		runtime.Positive("V", v),
		runtime.Finite("A", a...),
		runtime.Finite("B", b...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	I := s.data.I
	J := s.data.J
	s.state.A = make([]float64, I)
	s.state.B = make([]float64, J)
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
	b := s.state.B
	// m
	s.state.M = s.rng.Start(math.Inf(-1), math.Inf(1))
	// va
	s.state.Va = s.rng.Start(0, math.Inf(1))
	// vb
	s.state.Vb = s.rng.Start(0, math.Inf(1))
	// v
	s.state.V = s.rng.Start(0, math.Inf(1))
	// a
	for i := range a {
		a[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// b
	for i := range b {
		b[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m05: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m05: the state has log density %v", lp)
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
	va := s.state.Va
	vb := s.state.Vb
	v := s.state.V
	I := s.data.I
	a := s.state.A
	J := s.data.J
	b := s.state.B
	N := s.data.N
	m := s.state.M
	g1 := s.data.G1
	g2 := s.data.G2
	y := s.data.Y
	lp := 0.0
	// global va ~ InvGamma(1, scale = 1)
	lp += runtime.InvGammaLogPDF(va, 1, 1)
	// global vb ~ InvGamma(1, scale = 1)
	lp += runtime.InvGammaLogPDF(vb, 1, 1)
	// global v ~ InvGamma(1, scale = 1)
	lp += runtime.InvGammaLogPDF(v, 1, 1)
	// global a[i in I] ~ Normal(0, var = va)
	for i := range I {
		lp += runtime.NormalLogPDF(a[i], 0, va)
	}
	// global b[j in J] ~ Normal(0, var = vb)
	for j := range J {
		lp += runtime.NormalLogPDF(b[j], 0, vb)
	}
	// data y[n in N] : real ~ Normal(m + a[g1[n]] + b[g2[n]], var = v)
	for n := range N {
		lp += runtime.NormalLogPDF(y[n], m+a[int(g1[n])]+b[int(g2[n])], v)
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
		return Data{}, State{}, fmt.Errorf("m05: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m05: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m05: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m05: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m05: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m05: %w", err)
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
	return errors.New("the prior of m is improper, so nothing can be drawn from it")
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: m, va, vb, v, a,
// b.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	I := s.data.I
	J := s.data.J
	names = append(names, runtime.ElementLabel("m"))
	names = append(names, runtime.ElementLabel("va"))
	names = append(names, runtime.ElementLabel("vb"))
	names = append(names, runtime.ElementLabel("v"))
	if I <= 1000 {
		for i := range I {
			names = append(names, runtime.ElementLabel("a", i))
		}
	}
	if J <= 1000 {
		for j := range J {
			names = append(names, runtime.ElementLabel("b", j))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	m := s.state.M
	va := s.state.Va
	vb := s.state.Vb
	v := s.state.V
	I := s.data.I
	a := s.state.A
	J := s.data.J
	b := s.state.B
	dst = append(dst, m)
	dst = append(dst, va)
	dst = append(dst, vb)
	dst = append(dst, v)
	if I <= 1000 {
		for i := range I {
			dst = append(dst, a[i])
		}
	}
	if J <= 1000 {
		for j := range J {
			dst = append(dst, b[j])
		}
	}
	return dst
}
