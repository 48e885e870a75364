// This file holds walks over terms: which names, indices and atoms they mention.

package ir

// names adds every index name that t mentions, bound or free.
func (t Term) names(into map[string]bool) {
	for _, b := range t.Over {
		into[b.Name] = true
		ixNames(b.Of, into)
	}
	for _, g := range t.Guards {
		ixNames(g.L, into)
		ixNames(g.R, into)
		ixNames(g.Of, into)
	}
	for _, f := range t.F {
		f.A.names(into)
	}
}

func (a *Atom) names(into map[string]bool) {
	ixNames(a.Ix, into)
	for _, p := range a.Args {
		for _, t := range p {
			t.names(into)
		}
	}
}

func ixNames(ix []Ix, into map[string]bool) {
	for _, x := range ix {
		if x.Name != "" {
			into[x.Name] = true
		}
		if x.Cat != nil {
			x.Cat.names(into)
		}
	}
}

// Free returns the free index names of t.
func (t Term) Free() map[string]bool {
	out := map[string]bool{}
	t.free(out)
	return out
}

func (t Term) free(into map[string]bool) {
	own := map[string]bool{}
	for _, g := range t.Guards {
		ixFree(g.L, own)
		ixFree(g.R, own)
		ixFree(g.Of, own)
	}
	for _, f := range t.F {
		f.A.free(own)
	}
	for _, b := range t.Over {
		ixFree(b.Of, own)
	}
	for _, b := range t.Over {
		delete(own, b.Name)
	}
	for n := range own {
		into[n] = true
	}
}

// Free returns the free index names of the atom.
func (a *Atom) Free() map[string]bool {
	out := map[string]bool{}
	a.free(out)
	return out
}

func (a *Atom) free(into map[string]bool) {
	ixFree(a.Ix, into)
	for _, p := range a.Args {
		for _, t := range p {
			t.free(into)
		}
	}
}

// FreeOf adds the free names of the indices.
func FreeOf(ix []Ix) map[string]bool {
	out := map[string]bool{}
	ixFree(ix, out)
	return out
}

func ixFree(ix []Ix, into map[string]bool) {
	for _, x := range ix {
		if x.Name != "" {
			into[x.Name] = true
		}
		if x.Cat != nil {
			x.Cat.free(into)
		}
	}
}

// WalkIx calls fn for every index in t, those inside atoms and categories included.
func (t Term) WalkIx(fn func(Ix)) {
	for _, b := range t.Over {
		walkIxs(b.Of, fn)
	}
	for _, g := range t.Guards {
		walkIxs(g.L, fn)
		walkIxs(g.R, fn)
		walkIxs(g.Of, fn)
	}
	for _, f := range t.F {
		f.A.WalkIx(fn)
	}
}

// WalkIx calls fn for every index in the atom.
func (a *Atom) WalkIx(fn func(Ix)) {
	walkIxs(a.Ix, fn)
	for _, p := range a.Args {
		for _, t := range p {
			t.WalkIx(fn)
		}
	}
}

func walkIxs(ix []Ix, fn func(Ix)) {
	for _, x := range ix {
		fn(x)
		if x.Cat != nil {
			walkIxs(x.Cat.Ix, fn)
		}
	}
}

// Reaches reports whether the atom reads what there may not be: an element by its number, or a neighbour. It is then to be read only
// where the conditions hold that it stands under.
func (a *Atom) Reaches() bool {
	found := false
	Term{F: []Fac{{A: a, P: 1}}}.WalkAtoms(func(b *Atom) {
		for i, x := range b.Ix {
			switch {
			case b.Fn == IndexAtom:
			case x.Add != 0:
				found = true
			case x.Name == "" && x.Cat == nil: // a ragged plate may have not even a first element
				found = found || b.Var == nil || i < len(b.Var.Axes) && b.Var.Axes[i].Over != nil
			}
		}
	})
	return found
}

// WalkAtoms calls fn for every atom in t: factors, what they contain, and categories.
func (t Term) WalkAtoms(fn func(*Atom)) {
	for _, f := range t.F {
		f.A.WalkAtoms(fn)
	}
	t.WalkIx(func(x Ix) {
		if x.Cat != nil {
			fn(x.Cat)
		}
	})
}

// WalkAtoms calls fn for the atom and every atom in its arguments (categories in indices not included).
func (a *Atom) WalkAtoms(fn func(*Atom)) {
	fn(a)
	for _, p := range a.Args {
		for _, t := range p {
			for _, f := range t.F {
				f.A.WalkAtoms(fn)
			}
		}
	}
}
