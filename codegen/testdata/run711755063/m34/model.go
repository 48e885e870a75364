package m34

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	A int // plate A
	T int // plate T
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("A", n.A, 1),
		runtime.Size("T", n.T, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// plate B[A]: how many for each element of A,
	// 0 or more.
	BLen []int

	// plate C[B]: how many for each element of B,
	// 0 or more.
	CLen []int

	// data x[a in A, b in B[a], c in C[a, b]] : real ~ Normal(m[a, b], var = 1)
	// row-major over A, B, C
	X []float64

	// data u[A, B, C] : real
	// row-major over A, B, C
	U []float64

	// data g[A, B] : A
	// row-major over A, B; categories of A, from 0
	G []int32

	// data q[T, A, B] : real
	// row-major over T, A, B
	Q []float64

	// data p[t in T, a in A, b in B[a]] : real ~ Normal(q[t, a, b] + m[a, b], var = 1)
	// row-major over T, A, B
	P []float64

	// data seen[T] : bool
	// over T
	Seen []bool

	// data k[T] : real
	// data k[t in T if t > 1] ~ Normal(z[t], var = 1)
	// over T
	K []float64
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const w0[A, B] : real = 1
	// row-major over A, B
	W0 []float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
// The others, w0, are NaN, zero or nil and must be set.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// local m[a in A, b in B[a]] ~ Normal(w0[a, b] + sum(c in C[a, b], u[a, b, c]), var = 1 + C[a, b])
	// row-major over A, B
	M []float64

	// local h[a in A, 1] ~ Normal(0, var = 1)
	// local h[a in A, b in B[a] if b > 1] ~ Normal(h[a, b-1], var = 1)
	// row-major over A, B
	H []float64

	// global v[2] ~ Normal(sum(a in A, q[2, a, 1]^2), var = 1)
	// global v[t in T if t == 1] ~ Normal(0, var = 1)
	// global v[t in T if t > 2] ~ Normal(v[t-1], var = 1)
	// over T
	V []float64

	// local z[t in T if t == 1] ~ Normal(0, var = 1)
	// local z[t in T if t > 1] ~ Normal(phi * k[t-1], var = 1)
	// over T
	Z []float64
	// global phi ~ Normal(0, var = 1)
	Phi float64
	// global f ~ Normal(0, var = 1)
	F float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.M = slices.Clone(st.M)
	st.H = slices.Clone(st.H)
	st.V = slices.Clone(st.V)
	st.Z = slices.Clone(st.Z)
	return st
}

type Sampler struct {
	data  Data
	hyper Hyper
	state State
	rng   *runtime.Rand
	BAt   []int // where the B of each element of A begin
	CAt   []int // where the C of each element of B begin
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m34: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m34: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m34: %w", err)
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
	if err := runtime.Lengths("BLen", s.data.BLen, s.data.A, 1); err != nil {
		return err
	}
	s.BAt = runtime.Offsets(s.data.BLen)
	if err := runtime.Lengths("CLen", s.data.CLen, s.BAt[len(s.BAt)-1], 0); err != nil {
		return err
	}
	s.CAt = runtime.Offsets(s.data.CLen)
	return nil
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	BAt := s.BAt
	A := s.data.A
	CAt := s.CAt
	T := s.data.T
	if s.hyper.W0 == nil {
		s.hyper.W0 = make([]float64, BAt[len(BAt)-1])
		for a := range A {
			for b := range BAt[a+1] - BAt[a] {
				s.hyper.W0[BAt[a]+b] = 1
			}
		}
	}
	if err := errors.Join(
		runtime.Length("W0", len(s.hyper.W0), BAt[len(BAt)-1]),
		runtime.Length("U", len(s.data.U), CAt[len(CAt)-1]),
		runtime.Length("G", len(s.data.G), BAt[len(BAt)-1]),
		runtime.Length("Q", len(s.data.Q), runtime.Extent(T, BAt[len(BAt)-1])),
		runtime.Length("K", len(s.data.K), T),
	); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Length("X", len(s.data.X), CAt[len(CAt)-1]),
			runtime.Length("P", len(s.data.P), runtime.Extent(T, BAt[len(BAt)-1])),
			runtime.Length("Seen", len(s.data.Seen), T),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	w0 := s.hyper.W0
	u := s.data.U
	g := s.data.G
	A := s.data.A
	q := s.data.Q
	x := s.data.X
	p := s.data.P
	k := s.data.K
	if err := errors.Join(
		runtime.Finite("W0", w0...),
		runtime.Finite("U", u...),
		runtime.Categories("G", g, A),
		runtime.Finite("Q", q...),
	); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Finite("X", x...),
			runtime.Finite("P", p...),
			runtime.Finite("K", k...),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	m := s.state.M
	BAt := s.BAt
	h_ := s.state.H
	v := s.state.V
	T := s.data.T
	z := s.state.Z
	phi := s.state.Phi
	f := s.state.F
	if err := errors.Join(
		runtime.Length("M", len(m), BAt[len(BAt)-1]),
		runtime.Length("H", len(h_), BAt[len(BAt)-1]),
		runtime.Length("V", len(v), T),
		runtime.Length("Z", len(z), T),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("M", m...),
		runtime.Finite("H", h_...),
		runtime.Finite("V", v...),
		runtime.Finite("Z", z...),
		runtime.Finite("Phi", phi),
		runtime.Finite("F", f),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	BAt := s.BAt
	T := s.data.T
	s.state.M = make([]float64, BAt[len(BAt)-1])
	s.state.H = make([]float64, BAt[len(BAt)-1])
	s.state.V = make([]float64, T)
	s.state.Z = make([]float64, T)
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
	m := s.state.M
	h_ := s.state.H
	v := s.state.V
	z := s.state.Z
	T := s.data.T
	seen := s.data.Seen
	// m
	for i := range m {
		m[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// h
	for i := range h_ {
		h_[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// v
	for i := range v {
		v[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// z
	for i := range z {
		z[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	for t := range T {
		lo, hi := math.Inf(-1), math.Inf(1)
		if seen[t] {
			lo = max(lo, 0)
		} else {
			hi = min(hi, 0)
		}
		z[t] = s.rng.Start(lo, hi)
	}
	// phi
	s.state.Phi = s.rng.Start(math.Inf(-1), math.Inf(1))
	// f
	s.state.F = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m34: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m34: the state has log density %v", lp)
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
	A := s.data.A
	BAt := s.BAt
	CAt := s.CAt
	m := s.state.M
	x := s.data.X
	w0 := s.hyper.W0
	u := s.data.U
	h_ := s.state.H
	T := s.data.T
	q := s.data.Q
	p := s.data.P
	v := s.state.V
	z := s.state.Z
	phi := s.state.Phi
	k := s.data.K
	f := s.state.F
	seen := s.data.Seen
	lp := 0.0
	// data x[a in A, b in B[a], c in C[a, b]] : real ~ Normal(m[a, b], var = 1)
	for a := range A {
		for b := range BAt[a+1] - BAt[a] {
			for c := range CAt[BAt[a]+b+1] - CAt[BAt[a]+b] {
				lp += runtime.NormalLogPDF(x[CAt[BAt[a]+b]+c], m[BAt[a]+b], 1)
			}
		}
	}
	// local m[a in A, b in B[a]] ~ Normal(w0[a, b] + sum(c in C[a, b], u[a, b, c]), var = 1 + C[a, b])
	for a := range A {
		for b := range BAt[a+1] - BAt[a] {
			total := 0.0
			for c := range CAt[BAt[a]+b+1] - CAt[BAt[a]+b] {
				total += u[CAt[BAt[a]+b]+c]
			}
			lp += runtime.NormalLogPDF(m[BAt[a]+b], w0[BAt[a]+b]+total, 1+float64(CAt[BAt[a]+b+1]-CAt[BAt[a]+b]))
		}
	}
	// local h[a in A, 1] ~ Normal(0, var = 1)
	for a := range A {
		if BAt[a+1]-BAt[a] > 0 {
			lp += runtime.NormalLogPDF(h_[BAt[a]], 0, 1)
		}
	}
	// local h[a in A, b in B[a] if b > 1] ~ Normal(h[a, b-1], var = 1)
	for a := range A {
		for b := 1; b < BAt[a+1]-BAt[a]; b++ {
			lp += runtime.NormalLogPDF(h_[BAt[a]+b], h_[BAt[a]+(b-1)], 1)
		}
	}
	// data p[t in T, a in A, b in B[a]] : real ~ Normal(q[t, a, b] + m[a, b], var = 1)
	for t := range T {
		for a := range A {
			for b := range BAt[a+1] - BAt[a] {
				lp += runtime.NormalLogPDF(p[t*BAt[len(BAt)-1]+(BAt[a]+b)], q[t*BAt[len(BAt)-1]+(BAt[a]+b)]+m[BAt[a]+b], 1)
			}
		}
	}
	// global v[2] ~ Normal(sum(a in A, q[2, a, 1]^2), var = 1)
	if T > 1 {
		total := 0.0
		for a := range A {
			total += math.Pow(q[BAt[len(BAt)-1]+BAt[a]], 2)
		}
		lp += runtime.NormalLogPDF(v[1], total, 1)
	}
	// global v[t in T if t == 1] ~ Normal(0, var = 1)
	lp += runtime.NormalLogPDF(v[0], 0, 1)
	// global v[t in T if t > 2] ~ Normal(v[t-1], var = 1)
	for t := 2; t < T; t++ {
		lp += runtime.NormalLogPDF(v[t], v[t-1], 1)
	}
	// local z[t in T if t == 1] ~ Normal(0, var = 1)
	lp += runtime.NormalLogPDF(z[0], 0, 1)
	// local z[t in T if t > 1] ~ Normal(phi * k[t-1], var = 1)
	for t := 1; t < T; t++ {
		lp += runtime.NormalLogPDF(z[t], phi*k[t-1], 1)
	}
	// data k[t in T if t > 1] ~ Normal(z[t], var = 1)
	for t := 1; t < T; t++ {
		lp += runtime.NormalLogPDF(k[t], z[t], 1)
	}
	// global phi ~ Normal(0, var = 1)
	lp += runtime.NormalLogPDF(phi, 0, 1)
	// global f ~ Normal(0, var = 1)
	lp += runtime.NormalLogPDF(f, 0, 1)
	// observe seen[t in T] = z[t] > 0
	for t := range T {
		if seen[t] != (z[t] > 0) {
			return math.Inf(-1)
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
		return Data{}, State{}, fmt.Errorf("m34: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m34: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m34: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m34: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m34: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m34: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	CAt := s.CAt
	T := s.data.T
	BAt := s.BAt
	s.data.X = make([]float64, CAt[len(CAt)-1])
	if err := runtime.Room("P", runtime.Extent(T, BAt[len(BAt)-1])); err != nil {
		return err
	}
	s.data.P = make([]float64, T*BAt[len(BAt)-1])
	s.data.Seen = make([]bool, T)
	s.data.K = slices.Clone(s.data.K)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	A := s.data.A
	BAt := s.BAt
	w0 := s.hyper.W0
	CAt := s.CAt
	u := s.data.U
	m := s.state.M
	x := s.data.X
	h_ := s.state.H
	T := s.data.T
	q := s.data.Q
	p := s.data.P
	v := s.state.V
	z := s.state.Z
	k := s.data.K
	seen := s.data.Seen
	// local m[a in A, b in B[a]] ~ Normal(w0[a, b] + sum(c in C[a, b], u[a, b, c]), var = 1 + C[a, b])
	for a := range A {
		for b := range BAt[a+1] - BAt[a] {
			total := 0.0
			for c := range CAt[BAt[a]+b+1] - CAt[BAt[a]+b] {
				total += u[CAt[BAt[a]+b]+c]
			}
			m[BAt[a]+b] = s.rng.Normal(w0[BAt[a]+b]+total, 1+float64(CAt[BAt[a]+b+1]-CAt[BAt[a]+b]))
		}
	}
	// data x[a in A, b in B[a], c in C[a, b]] : real ~ Normal(m[a, b], var = 1)
	for a := range A {
		for b := range BAt[a+1] - BAt[a] {
			for c := range CAt[BAt[a]+b+1] - CAt[BAt[a]+b] {
				x[CAt[BAt[a]+b]+c] = s.rng.Normal(m[BAt[a]+b], 1)
			}
		}
	}
	// local h[a in A, 1] ~ Normal(0, var = 1)
	for a := range A {
		if BAt[a+1]-BAt[a] > 0 {
			h_[BAt[a]] = s.rng.Normal(0, 1)
		}
	}
	// local h[a in A, b in B[a] if b > 1] ~ Normal(h[a, b-1], var = 1)
	for a := range A {
		for b := 1; b < BAt[a+1]-BAt[a]; b++ {
			h_[BAt[a]+b] = s.rng.Normal(h_[BAt[a]+(b-1)], 1)
		}
	}
	// data p[t in T, a in A, b in B[a]] : real ~ Normal(q[t, a, b] + m[a, b], var = 1)
	for t := range T {
		for a := range A {
			for b := range BAt[a+1] - BAt[a] {
				p[t*BAt[len(BAt)-1]+(BAt[a]+b)] = s.rng.Normal(q[t*BAt[len(BAt)-1]+(BAt[a]+b)]+m[BAt[a]+b], 1)
			}
		}
	}
	// global v[2] ~ Normal(sum(a in A, q[2, a, 1]^2), var = 1)
	if T > 1 {
		total := 0.0
		for a := range A {
			total += math.Pow(q[BAt[len(BAt)-1]+BAt[a]], 2)
		}
		v[1] = s.rng.Normal(total, 1)
	}
	// global v[t in T if t == 1] ~ Normal(0, var = 1)
	v[0] = s.rng.Normal(0, 1)
	// global v[t in T if t > 2] ~ Normal(v[t-1], var = 1)
	for t := 2; t < T; t++ {
		v[t] = s.rng.Normal(v[t-1], 1)
	}
	// local z[t in T if t == 1] ~ Normal(0, var = 1)
	z[0] = s.rng.Normal(0, 1)
	// global phi ~ Normal(0, var = 1)
	s.state.Phi = s.rng.Normal(0, 1)
	for t := range T {
		// local z[t in T if t > 1] ~ Normal(phi * k[t-1], var = 1)
		if t >= 1 {
			z[t] = s.rng.Normal(s.state.Phi*k[t-1], 1)
		}
		// data k[t in T if t > 1] ~ Normal(z[t], var = 1)
		if t >= 1 {
			k[t] = s.rng.Normal(z[t], 1)
		}
	}
	// global f ~ Normal(0, var = 1)
	s.state.F = s.rng.Normal(0, 1)
	// observe seen[t in T] = z[t] > 0
	for t := range T {
		seen[t] = z[t] > 0
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: v, phi, f.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	T := s.data.T
	if T <= 1000 {
		for t := range T {
			names = append(names, runtime.ElementLabel("v", t))
		}
	}
	names = append(names, runtime.ElementLabel("phi"))
	names = append(names, runtime.ElementLabel("f"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	T := s.data.T
	v := s.state.V
	phi := s.state.Phi
	f := s.state.F
	if T <= 1000 {
		for t := range T {
			dst = append(dst, v[t])
		}
	}
	dst = append(dst, phi)
	dst = append(dst, f)
	return dst
}
