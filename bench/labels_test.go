package bench

import (
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestLabelSwitching runs a mixture whose three components lie far apart, which each chain starts to number in its own way: the
// verdict must say so, and find nothing wrong with what the numbering leaves alone. With all chains started from one
// numbering it must say nothing of labels. Seeds are fixed, and so is the outcome.
func TestLabelSwitching(t *testing.T) {
	rng := runtime.NewRand(11)
	sizes := mixture.Sizes{N: 300, K: 3}
	data := mixture.Data{Sizes: sizes}
	for n := range sizes.N {
		data.X = append(data.X, rng.Normal([]float64{-8, 0, 8}[n%3], 1))
	}
	verdict := func(open func(chain int) (runtime.Sampler, error)) ([]runtime.Row, string) {
		opts := runtime.Options{Chains: 4, Warmup: 200, Draws: 1000}
		sinks := make([]*runtime.Memory, opts.Chains)
		var labels runtime.Labels
		err := runtime.Run(t.Context(), opts, func(chain int) (runtime.Sampler, error) {
			s, err := open(chain)
			if err == nil && chain == 0 {
				labels = runtime.LabelsOf(s)
			}
			return s, err
		}, func(chain int) (runtime.Sink, error) {
			sinks[chain] = runtime.NewMemory(opts.Draws)
			return sinks[chain], nil
		})
		if err != nil {
			t.Fatal(err)
		}
		names := append([]string{"log_joint"}, sinks[0].Names...)
		var chains [][][]float64
		for _, m := range sinks {
			chains = append(chains, append([][]float64{m.LogJoint}, m.Draws...))
		}
		rows, err := runtime.SummariseLabelled(names, chains, labels)
		if err != nil {
			t.Fatal(err)
		}
		return rows, strings.Join(runtime.Verdict(rows), "\n")
	}
	hyper := mixture.DefaultHyper(sizes)
	start := func(chain int, order []int) (runtime.Sampler, error) {
		s, err := mixture.New(data, hyper, runtime.NewRand(2, uint64(chain)))
		if err != nil {
			return nil, err
		}
		st := s.State().Clone()
		for k, to := range order {
			st.Mu[to], st.S2[to], st.Pi[to] = []float64{-8, 0, 8}[k], 1, 1./3
		}
		for n := range st.Z {
			st.Z[n] = int32(order[n%3])
		}
		return s, s.SetState(st)
	}
	orders := [][]int{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}}

	rows, text := verdict(func(chain int) (runtime.Sampler, error) { return start(chain, orders[chain]) })
	for _, want := range []string{"Label switching:", "for pi, mu, s2,", "trust log_joint, sorted(pi), sorted(mu), sorted(s2).", "nothing else speaks against"} {
		if !strings.Contains(text, want) {
			t.Errorf("components numbered at random: want %q in\n%s", want, text)
		}
	}
	for _, r := range rows {
		if r.Name == "sorted(mu).3" && (r.Mean < 7.5 || r.Mean > 8.5) {
			t.Errorf("the largest mean is %v, want about 8", r.Mean)
		}
	}
	_, text = verdict(func(chain int) (runtime.Sampler, error) { return start(chain, orders[0]) })
	if strings.Contains(text, "abel") || !strings.Contains(text, "nothing here speaks against") {
		t.Errorf("components numbered alike:\n%s", text)
	}
}
