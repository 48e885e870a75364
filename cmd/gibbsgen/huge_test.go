// This file feeds the command specs of a size that no one writes by hand.

package main

import (
	"bytes"
	"strings"
	"testing"
)

// endless is a line without end.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	e.read += len(p)
	return len(p), nil
}

// TestEndlessLine reads a spec that is one line of any length, a gigabyte or more: it is refused after a few megabytes.
func TestEndlessLine(t *testing.T) {
	in := &endless{}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"check", "-"}, console{in, &stdout, &stderr}); code != exitInput || !strings.Contains(stderr.String(), "longer than 4 MB") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	if in.read > 2*specMost {
		t.Errorf("%d bytes were read", in.read)
	}
}

// TestDeep checks expressions nested 10,000 deep, in each way that the grammar has, and just below the limit of tokens: errors with
// a place, neither a stack that overflows nor a wait.
func TestDeep(t *testing.T) {
	for _, tt := range []struct {
		name                string
		open, inner, closed string
		depth               int
		want                string
	}{
		{"parentheses", "(", "1", ")", 10_000, "at most 10000 are read"},
		{"parentheses", "(", "1", ")", 4_900, "nested more than 200 deep"},
		{"calls", "exp(", "1", ")", 3_200, "nested more than 200 deep"},
		{"indices", "x[", "1", "]", 3_200, "nested more than 200 deep"},
		{"minus", "-", "1", "", 9_900, "nested more than 200 deep"},
		{"powers", "2^", "2", "", 4_900, "nested more than 200 deep"},
		{"sums", "sum(n in N, ", "1", ")", 1_000, "nested more than 200 deep"},
	} {
		src := "model deep\nplate N\nglobal x ~ Normal(" + strings.Repeat(tt.open, tt.depth) + tt.inner + strings.Repeat(tt.closed, tt.depth) + ", var = 1)\n"
		var stdout, stderr bytes.Buffer
		code := run([]string{"check", "-"}, console{strings.NewReader(src), &stdout, &stderr})
		if code != exitInput || !strings.Contains(stderr.String(), ":3:") || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%s, %d deep: exit code %d, stderr %.300q", tt.name, tt.depth, code, stderr.String())
		}
	}
}
