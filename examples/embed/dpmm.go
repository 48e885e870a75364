// This file fits the Dirichlet process mixture of specs/dpmm.gm to an array, and looks at each state as the chain passes it.

package main

import (
	"context"

	"github.com/gibbsgen/gibbsgen/generated/dpmm"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// eruptions are 20 of Old Faithful's, the first of specs/dpmm.csv in order of their length (Azzalini & Bowman 1990): how long each
// lasted, and the wait for the next one, in minutes.
var eruptions = [][2]float64{
	{1.6, 52}, {1.75, 47}, {1.75, 62}, {1.8, 54}, {1.833, 54}, {1.95, 51}, {2.167, 52}, {2.283, 62}, {2.883, 55}, {3.333, 74},
	{3.6, 79}, {3.6, 85}, {3.917, 84}, {4.2, 78}, {4.25, 79}, {4.35, 85}, {4.533, 85}, {4.7, 83}, {4.7, 88}, {4.8, 84},
}

// A mixture is what the posterior says of how eruptions fall into kinds.
type mixture struct {
	Clusters []float64 // Clusters[k] is the probability of k kinds

	// The probability that two eruptions are of one kind: the shortest and the longest, the two shortest.
	ShortWithLong, ShortWithShort float64
}

func mixEruptions(ctx context.Context, opts runtime.Options) (mixture, error) {
	data := dpmm.Data{Sizes: dpmm.Sizes{N: len(eruptions), P: 2}}
	for _, e := range eruptions { // the model's prior is for numbers about 0 of size 1; arrays are flat, row by row
		data.X = append(data.X, e[0]-3.3, (e[1]-70)/10)
	}
	s, err := dpmm.New(data, dpmm.DefaultHyper(data.Sizes), runtime.NewRand(opts.Seed))
	if err != nil {
		return mixture{}, err
	}
	out := mixture{Clusters: make([]float64, data.N+1)}
	each := 1 / float64(opts.Draws)
	for _, err := range runtime.Draws(ctx, s, opts) {
		if err != nil {
			return mixture{}, err
		}
		st := s.State() // of this draw; the next one overwrites it
		out.Clusters[st.Clusters] += each
		out.ShortWithLong += each * runtime.Indicator(st.Z[0] == st.Z[data.N-1])
		out.ShortWithShort += each * runtime.Indicator(st.Z[0] == st.Z[1])
	}
	return out, nil
}
