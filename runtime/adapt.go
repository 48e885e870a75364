// This file holds the choice of the batch size by measurement: its settings, and the record of it.

package runtime

import (
	"fmt"
	"slices"
)

// Adapt says whether, and how, the batch size is chosen.
type Adapt int

// The ways of choosing. What is wrong with the paper's: with as many rounds for each size, small batches see few sweeps, and their
// autocorrelation times are underestimated.
const (
	NoAdapt Adapt = iota // Options.Batch says it
	Auto                 // equal work for each size, full sweeps unless another is better beyond doubt: see auto.go
	Grid                 // Algorithm 1 of Smolyakov, Liu & Fisher (2015), as they wrote it: see grid.go
)

var adaptNames = []string{"none", "auto", "grid"}

// String returns none, auto or grid.
func (a Adapt) String() string {
	if a < 0 || int(a) >= len(adaptNames) {
		return fmt.Sprintf("Adapt(%d)", int(a))
	}
	return adaptNames[a]
}

// MarshalText returns none, auto or grid.
func (a Adapt) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (a *Adapt) UnmarshalText(text []byte) error {
	i := slices.Index(adaptNames, string(text))
	if i < 0 {
		return fmt.Errorf("no way %q of choosing a batch size: want one of %q", text, adaptNames)
	}
	*a = Adapt(i)
	return nil
}

// RoundCosts is what rounds cost, in seconds or any other unit: Local·m + Global for a batch of m units, less than all, and Full for all
// of them, which are refreshed in order and so quicker.
type RoundCosts struct {
	Local  float64 `json:"local_cost"`  // w_z, of one unit
	Global float64 `json:"global_cost"` // w_θ, of one draw of the globals
	Full   float64 `json:"full_cost"`   // of one draw of the globals and all units
}

// of returns the cost of one round of n units.
func (c RoundCosts) of(p pace, n int) float64 {
	if p.batch == n {
		return c.Full + float64(p.globals-1)*c.Global
	}
	return float64(p.batch)*c.Local + float64(p.globals)*c.Global
}

// valid reports whether the costs can be those of rounds.
func (c RoundCosts) valid() bool {
	return isPositive(c.Local) && c.Global >= 0 && isFinite(c.Global) && isPositive(c.Full)
}

// An Operator is a Sampler that counts operations, so that a batch size may be chosen without a clock.
type Operator interface {
	// Operations returns how many operations a draw of the globals and the refreshing of all units take, up to a common
	// factor, and in how many steps the globals are drawn.
	Operations() (globals, locals float64, steps int)
}

// A Decision is what was chosen, and from what. Written to a file it can be replayed: its costs given as Options.Costs make the same
// choice, and the same draws.
type Decision struct {
	Mode    Adapt  `json:"mode"`
	Costs   string `json:"costs"` // measured (seconds), counted (operations) or replayed
	Units   int    `json:"units"` // N
	Batch   int    `json:"batch"` // m: N are full sweeps
	Globals int    `json:"globals"`
	Per     string `json:"per"`     // what a draw is here, and Tau counts: round or sweep
	Verdict string `json:"verdict"` // why, in words
	RoundCosts
	Candidates []Candidate `json:"candidates"` // in the order of their batches; empty if nothing was tried
}

// A Candidate is a batch size that was tried. The objective is Smolyakov, Liu & Fisher's f(m) = (m·w_z + w_θ)·τ(m): what a draw
// costs, times its integrated autocorrelation time; the unit is that of the costs, for each independent draw.
type Candidate struct {
	Batch     int     `json:"batch"`
	Globals   int     `json:"globals"` // draws of the globals before each batch
	Sweeps    int     `json:"sweeps"`  // made, over all chains
	Rounds    int     `json:"rounds"`  // made, over all chains
	Cost      float64 `json:"cost"`    // of a draw
	Tau       float64 `json:"tau"`     // in draws, of the worst scalar; with a 95 % interval
	TauLow    float64 `json:"tau_low"`
	TauHigh   float64 `json:"tau_high"`
	Objective float64 `json:"objective"` // Cost·Tau; with a 95 % interval
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Scalar    string  `json:"scalar"` // the worst
}

// scalarsMost bounds the scalars that candidates are judged by, which label switching leaves alone: see [Invariants].
const scalarsMost = 20

// tune lets the chains choose their pace. The error is one that no single chain is to blame for.
func (r *run) tune() error {
	for i := range r.chains {
		if c := &r.chains[i]; c.out == nil {
			return nil // one has failed, or was interrupted
		}
	}
	t := newTuner(r)
	switch {
	case t.n == 0:
		t.Verdict = "the model has no locals: there is nothing to tune"
	case t.n == 1:
		t.Verdict = "the model has one local unit: there is nothing to tune"
	case len(t.names) == 0:
		t.Verdict = "no scalar is monitored by which batches could be judged: full sweeps"
	case t.Mode == Grid:
		t.grid()
	default:
		t.auto()
	}
	for i := range r.chains {
		r.chains[i].schedule.set(pace{t.Batch, t.Globals})
	}
	if r.opts.Decided != nil && r.ctx.Err() == nil {
		return r.opts.Decided(&t.Decision)
	}
	return nil
}
