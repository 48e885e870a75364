package runtime

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// exchange is the exchangeable Gaussian model z[n] ~ Normal(theta, 1), y[n] = 0 ~ Normal(z[n], s), theta flat, without sums kept: it is
// for tests of what chooses batches, not for speed.
type exchange struct {
	Sampler
	rng   *Rand
	theta float64
	z     []float64
	v     float64 // variance of z[n] given theta: s/(1 + s)
}

func newExchange(units int, gamma float64, seed uint64, chain int) *exchange {
	return &exchange{rng: NewRand(seed, uint64(chain)), z: make([]float64, units), v: gamma}
}

func (e *exchange) Units() int        { return len(e.z) }
func (e *exchange) Rebuild()          {}
func (e *exchange) Names() []string   { return []string{"theta"} }
func (e *exchange) LogJoint() float64 { return 0 }
func (e *exchange) AppendValues(dst []float64) []float64 {
	return append(dst, e.theta)
}
func (e *exchange) Operations() (globals, locals float64, steps int) {
	return 2, 2 * float64(len(e.z)), 1
}
func (e *exchange) UpdateGlobals() error {
	var sum float64
	for _, z := range e.z {
		sum += z
	}
	n := float64(len(e.z))
	e.theta = sum/n + e.rng.Norm()/math.Sqrt(n)
	return nil
}
func (e *exchange) UpdateLocals(units []int) error {
	draw := func(u int) { e.z[u] = e.v*e.theta + math.Sqrt(e.v)*e.rng.Norm() }
	for u := range e.z {
		if units == nil {
			draw(u)
		}
	}
	for _, u := range units {
		draw(u)
	}
	return nil
}

// decided runs four chains and returns what was decided, and the draws of theta.
func decided(t *testing.T, units int, gamma float64, opts Options) (*Decision, [][]float64) {
	t.Helper()
	var d *Decision
	opts.Chains = 4
	opts.Decided = func(made *Decision) error { d = made; return nil }
	out := make([]Memory, opts.Chains)
	if err := Run(t.Context(), opts, func(chain int) (Sampler, error) { return newExchange(units, gamma, opts.Seed, chain), nil },
		func(chain int) (Sink, error) { return &out[chain], nil }); err != nil {
		t.Fatal(err)
	}
	var draws [][]float64
	for _, m := range out {
		draws = append(draws, m.Draws[0])
	}
	return d, draws
}

func sameDraws(a, b [][]float64) bool {
	return slices.EqualFunc(a, b, func(x, y []float64) bool { return slices.Equal(x, y) })
}

// TestReplay: a run with the costs that another has measured chooses the same batches and makes the same draws; with none, the draws
// depend on the clock through the choice alone.
func TestReplay(t *testing.T) {
	opts := Options{Warmup: 50, Draws: 4000, Seed: 3, Adapt: Auto}
	first, draws := decided(t, 40, 0.5, opts)
	if first.Costs != "measured" || first.Full <= 0 || first.Local <= 0 {
		t.Fatalf("%+v", first)
	}
	opts.Costs = &first.RoundCosts
	again, same := decided(t, 40, 0.5, opts)
	if again.Costs != "replayed" || again.Batch != first.Batch || again.Verdict != first.Verdict || !slices.Equal(again.Candidates, first.Candidates) {
		t.Errorf("first %+v\nagain %+v", first, again)
	}
	if !sameDraws(draws, same) {
		t.Error("other draws")
	}
	opts.Seed = 4
	if _, other := decided(t, 40, 0.5, opts); sameDraws(draws, other) {
		t.Error("the same draws with another seed")
	}
}

// TestCounted: with operation counts a choice is the same again, and the costs are those counts.
func TestCounted(t *testing.T) {
	opts := Options{Warmup: 50, Draws: 20_000, Seed: 3, Adapt: Auto, Counted: true, Rounds: true}
	d, draws := decided(t, 40, 0.5, opts)
	if want := (RoundCosts{Local: 2, Global: 2, Full: 82}); d.Costs != "counted" || d.RoundCosts != want {
		t.Errorf("%s costs %+v, want %+v", d.Costs, d.RoundCosts, want)
	}
	if d.Batch == 40 || len(d.Candidates) < 3 {
		t.Errorf("%+v", d)
	}
	if len(draws[0]) != 20_000 {
		t.Errorf("%d draws", len(draws[0]))
	}
	if _, again := decided(t, 40, 0.5, opts); !sameDraws(draws, again) {
		t.Error("other draws the second time")
	}
}

// TestNothingToTune: what has no choice says so, and runs full sweeps.
func TestNothingToTune(t *testing.T) {
	for _, tt := range []struct {
		units, draws int
		adapt        Adapt
		want         string
	}{
		{0, 10, Auto, "no locals"},
		{1, 10, Grid, "one local unit"},
		{40, 10, Auto, "so short a run"},
	} {
		d, draws := decided(t, tt.units, 0.5, Options{Warmup: 5, Draws: tt.draws, Adapt: tt.adapt})
		if d.Batch != tt.units || !strings.Contains(d.Verdict, tt.want) || len(draws[3]) != tt.draws {
			t.Errorf("%+v: %+v", tt, d)
		}
	}
}

// TestDecidedFails: an error of Decided ends the run, whose sinks are aborted.
func TestDecidedFails(t *testing.T) {
	var out Memory
	planted := errors.New("planted")
	opts := Options{Chains: 1, Warmup: 5, Adapt: Grid, Decided: func(*Decision) error { return planted }}
	err := Run(t.Context(), opts, func(int) (Sampler, error) { return newExchange(40, 0.5, 1, 0), nil }, func(int) (Sink, error) { return &out, nil })
	if !errors.Is(err, planted) || out.Draws != nil {
		t.Errorf("error %v, %d draws", err, len(out.Draws))
	}
}

// TestRounds: of rounds as the unit a draw is kept after each, and a batch is refreshed between two of them.
func TestRounds(t *testing.T) {
	var out Memory
	s := newExchange(10, 0.5, 1, 0)
	opts := Options{Chains: 1, Warmup: 1, Draws: 7, Thin: 2, Batch: 3, Rounds: true}
	if err := Run(t.Context(), opts, func(int) (Sampler, error) { return s, nil }, func(int) (Sink, error) { return &out, nil }); err != nil {
		t.Fatal(err)
	}
	if n := len(out.Draws[0]); n != 7 {
		t.Errorf("%d draws", n)
	}
	slices.Sort(out.Draws[0])
	if n := len(slices.Compact(out.Draws[0])); n != 7 {
		t.Errorf("%d different draws", n)
	}
}

func TestRegress(t *testing.T) {
	sizes := []int{1, 4, 16, 64, 256, 1000}
	seconds := make([]float64, len(sizes))
	for i, m := range sizes {
		seconds[i] = 5 + 2*float64(m)
	}
	seconds[2] *= 30 // spoilt
	seconds[5] = 1005
	if got, want := regress(sizes, seconds), (RoundCosts{Local: 2, Global: 5, Full: 1005}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestSurface: the fit has the exact surface back, and the least of its objective is where the formula says.
func TestSurface(t *testing.T) {
	tn := &tuner{n: 240, run: &run{chains: make([]chainRun, 1)}}
	tn.RoundCosts = RoundCosts{1, 1, 241}
	const a, b, length = 2, 5, 7
	tn.moments = []moment{{n: 1, squares: 1}}
	for _, m := range []int{2, 10, 60, 240} {
		arm := tn.arm(pace{m, 1})
		arm.sweeps = 1
		arm.means = []moment{{n: 1, mean: math.Sqrt((a*float64(m)/240 + b) / length)}}
	}
	f := tn.fit(0, length)
	if math.Abs(f.a-a) > 1e-9 || math.Abs(f.b-b) > 1e-9 {
		t.Fatalf("%+v", f)
	}
	want := int(math.Round(math.Sqrt(b * 240.0 / a)))
	if got := f.best(tn); got != want {
		t.Errorf("m* = %d, want %d", got, want)
	}
	for m := 1; m < 240; m++ {
		if f.objective(tn, m) < f.objective(tn, want)*(1-1e-3) {
			t.Errorf("m = %d has %v, m* %v", m, f.objective(tn, m), f.objective(tn, want))
		}
	}
}

// TestDrawsDoesNotAdapt: one chain alone says that it chooses no batch size.
func TestDrawsDoesNotAdapt(t *testing.T) {
	n := 0
	for _, err := range Draws(t.Context(), newExchange(40, 0.5, 1, 0), Options{Adapt: Auto}) {
		if n++; err == nil || !strings.Contains(err.Error(), "Options.Adapt") {
			t.Errorf("error %v", err)
		}
	}
	if n != 1 {
		t.Errorf("%d draws", n)
	}
}
