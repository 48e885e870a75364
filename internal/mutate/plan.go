// This file holds the faults in plans: what is right in algebra, and computed at the wrong time, by the wrong worker, or never.

package main

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

var plans = []mutation{
	{name: "a table of the wrong weights", model: "specs/mixture", by: "conditional", plan: func(p *plan.Plan) bool {
		return changed(&kernel(p, "z").Tables[0].Value, scaled(0.5))
	}},
	{name: "a table with its categories crossed", model: "hmm2", by: "conditional", plan: func(p *plan.Plan) bool {
		for _, t := range kernel(p, "z").Tables {
			if len(t.Params) == 2 { // P[z[t-1], t] read as P[t, z[t-1]]
				t.Value = (&ir.Rewriter{Names: map[string]ir.Ix{t.Params[0].Name: ir.At("t"), "t": ir.At(t.Params[0].Name)}}).Poly(t.Value)
				return true
			}
		}
		return false
	}},
	{name: "a factor of the weights upside down", model: "ldatheta", by: "conditional", plan: func(p *plan.Plan) bool {
		fs := kernel(p, "z").Factors
		fs[0].Power = -fs[0].Power
		return true
	}},
	{name: "a factor of the weights forgotten", model: "ldatheta", by: "conditional", plan: func(p *plan.Plan) bool {
		k := kernel(p, "z")
		k.Factors = k.Factors[1:]
		return true
	}},
	{name: "a global that no sweep draws", model: "specs/mixture", by: "coverage", plan: func(p *plan.Plan) bool {
		n := len(p.Globals)
		p.Globals = slices.DeleteFunc(p.Globals, func(k *plan.Kernel) bool { return k.Target.Var.Name == "s2" })
		return len(p.Globals) < n
	}},
	{name: "a local that no sweep draws", model: "twoarrays", by: "coverage", plan: func(p *plan.Plan) bool {
		g := p.Locals[0]
		g.Kernels = g.Kernels[:0]
		return true
	}},
	{name: "units of a chain side by side", model: "ar1latent", by: "determinism", plan: uncoupled},
	{name: "labels of a chain side by side", model: "hmm2", by: "determinism", plan: uncoupled},
	{name: "a table of counts that all workers write to", model: "specs/mixture", by: "full", plan: shared(plan.Whole, plan.Rows)},
	{name: "a sum that all workers write to", model: "specs/pump", by: "determinism", plan: shared(plan.Parts, plan.Rows)},
	{name: "a part of a slice's density off", model: "specs/pump", by: "conditional", plan: func(p *plan.Plan) bool {
		return changed(&kernel(p, "alpha").LogParts, scaled(0.9))
	}},
	{name: "what is integrated out has the wrong shape", model: "ldatheta", by: "conditional", plan: func(p *plan.Plan) bool {
		q := p.Collapsed[0].Params.Coef["c"]
		ok := changed(&q, scaled(0.5))
		p.Collapsed[0].Params.Coef["c"] = q
		return ok
	}},
}

// kernel returns that of a variable, which the plan has.
func kernel(p *plan.Plan, v string) *plan.Kernel {
	ks := p.Kernels()
	return ks[slices.IndexFunc(ks, func(k *plan.Kernel) bool { return k.Target.Var.Name == v })]
}

// uncoupled calls units independent that are not.
func uncoupled(p *plan.Plan) bool {
	was := p.Coupled
	p.Coupled = ""
	return was != ""
}

// shared has workers do with accumulators what others need.
func shared(from, to plan.Sharing) func(*plan.Plan) bool {
	return func(p *plan.Plan) bool {
		found := false
		for _, acc := range p.Accs {
			if acc.Sharing == from {
				acc.Sharing, found = to, true
			}
		}
		return found
	}
}
