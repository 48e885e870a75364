package main

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

func Example() {
	ratio, err := weekendRatio(context.Background(), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("weekends are busier:", runtime.Quantile([][]float64{ratio}, 0.05) > 1)
	// Output: weekends are busier: true
}

// TestExact compares the draws with the exact posterior. The rates are independent Gammas of shape a = 2 + Σ count and rate
// b = 0.1 + Σ hours, so their ratio has mean (a₁/b₁)·b₀/(a₀ - 1). The threshold, 5 Monte Carlo errors, is passed by chance once in
// 1.7 million seeds.
func TestExact(t *testing.T) {
	shape, rate := [kinds]float64{2, 2}, [kinds]float64{0.1, 0.1}
	for i, d := range counts.Day {
		shape[d] += float64(counts.Count[i])
		rate[d] += counts.Hours[i]
	}
	want := shape[weekend] / rate[weekend] * rate[weekday] / (shape[weekday] - 1)
	ratio, err := weekendRatio(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	var mean float64
	for _, x := range ratio {
		mean += x / float64(len(ratio))
	}
	if mcse := runtime.MCSEMean([][]float64{ratio}); !(math.Abs(mean-want) <= 5*mcse) {
		t.Errorf("the mean ratio is %.4f, Monte Carlo error %.4f, and exactly %.4f", mean, mcse, want)
	}
}
