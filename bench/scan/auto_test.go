package scan

import (
	"flag"
	"fmt"
	"math"
	"testing"

	"github.com/gibbsgen/gibbsgen/bench/scan/gaussian"
	"github.com/gibbsgen/gibbsgen/runtime"
)

var long = flag.Bool("long", false, "choose batch sizes at 100 seeds instead of 10")

// closed is τ(m) over rounds in closed form.
func closed(gamma float64, m, units int, scan runtime.Scan) float64 {
	c, x := 2*gamma/(1-gamma), float64(units)/float64(m)
	if scan == runtime.RandomScan {
		return 1 + c*x
	}
	return 1 + c/2 + c/2*x
}

// objective is f(m) with w_z = w_θ = 1, in closed form.
func objective(gamma float64, m, units int, scan runtime.Scan) float64 {
	return float64(m+1) * closed(gamma, m, units, scan)
}

// decide has a batch size chosen at the costs w_z = w_θ = 1, for a run of four chains.
func decide(t *testing.T, units int, gamma float64, scan runtime.Scan, adapt runtime.Adapt, seed uint64) *runtime.Decision {
	t.Helper()
	var decision *runtime.Decision
	stop := fmt.Errorf("it is decided")
	opts := runtime.Options{Chains: 4, Warmup: 200, Draws: 400_000, Rounds: true, Seed: seed, Scan: scan, Adapt: adapt,
		Costs:   &runtime.RoundCosts{Local: 1, Global: 1, Full: float64(units + 1)},
		Decided: func(d *runtime.Decision) error { decision = d; return stop }}
	err := runtime.Run(t.Context(), opts, func(chain int) (runtime.Sampler, error) {
		return gaussian.New(gaussian.Data{Sizes: gaussian.Sizes{N: units}, Y: make([]float64, units)}, gaussian.Hyper{S: gamma / (1 - gamma)},
			runtime.NewRand(seed, uint64(chain)))
	}, func(int) (runtime.Sink, error) { return new(runtime.Memory), nil })
	if decision == nil {
		t.Fatal(err)
	}
	return decision
}

func TestAuto(t *testing.T) {
	const units = 240
	seeds := 10
	if *long {
		seeds = 100
	}
	for _, c := range []struct {
		gamma float64
		scan  runtime.Scan
	}{{0.1, runtime.CyclicScan}, {0.5, runtime.CyclicScan}, {0.9, runtime.CyclicScan}, {0.97, runtime.CyclicScan}, {0.5, runtime.RandomScan}, {0.97, runtime.RandomScan}} {
		t.Run(fmt.Sprint(c.gamma, c.scan), func(t *testing.T) {
			best := math.Inf(1)
			for m := 1; m <= units; m++ {
				best = min(best, objective(c.gamma, m, units, c.scan))
			}
			good, full := 0, 0
			for seed := range seeds {
				d := decide(t, units, c.gamma, c.scan, runtime.Auto, uint64(seed+1))
				f := objective(c.gamma, d.Batch, units, c.scan) / best
				if f <= 1.05 {
					good++
				}
				if d.Batch == units {
					full++
				}
				t.Logf("seed %d: m = %d, f = %.3f of the best; %s", seed, d.Batch, f, d.Verdict)
			}
			t.Logf("%d of %d within 5 %%, %d full", good, seeds, full)
		})
	}
}
