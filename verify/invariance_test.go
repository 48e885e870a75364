// This file checks the check of invariance: faults that no single conditional shows are caught.

package verify_test

import (
	"slices"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
	"github.com/gibbsgen/gibbsgen/verify"
)

// spoilt returns the mixture with a sampler that is spoilt.
func spoilt(spoil func(*mixture.Sampler) verify.Subject) verify.Model {
	return verify.Model{Source: mixture.Source, Schema: mixture.Schema, Open: func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
		s, err := mixture.Open(set, rng)
		if err != nil {
			return nil, err
		}
		return spoil(s.(*mixture.Sampler)), nil
	}}
}

// choosy refreshes only those units of a batch that are not in the first category: a batch that depends on the state.
type choosy struct{ *mixture.Sampler }

func (c choosy) UpdateLocals(units []int) error {
	if units == nil {
		for u := range c.Units() {
			units = append(units, u)
		}
	}
	units = slices.DeleteFunc(slices.Clone(units), func(u int) bool { return c.State().Z[u] == 0 })
	if len(units) == 0 {
		return nil
	}
	return c.Sampler.UpdateLocals(units)
}

// stale draws the locals by the means before they were last drawn.
type stale struct {
	*mixture.Sampler
	before []float64
}

func (s *stale) UpdateGlobals() error {
	s.before = slices.Clone(s.State().Mu)
	return s.Sampler.UpdateGlobals()
}

func (s *stale) UpdateLocals(units []int) error {
	if s.before == nil {
		return s.Sampler.UpdateLocals(units)
	}
	now := s.State().Clone()
	mu := now.Mu
	now.Mu = s.before
	if err := s.SetState(now); err != nil {
		return err
	}
	if err := s.Sampler.UpdateLocals(units); err != nil {
		return err
	}
	end := s.State().Clone()
	end.Mu = mu
	return s.SetState(end)
}

// narrow draws a variance that is a little too small.
type narrow struct{ *mixture.Sampler }

func (s narrow) UpdateGlobals() error {
	if err := s.Sampler.UpdateGlobals(); err != nil {
		return err
	}
	next := s.State().Clone()
	for k := range next.S2 {
		next.S2[k] *= 0.6
	}
	return s.SetState(next)
}

func TestInvarianceCatchesPlantedFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(*mixture.Sampler) verify.Subject
		want  string // the kind of check that finds it, beside others
	}{
		{"none", func(s *mixture.Sampler) verify.Subject { return s }, ""},
		{"a batch that depends on the state", func(s *mixture.Sampler) verify.Subject { return choosy{s} }, "invariance"},
		{"locals by stale globals", func(s *mixture.Sampler) verify.Subject { return &stale{Sampler: s} }, "invariance"},
		{"a narrow draw", func(s *mixture.Sampler) verify.Subject { return narrow{s} }, "joint"},
	} {
		r, err := verify.Run(spoilt(tt.spoil), verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var failed []string
		for _, c := range r.Checks {
			if c.Outcome == verify.Failed {
				failed = append(failed, c.Kind)
				t.Logf("%s: %s: %s", tt.name, c.Name, c.Detail)
			}
		}
		switch {
		case tt.want == "" && len(failed) > 0:
			t.Errorf("a right sampler fails: %v", failed)
		case tt.want != "" && !slices.Contains(failed, tt.want):
			t.Errorf("%s is not caught by %s but by %v", tt.name, tt.want, failed)
		}
	}
}
