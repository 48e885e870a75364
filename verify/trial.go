// This file holds what statistical checks share: replicates on all processors, and two looks before a failure counts.

package verify

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/gibbsgen/gibbsgen/ir/interp"
	gibbs "github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// A trial is one statistical check. It has two looks: what fails the first one, at which all trials together fail a right sampler with
// probability √FalseAlarms, is looked at once more, with fresh random numbers and more replicates, and fails if it does again, with
// probability √FalseAlarms by chance. So the trials may look closely, and a right sampler fails with FalseAlarms at the most.
type trial struct {
	kind, name, measure string
	look                func(v view) (sight, error)
}

// A view says how a trial looks: key is of its random numbers, times how many replicates it makes of those that it makes at a first
// look, and alpha the probability with which it may fail a right sampler.
type view struct {
	key   uint64
	times int
	alpha float64
}

// A sight is what a look saw: the worst statistic relative to its threshold.
type sight struct {
	statistic, threshold float64
	n                    int
	tell                 string // of a failure: what is wrong, and where
	note                 string // of a success: what it leaves open
	plots                []Plot
}

// take takes in a comparison; the worst, relative to its threshold, stays.
func (s *sight) take(statistic, threshold float64, tell func() string) {
	if s.threshold == 0 || !(statistic/threshold <= s.statistic/s.threshold) {
		s.statistic, s.threshold, s.tell = statistic, threshold, tell()
	}
}

func (s *sight) failed() bool { return !(s.statistic <= s.threshold) }

// notMade is why a trial can't be held on this model.
type notMade struct{ why string }

func (e notMade) Error() string { return e.why }

// unmakeable returns a notMade.
func unmakeable(format string, args ...any) error { return notMade{fmt.Sprintf(format, args...)} }

const secondLook = 4 // times as many replicates

// statistical holds the trials.
func (l *lab) statistical() {
	trials := l.trials()
	once := math.Sqrt(l.opt.FalseAlarms)
	for i, t := range trials {
		began := time.Now()
		c := Check{Kind: t.kind, Name: t.name, Measure: t.measure, Chance: l.opt.FalseAlarms / float64(len(trials))}
		saw, err := sight{}, error(nil)
		for look, v := range []view{{uint64(2 * i), 1, once / float64(len(trials))}, {uint64(2*i + 1), secondLook, once}} {
			err = guarded(func() (err error) {
				saw, err = t.look(v)
				return err
			})
			c.Looks = look + 1
			if err != nil || !saw.failed() {
				break
			}
		}
		c.Statistic, c.Threshold, c.N, c.Plots = saw.statistic, saw.threshold, saw.n, saw.plots
		why := notMade{}
		switch {
		case errors.As(err, &why):
			c.Outcome, c.Detail = NotMade, why.why
		case err != nil:
			c.Outcome, c.Detail = Failed, err.Error()
		case saw.failed():
			c.Outcome, c.Detail = Failed, saw.tell
		default:
			c.Detail = saw.note
		}
		c.Time = time.Since(began)
		l.made(c)
	}
}

// trials lists the statistical checks of this level.
func (l *lab) trials() []trial {
	return slices.Concat(l.drawTrials(), l.independentTrials(), l.invarianceTrials(), l.calibrationTrials())
}

// A draw from the model that could not be used.
type lostError struct{ err error }

func (e lostError) Error() string { return e.err.Error() }
func (e lostError) Unwrap() error { return e.err }

// drawn draws a specimen from the model. What the model draws beyond floating point is lost; that the sampler refuses what the
// judge takes is an error.
func (l *lab) drawn(set *dataio.Set, rng *gibbs.Rand) (*specimen, error) {
	env := l.environment(set)
	if err := interp.Simulate(l.typed, env, rng); err != nil {
		return nil, lostError{err}
	}
	return l.moved(env, rng)
}

// moved returns the sampler of env that stands at its unknowns; that it lies beyond floating point is a lostError.
func (l *lab) moved(env *interp.Env, rng *gibbs.Rand) (*specimen, error) {
	if err := interp.Rounded(l.typed, env); err != nil {
		return nil, lostError{err}
	}
	s, err := l.at(env, rng)
	if err == nil {
		return s, nil
	}
	if len(l.typed.Collapse) > 0 { // what is integrated out has values here
		return nil, lostError{err}
	}
	if lp, judged := interp.LogJoint(l.typed, env); judged == nil && math.Abs(lp) < 1e8 {
		return nil, fmt.Errorf("the model draws what the sampler refuses: %w", err)
	}
	return nil, lostError{err}
}

// astray makes an error of updates a lostError where they began at unknowns or data so large or so small that floating point loses sums and
// products of a few of them: what these are then, no sampler can know. Where updates lead to is no excuse, but for a matrix that is singular by
// rounding: sums of squares of ordinary numbers may be.
func astray(wild bool, err error) error {
	if err != nil && (wild || errors.Is(err, gibbs.ErrNotPosDef)) {
		return lostError{err}
	}
	return err
}

// wild reports whether unknowns or data are that large or small.
func (s *specimen) wild() bool {
	if s.coarse() {
		return true
	}
	for _, xs := range s.env.Values {
		for _, x := range xs {
			if a := math.Abs(x); a != 0 && a < 1e-60 {
				return true
			}
		}
	}
	return false
}

// coarse reports whether numbers at the current state, or the parameters that they make, are so large that sums of them, and of log densities
// of their size, leave less of a difference than the checks of one conditional resolve.
func (s *specimen) coarse() bool {
	s.look()
	largest, err := interp.Largest(s.lab.typed, s.env)
	return err != nil || !(largest < 1e9)
}

// lostMost is the share of draws from the model that may lie beyond floating point. It is what their loss moves distribution functions
// by at the most.
const lostMost = 0.05

// replicate makes n rows of numbers, each with random numbers of its own, on all processors. Rows that are lost are left out.
func (l *lab) replicate(n int, keys []uint64, row func(rng *gibbs.Rand) ([]float64, error)) ([][]float64, error) {
	rows, errs := make([][]float64, n), make([]error, n)
	var wait sync.WaitGroup
	workers := max(1, min(runtime.GOMAXPROCS(0), n))
	for w := range workers {
		wait.Go(func() {
			for i := w; i < n; i += workers {
				errs[i] = guarded(func() (err error) {
					rows[i], err = row(l.rand(append(keys[:len(keys):len(keys)], uint64(i))...))
					return err
				})
			}
		})
	}
	wait.Wait()
	var kept [][]float64
	var last error
	for i, err := range errs {
		if lost := (lostError{}); errors.As(err, &lost) {
			last = err
			continue
		}
		if err != nil {
			return nil, err
		}
		kept = append(kept, rows[i])
	}
	if lost := n - len(kept); float64(lost) > lostMost*float64(n) {
		return nil, unmakeable("%d of %d draws from the model lie beyond floating point, and at most %g%% may: give constants other values (--set), or parameters "+
			"priors with lighter tails. The last one: %v", lost, n, 100*lostMost, last)
	}
	return kept, nil
}

// column returns the j-th numbers of rows.
func column(rows [][]float64, j int) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = r[j]
	}
	return out
}
