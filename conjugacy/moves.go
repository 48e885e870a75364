// This file holds how accumulators follow the unknowns in them: touch again, applied to the sum itself.
package conjugacy

import (
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// moves derives the update rules of every accumulator, for each unknown in it. What a rule sums over data alone becomes
// an accumulator too, so the list grows while it is walked.
func (a *Analysis) moves() {
	for i := 0; i < len(a.Accs.List); i++ {
		acc := a.Accs.List[i]
		for _, c := range a.Conds {
			v := c.Target.Var
			if v.Role != dsl.Local || !Mentions(acc.Body, v) {
				continue
			}
			t := c.Target
			delta := t.Touch(ir.Poly{acc.Body})
			delta = t.about(t.open(delta)) // what is free of t cancels between old and new
			sep := &separator{reg: a.Accs, target: nil, scope: map[string]ir.Bind{}}
			for _, b := range acc.Params {
				sep.scope[b.Name] = b
			}
			for j, x := range t.J {
				if x.Name != "" {
					sep.scope[x.Name] = ir.Bind{Name: x.Name, Plate: v.Axes[j]}
				}
			}
			q, _ := sep.separate(delta)
			acc.Moves = append(acc.Moves, Move{Var: v, Target: t, Delta: q})
		}
	}
}
