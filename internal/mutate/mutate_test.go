// This file has some mutations verified, each of another kind, and with -all every one.

package main

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/verify"
)

var all = flag.Bool("all", false, "verify every mutation, and those that take it at the full level: half an hour")

// always are the mutations of every run: of each stage, and of each kind of check the one that alone finds it.
var always = []string{
	"an inequality dropped", "no range guard at the end of a chain", "a move forgotten", // derivation
	"a global that no sweep draws", "a table of the wrong weights", // plan
	"drawn with a shape 1/2 too large", "a Jacobian dropped", "a batch that depends on the state", "the last unit is left out of a batch",
	"a stream used twice by two workers, of continuous locals", "tables of weights not refreshed for batches", "a truncation on the wrong side, for one row in four",
	"a prior dropped in Simulate", "a sum left out of checkpoints", "a term too many in the log joint", "numbers written in the wrong order", "units called exchangeable",
}

// TestMutations: each is caught by the kind of check that it names.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs generated code")
	}
	var quick, full []mutation
	for _, m := range mutations() {
		switch {
		case *all && m.by == "full":
			full = append(full, m)
		case *all || slices.Contains(always, m.name):
			quick = append(quick, m)
		}
	}
	if len(quick) < len(always) {
		t.Errorf("%d mutations of those that are always verified, want %d", len(quick), len(always))
	}
	for level, ms := range map[verify.Level][]mutation{verify.Quick: quick, verify.Full: full} {
		results, err := try(ms, []verify.Level{level}, 1, logger{t})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if kinds := r.caught[0]; len(kinds) == 0 || level == verify.Quick && !slices.Contains(kinds, r.by) {
				t.Errorf("%s (in %s) is caught by %s, want %s at %s; it says\n%s", r.name, r.model, said(kinds), r.by, level, r.at[0].detail)
			}
		}
	}
}

// A logger writes to the test's log.
type logger struct{ t *testing.T }

func (l logger) Write(text []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(text)))
	return len(text), nil
}

// TestTable: docs/verification.md has a row for each mutation, none of which nothing catches at full.
func TestTable(t *testing.T) {
	doc, err := os.ReadFile("../../docs/verification.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "<!-- mutations -->")
	table, _, _ = strings.Cut(table, "<!-- /mutations -->")
	if strings.Contains(table, said(nil)+" |\n") {
		t.Error("a mutation of the table is caught by nothing at full")
	}
	var got, want []string
	for _, row := range regexp.MustCompile("(?m)^\\| (.*) \\| `(.*)` \\| (derivation|plan|code) \\|").FindAllStringSubmatch(table, -1) {
		got = append(got, row[1]+", "+row[2]+", "+row[3])
	}
	for _, m := range mutations() {
		want = append(want, m.name+", "+m.model+", "+m.stage())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the table is not that of go run ./internal/mutate -markdown: its rows are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestNames: no two mutations have one name in one model.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range mutations() {
		if seen[m.name] {
			t.Errorf("two mutations are called %q", m.name)
		}
		seen[m.name] = true
	}
}
