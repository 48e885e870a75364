// This file holds a scanner of JSON that knows its line and holds no more than a token: encoding/json's
// tokens have neither, and box each number.

package dataio

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

const (
	maxDepth = 16      // of nested arrays that are read
	maxSkip  = 1000    // of values that are not
	maxToken = 1 << 20 // bytes
)

type jsonKind int

const (
	jsonNumber jsonKind = iota
	jsonBool
	jsonString
	jsonWord // null, NaN, Infinity and the like, and numbers too large
)

// A scalar is one element.
type scalar struct {
	kind jsonKind
	num  float64 // of numbers; 0 and 1 for booleans
	text string
}

// show prints the scalar for a message.
func (s scalar) show() string {
	if s.kind == jsonString {
		return quote(s.text)
	}
	if s.kind == jsonNumber {
		return strconv.FormatFloat(s.num, 'g', -1, 64)
	}
	return s.text
}

var errEnd = errors.New("the file ends in the middle")

type jsonScanner struct {
	r    *bufio.Reader
	line int  // from 1
	hash bool // # begins a comment, as in R
	buf  []byte
}

// peek skips white space and returns the next byte without taking it.
func (s *jsonScanner) peek() (byte, error) {
	for comment := false; ; {
		c, err := s.r.ReadByte()
		if err != nil {
			if err == io.EOF {
				return 0, errEnd
			}
			return 0, fmt.Errorf("cannot be read: %w", err)
		}
		switch {
		case c == '\n':
			s.line++
			comment = false
		case c == ' ' || c == '\t' || c == '\r' || comment:
		case c == '#' && s.hash:
			comment = true
		default:
			return c, s.r.UnreadByte()
		}
	}
}

// expect takes one byte.
func (s *jsonScanner) expect(want byte, after string) error {
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c != want {
		return fmt.Errorf("expected %q after %s, not %q", want, after, c)
	}
	_, err = s.r.ReadByte()
	return err
}

// more takes a comma, or the closing byte and says false.
func (s *jsonScanner) more(closing byte, what string) (bool, error) {
	c, err := s.peek()
	if err != nil {
		return false, err
	}
	if c != ',' && c != closing {
		return false, fmt.Errorf("expected ',' or %q in %s, not %q", closing, what, c)
	}
	_, err = s.r.ReadByte()
	return c == ',', err
}

// empty takes an opening byte, and the closing one if it follows.
func (s *jsonScanner) empty(closing byte) (bool, error) {
	if _, err := s.r.ReadByte(); err != nil {
		return false, err
	}
	c, err := s.peek()
	if err != nil || c != closing {
		return false, err
	}
	_, err = s.r.ReadByte()
	return true, err
}

// end checks that nothing follows.
func (s *jsonScanner) end() error {
	c, err := s.peek()
	switch err {
	case nil:
		return fmt.Errorf("expected nothing more, not %q", c)
	case errEnd:
		return nil
	}
	return err
}

// object calls visit at each value, which it must read.
func (s *jsonScanner) object(visit func(key string) error) error {
	if done, err := s.empty('}'); done || err != nil {
		return err
	}
	for {
		c, err := s.peek()
		if err != nil {
			return err
		}
		if c != '"' {
			return fmt.Errorf("expected a key in quotes, not %q", c)
		}
		key, err := s.str()
		if err != nil {
			return err
		}
		if err := s.expect(':', "the key "+quote(key)); err != nil {
			return err
		}
		if err := visit(key); err != nil {
			return err
		}
		if more, err := s.more('}', "the object"); !more || err != nil {
			return err
		}
	}
}

// array calls visit at each value, which it must read.
func (s *jsonScanner) array(visit func() error) error {
	if done, err := s.empty(']'); done || err != nil {
		return err
	}
	for {
		if err := visit(); err != nil {
			return err
		}
		if more, err := s.more(']', "an array"); !more || err != nil {
			return err
		}
	}
}

// skip reads any value and forgets it.
func (s *jsonScanner) skip(depth int) error {
	if depth > maxSkip {
		return fmt.Errorf("nested more than %d deep", maxSkip)
	}
	c, err := s.peek()
	if err != nil {
		return err
	}
	switch c {
	case '[':
		return s.array(func() error { return s.skip(depth + 1) })
	case '{':
		return s.object(func(string) error { return s.skip(depth + 1) })
	}
	_, err = s.scalar()
	return err
}

// str reads a string, whose opening quote is next.
func (s *jsonScanner) str() (string, error) {
	s.buf = s.buf[:0]
	for escaped := false; ; {
		c, err := s.r.ReadByte()
		if err != nil && err != io.EOF {
			return "", fmt.Errorf("cannot be read: %w", err)
		}
		if err != nil || c == '\n' {
			return "", errors.New("a string does not end")
		}
		if len(s.buf) >= maxToken {
			return "", fmt.Errorf("a string is longer than %d bytes", maxToken)
		}
		s.buf = append(s.buf, c)
		if c == '"' && !escaped && len(s.buf) > 1 {
			break
		}
		escaped = c == '\\' && !escaped
	}
	var out string
	if err := json.Unmarshal(s.buf, &out); err != nil {
		return "", fmt.Errorf("%s is not a JSON string", quote(string(s.buf)))
	}
	return out, nil
}

// scalar reads a number, string or word.
func (s *jsonScanner) scalar() (scalar, error) {
	c, err := s.peek()
	if err != nil {
		return scalar{}, err
	}
	if c == '"' {
		text, err := s.str()
		return scalar{kind: jsonString, text: text}, err
	}
	s.buf = s.buf[:0]
	for {
		c, err := s.r.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return scalar{}, fmt.Errorf("cannot be read: %w", err)
		}
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '-' || c == '+' || c == '.' || c == '_') {
			if err := s.r.UnreadByte(); err != nil {
				return scalar{}, err
			}
			if len(s.buf) == 0 {
				return scalar{}, fmt.Errorf("expected a value, not %q", c)
			}
			break
		}
		if len(s.buf) >= 4096 {
			return scalar{}, errors.New("a number is longer than 4096 bytes")
		}
		s.buf = append(s.buf, c)
	}
	// This copy of the bytes does not outlive the call, so it isn't allocated: numbers are many.
	x, class := number(string(s.buf))
	if class == isNumber {
		return scalar{kind: jsonNumber, num: x}, nil
	}
	word := string(s.buf)
	switch word {
	case "true":
		return scalar{kind: jsonBool, num: 1, text: "true"}, nil
	case "false":
		return scalar{kind: jsonBool, text: "false"}, nil
	}
	if class == isNaN || class == isMissing {
		return scalar{kind: jsonWord, text: word}, nil
	}
	return scalar{}, fmt.Errorf("%s is not a JSON value", quote(word))
}

// A walker reads nested arrays and finds their shape.
type walker struct {
	s     *jsonScanner
	visit func(sc scalar, elem []int) // elem, from 1, is the walker's: valid during the call
	rows  *lineMap                    // lines of the outermost elements, if wanted

	path  []int
	dims  []dim
	count []int // lists so far, by depth
	leaf  int   // depth of the scalars, plus 1; 0: none so far
	mixed int   // line where scalars and lists were side by side; 0: nowhere
}

func (w *walker) value() error {
	c, err := w.s.peek()
	if err != nil {
		return err
	}
	switch c {
	case '[':
		return w.array()
	case '{':
		return errors.New("an object where a value or an array should be")
	}
	sc, err := w.s.scalar()
	if err != nil {
		return err
	}
	if w.leaf == 0 {
		w.leaf = len(w.path) + 1
	}
	if w.leaf != len(w.path)+1 || len(w.dims) > len(w.path) {
		w.mix()
		return nil
	}
	w.visit(sc, w.path)
	return nil
}

func (w *walker) array() error {
	depth := len(w.path)
	if depth >= maxDepth {
		return fmt.Errorf("arrays nested more than %d deep", maxDepth)
	}
	if w.leaf > 0 && depth+1 >= w.leaf {
		w.mix()
	}
	if depth == len(w.dims) {
		w.dims = append(w.dims, dim{})
		w.count = append(w.count, 0)
	}
	w.path = append(w.path, 0)
	err := w.s.array(func() error {
		w.path[depth]++
		if depth == 0 && w.rows != nil {
			if _, err := w.s.peek(); err != nil {
				return err
			}
			w.rows.add(w.path[0]-1, w.s.line)
		}
		return w.value()
	})
	n := w.path[depth]
	w.path = w.path[:depth]
	w.close(depth, n)
	return err
}

// close counts a list of n at a depth.
func (w *walker) close(depth, n int) {
	d := &w.dims[depth]
	if w.count[depth] == 0 {
		d.n = n
	}
	if d.lens == nil && n != d.n {
		d.lens = d.lengths(w.count[depth])
	}
	if d.lens != nil {
		d.lens = append(d.lens, n)
	}
	w.count[depth]++
}

func (w *walker) mix() {
	if w.mixed == 0 {
		w.mixed = w.s.line
	}
}
