// This file tests MODEL-run.json: what it holds while a run lasts, after it, and after one that was stopped or failed.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// recordOf runs a model and returns what the record says, nil if there is none.
func recordOf(t *testing.T, ctx context.Context, m Model, args ...string) *RunRecord {
	t.Helper()
	var out, errs bytes.Buffer
	Run(ctx, m, args, &out, &errs)
	text, err := os.ReadFile(RunRecordPath("fake-draws", "fake"))
	if os.IsNotExist(err) {
		return nil
	}
	r := &RunRecord{}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	return r
}

func TestRunRecord(t *testing.T) {
	inputs(t)
	m := fakeModel(nil)
	m.Spec, m.Source = "fake.gm", "model fake // <é>\n"
	args := []string{"--draws=20", "--warmup=0", "--chains=2", "--seed=7", "--scan=shuffled", "y.json"}
	r := recordOf(t, t.Context(), m, args...)
	if r == nil || r.Model != "fake" || r.Version != "test" || r.Spec != (SpecText{"fake.gm", "model fake // <é>\n"}) ||
		!slices.Equal(r.Data, []string{"y.json"}) || !slices.Equal(r.Args, args) {
		t.Errorf("%+v", r)
	}
	if o := r.Options; o.Chains != 2 || o.Draws != 20 || o.Thin != 1 || o.Warmup != -1 || o.Seed != 7 || o.Scan != runtime.ShuffledScan {
		t.Errorf("%+v", o)
	}
	if r.Started.IsZero() || !(r.Seconds > 0) || r.Interrupted {
		t.Errorf("started %v, took %v, interrupted %v", r.Started, r.Seconds, r.Interrupted)
	}

	// While it lasts it has no length.
	m = fakeModel(func(f *fake) { f.failAt = 5 })
	start := m.New
	var during *RunRecord
	m.New = func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
		s, err := start(set, rng)
		return &spy{Sampler: s, look: func() {
			text, _ := os.ReadFile(RunRecordPath("fake-draws", "fake"))
			during = &RunRecord{}
			if err := json.Unmarshal(text, during); err != nil {
				t.Errorf("during the run: %v in %q", err, text)
			}
		}}, err
	}
	if r := recordOf(t, t.Context(), m, "--chains=1", "y.json"); r != nil {
		t.Errorf("a run that failed left %+v", r)
	}
	if during == nil || during.Seconds != 0 || during.Started.IsZero() {
		t.Errorf("during the run: %+v", during)
	}

	ctx, stop := context.WithCancel(t.Context())
	r = recordOf(t, ctx, fakeModel(func(f *fake) { f.stop = stop }), "--chains=1", "--warmup=0", "y.json")
	if r == nil || !r.Interrupted || !(r.Seconds > 0) {
		t.Errorf("interrupted: %+v", r)
	}
	ctx, stop = context.WithCancel(t.Context())
	r = recordOf(t, ctx, fakeModel(func(f *fake) { f.stop = stop }), "--chains=1", "--warmup=10", "--checkpoint=0", "y.json")
	if r != nil {
		t.Errorf("interrupted in warmup, with nothing to go on from: %+v", r)
	}
}

// A spy looks at the directory at each draw of the globals.
type spy struct {
	runtime.Sampler
	look func()
}

func (s *spy) Parts() []any { return []any{s.Sampler} }

func (s *spy) UpdateGlobals() error {
	s.look()
	return s.Sampler.UpdateGlobals()
}
