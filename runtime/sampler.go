// This file holds what generated code offers to the runtime, and the settings of a run.

package runtime

import (
	"fmt"
	"math"
	"time"
)

// A Sampler is one chain of one model, as generated code provides it. Its
// methods are never called concurrently; different Samplers of one run are,
// so they must share nothing that an update writes.
//
// A Sampler must be deterministic: its next state is a function of its state
// and of its own random stream.
type Sampler interface {
	// Units returns the number of local units: the elements of the locals'
	// outermost plate, or of the one that the spec makes batches over; 0 if
	// the model has no locals.
	Units() int

	// UpdateLocals refreshes the locals of these units (0-based), in this
	// order where they depend on each other given the globals; nil means all
	// units, in order. It does not keep the slice.
	UpdateLocals(units []int) error

	// UpdateGlobals draws every global once.
	UpdateGlobals() error

	// Rebuild recomputes accumulators and caches from the state, so that
	// neither drift nor cancellation grows with the run. It leaves the state
	// alone.
	Rebuild()

	// LogJoint returns the log density of data and unknowns at the current
	// state, constants included.
	LogJoint() float64

	// Names returns the monitored scalars under their CmdStan names, 1-based
	// and column-major: mu.1, S.1.1, S.2.1, S.1.2. It never changes.
	Names() []string

	// AppendValues appends the current values of the monitored scalars to
	// dst, in the order of Names, and returns the longer slice.
	AppendValues(dst []float64) []float64
}

// A Tuner is a Sampler with settings that it learns while on is set: how wide its slice samplers step. A run tunes during warmup
// alone, so that every kept draw is made by one and the same kernel. A Sampler starts with on unset.
type Tuner interface {
	Tune(on bool)
}

// Options are the settings of a run. The zero value means the defaults.
type Options struct {
	Chains int    `json:"chains,omitempty"` // chains; default 4
	Warmup int    `json:"warmup,omitempty"` // sweeps of each chain before its first kept one; default 1000, negative means none
	Draws  int    `json:"draws,omitempty"`  // kept draws of each chain; default 1000
	Thin   int    `json:"thin,omitempty"`   // sweeps for each kept draw, so a chain makes Warmup + Draws·Thin; default 1
	Seed   uint64 `json:"seed"`             // of the whole run; chains derive theirs from it and their number

	// Time, if positive, ends a run that takes longer, with the draws that there are: at least one of each chain. Where chains wait
	// for each other they share it. Warmup takes half of it at the most; if it takes less, the draws are the first of those that a
	// run without a limit makes.
	Time time.Duration `json:"time,omitempty"`

	// Batch is the number m of local units that are refreshed between two draws of the globals, in the order of Scan. A sweep stays what
	// refreshes every unit once, and so has N/m draws of the globals. 0, or the number of units: all of them, in order.
	Batch int  `json:"batch,omitempty"`
	Scan  Scan `json:"scan,omitempty"`

	// Globals is the number of draws of the globals before each batch, for models whose globals are drawn in several
	// steps; default 1. With Batch = 1 it makes the fractional batches 1/2, 1/3, ... of Smolyakov, Liu & Fisher (2015).
	Globals int `json:"globals,omitempty"`

	// Rounds has Draws and Thin count rounds, which are a draw of the globals and one batch each, instead of sweeps. It is how the
	// globals' own noise is averaged over where batches are small.
	Rounds bool `json:"rounds,omitempty"`

	// Workers is the number of workers of each chain, which refresh its local units side by side: of a Crewed, other Samplers have no use
	// for them. Run has at most GOMAXPROCS/Workers chains under way at once. The draws do not depend on it. Default: 1, or
	// GOMAXPROCS/Chains of a Run whose chains leave processors idle.
	Workers int `json:"workers,omitempty"`

	// Adapt has Batch and Globals chosen between warmup and the first kept draw. What rounds cost is measured, unless Counted, of an
	// Operator, asks for operations instead, or Costs says it: a run is reproducible with either, and with a Decision's costs in Costs it is
	// the run that was decided so.
	Adapt   Adapt       `json:"adapt,omitempty"`
	Counted bool        `json:"counted,omitempty"`
	Costs   *RoundCosts `json:"costs,omitempty"`

	// Decided, if set, hears what was chosen, and why, before the first kept draw.
	Decided func(*Decision) error `json:"-"`

	// RebuildEvery is the number of sweeps from one Sampler.Rebuild to the
	// next, counted from the first warmup sweep; default 1000, negative means
	// never. Before the first of them a Rebuild follows sweeps 1, 2, 4, 8, ...
	// It is part of what makes a run reproducible: another value
	// changes rounding, and so in the end the draws.
	RebuildEvery int `json:"rebuild_every,omitempty"`

	// Checkpoints, if set, has the run leave checkpoints, or go on from them.
	Checkpoints *Checkpoints `json:"-"`

	// Progress, if set, hears how far each chain is: done of total sweeps in
	// this phase. It is called on the chain's own goroutine, by one chain at
	// a time, at most 1000 times a phase, always when a phase is complete. It
	// must be quick, and has no influence on the draws.
	Progress func(chain int, phase Phase, done, total int) `json:"-"`
}

// Phase is a part of a chain's run.
type Phase int

const (
	Warmup   Phase = iota // sweeps that are dropped
	Tuning                // sweeps at several batch sizes, dropped as well
	Sampling              // sweeps of which every Thin-th is kept
)

func (p Phase) String() string {
	switch p {
	case Warmup:
		return "warmup"
	case Tuning:
		return "tuning"
	case Sampling:
		return "sampling"
	}
	return fmt.Sprintf("Phase(%d)", int(p))
}

// WithDefaults returns o with each default written out, or an error that names
// the field which makes no sense. A negative Warmup or RebuildEvery stays as it
// is, since 0 would ask for the default.
func (o Options) WithDefaults() (Options, error) {
	for _, f := range []struct {
		name  string
		value *int
		def   int
	}{
		{"Chains", &o.Chains, 4},
		{"Draws", &o.Draws, 1000},
		{"Thin", &o.Thin, 1},
	} {
		if *f.value < 0 {
			return o, fmt.Errorf("runtime: Options.%s is %d, must be positive", f.name, *f.value)
		}
		if *f.value == 0 {
			*f.value = f.def
		}
	}
	if o.Time < 0 {
		return o, fmt.Errorf("runtime: Options.Time is %v, must not be negative", o.Time)
	}
	if o.Workers < 0 {
		return o, fmt.Errorf("runtime: Options.Workers is %d, must not be negative", o.Workers)
	}
	if o.Batch < 0 {
		return o, fmt.Errorf("runtime: Options.Batch is %d, must not be negative", o.Batch)
	}
	if o.Globals < 0 {
		return o, fmt.Errorf("runtime: Options.Globals is %d, must not be negative", o.Globals)
	}
	if o.Adapt != NoAdapt && (o.Batch > 0 || o.Globals > 1) {
		return o, fmt.Errorf("runtime: Options.Batch or Globals is set, and Options.Adapt would choose them: leave one out")
	}
	if o.Costs != nil && !o.Costs.valid() {
		return o, fmt.Errorf("runtime: Options.Costs is %+v, must be positive", *o.Costs)
	}
	if o.Draws > math.MaxInt/o.Thin {
		return o, fmt.Errorf("runtime: Options.Draws·Thin is %d·%d, too many sweeps", o.Draws, o.Thin)
	}
	if o.Warmup == 0 {
		o.Warmup = 1000
	}
	if o.RebuildEvery == 0 {
		o.RebuildEvery = 1000
	}
	if o.Warmup > math.MaxInt-o.Draws*o.Thin {
		return o, fmt.Errorf("runtime: Options.Warmup is %d, too many sweeps", o.Warmup)
	}
	return o, nil
}
