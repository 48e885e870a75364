// This file reads lines and records of bounded length.

package dataio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
)

// maxLine is the longest line of a text format, or row of a CSV file, in bytes.
const maxLine = 64 << 20

var errLong = errors.New("line too long")

// longLine is the text for errLong.
func longLine(limit int) string {
	if limit < 1<<20 {
		return fmt.Sprintf("the line is longer than %d bytes", limit)
	}
	return fmt.Sprintf("the line is longer than %d MB", limit>>20)
}

// A lineReader yields lines without their ends.
type lineReader struct {
	r    *bufio.Reader
	max  int
	line int // of the last line read, from 1
	buf  []byte
}

// next returns the next line, valid until the next call; io.EOF at the end; errLong without reading the rest.
func (l *lineReader) next() ([]byte, error) {
	l.line++
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if err == nil || err == io.EOF && len(part)+len(l.buf) > 0 {
			if len(l.buf) > 0 {
				l.buf = append(l.buf, part...)
				part = l.buf
			}
			if len(part) > l.max {
				return nil, errLong
			}
			return bytes.TrimRight(part, "\r\n"), nil
		}
		if err != bufio.ErrBufferFull {
			return nil, err
		}
		if l.buf = append(l.buf, part...); len(l.buf) > l.max {
			return nil, errLong
		}
	}
}

// A recordGuard fails with errLong when a reader asks for more than max bytes without having been reset: with one reset
// for each record it bounds a record, an unclosed quote included.
type recordGuard struct {
	r         io.Reader
	max, left int
}

func (g *recordGuard) reset() { g.left = g.max }

func (g *recordGuard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, errLong
	}
	n, err := g.r.Read(p[:min(len(p), g.left)])
	g.left -= n
	return n, err
}

// integer reads a non-negative integer from the front of a line, blanks before it skipped.
// It fails on one above 2^31-1, on none, and on one that does not end with a blank, the line, or stop.
func integer(b []byte, stop byte) (n int, rest []byte, ok bool) {
	b = bytes.TrimLeft(b, " \t")
	i := 0
	for ; i < len(b) && '0' <= b[i] && b[i] <= '9'; i++ {
		if n = n*10 + int(b[i]-'0'); n > math.MaxInt32 {
			return 0, b, false
		}
	}
	if i == 0 || i < len(b) && b[i] != ' ' && b[i] != '\t' && b[i] != stop {
		return 0, b, false
	}
	return n, b[i:], true
}

// blank says whether a line has nothing but white space.
func blank(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
