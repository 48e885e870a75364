// This file runs the tests that generated packages carry, for the whole corpus: samplers prove themselves at the quick level.

package conjugacy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/internal/program"
)

// TestModels generates, builds and verifies the whole corpus, and each of its models with one unknown made local that was
// global, or the other way round: what is kept between draws, and what is read at them, changes places.
func TestModels(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs generated code")
	}
	p := program.New(t)
	src := map[string]string{}
	add := func(s spec, pkg string) {
		p.Add(t, pkg, emit(t, s, pkg, nil))
		src[pkg] = s.Src
	}
	for _, s := range corpus(t) {
		t.Run("compile/"+s.Name, func(t *testing.T) {
			add(s, s.Name)
			for i, swapped := range swaps(s.Src) {
				v := spec{s.Name, s.File, swapped}
				if _, diags := analyse(v); !diags.HasErrors() { // a local without a plate, say, is none
					add(v, fmt.Sprintf("%s_%d", s.Name, i+1))
				}
			}
		})
	}
	failed := p.Run(t)
	for _, n := range p.Names {
		t.Run("verify/"+n, func(t *testing.T) {
			if text, bad := failed[n]; bad {
				t.Errorf("%s\n%s", src[n], text)
			}
		})
	}
}

// swaps returns the spec with one global made local, or one local made global, for each.
func swaps(src string) []string {
	var out []string
	lines := strings.Split(src, "\n")
	for i, l := range lines {
		role, rest, _ := strings.Cut(l, " ")
		other := map[string]string{"local": "global", "global": "local"}[role]
		if other == "" || role == "global" && !strings.Contains(strings.Split(l, "~")[0], "[") {
			continue
		}
		out = append(out, strings.Join(slices.Concat(lines[:i], []string{other + " " + rest}, lines[i+1:]), "\n"))
	}
	return out
}
