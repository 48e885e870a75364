// This file holds the transformations of data that a user may ask for: centring, scaling, an intercept, cutting at the median.

package dataio

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A transformation changes one column in place, given its mean and standard deviation (n - 1).
type transformation struct {
	name   string
	also   string // another spelling
	column func(x []float64, mean, sd float64)
	kind   Kind // of the field
}

// The entries of Options.Transform; intercept, which changes the shape, is apart.
var transformations = []transformation{
	{"standardise", "standardize", func(x []float64, mean, sd float64) { affine(x, mean, sd) }, Real},
	{"unit", "", func(x []float64, mean, sd float64) { affine(x, mean, sd*math.Sqrt(float64(len(x)-1))) }, Real},
	{"center", "centre", func(x []float64, mean, sd float64) { affine(x, mean, 1) }, Real},
	{"scale", "", func(x []float64, mean, sd float64) { affine(x, 0, sd) }, Real},
	{"intercept", "", nil, Real},
	{"binarise", "binarize", func(x []float64, mean, sd float64) { cut(x) }, Bool},
}

// Transformations returns the names that Options.Transform may ask for, without other spellings: command lines have a flag for each.
func Transformations() []string {
	var out []string
	for _, t := range transformations {
		out = append(out, t.name)
	}
	return out
}

// affine subtracts a and divides by b.
func affine(x []float64, a, b float64) {
	for i := range x {
		x[i] = (x[i] - a) / b
	}
}

// cut turns x into 1 where it is above its median, which is the mean of the middle two for an even number.
func cut(x []float64) {
	m := median(x)
	for i, v := range x {
		x[i] = 0
		if v > m {
			x[i] = 1
		}
	}
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return s[n/2-1]/2 + s[n/2]/2 // the sum could overflow
}

// moments returns the mean and the standard deviation (n - 1) of what is not constant, by two passes, the second correcting
// the mean; it works in units of the largest deviation, so that squares neither over- nor underflow.
func moments(x []float64) (mean, sd float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	unit := max(slices.Max(x)-mean, mean-slices.Min(x))
	var d, ss float64 // mean deviation, and sum of squares
	for _, v := range x {
		u := (v - mean) / unit
		d += u / n
		ss += u * u
	}
	return mean + d*unit, unit * math.Sqrt((ss-n*d*d)/(n-1))
}

func finite(x ...float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// transform does what Options asks, in order.
func (ld *loader) transform() {
	var todo []string
	for _, name := range ld.opts.Standardise {
		todo = append(todo, "standardise:"+name)
	}
	for _, entry := range append(todo, ld.opts.Transform...) {
		fn, name, ok := strings.Cut(entry, ":")
		fail := func(text, hint string) { ld.add(Problem{File: "--transform", Text: text, Hint: hint}) }
		refuse := func(text, hint string) { ld.add(Problem{File: "--" + fn + "=" + name, Text: text, Hint: hint}) } // the command's flag
		k := slices.IndexFunc(transformations, func(t transformation) bool { return fn != "" && (t.name == fn || t.also == fn) })
		f := ld.fields[name]
		switch {
		case !ok:
			fail(quote(entry)+" is not function:name", "")
		case k < 0:
			var names []string
			for _, t := range transformations {
				names = append(names, t.name)
				if t.also != "" {
					names = append(names, t.also)
				}
			}
			hint := didYouMean(fn, names)
			if hint == "" {
				hint = "there are " + list(names)
			}
			fail(quote(fn)+" is no transformation", hint)
		case f == nil:
			refuse("the model reads no "+quote(name), didYouMean(name, ld.fieldNames()))
		case f.Const:
			refuse(name+" is a constant, not data", "")
		case f.Kind != transformations[k].kind:
			refuse(fmt.Sprintf("it is for %s, but an element of %s is %s", map[Kind]string{Real: "real data", Bool: "data that the model declares as bool"}[transformations[k].kind], name, f.Kind), "")
		default:
			if r := ld.raws[name]; r != nil && !r.bad {
				t := transformations[k]
				t.name = fn // as it was spelt
				ld.apply(r, t)
			}
		}
	}
}

// apply transforms the columns of a vector or matrix.
func (ld *loader) apply(r *raw, t transformation) {
	f := r.field
	if len(r.dims) < 1 || len(r.dims) > 2 || len(f.Dims) != len(r.dims) ||
		slices.ContainsFunc(r.dims, func(d dim) bool { return d.lens != nil }) ||
		slices.ContainsFunc(f.Dims, func(d string) bool { return ld.plates[d].Parent != "" }) {
		ld.misfit(r, "can't take "+t.name+": that is for vectors and matrices", "")
		return
	}
	r.numbers()
	r.own()
	rows, cols := r.dims[0].n, 1
	if len(r.dims) == 2 {
		cols = r.dims[1].n
	}
	if t.column == nil {
		ld.intercept(r, rows, cols)
		return
	}
	x := alloc[float64](r.room, rows)
	for c := range cols {
		for i := range x {
			x[i] = r.num[i*cols+c]
		}
		column := f.Name
		if len(r.dims) == 2 {
			column = fmt.Sprintf("column %d", c+1)
		}
		if r.cols != nil {
			column = "column " + r.cols[c]
		}
		if rows == 0 || slices.Min(x) == slices.Max(x) {
			hint := ""
			if len(r.dims) == 2 {
				hint = "leave the column out; an intercept comes last, by --intercept=" + f.Name
			}
			ld.misfit(r, fmt.Sprintf("can't take %s: %s is constant", t.name, column), hint)
			continue
		}
		mean, sd := moments(x)
		t.column(x, mean, sd)
		if !finite(mean, sd) || !finite(x...) {
			ld.misfit(r, fmt.Sprintf("can't take %s: %s is too large, or too nearly constant, for float64", t.name, column), "")
			continue
		}
		for i, v := range x {
			r.num[i*cols+c] = v
		}
		if len(r.dims) == 1 && !r.bad {
			ld.note(r.file, "%s: %s, with mean %.6g and standard deviation %.6g as read", t.name, f.Name, mean, sd)
		}
	}
	if len(r.dims) == 2 && !r.bad {
		ld.note(r.file, "%s: %d columns of %s", t.name, cols, f.Name)
	}
}

// intercept prepends a column of ones to a matrix.
func (ld *loader) intercept(r *raw, rows, cols int) {
	if len(r.dims) != 2 {
		ld.misfit(r, "can't take intercept: that is for matrices", "")
		return
	}
	out := alloc[float64](r.room, rows*(cols+1))[:0]
	for i := range rows {
		out = append(out, 1)
		out = append(out, r.num[i*cols:(i+1)*cols]...)
	}
	r.num = out
	r.dims[1].n++
	if r.cols != nil {
		r.cols = append([]string{"(Intercept)"}, r.cols...)
	}
	ld.note(r.file, "intercept: %s has a first column of ones", r.field.Name)
}
