// This file holds the first step: in each factor that mentions the target v, v[e] becomes [e = J]·t + [e ≠ J]·v[e].

package conjugacy

import (
	"maps"
	"slices"
	"strconv"

	"github.com/gibbsgen/gibbsgen/ir"
)

// A Target is one element (or block of elements) of an unknown: v[J], where some axes are fixed at free indices and
// the others, if any, are drawn jointly.
type Target struct {
	Var   *ir.Var
	J     []ir.Ix // the fixed indices, by axis; an axis of the block has the zero Ix
	Block []bool  // by axis: drawn jointly
	T     *ir.Var // the new value, an ordinary variable named $t with the block's axes

	involved   bool      // touching met more cases than it tells apart: what was derived is not to be used
	references *Registry // if set, squares are opened about the target's reference
}

// NewTarget returns the target v[J] with free indices named $1, $2, ... and the given axes drawn jointly
// (the event axes always are).
func NewTarget(v *ir.Var, joint []bool) *Target {
	t := &Target{Var: v, T: &ir.Var{Name: "$t", Role: v.Role, Type: v.Type, Support: v.Support, Event: v.Event}}
	for i, p := range v.Axes {
		block := i >= len(v.Axes)-v.Event || joint != nil && joint[i]
		t.Block = append(t.Block, block)
		if block {
			t.J = append(t.J, ir.Ix{})
			t.T.Axes = append(t.T.Axes, p)
		} else {
			t.J = append(t.J, ir.At("$"+strconv.Itoa(i+1)))
		}
	}
	return t
}

// is reports whether the atom mentions the target's variable.
func (t *Target) is(a *ir.Atom) bool {
	return a.Var == t.Var && (a.Fn == ir.RefAtom || a.Fn == ir.InvAtom || a.Fn == ir.LogDetAtom)
}

// tuple returns the fixed positions of a mention's indices and of the target's.
func (t *Target) tuple(a *ir.Atom) (e, j []ir.Ix) {
	for i, b := range t.Block {
		if !b {
			e = append(e, a.Ix[i])
			j = append(j, t.J[i])
		}
	}
	return e, j
}

// value returns the atom of the new value that takes the place of the mention a.
func (t *Target) value(a *ir.Atom) *ir.Atom {
	var ix []ir.Ix
	for i := range a.Ix {
		if i >= len(t.Block) || t.Block[i] {
			ix = append(ix, a.Ix[i])
		}
	}
	return &ir.Atom{Fn: a.Fn, Var: t.T, Ix: ix}
}

// hit reports whether the mention is v[J], as it is written or by an equality among the guards ([1 = J] of a literal index).
func (t *Target) hit(a *ir.Atom, guards []ir.Guard) bool {
	e, j := t.tuple(a)
	for i := range e {
		if !same(e[i], j[i], guards) {
			return false
		}
	}
	return true
}

// same reports whether two indices are written alike, or an equality among the guards says that they are the same.
func same(a, b ir.Ix, guards []ir.Guard) bool {
	return ir.Same(a, b) || slices.ContainsFunc(guards, func(g ir.Guard) bool {
		return g.Rel == ir.Eq && slices.ContainsFunc(indices(len(g.L)), func(k int) bool {
			return ir.Same(g.L[k], a) && ir.Same(g.R[k], b) || ir.Same(g.R[k], a) && ir.Same(g.L[k], b)
		})
	})
}

// replace puts the new value for every mention that is v[J].
func (t *Target) replace(term ir.Term, outer []ir.Guard) ir.Poly {
	guards := append(slices.Clone(outer), term.Guards...)
	rw := &ir.Rewriter{
		Atom: func(a *ir.Atom) (ir.Poly, bool) {
			if t.is(a) && t.hit(a, guards) {
				return t.value(a).Poly(), true
			}
			return nil, false
		},
		Cat: func(a *ir.Atom) (ir.Ix, bool) {
			if t.is(a) && t.hit(a, guards) {
				return ir.Ix{Cat: t.value(a)}, true
			}
			return ir.Ix{}, false
		},
	}
	return rw.Term(term)
}

// Touch returns the terms of p that depend on the new value, in terms of it.
func (t *Target) Touch(p ir.Poly) ir.Poly {
	var out ir.Poly
	for _, term := range p {
		if !Mentions(term, t.Var) {
			continue
		}
		for _, u := range t.touch(term, nil, nil) {
			if Mentions(u, t.T) {
				out = append(out, t.exists(u))
			}
		}
	}
	return out.Settle()
}

// exists drops the ranges that hold because the target's element does: with [1 = J], J is in the plate, and so is 1.
func (t *Target) exists(term ir.Term) ir.Term {
	term.Guards = slices.DeleteFunc(slices.Clone(term.Guards), func(g ir.Guard) bool {
		return g.Rel == ir.In && g.Lo == 0 && g.Hi == 0 && slices.ContainsFunc(term.Guards, func(h ir.Guard) bool {
			return h.Rel == ir.Eq && slices.ContainsFunc(indices(len(t.J)), func(i int) bool {
				j := t.J[i]
				return j.Name != "" && t.Var.Axes[i] == g.Plate && (ir.Same(h.L[0], g.L[0]) && ir.Same(h.R[0], j) || ir.Same(h.R[0], g.L[0]) && ir.Same(h.L[0], j))
			})
		})
	})
	return term
}

// Mentions reports whether the term mentions v, as a factor, inside one, or in an index.
func Mentions(term ir.Term, v *ir.Var) bool {
	found := false
	term.WalkAtoms(func(a *ir.Atom) { found = found || a.Var == v })
	return found
}

// touch splits a term by cases until every mention of v in it is either t or known to differ from v[J]. The guards
// outer and the names inner belong to the sums around a closed sum: outer holds what has been decided there.
func (t *Target) touch(term ir.Term, outer []ir.Guard, inner map[string]bool) ir.Poly {
	if len(outer)+len(term.Guards) > mostGuards {
		t.involved = true
		return nil
	}
	q, ok := term.Simplify()
	if !ok {
		return nil
	}
	q = t.replace(q[0], outer)
	if len(q) == 0 {
		return nil
	}
	if q, ok = q[0].Simplify(); !ok {
		return nil
	}
	term = q[0]
	if e, j := t.undecided(term, outer); e != nil {
		yes, no := term, term
		yes.Guards = append(slices.Clone(term.Guards), ir.Guard{Rel: ir.Eq, L: e, R: j})
		no.Guards = append(slices.Clone(term.Guards), ir.Guard{Rel: ir.Ne, L: e, R: j})
		return append(t.touch(yes, outer, inner), t.touch(no, outer, inner)...)
	}
	// What is left undecided stands inside closed sums, under their own binders.
	known := append(slices.Clone(outer), term.Guards...)
	out := ir.Term{C: term.C, Over: term.Over, Guards: term.Guards}
	res := ir.Poly{out}
	for _, f := range term.F {
		p := ir.Pow(t.touchAtom(f.A, known), f.P)
		if len(p) == 0 {
			return nil
		}
		res = ir.Poly{ir.Product(res[0], p.Close()[0])}
	}
	return res
}

// touchAtom touches the arguments of an atom.
func (t *Target) touchAtom(a *ir.Atom, known []ir.Guard) ir.Poly {
	if len(a.Args) == 0 {
		return a.Poly()
	}
	args := make([]ir.Poly, len(a.Args))
	for i, p := range a.Args {
		var q ir.Poly
		for _, u := range p {
			q = append(q, t.touch(u, known, nil)...)
		}
		args[i] = q.Merge()
	}
	if a.Fn == ir.ClosedAtom {
		p := args[0]
		if len(p) == 1 && (len(p[0].Over) > 0 || len(p[0].Guards) > 0) {
			return (&ir.Atom{Fn: ir.ClosedAtom, Args: args}).Poly()
		}
		return p.Close()
	}
	return ir.Apply(a.Name, args...)
}

// mostGuards bounds how many cases a term is told apart by; models that people write have a handful.
const mostGuards = 64

// undecided returns the first mention whose place relative to J is open and can be decided here: with indices free of
// binders inside closed sums, and of what only their conditions let be read. Of a mention with some such indices, these come first.
func (t *Target) undecided(term ir.Term, outer []ir.Guard) (e, j []ir.Ix) {
	known := rangesOf(ir.Term{Over: term.Over, Guards: slices.Concat(outer, term.Guards)})
	visit := func(a *ir.Atom, inner map[string]bool) {
		guards := slices.Concat(outer, term.Guards)
		if e != nil || !t.is(a) || t.hit(a, guards) {
			return
		}
		ae, aj := t.tuple(a)
		for i := range ae {
			if ir.Compare(ae[i], aj[i]) < 0 {
				return // J-1 is not J
			}
		}
		for _, gs := range [][]ir.Guard{outer, term.Guards} {
			for _, g := range gs {
				if g.Rel == ir.Ne && implies(g, ae, aj) {
					return
				}
			}
		}
		for i, x := range ae {
			if same(x, aj[i], guards) { // math[1, m] where 1 = $1: the rest is decided inside the sum over m
				continue
			}
			open := true
			for n := range ir.FreeOf(ae[i : i+1]) {
				open = open && !inner[n]
			}
			if open && len(lacking(known, x)) > 0 && !outright(term, a) {
				continue // v[c[2]] under an [n = 2] of its own: there may be no c[2] here
			}
			if open {
				e = append(e, x)
				j = append(j, aj[i])
			}
		}
	}
	walkTerm(term, map[string]bool{}, false, visit)
	return e, j
}

// outright reports whether the term mentions the atom outside its functions and closed sums.
func outright(term ir.Term, a *ir.Atom) bool {
	found := false
	term.F = slices.DeleteFunc(slices.Clone(term.F), func(f ir.Fac) bool { return len(f.A.Args) > 0 })
	walkTerm(term, map[string]bool{}, false, func(b *ir.Atom, _ map[string]bool) { found = found || b.Key() == a.Key() })
	return found
}

// implies reports whether the inequality g makes the tuples e and j differ.
func implies(g ir.Guard, e, j []ir.Ix) bool {
	for k := range g.L {
		if !slices.ContainsFunc(indices(len(e)), func(i int) bool {
			return ir.Same(g.L[k], e[i]) && ir.Same(g.R[k], j[i]) || ir.Same(g.R[k], e[i]) && ir.Same(g.L[k], j[i])
		}) {
			return false
		}
	}
	return true
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// walkTerm visits every atom of the term, categories included, with the names bound by closed sums, and by joint
// log-partitions, around it.
func walkTerm(term ir.Term, inner map[string]bool, nested bool, visit func(*ir.Atom, map[string]bool)) {
	if nested && len(term.Over) > 0 {
		in := map[string]bool{}
		for n := range inner {
			in[n] = true
		}
		for _, b := range term.Over {
			in[b.Name] = true
		}
		inner = in
	}
	ixs := func(xs []ir.Ix) { walkCats(xs, inner, visit) }
	for _, b := range term.Over {
		ixs(b.Of)
	}
	for _, g := range term.Guards {
		ixs(g.L)
		ixs(g.R)
		ixs(g.Of)
	}
	for _, f := range term.F {
		walkAtom(f.A, inner, visit)
	}
}

func walkAtom(a *ir.Atom, inner map[string]bool, visit func(*ir.Atom, map[string]bool)) {
	visit(a, inner)
	walkCats(a.Ix, inner, visit)
	if plate := Positions(a); plate != nil {
		in := maps.Clone(inner)
		for _, n := range positionNames {
			in[n] = true
		}
		inner = in
	}
	for _, p := range a.Args {
		for _, t := range p {
			walkTerm(t, inner, true, visit)
		}
	}
}

func walkCats(xs []ir.Ix, inner map[string]bool, visit func(*ir.Atom, map[string]bool)) {
	for _, x := range xs {
		if x.Cat != nil {
			walkAtom(x.Cat, inner, visit)
		}
	}
}
