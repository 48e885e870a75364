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
