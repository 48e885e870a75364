// This file holds the choice of a batch size that is the default: equal work for every candidate, a fitted surface, a race, and full
// sweeps unless another pace is better beyond doubt.
//
// With f the objective, in cost for each independent draw, the autocorrelation time over sweeps is modelled as
//
//	τ(m) = A·m/N + B,   A, B ≥ 0
//
// which is exact for an exchangeable Gaussian model (A the globals' own noise and what the order of the scan gains, B the exchange with
// the locals), so that f(m) = (N·w_z + w_θ·N/m)·τ(m) is least at m* = √(B·N·w_θ/(A·w_z)). The surface only proposes: what is
// chosen has won a direct comparison with full sweeps.

package runtime

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

const (
	leastBatches = 20 // means of an arm before anything is said of it
	leastTimes   = 50 // autocorrelation times before they are said to be known
	// visitTimes is the autocorrelation times of full sweeps in a visit. Means of so many understate τ by a tenth, that of full sweeps the
	// most, and so the gain.
	visitTimes = 5
	pilotMost  = 4096 // sweeps of a chain that are kept to tell autocorrelation times: of longer pilots every so many-th
	dearest    = 4    // sweeps at no candidate cost more than so many full ones
	sure       = 3    // standard errors between a gain and none: 0.13 % for one arm at one look, and there are some ten
	worthwhile = 1.05 // what is surely below is no gain to speak of
	alike      = 1.01 // objectives that are as good as the best; of them the largest batch is taken
)

// auto chooses by equal work.
func (t *tuner) auto() {
	const keep = "no significant gain: full sweeps"
	length := t.pilot()
	if length == 0 {
		return
	}
	if t.price(); t.ended() {
		t.Verdict = keep + ", since the time was over before anything could be told"
		return
	}
	t.worked += t.cost(t.full.pace, t.pilots)
	visits := (leastBatches + len(t.run.chains) - 1) / len(t.run.chains)
	race := t.spread()
	high := math.Inf(1) // of the gain
	won := false
	for look := 0; ; look++ {
		next := t.worked
		for _, a := range race {
			next += t.cost(a.pace, visits*length)
		}
		// All the sampling that is to come could be saved but for 1/gain of it; half of that may be risked.
		if saving := t.cost(t.full.pace, t.run.opts.Draws*t.run.opts.Thin) * (1 - 1/high) / 2; !(next <= saving) {
			switch {
			case won:
			case look == 0:
				t.Verdict = keep + ", since so short a run could not save what finding a better batch costs"
			default:
				t.Verdict = keep + fmt.Sprintf(", since telling more (a gain of at most %.3g) would cost more than half of what it could save", high)
			}
			break
		}
		t.visits(t.shuffled(race, visits), length)
		if t.ended() {
			t.Verdict = keep + " in the time there was for telling"
			t.Batch, t.Globals = t.n, 1
			break
		}
		worst := t.worst(length)
		fit := t.fit(worst, length)
		leader := t.leader(race, worst, length)
		var low float64
		low, high = t.gain(leader, worst, length)
		if won = low > 1 && t.worstOf(leader, length) < t.worstOf(t.full, length); won {
			t.choose(leader, fit)
			t.Verdict = fmt.Sprintf("batches of %d of %d units: draws are worth %.3g to %.3g times as much for their cost as those of full sweeps",
				t.Batch, t.n, low, high)
		} else {
			t.Batch, t.Globals = t.n, 1
			t.Verdict = keep
		}
		if won && look > 0 || high < worthwhile { // at the first look the arms are too far apart
			break
		}
		if look == 0 {
			race = t.around(fit)
		} else if len(race) > 2 { // successive halving
			i := slices.IndexFunc(race, func(a *arm) bool { return a == t.laggard(race, worst, length) })
			race = slices.Delete(race, i, i+1)
		}
		visits *= 2
	}
	if t.full.sweeps > 0 {
		j := t.worst(length)
		t.record(j, func(a *arm) (tau, sd float64) { return t.tau(a, j, length), a.sd() })
	}
}

// pilot makes full sweeps until their autocorrelation time is known, drops scalars that do not vary, and returns the length of a visit in
// sweeps; 0, and a verdict, if so many sweeps would not pay.
func (t *tuner) pilot() int {
	k, chains := len(t.names), len(t.run.chains)
	series := make([][][]float64, k)
	for j := range series {
		series[j] = make([][]float64, chains)
	}
	thin := 1 // of the series, which would be long where autocorrelation times are
	for sweeps := 64; ; sweeps *= 2 {
		if sweeps+t.pilots > t.run.opts.Draws*t.run.opts.Thin/4 {
			t.Verdict = "no significant gain: full sweeps, since so short a run could not save what finding a better batch costs"
			return 0
		}
		for ; sweeps/thin > pilotMost; thin *= 2 {
			for _, chains := range series {
				for c, x := range chains {
					for i := range len(x) / 2 {
						x[i] = x[2*i+1]
					}
					chains[c] = x[:len(x)/2]
				}
			}
		}
		t.run.each(func(c *chainRun) error {
			done := 0
			return t.watch(c, t.full.pace, sweeps, func(_, end []float64) {
				if done++; done%thin != 0 {
					return
				}
				for j, x := range end {
					series[j][c.number] = append(series[j][c.number], x)
				}
			})
		})
		if t.ended() {
			t.Verdict = "no significant gain: full sweeps, since the time was over before anything could be told"
			return 0
		}
		t.pilots += sweeps
		most := 0.0 // autocorrelation time
		moving := t.watched[:0:0]
		for j := range series {
			if n := ess(series[j]); n > 0 {
				most = max(most, float64(chains*t.pilots)/n)
				moving = append(moving, t.watched[j])
			}
		}
		if len(moving) == 0 {
			t.Verdict = "no scalar that is watched varies, or some are not finite: full sweeps"
			return 0
		}
		if float64(chains*t.pilots) >= leastTimes*most {
			t.watched = moving
			t.moments = make([]moment, len(moving))
			return max(int(math.Ceil(visitTimes*most)), 4)
		}
	}
}

// spread returns the first arms: full sweeps, and batches each a quarter of the one before, as long as they are not too dear.
func (t *tuner) spread() []*arm {
	race := []*arm{t.full}
	for m := (t.n + 3) / 4; m < t.n && len(race) < 6; m /= 4 {
		if a := (pace{m, 1}); m > 0 && t.sweepCost(a) <= dearest*t.Full {
			race = append(race, t.arm(a))
		} else {
			break
		}
	}
	if len(race) == 1 {
		race = append(race, t.arm(pace{(t.n + 1) / 2, 1}))
	}
	return race
}

// around returns the arms near what the surface proposes: half, that, and twice that, and full sweeps.
func (t *tuner) around(f surface) []*arm {
	race := []*arm{t.full}
	best := min(f.best(t), max(t.n/2, 1))
	for _, m := range []int{best / 2, best, best * 2} {
		if m >= 1 && m < t.n && (m == best || t.sweepCost(pace{m, 1}) <= dearest*t.Full) {
			race = append(race, t.arm(pace{m, 1}))
		}
	}
	if t.steps > 1 {
		race = append(race, t.arm(pace{best, 2}))
	}
	return race
}

// shuffled returns visits of every arm in random order.
func (t *tuner) shuffled(race []*arm, visits int) []*arm {
	var order []*arm
	for range visits {
		order = append(order, race...)
		last := order[len(order)-len(race):]
		for i := range last {
			j := i + t.rng.IntN(len(last)-i)
			last[i], last[j] = last[j], last[i]
		}
	}
	return order
}

// objective returns the cost of an independent draw.
func (t *tuner) objective(a *arm, j, length int) float64 {
	return t.sweepCost(a.pace) * t.tau(a, j, length)
}

// worst returns the scalar with the longest autocorrelation times, over all arms.
func (t *tuner) worst(length int) int {
	at, most := 0, 0.0
	for j := range t.watched {
		var sum float64
		for _, a := range t.arms {
			if a.sweeps > 0 {
				sum += t.objective(a, j, length)
			}
		}
		if sum > most {
			at, most = j, sum
		}
	}
	return at
}

// worstOf returns the objective of an arm's own worst scalar.
func (t *tuner) worstOf(a *arm, length int) float64 {
	var most float64
	for j := range t.watched {
		most = max(most, t.objective(a, j, length))
	}
	return most
}

// leader returns the arm with the least objective beside full sweeps.
func (t *tuner) leader(race []*arm, j, length int) *arm {
	return slices.MinFunc(t.rivals(race), func(a, b *arm) int { return cmp.Compare(t.objective(a, j, length), t.objective(b, j, length)) })
}

// laggard returns the arm with the greatest.
func (t *tuner) laggard(race []*arm, j, length int) *arm {
	return slices.MaxFunc(t.rivals(race), func(a, b *arm) int { return cmp.Compare(t.objective(a, j, length), t.objective(b, j, length)) })
}

// sd returns the standard deviation of the logarithm of an arm's autocorrelation time: its means are nearly Normal.
func (a *arm) sd() float64 { return math.Sqrt(2 / a.means[0].n) }

// gain returns an interval for how much more a draw at a is worth for its cost than one of full sweeps.
func (t *tuner) gain(a *arm, j, length int) (low, high float64) {
	g := t.objective(t.full, j, length) / t.objective(a, j, length)
	by := math.Exp(sure * math.Hypot(a.sd(), t.full.sd()))
	return g / by, g * by
}

// choose takes an arm, or the largest batch near it that the surface says is as good as the best.
func (t *tuner) choose(a *arm, f surface) {
	t.Batch, t.Globals = a.batch, a.globals
	if a.globals > 1 {
		return
	}
	least := math.Inf(1)
	from, to := (a.batch+1)/2, min(2*a.batch, t.n-1)
	for m := from; m <= to; m += 1 + m/64 {
		least = min(least, f.objective(t, m))
	}
	for m := from; m <= to; m += 1 + m/64 {
		if f.objective(t, m) <= alike*least {
			t.Batch = m
		}
	}
}

// A surface is τ(m) = a·m/N + b in sweeps.
type surface struct{ a, b float64 }

// objective is the fitted one.
func (f surface) objective(t *tuner, m int) float64 {
	return t.sweepCost(pace{m, 1}) * (f.a*float64(m)/float64(t.n) + f.b)
}

// best returns m*, between 1 and N.
func (f surface) best(t *tuner) int {
	m := math.Sqrt(f.b * float64(t.n) * t.Global / (f.a * t.Local))
	return int(min(max(math.Round(m), 1), float64(t.n))) // NaN, where a = b = 0, does not come: times are positive
}

// fit fits the surface to scalar j by least squares, weighted by the inverse variances of the times, which are as their squares.
func (t *tuner) fit(j, length int) surface {
	var f surface
	for range 20 {
		var w0, w1, w2, y0, y1 float64
		for _, a := range t.arms {
			if a.sweeps == 0 || a.globals > 1 {
				continue
			}
			x, y := float64(a.batch)/float64(t.n), t.tau(a, j, length)
			fitted := f.a*x + f.b
			if fitted == 0 {
				fitted = y
			}
			w := a.means[j].n / (fitted * fitted)
			w0, w1, w2, y0, y1 = w0+w, w1+w*x, w2+w*x*x, y0+w*y, y1+w*x*y
		}
		det := w0*w2 - w1*w1
		f = surface{(w0*y1 - w1*y0) / det, (w2*y0 - w1*y1) / det}
		if f.a < 0 || !(det > 0) {
			f = surface{0, y0 / w0}
		} else if f.b < 0 {
			f = surface{y1 / w2, 0}
		}
	}
	return f
}
