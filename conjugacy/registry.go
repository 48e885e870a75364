// This file holds the sums over data and locals that samplers keep, each once, and the references that they are taken about.

package conjugacy

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// An Accumulator is a sum over data and locals that several conditionals may share:
// Name[Params] = Body, whose free indices are the Params.
type Accumulator struct {
	Name   string
	Params []ir.Bind
	Body   ir.Term
	Moves  []Move // how it follows the unknowns in it; none if it is made of data alone
}

// Data reports whether the accumulator never changes.
func (a *Accumulator) Data() bool { return len(a.Moves) == 0 }

// A Move is an accumulator's change when one element of Var changes: Delta at the new value less Delta at the old.
type Move struct {
	Var    *ir.Var
	Target *Target
	Delta  ir.Poly // in $t, the target's J and the accumulator's Params
	Alone  bool    // each term of the sum belongs to one element of Var
}

// A Registry holds the accumulators of a model; equal ones are kept once.
type Registry struct {
	model      *ir.Model
	List       []*Accumulator
	References []Reference
	references map[*ir.Var]*ir.Var // of a location, its reference
	isRef      map[*ir.Var]bool
	byKey      map[string]*Accumulator
	byName     map[string]*Accumulator
}

// NewRegistry returns an empty registry, whose accumulators are called as no variable of the model is.
func NewRegistry(m *ir.Model) *Registry {
	return &Registry{model: m, byKey: map[string]*Accumulator{}, byName: map[string]*Accumulator{}, references: map[*ir.Var]*ir.Var{}, isRef: map[*ir.Var]bool{}}
}

// A Reference is a location with the value about which sums are taken.
type Reference struct {
	Of, Var *ir.Var
	// Product says that no term of some location has Of without another global, as a in a·b·x. Where the two trade their sizes, a by 1e-8 and
	// b by 1e8, neither is near its reference, and squares about a°·b°·x cancel to the last digit.
	Product bool
}

// reference returns the variable that holds v°. To the algebra it is a constant: it changes only when all is summed anew.
func (r *Registry) reference(v *ir.Var) *ir.Var {
	if ref, ok := r.references[v]; ok {
		return ref
	}
	ref := &ir.Var{Name: v.Name + "°", Role: dsl.Const, Span: v.Span, Axes: v.Axes, Event: v.Event, Type: v.Type, Support: ir.Support{Kind: ir.Line}}
	r.references[v], r.isRef[ref] = ref, true
	r.References = append(r.References, Reference{Of: v, Var: ref})
	return ref
}

// multiplied notes that the location, which has a reference, is one of a product.
func (r *Registry) multiplied(v *ir.Var) {
	for i := range r.References {
		r.References[i].Product = r.References[i].Product || r.References[i].Of == v
	}
}

// isReference reports whether the atom is an element of a reference.
func (r *Registry) isReference(a *ir.Atom) bool {
	return a.Fn == ir.RefAtom && r.isRef[a.Var]
}

// About reports whether the accumulator is taken about references, and so must be summed anew with them.
func (r *Registry) About(a *Accumulator) bool {
	found := false
	a.Body.WalkAtoms(func(at *ir.Atom) { found = found || r.isRef[at.Var] })
	return found
}

// Get returns the accumulator of that name, or nil.
func (r *Registry) Get(name string) *Accumulator { return r.byName[name] }

// name returns the next free one of A1, A2, ...
func (r *Registry) name() string {
	n := 0
	if len(r.List) > 0 {
		n = accNumber(r.List[len(r.List)-1].Name)
	}
	for {
		n++
		if name := "A" + strconv.Itoa(n); r.model.Var(name) == nil {
			return name
		}
	}
}

// atom returns the accumulator for the sum body, whose free names have the plates in scope.
func (r *Registry) atom(body ir.Term, scope map[string]ir.Bind) *ir.Atom {
	var free []string
	named := body.Free()
	scope = maps.Clone(scope)
	for n := range named {
		free = append(free, n)
		if b := scope[n]; slices.ContainsFunc(b.Of, func(x ir.Ix) bool { return x.Name != "" && !named[x.Name] }) {
			b.Of = parentsOf(body, n, b)
			scope[n] = b
		}
	}
	sort.Strings(free)
	free = parentsFirst(free, scope)
	// The order of the formal parameters is the one whose text is least, so that equal sums meet whatever their names; an index of a
	// ragged plate comes after its parents'.
	var best ir.Term
	var bestKey string
	var bestOrder []string
	permute(free, func(order []string) {
		if !slices.Equal(order, parentsFirst(order, scope)) {
			return
		}
		names := map[string]ir.Ix{}
		for i, n := range order {
			names[n] = ir.At("f" + strconv.Itoa(i+1))
		}
		p := (&ir.Rewriter{Names: names}).Term(body)
		if len(p) != 1 {
			return
		}
		k := p.CanonKey()
		for i, n := range order {
			k += fmt.Sprintf("; f%d in %s", i+1, scope[n].Plate.Name)
		}
		if bestKey == "" || k < bestKey {
			best, bestKey, bestOrder = p[0], k, slices.Clone(order)
		}
	})
	a, ok := r.byKey[bestKey]
	if !ok {
		a = &Accumulator{Name: r.name(), Body: best}
		names := map[string]ir.Ix{}
		for i, n := range bestOrder {
			names[n] = ir.At("f" + strconv.Itoa(i+1))
		}
		for i, n := range bestOrder {
			b := scope[n]
			of := make([]ir.Ix, len(b.Of))
			for j, x := range b.Of {
				of[j] = x
				if y, ok := names[x.Name]; ok {
					of[j] = y
				}
			}
			a.Params = append(a.Params, ir.Bind{Name: "f" + strconv.Itoa(i+1), Plate: b.Plate, Of: of})
		}
		r.List = append(r.List, a)
		r.byKey[bestKey] = a
		r.byName[a.Name] = a
	}
	at := &ir.Atom{Fn: ir.AccAtom, Name: a.Name}
	for _, n := range bestOrder {
		at.Ix = append(at.Ix, ir.At(n))
	}
	return at
}

// parentsOf returns the indices that a body has before name, which is of a ragged plate: they may be others that are known to be equal to
// those of the binder.
func parentsOf(body ir.Term, name string, b ir.Bind) []ir.Ix {
	of := b.Of
	body.WalkAtoms(func(a *ir.Atom) {
		for i, x := range a.Ix {
			if x.Cat == nil && x.Name == name && i >= len(b.Of) && a.Var != nil && a.Var.Axes[i] == b.Plate {
				of = a.Ix[i-len(b.Of) : i]
			}
		}
	})
	return of
}

// parentsFirst puts indices of ragged plates after those of their parents, and leaves the order as it is otherwise.
func parentsFirst(names []string, scope map[string]ir.Bind) []string {
	var out []string
	var add func(n string)
	add = func(n string) {
		if slices.Contains(out, n) || !slices.Contains(names, n) {
			return
		}
		for _, x := range scope[n].Of {
			add(x.Name)
		}
		out = append(out, n)
	}
	for _, n := range names {
		add(n)
	}
	return out
}

// permute calls fn for every order of names (at most five of them; beyond that only the given one).
func permute(names []string, fn func([]string)) {
	if len(names) > 5 {
		fn(names)
		return
	}
	order := slices.Clone(names)
	var rec func(int)
	rec = func(k int) {
		if k == len(order) {
			fn(order)
			return
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			rec(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	rec(0)
}
