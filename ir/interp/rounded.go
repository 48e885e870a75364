// This file tells draws from what floating point has made of draws.

package interp

import (
	"fmt"
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// smallest is what positive draws below it are moved to.
const smallest = 0x1p-1022

// Rounded returns an error that names a real number of env which is no draw from its statement any more: one of which floating point has
// left so few digits that its density is lost, such as 1e20 from Normal(1e20, 1); one that was moved to where floating point ends or
// begins, and so was an element of a point of the simplex, by which unknowns are told; a share so close to 1, by which unknowns are told, that
// its distance from 1 is lost; or one from a distribution with a shape so large that sums of logarithms of Gamma functions are all rounding.
// No sampler has the posterior of the draw that was meant. nil if there is none.
func Rounded(m *ir.Model, env *Env) error {
	return eachDraw(m, env, func(f *ir.Factor, val []float64, args [][]float64, _ float64) error {
		e, ok := table[f.Dist.LogProb]
		if !ok || f.Dist.Type != ir.Real {
			return nil
		}
		for _, i := range gammaFunctionOf[f.Dist.Name] {
			if dependsOnUnknown(f.Args[i]) && slices.ContainsFunc(args[i], func(y float64) bool { return y > 1e12 }) {
				return fmt.Errorf("%s: floating point rounds the Gamma function of %v, of %s, too much", f.X.Var.Name, args[i], f.Dist.Name)
			}
		}
		told := slices.ContainsFunc(f.Args, dependsOnUnknown)
		clipped := func(y float64) bool { return math.Abs(y) == math.MaxFloat64 || y == smallest }
		if f.X.Var.Support.Kind == ir.Simplex && told && slices.ContainsFunc(val, func(y float64) bool { return y <= smallest }) {
			return fmt.Errorf("%s: floating point rounds an element of %v, from %s with parameters %v, too much", f.X.Var.Name, val, f.Dist.Name, args)
		}
		if f.X.Var.Support.Kind == ir.Line && (rounded(e, val, args) || slices.ContainsFunc(val, clipped) || told && e.share && fromOne(e, val, args)) {
			return fmt.Errorf("%s: floating point rounds %v, from %s with parameters %v, too much", f.X.Var.Name, val, f.Dist.Name, args)
		}
		return nil
	})
}

// eachDraw visits every draw that env has, with its value and parameters; sticks, and what is drawn from those integrated out, are none.
// logMass is the logarithm of the probability between the ends of a truncated one, 0 of others.
func eachDraw(m *ir.Model, env *Env, visit func(f *ir.Factor, val []float64, args [][]float64, logMass float64) error) error {
	x, err := newMachine(m, env)
	if err != nil {
		return err
	}
	for _, f := range m.Factors {
		if f.Dist.Name == "GEM" || x.fromCollapsed(f) {
			continue
		}
		err := x.each(f.Over, nil, func(at map[string]int) error {
			if ok, err := x.exists(f.X, at); !ok {
				return err
			}
			val, err := x.ref(f.X, at)
			if err != nil {
				return err
			}
			args, err := x.args(f, at)
			if err != nil {
				return err
			}
			if f.Lo == nil && f.Hi == nil || f.Dist.LogProb == "" {
				return visit(f, val, args, 0)
			}
			lo, hi, err := x.bounds(f, at)
			if err != nil {
				return err
			}
			mass, err := table[f.Dist.LogProb].logBetween(lo, hi, args)
			if err != nil {
				return err
			}
			return visit(f, val, args, mass)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// gammaFunctionOf lists the parameters that distributions have the Gamma function of.
var gammaFunctionOf = map[string][]int{"Gamma": {0}, "InvGamma": {0}, "Beta": {0, 1}, "Dirichlet": {0}}

// most is the change of the log density, by rounding, of what is a draw; one of ordinary size changes it by 1e-12.
const most = 0.01

// fromOne reports whether the density of a share is another one at the number next to it: of Beta(1, 1e-3) nearly all is closer to 1 than any.
func fromOne(e entry, x []float64, args [][]float64) bool {
	here, there := e.logp(x, args), e.logp([]float64{math.Nextafter(x[0], 0)}, args)
	return !(math.Abs(there-here) <= most)
}

// rounded reports whether the density of a draw is another one at numbers that are the same to thirteen digits, in distance from 0 and from
// 1 for a share.
func rounded(e entry, x []float64, args [][]float64) bool {
	const digits = 1e-13
	beside := make([]float64, len(x))
	here := e.logp(x, args)
	for _, step := range []float64{-3 * digits, -digits, digits, 2 * digits} { // rounding may hit upon the same number by chance
		for i, y := range x {
			if beside[i] = y + step*y; e.share {
				beside[i] = y + step*min(y, 1-y)
			}
		}
		if there := e.logp(beside, args); !(math.Abs(there-here) <= most) && there != here {
			return true
		}
	}
	return false
}

// Largest returns the largest size of a real number that is drawn, unknown or data, and of a parameter that depends on unknowns: next to it
// floating point tells numbers apart to a 1e16th of it. A shape counts as 100 over its size too, and a truncated
// distribution as 100 times the logarithm of what is left of it. NaN has no size.
func Largest(m *ir.Model, env *Env) (float64, error) {
	largest := 0.0
	see := func(xs []float64) {
		for _, y := range xs {
			if y == y {
				largest = max(largest, math.Abs(y))
			}
		}
	}
	err := eachDraw(m, env, func(f *ir.Factor, val []float64, args [][]float64, logMass float64) error {
		see([]float64{100 * logMass}) // which is taken off a log density of its size
		if f.Dist.Type == ir.Real {
			see(val)
		}
		for i, a := range f.Args {
			if !dependsOnUnknown(a) {
				continue
			}
			see(args[i])
			if slices.Contains(gammaFunctionOf[f.Dist.Name], i) {
				for _, y := range args[i] { // from which samplers take 1, and add it again
					see([]float64{100 / y})
				}
			}
		}
		return nil
	})
	return largest, err
}

func dependsOnUnknown(e ir.Expr) bool {
	found := false
	ir.WalkExpr(e, func(e ir.Expr) {
		if r, ok := e.(*ir.Ref); ok && r.Var.Unknown() {
			found = true
		}
	})
	return found
}
