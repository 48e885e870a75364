// This file holds the texts of sums, by which equal ones are told.

package ir

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Key returns a text that is equal for equal atoms.
func (a *Atom) Key() string {
	if a.key == "" {
		var b strings.Builder
		a.write(&b)
		a.key = b.String()
	}
	return a.key
}

// likeOther matches what variables may be called, and what other atoms are: the number of an index, and the parts and tables of a draw.
var likeOther = regexp.MustCompile(`^(index|P[0-9]+|tab\w+)$`)

func (a *Atom) write(b *strings.Builder) {
	switch a.Fn {
	case RefAtom:
		b.WriteString(a.Var.Name)
		if likeOther.MatchString(a.Var.Name) {
			b.WriteByte('@')
		}
	case InvAtom:
		b.WriteString("inv(" + a.Var.Name + ")")
	case LogDetAtom:
		b.WriteString("logdet(" + a.Var.Name + ")")
	case SizeAtom:
		b.WriteString("#" + a.Plate.Name)
	case IndexAtom:
		b.WriteString("index")
	case AccAtom:
		b.WriteString(a.Name)
	case ClosedAtom:
		b.WriteString("(" + a.Args[0].canonKey() + ")")
		return
	case CallAtom:
		b.WriteString(a.Name + "(")
		for i, p := range a.Args {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(p.canonKey())
		}
		b.WriteString(")")
		return
	}
	ix := a.Ix
	if n := len(ix); n >= 2 && a.Symmetric() && ix[n-1].String() < ix[n-2].String() {
		ix = slices.Clone(ix)
		ix[n-1], ix[n-2] = ix[n-2], ix[n-1]
	}
	writeIx(b, ix)
}

// Symmetric reports whether the last two indices of the atom may change places: covariances and their inverses.
func (a *Atom) Symmetric() bool {
	switch a.Fn {
	case InvAtom:
		return true
	case RefAtom:
		return a.Var.Support.Kind == SPD && len(a.Ix) == len(a.Var.Axes)
	}
	return false
}

func writeIx(b *strings.Builder, ix []Ix) {
	if len(ix) == 0 {
		return
	}
	b.WriteByte('[')
	for i, x := range ix {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(x.String())
	}
	b.WriteByte(']')
}

// String prints the index in the algebra's own notation, 0-based.
func (x Ix) String() string {
	s := x.Name
	if x.Cat != nil {
		if s = x.Cat.Key(); len(x.Cat.Ix) == 0 && s[0] != '$' { // which an index may be called, too
			s += "@"
		}
	}
	switch {
	case s == "":
		return strconv.Itoa(x.Add)
	case x.Add > 0:
		return s + "+" + strconv.Itoa(x.Add)
	case x.Add < 0:
		return s + strconv.Itoa(x.Add)
	}
	return s
}

// String prints the guard.
func (g Guard) String() string {
	var b strings.Builder
	b.WriteByte('[')
	for i, x := range g.L {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(x.String())
	}
	switch g.Rel {
	case In:
		b.WriteString(" in " + g.Plate.Name)
		writeIx(&b, g.Of)
		if g.Lo != 0 || g.Hi != 0 {
			b.WriteString("{" + strconv.Itoa(g.Lo) + ":" + strconv.Itoa(g.Hi) + "}")
		}
	default:
		if g.Rel == Eq {
			b.WriteByte('=')
		} else {
			b.WriteString("!=")
		}
		for i, x := range g.R {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(x.String())
		}
	}
	b.WriteByte(']')
	return b.String()
}

// String prints the binder.
func (o Bind) String() string {
	var b strings.Builder
	b.WriteString(o.Name + " in " + o.Plate.Name)
	writeIx(&b, o.Of)
	if o.Lo != 0 || o.Hi != 0 {
		b.WriteString("{" + strconv.Itoa(o.Lo) + ":" + strconv.Itoa(o.Hi) + "}")
	}
	return b.String()
}

// body prints the term without its coefficient; names as they are.
func (t Term) body() string {
	var b strings.Builder
	for _, o := range t.Over {
		b.WriteString("Σ{" + o.String() + "}")
	}
	gs := make([]string, len(t.Guards))
	for i, g := range t.Guards {
		gs[i] = g.String()
	}
	sort.Strings(gs)
	b.WriteString(strings.Join(gs, ""))
	for _, f := range t.F {
		b.WriteByte(' ')
		b.WriteString(f.A.Key())
		if f.P != 1 {
			b.WriteString("^" + strconv.FormatFloat(f.P, 'g', -1, 64))
		}
	}
	return b.String()
}

// canonKey prints the term without its coefficient and with bound names made canonical: the least text over the
// orders of the binders (up to five; beyond that the given order, which may miss a merge but is never wrong).
func (t Term) canonKey() string {
	if len(t.Over) == 0 {
		return t.body()
	}
	best := ""
	n := len(t.Over)
	idx := make([]int, n)
	for i := range idx {
		idx[i] = i
	}
	try := func() {
		u := t
		u.Over = make([]Bind, n)
		for i, j := range idx {
			u.Over[i] = t.Over[j]
		}
		for i := range u.Over {
			u = u.rename(u.Over[i].Name, "~"+strconv.Itoa(depthOf(t)*10+i))
		}
		k := u.tidy().body()
		if best == "" || k < best {
			best = k
		}
	}
	if n > 5 {
		try()
		return best
	}
	// The least text has the least plate first: only binders over the same range change places.
	heads := make([]string, n)
	alike := func(i, j int) bool { return true }
	if !slices.ContainsFunc(t.Over, func(b Bind) bool { return len(b.Of) > 0 }) {
		for i, b := range t.Over {
			b.Name = ""
			heads[i] = b.String() + "}"
		}
		sort.SliceStable(idx, func(i, j int) bool { return heads[idx[i]] < heads[idx[j]] })
		alike = func(i, j int) bool { return heads[i] == heads[j] }
	}
	var permute func(k int)
	permute = func(k int) {
		if k == n {
			try()
			return
		}
		for i := k; i < n; i++ {
			if !alike(idx[i], idx[k]) {
				continue
			}
			idx[k], idx[i] = idx[i], idx[k]
			permute(k + 1)
			idx[k], idx[i] = idx[i], idx[k]
		}
	}
	permute(0)
	return best
}

// depthOf keeps canonical names of nested sums apart: it is how deep closed sums nest below t.
func depthOf(t Term) int {
	d := 0
	for _, f := range t.F {
		for _, p := range f.A.Args {
			for _, u := range p {
				d = max(d, depthOf(u)+1)
			}
		}
	}
	return d
}

func (p Poly) canonKey() string {
	ks := make([]string, len(p))
	for i, t := range p {
		ks[i] = strconv.FormatFloat(t.C, 'g', -1, 64) + " " + t.canonKey()
	}
	sort.Strings(ks)
	return strings.Join(ks, " + ")
}

// CanonKey returns a text that is equal for Polys equal up to the order of terms and the names of bound indices.
func (p Poly) CanonKey() string { return p.canonKey() }

// String prints the Poly in the algebra's own notation.
func (p Poly) String() string {
	if len(p) == 0 {
		return "0"
	}
	var b strings.Builder
	for i, t := range p {
		if i > 0 {
			b.WriteString(" + ")
		}
		s := t.body()
		switch {
		case s == "":
			b.WriteString(strconv.FormatFloat(t.C, 'g', -1, 64))
		case t.C == 1:
			b.WriteString(strings.TrimPrefix(s, " "))
		default:
			b.WriteString(strconv.FormatFloat(t.C, 'g', -1, 64) + " " + strings.TrimPrefix(s, " "))
		}
	}
	return b.String()
}
