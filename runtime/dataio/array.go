// This file takes in arrays: values that are flat with their shape apart, as R, numpy and MatrixMarket have them.

package dataio

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// An array is a named value of a file, in the file's order.
type array struct {
	raw             // the elements, as long as none is a miss
	key    string   // what the file calls it
	stem   bool     // the key is the file's name
	n      int      // elements, misses included
	kind   jsonKind // of all elements: jsonNumber, jsonBool or jsonString
	shape  []int    // none for a scalar
	byCols bool     // the first index goes fastest
	loose  bool     // a scalar is a vector of one, as in R
	misses []miss
	dims   []dim // instead of the shape, if some of its lists are uneven
}

// A miss is an element that is no value.
type miss struct {
	at, line   int // from 0 in the file's order; the line, or 0
	text, hint string
}

var kindNames = [...]string{jsonNumber: "numbers", jsonBool: "booleans", jsonString: "strings"}

// add appends an element; text is that of a string, or how the file writes it.
func (a *array) add(kind jsonKind, x float64, text string, line int) {
	if a.n == len(a.misses) {
		a.kind = kind
	}
	if kind != a.kind {
		a.miss(line, "is "+quote(text)+" among "+kindNames[a.kind], "all elements are of one kind")
		return
	}
	if line > 0 {
		a.rows.add(a.n, line)
	}
	a.n++
	switch {
	case a.misses != nil: // only the problems matter now
	case kind == jsonString:
		a.text(text)
	default:
		a.num = push(a.room, a.num, x)
	}
}

// miss appends an element that is no value.
func (a *array) miss(line int, text, hint string) {
	if line > 0 {
		a.rows.add(a.n, line)
	}
	a.misses = append(a.misses, miss{a.n, line, text, hint})
	a.n++
	a.num, a.code = nil, nil
}

// elem is the index, from 1 in each dimension, of an element by its position in the file.
func (a *array) elem(at int) []int {
	if !a.byCols {
		return unflatten(at, a.shape)
	}
	out := make([]int, len(a.shape))
	for d, n := range a.shape {
		out[d], at = at%n+1, at/n
	}
	return out
}

// product is the number of elements of a shape; false if it is beyond counting.
func product(shape []int) (n int, ok bool) {
	n = 1
	for _, d := range shape {
		if d > 0 && n > math.MaxInt/16/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// by shows a shape: 2 x 3.
func by(shape []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", " x "), "[]")
}

// rowMajor reorders elements whose first index goes fastest.
func rowMajor[T any](m *room, x []T, shape []int) []T {
	if len(shape) < 2 || len(x) == 0 {
		return x
	}
	out := alloc[T](m, len(x))
	step := make([]int, len(shape)) // of the position in out, by index
	for d, s := len(shape)-1, 1; d >= 0; d-- {
		step[d] = s
		s *= shape[d]
	}
	at, idx := 0, make([]int, len(shape))
	for _, v := range x {
		out[at] = v
		for d := range shape { // the next index
			at += step[d]
			if idx[d]++; idx[d] < shape[d] {
				break
			}
			at -= step[d] * shape[d]
			idx[d] = 0
		}
	}
	return out
}

// take makes of an array what its key says.
func (ld *loader) take(a *array) {
	role, f, p := ld.lookup(a.key)
	name := a.key
	if f != nil {
		name = f.Name
	}
	fail := func(line int, elem []int, text, hint string) {
		ld.add(Problem{File: a.file, Line: line, Name: name, Elem: elem, Text: text, Hint: hint})
		if p != nil {
			ld.doubtful[p.Name] = true
		}
		a.bad = true
	}
	if role == noRole {
		ld.superfluous(a.key, a.file, a.line, a.stem)
		return
	}
	if a.loose && len(a.shape) == 0 && (role == lengthsRole || role == levelsRole || f != nil && len(f.Dims) > 0 && !f.Const) {
		a.shape = []int{1}
	}
	for _, n := range a.shape {
		if a.n == 0 && n > 1<<20 { // what a file claims must be in proportion to it
			fail(a.line, nil, "has no elements, but is "+by(a.shape), "")
			break
		}
	}
	for _, m := range a.misses {
		fail(m.line, a.elem(m.at), m.text, m.hint)
	}
	switch role {
	case fieldRole:
		if ld.bare {
			f.Kind, f.Of = kindOf(a.kind), f.Name
		}
		ld.takeField(f, a)
		return
	case levelsRole:
		if !a.bad && (a.kind != jsonString || len(a.shape) != 1) {
			fail(a.line, nil, "is not a list of strings", "")
		}
	case sizeRole:
		if !a.bad && len(a.shape) > 0 {
			fail(a.line, nil, "is a list, not the size of a plate", "")
		}
	case lengthsRole:
		if !a.bad && len(a.shape) != 1 {
			fail(a.line, nil, "is not a list of the lengths of "+p.Name+" for each of "+p.Parent, "")
		}
	}
	if role != levelsRole && !a.bad && a.n > 0 && a.kind != jsonNumber {
		fail(a.line, nil, "holds "+kindNames[a.kind]+", not sizes", "")
	}
	a.numbers()
	var sizes []int
	for i, x := range a.num {
		if !(x >= 0 && x <= math.MaxInt32 && x == math.Trunc(x)) {
			fail(a.line, a.elem(i), "is "+strconv.FormatFloat(x, 'g', -1, 64)+", not a size", "")
		}
		sizes = append(sizes, int(x))
	}
	switch {
	case a.bad:
	case role == sizeRole:
		ld.size(p.Name, claim{n: sizes[0], who: fmt.Sprintf("%s is %d", p.Name, sizes[0]), file: a.file, line: a.line, stated: true})
	case role == lengthsRole:
		ld.elements += len(sizes)
		ld.measure(p.Name, &lengths{n: sizes, who: a.key, file: a.file, line: a.line})
	default:
		l := &levels{who: a.key, file: a.file, line: a.line}
		for _, k := range a.code {
			l.names = append(l.names, a.names[k])
		}
		ld.declare(p.Name, l)
		ld.size(p.Name, claim{n: a.n, who: fmt.Sprintf("%s has %d", a.key, a.n), file: a.file, line: a.line})
	}
}

// takeField hands over the value of a field.
func (ld *loader) takeField(f *Field, a *array) {
	r := &a.raw
	r.field = f
	if r.dims = a.dims; r.dims == nil {
		for _, n := range a.shape {
			r.dims = append(r.dims, dim{n: n})
		}
	}
	switch {
	case r.ints != nil && f.Kind != Int, r.bools != nil && f.Kind != Bool, r.code != nil && f.Kind != Category:
		r.numbers()
	}
	if !r.bad && (a.kind == jsonString && f.Kind != Category || a.kind == jsonBool && f.Kind != Bool) {
		ld.misfit(r, "holds "+kindNames[a.kind]+", but an element of it is "+f.Kind.String(), "")
	}
	if len(a.shape) != 1 { // elements of a row are all over the lines
		r.rows = nil
	}
	if a.byCols && !r.bad {
		r.num, r.code = rowMajor(a.room, r.num, a.shape), rowMajor(a.room, r.code, a.shape)
	}
	ld.keep(r)
}

// stem is the name of a file without its directory and extension.
func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) }
