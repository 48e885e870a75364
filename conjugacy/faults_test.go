// This file plants faults and demands that they are caught: each alters what Analyze derived, in one of the ways in which a
// prototype of this package was wrong or in which this one was, and some check has to fail. Wrong densities and stale
// accumulators are what the tests of generated packages find; what is right but dear, only goldens do.

package conjugacy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

// A check is what catches a fault.
type check string

const (
	density check = "conditional against the log joint"
	stale   check = "accumulators against their sums"
	crash   check = "index out of range"
	support check = "support of the log joint"
	golden  check = "golden"
	sweep   check = "a sweep against its draws one by one"
	crew    check = "several workers against one"
	unit    check = "units one by one"
)

// A fault alters an analysis. It returns false if there was nothing to alter.
type fault struct {
	name  string
	model string
	plant func(a *conjugacy.Analysis) bool
	by    check
}

// inCode are faults in generated code, in what sweeps do otherwise than draws one by one: to stands where from should.
var inCode = []struct {
	name, model, from, to string
	by                    check
}{
	{"four at a time: one row for another", "lassoprobit", "h2 += x2[", "h2 += x1[", sweep},
	{"four at a time: a difference times the wrong row", "lassoprobit", "diff1*x1[", "diff1*x2[", stale},
	{"by rows: a variance for a precision", "lassogauss2", "weightRow[i] = 1 / sigma2", "weightRow[i] = sigma2", density},
	{"by rows: a score that is not weighted", "lassogauss2", "scoreRow[i] = yRow[i] / sigma2", "scoreRow[i] = yRow[i]", density},
	{"a worker with the chain's random numbers", "lassoprobit", "w.rng = own.rng", "_ = own", crew},
	{"a worker's counts of the round before", "niw", "clear(w.acc1)", "", stale},
	{"a worker's counts forgotten", "ldatheta", "runtime.AddCells(w.chain.acc1, w.acc1)", "", stale},
	{"a block's sums added twice", "lassoprobit", "runtime.AddCells(w.chain.acc1, sums)", "runtime.AddCells(w.chain.acc1, sums)\nruntime.AddCells(w.chain.acc1, sums)", stale},
	{"a block's sums not begun at zero", "pumpfix", "w.acc1 = 0", "", stale},
	{"a list's units beyond those asked for", "batchdeep", "stop := min(past, wordsAt[list+1])", "stop := wordsAt[list+1]", unit},
	{"by rows: squares counted twice", "lassogauss2", "sum3 += sum4 * sum4", "sum3 += 2 * sum4 * sum4", density},
}

var faults = []fault{
	// Those of the prototype.
	{"no renaming in a product", "lassogauss2", inCoef("sigma2", "b", captured), density},
	{"no renaming in a product of an accumulator", "niw", func(a *conjugacy.Analysis) bool {
		for _, acc := range a.Accs.List {
			if n := len(acc.Params); n == 3 { // Σ [z = k] x[·,p] x[·,q] with q for p
				acc.Body = renamed(acc.Body, acc.Params[2].Name, acc.Params[1].Name)
				acc.Body.Over = slices.Clone(acc.Body.Over)
				return true
			}
		}
		return false
	}, density},
	{"a mixed case dropped", "overlap", inCoef("a", "prec", func(t ir.Term) (ir.Term, bool) { return t, t.C != 2 }), density},
	{"an inequality dropped", "overlap", inCoef("a", "h", unguarded(ir.Ne)), density},
	{"an inequality dropped inside a function", "dirhyper", func(a *conjugacy.Analysis) bool {
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
	}, density},
	{"no range guard at the end of a chain", "hmm2", inLog("z", unguarded(ir.In)), crash},
	{"no range guard in a move", "hmm2", inMoves("z", unguarded(ir.In)), crash},
	{"no range guard of a literal index", "markov2", inCoef("p", "c", unguarded(ir.In)), crash},
	{"a literal case not told apart", "hmm2", inLog("z", unguarded(ir.Eq)), density},
	{"an accumulator that depends on a global category", "catofcat", func(a *conjugacy.Analysis) bool {
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
	}, stale},
	{"a guard not substituted: a count of pairs for a count", "mixsd", func(a *conjugacy.Analysis) bool {
		for _, acc := range a.Accs.List {
			if len(acc.Body.F) == 0 { // Σ [z = f1] becomes Σ [z = f1][z = f2], of which the diagonal is read
				p := acc.Params[0]
				q := p
				q.Name = "f2"
				acc.Params = append(acc.Params, q)
				g := acc.Body.Guards[0]
				acc.Body.Guards = append(slices.Clone(acc.Body.Guards), ir.Guard{Rel: ir.Eq, L: g.L, R: []ir.Ix{ir.At("f2")}})
				return true
			}
		}
		return false
	}, golden},
	{"t[d]^2 not split: the family lost", "lassogauss2", func(a *conjugacy.Analysis) bool {
		c := conditional(a, "w")
		c.Kernel, c.Family, c.Why = conjugacy.SliceKernel, nil, "$t[d]^2"
		return true
	}, golden},
	{"binders not split: one sum of pairs for a product of sums", "blockmodel", func(a *conjugacy.Analysis) bool {
		for _, acc := range a.Accs.List {
			if len(acc.Body.Over) == 1 && len(acc.Body.F) == 0 {
				b := acc.Body.Over[0]
				b.Name = "i'"
				acc.Body.Over = append(slices.Clone(acc.Body.Over), b)
				return true
			}
		}
		return false
	}, golden},
	{"the parent of a ragged list mixed up", "raggedmeans", inMoves("b", func(t ir.Term) (ir.Term, bool) {
		return renamed(t, "$1", "$2"), true
	}), stale},
	{"constants not merged", "ldaplain", inCoefs("beta", "c", func(p ir.Poly) ir.Poly { return append(p, ir.Term{C: 1}, ir.Term{C: -1}) }), golden},

	// Arithmetic.
	{"a coefficient halved", "mixsd", inCoef("mu", "prec", scaled(0.5)), density},
	{"a coefficient halved in weights", "mixsd", inLog("z", scaled(0.5)), density},
	{"a coefficient halved in a slice's density", "pumpfix", inLog("alpha", scaled(0.5)), density},
	{"a coefficient halved in a block", "niw", inCoef("mu", "h", scaled(0.5)), density},
	{"a coefficient halved in a collapsed block", "ldacollapsed", func(a *conjugacy.Analysis) bool {
		p := a.Collapsed[0].Params.Coef["c"]
		ok := changed(&p, scaled(0.5))
		a.Collapsed[0].Params.Coef["c"] = p
		return ok
	}, density},
	{"a prior forgotten", "nested", inCoef("b", "prec", func(t ir.Term) (ir.Term, bool) { return t, len(t.F) > 0 }), density},
	{"another power", "lassogauss2", func(a *conjugacy.Analysis) bool {
		c := conditional(a, "lambda")
		c.Params.R = 1
		return true
	}, density},
	{"a power off by one", "sduniform", inCoef("s", "c", func(t ir.Term) (ir.Term, bool) {
		return ir.Term{C: t.C + 1, F: t.F, Over: t.Over, Guards: t.Guards}, true
	}), density},
	{"the wrong label", "twoarrays", inLog("z", func(t ir.Term) (ir.Term, bool) { return renamedVar(t, "mu", "s2") }), density},

	// Accumulators.
	{"a move forgotten", "hmm2", func(a *conjugacy.Analysis) bool {
		acc := a.Accs.List[len(a.Accs.List)-1]
		acc.Moves[0].Delta = nil
		return true
	}, stale},
	{"a part of a move forgotten", "ar1latent", inMoves("x", func(t ir.Term) (ir.Term, bool) {
		return t, !slices.ContainsFunc(t.Guards, func(g ir.Guard) bool { return g.Rel == ir.In && g.L[0].Add == 1 })
	}), stale},
	{"a move backwards", "mixsd", inMoves("z", scaled(-1)), stale},
	{"a move half as large", "ratsbar", inMoves("al", scaled(0.5)), stale},
	{"moves that read each other in the wrong order", "blockmodel", func(a *conjugacy.Analysis) bool {
		conditional(a, "z").Entangled = false
		return true
	}, stale},
	{"moves of a number that read each other in the wrong order", "symdiag", func(a *conjugacy.Analysis) bool {
		conditional(a, "a").Entangled = false
		slices.Reverse(a.Accs.List)
		return true
	}, stale},
	{"moves of a vector that read each other in the wrong order", "vecpairs", func(a *conjugacy.Analysis) bool {
		conditional(a, "a").Entangled = false
		return true
	}, stale},
	{"the target left in the counts", "ldatheta", func(a *conjugacy.Analysis) bool {
		conditional(a, "z").Removed = false
		return true
	}, density},
	{"what is free of t not taken out", "betacollapsed", inMoves("y", func(t ir.Term) (ir.Term, bool) { return t, len(t.F) > 0 }), density},

	// Bounds.
	{"a bound forgotten", "uniformb", func(a *conjugacy.Analysis) bool {
		conditional(a, "b").Bounds = nil
		return true
	}, support},
	{"a bound on the wrong side", "ordinal", func(a *conjugacy.Analysis) bool {
		c := conditional(a, "c")
		c.Bounds[0].A, c.Bounds[0].B = c.Bounds[0].A.Scale(-1), c.Bounds[0].B.Scale(-1)
		return true
	}, support},
	{"a truncation forgotten", "truncnormal", func(a *conjugacy.Analysis) bool {
		conditional(a, "b").Params.Truncated = false
		return true
	}, support},
	{"the normalising constant of a truncation forgotten", "trunchyper", inLog("mu", func(t ir.Term) (ir.Term, bool) {
		return t, !slices.ContainsFunc(t.F, func(f ir.Fac) bool { return f.A.Name == "logPhi" })
	}), density},
}

func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs generated code")
	}
	p := newProgram(t)
	pkg := map[string]string{}
	for i, f := range faults {
		a := mustAnalyse(t, named(t, f.model))
		if !f.plant(a) {
			t.Errorf("%s: nothing in %s to alter", f.name, f.model)
			continue
		}
		if f.by == golden {
			want, err := os.ReadFile(filepath.Join("testdata", "golden", f.model+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			if dump(a) == string(want) {
				t.Errorf("%s: not caught by the golden of %s", f.name, f.model)
			} else {
				t.Logf("%-70s caught by the golden of %s", f.name, f.model)
			}
			continue
		}
		a.Grams = nil // what is altered is the form with the matrix, so it is drawn from at all sizes
		for _, c := range a.Conds {
			c.Rows = nil
		}
		pkg[f.name] = fmt.Sprintf("fault%02d", i)
		p.add(t, pkg[f.name], generated(t, a, f.name, f.model, pkg[f.name]))
	}
	planted := slices.Clone(faults)
	for i, f := range inCode {
		pkg[f.name] = fmt.Sprintf("code%02d", i)
		files := generated(t, mustAnalyse(t, named(t, f.model)), f.name, f.model, pkg[f.name])
		found := false
		for j := range files {
			found = found || strings.Contains(string(files[j].Src), f.from)
			files[j].Src = []byte(strings.ReplaceAll(string(files[j].Src), f.from, f.to))
		}
		if !found {
			t.Errorf("%s: no %s in the code of %s", f.name, f.from, f.model)
		}
		p.add(t, pkg[f.name], files)
		planted = append(planted, fault{name: f.name, model: f.model, by: f.by})
	}
	failed := p.run(t)
	marks := map[check]string{density: "its log density changes by", stale: "summed from scratch", crash: "out of range", support: "log joint is -Inf", sweep: "if it is drawn by itself", crew: "by one worker, and", unit: "is drawn with"}
	for _, f := range planted {
		if pkg[f.name] == "" {
			continue
		}
		out := failed[pkg[f.name]]
		switch {
		case out == "":
			t.Errorf("%s (in %s): not caught", f.name, f.model)
		case !strings.Contains(out, marks[f.by]):
			t.Errorf("%s (in %s): caught otherwise than by %s:\n%s", f.name, f.model, f.by, out)
		default:
			t.Logf("%-70s caught by %s", f.name, f.by)
		}
	}
}

// generated returns the code of the analysis with the fault of that name.
func generated(t *testing.T, a *conjugacy.Analysis, fault, model, pkg string) []codegen.File {
	t.Helper()
	built, diags := plan.Build(a)
	if diags.HasErrors() {
		t.Fatalf("%s: %v", fault, diags)
	}
	files, err := codegen.Generate(built, codegen.Options{Package: pkg, Spec: model + ".gm"})
	if err != nil {
		t.Fatalf("%s: %v", fault, err)
	}
	return files
}

func conditional(a *conjugacy.Analysis, v string) *conjugacy.Conditional {
	for _, c := range a.Conds {
		if c.Target.Var.Name == v {
			return c
		}
	}
	panic("no conditional of " + v)
}

// changed rewrites the terms of p; fn returns false to drop one. It reports whether p is another now.
func changed(p *ir.Poly, fn func(ir.Term) (ir.Term, bool)) bool {
	before := p.CanonKey()
	var out ir.Poly
	for _, t := range *p {
		if u, ok := fn(t); ok {
			out = append(out, u)
		}
	}
	*p = out
	return p.CanonKey() != before
}

// inCoef alters the terms of a natural parameter.
func inCoef(v, name string, fn func(ir.Term) (ir.Term, bool)) func(*conjugacy.Analysis) bool {
	return func(a *conjugacy.Analysis) bool {
		c := conditional(a, v)
		p := c.Params.Coef[name]
		ok := changed(&p, fn)
		c.Params.Coef[name] = p
		return ok
	}
}

// inCoefs alters a natural parameter as a whole.
func inCoefs(v, name string, fn func(ir.Poly) ir.Poly) func(*conjugacy.Analysis) bool {
	return func(a *conjugacy.Analysis) bool {
		c := conditional(a, v)
		c.Params.Coef[name] = fn(slices.Clone(c.Params.Coef[name]))
		return true
	}
}

// inLog alters the terms of a log density.
func inLog(v string, fn func(ir.Term) (ir.Term, bool)) func(*conjugacy.Analysis) bool {
	return func(a *conjugacy.Analysis) bool { return changed(&conditional(a, v).LogT, fn) }
}

// inMoves alters the terms of every move with v.
func inMoves(v string, fn func(ir.Term) (ir.Term, bool)) func(*conjugacy.Analysis) bool {
	return func(a *conjugacy.Analysis) bool {
		ok := false
		for _, acc := range a.Accs.List {
			for i := range acc.Moves {
				if acc.Moves[i].Var.Name == v {
					ok = changed(&acc.Moves[i].Delta, fn) || ok
				}
			}
		}
		return ok
	}
}

func scaled(c float64) func(ir.Term) (ir.Term, bool) {
	return func(t ir.Term) (ir.Term, bool) {
		t.C *= c
		return t, true
	}
}

// unguarded drops the guards of a kind.
func unguarded(rel ir.Rel) func(ir.Term) (ir.Term, bool) {
	return func(t ir.Term) (ir.Term, bool) {
		t.Guards = slices.DeleteFunc(slices.Clone(t.Guards), func(g ir.Guard) bool { return g.Rel == rel })
		return t, true
	}
}

// captured gives two binders over one plate the same name, as a product without renaming would.
func captured(t ir.Term) (ir.Term, bool) {
	if len(t.Over) == 2 && t.Over[0].Plate == t.Over[1].Plate {
		first, second := t.Over[0], t.Over[1]
		t.Over = nil
		t = renamed(t, second.Name, first.Name)
		t.Over = []ir.Bind{first}
	}
	return t, true
}

// renamed replaces a free index name.
func renamed(t ir.Term, from, to string) ir.Term {
	return (&ir.Rewriter{Names: map[string]ir.Ix{from: ir.At(to)}}).Term(t)[0]
}

// renamedVar replaces a variable by another of the same shape.
func renamedVar(t ir.Term, from, to string) (ir.Term, bool) {
	var other *ir.Var
	t.WalkAtoms(func(a *ir.Atom) {
		if a.Var != nil && a.Var.Name == to {
			other = a.Var
		}
	})
	if other == nil {
		return t, true
	}
	return (&ir.Rewriter{Atom: func(a *ir.Atom) (ir.Poly, bool) {
		if a.Var != nil && a.Var.Name == from {
			return ir.RefTo(other, a.Ix...).Poly(), true
		}
		return nil, false
	}}).Term(t)[0], true
}
