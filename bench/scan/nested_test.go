package scan

import (
	"fmt"
	"math"
	"testing"

	"github.com/gibbsgen/gibbsgen/bench/scan/nested"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestNested refreshes elements of ragged lists in batches, and compares the posterior of what they have in common, and of a list's own
// mean, with the exact one: without b, the mean of the n of list d is Normal(mu, var = 1 + 2/n).
//
// Errors of the means are estimated from 100 batches, so that (mean - exact)/error is Student's t with 99 degrees of freedom; beyond 4.5
// it is by chance once in 50,000. There are 27 comparisons, at seeds that are fixed.
func TestNested(t *testing.T) {
	data := nested.Data{Sizes: nested.Sizes{Docs: 4}, WordsLen: []int{3, 0, 1, 5}, Y: []float64{1, 2, 0.5, -1, 3, 2.5, 2, 4, 3.5}}
	prec, lin, at := 1.0/4, 0.0, 0
	var sums []float64
	for _, n := range data.WordsLen {
		sum := 0.0
		for _, y := range data.Y[at : at+n] {
			sum += y
		}
		sums = append(sums, sum)
		at += n
		if n > 0 {
			v := 1 + 2/float64(n)
			prec += 1 / v
			lin += sum / float64(n) / v
		}
	}
	mean := lin / prec
	n0 := float64(data.WordsLen[0])
	a0 := (mean + sums[0]/2) / (1 + n0/2) // E[a | mu] is linear in mu
	for _, m := range []int{1, 4, 13} {
		for _, scan := range []runtime.Scan{runtime.CyclicScan, runtime.ShuffledScan, runtime.RandomScan} {
			t.Run(fmt.Sprint(m, scan), func(t *testing.T) {
				s, err := nested.New(data, nested.Hyper{}, runtime.NewRand(1, uint64(m), uint64(scan)))
				if err != nil {
					t.Fatal(err)
				}
				if s.Units() != 13 {
					t.Fatalf("%d units, want 4 lists and 9 elements", s.Units())
				}
				batches := runtime.NewBatches(s.Units(), m, scan, runtime.NewRand(2))
				const means = 100
				length := 40_000 / m
				var of [3][means]float64 // mu, its square about the exact mean, a[0]
				for i := range means {
					for range length {
						if err := s.UpdateGlobals(); err != nil {
							t.Fatal(err)
						}
						if err := s.UpdateLocals(batches.Next()); err != nil {
							t.Fatal(err)
						}
						st := s.State()
						of[0][i] += st.Mu / float64(length)
						of[1][i] += (st.Mu - mean) * (st.Mu - mean) / float64(length)
						of[2][i] += st.A[0] / float64(length)
					}
				}
				for j, want := range []float64{mean, 1 / prec, a0} {
					var sum, squares float64
					for _, x := range of[j] {
						sum += x
						squares += x * x
					}
					got := sum / means
					se := math.Sqrt((squares/means - got*got) / (means - 1))
					if math.Abs(got-want) > 4.5*se {
						t.Errorf("%s: %.4f ± %.4f, exactly %.4f", []string{"mean of mu", "variance of mu", "mean of a[1]"}[j], got, se, want)
					}
				}
			})
		}
	}
}
