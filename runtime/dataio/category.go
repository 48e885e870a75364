// This file turns codes and strings into categories: which levels there are, and which element is which.

package dataio

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// nameCategories decides, for the plates that categories are elements of and whose levels no file declares, what the levels are.
func (ld *loader) nameCategories() {
	inferred := map[string]*levels{}
	var plates []string // in the schema's order of fields
	for i := range ld.schema.Fields {
		r := ld.raws[ld.schema.Fields[i].Name]
		if r == nil || r.bad || r.field.Kind != Category || r.names == nil {
			continue
		}
		plate := r.field.Of
		declared := ld.levels[plate]
		ld.cellsAsCodes(r, declared)
		if r.names == nil || declared != nil {
			continue
		}
		l := inferred[plate]
		if l == nil {
			l = &levels{index: map[string]int32{}, who: r.field.Name, file: r.file, line: r.line, inferred: true}
			inferred[plate] = l
			plates = append(plates, plate)
		}
		for _, s := range r.names {
			if _, ok := l.index[s]; !ok && !(r.cells && missingLabel(s)) {
				l.index[s] = int32(len(l.names))
				l.names = append(l.names, s)
			}
		}
	}
	for _, plate := range plates {
		l := inferred[plate]
		ld.levels[plate] = l
		if ld.doubtful[plate] {
			continue
		}
		if other := ld.ordered(plate); other != nil {
			ld.doubtful[plate] = true
			ld.add(Problem{File: l.file, Line: l.line, Name: l.who, Text: fmt.Sprintf("names elements of %s, and %s goes by their order, but nothing says that order", plate, other.field.Name),
				Hint: fmt.Sprintf("declare it: \"%s_levels\": [%s, ...] in a JSON file", plate, quote(append(l.names, "?")[0]))})
			continue
		}
		ld.size(plate, claim{n: len(l.names), who: fmt.Sprintf("%s has %d different names", l.who, len(l.names)), file: l.file, line: l.line})
	}
}

// ordered returns a field to which the order of the plate's elements matters: an array over it, or codes of it.
func (ld *loader) ordered(plate string) *raw {
	for i := range ld.schema.Fields {
		r := ld.raws[ld.schema.Fields[i].Name]
		if r == nil || r.bad || r.broadcast() {
			continue
		}
		if slices.Contains(r.field.Dims, plate) || r.field.Of == plate && r.names == nil && r.len() > 0 {
			return r
		}
	}
	return nil
}

// cellsAsCodes reads the cells of a column as numbers if all of them are, unless they are all declared names.
func (ld *loader) cellsAsCodes(r *raw, declared *levels) {
	if !r.cells {
		return
	}
	codes := make([]float64, len(r.names))
	named, numbers := declared != nil, 0
	for i, s := range r.names {
		x, c := number(s)
		codes[i] = x
		switch {
		case c == isNumber:
			numbers++
		case !missingLabel(s):
			return
		}
		if declared != nil {
			if _, ok := declared.index[s]; !ok {
				named = false
			}
		}
	}
	if named || numbers == 0 {
		return
	}
	for i, s := range r.names {
		if _, c := number(s); c != isNumber { // codes, but some of them missing
			text, hint := refusal(s, isMissing, Category)
			var dims []int
			for _, d := range r.dims {
				dims = append(dims, d.n)
			}
			elem := unflatten(slices.Index(r.code, int32(i)), dims)
			ld.add(Problem{File: r.file, Line: r.where(elem), Name: r.field.Name, Elem: elem, Text: text, Hint: hint})
			r.bad = true
		}
	}
	r.num = alloc[float64](r.room, len(r.code))
	for i, k := range r.code {
		r.num[i] = codes[k]
	}
	r.code, r.names = nil, nil
}

// categories converts the elements of a field, and reports each that is none of the plate's.
func (ld *loader) categories(r *raw, size int, fail func(i int, text, hint string)) []int32 {
	of := r.field.Of
	switch {
	case r.names != nil:
		l := ld.levels[of]
		table := make([]int32, len(r.names))
		for k, s := range r.names {
			var ok bool
			if table[k], ok = l.index[s]; !ok {
				table[k] = -1
			}
		}
		if identity(table) { // of the order of the levels already: nothing to copy
			return r.code
		}
		out := alloc[int32](r.room, len(r.code))
		bad := 0
		for i, k := range r.code {
			if out[i] = table[k]; out[i] >= 0 {
				continue
			}
			if bad++; bad > maxPerName { // won't be shown: a hint costs a look at all levels
				fail(i, "", "")
				continue
			}
			s := r.names[k]
			if r.cells && missingLabel(s) {
				text, hint := refusal(s, isMissing, Category)
				fail(i, text, hint)
				continue
			}
			hint := didYouMean(s, l.names)
			if hint == "" && len(l.names) > 0 {
				hint = "there are " + list(l.names)
			}
			fail(i, fmt.Sprintf("is %s, which is none of the %d levels of %s", quote(s), len(l.names), of), hint)
		}
		return out
	case r.code != nil:
		for i, k := range r.code {
			if int(k) >= size {
				fail(i, fmt.Sprintf("is %d, but %s has %s", int(k)+r.base, of, elements(size)), "")
			}
		}
		return r.code
	}
	out := alloc[int32](r.room, len(r.num))
	for i, x := range r.num {
		switch {
		case x != math.Trunc(x):
			fail(i, fmt.Sprintf("is %v, not a category: an integer from 1", x), "")
		case x < 1 || x > float64(size) || x > math.MaxInt32:
			hint := ""
			if x == 0 {
				hint = "in files, categories count from 1"
			}
			fail(i, fmt.Sprintf("is %s, but %s has %s", strconv.FormatFloat(x, 'f', -1, 64), of, elements(size)), hint)
		default:
			out[i] = int32(x - 1)
		}
	}
	return out
}

// largestCode looks for the largest code of a plate, for a hint only.
func (ld *loader) largestCode(plate string) (largest int, who string) {
	for i := range ld.schema.Fields {
		r := ld.raws[ld.schema.Fields[i].Name]
		if r == nil || r.bad || r.field.Kind != Category || r.field.Of != plate || len(r.num) == 0 {
			continue
		}
		if x := slices.Max(r.num); x > float64(largest) && x < math.MaxInt32 {
			largest, who = int(x), r.field.Name
		}
	}
	return largest, who
}

func identity(table []int32) bool {
	for i, k := range table {
		if int(k) != i {
			return false
		}
	}
	return true
}

func elements(n int) string {
	if n == 1 {
		return "1 element"
	}
	return strconv.Itoa(n) + " elements"
}
