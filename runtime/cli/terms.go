// This file puts what a generated package says of its fields, Y[2], into the terms of spec and files: y[2], and whence it came.

package cli

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// fieldAt is a line that begins with a field of a generated struct and perhaps an element of it, counted from 1.
var fieldAt = regexp.MustCompile(`^([A-Z]\w*)(?:\[([\d,]+)\])?`)

// inTerms rewrites the lines of an error. init is the file of initial values, "" if the error is about data and constants. Lines that
// speak of nothing known stay as they are.
func (s *settings) inTerms(err error, set *dataio.Set, init string) error {
	if err == nil {
		return nil
	}
	var out []error
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if s.model.Package != "" {
			line = strings.TrimPrefix(line, s.model.Package+": ")
		}
		place := init
		if m := fieldAt.FindStringSubmatch(line); m != nil {
			if name, dims, ok := s.named(m[1]); ok {
				rest := strings.TrimPrefix(line, m[0])
				if init == "" {
					place = s.origin(name, set)
				}
				line = name + subscript(m[2], dims, set) + rest
			}
		}
		if place != "" {
			line = place + ": " + line
		}
		out = append(out, errors.New(line))
	}
	return errors.Join(out...)
}

// named finds the spec's name of a generated field, and the plates of a variable. Names that differ in case or underscores only
// can't be told apart.
func (s *settings) named(goName string) (name string, dims []string, ok bool) {
	found := 0
	same := func(n string) bool { return strings.EqualFold(strings.ReplaceAll(n, "_", ""), goName) }
	for _, f := range slices.Concat(s.model.Schema.Fields, s.model.Unknowns) {
		if same(f.Name) {
			name, dims = f.Name, f.Dims
			found++
		}
	}
	for _, p := range s.model.Schema.Plates {
		if same(p.Name) {
			name, dims = p.Name, nil
			found++
		}
	}
	return name, dims, found == 1
}

// origin says where a value came from: --set, or the data file if there is only one.
func (s *settings) origin(name string, set *dataio.Set) string {
	if slices.ContainsFunc(s.data.Set, func(set string) bool { return strings.HasPrefix(set, name+"=") }) {
		return "--set"
	}
	given := set != nil && set.Values[name] != nil || // not left to the default
		slices.ContainsFunc(s.model.Schema.Plates, func(p dataio.Plate) bool { return p.Name == name && p.Size < 1 })
	if given && len(s.files) == 1 {
		return s.files[0]
	}
	return ""
}

// subscript writes an element's index. Generated code counts the elements of an array through, row by row; a statistician counts
// along each dimension.
func subscript(at string, dims []string, set *dataio.Set) string {
	if at == "" {
		return ""
	}
	flat, err := strconv.Atoi(at)
	if err != nil || len(dims) < 2 || set == nil {
		return "[" + strings.ReplaceAll(at, ",", ", ") + "]"
	}
	index := make([]string, len(dims))
	flat--
	for i := len(dims) - 1; i >= 0; i-- {
		n := set.Sizes[dims[i]]
		if n < 1 { // ragged
			return fmt.Sprintf("[%s]", at)
		}
		index[i] = strconv.Itoa(flat%n + 1)
		flat /= n
	}
	return "[" + strings.Join(index, ", ") + "]"
}
