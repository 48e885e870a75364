// This file holds a raw: one field as a file gave it, before its shape and elements are judged.

package dataio

import (
	"errors"
	"math"
	"sort"
	"strconv"
	"strings"
)

// A raw is what a reader hands over. Elements are in one of num, or code with names.
type raw struct {
	field *Field
	file  string
	line  int     // where it begins
	rows  lineMap // line of each element of the outermost dimension
	dims  []dim   // the shape of the nested arrays; none for a scalar
	bad   bool    // a problem has been reported: don't report its consequences
	room  *room   // where its elements lie
	lent  bool    // they lie in a file that must not be written to

	num   []float64 // finite; booleans are 0 and 1
	ints  []int     // instead of num, from a store: |x| <= 2^53
	bools []bool    // instead of num, from a store
	code  []int32   // index into names; or, if names is nil, categories from 0
	names []string  // distinct strings in order of first appearance
	seen  map[string]int32

	cells bool     // names are cells of a table: they may be numbers, or say that a value is missing
	cols  []string // names of the last dimension's elements, if the file gave any
	base  int      // what code 0 is called in the file (categories without names)
}

// A dim is one level of nested lists: all of length n, or uneven with the lengths of each.
type dim struct {
	n    int
	lens []int
}

// lengths returns the length of each of the count lists.
func (d dim) lengths(count int) []int {
	if d.lens != nil {
		return d.lens
	}
	out := make([]int, count)
	for i := range out {
		out[i] = d.n
	}
	return out
}

// len returns the number of elements.
func (r *raw) len() int {
	return max(len(r.num), len(r.ints), len(r.bools), len(r.code))
}

// numbers makes num of elements that came as another type.
func (r *raw) numbers() {
	switch {
	case r.ints != nil:
		r.num = converted(r.room, r.ints, func(i int) float64 { return float64(i) })
	case r.bools != nil:
		r.num = converted(r.room, r.bools, func(b bool) float64 {
			if b {
				return 1
			}
			return 0
		})
	case r.code != nil && r.names == nil:
		r.num = converted(r.room, r.code, func(k int32) float64 { return float64(k) + 1 })
	default:
		return
	}
	r.ints, r.bools, r.code, r.lent = nil, nil, nil, false
}

func converted[T, U any](m *room, x []T, f func(T) U) []U {
	out := alloc[U](m, len(x))
	for i, v := range x {
		out[i] = f(v)
	}
	return out
}

// own copies numbers that lie in a file: they are about to be changed.
func (r *raw) own() {
	if r.lent {
		own := alloc[float64](r.room, len(r.num))
		copy(own, r.num)
		r.num, r.lent = own, false
	}
}

// text appends a string.
func (r *raw) text(s string) {
	k, ok := r.seen[s]
	if !ok {
		if r.seen == nil {
			r.seen = map[string]int32{}
		}
		s = strings.Clone(s) // the reader's buffer may be large
		k = int32(len(r.names))
		r.seen[s] = k
		r.names = append(r.names, s)
	}
	r.code = push(r.room, r.code, k)
}

// where returns the line of an element, as near as it is known.
func (r *raw) where(elem []int) int {
	if len(elem) > 0 {
		if line := r.rows.line(elem[0] - 1); line > 0 {
			return line
		}
	}
	return r.line
}

// A lineMap knows the line of each row, as runs: a new one begins where lines stop going up by the run's step.
type lineMap []lineRun

type lineRun struct{ row, line, step int }

// add says that a row, the next in order, is on the line.
func (m *lineMap) add(row, line int) {
	if n := len(*m); n > 0 {
		run := &(*m)[n-1]
		if row == run.row+1 {
			run.step = line - run.line
		}
		if run.line+(row-run.row)*run.step == line {
			return
		}
	}
	*m = append(*m, lineRun{row, line, 0})
}

// line returns the line of a row, or 0.
func (m lineMap) line(row int) int {
	i := sort.Search(len(m), func(i int) bool { return m[i].row > row }) - 1
	if i < 0 {
		return 0
	}
	return m[i].line + (row-m[i].row)*m[i].step
}

// What a piece of text turned out to be.
type class int

const (
	isNumber class = iota
	isNaN          // NaN or an infinity, or beyond float64
	isMissing
	isText
)

// number reads a decimal number.
func number(s string) (float64, class) {
	switch s {
	case "", "NA", "N/A", "na", "n/a", "null", "NULL", "None", ".", "?", "<NA>":
		return 0, isMissing
	}
	x, err := strconv.ParseFloat(s, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, isNaN
	case err != nil || strings.ContainsAny(s, "xX_"): // hexadecimal is for Go
		return 0, isText
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, isNaN
	}
	return x, isNumber
}

// missingLabel says whether a cell in a column of strings says that it was not observed: fewer than for numbers, since
// "None" or "?" may well be an answer.
func missingLabel(s string) bool { return s == "" || s == "NA" || s == "<NA>" }

// boolean reads what R, Python and people write for true and false.
func boolean(s string) (x float64, ok bool) {
	switch strings.ToLower(s) {
	case "true", "t":
		return 1, true
	case "false", "f":
		return 0, true
	}
	return 0, false
}

// refusal says why a piece of text is no value.
func refusal(s string, c class, want Kind) (text, hint string) {
	const unsupported = "missing data are not supported yet"
	switch c {
	case isNaN:
		if strings.ContainsAny(s, "0123456789") {
			return "is " + quote(s) + ", too large for a float64", ""
		}
		return "is " + s + ", not a finite number", "NaN is not NA; if the value was not observed: " + unsupported
	case isMissing:
		if s == "" {
			return "is empty", unsupported
		}
		return "is " + s + ", a missing value", "NA is not NaN: it was not observed; " + unsupported
	}
	return "is " + quote(s) + ", not " + want.String(), ""
}
