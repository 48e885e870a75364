// This file holds how a chain leaves checkpoints on its way, and how it goes on from one.

package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
	"time"
)

// Checkpoints has a run leave checkpoints, from which another process can go on and make the very draws that the run would have made:
// every so often, when a chain is complete, and when the context of [Run] ends. A chain that has none begins anew. One that fails
// leaves its draws as they are if there is a checkpoint, which refers to them. While a batch size is chosen no checkpoint is left: a
// run that is stopped then goes on where warmup ended.
//
// Samplers must be Savers, and sinks Resumable. The files are the caller's to remove once the run is complete.
type Checkpoints struct {
	Path  func(chain int) string // of a chain's file; one with .tuned after its name may lie beside it
	Every time.Duration          // from one to the next, and longer where writing them takes more than a tenth of the time; not positive: only at the end
	Run   [32]byte               // tells this run's from others'

	// Resume has chains go on from the checkpoints that there are.
	Resume bool
}

// A ResumeError is what keeps a chain from going on from its checkpoint: nothing was drawn.
type ResumeError struct{ Err error }

func (e *ResumeError) Error() string { return e.Err.Error() }

func (e *ResumeError) Unwrap() error { return e.Err }

// tunedPath is where a chain's checkpoint is that was left when the batch size was chosen. Chains leave them in order: when the last has, all
// have, and the choice stands. Their other checkpoints could not tell, since each chain leaves them in its own time.
func tunedPath(path string) string { return path + ".tuned" }

// A leaver leaves the checkpoints of one chain.
type leaver struct {
	*Checkpoints
	path  string
	sink  Resumable
	begun time.Time
	due   atomic.Bool
	timer *time.Timer
	left  bool // there is one
}

// newLeaver returns the leaver of a chain.
func newLeaver(c *Checkpoints, chain int, s Sampler, out Sink) (*leaver, error) {
	if _, ok := s.(Saver); !ok {
		return nil, fmt.Errorf("checkpoints: the sampler, a %T, is no Saver", s)
	}
	sink, ok := out.(Resumable)
	if !ok {
		return nil, fmt.Errorf("checkpoints: the sink, a %T, is not Resumable", out)
	}
	l := &leaver{Checkpoints: c, path: c.Path(chain), sink: sink, begun: time.Now()}
	if c.Every > 0 {
		l.timer = time.AfterFunc(c.Every, func() { l.due.Store(true) })
		l.due.Store(c.Every < time.Millisecond) // so little is over at once, whenever the timer comes to say so
	}
	return l, nil
}

// again waits for the next time, after one that took so long.
func (l *leaver) again(took time.Duration) {
	l.due.Store(false)
	if l.timer != nil {
		l.timer.Reset(max(l.Every, 10*took))
	}
}

// stop ends the waiting.
func (l *leaver) stop() {
	if l != nil && l.timer != nil {
		l.timer.Stop()
	}
}

// worth reports whether a chain has gone on for long enough that its end is worth a checkpoint.
func (l *leaver) worth() bool { return l.left || l.Every > 0 && time.Since(l.begun) >= l.Every }

// Parts implements [Saver]: the driver's own, the schedule's, the sampler's, the sink's.
func (d *driver) Parts() []any {
	return []any{(*int)(&d.phase), &d.done, &d.sweeps, &d.kept, (*int64)(&d.elapsed), d.schedule, d.s.(Saver), d.leave.sink}
}

// Parts implements [Saver].
func (c *schedule) Parts() []any {
	parts := []any{&c.batch, &c.globals, &c.due}
	if c.batches != nil {
		parts = append(parts, c.batches.order, &c.batches.at, c.batches.rng)
	}
	return parts
}

// saveIfDue leaves a checkpoint if it is time to.
func (d *driver) saveIfDue() error {
	if d.leave == nil || !d.leave.due.Load() {
		return nil
	}
	return d.save(d.leave.path)
}

// save leaves a checkpoint.
func (d *driver) save(path string) error {
	begun := time.Now()
	if !d.begun.IsZero() {
		d.elapsed = begun.Sub(d.begun)
	}
	err := d.leave.sink.Sync()
	if err == nil {
		err = WriteCheckpoint(path, d.leave.Run, d)
	}
	if err != nil {
		return d.fail(err)
	}
	d.leave.left = true
	d.leave.again(time.Since(begun))
	return nil
}

// restore goes back to a checkpoint, if there is one.
func (d *driver) restore(path string) (found bool, err error) {
	err = ReadCheckpoint(path, d.leave.Run, d)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	if d.schedule.batches != nil {
		d.schedule.batches.resize(max(d.schedule.batch, 1))
	}
	d.begun = time.Time{} // it has the time that was left, once it is its turn
	d.leave.left = true
	return true, nil
}

// leaving has a chain leave checkpoints from now on, and go on from the last that there is.
func (r *run) leaving(c *chainRun) error {
	l, err := newLeaver(r.opts.Checkpoints, c.number, c.s, c.out)
	if err != nil {
		return c.fail(err)
	}
	c.leave = l
	found := false
	if l.Resume {
		if found, err = c.restore(l.path); err == nil && r.opts.Adapt != NoAdapt && c.phase != Sampling {
			if _, none := os.Stat(tunedPath(l.Path(r.opts.Chains - 1))); none == nil {
				found, err = c.restore(tunedPath(l.path))
			}
		}
	}
	switch {
	case err != nil:
		return c.fail(&ResumeError{err})
	case !found:
		return c.begin(c.out)
	}
	names := c.s.Names()
	c.columns = len(names)
	if err := l.sink.Resume(names); err != nil {
		return c.fail(&ResumeError{err})
	}
	return nil
}

// saveIfWorth is a step of a run, where it is worth its while.
func (r *run) saveIfWorth(c *chainRun) error {
	if c.leave == nil || !c.leave.worth() {
		return nil
	}
	return c.save(c.leave.path)
}
