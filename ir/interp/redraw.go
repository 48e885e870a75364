// This file holds data drawn anew, given the unknowns.

package interp

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// ErrIntegrated is why Redraw cannot draw from some models: data are not free to be drawn from their own distributions.
var ErrIntegrated = errors.New("data cannot be drawn given the unknowns")

// Redraw draws the data that have a distribution or are observed anew, given the unknowns in env, and stores them there. Unknowns that the
// model integrates out are drawn as well, where data depend on them, and are not given: where other unknowns depend on them too, their
// distribution given those is not their prior, and that is ErrIntegrated. So are data that the prior of an unknown depends on: given the
// unknown, they are not distributed as they are without it.
func Redraw(m *ir.Model, env *Env, rng *runtime.Rand) error {
	x, err := newMachine(m, env)
	if err != nil {
		return err
	}
	s := newSimulation(x, rng)
	for _, f := range m.Factors {
		for _, v := range m.Vars {
			if v.Role == dsl.Data && len(s.factors[v]) > 0 && f.X.Var.Unknown() && mentions(f, v) {
				return fmt.Errorf("%w: the prior of %s depends on %s, which are data with a distribution", ErrIntegrated, f.X.Var.Name, v.Name)
			}
		}
	}
	for _, v := range m.Vars {
		if !v.Unknown() || slices.Contains(m.Collapse, v) {
			continue
		}
		vals, err := x.value(v)
		if err != nil {
			return err
		}
		s.state[v] = slices.Repeat([]draw{done}, len(vals)+1)
	}
	for _, v := range m.Vars {
		if v.Role != dsl.Data || len(s.factors[v]) == 0 && len(s.seen[v]) == 0 {
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
	for _, f := range m.Factors {
		for _, v := range m.Collapse {
			if s.state[v] != nil && f.X.Var.Unknown() && !slices.Contains(m.Collapse, f.X.Var) && mentions(f, v) {
				return fmt.Errorf("%w: they depend on %s, which is integrated out, and so does %s", ErrIntegrated, v.Name, f.X.Var.Name)
			}
		}
	}
	return nil
}

// mentions reports whether the distribution of what f draws depends on v directly.
func mentions(f *ir.Factor, v *ir.Var) bool {
	found := false
	for _, e := range append([]ir.Expr{f.Lo, f.Hi}, f.Args...) {
		if e != nil {
			ir.WalkExpr(e, func(e ir.Expr) {
				if r, ok := e.(*ir.Ref); ok && r.Var == v {
					found = true
				}
			})
		}
	}
	return found
}
