// This file holds the data and prior of the benchmark.

package mixture

import (
	"github.com/gibbsgen/gibbsgen/bench/hand/draw"
)

// BenchHyper is the prior of the benchmark: vague, proper.
var BenchHyper = Hyper{Alpha: 1, M0: 0, V0: 100, A: 2, B: 1}

// Bench returns n points of five overlapping components: the same ones whenever
// it is called.
func Bench(n int) []float64 {
	weight := []float64{0.1, 0.15, 0.2, 0.25, 0.3}
	mean := []float64{-6, -2.5, 0, 3, 7}
	sd := []float64{1, 0.7, 1.2, 1, 1.5}
	r := draw.New(20)
	x := make([]float64, n)
	for i := range x {
		u, k := r.Float64(), 0
		for ; k < len(weight)-1 && u >= weight[k]; k++ {
			u -= weight[k]
		}
		x[i] = mean[k] + sd[k]*r.Norm()
	}
	return x
}
