// This file holds what a model is evaluated at: sizes, lengths and values, and where an element lies among them.

// Package interp evaluates a typed model directly: its log joint density, by recursion over the model as written, and
// forward draws from the prior. It shares no code with the algebra, the plan or the generated samplers, and it is slow and plain,
// since it is the judge of all of them.

package interp

import (
	"fmt"
	"math"

	"github.com/gibbsgen/gibbsgen/ir"
)

// An Env is a state of a model: everything that its log joint depends on.
type Env struct {
	// Sizes holds the size of each plate that is not ragged; of an unbounded plate the number of categories in use.
	Sizes map[string]int
	// Lengths holds, for each ragged plate, the length for each element of the plate it is ragged over, in order.
	Lengths map[string][]int
	// Values holds each variable flat and row-major; the parts of a ragged plate follow each other. Whole numbers are
	// stored as such, bools as 0 and 1, categories 0-based. A const that is missing has its default.
	Values map[string][]float64
	// Collapsed names the GEM variables that are integrated out: the categories drawn from them then have the
	// probability of their partition.
	Collapsed map[string]bool
}

// A machine evaluates one model at one Env.
type machine struct {
	m      *ir.Model
	env    *Env
	starts map[*ir.Plate][]int // of a ragged plate: where the part of each parent element starts, and the end
	values map[*ir.Var][]float64
	def    map[*ir.Var]bool // defaults being evaluated
	need   func(v *ir.Var, off, n int) error
}

func newMachine(m *ir.Model, env *Env) (*machine, error) {
	x := &machine{m: m, env: env, starts: map[*ir.Plate][]int{}, values: map[*ir.Var][]float64{}, def: map[*ir.Var]bool{}}
	for _, p := range m.Plates {
		if p.Over == nil {
			if n, ok := env.Sizes[p.Name]; ok && n < 0 {
				return nil, fmt.Errorf("plate %s: size %d", p.Name, n)
			}
			continue
		}
		if err := x.layOut(p); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// layOut computes where the parts of a ragged plate start.
func (x *machine) layOut(p *ir.Plate) error {
	if p.Over == nil || x.starts[p] != nil {
		return nil
	}
	if err := x.layOut(p.Over); err != nil {
		return err
	}
	n, err := x.total(p.Over)
	if err != nil {
		return err
	}
	lens := x.env.Lengths[p.Name]
	if len(lens) != n {
		return fmt.Errorf("plate %s: %d lengths for %d elements of %s", p.Name, len(lens), n, p.Over.Name)
	}
	starts := []int{0}
	for i, l := range lens {
		if l < 0 {
			return fmt.Errorf("plate %s: length %d of element %d of %s", p.Name, l, i+1, p.Over.Name)
		}
		starts = append(starts, starts[i]+l)
	}
	x.starts[p] = starts
	return nil
}

// total returns the number of elements of a plate, of a ragged one over all parents.
func (x *machine) total(p *ir.Plate) (int, error) {
	if p.Over != nil {
		s := x.starts[p]
		return s[len(s)-1], nil
	}
	if n, ok := x.env.Sizes[p.Name]; ok {
		return n, nil
	}
	if p.Like != nil {
		n, err := x.total(p.Like)
		return n + p.More, err
	}
	if p.Size >= 0 {
		return p.Size, nil
	}
	return 0, fmt.Errorf("plate %s has no size", p.Name)
}

// locate returns the stretch of values that the leading indices idx select from an array with these axes.
func (x *machine) locate(axes []*ir.Plate, idx []int) (off, n int, err error) {
	n = 1
	for i := 0; i < len(axes); {
		j := i + 1 // axes[i:j] is a plate with what is ragged over it: one compound axis of its leaves
		for j < len(axes) && axes[j].Over == axes[j-1] {
			j++
		}
		all, err := x.total(axes[j-1])
		if err != nil {
			return 0, 0, err
		}
		lo, hi := 0, 0
		if hi, err = x.total(axes[i]); err != nil {
			return 0, 0, err
		}
		for k := i; k < j; k++ {
			if k > i { // go down to the leaves under lo..hi
				s := x.starts[axes[k]]
				lo, hi = s[lo], s[hi]
			}
			if k < len(idx) {
				if idx[k] < 0 || idx[k] >= hi-lo {
					return 0, 0, fmt.Errorf("element %d of %d in plate %s", idx[k]+1, hi-lo, axes[k].Name)
				}
				lo += idx[k]
				hi = lo + 1
			}
		}
		// While every axis so far is closed, n is 1; from the first open one on, lo..hi is all of the plate or of one part.
		off, n = off*all+lo, n*(hi-lo)
		if n == 0 {
			return 0, 0, nil
		}
		i = j
	}
	return off, n, nil
}

// length returns the number of elements a binder may take.
func (x *machine) length(p *ir.Plate, of []int) (int, error) {
	if p.Over == nil {
		return x.total(p)
	}
	k := 0
	for i, q := range ancestors(p) {
		if i == 0 {
			k = of[0]
			if n, err := x.total(q); err != nil || k < 0 || k >= n {
				return 0, fmt.Errorf("element %d of plate %s", k+1, q.Name)
			}
			continue
		}
		s := x.starts[q]
		if of[i] < 0 || of[i] >= s[k+1]-s[k] {
			return 0, fmt.Errorf("element %d of plate %s", of[i]+1, q.Name)
		}
		k = s[k] + of[i]
	}
	s := x.starts[p]
	return s[k+1] - s[k], nil
}

// ancestors returns the plates that p is ragged over, outermost first.
func ancestors(p *ir.Plate) []*ir.Plate {
	var ps []*ir.Plate
	for q := p.Over; q != nil; q = q.Over {
		ps = append([]*ir.Plate{q}, ps...)
	}
	return ps
}

// value returns all values of a variable, checked for their number; of a const without values its default.
func (x *machine) value(v *ir.Var) ([]float64, error) {
	if vals, ok := x.values[v]; ok {
		return vals, nil
	}
	_, n, err := x.locate(v.Axes, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Name, err)
	}
	vals, ok := x.env.Values[v.Name]
	if !ok {
		if v.Default == nil {
			return nil, fmt.Errorf("%s has no value", v.Name)
		}
		if vals, err = x.constDefault(v, n); err != nil {
			return nil, err
		}
	}
	if len(vals) != n {
		return nil, fmt.Errorf("%s has %d values, but its plates make %d", v.Name, len(vals), n)
	}
	x.values[v] = vals
	return vals, nil
}

func (x *machine) constDefault(v *ir.Var, n int) ([]float64, error) {
	if x.def[v] {
		return nil, fmt.Errorf("the default of %s depends on itself", v.Name)
	}
	x.def[v] = true
	defer delete(x.def, v)
	d, err := x.eval(v.Default, nil)
	if err != nil {
		return nil, fmt.Errorf("default of %s: %w", v.Name, err)
	}
	if v.Type.Elem == ir.Cat { // the text counts from 1
		d[0]--
	}
	if len(d) == 1 && n != 1 {
		all := make([]float64, n)
		for i := range all {
			all[i] = d[0]
		}
		return all, nil
	}
	return d, nil
}

// whole converts a stored category or count.
func whole(f float64) (int, error) {
	if f != math.Trunc(f) || math.Abs(f) > 1<<52 {
		return 0, fmt.Errorf("%g is not a whole number", f)
	}
	return int(f), nil
}
