// This file holds the data and prior of the benchmark.

package probit

import "github.com/gibbsgen/gibbsgen/bench/hand/draw"

// BenchHyper is the prior of the benchmark.
var BenchHyper = Hyper{Lambda: 1, A: 1, B: 1}

// Bench returns n rows of d standard Normal predictors, every other one with an
// effect of 0.3, -0.3, 0.3, ..., and responses from the model: the same ones
// whenever it is called.
func Bench(n, d int) (X []float64, y []bool) {
	r := draw.New(30)
	X, y = make([]float64, n*d), make([]bool, n)
	for i := range y {
		var m float64
		for j := range d {
			v := r.Norm()
			X[i*d+j] = v
			switch j % 4 {
			case 0:
				m += 0.3 * v
			case 2:
				m -= 0.3 * v
			}
		}
		y[i] = m+r.Norm() > 0
	}
	return X, y
}
