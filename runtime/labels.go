// This file tells which columns of a file of draws label switching makes meaningless, and sorts them within each draw.

package runtime

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Labels say which columns are numbered by elements of exchangeable plates, as a pattern of column names for each variable: mu.K(3)
// stands for mu.1, mu.2 and mu.3 with the numbers of elements of K, beta.topics(20).* for columns of which the second index means
// what it says, and z.*:K for categories that are elements of K. A file of draws has them in a comment, exchangeable = ...
type Labels []string

// ParseLabels reads what String has written.
func ParseLabels(text string) Labels { return strings.Fields(text) }

// String has blanks between patterns.
func (l Labels) String() string { return strings.Join(l, " ") }

// LabelsOf returns those of the unknowns that s shows, but for unbounded plates, over which nothing has columns.
func LabelsOf(s Sampler) Labels {
	shower, ok := s.(Shower)
	if !ok {
		return nil
	}
	exchanger, ok := s.(Exchanger)
	if !ok {
		return nil
	}
	plates := exchanger.Exchangeable()
	among := func(d Dim) bool {
		return slices.ContainsFunc(plates, func(e Exchangeable) bool { return e.Plate == d.Plate })
	}
	var out Labels
	for _, u := range shower.Unknowns() {
		if !u.Grid() || !slices.ContainsFunc(u.Dims, among) && !among(u.Of) {
			continue
		}
		pattern := u.Name
		for _, d := range u.Dims {
			if among(d) {
				pattern += "." + d.Plate + "(" + strconv.Itoa(d.Size) + ")"
			} else {
				pattern += ".*"
			}
		}
		if among(u.Of) {
			pattern += ":" + u.Of.Plate
		}
		out = append(out, pattern)
	}
	return out
}

// split takes a pattern apart: the variable, for each index the plate that it numbers, with its size ("*" if none), and whether the values are
// categories of one.
func (Labels) split(pattern string) (variable string, axes []string, category bool) {
	pattern, _, category = strings.Cut(pattern, ":")
	parts := strings.Split(pattern, ".")
	return parts[0], parts[1:], category
}

// has reports whether the column of that name is one of them.
func (l Labels) has(name string) bool {
	variable, ix := splitColumn(name)
	return slices.ContainsFunc(l, func(pattern string) bool {
		v, axes, _ := l.split(pattern)
		return v == variable && len(axes) == len(ix)
	})
}

// of returns those of which there are columns.
func (l Labels) of(names []string) Labels {
	return slices.DeleteFunc(slices.Clone(l), func(pattern string) bool {
		return !slices.ContainsFunc(names, Labels{pattern}.has)
	})
}

// FirstIndexLabel returns the pattern of a variable among these columns of which the first index is the number of a component, or
// "" if no array has that name.
func FirstIndexLabel(names []string, variable string) string {
	size, axes := 0, 0
	for _, name := range names {
		if v, ix := splitColumn(name); v == variable && len(ix) > 0 {
			k, _ := strconv.Atoi(ix[0])
			size, axes = max(size, k), len(ix)
		}
	}
	if axes == 0 {
		return ""
	}
	return variable + ".components(" + strconv.Itoa(size) + ")" + strings.Repeat(".*", axes-1)
}

// splitColumn cuts S.2.1 into S and its indices as they are written.
func splitColumn(name string) (variable string, ix []string) {
	parts := strings.Split(name, ".")
	return parts[0], parts[1:]
}

// sorted returns, for each variable over an exchangeable plate of which all columns are there, a number for each element of the plate,
// sorted within each draw: the value if the element has one, else the Euclidean norm of its values. They are named as those of
// [Invariants].
func (l Labels) sorted(names []string, chains [][][]float64) (sortedNames []string, out [][][]float64) {
	out = make([][][]float64, len(chains))
	for _, pattern := range l {
		variable, axes, category := l.split(pattern)
		axis := slices.IndexFunc(axes, func(a string) bool { return a != "*" })
		if axis < 0 || category {
			continue
		}
		elements := l.elements(names, variable, axes, axis)
		if elements == nil {
			continue
		}
		of := variable
		if len(axes) > 1 {
			of = "|" + of + "|"
		}
		for k := range elements {
			sortedNames = append(sortedNames, ElementLabel("sorted("+of+")", k))
		}
		for c, columns := range chains {
			out[c] = append(out[c], sortDraws(columns, elements)...)
		}
	}
	return sortedNames, out
}

// elements returns for each element of an axis, which is written K(3), the positions of its columns; nil if these are not equally
// many.
func (Labels) elements(names []string, variable string, axes []string, axis int) [][]int {
	_, size, _ := strings.Cut(strings.TrimSuffix(axes[axis], ")"), "(")
	n, err := strconv.Atoi(size)
	if err != nil || n < 2 || n > len(names) {
		return nil
	}
	out := make([][]int, n)
	for at, name := range names {
		v, ix := splitColumn(name)
		if v != variable || len(ix) != len(axes) {
			continue
		}
		k, err := strconv.Atoi(ix[axis])
		if err != nil || k < 1 || k > n {
			return nil
		}
		out[k-1] = append(out[k-1], at)
	}
	if slices.ContainsFunc(out, func(e []int) bool { return len(e) == 0 || len(e) != len(out[0]) }) {
		return nil
	}
	return out
}

// sortDraws returns the sorted numbers of the elements, each a column over draws.
func sortDraws(columns [][]float64, elements [][]int) [][]float64 {
	out := make([][]float64, len(elements))
	draws := len(columns[elements[0][0]])
	for k := range out {
		out[k] = make([]float64, draws)
	}
	row := make([]float64, len(elements))
	for i := range draws {
		for k, at := range elements {
			if row[k] = columns[at[0]][i]; len(at) > 1 {
				var squares float64
				for _, a := range at {
					squares += columns[a][i] * columns[a][i]
				}
				row[k] = math.Sqrt(squares)
			}
		}
		slices.Sort(row)
		for k := range out {
			out[k][i] = row[k]
		}
	}
	return out
}

// SummariseLabelled is [Summarise] for draws of which some columns are numbered arbitrarily. Where the chains disagree on such
// columns it adds rows of their sorted values, on which label switching has no influence.
func SummariseLabelled(names []string, chains [][][]float64, labels Labels) ([]Row, error) {
	rows, err := Summarise(names, chains)
	if err != nil || len(labels) == 0 {
		return rows, err
	}
	for i := range rows {
		rows[i].Labelled = labels.has(rows[i].Name)
	}
	if numbered, _ := splitLabelled(rows); !disagree(numbered) {
		return rows, nil
	}
	more, err := Summarise(labels.sorted(names, chains))
	for i := range more {
		more[i].Sorted = true
	}
	return append(rows, more...), err
}
