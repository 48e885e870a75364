// This file holds what terms say of where their indices lie, and what is read that may lie beyond.

package conjugacy

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/ir"
)

// rangesOf returns what the term says of where its indices lie: its ranges, and those of its sums that leave out an end.
func rangesOf(t ir.Term) []ir.Guard {
	var out []ir.Guard
	for _, g := range t.Guards {
		if g.Rel == ir.In {
			out = append(out, g)
		}
	}
	for _, b := range t.Over {
		if b.Lo != 0 || b.Hi != 0 {
			out = append(out, ir.Guard{Rel: ir.In, L: []ir.Ix{ir.At(b.Name)}, Plate: b.Plate, Of: b.Of, Lo: b.Lo, Hi: b.Hi})
		}
	}
	return out
}

// numbered returns the ranges that elements are in which the term names by their number, from the second on, since each plate has a first;
// but a ragged one may be empty.
func numbered(t ir.Term) []ir.Guard {
	return rangesRead(t, func(x ir.Ix, p *ir.Plate) bool { return x.Name == "" && (x.Add != 0 || p.Over != nil) })
}

// rangesRead returns the ranges of the elements that the term reads, for those of their indices, categories apart, that are asked for.
func rangesRead(t ir.Term, asked func(x ir.Ix, p *ir.Plate) bool) []ir.Guard {
	var out []ir.Guard
	t.WalkAtoms(func(a *ir.Atom) {
		if a.Var == nil {
			return
		}
		for i, x := range a.Ix {
			if x.Cat != nil || i >= len(a.Var.Axes) || !asked(x, a.Var.Axes[i]) {
				continue
			}
			g := ir.Guard{Rel: ir.In, L: []ir.Ix{x}, Plate: a.Var.Axes[i]}
			for p, j := g.Plate.Over, i-1; p != nil; p, j = p.Over, j-1 {
				g.Of = slices.Insert(g.Of, 0, a.Ix[j])
			}
			out = append(out, g)
		}
	})
	return out
}

// lacking returns the ranges of elements by their number and of neighbours, in the categories within the indices, that what is known does not imply.
func lacking(known []ir.Guard, ix ...ir.Ix) []ir.Guard {
	read := rangesRead(ir.Term{Guards: []ir.Guard{{Rel: ir.Eq, L: ix}}}, func(x ir.Ix, p *ir.Plate) bool {
		return x.Add != 0 || x.Name == "" && p.Over != nil
	})
	return slices.DeleteFunc(read, func(r ir.Guard) bool { return implied(r, known) })
}

// implied reports whether the known ranges tell that an index is in the whole of its plate, as n-1 is where n is from the second on.
func implied(r ir.Guard, known []ir.Guard) bool {
	x := r.L[0]
	above, below := x.Name != "" && x.Add >= 0, x.Name != "" && x.Add <= 0
	for _, k := range known {
		y := k.L[0]
		if k.Plate != r.Plate || y.Cat != nil || y.Name != x.Name || x.Name == "" && x.Add != y.Add || !slices.EqualFunc(k.Of, r.Of, ir.Same) {
			continue
		}
		above = above || y.Add-k.Lo <= x.Add
		below = below || y.Add-k.Hi >= x.Add
	}
	return above && below
}

// shifts reports whether an index of the term may lie off the end of a plate where at, a name or a number, is out of its range.
func shifts(t ir.Term, at ir.Ix) bool {
	found := false
	t.WalkIx(func(x ir.Ix) {
		found = found || x.Cat == nil && x.Name == at.Name && x.Add != 0 && (x.Name != "" || x.Add == at.Add)
	})
	return found
}
