// Package conjugacy derives full conditionals by algebra on the log density.
//
// For each unknown, or block of it, Analyze takes the factors that mention it, writes them in terms of the new value
// (touch.go), collects the statistics of that value (collect.go), recognises the family from the set of statistics and
// the support alone (family*.go), and parts each natural parameter into accumulators and light arithmetic (separate.go).
// Nothing here knows a model, or a pair of distributions, by name.
package conjugacy

import (
	"fmt"
	"slices"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// An Analysis is every conditional of a model with the accumulators that they share.
type Analysis struct {
	Model     *ir.Model
	Density   *ir.Density
	Conds     []*Conditional // globals in the order of declaration, then locals
	Accs      *Registry
	Collapsed []*Collapsed // in the order in which they were integrated out
	Urns      []*Urn
	Grams     []*Gram

	where *index
}

// A Kernel is how a conditional is drawn.
type Kernel int

// The kernels.
const (
	Exact       Kernel = iota // from its family
	Enumerate                 // finite: every value weighed
	SliceKernel               // univariate slice sampler on the separated log density
)

// A Conditional is p(target | everything else).
type Conditional struct {
	Target  *Target
	Kernel  Kernel
	Family  *Family   // nil unless Exact
	Params  Params    // natural parameters; Coef after separation
	Stats   []Stat    // what was collected, before separation
	Touched ir.Poly   // the factors that mention the target, in terms of $t
	LogT    ir.Poly   // Enumerate and SliceKernel: the separated log density in $t
	Direct  []ir.Term // terms that no accumulator can hold
	Removed bool      // the target takes itself out of the accumulators before its parameters are read
	// Entangled says that some moves of the target read accumulators that it moves, or its own current value: each accumulator is
	// to be moved in full, in their order, before the target changes.
	Entangled bool
	Bounds    []Bound // constraints on t beyond its support
	Lo, Hi    ir.Poly // the support's bounds; nil is infinite
	Srcs      []*ir.Factor
	Rows      *Rows  // of a Normal vector that can be drawn without its matrix
	Why       string // SliceKernel: the term that stood in the way
}

// Analyze derives the conditionals of the model.
func Analyze(m *ir.Model) (*Analysis, dsl.Diags) {
	d, diags := ir.Lower(m)
	if diags.HasErrors() {
		return nil, diags
	}
	a := &Analysis{Model: m, Density: d, Accs: NewRegistry(m), where: newIndex(d)}
	for v, kind := range m.Kernels {
		if kind != "slice" {
			diags = append(diags, &dsl.Diag{Code: "kernel", Span: v.Span, Msg: fmt.Sprintf("there is no kernel %s for %s", kind, v.Name), Hint: "slice is the only one that can be asked for"})
		} else if v.Type.Elem != ir.Real || v.Event > 0 || v.Support.Kind != ir.Line {
			diags = append(diags, &dsl.Diag{Code: "kernel", Span: v.Span, Msg: fmt.Sprintf("the slice sampler draws real scalars, and %s is none", v.Name)})
		}
	}
	for _, b := range m.Blocks {
		if len(b.Vars) > 1 {
			diags = append(diags, severalVars(b))
		}
	}
	slices.SortFunc(diags, func(x, y *dsl.Diag) int { return x.Span.Start.Offset - y.Span.Start.Offset })
	if diags.HasErrors() {
		return nil, diags
	}
	if ds := a.collapse(); len(ds) > 0 {
		return nil, append(diags, ds...)
	}
	for _, role := range []dsl.Role{dsl.Global, dsl.Local} {
		for _, v := range m.Vars {
			if v.Role != role || slices.Contains(m.Collapse, v) {
				continue
			}
			if a.stick(v) != nil {
				diags = append(diags, &dsl.Diag{Code: "stick", Span: v.Span, Msg: fmt.Sprintf("no kernel draws the stick %s", v.Name),
					Hint: "integrate it out: `collapse " + v.Name + "`"})
				continue
			}
			c, err := a.conditional(v)
			if err != nil {
				diags = append(diags, err)
				continue
			}
			a.Conds = append(a.Conds, c)
		}
	}
	if diags.HasErrors() {
		return nil, diags
	}
	diags = append(diags, a.idleBlocks()...)
	a.separateCollapsed()
	a.moves()
	a.prune()
	a.untangle()
	a.rows()
	return a, diags
}

// severalVars refuses a block of several variables.
func severalVars(b *ir.Block) *dsl.Diag {
	hint := "make one array of them"
	for _, v := range b.Vars {
		if len(v.Axes) > 0 {
			hint += ", or write `block " + v.Name + "`"
		}
	}
	return &dsl.Diag{Code: "block", Span: b.Span,
		Msg:   fmt.Sprintf("%s and %s cannot be drawn together: several variables in one block are not supported yet", b.Vars[0].Name, b.Vars[1].Name),
		Notes: []string{"a block is one array, whose elements are drawn from one multivariate Normal"}, Hint: hint}
}

// idleBlocks warns of blocks that change nothing.
func (a *Analysis) idleBlocks() dsl.Diags {
	var out dsl.Diags
	for _, b := range a.Model.Blocks {
		v := b.Vars[0]
		if slices.ContainsFunc(a.Conds, func(c *Conditional) bool { return c.Target.Var == v && slices.Contains(c.Target.Block, true) }) {
			continue
		}
		d := &dsl.Diag{Severity: dsl.Warning, Code: "block", Span: b.Span, Msg: fmt.Sprintf("the block changes nothing: each element of %s is drawn by itself", v.Name)}
		switch {
		case len(v.Axes) == 0:
			d.Msg = fmt.Sprintf("the block changes nothing: %s is one number", v.Name)
		case v.Role == dsl.Local && len(v.Axes) == 1:
			d.Notes = []string{fmt.Sprintf("the units of a local, here the elements of %s, are drawn one by one", v.Axes[0].Name)}
			d.Hint = fmt.Sprintf("declare it `global %s` to have all of it drawn together", v.Name)
		case v.Axes[len(v.Axes)-1].Over != nil:
			d.Notes = []string{fmt.Sprintf("its rows along %s are of several lengths, and a block is of one", v.Axes[len(v.Axes)-1].Name)}
		default:
			d.Notes = []string{"together, their full conditional is not a multivariate Normal"}
		}
		out = append(out, d)
	}
	return out
}

// conditional derives one unknown's: jointly along the axes over which it enters through a sum if that gives a family.
func (a *Analysis) conditional(v *ir.Var) (*Conditional, *dsl.Diag) {
	if joint := a.jointAxes(v); slices.Contains(joint, true) && a.Model.Kernels[v] == "" {
		if c, _ := a.derive(NewTarget(v, joint)); c != nil && c.Kernel == Exact {
			return c, nil
		}
	}
	return a.derive(NewTarget(v, nil))
}

// jointAxes marks the axes of v that a closed sum runs over: Σ_d X[n,d]·w[d] couples all w[d] at once. A block lies side by side in
// the array: with an axis, all after it are drawn jointly, or it is not.
func (a *Analysis) jointAxes(v *ir.Var) []bool {
	joint, last := make([]bool, len(v.Axes)), len(v.Axes)-v.Event
	if v.Type.Elem != ir.Real || v.Support.Kind != ir.Line || v.Support.Lo != nil || v.Support.Hi != nil {
		return joint
	}
	for _, block := range a.Model.Blocks {
		if slices.Contains(block.Vars, v) {
			for i, p := range v.Axes {
				joint[i] = p.Over == nil
			}
		}
	}
	for _, i := range a.where.terms[v] {
		for _, term := range a.Density.Terms[i].Poly {
			walkTerm(term, map[string]bool{}, false, func(at *ir.Atom, inner map[string]bool) {
				if at.Var != v || at.Fn != ir.RefAtom {
					return
				}
				for i, x := range at.Ix {
					joint[i] = joint[i] || x.Cat == nil && inner[x.Name] && v.Axes[i].Over == nil
				}
			})
		}
	}
	if v.Role == dsl.Local && len(joint) > 0 {
		joint[0] = false // units are drawn one by one
	}
	for i := len(joint) - v.Event - 1; i >= 0 && joint[i]; i-- {
		last = i
	}
	clear(joint[:last])
	return joint
}

// derive walks the steps for one target.
func (a *Analysis) derive(t *Target) (*Conditional, *dsl.Diag) {
	v := t.Var
	t.references = a.Accs
	c := &Conditional{Target: t}
	for _, i := range a.where.terms[v] {
		dt := a.Density.Terms[i]
		touched := t.Touch(dt.Poly)
		if len(touched) > 0 || dt.Src.X.Var == v {
			c.Srcs = append(c.Srcs, dt.Src)
		}
		c.Touched = append(c.Touched, touched...)
	}
	c.Touched = c.Touched.Merge()
	if t.involved {
		return c, nil // Analyze says so at the end
	}
	for _, f := range a.where.drawn[v] {
		if f.Dist.LogDensity == nil {
			c.Srcs = append(c.Srcs, f)
		}
	}
	if v.Support.Kind == ir.Line {
		if v.Support.Lo != nil {
			c.Lo = ir.Scalar(v.Support.Lo)
		}
		if v.Support.Hi != nil {
			c.Hi = ir.Scalar(v.Support.Hi)
		}
	}
	var err *dsl.Diag
	if c.Bounds, err = a.bounds(t); err != nil {
		return nil, err
	}
	sep := a.separatorFor(t, nil)
	if v.Type.Elem != ir.Real {
		if v.Type.Elem == ir.Int {
			return nil, &dsl.Diag{Code: "no-kernel", Span: v.Span, Msg: fmt.Sprintf("no kernel draws the unknown count %s", v.Name),
				Hint: "integrate it out by hand, or observe it"}
		}
		c.Kernel = Enumerate
		c.LogT, c.Direct = sep.separate(t.pull(c.Touched))
		c.LogT = t.about(c.LogT)
		c.Removed = sep.removed && a.summed(c)
		return c, nil
	}
	c.Stats = t.Collect(c.Touched)
	sh := t.shapeOf(c.Stats, len(c.Bounds) > 0)
	fam, params, ok := recognise(sh)
	if ok && a.Model.Kernels[v] != "slice" {
		c.Kernel, c.Family, c.Params = Exact, fam, params
		c.Params.Coef = map[string]ir.Poly{}
		sep = a.separatorFor(t, c.Stats)
		for _, p := range params.Coef {
			sep.keep = sep.keep || sep.entwined(p)
		}
		for _, name := range sortedKeys(params.Coef) {
			p, direct := sep.separate(params.Coef[name])
			c.Params.Coef[name] = p
			c.Direct = append(c.Direct, direct...)
		}
		c.Removed = sep.removed
		return c, nil
	}
	if len(t.T.Axes) > 0 {
		what, hint := "its factors", "give "+v.Name+" a conjugate prior, or scalar components with priors of their own"
		if sh.opaque != nil {
			what = NewNotation(a.Model, t).factors(sh.opaque.F)
			if slices.ContainsFunc(sh.opaque.F, func(f ir.Fac) bool { return Positions(f.A) != nil }) {
				hint = "leave what depends on " + v.Name + " out of `collapse`, or give " + v.Name + " scalar components with priors of their own"
			}
		}
		return nil, &dsl.Diag{Code: "no-kernel", Span: v.Span, Msg: fmt.Sprintf("no family fits the vector or matrix %s, and the slice sampler draws scalars", v.Name),
			Notes: []string{"in the way: " + what}, Hint: hint}
	}
	c.Kernel = SliceKernel
	switch {
	case a.Model.Kernels[v] == "slice":
		c.Why = "the spec asks for it"
	case sh.opaque != nil:
		c.Why = sh.opaque.Key
	case len(c.Stats) == 0:
		return nil, &dsl.Diag{Code: "improper", Span: v.Span, Msg: fmt.Sprintf("nothing in the model says where %s lies: its conditional is flat and improper", v.Name),
			Hint: "give it a proper prior, or data"}
	default:
		c.Why = "this set of statistics"
	}
	c.LogT, c.Direct = sep.separate(t.about(t.open(c.Touched)))
	c.LogT = t.about(c.LogT)
	c.Removed = sep.removed && a.summed(c)
	return c, nil
}

// summed reports whether an accumulator is left in the conditional: its part in those that cancelled need not be taken out.
func (a *Analysis) summed(c *Conditional) bool {
	return slices.ContainsFunc(a.Accs.List, func(acc *Accumulator) bool { return c.Reads(acc.Name) })
}

// separatorFor returns a separator that knows the plates of the target's indices and of the statistics' positions.
func (a *Analysis) separatorFor(t *Target, stats []Stat) *separator {
	sep := &separator{reg: a.Accs, target: t, scope: map[string]ir.Bind{}}
	for _, b := range t.Binders() {
		sep.scope[b.Name] = b
	}
	for _, s := range stats {
		for i, p := range s.Slots {
			name := fmt.Sprintf("#%d", i+1)
			sep.scope[name] = ir.Bind{Name: name, Plate: p}
		}
	}
	return sep
}

func sortedKeys(m map[string]ir.Poly) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
