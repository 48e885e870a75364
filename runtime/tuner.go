// This file holds what every way of choosing a batch size needs of the chains: sweeps at some pace, watched, and what rounds cost.

package runtime

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A tuner takes the chains of a run through sweeps at several paces. What it decides depends on the draws and on the costs, never on the
// number of processors: results are gathered by chain.
type tuner struct {
	Decision
	run     *run
	n       int      // units
	names   []string // of the scalars
	watched []int    // of which these are watched, as positions in names
	steps   int      // in which the globals are drawn; 1 where it is not known
	rng     *Rand
	arms    []*arm
	full    *arm    // of full sweeps
	pilots  int     // sweeps of each chain before the first comparison
	worked  float64 // what all chains have spent on it, in the unit of the costs

	// Of each scalar at the ends of all sweeps so far, over all chains and arms, which have one posterior.
	moments []moment
}

// An arm is a pace that is tried.
type arm struct {
	pace
	sweeps, rounds int
	means          []moment // of each scalar's means over the sweeps of a visit, one for each visit of each chain
}

// A moment is a running mean and sum of squared deviations: Welford (1962).
type moment struct{ n, mean, squares float64 }

func (m *moment) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += d * (x - m.mean)
}

// merge adds what b has seen: Chan, Golub & LeVeque (1979).
func (m *moment) merge(b moment) {
	if b.n == 0 {
		return
	}
	n, d := m.n+b.n, b.mean-m.mean
	m.mean += d * b.n / n
	m.squares += b.squares + d*d*m.n*b.n/n
	m.n = n
}

func (m *moment) variance() float64 { return m.squares / m.n }

// tuneStream keys the stream of a run's tuner, beside those of its chains.
const tuneStream = 1 << 32

func newTuner(r *run) *tuner {
	s := r.chains[0].s
	t := &tuner{run: r, n: s.Units(), steps: 1, rng: NewRand(r.opts.Seed, tuneStream)}
	for i := range r.chains {
		c := &r.chains[i]
		c.scalars = NewInvariants(c.s, scalarsMost)
		t.names = c.scalars.Names()
	}
	for j := range t.names {
		t.watched = append(t.watched, j)
	}
	t.Decision = Decision{Mode: r.opts.Adapt, Units: t.n, Batch: t.n, Globals: 1, Per: "sweep"}
	if r.opts.Rounds {
		t.Per = "round"
	}
	if o, ok := s.(Operator); ok {
		_, _, t.steps = o.Operations()
	}
	t.full = t.arm(pace{t.n, 1})
	return t
}

// arm returns the arm of a pace, which is there once.
func (t *tuner) arm(p pace) *arm {
	for _, a := range t.arms {
		if a.pace == p {
			return a
		}
	}
	a := &arm{pace: p}
	t.arms = append(t.arms, a)
	return a
}

// roundsOf is the number of rounds that so many sweeps of a schedule make.
func (t *tuner) roundsOf(p pace, sweeps int) int { return sweeps * t.n / p.batch }

// ended reports whether a chain has failed or was interrupted, or the time for tuning is over.
func (t *tuner) ended() bool {
	return t.run.ctx.Err() != nil || slices.ContainsFunc(t.run.chains, func(c chainRun) bool { return c.out == nil || c.late(2) })
}

// visits has every chain make visits of so many sweeps to the arms, in this order. All chains share it, so that whatever disturbs
// them disturbs all arms alike.
func (t *tuner) visits(order []*arm, sweeps int) {
	type seen struct {
		means map[*arm][]moment
		ends  []moment
	}
	k := len(t.watched)
	chains := make([]seen, len(t.run.chains))
	t.run.each(func(c *chainRun) error {
		by := seen{map[*arm][]moment{}, make([]moment, k)}
		chains[c.number] = by
		visit := make([]float64, k)
		for i, a := range order {
			clear(visit)
			if err := t.watch(c, a.pace, sweeps, func(mean, end []float64) {
				for j := range visit {
					visit[j] += mean[j] / float64(sweeps)
					by.ends[j].add(end[j])
				}
			}); err != nil {
				return err
			}
			if by.means[a] == nil {
				by.means[a] = make([]moment, k)
			}
			for j, x := range visit {
				by.means[a][j].add(x)
			}
			c.progress(i+1, len(order))
		}
		return nil
	})
	if t.ended() {
		return
	}
	for _, by := range chains {
		for j := range k {
			t.moments[j].merge(by.ends[j])
		}
		for a, means := range by.means { // each into its own: their order is nothing
			if a.means == nil {
				a.means = make([]moment, k)
			}
			for j := range k {
				a.means[j].merge(means[j])
			}
		}
	}
	for _, a := range order {
		a.sweeps += sweeps * len(t.run.chains)
		a.rounds += t.roundsOf(a.pace, sweeps) * len(t.run.chains)
		t.worked += float64(t.roundsOf(a.pace, sweeps)*len(t.run.chains)) * t.of(a.pace, t.n)
	}
}

// watch has a chain make sweeps at a pace. each hears, after every one, the scalars: what they are now, and their mean over what
// would be draws of this sweep, which are its rounds or its end alone.
func (t *tuner) watch(c *chainRun, p pace, sweeps int, each func(mean, end []float64)) error {
	c.phase = Tuning
	c.schedule.set(p)
	end, mean, rounds := make([]float64, len(t.watched)), make([]float64, len(t.watched)), 0
	var all []float64
	look := func() {
		all = c.scalars.Append(all[:0])
		for j, at := range t.watched {
			end[j] = all[at]
		}
	}
	var round func() error
	if t.Per == "round" {
		round = func() error {
			look()
			for j, x := range end {
				mean[j] += x
			}
			rounds++
			return nil
		}
	}
	for range sweeps {
		clear(mean)
		rounds = 0
		if err := c.sweep(t.run.ctx, round); err != nil {
			return err
		}
		if round == nil {
			look()
			copy(mean, end)
			rounds = 1
		}
		for j := range mean {
			mean[j] /= float64(rounds)
		}
		each(mean, end)
	}
	return nil
}

// Probing for costs: so many times at each size, and so many rounds each time.
const probes, probeRounds = 5, 8

// price finds out what rounds cost. The rounds are made whether or not a clock is asked, so that all ways make the same draws.
func (t *tuner) price() {
	sizes := []int{}
	for m := 1; m < t.n; m *= 4 {
		sizes = append(sizes, m)
	}
	sizes = append(sizes, t.n)
	seconds := make([][]float64, len(t.run.chains)) // of a round at each size, of each chain
	t.run.each(func(c *chainRun) error {
		c.phase = Tuning
		for _, m := range sizes {
			c.schedule.set(pace{m, 1})
			rounds := min(probeRounds, t.n/m)
			times := make([]float64, probes)
			for i := range times {
				begun := time.Now()
				for range rounds {
					if t.run.ctx.Err() != nil {
						return errInterrupted
					}
					if err := c.schedule.round(c.s); err != nil {
						return c.fail(err)
					}
				}
				times[i] = time.Since(begun).Seconds() / float64(rounds)
			}
			seconds[c.number] = append(seconds[c.number], median(times))
		}
		return nil
	})
	if t.ended() {
		return
	}
	r := t.run
	switch s := r.chains[0].s.(type) {
	case Operator:
		if r.opts.Counted {
			globals, locals, _ := s.Operations()
			t.Costs, t.RoundCosts = "counted", RoundCosts{locals / float64(t.n), globals, globals + locals}
			return
		}
	}
	if r.opts.Costs != nil {
		t.Costs, t.RoundCosts = "replayed", *r.opts.Costs
		return
	}
	at := make([]float64, len(sizes))
	for i := range sizes {
		of := make([]float64, len(seconds))
		for c := range seconds {
			of[c] = seconds[c][i]
		}
		at[i] = median(of)
	}
	t.Costs, t.RoundCosts = "measured", regress(sizes, at)
}

// regress returns the costs of rounds of these sizes, of which the last is that of all units, by the method of Theil (1950) and Sen (1968):
// the slope is the median of those between pairs, so that a third of the times may be spoilt.
func regress(sizes []int, seconds []float64) RoundCosts {
	last := len(sizes) - 1
	c := RoundCosts{Full: max(seconds[last], tiny)}
	var slopes, rests []float64
	for i := range last {
		for j := range i {
			slopes = append(slopes, (seconds[i]-seconds[j])/float64(sizes[i]-sizes[j]))
		}
	}
	if len(slopes) == 0 { // of two sizes, 1 and N
		slopes = append(slopes, (seconds[last]-seconds[0])/float64(sizes[last]-sizes[0]))
	}
	c.Local = max(median(slopes), c.Full/float64(sizes[last])/16)
	for i := range last {
		rests = append(rests, seconds[i]-c.Local*float64(sizes[i]))
	}
	c.Global = max(median(rests), 0)
	return c
}

// median returns the median of x, which it sorts.
func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// tau returns the integrated autocorrelation time of scalar j at an arm, in sweeps, of which a visit makes so many: the variance of
// the visits' means about the mean of all arms and chains, times their length, over the scalar's variance: batch means, replicated
// over chains (Gupta & Vats 2020).
func (t *tuner) tau(a *arm, j, sweeps int) float64 {
	m := a.means[j]
	d := m.mean - t.moments[j].mean
	return (m.variance() + d*d) * float64(sweeps) / t.moments[j].variance()
}

// sweepCost is what a sweep costs at a pace.
func (t *tuner) sweepCost(p pace) float64 {
	return t.of(p, t.n) * float64(t.n) / float64(p.batch)
}

// cost is what so many sweeps of every chain cost at a pace.
func (t *tuner) cost(p pace, sweeps int) float64 {
	return t.sweepCost(p) * float64(sweeps) * float64(len(t.run.chains))
}

// rivals are the arms beside full sweeps.
func (t *tuner) rivals(race []*arm) []*arm {
	return slices.DeleteFunc(slices.Clone(race), func(a *arm) bool { return a == t.full })
}

// record notes what the arms have shown of scalar j: tau is in sweeps, and sd the standard deviation of its logarithm.
func (t *tuner) record(j int, tau func(*arm) (tau, sd float64)) {
	slices.SortFunc(t.arms, func(a, b *arm) int { return cmp.Or(a.batch-b.batch, b.globals-a.globals) })
	for _, a := range t.arms {
		if a.sweeps == 0 {
			continue
		}
		x, sd := tau(a)
		c := Candidate{Batch: a.batch, Globals: a.globals, Sweeps: a.sweeps, Rounds: a.rounds, Scalar: t.names[t.watched[j]],
			Cost: t.sweepCost(a.pace), Tau: x}
		if t.Per == "round" {
			perSweep := float64(t.n) / float64(a.batch)
			c.Cost /= perSweep
			c.Tau *= perSweep
		}
		by := math.Exp(1.96 * sd)
		c.TauLow, c.TauHigh = c.Tau/by, c.Tau*by
		c.Objective, c.Low, c.High = c.Cost*c.Tau, c.Cost*c.TauLow, c.Cost*c.TauHigh
		t.Candidates = append(t.Candidates, c)
	}
}
