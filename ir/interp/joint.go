// This file holds the log joint density, every constant included.

package interp

import (
	"fmt"
	"math"

	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// LogJoint returns the log joint density of all unknowns and data of m at env, given consts and covariates: factors with all
// their constants, truncated ones divided by the probability of their range, ordered vectors by that of their order. It is
// -Inf where a constraint is violated or a value lies outside its support. A statement about an element that a plate is
// too small to have says nothing. Errors are missing values, wrong numbers of values, indices out of range, and
// parameters outside their domain.
func LogJoint(m *ir.Model, env *Env) (float64, error) {
	sum := 0.0
	err := terms(m, env, func(_ string, lp float64) { sum += lp })
	return sum, err
}

// A Term is one statement of a model and its part in the log joint.
type Term struct {
	Text       string // what is drawn, and from which distribution
	LogDensity float64
}

// LogTerms returns the log joint statement by statement.
func LogTerms(m *ir.Model, env *Env) ([]Term, error) {
	var out []Term
	err := terms(m, env, func(text string, lp float64) { out = append(out, Term{text, lp}) })
	return out, err
}

// terms evaluates each statement of the model.
func terms(m *ir.Model, env *Env, add func(text string, lp float64)) error {
	x, err := newMachine(m, env)
	if err != nil {
		return err
	}
	for _, f := range m.Factors {
		lp, err := x.factor(f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.X.Var.Name, err)
		}
		add(f.X.Var.Name+" ~ "+f.Dist.Name, lp)
	}
	for _, v := range m.Vars {
		if v.Support.Ordered && drawn(m, v) {
			lp, err := x.ordered(v)
			if err != nil {
				return err
			}
			add("the order of "+v.Name, lp)
		}
	}
	for _, k := range m.Constraints {
		ok, err := x.holds(k)
		if err != nil {
			return fmt.Errorf("observe %s: %w", k.Y.Var.Name, err)
		}
		lp := 0.0
		if !ok {
			lp = math.Inf(-1)
		}
		add("observe "+k.Y.Var.Name, lp)
	}
	return nil
}

func drawn(m *ir.Model, v *ir.Var) bool {
	for _, f := range m.Factors {
		if f.X.Var == v {
			return true
		}
	}
	return false
}

// factor returns the sum of one factor over its plates.
func (x *machine) factor(f *ir.Factor) (float64, error) {
	if f.Dist.Name == "GEM" {
		return x.stick(f)
	}
	if x.fromCollapsed(f) { // counted with the stick
		return 0, nil
	}
	sum := 0.0
	err := x.each(f.Over, nil, func(at map[string]int) error {
		lp, err := x.term(f, at)
		sum += lp
		return err
	})
	return sum, err
}

// term returns the log density of one draw.
func (x *machine) term(f *ir.Factor, at map[string]int) (float64, error) {
	if ok, err := x.exists(f.X, at); !ok {
		return 0, err
	}
	val, err := x.ref(f.X, at)
	if err != nil {
		return 0, err
	}
	if link, of := f.Link(); link != "" {
		eta, err := x.eval(of, at)
		if err != nil {
			return 0, err
		}
		if link == "Phi" {
			return runtime.BernoulliProbitLogPMF(val[0] == 1, eta[0]), nil
		}
		return runtime.BernoulliLogitLogPMF(val[0] == 1, eta[0]), nil
	}
	args, err := x.args(f, at)
	if err != nil {
		return 0, err
	}
	if f.Dist.LogProb == "" { // Flat
		lo, hi, err := x.bounds(f, at)
		if err != nil || val[0] > lo && val[0] < hi {
			return 0, err
		}
		return math.Inf(-1), nil
	}
	e, ok := table[f.Dist.LogProb]
	if !ok {
		return 0, fmt.Errorf("no density of %s", f.Dist.Name)
	}
	lp := e.logp(val, args)
	if lp != lp {
		return 0, fmt.Errorf("%s of %v with parameters %v", f.Dist.Name, val, args)
	}
	if f.Lo == nil && f.Hi == nil {
		return lp, nil
	}
	lo, hi, err := x.bounds(f, at)
	if err != nil {
		return 0, err
	}
	s := f.X.Var.Support
	if val[0] < lo || val[0] > hi || val[0] == lo && !s.LoClosed || val[0] == hi && !s.HiClosed {
		return math.Inf(-1), nil
	}
	norm, err := e.logBetween(lo, hi, args)
	return lp - norm, err
}

// exists reports whether the plates are large enough for the literal indices of what is drawn.
func (x *machine) exists(r *ir.Ref, at map[string]int) (bool, error) {
	idx, err := x.indices(r.Idx, at)
	if err != nil {
		return false, err
	}
	for i, ix := range r.Idx {
		if ix.Name != "" {
			continue
		}
		p := r.Var.Axes[i]
		n, err := x.length(p, idx[i-len(ancestors(p)):i])
		if err != nil || idx[i] >= n {
			return false, err
		}
	}
	return true, nil
}

func (x *machine) args(f *ir.Factor, at map[string]int) ([][]float64, error) {
	args := make([][]float64, len(f.Args))
	for i, a := range f.Args {
		v, err := x.eval(a, at)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", f.Dist.Params[i].Name, f.Dist.Name, err)
		}
		args[i] = v
	}
	return args, nil
}

// bounds evaluates a factor's truncation.
func (x *machine) bounds(f *ir.Factor, at map[string]int) (lo, hi float64, err error) {
	lo, hi = math.Inf(-1), math.Inf(1)
	for _, b := range []struct {
		e  ir.Expr
		to *float64
	}{{f.Lo, &lo}, {f.Hi, &hi}} {
		if b.e == nil {
			continue
		}
		v, err := x.eval(b.e, at)
		if err != nil {
			return 0, 0, err
		}
		*b.to = v[0]
	}
	return lo, hi, nil
}

// ordered returns log J! for each vector of J ordered elements, since J! orders of independent draws are folded into one; -Inf if one
// is out of order.
func (x *machine) ordered(v *ir.Var) (float64, error) {
	vals, err := x.value(v)
	if err != nil {
		return 0, err
	}
	n, err := x.total(v.Axes[len(v.Axes)-1])
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for i := 0; n > 0 && i < len(vals); i += n {
		lg, _ := math.Lgamma(float64(n) + 1)
		sum += lg
		for j := i + 1; j < i+n; j++ {
			if !(vals[j-1] < vals[j]) {
				return math.Inf(-1), nil
			}
		}
	}
	return sum, nil
}

// holds reports whether a constraint is satisfied everywhere.
func (x *machine) holds(k *ir.Constraint) (bool, error) {
	all := true
	err := x.each(k.Over, nil, func(at map[string]int) error {
		if ok, err := x.exists(k.Y, at); !ok {
			return err
		}
		y, err := x.ref(k.Y, at)
		if err != nil {
			return err
		}
		want, err := x.observed(k, at)
		all = all && err == nil && y[0] == want
		return err
	})
	return all, err
}

// observed computes what a constraint says of Y: 0 or 1, or a 0-based category.
func (x *machine) observed(k *ir.Constraint, at map[string]int) (float64, error) {
	l, err := x.eval(k.L, at)
	if err != nil {
		return 0, err
	}
	if k.Cuts != nil {
		cuts, err := x.ref(k.Cuts, at)
		below := 0.0
		for _, c := range cuts {
			if c < l[0] {
				below++
			}
		}
		return below, err
	}
	r, err := x.eval(k.R, at)
	if err != nil {
		return 0, err
	}
	if k.Less && l[0] < r[0] || !k.Less && l[0] > r[0] {
		return 1, nil
	}
	return 0, nil
}
