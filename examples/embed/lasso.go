// This file fits the probit lasso of specs/lasso.gm to a file, several chains in parallel.

package main

import (
	"context"
	"math"

	"github.com/gibbsgen/gibbsgen/generated/lasso"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// A coefficient is what the posterior says of one predictor, per standard deviation of it.
type coefficient struct {
	Name                   string
	Mean, Lo, Hi           float64 // posterior mean, and the 5 % and 95 % quantiles
	Positive, PositiveMCSE float64 // posterior probability that it is above zero, and that number's Monte Carlo error
	Rhat                   float64
}

// lassoDiabetes regresses y above its median on the standardised predictors and an intercept.
func lassoDiabetes(ctx context.Context, path string, opts runtime.Options) ([]coefficient, error) {
	set, _, err := dataio.Load(lasso.Schema, []string{path}, dataio.Options{
		Transform: []string{"standardise:X", "binarise:y", "intercept:X"},
	})
	if err != nil {
		return nil, err
	}
	data, hyper, err := lasso.Load(set)
	if err != nil {
		return nil, err
	}
	hyper.Lambda = 2 // a stronger pull to zero than the spec's default

	memory := make([]runtime.Memory, opts.Chains)
	err = runtime.Run(ctx, opts,
		func(chain int) (runtime.Sampler, error) {
			return lasso.New(data, hyper, runtime.NewRand(opts.Seed, uint64(chain)))
		},
		func(chain int) (runtime.Sink, error) { return &memory[chain], nil })
	if err != nil {
		return nil, err
	}

	var out []coefficient
	for d, name := range set.Levels["D"] {
		w := draws(memory, runtime.ElementLabel("w", d))
		positive := make([][]float64, len(w))
		for c := range w {
			for _, x := range w[c] {
				positive[c] = append(positive[c], runtime.Indicator(x > 0))
			}
		}
		mcse := runtime.MCSEMean(positive)
		if math.IsNaN(mcse) { // every draw on one side: the error is not 0, but below what this many draws can show
			mcse = 1 / float64(opts.Chains*opts.Draws)
		}
		out = append(out, coefficient{
			Name:         name,
			Mean:         mean(w),
			Lo:           runtime.Quantile(w, 0.05),
			Hi:           runtime.Quantile(w, 0.95),
			Positive:     mean(positive),
			PositiveMCSE: mcse,
			Rhat:         runtime.Rhat(w),
		})
	}
	return out, nil
}

// draws returns chains × draws of one monitored scalar.
func draws(memory []runtime.Memory, name string) [][]float64 {
	var out [][]float64
	for _, m := range memory {
		for i, n := range m.Names {
			if n == name {
				out = append(out, m.Draws[i])
			}
		}
	}
	return out
}

func mean(chains [][]float64) float64 {
	sum, n := 0.0, 0
	for _, c := range chains {
		for _, x := range c {
			sum += x
		}
		n += len(c)
	}
	return sum / float64(n)
}
