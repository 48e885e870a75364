// This file holds Load: files are read into raws and claims, which resolve.go makes a Set of.

package dataio

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Options are what the command line says about the data.
type Options struct {
	// Set holds "name=value": sizes of plates, and constants as JSON (numbers, true, false, arrays) or the bare name of
	// a category. They go before what files say of them.
	Set []string

	// Standardise names real data vectors and matrices whose columns are centred and divided by their standard
	// deviation (n - 1). It is the same as Transform's "standardise:name", and comes before it.
	Standardise []string

	// Transform holds "fn:name", done in order to data of numbers as they were read. The functions, column by column:
	//
	//	standardise  centre, and divide by the standard deviation (n - 1)
	//	unit         centre, and divide by the Euclidean norm
	//	center       subtract the mean
	//	scale        divide by the standard deviation (n - 1), without centring
	//	intercept    prepend a column of ones to a matrix
	//	binarise     above its median: true, for a Bool field
	Transform []string

	// Columns holds "field=column" or "matrix=column,column,...": where a field is found in CSV files whose headers are not the
	// model's names. With one name it holds for keys too, and for the names of files of one value.
	Columns []string

	// Vocab is a file with one word a line: the levels of the plate that a bag of words is made of.
	Vocab string

	// MaxTokens bounds the tokens of a bag of words; 0 means a million and 64 per byte of the file, so that a wrong
	// count can't fill the memory.
	MaxTokens int
}

// Load reads what the schema asks for from the files ("-" is standard input), of any of the formats, in any order; each field may
// come from one file only. Its error joins all problems found, most of them of type [*Problem]. The
// notes are worth showing even then.
func Load(schema Schema, paths []string, opts Options) (*Set, []Note, error) {
	ld := &loader{
		open: openFile,
		glob: filepath.Glob,
		max:  maxLine,
	}
	return ld.load(schema, paths, opts)
}

// openFile opens a file, or standard input.
func openFile(path string) (io.ReadCloser, error) {
	if path == "-" {
		return os.Stdin, nil
	}
	return os.Open(path)
}

// A loader gathers what the files say.
type loader struct {
	open func(path string) (io.ReadCloser, error)
	glob func(pattern string) ([]string, error)
	max  int // longest line
	room *room
	ctx  context.Context // of an import
	bare bool            // there is no model: the fields are what the files have

	schema Schema
	opts   Options
	fields map[string]*Field
	plates map[string]*Plate

	columns  map[string][]string // field -> its columns, by Options.Columns
	setRaws  map[string]*raw     // constants by Options.Set
	setNames []string            // of these, in order, where there is no model
	raws     map[string]*raw
	kept     []*raw             // these, in order
	claims   map[string][]claim // sizes of plates
	lengths  map[string]*lengths
	levels   map[string]*levels

	doubtful map[string]bool // plates of which something was misread: don't report what follows from it
	elements int             // read from files: broadcasting must be in proportion
	unused   []string        // columns that nothing took
	broken   bool            // a file could not be read to its end: don't report what is missing
	notes    []Note
	report
}

// A claim says what size a plate has.
type claim struct {
	n      int
	who    string // "X has 442 rows"
	file   string
	line   int
	stated bool // by a number in a file: --set goes before it
	set    bool // by --set
}

// lengths are the lengths of a ragged plate, one per element of its parent.
type lengths struct {
	n    []int
	who  string
	file string
	line int
}

// levels are the names of a plate's elements.
type levels struct {
	names    []string
	index    map[string]int32
	who      string
	file     string
	line     int
	inferred bool // from strings in order of first appearance
	columns  bool // headers of a matrix
	weak     bool // headers of a constant's file: they need not agree
}

// A source is one open file.
type source struct {
	path string
	file io.ReadCloser
	r    *bufio.Reader
	read *int64 // bytes so far
}

// A counter counts the bytes that pass.
type counter struct {
	r   io.Reader
	n   int64
	ctx context.Context
}

func (c *counter) Read(p []byte) (int, error) {
	if c.ctx != nil && c.ctx.Err() != nil {
		return 0, c.ctx.Err()
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

const setFlag = "--set" // the "file" of what the command line says

func (ld *loader) load(schema Schema, paths []string, opts Options) (*Set, []Note, error) {
	if err := ld.begin(schema, opts); err != nil {
		return nil, nil, err
	}
	ld.readFiles(paths)
	set := ld.resolve()
	if err := ld.err(); err != nil {
		return nil, ld.notes, err
	}
	return set, ld.notes, nil
}

// begin takes what the command line says.
func (ld *loader) begin(schema Schema, opts Options) error {
	if err := schema.check(); err != nil {
		return err
	}
	ld.schema, ld.opts = schema, opts
	ld.fields, ld.plates = map[string]*Field{}, map[string]*Plate{}
	ld.setRaws, ld.raws = map[string]*raw{}, map[string]*raw{}
	ld.claims, ld.lengths, ld.levels = map[string][]claim{}, map[string]*lengths{}, map[string]*levels{}
	ld.doubtful = map[string]bool{}
	for i := range ld.schema.Fields {
		ld.fields[schema.Fields[i].Name] = &ld.schema.Fields[i]
	}
	for i := range ld.schema.Plates {
		ld.plates[schema.Plates[i].Name] = &ld.schema.Plates[i]
	}
	ld.parseColumns()
	ld.parseSets()
	if opts.Vocab != "" {
		if f := ld.bagField(opts.Vocab); f != nil {
			ld.vocabulary(f, []string{opts.Vocab}, true)
		}
	}
	return nil
}

// readFiles reads the files, formats in turn.
func (ld *loader) readFiles(paths []string) {
	type opened struct {
		src  source
		file io.Closer
		fm   *format
	}
	var files []opened
	for i, path := range paths {
		if slices.Contains(paths[:i], path) {
			ld.add(Problem{File: path, Text: "is given twice"})
			continue
		}
		file, err := ld.open(path)
		if err != nil {
			ld.cannot(path, "be opened", err)
			continue
		}
		src := ld.sourceOf(path, file)
		fm := ld.detect(src)
		if fm == nil {
			file.Close()
			continue
		}
		files = append(files, opened{src, file, fm})
	}
	slices.SortStableFunc(files, func(a, b opened) int { return a.fm.turn - b.fm.turn })
	for _, f := range files {
		f.fm.read(ld, f.src)
		f.file.Close()
	}
}

// sourceOf makes a source of an open file.
func (ld *loader) sourceOf(path string, file io.ReadCloser) source {
	count := &counter{r: file, ctx: ld.ctx}
	return source{path: path, file: file, r: bufio.NewReaderSize(count, 64<<10), read: &count.n}
}

const byteOrderMark = "\xef\xbb\xbf"

// detect looks at the first bytes, drops a byte order mark, and finds the format; nil if there is none.
func (ld *loader) detect(src source) *format {
	head, err := src.r.Peek(4096)
	if err != nil && err != io.EOF {
		ld.cannot(src.path, "be read", err)
		return nil
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		ld.fatal(src.path, 0, "is compressed", "gunzip it first")
		return nil
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		ld.fatal(src.path, 0, "is UTF-16", "save it as UTF-8")
		return nil
	}
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		src.r.Discard(len(byteOrderMark))
		head = head[len(byteOrderMark):]
	}
	if blank(head) && len(head) < 4096-3 {
		ld.fatal(src.path, 0, "is empty", "")
		return nil
	}
	i := slices.IndexFunc(formats, func(f format) bool { return f.match(src.path, head) })
	switch {
	case bytes.IndexByte(head, 0) >= 0 && (i < 0 || !formats[i].binary):
		binary := formatNames(func(f format) bool { return f.binary })
		ld.fatal(src.path, 0, "is not text", "of the formats known here only "+list(binary)+" are not")
		return nil
	case i >= 0:
		return &formats[i]
	}
	ld.fatal(src.path, 0, "is of no format known here", "they are "+knownFormats())
	return nil
}

// fatal reports what makes the rest of a file useless.
func (ld *loader) fatal(file string, line int, text, hint string) {
	ld.broken = true
	ld.add(Problem{File: file, Line: line, Text: text, Hint: hint})
}

// cannot reports a failure of the operating system.
func (ld *loader) cannot(path, do string, err error) {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		err = e.Err
	}
	ld.fatal(path, 0, fmt.Sprintf("cannot %s: %v", do, err), "")
}

func (ld *loader) note(file, text string, args ...any) {
	ld.notes = append(ld.notes, Note{file, fmt.Sprintf(text, args...)})
}

// keep takes a field from a reader.
func (ld *loader) keep(r *raw) {
	name := r.field.Name
	if old := ld.raws[name]; old != nil {
		hint := "each field may come from one file only"
		if r.file != old.file {
			hint += "; give the column another name, or leave a file out"
		}
		ld.add(Problem{File: r.file, Line: r.line, Name: name, Text: "was already read from " + old.file, Hint: hint})
		return
	}
	ld.raws[name] = r
	ld.kept = append(ld.kept, r)
	ld.elements += r.len()
}

// spoil marks a field as misread, so that it isn't reported as missing.
func (ld *loader) spoil(f *Field, path string) {
	if ld.raws[f.Name] == nil {
		ld.raws[f.Name] = &raw{field: f, file: path, bad: true}
	}
}

// size takes a claim to a plate's size.
func (ld *loader) size(plate string, c claim) { ld.claims[plate] = append(ld.claims[plate], c) }

// knownSize is the size of a plate as far as it is known while files are read; -1 if it isn't.
func (ld *loader) knownSize(plate string) int {
	if l := ld.levels[plate]; l != nil {
		return len(l.names)
	}
	n := -1
	for _, c := range ld.claims[plate] {
		if n = c.n; c.set {
			break
		}
	}
	return n
}

// declare takes the names of a plate's elements. They must be distinct, and agree with what was declared before.
func (ld *loader) declare(plate string, l *levels) {
	l.index = make(map[string]int32, len(l.names))
	for i, name := range l.names {
		if j, ok := l.index[name]; ok {
			ld.add(Problem{File: l.file, Line: l.line, Name: l.who, Elem: []int{i + 1},
				Text: fmt.Sprintf("is %s, like %s", quote(name), l.who+index([]int{int(j) + 1})), Hint: "levels are distinct"})
			ld.doubtful[plate] = true
			return
		}
		l.index[name] = int32(i)
	}
	old := ld.levels[plate]
	if old == nil {
		ld.levels[plate] = l
		return
	}
	if slices.Equal(old.names, l.names) || len(old.names) != len(l.names) { // different sizes are reported as such
		return
	}
	same := true // as sets
	for _, name := range l.names {
		if _, ok := old.index[name]; !ok {
			same = false
		}
	}
	if !same && (l.weak || old.weak) {
		ld.note(l.file, "%s names the elements of %s differently from %s in %s, which is kept", l.who, plate, old.who, old.file)
		if old.weak {
			ld.levels[plate] = l
		}
		return
	}
	for i, name := range l.names {
		if name != old.names[i] {
			ld.add(Problem{File: l.file, Line: l.line, Name: l.who, Text: fmt.Sprintf("calls element %d of %s %s, but %s (%s) calls it %s",
				i+1, plate, quote(name), old.who, old.file, quote(old.names[i]))})
			return
		}
	}
}

// parseColumns reads Options.Columns.
func (ld *loader) parseColumns() {
	ld.columns = map[string][]string{}
	for _, c := range ld.opts.Columns {
		name, cols, ok := strings.Cut(c, "=")
		f := ld.fields[name]
		switch {
		case !ok || cols == "":
			ld.add(Problem{File: "--columns", Text: quote(c) + " is not field=column"})
		case f == nil && !ld.bare:
			ld.add(Problem{File: "--columns", Text: quote(name) + " is no field of the model", Hint: didYouMean(name, ld.fieldNames())})
		case ld.columns[name] != nil:
			ld.add(Problem{File: "--columns", Name: name, Text: "is given twice"})
		default:
			ld.columns[name] = strings.Split(cols, ",")
		}
	}
}

// parseSets reads Options.Set.
func (ld *loader) parseSets() {
	seen := map[string]bool{}
	for _, s := range ld.opts.Set {
		name, value, ok := strings.Cut(s, "=")
		fail := func(text, hint string) { ld.add(Problem{File: setFlag, Name: name, Text: text, Hint: hint}) }
		f, p := ld.fields[name], ld.plates[name]
		switch {
		case !ok || value == "":
			ld.add(Problem{File: setFlag, Text: quote(s) + " is not name=value"})
		case seen[name]:
			fail("is given twice", "")
		case ld.bare:
			r := ld.setConst(ld.discover(name), value)
			ld.setNames = append(ld.setNames, name)
			if len(r.dims) == 0 && len(r.num) == 1 && r.num[0] == math.Trunc(r.num[0]) && r.num[0] >= 1 && r.num[0] <= math.MaxInt32 {
				ld.size(name, claim{n: int(r.num[0]), who: setFlag + " " + s, file: "the command line", set: true})
			}
		case f != nil && f.Const:
			ld.setConst(f, value)
		case f != nil:
			fail("is data", "give it in a file")
		case p != nil && p.Parent != "":
			fail("has a size for each element of "+p.Parent, "it comes from the data")
		case p != nil:
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				fail("is "+quote(value)+", not a size", "it is an integer from 1")
				break
			}
			ld.size(name, claim{n: n, who: setFlag + " " + s, file: "the command line", set: true})
		default:
			names := ld.settable()
			hint := didYouMean(name, names)
			if hint == "" && len(names) > 0 {
				hint = "there are " + list(names)
			}
			ld.add(Problem{File: setFlag, Text: quote(name) + " is no plate or constant of the model", Hint: hint})
		}
		seen[name] = true
	}
}

// setConst reads the value of a constant on the command line.
func (ld *loader) setConst(f *Field, value string) *raw {
	if f.Kind == Category && !strings.ContainsAny(value[:1], "[\"-0123456789") {
		value = strconv.Quote(value)
	}
	s := &jsonScanner{r: bufio.NewReader(strings.NewReader(value)), line: 1}
	r, err := ld.jsonField(f, s, setFlag)
	if err == nil {
		err = s.end()
	}
	if err != nil {
		ld.add(Problem{File: setFlag, Name: f.Name, Text: "is " + quote(value) + ": " + err.Error()})
		r = &raw{field: f, file: setFlag, bad: true}
	}
	r.line, r.rows = 0, nil
	ld.setRaws[f.Name] = r
	return r
}

func (ld *loader) fieldNames() []string {
	var names []string
	for _, f := range ld.schema.Fields {
		names = append(names, f.Name)
	}
	return names
}

// settable returns the names that --set takes.
func (ld *loader) settable() []string {
	var names []string
	for _, p := range ld.schema.Plates {
		if p.Parent == "" {
			names = append(names, p.Name)
		}
	}
	for _, f := range ld.schema.Fields {
		if f.Const {
			names = append(names, f.Name)
		}
	}
	return names
}
