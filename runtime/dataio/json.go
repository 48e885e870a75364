// This file reads JSON in CmdStan's form: an object of name -> number, boolean, string or nested arrays.

package dataio

import (
	"fmt"
	"math"
)

func readJSON(ld *loader, src source) {
	s := &jsonScanner{r: src.r, line: 1}
	if err := ld.jsonObject(src, s); err != nil {
		ld.fatal(src.path, s.line, err.Error(), "")
	}
}

// jsonObject reads a file's object. Its error, of syntax or input, ends the file.
func (ld *loader) jsonObject(src source, s *jsonScanner) error {
	if c, err := s.peek(); err != nil {
		return err
	} else if c != '{' {
		return fmt.Errorf("a data file is an object, {\"name\": value, ...}, not %s", quote(string(c)))
	}
	first := map[string]int{} // key -> line
	err := s.object(func(key string) error {
		if line, ok := first[key]; ok {
			ld.add(Problem{File: src.path, Line: s.line, Name: key, Text: fmt.Sprintf("is there twice, first in line %d", line)})
			return s.skip(0)
		}
		first[key] = s.line
		return ld.jsonKey(src.path, key, s)
	})
	if err != nil {
		return err
	}
	return s.end()
}

// jsonKey reads the value of one key, by what the key means.
func (ld *loader) jsonKey(path, key string, s *jsonScanner) error {
	role, f, p := ld.lookup(key)
	switch role {
	case fieldRole:
		r, err := ld.jsonField(f, s, path)
		if err == nil {
			ld.keep(r)
		}
		return err
	case sizeRole:
		return ld.jsonSize(p, s, path)
	case lengthsRole:
		return ld.jsonLengths(p, key, s, path)
	case levelsRole:
		return ld.jsonLevels(p, key, s, path)
	}
	ld.superfluous(key, path, s.line, false)
	return s.skip(0)
}

// jsonField reads the value of a field.
func (ld *loader) jsonField(f *Field, s *jsonScanner, path string) (*raw, error) {
	r := &raw{field: f, file: path, line: s.line, room: ld.room}
	refuse := func(elem []int, text, hint string) {
		r.bad = true
		r.num = push(r.room, r.num, 0)
		line := s.line
		if path == setFlag {
			line = 0
		}
		ld.add(Problem{File: path, Line: line, Name: f.Name, Elem: elem, Text: text, Hint: hint})
	}
	w := walker{s: s, rows: &r.rows}
	w.visit = func(sc scalar, elem []int) {
		if r.bad {
			r.code, r.num = nil, nil // only the problems matter now
		}
		if ld.bare && !r.bad && r.len() == 0 {
			f.Kind, f.Of = kindOf(sc.kind), f.Name
		}
		switch {
		case sc.kind == jsonString && f.Kind == Category:
			if r.num != nil && !r.bad {
				refuse(elem, "is "+quote(sc.text)+" after integers", "all codes, or all names")
				return
			}
			r.text(sc.text)
		case sc.kind == jsonString:
			if _, c := number(sc.text); c == isNumber {
				refuse(elem, "is the string "+quote(sc.text)+", not "+f.Kind.String(), "without quotes, please")
			} else {
				text, hint := refusal(sc.text, c, f.Kind)
				refuse(elem, text, hint)
			}
		case sc.kind == jsonBool && f.Kind != Bool:
			refuse(elem, "is "+sc.text+", not "+f.Kind.String(), "")
		case sc.kind == jsonWord: // null, NaN and their like
			_, c := number(sc.text)
			text, hint := refusal(sc.text, c, f.Kind)
			refuse(elem, text, hint)
		case r.code != nil:
			refuse(elem, fmt.Sprintf("is %v after strings", sc.num), "all codes, or all names")
		default:
			r.num = push(r.room, r.num, sc.num)
		}
	}
	err := w.value()
	r.dims = w.dims
	if err == nil && w.mixed > 0 {
		r.bad = true
		line := w.mixed
		if path == setFlag {
			line = 0
		}
		ld.add(Problem{File: path, Line: line, Name: f.Name, Text: "has lists and elements side by side", Hint: "arrays are nested to one depth"})
	}
	return r, err
}

// jsonInts reads an array, or a number, of non-negative integers, as nested as it may be.
func (ld *loader) jsonInts(key string, s *jsonScanner, path string) (n []int, dims int, ok bool, err error) {
	ok = true
	w := walker{s: s}
	w.visit = func(sc scalar, elem []int) {
		if sc.kind != jsonNumber || sc.num < 0 || sc.num != math.Trunc(sc.num) || sc.num > math.MaxInt32 {
			ok = false
			ld.add(Problem{File: path, Line: s.line, Name: key, Elem: elem, Text: "is " + sc.show() + ", not a size"})
			return
		}
		n = append(n, int(sc.num))
	}
	err = w.value()
	if err == nil && w.mixed > 0 {
		ok = false
		ld.add(Problem{File: path, Line: w.mixed, Name: key, Text: "has lists and elements side by side"})
	}
	return n, len(w.dims), ok, err
}

// jsonSize reads a plate's size.
func (ld *loader) jsonSize(p *Plate, s *jsonScanner, path string) error {
	line := s.line
	n, dims, ok, err := ld.jsonInts(p.Name, s, path)
	switch {
	case err != nil || !ok:
		return err
	case dims > 0:
		ld.add(Problem{File: path, Line: line, Name: p.Name, Text: "is a list, not the size of a plate"})
	default:
		ld.size(p.Name, claim{n: n[0], who: fmt.Sprintf("%s is %d", p.Name, n[0]), file: path, line: line, stated: true})
	}
	return nil
}

// jsonLengths reads a ragged plate's lengths.
func (ld *loader) jsonLengths(p *Plate, key string, s *jsonScanner, path string) error {
	line := s.line
	n, dims, ok, err := ld.jsonInts(key, s, path)
	switch {
	case err != nil || !ok:
		ld.doubtful[p.Name] = true
		return err
	case dims == 0:
		ld.doubtful[p.Name] = true
		ld.add(Problem{File: path, Line: line, Name: key, Text: "is a number, not a list of the lengths of " + p.Name + " for each of " + p.Parent})
	default:
		ld.elements += len(n)
		ld.measure(p.Name, &lengths{n: n, who: key, file: path, line: line})
	}
	return nil
}

// jsonLevels reads the names of a plate's elements.
func (ld *loader) jsonLevels(p *Plate, key string, s *jsonScanner, path string) error {
	l := &levels{who: key, file: path, line: s.line}
	ok := true
	w := walker{s: s}
	w.visit = func(sc scalar, elem []int) {
		if sc.kind != jsonString {
			ok = false
			ld.doubtful[p.Name] = true
			ld.add(Problem{File: path, Line: s.line, Name: key, Elem: elem, Text: "is " + sc.show() + ", not a string"})
			return
		}
		l.names = append(l.names, sc.text)
	}
	if err := w.value(); err != nil || !ok {
		return err
	}
	if len(w.dims) != 1 || w.mixed > 0 {
		ld.add(Problem{File: path, Line: l.line, Name: key, Text: "is not a list of strings"})
		return nil
	}
	ld.declare(p.Name, l)
	ld.size(p.Name, claim{n: len(l.names), who: fmt.Sprintf("%s has %d", key, len(l.names)), file: path, line: l.line})
	return nil
}
