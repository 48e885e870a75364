// This file holds what Load reports: problems, notes, and the nearest name to a misspelt one.

package dataio

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Problem is one thing wrong with the data: where, what, and what to do.
type Problem struct {
	File string // as given, or the flag; "" if it concerns no one file
	Line int    // from 1; 0 if unknown
	Name string // field, plate or column; may be empty
	Elem []int  // the element, from 1 in each dimension; may be empty
	Text string
	Hint string // may be empty
}

// Error returns the problem in one line: file:line: name[elem] text (hint).
func (p *Problem) Error() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d", p.Line)
		}
		b.WriteString(": ")
	}
	if p.Name != "" {
		b.WriteString(p.Name)
		b.WriteString(index(p.Elem))
		b.WriteString(" ")
	}
	b.WriteString(p.Text)
	if p.Hint != "" {
		fmt.Fprintf(&b, " (%s)", p.Hint)
	}
	return b.String()
}

// index prints an element as a statistician writes it: [3, 2].
func index(elem []int) string {
	if len(elem) == 0 {
		return ""
	}
	return strings.ReplaceAll(fmt.Sprint(elem), " ", ", ")
}

// A Note says what Load decided that a user may want to know: which columns became a matrix, what was left unread.
type Note struct {
	File string
	Text string
}

// String returns the note in one line.
func (n Note) String() string {
	if n.File == "" {
		return n.Text
	}
	return n.File + ": " + n.Text
}

// A report collects problems, a few of each field: a column of text where numbers belong must not fill the screen.
type report struct {
	list  []error
	count map[[2]string]int // by file and name
	order [][2]string       // of those above the limit
	more  int               // dropped altogether
}

const (
	maxPerName  = 5
	maxProblems = 50
)

func (r *report) add(p Problem) {
	p.Elem = slices.Clone(p.Elem) // readers reuse theirs
	key := [2]string{p.File, p.Name}
	if r.count == nil {
		r.count = map[[2]string]int{}
	}
	r.count[key]++
	switch n := r.count[key]; {
	case p.Name != "" && n > maxPerName:
		if n == maxPerName+1 && len(r.order) < maxProblems {
			r.order = append(r.order, key)
		}
	case len(r.list) >= maxProblems:
		r.more++
	default:
		r.list = append(r.list, &p)
	}
}

// err joins all problems, or returns nil.
func (r *report) err() error {
	list := r.list
	for _, key := range r.order {
		n := r.count[key] - maxPerName
		list = append(list, &Problem{File: key[0], Name: key[1], Text: fmt.Sprintf("has %d more problems", n)})
	}
	if r.more > 0 {
		list = append(list, fmt.Errorf("and %d more problems", r.more))
	}
	return errors.Join(list...)
}

// quote shows a value from a file, shortened, in one line.
func quote(s string) string {
	const limit = 40
	if len(s) > limit {
		return fmt.Sprintf("%q...", s[:limit])
	}
	return fmt.Sprintf("%q", s)
}

// list shows names, not too many.
func list(names []string) string {
	const limit = 12
	show := names[:min(len(names), limit)]
	var b strings.Builder
	for i, s := range show {
		if i > 0 {
			b.WriteString(", ")
		}
		if s == "" || len(s) > 40 || strings.ContainsAny(s, "\r\n\t, ") {
			s = quote(s)
		}
		b.WriteString(s)
	}
	if n := len(names) - len(show); n > 0 {
		fmt.Fprintf(&b, ", and %d more", n)
	}
	return b.String()
}

// didYouMean returns a hint with the name nearest to the given one, or "".
func didYouMean(name string, names []string) string {
	if best := nearest(name, names); best != "" {
		return "did you mean " + best + "?"
	}
	return ""
}

// nearest returns the name that a third of the letters, or one in two, or the case of a single one, make into the given one; or "".
func nearest(name string, names []string) string {
	best, limit := "", 1
	if len(name) > 64 { // no slip of the finger, and the time goes by the square
		return ""
	}
	if len(name) > 1 {
		limit = max(1, len(name)/3) + 1
	}
	for _, n := range names {
		if d := distance(name, n, limit); d < limit {
			best, limit = n, d
		}
	}
	return best
}

// distance is the edit distance of two names, letter case aside; at least limit where that is evident from their lengths.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			sub := diag
			if a[i] != b[j] {
				sub++
			}
			diag = row[j+1]
			row[j+1] = min(sub, diag+1, row[j]+1)
		}
	}
	return row[len(b)]
}
