// This file holds GEM: the density of a broken stick's pieces, and the partition probability once it is integrated out.

package interp

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// fromCollapsed reports whether a factor draws categories from a stick that is integrated out.
func (x *machine) fromCollapsed(f *ir.Factor) bool {
	pi := sticksOf(f)
	return pi != nil && x.env.Collapsed[pi.Var.Name]
}

// sticksOf returns the GEM weights that a factor draws categories from, or nil.
func sticksOf(f *ir.Factor) *ir.Ref {
	if f.Dist.Type != ir.Cat || len(f.Args) == 0 {
		return nil
	}
	r, ok := f.Args[0].(*ir.Ref)
	if !ok || len(r.Var.Axes) == 0 || !r.Var.Axes[len(r.Var.Axes)-1].Unbounded {
		return nil
	}
	return r
}

// stick returns what a GEM factor and the categories drawn from it contribute.
//
// With the weights given: v[k] = x[k] / (1 - x[1] - ... - x[k-1]) ~ Beta(1, α) for the pieces in use, with the Jacobian.
// With the weights integrated out: the probability of the partition of the n categories into groups of sizes n[j],
// α^K Γ(α) / Γ(α + n) Π Γ(n[j]) (Pitman 1995). Labels do not matter: GEM's are not exchangeable, the partition is.
func (x *machine) stick(f *ir.Factor) (float64, error) {
	sum := 0.0
	err := x.each(f.Over, nil, func(at map[string]int) error {
		args, err := x.args(f, at)
		if err != nil {
			return err
		}
		alpha := args[0][0]
		if !(alpha > 0) {
			return fmt.Errorf("GEM with parameter %g", alpha)
		}
		if x.env.Collapsed[f.X.Var.Name] {
			counts, err := x.groups(f.X, at)
			if err != nil {
				return err
			}
			sum += logPartition(counts, alpha)
			return nil
		}
		w, err := x.ref(f.X, at)
		if err != nil {
			return err
		}
		sum += logSticks(w, alpha)
		return nil
	})
	return sum, err
}

// logSticks is the log density of the first pieces of a stick.
func logSticks(w []float64, alpha float64) float64 {
	lp, left := 0.0, 1.0
	for _, p := range w {
		if !(p > 0 && p < left) {
			return math.Inf(-1)
		}
		v := p / left
		lp += math.Log(alpha) + (alpha-1)*math.Log1p(-v) - math.Log(left)
		left -= p
	}
	return lp
}

// logPartition is the log probability of a partition into groups of these sizes under the Chinese restaurant process.
func logPartition(counts map[int]int, alpha float64) float64 {
	n, lp := 0, 0.0
	for _, k := range slices.Sorted(maps.Keys(counts)) { // in one order: the same sum to the last bit
		c := counts[k]
		g, _ := math.Lgamma(float64(c))
		lp += math.Log(alpha) + g
		n += c
	}
	a, _ := math.Lgamma(alpha)
	b, _ := math.Lgamma(alpha + float64(n))
	return lp + a - b
}

// groups counts the categories drawn from the stick that pi refers to.
func (x *machine) groups(pi *ir.Ref, at map[string]int) (map[int]int, error) {
	want, err := x.indices(pi.Idx, at)
	if err != nil {
		return nil, err
	}
	counts := map[int]int{}
	for _, f := range x.m.Factors {
		r := sticksOf(f)
		if r == nil || r.Var != pi.Var {
			continue
		}
		err := x.each(f.Over, nil, func(at map[string]int) error {
			if ok, err := x.exists(f.X, at); !ok {
				return err
			}
			idx, err := x.indices(r.Idx, at)
			if err != nil {
				return err
			}
			for i := range idx {
				if idx[i] != want[i] {
					return nil
				}
			}
			z, err := x.ref(f.X, at)
			if err != nil {
				return err
			}
			k, err := whole(z[0])
			counts[k]++
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}
