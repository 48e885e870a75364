// This file checks the exact checks: what is wrong is caught, and said.

package verify_test

import (
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/verify"
)

// bent has conditionals whose log densities are bent.
type bent struct {
	*mixture.Sampler
	bend func(name string, x []float64) float64
}

func (b bent) Conditionals() []runtime.Conditional {
	out := b.Sampler.Conditionals()
	for i, c := range out {
		out[i].LogDensity = func(x []float64) float64 { return c.LogDensity(x) + b.bend(c.Name, x) }
	}
	return out
}

// misprinted prints another log joint than that of its spec.
type misprinted struct{ *mixture.Sampler }

func (m misprinted) LogJoint() float64 { return m.Sampler.LogJoint() + 1e-5*m.State().Mu[0] }

// forgetful is off in a sum after draws of z, until it is summed anew.
type forgetful struct {
	*mixture.Sampler
	off float64
}

func (f *forgetful) Conditionals() []runtime.Conditional {
	out := f.Sampler.Conditionals()
	for i, c := range out {
		if strings.HasPrefix(c.Name, "z[") {
			out[i].Draw = func() error {
				f.off = 1e-6
				return c.Draw()
			}
		}
	}
	return out
}

func (f *forgetful) Accumulators() []float64 {
	out := f.Sampler.Accumulators()
	out[0] += f.off
	return out
}

func (f *forgetful) Resum() {
	f.off = 0
	f.Sampler.Resum()
}

func TestExactCatchesPlantedFaults(t *testing.T) {
	prior := func(k float64) func(*mixture.Sampler) verify.Subject {
		return func(s *mixture.Sampler) verify.Subject {
			return bent{s, func(name string, x []float64) float64 {
				if !strings.HasPrefix(name, "s2[") {
					return 0
				}
				return k * runtime.InvGammaLogPDF(x[0], mixture.DefaultHyper(mixture.Sizes{}).A, mixture.DefaultHyper(mixture.Sizes{}).B)
			}}
		}
	}
	for _, tt := range []struct {
		name  string
		spoil func(*mixture.Sampler) verify.Subject
		check string   // that finds it
		says  []string // in its words
	}{
		{"a prior counted half", prior(-0.5), "conditional of s2", []string{"s2 ~ InvGamma 0.5 times, not once", "x ~ Normal", "N = ", "mu = "}},
		{"a prior forgotten", prior(-1), "conditional of s2", []string{"s2 ~ InvGamma 0 times"}},
		{"a log joint misprinted", func(s *mixture.Sampler) verify.Subject { return misprinted{s} }, "log joint as printed", nil},
		{"a sum that is not kept", func(s *mixture.Sampler) verify.Subject { return &forgetful{Sampler: s} }, "sums after draws of z", []string{"summed from scratch"}},
	} {
		r, err := verify.Run(spoilt(tt.spoil), verify.Options{Level: verify.Exact})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, c := range r.Checks {
			if c.Outcome != verify.Failed {
				continue
			}
			t.Logf("%s: %s: %s", tt.name, c.Name, c.Detail)
			if c.Name == tt.check {
				found = true
				for _, want := range tt.says {
					if !strings.Contains(c.Detail, want) {
						t.Errorf("%s: %s\nlacks %q", tt.name, c.Detail, want)
					}
				}
			}
		}
		if !found {
			t.Errorf("%s is not caught by %s", tt.name, tt.check)
		}
	}
}
