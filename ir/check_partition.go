// This file holds the rule that several statements about one variable share its plate out: no overlap, no gap.

package ir

import (
	"fmt"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// A part is the positions that one statement covers.
type part struct {
	axes []axis
	span dsl.Span
}

// A cell is a position, or a class of them, on one axis: the k-th from the start, somewhere in the middle, the k-th from the end.
type cell struct {
	k    int
	side rune // 's', 'm' or 'e'
}

func (x cell) in(a axis) bool {
	if a.literal() {
		return x.side == 's' && x.k == a.idx.Add
	}
	switch x.side {
	case 's':
		return x.k >= a.lo
	case 'e':
		return x.k >= -a.hi
	}
	return true
}

// partition checks the statements about v that have a distribution.
func (c *checker) partition(v *variable) {
	var parts []part
	gaps := false // a declaration without a distribution says that the rest is given
	for _, st := range v.stmts {
		if st.decl.Dist == nil {
			gaps = true
			continue
		}
		parts = append(parts, part{st.axes[:len(indicesOf(st.axes))], st.decl.Span})
	}
	if len(parts) > 0 && !c.shareOut(v, "is defined", parts, gaps) {
		v.bad = true
	}
}

// shareOut reports the first overlap and, unless gaps are allowed, the first gap.
func (c *checker) shareOut(v *variable, verb string, parts []part, gaps bool) bool {
	cells, overlap := search(parts, 0, func(ps []part) bool { return len(ps) > 1 })
	if overlap != nil {
		d := c.errorf(overlap[1].span, "overlap", "%s %s twice", place(v.Name, overlap[0].axes, cells), verb)
		d.Notes = append(d.Notes, c.place("the other statement is", overlap[0].span))
		return false
	}
	if gaps {
		return true
	}
	cells, gap := search(parts, 0, func(ps []part) bool { return len(ps) == 0 })
	if gap == nil {
		return true
	}
	d := c.errorf(v.Span, "gap", "nothing says what %s is", place(v.Name, parts[0].axes, cells))
	for _, p := range parts {
		d.Notes = append(d.Notes, c.place("there is", p.span))
	}
	if v.Role == dsl.Data {
		d.Hint = fmt.Sprintf("to condition on it, declare all of %s in a statement without a distribution", v.Name)
	}
	return false
}

// search looks for cells on axes k, k+1, ... where bad holds of the parts that cover them.
func search(parts []part, k int, bad func([]part) bool) ([]cell, []part) {
	if len(parts) == 0 || k == len(parts[0].axes) {
		if bad(parts) {
			return nil, append([]part{}, parts...)
		}
		return nil, nil
	}
	var starts, ends int
	for _, p := range parts {
		if a := p.axes[k]; a.literal() {
			starts = max(starts, a.idx.Add+1)
		} else {
			starts, ends = max(starts, a.lo), max(ends, -a.hi)
		}
	}
	var cells []cell
	for i := range min(starts, maxUnroll*maxUnroll) {
		cells = append(cells, cell{i, 's'})
	}
	cells = append(cells, cell{0, 'm'})
	for i := range min(ends, maxUnroll*maxUnroll) {
		cells = append(cells, cell{i, 'e'})
	}
	for _, x := range cells {
		var in []part
		for _, p := range parts {
			if x.in(p.axes[k]) {
				in = append(in, p)
			}
		}
		if rest, found := search(in, k+1, bad); found != nil {
			return append([]cell{x}, rest...), found
		}
	}
	return nil, nil
}

// place names the element that a list of cells stands for.
func place(name string, axes []axis, cells []cell) string {
	if len(axes) == 0 {
		return name
	}
	var ix []string
	for i, a := range axes {
		size := "the end"
		if a.plate != nil {
			size = a.plate.Name
		}
		switch {
		case i >= len(cells) || cells[i].side == 'm':
			if a.name != "" {
				ix = append(ix, a.name)
			} else {
				ix = append(ix, strings.ToLower(size[:1]))
			}
		case cells[i].side == 's':
			ix = append(ix, fmt.Sprint(cells[i].k+1))
		case cells[i].k == 0:
			ix = append(ix, size)
		default:
			ix = append(ix, fmt.Sprintf("%s - %d", size, cells[i].k))
		}
	}
	return name + "[" + strings.Join(ix, ", ") + "]"
}
