// This file holds the other way to draw a Normal vector whose precision is a diagonal and a sum over rows of data,
//
//	Q = diag + Σ_n weight[n]·X[n]X[n]ᵀ,   h = lin + Σ_n score[n]·X[n].
//
// If there are fewer rows than coordinates, it is drawn by a factorisation of the rows' order, and Σ_n X[n]X[n]ᵀ is neither needed
// nor kept. Whatever else reads that sum must then do without it, and can where it is contracted on both sides.

package conjugacy

import (
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A Gram is an accumulator Σ_n c[n]·X[n, i]·X[n, j] of data that all its readers can do without.
type Gram struct {
	Acc *Accumulator
	X   *ir.Var
	n   ir.Bind // the body's binder
	c   ir.Term // what of the body is neither X nor the sum
}

// Rows is a Normal vector's conditional without the Gram matrix.
type Rows struct {
	*Gram
	Diag, Lin     ir.Poly // at the position #1
	Weight, Score ir.Poly // at the row #1 of X
}

// gram reads the accumulator as a Gram.
func gram(acc *Accumulator) *Gram {
	b := acc.Body
	if !acc.Data() || len(acc.Params) != 2 || len(b.Over) != 1 || len(b.Guards) > 0 || !entire(b.Over[0]) {
		return nil
	}
	g := &Gram{Acc: acc, n: b.Over[0], c: ir.Term{C: b.C}}
	seen := map[string]bool{}
	for _, f := range b.F {
		free := f.A.Free()
		i := slices.IndexFunc(acc.Params, func(p ir.Bind) bool { return free[p.Name] })
		switch {
		case i < 0:
			g.c.F = append(g.c.F, f)
		case g.X == nil || f.A.Var == g.X:
			if !rowOf(f, g.n.Name, acc.Params[i].Name) {
				return nil
			}
			g.X = f.A.Var
			seen[acc.Params[i].Name] = true
		default:
			return nil
		}
	}
	if len(seen) != 2 || len(b.F) != len(g.c.F)+2 {
		return nil
	}
	return g
}

// rowOf reports whether the factor is X[n, i], X data in rows of numbers.
func rowOf(f ir.Fac, n, i string) bool {
	v := f.A.Var
	return f.P == 1 && f.A.Fn == ir.RefAtom && v.Role == dsl.Data && v.Type.Elem == ir.Real && len(v.Axes) == 2 && len(f.A.Ix) == 2 &&
		isName(f.A.Ix[0], n) && isName(f.A.Ix[1], i) && flat(v.Axes[0]) && flat(v.Axes[1])
}

func flat(p *ir.Plate) bool { return p.Over == nil && !p.Unbounded }

// entire reports whether the binder runs over all of a plate of its own.
func entire(b ir.Bind) bool { return b.Lo == 0 && b.Hi == 0 && flat(b.Plate) }

// at returns the factor X[n, i].
func (g *Gram) at(n, i string) ir.Fac { return ir.Fac{A: ir.RefTo(g.X, ir.At(n), ir.At(i)), P: 1} }

// rows finds the Grams and the vectors that are drawn without them: all that reads one must have a form without it.
func (a *Analysis) rows() {
	for _, acc := range a.Accs.List {
		g := gram(acc)
		if g == nil || !a.readByDraws(acc) {
			continue
		}
		vectors := map[*Conditional]*Rows{}
		ok := true
		for _, c := range a.Conds {
			switch {
			case !c.Reads(acc.Name):
			case c.Target.Var.Role != dsl.Global || c.Kernel == Enumerate || c.Removed:
				ok = false
			case len(c.Target.T.Axes) > 0:
				vectors[c] = c.withoutMatrix(g, a.Accs)
				ok = ok && vectors[c] != nil
			default:
				for _, r := range c.read() {
					_, without := g.Without(r.poly)
					ok = ok && without
				}
			}
		}
		if !ok || len(vectors) == 0 {
			continue
		}
		a.Grams = append(a.Grams, g)
		for c, r := range vectors {
			c.Rows = r
		}
	}
}

// readByDraws reports whether nothing but draws reads the accumulator: no move, and nothing that was integrated out.
func (a *Analysis) readByDraws(acc *Accumulator) bool {
	for _, c := range a.Collapsed {
		if c.Reads(acc.Name) {
			return false
		}
	}
	for _, other := range a.Accs.List {
		for _, m := range other.Moves {
			if reads(m.Delta, acc.Name) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(a.Urns, func(u *Urn) bool { return reads(u.Count, acc.Name) })
}

func reads(p ir.Poly, acc string) bool {
	found := false
	for _, t := range p {
		t.WalkAtoms(func(a *ir.Atom) { found = found || a.Fn == ir.AccAtom && a.Name == acc })
	}
	return found
}

// take splits the term into its one factor A[i, j] of the accumulator, i and j names, and the rest, which does not read it.
func take(t ir.Term, acc string) (a *ir.Atom, rest ir.Term, ok bool) {
	k := slices.IndexFunc(t.F, func(f ir.Fac) bool { return f.A.Fn == ir.AccAtom && f.A.Name == acc })
	if k < 0 || t.F[k].P != 1 {
		return nil, t, false
	}
	a, rest = t.F[k].A, t
	rest.F = slices.Delete(slices.Clone(t.F), k, k+1)
	for _, x := range a.Ix {
		ok = x.Name != "" && isName(x, x.Name)
		if !ok {
			return nil, t, false
		}
	}
	return a, rest, !reads(ir.Poly{rest}, acc)
}

// Without returns p without the Gram matrix, where p reads it as Σ_ij u[i]·v[j]·A[i, j] only: as
// Σ_n c[n]·(Σ_i u[i]·X[n, i])·(Σ_j v[j]·X[n, j]).
func (g *Gram) Without(p ir.Poly) (ir.Poly, bool) {
	var out ir.Poly
	for _, t := range p {
		if !reads(ir.Poly{t}, g.Acc.Name) {
			out = append(out, t)
			continue
		}
		a, rest, ok := take(t, g.Acc.Name)
		if !ok || ir.Same(a.Ix[0], a.Ix[1]) {
			return nil, false
		}
		used := map[string]bool{}
		t.WalkIx(func(x ir.Ix) { used[x.Name] = true })
		for _, b := range t.Over {
			used[b.Name] = true
		}
		n, moving := ir.FreshName(g.n.Plate, used), false
		sum := g.rowTerm(n)
		sum.Over = []ir.Bind{{Name: n, Plate: g.n.Plate}}
		for _, x := range a.Ix {
			k := slices.IndexFunc(rest.Over, func(b ir.Bind) bool { return b.Name == x.Name })
			if k < 0 || !entire(rest.Over[k]) {
				return nil, false
			}
			side := ir.Term{C: 1, Over: []ir.Bind{rest.Over[k]}, F: []ir.Fac{g.at(n, x.Name)}}
			rest.Over = slices.Delete(slices.Clone(rest.Over), k, k+1)
			var others []ir.Fac
			for _, f := range rest.F {
				if f.A.Free()[x.Name] {
					side.F = append(side.F, f)
				} else {
					others = append(others, f)
				}
			}
			rest.F = others
			if free := side.Free(); free[a.Ix[0].Name] || free[a.Ix[1].Name] { // a factor of both
				return nil, false
			}
			if slices.ContainsFunc(side.F, func(f ir.Fac) bool { return f.A.Fn == ir.AccAtom && len(f.A.Ix) > 1 }) {
				return nil, false // another Gram matrix would no longer stand where it can be told
			}
			side.WalkAtoms(func(b *ir.Atom) { moving = moving || b.Var != nil && b.Var.Name == "$t" })
			sum.F = append(sum.F, ir.Fac{A: &ir.Atom{Fn: ir.ClosedAtom, Args: []ir.Poly{{side}}}, P: 1})
		}
		if moving { // a slice sampler would keep what is free of $t element by element
			return nil, false
		}
		if free := rest.Free(); free[a.Ix[0].Name] || free[a.Ix[1].Name] { // a guard
			return nil, false
		}
		out = append(out, ir.Product(rest, sum))
	}
	return out, true
}

// rowTerm returns c[n] for the given name of the row.
func (g *Gram) rowTerm(n string) ir.Term {
	return (&ir.Rewriter{Names: map[string]ir.Ix{g.n.Name: ir.At(n)}}).Term(g.c)[0]
}

// withoutMatrix returns the conditional in the form without the Gram matrix, or nil.
func (c *Conditional) withoutMatrix(g *Gram, accs *Registry) *Rows {
	if c.Kernel != Exact || c.Family.ByRows.Name == "" || len(c.Target.T.Axes) != 1 || c.Target.T.Axes[0] != g.X.Axes[1] {
		return nil
	}
	r := &Rows{Gram: g}
	proper := false // some part of the diagonal is there at all positions
	for _, t := range c.Params.Coef["prec"] {
		if rest, ok := untied(t); ok {
			proper = proper || len(rest.Guards) == 0
			r.Diag = append(r.Diag, rest)
			continue
		}
		a, rest, ok := take(t, g.Acc.Name)
		if !ok || !(isName(a.Ix[0], "#1") && isName(a.Ix[1], "#2") || isName(a.Ix[0], "#2") && isName(a.Ix[1], "#1")) || rest.Free()["#1"] || rest.Free()["#2"] {
			return nil
		}
		r.Weight = append(r.Weight, ir.Product(rest, g.rowTerm("#1")))
	}
	for _, t := range c.Params.Coef["h"] {
		if score, ok := g.score(t, c.Target, accs); ok {
			r.Score = append(r.Score, score...)
		} else {
			r.Lin = append(r.Lin, t)
		}
	}
	r.Score = r.Score.Merge()
	if !proper || len(r.Weight) == 0 || reads(r.Diag, g.Acc.Name) || reads(r.Lin, g.Acc.Name) {
		return nil
	}
	return r
}

// untied returns the value at #1 of a term of the diagonal.
func untied(t ir.Term) (ir.Term, bool) {
	for i, gd := range t.Guards {
		if gd.Rel != ir.Eq || len(gd.L) != 1 || !(isName(gd.L[0], "#1") && isName(gd.R[0], "#2") || isName(gd.L[0], "#2") && isName(gd.R[0], "#1")) {
			continue
		}
		t.Guards = slices.Delete(slices.Clone(t.Guards), i, i+1)
		if p := (&ir.Rewriter{Names: map[string]ir.Ix{"#2": ir.At("#1")}}).Term(t); len(p) == 1 {
			return p[0], true
		}
	}
	return t, false
}

// score returns the part that a term of h has in Score: of k·B[#1] with B[i] = Σ_n b[n]·X[n, i] it is k·b[n], the row n being #1. Sums
// are opened, so that what was taken about a reference is put together again.
func (g *Gram) score(t ir.Term, target *Target, accs *Registry) (ir.Poly, bool) {
	k := slices.IndexFunc(t.F, func(f ir.Fac) bool { return f.A.Fn == ir.AccAtom && f.P == 1 && f.A.Free()["#1"] })
	if k < 0 {
		return nil, false
	}
	a := t.F[k].A
	rest := t
	rest.F = slices.Delete(slices.Clone(t.F), k, k+1)
	acc := accs.Get(a.Name)
	if rest.Free()["#1"] || acc == nil || Mentions(acc.Body, target.Var) {
		return nil, false
	}
	names, i := map[string]ir.Ix{}, ""
	for j, p := range acc.Params {
		names[p.Name] = a.Ix[j]
		if ir.FreeOf(a.Ix[j : j+1])["#1"] {
			if i != "" || !isName(a.Ix[j], "#1") {
				return nil, false
			}
			i = p.Name
		}
	}
	b := acc.Body
	n := slices.IndexFunc(b.Over, func(o ir.Bind) bool { return o.Plate == g.n.Plate && entire(o) })
	if n < 0 {
		return nil, false
	}
	row := b.Over[n].Name
	k = slices.IndexFunc(b.F, func(f ir.Fac) bool { return f.A.Var == g.X && rowOf(f, row, i) })
	if k < 0 {
		return nil, false
	}
	b.Over = slices.Delete(slices.Clone(b.Over), n, n+1)
	b.F = slices.Delete(slices.Clone(b.F), k, k+1)
	if b.Free()[i] {
		return nil, false
	}
	names[row] = ir.At("#1")
	q := (&ir.Rewriter{Names: names}).Term(b)
	if len(q) != 1 {
		return nil, false
	}
	return opened(ir.Product(rest, q[0])), true
}

// opened multiplies the closed sums of a term out.
func opened(t ir.Term) ir.Poly {
	k := slices.IndexFunc(t.F, func(f ir.Fac) bool { return f.A.Fn == ir.ClosedAtom && f.P == 1 })
	if k < 0 {
		return ir.Poly{t}
	}
	rest := t
	rest.F = slices.Delete(slices.Clone(t.F), k, k+1)
	var out ir.Poly
	for _, u := range ir.ExpandPower(rest, t.F[k].A.Args[0], 1) {
		out = append(out, opened(u)...)
	}
	return out
}

// RowsDerivation returns the lines of the comment above the parameters by rows of c, without comment marks.
func RowsDerivation(c *Conditional, a *Analysis) []string {
	r := c.Rows
	n := NewNotation(a.Model, c.Target)
	i, _ := n.blockIndices()
	row := n.within([]ir.Bind{{Name: "#1", Plate: r.X.Axes[0]}})
	k := row.names["#1"].text
	sum, x := row.sum("Σ", ir.Bind{Name: "#1", Plate: r.X.Axes[0]}), r.X.Name+"["+k+"]"
	lines := [][2]string{
		{n.param("Q"), "diag(diag) + " + sum + " weight[" + k + "]·" + x + "·" + x + "ᵀ"},
		{n.param("h"), "lin + " + sum + " score[" + k + "]·" + x},
		{"diag[" + i + "]", n.Poly(r.Diag)},
		{"lin[" + i + "]", n.Poly(r.Lin)},
		{"weight[" + k + "]", row.Poly(r.Weight)},
		{"score[" + k + "]", row.Poly(r.Score)},
	}
	var out []string
	for _, l := range lines {
		out = append(out, "\t     "+l[0]+strings.Repeat(" ", max(0, 10-len([]rune(l[0]))))+" = "+l[1])
	}
	return out
}
