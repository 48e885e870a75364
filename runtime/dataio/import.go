// This file holds Import: data files to a store.

package dataio

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Import reads files as [Load] does, and writes what they hold to a store, a file that Load maps into memory. Elements that do not fit
// into memory lie in temporary files beside the store meanwhile, which have no names: what it takes of memory depends on the number of
// columns, of lists and of different names, and not on that of elements.
//
// With a schema everything is stored as that model's sampler holds it. Without one (nil) it is stored as the files have it: for each column of a
// table and each key an array, numbers as float64, booleans as bool, strings as categories; columns called X.1, X.2, ... or named by
// Options.Columns as one matrix; a bag of words (UCI, LDA-C) as such. When ctx ends, so does Import, and leaves nothing behind.
func Import(ctx context.Context, schema *Schema, paths []string, opts Options, store string) (notes []Note, err error) {
	ld := &loader{
		open: openFile,
		glob: filepath.Glob,
		max:  maxLine,
		room: &room{dir: filepath.Dir(store), least: roomLeast},
		bare: schema == nil,
		ctx:  ctx,
	}
	defer ld.room.close()
	if err := replaceable(store); err != nil {
		return nil, err
	}
	err = guarded(func() error {
		arrays, err := ld.importFiles(schema, paths, opts)
		if err != nil {
			return err
		}
		return writeStore(ctx, store, arrays)
	})
	return ld.notes, err
}

func (ld *loader) importFiles(schema *Schema, paths []string, opts Options) ([]stored, error) {
	if schema != nil {
		set, _, err := ld.load(*schema, paths, opts)
		if err != nil {
			return nil, err
		}
		return ld.storeSet(set), nil
	}
	if len(opts.Standardise)+len(opts.Transform) > 0 {
		return nil, errors.New("without a spec nothing is transformed: the files are stored as they are")
	}
	if err := ld.begin(Schema{}, opts); err != nil {
		return nil, err
	}
	ld.readFiles(paths)
	for _, name := range ld.setNames {
		ld.keep(ld.setRaws[name])
	}
	for _, name := range slices.Sorted(maps.Keys(ld.columns)) {
		if ld.raws[name] == nil && !ld.broken {
			ld.add(Problem{Name: name, Text: "is in none of the files", Hint: "it was to take " + list(ld.columns[name]) + ", which no file has"})
		}
	}
	arrays := ld.storeRaws()
	return arrays, ld.err()
}

// storeSet lists what a model reads.
func (ld *loader) storeSet(set *Set) []stored {
	var out []stored
	named := map[string]bool{} // plates whose names are with an array already
	for _, f := range ld.schema.Fields {
		v := set.Values[f.Name]
		if v == nil {
			continue
		}
		a := stored{StoreArray: StoreArray{Name: f.Name, Type: storeType(f.Kind), Shape: []int{}}, value: *v}
		count := 1
		for _, d := range f.Dims {
			lens, ragged := set.Ragged[d]
			if !ragged {
				a.Shape = append(a.Shape, set.Sizes[d])
				count *= set.Sizes[d]
				continue
			}
			a.Shape = append(a.Shape, -1)
			if len(lens) > 0 {
				lens = slices.Repeat(lens, count/len(lens))
			}
			a.lens = append(a.lens, lens)
			count = 0
			for _, n := range lens {
				count += n
			}
		}
		if last := len(f.Dims) - 1; last > 0 && !f.Const && set.Levels[f.Dims[last]] != nil { // as a table's header, which grows with an intercept
			a.Columns, named[f.Dims[last]] = set.Levels[f.Dims[last]], true
		}
		if f.Kind == Category {
			a.Levels, a.Declared = set.Levels[f.Of], set.Levels[f.Of] != nil
			if named[f.Of] = true; !a.Declared && len(ld.claims[f.Of]) > 0 {
				a.Size = set.Sizes[f.Of]
			}
			a.Bag = ld.isBag(&f)
		}
		out = append(out, a)
	}
	for _, p := range ld.schema.Plates {
		if names := set.Levels[p.Name]; names != nil && !named[p.Name] {
			out = append(out, stored{StoreArray: StoreArray{Name: p.Name + "_levels", Type: "names", Shape: []int{len(names)}, Levels: names}})
		}
		// A size that the spec says is its business, and one that the data show is in their shapes.
		if slices.ContainsFunc(ld.claims[p.Name], func(c claim) bool { return c.stated || c.set }) {
			out = append(out, stored{StoreArray: StoreArray{Name: p.Name, Type: "int64", Shape: []int{}}, value: Value{Int: []int{set.Sizes[p.Name]}}})
		}
	}
	return out
}

// storeRaws lists what the files have.
func (ld *loader) storeRaws() []stored {
	var out []stored
	for _, r := range ld.kept {
		if r.bad {
			continue
		}
		f := r.field
		a := stored{StoreArray: StoreArray{Name: f.Name, Type: storeType(f.Kind), Shape: []int{}, Columns: r.cols}}
		for _, d := range r.dims {
			if d.lens != nil {
				a.Shape = append(a.Shape, -1)
				a.lens = append(a.lens, d.lens)
			} else {
				a.Shape = append(a.Shape, d.n)
			}
		}
		switch f.Kind {
		case Real:
			a.value.Real = r.num
		case Bool:
			a.value.Bool = r.bools
			if i := slices.IndexFunc(r.num, func(x float64) bool { return x != 0 && x != 1 }); i >= 0 {
				ld.add(Problem{File: r.file, Line: r.line, Name: f.Name, Elem: []int{i + 1}, Text: fmt.Sprintf("is %v among booleans", r.num[i])})
			} else if r.bools == nil {
				a.value.Bool = converted(r.room, r.num, func(x float64) bool { return x != 0 })
			}
		case Int:
			a.value.Int = r.ints
		case Category:
			a.value.Cat, a.Levels = r.code, r.names
			if a.Bag = ld.isBag(f); a.Bag && r.names == nil {
				if a.Size = max(ld.knownSize(f.Of), 0); ld.levels[f.Of] != nil {
					a.Levels, a.Declared = ld.levels[f.Of].names, true
				}
			}
		}
		out = append(out, a)
	}
	return out
}

func storeType(k Kind) string {
	return map[Kind]string{Real: "float64", Int: "int64", Bool: "bool", Category: "category"}[k]
}

// discover returns the field that a key stands for where there is no model: one of its own, or what Options.Columns calls it.
func (ld *loader) discover(key string) *Field {
	for name, cols := range ld.columns {
		if len(cols) == 1 && cols[0] == key {
			key = name
			break
		}
	}
	if ld.fields[key] == nil {
		ld.fields[key] = &Field{Name: key}
	}
	return ld.fields[key]
}

// discoverBag returns the field of a bag of words where there is no model.
func (ld *loader) discoverBag() *Field {
	f := ld.discover("x")
	*f = Field{Name: f.Name, Kind: Category, Of: "vocab", Dims: []string{"docs", "words"}}
	for _, p := range []Plate{{Name: "docs"}, {Name: "words", Parent: "docs"}, {Name: "vocab", Size: -1}} {
		ld.plates[p.Name] = &p
	}
	return f
}

// kindOf is the kind of a field of which only the elements are known.
func kindOf(k jsonKind) Kind {
	switch k {
	case jsonString:
		return Category
	case jsonBool:
		return Bool
	}
	return Real
}

// discoverTable finds out, where there is no model, what a table holds: a field for each column, one for columns that are numbered, X.1, X.2, ...,
// or that Options.Columns puts together. That takes a reading of the whole table, since a column is of numbers only if every cell is one. It
// says whether the reading went well.
func (ld *loader) discoverTable(src source, header []string) bool {
	path := src.path
	if src.onceOnly() {
		ld.fatal(path, 0, "can be read once only, and without a spec a table is read twice", "write it to a file, or name the spec")
		return false
	}
	kinds, gaps, ok := ld.tableKinds(path, len(header))
	if !ok {
		return false
	}
	ld.plates[tableRows] = &Plate{Name: tableRows}
	kindOfAll := func(cols []int) (kind Kind, gap bool) {
		kind = kinds[cols[0]]
		for _, c := range cols {
			if kinds[c] != kind {
				kind = Category
			}
			gap = gap || gaps[c] > 0
		}
		return kind, gap
	}
	at := map[string]int{}
	for i, h := range header {
		at[h] = i
	}
	taken := make([]bool, len(header))
	add := func(name string, cols []int, rank int) {
		kind, gap := kindOfAll(cols)
		for _, c := range cols {
			taken[c] = true
		}
		if gap {
			var names []string
			for _, c := range cols {
				if gaps[c] > 0 {
					names = append(names, header[c])
				}
			}
			text := fmt.Sprintf("%s has missing values, first in line %d", list(names), gaps[at[names[0]]])
			if ld.columns[name] != nil {
				ld.add(Problem{File: path, Name: name, Text: "cannot be taken: " + text, Hint: "missing data are not supported yet"})
				ld.spoil(ld.discover(name), path)
			} else {
				ld.note(path, "left out: %s", text)
			}
			return
		}
		f := &Field{Name: name, Kind: kind, Of: name, Dims: []string{tableRows}}
		for d := range rank {
			p := &Plate{Name: fmt.Sprintf("(%s, dimension %d)", name, d+2)}
			ld.plates[p.Name] = p
			f.Dims = append(f.Dims, p.Name)
		}
		ld.plates[f.Of] = &Plate{Name: f.Of}
		if !slices.ContainsFunc(ld.schema.Fields, func(f Field) bool { return f.Name == name }) {
			ld.schema.Fields = append(ld.schema.Fields, *f)
		}
		ld.fields[name] = f
	}
	for _, name := range slices.Sorted(maps.Keys(ld.columns)) {
		if cols, missing := find(ld.columns[name], at); len(missing) == 0 {
			rank := 0
			if len(cols) > 1 {
				rank = 1
			}
			add(name, cols, rank)
		}
	}
	numbered := indexedColumns(header)
	for i, h := range header {
		if taken[i] || h == "" {
			continue
		}
		name, idx, ok := splitIndex(h)
		if _, plain := at[name]; ok && !plain && ld.fields[name] == nil {
			if cols, _, err := numbered[name].layout(len(idx)); err == nil && !slices.ContainsFunc(cols, func(c int) bool { return taken[c] }) {
				add(name, cols, len(idx))
				continue
			}
		}
		add(h, []int{i}, 0)
	}
	return true
}

// tableRows is the plate of a table's rows where there is no model. No column is called like it.
const tableRows = "(rows)"

// tableKinds reads a table to find the kinds of its columns, and the first line with a gap of each, or 0.
func (ld *loader) tableKinds(path string, columns int) (kinds []Kind, gaps []int, ok bool) {
	file, err := ld.open(path)
	if err != nil {
		ld.cannot(path, "be opened", err)
		return nil, nil, false
	}
	defer file.Close()
	src := ld.sourceOf(path, file)
	if head, _ := src.r.Peek(len(byteOrderMark)); string(head) == byteOrderMark {
		src.r.Discard(len(byteOrderMark))
	}
	cr, guard := newTable(src, ld.max)
	numbers, booleans := make([]bool, columns), make([]bool, columns)
	number1, label1 := make([]int, columns), make([]int, columns) // first gaps, if it is of numbers and if it is of text
	for i := range columns {
		numbers[i], booleans[i] = true, true
	}
	for row := 0; ; row++ {
		rec, err := cr.Read()
		if err != nil && !errors.Is(err, csv.ErrFieldCount) {
			break // the end, or what the second reading reports
		}
		guard.reset()
		if row == 0 || err != nil {
			continue
		}
		line, _ := cr.FieldPos(0)
		for i, s := range rec {
			s = strings.TrimSpace(s)
			if label1[i] == 0 && missingLabel(s) {
				label1[i] = line
			}
			if !numbers[i] && !booleans[i] {
				continue
			}
			_, c := number(s)
			if c == isMissing {
				if number1[i] == 0 {
					number1[i] = line
				}
				continue
			}
			if _, b := boolean(s); !b {
				booleans[i] = false
			}
			if c == isText {
				numbers[i] = false
			}
		}
	}
	kinds, gaps = make([]Kind, columns), make([]int, columns)
	for i := range kinds {
		switch {
		case numbers[i]:
			kinds[i], gaps[i] = Real, number1[i]
		case booleans[i]:
			kinds[i], gaps[i] = Bool, number1[i]
		default:
			kinds[i], gaps[i] = Category, label1[i]
		}
	}
	return kinds, gaps, true
}
