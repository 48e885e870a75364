// This file checks the check of calibration: it catches samplers that are wrong, and lets a right one pass.

package verify

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// calibrate looks at the calibration of the mixture with a sampler that is spoilt.
func calibrate(t *testing.T, spoil func(*mixture.Sampler) Subject, opt Options, v view) (sight, error) {
	t.Helper()
	l, err := newLab(Model{Source: mixture.Source, Schema: mixture.Schema, Open: func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
		s, err := mixture.Open(set, rng)
		if err != nil {
			return nil, err
		}
		return spoil(s.(*mixture.Sampler)), nil
	}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return l.calibrationTrials()[0].look(v)
}

// shrunk draws variances that are too small by a factor.
type shrunk struct {
	*mixture.Sampler
	by float64
}

func (s shrunk) UpdateGlobals() error {
	if err := s.Sampler.UpdateGlobals(); err != nil {
		return err
	}
	next := s.State().Clone()
	for k := range next.S2 {
		next.S2[k] *= s.by
	}
	return s.SetState(next)
}

// late draws the locals by the means before they were last drawn.
type late struct {
	*mixture.Sampler
	before []float64
}

func (s *late) UpdateGlobals() error {
	s.before = slices.Clone(s.State().Mu)
	return s.Sampler.UpdateGlobals()
}

func (s *late) UpdateLocals(units []int) error {
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

// blind draws from the prior, and looks at no data: but for what depends on the data, everything has the ranks that it should.
type blind struct {
	*mixture.Sampler
	rng *runtime.Rand
}

func (s blind) UpdateGlobals() error {
	next := s.State().Clone()
	for k := range next.Mu {
		next.Pi[k] = s.rng.Gamma(1, 1)
	}
	sum := 0.0
	for _, p := range next.Pi {
		sum += p
	}
	for k := range next.Mu {
		next.Pi[k] /= sum
		next.Mu[k] = s.rng.Normal(0, 10)
		next.S2[k] = s.rng.InvGamma(2, 1)
	}
	for i := range next.Z {
		next.Z[i] = int32(s.rng.Categorical(next.Pi))
	}
	return s.SetState(next)
}

func (blind) UpdateLocals([]int) error { return nil }

// still draws nothing.
type still struct{ *mixture.Sampler }

func (still) UpdateGlobals() error     { return nil }
func (still) UpdateLocals([]int) error { return nil }

// lazy makes one sweep in many.
type lazy struct {
	*mixture.Sampler
	asked int
}

const lazily = 2000

func (s *lazy) UpdateGlobals() error {
	s.asked++
	if s.asked%lazily != 0 {
		return nil
	}
	return s.Sampler.UpdateGlobals()
}

func (s *lazy) UpdateLocals(units []int) error {
	if s.asked%lazily != 0 {
		return nil
	}
	return s.Sampler.UpdateLocals(units)
}

// TestCalibrationCatches plants faults. At a first look with this alpha the statistics were 21 and more, with five seeds, and the
// threshold 5.3; variances too small by a factor of 0.95 gave 5.6 to 9.3.
func TestCalibrationCatches(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at 16,000 data sets")
	}
	for _, tt := range []struct {
		name  string
		spoil func(s *mixture.Sampler) Subject
		tell  string
	}{
		{"variances too small", func(s *mixture.Sampler) Subject { return shrunk{s, 0.9} }, "not every rank equally often"},
		{"locals by stale globals", func(s *mixture.Sampler) Subject { return &late{s, nil} }, "not every rank equally often"},
		{"draws from the prior", func(s *mixture.Sampler) Subject { return blind{s, runtime.NewRand(math.Float64bits(s.Data().X[0]))} }, "the log joint"},
		{"no draws", func(s *mixture.Sampler) Subject { return still{s} }, "never moves"},
	} {
		saw, err := calibrate(t, tt.spoil, Options{Level: Full}, view{1, 1, 0.002})
		if err != nil || !saw.failed() || !strings.Contains(saw.tell, tt.tell) {
			t.Errorf("%s: statistic %.3g, threshold %.3g: %s (%v)", tt.name, saw.statistic, saw.threshold, saw.tell, err)
		}
	}
}

// TestCalibrationOfARightSampler looks with 20 seeds. Each look fails with probability 0.001 at the most, so all of them pass with 0.98.
func TestCalibrationOfARightSampler(t *testing.T) {
	for seed := range uint64(20) {
		saw, err := calibrate(t, func(s *mixture.Sampler) Subject { return s }, Options{Seed: seed + 1}, view{1, 1, 0.001})
		if err != nil || saw.failed() {
			t.Errorf("seed %d: statistic %.3g, threshold %.3g: %s (%v)", seed+1, saw.statistic, saw.threshold, saw.tell, err)
		}
		for _, p := range saw.plots {
			n := 0
			for _, c := range p.Ranks {
				n += c
			}
			if n != saw.n || len(p.Ranks) != 16 || len(p.Band) != 15 || p.Thin < 1 || !(p.Low <= p.ESS) {
				t.Fatalf("seed %d: %+v, of %d replicates", seed+1, p, saw.n)
			}
		}
	}
}

// TestCalibrationOfASlowSampler has chains that mix too slowly for ranks to say anything.
func TestCalibrationOfASlowSampler(t *testing.T) {
	_, err := calibrate(t, func(s *mixture.Sampler) Subject { return &lazy{Sampler: s} }, Options{}, view{1, 1, 0.001})
	if why := (notMade{}); !errors.As(err, &why) || !strings.Contains(why.why, "sorted(mu).1 (N = 5, K = 2): effective draws in a sweep: 0.00") {
		t.Errorf("%v", err)
	}
}

// TestBearing: a density that names an unknown need not depend on it.
func TestBearing(t *testing.T) {
	for _, tt := range []struct {
		quantity, sd string
		k            int
		want         bool
	}{
		{logLikelihood, "s[z] / s[z]", 2, false}, {logLikelihood, "s[z]", 2, true}, {logLikelihood, "s[z]", 1, false},
		{logJoint, "s[z]", 2, true}, {logJoint, "s[z]", 1, false}, {"z", "s[z]", 2, true},
	} {
		source := "model m\nplate N\nplate K\ndata s[K] : real > 0\nglobal z ~ Categorical(1 / K) over K\ndata y[n in N] : real ~ Normal(0, sd = " + tt.sd + ")\n"
		l, err := newLab(Model{Source: source}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		set := &dataio.Set{Sizes: map[string]int{"N": 3, "K": tt.k}, Values: map[string]*dataio.Value{"s": {Real: []float64{1, 7}[:tt.k]}}}
		if got := l.bearing(tt.quantity, set); got != tt.want {
			t.Errorf("%s, sd = %s, K = %d: %t", tt.quantity, tt.sd, tt.k, got)
		}
	}
}

// TestInvarianceAllowsForWhatIsLost: draws that lie beyond floating point are left out, and what is left has another distribution, by their
// share. Here every draw of an element below its 4% quantile is lost; of so many draws 0.02 would be seen, with probability 1e-3 by chance.
func TestInvarianceAllowsForWhatIsLost(t *testing.T) {
	m := Model{Source: mixture.Source, Schema: mixture.Schema, Open: mixture.Open}
	m.Forward = func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
		s, err := mixture.Forward(set, rng)
		if err == nil && s.(*mixture.Sampler).State().Mu[0] < -17.5 {
			err = errors.New("beyond floating point")
		}
		return s, err
	}
	l, err := newLab(m, Options{Invent: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range l.invarianceTrials() {
		if tr.kind != "simulation" {
			continue
		}
		saw, err := tr.look(view{1, 16, 1e-3})
		if err != nil || saw.failed() || saw.statistic < 0.03 {
			t.Errorf("%+v, %v", saw, err)
		}
	}
}
