package m25

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	Docs int // plate docs
	V    int // plate V
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("Docs", n.Docs, 1),
		runtime.Size("V", n.V, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// plate pars[docs]: how many for each element of docs,
	// 0 or more.
	ParsLen []int

	// plate words[pars]: how many for each element of pars,
	// 0 or more.
	WordsLen []int

	// data at[d in docs, i in pars[d], j in words[d, i]] : V
	// row-major over docs, pars, words; categories of V, from 0
	At []int32

	// data x[d in docs, i in pars[d], j in words[d, i]] : real ~ Normal(u[d, i, j] + b[at[d, i, j]] + words[d, i], var = 1)
	// row-major over docs, pars, words
	X []float64

	// data t[d in docs, i in pars[d]] : real ~ Normal(dot(u[d, i], u[d, i]) + sum(2 * u[d, i]) + sum(exp(u[d, i])), var = 1)
	// row-major over docs, pars
	T []float64

	// data q[d in docs] : real ~ Normal(sum(p[d]), var = 1)
	// over docs
	Q []float64
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
	// global b[v in V] ~ Normal(0, var = 1)
	// over V
	B []float64

	// local m[d in docs] ~ Normal(0, var = 1)
	// over docs
	M []float64

	// local p[d in docs, i in pars[d]] ~ Normal(m[d], var = 1)
	// row-major over docs, pars
	P []float64

	// local u[d in docs, i in pars[d], j in words[d, i]] ~ Normal(p[d, i], var = 1)
	// row-major over docs, pars, words
	U []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.B = slices.Clone(st.B)
	st.M = slices.Clone(st.M)
	st.P = slices.Clone(st.P)
	st.U = slices.Clone(st.U)
	return st
}

type Sampler struct {
	data    Data
	hyper   Hyper
	state   State
	rng     *runtime.Rand
	parsAt  []int // where the pars of each element of docs begin
	wordsAt []int // where the words of each element of pars begin
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m25: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m25: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m25: %w", err)
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
	if err := runtime.Lengths("ParsLen", s.data.ParsLen, s.data.Docs, 0); err != nil {
		return err
	}
	s.parsAt = runtime.Offsets(s.data.ParsLen)
	if err := runtime.Lengths("WordsLen", s.data.WordsLen, s.parsAt[len(s.parsAt)-1], 0); err != nil {
		return err
	}
	s.wordsAt = runtime.Offsets(s.data.WordsLen)
	return nil
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	wordsAt := s.wordsAt
	parsAt := s.parsAt
	docs := s.data.Docs
	if err := runtime.Length("At", len(s.data.At), wordsAt[len(wordsAt)-1]); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Length("X", len(s.data.X), wordsAt[len(wordsAt)-1]),
			runtime.Length("T", len(s.data.T), parsAt[len(parsAt)-1]),
			runtime.Length("Q", len(s.data.Q), docs),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	at := s.data.At
	V := s.data.V
	x := s.data.X
	t := s.data.T
	q := s.data.Q
	if err := runtime.Categories("At", at, V); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Finite("X", x...),
			runtime.Finite("T", t...),
			runtime.Finite("Q", q...),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	b := s.state.B
	V := s.data.V
	m := s.state.M
	docs := s.data.Docs
	p := s.state.P
	parsAt := s.parsAt
	u := s.state.U
	wordsAt := s.wordsAt
	if err := errors.Join(
		runtime.Length("B", len(b), V),
		runtime.Length("M", len(m), docs),
		runtime.Length("P", len(p), parsAt[len(parsAt)-1]),
		runtime.Length("U", len(u), wordsAt[len(wordsAt)-1]),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("B", b...),
		runtime.Finite("M", m...),
		runtime.Finite("P", p...),
		runtime.Finite("U", u...),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	V := s.data.V
	docs := s.data.Docs
	parsAt := s.parsAt
	wordsAt := s.wordsAt
	s.state.B = make([]float64, V)
	s.state.M = make([]float64, docs)
	s.state.P = make([]float64, parsAt[len(parsAt)-1])
	s.state.U = make([]float64, wordsAt[len(wordsAt)-1])
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
	b := s.state.B
	m := s.state.M
	p := s.state.P
	u := s.state.U
	// b
	for i := range b {
		b[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// m
	for i := range m {
		m[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// p
	for i := range p {
		p[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// u
	for i := range u {
		u[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m25: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m25: the state has log density %v", lp)
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
	V := s.data.V
	b := s.state.B
	docs := s.data.Docs
	m := s.state.M
	parsAt := s.parsAt
	p := s.state.P
	wordsAt := s.wordsAt
	u := s.state.U
	at := s.data.At
	x := s.data.X
	t := s.data.T
	q := s.data.Q
	lp := 0.0
	// global b[v in V] ~ Normal(0, var = 1)
	for v := range V {
		lp += runtime.NormalLogPDF(b[v], 0, 1)
	}
	// local m[d in docs] ~ Normal(0, var = 1)
	for d := range docs {
		lp += runtime.NormalLogPDF(m[d], 0, 1)
	}
	// local p[d in docs, i in pars[d]] ~ Normal(m[d], var = 1)
	for d := range docs {
		for i := range parsAt[d+1] - parsAt[d] {
			lp += runtime.NormalLogPDF(p[parsAt[d]+i], m[d], 1)
		}
	}
	// local u[d in docs, i in pars[d], j in words[d, i]] ~ Normal(p[d, i], var = 1)
	for d := range docs {
		for i := range parsAt[d+1] - parsAt[d] {
			for j := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				lp += runtime.NormalLogPDF(u[wordsAt[parsAt[d]+i]+j], p[parsAt[d]+i], 1)
			}
		}
	}
	// data x[d in docs, i in pars[d], j in words[d, i]] : real ~ Normal(u[d, i, j] + b[at[d, i, j]] + words[d, i], var = 1)
	for d := range docs {
		for i := range parsAt[d+1] - parsAt[d] {
			for j := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				lp += runtime.NormalLogPDF(x[wordsAt[parsAt[d]+i]+j], u[wordsAt[parsAt[d]+i]+j]+b[int(at[wordsAt[parsAt[d]+i]+j])]+float64(wordsAt[parsAt[d]+i+1]-wordsAt[parsAt[d]+i]), 1)
			}
		}
	}
	// data t[d in docs, i in pars[d]] : real ~ Normal(dot(u[d, i], u[d, i]) + sum(2 * u[d, i]) + sum(exp(u[d, i])), var = 1)
	for d := range docs {
		for i := range parsAt[d+1] - parsAt[d] {
			dot := 0.0
			for w := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				dot += u[wordsAt[parsAt[d]+i]+w] * u[wordsAt[parsAt[d]+i]+w]
			}
			total := 0.0
			for w := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				total += 2 * u[wordsAt[parsAt[d]+i]+w]
			}
			total2 := 0.0
			for w := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				total2 += math.Exp(u[wordsAt[parsAt[d]+i]+w])
			}
			lp += runtime.NormalLogPDF(t[parsAt[d]+i], dot+total+total2, 1)
		}
	}
	// data q[d in docs] : real ~ Normal(sum(p[d]), var = 1)
	for d := range docs {
		total := 0.0
		for p2 := range parsAt[d+1] - parsAt[d] {
			total += p[parsAt[d]+p2]
		}
		lp += runtime.NormalLogPDF(q[d], total, 1)
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
		return Data{}, State{}, fmt.Errorf("m25: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m25: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m25: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m25: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m25: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m25: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	wordsAt := s.wordsAt
	parsAt := s.parsAt
	docs := s.data.Docs
	s.data.X = make([]float64, wordsAt[len(wordsAt)-1])
	s.data.T = make([]float64, parsAt[len(parsAt)-1])
	s.data.Q = make([]float64, docs)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	V := s.data.V
	b := s.state.B
	docs := s.data.Docs
	m := s.state.M
	parsAt := s.parsAt
	p := s.state.P
	wordsAt := s.wordsAt
	u := s.state.U
	at := s.data.At
	x := s.data.X
	t := s.data.T
	q := s.data.Q
	// global b[v in V] ~ Normal(0, var = 1)
	for v := range V {
		b[v] = s.rng.Normal(0, 1)
	}
	// local m[d in docs] ~ Normal(0, var = 1)
	for d := range docs {
		m[d] = s.rng.Normal(0, 1)
	}
	// local p[d in docs, i in pars[d]] ~ Normal(m[d], var = 1)
	for d := range docs {
		for i := range parsAt[d+1] - parsAt[d] {
			p[parsAt[d]+i] = s.rng.Normal(m[d], 1)
		}
	}
	// local u[d in docs, i in pars[d], j in words[d, i]] ~ Normal(p[d, i], var = 1)
	for d := range docs {
		for i := range parsAt[d+1] - parsAt[d] {
			for j := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				u[wordsAt[parsAt[d]+i]+j] = s.rng.Normal(p[parsAt[d]+i], 1)
			}
		}
	}
	// data x[d in docs, i in pars[d], j in words[d, i]] : real ~ Normal(u[d, i, j] + b[at[d, i, j]] + words[d, i], var = 1)
	for d := range docs {
		for i := range parsAt[d+1] - parsAt[d] {
			for j := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				x[wordsAt[parsAt[d]+i]+j] = s.rng.Normal(u[wordsAt[parsAt[d]+i]+j]+b[int(at[wordsAt[parsAt[d]+i]+j])]+float64(wordsAt[parsAt[d]+i+1]-wordsAt[parsAt[d]+i]), 1)
			}
		}
	}
	// data t[d in docs, i in pars[d]] : real ~ Normal(dot(u[d, i], u[d, i]) + sum(2 * u[d, i]) + sum(exp(u[d, i])), var = 1)
	for d := range docs {
		for i := range parsAt[d+1] - parsAt[d] {
			dot := 0.0
			for w := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				dot += u[wordsAt[parsAt[d]+i]+w] * u[wordsAt[parsAt[d]+i]+w]
			}
			total := 0.0
			for w := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				total += 2 * u[wordsAt[parsAt[d]+i]+w]
			}
			total2 := 0.0
			for w := range wordsAt[parsAt[d]+i+1] - wordsAt[parsAt[d]+i] {
				total2 += math.Exp(u[wordsAt[parsAt[d]+i]+w])
			}
			t[parsAt[d]+i] = s.rng.Normal(dot+total+total2, 1)
		}
	}
	// data q[d in docs] : real ~ Normal(sum(p[d]), var = 1)
	for d := range docs {
		total := 0.0
		for p2 := range parsAt[d+1] - parsAt[d] {
			total += p[parsAt[d]+p2]
		}
		q[d] = s.rng.Normal(total, 1)
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: b.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	V := s.data.V
	if V <= 1000 {
		for v := range V {
			names = append(names, runtime.ElementLabel("b", v))
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	V := s.data.V
	b := s.state.B
	if V <= 1000 {
		for v := range V {
			dst = append(dst, b[v])
		}
	}
	return dst
}
