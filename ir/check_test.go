package ir

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/dsl"
)

var update = flag.Bool("update-check", false, "rewrite the goldens of typed models")

// A chunk is one model of a testdata file; chunks are separated by a line `---`.
type chunk struct {
	name, src string
}

// chunks reads testdata files. Blank lines stand for what comes before a chunk, so that lines keep their numbers.
func chunks(t testing.TB, pattern string) []chunk {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s (%v)", pattern, err)
	}
	var out []chunk
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 0
		for i, part := range strings.Split(string(text), "\n---\n") {
			out = append(out, chunk{fmt.Sprintf("%s#%d", filepath.Base(file), i+1), strings.Repeat("\n", line) + part})
			line += strings.Count(part, "\n") + 2
		}
	}
	return out
}

// run parses and checks a source.
func run(c chunk) (*Model, dsl.Diags) {
	f, diags := dsl.Parse(c.name, c.src)
	if diags.HasErrors() {
		return nil, diags
	}
	m, more := Check(f)
	return m, append(diags, more...)
}

func show(d *dsl.Diag) string {
	s := d.Msg
	if d.Severity == dsl.Warning {
		s = "warning: " + s
	}
	for _, n := range d.Notes {
		s += " | " + n
	}
	if d.Hint != "" {
		s += " => " + d.Hint
	}
	return s
}

var marker = regexp.MustCompile("###((?: \"[^\"]*\")+)")

// TestCorpus runs every model of testdata. A line that must be reported ends in `// ### "regexp"`, one regexp for each message;
// a message without a marker and a marker without a message both fail.
func TestCorpus(t *testing.T) {
	good, bad := 0, 0
	for _, c := range append(chunks(t, "testdata/good/*.gm"), chunks(t, "testdata/bad/*.gm")...) {
		t.Run(c.name, func(t *testing.T) {
			want := map[int][]*regexp.Regexp{}
			for i, line := range strings.Split(c.src, "\n") {
				if m := marker.FindStringSubmatch(line); m != nil {
					for _, q := range strings.Split(strings.Trim(m[1], ` "`), `" "`) {
						want[i+1] = append(want[i+1], regexp.MustCompile(q))
					}
				}
			}
			m, diags := run(c)
			for _, d := range diags {
				line, found := d.Span.Start.Line, false
				for i, re := range want[line] {
					if re.MatchString(show(d)) {
						want[line] = append(want[line][:i:i], want[line][i+1:]...)
						found = true
						break
					}
				}
				if !found {
					t.Errorf("%d: unexpected: %s", line, show(d))
				}
			}
			for line, res := range want {
				for _, re := range res {
					t.Errorf("%d: nothing reported matches %q", line, re)
				}
			}
			if (m == nil) != diags.HasErrors() {
				t.Errorf("model %v with errors %v", m != nil, diags.HasErrors())
			}
			if diags.HasErrors() {
				bad++
			} else {
				good++
			}
		})
	}
	t.Logf("%d good models, %d bad ones", good, bad)
}

// TestGolden compares the dump of each good model with testdata/golden.
func TestGolden(t *testing.T) {
	for _, c := range chunks(t, "testdata/good/*.gm") {
		m, diags := run(c)
		if m == nil {
			t.Errorf("%s: %v", c.name, diags)
			continue
		}
		file := filepath.Join("testdata", "golden", strings.ReplaceAll(c.name, ".gm#", "_")+".txt")
		got := m.String()
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s (%s): got\n%s\nwant\n%s", c.name, m.Name, got, want)
		}
	}
}

// TestLongLets: a chain of lets, each of which stands for all before it, is refused before it fills the memory.
func TestLongLets(t *testing.T) {
	var b strings.Builder
	b.WriteString("model m\nplate N\nglobal a ~ Normal(0, var = 1)\nlet l0 = a\n")
	const n = 5000
	for i := range n {
		fmt.Fprintf(&b, "let l%d = l%d + 1\n", i+1, i)
	}
	fmt.Fprintf(&b, "data y[n in N] : real ~ Normal(l%d, var = 1)\n", n)
	m, diags := run(chunk{"lets.gm", b.String()})
	if m != nil || len(diags) != 1 || !strings.Contains(show(diags[0]), "is too long once the lets in it are substituted | together with the lets above") {
		t.Errorf("model %v, diagnostics %d: %s", m != nil, len(diags), show(diags[0]))
	}
}

// TestTruncation: what runtime has no probabilities of intervals for is not truncated, or the sampler would not compile.
func TestTruncation(t *testing.T) {
	mass := laplace.LogMass
	defer func() { laplace.LogMass = mass }()
	src := "model m\nglobal x : real > 0 ~ Laplace(0, scale = 1)\n"
	if m, diags := run(chunk{"truncated", src}); m == nil {
		t.Errorf("a Laplace is refused: %v", diags)
	}
	laplace.LogMass = ""
	m, diags := run(chunk{"truncated", src})
	if m != nil || len(diags) != 1 || !strings.Contains(show(diags[0]), "Laplace cannot be truncated => leave the bounds out") {
		t.Errorf("without a LogMass: %v", diags)
	}
}
