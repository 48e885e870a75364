package scan

import (
	"fmt"
	"math"
	"testing"

	"github.com/gibbsgen/gibbsgen/bench/scan/gaussian"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestScans compares the integrated autocorrelation time of theta over rounds (theta, then m of the N units) with its closed form:
// 1 + c·N/m for random batches, 1 + c/2 + (c/2)·N/m for cyclic ones, c = 2γ/(1-γ), γ the lag-1 correlation over full sweeps.
//
// The estimate is by means of batches of 50 autocorrelation times, whose bias is about 1 %, from 10,000 batches: a standard error of
// 1.4 % (√(2/10,000)). The bar of 5 % is 2.8 to 3.5 standard errors away: a false alarm in 400 for each case, at seeds that are fixed.
func TestScans(t *testing.T) {
	const units, means, times = 24, 10_000, 50
	for _, gamma := range []float64{0.2, 0.5} {
		for _, m := range []int{4, 8, 24} {
			for _, scan := range []runtime.Scan{runtime.CyclicScan, runtime.RandomScan} {
				t.Run(fmt.Sprint(gamma, m, scan), func(t *testing.T) {
					c := 2 * gamma / (1 - gamma)
					want := 1 + c*units/float64(m)
					if scan == runtime.CyclicScan {
						want = 1 + c/2 + c/2*units/float64(m)
					}
					got := autocorrelationTime(t, units, m, gamma, scan, means, int(times*want))
					t.Logf("%.3f, closed form %.3f", got, want)
					if math.Abs(got/want-1) > 0.05 {
						t.Errorf("autocorrelation time %.3f, closed form %.3f", got, want)
					}
				})
			}
		}
	}
}

// autocorrelationTime returns the variance of the means of so many batches of length rounds, times length over theta's variance.
func autocorrelationTime(t *testing.T, units, m int, gamma float64, scan runtime.Scan, means, length int) float64 {
	t.Helper()
	s := gamma / (1 - gamma)
	y := make([]float64, units) // all 0: what they are is nothing to the correlation
	sampler, err := gaussian.New(gaussian.Data{Sizes: gaussian.Sizes{N: units}, Y: y}, gaussian.Hyper{S: s}, runtime.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	theta := &sampler.State().Theta
	batches := runtime.NewBatches(units, m, scan, runtime.NewRand(2))
	round := func() {
		if err := sampler.UpdateGlobals(); err != nil {
			t.Fatal(err)
		}
		if err := sampler.UpdateLocals(batches.Next()); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 * length {
		round()
	}
	var squares float64
	for range means {
		var sum float64
		for range length {
			round()
			sum += *theta
		}
		squares += sum / float64(length) * sum / float64(length)
	}
	// The posterior of theta is Normal(0, (1 + s)/units), but for a prior of variance 1e8.
	variance := (1 + s) / float64(units)
	return squares / float64(means) * float64(length) / variance
}
