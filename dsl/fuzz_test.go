package dsl

import (
	"io"
	"os"
	"strings"
	"testing"
)

// FuzzParse: Parse never panics, its messages can be printed and lie inside the source, and a file without errors obeys
// the laws of spans, formatter and printer.
func FuzzParse(f *testing.F) {
	for _, tt := range parseTests {
		f.Add("// doc\nmodel m // x\n" + tt.src + "\n")
	}
	for _, src := range specs(f) {
		f.Add(src)
	}
	b, err := os.ReadFile("testdata/errors.gm")
	if err != nil {
		f.Fatal(err)
	}
	for _, chunk := range strings.Split(string(b), "---\n") {
		f.Add(chunk)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file, ds := Parse("fuzz.gm", src)
		if err := ds.Format(io.Discard, file); err != nil {
			t.Fatal(err)
		}
		for _, d := range ds {
			if s := d.Span; s.Start.Offset < 0 || s.Start.Offset > s.End.Offset || s.End.Offset > len(src) {
				t.Fatalf("%q: the message %q is at %v", src, d.Msg, s)
			}
			if d.Msg == "" || d.Code == "" {
				t.Fatalf("%q: a message without text or code", src)
			}
		}
		_ = Dump(file)
		if len(ds) > 0 {
			if Format(file) != src {
				t.Fatalf("%q: has errors and was formatted", src)
			}
			return
		}
		if len(src) < 1000 {
			checkSpans(t, file)
		}
		checkFormat(t, file)
	})
}
