// This file tests --resume within one process: a run that is interrupted again and again makes the files of one that is not, and what
// stands in the way of going on is said. That a process may be killed is tested with compiled samplers (cmd/gibbsgen).

package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// walker is wide, with a random walk for its numbers, which stops the run at some sweeps.
type walker struct {
	*wide
	rng    *runtime.Rand
	stopAt map[int]bool
	stop   func()
}

func (w *walker) Parts() []any {
	parts := []any{w.rng, &w.n, &w.all[7].Dims[0].Size}
	for i := range w.all[:7] {
		if u := &w.all[i]; u.Real != nil {
			parts = append(parts, u.Real)
		}
	}
	return append(parts, w.all[3].Cat, w.all[4].Cat, w.all[5].Bool, w.grown[:])
}

func (w *walker) UpdateGlobals() error {
	w.wide.UpdateGlobals()
	for i := range w.all[1].Real {
		w.all[1].Real[i] += w.rng.Norm()
	}
	if w.stopAt[w.n] {
		w.stop()
	}
	return nil
}

func (w *walker) Unknowns() []runtime.Unknown {
	g := &w.all[7]
	g.Real = w.grown[:g.Dims[0].Size]
	return w.all
}

// walk makes a run that is interrupted at some sweeps of each chain, and gone on with each time. It returns the files of draws.
func walk(t *testing.T, stops []int, more []string, args ...string) map[string]string {
	t.Helper()
	inputs(t)
	args = append(args, "--out=d", "--quiet")
	for try := 0; ; try++ {
		ctx, stop := context.WithCancel(t.Context())
		m := fakeModel(nil)
		m.New = func(_ *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
			w := &walker{wide: newWide(), rng: rng, stop: stop}
			if try < len(stops) {
				w.stopAt = map[int]bool{stops[try]: true}
			}
			return w, nil
		}
		var out, errs bytes.Buffer
		code := Run(ctx, m, append(args, "y.json"), &out, &errs)
		stop()
		switch {
		case try < len(stops) && (code != BadInput || !strings.Contains(errs.String(), "--resume=d goes on")):
			t.Fatalf("stopped at %d: exit code %d\n%s", stops[try], code, errs.String())
		case try == len(stops) && code != OK:
			t.Fatalf("the last part: exit code %d\n%s", code, errs.String())
		case try == len(stops):
			return draws(t, "d")
		}
		args = append([]string{"--resume=d", "--quiet"}, more...)
	}
}

// draws returns the files of a directory but for the record of the run, which has times.
func draws(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		if text := read(t, f); filepath.Base(f) != "fake-run.json" {
			out[filepath.Base(f)] = text
		}
	}
	return out
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is\n%.300s\nand without a stop\n%.300s", name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is left", name)
		}
	}
}

func TestResume(t *testing.T) {
	for _, tt := range []struct {
		name  string
		stops []int
		more  []string
		args  string
	}{
		{"in warmup and later", []int{3, 11, 12, 20, 29}, nil, "--warmup=10 --draws=10 --thin=2 --chains=1"},
		{"two chains", []int{7, 13, 25}, nil, "--warmup=5 --draws=20 --chains=2"},
		{"at the last sweep", []int{14}, nil, "--warmup=5 --draws=10 --chains=1"},
		{"all unknowns", []int{4, 8}, nil, "--warmup=5 --draws=10 --chains=2 --monitor=mu,z,grow,big,rag,on"},
		{"more draws", []int{8}, []string{"--draws=100"}, "--warmup=5 --draws=9 --chains=2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := strings.Fields(tt.args)
			same(t, walk(t, tt.stops, tt.more, args...), walk(t, nil, nil, append(args, tt.more...)...))
		})
	}
}

// TestResumeRefuses: what stands in the way is said, and nothing that is there changes.
func TestResumeRefuses(t *testing.T) {
	stopped := func(t *testing.T) Model {
		inputs(t)
		ctx, stop := context.WithCancel(t.Context())
		var out, errs bytes.Buffer
		m := fakeModel(func(f *fake) { f.stop = stop })
		if code := Run(ctx, m, []string{"--draws=1000", "--warmup=0", "--chains=1", "--thin=1", "--out=d", "y.json"}, &out, &errs); code != BadInput {
			t.Fatalf("exit code %d\n%s", code, errs.String())
		}
		return fakeModel(nil)
	}
	change := func(file string, f func([]byte) []byte) func(*Model) {
		return func(*Model) {
			text, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile(file, f(text), 0o666)
			}
			if err != nil {
				panic(err)
			}
		}
	}
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	cut := func(b []byte) []byte { return b[:len(b)/2] }
	for _, tt := range []struct {
		name   string
		change func(*Model)
		args   string
		code   int
		want   string
	}{
		{"seed", nil, "--seed=9", BadUsage, "--seed is 9, and the run was begun with 1"},
		{"chains", nil, "--chains=2", BadUsage, "--chains is 2, and the run was begun with 1"},
		{"thin", nil, "--thin=2", BadUsage, "--thin is 2"},
		{"warmup", nil, "--warmup=7", BadUsage, "--warmup is 7, and the run was begun with -1"},
		{"scan", nil, "--scan=random", BadUsage, `--scan is "random", and the run was begun with the default`},
		{"monitor", nil, "--monitor=mu", BadUsage, "--monitor is mu, and the run was begun with none"},
		{"fewer draws", nil, "--draws=10", BadUsage, "it can be raised alone"},
		{"out", nil, "--out=e", BadUsage, "--out=e is another directory"},
		{"test", nil, "--test=y.json", BadUsage, "--test makes no draws"},
		{"the spec", func(m *Model) { m.Source = "model fake2" }, "", BadUsage, "the spec has changed"},
		{"the version", func(m *Model) { m.Version = "2" }, "", BadUsage, "begun with gibbsgen test, and this is 2"},
		{"other data", nil, "--data=large.json", BadInput, "too large"},
		{"the data", change("y.json", func(b []byte) []byte { return bytes.Replace(b, []byte("2"), []byte("3"), 1) }), "", BadInput, "data or initial values are not those"},
		{"initial values", nil, "--init=init.json", BadInput, "data or initial values are not those"},
		{"no data", func(*Model) { os.Remove("y.json") }, "", BadUsage, "y.json, which the run began with, is not there"},
		{"no note", func(*Model) { os.Remove("d/fake-run.ckpt") }, "", BadUsage, "no run of fake was stopped here"},
		{"a damaged note", change("d/fake-run.ckpt", flip), "", BadUsage, "checksum"},
		{"a damaged checkpoint", change("d/fake-1.ckpt", flip), "", BadInput, "checkpoint d/fake-1.ckpt: it is cut short or damaged"},
		{"half a checkpoint", change("d/fake-1.ckpt", cut), "", BadInput, "checkpoint d/fake-1.ckpt: it is cut short or damaged"},
		{"no checkpoint", change("d/fake-1.ckpt", func([]byte) []byte { return []byte("draw,value\n") }), "", BadInput, "this is no checkpoint of gibbsgen"},
		{"another run's checkpoint", func(*Model) {
			os.Remove("d/fake-1.ckpt")
			os.Rename("d/fake-run.ckpt", "d/fake-1.ckpt")
			os.WriteFile("d/fake-run.ckpt", note1, 0o666)
		}, "", BadInput, "it is of another run"},
		{"half the draws", change("d/fake-1.csv", cut), "", BadInput, "it has 272 bytes, and had 544 at the last checkpoint"},
		{"no draws", func(*Model) { os.Remove("d/fake-1.csv") }, "", BadInput, "the draws so far are gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := stopped(t)
			note1, _ = os.ReadFile("d/fake-run.ckpt")
			if tt.change != nil {
				tt.change(&m)
			}
			before := draws(t, "d")
			code, out, stderr := run(m, append(strings.Fields(tt.args), "--resume=d")...)
			if strings.Contains(stderr, "goes on from there") {
				t.Errorf("it is said that --resume would go on: %q", stderr)
			}
			if code != tt.code || !strings.Contains(stderr, tt.want) || out != "" {
				t.Errorf("exit code %d, stdout %q, stderr %q; want %d and %q", code, out, stderr, tt.code, tt.want)
			}
			after := draws(t, "d")
			if text, ok := after["fake-1.csv.partial"]; ok && tt.name == "half the draws" {
				delete(after, "fake-1.csv.partial")
				after["fake-1.csv"] = text
			}
			same(t, after, before)
		})
	}
	// Where there never was a run, or one is complete.
	inputs(t)
	for range 2 {
		if code, _, stderr := run(fakeModel(nil), "--resume=d", "y.json"); code != BadUsage || !strings.Contains(stderr, "no run of fake was stopped here") {
			t.Errorf("exit code %d, %s", code, stderr)
		}
		if code, _, stderr := run(fakeModel(nil), "--draws=9", "--checkpoint=1ns", "--out=d", "y.json"); code != OK {
			t.Fatal(stderr)
		}
		if left, _ := filepath.Glob("d/*.ckpt*"); len(left) != 0 {
			t.Errorf("a run that is complete leaves %q", left)
		}
	}
}

var note1 []byte

// TestResumeAfterFailure: a run that fails keeps what its checkpoints refer to, and goes on once the cause is gone; without a checkpoint
// it leaves nothing.
func TestResumeAfterFailure(t *testing.T) {
	for _, every := range []string{"1ns", "1h"} {
		inputs(t)
		m := fakeModel(func(f *fake) { f.failAt = 800 })
		args := []string{"--draws=1000", "--warmup=100", "--chains=1", "--checkpoint=" + every, "--out=d", "y.json"}
		code, _, stderr := run(m, args...)
		if every == "1h" {
			if _, err := os.Stat("d"); code != BadInput || strings.Contains(stderr, "--resume") || err == nil {
				t.Errorf("exit code %d, %s, directory %v", code, stderr, err)
			}
			continue
		}
		if code != BadInput || !strings.Contains(stderr, "mu is stuck") || !strings.Contains(stderr, "--resume=d goes on from there") {
			t.Fatalf("exit code %d, %s", code, stderr)
		}
		if code, _, stderr := run(fakeModel(nil), "--resume=d"); code != OK {
			t.Fatalf("exit code %d, %s", code, stderr)
		}
		got := read(t, "d/fake-1.csv")
		run(fakeModel(nil), "--draws=1000", "--warmup=100", "--chains=1", "--out=e", "y.json")
		if want := read(t, "e/fake-1.csv"); got != want {
			t.Error("the draws are others than those of a run that does not fail")
		}
	}
}
