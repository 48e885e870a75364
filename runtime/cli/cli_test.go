// This file tests the command line of a compiled sampler with a model of its own: what is read, written, printed and refused.

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// fake draws mu ~ Normal(mean of y, 1), and fails at a sweep of choice.
type fake struct {
	mean, mu float64
	rng      *runtime.Rand
	sweeps   int
	failAt   int
	stop     context.CancelFunc // called at the fifth sweep, if set
	width    int                // more columns of mu
}

func (f *fake) Units() int               { return 0 }
func (f *fake) UpdateLocals([]int) error { return nil }
func (f *fake) Rebuild()                 {}
func (f *fake) LogJoint() float64        { return -f.mu * f.mu / 2 }
func (f *fake) UpdateGlobals() error {
	if f.sweeps++; f.sweeps == f.failAt {
		return errors.New("mu is stuck")
	}
	if f.stop != nil && f.sweeps == 5 {
		f.stop()
	}
	f.mu = f.mean + f.rng.Norm()
	return nil
}

func (f *fake) Parts() []any { return []any{f.rng, &f.mu, &f.mean, &f.sweeps} }

func (f *fake) Names() []string {
	names := []string{"mu"}
	for i := range f.width {
		names = append(names, fmt.Sprint("x.", i+1))
	}
	return names
}

func (f *fake) AppendValues(dst []float64) []float64 {
	dst = append(dst, f.mu)
	for range f.width {
		dst = append(dst, f.mu)
	}
	return dst
}

func (f *fake) SetInit(set *dataio.Set) error {
	if v := set.Values["mu"]; v != nil {
		if v.Real[0] < 0 {
			return errors.New("mu is -1, must be positive")
		}
		f.mean = v.Real[0]
	}
	return nil
}

func fakeModel(change func(*fake)) Model {
	return Model{
		Name: "fake", Version: "test",
		Schema: dataio.Schema{Model: "fake", Plates: []dataio.Plate{{Name: "N", Size: -1, Axis: true}, {Name: "K", Size: 2}},
			Fields: []dataio.Field{{Name: "y", Kind: dataio.Real, Dims: []string{"N"}}}},
		Unknowns: []dataio.Field{{Name: "mu", Kind: dataio.Real}, {Name: "z", Kind: dataio.Category, Of: "K", Dims: []string{"N"}}},
		New: func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
			f := &fake{rng: rng}
			for _, y := range set.Values["y"].Real {
				if y > 1000 {
					return nil, errors.New("y[1] is too large")
				}
				f.mean += y / float64(len(set.Values["y"].Real))
			}
			if change != nil {
				change(f)
			}
			return f, nil
		},
	}
}

// inputs makes a directory of files, moves there, and returns nothing that a failing run may leave.
func inputs(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"y.json":     `{"y": [1, 2, 3]}`,
		"large.json": `{"y": [1e9]}`,
		"nan.json":   `{"y": [1, NaN]}`,
		"init.json":  `{"mu": 100}`,
		"low.json":   `{"mu": -1}`,
		"names.json": `{"z": ["a", "b", "a"]}`,
		"short.json": `{"z": [1, 2]}`,
		"wrong.json": `{"nu": 1}`,
		"file":       ``,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func run(m Model, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Run(context.Background(), m, args, &out, &err)
	return code, out.String(), err.String()
}

// TestTransformations: each has a flag.
func TestTransformations(t *testing.T) {
	for _, name := range dataio.Transformations() {
		s, err := parse(fakeModel(nil), []string{"--" + name + "=y", "y.json"}, io.Discard)
		if err != nil {
			t.Error(err)
		} else if got := s.data.Transform; len(got) != 1 || got[0] != name+":y" {
			t.Errorf("--%s=y asks for %v", name, got)
		}
	}
}

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		name   string
		args   string
		change func(*fake)
		code   int
		stderr string // part of it
	}{
		{"help", "--help", nil, OK, "Examples:"},
		{"unknown flag", "--draw=3 y.json", nil, BadUsage, "draw"},
		{"no draws", "--draws=0 y.json", nil, BadUsage, "must be a whole number above zero"},
		{"negative chains", "--chains=-2 y.json", nil, BadUsage, "above zero"},
		{"too many sweeps", "--draws=4000000000000000000 --thin=9 y.json", nil, BadUsage, "too many sweeps"},
		{"warmup of words", "--warmup=some y.json", nil, BadUsage, "zero or more"},
		{"negative seed", "--seed=-1 y.json", nil, BadUsage, "2^64"},
		{"two starts", "--init=init.json --init=init.json --chains=3 y.json", nil, BadUsage, "2 files of initial values for 3 chains"},
		{"no data", "", nil, BadInput, "y is in none of the files"},
		{"no file", "nowhere.json", nil, BadInput, "nowhere.json: cannot be opened"},
		{"NaN", "nan.json", nil, BadInput, "nan.json:1: y[2]"},
		{"model refuses", "large.json", nil, BadInput, "y[1] is too large"},
		{"unknown constant", "--set=c=1 y.json", nil, BadInput, "c"},
		{"bad transformation", "--unit=Y y.json", nil, BadInput, "--unit=Y: the model reads no \"Y\" (did you mean y?)"},
		{"start outside", "--init=low.json y.json", nil, BadInput, "mu is -1"},
		{"start by names", "--init=names.json y.json", nil, BadInput, "give them as numbers"},
		{"start of another size", "--init=short.json y.json", nil, BadInput, "z"},
		{"start of another model", "--init=wrong.json y.json", nil, BadInput, "nu"},
		{"out is a file", "--out=file y.json", nil, BadInput, "file is a file"},
		{"out under a file", "--out=file/draws y.json", nil, BadInput, "file is a file"},
		{"out is empty", "--out= y.json", nil, BadInput, "--out is empty"},
		{"failure", "--chains=1 --out=a/b y.json", func(f *fake) { f.failAt = 7 }, BadInput, "chain 1, sweep 7 (warmup): globals: mu is stuck"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inputs(t)
			before, _ := filepath.Glob("*")
			code, stdout, stderr := run(fakeModel(tt.change), strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(stderr, tt.stderr) || stdout != "" {
				t.Errorf("exit code %d, stdout %q, stderr %q; want %d and %q", code, stdout, stderr, tt.code, tt.stderr)
			}
			if after, _ := filepath.Glob("*"); len(after) != len(before) {
				t.Errorf("files %v became %v", before, after)
			}
		})
	}
}

func TestDraws(t *testing.T) {
	inputs(t)
	code, stdout, stderr := run(fakeModel(nil), "--draws=20", "--warmup=0", "--chains=2", "--out=a/b", "y.json")
	if code != OK || !strings.Contains(stdout, "\nmu ") || !strings.Contains(stdout, "\nlog_joint ") || !strings.Contains(stderr, "draws are in") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	first := read(t, "a/b/fake-1.csv")
	if strings.Count(first, "\n-") != 20 || first == read(t, "a/b/fake-2.csv") {
		t.Errorf("want 20 rows, other ones than chain 2's:\n%s", first)
	}

	// The same seed gives the same draws, quietly, whatever the number of chains; the second chain's old file goes.
	code, _, stderr = run(fakeModel(nil), "--draws=20", "--warmup=0", "--chains=1", "--out=a/b", "--quiet", "y.json")
	if code != OK || stderr != "" || read(t, "a/b/fake-1.csv") != first {
		t.Errorf("exit code %d, stderr %q, or other draws", code, stderr)
	}
	if _, err := os.Stat("a/b/fake-2.csv"); err == nil {
		t.Error("an earlier run's second chain is still there")
	}
	run(fakeModel(nil), "--draws=20", "--warmup=0", "--chains=1", "--out=c", "--seed=2", "y.json")
	if read(t, "c/fake-1.csv") == first {
		t.Error("another seed gives the same draws")
	}

	// Initial values arrive: the mean is 100 where the data say 2, an error of 98 standard deviations.
	code, stdout, _ = run(fakeModel(nil), "--draws=20", "--init=init.json", "--out=d", "y.json")
	if _, line, ok := strings.Cut(stdout, "\nmu "); code != OK || !ok || !strings.HasPrefix(strings.TrimSpace(line), "100") && !strings.HasPrefix(strings.TrimSpace(line), "99") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// TestNoStart: a chain that finds no start by itself says what helps, and initial values do.
func TestNoStart(t *testing.T) {
	inputs(t)
	m := fakeModel(nil)
	start := m.New
	m.New = func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
		s, err := start(set, rng)
		return s, errors.Join(err, runtime.ErrNoStart)
	}
	if code, _, stderr := run(m, "--draws=20", "y.json"); code != BadInput || !strings.Contains(stderr, runtime.ErrNoStart.Error()) {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := run(m, "--draws=20", "--init=init.json", "y.json"); code != OK {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

func TestInterrupt(t *testing.T) {
	inputs(t)
	ctx, stop := context.WithCancel(context.Background())
	var out, err bytes.Buffer
	m := fakeModel(func(f *fake) { f.stop = stop })
	code := Run(ctx, m, []string{"--draws=1000", "--warmup=0", "--chains=1", "y.json"}, &out, &err)
	if code != BadInput || !strings.Contains(err.String(), "interrupted; the draws so far are kept") || !strings.Contains(out.String(), "\nmu ") {
		t.Errorf("exit code %d\n%s%s", code, out.String(), err.String())
	}
	if rows := strings.Count(read(t, "fake-draws/fake-1.csv"), "\n-"); rows != 5 {
		t.Errorf("%d rows, want the 5 before the interruption", rows)
	}
}

// TestManyScalars looks at the table of a model with more scalars than it shows.
func TestManyScalars(t *testing.T) {
	inputs(t)
	code, stdout, stderr := run(fakeModel(func(f *fake) { f.width = 500 }), "--draws=10", "--chains=1", "y.json")
	if code != OK || strings.Count(stdout, "\nx.") != tableMost-2 || !strings.Contains(stdout, "more") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
