// Command generate is a program with a model of its own: visits.gm, from which go generate makes the package visits.
//
//	cd examples/generate
//	go generate
//	go run .
package main

//go:generate go run github.com/gibbsgen/gibbsgen/cmd/gibbsgen generate visits.gm -o visits

import (
	"context"
	"fmt"
	"os"

	"github.com/gibbsgen/gibbsgen/examples/generate/visits"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// The kinds of days: categories count from 0 in Go.
const (
	weekday = iota
	weekend
	kinds
)

// counts is what was seen: weekdays and weekends in turn, for some hours each.
var counts = visits.Data{
	Sizes: visits.Sizes{N: 8, Days: kinds},
	Day:   []int32{weekday, weekend, weekday, weekend, weekday, weekend, weekday, weekend},
	Hours: []float64{3, 2, 4, 2, 5, 1, 4, 3},
	Count: []int{31, 52, 37, 60, 44, 29, 46, 71},
}

func main() {
	ratio, err := weekendRatio(context.Background(), 1)
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
	chains := [][]float64{ratio}
	fmt.Printf("An hour at the weekend sees %.2f times the visitors of another, 90%% interval %.2f to %.2f.\n",
		runtime.Quantile(chains, 0.5), runtime.Quantile(chains, 0.05), runtime.Quantile(chains, 0.95))
}

// weekendRatio draws from the posterior of the ratio of the two rates.
func weekendRatio(ctx context.Context, seed uint64) ([]float64, error) {
	s, err := visits.New(counts, visits.DefaultHyper(counts.Sizes), runtime.NewRand(seed))
	if err != nil {
		return nil, err
	}
	var ratio []float64
	for _, err := range runtime.Draws(ctx, s, runtime.Options{Warmup: 100, Draws: 4000}) {
		if err != nil {
			return nil, err
		}
		busy := s.State().Busy
		ratio = append(ratio, busy[weekend]/busy[weekday])
	}
	return ratio, nil
}
