// This file checks the check of invariance: faults that no single conditional shows are caught.

package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
	"github.com/gibbsgen/gibbsgen/runtime/verify"
)

// forwardMixture draws from the model, and may spoil the sampler.
func forwardMixture(spoil func(*mixture.Sampler) verify.Subject) verify.Forward {
	return func(set *dataio.Set, rng *runtime.Rand) (verify.Subject, error) {
		data, hyper, err := mixture.Load(set)
		if err != nil {
			return nil, err
		}
		data, state, err := mixture.Simulate(data, hyper, rng)
		if err != nil {
			return nil, err
		}
		s, err := mixture.NewAt(data, hyper, state, rng)
		if err != nil {
			return nil, err
		}
		return spoil(s), nil
	}
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

// notes is a TB that keeps what it hears.
type notes struct{ errors []string }

func (n *notes) Helper()             {}
func (n *notes) Logf(string, ...any) {}
func (n *notes) Errorf(format string, args ...any) {
	n.errors = append(n.errors, fmt.Sprintf(format, args...))
}
func (n *notes) Fatalf(format string, args ...any) { n.Errorf(format, args...) }

func TestInvarianceCatchesPlantedFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		spoil func(*mixture.Sampler) verify.Subject
		want  string // what is said of it
	}{
		{"none", func(s *mixture.Sampler) verify.Subject { return s }, ""},
		{"a batch that depends on the state", func(s *mixture.Sampler) verify.Subject { return choosy{s} }, "occupied(K)|overlap(K)|z"},
		{"locals by stale globals", func(s *mixture.Sampler) verify.Subject { return &stale{Sampler: s} }, "the log joint|mu|s2"},
		{"a narrow draw", func(s *mixture.Sampler) verify.Subject { return narrow{s} }, "s2"},
	} {
		n := &notes{}
		verify.Invariance(n, mixture.Schema, forwardMixture(tt.spoil))
		switch {
		case tt.want == "" && len(n.errors) > 0:
			t.Errorf("a right sampler: %s", n.errors[0])
		case tt.want != "" && len(n.errors) == 0:
			t.Errorf("%s is not caught", tt.name)
		case tt.want != "":
			t.Logf("%s: %s", tt.name, n.errors[0])
			if !slices.ContainsFunc(strings.Split(tt.want, "|"), func(w string) bool { return strings.Contains(n.errors[0], w) }) {
				t.Errorf("%s: %s, want a word on %s", tt.name, n.errors[0], tt.want)
			}
		}
	}
}
