package m18

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	Docs  int // plate docs
	K     int // plate K = 3
	Vocab int // plate vocab
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("Docs", n.Docs, 1),
		runtime.Size("K", n.K, 1),
		runtime.Size("Vocab", n.Vocab, 1),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data n[docs] : int
	// over docs; whole numbers
	N []int

	// data w[d in docs, vocab] : int ~ Multinomial(n[d], phi[z[d]])
	// row-major over docs, vocab; whole numbers >= 0 and <= n[d]
	W []int
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
	// global alpha[k in K] ~ Gamma(1, rate = 1)
	// over K; alpha > 0
	Alpha []float64

	// global phi[k in K] ~ Dirichlet(0.1) over vocab
	// row-major over K, vocab; each row sums to 1
	Phi []float64

	// local theta[d in docs] ~ Dirichlet(alpha)
	// row-major over docs, K; each row sums to 1
	Theta []float64

	// local z[d in docs] ~ Categorical(theta[d])
	// over docs; categories of K, from 0
	Z []int32
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Alpha = slices.Clone(st.Alpha)
	st.Phi = slices.Clone(st.Phi)
	st.Theta = slices.Clone(st.Theta)
	st.Z = slices.Clone(st.Z)
	return st
}

type Sampler struct {
	data   Data
	hyper  Hyper
	state  State
	rng    *runtime.Rand
	joint1 []float64 // scratch of the log joint
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m18: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m18: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m18: %w", err)
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
	docs := s.data.Docs
	vocab := s.data.Vocab
	if err := runtime.Length("N", len(s.data.N), docs); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("W", len(s.data.W), runtime.Extent(docs, vocab)); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	n := s.data.N
	docs := s.data.Docs
	vocab := s.data.Vocab
	w := s.data.W
	if err := runtime.Counts("N", n...); err != nil {
		return err
	}
	if observed {
		for d := range docs {
			for v := range vocab {
				if err := runtime.CountWithin("W", w[d*vocab+v], 0, n[d], d, v); err != nil {
					return err
				}
			}
		}
	}
	if observed {
		for d := range docs {
			if err := runtime.SumsTo("W", w[d*vocab:d*vocab+vocab], n[d], d); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	alpha := s.state.Alpha
	K := s.data.K
	phi := s.state.Phi
	vocab := s.data.Vocab
	theta := s.state.Theta
	docs := s.data.Docs
	z := s.state.Z
	if err := errors.Join(
		runtime.Length("Alpha", len(alpha), K),
		runtime.Length("Phi", len(phi), runtime.Extent(K, vocab)),
		runtime.Length("Theta", len(theta), runtime.Extent(docs, K)),
		runtime.Length("Z", len(z), docs),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Categories("Z", z, K),
		runtime.Positive("Alpha", alpha...),
		runtime.Simplex("Phi", phi, vocab),
		runtime.Simplex("Theta", theta, K),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	K := s.data.K
	vocab := s.data.Vocab
	docs := s.data.Docs
	if err := errors.Join(
		runtime.Room("Phi", runtime.Extent(K, vocab)),
		runtime.Room("Theta", runtime.Extent(docs, K)),
	); err != nil {
		return err
	}
	s.state.Alpha = make([]float64, K)
	s.state.Phi = make([]float64, K*vocab)
	s.state.Theta = make([]float64, docs*K)
	s.state.Z = make([]int32, docs)
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
	alpha := s.state.Alpha
	phi := s.state.Phi
	vocab := s.data.Vocab
	theta := s.state.Theta
	K := s.data.K
	z := s.state.Z
	// alpha
	for i := range alpha {
		alpha[i] = s.rng.Start(0, math.Inf(1))
	}
	// phi
	s.rng.StartSimplex(phi, vocab)
	// theta
	s.rng.StartSimplex(theta, K)
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
		return fmt.Errorf("m18: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m18: the state has log density %v", lp)
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
	alpha := s.state.Alpha
	vocab := s.data.Vocab
	alphaVec := s.joint1
	phi := s.state.Phi
	docs := s.data.Docs
	theta := s.state.Theta
	z := s.state.Z
	n := s.data.N
	w := s.data.W
	lp := 0.0
	// global alpha[k in K] ~ Gamma(1, rate = 1)
	for k := range K {
		lp += runtime.GammaLogPDF(alpha[k], 1, 1)
	}
	// global phi[k in K] ~ Dirichlet(0.1) over vocab
	for v := range vocab {
		alphaVec[v] = 0.1
	}
	for k := range K {
		lp += runtime.DirichletLogPDF(phi[k*vocab:k*vocab+vocab], alphaVec)
	}
	// local theta[d in docs] ~ Dirichlet(alpha)
	for d := range docs {
		lp += runtime.DirichletLogPDF(theta[d*K:d*K+K], alpha)
	}
	// local z[d in docs] ~ Categorical(theta[d])
	for d := range docs {
		lp += runtime.CategoricalLogPMF(z[d], theta[d*K:d*K+K])
	}
	// data w[d in docs, vocab] : int ~ Multinomial(n[d], phi[z[d]])
	for d := range docs {
		lp += runtime.MultinomialLogPMF(w[d*vocab:d*vocab+vocab], n[d], phi[int(z[d])*vocab:int(z[d])*vocab+vocab])
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
		return Data{}, State{}, fmt.Errorf("m18: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m18: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m18: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m18: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m18: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m18: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	docs := s.data.Docs
	vocab := s.data.Vocab
	if err := runtime.Room("W", runtime.Extent(docs, vocab)); err != nil {
		return err
	}
	s.data.W = make([]int, docs*vocab)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	K := s.data.K
	alpha := s.state.Alpha
	vocab := s.data.Vocab
	alphaVec := make([]float64, vocab)
	phi := s.state.Phi
	docs := s.data.Docs
	theta := s.state.Theta
	z := s.state.Z
	n := s.data.N
	w := s.data.W
	// global alpha[k in K] ~ Gamma(1, rate = 1)
	for k := range K {
		alpha[k] = s.rng.Gamma(1, 1)
	}
	// global phi[k in K] ~ Dirichlet(0.1) over vocab
	for v := range vocab {
		alphaVec[v] = 0.1
	}
	for k := range K {
		s.rng.Dirichlet(phi[k*vocab:k*vocab+vocab], alphaVec)
	}
	// local theta[d in docs] ~ Dirichlet(alpha)
	for d := range docs {
		s.rng.Dirichlet(theta[d*K:d*K+K], alpha)
	}
	// local z[d in docs] ~ Categorical(theta[d])
	for d := range docs {
		k := s.rng.Categorical(theta[d*K : d*K+K])
		if k < 0 {
			return runtime.DrawError(runtime.ErrParameter, "z", d)
		}
		z[d] = int32(k)
	}
	// data w[d in docs, vocab] : int ~ Multinomial(n[d], phi[z[d]])
	for d := range docs {
		s.rng.Multinomial(w[d*vocab:d*vocab+vocab], n[d], phi[int(z[d])*vocab:int(z[d])*vocab+vocab])
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: alpha, phi.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	K := s.data.K
	vocab := s.data.Vocab
	if K <= 1000 {
		for k := range K {
			names = append(names, runtime.ElementLabel("alpha", k))
		}
	}
	if runtime.Extent(K, vocab) <= 1000 {
		for v := range vocab {
			for k := range K {
				names = append(names, runtime.ElementLabel("phi", k, v))
			}
		}
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	K := s.data.K
	alpha := s.state.Alpha
	vocab := s.data.Vocab
	phi := s.state.Phi
	if K <= 1000 {
		for k := range K {
			dst = append(dst, alpha[k])
		}
	}
	if runtime.Extent(K, vocab) <= 1000 {
		for v := range vocab {
			for k := range K {
				dst = append(dst, phi[k*vocab+v])
			}
		}
	}
	return dst
}
