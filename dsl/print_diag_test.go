package dsl

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// at is the span of the n-th occurrence of word in src, from 1.
func at(src, word string, n int) Span {
	offset := -1
	for range n {
		offset += 1 + strings.Index(src[offset+1:], word)
	}
	pos := func(o int) Pos {
		before := src[:o]
		return Pos{o, 1 + strings.Count(before, "\n"), 1 + len([]rune(before[strings.LastIndex(before, "\n")+1:]))}
	}
	return Span{pos(offset), pos(offset + len(word))}
}

func TestDiagsFormat(t *testing.T) {
	long := "let a = " + strings.Repeat("b + ", 100) + "c + " + strings.Repeat("d + ", 100) + "e"
	for _, tt := range []struct {
		name, src string
		make      func(ds *Diags, src string)
		want      string
	}{
		{"notes, hint and order", "model m\nplate N\nlet a = bb",
			func(ds *Diags, src string) {
				ds.Warnf(at(src, "bb", 1), "x", "second").WithHint("do %s", "this")
				ds.Errorf(at(src, "N", 1), "x", "first").Note("because").Note("of %d", 3)
			}, `x.gm:2:7: error: first
  2 | plate N
    |       ^
      because
      of 3
x.gm:3:9: warning: second
  3 | let a = bb
    |         ^^
      hint: do this
`},
		{"tabs", "\tlet\ta = b",
			func(ds *Diags, src string) { ds.Errorf(at(src, "a = b", 1), "x", "m") },
			"x.gm:1:6: error: m\n  1 |     let a = b\n    |         ^^^^^\n"},
		{"a tab is marked", "a\tb", func(ds *Diags, src string) { ds.Errorf(at(src, "\t", 1), "x", "m") },
			"x.gm:1:2: error: m\n  1 | a   b\n    |  ^^^\n"},
		{"columns count characters", "µµ // µ x",
			func(ds *Diags, src string) { ds.Errorf(at(src, "x", 1), "x", "m") },
			"x.gm:1:9: error: m\n  1 | µµ // µ x\n    |         ^\n"},
		{"end of the line", "plate ", func(ds *Diags, src string) { ds.Errorf(Span{at(src, "e", 1).End, at(src, "e", 1).End}, "x", "m") },
			"x.gm:1:6: error: m\n  1 | plate\n    |      ^\n"},
		{"several lines", "let a = (b\n + c)", func(ds *Diags, src string) { ds.Errorf(at(src, "(b\n + c)", 1), "x", "m") },
			"x.gm:1:9: error: m\n  1 | let a = (b\n    |         ^^\n"},
		{"wide line numbers", strings.Repeat("\n", 99) + "x", func(ds *Diags, src string) {
			ds.Errorf(at(src, "x", 1), "x", "m").Note("n")
		},
			"x.gm:100:1: error: m\n  100 | x\n      | ^\n        n\n"},
		{"a long line", long, func(ds *Diags, src string) { ds.Errorf(at(src, "c", 1), "x", "m") },
			"x.gm:1:409: error: m\n" +
				"  1 | …" + strings.Repeat("b + ", 8) + "c" + strings.Repeat(" + d", 16) + " …\n" +
				"    |                                  ^\n"},
		{"the start of a long line", long, func(ds *Diags, src string) { ds.Errorf(at(src, "let", 1), "x", "m") },
			"x.gm:1:1: error: m\n  1 | let a = " + strings.Repeat("b + ", 22) + "b +…\n    | ^^^\n"},
		{"the end of a long line", long, func(ds *Diags, src string) { ds.Errorf(at(src, "e", 2), "x", "m") },
			"x.gm:1:813: error: m\n  1 | …" + strings.Repeat("+ d ", 24) + "+ e\n    |" + strings.Repeat(" ", 100) + "^\n"},
		{"a long span", long, func(ds *Diags, src string) { ds.Errorf(at(src, long[4:], 1), "x", "m") },
			"x.gm:1:5: error: m\n  1 | let a = " + strings.Repeat("b + ", 22) + "b +…\n    |     " + strings.Repeat("^", 96) + "\n"},
		{"what a terminal would act on", "a\x1b[31mb \u202e", func(ds *Diags, src string) {
			ds.Errorf(at(src, "b", 1), "x", "m\x1b").WithHint("\a")
		},
			"x.gm:1:7: error: m�\n  1 | a�[31mb �\n    |       ^\n      hint: �\n"},
		{"no such place", "a", func(ds *Diags, src string) { ds.Errorf(Span{}, "x", "m") }, "x.gm:0:0: error: m\n"},
	} {
		var ds Diags
		tt.make(&ds, tt.src)
		var b strings.Builder
		if err := ds.Format(&b, &File{Path: "x.gm", Src: tt.src}); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, b.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestDiagsFormatReportsWriteErrors(t *testing.T) {
	var ds Diags
	ds.Errorf(Span{}, "x", "m")
	if err := ds.Format(brokenWriter{}, &File{}); err == nil || err.Error() != "broken" {
		t.Errorf("err = %v", err)
	}
}

func TestHasErrors(t *testing.T) {
	var ds Diags
	ds.Warnf(Span{}, "x", "m")
	if ds.HasErrors() {
		t.Error("a warning is no error")
	}
	ds.Errorf(Span{}, "x", "m")
	if !ds.HasErrors() {
		t.Error("an error is one")
	}
}
