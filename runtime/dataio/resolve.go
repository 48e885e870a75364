// This file makes a Set of what the files said: shapes give sizes, sizes must agree, elements must fit.

package dataio

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A sizes is what is known once all shapes are in.
type sizes struct {
	size   map[string]int // -1: unknown, and that has been reported or follows from another problem
	ragged map[string][]int
}

// resolve reports what is wrong, and returns the set; it is of use only if nothing is.
func (ld *loader) resolve() *Set {
	for _, f := range ld.schema.Fields {
		if r := ld.setRaws[f.Name]; r != nil {
			if old := ld.raws[f.Name]; old != nil {
				ld.note(setFlag, "%s goes before its value in %s", f.Name, old.file)
			}
			ld.raws[f.Name] = r
		}
	}
	ld.transform()
	ld.fitAll()
	ld.nameCategories()
	ld.missing()
	sz := ld.settle()
	set := &Set{Sizes: map[string]int{}, Ragged: sz.ragged, Values: map[string]*Value{}, Levels: map[string][]string{}}
	for p, n := range sz.size {
		if n >= 0 {
			set.Sizes[p] = n
		}
	}
	for p, l := range ld.levels {
		set.Levels[p] = l.names
	}
	for i := range ld.schema.Fields {
		f := &ld.schema.Fields[i]
		if r := ld.raws[f.Name]; r != nil && !r.bad {
			if v := ld.convert(r, sz); v != nil {
				set.Values[f.Name] = v
			}
		}
	}
	return set
}

// broadcast says whether one value stands for all elements.
func (r *raw) broadcast() bool { return r.field.Const && len(r.dims) == 0 && len(r.field.Dims) > 0 }

// fitAll compares the shapes of all fields with their plates. Those that tell the lengths of ragged plates go first, since
// those that are flat need them.
func (ld *loader) fitAll() {
	var flat []*raw
	for i := range ld.schema.Fields {
		r := ld.raws[ld.schema.Fields[i].Name]
		if r == nil || r.bad || r.broadcast() {
			continue
		}
		groups := 0
		for _, d := range r.field.Dims {
			if ld.plates[d].Parent == "" {
				groups++
			}
		}
		rank := len(r.dims)
		switch {
		case rank == len(r.field.Dims):
			ld.fit(r)
		case rank == groups:
			flat = append(flat, r)
		case rank < len(r.field.Dims) && rank > 0 && r.len() == 0:
			ld.fit(r) // [] for a matrix without rows
		default:
			ld.misfit(r, "is "+shape(r.dims)+", but should be "+wanted(r.field), "")
		}
	}
	for _, r := range flat {
		if r.len() == 0 && slices.ContainsFunc(r.field.Dims, func(d string) bool { return ld.plates[d].Parent != "" && ld.lengths[d] == nil }) {
			ld.fit(r) // [] for a list of no lists
		} else {
			ld.fitFlat(r)
		}
	}
}

func (ld *loader) misfit(r *raw, text, hint string) {
	r.bad = true
	ld.add(Problem{File: r.file, Line: r.line, Name: r.field.Name, Text: text, Hint: hint})
}

// shape describes what the file has.
func shape(dims []dim) string {
	if len(dims) == 0 {
		return "a scalar"
	}
	var n []string
	for _, d := range dims {
		if d.lens != nil {
			n = append(n, "uneven")
		} else {
			n = append(n, fmt.Sprint(d.n))
		}
	}
	if len(n) == 1 {
		return "a list of " + n[0]
	}
	return "an array of " + strings.Join(n, " x ")
}

// wanted describes what the model wants.
func wanted(f *Field) string {
	if len(f.Dims) == 0 {
		return "a scalar"
	}
	return fmt.Sprintf("%s[%s]", f.Name, strings.Join(f.Dims, ", "))
}

// fit claims sizes and lengths for a field that is nested as deeply as it has dimensions.
func (ld *loader) fit(r *raw) {
	f := r.field
	count := 1 // lists at this depth
	lead := 1  // of them, repetitions: elements of the dimensions before the root of a ragged chain
	for i, name := range f.Dims {
		p := ld.plates[name]
		if i == len(r.dims) || count == 0 { // no lists, so nothing about their lengths
			if p.Parent != "" {
				ld.measure(name, &lengths{who: f.Name, file: r.file, line: r.line})
			}
			count, lead = 0, 1
			continue
		}
		d := r.dims[i]
		switch {
		case p.Parent != "":
			lens := d.lengths(count)
			n := len(lens) / lead
			for k := n; k < len(lens); k++ {
				if lens[k] != lens[k%n] {
					ld.misfit(r, fmt.Sprintf("has rows of %d and %d for the same element of %s", lens[k%n], lens[k], p.Parent), "")
					return
				}
			}
			ld.measure(p.Name, &lengths{n: slices.Clone(lens[:n]), who: f.Name, file: r.file, line: r.line})
		case d.lens != nil:
			k := slices.IndexFunc(d.lens, func(n int) bool { return n != d.lens[0] })
			ld.misfit(r, fmt.Sprintf("has rows of different lengths: row %d has %d elements, the first %d; but %s is not ragged", k+1, d.lens[k], d.lens[0], p.Name), "")
			return
		default:
			who := fmt.Sprintf("%s has %d", f.Name, d.n)
			if len(r.dims) > 1 {
				who += [...]string{" rows", " columns"}[min(i, 1)]
			}
			ld.size(p.Name, claim{n: d.n, who: who, file: r.file, line: r.line})
			if i == len(r.dims)-1 && r.cols != nil && len(r.cols) == d.n {
				ld.declare(p.Name, &levels{names: r.cols, who: "the header", file: r.file, line: 1, columns: true, weak: f.Const})
			}
		}
		if i+1 < len(f.Dims) && ld.plates[f.Dims[i+1]].Parent != "" && p.Parent == "" {
			lead = count // the next is ragged over this one: lists up to here are repetitions
		}
		if d.lens != nil {
			count = 0
			for _, n := range d.lens {
				count += n
			}
		} else {
			count *= d.n
		}
	}
}

// fitFlat claims sizes for a field whose ragged dimensions are run together. Their lengths must be known.
func (ld *loader) fitFlat(r *raw) {
	f := r.field
	k := -1 // the dimension of r that this one of f belongs to
	for i, name := range f.Dims {
		p := ld.plates[name]
		inner := i+1 < len(f.Dims) && ld.plates[f.Dims[i+1]].Parent != ""
		if p.Parent == "" {
			k++
		}
		if d := r.dims[k]; d.lens != nil {
			ld.misfit(r, "has rows of different lengths, but is not nested like "+wanted(f), "")
			return
		}
		switch {
		case p.Parent == "" && !inner:
			ld.size(name, claim{n: r.dims[k].n, who: fmt.Sprintf("%s has %d", f.Name, r.dims[k].n), file: r.file, line: r.line})
		case p.Parent == "":
		case ld.lengths[name] == nil && ld.doubtful[name]:
			r.bad = true
			return
		case ld.lengths[name] == nil:
			ld.misfit(r, fmt.Sprintf("is flat, but the lengths of %s are unknown", name), fmt.Sprintf("give %s_length, or a list of lists", name))
			return
		case !inner:
			l := ld.lengths[name]
			sum := 0
			for _, n := range l.n {
				sum += n
			}
			if sum != r.dims[k].n {
				ld.misfit(r, fmt.Sprintf("has %d elements, but the lengths in %s (%s) add up to %d", r.dims[k].n, l.who, l.file, sum), "")
				return
			}
		}
	}
}

// measure takes the lengths of a ragged plate. They must agree with what is known, and say the size of the parent.
func (ld *loader) measure(plate string, l *lengths) {
	old := ld.lengths[plate]
	if old == nil {
		ld.lengths[plate] = l
		if parent := ld.plates[plate].Parent; ld.plates[parent].Parent == "" {
			ld.size(parent, claim{n: len(l.n), who: fmt.Sprintf("%s has %d rows", l.who, len(l.n)), file: l.file, line: l.line})
		}
		return
	}
	fail := func(text string) {
		ld.add(Problem{File: l.file, Line: l.line, Name: l.who, Text: text})
	}
	if len(l.n) != len(old.n) {
		fail(fmt.Sprintf("has %d rows, but %s (%s) has %d", len(l.n), old.who, old.file, len(old.n)))
		return
	}
	for i := range l.n {
		if l.n[i] != old.n[i] {
			fail(fmt.Sprintf("has %d elements in row %d, but %s (%s) has %d", l.n[i], i+1, old.who, old.file, old.n[i]))
			return
		}
	}
}

// missing reports the fields that no file has.
func (ld *loader) missing() {
	if ld.broken {
		return
	}
	for _, f := range ld.schema.Fields {
		if ld.raws[f.Name] != nil || f.Const && f.Default && ld.columns[f.Name] == nil {
			continue
		}
		hint := ""
		switch near := nearest(f.Name, ld.unused); {
		case ld.columns[f.Name] != nil:
			hint = "it was to take " + list(ld.columns[f.Name]) + ", which no file has"
		case near != "":
			hint = fmt.Sprintf("nothing uses the column %[2]s; take it by --columns %[1]s=%[2]s", f.Name, near)
		case f.Const:
			hint = fmt.Sprintf("give it in a JSON file, or by %s %s=value", setFlag, f.Name)
		case len(ld.unused) > 0 && len(f.Dims) <= 2:
			hint = fmt.Sprintf("columns that nothing uses: %s; take one by --columns %s=%s", list(ld.unused), f.Name, ld.unused[0])
		}
		ld.add(Problem{Name: f.Name, Text: "is in none of the files", Hint: hint})
	}
}

// settle decides the sizes of all plates.
func (ld *loader) settle() sizes {
	sz := sizes{size: map[string]int{}, ragged: map[string][]int{}}
	excused := ld.excused()
	for _, p := range ld.schema.Plates {
		if p.Parent != "" {
			if l := ld.lengths[p.Name]; l != nil {
				sz.ragged[p.Name] = l.n
				if up := sz.ragged[p.Parent]; up != nil {
					want := 0
					for _, n := range up {
						want += n
					}
					if want != len(l.n) {
						ld.add(Problem{File: l.file, Line: l.line, Name: l.who, Text: fmt.Sprintf("has %d lengths of %s, but those of %s add up to %d",
							len(l.n), p.Name, p.Parent, want)})
					}
				}
			} else if !excused[p.Name] && ld.needed(p.Name) {
				ld.add(Problem{Name: p.Name, Text: "has lengths that no file says", Hint: "give " + p.Name + "_length"})
			}
			continue
		}
		sz.size[p.Name] = ld.settleSize(p, excused[p.Name])
	}
	for _, p := range ld.schema.Plates {
		ld.settleLike(p, sz.size)
	}
	return sz
}

// settleLike decides the size of a plate that follows another's, unless it is known.
func (ld *loader) settleLike(p Plate, size map[string]int) {
	if size[p.Name] != unsettled {
		return
	}
	ld.settleLike(*ld.plates[p.Like], size)
	n := size[p.Like]
	if n < 0 { // that has been reported
		size[p.Name] = -1
		return
	}
	size[p.Name] = n + p.More
	if n+p.More < 1 {
		ld.add(Problem{Name: p.Name, Text: fmt.Sprintf("is a plate of %d elements, %d fewer than %s", n+p.More, -p.More, p.Like),
			Hint: "a plate has at least one element"})
		size[p.Name] = -1
	}
}

// unsettled is the size of a plate that follows that of another.
const unsettled = -2

// settleSize decides one plate's size.
func (ld *loader) settleSize(p Plate, excused bool) int {
	var use []claim
	override := slices.ContainsFunc(ld.claims[p.Name], func(c claim) bool { return c.set })
	for _, c := range ld.claims[p.Name] {
		if c.stated && override {
			ld.note(setFlag, "%s goes before its size in %s", p.Name, c.file)
			continue
		}
		use = append(use, c)
	}
	if len(use) == 0 {
		if p.Size > 0 {
			return p.Size
		}
		if p.Like != "" {
			return unsettled
		}
		if !excused {
			hint := fmt.Sprintf("say it by %s %s=..., or in a JSON file", setFlag, p.Name)
			if largest, who := ld.largestCode(p.Name); largest > 0 {
				hint += fmt.Sprintf("; the largest category in %s is %d, but there may be more", who, largest)
			}
			ld.add(Problem{Name: p.Name, Text: "is a plate whose size nothing says", Hint: hint})
		}
		return -1
	}
	first := use[0]
	for _, c := range use[1:] {
		if c.n == first.n {
			continue
		}
		hint := ""
		if first.set || c.set {
			hint = "leave out " + setFlag + " " + p.Name + "; the data say the size"
		}
		file := c.file
		if c.set {
			file = setFlag
		}
		ld.add(Problem{File: file, Line: c.line, Name: p.Name, Text: fmt.Sprintf("is a plate of two sizes: %s, but %s (%s)", c.who, first.who, first.file), Hint: hint})
		return -1
	}
	return first.n
}

// excused are the plates about which fields that were misread, or not found, would have said something.
func (ld *loader) excused() map[string]bool {
	out := maps.Clone(ld.doubtful)
	for _, f := range ld.schema.Fields {
		r := ld.raws[f.Name]
		if ld.broken || r != nil && r.bad || r == nil && !(f.Const && f.Default) {
			out[f.Of] = true
			for _, d := range f.Dims {
				out[d] = true
			}
		}
	}
	return out
}

// needed says whether a field that was read runs over a plate.
func (ld *loader) needed(plate string) bool {
	for _, r := range ld.raws {
		if slices.Contains(r.field.Dims, plate) {
			return true
		}
	}
	return false
}

// convert checks the elements of a field, and returns them; nil if something it needs is unknown.
func (ld *loader) convert(r *raw, sz sizes) *Value {
	f := r.field
	n, ok := sz.total(ld, f)
	if !ok {
		return nil
	}
	if r.broadcast() {
		if limit := 1<<20 + 16*ld.elements; n > limit || n < 0 {
			ld.misfit(r, fmt.Sprintf("would fill %s, more than %d elements, with one value", wanted(f), limit), "")
			return nil
		}
	} else if r.len() != n {
		if ld.err() == nil {
			ld.misfit(r, fmt.Sprintf("has %d elements, but %s has %d", r.len(), wanted(f), n), "")
		}
		return nil
	}
	bad := 0
	fail := func(i int, text, hint string) {
		if bad++; bad > maxPerName { // to be counted; where it is costs time
			ld.add(Problem{File: r.file, Name: f.Name})
			return
		}
		var elem []int
		if !r.broadcast() {
			elem = sz.elem(ld, f, i)
		}
		if d := len(f.Dims); r.cols != nil && d > 0 && len(elem) == d {
			text = "(" + r.cols[elem[d-1]-1] + ") " + text
		}
		ld.add(Problem{File: r.file, Line: r.where(elem), Name: f.Name, Elem: elem, Text: text, Hint: hint})
	}
	v := &Value{}
	switch {
	case f.Kind == Category:
		v.Cat = ld.categories(r, sz.size[f.Of], fail)
	case f.Kind == Real:
		v.Real = r.num
	case r.ints != nil:
		v.Int = r.ints
	case r.bools != nil:
		v.Bool = r.bools
	case f.Kind == Int:
		v.Int = alloc[int](r.room, len(r.num))
		for i, x := range r.num {
			if x != math.Trunc(x) {
				fail(i, fmt.Sprintf("is %v, not an integer", x), "")
				continue
			}
			if math.Abs(x) > 1<<53 {
				fail(i, fmt.Sprintf("is %v: from 2^53 on, files no longer tell integers apart", x), "")
				continue
			}
			v.Int[i] = int(x)
		}
	default:
		v.Bool = alloc[bool](r.room, len(r.num))
		for i, x := range r.num {
			if x != 0 && x != 1 {
				fail(i, fmt.Sprintf("is %v, not 0, 1, true or false", x), "to cut it at its median: --binarise="+f.Name)
			}
			v.Bool[i] = x == 1
		}
	}
	if r.broadcast() {
		v = &Value{Real: slices.Repeat(v.Real, n), Int: slices.Repeat(v.Int, n), Bool: slices.Repeat(v.Bool, n), Cat: slices.Repeat(v.Cat, n)}
	}
	return v
}

// total is the number of elements of a field; -1 if it is beyond counting.
func (sz sizes) total(ld *loader, f *Field) (n int, ok bool) {
	n = 1
	for i := 0; i < len(f.Dims); i++ {
		d := f.Dims[i]
		m, known := sz.size[d], true
		for i+1 < len(f.Dims) && ld.plates[f.Dims[i+1]].Parent != "" { // a chain of ragged plates: its last knows
			i++
			var lens []int
			lens, known = sz.ragged[f.Dims[i]]
			m = 0
			for _, l := range lens {
				m += l
			}
		}
		if m < 0 || !known || sz.size[d] < 0 {
			return 0, false
		}
		if m > 0 && n > math.MaxInt/m {
			return -1, true
		}
		n *= m
	}
	if f.Kind == Category && sz.size[f.Of] < 0 {
		return 0, false
	}
	return n, true
}

// elem is the index, from 1 in each dimension, of an element by its position.
func (sz sizes) elem(ld *loader, f *Field, flat int) []int {
	out := make([]int, len(f.Dims))
	for i := len(f.Dims) - 1; i >= 0; i-- {
		d := f.Dims[i]
		if ld.plates[d].Parent == "" {
			n := max(sz.size[d], 1)
			out[i], flat = flat%n+1, flat/n
			continue
		}
		lens := sz.ragged[d]
		sum := 0
		for _, n := range lens {
			sum += n
		}
		sum = max(sum, 1)
		rep, at := flat/sum, flat%sum
		j := 0
		for j < len(lens)-1 && at >= lens[j] {
			at -= lens[j]
			j++
		}
		out[i], flat = at+1, rep*len(lens)+j
	}
	return out
}
