// This file runs the commands of specs/README.md, and compares what they print with what it shows.

package main

import (
	"context"
	"flag"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	full    = flag.Bool("full", false, "run the commands of specs/README.md at their full lengths, and compare the numbers")
	rewrite = flag.Bool("rewrite", false, "with -full: put the numbers into specs/README.md")
)

// A shown is a command of the README and the rows of the summary that it shows, by name.
type shown struct {
	args []string // after gibbsgen
	rows map[string]row
}

// A row is part of a summary's row: enough to compare two runs.
type row struct{ mean, mcse, rhat float64 }

// brief makes a run short; of a flag that is given twice the last counts.
var brief = []string{"--chains=2", "--warmup=15", "--draws=15", "--thin=1"}

// TestReadme runs each command of the README. In brief runs it asserts that every row that the README shows is printed; with -full
// that the means agree where both runs have converged.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles every spec")
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	out, err := exec.Command(goCommand, "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(out))) // it moves with the next one
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	text, err := os.ReadFile("../../specs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := readmeExamples(string(text))
	printed := make([]string, len(examples))
	defer func() {
		if *full && *rewrite {
			if err := os.WriteFile("../../specs/README.md", []byte(rewritten(string(text), printed)), 0o644); err != nil {
				t.Error(err)
			}
		}
	}()
	for _, spec := range specsIn(t, "../../specs") {
		if !strings.Contains(string(text), "$ gibbsgen run specs/"+spec+".gm") {
			t.Errorf("specs/README.md runs no %s.gm", spec)
		}
	}
	for i, ex := range examples {
		t.Run(ex.args[1], func(t *testing.T) {
			if !*full {
				t.Parallel()
			}
			args := append(ex.args[:len(ex.args):len(ex.args)], "--quiet", "--out="+t.TempDir())
			if !*full {
				args = append(args, brief...)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // so that no child outlives the test
			defer cancel()
			cmd := exec.CommandContext(ctx, "gibbsgen", args...)
			cmd.Dir = "../.."
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %v\n%s", args, err, stderr.String())
			}
			printed[i] = string(out)
			now := summaryRows(string(out))
			if len(ex.rows) == 0 {
				t.Errorf("the README shows no row of what %v prints:\n%s", ex.args, out)
			}
			for name, want := range ex.rows {
				got, ok := now[name]
				switch {
				case !ok:
					t.Errorf("no row %s in\n%s", name, out)
				case *full && !*rewrite && !agree(got, want):
					t.Errorf("%s: mean %g (MCSE %g), and the README shows %g (%g)", name, got.mean, got.mcse, want.mean, want.mcse)
				}
			}
		})
	}
}

// agree compares two means at 5 standard errors of their difference, which for a hundred rows raises a false alarm once in
// 15,000 times; to that comes what four digits leave out. Runs that have not converged are not compared.
func agree(a, b row) bool {
	const converged = 1.05
	if !(a.rhat < converged && b.rhat < converged) {
		return true
	}
	return math.Abs(a.mean-b.mean) <= 5*math.Hypot(a.mcse, b.mcse)+1e-3*math.Abs(b.mean)
}

// readmeExamples returns the commands, and what is shown below each.
func readmeExamples(text string) []shown {
	var out []shown
	for line := range strings.Lines(text) {
		code, ok := strings.CutPrefix(line, "    ")
		if !ok {
			continue
		}
		if command, ok := strings.CutPrefix(code, "$ gibbsgen "); ok {
			out = append(out, shown{strings.Fields(command), map[string]row{}})
		} else if name, r, ok := summaryRow(code); ok {
			out[len(out)-1].rows[name] = r
		}
	}
	return out
}

func summaryRows(text string) map[string]row {
	rows := map[string]row{}
	for line := range strings.Lines(text) {
		if name, r, ok := summaryRow(line); ok {
			rows[name] = r
		}
	}
	return rows
}

// summaryLine is a row: a name and nine numbers.
var summaryLine = regexp.MustCompile(`^([\w.]+)((?:\s+(?:[-+.e\d]+|NA)){9})\s*$`)

func summaryRow(line string) (name string, r row, ok bool) {
	m := summaryLine.FindStringSubmatch(line)
	if m == nil {
		return "", row{}, false
	}
	f := strings.Fields(m[2])
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return math.NaN()
		}
		return x
	}
	return m[1], row{number(f[0]), number(f[1]), number(f[8])}, true
}

// rewritten returns the README with each line of a summary, as far as it was shown, replaced by the one now printed that begins with
// the same word.
func rewritten(text string, printed []string) string {
	var b strings.Builder
	example := -1
	for line := range strings.Lines(text) {
		code, ok := strings.CutPrefix(line, "    ")
		switch {
		case ok && strings.HasPrefix(code, "$ gibbsgen "):
			example++
		case ok && example >= 0 && strings.TrimSpace(code) != "...":
			for now := range strings.Lines(printed[example]) {
				if f, g := strings.Fields(now), strings.Fields(code); len(f) > 0 && len(g) > 0 && f[0] == g[0] {
					line = "    " + now
					break
				}
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// specsIn returns the stems of the specs in a directory.
func specsIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ".gm"); ok {
			out = append(out, stem)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no specs in %s", dir)
	}
	return out
}
