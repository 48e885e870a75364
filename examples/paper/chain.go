// This file makes chains in batches, and says what their rounds cost.

package main

import (
	"context"
	"fmt"
	"math"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// A chain is made in rounds: the globals are drawn, then a batch of m units is refreshed.
type chain struct {
	runtime.Sampler
	m       int
	globals int              // draws of the globals in a round; 2 and 4 with m = 1 are the paper's m = 1/2 and 1/4
	batches *runtime.Batches // nil: all units, in order
}

// inBatches makes s a chain with batches of m units in the order of scan; m >= s.Units() means full sweeps.
func inBatches(s runtime.Sampler, m int, scan runtime.Scan, rng *runtime.Rand) *chain {
	c := &chain{Sampler: s, m: min(m, s.Units()), globals: 1}
	if c.m < s.Units() {
		c.batches = runtime.NewBatches(s.Units(), m, scan, rng)
	}
	return c
}

func (c *chain) round() error {
	for range c.globals {
		if err := c.UpdateGlobals(); err != nil {
			return fmt.Errorf("globals: %w", err)
		}
	}
	var units []int
	if c.batches != nil {
		units = c.batches.Next()
	}
	if err := c.UpdateLocals(units); err != nil {
		return fmt.Errorf("locals: %w", err)
	}
	return nil
}

// burnIn makes full sweeps.
func burnIn(ctx context.Context, s runtime.Sampler, sweeps int) error {
	for _, err := range runtime.Draws(ctx, s, runtime.Options{Warmup: max(sweeps-1, 1), Draws: 1}) {
		if err != nil {
			return err
		}
	}
	return nil
}

// Costs are what updates take.
type costs struct {
	local, global float64 // w_z and w_θ: seconds for a unit, for a draw of the globals
}

// work is what a round takes, in refreshed units: m + w_θ/w_z. It counts, and so is the same in every run on every machine, once the
// ratio is given.
func (c costs) work(m int) float64 { return float64(m) + c.global/c.local }

// times finds what each of several things takes by a monotonic clock, in seconds: the least of many short turns, taken in rotation. Other
// work on the machine only adds to a turn.
func times(turns int, do ...func() error) ([]float64, error) {
	const least = 200 * time.Microsecond // a turn: long beside the clock's resolution, short beside a scheduler's slice
	out := slices.Repeat([]float64{math.Inf(1)}, len(do))
	for range turns {
		for i, f := range do {
			begun := time.Now()
			for n := 1; ; n++ {
				if err := f(); err != nil {
					return nil, err
				}
				if since := time.Since(begun); since > least {
					out[i] = min(out[i], since.Seconds()/float64(n))
					break
				}
			}
		}
	}
	return out, nil
}

// measure finds the costs of a sampler's updates, from draws of the globals and refreshing all units: in parts, if that takes long, lest no
// turn go undisturbed.
func measure(s runtime.Sampler, turns int) (costs, error) {
	n := s.Units()
	do := []func() error{s.UpdateGlobals, func() error { return s.UpdateLocals(nil) }}
	t, err := times(3, do...)
	if err != nil {
		return costs{}, err
	}
	if t[1] > 1e-3 {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		do = do[:1]
		for part := range slices.Chunk(all, (n+31)/32) {
			do = append(do, func() error { return s.UpdateLocals(part) })
		}
	}
	if t, err = times(turns, do...); err != nil {
		return costs{}, err
	}
	return costs{local: floats.Sum(t[1:]) / float64(n), global: t[0]}, nil
}

// follow makes rounds of so much work, and calls each after every one, and at whenever they reach the next of the budgets, with its number.
func (c *chain) follow(ctx context.Context, work float64, budgets []float64, each func(), at func(b int) error) error {
	var done float64
	for b := 0; b < len(budgets); {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := c.round(); err != nil {
			return err
		}
		each()
		for done += work; b < len(budgets) && done >= budgets[b]; b++ {
			if err := at(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// logSpaced returns n numbers from lo to hi, each the same factor above the one before.
func logSpaced(lo, hi float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = lo * math.Pow(hi/lo, float64(i)/float64(n-1))
	}
	out[n-1] = hi
	return out
}

// parallel calls f(0), ..., f(n-1), as many at once as there are processors. After an error no more are begun; the first is returned.
func parallel(n int, f func(i int) error) error {
	var next atomic.Int64
	var failed atomic.Bool
	errs := make([]error, n)
	var workers sync.WaitGroup
	for range min(n, goruntime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = f(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
