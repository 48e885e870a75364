// This file holds let: substitution of definitions, and vectors made of a let's elements.

package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// A lam is a vector given by its elements, as a let without its last index is. None is left when Check returns:
// dot and sum take its elements one by one, elsewhere it is lifted to an expression of vectors.
type lam struct {
	over Binder
	body Expr
	at   dsl.Span
}

func (e *lam) Shape() []*Plate { return []*Plate{e.over.Plate} }
func (e *lam) Span() dsl.Span  { return e.at }

func isLam(e Expr) bool { _, ok := e.(*lam); return ok }

// letCycles reports lets that are defined by themselves, before anything follows the definitions.
func (c *checker) letCycles() {
	var lets []*Var
	var edges []edge
	for _, v := range c.order {
		if v.Role != dsl.Let {
			continue
		}
		lets = append(lets, v.Var)
		to := func(id dsl.Ident) {
			if w := c.vars[id.Name]; w != nil && w.Role == dsl.Let {
				edges = append(edges, edge{from: v.Var, to: w.Var, ref: &Ref{Var: w.Var, At: id.Span}})
			}
		}
		dsl.WalkDecl(v.decls[0], func(e dsl.Expr) bool {
			switch e := e.(type) {
			case *dsl.Name:
				to(e.Ident)
			case *dsl.Index:
				to(e.X)
			}
			return true
		})
	}
	for _, comp := range components(lets, edges) {
		var in []edge
		for _, e := range edges {
			if slices.Contains(comp, e.from) && slices.Contains(comp, e.to) {
				in = append(in, e)
			}
		}
		if len(in) == 0 {
			continue
		}
		c.reportCycle(loopOf(comp, in), in)
		for _, v := range comp {
			c.vars[v.Name].bad = true
		}
	}
}

// maxLet bounds how many operations a let may stand for, and maxLets all of them together: lets of lets can double in size at every
// step, and a long chain of them takes the square of its length.
const (
	maxLet  = 1 << 15
	maxLets = 1 << 20
)

// letDef types the definition of a let once.
func (c *checker) letDef(v *variable) bool {
	if v.def != unseen {
		return v.Def != nil
	}
	v.def = busy
	defer func() { v.def = done }()
	if v.bad || !c.signature(v) && !v.guess {
		return false
	}
	st := v.stmts[0]
	var e Expr
	if v.Type.Elem == Cat {
		ix, ok := c.index(st.sc, st.decl.Value, v.Type.Of, nil)
		if !ok || ix.Cat == nil {
			return false
		}
		e = ix.Cat
	} else if e = c.whole(st.sc, st.decl.Value); e == nil {
		return false
	}
	if v.bad || v.guess {
		return false
	}
	want := v.Axes[len(v.Params):]
	if got := e.Shape(); len(got) != len(want) || len(got) > 0 && describeShape(got) != describeShape(want) {
		c.errorf(st.decl.Value.ExprSpan(), "shape", "let %s is %s, but its definition is %s", v.Name, describeShape(want), describeShape(got))
		v.bad = true
		return false
	}
	size := 0
	walk(e, func(Expr) { size++ })
	if c.lets += size; size > maxLet || c.lets > maxLets {
		d := c.errorf(v.Span, "let", "let %s is too long once the lets in it are substituted", v.Name)
		if size <= maxLet {
			d.Notes = []string{"together with the lets above"}
		}
		d.Hint = "lets are names for expressions, written out wherever they stand: chains of many add up"
		v.bad = true
		return false
	}
	v.Def = e
	return true
}

// letRef substitutes a let.
func (c *checker) letRef(v *variable, ix []IndexExpr, at dsl.Span) Expr {
	if !c.letDef(v) {
		return nil
	}
	n := len(v.Params)
	m := map[string]IndexExpr{}
	for i := range min(n, len(ix)) {
		m[v.Params[i].Name] = ix[i]
	}
	switch {
	case len(ix) == n:
		return subst(v.Def, m)
	case len(ix) > n:
		e := subst(v.Def, m)
		for _, x := range ix[n:] {
			if e = element(e, x); e == nil {
				c.errorf(at, "let", "the elements of let %s cannot be taken apart", v.Name)
				return nil
			}
		}
		return e
	case len(ix) == n-1 && len(v.Axes) == n:
		b := v.Params[n-1]
		name := b.Name + "'" // no index of the text has this name; overElements and lift give it another
		m[b.Name] = IndexExpr{Name: name}
		b.Name = name
		b.Of = substIndices(b.Of, m)
		return &lam{over: b, body: subst(v.Def, m), at: at}
	}
	c.errorf(at, "let", "let %s needs its indices here", v.Name).
		Hint = "as a whole a let can be used as a vector only"
	return nil
}

// lamBin applies an operator to vectors of which one is given by its elements.
func (c *checker) lamBin(op byte, l, r Expr, at dsl.Span) Expr {
	over := Binder{}
	if x, ok := l.(*lam); ok {
		over = x.over
	} else {
		over = r.(*lam).over
	}
	part := func(e Expr) Expr {
		if len(e.Shape()) == 0 {
			return e
		}
		return element(e, IndexExpr{Name: over.Name, Span: at})
	}
	x, y := part(l), part(r)
	if x == nil || y == nil {
		c.errorf(at, "let", "this cannot be used as a whole").Hint = "write it with an index"
		return nil
	}
	return &lam{over: over, body: &Bin{Op: op, L: x, R: y, At: at}, at: at}
}

// lifted turns a vector given by its elements into an expression of vectors, or reports that it cannot.
func (c *checker) lifted(e Expr) Expr {
	l, ok := e.(*lam)
	if !ok {
		return e
	}
	if e = lift(l); e == nil {
		c.errorf(l.at, "let", "%s cannot stand for a whole vector here", c.text(l.at)).
			Hint = "only element-by-element definitions can; otherwise declare it as a vector, without an index on its last axis"
	}
	return e
}

// lift drops the bound index of a lam from the last place of every reference; nil if it stands elsewhere.
func lift(e Expr) Expr {
	l, ok := e.(*lam)
	if !ok {
		return e
	}
	x := l.strip(l.body)
	if x != nil && len(x.Shape()) == 0 {
		x = &Fill{X: x, Plate: []*Plate{l.over.Plate}, At: l.at}
	}
	return x
}

func (l *lam) strip(e Expr) Expr {
	if !mentions(e, l.over.Name) {
		return e
	}
	switch e := e.(type) {
	case *Ref:
		n := len(e.Idx) - 1
		if n < 0 || len(e.Shape()) > 0 || e.Idx[n].Name != l.over.Name || e.Idx[n].Add != 0 {
			return nil
		}
		x := &Ref{Var: e.Var, Idx: e.Idx[:n:n], At: e.At}
		if mentions(x, l.over.Name) {
			return nil
		}
		return x
	case *Bin:
		x, y := l.strip(e.L), l.strip(e.R)
		if x == nil || y == nil || (e.Op == '/' || e.Op == '^') && len(y.Shape()) > 0 {
			return nil
		}
		return &Bin{Op: e.Op, L: x, R: y, At: e.At}
	case *App:
		if x := l.strip(e.X); x != nil {
			return &App{Fn: e.Fn, X: x, At: e.At}
		}
	}
	return nil
}

// element returns the element ix of a vector; nil if it cannot be taken apart.
func element(e Expr, ix IndexExpr) Expr {
	switch e := e.(type) {
	case *Ref:
		return &Ref{Var: e.Var, Idx: append(e.Idx[:len(e.Idx):len(e.Idx)], ix), At: e.At}
	case *lam:
		return subst(e.body, map[string]IndexExpr{e.over.Name: ix})
	case *Bin:
		x, y := e.L, e.R
		if len(x.Shape()) > 0 {
			x = element(x, ix)
		}
		if len(y.Shape()) > 0 {
			y = element(y, ix)
		}
		if x == nil || y == nil {
			return nil
		}
		return &Bin{Op: e.Op, L: x, R: y, At: e.At}
	case *App:
		if x := element(e.X, ix); x != nil {
			return &App{Fn: e.Fn, X: x, At: e.At}
		}
	case *Fill:
		if len(e.Plate) == 1 {
			return e.X
		}
	}
	return nil
}

// subst replaces indices by others throughout an expression, renaming bound ones out of the way.
func subst(e Expr, m map[string]IndexExpr) Expr {
	switch e := e.(type) {
	case *Ref:
		return substRef(e, m)
	case *SizeOf:
		return &SizeOf{Plate: e.Plate, Of: substIndices(e.Of, m), At: e.At}
	case *IndexVal:
		return &IndexVal{Index: substIndex(e.Index, m), At: e.At}
	case *Bin:
		return &Bin{Op: e.Op, L: subst(e.L, m), R: subst(e.R, m), At: e.At}
	case *App:
		return &App{Fn: e.Fn, X: subst(e.X, m), At: e.At}
	case *Dot:
		return &Dot{A: subst(e.A, m), B: subst(e.B, m), At: e.At}
	case *Fill:
		return &Fill{X: subst(e.X, m), Plate: e.Plate, At: e.At}
	case *lam:
		b, inner := substBinder(e.over, m)
		return &lam{over: b, body: subst(e.body, inner), at: e.at}
	case *Sum:
		b, inner := substBinder(e.Over, m)
		return &Sum{Over: b, Body: subst(e.Body, inner), At: e.At}
	}
	return e
}

// substBinder substitutes in a binder and returns the substitution for what it binds.
func substBinder(b Binder, m map[string]IndexExpr) (Binder, map[string]IndexExpr) {
	b.Of = substIndices(b.Of, m)
	inner := make(map[string]IndexExpr, len(m))
	clash := false
	for from, to := range m {
		clash = clash || indexMentions(to, b.Name)
		if from != b.Name {
			inner[from] = to
		}
	}
	if clash {
		name := b.Name
		for i := 2; clash; i++ {
			name, clash = b.Name+strconv.Itoa(i), false
			for _, to := range m {
				clash = clash || indexMentions(to, name)
			}
		}
		inner[b.Name] = IndexExpr{Name: name}
		b.Name = name
	}
	return b, inner
}

// unshadow renames the indices of sums that a substituted let brought along and that the factor binds too.
func unshadow(e Expr, over []Binder) Expr {
	shadow := false
	walk(e, func(e Expr) {
		if s, ok := e.(*Sum); ok {
			for _, b := range over {
				shadow = shadow || b.Name == s.Over.Name
			}
		}
	})
	if !shadow {
		return e
	}
	m := map[string]IndexExpr{}
	for _, b := range over { // substituting an index by itself makes subst step out of its way
		m[b.Name] = IndexExpr{Name: b.Name}
	}
	return subst(e, m)
}

func substRef(r *Ref, m map[string]IndexExpr) *Ref {
	return &Ref{Var: r.Var, Idx: substIndices(r.Idx, m), At: r.At}
}

func substIndices(ix []IndexExpr, m map[string]IndexExpr) []IndexExpr {
	if ix == nil {
		return nil
	}
	out := make([]IndexExpr, len(ix))
	for i, x := range ix {
		out[i] = substIndex(x, m)
	}
	return out
}

func substIndex(x IndexExpr, m map[string]IndexExpr) IndexExpr {
	if x.Cat != nil {
		return IndexExpr{Cat: substRef(x.Cat, m), Add: x.Add, Span: x.Span}
	}
	to, ok := m[x.Name]
	if x.Name == "" || !ok {
		return x
	}
	to.Add += x.Add
	if to.Span == (dsl.Span{}) {
		to.Span = x.Span
	}
	return to
}

// mentions reports whether an index name occurs free in an expression.
func mentions(e Expr, name string) bool {
	found := false
	walkIndices(e, func(x IndexExpr) { found = found || indexMentions(x, name) })
	return found
}

func indexMentions(x IndexExpr, name string) bool {
	if x.Cat == nil {
		return x.Name == name
	}
	for _, y := range x.Cat.Idx {
		if indexMentions(y, name) {
			return true
		}
	}
	return false
}

// walkIndices calls f for every index expression of e, those of categories included in the category's.
func walkIndices(e Expr, f func(IndexExpr)) {
	walk(e, func(e Expr) {
		var ix []IndexExpr
		switch e := e.(type) {
		case *Ref:
			ix = e.Idx
		case *SizeOf:
			ix = e.Of
		case *IndexVal:
			f(e.Index)
		case *Sum:
			ix = e.Over.Of
		case *lam:
			ix = e.over.Of
		}
		for _, x := range ix {
			f(x)
		}
	})
}

// walk calls f for e and the expressions below it, lam included. Categories in indices are not visited.
func walk(e Expr, f func(Expr)) {
	f(e)
	switch e := e.(type) {
	case *Bin:
		walk(e.L, f)
		walk(e.R, f)
	case *App:
		walk(e.X, f)
	case *Dot:
		walk(e.A, f)
		walk(e.B, f)
	case *Fill:
		walk(e.X, f)
	case *Sum:
		walk(e.Body, f)
	case *lam:
		walk(e.body, f)
	}
}

// freshIndex invents a name for an index of p that no index around, variable or plate has.
func (c *checker) freshIndex(sc *scope, p *Plate, at dsl.Span) string {
	r, _ := utf8.DecodeRuneInString(p.Name)
	base := string(unicode.ToLower(r))
	if !unicode.IsLetter(r) {
		base = "i"
	}
	for i := 1; ; i++ {
		name := base
		if i > 1 {
			name += strconv.Itoa(i)
		}
		if sc.find(name) == nil && c.vars[name] == nil && c.plates[name] == nil && !strings.Contains(c.innerNames(at), fmt.Sprintf(" %s ", name)) {
			return name
		}
	}
}

// innerNames returns the words of a stretch of source, which may bind indices of their own.
func (c *checker) innerNames(at dsl.Span) string {
	words := strings.FieldsFunc(c.text(at), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	return " " + strings.Join(words, " ") + " "
}
