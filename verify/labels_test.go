package verify

import (
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/dpmm"
	"github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/runtime"
)

func newMixture(t *testing.T) *mixture.Sampler {
	t.Helper()
	sizes := mixture.Sizes{N: 6, K: 3}
	s, err := mixture.New(mixture.Data{Sizes: sizes, X: []float64{-2, -1, 0, 1, 2, 3}}, mixture.DefaultHyper(sizes), runtime.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newDPMM(t *testing.T) *dpmm.Sampler {
	t.Helper()
	sizes := dpmm.Sizes{N: 5, P: 2}
	s, err := dpmm.New(dpmm.Data{Sizes: sizes, X: []float64{-9, -9, -3, 5, 0, 0, 4, 4, 9, -9}}, dpmm.DefaultHyper(sizes), runtime.NewRand(3))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lopsided tells its first component from the others.
type lopsided struct{ *mixture.Sampler }

func (s lopsided) LogJoint() float64 { return s.Sampler.LogJoint() + s.State().Mu[0] }

// presuming takes its units for exchangeable, which their data tell apart.
type presuming struct{ *mixture.Sampler }

func (s presuming) Exchangeable() []runtime.Exchangeable {
	return []runtime.Exchangeable{{Plate: "N", Size: s.Units()}}
}

// miscounting says that cluster k has k members whatever the state.
type miscounting struct{ *dpmm.Sampler }

func (s miscounting) Exchangeable() []runtime.Exchangeable {
	e := s.Sampler.Exchangeable()
	for k := range e[0].Members {
		e[0].Members[k] = float64(k)
	}
	return e
}

func TestLabelsCatchPlantedFaults(t *testing.T) {
	m, d := newMixture(t), newDPMM(t)
	for _, c := range []struct {
		name string
		s    Subject
		want string // in the error
	}{
		{"mixture", m, ""},
		{"dpmm", d, ""},
		{"first component apart", lopsided{newMixture(t)}, "K is called exchangeable"},
		{"units", presuming{newMixture(t)}, "N is called exchangeable"},
		{"members of no one's", miscounting{newDPMM(t)}, "takes mean(|"},
	} {
		rng := runtime.NewRand(7)
		var err error
		for range 20 { // a renumbering may leave all where it is: one in six of three components
			if err = (&specimen{Subject: c.s}).labels(rng); err != nil {
				break
			}
			if c.want == "" {
				if err = runtime.Step(c.s); err != nil {
					t.Fatal(err)
				}
			}
		}
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
	if k := d.State().Clusters; k < 1 {
		t.Errorf("%d clusters in use", k)
	}
}

func TestInvariantsOfGeneratedSamplers(t *testing.T) {
	for _, c := range []struct {
		s    runtime.Sampler
		want string
	}{
		{newMixture(t), "occupied(K) overlap(K) sorted(pi).1 sorted(pi).2 sorted(pi).3 sorted(mu).1 sorted(mu).2 sorted(mu).3 sorted(s2).1 sorted(s2).2 sorted(s2).3"},
		{newDPMM(t), "occupied(clusters) overlap(clusters) mean(|Sigma|) mean(|mu|)"},
	} {
		v := runtime.NewInvariants(c.s, 19)
		if got := strings.Join(v.Names(), " "); got != c.want {
			t.Errorf("names %s, want %s", got, c.want)
		}
		dst := make([]float64, 0, 19)
		if n := testing.AllocsPerRun(20, func() { dst = v.Append(dst[:0]) }); n != 0 || len(dst) != len(v.Names()) {
			t.Errorf("Append allocates %v times and gives %d values for %d names", n, len(dst), len(v.Names()))
		}
	}
}
