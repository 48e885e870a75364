// This file holds Algorithm 1 of Smolyakov, Liu & Fisher (2015): the batch size with the least (m·w_z + w_θ)·τ(m), as they wrote it.

package runtime

import (
	"fmt"
	"math"
)

// gridRounds is the number n of rounds at each candidate, by each chain: the paper does not say how many it made.
const gridRounds = 500

// grid chooses by Algorithm 1: as many rounds for every candidate of the paper's grid, τ by Geyer's rule, averaged over chains.
func (t *tuner) grid() {
	if t.price(); t.ended() {
		t.Verdict = "the time was over before anything could be told: full sweeps"
		return
	}
	best := math.Inf(1)
	for _, p := range t.paces() {
		series := make([][][]float64, len(t.names))
		for j := range series {
			series[j] = make([][]float64, len(t.run.chains))
		}
		t.run.each(func(c *chainRun) error {
			c.phase = Tuning
			c.schedule.set(p)
			var all []float64
			for i := range gridRounds {
				if t.run.ctx.Err() != nil {
					return errInterrupted
				}
				if err := c.schedule.round(c.s); err != nil {
					return c.fail(err)
				}
				all = c.scalars.Append(all[:0])
				for j := range series {
					series[j][c.number] = append(series[j][c.number], all[j])
				}
				c.progress(i+1, gridRounds)
			}
			return nil
		})
		if t.ended() {
			t.Verdict = "the time was over before anything could be told: full sweeps"
			t.Batch, t.Globals = t.n, 1
			return
		}
		c := Candidate{Batch: p.batch, Globals: p.globals, Rounds: gridRounds * len(t.run.chains), Cost: t.of(p, t.n)}
		c.Sweeps = c.Rounds * p.batch / t.n
		for j := range series {
			var tau float64
			for _, one := range series[j] {
				tau += gridRounds / ess([][]float64{one}) / float64(len(series[j]))
			}
			if tau > c.Tau {
				c.Tau, c.Scalar = tau, t.names[j]
			}
		}
		// The paper gives no intervals; this one is of Sokal (1997): a relative variance of 2(2W+1)/n with a window W of about 3τ.
		by := math.Exp(1.96 * math.Sqrt(2*(6*c.Tau+1)/float64(c.Rounds)))
		c.TauLow, c.TauHigh = c.Tau/by, c.Tau*by
		c.Objective, c.Low, c.High = c.Cost*c.Tau, c.Cost*c.TauLow, c.Cost*c.TauHigh
		t.Candidates = append(t.Candidates, c)
		if c.Tau > 0 && c.Objective < best {
			best, t.Batch, t.Globals = c.Objective, p.batch, p.globals
		}
	}
	t.Per = "round"
	t.Verdict = fmt.Sprintf("batches of %d of %d units, by Algorithm 1 with %d rounds for each candidate, which favours small batches",
		t.Batch, t.n, gridRounds)
}

// paces is the paper's grid: 1/4, 1/2, then 1, 4, 16, 63, 251, ..., which are 10^(0.6·k), and all units.
func (t *tuner) paces() []pace {
	var out []pace
	if t.steps > 1 {
		out = append(out, pace{1, 4}, pace{1, 2})
	}
	for k := 0; ; k++ {
		m := int(math.Round(math.Pow(10, 0.6*float64(k))))
		if m >= t.n {
			return append(out, pace{t.n, 1})
		}
		out = append(out, pace{m, 1})
	}
}
