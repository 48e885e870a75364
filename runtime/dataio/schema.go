// This file holds the types that say what a model reads, and what was read.

package dataio

import (
	"fmt"
	"slices"
)

// A Kind is the type of a field's elements.
type Kind int

// The kinds. Each has its own slice in [Value].
const (
	Real     Kind = iota // float64
	Int                  // int, |x| <= 2^53
	Bool                 // bool
	Category             // int32, an element of the plate Field.Of, from 0
)

// String returns the kind as an error message calls one element of it.
func (k Kind) String() string {
	switch k {
	case Real:
		return "a number"
	case Int:
		return "an integer"
	case Bool:
		return "a boolean"
	case Category:
		return "a category"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// A Plate is an index set whose size is inferred from data, unless fixed.
type Plate struct {
	Name   string
	Parent string // plate whose elements this one is ragged over ("" if none); e.g. words over docs
	Size   int    // default size; -1 (or 0) none
	Like   string // if not "": the default size is that of this plate, plus More
	More   int
	Axis   bool // whether some data field runs over it as an axis
}

// A Field is one variable that the model reads: data or a constant (hyperparameter).
type Field struct {
	Name    string
	Kind    Kind
	Of      string   // Category: the plate whose element it is
	Dims    []string // plate names, outermost first; a ragged plate directly follows its parent
	Const   bool     // hyperparameter: may be absent if Default; a scalar broadcasts over its Dims
	Default bool     // whether the model has a default for it
}

// A Schema lists what a model reads. The order of Fields is the order in which levels are met.
type Schema struct {
	Model  string
	Plates []Plate
	Fields []Field
}

// A Value holds the elements of one field, flat and row-major; ragged rows are concatenated. Only the slice of
// the field's kind is set; a scalar has length 1.
type Value struct {
	Real []float64
	Int  []int
	Bool []bool
	Cat  []int32 // from 0
}

// A Set is a model's data, complete and checked.
type Set struct {
	Sizes  map[string]int      // plate -> size (for ragged plates absent)
	Ragged map[string][]int    // ragged plate -> length per parent element
	Values map[string]*Value   // field -> value; absent constants are absent
	Levels map[string][]string // plate -> names of its categories, if the files gave any; as many as its size
}

// check reports what makes a schema unusable: the compiler never writes such a one, but hands may.
func (s *Schema) check() error {
	plates := map[string]*Plate{}
	for i := range s.Plates {
		p := &s.Plates[i]
		if plates[p.Name] != nil {
			return fmt.Errorf("schema %s: plate %s is there twice", s.Model, p.Name)
		}
		if p.Parent != "" && plates[p.Parent] == nil {
			return fmt.Errorf("schema %s: plate %s is ragged over %s, which does not come before it", s.Model, p.Name, p.Parent)
		}
		plates[p.Name] = p
	}
	for _, p := range s.Plates {
		q := plates[p.Like]
		for n := 0; q != nil && q.Like != "" && n <= len(plates); n++ {
			q = plates[q.Like]
		}
		if p.Like != "" && (q == nil || q.Like != "" || q.Parent != "") {
			return fmt.Errorf("schema %s: plate %s is like %s, which is no plate with a size of its own", s.Model, p.Name, p.Like)
		}
	}
	var names []string
	for _, f := range s.Fields {
		if slices.Contains(names, f.Name) {
			return fmt.Errorf("schema %s: field %s is there twice", s.Model, f.Name)
		}
		names = append(names, f.Name)
		if f.Kind < Real || f.Kind > Category {
			return fmt.Errorf("schema %s: field %s has no kind: %v", s.Model, f.Name, f.Kind)
		}
		if f.Kind == Category && (plates[f.Of] == nil || plates[f.Of].Parent != "") {
			return fmt.Errorf("schema %s: field %s is a category of %q, which is no plate with a size", s.Model, f.Name, f.Of)
		}
		for i, d := range f.Dims {
			p := plates[d]
			if p == nil {
				return fmt.Errorf("schema %s: field %s runs over %q, which is no plate", s.Model, f.Name, d)
			}
			if p.Parent != "" && (i == 0 || f.Dims[i-1] != p.Parent) {
				return fmt.Errorf("schema %s: field %s: %s must follow %s", s.Model, f.Name, d, p.Parent)
			}
		}
	}
	return nil
}
