package m29

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	Docs   int // plate docs
	Topics int // plate topics = 20
	Vocab  int // plate vocab
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("Docs", n.Docs, 1),
		runtime.Size("Topics", n.Topics, 1),
		runtime.Size("Vocab", n.Vocab, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// plate words[docs]: ragged: the tokens of each document: how many for each element of docs,
	// 0 or more.
	WordsLen []int

	// data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])
	// row-major over docs, words; categories of vocab, from 0
	X []int32
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const alpha : real > 0 = 0.1
	Alpha float64
	// const eta : real > 0 = 0.01
	Eta float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	h.Alpha = 0.1
	h.Eta = 0.01
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// global beta[k in topics] ~ Dirichlet(eta) over vocab
	// row-major over topics, vocab; each row sums to 1
	Beta []float64

	// local z[d in docs, i in words[d]] ~ Categorical(theta[d])
	// row-major over docs, words; categories of topics, from 0
	Z []int32
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Beta = slices.Clone(st.Beta)
	st.Z = slices.Clone(st.Z)
	return st
}

type Sampler struct {
	data    Data
	hyper   Hyper
	state   State
	rng     *runtime.Rand
	wordsAt []int     // where the words of each element of docs begin
	joint1  []float64 // scratch of the log joint
	joint2  []float64
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m29: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m29: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m29: %w", err)
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
	s.joint1 = make([]float64, data.Vocab)
	s.joint2 = make([]float64, data.Topics)
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
	if err := runtime.Lengths("WordsLen", s.data.WordsLen, s.data.Docs, 0); err != nil {
		return err
	}
	s.wordsAt = runtime.Offsets(s.data.WordsLen)
	return nil
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	wordsAt := s.wordsAt
	if observed {
		if err := runtime.Length("X", len(s.data.X), wordsAt[len(wordsAt)-1]); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	alpha := s.hyper.Alpha
	eta := s.hyper.Eta
	x := s.data.X
	vocab := s.data.Vocab
	if err := errors.Join(
		runtime.Positive("Alpha", alpha),
		runtime.Positive("Eta", eta),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Categories("X", x, vocab); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	beta := s.state.Beta
	topics := s.data.Topics
	vocab := s.data.Vocab
	z := s.state.Z
	wordsAt := s.wordsAt
	if err := errors.Join(
		runtime.Length("Beta", len(beta), runtime.Extent(topics, vocab)),
		runtime.Length("Z", len(z), wordsAt[len(wordsAt)-1]),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Categories("Z", z, topics),
		runtime.Simplex("Beta", beta, vocab),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	topics := s.data.Topics
	vocab := s.data.Vocab
	wordsAt := s.wordsAt
	if err := runtime.Room("Beta", runtime.Extent(topics, vocab)); err != nil {
		return err
	}
	s.state.Beta = make([]float64, topics*vocab)
	s.state.Z = make([]int32, wordsAt[len(wordsAt)-1])
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
	beta := s.state.Beta
	vocab := s.data.Vocab
	topics := s.data.Topics
	z := s.state.Z
	// beta
	s.rng.StartSimplex(beta, vocab)
	// z
	for i := range z {
		z[i] = int32(s.rng.IntN(topics))
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
		return fmt.Errorf("m29: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m29: the state has log density %v", lp)
	}
	return nil
}

// Data returns the data that the chain was made with.
func (s *Sampler) Data() Data {
	return s.data
}

// logJointWith returns the log density of the data, the unknowns and the values given for what is integrated out.
// theta is flat, row-major, over docs, topics.
func (s *Sampler) logJointWith(theta []float64) float64 {
	eta := s.hyper.Eta
	vocab := s.data.Vocab
	alphaVec := s.joint1
	topics := s.data.Topics
	beta := s.state.Beta
	alpha := s.hyper.Alpha
	alphaVec2 := s.joint2
	docs := s.data.Docs
	wordsAt := s.wordsAt
	z := s.state.Z
	x := s.data.X
	lp := 0.0
	// global beta[k in topics] ~ Dirichlet(eta) over vocab
	for v := range vocab {
		alphaVec[v] = eta
	}
	for k := range topics {
		lp += runtime.DirichletLogPDF(beta[k*vocab:k*vocab+vocab], alphaVec)
	}
	// local theta[d in docs] ~ Dirichlet(alpha) over topics
	for t := range topics {
		alphaVec2[t] = alpha
	}
	for d := range docs {
		lp += runtime.DirichletLogPDF(theta[d*topics:d*topics+topics], alphaVec2)
	}
	// local z[d in docs, i in words[d]] ~ Categorical(theta[d])
	for d := range docs {
		for i := range wordsAt[d+1] - wordsAt[d] {
			lp += runtime.CategoricalLogPMF(z[wordsAt[d]+i], theta[d*topics:d*topics+topics])
		}
	}
	// data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])
	for d := range docs {
		for i := range wordsAt[d+1] - wordsAt[d] {
			lp += runtime.CategoricalLogPMF(x[wordsAt[d]+i], beta[int(z[wordsAt[d]+i])*vocab:int(z[wordsAt[d]+i])*vocab+vocab])
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
		return Data{}, State{}, fmt.Errorf("m29: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m29: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m29: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m29: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m29: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m29: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	wordsAt := s.wordsAt
	s.data.X = make([]int32, wordsAt[len(wordsAt)-1])
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	docs := s.data.Docs
	topics := s.data.Topics
	eta := s.hyper.Eta
	vocab := s.data.Vocab
	alphaVec := make([]float64, vocab)
	beta := s.state.Beta
	alpha := s.hyper.Alpha
	alphaVec2 := make([]float64, topics)
	wordsAt := s.wordsAt
	z := s.state.Z
	x := s.data.X
	// theta is no part of the state.
	theta := make([]float64, docs*topics)
	// global beta[k in topics] ~ Dirichlet(eta) over vocab
	for v := range vocab {
		alphaVec[v] = eta
	}
	for k := range topics {
		s.rng.Dirichlet(beta[k*vocab:k*vocab+vocab], alphaVec)
	}
	// local theta[d in docs] ~ Dirichlet(alpha) over topics
	for t := range topics {
		alphaVec2[t] = alpha
	}
	for d := range docs {
		s.rng.Dirichlet(theta[d*topics:d*topics+topics], alphaVec2)
	}
	// local z[d in docs, i in words[d]] ~ Categorical(theta[d])
	for d := range docs {
		for i := range wordsAt[d+1] - wordsAt[d] {
			k := s.rng.Categorical(theta[d*topics : d*topics+topics])
			if k < 0 {
				return runtime.DrawError(runtime.ErrParameter, "z", d, i)
			}
			z[wordsAt[d]+i] = int32(k)
		}
	}
	// data x[d in docs, i in words[d]] : vocab ~ Categorical(beta[z[d, i]])
	for d := range docs {
		for i := range wordsAt[d+1] - wordsAt[d] {
			k := s.rng.Categorical(beta[int(z[wordsAt[d]+i])*vocab : int(z[wordsAt[d]+i])*vocab+vocab])
			if k < 0 {
				return runtime.DrawError(runtime.ErrParameter, "x", d, i)
			}
			x[wordsAt[d]+i] = int32(k)
		}
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: beta.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	vocab := s.data.Vocab
	topics := s.data.Topics
	if runtime.Extent(topics, vocab) <= 1000 {
		for v := range vocab {
			for k := range topics {
				names = append(names, runtime.ElementLabel("beta", k, v))
			}
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	vocab := s.data.Vocab
	topics := s.data.Topics
	beta := s.state.Beta
	if runtime.Extent(topics, vocab) <= 1000 {
		for v := range vocab {
			for k := range topics {
				dst = append(dst, beta[k*vocab+v])
			}
		}
	}
	return dst
}
