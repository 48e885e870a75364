// This file says what the keys of a file stand for: fields, and what there is to say about plates.

package dataio

import "strings"

// A role is what a key stands for.
type role int

const (
	noRole      role = iota
	fieldRole        // a field
	sizeRole         // the size of a plate
	lengthsRole      // the lengths of a ragged plate
	levelsRole       // the names of a plate's elements
)

// lookup finds what a key stands for: a field or a plate.
func (ld *loader) lookup(key string) (role, *Field, *Plate) {
	if ld.bare {
		return fieldRole, ld.discover(key), nil
	}
	if f := ld.fields[ld.keyName(key)]; f != nil {
		return fieldRole, f, nil
	}
	if p := ld.plates[key]; p != nil {
		if p.Parent != "" {
			return lengthsRole, nil, p
		}
		return sizeRole, nil, p
	}
	if p := ld.plates[strings.TrimSuffix(strings.TrimSuffix(key, "s"), "_length")]; p != nil && p.Parent != "" {
		return lengthsRole, nil, p
	}
	if p := ld.plates[strings.TrimSuffix(key, "_levels")]; p != nil && p.Parent == "" {
		return levelsRole, nil, p
	}
	return noRole, nil, nil
}

// keyName is the field that a key stands for, by Options.Columns.
func (ld *loader) keyName(key string) string {
	for _, f := range ld.schema.Fields {
		if cols := ld.columns[f.Name]; len(cols) == 1 && cols[0] == key {
			return f.Name
		}
	}
	if cols := ld.columns[key]; len(cols) == 1 {
		return "" // it was told to come from another key
	}
	return key
}

// superfluous reports a key, or a file's name, that stands for nothing.
func (ld *loader) superfluous(key, path string, line int, stem bool) {
	names := ld.fieldNames()
	for _, p := range ld.schema.Plates {
		names = append(names, p.Name)
	}
	hint := didYouMean(key, names)
	if hint == "" {
		hint = "the model reads " + list(names)
	}
	if stem {
		if f := ld.schema.Fields; len(f) > 0 {
			hint += "; call the file after what it holds, or say it: --columns=" + f[0].Name + "=" + key
		}
		ld.add(Problem{File: path, Text: "is called " + quote(key) + ", which is no field or plate of the model", Hint: hint})
		return
	}
	ld.add(Problem{File: path, Line: line, Name: quote(key), Text: "is superfluous: no field or plate of the model", Hint: hint})
}
