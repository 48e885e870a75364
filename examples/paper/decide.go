// This file asks the runtime which batch size it would choose.

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/gibbsgen/gibbsgen/runtime"
)

var errDecided = errors.New("decided")

// decide runs chains until their batch size is chosen, by the paper's Algorithm 1 (runtime.Grid) or by equal work (runtime.Auto), for a run of
// so many draws: three chains, as in the paper. Costs are given, so that the choice does not hang on what else the machine does.
func decide(ctx context.Context, adapt runtime.Adapt, cost costs, warmup, draws int, seed uint64, newChain func(chain int) (runtime.Sampler, error)) (*runtime.Decision, error) {
	var out *runtime.Decision
	priced := new(runtime.RoundCosts)
	opts := runtime.Options{Chains: 3, Warmup: warmup, Draws: draws, Seed: seed, Adapt: adapt, Scan: runtime.SequentialScan, Costs: priced,
		Decided: func(d *runtime.Decision) error {
			out = d
			return errDecided
		}}
	first, err := newChain(0)
	if err != nil {
		return nil, err
	}
	units := first.Units()
	*priced = runtime.RoundCosts{Local: 1, Global: cost.work(0), Full: cost.work(units)}
	err = runtime.Run(ctx, opts, newChain, func(int) (runtime.Sink, error) { return new(runtime.Memory), nil })
	if err != nil && !errors.Is(err, errDecided) {
		return nil, err
	}
	if out == nil {
		return nil, fmt.Errorf("no batch size was chosen")
	}
	return out, nil
}
