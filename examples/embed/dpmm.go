// This file fits the Dirichlet process mixture of specs/dpmm.gm to an array, and looks at each state as the chain passes it.
package main

import (
	"context"

	"github.com/gibbsgen/gibbsgen/generated/dpmm"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// eruptions are 20 of Old Faithful's (Azzalini & Bowman 1990), the first of specs/dpmm.csv, in order of their duration: its
// length and the wait for the next one, in minutes less 3.3 and tens of minutes less 7.
var eruptions = []float64{
	-1.700, -2.3, -1.567, -2.2, -1.550, -1.8, -1.550, -1.9, -1.550, -1.6,
	-1.500, -1.6, -1.467, -0.8, -1.350, -1.5, -1.017, -0.8, -0.700, 0.4,
	0.033, 0.4, 0.300, 0.9, 0.300, 0.8, 0.533, 0.8, 0.617, 1.4,
	0.900, 1.5, 0.900, 1.3, 1.050, 1.4, 1.233, 1.5, 1.400, 1.8,
}

// A mixture is what the posterior says of how eruptions fall into kinds.
type mixture struct {
	Clusters                      []float64 // Clusters[k] is the probability of k kinds
	ShortWithLong, ShortWithShort float64   // of two eruptions to be of one kind
}

func mixEruptions(ctx context.Context, opts runtime.Options) (mixture, error) {
	data := dpmm.Data{Sizes: dpmm.Sizes{N: len(eruptions) / 2, P: 2}, X: eruptions}
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
