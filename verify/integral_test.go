// This file checks the check of what is integrated out: a factor that no ratio shows is caught.

package verify_test

import (
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/dpmmfull"
	"github.com/gibbsgen/gibbsgen/generated/ldaboth"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
	"github.com/gibbsgen/gibbsgen/verify"
)

// halved says that what is integrated out has half the density that it has, as where the family's support is twice the model's.
type halved struct{ *ldaboth.Sampler }

func (h halved) LogCollapsed() float64 { return h.Sampler.LogCollapsed() - 0.6931471805599453 }
func (h halved) LogJoint() float64     { return h.Sampler.LogJoint() + 0.6931471805599453 }

func TestIntegralCatchesAFactor(t *testing.T) {
	m := verify.Model{Source: ldaboth.Source, Schema: ldaboth.Schema, Forward: ldaboth.Forward}
	for _, tt := range []struct {
		name string
		open func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error)
		want verify.Outcome
	}{
		{"as it is", ldaboth.Open, verify.Passed},
		{"halved", func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
			s, err := ldaboth.Open(set, rng)
			if err != nil {
				return s, err
			}
			return halved{s.(*ldaboth.Sampler)}, nil
		}, verify.Failed},
	} {
		m.Open = tt.open
		r, err := verify.Run(m, verify.Options{Level: verify.Exact})
		if err != nil {
			t.Fatal(err)
		}
		made := false
		for _, c := range r.Checks {
			switch {
			case c.Kind == "integral":
				made = true
				if c.Outcome != tt.want {
					t.Errorf("%s: %s is %v, want %v: %s", tt.name, c.Name, c.Outcome, tt.want, c.Detail)
				}
				if c.Outcome == verify.Failed && !strings.Contains(c.Detail, "integrated over theta[") {
					t.Errorf("%s: %s does not say over what", tt.name, c.Detail)
				}
			case c.Outcome == verify.Failed:
				t.Errorf("%s: %s fails: %s", tt.name, c.Name, c.Detail)
			}
		}
		if !made {
			t.Errorf("%s: nothing was integrated", tt.name)
		}
	}
}

// TestIntegralOfCategoriesThatOpen: a sweep opens and closes categories of an unbounded plate, and with them what is integrated out.
func TestIntegralOfCategoriesThatOpen(t *testing.T) {
	m := verify.Model{Source: dpmmfull.Source, Schema: dpmmfull.Schema, Open: dpmmfull.Open, Forward: dpmmfull.Forward}
	for _, seed := range []uint64{10, 13, 30} { // where the sweep does
		r, err := verify.Run(m, verify.Options{Level: verify.Exact, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Checks {
			if c.Outcome == verify.Failed {
				t.Errorf("seed %d: %s: %s", seed, c.Name, c.Detail)
			}
		}
	}
}
