// This file reads data as R's dump writes them for JAGS, name <- value, and as BUGS has them, list(name = value, ...).

package dataio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// An rReader reads one file. In R an array is column by column, in the list of a BUGS file row by row (the manual of WinBUGS,
// "Formatting of data"; ?read.bugsdata of the R package rjags).
type rReader struct {
	*jsonScanner
	ld     *loader
	src    source
	bugs   bool // in list(...)
	at     int  // the line of the last token
	ranged int  // elements of ranges 1:n, which cost the file nothing
}

func readR(ld *loader, src source) {
	p := &rReader{jsonScanner: &jsonScanner{r: src.r, line: 1, hash: true}, ld: ld, src: src}
	if err := p.file(); err != nil {
		ld.fatal(src.path, p.line, err.Error(), "")
	}
}

// file reads assignments, or one list alone.
func (p *rReader) file() error {
	first := map[string]int{} // key -> line
	for {
		c, err := p.peek()
		switch {
		case err == errEnd:
			return nil
		case err != nil:
			return err
		case c == ';':
			p.r.ReadByte()
			continue
		}
		name, quoted, err := p.token()
		if err != nil {
			return err
		}
		if len(first) == 0 && name == "list" && !quoted && p.opens() {
			p.bugs = true
			if err := p.list(first); err != nil {
				return err
			}
			return p.end()
		}
		if c, err = p.peek(); err != nil {
			return err
		}
		p.r.ReadByte()
		if c == '<' {
			if c, err = p.r.ReadByte(); c == '-' {
				c = '='
			}
		}
		if err != nil || c != '=' {
			return fmt.Errorf("expected <- after %s", quote(name))
		}
		if err := p.variable(name, first); err != nil {
			return err
		}
	}
}

// list reads what follows "list(".
func (p *rReader) list(first map[string]int) error {
	for {
		name, _, err := p.token()
		if err == nil {
			err = p.expect('=', quote(name))
		}
		if err == nil {
			err = p.variable(name, first)
		}
		if err != nil {
			return err
		}
		if more, err := p.more(')', "the list"); !more || err != nil {
			return err
		}
	}
}

// variable reads the value of a name, and hands it over.
func (p *rReader) variable(name string, first map[string]int) error {
	a := &array{key: name, loose: true, raw: raw{file: p.src.path, line: p.at, room: p.ld.room}}
	if err := p.value(a); err != nil {
		return err
	}
	if line, ok := first[name]; ok {
		p.ld.add(Problem{File: p.src.path, Line: a.line, Name: name, Text: fmt.Sprintf("is there twice, first in line %d", line)})
		return nil
	}
	first[name] = a.line
	p.ld.take(a)
	return nil
}

// value reads an element, c(...) or structure(...), and its shape: none for a single element.
func (p *rReader) value(a *array) error {
	word, quoted, err := p.token()
	if err != nil {
		return err
	}
	if word == "structure" && !quoted && p.opens() {
		return p.structure(a)
	}
	if err := p.vector(a, word, quoted); err != nil {
		return err
	}
	if a.n != 1 {
		a.shape = []int{a.n}
	}
	return nil
}

// vector reads an element or c(...), which begins with the word.
func (p *rReader) vector(a *array, word string, quoted bool) error {
	if quoted || !p.opens() {
		return p.element(a, word, quoted)
	}
	switch word {
	case "c":
		return p.elements(a)
	case "as.integer": // old dumps have it about c(...)
		word, quoted, err := p.token()
		if err == nil && word == "as.integer" {
			err = errors.New("as.integer of as.integer")
		}
		if err == nil {
			err = p.vector(a, word, quoted)
		}
		if err == nil && slices.ContainsFunc(a.num, func(x float64) bool { return x != math.Trunc(x) }) {
			err = errors.New("as.integer(...) of what is no integer")
		}
		if err == nil {
			err = p.expect(')', "as.integer(...")
		}
		return err
	case "integer", "numeric", "double", "logical", "character": // of length 0
		n, _, err := p.token()
		if err == nil && n != "0" && n != "0L" {
			err = fmt.Errorf("%s(%s): only %[1]s(0) is read, a vector without elements", word, n)
		}
		if err == nil {
			err = p.expect(')', word+"(0")
		}
		return err
	}
	return fmt.Errorf("%s(...) is no value: there are numbers, strings, TRUE, FALSE, c(...) and structure(...)", word)
}

// elements reads what follows "c(".
func (p *rReader) elements(a *array) error {
	if c, err := p.peek(); err != nil || c == ')' {
		p.r.ReadByte()
		return err
	}
	for {
		word, quoted, err := p.token()
		if err != nil {
			return err
		}
		if err := p.element(a, word, quoted); err != nil {
			return err
		}
		if more, err := p.more(')', "c(...)"); !more || err != nil {
			return err
		}
	}
}

// structure reads what follows "structure(": data and their attributes.
func (p *rReader) structure(a *array) error {
	word, quoted, err := p.token()
	named := word == ".Data" && !quoted
	if named && err == nil {
		if err = p.expect('=', ".Data"); err == nil {
			word, quoted, err = p.token()
		}
	}
	if err == nil {
		err = p.vector(a, word, quoted)
	}
	if err != nil {
		return err
	}
	a.shape = []int{a.n}
	for {
		more, err := p.more(')', "structure(...)")
		if err != nil {
			return err
		}
		if !more {
			break
		}
		name, _, err := p.token()
		if err == nil {
			err = p.expect('=', quote(name))
		}
		if err != nil {
			return err
		}
		switch name {
		case ".Dim", "dim": // the second since R 4.0
			if err := p.dim(a); err != nil {
				return err
			}
		case ".Dimnames", "dimnames", ".Names", "names":
			if err := p.skipValue(); err != nil {
				return err
			}
		case ".Label", "levels":
			return fmt.Errorf("%s is a factor: dump as.character(%[1]s), or as.integer(%[1]s)", a.key)
		default:
			return fmt.Errorf("%s has the attribute %s: only .Dim and names are read", a.key, quote(name))
		}
	}
	if p.bugs && !named && len(a.shape) > 1 {
		return fmt.Errorf("%s is row by row if BUGS wrote it, column by column if R did: "+
			"write structure(.Data = ...) as BUGS has it, or %[1]s <- structure(...) as R does", a.key)
	}
	a.byCols = !p.bugs
	return nil
}

// dim reads the value of .Dim.
func (p *rReader) dim(a *array) error {
	d := &array{}
	if err := p.value(d); err != nil {
		return err
	}
	var shape []int
	for _, x := range d.num {
		if d.kind == jsonNumber && x >= 0 && x <= math.MaxInt32 && x == math.Trunc(x) {
			shape = append(shape, int(x))
		}
	}
	if len(shape) != d.n || d.n == 0 || d.n > maxDepth {
		return fmt.Errorf("the .Dim of %s is not sizes, up to %d of them", a.key, maxDepth)
	}
	if n, ok := product(shape); !ok || n != a.n {
		return fmt.Errorf("%s has %s, but its .Dim is %s", a.key, elements(a.n), by(shape))
	}
	a.shape, a.loose = shape, false
	return nil
}

// skipValue passes over the names of an attribute, to the comma or parenthesis after them.
func (p *rReader) skipValue() error {
	for depth := 0; ; {
		c, err := p.peek()
		if err != nil || depth == 0 && (c == ',' || c == ')') {
			return err
		}
		switch c {
		case '"', '\'':
			if _, err := p.rString(); err != nil {
				return err
			}
			continue
		case '(':
			depth++
		case ')':
			depth--
		}
		p.r.ReadByte()
	}
}

// element reads on after the first word of an element, which may be a range.
func (p *rReader) element(a *array, word string, quoted bool) error {
	line := p.at
	if quoted {
		a.add(jsonString, 0, word, line)
		return nil
	}
	switch word {
	case "TRUE":
		a.add(jsonBool, 1, word, line)
		return nil
	case "FALSE":
		a.add(jsonBool, 0, word, line)
		return nil
	case "NA", "NA_integer_", "NA_real_", "NA_character_":
		text, hint := refusal("NA", isMissing, Real)
		a.miss(line, text, hint)
		return nil
	}
	x, class, err := rNumber(word)
	if err != nil {
		if c, e := p.peek(); e == nil && c == '=' {
			return fmt.Errorf("the elements have names, such as %s: dump unname(%s)", quote(word), a.key)
		}
		return err
	}
	if class != isNumber {
		text, hint := refusal(word, class, Real)
		a.miss(line, text, hint)
		return nil
	}
	c, err := p.peek()
	if err != nil && err != errEnd {
		return err
	}
	if err != nil || c != ':' {
		a.add(jsonNumber, x, word, line)
		return nil
	}
	p.r.ReadByte()
	end, _, err := p.token()
	if err != nil {
		return err
	}
	y, class, err := rNumber(end)
	if err != nil || class != isNumber || x != math.Trunc(x) || y != math.Trunc(y) || max(math.Abs(x), math.Abs(y)) > 1<<53 {
		return fmt.Errorf("%s:%s is not a range of integers", word, end)
	}
	n := math.Abs(y-x) + 1
	if limit := 1<<20 + 16*int(*p.src.read); n > float64(limit-p.ranged) {
		return fmt.Errorf("ranges such as %s:%s are of more than %d elements", word, end, limit)
	}
	p.ranged += int(n)
	for i := range int(n) {
		a.add(jsonNumber, x+math.Copysign(float64(i), y-x), word, line)
	}
	return nil
}

// rNumber reads a number as R writes it.
func rNumber(word string) (float64, class, error) {
	switch word {
	case "NaN", "Inf", "-Inf", "+Inf":
		return 0, isNaN, nil
	}
	digits := strings.TrimLeft(word, "+-")
	text, long := strings.CutSuffix(word, "L")
	x, class := number(text)
	if digits == "" || !('0' <= digits[0] && digits[0] <= '9' || digits[0] == '.') || len(digits) < len(word)-1 ||
		class == isText || class == isMissing || long && x != math.Trunc(x) {
		return 0, isText, fmt.Errorf("%s is not a value", quote(word))
	}
	return x, class, nil
}

// opens takes an opening parenthesis, if that is next.
func (p *rReader) opens() bool {
	if c, err := p.peek(); err != nil || c != '(' {
		return false
	}
	p.r.ReadByte()
	return true
}

// token reads a name, a number or something in quotes.
func (p *rReader) token() (text string, quoted bool, err error) {
	c, err := p.peek()
	if err != nil {
		return "", false, err
	}
	p.at = p.line
	if c == '"' || c == '\'' || c == '`' {
		text, err = p.rString()
		return text, true, err
	}
	p.buf = p.buf[:0]
	for {
		c, err := p.r.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", false, fmt.Errorf("cannot be read: %w", err)
		}
		n := len(p.buf)
		sign := (c == '-' || c == '+') && (n == 0 || p.buf[n-1]|0x20 == 'e' && bytes.IndexByte([]byte("+-.0123456789"), p.buf[0]) >= 0)
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '.' || c == '_' || sign) {
			if n == 0 {
				return "", false, fmt.Errorf("expected a name or a value, not %q", c)
			}
			if err := p.r.UnreadByte(); err != nil {
				return "", false, err
			}
			break
		}
		if n >= 4096 {
			return "", false, errors.New("a name or number is longer than 4096 bytes")
		}
		p.buf = append(p.buf, c)
	}
	return string(p.buf), false, nil
}

// rString reads a string, whose opening quote is next.
func (p *rReader) rString() (string, error) {
	q, err := p.r.ReadByte()
	p.buf = p.buf[:0]
	for escaped := false; err == nil; {
		var c byte
		if c, err = p.r.ReadByte(); err != nil {
			break
		}
		switch {
		case c == '\n':
			return "", errors.New("a string does not end")
		case len(p.buf) >= maxToken:
			return "", fmt.Errorf("a string is longer than %d bytes", maxToken)
		case escaped && c != q && c != '\\':
			return "", fmt.Errorf("\\%c in a string is not read here", c)
		case !escaped && c == '\\':
			escaped = true
			continue
		case !escaped && c == q:
			return string(p.buf), nil
		}
		p.buf, escaped = append(p.buf, c), false
	}
	if err == io.EOF {
		return "", errors.New("a string does not end")
	}
	return "", fmt.Errorf("cannot be read: %w", err)
}
