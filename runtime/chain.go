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

// Run runs opts.Chains chains, at most GOMAXPROCS/opts.Workers of them at once, and hands
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
//
// With opts.Checkpoints a chain that does not complete can be gone on with: see there.
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

	if opts.Workers == 0 {
		opts.Workers = max(1, goruntime.GOMAXPROCS(0)/opts.Chains)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{ctx: inner, cancel: cancel, opts: opts, newChain: newChain, newSink: sink, keep: func() bool { return ctx.Err() != nil }}
	r.run()

	// An interruption is news only if the caller asked for it: otherwise it
	// is the echo of another chain's failure.
	var failed []error
	complete := true
	for i := range r.chains {
		c := &r.chains[i]
		complete = complete && c.complete
		if c.err == nil || errors.Is(c.err, errInterrupted) {
			continue
		}
		// What is wrong before any sweep is mostly wrong with all chains.
		same := func(other error) bool {
			a, b := new(ChainError), new(ChainError)
			return errors.As(c.err, &a) && errors.As(other, &b) && a.Sweep == 0 && b.Sweep == 0 && a.Err.Error() == b.Err.Error()
		}
		if !slices.ContainsFunc(failed, same) {
			failed = append(failed, c.err)
		}
	}
	switch {
	case len(failed) == 1:
		return failed[0]
	case len(failed) > 1:
		return errors.Join(failed...)
	case r.failed != nil:
		return r.failed
	case !complete:
		return fmt.Errorf("runtime: interrupted: %w", ctx.Err())
	}
	return nil
}

// errInterrupted is how a chain says that its context ended. Run replaces it.
var errInterrupted = errors.New("interrupted")

// A run is what Run does.
type run struct {
	ctx      context.Context
	cancel   func() // ends ctx, when a chain has failed
	opts     Options
	newChain func(int) (Sampler, error)
	newSink  func(int) (Sink, error)
	keep     func() bool // whether the draws of interrupted chains are to be kept
	chains   []chainRun
	failed   error // what went wrong with none of the chains
}

// A chainRun is one chain on its way from its making to the closing of its sink.
type chainRun struct {
	*driver
	number   int
	scalars  *Invariants // while it is tuned
	out      Sink        // nil before there is one, and once it is closed or aborted
	complete bool
	err      error // why not
}

// run makes the chains and takes them through. Where nothing is tuned a chain goes from beginning to end, since chains have
// nothing to do with each other; tuning is done by all of them together.
func (r *run) run() {
	r.chains = make([]chainRun, r.opts.Chains)
	for i := range r.chains {
		r.chains[i].number = i
	}
	turns := (r.opts.Chains + r.atOnce() - 1) / r.atOnce()
	r.opts.Time /= time.Duration(turns) // chains wait for each other
	warmup := func(c *chainRun) error { return c.warmup(r.ctx) }
	sample := func(c *chainRun) error { return c.sample(r.ctx, func() error { return c.record(c.out) }) }
	if r.opts.Adapt == NoAdapt {
		r.each(r.begin, warmup, sample, r.saveIfWorth, r.close)
	} else {
		r.each(r.begin, warmup, r.saveIfWorth)
		if r.failed = r.settle(); r.failed != nil {
			r.cancel()
		}
		r.each(sample, r.saveIfWorth, r.close)
	}
	for i := range r.chains { // those that wait for a turn which does not come
		if c := &r.chains[i]; c.out != nil {
			c.err = r.end(c, errInterrupted)
		}
	}
}

// settle chooses the pace of the sampling, unless that was done before the run was stopped.
func (r *run) settle() error {
	sampling := 0
	for i := range r.chains {
		c := &r.chains[i]
		if c.out == nil {
			return nil // it has failed, or was interrupted
		}
		if c.phase == Sampling {
			sampling++
		}
	}
	switch sampling {
	case len(r.chains):
		return nil
	case 0:
	default:
		return fmt.Errorf("runtime: %d of %d chains have checkpoints from after the choice of a batch size, and all should: one is lost; begin anew without --resume", sampling, len(r.chains))
	}
	if err := r.tune(); err != nil || r.ctx.Err() != nil {
		return err
	}
	for i := range r.chains {
		c := &r.chains[i]
		c.phase, c.done = Sampling, 0
		c.begun, c.elapsed = time.Time{}, r.opts.Time/2 // half of the time is for what comes now
		if c.leave != nil {
			if err := c.save(tunedPath(c.leave.path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// atOnce is the number of chains that are moved at the same time.
func (r *run) atOnce() int {
	return max(1, min(r.opts.Chains, goruntime.GOMAXPROCS(0)/r.opts.Workers))
}

// each takes every chain through the steps. A chain whose step fails ends there, and no chain begins anything after it.
func (r *run) each(steps ...func(*chainRun) error) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range r.atOnce() {
		workers.Go(func() {
			for r.ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(r.chains) {
					return
				}
				c := &r.chains[i]
				for _, step := range steps {
					if err := step(c); err != nil {
						c.err = r.end(c, err)
						r.cancel()
						return
					}
				}
			}
		})
	}
	workers.Wait()
}

// begin makes a chain and its sink.
func (r *run) begin(c *chainRun) error {
	s, err := r.newChain(c.number)
	if err != nil {
		return &ChainError{Chain: c.number, Err: err}
	}
	if n := s.Units(); r.opts.Batch > n {
		return &ChainError{Chain: c.number, Err: fmt.Errorf("batches of %d units are asked for, and the model has %d", r.opts.Batch, n)}
	}
	out, err := r.newSink(c.number)
	if err != nil {
		return &ChainError{Chain: c.number, Err: err}
	}
	c.driver, c.out = newDriver(s, r.opts, c.number), out
	if r.opts.Checkpoints == nil {
		return c.begin(out)
	}
	return r.leaving(c)
}

// close ends a chain that has all its draws.
func (r *run) close(c *chainRun) error {
	c.err = r.end(c, nil)
	c.complete = c.err == nil
	return c.err
}

// end closes the sink of a chain that ends with err, or aborts it, and returns why the chain is not complete.
func (r *run) end(c *chainRun, err error) error {
	out := c.out
	if out == nil {
		return err
	}
	c.out = nil
	c.leave.stop()
	stopped := errors.Is(err, errInterrupted) && r.keep()
	if stopped && c.leave != nil && c.phase != Tuning { // tuning is gone on with from its beginning or after its end alone
		if saving := c.save(c.leave.path); saving != nil {
			err = saving // and the draws are kept all the same
		}
	}
	if err == nil || stopped && c.kept > 0 {
		closing := out.Close()
		if closing == nil {
			return err
		}
		err = c.fail(closing)
	}
	if c.leave != nil && c.leave.left && c.kept > 0 {
		out.(Resumable).Suspend() // what a checkpoint refers to stays
		return err
	}
	if aborting := out.Abort(); aborting != nil {
		if errors.Is(err, errInterrupted) {
			return c.fail(aborting)
		}
		return errors.Join(err, c.fail(aborting))
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
		if err == nil && opts.Adapt != NoAdapt {
			err = errors.New("runtime: Draws chooses no batch size, which takes the chains of Run: set Options.Batch instead of Options.Adapt")
		}
		if err != nil {
			yield(0, err)
			return
		}
		d := newDriver(s, opts, 0)
		err = d.warmup(ctx)
		if err == nil {
			err = d.sample(ctx, func() error {
				if !yield(d.kept, nil) {
					return errBreak
				}
				return nil
			})
		}
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
	schedule *schedule
	opts     Options // defaults written out
	chain    int
	begun    time.Time     // when its time began to run; zero before it does
	elapsed  time.Duration // of its time, before that
	phase    Phase
	done     int       // sweeps, or rounds, of this phase
	sweeps   int       // made so far
	kept     int       // draws handed on so far
	columns  int       // monitored scalars
	values   []float64 // of the current draw
	leave    *leaver   // of checkpoints; nil if none are left
}

func newDriver(s Sampler, opts Options, chain int) *driver {
	if c, ok := s.(Crewed); ok {
		c.Crew().SetWorkers(opts.Workers)
	}
	return &driver{s: s, schedule: newSchedule(opts, chain, s.Units()), opts: opts, chain: chain}
}

// begin tells out the names.
func (d *driver) begin(out Sink) error {
	names := d.s.Names()
	d.columns = len(names)
	if err := out.Begin(names); err != nil {
		return d.fail(err)
	}
	return nil
}

// record hands the current draw to out.
func (d *driver) record(out Sink) error {
	d.values = d.s.AppendValues(d.values[:0])
	if len(d.values) != d.columns {
		return fmt.Errorf("the sampler gave %d values for %d names", len(d.values), d.columns)
	}
	return out.Draw(d.s.LogJoint(), d.values)
}

func (d *driver) tune(on bool) {
	if t, ok := d.s.(Tuner); ok {
		t.Tune(on)
	}
}

// warmup makes the sweeps before the first that counts, those of them that are not made yet.
func (d *driver) warmup(ctx context.Context) error {
	if d.phase != Warmup {
		return nil
	}
	d.resumeClock()
	d.tune(true)
	for d.done < d.opts.Warmup {
		if err := d.sweep(ctx, nil); err != nil {
			return err
		}
		d.done++
		d.progress(d.done, d.opts.Warmup)
		if d.late(2) {
			break
		}
		if err := d.saveIfDue(); err != nil {
			return err
		}
	}
	d.tune(false)
	return nil
}

// sample makes the sweeps, or rounds, that are drawn from, and calls draw at each draw.
func (d *driver) sample(ctx context.Context, draw func() error) error {
	if d.phase != Sampling {
		d.phase, d.done = Sampling, 0
	}
	d.resumeClock()
	total := d.opts.Draws * d.opts.Thin
	enough := func() bool { return d.done == total || d.kept > 0 && d.late(1) }
	step := func() error {
		if d.done++; d.done%d.opts.Thin == 0 {
			if err := draw(); err != nil {
				return d.fail(err)
			}
			d.kept++
		}
		d.progress(d.done, total)
		if enough() {
			return errEnough
		}
		return nil
	}
	var round func() error
	if d.opts.Rounds {
		round = step
	}
	if enough() { // a chain that was complete
		return nil
	}
	for {
		err := d.sweep(ctx, round)
		if err == nil && round == nil {
			err = step()
		}
		if err == nil {
			err = d.saveIfDue()
		}
		switch {
		case errors.Is(err, errEnough):
			return nil
		case err != nil:
			return err
		}
	}
}

// errEnough ends the sampling of a chain that has all its draws.
var errEnough = errors.New("enough")

// resumeClock has the chain's time run, if it does not yet.
func (d *driver) resumeClock() {
	if d.begun.IsZero() {
		d.begun = time.Now().Add(-d.elapsed)
	}
}

// late reports whether the part 1/of of the time is over, if time is limited.
func (d *driver) late(of time.Duration) bool {
	return d.opts.Time > 0 && time.Since(d.begun) > d.opts.Time/of
}

// sweep makes one sweep, and calls each after its rounds.
func (d *driver) sweep(ctx context.Context, each func() error) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	d.sweeps++
	if err := d.schedule.sweep(d.s, each); err != nil {
		return d.fail(err)
	}
	// Early on at every power of two: the start may lie far from where the references of the sums should.
	if every := d.opts.RebuildEvery; every > 0 && (d.sweeps%every == 0 || d.sweeps < every && d.sweeps&(d.sweeps-1) == 0) {
		d.s.Rebuild()
	}
	return nil
}

// progress reports done of total, a thousand times at most.
func (d *driver) progress(done, total int) {
	if d.opts.Progress == nil {
		return
	}
	if step := 1 + (total-1)/1000; done%step == 0 || done == total {
		d.opts.Progress(d.chain, d.phase, done, total)
	}
}

// fail says where err happened.
func (d *driver) fail(err error) error {
	if errors.As(err, new(*ChainError)) {
		return err
	}
	return &ChainError{Chain: d.chain, Sweep: d.sweeps, Phase: d.phase, Err: err}
}
