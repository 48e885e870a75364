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
// left so few digits that its density is lost, such as 1e20 from Normal(1e20, 1); or, of data, one that was moved to where floating point ends or
// begins. No sampler has the posterior of the draw that was meant. nil if there is none.
func Rounded(m *ir.Model, env *Env) error {
	x, err := newMachine(m, env)
	if err != nil {
		return err
	}
	for _, f := range m.Factors {
		e, ok := table[f.Dist.LogProb]
		if !ok || f.X.Var.Support.Kind != ir.Line || f.Dist.Type != ir.Real {
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
			if rounded(e, val, args) || !f.X.Var.Unknown() && slices.ContainsFunc(val, func(y float64) bool { return math.Abs(y) == math.MaxFloat64 || y == smallest }) {
				return fmt.Errorf("%s: floating point rounds %v, from %s with parameters %v, too much", f.X.Var.Name, val, f.Dist.Name, args)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rounded reports whether the density of a draw is another one at numbers that are the same to thirteen digits, in distance from 0 and from
// 1 for a share.
func rounded(e entry, x []float64, args [][]float64) bool {
	const (
		digits = 1e-13
		most   = 0.01 // change of the log density; a draw of ordinary size changes it by 1e-12
	)
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
