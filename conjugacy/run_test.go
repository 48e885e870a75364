// This file runs the tests that generated packages carry, for the whole corpus: samplers prove themselves.

package conjugacy_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/internal/program"
)

var quick = flag.Bool("quick", false, "verify at the quick level, which takes some ten minutes; -timeout 1h")

// TestModels generates, builds and verifies the whole corpus, and each of its models with one unknown made local that was global, or the
// other way round: what is kept between draws, and what is read at them, changes places. The level is the exact one.
func TestModels(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs generated code")
	}
	p := program.New(t)
	p.Short = !*quick
	src := map[string]string{}
	for _, s := range corpus(t) {
		t.Run("compile/"+s.Name, func(t *testing.T) {
			p.Add(t, s.Name, emit(t, s, s.Name, nil))
			src[s.Name] = s.Src
			for i, text := range swaps(s.Src) {
				v := spec{s.Name, s.File, text}
				if _, diags := analyse(v); !diags.HasErrors() { // a local without a plate, say, is none
					pkg := fmt.Sprintf("%s_%d", s.Name, i+1)
					p.Add(t, pkg, emit(t, v, pkg, nil))
					src[pkg] = text
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
