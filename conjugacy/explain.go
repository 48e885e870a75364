// This file holds the derivation of each conditional in words and formulas: what explain prints, what the goldens hold, and
// the comments above generated updates.

package conjugacy

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// An Explanation is one unknown's full conditional, derived. Formulas are in the notation of [Notation]; costs are O(...) in
// plate names.
type Explanation struct {
	Name         string            `json:"name"`                 // the target with its indices: mu[k]
	Over         []string          `json:"over,omitempty"`       // what they run over: k in K
	Role         string            `json:"role"`                 // global or local
	Support      string            `json:"support"`              //
	Conditional  string            `json:"conditional"`          // ∝ the product of the factors that mention it
	Statistics   []Statistic       `json:"statistics,omitempty"` // the log of that, as Σ coefficient · statistic
	Family       string            `json:"family,omitempty"`     // empty unless it is drawn from one
	Density      string            `json:"density,omitempty"`    // ∝ what, in terms of the parameters
	Draw         string            `json:"draw"`                 // mu[k] | · ~ Normal(v·h, var = v)
	Parameters   []Formula         `json:"parameters,omitempty"` // of the family, or the log density that another kernel uses
	Bounds       []string          `json:"bounds,omitempty"`     // constraints beyond the support
	Why          string            `json:"why"`                  // this family or kernel
	InTheWay     string            `json:"in_the_way,omitempty"` // the term that no family takes
	Kernel       string            `json:"kernel"`               //
	Accumulators []AccumulatorNote `json:"accumulators,omitempty"`
	Direct       []string          `json:"direct,omitempty"` // sums that no accumulator can hold: computed at each draw
	Cost         string            `json:"cost"`             // of one draw of the target
	Factors      []FactorNote      `json:"factors"`          // of the spec
}

// A Statistic is a function of the target with its natural parameter.
type Statistic struct {
	Statistic   string `json:"statistic"`
	Coefficient string `json:"coefficient"`
}

// An AccumulatorNote is a sum over data and locals that is stored, and how it follows the locals.
type AccumulatorNote struct {
	Name       string     `json:"name"` // with its indices: A1[k]
	Definition string     `json:"definition"`
	Data       bool       `json:"data"`                // made of data alone, so computed once
	ForMoves   bool       `json:"for_moves,omitempty"` // read by the moves of others only, not by the draw
	Moves      []MoveNote `json:"moves,omitempty"`
}

// A MoveNote is what one accumulator gains when one unknown moves, at its new value less at its old.
type MoveNote struct {
	When  string   `json:"when"`  // z[n]
	Rules []string `json:"rules"` // A1[z[n]] += x[n]
	Cost  string   `json:"cost"`
}

// A FactorNote is a statement of the spec.
type FactorNote struct {
	Text string `json:"text"`
	Line int    `json:"line"`
}

// Explain returns the explanation of every conditional, in the order of the analysis.
func Explain(a *Analysis) []Explanation {
	out := make([]Explanation, len(a.Conds))
	for i, c := range a.Conds {
		out[i] = c.explain(a)
	}
	return out
}

func (c *Conditional) explain(a *Analysis) Explanation {
	t := c.Target
	n := NewNotation(a.Model, t)
	e := Explanation{
		Name: n.Target(), Role: t.Var.Role.String(), Support: supportText(t),
		Conditional: n.Target() + " | · ∝ " + c.product(a, n),
	}
	for i, j := range t.J {
		if j.Name == "" {
			continue
		}
		over := n.names[j.Name].text + " in " + t.Var.Axes[i].Name
		if t.Var.Axes[i].Over != nil && i > 0 {
			over += brackets([]string{n.ix(t.J[i-1])})
		}
		e.Over = append(e.Over, over)
	}
	for _, s := range c.Stats {
		e.Statistics = append(e.Statistics, Statistic{n.factors(s.F), n.Poly(s.Coef)})
	}
	for _, b := range c.Bounds {
		e.Bounds = append(e.Bounds, n.bound(b))
	}
	for _, d := range c.Direct {
		e.Direct = append(e.Direct, n.Term(d))
	}
	for _, f := range c.Srcs {
		if f == nil {
			continue
		}
		note := FactorNote{statementText(a.Model, f), f.Span.Start.Line}
		if !slices.Contains(e.Factors, note) { // a range of few elements makes a factor of each
			e.Factors = append(e.Factors, note)
		}
	}
	c.explainDraw(&e, n)
	e.Cost = c.cost(a)
	if c.Kernel == SliceKernel {
		e.Cost = c.sliceCost()
	}
	e.Accumulators = accumulators(a, c)
	return e
}

// explainDraw fills in the family or kernel, why, and the parameters.
func (c *Conditional) explainDraw(e *Explanation, n *Notation) {
	t := e.Name
	switch c.Kernel {
	case Exact:
		f := c.Family.words(n, c, t)
		e.Family, e.Density, e.Draw, e.Parameters = f.family, f.density, f.draw, f.params
		e.Kernel = "exact draw from the family"
		e.Why = "the statistics are " + statisticSet(e.Statistics) + ", the support is " + e.Support
		if c.Params.Truncated {
			e.Family = "truncated " + e.Family
			e.Draw += ", between bounds"
			if len(c.Bounds) > 0 {
				e.Why += ", cut by constraints"
			}
		}
	case Enumerate:
		values := "both values"
		if of := c.Target.Var.Type.Of; of != nil {
			values = "each element of " + of.Name
		}
		e.Family = "Categorical"
		if c.Target.Var.Type.Elem == ir.Bool {
			e.Family = "Bernoulli"
		}
		e.Draw = t + " | · ~ " + e.Family + " with weights exp{l(" + t + ")}"
		e.Parameters = []Formula{{"l(" + t + ")", n.Poly(c.LogT)}}
		e.Kernel = "enumeration: " + values + " is weighed"
		if strings.HasPrefix(values, "both") {
			e.Kernel = "enumeration: both values are weighed"
		}
		e.Why = "the support is finite"
	case SliceKernel:
		e.Draw = t + " | · ~ density ∝ exp{l(" + t + ")}"
		e.Parameters = []Formula{{"l(" + t + ")", n.Poly(c.LogT)}}
		e.Kernel = "univariate slice sampler"
		e.InTheWay = c.Why
		for _, s := range c.Stats { // Why names a statistic by its key: print it as the reader knows it
			if s.Key == c.Why {
				e.InTheWay = n.factors(s.F)
			}
		}
		e.Why = "no family has the statistics " + statisticSet(e.Statistics) + " on this support"
	}
	if c.Removed {
		e.Kernel += ", after the target's own part is taken out of the accumulators"
	}
}

// factors prints a product of factors by itself.
func (n *Notation) factors(f []ir.Fac) string { return n.Term(ir.Term{C: 1, F: f}) }

func statisticSet(stats []Statistic) string {
	if len(stats) == 0 {
		return "{}"
	}
	var s []string
	for _, x := range stats {
		s = append(s, x.Statistic)
	}
	return "{" + strings.Join(s, ", ") + "}"
}

// A reading is a polynomial that a draw evaluates for each value of params.
type reading struct {
	poly   ir.Poly
	params []ir.Bind
}

// read returns what one draw evaluates.
func (c *Conditional) read() []reading {
	var out []reading
	switch c.Kernel {
	case Exact:
		var slots []ir.Bind // #1, #2, ... as far as the statistics have them
		for _, s := range c.Stats {
			for i, p := range s.Slots {
				if i == len(slots) {
					slots = append(slots, ir.Bind{Name: "#" + strconv.Itoa(i+1), Plate: p})
				}
			}
		}
		for _, k := range sortedKeys(c.Params.Coef) {
			p := c.Params.Coef[k]
			out = append(out, reading{p, slices.DeleteFunc(slices.Clone(slots), func(b ir.Bind) bool { return !mentionsName(p, b.Name) })})
		}
	case Enumerate:
		var values []ir.Bind
		if of := c.Target.Var.Type.Of; of != nil {
			values = []ir.Bind{{Name: "$t", Plate: of}}
		}
		out = append(out, reading{c.LogT, values})
	default:
		out = append(out, reading{c.LogT, nil})
	}
	for _, b := range c.Bounds {
		for _, p := range []ir.Poly{b.A, b.B} {
			for _, t := range p {
				t.Over = append(slices.Clone(b.Over), t.Over...)
				t.Guards = append(slices.Clone(b.Guards), t.Guards...)
				out = append(out, reading{ir.Poly{t}, nil})
			}
		}
	}
	return out
}

func mentionsName(p ir.Poly, name string) bool {
	return slices.ContainsFunc(p, func(t ir.Term) bool { return t.Free()[name] })
}

// cost words what one draw costs: of two ways, that which is cheaper at the sizes of the data.
func (c *Conditional) cost(a *Analysis) string {
	kept, without := c.Costs(a)
	if without == nil {
		return kept.String()
	}
	return "O(min(" + kept.inside() + ", " + without.inside() + "))"
}

// Costs returns what one draw costs, and what it costs if no Gram matrix is kept, where that makes a difference.
func (c *Conditional) Costs(a *Analysis) (kept, without Cost) {
	for _, r := range c.read() {
		kept = kept.Plus(CostOf(r.poly, r.params...)...)
	}
	kept = kept.Plus(c.own()...)
	if other, ok := c.costWithout(a); ok {
		without = other
	}
	return kept, without
}

// costWithout returns what one draw costs if no Gram matrix is kept, and whether that makes a difference.
func (c *Conditional) costWithout(a *Analysis) (cost Cost, ok bool) {
	if r := c.Rows; r != nil {
		n, d := r.X.Axes[0], r.X.Axes[1]
		row, position := ir.Bind{Name: "#1", Plate: n}, ir.Bind{Name: "#1", Plate: d}
		cost = slices.Concat(CostOf(r.Weight, row), CostOf(r.Score, row), CostOf(r.Diag, position), CostOf(r.Lin, position))
		return cost.Plus(plates([]ir.Bind{row, row, position})), true
	}
	for _, r := range c.read() {
		p := r.poly
		for _, g := range a.Grams {
			if reads(p, g.Acc.Name) {
				p, ok = g.Without(p)
			}
		}
		cost = cost.Plus(CostOf(p, r.params...)...)
	}
	return cost.Plus(c.own()...), ok
}

// own returns what the draw costs beyond its parameters: a factorisation, or a pass over the vector.
func (c *Conditional) own() Cost {
	if c.Kernel != Exact || len(c.Target.T.Axes) == 0 {
		return nil
	}
	var block loops
	for _, p := range c.Target.T.Axes {
		block = block.times(p.Name)
	}
	if len(c.Family.Draws) > 0 && c.Family.Draws[0].Work {
		// A matrix over the positions is factorised, in as many steps as the cube of their number.
		if c.Target.Var.Support.Kind == ir.SPD {
			return Cost{block.times(c.Target.dim().Name)}
		}
		return Cost{block.times(block...).times(block...)}
	}
	return Cost{block}
}

// accumulators describes what the conditional reads, and what the moves of those read.
func accumulators(a *Analysis, c *Conditional) []AccumulatorNote {
	var names []string
	see := func(t ir.Term) {
		t.WalkAtoms(func(at *ir.Atom) {
			if at.Fn == ir.AccAtom && !slices.Contains(names, at.Name) {
				names = append(names, at.Name)
			}
		})
	}
	for _, r := range c.read() {
		for _, t := range r.poly {
			see(t)
		}
	}
	direct := len(names)
	var out []AccumulatorNote
	for i := 0; i < len(names); i++ { // names grows: moves may read accumulators of data
		acc := a.Accs.Get(names[i])
		if acc == nil {
			continue
		}
		for _, m := range acc.Moves {
			for _, t := range m.Delta {
				see(t)
			}
		}
		note := acc.note(a.Model)
		note.ForMoves = i >= direct
		out = append(out, note)
	}
	slices.SortFunc(out, func(x, y AccumulatorNote) int { return accNumber(x.Name) - accNumber(y.Name) })
	return out
}

// accNumber is the 12 of A12[k].
func accNumber(s string) int {
	s, _, _ = strings.Cut(strings.TrimPrefix(s, "A"), "[")
	k, _ := strconv.Atoi(s)
	return k
}

func (acc *Accumulator) note(m *ir.Model) AccumulatorNote {
	n := NewNotation(m, nil, acc.Params...)
	var ix []ir.Ix
	for _, b := range acc.Params {
		ix = append(ix, ir.At(b.Name))
	}
	note := AccumulatorNote{Name: acc.Name + brackets(n.each(ix)), Definition: n.Term(acc.Body), Data: acc.Data()}
	for _, mv := range acc.Moves {
		note.Moves = append(note.Moves, acc.moveNote(m, mv))
	}
	return note
}

// moveNote prints a move, a line for each term. Where a guard says which element of the accumulator a term goes to, that
// element is written instead: A1[z[n]] += x[n].
func (acc *Accumulator) moveNote(m *ir.Model, mv Move) MoveNote {
	n := NewNotation(m, mv.Target, acc.Params...)
	note := MoveNote{When: n.Target()}
	var cost Cost
	for _, t := range mv.Delta {
		if !Mentions(t, mv.Target.T) {
			continue // the same at the new value and at the old
		}
		cost = cost.Plus(costOfTerm(t, acc.Params)...)
		t.Guards = slices.Clone(t.Guards)
		ix := make([]ir.Ix, len(acc.Params))
		for i, b := range acc.Params {
			ix[i] = ir.At(b.Name)
			g := slices.IndexFunc(t.Guards, func(g ir.Guard) bool {
				return g.Rel == ir.Eq && len(g.L) == 1 && (isName(g.L[0], b.Name) || isName(g.R[0], b.Name))
			})
			if g < 0 {
				continue
			}
			ix[i] = t.Guards[g].L[0]
			if isName(ix[i], b.Name) {
				ix[i] = t.Guards[g].R[0]
			}
			t.Guards = slices.Delete(t.Guards, g, g+1)
			if p := (&ir.Rewriter{Names: map[string]ir.Ix{b.Name: ix[i]}}).Term(t); len(p) == 1 {
				t = p[0]
			}
			for k := range i {
				if isName(ix[k], b.Name) {
					ix[k] = ix[i]
				}
			}
		}
		sign := " += "
		if t.C < 0 {
			sign = " -= "
			t.C = -t.C
		}
		note.Rules = append(note.Rules, acc.Name+brackets(n.each(ix))+sign+n.Term(t))
	}
	note.Cost = cost.String()
	return note
}

func isName(x ir.Ix, name string) bool { return x.Cat == nil && x.Add == 0 && x.Name == name }

// bound prints a constraint on the target, solved for it where it has a constant factor.
func (n *Notation) bound(b Bound) string {
	in := n.within(b.Over)
	t := in.Target()
	a, constant := b.A.Constant()
	left, right := in.Poly(b.A)+"·"+t+" + "+in.Poly(b.B), "0"
	up := true
	if constant && a != 0 {
		left, right, up = t, in.Poly(b.B.Scale(-1/a)), a > 0
	}
	relation := func(up bool) string {
		if up {
			return " > "
		}
		return " < "
	}
	text := left + relation(up) + right
	if b.Y != nil {
		y := in.atom(b.Y)
		text = text + " if " + y + ", " + left + relation(!up) + right + " if not"
	}
	var each []string
	for _, o := range b.Over {
		each = append(each, in.names[o.Name].text+" in "+o.Plate.Name)
	}
	if len(each) > 0 {
		text += ", for each " + strings.Join(each, ", ")
	}
	for i, g := range b.Guards {
		word := " and "
		if i == 0 {
			word = " with "
		}
		text += word + strings.Trim(in.guard(g), "[]")
	}
	return text
}

// product prints the factors that mention the target: Normal(mu[k]; m0, var = v0) · ∏_{n: z[n] = k} Normal(...). What is
// integrated out stands in one integral over all its factors.
func (c *Conditional) product(a *Analysis, n *Notation) string {
	m := a.Model
	var out []string
	integral := false
	for _, f := range c.Srcs {
		switch {
		case f == nil:
		case mentionsAny(f, m.Collapse):
			integral = true
		default:
			out = append(out, n.touched(f))
		}
	}
	for _, k := range a.where.constraints[c.Target.Var] {
		if text, ok := n.constraint(k); ok {
			out = append(out, text)
		}
	}
	if integral {
		text := "∫"
		for _, f := range m.Factors {
			if mentionsAny(f, m.Collapse) {
				all, _ := n.productOver(f.Over, nil, func(in instance) string { return densityText(f, in) })
				text += " " + all
			}
		}
		for _, v := range m.Collapse {
			text += " d" + v.Name
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return "1"
	}
	return strings.Join(out, " · ")
}

func mentionsAny(f *ir.Factor, vs []*ir.Var) bool {
	return len(vs) > 0 && slices.ContainsFunc(unknowns(append([]ir.Expr{f.X, f.Lo, f.Hi}, f.Args...)...), func(v *ir.Var) bool { return slices.Contains(vs, v) })
}

// touched prints a factor as a product over its indices, as far as the target does not fix them.
func (n *Notation) touched(f *ir.Factor) string {
	text, _ := n.productOver(f.Over, append([]ir.Expr{f.X, f.Lo, f.Hi}, f.Args...), func(in instance) string { return densityText(f, in) })
	return text
}

// constraint prints a constraint as an indicator; false if it does not mention the target.
func (n *Notation) constraint(k *ir.Constraint) (string, bool) {
	return n.productOver(k.Over, []ir.Expr{k.L, k.R, k.Cuts}, func(in instance) string {
		relation := " > "
		if k.Less {
			relation = " < "
		}
		side := in.text(k.L) + relation
		if k.Cuts != nil {
			side = in.text(k.L) + " cut by " + in.text(k.Cuts)
		} else {
			side += in.text(k.R)
		}
		return "[" + in.text(k.Y) + " = (" + side + ")]"
	})
}

// An instance says what the bound names of a statement are printed as.
type instance map[string]ir.IndexExpr

// text prints an expression of the statement.
func (in instance) text(e ir.Expr) string {
	if len(in) == 0 {
		return ir.ExprString(e)
	}
	return ir.ExprString(reindex(e, in))
}

// productOver prints the product of a statement over those of its binders that the target leaves free. Where the target's
// element is written v[t] or v[t-1], the instances of the statement that mention v[J] are printed one by one; where it is
// v[z[n]], a condition stands below the product. The expressions es are searched for the target; false says that they do not
// mention it.
func (n *Notation) productOver(over []ir.Binder, es []ir.Expr, print func(instance) string) (string, bool) {
	var mentions [][]ir.IndexExpr // distinct
	for _, e := range es {
		if e == nil || e == ir.Expr((*ir.Ref)(nil)) {
			continue
		}
		ir.WalkExpr(e, func(e ir.Expr) {
			if r, ok := e.(*ir.Ref); ok && r.Var == n.target.Var &&
				!slices.ContainsFunc(mentions, func(ix []ir.IndexExpr) bool { return sameIndices(ix, r.Idx) }) {
				mentions = append(mentions, r.Idx)
			}
		})
	}
	solved := len(mentions) > 0
	var instances []instance
	for _, m := range mentions {
		in, ok := n.solve(m, over)
		instances = append(instances, in)
		solved = solved && ok
	}
	var out []string
	if !solved {
		instances = []instance{{}}
	}
	for k, in := range instances {
		var free, products, conditions []string
		for _, b := range over {
			x, fixed := in[b.Name]
			if fixed {
				conditions = append(conditions, rangeOfIndex(x, b)...)
				continue
			}
			text := b.Name
			for n.taken(text) { // a name that is not the target's
				text += "′"
			}
			in[b.Name] = ir.IndexExpr{Name: text}
			free = append(free, text)
			products = append(products, "∏"+subscript(text, rangeOf(text, b.Plate, b.Lo, b.Hi)))
		}
		if len(mentions) == 1 || solved { // else no simple condition, and factors without the target do no harm
			for i, x := range mentions[k] {
				if n.target.Block[i] || solvedAt(x, over) || boundInside(x, over) {
					continue
				}
				x = reindexOne(x, in)
				l, r := x.String(), n.ix(n.target.J[i])
				if x.Cat == nil { // a number comes last
					l, r = r, l
				}
				conditions = append(conditions, l+" = "+r)
			}
		}
		text := print(in)
		switch {
		case len(free) > 0 && len(conditions) > 0:
			text = "∏_{" + strings.Join(free, ",") + ": " + strings.Join(conditions, ", ") + "} " + text
		case len(free) > 0:
			text = strings.Join(products, " ") + " " + text
		case len(conditions) > 0:
			text += "^[" + strings.Join(conditions, ", ") + "]"
		}
		if !slices.Contains(out, text) { // two elements of a block may stand in one factor
			out = append(out, text)
		}
	}
	return strings.Join(out, " · "), len(mentions) > 0
}

// solve returns the instance of a statement over these binders in which the mention at ix is the target. False says that an
// index is a category, so that many instances may be.
func (n *Notation) solve(ix []ir.IndexExpr, over []ir.Binder) (instance, bool) {
	in, ok := instance{}, true
	for i, x := range ix {
		switch {
		case n.target.Block[i]:
		case solvedAt(x, over) && in[x.Name].Name == "":
			in[x.Name] = ir.IndexExpr{Name: n.ix(n.target.J[i]), Add: -x.Add}
		default:
			ok = ok && x.Cat == nil
		}
	}
	return in, ok
}

// solvedAt reports whether the index is one of the binders, shifted or not.
func solvedAt(x ir.IndexExpr, over []ir.Binder) bool {
	return x.Cat == nil && slices.ContainsFunc(over, func(b ir.Binder) bool { return b.Name == x.Name })
}

// boundInside reports whether the index depends on a name that a sum inside the statement binds: it takes all values there.
func boundInside(x ir.IndexExpr, over []ir.Binder) bool {
	if x.Cat != nil {
		return slices.ContainsFunc(x.Cat.Idx, func(y ir.IndexExpr) bool { return boundInside(y, over) })
	}
	return x.Name != "" && !solvedAt(x, over)
}

// rangeOfIndex states that x lies in the range of the binder.
func rangeOfIndex(x ir.IndexExpr, b ir.Binder) []string {
	return rangeOf(x.Name, b.Plate, b.Lo-x.Add, min(b.Hi-x.Add, 0))
}

// reindex returns e with the names of in replaced in every index.
func reindex(e ir.Expr, in instance) ir.Expr {
	switch e := e.(type) {
	case *ir.Ref:
		return &ir.Ref{Var: e.Var, Idx: reindexAll(e.Idx, in), At: e.At}
	case *ir.SizeOf:
		return &ir.SizeOf{Plate: e.Plate, Of: reindexAll(e.Of, in), At: e.At}
	case *ir.IndexVal:
		return &ir.IndexVal{Index: reindexOne(e.Index, in), At: e.At}
	case *ir.Bin:
		return &ir.Bin{Op: e.Op, L: reindex(e.L, in), R: reindex(e.R, in), At: e.At}
	case *ir.App:
		return &ir.App{Fn: e.Fn, X: reindex(e.X, in), At: e.At}
	case *ir.Dot:
		return &ir.Dot{A: reindex(e.A, in), B: reindex(e.B, in), At: e.At}
	case *ir.Sum:
		own := e.Over
		own.Of = reindexAll(own.Of, in)
		inner := instance{}
		for k, v := range in {
			if k != own.Name {
				inner[k] = v
			}
		}
		return &ir.Sum{Over: own, Body: reindex(e.Body, inner), At: e.At}
	case *ir.Fill:
		return &ir.Fill{X: reindex(e.X, in), Plate: e.Plate, At: e.At}
	}
	return e
}

func reindexAll(ix []ir.IndexExpr, in instance) []ir.IndexExpr {
	out := make([]ir.IndexExpr, len(ix))
	for i, x := range ix {
		out[i] = reindexOne(x, in)
	}
	return out
}

func reindexOne(x ir.IndexExpr, in instance) ir.IndexExpr {
	if x.Cat != nil {
		x.Cat = reindex(x.Cat, in).(*ir.Ref)
		return x
	}
	if y, ok := in[x.Name]; ok && x.Name != "" {
		y.Add += x.Add
		return y
	}
	return x
}

func sameIndices(a, b []ir.IndexExpr) bool {
	return slices.EqualFunc(a, b, func(x, y ir.IndexExpr) bool { return x.String() == y.String() })
}

// densityText prints Normal(x[n]; mu[z[n]], var = s2).
func densityText(f *ir.Factor, in instance) string {
	args := argsText(f, in)
	if args != "" {
		args = "; " + args
	}
	s := f.Dist.Name + "(" + in.text(f.X) + args + ")"
	lo, hi := "-∞", "∞"
	if f.Lo != nil {
		lo = in.text(f.Lo)
	}
	if f.Hi != nil {
		hi = in.text(f.Hi)
	}
	if f.Lo != nil || f.Hi != nil {
		s += " on (" + lo + ", " + hi + ")"
	}
	return s
}

func argsText(f *ir.Factor, in instance) string {
	var args []string
	for i, a := range f.Args {
		if fill, ok := a.(*ir.Fill); ok && len(fill.Plate) == 1 {
			a = fill.X // as the spec says it: Dirichlet(1)
		}
		s := in.text(a)
		if p := f.Dist.Params[i]; p.Named {
			s = p.Name + " = " + s
		}
		args = append(args, s)
	}
	return strings.Join(args, ", ")
}

// statementText prints the statement of a factor as the spec has it.
func statementText(m *ir.Model, f *ir.Factor) string {
	for _, d := range m.File.Decls {
		if v, ok := d.(*dsl.VarDecl); ok && v.Span == f.Span {
			return dsl.DeclString(v)
		}
	}
	return "?" // every factor has a statement
}

func supportText(t *Target) string {
	v := t.Var
	s := v.Support
	switch s.Kind {
	case ir.Simplex:
		return "the simplex"
	case ir.SPD:
		return "the positive definite matrices"
	case ir.Finite:
		return "the elements of " + v.Type.Of.Name
	case ir.Binary:
		return "false and true"
	case ir.Counts:
		return "the counts"
	}
	lo, hi := "-∞", "∞"
	if s.Lo != nil {
		lo = ir.ExprString(s.Lo)
	}
	if s.Hi != nil {
		hi = ir.ExprString(s.Hi)
	}
	switch {
	case s.Lo == nil && s.Hi == nil && len(t.T.Axes) > 0:
		return "the real vectors"
	case s.Lo == nil && s.Hi == nil:
		return "the real line"
	}
	return "(" + lo + ", " + hi + ")"
}

// Summary returns the words of the explanation that a list of all conditionals has room for.
func Summary(c *Conditional, a *Analysis) string {
	e := c.explain(a)
	switch c.Kernel {
	case Enumerate:
		return e.Family + ", every value weighed"
	case SliceKernel:
		return e.Kernel + ", because of " + e.InTheWay
	}
	return e.Family
}

// Derivation returns the lines of the comment above the generated update of c, without comment marks: the conditional, the
// algebra in three steps, and what found it. Lines of formulas begin with a tab.
func Derivation(c *Conditional, a *Analysis) []string {
	e := c.explain(a)
	left := "p(" + e.Name + " | ·) ∝ "
	pad := "\t" + strings.Repeat(" ", len([]rune(left))-2) + "∝ "
	out := []string{"\t" + left + strings.TrimPrefix(e.Conditional, e.Name+" | · ∝ ")}
	if e.Density != "" {
		out = append(out, pad+e.Density)
	}
	out = append(out, "", "\t"+e.Draw)
	width := 0
	for _, p := range e.Parameters {
		width = max(width, len([]rune(p.Name)))
	}
	for _, p := range e.Parameters {
		out = append(out, "\t     "+p.Name+strings.Repeat(" ", width-len([]rune(p.Name)))+" = "+p.Value)
	}
	for _, b := range e.Bounds {
		out = append(out, "\t     "+b)
	}
	for _, acc := range e.Accumulators {
		if !acc.ForMoves {
			out = append(out, "\t     "+acc.Name+" = "+acc.Definition)
		}
	}
	out = append(out, "")
	what := "Family: " + e.Family
	if e.Family == "" {
		what = "Kernel: " + e.Kernel
	}
	what += ", since " + e.Why
	if e.InTheWay != "" {
		what += "; in the way: " + e.InTheWay
	}
	out = append(out, what+".")
	var places []string
	for _, f := range e.Factors {
		places = append(places, fmt.Sprintf("%s:%d", specName(a.Model.File), f.Line))
	}
	return append(out, "Factors: "+strings.Join(slices.Compact(places), ", ")+". Cost of one draw: "+e.Cost+".")
}

func specName(f *dsl.File) string { return filepath.Base(f.Path) }
