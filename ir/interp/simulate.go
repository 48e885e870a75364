// This file holds forward simulation: unknowns and data drawn from the prior, each when something first asks for it.

package interp

import (
	"fmt"
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// Simulate draws all unknowns and all data that have a distribution or are observed, and stores them in env.Values, given
// the sizes, lengths, covariates and consts there. Sizes of unbounded plates come out: the number of categories that were drawn.
// Values at positions that no statement covers are kept. Errors are missing covariates, improper priors, and parameters
// outside their domain.
func Simulate(m *ir.Model, env *Env, rng *runtime.Rand) error {
	if env.Values == nil {
		env.Values = map[string][]float64{}
	}
	if env.Sizes == nil {
		env.Sizes = map[string]int{}
	}
	for _, p := range m.Plates {
		if p.Unbounded {
			env.Sizes[p.Name] = 0
		}
	}
	x, err := newMachine(m, env)
	if err != nil {
		return err
	}
	s := newSimulation(x, rng)
	if err := s.sticks(); err != nil {
		return err
	}
	for _, v := range m.Vars {
		if len(s.factors[v]) == 0 && len(s.seen[v]) == 0 || s.isStick(v) {
			continue
		}
		n, err := s.allocate(v)
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		if err := s.ensure(v, 0, n); err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
	}
	return nil
}

// A draw says whether one draw of a variable has been made.
type draw int8

const (
	todo draw = iota
	busy
	done
)

type simulation struct {
	*machine
	rng     *runtime.Rand
	state   map[*ir.Var][]draw
	factors map[*ir.Var][]*ir.Factor
	seen    map[*ir.Var][]*ir.Constraint
}

func newSimulation(x *machine, rng *runtime.Rand) *simulation {
	s := &simulation{machine: x, rng: rng, state: map[*ir.Var][]draw{}, factors: map[*ir.Var][]*ir.Factor{}, seen: map[*ir.Var][]*ir.Constraint{}}
	x.need = s.ensure
	for _, f := range x.m.Factors {
		s.factors[f.X.Var] = append(s.factors[f.X.Var], f)
	}
	for _, k := range x.m.Constraints {
		s.seen[k.Y.Var] = append(s.seen[k.Y.Var], k)
	}
	return s
}

// event returns the number of values in one draw; for an ordered vector, whose elements are sorted, that is all of it.
func (s *simulation) event(v *ir.Var) (int, error) {
	k := v.Event
	if v.Support.Ordered {
		k = max(k, 1)
	}
	_, n, err := s.locate(v.Axes[len(v.Axes)-k:], nil)
	return n, err
}

// allocate makes room for the values of v; positions that are not drawn keep what env has.
func (s *simulation) allocate(v *ir.Var) (int, error) {
	_, n, err := s.locate(v.Axes, nil)
	if err != nil || s.state[v] != nil {
		return n, err
	}
	ev, err := s.event(v)
	if err != nil {
		return 0, err
	}
	vals := make([]float64, n)
	old := s.env.Values[v.Name]
	for i := range vals {
		vals[i] = math.NaN()
		if len(old) == n {
			vals[i] = old[i]
		}
	}
	s.env.Values[v.Name] = vals
	s.values[v] = vals
	s.state[v] = make([]draw, n/max(ev, 1)+1)
	return n, nil
}

// ensure draws what has not been drawn of n values of v from off on.
func (s *simulation) ensure(v *ir.Var, off, n int) error {
	if len(s.factors[v]) == 0 && len(s.seen[v]) == 0 || s.isStick(v) || n == 0 {
		return nil
	}
	if _, err := s.allocate(v); err != nil {
		return err
	}
	ev, err := s.event(v)
	if err != nil || ev == 0 {
		return err
	}
	for k := off / ev; k*ev < off+n; k++ {
		switch s.state[v][k] {
		case busy:
			return fmt.Errorf("%s depends on itself", v.Name)
		case todo:
			s.state[v][k] = busy
			if err := s.drawBlock(v, k*ev, ev); err != nil {
				return err
			}
			s.state[v][k] = done
		}
	}
	return nil
}

// drawBlock makes one draw, or all draws of an ordered vector.
func (s *simulation) drawBlock(v *ir.Var, off, n int) error {
	step := n
	if v.Support.Ordered {
		step = 1
	}
	for o := off; o < off+n; o += step {
		idx, err := s.position(v.Axes[:len(v.Axes)-v.Event], o/step)
		if err != nil {
			return err
		}
		if err := s.drawOne(v, o, step, idx); err != nil {
			return err
		}
	}
	if v.Support.Ordered {
		slices.Sort(s.values[v][off : off+n])
	}
	return nil
}

// drawOne draws the element idx of v, whose values lie at off.
func (s *simulation) drawOne(v *ir.Var, off, n int, idx []int) error {
	dst := s.values[v][off : off+n]
	for _, f := range s.factors[v] {
		if at, ok, err := s.unify(f.X, f.Over, idx); err != nil {
			return err
		} else if ok {
			return s.fromFactor(f, at, dst)
		}
	}
	for _, k := range s.seen[v] {
		if at, ok, err := s.unify(k.Y, k.Over, idx); err != nil {
			return err
		} else if ok {
			y, err := s.observed(k, at)
			dst[0] = y
			return err
		}
	}
	for _, y := range dst {
		if y != y {
			return fmt.Errorf("%s%v has no value and nothing draws it", v.Name, idx)
		}
	}
	return nil
}

// unify finds the indices at which a statement is about the element idx.
func (s *simulation) unify(r *ir.Ref, over []ir.Binder, idx []int) (map[string]int, bool, error) {
	at := map[string]int{}
	for i, ix := range r.Idx {
		if ix.Name == "" {
			if ix.Add != idx[i] {
				return nil, false, nil
			}
			continue
		}
		at[ix.Name] = idx[i] - ix.Add
	}
	for _, b := range over {
		of, err := s.indices(b.Of, at)
		if err != nil {
			return nil, false, err
		}
		n, err := s.length(b.Plate, of)
		if err != nil || at[b.Name] < b.Lo || at[b.Name] >= n+b.Hi {
			return nil, false, err
		}
	}
	return at, true, nil
}

// fromFactor draws from a factor's distribution, within its bounds.
func (s *simulation) fromFactor(f *ir.Factor, at map[string]int, dst []float64) error {
	e, ok := table[f.Dist.LogProb]
	if !ok {
		return fmt.Errorf("%s cannot be drawn forward", f.Dist.Name)
	}
	args, err := s.args(f, at)
	if err != nil {
		return err
	}
	lo, hi, err := s.bounds(f, at)
	if err != nil {
		return err
	}
	if f.Lo != nil || f.Hi != nil {
		return s.truncated(e, f, dst, args, lo, hi)
	}
	if err := e.draw(s.rng, dst, args); err != nil {
		return fmt.Errorf("%s with parameters %v: %w", f.Dist.Name, args, err)
	}
	for _, y := range dst {
		if y != y || f.Dist.Type == ir.Int && y < 0 {
			return fmt.Errorf("%s with parameters %v", f.Dist.Name, args)
		}
	}
	return nil
}

// truncated draws by rejection, and where that takes too long by inverting the distribution function.
func (s *simulation) truncated(e entry, f *ir.Factor, dst []float64, args [][]float64, lo, hi float64) error {
	if f.Dist.Name == "Normal" {
		dst[0] = s.rng.TruncNormalNat(args[0][0]/args[1][0], 1/args[1][0], lo, hi)
		if dst[0] != dst[0] {
			return fmt.Errorf("a Normal with parameters %v between %g and %g", args, lo, hi)
		}
		return nil
	}
	for range 1000 {
		if err := e.draw(s.rng, dst, args); err != nil {
			return err
		}
		if dst[0] > lo && dst[0] < hi {
			return nil
		}
	}
	all, err := e.logBetween(lo, hi, args)
	if err != nil || math.IsInf(all, -1) || all != all {
		return fmt.Errorf("%s with parameters %v between %g and %g", f.Dist.Name, args, lo, hi)
	}
	if e.positive || e.share {
		lo = max(lo, 0)
	}
	u := math.Log(s.rng.Open01()) + all
	a, b := max(lo, -math.MaxFloat64/4), min(hi, math.MaxFloat64/4)
	for range 2100 { // halving takes at most 2098 steps from one end of the float64s to the other
		mid := a + (b-a)/2
		if mid <= a || mid >= b {
			break
		}
		if p, _ := e.logBetween(lo, mid, args); p < u {
			a = mid
		} else {
			b = mid
		}
	}
	dst[0] = b
	return nil
}

// position returns the indices of the k-th draw.
func (s *simulation) position(axes []*ir.Plate, k int) ([]int, error) {
	idx := make([]int, len(axes))
	for j := len(axes); j > 0; {
		i := j - 1
		for i > 0 && axes[i].Over == axes[i-1] {
			i--
		}
		all, err := s.total(axes[j-1])
		if err != nil {
			return nil, err
		}
		leaf := k % all
		k /= all
		for l := j - 1; l > i; l-- { // up from the leaf to its parents
			st := s.starts[axes[l]]
			parent, _ := slices.BinarySearch(st, leaf+1)
			parent--
			idx[l] = leaf - st[parent]
			leaf = parent
		}
		idx[i] = leaf
		j = i
	}
	return idx, nil
}

// isStick reports whether v is drawn from GEM.
func (s *simulation) isStick(v *ir.Var) bool {
	fs := s.factors[v]
	return len(fs) > 0 && fs[0].Dist.Name == "GEM"
}

// A broken is one stick while categories are being drawn from it.
type broken struct {
	alpha  float64
	counts []int     // collapsed: how often each category was drawn
	n      int       // their sum
	w      []float64 // not collapsed: the pieces so far
	left   float64
}

// pick draws a category: by the Chinese restaurant process, or by breaking the stick as far as needed.
func (b *broken) pick(rng *runtime.Rand, collapsed bool) int {
	if collapsed {
		u := rng.Float64() * (float64(b.n) + b.alpha)
		b.n++
		for k, c := range b.counts {
			if u -= float64(c); u < 0 {
				b.counts[k]++
				return k
			}
		}
		b.counts = append(b.counts, 1)
		return len(b.counts) - 1
	}
	u := rng.Float64()
	for k := 0; ; k++ {
		if k == len(b.w) {
			b.grow(rng)
		}
		if u -= b.w[k]; u < 0 || b.left < 1e-300 && k == len(b.w)-1 {
			return k
		}
	}
}

func (b *broken) grow(rng *runtime.Rand) {
	p := b.left * rng.Beta(1, b.alpha)
	b.w = append(b.w, p)
	b.left -= p
}

// sticks draws every category that comes from a GEM, which settles how many categories there are, and then the weights.
func (s *simulation) sticks() error {
	all := map[*ir.Var]map[int]*broken{}
	var order []*ir.Var
	for _, f := range s.m.Factors {
		if f.Dist.Name == "GEM" {
			all[f.X.Var] = map[int]*broken{}
			order = append(order, f.X.Var)
		}
	}
	for _, f := range s.m.Factors {
		pi := sticksOf(f)
		if pi == nil {
			continue
		}
		gem := s.factors[pi.Var][0]
		if _, err := s.allocate(f.X.Var); err != nil {
			return err
		}
		plate := pi.Var.Axes[len(pi.Var.Axes)-1]
		err := s.each(f.Over, nil, func(at map[string]int) error {
			if ok, err := s.exists(f.X, at); !ok {
				return err
			}
			of, err := s.indices(pi.Idx, at)
			if err != nil {
				return err
			}
			b, err := s.open(gem, of, all[pi.Var])
			if err != nil {
				return err
			}
			idx, err := s.indices(f.X.Idx, at)
			if err != nil {
				return err
			}
			off, _, err := s.locate(f.X.Var.Axes, idx)
			if err != nil {
				return err
			}
			k := b.pick(s.rng, s.env.Collapsed[pi.Var.Name])
			s.values[f.X.Var][off] = float64(k)
			s.state[f.X.Var][off] = done
			s.env.Sizes[plate.Name] = max(s.env.Sizes[plate.Name], k+1)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.X.Var.Name, err)
		}
	}
	for _, v := range order {
		if !s.env.Collapsed[v.Name] {
			if err := s.weights(v, all[v]); err != nil {
				return err
			}
		}
	}
	return nil
}

// open returns the stick with the given indices, new if nothing was drawn from it yet.
func (s *simulation) open(gem *ir.Factor, of []int, sticks map[int]*broken) (*broken, error) {
	off, _, err := s.locate(gem.X.Var.Axes[:len(of)], of)
	if err != nil || sticks[off] != nil {
		return sticks[off], err
	}
	at, _, err := s.unify(gem.X, gem.Over, of)
	if err != nil {
		return nil, err
	}
	args, err := s.args(gem, at)
	if err != nil {
		return nil, err
	}
	if !(args[0][0] > 0) {
		return nil, fmt.Errorf("GEM with parameter %g", args[0][0])
	}
	sticks[off] = &broken{alpha: args[0][0], left: 1}
	return sticks[off], nil
}

// weights stores the pieces of a variable's sticks, as many for each as there are categories.
func (s *simulation) weights(v *ir.Var, sticks map[int]*broken) error {
	outer := v.Axes[:len(v.Axes)-1]
	_, n, err := s.locate(outer, nil)
	if err != nil {
		return err
	}
	k := s.env.Sizes[v.Axes[len(outer)].Name]
	var vals []float64
	for i := range n {
		of, err := s.position(outer, i)
		if err != nil {
			return err
		}
		b, err := s.open(s.factors[v][0], of, sticks)
		if err != nil {
			return err
		}
		for len(b.w) < k {
			b.grow(s.rng)
		}
		vals = append(vals, b.w[:k]...)
	}
	s.env.Values[v.Name] = vals
	s.values[v] = vals
	return nil
}
