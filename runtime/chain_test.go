package runtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// ar1 is a Sampler of two AR(1) chains: mu, drawn by UpdateGlobals, and one local
// that follows it. It notes what is called, and fails when told to.
type ar1 struct {
	rng     *rand.Rand
	mu, z   float64
	calls   []string // kept only if note
	note    bool
	sweeps  int
	rebuilt []int  // sweeps at which Rebuild was called
	failAt  int    // sweep whose update fails; 0 never
	local   bool   // it is the locals that fail
	extra   int    // values too many
	onSweep func() // called at the start of a sweep
}

var errPlanted = errors.New("planted")

func newAR1(seed uint64, chain int) *ar1 {
	return &ar1{rng: rand.New(rand.NewPCG(seed, uint64(chain)))}
}

func (s *ar1) log(format string, args ...any) {
	if s.note {
		s.calls = append(s.calls, fmt.Sprintf(format, args...))
	}
}

func (s *ar1) Units() int { return 1 }

func (s *ar1) UpdateGlobals() error {
	s.sweeps++
	if s.onSweep != nil {
		s.onSweep()
	}
	s.log("globals")
	if s.sweeps == s.failAt && !s.local {
		return errPlanted
	}
	s.mu = 0.5*s.mu + s.rng.NormFloat64()
	return nil
}

func (s *ar1) UpdateLocals(units []int) error {
	s.log("locals %v", units == nil)
	if s.sweeps == s.failAt && s.local {
		return errPlanted
	}
	s.z = s.mu + s.rng.NormFloat64()
	return nil
}

func (s *ar1) Rebuild() {
	s.log("rebuild")
	s.rebuilt = append(s.rebuilt, s.sweeps)
}

func (s *ar1) LogJoint() float64 { s.log("logjoint"); return -s.mu * s.mu / 2 }
func (s *ar1) Names() []string   { return []string{"mu", "z.1"} }
func (s *ar1) AppendValues(dst []float64) []float64 {
	dst = append(dst, s.mu, s.z)
	for range s.extra {
		dst = append(dst, 0)
	}
	return dst
}

// filesIn returns sinks that write chain-1.csv, ... in dir.
func filesIn(dir string, opts Options) func(int) (Sink, error) {
	return func(chain int) (Sink, error) {
		return CreateCmdStan(filepath.Join(dir, fmt.Sprintf("chain-%d.csv", chain+1)),
			CmdStanHeader{Model: "ar1", Chain: chain, Options: opts})
	}
}

// contents returns what is in dir, by file name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		m[e.Name()] = string(b)
	}
	return m
}

func keysOf(m map[string]string) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestStepOrder(t *testing.T) {
	s := newAR1(1, 0)
	s.note = true
	if err := Step(s); err != nil {
		t.Fatal(err)
	}
	if want := []string{"globals", "locals true"}; !slices.Equal(s.calls, want) {
		t.Errorf("Step calls %q, want %q", s.calls, want)
	}
}

// Warmup and thinned sweeps are counted, and a draw is recorded after the
// rebuild that falls on its sweep.
func TestRunOrder(t *testing.T) {
	s := newAR1(1, 0)
	s.note = true
	var m Memory
	opts := Options{Chains: 1, Warmup: 1, Draws: 1, Thin: 2, RebuildEvery: 3}
	err := Run(t.Context(), opts, func(int) (Sampler, error) { return s, nil }, func(int) (Sink, error) { return &m, nil })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"globals", "locals true", "rebuild",
		"globals", "locals true", "rebuild",
		"globals", "locals true", "rebuild", "logjoint",
	}
	if !slices.Equal(s.calls, want) {
		t.Errorf("calls %q, want %q", s.calls, want)
	}
	if !slices.Equal(m.Names, s.Names()) || len(m.LogJoint) != 1 || m.Draws[1][0] != s.z || m.LogJoint[0] != s.LogJoint() {
		t.Errorf("Memory holds %+v, the state is %+v", m, s)
	}
}

func TestOptionsDefaults(t *testing.T) {
	o, err := Options{}.WithDefaults()
	if err != nil || o.Chains != 4 || o.Warmup != 1000 || o.Draws != 1000 || o.Thin != 1 || o.RebuildEvery != 1000 {
		t.Errorf("defaults %+v, %v", o, err)
	}
	o, err = Options{Warmup: -1, RebuildEvery: -1}.WithDefaults()
	if err == nil {
		o, err = o.WithDefaults() // writing them out twice must not bring the default back
	}
	if err != nil || o.Warmup > 0 || o.RebuildEvery > 0 {
		t.Errorf("none %+v, %v", o, err)
	}
	const most = int(^uint(0) >> 1)
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Chains: -1}, "Chains is -1"},
		{Options{Workers: -1}, "Workers is -1"},
		{Options{Draws: -5}, "Draws is -5"},
		{Options{Thin: -2}, "Thin is -2"},
		{Options{Draws: most/2 + 1, Thin: 2}, "too many"},
		{Options{Warmup: most}, "too many"},
	} {
		if _, err := c.opts.WithDefaults(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %q", c.opts, err, c.want)
		}
		if err := Run(t.Context(), c.opts, nil, nil); err == nil {
			t.Errorf("Run took %+v", c.opts)
		}
	}
}

func TestRunSameOnAnyNumberOfProcessors(t *testing.T) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(0))
	opts := Options{Chains: 5, Warmup: 7, Draws: 250, Thin: 3, Seed: 11, RebuildEvery: 10}
	var first map[string]string
	for _, procs := range []int{1, 2, 8} {
		goruntime.GOMAXPROCS(procs)
		dir := t.TempDir()
		err := Run(t.Context(), opts, func(chain int) (Sampler, error) { return newAR1(opts.Seed, chain), nil }, filesIn(dir, opts))
		if err != nil {
			t.Fatal(err)
		}
		got := contents(t, dir)
		if len(got) != 5 {
			t.Fatalf("files %v, want five", keysOf(got))
		}
		if first == nil {
			first = got
		}
		for name := range first {
			if got[name] != first[name] {
				t.Errorf("%s differs between 1 and %d processors", name, procs)
			}
		}
	}
	if first["chain-1.csv"] == first["chain-2.csv"] {
		t.Error("two chains are the same")
	}
}

func TestRunAtMostGOMAXPROCSChains(t *testing.T) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(4))
	for _, tt := range []struct{ workers, atOnce int32 }{{0, 4}, {1, 4}, {2, 2}, {3, 1}, {9, 1}} {
		var now, most atomic.Int32
		opts := Options{Chains: 7, Warmup: 3, Draws: 20, Workers: int(tt.workers)}
		err := Run(t.Context(), opts,
			func(chain int) (Sampler, error) {
				s := newAR1(1, chain)
				s.onSweep = func() {
					if s.sweeps == 1 {
						n := now.Add(1)
						for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
						}
					}
					if s.sweeps == 23 {
						now.Add(-1)
					}
					goruntime.Gosched()
				}
				return s, nil
			},
			func(int) (Sink, error) { return new(Memory), nil })
		if err != nil {
			t.Fatal(err)
		}
		if m := most.Load(); m < 1 || m > tt.atOnce {
			t.Errorf("%d workers: %d chains at once, want at most %d", tt.workers, m, tt.atOnce)
		}
	}
}

func TestProgress(t *testing.T) {
	type call struct {
		phase       Phase
		done, total int
	}
	calls := map[int][]call{}
	opts := Options{Chains: 3, Warmup: 2, Draws: 3000, Thin: 1}
	opts.Progress = func(chain int, phase Phase, done, total int) { // a map: -race would tell of two at a time
		calls[chain] = append(calls[chain], call{phase, done, total})
	}
	err := Run(t.Context(), opts,
		func(chain int) (Sampler, error) { return newAR1(1, chain), nil },
		func(int) (Sink, error) { return new(Memory), nil })
	if err != nil {
		t.Fatal(err)
	}
	for chain := range 3 {
		c := calls[chain]
		if len(c) != 2+1000 {
			t.Fatalf("chain %d: %d calls, want 1002", chain, len(c))
		}
		for i, want := range map[int]call{0: {Warmup, 1, 2}, 1: {Warmup, 2, 2}, 2: {Sampling, 3, 3000}, 1001: {Sampling, 3000, 3000}} {
			if c[i] != want {
				t.Errorf("chain %d, call %d: %v, want %v", chain, i, c[i], want)
			}
		}
	}
}

// A run that the user stops keeps what it has, in files that say how much it is.
func TestRunCancelled(t *testing.T) {
	opts := Options{Chains: 3, Warmup: 5, Draws: 10000, Thin: 2, Seed: 3}
	whole := t.TempDir()
	make1 := func(chain int) (Sampler, error) { return newAR1(opts.Seed, chain), nil }
	if err := Run(t.Context(), opts, make1, filesIn(whole, opts)); err != nil {
		t.Fatal(err)
	}
	reference := contents(t, whole)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir := t.TempDir()
	stop := opts
	stop.Progress = func(chain int, phase Phase, done, total int) {
		if phase == Sampling && done == 600 {
			cancel()
		}
	}
	err := Run(ctx, stop, make1, filesIn(dir, opts))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want context.Canceled", err)
	}
	got := contents(t, dir)
	if len(got) == 0 {
		t.Fatal("nothing kept")
	}
	longest := 0
	for name, text := range got {
		names, draws, meta, err := ReadCmdStan(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n := len(draws[0])
		longest = max(longest, n)
		if n == 0 || n >= opts.Draws {
			t.Errorf("%s: %d draws", name, n)
		}
		if want := fmt.Sprint(n * opts.Thin); meta["num_samples"] != want {
			t.Errorf("%s: num_samples = %q with %d draws, want %s", name, meta["num_samples"], n, want)
		}
		if len(names) != 4 {
			t.Errorf("%s: names %q", name, names)
		}
		// The same draws as without the interruption, as far as they go.
		_, body, _ := strings.Cut(text, "lp__")
		_, wholeBody, _ := strings.Cut(reference[name], "lp__")
		if !strings.HasPrefix(wholeBody, body) {
			t.Errorf("%s: other draws than in the whole run", name)
		}
	}
	// Stopped after the sweep in which it was told, so within the next draw.
	if longest < 300 {
		t.Errorf("the longest chain has %d draws, but one got to 300", longest)
	}
}

// Draws of an earlier run are not given up for none.
func TestRunCancelledBeforeAnyDraw(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "chain-1.csv")
	if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	opts := Options{Chains: 2, Progress: func(int, Phase, int, int) { cancel() }}
	err := Run(ctx, opts, func(chain int) (Sampler, error) { return newAR1(1, chain), nil }, filesIn(dir, opts))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if got := contents(t, dir); len(got) != 1 || got["chain-1.csv"] != "old" {
		t.Errorf("files %v, want the old one as it was", got)
	}
	// A context that has ended before Run starts nothing.
	err = Run(ctx, Options{}, func(int) (Sampler, error) { t.Error("newChain called"); return nil, errPlanted }, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// A context that ends when all is done changes nothing.
func TestRunCancelledTooLate(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	opts := Options{Chains: 1, Warmup: -1, Draws: 3}
	opts.Progress = func(_ int, _ Phase, done, total int) {
		if done == total {
			cancel()
		}
	}
	var m Memory
	err := Run(ctx, opts, func(int) (Sampler, error) { return newAR1(1, 0), nil }, func(int) (Sink, error) { return &m, nil })
	if err != nil || len(m.LogJoint) != 3 {
		t.Errorf("error %v with %d of 3 draws", err, len(m.LogJoint))
	}
}

// planted makes the sink of one chain fail.
type planted struct {
	Sink
	begin, draw, close, abort error
	aborted, closed           *atomic.Int32
}

func (p planted) Begin(names []string) error {
	if p.begin != nil {
		return p.begin
	}
	return p.Sink.Begin(names)
}

func (p planted) Draw(lp float64, v []float64) error {
	if p.draw != nil {
		return p.draw
	}
	return p.Sink.Draw(lp, v)
}

func (p planted) Close() error {
	p.closed.Add(1)
	if p.close != nil {
		return p.close
	}
	return p.Sink.Close()
}

func (p planted) Abort() error {
	p.aborted.Add(1)
	return errors.Join(p.abort, p.Sink.Abort())
}

// An error names chain and sweep, stops the others, and leaves no file behind.
func TestRunErrors(t *testing.T) {
	const long = 1 << 40 // the other chains end only because they are stopped
	for _, c := range []struct {
		name    string
		sampler func(*ar1) error // of chain 2
		sink    planted          // of chain 2
		newSink error
		want    []string
		sweep   int
		phase   Phase
	}{
		{name: "globals, warmup", sampler: func(s *ar1) error { s.failAt = 3; return nil }, want: []string{"chain 2, sweep 3 (warmup): globals: planted"}, sweep: 3},
		{name: "locals, sampling", sampler: func(s *ar1) error { s.failAt, s.local = 12, true; return nil }, want: []string{"chain 2, sweep 12 (sampling): locals: planted"}, sweep: 12, phase: Sampling},
		{name: "newChain", sampler: func(*ar1) error { return errPlanted }, want: []string{"chain 2, before its first sweep: planted"}},
		{name: "sink", newSink: errPlanted, want: []string{"chain 2, before its first sweep: planted"}},
		{name: "begin", sink: planted{begin: errPlanted}, want: []string{"chain 2, before its first sweep: planted"}},
		{name: "draw", sink: planted{draw: errPlanted}, want: []string{"chain 2, sweep 11 (sampling): planted"}, sweep: 11, phase: Sampling},
		{name: "values", sampler: func(s *ar1) error { s.extra = 1; return nil }, want: []string{"chain 2, sweep 11 (sampling)", "the sampler gave 3 values for 2 names"}, sweep: 11, phase: Sampling},
		{name: "abort too", sampler: func(s *ar1) error { s.failAt = 3; return nil }, sink: planted{abort: errors.New("abort failed")}, want: []string{"globals: planted", "abort failed"}, sweep: 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			opts := Options{Chains: 3, Warmup: 10, Draws: long}
			files := filesIn(dir, opts)
			var aborted, closed atomic.Int32
			err := Run(t.Context(), opts,
				func(chain int) (Sampler, error) {
					s := newAR1(1, chain)
					if chain == 1 && c.sampler != nil {
						return s, c.sampler(s)
					}
					return s, nil
				},
				func(chain int) (Sink, error) {
					p := planted{}
					if chain == 1 {
						if p = c.sink; c.newSink != nil {
							return nil, c.newSink
						}
					}
					inner, err := files(chain)
					p.Sink, p.aborted, p.closed = inner, &aborted, &closed
					return p, err
				})
			var where *ChainError
			if !errors.As(err, &where) || where.Chain != 1 || where.Sweep != c.sweep || where.Phase != c.phase {
				t.Errorf("error %v at %+v, want chain 1, sweep %d", err, where, c.sweep)
			}
			for _, want := range c.want {
				if !strings.Contains(fmt.Sprint(err), want) {
					t.Errorf("error %q, want %q in it", err, want)
				}
			}
			if got := contents(t, dir); len(got) != 0 {
				t.Errorf("left behind: %q", keysOf(got))
			}
			if closed.Load() != 0 {
				t.Errorf("%d sinks closed, want none", closed.Load())
			}
		})
	}
}

// A chain that can't close its sink fails; the one that was complete is kept.
func TestRunCloseError(t *testing.T) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(1)) // chains one after the other
	dir := t.TempDir()
	opts := Options{Chains: 3, Warmup: 1, Draws: 4}
	files := filesIn(dir, opts)
	var aborted, closed atomic.Int32
	err := Run(t.Context(), opts,
		func(chain int) (Sampler, error) { return newAR1(1, chain), nil },
		func(chain int) (Sink, error) {
			inner, err := files(chain)
			p := planted{Sink: inner, aborted: &aborted, closed: &closed}
			if chain == 1 {
				p.close = errPlanted
			}
			return p, err
		})
	if err == nil || !strings.Contains(err.Error(), "chain 2, sweep 5 (sampling): planted") {
		t.Errorf("error %v", err)
	}
	if got := keysOf(contents(t, dir)); !slices.Equal(got, []string{"chain-1.csv"}) {
		t.Errorf("files %q, want chain-1.csv alone", got)
	}
	if aborted.Load() != 1 || closed.Load() != 2 {
		t.Errorf("%d aborted, %d closed; want 1 and 2", aborted.Load(), closed.Load())
	}
}

func TestRebuildEvery(t *testing.T) {
	for _, c := range []struct {
		every int
		want  []int
	}{{4, []int{1, 2, 4, 8, 12}}, {-1, nil}, {0, []int{1, 2, 4, 8}}} {
		s := newAR1(1, 0)
		for _, err := range Draws(t.Context(), s, Options{Warmup: 3, Draws: 5, Thin: 2, RebuildEvery: c.every}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(s.rebuilt, c.want) {
			t.Errorf("RebuildEvery %d: rebuilt after sweeps %v, want %v", c.every, s.rebuilt, c.want)
		}
	}
}

func TestDraws(t *testing.T) {
	opts := Options{Warmup: 4, Draws: 6, Thin: 2, Chains: 9}
	collect := func(ctx context.Context, s *ar1, stop int) (at []int, last error) {
		for i, err := range Draws(ctx, s, opts) {
			if err != nil {
				return at, err
			}
			at = append(at, s.sweeps)
			if i != len(at)-1 {
				t.Errorf("draw %d yielded as %d", len(at)-1, i)
			}
			if i == stop {
				break
			}
		}
		return at, nil
	}
	if at, err := collect(t.Context(), newAR1(1, 0), -1); err != nil || !slices.Equal(at, []int{6, 8, 10, 12, 14, 16}) {
		t.Errorf("draws after sweeps %v, %v", at, err)
	}
	s := newAR1(1, 0)
	if at, err := collect(t.Context(), s, 1); err != nil || len(at) != 2 || s.sweeps != 8 {
		t.Errorf("break after two draws: %v, %v, %d sweeps made", at, err, s.sweeps)
	}
	s = newAR1(1, 0)
	s.failAt = 9
	if at, err := collect(t.Context(), s, -1); len(at) != 2 || !errors.Is(err, errPlanted) || !strings.Contains(err.Error(), "sweep 9") {
		t.Errorf("failure in sweep 9: %v, %v", at, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s = newAR1(1, 0)
	s.onSweep = func() {
		if s.sweeps == 8 {
			cancel()
		}
	}
	if at, err := collect(ctx, s, -1); !slices.Equal(at, []int{6, 8}) || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled in sweep 8: %v, %v", at, err)
	}
	n := 0
	for _, err := range Draws(t.Context(), s, Options{Thin: -1}) {
		if n++; err == nil {
			t.Error("Draws took Thin -1")
		}
	}
	if n != 1 {
		t.Errorf("%d pairs, want the error alone", n)
	}
}

// A sweep and its draw allocate nothing, once buffers have grown.
func TestNoAllocations(t *testing.T) {
	dir := t.TempDir()
	opts, err := Options{Draws: 1 << 20}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	out, err := filesIn(dir, opts)(0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	s := newAR1(1, 0)
	d := newDriver(s, opts, 0)
	if err := d.begin(out); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	round := func() {
		if err := errors.Join(d.sweep(ctx, nil), d.record(out)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2000 { // past a flush and a rebuild
		round()
	}
	s.rebuilt = make([]int, 0, 100)
	if n := testing.AllocsPerRun(3000, round); n != 0 {
		t.Errorf("%v allocations a sweep and draw, want 0", n)
	}
}

// TestTime: a run that takes too long ends well, each chain with a draw at least, the first of those it would have had.
func TestTime(t *testing.T) {
	draws := func(opts Options) (out []float64) {
		s := newAR1(1, 0)
		for _, err := range Draws(t.Context(), s, opts) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s.mu)
		}
		return out
	}
	all, one := draws(Options{Warmup: 1, Draws: 20}), draws(Options{Warmup: 1, Draws: 20, Time: 1})
	if len(all) != 20 || len(one) != 1 || one[0] != all[0] {
		t.Errorf("%d draws, and within a nanosecond %v, want the first of %v", len(all), one, all)
	}
	if in := draws(Options{Warmup: 1, Draws: 20, Time: time.Hour}); !slices.Equal(in, all) {
		t.Errorf("within an hour %v, want %v", in, all)
	}
	if _, err := (Options{Time: -1}).WithDefaults(); err == nil {
		t.Error("a negative time is taken")
	}
}

// tuned is an ar1 that notes the sweep before which its settings were to be learned, and to be kept.
type tuned struct {
	*ar1
	at []string
}

func (s *tuned) Tune(on bool) { s.at = append(s.at, fmt.Sprint(s.sweeps, on)) }

// TestTune: settings are learned in warmup and stay from then on.
func TestTune(t *testing.T) {
	for _, c := range []struct {
		warmup int
		want   []string
	}{{7, []string{"0 true", "7 false"}}, {-1, []string{"0 true", "0 false"}}} {
		s := &tuned{ar1: newAR1(1, 0)}
		for _, err := range Draws(t.Context(), s, Options{Warmup: c.warmup, Draws: 3}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(s.at, c.want) {
			t.Errorf("warmup %d: Tune was called at %q, want %q", c.warmup, s.at, c.want)
		}
	}
}
