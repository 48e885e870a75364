package ir

import (
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/dsl"
)

// FuzzCheck demands that Check never panics on what Parse accepts, that it says why it refuses, and that what it accepts can be printed.
func FuzzCheck(f *testing.F) {
	for _, c := range append(chunks(f, "testdata/good/*.gm"), chunks(f, "testdata/bad/*.gm")...) {
		f.Add(strings.TrimLeft(c.src, "\n"))
	}
	f.Fuzz(func(t *testing.T, src string) {
		file, diags := dsl.Parse("fuzz.gm", src)
		if diags.HasErrors() || file == nil {
			return
		}
		m, diags := Check(file)
		if (m == nil) != diags.HasErrors() {
			t.Fatalf("model %v, errors %v", m != nil, diags.HasErrors())
		}
		for _, d := range diags {
			if d.Msg == "" || d.Code == "" {
				t.Fatalf("empty message: %+v", d)
			}
		}
		if m == nil {
			return
		}
		_ = m.String()
		for _, f := range m.Factors {
			for _, a := range f.Args {
				walk(a, func(e Expr) {
					if isLam(e) {
						t.Fatal("a let's vector is left in a factor")
					}
				})
			}
		}
	})
}

// TestMutants checks the corpus with one line left out, doubled, or swapped with the next: nothing may panic.
func TestMutants(t *testing.T) {
	for _, c := range append(chunks(t, "testdata/good/*.gm"), chunks(t, "testdata/bad/*.gm")...) {
		lines := strings.Split(strings.TrimSpace(c.src), "\n")
		for i := range lines {
			for _, mutant := range [][]string{
				append(lines[:i:i], lines[i+1:]...),
				append(append(lines[:i+1:i+1], lines[i]), lines[i+1:]...),
				append(append(lines[:i:i], lines[(i+1)%len(lines)], lines[i]), lines[min(i+2, len(lines)):]...),
			} {
				m, diags := run(chunk{c.name, strings.Join(mutant, "\n")})
				if (m == nil) != diags.HasErrors() {
					t.Errorf("%s, line %d: model %v, errors %v", c.name, i+1, m != nil, diags.HasErrors())
				}
			}
		}
	}
}

// TestTokenSoup replaces words of good models by other words of theirs.
func TestTokenSoup(t *testing.T) {
	for _, c := range chunks(t, "testdata/good/*.gm") {
		words := strings.FieldsFunc(c.src, func(r rune) bool {
			return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", r)
		})
		for i := 0; i < len(words); i += 2 {
			w := words[i]
			for k := 1 + i%5; k < 60; k += 23 {
				other := words[(i*31+k*17)%len(words)]
				m, diags := run(chunk{c.name, strings.Replace(c.src, w, other, 1+k%3)})
				if (m == nil) != diags.HasErrors() {
					t.Errorf("%s, %s for %s: model %v, errors %v", c.name, other, w, m != nil, diags.HasErrors())
				}
			}
		}
	}
}
