//go:build unix

// This file tests that a run which is killed again and again, by SIGKILL and at moments of chance, makes in the end the files of one that
// was not, byte for byte. The test binary is the sampler: TestMain runs it as one where the environment says so.

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	goruntime "runtime"
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
	roomEnv    = "GIBBSGEN_TEST_ROOM"    // bytes that a file may have
)

func TestMain(m *testing.M) {
	if model, ok := killed[os.Getenv(samplerEnv)]; ok {
		if room, err := strconv.ParseUint(os.Getenv(roomEnv), 10, 64); err == nil {
			signal.Ignore(syscall.SIGXFSZ)
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: room, Max: room}); err != nil {
				panic(err)
			}
		}
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

// generated is what every generated sampler is.
type generated interface {
	runtime.Sampler
	runtime.Saver
	runtime.Shower
	runtime.Operator
}

// mortal has a model's samplers end the process at the sweep that the environment says.
func mortal(open func(*dataio.Set, *runtime.Rand) (runtime.Sampler, error)) func(*dataio.Set, *runtime.Rand) (runtime.Sampler, error) {
	at, _ := strconv.Atoi(os.Getenv(sweepEnv))
	return func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
		s, err := open(set, rng)
		if err != nil {
			return nil, err
		}
		d := &dying{s.(generated), at}
		if crewed, ok := s.(runtime.Crewed); ok {
			return &dyingCrewed{d, crewed}, nil
		}
		return d, nil
	}
}

type dying struct {
	generated
	left int
}

type dyingCrewed struct {
	*dying
	crewed runtime.Crewed
}

func (d *dyingCrewed) Crew() *runtime.Crew { return d.crewed.Crew() }

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
		{"lasso", "lasso.csv", "--standardise=X --binarise=y --intercept=X --warmup=500 --draws=6000 --batch=auto --costs=counted", 8000},
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
			if out, err := sampler(t.Context(), os.Kill, tt.model, 0, append(args, "--checkpoint=0", "--out="+whole)...); err != nil {
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
				stop := os.Kill
				if kill%4 == 3 {
					stop = os.Interrupt
				}
				out, err := sampler(ctx, stop, tt.model, sweep, args...)
				cancel()
				if errors.Is(err, errNotBegun) {
					continue
				}
				if complete = err == nil || errors.Is(err, context.DeadlineExceeded); complete { // too late to kill it
					break
				}
				if !strings.Contains(err.Error(), "killed") && !strings.Contains(err.Error(), "interrupt") && !strings.Contains(out, "interrupted") {
					t.Fatalf("%v\n%s", err, out)
				}
				_, gone := os.Stat(notePath(parts, tt.model))
				if complete = gone != nil && strings.HasPrefix(args[0], "--resume"); complete {
					// Killed when it had come to its end, perhaps while it removed its checkpoints, the first of them the note.
					left, _ := filepath.Glob(filepath.Join(parts, "*.ckpt*"))
					for _, file := range left {
						os.Remove(file)
					}
					break
				}
				if left, _ := filepath.Glob(filepath.Join(parts, "*-[0-9].ckpt")); len(left) > 0 {
					resumed++
				}
				if gone == nil {
					args = []string{"--resume=" + parts, "--quiet", "--checkpoint=1ms"}
				}
			}
			if !complete {
				if out, err := sampler(t.Context(), os.Kill, tt.model, 0, args...); err != nil {
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

// TestFullDisk: a run that can write no more says so, keeps what its checkpoints refer to, and goes on once there is room. The disk is full
// at several moments: with the draws, and with the checkpoint itself.
func TestFullDisk(t *testing.T) {
	whole := quickDir(t)
	args := []string{"--warmup=20000", "--draws=2000", "--thin=40", "--chains=2", "--quiet", "--data=" + filepath.Join("..", "..", "specs", "pump.json")}
	if out, err := sampler(t.Context(), os.Kill, "pump", 0, append(args, "--out="+whole)...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := runFiles(t, whole)
	for _, room := range []int{300, 20_000, 60_000, len(want["pump-1.csv"]) - 1} {
		parts := quickDir(t)
		t.Setenv(roomEnv, strconv.Itoa(room))
		out, err := sampler(t.Context(), os.Kill, "pump", 0, append(args, "--checkpoint=1ms", "--out="+parts)...)
		os.Unsetenv(roomEnv)
		if err == nil || !strings.Contains(out, "file too large") {
			t.Fatalf("room for %d bytes: %v\n%s", room, err, out)
		}
		if !strings.Contains(out, "--resume="+parts+" goes on from there") {
			if left := runFiles(t, parts); len(left) > 0 {
				t.Errorf("room for %d bytes: nothing to go on with, and left is %q", room, left)
			}
			continue
		}
		if out, err := sampler(t.Context(), os.Kill, "pump", 0, "--resume="+parts, "--quiet"); err != nil {
			t.Fatalf("room for %d bytes before: %v\n%s", room, err, out)
		}
		got := runFiles(t, parts)
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("room for %d bytes before: %s has %d bytes, and %d in a run that had room; they part at %d", room, name, len(got[name]), len(want[name]), parting(got[name], want[name]))
			}
		}
	}
}

// TestMemory: a run of a hundred times as many draws needs no more memory, but for what the table at its end takes, which has a bound.
func TestMemory(t *testing.T) {
	peak := func(draws string) int64 {
		cmd := exec.Command(os.Args[0], "--draws="+draws, "--chains=2", "--quiet", "--out="+quickDir(t), "--data="+filepath.Join("..", "..", "specs", "pump.json"))
		cmd.Env = append(os.Environ(), samplerEnv+"=pump", "GOMAXPROCS=2")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		rss := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
		if goruntime.GOOS == "darwin" {
			rss /= 1024
		}
		return rss
	}
	few, many := peak("3000"), peak("300000")
	t.Logf("3000 draws of two chains: %d kB at most, 300000: %d kB", few, many)
	if many > few+50_000 {
		t.Errorf("3000 draws need %d kB, 300000 draws %d kB", few, many)
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

// sampler runs the test binary as a model's sampler until it ends, or ctx does, which sends it the signal, or it comes to the sweep.
func sampler(ctx context.Context, stop os.Signal, model string, sweep int, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(stop) }
	cmd.Env = append(os.Environ(), samplerEnv+"="+model, sweepEnv+"="+strconv.Itoa(sweep))
	out, err := cmd.CombinedOutput()
	if cmd.Process == nil {
		err = errNotBegun
	}
	return string(out), err
}

// errNotBegun is sampler's error where ctx ended before the process began, as it may on a busy machine.
var errNotBegun = errors.New("the sampler was not begun")

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
