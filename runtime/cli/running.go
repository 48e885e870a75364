// This file finds the worst R-hat of the draws so far, from a few of them, while a run goes on.

package cli

import (
	"math"
	"sync"

	"github.com/gibbsgen/gibbsgen/runtime"
)

const (
	runningScalars = 20  // of a chain, beside the log joint
	runningMost    = 256 // draws of a scalar that are held; of more every second, fourth, ... is
	runningLeast   = 16  // draws below which a chain does not count
)

// A running holds draws of one chain, thinned more and more.
type running struct {
	scalars *runtime.Invariants // which no permutation of labels changes

	seen, every int // draws, of which every so many is held

	mu   sync.Mutex  // of what follows: it is read while the chain goes on
	held [][]float64 // log joint and scalars × draws
	row  []float64
}

func newRunning(s runtime.Sampler) *running {
	r := &running{scalars: runtime.NewInvariants(s, runningScalars), every: 1}
	r.held = make([][]float64, 1+len(r.scalars.Names()))
	for i := range r.held {
		r.held[i] = make([]float64, 0, runningMost)
	}
	r.row = make([]float64, 0, len(r.held))
	return r
}

// draw takes a draw, at which the sampler is. It allocates nothing, and mostly does nothing.
func (r *running) draw(logJoint float64) {
	if r.seen++; (r.seen-1)%r.every != 0 {
		return
	}
	r.row = r.scalars.Append(append(r.row[:0], logJoint))
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, x := range r.row {
		r.held[i] = append(r.held[i], x)
	}
	if len(r.held[0]) < runningMost {
		return
	}
	for i, x := range r.held { // every second
		for k := range runningMost / 2 {
			x[k] = x[2*k]
		}
		r.held[i] = x[:runningMost/2]
	}
	r.every *= 2
}

// worstRhat returns the largest R-hat of the scalars of the chains that have enough draws, and its name; NaN if there is none.
func worstRhat(chains []*running) (worst float64, name string) {
	worst = math.NaN()
	var copies [][][]float64 // chains × scalars × draws
	var names []string
	for _, r := range chains {
		if r == nil {
			continue
		}
		r.mu.Lock()
		if len(r.held[0]) >= runningLeast {
			names = r.scalars.Names()
			c := make([][]float64, len(r.held))
			for i, x := range r.held {
				c[i] = append([]float64(nil), x...)
			}
			copies = append(copies, c)
		}
		r.mu.Unlock()
	}
	if len(copies) == 0 {
		return worst, ""
	}
	scalar := make([][]float64, len(copies))
	for i := range copies[0] {
		for k := range copies {
			scalar[k] = copies[k][i]
		}
		if rhat := runtime.Rhat(scalar); rhat > worst || math.IsNaN(worst) && !math.IsNaN(rhat) {
			worst, name = rhat, "log_joint"
			if i > 0 {
				name = names[i-1]
			}
		}
	}
	return worst, name
}
