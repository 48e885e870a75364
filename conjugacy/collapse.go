// This file holds collapsing: unknowns that the spec integrates out leave the density, and the log-partition of their
// family takes their place. Touching a local then reaches into that log-partition, and pulling the guard out,
//
//	F(p + [g]·q) = F(p) + [g]·(F(p+q) - F(p)),
//
// gives the predictive weights: Dirichlet counts, Student t, negative binomial. No table of predictives is needed.

package conjugacy

import (
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A Collapsed is one unknown that was integrated out, with its full conditional given the rest: the judge needs it,
// since log p(rest) = log p(v, rest) - log q(v | rest) for every value of v.
type Collapsed struct {
	*Conditional
	LogZ     ir.Poly // the family's log-partition at its natural parameters, separated; free indices are the target's
	Location *Target // of the joint families: the location, Target being the variance
}

func lgamma(p ir.Poly) ir.Poly { return ir.Apply("lgamma", p) }

// collapse integrates out the unknowns that the spec lists, and returns what replaces the density's terms. The order in
// the spec makes no difference: a location and its variance go together, sticks last.
func (a *Analysis) collapse() (diags dsl.Diags) {
	done := map[*ir.Var]bool{}
	for _, loc := range a.Model.Collapse {
		for _, vari := range a.Model.Collapse {
			if done[loc] || done[vari] || loc == vari || !a.where.together(loc, vari) {
				continue
			}
			if p, ok := newPair(loc, vari); ok && a.collapsePair(p) {
				done[loc], done[vari] = true, true
			}
		}
	}
	for _, v := range a.Model.Collapse {
		if done[v] {
			continue
		}
		var d *dsl.Diag
		if f := a.stick(v); f != nil {
			d = a.collapseStick(v, f)
		} else {
			d = a.collapseOne(v)
		}
		if d != nil {
			diags = append(diags, d)
		}
		done[v] = true
	}
	if len(done) > 0 {
		a.Density.Terms = slices.DeleteFunc(a.Density.Terms, func(dt ir.DensityTerm) bool { return dt.Src == nil })
		a.where = newIndex(a.Density)
	}
	return diags
}

// A share is what of one statement's density mentions the unknowns that are being integrated out, and what does not.
type share struct {
	at        int // in Density.Terms
	own, free ir.Poly
}

// shares returns the shares of the statements that mention the unknowns.
func (a *Analysis) shares(vs ...*ir.Var) []share {
	var at []int
	for _, v := range vs {
		at = append(at, a.where.terms[v]...)
	}
	slices.Sort(at)
	var out []share
	for _, i := range slices.Compact(at) {
		s := share{at: i}
		for _, term := range a.Density.Terms[i].Poly {
			if slices.ContainsFunc(vs, func(v *ir.Var) bool { return Mentions(term, v) }) {
				s.own = append(s.own, term)
			} else {
				s.free = append(s.free, term)
			}
		}
		if len(s.own) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// substitute puts p in the place of the shares.
func (a *Analysis) substitute(shares []share, p ir.Poly, src *ir.Factor) {
	for _, s := range shares {
		if a.Density.Terms[s.at].Poly = s.free; len(s.free) == 0 {
			a.Density.Terms[s.at].Src = nil // nothing is left of the statement
		}
	}
	dt := ir.DensityTerm{Poly: p, Src: src}
	a.where.addTerm(len(a.Density.Terms), dt)
	a.Density.Terms = append(a.Density.Terms, dt)
}

// stick returns the GEM factor of v, or nil.
func (a *Analysis) stick(v *ir.Var) *ir.Factor {
	for _, f := range a.where.drawn[v] {
		if len(v.Axes) > 0 && v.Axes[len(v.Axes)-1].Unbounded && f.Dist.LogDensity == nil {
			return f
		}
	}
	return nil
}

// An Urn is an unbounded plate whose stick was integrated out: its categories follow the Chinese restaurant process.
type Urn struct {
	Plate *ir.Plate
	Stick *ir.Var
	Count ir.Poly // the number of members of category #1, separated
	Alpha ir.Poly
}

// spread replaces #1 by a bound name.
func spread(p ir.Poly, name string) ir.Poly {
	return (&ir.Rewriter{Names: map[string]ir.Ix{"#1": ir.At(name)}}).Poly(p)
}

// collapseStick replaces a stick by the probability of the partition that its categories make,
//
//	Γ(α)/Γ(α+n) · Π over occupied k of α·Γ(n[k])
//
// (Antoniak 1974). That is exact only because nothing else tells categories apart: a symmetric function of the clusters
// is all that Check lets depend on an unbounded plate, and all that may depend on the stick itself is the draw of categories.
func (a *Analysis) collapseStick(v *ir.Var, f *ir.Factor) *dsl.Diag {
	t := NewTarget(v, nil)
	no := func(why string) *dsl.Diag {
		return &dsl.Diag{Code: "collapse", Span: v.Span, Msg: fmt.Sprintf("%s cannot be integrated out", v.Name), Notes: []string{why},
			Hint: "nothing but a Categorical may depend on a stick"}
	}
	if len(f.Over) > 0 {
		return no("there are several sticks over one unbounded plate")
	}
	var touched ir.Poly
	shares := a.shares(v)
	for _, s := range shares {
		touched = append(touched, t.Touch(s.own)...)
	}
	stats := t.Collect(touched)
	if len(stats) != 1 {
		return no("something other than the draw of categories depends on it")
	}
	if k, _ := t.classify(stats[0].F); k != logVec {
		return no("something other than the draw of categories depends on it")
	}
	for _, w := range a.Model.Vars {
		if w.Role == dsl.Global && w.Type.Elem == ir.Cat && w.Type.Of == v.Axes[len(v.Axes)-1] {
			return &dsl.Diag{Code: "collapse", Span: w.Span, Msg: fmt.Sprintf("the categories %s of an unbounded plate must be local", w.Name),
				Hint: "write `local " + w.Name + "`"}
		}
	}
	plate := v.Axes[len(v.Axes)-1]
	count, alpha := stats[0].Coef, ir.Scalar(f.Args[0])
	b := ir.Bind{Name: "k'", Plate: plate}
	total := ir.SumOver(b, spread(count, "k'")).SimplifyAll()
	p := ir.Add(
		ir.SumOver(b, ir.Apply("crp", spread(count, "k'"), alpha)),
		ir.Apply("lgamma", alpha), ir.Apply("lgamma", ir.Add(alpha, total)).Scale(-1))
	a.substitute(shares, p.SimplifyAll(), f)
	a.Urns = append(a.Urns, &Urn{Plate: plate, Stick: v, Count: count, Alpha: alpha})
	return nil
}

// collapsePair integrates out a location and its variance together if they are of the joint family.
func (a *Analysis) collapsePair(p *pairTarget) bool {
	for _, t := range []*Target{p.loc, p.vari} {
		if bounds, err := a.bounds(t); err != nil || len(bounds) > 0 || !p.whole(t) {
			return false
		}
	}
	var touched, rest, with ir.Poly
	var src *ir.Factor
	shares := a.shares(p.loc.Var, p.vari.Var)
	for _, s := range shares {
		touched = append(touched, p.touch(s.own)...)
		src = a.Density.Terms[s.at].Src
	}
	for _, term := range touched {
		switch {
		case Mentions(term, p.loc.Var) || Mentions(term, p.vari.Var):
			return false
		case Mentions(term, p.loc.T) || Mentions(term, p.vari.T):
			with = append(with, term)
		default:
			rest = append(rest, term)
		}
	}
	coef, ok := p.natural(with)
	if !ok {
		return false
	}
	fam, params := p.family(), Params{Coef: coef, R: 1}
	z := fam.logPartition(params, p.vari.dim())
	a.substitute(shares, p.vari.everywhere(append(rest, z...)), src)
	c := &Conditional{Target: p.vari, Kernel: Exact, Family: fam, Params: params, Touched: with.Merge(), Srcs: []*ir.Factor{src}}
	a.Collapsed = append(a.Collapsed, &Collapsed{Conditional: c, LogZ: z, Location: p.loc})
	return true
}

// everywhere returns Σ over the target's indices of p, under bound names of their own.
func (t *Target) everywhere(p ir.Poly) ir.Poly {
	over := t.Binders()
	names := map[string]ir.Ix{}
	for i := range over {
		bound := "j" + over[i].Name[1:] + "'"
		names[over[i].Name] = ir.At(bound)
		over[i].Name = bound
	}
	p = (&ir.Rewriter{Names: names}).Poly(p)
	for _, b := range slices.Backward(over) {
		for i, x := range b.Of {
			if y, ok := names[x.Name]; ok {
				b.Of[i] = y
			}
		}
		p = ir.SumOver(b, p)
	}
	return p.SimplifyAll()
}

func (a *Analysis) collapseOne(v *ir.Var) *dsl.Diag {
	t := NewTarget(v, nil)
	no := func(why string) *dsl.Diag {
		return &dsl.Diag{Code: "collapse", Span: v.Span, Msg: fmt.Sprintf("%s cannot be integrated out", v.Name), Notes: []string{why},
			Hint: "leave it out of `collapse`: the sampler then draws it"}
	}
	if bounds, err := a.bounds(t); err != nil || len(bounds) > 0 {
		return no("it is bounded by more than a support that all its elements share")
	}
	if w := a.freshFrom(v); w != nil {
		return no(fmt.Sprintf("%s, which is drawn from its prior for each new category, depends on it", w.Name))
	}
	c := &Conditional{Target: t, Kernel: Exact}
	var rest ir.Poly // what the factors of v leave that is free of it
	var touched ir.Poly
	shares := a.shares(v)
	for _, s := range shares {
		q := t.Touch(s.own)
		for _, term := range q {
			if Mentions(term, v) {
				return no(fmt.Sprintf("one term ties several elements of %s together", v.Name))
			}
		}
		touched = append(touched, q...)
		c.Srcs = append(c.Srcs, a.Density.Terms[s.at].Src)
	}
	if len(c.Srcs) == 0 {
		c.Srcs = a.where.drawn[v] // what is flat, and has no bearing on anything, is in no term
	}
	c.Touched = touched.Merge()
	for _, term := range t.open(c.Touched) {
		if !Mentions(term, t.T) {
			rest = append(rest, term)
		}
	}
	c.Stats = t.Collect(c.Touched)
	fam, params, ok := recognise(t.shapeOf(c.Stats, false))
	if !ok {
		return no("its full conditional has no family whose normalising constant is known")
	}
	c.Family, c.Params = fam, params
	if fam.logPartition == nil || params.Truncated {
		return no("the normalising constant of the family " + fam.Name + " is not available")
	}
	z := fam.logPartition(params, t.dim())
	a.substitute(shares, t.everywhere(append(rest, z...)), c.Srcs[0])
	a.Collapsed = append(a.Collapsed, &Collapsed{Conditional: c, LogZ: z})
	return nil
}

// freshFrom returns a variable of the same unbounded plate that is drawn and whose prior depends on v, or nil: where a category opens there is no
// value of v that it could be drawn from.
func (a *Analysis) freshFrom(v *ir.Var) *ir.Var {
	for _, f := range a.Model.Factors {
		w := f.X.Var
		if w == v || !w.Unknown() || slices.Contains(a.Model.Collapse, w) || !slices.Contains(unknowns(f.Args...), v) {
			continue
		}
		if slices.ContainsFunc(w.Axes, func(p *ir.Plate) bool { return p.Unbounded && slices.Contains(v.Axes, p) }) {
			return w
		}
	}
	return nil
}

// dim returns the plate of the positions of a vector, or of a matrix's rows; nil for a number.
func (t *Target) dim() *ir.Plate {
	if len(t.T.Axes) == 0 {
		return nil
	}
	return t.T.Axes[0]
}

// Binders returns the target's free indices as binders over their plates, outermost first.
func (t *Target) Binders() []ir.Bind {
	var out []ir.Bind
	for i, j := range t.J {
		if j.Name == "" {
			continue
		}
		b := ir.Bind{Name: j.Name, Plate: t.Var.Axes[i]}
		if n := b.Plate.Depth(); n > 0 {
			b.Of = slices.Clone(t.J[i-n : i])
		}
		out = append(out, b)
	}
	return out
}

// separateCollapsed parts the natural parameters of what was integrated out.
func (a *Analysis) separateCollapsed() {
	for _, c := range a.Collapsed {
		sep := a.separatorFor(c.Target, c.Stats)
		if c.Location != nil {
			a.scopeOfPair(sep, c.Location)
		}
		coef := map[string]ir.Poly{}
		for _, name := range sortedKeys(c.Params.Coef) {
			coef[name], _ = sep.separate(c.Params.Coef[name])
		}
		c.Params.Coef = coef
	}
	for _, u := range a.Urns {
		sep := &separator{reg: a.Accs, scope: map[string]ir.Bind{"#1": {Name: "#1", Plate: u.Plate}}}
		u.Count, _ = sep.separate(u.Count)
	}
}

// scopeOfPair tells the separator over which plate the positions of a location run.
func (a *Analysis) scopeOfPair(sep *separator, loc *Target) {
	if loc.Var.Event == 1 {
		plate := loc.Var.Axes[len(loc.Var.Axes)-1]
		for _, n := range positionNames {
			sep.scope[n] = ir.Bind{Name: n, Plate: plate}
		}
	}
}

// pull takes the guards on t out of opaque functions, so that what is left of a function's change at t stands alone.
func (t *Target) pull(p ir.Poly) ir.Poly {
	var out ir.Poly
	for _, term := range p {
		out = append(out, t.pullTerm(term)...)
	}
	return t.about(out.SimplifyAll())
}

func (t *Target) pullTerm(term ir.Term) ir.Poly {
	g, ok := innerGuard(term, func(g ir.Guard) bool { return onT(g, t.T) })
	if !ok {
		return ir.Poly{term}
	}
	on, off := withGuard(term, g, true), withGuard(term, g, false)
	out := append(off, outside(g, term, step(on, off))...)
	for i, u := range out {
		out[i] = t.exists(u)
	}
	return t.pull(out.SimplifyAll())
}

// outside returns [g]·p for a guard that stood inside a function of the term. What it stood under there stays behind, [n = 2] of a z[2] in it,
// so that the ranges of what it reads come along: where there is no such element, the function was the same with the guard and without.
func outside(g ir.Guard, term ir.Term, p ir.Poly) ir.Poly {
	for _, r := range lacking(rangesOf(term), slices.Concat(g.L, g.R)...) {
		p = ir.Guarded(r, p)
	}
	return ir.Guarded(g, p)
}

// step returns on - off, where on is off at one more observation. Other guards inside on, [x[n] = k] of the word that was
// added, are pulled out too, so that all but one term of a sum over k cancels.
func step(on, off ir.Poly) ir.Poly {
	if d, ok := lgammaStep(on, off); ok {
		return d
	}
	if d, ok := urnStep(on, off); ok {
		return d
	}
	if len(on) == 1 {
		if h, ok := innerGuard(on[0], func(g ir.Guard) bool { return true }); ok {
			with, without := withGuard(on[0], h, true), withGuard(on[0], h, false)
			rest := outside(h, on[0], step(with, without))
			return ir.Add(without, off.Scale(-1), rest)
		}
	}
	return ir.Add(on, off.Scale(-1))
}

// innerGuard returns a guard, of those wanted, that stands inside an opaque function, holds for a whole term of its
// argument and needs no index bound in there.
func innerGuard(term ir.Term, want func(ir.Guard) bool) (ir.Guard, bool) {
	var found ir.Guard
	ok := false
	var look func(a *ir.Atom)
	look = func(a *ir.Atom) {
		for _, p := range a.Args {
			for _, u := range p {
				for _, g := range u.Guards {
					if ok || g.Rel != ir.Eq || len(u.Over) > 0 || onPosition(g) || !want(g) {
						continue
					}
					found, ok = g, true
				}
				for _, f := range u.F {
					look(f.A)
				}
			}
		}
	}
	for _, f := range term.F {
		look(f.A)
	}
	return found, ok
}

// onPosition reports whether the guard is about a position in a vector or matrix, which a joint log-partition binds.
func onPosition(g ir.Guard) bool {
	for n := range ir.FreeOf(slices.Concat(g.L, g.R)) {
		if n[0] == '#' {
			return true
		}
	}
	return false
}

func onT(g ir.Guard, tv *ir.Var) bool {
	for _, x := range slices.Concat(g.L, g.R) {
		if x.Cat != nil && x.Cat.Var == tv {
			return true
		}
	}
	return false
}

// withGuard returns the term with the guard taken as true or as false wherever it stands inside functions.
func withGuard(term ir.Term, g ir.Guard, holds bool) ir.Poly {
	key := g.String()
	var fix func(p ir.Poly) ir.Poly
	atom := func(a *ir.Atom) ir.Poly {
		if len(a.Args) == 0 {
			return a.Poly()
		}
		args := make([]ir.Poly, len(a.Args))
		for i, p := range a.Args {
			args[i] = fix(p)
		}
		if a.Fn == ir.ClosedAtom {
			return args[0].Close()
		}
		return ir.Apply(a.Name, args...)
	}
	fix = func(p ir.Poly) ir.Poly {
		var out ir.Poly
		for _, u := range p {
			i := slices.IndexFunc(u.Guards, func(h ir.Guard) bool { return h.String() == key })
			if i >= 0 {
				if !holds {
					continue
				}
				u.Guards = slices.Delete(slices.Clone(u.Guards), i, i+1)
			}
			q := ir.Poly{{C: u.C, Over: u.Over, Guards: u.Guards}}
			for _, f := range u.F {
				q = ir.Mul(q, ir.Pow(atom(f.A), f.P))
			}
			out = append(out, q...)
		}
		return out.Merge()
	}
	q := ir.Poly{{C: term.C, Over: term.Over, Guards: term.Guards}}
	for _, f := range term.F {
		q = ir.Mul(q, ir.Pow(atom(f.A), f.P))
	}
	return q
}

// lgammaStep reads C·lgamma(p+1) - C·lgamma(p) as C·log p.
func lgammaStep(on, off ir.Poly) (ir.Poly, bool) {
	if len(on) != 1 || len(off) != 1 {
		return nil, false
	}
	var f, g *ir.Atom
	var rest ir.Term
	for _, t := range []struct {
		p ir.Poly
		a **ir.Atom
	}{{on, &f}, {off, &g}} {
		rest = ir.Term{C: t.p[0].C, Over: t.p[0].Over, Guards: t.p[0].Guards}
		for _, x := range t.p[0].F {
			if x.A.Fn == ir.CallAtom && x.A.Name == "lgamma" && x.P == 1 && *t.a == nil {
				*t.a = x.A
				continue
			}
			rest.F = append(rest.F, x)
		}
	}
	if f == nil || g == nil {
		return nil, false
	}
	if d, ok := ir.Add(f.Args[0], g.Args[0].Scale(-1)).Constant(); !ok || d != 1 {
		return nil, false
	}
	return ir.Mul(ir.Poly{rest}, ir.Log(g.Args[0])), true
}

// urnStep reads crp(n+1, α) - crp(n, α) as the log weight of one more member: log n, or log α for an empty category.
func urnStep(on, off ir.Poly) (ir.Poly, bool) {
	is := func(p ir.Poly) (*ir.Atom, bool) {
		if len(p) != 1 || len(p[0].F) != 1 || p[0].C != 1 || p[0].F[0].P != 1 {
			return nil, false
		}
		a := p[0].F[0].A
		return a, a.Fn == ir.CallAtom && a.Name == "crp"
	}
	f, ok1 := is(on)
	g, ok2 := is(off)
	if !ok1 || !ok2 {
		return nil, false
	}
	if d, ok := ir.Add(f.Args[0], g.Args[0].Scale(-1)).Constant(); !ok || d != 1 {
		return nil, false
	}
	t := ir.Term{C: 1, Over: on[0].Over, Guards: on[0].Guards}
	return ir.Mul(ir.Poly{t}, ir.Apply("logcrp", g.Args...)), true
}
