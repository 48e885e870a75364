// This file holds the checks that leave nothing to chance: each conditional against the log joint, each sum against its recomputation,
// and whatever must be the same to the last bit.

package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/ir/interp"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// tolerance bounds the difference of two log densities relative to the size of what they are differences of; the
// conditionals agree to about 1e-12, so that 1e-8 leaves room for cancellation and none for a wrong term.
const tolerance = 1e-8

// exactSizes are the sizes of the data sets of exact checks, all sizes one among them: a chain of one, groups of one member or none.
var exactSizes = [][]int{{1}, {2}, {4, 3, 2, 5}, {9, 2, 3, 1, 4}, {3, 12, 5}, {2, 5, 2, 3}}

// A tally gathers rows whose order is that in which they are first met.
type tally struct {
	rows []*Check
	at   map[string]*Check
}

func newTally() *tally { return &tally{at: map[string]*Check{}} }

// row returns the row of that name.
func (t *tally) row(kind, name, measure string, threshold float64) *Check {
	c := t.at[name]
	if c == nil {
		c = &Check{Kind: kind, Name: name, Measure: measure, Threshold: threshold}
		t.at[name] = c
		t.rows = append(t.rows, c)
	}
	return c
}

// note takes in one comparison. The first that fails is told.
func (c *Check) note(x float64, tell func() string) {
	c.N++
	if x > c.Statistic || x != x {
		c.Statistic = x
	}
	if !(x <= c.Threshold) && c.Outcome == Passed {
		c.Outcome, c.Detail = Failed, tell()
	}
}

// noteError takes in a comparison that has no measure.
func (c *Check) noteError(err error, where string) {
	if errors.As(err, &farError{}) {
		return
	}
	x := 0.0
	if err != nil {
		x = 1
	}
	c.note(x, func() string { return fmt.Sprintf("%s: %v", where, err) })
}

// timed runs a check and adds the time it took to its row. A panic is a failure.
func (c *Check) timed(run func()) {
	began := time.Now()
	err := guarded(func() error {
		run()
		return nil
	})
	if err != nil {
		c.noteError(err, c.Name)
	}
	c.Time += time.Since(began)
}

// exact makes the exact checks.
func (l *lab) exact() error {
	t := newTally()
	defer func() { // what was found stands, whatever comes
		for _, c := range t.rows {
			if c.N > 0 || c.Outcome == NotMade {
				l.made(*c)
			}
		}
	}()
	rounds, limit := 3, 40
	sizes := exactSizes
	if l.opt.Level == Full {
		rounds, limit = 10, 120
		sizes = append(slices.Clone(exactSizes), []int{1, 6, 2}, []int{7, 1, 4, 2}, []int{6, 6, 6}, []int{12, 2, 4, 3}, []int{5, 3, 7, 2}, []int{20, 3, 2, 4})
	}
	judged := t.row("log joint", "log joint as printed", "relative difference", tolerance)
	var last error
	made, crewed := 0, false
	for i, sz := range sizes {
		s, again, err := l.ordinarySpecimen(sz, uint64(i))
		if err != nil {
			last = err
			continue
		}
		made++
		where := l.sizes(s)
		rng := l.rand(20152, uint64(i))
		for round := range rounds {
			if err := s.conditionals(t, rng, limit, where); err != nil {
				return fmt.Errorf("%s: %w", where, err)
			}
			sweeps := t.row("bookkeeping", "sums after a sweep", "relative difference", tolerance)
			sweeps.timed(func() {
				if err := s.step(); err != nil {
					sweeps.noteError(err, where)
					return
				}
				off, tell := s.stale(nil)
				sweeps.note(off, func() string { return fmt.Sprintf("%s: after sweep %d %s", where, round+1, tell()) })
			})
			if _, ok := as[runtime.Exchanger](s); ok {
				labels := t.row("labels", "exchangeable labels", "disagreements", 0)
				labels.timed(func() { labels.noteError(s.labels(rng), where) })
			}
		}
		judged.note(s.off, func() string {
			return fmt.Sprintf("%s: the log joint that is printed in the package and the interpreter's are %.3g apart, relative to their size", where, s.off)
		})
		judged.N += s.n - 1
		if s.ask != nil {
			judged.noteError(s.ask, where)
		}
		_, crewed = as[runtime.Crewed](s)
		for _, c := range []struct {
			kind, name string
			can        bool
			run        func() error
		}{
			{"sweep", "a sweep and its draws one by one", true, func() error { return together(again(), again()) }},
			{"names", "numbers under their names", true, func() error { return again().named() }},
			{"coverage", "every unknown is drawn", true, func() error { return again().covered() }},
			{"coverage", "every unit of a batch is refreshed", s.Units() > 1, func() error { return again().batches() }},
			{"units", "units by themselves", s.Units() > 0, func() error { return again().units() }},
			{"bookkeeping", "sums after small batches", s.Units() > 0, func() error { return again().drifts() }},
			{"determinism", "the same seed, the same draws", true, func() error { return seeded(again) }},
			{"determinism", "across a checkpoint", true, func() error { return resumed(again(), again()) }},
			{"determinism", "across workers", crewed, func() error { return crew(again) }},
		} {
			if !c.can {
				continue
			}
			row := t.row(c.kind, c.name, "disagreements", 0)
			row.timed(func() { row.noteError(c.run(), where) })
		}
	}
	if made == 0 {
		return l.impossible(last)
	}
	if crowds := l.crowds(); crewed && len(crowds) > 0 {
		many := t.row("determinism", fmt.Sprintf("across workers, %d units", manyUnits), "disagreements", 0)
		many.timed(func() {
			err := l.crowded(crowds)
			if why := (notMade{}); errors.As(err, &why) {
				many.Outcome, many.Detail = NotMade, why.why
				return
			}
			many.noteError(err, "many units")
		})
	}
	l.integrals(t)
	l.predictions(t)
	moves := t.row("bookkeeping", fmt.Sprintf("sums after %d random draws", l.moves()), "relative difference", tolerance)
	moves.timed(func() { l.million(moves) })
	return nil
}

// impossible says why no data set could be made.
func (l *lab) impossible(last error) error {
	return fmt.Errorf("%s: no data set of ordinary size could be made up, so nothing can be compared; try other sizes of plates (--size), other values of "+
		"constants (--set), or priors under which numbers beyond floating point are rare. The last try said: %w", l.typed.Name, last)
}

// ordinarySpecimen makes the sampler of a data set of ordinary size. In the end it takes data that are not simulated. The check holds at
// every state, so picking among states is no bias. again makes the same sampler again.
func (l *lab) ordinarySpecimen(sizes []int, key uint64) (s *specimen, again func() *specimen, err error) {
	_, again, err = l.pick(sizes, key, func(set *dataio.Set, try int, rng *runtime.Rand) (*specimen, error) {
		if try < 100 && improper(l.typed) == "" {
			env := l.environment(set)
			if err := interp.Simulate(l.typed, env, rng); err != nil {
				return nil, err
			}
			var err error
			if set, err = l.set(env); err != nil {
				return nil, err
			}
		}
		return l.opened(set, rng)
	})
	if err != nil {
		return nil, nil, err
	}
	return again(), again, nil
}

// opened returns the sampler of a data set, wherever it starts. With an improper prior the posterior may be improper too, as that of a plate with
// more elements than there are data: then a sweep errs or leads to numbers of no ordinary size.
func (l *lab) opened(set *dataio.Set, rng *runtime.Rand) (*specimen, error) {
	s, err := l.open(set, rng)
	if err != nil || improper(l.typed) == "" {
		return s, err
	}
	if err := s.step(); err != nil {
		return nil, err
	}
	if !ordinary(s.AppendValues(nil)) {
		return nil, fmt.Errorf("the prior of %s is improper, and so the posterior seems to be", improper(l.typed))
	}
	return s, nil
}

// sizes tells the sizes of the plates of a specimen's data.
func (l *lab) sizes(s *specimen) string {
	var out []string
	for _, p := range l.Schema.Plates {
		if p.Parent != "" {
			out = append(out, fmt.Sprintf("%s = %v", p.Name, s.env.Lengths[p.Name]))
		} else {
			out = append(out, fmt.Sprintf("%s = %d", p.Name, s.env.Sizes[p.Name]))
		}
	}
	if out == nil {
		return "without plates"
	}
	return strings.Join(out, ", ")
}

// conditionals checks so many conditionals at the sampler's current state, as many of one unknown as of another, and elements picked at
// random. It leaves the sampler at another state.
func (s *specimen) conditionals(t *tally, rng *runtime.Rand, n int, where string) error {
	for i := range n {
		var names []string
		of := map[string][]runtime.Conditional{}
		for _, c := range s.Conditionals() { // anew each time: categories of unbounded plates come and go
			name := nameOf(c.Name)
			if of[name] == nil {
				names = append(names, name)
			}
			of[name] = append(of[name], c)
		}
		if len(names) == 0 {
			return errors.New("the sampler has no conditionals, so there is nothing to verify")
		}
		for _, name := range names { // in their order
			s.rows(t, name)
		}
		name := names[i%len(names)]
		c := of[name][rng.IntN(len(of[name]))]
		density, sums := s.rows(t, name)
		density.timed(func() { s.conditional(c, density, sums, where) })
	}
	return nil
}

// rows returns where the conditional of an unknown, and what its draws do to sums, are noted.
func (s *specimen) rows(t *tally, name string) (density, sums *Check) {
	if strings.HasPrefix(name, "collapsed ") { // never drawn
		row := t.row("conditional", name, "relative difference", tolerance)
		return row, row
	}
	return t.row("conditional", "conditional of "+name, "relative difference", tolerance),
		t.row("bookkeeping", "sums after draws of "+name, "relative difference", tolerance)
}

// conditional checks one: its log density and the log joint must differ between two values of the target by the same amount, whatever
// the target's current value is; then it draws, and the accumulators must be those of the new state.
func (s *specimen) conditional(c runtime.Conditional, density, sums *Check, where string) {
	s.resum()
	if s.coarse() {
		return
	}
	x0, before := c.Get(), s.Accumulators()
	if err := c.Draw(); err != nil {
		density.noteError(err, where)
		return
	}
	x1 := c.Get()
	if s.coarse() { // as it may be after a step far into a tail
		c.Set(x0)
		return
	}
	off, tell := s.stale(before)
	sums.note(off, func() string { return fmt.Sprintf("%s: after a draw of %s %s", where, c.Name, tell()) })
	values := [][]float64{x1}
	if c.Values != nil {
		x0, values = x1, nil // a draw may renumber categories
		for k := range c.Values() {
			values = append(values, []float64{float64(k)})
		}
	}
	c.Set(x0)
	j0, q0 := s.LogJoint(), c.LogDensity(x0)
	if !finite(j0) {
		density.note(math.NaN(), func() string {
			return fmt.Sprintf("%s: %s: the log joint is %g at the current state", where, c.Name, j0)
		})
		return
	}
	for _, x := range values {
		c.Set(x0)
		dq := c.LogDensity(x) - q0
		c.Set(x)
		j := s.LogJoint()
		dj := j - j0
		if dj == dq || c.Values != nil && dj < never && dq < never {
			continue
		}
		scale := math.Abs(j) + math.Abs(j0) + math.Abs(q0) + 1
		if apart(dq, dj, scale) > tolerance && s.coarse() { // as it may be at another category
			continue
		}
		density.note(apart(dq, dj, scale), func() string { return s.disagreement(c, x0, x, dq, dj, where) })
		again := c.LogDensity(x) - c.LogDensity(x0)
		density.note(apart(again, dj, scale), func() string {
			return fmt.Sprintf("%s: the conditional of %s depends on the value it replaces: from %s to %s it changes by %.12g, the log joint by %.12g",
				where, c.Name, brief(x0), brief(x), again, dj)
		})
	}
	s.farOut(c, x0, density, where)
	c.Set(x1)
}

// farOut demands that the log density of a number is one far out too, wherever the log joint is: 0 times what is beyond floating point is no
// number, and a slice sampler would stop there.
func (s *specimen) farOut(c runtime.Conditional, x0 []float64, density *Check, where string) {
	v := s.lab.typed.Var(nameOf(c.Name))
	if len(s.lab.typed.Collapse) > 0 { // the log joint has values of what the density has not
		return
	}
	if v == nil || v.Type.Elem != ir.Real || v.Support.Kind != ir.Line || v.Support.Hi != nil || len(x0) != 1 {
		return
	}
	places := []float64{-3000, -800, 800, 3000}
	if n, ok := v.Support.Lo.(*ir.Num); ok && n.Value == 0 {
		places = []float64{1e-300, 1e-200, 1e200}
	} else if v.Support.Lo != nil {
		return
	}
	for _, x := range places {
		if q := c.LogDensity([]float64{x}); q == q {
			continue
		}
		c.Set([]float64{x})
		s.look()
		if j, err := interp.LogJoint(s.lab.typed, s.env); err == nil && math.Abs(j) < largest {
			density.note(math.NaN(), func() string {
				return fmt.Sprintf("%s: the log density of %s is no number at %g, where the log joint is %.6g\nat %s", where, c.Name, x, j, s.state())
			})
		}
		c.Set(x0)
	}
}

// never is a log probability, relative to that of a value that was drawn, at which probabilities that are products leave floating point.
// Values below it are never drawn, so that by how much they are not makes no difference.
const never = -600

// apart returns the difference of two numbers relative to scale.
func apart(a, b, scale float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / scale
}

func near(a, b, scale float64) bool { return apart(a, b, scale) <= tolerance }

// stale compares the accumulators with their sums from scratch, which it leaves, and tells the worst of them. Rounding counts relative to
// their size now or before: a draw may take nearly all of a sum away, and only whole updates mend what that leaves.
func (s *specimen) stale(before []float64) (off float64, tell func() string) {
	kept := s.Accumulators()
	s.Resum()
	worst, now := 0, s.Accumulators()
	for i, want := range now {
		size := math.Abs(want)
		if i < len(before) {
			size = max(size, math.Abs(before[i]))
		}
		if d := apart(kept[i], want, size+1); d > off || d != d {
			off, worst = d, i
		}
	}
	return off, func() string {
		return fmt.Sprintf("accumulator value %d is %g, and %g summed from scratch", worst+1, kept[worst], now[worst])
	}
}

// summed reports an accumulator that is not its sum from scratch.
func (s *specimen) summed() error {
	if off, tell := s.stale(nil); !(off <= tolerance) {
		return errors.New("after the sweep " + tell())
	}
	return nil
}

// moves is the number of random draws after which sums are compared once more.
func (l *lab) moves() int {
	if l.opt.Level == Full {
		return 1_000_000
	}
	return 10_000
}

// million makes that many draws of elements picked at random, without sums being taken anew in between. Rounding adds up in what is
// kept: it is compared relative to the largest size that it had on the way.
func (l *lab) million(row *Check) {
	const stages = 50
	s, _, err := l.ordinarySpecimen([]int{5, 3, 2, 4}, 77)
	if err != nil {
		row.Outcome, row.Detail = NotMade, err.Error()
		return
	}
	rng := l.rand(20154)
	s.Resum()
	var most []float64
	conds := s.Conditionals()
	fixed := !slices.ContainsFunc(s.Unknowns(), func(u runtime.Unknown) bool { return u.Unbounded() })
	for stage := range stages {
		for range l.moves() / stages {
			if !fixed {
				conds = s.Conditionals()
			}
			c := conds[rng.IntN(len(conds))]
			if c.Collapsed {
				continue
			}
			if err := c.Draw(); err != nil {
				row.noteError(err, c.Name)
				return
			}
		}
		now := s.Accumulators()
		for i, x := range now {
			if i < len(most) {
				most[i] = max(most[i], math.Abs(x))
			} else {
				most = append(most, math.Abs(x))
			}
		}
		if stage < stages-1 {
			continue
		}
		s.Resum()
		for i, want := range s.Accumulators() {
			row.note(apart(now[i], want, most[i]+1), func() string {
				return fmt.Sprintf("accumulator value %d is %g, and %g summed from scratch", i+1, now[i], want)
			})
		}
		row.N = l.moves()
	}
}
