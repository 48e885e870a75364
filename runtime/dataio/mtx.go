// This file reads MatrixMarket (R. F. Boisvert, R. Pozo & K. Remington 1996, NISTIR 5935): a matrix, dense or sparse, or, where the model
// reads a bag of words, the counts of each word (column) in each document (row).

package dataio

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

const mtxBanner = "%%matrixmarket"

// A matrix is what a file says: its entries in order, from 0.
type matrix struct {
	room *room // where the entries lie

	sparse, integer, pattern, symmetric bool

	rows, cols int
	head       int // line of these
	i, j, line []int32
	x          []float64
	misses     map[int]miss // by entry
}

func readMTX(ld *loader, src source) {
	l := &lineReader{r: src.r, max: ld.max}
	m := &matrix{room: ld.room, misses: map[int]miss{}}
	if err := m.read(l); err != nil {
		ld.fatal(src.path, l.line, err.Error(), "")
		return
	}
	name := stem(src.path)
	role, f, _ := ld.lookup(name)
	if f != nil && ld.isBag(f) || role == noRole && slices.ContainsFunc(ld.schema.Fields, func(f Field) bool { return ld.isBag(&f) }) {
		ld.mtxBag(m, src)
		return
	}
	if limit := 1<<20 + 64*int(*src.read); m.rows*m.cols > limit {
		ld.fatal(src.path, 0, fmt.Sprintf("would be %d x %d numbers, most of them 0, in a file of %d bytes: a matrix is dense here", m.rows, m.cols, *src.read), "")
		return
	}
	ld.take(m.dense(name, src.path, f != nil && len(f.Dims) == 1 || role == lengthsRole))
}

// dense makes an array of the entries; of a single column, a vector where one is wanted.
func (m *matrix) dense(name, path string, vector bool) *array {
	a := &array{key: name, stem: true, n: m.rows * m.cols, shape: []int{m.rows, m.cols}, raw: raw{file: path, room: m.room}}
	if vector && m.cols == 1 {
		a.shape = a.shape[:1]
	}
	a.num = alloc[float64](m.room, a.n)
	seen := alloc[bool](m.room, a.n)
	for k, x := range m.x {
		i, j := int(m.i[k]), int(m.j[k])
		at := i*m.cols + j
		if s, ok := m.misses[k]; ok {
			s.at = at
			a.misses = append(a.misses, s)
		} else if seen[at] {
			a.misses = append(a.misses, miss{at, int(m.line[k]), "is there twice", ""})
		}
		seen[at] = true
		a.num[at] = x
		if m.symmetric {
			a.num[j*m.cols+i] = x
		}
	}
	return a
}

// mtxBag takes the entries as counts of words.
func (ld *loader) mtxBag(m *matrix, src source) {
	f := ld.bagField(src.path)
	if f == nil {
		return
	}
	if !m.sparse || m.pattern || m.symmetric {
		ld.fatal(src.path, 1, "is for a bag of words, which is \"coordinate\", \"integer\" or \"real\", and \"general\"", "")
		return
	}
	b := bag{room: ld.room, head: m.head}
	for k, x := range m.x {
		if s, ok := m.misses[k]; ok || x < 0 || x > math.MaxInt32 || x != math.Trunc(x) {
			if !ok {
				s.text = fmt.Sprintf("is %v, not a count", x)
			}
			ld.add(Problem{File: src.path, Line: int(m.line[k]), Name: f.Name, Text: fmt.Sprintf("has an entry, document %d and word %d, that %s", m.i[k]+1, m.j[k]+1, s.text), Hint: s.hint})
			ld.spoil(f, src.path)
			continue
		}
		b.add(int(m.i[k]), int(m.j[k]), int(x), int(m.line[k]))
	}
	if ld.opts.Vocab == "" && ld.levels[f.Of] == nil {
		ld.vocabulary(f, ld.ldacVocabulary(src.path), false)
	}
	if n := ld.knownSize(f.Of); n == m.rows && n != m.cols {
		ld.fatal(src.path, 0, fmt.Sprintf("is of %d rows and %d columns, but %s has %d elements: documents are rows, words columns", m.rows, m.cols, f.Of, n), "transpose it")
		return
	}
	ld.note(src.path, "%d documents (rows) of %d words (columns)", m.rows, m.cols)
	ld.size(f.Of, claim{n: m.cols, who: fmt.Sprintf("the matrix has %d columns", m.cols), file: src.path})
	if ld.raws[f.Name] == nil {
		ld.finishBag(f, &b, m.rows, 1, src)
	}
}

// read reads a file. Its error is about the last line read.
func (m *matrix) read(l *lineReader) error {
	head, err := m.next(l, false)
	if err != nil {
		return err
	}
	if err := m.banner(strings.Fields(strings.ToLower(string(head)))); err != nil {
		return err
	}
	if head, err = m.next(l, true); err == io.EOF {
		return errEnd
	} else if err != nil {
		return err
	}
	rows, rest, ok1 := integer(head, ' ')
	cols, rest, ok2 := integer(rest, ' ')
	entries, ok3 := 0, true
	what := "the number of rows and that of columns"
	if m.sparse {
		what = "the numbers of rows, of columns and of entries"
		entries, rest, ok3 = integer(rest, ' ')
	}
	if !ok1 || !ok2 || !ok3 || !blank(rest) {
		return fmt.Errorf("the line should be %s, not %s", what, quote(string(head)))
	}
	if m.rows, m.cols, m.head = rows, cols, l.line; m.symmetric && rows != cols {
		return fmt.Errorf("the matrix is symmetric, but has %d rows and %d columns", rows, cols)
	}
	switch {
	case !m.sparse && m.symmetric:
		entries = rows * (rows + 1) / 2 // those from the diagonal down
	case !m.sparse:
		entries = rows * cols
	}
	i, j := 0, 0 // of an entry of a dense matrix, whose columns are in order
	for n := 0; ; n++ {
		line, err := m.next(l, true)
		switch {
		case err == io.EOF && n < entries:
			return fmt.Errorf("the file ends after %d entries of %d", n, entries)
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case n == entries:
			return fmt.Errorf("there are more entries than the %d that the header says", entries)
		}
		if m.sparse {
			a, rest, ok1 := integer(line, ' ')
			b, rest, ok2 := integer(rest, ' ')
			switch {
			case !ok1 || !ok2 || blank(rest) != m.pattern:
				return fmt.Errorf("%s is not \"row column%s\"", quote(string(line)), map[bool]string{false: " value"}[m.pattern])
			case a < 1 || a > rows || b < 1 || b > cols:
				return fmt.Errorf("row %d, column %d is not in a matrix of %d x %d", a, b, rows, cols)
			case m.symmetric && a < b:
				return fmt.Errorf("row %d, column %d is above the diagonal: of a symmetric matrix the file has the rest", a, b)
			}
			i, j, line = a-1, b-1, rest
		}
		if err := m.entry(i, j, l.line, strings.TrimSpace(string(line))); err != nil {
			return err
		}
		if i++; i == rows {
			if j++; m.symmetric {
				i = j
			} else {
				i = 0
			}
		}
	}
}

// entry takes an element of the matrix.
func (m *matrix) entry(i, j, line int, s string) error {
	x, c := 1.0, isNumber
	if !m.pattern {
		x, c = number(s)
	}
	switch {
	case c == isText:
		return fmt.Errorf("%s is not a number", quote(s))
	case c != isNumber:
		text, hint := refusal(s, c, Real)
		m.misses[len(m.x)] = miss{line: line, text: text, hint: hint}
	case m.integer && x != math.Trunc(x):
		return fmt.Errorf("%s is not an integer, as the first line says", s)
	}
	m.i, m.j, m.line, m.x = push(m.room, m.i, int32(i)), push(m.room, m.j, int32(j)), push(m.room, m.line, int32(line)), push(m.room, m.x, x)
	return nil
}

// banner reads the words of the first line.
func (m *matrix) banner(words []string) error {
	if len(words) != 5 || words[0] != mtxBanner || words[1] != "matrix" {
		return fmt.Errorf("the first line is not \"%%%%MatrixMarket matrix FORMAT FIELD SYMMETRY\"")
	}
	m.sparse, m.integer, m.pattern, m.symmetric = words[2] == "coordinate", words[3] == "integer", words[3] == "pattern", words[4] == "symmetric"
	switch {
	case !m.sparse && words[2] != "array":
		return fmt.Errorf("a matrix that is %s is not read here: only coordinate and array", quote(words[2]))
	case !m.integer && !m.pattern && words[3] != "real":
		return fmt.Errorf("elements that are %s are not read here: only real, integer and pattern", quote(words[3]))
	case !m.symmetric && words[4] != "general":
		return fmt.Errorf("a matrix that is %s is not read here: only general and symmetric", quote(words[4]))
	case m.pattern && !m.sparse:
		return fmt.Errorf("an array can't be a pattern")
	}
	return nil
}

// next returns the next line that is not blank; and that is no comment, where those may be.
func (m *matrix) next(l *lineReader, comments bool) ([]byte, error) {
	for {
		b, err := l.next()
		switch {
		case err == errLong:
			return nil, fmt.Errorf("%s", longLine(l.max))
		case err == io.EOF:
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("cannot be read: %w", err)
		case !blank(b) && !(comments && b[0] == '%'):
			return b, nil
		}
	}
}
