// This file holds the faults in derivations: ways in which a prototype of package conjugacy was wrong, or in which it was itself.

package main

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
)

var derivations = []mutation{
	// Those of the prototype.
	{name: "no renaming in a product", model: "lassogauss2", by: "conditional", derivation: inCoef("sigma2", "b", captured)},
	{name: "no renaming in a product of an accumulator", model: "niw", by: "conditional", derivation: func(a *conjugacy.Analysis) bool {
		for _, acc := range a.Accs.List {
			if n := len(acc.Params); n == 3 { // Σ [z = k] x[·,p] x[·,q] with q for p
				acc.Body = renamed(acc.Body, acc.Params[2].Name, acc.Params[1].Name)
				acc.Body.Over = slices.Clone(acc.Body.Over)
				return true
			}
		}
		return false
	}},
	{name: "a mixed case dropped", model: "overlap", by: "conditional", derivation: inCoef("a", "prec", func(t ir.Term) (ir.Term, bool) { return t, t.C != 2 })},
	{name: "an inequality dropped", model: "overlap", by: "conditional", derivation: inCoef("a", "h", unguarded(ir.Ne))},
	{name: "an inequality dropped inside a function", model: "dirhyper", by: "conditional", derivation: func(a *conjugacy.Analysis) bool {
		c := conditional(a, "al")
		return changed(&c.LogT, func(t ir.Term) (ir.Term, bool) {
			t.F = slices.Clone(t.F)
			for i, f := range t.F {
				if len(f.A.Args) == 1 && len(f.A.Args[0]) == 2 {
					arg := slices.Clone(f.A.Args[0])
					for j := range arg {
						arg[j].Guards = nil
					}
					t.F[i].A = &ir.Atom{Fn: f.A.Fn, Name: f.A.Name, Args: []ir.Poly{arg}}
				}
			}
			return t, true
		})
	}},
	{name: "no range guard at the end of a chain", model: "hmm2", by: "conditional", derivation: inLog("z", unguarded(ir.In))},
	{name: "no range guard in a move", model: "hmm2", by: "conditional", derivation: inMoves("z", unguarded(ir.In))},
	{name: "no range guard of a literal index", model: "markov2", by: "conditional", derivation: inCoef("p", "c", unguarded(ir.In))},
	{name: "a literal case not told apart", model: "hmm2", by: "conditional", derivation: inLog("z", unguarded(ir.Eq))},
	{name: "an accumulator that depends on a global category", model: "catofcat", by: "bookkeeping", derivation: func(a *conjugacy.Analysis) bool {
		mu, z := conditional(a, "mu"), conditional(a, "z")
		n := ir.Bind{Name: "n", Plate: z.Target.Var.Axes[0]}
		c, data := a.Model.Var("c"), a.Model.Var("x")
		of := func(label ir.Ix) ir.Guard { // [c[label] = f1]
			return ir.Guard{Rel: ir.Eq, L: []ir.Ix{{Cat: ir.RefTo(c, label)}}, R: []ir.Ix{ir.At("f1")}}
		}
		acc := &conjugacy.Accumulator{Name: "A99", Params: []ir.Bind{{Name: "f1", Plate: mu.Target.Var.Axes[0]}},
			Body: ir.Term{C: 1, Over: []ir.Bind{n}, Guards: []ir.Guard{of(ir.Ix{Cat: ir.RefTo(z.Target.Var, ir.At("n"))})},
				F: []ir.Fac{{A: ir.RefTo(data, ir.At("n")), P: 1}}}}
		acc.Moves = []conjugacy.Move{{Var: z.Target.Var, Target: z.Target, Delta: ir.Guarded(of(ir.Ix{Cat: ir.RefTo(z.Target.T)}), ir.RefTo(data, z.Target.J[0]).Poly())}}
		a.Accs.List = append(a.Accs.List, acc)
		mu.Params.Coef["h"] = (&ir.Atom{Fn: ir.AccAtom, Name: "A99", Ix: mu.Target.J}).Poly()
		return true
	}},
	{name: "the parent of a ragged list mixed up", model: "raggedmeans", by: "bookkeeping", derivation: inMoves("b", func(t ir.Term) (ir.Term, bool) {
		return renamed(t, "$1", "$2"), true
	})},

	// Arithmetic.
	{name: "a coefficient halved", model: "mixsd", by: "conditional", derivation: inCoef("mu", "prec", scaled(0.5))},
	{name: "a coefficient halved in weights", model: "mixsd", by: "conditional", derivation: inLog("z", scaled(0.5))},
	{name: "a coefficient halved in a slice's density", model: "pumpfix", by: "conditional", derivation: inLog("alpha", scaled(0.5))},
	{name: "a coefficient halved in a block", model: "niw", by: "conditional", derivation: inCoef("mu", "h", scaled(0.5))},
	{name: "a coefficient halved in a collapsed block", model: "ldacollapsed", by: "conditional", derivation: func(a *conjugacy.Analysis) bool {
		p := a.Collapsed[0].Params.Coef["c"]
		ok := changed(&p, scaled(0.5))
		a.Collapsed[0].Params.Coef["c"] = p
		return ok
	}},
	{name: "a prior forgotten", model: "nested", by: "conditional", derivation: inCoef("b", "prec", func(t ir.Term) (ir.Term, bool) { return t, len(t.F) > 0 })},
	{name: "another power", model: "lassogauss2", by: "conditional", derivation: func(a *conjugacy.Analysis) bool {
		c := conditional(a, "lambda")
		c.Params.R = 1
		return true
	}},
	{name: "a power off by one", model: "sduniform", by: "conditional", derivation: inCoef("s", "c", func(t ir.Term) (ir.Term, bool) {
		return ir.Term{C: t.C + 1, F: t.F, Over: t.Over, Guards: t.Guards}, true
	})},
	{name: "the wrong label", model: "twoarrays", by: "conditional", derivation: inLog("z", func(t ir.Term) (ir.Term, bool) { return renamedVar(t, "mu", "s2") })},

	// Accumulators.
	{name: "a move forgotten", model: "hmm2", by: "bookkeeping", derivation: func(a *conjugacy.Analysis) bool {
		acc := a.Accs.List[len(a.Accs.List)-1]
		acc.Moves[0].Delta = nil
		return true
	}},
	{name: "a part of a move forgotten", model: "ar1latent", by: "bookkeeping", derivation: inMoves("x", func(t ir.Term) (ir.Term, bool) {
		return t, !slices.ContainsFunc(t.Guards, func(g ir.Guard) bool { return g.Rel == ir.In && g.L[0].Add == 1 })
	})},
	{name: "a move backwards", model: "mixsd", by: "bookkeeping", derivation: inMoves("z", scaled(-1))},
	{name: "a move half as large", model: "ratsbar", by: "bookkeeping", derivation: inMoves("al", scaled(0.5))},
	{name: "moves that read each other in the wrong order", model: "blockmodel", by: "bookkeeping", derivation: func(a *conjugacy.Analysis) bool {
		conditional(a, "z").Entangled = false
		return true
	}},
	{name: "moves of a number that read each other in the wrong order", model: "symdiag", by: "bookkeeping", derivation: func(a *conjugacy.Analysis) bool {
		conditional(a, "a").Entangled = false
		slices.Reverse(a.Accs.List)
		return true
	}},
	{name: "moves of a vector that read each other in the wrong order", model: "vecpairs", by: "bookkeeping", derivation: func(a *conjugacy.Analysis) bool {
		conditional(a, "a").Entangled = false
		return true
	}},
	{name: "the target left in the counts", model: "ldatheta", by: "conditional", derivation: func(a *conjugacy.Analysis) bool {
		conditional(a, "z").Removed = false
		return true
	}},
	{name: "what is free of t not taken out", model: "betacollapsed", by: "conditional", derivation: inMoves("y", func(t ir.Term) (ir.Term, bool) { return t, len(t.F) > 0 })},

	// Bounds.
	{name: "a bound forgotten", model: "uniformb", by: "conditional", derivation: func(a *conjugacy.Analysis) bool {
		conditional(a, "b").Bounds = nil
		return true
	}},
	{name: "a bound on the wrong side", model: "ordinal", by: "conditional", derivation: func(a *conjugacy.Analysis) bool {
		c := conditional(a, "c")
		c.Bounds[0].A, c.Bounds[0].B = c.Bounds[0].A.Scale(-1), c.Bounds[0].B.Scale(-1)
		return true
	}},
	{name: "a truncation forgotten", model: "truncnormal", by: "conditional", derivation: func(a *conjugacy.Analysis) bool {
		conditional(a, "b").Params.Truncated = false
		return true
	}},
	{name: "the normalising constant of a truncation forgotten", model: "trunchyper", by: "conditional", derivation: inLog("mu", func(t ir.Term) (ir.Term, bool) {
		return t, !slices.ContainsFunc(t.F, func(f ir.Fac) bool { return f.A.Name == "logPhi" })
	})},
}
