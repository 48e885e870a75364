// This file runs the Gaussian lasso with more predictors than observations, where the generated sampler draws w by the rows of X.

package bench

import (
	"fmt"
	"math"
	"slices"
	"testing"

	genlassogauss "github.com/gibbsgen/gibbsgen/generated/lassogauss"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// wide simulates a regression of which the first five predictors matter.
func wide(n, d int) genlassogauss.Data {
	r := runtime.NewRand(2016)
	data := genlassogauss.Data{Sizes: genlassogauss.Sizes{N: n, D: d}}
	for range n {
		y := r.Normal(0, 1)
		for j := range d {
			x := r.Normal(0, 1)
			data.X = append(data.X, x)
			if j < 5 {
				y += 2 * x
			}
		}
		data.Y = append(data.Y, y)
	}
	return data
}

// TestLassoByRows compares the draws of w at one state with its conditional, worked out here: Q = (XᵀX + diag(1/tau2))/sigma2 and
// h = Xᵀy/sigma2. With Q = LLᵀ the coordinates of Lᵀ(w - Q⁻¹h) are standard Normals: their 12 means, 12 variances and 66
// products are each within 5 standard errors, all of which hold but for one seed in 19,000.
func TestLassoByRows(t *testing.T) {
	const n, d, draws = 4, 12, 20_000
	data := wide(n, d)
	r := runtime.NewRand(1)
	st := genlassogauss.State{Sigma2: 1.7, Tau2: make([]float64, d), W: make([]float64, d)}
	for j := range d {
		st.Tau2[j], st.W[j] = math.Exp(r.Normal(0, 1)), r.Normal(0, 3)
	}
	s, err := genlassogauss.NewAt(data, genlassogauss.DefaultHyper(data.Sizes), st, runtime.NewRand(2))
	if err != nil {
		t.Fatal(err)
	}
	if kept := len(s.Accumulators()); kept >= d*d {
		t.Fatalf("%d numbers are kept in accumulators: the matrix is among them", kept)
	}
	Q, h := make([]float64, d*d), make([]float64, d)
	for i := range d {
		Q[i*d+i] = 1 / (st.Sigma2 * st.Tau2[i])
		for k := range n {
			h[i] += data.X[k*d+i] * data.Y[k] / st.Sigma2
			for j := range d {
				Q[i*d+j] += data.X[k*d+i] * data.X[k*d+j] / st.Sigma2
			}
		}
	}
	inv := make([]float64, d*d)
	if err := runtime.InvSPD(inv, Q, d, runtime.NewMatWork(d)); err != nil {
		t.Fatal(err)
	}
	if err := runtime.CholInPlace(Q, d); err != nil {
		t.Fatal(err)
	}
	conds := s.Conditionals()
	w := conds[slices.IndexFunc(conds, func(c runtime.Conditional) bool { return c.Name == "w" })]
	sums, products := make([]float64, d), make([]float64, d*d)
	z := make([]float64, d)
	for range draws {
		if err := w.Draw(); err != nil {
			t.Fatal(err)
		}
		x := w.Get()
		for i := range x {
			x[i] -= runtime.Dot(inv[i*d:][:d], h)
		}
		for j := range z {
			z[j] = 0
			for i := j; i < d; i++ {
				z[j] += Q[i*d+j] * x[i]
			}
			sums[j] += z[j]
			for i := range j + 1 {
				products[j*d+i] += z[i] * z[j]
			}
		}
	}
	check := func(what string, got, variance float64) {
		if e := got / math.Sqrt(variance/draws); !(math.Abs(e) < 5) {
			t.Errorf("%s: %.3g standard errors off", what, e)
		}
	}
	for i := range d {
		check(fmt.Sprintf("mean %d", i+1), sums[i]/draws, 1)
		check(fmt.Sprintf("variance %d", i+1), products[i*d+i]/draws-1, 2)
		for j := range i {
			check(fmt.Sprintf("covariance %d, %d", i+1, j+1), products[i*d+j]/draws, 1)
		}
	}
}

// BenchmarkLassoByRows times sweeps with more predictors than observations.
func BenchmarkLassoByRows(b *testing.B) {
	for _, size := range [][2]int{{50, 200}, {50, 2000}, {200, 2000}, {100, 20_000}} {
		b.Run(fmt.Sprintf("n=%d,d=%d", size[0], size[1]), func(b *testing.B) {
			data := wide(size[0], size[1])
			s, err := genlassogauss.New(data, genlassogauss.DefaultHyper(data.Sizes), runtime.NewRand(1))
			sweep := sweeps(b, s, err)
			b.ReportAllocs()
			for b.Loop() {
				sweep()
			}
		})
	}
}
