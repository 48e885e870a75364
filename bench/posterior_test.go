// This file compares posteriors of generated samplers with those of independent ones.

package bench

import (
	"math"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/bench/dpmm"
	"github.com/gibbsgen/gibbsgen/bench/jags"
	gendpmm "github.com/gibbsgen/gibbsgen/generated/dpmm"
	gendpmmfull "github.com/gibbsgen/gibbsgen/generated/dpmmfull"
	genlassogauss "github.com/gibbsgen/gibbsgen/generated/lassogauss"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// run returns the draws of every monitored scalar by name, chains first.
func run(t *testing.T, opts runtime.Options, open func(chain int) (runtime.Sampler, error)) map[string][][]float64 {
	t.Helper()
	sinks := make([]*runtime.Memory, opts.Chains)
	for i := range sinks {
		sinks[i] = runtime.NewMemory(opts.Draws)
	}
	if err := runtime.Run(t.Context(), opts, open, func(chain int) (runtime.Sink, error) { return sinks[chain], nil }); err != nil {
		t.Fatal(err)
	}
	out := map[string][][]float64{}
	for _, m := range sinks {
		for i, n := range m.Names {
			out[n] = append(out[n], m.Draws[i])
		}
	}
	return out
}

// TestLassoAgainstJAGS compares the medians of the Gaussian lasso on the diabetes data, set up as Park & Casella do, with
// those that JAGS gave (bench/jags says how). 21 medians at 4.5 standard errors: a right sampler fails once in 7000 seeds.
func TestLassoAgainstJAGS(t *testing.T) {
	data, err := jags.Diabetes()
	if err != nil {
		t.Fatal(err)
	}
	ref, err := jags.Stored()
	if err != nil {
		t.Fatal(err)
	}
	sizes := genlassogauss.Sizes{N: len(data.Y), D: data.D()}
	draws := run(t, runtime.Options{Chains: 4, Warmup: 1000, Draws: 10_000, Seed: 2008}, func(chain int) (runtime.Sampler, error) {
		return genlassogauss.New(genlassogauss.Data{Sizes: sizes, X: data.X, Y: data.Y}, genlassogauss.DefaultHyper(sizes),
			runtime.NewRand(2008, uint64(chain)))
	})
	got := map[string]jags.Parameter{}
	for n, d := range draws {
		name := n // w.1 -> w[1]
		if v, i, ok := strings.Cut(n, "."); ok {
			name = v + "[" + i + "]"
		}
		got[name] = jags.Parameter{Name: name, Median: runtime.Quantile(d, 0.5), MCSE: runtime.MCSEQuantile(d, 0.5)}
	}
	if err := ref.Compare(got, 4.5); err != nil {
		t.Error(err)
	}
	// A planted fault: one median six standard errors off must be caught.
	g := got["w[3]"]
	g.Median += 6 * math.Hypot(g.MCSE, ref.Parameters[2].MCSE)
	got["w[3]"] = g
	if ref.Compare(got, 4.5) == nil {
		t.Error("a median off by six standard errors is missed")
	}
}

// TestClustersOfOldFaithful compares the posterior of the number of clusters between `collapse pi`, `collapse pi, mu, Sigma`
// and the independent sampler in bench/dpmm: P(K = 2) and P(K = 3), each by 4.5 standard errors of the difference.
func TestClustersOfOldFaithful(t *testing.T) {
	rows, err := dpmm.Faithful()
	if err != nil {
		t.Fatal(err)
	}
	ref, err := dpmm.Stored()
	if err != nil {
		t.Fatal(err)
	}
	var x []float64
	for _, r := range rows {
		x = append(x, r...)
	}
	opts := runtime.Options{Chains: 4, Warmup: 500, Draws: 4000, Seed: 3}
	if testing.Short() {
		t.Skip("a minute of sampling")
	}
	models := map[string]func(chain int) (runtime.Sampler, error){
		"collapse pi": func(chain int) (runtime.Sampler, error) {
			sizes := gendpmm.Sizes{N: len(rows), P: 2}
			return gendpmm.New(gendpmm.Data{Sizes: sizes, X: x}, gendpmm.DefaultHyper(sizes), runtime.NewRand(31, uint64(chain)))
		},
		"collapse pi, mu, Sigma": func(chain int) (runtime.Sampler, error) {
			sizes := gendpmmfull.Sizes{N: len(rows), P: 2}
			return gendpmmfull.New(gendpmmfull.Data{Sizes: sizes, X: x}, gendpmmfull.DefaultHyper(sizes), runtime.NewRand(32, uint64(chain)))
		},
	}
	for name, open := range models {
		draws := run(t, opts, open)
		k := draws["clusters"]
		if k == nil {
			t.Fatalf("%s: no draws of the number of clusters", name)
		}
		if r := runtime.Rhat(k); !(r < 1.05) {
			t.Errorf("%s: R-hat of the number of clusters is %.3f", name, r)
		}
		for _, want := range ref.Clusters {
			if want.Number != 2 && want.Number != 3 {
				continue
			}
			is := make([][]float64, len(k))
			var p float64
			for c, chain := range k {
				for _, v := range chain {
					is[c] = append(is[c], runtime.Indicator(int(v) == want.Number))
					p += runtime.Indicator(int(v) == want.Number) / float64(opts.Chains*opts.Draws)
				}
			}
			se := math.Hypot(runtime.MCSEMean(is), want.MCSE)
			t.Logf("%s: P(K = %d) = %.3f ± %.3f, reference %.3f ± %.3f", name, want.Number, p, runtime.MCSEMean(is), want.P, want.MCSE)
			if !(math.Abs(p-want.P) <= 4.5*se) {
				t.Errorf("%s: P(K = %d) = %.3f, reference %.3f: more than 4.5 standard errors, %.3f each", name, want.Number, p, want.P, se)
			}
		}
	}
}
