// Package plan decides how to sample: the order of the sweep, what is kept between draws, what is computed once per
// global update, which weights stay products, and which units are independent. codegen prints a Plan and decides nothing.
package plan

import (
	"slices"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// A Plan is a sampler short of its spelling in Go.
type Plan struct {
	Model     *ir.Model
	Analysis  *conjugacy.Analysis
	Accs      []*Acc                // in order of definition
	Globals   []*Kernel             // in sweep order
	Locals    []*Group              // one for each plate of units, in order: together they are the unit space
	Collapsed []*Kernel             // what was integrated out: never drawn, but the log joint needs their conditionals
	Inverses  []*ir.Var             // matrices whose inverse and log determinant are kept beside them
	Strays    []conjugacy.Reference // looked at where sums that grow with the number of units are
	Coupled   string                // why units are not independent given the globals; "" if they are
}

// An Acc is a stored accumulator.
type Acc struct {
	*conjugacy.Accumulator
	Order []int // its axes from outermost to innermost, as positions in Params
	// Sparse says that it is a table over pairs of categories in the data: at most as many pairs occur as there are data,
	// while the table may have far more cells. Kept and summed by the pairs that occur it is never dearer than the direct sum.
	Sparse bool
	// Count says that it is a table of counts that no draw of a local reads: whole numbers of 32 bits, of which twice as many
	// are near the processor.
	Count bool
	// Gram, if set, says that it is a matrix X'X of data that need not be kept: where X has far fewer rows than columns, which the
	// sampler finds when it is made, all that reads it goes by the rows instead.
	Gram *conjugacy.Gram
	// Sharing is what workers do with it that refresh units side by side, if units are independent.
	Sharing Sharing
	// Watch is when it is looked at for digits that it may have lost; if it is after each unit, Units are those.
	Watch Watch
	Units *Group
}

// A Group is the locals whose units are the elements of Plate: their outermost plate, unless `batch over` names one that is ragged
// over it.
type Group struct {
	Plate   *ir.Plate
	Kernels []*Kernel
}

// Axes is how many of the first indices of a local say which unit it belongs to.
func (g *Group) Axes() int { return g.Plate.Depth() + 1 }

// A Kernel draws one conditional for every value of Loops.
type Kernel struct {
	*conjugacy.Conditional
	Loops    []ir.Bind         // the target's free indices under the names that the spec gives them
	Names    map[string]string // algebra name ($1) -> loop name
	Tables   []*Table
	Location *conjugacy.Target // of a location and variance that were integrated out together: the location
	// Of an Enumerate kernel over an unbounded plate: the urn, how many empty categories are weighed beside the occupied
	// ones, and what is drawn for them from the prior (Neal 2000: Algorithm 8 with Spare auxiliary categories; with all
	// that runs over the plate integrated out there is nothing to draw, Spare is 1, and it is Algorithm 3).
	Urn   *conjugacy.Urn
	Spare int
	Fresh []*ir.Var
	// Of an Enumerate kernel: the weight of $t is Π Factors, or, if Factors is nil, exp(LogW).
	Factors []WeightFactor
	LogW    ir.Poly
	// Of a SliceKernel: what is computed once a draw, and the log density in terms of it.
	Parts    []conjugacy.Part
	LogParts ir.Poly
}

// A WeightFactor multiplies the weight by Value^Power where Guards hold.
type WeightFactor struct {
	Guards []ir.Guard
	Value  ir.Poly
	Power  float64
}

// A Table is a function of the category $t (and of other categories) that depends on globals and constants alone. It
// is computed once for all units.
type Table struct {
	Name   string
	Params []ir.Bind // the last is the category $t under the name "t"
	Value  ir.Poly
}

// Build makes the plan of an analysed model.
func Build(a *conjugacy.Analysis) (*Plan, dsl.Diags) {
	p := &Plan{Model: a.Model, Analysis: a}
	parts := 0
	for _, c := range a.Conds {
		k := &Kernel{Conditional: c}
		k.nameLoops(a.Model)
		if c.Kernel == conjugacy.SliceKernel {
			k.Parts, k.LogParts = c.Once(parts)
			parts += len(k.Parts)
		}
		if c.Kernel == conjugacy.Enumerate {
			k.seat(a)
			k.weigh(p)
		}
		if c.Target.Var.Role == dsl.Global {
			p.Globals = append(p.Globals, k)
			continue
		}
		g := p.group(c.Target.Var)
		g.Kernels = append(g.Kernels, k)
	}
	for _, c := range a.Collapsed {
		k := &Kernel{Conditional: c.Conditional, Location: c.Location}
		k.nameLoops(a.Model)
		p.Collapsed = append(p.Collapsed, k)
	}
	for _, acc := range a.Accs.List {
		kept := &Acc{Accumulator: acc, Order: p.axisOrder(acc), Sparse: sparse(a, acc), Count: p.count(acc), Gram: gram(a, acc)}
		p.watch(kept)
		p.Accs = append(p.Accs, kept)
	}
	p.Strays = p.strays()
	p.inverses()
	p.couple()
	return p, nil
}

// Kernels returns every kernel in sweep order.
func (p *Plan) Kernels() []*Kernel {
	out := slices.Clone(p.Globals)
	for _, g := range p.Locals {
		out = append(out, g.Kernels...)
	}
	return out
}

// spares is how many empty categories with parameters from the prior stand beside the occupied ones: more mix better and
// cost more; three is Neal's middle.
const spares = 3

// seat fills in what a category of an unbounded plate needs.
func (k *Kernel) seat(a *conjugacy.Analysis) {
	plate := k.Target.Var.Type.Of
	if plate == nil || !plate.Unbounded {
		return
	}
	for _, u := range a.Urns {
		if u.Plate == plate {
			k.Urn, k.Spare = u, 1
		}
	}
	for _, v := range a.Model.Vars {
		if v.Role == dsl.Global && slices.Contains(v.Axes, plate) && !slices.Contains(a.Model.Collapse, v) {
			k.Fresh = append(k.Fresh, v)
			k.Spare = spares
		}
	}
}

// nameLoops takes the names of the target's indices from the first statement that names them.
func (k *Kernel) nameLoops(m *ir.Model) {
	t := k.Target
	k.Names = map[string]string{}
	used := map[string]bool{}
	for i, j := range t.J {
		if j.Name == "" {
			continue
		}
		name := ""
		for _, f := range m.Factors {
			if f.X.Var == t.Var && i < len(f.X.Idx) && f.X.Idx[i].Name != "" && f.X.Idx[i].Add == 0 {
				name = f.X.Idx[i].Name
				break
			}
		}
		if name == "" || used[name] {
			name = ir.FreshName(t.Var.Axes[i], used)
		}
		used[name] = true
		k.Names[j.Name] = name
		b := ir.Bind{Name: j.Name, Plate: t.Var.Axes[i]}
		if n := b.Plate.Depth(); n > 0 {
			b.Of = t.J[i-n : i]
		}
		k.Loops = append(k.Loops, b)
	}
}

// inverses finds the matrices of which some density needs the inverse or the determinant.
func (p *Plan) inverses() {
	seen := map[*ir.Var]bool{}
	look := func(q ir.Poly) {
		for _, t := range q {
			t.WalkAtoms(func(a *ir.Atom) {
				if (a.Fn == ir.InvAtom || a.Fn == ir.LogDetAtom) && a.Var.Name != "$t" {
					seen[a.Var] = true
				}
			})
		}
	}
	for _, t := range p.Analysis.Density.Terms {
		look(t.Poly)
	}
	for _, v := range p.Model.Vars {
		if seen[v] && !slices.Contains(p.Model.Collapse, v) {
			p.Inverses = append(p.Inverses, v)
		}
	}
}

// axisOrder puts the axis that an enumeration runs along innermost, so that its loop reads consecutive numbers.
func (p *Plan) axisOrder(acc *conjugacy.Accumulator) []int {
	order := make([]int, len(acc.Params))
	for i := range order {
		order[i] = i
	}
	last := -1
	look := func(q ir.Poly) {
		for _, t := range q {
			t.WalkAtoms(func(a *ir.Atom) {
				if a.Fn != ir.AccAtom || a.Name != acc.Name {
					return
				}
				for i, x := range a.Ix {
					if x.Cat != nil && x.Cat.Var.Name == "$t" {
						last = i
					}
				}
			})
		}
	}
	for _, g := range p.Locals {
		for _, k := range g.Kernels {
			if k.Kernel != conjugacy.Enumerate {
				continue
			}
			look(k.LogW)
			for _, f := range k.Factors {
				look(f.Value)
			}
		}
	}
	for i, b := range acc.Params {
		if b.Plate.Unbounded { // what grows comes first
			order = append([]int{i}, slices.DeleteFunc(order, func(j int) bool { return j == i })...)
			return order
		}
	}
	if last >= 0 {
		order = append(slices.Delete(order, last, last+1), last)
	}
	return order
}

// count reports whether the accumulator is a table that counts elements of one plate, of which there are fewer than 2^31, one by one,
// for globals.
func (p *Plan) count(acc *conjugacy.Accumulator) bool {
	b := acc.Body
	if len(acc.Params) < 2 || acc.Data() || b.C != 1 || len(b.F) > 0 {
		return false
	}
	over := (*ir.Plate)(nil)
	for _, q := range b.Over {
		if q.Plate.Over != over {
			return false
		}
		over = q.Plate
	}
	for _, q := range acc.Params {
		if q.Plate.Unbounded {
			return false
		}
	}
	for _, m := range acc.Moves {
		if slices.ContainsFunc(m.Delta, func(t ir.Term) bool { return len(t.F) > 0 }) {
			return false // it moves by another sum, which is kept as real numbers
		}
	}
	for _, g := range p.Locals {
		for _, k := range g.Kernels {
			if k.Reads(acc.Name) {
				return false
			}
		}
	}
	return true
}

// gram returns the accumulator as a Gram matrix that need not be kept, or nil.
func gram(a *conjugacy.Analysis, acc *conjugacy.Accumulator) *conjugacy.Gram {
	for _, g := range a.Grams {
		if g.Acc == acc {
			return g
		}
	}
	return nil
}

// sparse reports whether the accumulator is a table over two categories of data.
func sparse(a *conjugacy.Analysis, acc *conjugacy.Accumulator) bool {
	if !acc.Data() || len(acc.Params) != 2 || a.Accs.About(acc) {
		return false
	}
	for _, p := range acc.Params {
		fixed := false
		for _, g := range acc.Body.Guards {
			if g.Rel != ir.Eq {
				continue
			}
			l, r := g.L[0], g.R[0]
			if l.Cat == nil {
				l, r = r, l
			}
			fixed = fixed || l.Cat != nil && l.Cat.Var.Role == dsl.Data && r.Cat == nil && r.Name == p.Name && r.Add == 0
		}
		for _, f := range acc.Body.F {
			fixed = fixed && !f.A.Free()[p.Name]
		}
		if !fixed || p.Plate.Over != nil {
			return false
		}
	}
	return true
}
