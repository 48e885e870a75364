// This file tests that a run which is killed again and again, by SIGKILL and at moments of chance, makes in the end the files of one that
// was not, byte for byte. The test binary is the sampler: TestMain runs it as one where the environment says so.

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gibbsgen/gibbsgen/generated/dpmm"
	"github.com/gibbsgen/gibbsgen/generated/lasso"
	"github.com/gibbsgen/gibbsgen/generated/lda"
	"github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/generated/pump"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

const (
	samplerEnv = "GIBBSGEN_TEST_SAMPLER" // name of the model that the test binary is the sampler of
	sweepEnv   = "GIBBSGEN_TEST_KILL"    // its sweep at which it is killed
)

func TestMain(m *testing.M) {
	if model, ok := killed[os.Getenv(samplerEnv)]; ok {
		Main(model)
	}
	os.Exit(m.Run())
}

var killed = map[string]Model{
	"lasso":   {Schema: lasso.Schema, New: mortal(lasso.Open)},
	"mixture": {Schema: mixture.Schema, New: mortal(mixture.Open), Monitor: []string{"z"}},
	"dpmm":    {Schema: dpmm.Schema, New: mortal(dpmm.Open), Monitor: []string{"mu", "z"}},
	"lda":     {Schema: lda.Schema, New: mortal(lda.Open), Monitor: []string{"z"}},
	"pump":    {Schema: pump.Schema, New: mortal(pump.Open)},
}

func init() {
	for name, m := range killed {
		m.Name, m.Version = name, "test"
		killed[name] = m
	}
}

// a generated sampler.
type generated interface {
	runtime.Sampler
	runtime.Saver
	runtime.Shower
}

// mortal has a model's samplers end the process at the sweep that the environment says.
func mortal(open func(*dataio.Set, *runtime.Rand) (runtime.Sampler, error)) func(*dataio.Set, *runtime.Rand) (runtime.Sampler, error) {
	at, _ := strconv.Atoi(os.Getenv(sweepEnv))
	return func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
		s, err := open(set, rng)
		if err != nil {
			return nil, err
		}
		return &dying{s.(generated), at}, nil
	}
}

type dying struct {
	generated
	left int
}

func (d *dying) UpdateGlobals() error {
	if d.left--; d.left == 0 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	return d.generated.UpdateGlobals()
}

func (d *dying) Tune(on bool) {
	if t, ok := d.generated.(runtime.Tuner); ok {
		t.Tune(on)
	}
}

func TestKilled(t *testing.T) {
	kills := 20
	if testing.Short() {
		kills = 4
	}
	dir := t.TempDir()
	words := filepath.Join(dir, "lda.docword.txt")
	rng := runtime.NewRand(41)
	var bag strings.Builder
	fmt.Fprintf(&bag, "30\n12\n%d\n", 30*5)
	for doc := range 30 {
		for k := range 5 {
			fmt.Fprintf(&bag, "%d %d %d\n", doc+1, 1+2*k+rng.IntN(2), 1+rng.IntN(3))
		}
	}
	if err := os.WriteFile(words, []byte(bag.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		model, data, args string
		sweeps            int // of a chain
	}{
		{"pump", "pump.json", "--warmup=20000 --draws=2000 --thin=40", 100_000},
		{"lasso", "lasso.csv", "--standardise=X --binarise=y --intercept=X --warmup=2000 --draws=1000 --thin=15", 17_000},
		{"lasso", "lasso.csv", "--standardise=X --binarise=y --intercept=X --warmup=500 --draws=2000 --batch=37 --scan=shuffled --workers=2", 2500},
		{"mixture", "mixture.csv", "--warmup=2000 --draws=1500 --thin=20 --batch=7", 32_000},
		{"dpmm", "dpmm.csv", "--standardise=x --warmup=300 --draws=500 --thin=2", 1300},
		{"lda", words, "--set=topics=3 --warmup=500 --draws=500 --thin=10", 5500},
	} {
		t.Run(tt.model, func(t *testing.T) {
			data := tt.data
			if !filepath.IsAbs(data) {
				data = filepath.Join("..", "..", "specs", data)
			}
			whole, parts := quickDir(t), quickDir(t)
			args := append(strings.Fields(tt.args), "--chains=2", "--quiet", "--data="+data)
			begun := time.Now()
			if out, err := sampler(t.Context(), tt.model, 0, append(args, "--checkpoint=0", "--out="+whole)...); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			took := time.Since(begun)

			rng := runtime.NewRand(42)
			args = append(args, "--checkpoint=1ms", "--out="+parts)
			resumed, complete := 0, false
			for kill := range kills {
				// At a sweep, or at a moment: then also while files are written, closed and renamed. Later than most of the checkpoints of
				// what is left of the run, so that it goes on, and with so many kills does not come to its end.
				ctx, cancel, sweep := t.Context(), func() {}, 1+rng.IntN(tt.sweeps/kills)
				if kill%2 == 1 {
					ctx, cancel = context.WithTimeout(t.Context(), time.Duration(float64(took)*rng.Float64()*3/float64(kills)))
					sweep = 0
				}
				out, err := sampler(ctx, tt.model, sweep, args...)
				cancel()
				if complete = err == nil || errors.Is(err, context.DeadlineExceeded); complete { // too late to kill it
					break
				}
				if !strings.Contains(err.Error(), "killed") {
					t.Fatalf("%v\n%s", err, out)
				}
				_, gone := os.Stat(notePath(parts, tt.model))
				if complete = gone != nil && strings.HasPrefix(args[0], "--resume"); complete {
					break // killed while it printed its summary
				}
				if left, _ := filepath.Glob(filepath.Join(parts, "*-[0-9].ckpt")); len(left) > 0 {
					resumed++
				}
				if gone == nil {
					args = []string{"--resume=" + parts, "--quiet", "--checkpoint=1ms"}
				}
			}
			if !complete {
				if out, err := sampler(t.Context(), tt.model, 0, args...); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			t.Logf("a run of %v; gone on with from checkpoints after %d kills", took.Round(time.Millisecond), resumed)
			got, want := runFiles(t, parts), runFiles(t, whole)
			for name := range want {
				if got[name] != want[name] {
					t.Errorf("%s has %d bytes, and %d in a run that is not killed; they part at %d", name, len(got[name]), len(want[name]), parting(got[name], want[name]))
				}
			}
			for name := range got {
				if _, ok := want[name]; !ok {
					t.Errorf("%s is left", name)
				}
			}
		})
	}
}

// quickDir is a directory in memory, where there is one: there a checkpoint takes no time, and so many can be made.
func quickDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "gibbsgen")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// sampler runs the test binary as a model's sampler until it ends, or ctx does, or it comes to the sweep.
func sampler(ctx context.Context, model string, sweep int, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), samplerEnv+"="+model, sweepEnv+"="+strconv.Itoa(sweep))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// runFiles are the files of a directory but for the record of the run, which has times.
func runFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		if !strings.HasSuffix(f, "-run.json") {
			out[filepath.Base(f)] = read(t, f)
		}
	}
	return out
}

// parting is where two texts first differ.
func parting(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
