// This file checks the band of uniform ranks: against counting all outcomes, and against ranks that are uniform.

package verify

import (
	"math"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestBandByCounting adds the probabilities of all outcomes that leave a band.
func TestBandByCounting(t *testing.T) {
	for _, c := range []struct{ n, k int }{{1, 2}, {5, 2}, {6, 3}, {9, 4}, {7, 5}, {25, 3}} {
		for _, alpha := range []float64{0.3, 0.05, 0.01} {
			b := newBand(c.n, c.k, alpha)
			for _, level := range []float64{0.9, 0.4, 0.1, 0.02, b.level} {
				out := 0.0
				at := band{n: c.n, k: c.k, level: level, points: b.points}
				counts := make([]int, c.k)
				var fill func(i, left int, log float64)
				fill = func(i, left int, log float64) {
					if i == c.k-1 {
						counts[i] = left
						lg, _ := math.Lgamma(float64(left + 1))
						if at.statistic(counts) > at.threshold() {
							out += math.Exp(log - lg)
						}
						return
					}
					for x := range left + 1 {
						counts[i] = x
						lg, _ := math.Lgamma(float64(x + 1))
						fill(i+1, left-x, log-lg)
					}
				}
				lg, _ := math.Lgamma(float64(c.n + 1))
				fill(0, c.n, lg-float64(c.n)*math.Log(float64(c.k)))
				if got := b.strays(level); math.Abs(got-out) > 1e-12 {
					t.Errorf("n = %d, k = %d, level %g: the band is left with probability %.15g, by counting %.15g", c.n, c.k, level, got, out)
				}
				if level == b.level && out > alpha {
					t.Errorf("n = %d, k = %d: the band is left with probability %g > %g", c.n, c.k, out, alpha)
				}
			}
		}
	}
}

// TestBandOfUniformRanks has uniform ranks leave the band as often as they should: within 4 binomial standard errors, which a right band
// exceeds with probability 6e-5 each; the probability itself is at most 5 % below alpha at these sizes, for the steps of the level.
func TestBandOfUniformRanks(t *testing.T) {
	for i, c := range []struct {
		n, k  int
		alpha float64
	}{{200, 16, 0.05}, {1000, 32, 0.05}, {1000, 64, 0.3}} {
		const runs = 10000
		rng := runtime.NewRand(1, uint64(i))
		b := newBand(c.n, c.k, c.alpha)
		left := 0
		for range runs {
			counts := make([]int, c.k)
			for range c.n {
				counts[rng.IntN(c.k)]++
			}
			if b.statistic(counts) > b.threshold() {
				left++
			}
		}
		exact := b.strays(b.level)
		if exact < c.alpha*0.95 || exact > c.alpha {
			t.Errorf("n = %d, k = %d: the band is left with probability %g, and should be with %g", c.n, c.k, exact, c.alpha)
		}
		if got, se := float64(left)/runs, math.Sqrt(c.alpha/runs); math.Abs(got-exact) > 4*se {
			t.Errorf("n = %d, k = %d: uniform ranks leave the band in %g of runs, and should in %g", c.n, c.k, got, exact)
		}
	}
}

// TestBandFarOut asks for bands that are hardly ever left: the level lies between Bonferroni's and alpha, and falls with it.
func TestBandFarOut(t *testing.T) {
	for _, n := range []int{300, 2000, 8000} {
		last := 1.0
		for _, alpha := range []float64{1e-2, 1e-4, 1e-6, 1e-9, 1e-13} {
			b := newBand(n, 64, alpha)
			if !(b.level >= alpha/63 && b.level <= alpha) || b.level >= last {
				t.Errorf("n = %d, alpha = %g: level %g", n, alpha, b.level)
			}
			if out := b.strays(b.level); alpha > 1e-10 && !(out <= alpha && out > 0.9*alpha) {
				t.Errorf("n = %d: the band is left with probability %g, and should be with %g", n, out, alpha)
			}
			last = b.level
		}
	}
}

func BenchmarkBand(b *testing.B) {
	for b.Loop() {
		bands.Clear()
		newBand(2000, 64, 1e-4)
	}
}

func BenchmarkLargeBand(b *testing.B) {
	for b.Loop() {
		bands.Clear()
		newBand(8000, 64, 1e-3)
	}
}
