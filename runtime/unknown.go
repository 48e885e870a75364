package runtime

// This file holds how generated code shows its unknowns to those who don't know the model: names, shapes and views.

// An Unknown is a variable that a sampler draws, as it stands. One of Real, Int, Bool and Cat, by the variable's type, is a
// view of its elements: flat and row-major, ragged parts one after the other, not to be written to, valid until the sampler's
// next update.
type Unknown struct {
	Name  string
	Local bool  // there is one for each unit, or part of one
	Dims  []Dim // outermost first; none for a scalar
	Of    Dim   // of categories: the plate whose elements they are

	Real []float64
	Int  []int
	Bool []bool
	Cat  []int32 // from 0
}

// A Dim is one axis of an unknown, or the plate that its categories are of.
type Dim struct {
	Plate     string
	Size      int   // number of elements; of a plate without bounds, of those in use
	Unbounded bool  // the chain decides Size, anew in every sweep
	At        []int // of a ragged plate: where the elements of each parent begin, and the end; Size then is 0
}

// A Shower is a sampler that shows its unknowns; generated ones do.
type Shower interface {
	// Unknowns returns them in the order of the spec. It allocates at its first call only, and returns the same slice every time.
	Unknowns() []Unknown
}

// Len returns the number of elements.
func (u *Unknown) Len() int { return len(u.Real) + len(u.Int) + len(u.Bool) + len(u.Cat) }

// Value returns an element as files have it: categories count from 1, true is 1.
func (u *Unknown) Value(i int) float64 {
	switch {
	case u.Real != nil:
		return u.Real[i]
	case u.Cat != nil:
		return float64(u.Cat[i]) + 1
	case u.Bool != nil:
		return Indicator(u.Bool[i])
	}
	return float64(u.Int[i])
}

// Unbounded reports whether the number of elements, or of categories, may change from draw to draw.
func (u *Unknown) Unbounded() bool { return u.Of.Unbounded || u.grows() }

// grows reports whether the number of elements may change from draw to draw.
func (u *Unknown) grows() bool {
	for _, d := range u.Dims {
		if d.Unbounded {
			return true
		}
	}
	return false
}

// Grid reports whether the elements are those of a box of fixed size: neither ragged nor without bounds.
func (u *Unknown) Grid() bool {
	for _, d := range u.Dims {
		if d.At != nil || d.Unbounded {
			return false
		}
	}
	return true
}

// Walk visits the elements in order, with their places in ix, from 0; ix must be as long as Dims. It stops at an error.
func (u *Unknown) Walk(ix []int, visit func(i int) error) error {
	_, err := u.walk(0, 0, 0, ix, visit)
	return err
}

// walk visits what lies below the axes before k. pos is the place along the axis k-1 and those it is ragged over, i the next
// element.
func (u *Unknown) walk(k, pos, i int, ix []int, visit func(i int) error) (int, error) {
	if k == len(u.Dims) {
		return i + 1, visit(i)
	}
	first, n := 0, u.Dims[k].Size
	if at := u.Dims[k].At; at != nil {
		first, n = at[pos], at[pos+1]-at[pos]
	}
	for j := range n {
		ix[k] = j
		var err error
		if i, err = u.walk(k+1, first+j, i, ix, visit); err != nil {
			return i, err
		}
	}
	return i, nil
}
