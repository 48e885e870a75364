package m24

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
	D int // plate D
}

// check reports a size that is not positive or too large.
func (n Sizes) check() error {
	return errors.Join(
		runtime.Size("N", n.N, 1),
		runtime.Size("D", n.D, 1),
		runtime.Room("A", runtime.Extent(n.D, n.D)),
	)
}

// Data holds what was observed, flat and row-major; categories count from 0. The sampler keeps a reference to it and never
// writes to it; the caller must not write to it either.
type Data struct {
	Sizes

	// data X[N, D] : real
	// row-major over N, D
	X []float64

	// data y1[n in N] : real ~ Normal(dot(X[n], s + w), var = 1)
	// over N
	Y1 []float64

	// data y2[n in N] : real ~ Normal(dot(X[n], exp(s)), var = 1)
	// over N
	Y2 []float64

	// data y3[n in N] : real ~ Normal(dot(X[n], k), var = 1)
	// over N
	Y3 []float64

	// data y4[n in N] : real ~ Normal(dot(exp(X[n]) + 1, 2 * k), var = 1)
	// over N
	Y4 []float64

	// data y5[n in N] : real ~ Normal(sum(exp(w)) + sum(2 * k - w), var = 1)
	// over N
	Y5 []float64

	// data y6[n in N] : real ~ Normal(dot(row[n], c) + row[n, 1] + r2[n, 1] + sum(r2[n]), var = 1)
	// over N
	Y6 []float64

	// data y7[n in N] : real ~ Normal(sum(d in D, sum(ones[d])), var = 1)
	// over N
	Y7 []float64

	// data y8[n in N, D] : real ~ Normal(s, cov = A)
	// row-major over N, D
	Y8 []float64

	// data y9[n in N] : real ~ Normal(dot(k / (1 + a^2), k^2) + dot(-k, log(exp(k))), var = exp(-a))
	// over N
	Y9 []float64
}

// Hyper holds the constants of the model. DefaultHyper gives those that the spec has values for.
type Hyper struct {
	// const A[D, D] : cov = identity(D)
	// row-major over D, D; symmetric positive definite matrices
	A []float64
}

// DefaultHyper returns the constants that the spec gives values for, at these sizes. It has no arrays if a size is out of range; New
// then says which.
func DefaultHyper(sizes Sizes) Hyper {
	var h Hyper
	if sizes.check() != nil {
		return h
	}
	h.A = make([]float64, sizes.D*sizes.D)
	D := sizes.D
	A := h.A
	for d := range D {
		for d2 := range D {
			A[d*D+d2] = runtime.Indicator(d == d2)
		}
	}
	return h
}

// State is one point of the chain: the unknowns, flat and row-major; categories count from 0.
type State struct {
	// global w[d in D] ~ Normal(0, var = 1)
	// over D
	W []float64
	// global a ~ Normal(0, var = 1)
	A float64
}

// Clone returns a copy that shares nothing with st.
func (st State) Clone() State {
	st.W = slices.Clone(st.W)
	return st
}

type Sampler struct {
	data   Data
	hyper  Hyper
	state  State
	rng    *runtime.Rand
	mat    *runtime.MatWork
	joint1 []float64 // scratch of the log joint
}

// New returns a chain at an overdispersed random start. The data and constants must lie within the model's supports; the error
// names the field and the element. If no start of positive density is found, use NewAt.
func New(data Data, hyper Hyper, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m24: %w", err)
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("m24: %w", err)
	}
	return s, nil
}

// NewAt returns a chain that starts at the given state, which is copied.
func NewAt(data Data, hyper Hyper, st State, rng *runtime.Rand) (*Sampler, error) {
	s, err := build(data, hyper, rng)
	if err != nil {
		return nil, fmt.Errorf("m24: %w", err)
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
	s.joint1 = make([]float64, data.D)
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
	D := s.data.D
	N := s.data.N
	if err := errors.Join(
		runtime.Length("A", len(s.hyper.A), runtime.Extent(D, D)),
		runtime.Length("X", len(s.data.X), runtime.Extent(N, D)),
	); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Length("Y1", len(s.data.Y1), N),
			runtime.Length("Y2", len(s.data.Y2), N),
			runtime.Length("Y3", len(s.data.Y3), N),
			runtime.Length("Y4", len(s.data.Y4), N),
			runtime.Length("Y5", len(s.data.Y5), N),
			runtime.Length("Y6", len(s.data.Y6), N),
			runtime.Length("Y7", len(s.data.Y7), N),
			runtime.Length("Y8", len(s.data.Y8), runtime.Extent(N, D)),
			runtime.Length("Y9", len(s.data.Y9), N),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkValues validates every element of data and constants.
func (s *Sampler) checkValues(observed bool) error {
	A := s.hyper.A
	D := s.data.D
	X := s.data.X
	y1 := s.data.Y1
	y2 := s.data.Y2
	y3 := s.data.Y3
	y4 := s.data.Y4
	y5 := s.data.Y5
	y6 := s.data.Y6
	y7 := s.data.Y7
	y8 := s.data.Y8
	y9 := s.data.Y9
	if err := errors.Join(
		runtime.PosDef("A", A, D),
		runtime.Finite("X", X...),
	); err != nil {
		return err
	}
	if observed {
		if err := errors.Join(
			runtime.Finite("Y1", y1...),
			runtime.Finite("Y2", y2...),
			runtime.Finite("Y3", y3...),
			runtime.Finite("Y4", y4...),
			runtime.Finite("Y5", y5...),
			runtime.Finite("Y6", y6...),
			runtime.Finite("Y7", y7...),
			runtime.Finite("Y8", y8...),
			runtime.Finite("Y9", y9...),
		); err != nil {
			return err
		}
	}
	return nil
}

// checkState reports a state whose arrays have the wrong lengths or whose elements lie outside their supports.
func (s *Sampler) checkState() error {
	w := s.state.W
	D := s.data.D
	a := s.state.A
	if err := runtime.Length("W", len(w), D); err != nil {
		return err
	}
	return errors.Join(
		runtime.Finite("W", w...),
		runtime.Finite("A", a),
	)
}

// makeState makes room for the state.
func (s *Sampler) makeState() error {
	D := s.data.D
	s.state.W = make([]float64, D)
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
	w := s.state.W
	// w
	for i := range w {
		w[i] = s.rng.Start(math.Inf(-1), math.Inf(1))
	}
	// a
	s.state.A = s.rng.Start(math.Inf(-1), math.Inf(1))
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
		return fmt.Errorf("m24: %w", err)
	}
	s.Rebuild()
	if lp := s.LogJoint(); math.IsNaN(lp) || math.IsInf(lp, 0) {
		s.state = old
		s.Rebuild()
		return fmt.Errorf("m24: the state has log density %v", lp)
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
	D := s.data.D
	w := s.state.W
	a := s.state.A
	N := s.data.N
	X := s.data.X
	y1 := s.data.Y1
	y2 := s.data.Y2
	A := s.hyper.A
	y3 := s.data.Y3
	y4 := s.data.Y4
	y5 := s.data.Y5
	y6 := s.data.Y6
	y7 := s.data.Y7
	meanVec := s.joint1
	y8 := s.data.Y8
	mat := s.mat
	y9 := s.data.Y9
	lp := 0.0
	// global w[d in D] ~ Normal(0, var = 1)
	for d := range D {
		lp += runtime.NormalLogPDF(w[d], 0, 1)
	}
	// global a ~ Normal(0, var = 1)
	lp += runtime.NormalLogPDF(a, 0, 1)
	// data y1[n in N] : real ~ Normal(dot(X[n], s + w), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * (w[d]*a + w[d])
		}
		lp += runtime.NormalLogPDF(y1[n], dot, 1)
	}
	// data y2[n in N] : real ~ Normal(dot(X[n], exp(s)), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * math.Exp(w[d]*a)
		}
		lp += runtime.NormalLogPDF(y2[n], dot, 1)
	}
	// data y3[n in N] : real ~ Normal(dot(X[n], k), var = 1)
	for n := range N {
		total := 0.0
		for d := range D {
			dot := 0.0
			for d2 := range D {
				dot += A[d*D+d2] * w[d2]
			}
			total += X[n*D+d] * dot
		}
		lp += runtime.NormalLogPDF(y3[n], total, 1)
	}
	// data y4[n in N] : real ~ Normal(dot(exp(X[n]) + 1, 2 * k), var = 1)
	for n := range N {
		total := 0.0
		for d := range D {
			dot := 0.0
			for d2 := range D {
				dot += A[d*D+d2] * w[d2]
			}
			total += (math.Exp(X[n*D+d]) + 1) * (2 * dot)
		}
		lp += runtime.NormalLogPDF(y4[n], total, 1)
	}
	// data y5[n in N] : real ~ Normal(sum(exp(w)) + sum(2 * k - w), var = 1)
	total := 0.0
	for d := range D {
		total += math.Exp(w[d])
	}
	total2 := 0.0
	for d := range D {
		dot := 0.0
		for d2 := range D {
			dot += A[d*D+d2] * w[d2]
		}
		total2 += 2*dot - w[d]
	}
	for n := range N {
		lp += runtime.NormalLogPDF(y5[n], total+total2, 1)
	}
	// data y6[n in N] : real ~ Normal(dot(row[n], c) + row[n, 1] + r2[n, 1] + sum(r2[n]), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * a
		}
		total3 := 0.0
		for d := range D {
			total3 += 2 * X[n*D+d]
		}
		lp += runtime.NormalLogPDF(y6[n], dot+X[n*D]+2*X[n*D]+total3, 1)
	}
	// data y7[n in N] : real ~ Normal(sum(d in D, sum(ones[d])), var = 1)
	total3 := 0.0
	for d := range D {
		total4 := 0.0
		for d2 := range D {
			total4 += w[d] + w[d2]
		}
		total3 += total4
	}
	for n := range N {
		lp += runtime.NormalLogPDF(y7[n], total3, 1)
	}
	// data y8[n in N, D] : real ~ Normal(s, cov = A)
	for d := range D {
		meanVec[d] = w[d] * a
	}
	for n := range N {
		lp += runtime.MVNormalLogPDF(y8[n*D:n*D+D], meanVec, A, mat)
	}
	// data y9[n in N] : real ~ Normal(dot(k / (1 + a^2), k^2) + dot(-k, log(exp(k))), var = exp(-a))
	total4 := 0.0
	for d := range D {
		dot := 0.0
		for d2 := range D {
			dot += A[d*D+d2] * w[d2]
		}
		dot2 := 0.0
		for d2 := range D {
			dot2 += A[d*D+d2] * w[d2]
		}
		total4 += dot / (1 + a*a) * (dot2 * dot2)
	}
	total5 := 0.0
	for d := range D {
		dot := 0.0
		for d2 := range D {
			dot += A[d*D+d2] * w[d2]
		}
		dot2 := 0.0
		for d2 := range D {
			dot2 += A[d*D+d2] * w[d2]
		}
		total5 += -dot * math.Log(math.Exp(dot2))
	}
	for n := range N {
		lp += runtime.NormalLogPDF(y9[n], total4+total5, math.Exp(-a))
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
		return Data{}, State{}, fmt.Errorf("m24: %w", err)
	}
	if err := s.makeState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m24: %w", err)
	}
	if err := s.makeData(); err != nil {
		return Data{}, State{}, fmt.Errorf("m24: %w", err)
	}
	if err := s.draw(); err != nil {
		return Data{}, State{}, fmt.Errorf("m24: %w", err)
	}
	if err := s.checkState(); err != nil {
		return Data{}, State{}, fmt.Errorf("m24: %w", err)
	}
	if err := s.check(true); err != nil {
		return Data{}, State{}, fmt.Errorf("m24: %w", err)
	}
	return s.data, s.state, nil
}

// makeData makes room for the data that are drawn, so that what was given is never written to.
func (s *Sampler) makeData() error {
	N := s.data.N
	D := s.data.D
	s.data.Y1 = make([]float64, N)
	s.data.Y2 = make([]float64, N)
	s.data.Y3 = make([]float64, N)
	s.data.Y4 = make([]float64, N)
	s.data.Y5 = make([]float64, N)
	s.data.Y6 = make([]float64, N)
	s.data.Y7 = make([]float64, N)
	if err := runtime.Room("Y8", runtime.Extent(N, D)); err != nil {
		return err
	}
	s.data.Y8 = make([]float64, N*D)
	s.data.Y9 = make([]float64, N)
	return nil
}

// draw draws everything, each statement after those that it depends on.
func (s *Sampler) draw() error {
	D := s.data.D
	w := s.state.W
	N := s.data.N
	X := s.data.X
	y1 := s.data.Y1
	y2 := s.data.Y2
	A := s.hyper.A
	y3 := s.data.Y3
	y4 := s.data.Y4
	y5 := s.data.Y5
	y6 := s.data.Y6
	y7 := s.data.Y7
	meanVec := make([]float64, D)
	y8 := s.data.Y8
	mat := s.mat
	y9 := s.data.Y9
	// global w[d in D] ~ Normal(0, var = 1)
	for d := range D {
		w[d] = s.rng.Normal(0, 1)
	}
	// global a ~ Normal(0, var = 1)
	s.state.A = s.rng.Normal(0, 1)
	// data y1[n in N] : real ~ Normal(dot(X[n], s + w), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * (w[d]*s.state.A + w[d])
		}
		y1[n] = s.rng.Normal(dot, 1)
	}
	// data y2[n in N] : real ~ Normal(dot(X[n], exp(s)), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * math.Exp(w[d]*s.state.A)
		}
		y2[n] = s.rng.Normal(dot, 1)
	}
	// data y3[n in N] : real ~ Normal(dot(X[n], k), var = 1)
	for n := range N {
		total := 0.0
		for d := range D {
			dot := 0.0
			for d2 := range D {
				dot += A[d*D+d2] * w[d2]
			}
			total += X[n*D+d] * dot
		}
		y3[n] = s.rng.Normal(total, 1)
	}
	// data y4[n in N] : real ~ Normal(dot(exp(X[n]) + 1, 2 * k), var = 1)
	for n := range N {
		total := 0.0
		for d := range D {
			dot := 0.0
			for d2 := range D {
				dot += A[d*D+d2] * w[d2]
			}
			total += (math.Exp(X[n*D+d]) + 1) * (2 * dot)
		}
		y4[n] = s.rng.Normal(total, 1)
	}
	// data y5[n in N] : real ~ Normal(sum(exp(w)) + sum(2 * k - w), var = 1)
	total := 0.0
	for d := range D {
		total += math.Exp(w[d])
	}
	total2 := 0.0
	for d := range D {
		dot := 0.0
		for d2 := range D {
			dot += A[d*D+d2] * w[d2]
		}
		total2 += 2*dot - w[d]
	}
	for n := range N {
		y5[n] = s.rng.Normal(total+total2, 1)
	}
	// data y6[n in N] : real ~ Normal(dot(row[n], c) + row[n, 1] + r2[n, 1] + sum(r2[n]), var = 1)
	for n := range N {
		dot := 0.0
		for d := range D {
			dot += X[n*D+d] * s.state.A
		}
		total3 := 0.0
		for d := range D {
			total3 += 2 * X[n*D+d]
		}
		y6[n] = s.rng.Normal(dot+X[n*D]+2*X[n*D]+total3, 1)
	}
	// data y7[n in N] : real ~ Normal(sum(d in D, sum(ones[d])), var = 1)
	total3 := 0.0
	for d := range D {
		total4 := 0.0
		for d2 := range D {
			total4 += w[d] + w[d2]
		}
		total3 += total4
	}
	for n := range N {
		y7[n] = s.rng.Normal(total3, 1)
	}
	// data y8[n in N, D] : real ~ Normal(s, cov = A)
	for d := range D {
		meanVec[d] = w[d] * s.state.A
	}
	for n := range N {
		if err := s.rng.MVNormal(y8[n*D:n*D+D], meanVec, A, mat); err != nil {
			return runtime.DrawError(err, "y8", n)
		}
	}
	// data y9[n in N] : real ~ Normal(dot(k / (1 + a^2), k^2) + dot(-k, log(exp(k))), var = exp(-a))
	total4 := 0.0
	for d := range D {
		dot := 0.0
		for d2 := range D {
			dot += A[d*D+d2] * w[d2]
		}
		dot2 := 0.0
		for d2 := range D {
			dot2 += A[d*D+d2] * w[d2]
		}
		total4 += dot / (1 + s.state.A*s.state.A) * (dot2 * dot2)
	}
	total5 := 0.0
	for d := range D {
		dot := 0.0
		for d2 := range D {
			dot += A[d*D+d2] * w[d2]
		}
		dot2 := 0.0
		for d2 := range D {
			dot2 += A[d*D+d2] * w[d2]
		}
		total5 += -dot * math.Log(math.Exp(dot2))
	}
	for n := range N {
		y9[n] = s.rng.Normal(total4+total5, math.Exp(-s.state.A))
	}
	return nil
}

// Names returns the names of what AppendValues appends, as CmdStan writes them, 1-based and column-major: w, a.
// An array of more than 1000 elements is left out unless the spec monitors it.
func (s *Sampler) Names() []string {
	var names []string
	D := s.data.D
	if D <= 1000 {
		for d := range D {
			names = append(names, runtime.ElementLabel("w", d))
		}
	}
	names = append(names, runtime.ElementLabel("a"))
	return names
}

// AppendValues appends the current values of what Names names; categories count from 1, true is 1.
func (s *Sampler) AppendValues(dst []float64) []float64 {
	D := s.data.D
	w := s.state.W
	a := s.state.A
	if D <= 1000 {
		for d := range D {
			dst = append(dst, w[d])
		}
	}
	dst = append(dst, a)
	return dst
}
