package m27

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
	K int // plate K
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("K", n.K, 1),
		runtime.Room("S", runtime.Extent(n.K, n.K)),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data floor[N] : real > 0
	// over N
	Floor []float64

	// data m[N] : int
	// over N; whole numbers
	M []int

	// data y[i in N] : real ~ Normal(u + c[g] + on, var = t[i] * (r - 1) + r)
	// over N
	Y []float64

	// data x[i in N] : int ~ Binomial(n, p[1])
	// over N; whole numbers >= 0 and <= n
	X []int

	// data k[i in N] : int ~ Binomial(m[i], 0.5)
	// over N; whole numbers >= 0 and <= m[i]
	K2 []int

	// data v[i in N, K] : real ~ Normal(mu[z[i, 1]], cov = S + identity(K))
	// row-major over N, K
	V []float64
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const p[K] : simplex = 1 / K
	// over K; each row sums to 1
	P []float64

	// const S[K, K] : cov = 2 * identity(K)
	// row-major over K, K; symmetric positive definite matrices
	S []float64

	// const c[K] : ordered
	// over K; each row increases
	C []float64

	// const g : K = 1
	// categories of K, from 0
	G int32
	// const on : bool = 1
	On bool
	// const n : int > 0 = 3
	N int
	// const lo : real = 0
	Lo float64
	// const hi : real > lo = 1
	Hi float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
// The others, c, are NaN, zero or nil and must be set.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	if sizes.check() != nil {
		return h
	}
	h.P = make([]float64, sizes.K)
	h.S = make([]float64, sizes.K*sizes.K)
	K := sizes.K
	p := h.P
	S := h.S
	for i := range p {
		p[i] = 1 / float64(K)
	}
	for k := range K {
		for k2 := range K {
			S[k*K+k2] = 2 * runtime.Indicator(k == k2)
		}
	}
	h.G = 0
	h.On = 1 != 0
	h.N = 3
	h.Lo = 0
	h.Hi = 1
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	C int // number in use of plate C : unbounded

	// global u ~ Uniform(lo, hi)
	// u > lo and < hi
	U float64
	// global r : real > 1 ~ Exponential(rate = 1)
	R float64

	// local t[i in N] : real > floor[i] ~ Gamma(2, rate = 1)
	// over N
	T []float64

	// local z[i in N, j in K] ~ Categorical(q[j])
	// row-major over N, K; categories of C, from 0
	Z []int32

	// global mu[l in C] ~ Normal(0, cov = S)
	// row-major over C, K
	Mu []float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.T = slices.Clone(st.T)
	st.Z = slices.Clone(st.Z)
	st.Mu = slices.Clone(st.Mu)
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
		return nil, fmt.Errorf("m27: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m27: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m27: %w", err)
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
	s.joint1 = make([]float64, data.K)
	s.joint2 = make([]float64, data.K*data.K)
	s.state.C = 1
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
	K := s.data.K
	N := s.data.N
	if err := errors.Join(
		runtime.Length("P", len(s.hyper.P), K),
		runtime.Length("S", len(s.hyper.S), runtime.Extent(K, K)),
		runtime.Length("C", len(s.hyper.C), K),
		runtime.Length("Floor", len(s.data.Floor), N),
		runtime.Length("M", len(s.data.M), N),
	); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Length("Y", len(s.data.Y), N),
			runtime.Length("X", len(s.data.X), N),
			runtime.Length("K2", len(s.data.K2), N),
			runtime.Length("V", len(s.data.V), runtime.Extent(N, K)),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	p := s.hyper.P
	K := s.data.K
	S := s.hyper.S
	c := s.hyper.C
	g := s.hyper.G
	n := s.hyper.N
	lo_ := s.hyper.Lo
	hi_ := s.hyper.Hi
	floor := s.data.Floor
	m := s.data.M
	y := s.data.Y
	N := s.data.N
	x := s.data.X
	k := s.data.K2
	v := s.data.V
	if err := errors.Join(
		runtime.Simplex("P", p, K),
		runtime.PosDef("S", S, K),
		runtime.Finite("C", c...),
		runtime.Increasing("C", c, K),
		runtime.Categories("G", []int32{g}, K),
		runtime.CountWithin("N", n, 1, math.MaxInt),
		runtime.Finite("Lo", lo_),
		runtime.Within("Hi", hi_, lo_, math.Inf(1), false, false),
		runtime.Positive("Floor", floor...),
		runtime.Counts("M", m...),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Finite("Y", y...); err != nil {
			return err
		}
		for i := range N {
			if err := runtime.CountWithin("X", x[i], 0, n, i); err != nil {
				return err
			}
		}
		for i := range N {
			if err := runtime.CountWithin("K2", k[i], 0, m[i], i); err != nil {
				return err
			}
		}
		if err := runtime.Finite("V", v...); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	C := s.state.C
	t := s.state.T
	N := s.data.N
	z := s.state.Z
	K := s.data.K
	mu := s.state.Mu
	u := s.state.U
	lo_ := s.hyper.Lo
	hi_ := s.hyper.Hi
	r := s.state.R
	floor := s.data.Floor
	if err := errors.Join(
		runtime.Counts("C", C),
		runtime.Length("T", len(t), N),
		runtime.Length("Z", len(z), runtime.Extent(N, K)),
		runtime.Length("Mu", len(mu), runtime.Extent(C, K)),
	); err != nil {
		return err
	}
	if err := errors.Join(
		runtime.Categories("Z", z, C),
		runtime.Within("U", u, lo_, hi_, false, false),
		runtime.Within("R", r, 1, math.Inf(1), false, false),
	); err != nil {
		return err
	}
	for i := range N {
		if err := runtime.Within("T", t[i], floor[i], math.Inf(1), false, false, i); err != nil {
			return err
		}
	}
	return errors.Join(
		runtime.Finite("Mu", mu...),
		runtime.InUse("C", C, z),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	N := s.data.N
	K := s.data.K
	if err := errors.Join(
		runtime.Room("Z", runtime.Extent(N, K)),
		runtime.Room("Mu", runtime.Extent(s.state.C, K)),
	); err != nil {
		return err
	}
	s.state.T = make([]float64, N)
	s.state.Z = make([]int32, N*K)
	s.state.Mu = make([]float64, s.state.C*K)
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
	N := s.data.N
	K := s.data.K
	lo_ := s.hyper.Lo
	hi_ := s.hyper.Hi
	floor := s.data.Floor
	t := s.state.T
	z := s.state.Z
	// A few C.
	s.state.C = 1 + s.rng.IntN(min(10, N*K))
	s.state.Mu = make([]float64, s.state.C*K)
	seated := 0 // the first units take one each, so that none is empty
	// u
	s.state.U = s.rng.Start(lo_, hi_)
	// r
	s.state.R = s.rng.Start(1, math.Inf(1))
	// t
	for i := range N {
		t[i] = s.rng.Start(floor[i], math.Inf(1))
	}
	// z
	for i := range N {
		for j := range K {
			z[i*K+j] = int32(s.rng.IntN(s.state.C))
			if seated < s.state.C {
				z[i*K+j] = int32(seated)
			}
			seated++
		}
	}
	// mu
	for i := range s.state.Mu {
		s.state.Mu[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m27: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m27: the state has log density %v", lp)
	}
	return nil
}

// Data returns the data that the chain was made with.
func (s *Sampler) Data() Data {
	return s.data
}

// logJointWith returns the log density of the data, the unknowns and the values given for what is integrated out.
func (s *Sampler) logJointWith() float64 {
	lo_ := s.hyper.Lo
	hi_ := s.hyper.Hi
	u := s.state.U
	r := s.state.R
	N := s.data.N
	t := s.state.T
	floor := s.data.Floor
	g := s.hyper.G
	c := s.hyper.C
	on := s.hyper.On
	y := s.data.Y
	n := s.hyper.N
	p := s.hyper.P
	x := s.data.X
	m := s.data.M
	k := s.data.K2
	K := s.data.K
	C := s.state.C
	z := s.state.Z
	meanVec := s.joint1
	S := s.hyper.S
	mu := s.state.Mu
	mat := s.mat
	covMat := s.joint2
	v := s.data.V
	lp := 0.0
	// global u ~ Uniform(lo, hi)
	lp += runtime.UniformLogPDF(u, lo_, hi_)
	// global r : real > 1 ~ Exponential(rate = 1)
	if r <= 1 {
		return math.Inf(-1)
	}
	lp -= runtime.ExponentialLogMass(1, math.Inf(1), 1)
	lp += runtime.ExponentialLogPDF(r, 1)
	// local t[i in N] : real > floor[i] ~ Gamma(2, rate = 1)
	for i := range N {
		if t[i] <= floor[i] {
			return math.Inf(-1)
		}
		lp -= runtime.GammaLogMass(floor[i], math.Inf(1), 2, 1)
		lp += runtime.GammaLogPDF(t[i], 2, 1)
	}
	// data y[i in N] : real ~ Normal(u + c[g] + on, var = t[i] * (r - 1) + r)
	for i := range N {
		lp += runtime.NormalLogPDF(y[i], u+c[int(g)]+runtime.Indicator(on), t[i]*(r-1)+r)
	}
	// data x[i in N] : int ~ Binomial(n, p[1])
	for i := range N {
		lp += runtime.BinomialLogPMF(x[i], n, p[0])
	}
	// data k[i in N] : int ~ Binomial(m[i], 0.5)
	for i := range N {
		lp += runtime.BinomialLogPMF(k[i], m[i], 0.5)
	}
	// global q[j in K] ~ GEM(1) over C: the probability of the partition, by the Chinese restaurant process
	counts := make([]int, K*C)
	// local z[i in N, j in K] ~ Categorical(q[j])
	for i := range N {
		for j := range K {
			counts[j*C+int(z[i*K+j])]++
		}
	}
	for j := range K {
		lp += runtime.CRPLogPMF(counts[j*C:j*C+C], 1)
	}
	// global mu[l in C] ~ Normal(0, cov = S)
	for k2 := range K {
		meanVec[k2] = 0
	}
	for l := range C {
		lp += runtime.MVNormalLogPDF(mu[l*K:l*K+K], meanVec, S, mat)
	}
	// data v[i in N, K] : real ~ Normal(mu[z[i, 1]], cov = S + identity(K))
	for k2 := range K {
		for k3 := range K {
			covMat[k2*K+k3] = S[k2*K+k3] + runtime.Indicator(k2 == k3)
		}
	}
	for i := range N {
		lp += runtime.MVNormalLogPDF(v[i*K:i*K+K], mu[int(z[i*K])*K:int(z[i*K])*K+K], covMat, mat)
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
		return Data{}, State{}, fmt.Errorf("m27: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m27: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m27: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m27: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m27: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m27: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	K := s.data.K
	s.data.Y = make([]float64, N)
	s.data.X = make([]int, N)
	s.data.K2 = make([]int, N)
	if err := runtime.Room("V", runtime.Extent(N, K)); err != nil {
		return err
	}
	s.data.V = make([]float64, N*K)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	K := s.data.K
	lo_ := s.hyper.Lo
	hi_ := s.hyper.Hi
	N := s.data.N
	t := s.state.T
	floor := s.data.Floor
	g := s.hyper.G
	c := s.hyper.C
	on := s.hyper.On
	y := s.data.Y
	n := s.hyper.N
	p := s.hyper.P
	x := s.data.X
	m := s.data.M
	k := s.data.K2
	z := s.state.Z
	meanVec := make([]float64, K)
	S := s.hyper.S
	mat := s.mat
	covMat := make([]float64, K*K)
	v := s.data.V
	// how often each of C was drawn
	counts := make([][]int, K)
	// global u ~ Uniform(lo, hi)
	s.state.U = s.rng.Uniform(lo_, hi_)
	// global r : real > 1 ~ Exponential(rate = 1)
	s.state.R = s.rng.Truncated(1, math.Inf(1), func() float64 {
		return s.rng.Exponential(1)
	}, func(lo, hi float64) float64 {
		return runtime.ExponentialLogMass(lo, hi, 1)
	})
	// local t[i in N] : real > floor[i] ~ Gamma(2, rate = 1)
	for i := range N {
		t[i] = s.rng.Truncated(floor[i], math.Inf(1), func() float64 {
			return s.rng.Gamma(2, 1)
		}, func(lo, hi float64) float64 {
			return runtime.GammaLogMass(lo, hi, 2, 1)
		})
	}
	// data y[i in N] : real ~ Normal(u + c[g] + on, var = t[i] * (r - 1) + r)
	for i := range N {
		y[i] = s.rng.Normal(s.state.U+c[int(g)]+runtime.Indicator(on), t[i]*(s.state.R-1)+s.state.R)
	}
	// data x[i in N] : int ~ Binomial(n, p[1])
	for i := range N {
		x[i] = s.rng.Binomial(n, p[0])
	}
	// data k[i in N] : int ~ Binomial(m[i], 0.5)
	for i := range N {
		k[i] = s.rng.Binomial(m[i], 0.5)
	}
	// local z[i in N, j in K] ~ Categorical(q[j])
	for i := range N {
		for j := range K {
			k2 := s.rng.CRP(counts[j], 1)
			if k2 == len(counts[j]) {
				counts[j] = append(counts[j], 0)
			}
			counts[j][k2]++
			z[i*K+j] = int32(k2)
		}
	}
	for _, c := range counts {
		s.state.C = max(s.state.C, len(c))
	}
	s.state.Mu = make([]float64, s.state.C*K)
	// global mu[l in C] ~ Normal(0, cov = S)
	for k2 := range K {
		meanVec[k2] = 0
	}
	for l := range s.state.C {
		if err := s.rng.MVNormal(s.state.Mu[l*K:l*K+K], meanVec, S, mat); err != nil {
			return runtime.DrawError(err, "mu", l)
		}
	}
	// data v[i in N, K] : real ~ Normal(mu[z[i, 1]], cov = S + identity(K))
	for k2 := range K {
		for k3 := range K {
			covMat[k2*K+k3] = S[k2*K+k3] + runtime.Indicator(k2 == k3)
		}
	}
	for i := range N {
		if err := s.rng.MVNormal(v[i*K:i*K+K], s.state.Mu[int(z[i*K])*K:int(z[i*K])*K+K], covMat, mat); err != nil {
			return runtime.DrawError(err, "v", i)
		}
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: u, r, the number
// in use of C.
func (s *Sampler) Names() []string {
	var names []string
	names = append(names, runtime.ElementLabel("u"))
	names = append(names, runtime.ElementLabel("r"))
	names = append(names, runtime.ElementLabel("C"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	u := s.state.U
	r := s.state.R
	C := s.state.C
	dst = append(dst, u)
	dst = append(dst, r)
	dst = append(dst, float64(C))
	return dst
}
