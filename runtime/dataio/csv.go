// This file reads tables: CSV and TSV with a header.

package dataio

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A take is what a field takes of a table: each row gives it one element per column.
type take struct {
	r      *raw
	cols   []int // in row-major order of the field's dimensions after the first
	dims   []int // sizes of those dimensions
	auto   bool  // whatever columns are numeric
	levels bool  // the column names the elements of the rows' plate: r.field is made up
}

func readCSV(ld *loader, src source) {
	cr, guard := newTable(src, ld.max)
	rec, err := cr.Read()
	if err != nil {
		ld.csvError(src.path, 0, guard.max, err)
		return
	}
	guard.reset()
	header := make([]string, len(rec))
	for i, h := range rec {
		header[i] = strings.TrimSpace(strings.Clone(h))
	}
	if !ld.checkHeader(src.path, header) {
		return
	}
	if ld.bare && !ld.discoverTable(src, header) {
		return
	}
	takes := ld.plan(src.path, header)
	rows, last, ok, settled := 0, lastLine(cr, rec), true, false
	for {
		rec, err := cr.Read()
		if err == io.EOF {
			break
		}
		if err != nil && !errors.Is(err, csv.ErrFieldCount) {
			ld.csvError(src.path, last, guard.max, err)
			return
		}
		guard.reset()
		line, _ := cr.FieldPos(0)
		before := last
		last = lastLine(cr, rec)
		if err != nil {
			ok = false
			ld.add(Problem{File: src.path, Line: line, Name: "row", Elem: []int{rows + 1},
				Text: fmt.Sprintf("has %d cells, the header has %d", len(rec), len(header))})
			rows++
			continue
		}
		if len(header) == 1 && line != before+1 {
			ok = false
			ld.add(Problem{File: src.path, Line: before + 1, Text: "is a blank line: is a value missing?", Hint: "missing data are not supported yet"})
		}
		if !settled {
			takes, settled = ld.settleAuto(src.path, header, rec, takes), true
		}
		for i := range takes {
			t := &takes[i]
			t.r.rows.add(rows, line)
			for k, c := range t.cols {
				ld.cell(t, rows, k, line, strings.TrimSpace(rec[c]))
			}
		}
		rows++
	}
	if rows == 0 {
		ld.fatal(src.path, 1, "has a header but no rows", "")
		return
	}
	for i := range takes {
		t := &takes[i]
		if !ok {
			t.r.bad = true
		}
		ld.finish(t, rows)
	}
}

// newTable returns a reader of a table, and what bounds its rows.
func newTable(src source, longest int) (*csv.Reader, *recordGuard) {
	guard := &recordGuard{r: src.r, max: longest, left: longest}
	cr := csv.NewReader(guard)
	cr.ReuseRecord = true
	cr.TrimLeadingSpace = true
	if isTabbed(src) {
		cr.Comma, cr.TrimLeadingSpace = '\t', false // white space would be cells
	}
	return cr, guard
}

// isTabbed says whether tabs part the cells.
func isTabbed(src source) bool {
	head, _ := src.r.Peek(4096)
	first, _, _ := bytes.Cut(head, []byte("\n"))
	return extension(src.path) == ".tsv" || !bytes.Contains(first, []byte(",")) && bytes.Contains(first, []byte("\t"))
}

// lastLine is the line on which the record just read ends.
func lastLine(cr *csv.Reader, rec []string) int {
	line, _ := cr.FieldPos(len(rec) - 1)
	return line + strings.Count(rec[len(rec)-1], "\n")
}

// csvError reports what ends the reading of a table after the given line.
func (ld *loader) csvError(path string, last, limit int, err error) {
	var pe *csv.ParseError
	switch {
	case errors.Is(err, errLong):
		ld.fatal(path, last+1, longLine(limit), "a quote that is not closed?")
	case err == io.EOF:
		ld.fatal(path, 0, "is empty", "")
	case errors.As(err, &pe):
		hint := ""
		if pe.StartLine != pe.Line {
			hint = fmt.Sprintf("the row begins in line %d", pe.StartLine)
		}
		ld.fatal(path, pe.Line, fmt.Sprintf("column %d: %v", pe.Column, pe.Err), hint)
	default:
		ld.cannot(path, "be read", err)
	}
}

// checkHeader refuses headers that are none, and names that are there twice.
func (ld *loader) checkHeader(path string, header []string) bool {
	numbers := true
	for _, h := range header {
		if _, c := number(h); c != isNumber {
			numbers = false
		}
	}
	if numbers {
		ld.fatal(path, 1, "has numbers where the names of the columns should be", "the first line is the header")
		return false
	}
	if len(header) == 1 && strings.Contains(header[0], ";") {
		ld.fatal(path, 1, "is separated by semicolons", "save it with commas, and points in numbers")
		return false
	}
	ok := true
	first := map[string]int{}
	for i, h := range header {
		j, twice := first[h]
		if twice && h != "" {
			ld.fatal(path, 1, fmt.Sprintf("columns %d and %d are both called %s", j+1, i+1, quote(h)), "")
			ok = false
		}
		first[h] = i
	}
	return ok
}

// plan says which field takes which columns; doc.go has the rules.
func (ld *loader) plan(path string, header []string) []take {
	col := make(map[string]int, len(header))
	for i, h := range header {
		col[h] = i
	}
	indexed := indexedColumns(header)
	claimed := make([]bool, len(header))
	var takes []take
	add := func(f *Field, cols, dims []int, auto bool) {
		r := &raw{field: f, file: path, line: 1, cells: true, room: ld.room}
		for _, c := range cols {
			claimed[c] = true
		}
		takes = append(takes, take{r: r, cols: cols, dims: dims, auto: auto})
	}
	fail := func(f *Field, text, hint string) {
		ld.add(Problem{File: path, Line: 1, Name: f.Name, Text: text, Hint: hint})
		ld.spoil(f, path)
	}
	stem := stem(path)
	var matrices []*Field // that may take what is left
	for i := range ld.schema.Fields {
		f := &ld.schema.Fields[i]
		ragged := slices.ContainsFunc(f.Dims, func(d string) bool { return ld.plates[d].Parent != "" })
		if want := ld.columns[f.Name]; want != nil {
			cols, missing := find(want, col)
			switch {
			case len(missing) == len(want): // in another file, perhaps
			case len(missing) > 0:
				fail(f, "was to take columns that are not there: "+list(missing), didYouMean(missing[0], header))
			case ragged || len(f.Dims) > 2 || len(f.Dims) < 2 && len(cols) > 1:
				fail(f, fmt.Sprintf("can't take %d named columns: it is %s", len(cols), wanted(f)), "")
			case len(f.Dims) == 2:
				add(f, cols, []int{len(cols)}, false)
				takes[len(takes)-1].r.cols = want
			default:
				add(f, cols, nil, false)
			}
			continue
		}
		c, named := col[f.Name]
		switch {
		case named && ragged:
			fail(f, "is ragged: it can't come from a table", "as JSON it is a list of lists")
		case named && len(f.Dims) > 2:
			fail(f, "is "+wanted(f)+", not one column", "its columns are "+f.Name+".1.1, "+f.Name+".2.1, ...")
		case named && len(f.Dims) == 2:
			add(f, []int{c}, []int{1}, false)
		case named:
			add(f, []int{c}, nil, false)
		case ragged || len(f.Dims) < 2:
		case indexed[f.Name] != nil:
			cols, dims, err := indexed[f.Name].layout(len(f.Dims) - 1)
			if err != nil {
				fail(f, err.Error(), "")
				break
			}
			add(f, cols, dims, false)
		case len(f.Dims) == 2 && (stem == f.Name || !f.Const && ld.raws[f.Name] == nil) && (f.Kind == Real || f.Kind == Int):
			matrices = append(matrices, f)
		}
	}
	ld.planLevels(path, header, claimed, &takes)
	var left []int
	for i, h := range header {
		if !claimed[i] && h != "" {
			left = append(left, i)
		}
	}
	if i := slices.IndexFunc(matrices, func(f *Field) bool { return f.Name == stem }); i >= 0 {
		matrices = matrices[i : i+1]
	}
	switch {
	case len(left) == 0:
	case len(matrices) == 1:
		add(matrices[0], left, nil, true)
	case len(matrices) > 1:
		var names []string
		for _, f := range matrices {
			names = append(names, f.Name)
		}
		ld.note(path, "the columns could belong to any of %s: name them %[2]s.1, %[2]s.2, ..., or the file %[2]s.csv, or say which by --columns", list(names), names[0])
	}
	var unused []string
	for i, h := range header {
		if !claimed[i] {
			unused = append(unused, h)
		}
	}
	ld.leave(path, unused)
	return takes
}

// leave notes columns that nothing takes.
func (ld *loader) leave(path string, unused []string) {
	if len(unused) > 0 {
		ld.unused = append(ld.unused, unused...)
		ld.note(path, "not used: %s", list(unused))
	}
}

// planLevels finds the column that names the elements of the rows' plate.
func (ld *loader) planLevels(path string, header []string, claimed []bool, takes *[]take) {
	plate := ""
	for _, t := range *takes {
		if f := t.r.field; len(f.Dims) > 0 {
			if plate != "" && plate != f.Dims[0] {
				return
			}
			plate = f.Dims[0]
		}
	}
	if plate == "" {
		return
	}
	for i, h := range header {
		if !claimed[i] && (h == plate || h == plate+"_levels") {
			claimed[i] = true
			r := &raw{field: &Field{Name: h, Kind: Category, Of: plate, Dims: []string{plate}}, file: path, line: 1, cells: true, room: ld.room}
			*takes = append(*takes, take{r: r, cols: []int{i}, levels: true})
			return
		}
	}
}

// settleAuto drops, at the first row, the columns of text from a matrix that takes all numeric ones, and says what it took.
func (ld *loader) settleAuto(path string, header, rec []string, takes []take) []take {
	for i := range takes {
		t := &takes[i]
		if !t.auto {
			continue
		}
		var cols []int
		var unused []string
		for _, c := range t.cols {
			if _, class := number(strings.TrimSpace(rec[c])); class == isText {
				unused = append(unused, header[c])
				continue
			}
			cols = append(cols, c)
			t.r.cols = append(t.r.cols, header[c])
		}
		ld.leave(path, unused)
		if len(cols) == 0 {
			return slices.Delete(takes, i, i+1)
		}
		t.cols, t.dims = cols, []int{len(cols)}
		ld.note(path, "%s takes %d numeric columns: %s", t.r.field.Name, len(cols), list(t.r.cols))
	}
	return takes
}

// cell reads one cell.
func (ld *loader) cell(t *take, row, k, line int, s string) {
	r := t.r
	if r.field.Kind == Category {
		r.text(s)
		return
	}
	x, c := number(s)
	if c == isText && r.field.Kind == Bool {
		if b, ok := boolean(s); ok {
			x, c = b, isNumber
		}
	}
	if c != isNumber {
		r.bad = true
		text, hint := refusal(s, c, r.field.Kind)
		elem := []int{row + 1}
		if len(t.dims) > 0 {
			elem = append(elem, unflatten(k, t.dims)...)
			if r.cols != nil {
				text = "(" + r.cols[k] + ") " + text
			}
		}
		ld.add(Problem{File: r.file, Line: line, Name: r.field.Name, Elem: elem, Text: text, Hint: hint})
	}
	r.num = push(r.room, r.num, x)
}

// finish hands a field over, with its shape.
func (ld *loader) finish(t *take, rows int) {
	r := t.r
	if t.levels {
		l := &levels{who: r.field.Name, file: r.file, line: 1}
		for _, k := range r.code {
			l.names = append(l.names, r.names[k])
		}
		ld.declare(r.field.Of, l)
		ld.size(r.field.Of, claim{n: len(l.names), who: fmt.Sprintf("%s has %d", l.who, len(l.names)), file: r.file, line: 1})
		return
	}
	if len(r.field.Dims) > 0 || rows > 1 { // a scalar in a table of one row is a scalar
		r.dims = append(r.dims, dim{n: rows})
	}
	for _, n := range t.dims {
		r.dims = append(r.dims, dim{n: n})
	}
	ld.keep(r)
}

// find looks columns up, and returns the names that are not there.
func find(want []string, col map[string]int) (cols []int, missing []string) {
	for _, w := range want {
		if c, ok := col[w]; ok {
			cols = append(cols, c)
		} else {
			missing = append(missing, w)
		}
	}
	return cols, missing
}

// An indexedName is a name with its columns X.1, X.2, ...
type indexedName struct {
	name string
	cols []int
	at   [][]int // index of each, from 1
}

// indexedColumns finds names of the form X.1.2 and X[1,2].
func indexedColumns(header []string) map[string]*indexedName {
	out := map[string]*indexedName{}
	for c, h := range header {
		name, idx, ok := splitIndex(h)
		if !ok {
			continue
		}
		if out[name] == nil {
			out[name] = &indexedName{name: name}
		}
		out[name].cols = append(out[name].cols, c)
		out[name].at = append(out[name].at, idx)
	}
	return out
}

func splitIndex(h string) (name string, idx []int, ok bool) {
	var parts []string
	if i := strings.IndexByte(h, '['); i > 0 && strings.HasSuffix(h, "]") {
		name, parts = h[:i], strings.Split(h[i+1:len(h)-1], ",")
	} else {
		parts = strings.Split(h, ".")
		i := len(parts)
		for i > 1 && isIndex(parts[i-1]) {
			i--
		}
		name, parts = strings.Join(parts[:i], "."), parts[i:]
	}
	for _, p := range parts {
		n, err := strconv.Atoi(strings.TrimSpace(p))
		if err != nil || n < 1 {
			return "", nil, false
		}
		idx = append(idx, n)
	}
	return name, idx, name != "" && len(idx) > 0
}

func isIndex(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 1
}

// layout puts the columns in row-major order and returns the sizes of the dimensions. There must be a column for each element.
func (x *indexedName) layout(rank int) (cols, dims []int, err error) {
	dims = make([]int, rank)
	for _, at := range x.at {
		if len(at) != rank {
			return nil, nil, fmt.Errorf("has columns with %d indices, but needs %d after the row", len(at), rank)
		}
		for d, i := range at {
			dims[d] = max(dims[d], i)
		}
	}
	n := 1
	for _, d := range dims { // all are at least 1, and n stays below their number squared
		if d > len(x.cols) {
			n = d
			break
		}
		if n *= d; n > len(x.cols) {
			break
		}
	}
	cols = slices.Repeat([]int{-1}, len(x.cols))
	if n == len(x.cols) {
		for c, at := range x.at {
			flat := 0
			for d, i := range at {
				flat = flat*dims[d] + i - 1
			}
			cols[flat] = x.cols[c]
		}
	}
	if slices.Contains(cols, -1) {
		return nil, nil, fmt.Errorf("has %d columns, not one for each element up to %s%s", len(x.cols), x.name, index(dims))
	}
	return cols, dims, nil
}

// unflatten turns a row-major position into indices from 1.
func unflatten(flat int, dims []int) []int {
	out := make([]int, len(dims))
	for d := len(dims) - 1; d >= 0; d-- {
		out[d] = flat%dims[d] + 1
		flat /= dims[d]
	}
	return out
}
