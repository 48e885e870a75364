package runtime

// This file tests the Chinese restaurant process against the enumeration of all partitions.

import (
	"math"
	"testing"
)

// eachPartition calls f with the table of each of n customers, tables numbered in order of appearance.
func eachPartition(n int, f func(seats []int)) {
	seats := make([]int, n)
	var next func(i, tables int)
	next = func(i, tables int) {
		if i == n {
			f(seats)
			return
		}
		for k := range tables + 1 {
			seats[i] = k
			next(i+1, max(tables, k+1))
		}
	}
	next(0, 0)
}

// TestCRPLogPMF sums the probability over all partitions, and multiplies the seating probabilities of each.
func TestCRPLogPMF(t *testing.T) {
	for _, alpha := range []float64{0.01, 0.7, 3, 250} {
		for n := range 8 {
			total := 0.0
			eachPartition(n, func(seats []int) {
				counts := make([]int, n+2) // with empty tables
				want := 0.0
				for i, k := range seats {
					if counts[k] == 0 {
						want += math.Log(alpha)
					} else {
						want += math.Log(float64(counts[k]))
					}
					want -= math.Log(alpha + float64(i))
					counts[k]++
				}
				got := CRPLogPMF(counts, alpha)
				if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
					t.Fatalf("CRPLogPMF(%v, %v) = %v, want %v", counts, alpha, got, want)
				}
				total += math.Exp(got)
			})
			if math.Abs(total-1) > 1e-12 {
				t.Errorf("alpha = %v: the partitions of %d have probability %v", alpha, n, total)
			}
		}
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if got := CRPLogPMF([]int{1, 2}, bad); got == got {
			t.Errorf("CRPLogPMF with alpha = %v is %v, want NaN", bad, got)
		}
	}
	if got := CRPLogPMF([]int{2, -1}, 1); got == got {
		t.Errorf("CRPLogPMF with a negative count is %v, want NaN", got)
	}
}

// TestCRPDraw compares the frequencies of the 15 partitions of 4 customers with their probabilities by χ² with 14 degrees of
// freedom; 42.6 is exceeded with probability 1e-4.
func TestCRPDraw(t *testing.T) {
	const n, draws, alpha = 4, 40000, 1.3
	key := func(seats []int) (k int) {
		for _, s := range seats {
			k = k*n + s
		}
		return k
	}
	seen := map[int]int{}
	rng := NewRand(3)
	for range draws {
		var counts, seats []int
		for range n {
			k := rng.CRP(counts, alpha)
			if k == len(counts) {
				counts = append(counts, 0)
			}
			counts[k]++
			seats = append(seats, k)
		}
		seen[key(seats)]++
	}
	chi2, cells := 0.0, 0
	eachPartition(n, func(seats []int) {
		counts := make([]int, n)
		for _, k := range seats {
			counts[k]++
		}
		want := draws * math.Exp(CRPLogPMF(counts, alpha))
		d := float64(seen[key(seats)]) - want
		chi2 += d * d / want
		cells++
	})
	if cells != 15 || chi2 > 42.6 {
		t.Errorf("χ² = %v over %d partitions", chi2, cells)
	}
}
