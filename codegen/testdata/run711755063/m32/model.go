package m32

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
	L int // plate L
	P int // plate P
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("K", n.K, 1),
		runtime.Size("L", n.L, 1),
		runtime.Size("P", n.P, 1),
		runtime.Room("V", runtime.Extent(n.P, n.P)),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data lower[N] : real
	// over N
	Lower []float64

	// data wide[N] : real > 0
	// over N
	Wide []float64

	// data above[N] : bool
	// over N
	Above []bool

	// data below[N] : bool
	// over N
	Below []bool

	// data g[N] : L
	// over N; categories of L, from 0
	G []int32

	// data yc[N] : L
	// over N; categories of L, from 0
	Yc []int32

	// data e[n in N] : int ~ Poisson(exp(u) * wide[n])
	// over N; whole numbers >= 0
	E []int

	// data r[n in N] : real ~ Normal(b[o[n]] + dot(p0, cut0), sd = w)
	// over N
	R []float64

	// data x[n in N, P] : real ~ Normal(m[o[n]], cov = V)
	// row-major over N, P
	X []float64
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const a : real > 1 = 2
	A float64

	// const lim[K] : real >= 0 = 1
	// over K
	Lim []float64

	// const p0[K] : simplex = 1 / K
	// over K; each row sums to 1
	P0 []float64

	// const V[P, P] : cov = identity(P) + 3 * identity(P)
	// row-major over P, P; symmetric positive definite matrices
	V []float64

	// const cut0[K] : ordered
	// over K; each row increases
	Cut0 []float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
// The others, cut0, are NaN, zero or nil and must be set.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	if sizes.check() != nil {
		return h
	}
	h.Lim = make([]float64, sizes.K)
	h.P0 = make([]float64, sizes.K)
	h.V = make([]float64, sizes.P*sizes.P)
	lim := h.Lim
	K := sizes.K
	p0 := h.P0
	P := sizes.P
	V := h.V
	h.A = 2
	for i := range lim {
		lim[i] = 1
	}
	for i := range p0 {
		p0[i] = 1 / float64(K)
	}
	for p := range P {
		for p2 := range P {
			V[p*P+p2] = runtime.Indicator(p == p2) + 3*runtime.Indicator(p == p2)
		}
	}
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// global u ~ Uniform(-a, a)
	// u > -a and < a
	U float64
	// global w : real > 0 ~ Normal(u, var = 4)
	W float64
	// global v : real in (0.5, 4) ~ Gamma(2, rate = 1)
	V float64
	// global v2 : real in (0.5, 4) ~ InvGamma(2, scale = a)
	V2 float64
	// global v3 : real > 1 ~ Exponential(rate = 2)
	V3 float64
	// global v4 : real < 0.5 ~ Beta(2, 3)
	V4 float64
	// global v5 : real > 1 ~ LogNormal(0, sd = 1)
	V5 float64
	// global v6 : real in (-1, 3) ~ Laplace(0.5, scale = 1)
	V6 float64
	// global v7 : real > 0.5 ~ StudentT(df = 3, mean = 1, scale = 2)
	V7 float64
	// global v8 : real < 2 ~ HalfCauchy(scale = 1)
	V8 float64
	// global v9 : real > 3 ~ HalfNormal(var = 1)
	V9 float64
	// global v10 : real in (1, 2) ~ InvGaussian(1, shape = 2)
	V10 float64
	// global v11 : real > 0 ~ Uniform(-1, 1)
	V11 float64

	// global b[k in K] : real > w ~ Normal(0, var = 1)
	// over K
	B []float64

	// global c[k in K] : ordered ~ Normal(0, var = w)
	// over K; each row increases
	C []float64

	// global q[k in K] ~ Beta(lim[k] + 1, a)
	// over K; q > 0 and < 1
	Q []float64

	// global H ~ Wishart(df = P + a, scale = V / a)
	// row-major over P, P; symmetric positive definite matrices
	H []float64

	// global m[k in K] ~ Normal(0, prec = H)
	// row-major over K, P
	M []float64

	// global h ~ Dirichlet(a * p0)
	// over K; each row sums to 1
	H2 []float64

	// local z[n in N] ~ Normal(u, var = 1)
	// over N
	Z []float64

	// local y[n in N] : real in (0, 10) ~ Normal(w, var = wide[n])
	// over N
	Y []float64

	// local t[n in N] ~ Normal(0, var = wide[n])
	// over N
	T []float64

	// local o[n in N] ~ Categorical(h)
	// over N; categories of K, from 0
	O []int32
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.B = slices.Clone(st.B)
	st.C = slices.Clone(st.C)
	st.Q = slices.Clone(st.Q)
	st.H = slices.Clone(st.H)
	st.M = slices.Clone(st.M)
	st.H2 = slices.Clone(st.H2)
	st.Z = slices.Clone(st.Z)
	st.Y = slices.Clone(st.Y)
	st.T = slices.Clone(st.T)
	st.O = slices.Clone(st.O)
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
		return nil, fmt.Errorf("m32: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m32: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m32: %w", err)
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
	s.joint1 = make([]float64, data.P*data.P)
	s.joint2 = make([]float64, data.P)
	s.joint3 = make([]float64, data.K)
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
	return runtime.OneMore("L", s.data.L, "K", s.data.K)
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	K := s.data.K
	P := s.data.P
	N := s.data.N
	if err := errors.Join(
		runtime.Length("Lim", len(s.hyper.Lim), K),
		runtime.Length("P0", len(s.hyper.P0), K),
		runtime.Length("V", len(s.hyper.V), runtime.Extent(P, P)),
		runtime.Length("Cut0", len(s.hyper.Cut0), K),
		runtime.Length("Lower", len(s.data.Lower), N),
		runtime.Length("Wide", len(s.data.Wide), N),
		runtime.Length("G", len(s.data.G), N),
	); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Length("Above", len(s.data.Above), N),
			runtime.Length("Below", len(s.data.Below), N),
			runtime.Length("Yc", len(s.data.Yc), N),
			runtime.Length("E", len(s.data.E), N),
			runtime.Length("R", len(s.data.R), N),
			runtime.Length("X", len(s.data.X), runtime.Extent(N, P)),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	a := s.hyper.A
	lim := s.hyper.Lim
	p0 := s.hyper.P0
	K := s.data.K
	V := s.hyper.V
	P := s.data.P
	cut0 := s.hyper.Cut0
	lower := s.data.Lower
	wide := s.data.Wide
	g := s.data.G
	L := s.data.L
	yc := s.data.Yc
	e := s.data.E
	r := s.data.R
	x := s.data.X
	if err := errors.Join(
		runtime.Within("A", a, 1, math.Inf(1), false, false),
		runtime.NonNegative("Lim", lim...),
		runtime.Simplex("P0", p0, K),
		runtime.PosDef("V", V, P),
		runtime.Finite("Cut0", cut0...),
		runtime.Increasing("Cut0", cut0, K),
		runtime.Finite("Lower", lower...),
		runtime.Positive("Wide", wide...),
		runtime.Categories("G", g, L),
	); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Categories("Yc", yc, L),
			runtime.Counts("E", e...),
			runtime.Finite("R", r...),
			runtime.Finite("X", x...),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	b := s.state.B
	K := s.data.K
	c := s.state.C
	q := s.state.Q
	H := s.state.H
	P := s.data.P
	m := s.state.M
	h_ := s.state.H2
	z := s.state.Z
	N := s.data.N
	y := s.state.Y
	t := s.state.T
	o := s.state.O
	u := s.state.U
	a := s.hyper.A
	w := s.state.W
	v := s.state.V
	v2 := s.state.V2
	v3 := s.state.V3
	v4 := s.state.V4
	v5 := s.state.V5
	v6 := s.state.V6
	v7 := s.state.V7
	v8 := s.state.V8
	v9 := s.state.V9
	v10 := s.state.V10
	v11 := s.state.V11
	if err := errors.Join(
		runtime.Length("B", len(b), K),
		runtime.Length("C", len(c), K),
		runtime.Length("Q", len(q), K),
		runtime.Length("H", len(H), runtime.Extent(P, P)),
		runtime.Length("M", len(m), runtime.Extent(K, P)),
		runtime.Length("H2", len(h_), K),
		runtime.Length("Z", len(z), N),
		runtime.Length("Y", len(y), N),
		runtime.Length("T", len(t), N),
		runtime.Length("O", len(o), N),
	); err != nil {
		return err
	}
	if err := errors.Join(
		runtime.Categories("O", o, K),
		runtime.Within("U", u, -a, a, false, false),
		runtime.Positive("W", w),
		runtime.Within("V", v, 0.5, 4, false, false),
		runtime.Within("V2", v2, 0.5, 4, false, false),
		runtime.Within("V3", v3, 1, math.Inf(1), false, false),
		runtime.Within("V4", v4, 0, 0.5, false, false),
		runtime.Within("V5", v5, 1, math.Inf(1), false, false),
		runtime.Within("V6", v6, -1, 3, false, false),
		runtime.Within("V7", v7, 0.5, math.Inf(1), false, false),
		runtime.Within("V8", v8, 0, 2, false, false),
		runtime.Within("V9", v9, 3, math.Inf(1), false, false),
		runtime.Within("V10", v10, 1, 2, false, false),
		runtime.Within("V11", v11, 0, 1, false, false),
	); err != nil {
		return err
	}
	for k := range K {
		if err := runtime.Within("B", b[k], w, math.Inf(1), false, false, k); err != nil {
			return err
		}
	}
	if err := errors.Join(
		runtime.Finite("C", c...),
		runtime.Increasing("C", c, K),
	); err != nil {
		return err
	}
	for k := range K {
		if err := runtime.Within("Q", q[k], 0, 1, false, false, k); err != nil {
			return err
		}
	}
	if err := errors.Join(
		runtime.PosDef("H", H, P),
		runtime.Finite("M", m...),
		runtime.Simplex("H2", h_, K),
		runtime.Finite("Z", z...),
	); err != nil {
		return err
	}
	for n := range N {
		if err := runtime.Within("Y", y[n], 0, 10, false, false, n); err != nil {
			return err
		}
	}
	return runtime.Finite("T", t...)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	K := s.data.K
	P := s.data.P
	N := s.data.N
	if err := errors.Join(
		runtime.Room("H", runtime.Extent(P, P)),
		runtime.Room("M", runtime.Extent(K, P)),
	); err != nil {
		return err
	}
	s.state.B = make([]float64, K)
	s.state.C = make([]float64, K)
	s.state.Q = make([]float64, K)
	s.state.H = make([]float64, P*P)
	s.state.M = make([]float64, K*P)
	s.state.H2 = make([]float64, K)
	s.state.Z = make([]float64, N)
	s.state.Y = make([]float64, N)
	s.state.T = make([]float64, N)
	s.state.O = make([]int32, N)
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
	a := s.hyper.A
	b := s.state.B
	c := s.state.C
	K := s.data.K
	q := s.state.Q
	H := s.state.H
	P := s.data.P
	m := s.state.M
	h_ := s.state.H2
	z := s.state.Z
	N := s.data.N
	lower := s.data.Lower
	above := s.data.Above
	wide := s.data.Wide
	below := s.data.Below
	y := s.state.Y
	t := s.state.T
	yc := s.data.Yc
	o := s.state.O
	// u
	s.state.U = s.rng.Start(-a, a)
	// w
	s.state.W = s.rng.Start(0, math.Inf(1))
	// v
	s.state.V = s.rng.Start(0.5, 4)
	// v2
	s.state.V2 = s.rng.Start(0.5, 4)
	// v3
	s.state.V3 = s.rng.Start(1, math.Inf(1))
	// v4
	s.state.V4 = s.rng.Start(0, 0.5)
	// v5
	s.state.V5 = s.rng.Start(1, math.Inf(1))
	// v6
	s.state.V6 = s.rng.Start(-1, 3)
	// v7
	s.state.V7 = s.rng.Start(0.5, math.Inf(1))
	// v8
	s.state.V8 = s.rng.Start(0, 2)
	// v9
	s.state.V9 = s.rng.Start(3, math.Inf(1))
	// v10
	s.state.V10 = s.rng.Start(1, 2)
	// v11
	s.state.V11 = s.rng.Start(0, 1)
	// b
	for i := range b {
		b[i] = s.rng.Start(s.state.W, math.Inf(1))
	}
	// c
	for i := range c {
		c[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	runtime.SortRows(c, K)
	// q
	for i := range q {
		q[i] = s.rng.Start(0, 1)
	}
	// H
	s.rng.StartSPD(H, P)
	// m
	for i := range m {
		m[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// h
	s.rng.StartSimplex(h_, K)
	// z
	for i := range z {
		z[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	for n := range N {
		lo, hi := math.Inf(-1), math.Inf(1)
		if above[n] {
			lo = max(lo, lower[n])
		} else {
			hi = min(hi, lower[n])
		}
		if below[n] {
			hi = min(hi, lower[n]+wide[n])
		} else {
			lo = max(lo, lower[n]+wide[n])
		}
		z[n] = s.rng.Start(lo, hi)
	}
	// y
	for i := range y {
		y[i] = s.rng.Start(0, 10)
	}
	// t
	for i := range t {
		t[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	for n := range N {
		lo, hi := math.Inf(-1), math.Inf(1)
		if int(yc[n]) > 0 {
			lo = max(lo, c[int(yc[n])-1])
		}
		if int(yc[n]) < len(c) {
			hi = min(hi, c[int(yc[n])])
		}
		t[n] = s.rng.Start(lo, hi)
	}
	// o
	for i := range o {
		o[i] = int32(s.rng.IntN(K))
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
		return fmt.Errorf("m32: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m32: the state has log density %v", lp)
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
	a := s.hyper.A
	u := s.state.U
	w := s.state.W
	v := s.state.V
	v2 := s.state.V2
	v3 := s.state.V3
	v4 := s.state.V4
	v5 := s.state.V5
	v6 := s.state.V6
	v7 := s.state.V7
	v8 := s.state.V8
	v9 := s.state.V9
	v10 := s.state.V10
	v11 := s.state.V11
	K := s.data.K
	b := s.state.B
	c := s.state.C
	lim := s.hyper.Lim
	q := s.state.Q
	P := s.data.P
	scaleMat := s.joint1
	V := s.hyper.V
	H := s.state.H
	mat := s.mat
	meanVec := s.joint2
	m := s.state.M
	alphaVec := s.joint3
	p0 := s.hyper.P0
	h_ := s.state.H2
	N := s.data.N
	z := s.state.Z
	wide := s.data.Wide
	y := s.state.Y
	t := s.state.T
	o := s.state.O
	e := s.data.E
	cut0 := s.hyper.Cut0
	r := s.data.R
	x := s.data.X
	above := s.data.Above
	lower := s.data.Lower
	below := s.data.Below
	yc := s.data.Yc
	lp := 0.0
	// global u ~ Uniform(-a, a)
	lp += runtime.UniformLogPDF(u, -a, a)
	// global w : real > 0 ~ Normal(u, var = 4)
	if w <= 0 {
		return math.Inf(-1)
	}
	lp -= runtime.NormalLogMass(0, math.Inf(1), u, 4)
	lp += runtime.NormalLogPDF(w, u, 4)
	// global v : real in (0.5, 4) ~ Gamma(2, rate = 1)
	if v <= 0.5 || v >= 4 {
		return math.Inf(-1)
	}
	lp -= runtime.GammaLogMass(0.5, 4, 2, 1)
	lp += runtime.GammaLogPDF(v, 2, 1)
	// global v2 : real in (0.5, 4) ~ InvGamma(2, scale = a)
	if v2 <= 0.5 || v2 >= 4 {
		return math.Inf(-1)
	}
	lp -= runtime.InvGammaLogMass(0.5, 4, 2, a)
	lp += runtime.InvGammaLogPDF(v2, 2, a)
	// global v3 : real > 1 ~ Exponential(rate = 2)
	if v3 <= 1 {
		return math.Inf(-1)
	}
	lp -= runtime.ExponentialLogMass(1, math.Inf(1), 2)
	lp += runtime.ExponentialLogPDF(v3, 2)
	// global v4 : real < 0.5 ~ Beta(2, 3)
	if v4 >= 0.5 {
		return math.Inf(-1)
	}
	lp -= runtime.BetaLogMass(math.Inf(-1), 0.5, 2, 3)
	lp += runtime.BetaLogPDF(v4, 2, 3)
	// global v5 : real > 1 ~ LogNormal(0, sd = 1)
	if v5 <= 1 {
		return math.Inf(-1)
	}
	lp -= runtime.LogNormalLogMass(1, math.Inf(1), 0, 1)
	lp += runtime.LogNormalLogPDF(v5, 0, 1)
	// global v6 : real in (-1, 3) ~ Laplace(0.5, scale = 1)
	if v6 <= -1 || v6 >= 3 {
		return math.Inf(-1)
	}
	lp -= runtime.LaplaceLogMass(-1, 3, 0.5, 1)
	lp += runtime.LaplaceLogPDF(v6, 0.5, 1)
	// global v7 : real > 0.5 ~ StudentT(df = 3, mean = 1, scale = 2)
	if v7 <= 0.5 {
		return math.Inf(-1)
	}
	lp -= runtime.StudentTLogMass(0.5, math.Inf(1), 3, 1, 2)
	lp += runtime.StudentTLogPDF(v7, 3, 1, 2)
	// global v8 : real < 2 ~ HalfCauchy(scale = 1)
	if v8 >= 2 {
		return math.Inf(-1)
	}
	lp -= runtime.HalfCauchyLogMass(math.Inf(-1), 2, 1)
	lp += runtime.HalfCauchyLogPDF(v8, 1)
	// global v9 : real > 3 ~ HalfNormal(var = 1)
	if v9 <= 3 {
		return math.Inf(-1)
	}
	lp -= runtime.HalfNormalLogMass(3, math.Inf(1), 1)
	lp += runtime.HalfNormalLogPDF(v9, 1)
	// global v10 : real in (1, 2) ~ InvGaussian(1, shape = 2)
	if v10 <= 1 || v10 >= 2 {
		return math.Inf(-1)
	}
	lp -= runtime.InvGaussianLogMass(1, 2, 1, 2)
	lp += runtime.InvGaussianLogPDF(v10, 1, 2)
	// global v11 : real > 0 ~ Uniform(-1, 1)
	if v11 <= 0 {
		return math.Inf(-1)
	}
	lp -= runtime.UniformLogMass(0, math.Inf(1), -1, 1)
	lp += runtime.UniformLogPDF(v11, -1, 1)
	// global b[k in K] : real > w ~ Normal(0, var = 1)
	for k := range K {
		if b[k] <= w {
			return math.Inf(-1)
		}
		lp -= runtime.NormalLogMass(w, math.Inf(1), 0, 1)
		lp += runtime.NormalLogPDF(b[k], 0, 1)
	}
	// global c[k in K] : ordered ~ Normal(0, var = w)
	for k := range K {
		lp += runtime.NormalLogPDF(c[k], 0, w)
	}
	// global q[k in K] ~ Beta(lim[k] + 1, a)
	for k := range K {
		lp += runtime.BetaLogPDF(q[k], lim[k]+1, a)
	}
	// global H ~ Wishart(df = P + a, scale = V / a)
	for p := range P {
		for p2 := range P {
			scaleMat[p*P+p2] = V[p*P+p2] / a
		}
	}
	lp += runtime.WishartLogPDF(H, float64(P)+a, scaleMat, P, mat)
	// global m[k in K] ~ Normal(0, prec = H)
	for p := range P {
		meanVec[p] = 0
	}
	for k := range K {
		lp += runtime.MVNormalPrecLogPDF(m[k*P:k*P+P], meanVec, H, mat)
	}
	// global h ~ Dirichlet(a * p0)
	for k := range K {
		alphaVec[k] = a * p0[k]
	}
	lp += runtime.DirichletLogPDF(h_, alphaVec)
	// local z[n in N] ~ Normal(u, var = 1)
	for n := range N {
		lp += runtime.NormalLogPDF(z[n], u, 1)
	}
	// local y[n in N] : real in (0, 10) ~ Normal(w, var = wide[n])
	for n := range N {
		if y[n] <= 0 || y[n] >= 10 {
			return math.Inf(-1)
		}
		lp -= runtime.NormalLogMass(0, 10, w, wide[n])
		lp += runtime.NormalLogPDF(y[n], w, wide[n])
	}
	// local t[n in N] ~ Normal(0, var = wide[n])
	for n := range N {
		lp += runtime.NormalLogPDF(t[n], 0, wide[n])
	}
	// local o[n in N] ~ Categorical(h)
	for n := range N {
		lp += runtime.CategoricalLogPMF(o[n], h_)
	}
	// data e[n in N] : int ~ Poisson(exp(u) * wide[n])
	for n := range N {
		lp += runtime.PoissonLogPMF(e[n], math.Exp(u)*wide[n])
	}
	// data r[n in N] : real ~ Normal(b[o[n]] + dot(p0, cut0), sd = w)
	for n := range N {
		dot := 0.0
		for k := range K {
			dot += p0[k] * cut0[k]
		}
		lp += runtime.NormalLogPDF(r[n], b[int(o[n])]+dot, w*w)
	}
	// data x[n in N, P] : real ~ Normal(m[o[n]], cov = V)
	for n := range N {
		lp += runtime.MVNormalLogPDF(x[n*P:n*P+P], m[int(o[n])*P:int(o[n])*P+P], V, mat)
	}
	// observe above[n in N] = z[n] > lower[n]
	for n := range N {
		if above[n] != (z[n] > lower[n]) {
			return math.Inf(-1)
		}
	}
	// observe below[n in N] = z[n] < upper[n]
	for n := range N {
		if below[n] != (z[n] < lower[n]+wide[n]) {
			return math.Inf(-1)
		}
	}
	// observe yc[n in N] = cut(t[n], c)
	for n := range N {
		if int(yc[n]) != runtime.CutCategory(t[n], c) {
			return math.Inf(-1)
		}
	}
	// The elements of c are in order; each order of n was as likely as any other.
	if !runtime.Ordered(c, K) {
		return math.Inf(-1)
	}
	lp += runtime.LgammaF(float64(K) + 1)
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
		return Data{}, State{}, fmt.Errorf("m32: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m32: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m32: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m32: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m32: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m32: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	P := s.data.P
	s.data.Above = make([]bool, N)
	s.data.Below = make([]bool, N)
	s.data.Yc = make([]int32, N)
	s.data.E = make([]int, N)
	s.data.R = make([]float64, N)
	if err := runtime.Room("X", runtime.Extent(N, P)); err != nil {
		return err
	}
	s.data.X = make([]float64, N*P)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	a := s.hyper.A
	K := s.data.K
	b := s.state.B
	c := s.state.C
	lim := s.hyper.Lim
	q := s.state.Q
	P := s.data.P
	scaleMat := make([]float64, P*P)
	V := s.hyper.V
	H := s.state.H
	mat := s.mat
	meanVec := make([]float64, P)
	m := s.state.M
	alphaVec := make([]float64, K)
	p0 := s.hyper.P0
	h_ := s.state.H2
	N := s.data.N
	z := s.state.Z
	wide := s.data.Wide
	y := s.state.Y
	t := s.state.T
	o := s.state.O
	e := s.data.E
	cut0 := s.hyper.Cut0
	r := s.data.R
	x := s.data.X
	above := s.data.Above
	lower := s.data.Lower
	below := s.data.Below
	yc := s.data.Yc
	// global u ~ Uniform(-a, a)
	s.state.U = s.rng.Uniform(-a, a)
	// global w : real > 0 ~ Normal(u, var = 4)
	s.state.W = s.rng.TruncNormalNat(s.state.U/4, 0.25, 0, math.Inf(1))
	// global v : real in (0.5, 4) ~ Gamma(2, rate = 1)
	s.state.V = s.rng.Truncated(0.5, 4, func() float64 {
		return s.rng.Gamma(2, 1)
	}, func(lo, hi float64) float64 {
		return runtime.GammaLogMass(lo, hi, 2, 1)
	})
	// global v2 : real in (0.5, 4) ~ InvGamma(2, scale = a)
	s.state.V2 = s.rng.Truncated(0.5, 4, func() float64 {
		return s.rng.InvGamma(2, a)
	}, func(lo, hi float64) float64 {
		return runtime.InvGammaLogMass(lo, hi, 2, a)
	})
	// global v3 : real > 1 ~ Exponential(rate = 2)
	s.state.V3 = s.rng.Truncated(1, math.Inf(1), func() float64 {
		return s.rng.Exponential(2)
	}, func(lo, hi float64) float64 {
		return runtime.ExponentialLogMass(lo, hi, 2)
	})
	// global v4 : real < 0.5 ~ Beta(2, 3)
	s.state.V4 = s.rng.Truncated(math.Inf(-1), 0.5, func() float64 {
		return s.rng.Beta(2, 3)
	}, func(lo, hi float64) float64 {
		return runtime.BetaLogMass(lo, hi, 2, 3)
	})
	// global v5 : real > 1 ~ LogNormal(0, sd = 1)
	s.state.V5 = s.rng.Truncated(1, math.Inf(1), func() float64 {
		return s.rng.LogNormal(0, 1)
	}, func(lo, hi float64) float64 {
		return runtime.LogNormalLogMass(lo, hi, 0, 1)
	})
	// global v6 : real in (-1, 3) ~ Laplace(0.5, scale = 1)
	s.state.V6 = s.rng.Truncated(-1, 3, func() float64 {
		return s.rng.Laplace(0.5, 1)
	}, func(lo, hi float64) float64 {
		return runtime.LaplaceLogMass(lo, hi, 0.5, 1)
	})
	// global v7 : real > 0.5 ~ StudentT(df = 3, mean = 1, scale = 2)
	s.state.V7 = s.rng.Truncated(0.5, math.Inf(1), func() float64 {
		return s.rng.StudentT(3, 1, 2)
	}, func(lo, hi float64) float64 {
		return runtime.StudentTLogMass(lo, hi, 3, 1, 2)
	})
	// global v8 : real < 2 ~ HalfCauchy(scale = 1)
	s.state.V8 = s.rng.Truncated(math.Inf(-1), 2, func() float64 {
		return s.rng.HalfCauchy(1)
	}, func(lo, hi float64) float64 {
		return runtime.HalfCauchyLogMass(lo, hi, 1)
	})
	// global v9 : real > 3 ~ HalfNormal(var = 1)
	s.state.V9 = s.rng.Truncated(3, math.Inf(1), func() float64 {
		return s.rng.HalfNormal(1)
	}, func(lo, hi float64) float64 {
		return runtime.HalfNormalLogMass(lo, hi, 1)
	})
	// global v10 : real in (1, 2) ~ InvGaussian(1, shape = 2)
	s.state.V10 = s.rng.Truncated(1, 2, func() float64 {
		return s.rng.InvGaussian(1, 2)
	}, func(lo, hi float64) float64 {
		return runtime.InvGaussianLogMass(lo, hi, 1, 2)
	})
	// global v11 : real > 0 ~ Uniform(-1, 1)
	s.state.V11 = s.rng.Truncated(0, math.Inf(1), func() float64 {
		return s.rng.Uniform(-1, 1)
	}, func(lo, hi float64) float64 {
		return runtime.UniformLogMass(lo, hi, -1, 1)
	})
	// global b[k in K] : real > w ~ Normal(0, var = 1)
	for k := range K {
		b[k] = s.rng.TruncNormalNat(0, 1, s.state.W, math.Inf(1))
	}
	// global c[k in K] : ordered ~ Normal(0, var = w)
	for k := range K {
		c[k] = s.rng.Normal(0, s.state.W)
	}
	runtime.SortRows(c, K)
	// global q[k in K] ~ Beta(lim[k] + 1, a)
	for k := range K {
		q[k] = s.rng.Beta(lim[k]+1, a)
	}
	// global H ~ Wishart(df = P + a, scale = V / a)
	for p := range P {
		for p2 := range P {
			scaleMat[p*P+p2] = V[p*P+p2] / a
		}
	}
	if err := s.rng.Wishart(H, float64(P)+a, scaleMat, P, mat); err != nil {
		return runtime.DrawError(err, "H")
	}
	// global m[k in K] ~ Normal(0, prec = H)
	for p := range P {
		meanVec[p] = 0
	}
	for k := range K {
		if err := s.rng.MVNormalPrec(m[k*P:k*P+P], meanVec, H, mat); err != nil {
			return runtime.DrawError(err, "m", k)
		}
	}
	// global h ~ Dirichlet(a * p0)
	for k := range K {
		alphaVec[k] = a * p0[k]
	}
	s.rng.Dirichlet(h_, alphaVec)
	// local z[n in N] ~ Normal(u, var = 1)
	for n := range N {
		z[n] = s.rng.Normal(s.state.U, 1)
	}
	// local y[n in N] : real in (0, 10) ~ Normal(w, var = wide[n])
	for n := range N {
		y[n] = s.rng.TruncNormalNat(s.state.W/wide[n], 1/wide[n], 0, 10)
	}
	// local t[n in N] ~ Normal(0, var = wide[n])
	for n := range N {
		t[n] = s.rng.Normal(0, wide[n])
	}
	// local o[n in N] ~ Categorical(h)
	for n := range N {
		k := s.rng.Categorical(h_)
		if k < 0 {
			return runtime.DrawError(runtime.ErrParameter, "o", n)
		}
		o[n] = int32(k)
	}
	// data e[n in N] : int ~ Poisson(exp(u) * wide[n])
	for n := range N {
		e[n] = s.rng.Poisson(math.Exp(s.state.U) * wide[n])
	}
	// data r[n in N] : real ~ Normal(b[o[n]] + dot(p0, cut0), sd = w)
	for n := range N {
		dot := 0.0
		for k := range K {
			dot += p0[k] * cut0[k]
		}
		r[n] = s.rng.Normal(b[int(o[n])]+dot, s.state.W*s.state.W)
	}
	// data x[n in N, P] : real ~ Normal(m[o[n]], cov = V)
	for n := range N {
		if err := s.rng.MVNormal(x[n*P:n*P+P], m[int(o[n])*P:int(o[n])*P+P], V, mat); err != nil {
			return runtime.DrawError(err, "x", n)
		}
	}
	// observe above[n in N] = z[n] > lower[n]
	for n := range N {
		above[n] = z[n] > lower[n]
	}
	// observe below[n in N] = z[n] < upper[n]
	for n := range N {
		below[n] = z[n] < lower[n]+wide[n]
	}
	// observe yc[n in N] = cut(t[n], c)
	for n := range N {
		yc[n] = int32(runtime.CutCategory(t[n], c))
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: c, H, o, upper,
// m[1].
func (s *Sampler) Names() []string {
	var names []string
	K := s.data.K
	P := s.data.P
	N := s.data.N
	for k := range K {
		names = append(names, runtime.ElementLabel("c", k))
	}
	for p := range P {
		for p2 := range P {
			names = append(names, runtime.ElementLabel("H", p2, p))
		}
	}
	for n := range N {
		names = append(names, runtime.ElementLabel("o", n))
	}
	for n := range N {
		names = append(names, runtime.ElementLabel("upper", n))
	}
	for p := range P {
		names = append(names, runtime.ElementLabel("m", 0, p))
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	K := s.data.K
	c := s.state.C
	P := s.data.P
	H := s.state.H
	N := s.data.N
	o := s.state.O
	lower := s.data.Lower
	wide := s.data.Wide
	m := s.state.M
	for k := range K {
		dst = append(dst, c[k])
	}
	for p := range P {
		for p2 := range P {
			dst = append(dst, H[p2*P+p])
		}
	}
	for n := range N {
		dst = append(dst, float64(o[n]+1))
	}
	for n := range N {
		dst = append(dst, lower[n]+wide[n])
	}
	for p := range P {
		dst = append(dst, m[p])
	}
	return dst
}
