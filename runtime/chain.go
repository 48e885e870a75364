// This file runs chains: warmup, then sweeps of which every Thin-th is kept.

package runtime

import (
	"context"
	"errors"
	"fmt"
	"iter"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A ChainError says where in a run a chain failed.
type ChainError struct {
	Chain int   // 0-based
	Sweep int   // 1-based, warmup included; 0 before the first sweep
	Phase Phase // of that sweep
	Err   error
}

// Error numbers chains from 1, as the files of draws do.
func (e *ChainError) Error() string {
	if e.Sweep == 0 {
		return fmt.Sprintf("chain %d, before its first sweep: %v", e.Chain+1, e.Err)
	}
	return fmt.Sprintf("chain %d, sweep %d (%v): %v", e.Chain+1, e.Sweep, e.Phase, e.Err)
}

func (e *ChainError) Unwrap() error { return e.Err }

// Run runs opts.Chains chains, at most GOMAXPROCS of them at once, and hands
// each kept draw to the chain's Sink. newChain and sink make what chain 0, 1,
// ... needs, each called once a chain, possibly at the same time for different
// chains.
//
// The draws of a chain depend on what newChain returned and on opts, never on
// the number of processors or on the other chains.
//
// How it ends:
//   - All chains complete, or their time is over: every sink is closed, the error is nil.
//   - ctx ends: each chain stops after its sweep. Sinks that hold a draw are
//     closed, so what was drawn is kept; the others are aborted. The error wraps
//     ctx.Err().
//   - A chain fails: its sink is aborted, and the chains still running are
//     stopped and theirs aborted too. Chains that were already complete keep
//     their draws. The error is a [*ChainError], or several joined in chain order
//     if more than one failed before it could be stopped.
func Run(ctx context.Context, opts Options,
	newChain func(chain int) (Sampler, error), sink func(chain int) (Sink, error)) error {
	opts, err := opts.WithDefaults()
	if err != nil {
		return err
	}
	if report := opts.Progress; report != nil {
		var mu sync.Mutex
		opts.Progress = func(chain int, phase Phase, done, total int) {
			mu.Lock()
			defer mu.Unlock()
			report(chain, phase, done, total)
		}
	}

	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, opts.Chains)
	var next atomic.Int64
	var workers sync.WaitGroup
	atOnce := min(opts.Chains, goruntime.GOMAXPROCS(0))
	opts.Time /= time.Duration((opts.Chains + atOnce - 1) / atOnce) // chains run in so many turns
	for range atOnce {
		workers.Go(func() {
			for inner.Err() == nil {
				chain := int(next.Add(1)) - 1
				if chain >= opts.Chains {
					return
				}
				keep := func() bool { return ctx.Err() != nil }
				if errs[chain] = runChain(inner, keep, opts, chain, newChain, sink); errs[chain] != nil {
					cancel()
				}
			}
		})
	}
	workers.Wait()

	// An interruption is news only if the caller asked for it: otherwise it
	// is the echo of another chain's failure.
	var failed []error
	for _, err := range errs {
		if err == nil || errors.Is(err, errInterrupted) {
			continue
		}
		// What is wrong before any sweep is mostly wrong with all chains.
		same := func(other error) bool {
			a, b := new(ChainError), new(ChainError)
			return errors.As(err, &a) && errors.As(other, &b) && a.Sweep == 0 && b.Sweep == 0 && a.Err.Error() == b.Err.Error()
		}
		if !slices.ContainsFunc(failed, same) {
			failed = append(failed, err)
		}
	}
	switch {
	case len(failed) == 1:
		return failed[0]
	case len(failed) > 1:
		return errors.Join(failed...)
	case inner.Err() != nil && (int(next.Load()) < opts.Chains || anyError(errs)):
		return fmt.Errorf("runtime: interrupted: %w", ctx.Err())
	}
	return nil
}

func anyError(errs []error) bool {
	for _, err := range errs {
		if err != nil {
			return true
		}
	}
	return false
}

// errInterrupted is how a chain says that its context ended. Run replaces it.
var errInterrupted = errors.New("interrupted")

// runChain runs one chain from its making to the closing of its sink. When it
// is interrupted, keep says whether draws so far are to be kept.
func runChain(ctx context.Context, keep func() bool, opts Options, chain int,
	newChain func(int) (Sampler, error), newSink func(int) (Sink, error)) error {
	s, err := newChain(chain)
	if err != nil {
		return &ChainError{Chain: chain, Err: err}
	}
	if n := s.Units(); opts.Batch > n {
		return &ChainError{Chain: chain, Err: fmt.Errorf("batches of %d units are asked for, and the model has %d", opts.Batch, n)}
	}
	out, err := newSink(chain)
	if err != nil {
		return &ChainError{Chain: chain, Err: err}
	}
	d := newDriver(s, opts, chain)
	err = d.run(ctx, out)
	interrupted := errors.Is(err, errInterrupted)
	if err == nil || interrupted && d.kept > 0 && keep() {
		if closing := out.Close(); closing != nil {
			return d.fail(closing)
		}
		return err
	}
	if aborting := out.Abort(); aborting != nil {
		if interrupted {
			return d.fail(aborting)
		}
		return errors.Join(err, d.fail(aborting))
	}
	return err
}

// Draws drives one chain for range-over-func: opts.Warmup sweeps, then it
// yields 0, 1, ... opts.Draws-1, each after opts.Thin sweeps, with s at that draw.
//
//	for i, err := range runtime.Draws(ctx, s, opts) {
//		if err != nil { ... }
//		values = s.AppendValues(values[:0])
//	}
//
// break stops the chain where it is. A failure, or the end of ctx (as an error
// that wraps ctx.Err()), is the last pair. opts.Chains and opts.Seed are not used:
// s has its own random stream.
func Draws(ctx context.Context, s Sampler, opts Options) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		opts, err := opts.WithDefaults()
		if err != nil {
			yield(0, err)
			return
		}
		d := newDriver(s, opts, 0)
		err = d.each(ctx, func() error {
			if !yield(d.kept, nil) {
				return errBreak
			}
			return nil
		})
		switch {
		case err == nil || errors.Is(err, errBreak):
		case errors.Is(err, errInterrupted):
			yield(d.kept, fmt.Errorf("runtime: interrupted: %w", ctx.Err()))
		default:
			yield(d.kept, err)
		}
	}
}

// errBreak is the loop body's break on its way out of a driver.
var errBreak = errors.New("break")

// A driver takes one chain through its run.
type driver struct {
	s        Sampler
	schedule schedule
	opts     Options // defaults written out
	chain    int
	phase    Phase
	sweeps   int       // made so far
	kept     int       // draws handed on so far
	values   []float64 // of the current draw
}

func newDriver(s Sampler, opts Options, chain int) *driver {
	return &driver{s: s, schedule: newSchedule(opts, chain, s.Units()), opts: opts, chain: chain}
}

// run makes the whole run, from the names to the last draw.
func (d *driver) run(ctx context.Context, out Sink) error {
	names := d.s.Names()
	if err := out.Begin(names); err != nil {
		return d.fail(err)
	}
	return d.each(ctx, func() error { return d.record(out, len(names)) })
}

// record hands the current draw to out.
func (d *driver) record(out Sink, n int) error {
	d.values = d.s.AppendValues(d.values[:0])
	if len(d.values) != n {
		return fmt.Errorf("the sampler gave %d values for %d names", len(d.values), n)
	}
	return out.Draw(d.s.LogJoint(), d.values)
}

func (d *driver) tune(on bool) {
	if t, ok := d.s.(Tuner); ok {
		t.Tune(on)
	}
}

// each makes the sweeps of both phases and calls draw at each that is kept.
func (d *driver) each(ctx context.Context, draw func() error) error {
	begun := time.Now()
	d.phase = Warmup
	d.tune(true)
	for done := range d.opts.Warmup {
		if err := d.sweep(ctx, done, d.opts.Warmup); err != nil {
			return err
		}
		if d.opts.Time > 0 && time.Since(begun) > d.opts.Time/2 {
			break
		}
	}
	d.phase = Sampling
	d.tune(false)
	total := d.opts.Draws * d.opts.Thin
	for done := range total {
		if err := d.sweep(ctx, done, total); err != nil {
			return err
		}
		if (done+1)%d.opts.Thin == 0 {
			if err := draw(); err != nil {
				return d.fail(err)
			}
			d.kept++
			if d.opts.Time > 0 && time.Since(begun) > d.opts.Time {
				return nil
			}
		}
	}
	return nil
}

// sweep makes one sweep, when done of total are made in this phase.
func (d *driver) sweep(ctx context.Context, done, total int) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	d.sweeps++
	if err := d.schedule.sweep(d.s); err != nil {
		return d.fail(err)
	}
	// Early on at every power of two: the start may lie far from where the references of the sums should.
	if every := d.opts.RebuildEvery; every > 0 && (d.sweeps%every == 0 || d.sweeps < every && d.sweeps&(d.sweeps-1) == 0) {
		d.s.Rebuild()
	}
	if done++; d.opts.Progress != nil {
		if step := 1 + (total-1)/1000; done%step == 0 || done == total {
			d.opts.Progress(d.chain, d.phase, done, total)
		}
	}
	return nil
}

// fail says where err happened.
func (d *driver) fail(err error) error {
	return &ChainError{Chain: d.chain, Sweep: d.sweeps, Phase: d.phase, Err: err}
}
