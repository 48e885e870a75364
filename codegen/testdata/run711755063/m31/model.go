package m31

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	"math"
	"slices"
)

// Sizes holds the number of elements of each plate, at least 1.
type Sizes struct {
	Range  int // plate range: a keyword */ os.Exit(1)
	N      int // plate N
	Sizes2 int // plate Sizes = 3
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("Range", n.Range, 2),
		runtime.Size("N", n.N, 1),
		runtime.Size("Sizes2", n.Sizes2, 1),
		runtime.Room("Mat", runtime.Extent(n.Range, n.Range)),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// plate n2[N]: how many for each element of N,
	// 0 or more.
	N2Len []int

	// data hyper[N] : real
	// over N
	Hyper []float64

	// data state[N, n2] : Sizes
	// row-major over N, n2; categories of Sizes, from 0
	State []int32

	// data nil[i in N] : bool ~ Bernoulli(logistic(hyper[i] + len))
	// over N
	Nil []bool
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const func : real > 0 = 1  (`backquotes` "quotes" \n %s %d)
	Func float64
	// const Func : real = 2
	Func2 float64
	// const data : real > 0 = 0.5
	Data float64
	// const _ : real = 1
	V float64
	// const __ : real = 1
	V2 float64
	// const x_1 : real = 1
	X1 float64
	// const x1 : real = 1
	X12 float64

	// const err[range] : real = 2
	// over range
	Err []float64

	// const mat[range, range] : cov = 2 * identity(range)
	// row-major over range, range; symmetric positive definite matrices
	Mat []float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	if sizes.check() != nil {
		return h
	}
	h.Err = make([]float64, sizes.Range)
	h.Mat = make([]float64, sizes.Range*sizes.Range)
	err_ := h.Err
	range_ := sizes.Range
	mat := h.Mat
	h.Func = 1
	h.Func2 = 2
	h.Data = 0.5
	h.V = 1
	h.V2 = 1
	h.X1 = 1
	h.X12 = 1
	for i := range err_ {
		err_[i] = 2
	}
	for r := range range_ {
		for r2 := range range_ {
			mat[r*range_+r2] = 2 * runtime.Indicator(r == r2)
		}
	}
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// global rng ~ Normal(_ + __ + x_1 + x1 + Func, var = func)
	Rng float64
	// global Rng ~ Normal(rng, sd = data)
	Rng2 float64

	// global map[k in range] ~ Normal(rng * err[k] + Rng, var = func)
	// over range
	Map []float64
	// global len ~ Normal(sum(map), var = 1)
	Len float64

	// global runtime ~ Normal(err, cov = mat)
	// over range
	Runtime []float64

	// global clone ~ Exponential(rate = 1)
	// clone > 0
	Clone2 float64

	// local math[j in N] ~ Normal(hyper[j] * clone + rng, var = 1)
	// over N
	Math []float64

	// local fmt[j in N, i in n2[j]] ~ Normal(math[j], var = 1)
	// row-major over N, n2
	Fmt []float64

	// local s[lp in N] ~ Normal(math[lp], var = 1)
	// over N
	S []float64

	// global lo[j in Sizes] ~ Normal(0, var = 1)
	// over Sizes
	Lo []float64

	// local error[n in N, i in n2[n]] ~ Normal(lo[state[n, i]] + fmt[n, i], var = 1)
	// row-major over N, n2
	Error []float64

	// global main ~ Gamma(2, rate = 1)
	// main > 0
	Main float64
	// global return : real in (0, 1) ~ Normal(main, var = 1)
	Return float64

	// global State ~ Beta(1, 1)
	// State > 0 and < 1
	State float64
	// global Sampler ~ Normal(runtime[1], var = State)
	Sampler float64

	// global counts ~ Poisson(3)
	// whole numbers >= 0
	Counts int
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.Map = slices.Clone(st.Map)
	st.Runtime = slices.Clone(st.Runtime)
	st.Math = slices.Clone(st.Math)
	st.Fmt = slices.Clone(st.Fmt)
	st.S = slices.Clone(st.S)
	st.Lo = slices.Clone(st.Lo)
	st.Error = slices.Clone(st.Error)
	return st
}

type Sampler struct {
	data  Data
	hyper Hyper
	state State
	rng   *runtime.Rand
	n2At  []int // where the n2 of each element of N begin
	mat   *runtime.MatWork
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m31: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m31: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m31: %w", err)
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
	if err := runtime.Lengths("N2Len", s.data.N2Len, s.data.N, 0); err != nil {
		return err
	}
	s.n2At = runtime.Offsets(s.data.N2Len)
	return nil
}

// checkLengths validates the lengths of arrays.
func (s *Sampler) checkLengths(observed bool) error {
	range_ := s.data.Range
	N := s.data.N
	n2At := s.n2At
	if err := errors.Join(
		runtime.Length("Err", len(s.hyper.Err), range_),
		runtime.Length("Mat", len(s.hyper.Mat), runtime.Extent(range_, range_)),
		runtime.Length("Hyper", len(s.data.Hyper), N),
		runtime.Length("State", len(s.data.State), n2At[len(n2At)-1]),
	); err != nil {
		return err
	}
	if observed {
		if err := runtime.Length("Nil", len(s.data.Nil), N); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	func_ := s.hyper.Func
	Func := s.hyper.Func2
	data := s.hyper.Data
	v_ := s.hyper.V
	v__ := s.hyper.V2
	x_1 := s.hyper.X1
	x1 := s.hyper.X12
	err_ := s.hyper.Err
	mat := s.hyper.Mat
	range_ := s.data.Range
	hyper := s.data.Hyper
	state := s.data.State
	Sizes_ := s.data.Sizes2
	return errors.Join(
		runtime.Positive("Func", func_),
		runtime.Finite("Func2", Func),
		runtime.Positive("Data", data),
		runtime.Finite("V", v_),
		runtime.Finite("V2", v__),
		runtime.Finite("X1", x_1),
		runtime.Finite("X12", x1),
		runtime.Finite("Err", err_...),
		runtime.PosDef("Mat", mat, range_),
		runtime.Finite("Hyper", hyper...),
		runtime.Categories("State", state, Sizes_),
	)
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	map_ := s.state.Map
	range_ := s.data.Range
	runtime_ := s.state.Runtime
	math_ := s.state.Math
	N := s.data.N
	fmt_ := s.state.Fmt
	n2At := s.n2At
	s_ := s.state.S
	lo_ := s.state.Lo
	Sizes_ := s.data.Sizes2
	error_ := s.state.Error
	rng_ := s.state.Rng
	Rng := s.state.Rng2
	len_ := s.state.Len
	clone := s.state.Clone2
	main_ := s.state.Main
	return_ := s.state.Return
	State_ := s.state.State
	Sampler_ := s.state.Sampler
	counts := s.state.Counts
	if err := errors.Join(
		runtime.Length("Map", len(map_), range_),
		runtime.Length("Runtime", len(runtime_), range_),
		runtime.Length("Math", len(math_), N),
		runtime.Length("Fmt", len(fmt_), n2At[len(n2At)-1]),
		runtime.Length("S", len(s_), N),
		runtime.Length("Lo", len(lo_), Sizes_),
		runtime.Length("Error", len(error_), n2At[len(n2At)-1]),
	); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("Rng", rng_),
		runtime.Finite("Rng2", Rng),
		runtime.Finite("Map", map_...),
		runtime.Finite("Len", len_),
		runtime.Finite("Runtime", runtime_...),
		runtime.Positive("Clone2", clone),
		runtime.Finite("Math", math_...),
		runtime.Finite("Fmt", fmt_...),
		runtime.Finite("S", s_...),
		runtime.Finite("Lo", lo_...),
		runtime.Finite("Error", error_...),
		runtime.Positive("Main", main_),
		runtime.Within("Return", return_, 0, 1, false, false),
		runtime.Within("State", State_, 0, 1, false, false),
		runtime.Finite("Sampler", Sampler_),
		runtime.Counts("Counts", counts),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	range_ := s.data.Range
	N := s.data.N
	n2At := s.n2At
	Sizes_ := s.data.Sizes2
	s.state.Map = make([]float64, range_)
	s.state.Runtime = make([]float64, range_)
	s.state.Math = make([]float64, N)
	s.state.Fmt = make([]float64, n2At[len(n2At)-1])
	s.state.S = make([]float64, N)
	s.state.Lo = make([]float64, Sizes_)
	s.state.Error = make([]float64, n2At[len(n2At)-1])
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
	map_ := s.state.Map
	runtime_ := s.state.Runtime
	math_ := s.state.Math
	fmt_ := s.state.Fmt
	s_ := s.state.S
	lo_ := s.state.Lo
	error_ := s.state.Error
	// rng
	s.state.Rng = s.rng.Start(math.Inf(-1), math.Inf(1))
	// Rng
	s.state.Rng2 = s.rng.Start(math.Inf(-1), math.Inf(1))
	// map
	for i := range map_ {
		map_[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// len
	s.state.Len = s.rng.Start(math.Inf(-1), math.Inf(1))
	// runtime
	for i := range runtime_ {
		runtime_[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// clone
	s.state.Clone2 = s.rng.Start(0, math.Inf(1))
	// math
	for i := range math_ {
		math_[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// fmt
	for i := range fmt_ {
		fmt_[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// s
	for i := range s_ {
		s_[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// lo
	for i := range lo_ {
		lo_[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// error
	for i := range error_ {
		error_[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// main
	s.state.Main = s.rng.Start(0, math.Inf(1))
	// return
	s.state.Return = s.rng.Start(0, 1)
	// State
	s.state.State = s.rng.Start(0, 1)
	// Sampler
	s.state.Sampler = s.rng.Start(math.Inf(-1), math.Inf(1))
	// counts
	s.state.Counts = s.rng.StartCount(0, math.MaxInt)
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
		return fmt.Errorf("m31: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m31: the state has log density %v", lp)
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
	N := s.data.N
	hyper := s.data.Hyper
	len_ := s.state.Len
	nil_ := s.data.Nil
	v_ := s.hyper.V
	v__ := s.hyper.V2
	x_1 := s.hyper.X1
	x1 := s.hyper.X12
	Func := s.hyper.Func2
	func_ := s.hyper.Func
	rng_ := s.state.Rng
	data := s.hyper.Data
	Rng := s.state.Rng2
	range_ := s.data.Range
	err_ := s.hyper.Err
	map_ := s.state.Map
	mat := s.hyper.Mat
	runtime_ := s.state.Runtime
	mat2 := s.mat
	clone := s.state.Clone2
	math_ := s.state.Math
	n2At := s.n2At
	fmt_ := s.state.Fmt
	s_ := s.state.S
	Sizes_ := s.data.Sizes2
	lo_ := s.state.Lo
	state := s.data.State
	error_ := s.state.Error
	main_ := s.state.Main
	return_ := s.state.Return
	State_ := s.state.State
	Sampler_ := s.state.Sampler
	counts := s.state.Counts
	lp := 0.0
	// data nil[i in N] : bool ~ Bernoulli(logistic(hyper[i] + len))
	for i := range N {
		lp += runtime.BernoulliLogPMF(nil_[i], runtime.Logistic(hyper[i]+len_))
	}
	// global rng ~ Normal(_ + __ + x_1 + x1 + Func, var = func)
	lp += runtime.NormalLogPDF(rng_, v_+v__+x_1+x1+Func, func_)
	// global Rng ~ Normal(rng, sd = data)
	lp += runtime.NormalLogPDF(Rng, rng_, data*data)
	// global map[k in range] ~ Normal(rng * err[k] + Rng, var = func)
	for k := range range_ {
		lp += runtime.NormalLogPDF(map_[k], rng_*err_[k]+Rng, func_)
	}
	// global len ~ Normal(sum(map), var = 1)
	total := 0.0
	for r := range range_ {
		total += map_[r]
	}
	lp += runtime.NormalLogPDF(len_, total, 1)
	// global runtime ~ Normal(err, cov = mat)
	lp += runtime.MVNormalLogPDF(runtime_, err_, mat, mat2)
	// global clone ~ Exponential(rate = 1)
	lp += runtime.ExponentialLogPDF(clone, 1)
	// local math[j in N] ~ Normal(hyper[j] * clone + rng, var = 1)
	for j := range N {
		lp += runtime.NormalLogPDF(math_[j], hyper[j]*clone+rng_, 1)
	}
	// local fmt[j in N, i in n2[j]] ~ Normal(math[j], var = 1)
	for j := range N {
		for i := range n2At[j+1] - n2At[j] {
			lp += runtime.NormalLogPDF(fmt_[n2At[j]+i], math_[j], 1)
		}
	}
	// local s[lp in N] ~ Normal(math[lp], var = 1)
	for lp_ := range N {
		lp += runtime.NormalLogPDF(s_[lp_], math_[lp_], 1)
	}
	// global lo[j in Sizes] ~ Normal(0, var = 1)
	for j := range Sizes_ {
		lp += runtime.NormalLogPDF(lo_[j], 0, 1)
	}
	// local error[n in N, i in n2[n]] ~ Normal(lo[state[n, i]] + fmt[n, i], var = 1)
	for n := range N {
		for i := range n2At[n+1] - n2At[n] {
			lp += runtime.NormalLogPDF(error_[n2At[n]+i], lo_[int(state[n2At[n]+i])]+fmt_[n2At[n]+i], 1)
		}
	}
	// global main ~ Gamma(2, rate = 1)
	lp += runtime.GammaLogPDF(main_, 2, 1)
	// global return : real in (0, 1) ~ Normal(main, var = 1)
	if return_ <= 0 || return_ >= 1 {
		return math.Inf(-1)
	}
	lp -= runtime.NormalLogMass(0, 1, main_, 1)
	lp += runtime.NormalLogPDF(return_, main_, 1)
	// global State ~ Beta(1, 1)
	lp += runtime.BetaLogPDF(State_, 1, 1)
	// global Sampler ~ Normal(runtime[1], var = State)
	lp += runtime.NormalLogPDF(Sampler_, runtime_[0], State_)
	// global counts ~ Poisson(3)
	lp += runtime.PoissonLogPMF(counts, 3)
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
		return Data{}, State{}, fmt.Errorf("m31: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m31: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m31: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m31: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m31: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m31: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	s.data.Nil = make([]bool, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	v_ := s.hyper.V
	v__ := s.hyper.V2
	x_1 := s.hyper.X1
	x1 := s.hyper.X12
	Func := s.hyper.Func2
	func_ := s.hyper.Func
	data := s.hyper.Data
	range_ := s.data.Range
	err_ := s.hyper.Err
	map_ := s.state.Map
	N := s.data.N
	hyper := s.data.Hyper
	nil_ := s.data.Nil
	mat := s.hyper.Mat
	runtime_ := s.state.Runtime
	mat2 := s.mat
	math_ := s.state.Math
	n2At := s.n2At
	fmt_ := s.state.Fmt
	s_ := s.state.S
	Sizes_ := s.data.Sizes2
	lo_ := s.state.Lo
	state := s.data.State
	error_ := s.state.Error
	// global rng ~ Normal(_ + __ + x_1 + x1 + Func, var = func)
	s.state.Rng = s.rng.Normal(v_+v__+x_1+x1+Func, func_)
	// global Rng ~ Normal(rng, sd = data)
	s.state.Rng2 = s.rng.Normal(s.state.Rng, data*data)
	// global map[k in range] ~ Normal(rng * err[k] + Rng, var = func)
	for k := range range_ {
		map_[k] = s.rng.Normal(s.state.Rng*err_[k]+s.state.Rng2, func_)
	}
	// global len ~ Normal(sum(map), var = 1)
	total := 0.0
	for r := range range_ {
		total += map_[r]
	}
	s.state.Len = s.rng.Normal(total, 1)
	// data nil[i in N] : bool ~ Bernoulli(logistic(hyper[i] + len))
	for i := range N {
		nil_[i] = s.rng.Bernoulli(runtime.Logistic(hyper[i] + s.state.Len))
	}
	// global runtime ~ Normal(err, cov = mat)
	if err := s.rng.MVNormal(runtime_, err_, mat, mat2); err != nil {
		return runtime.DrawError(err, "runtime")
	}
	// global clone ~ Exponential(rate = 1)
	s.state.Clone2 = s.rng.Exponential(1)
	// local math[j in N] ~ Normal(hyper[j] * clone + rng, var = 1)
	for j := range N {
		math_[j] = s.rng.Normal(hyper[j]*s.state.Clone2+s.state.Rng, 1)
	}
	// local fmt[j in N, i in n2[j]] ~ Normal(math[j], var = 1)
	for j := range N {
		for i := range n2At[j+1] - n2At[j] {
			fmt_[n2At[j]+i] = s.rng.Normal(math_[j], 1)
		}
	}
	// local s[lp in N] ~ Normal(math[lp], var = 1)
	for lp_ := range N {
		s_[lp_] = s.rng.Normal(math_[lp_], 1)
	}
	// global lo[j in Sizes] ~ Normal(0, var = 1)
	for j := range Sizes_ {
		lo_[j] = s.rng.Normal(0, 1)
	}
	// local error[n in N, i in n2[n]] ~ Normal(lo[state[n, i]] + fmt[n, i], var = 1)
	for n := range N {
		for i := range n2At[n+1] - n2At[n] {
			error_[n2At[n]+i] = s.rng.Normal(lo_[int(state[n2At[n]+i])]+fmt_[n2At[n]+i], 1)
		}
	}
	// global main ~ Gamma(2, rate = 1)
	s.state.Main = s.rng.Gamma(2, 1)
	// global return : real in (0, 1) ~ Normal(main, var = 1)
	s.state.Return = s.rng.TruncNormalNat(s.state.Main, 1, 0, 1)
	// global State ~ Beta(1, 1)
	s.state.State = s.rng.Beta(1, 1)
	// global Sampler ~ Normal(runtime[1], var = State)
	s.state.Sampler = s.rng.Normal(runtime_[0], s.state.State)
	// global counts ~ Poisson(3)
	s.state.Counts = s.rng.Poisson(3)
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: rng, Rng, map,
// map[2], fmt, runtime.
func (s *Sampler) Names() []string {
	var names []string
	range_ := s.data.Range
	N := s.data.N
	n2At := s.n2At
	names = append(names, runtime.ElementLabel("rng"))
	names = append(names, runtime.ElementLabel("Rng"))
	for k := range range_ {
		names = append(names, runtime.ElementLabel("map", k))
	}
	names = append(names, runtime.ElementLabel("map", 1))
	for j := range N {
		for i := range n2At[j+1] - n2At[j] {
			names = append(names, runtime.ElementLabel("fmt", j, i))
		}
	}
	for r := range range_ {
		names = append(names, runtime.ElementLabel("runtime", r))
	}
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	rng_ := s.state.Rng
	Rng := s.state.Rng2
	range_ := s.data.Range
	map_ := s.state.Map
	N := s.data.N
	n2At := s.n2At
	fmt_ := s.state.Fmt
	runtime_ := s.state.Runtime
	dst = append(dst, rng_)
	dst = append(dst, Rng)
	for k := range range_ {
		dst = append(dst, map_[k])
	}
	dst = append(dst, map_[1])
	for j := range N {
		for i := range n2At[j+1] - n2At[j] {
			dst = append(dst, fmt_[n2At[j]+i])
		}
	}
	for r := range range_ {
		dst = append(dst, runtime_[r])
	}
	return dst
}
