// This file holds document completion.

package heldout

import "math/rand/v2"

// Completion measures how well topics predict the second half of documents whose first
// half is known: Wallach, Murray, Salakhutdinov & Mimno (2009), "Evaluation methods for
// topic models", section 5.1, with the posterior mean in place of one estimate.
//
// For each beta that it is given (posterior means or draws of a chain on other
// documents), it samples the topics of the observed tokens, beta held fixed, and
// estimates theta[k] = (count[k] + alpha)/(n + K·alpha) from each of FoldDraws
// sweeps, after FoldWarmup. A held-out word w then has probability
// Σ_k theta[k]·beta[k][w]. That is averaged over all sweeps and all betas, and
//
//	perplexity = exp(-mean over all held-out tokens of the log of the average)
type Completion struct {
	FoldWarmup, FoldDraws int // sweeps

	alpha             float64
	observed, heldOut [][]int32
	rand              *rand.Rand
	*Average
}

// NewCompletion returns a measure with 20 sweeps of warmup and 20 draws. observed and
// heldOut are the halves of the same documents.
func NewCompletion(observed, heldOut [][]int32, alpha float64, seed uint64) *Completion {
	return &Completion{FoldWarmup: 20, FoldDraws: 20, alpha: alpha, observed: observed, heldOut: heldOut,
		rand: rand.New(rand.NewPCG(seed, 2)), Average: NewAverage(heldOut)}
}

// Add takes beta, K × V, into the average.
func (c *Completion) Add(beta [][]float64) {
	k := len(beta)
	weight := make([]float64, k)
	for d, doc := range c.observed {
		z := make([]int, len(doc))
		count := make([]int, k)
		for i := range z {
			z[i] = c.rand.IntN(k)
			count[z[i]]++
		}
		for sweep := range c.FoldWarmup + c.FoldDraws {
			for i, w := range doc {
				count[z[i]]--
				for t := range weight {
					weight[t] = (float64(count[t]) + c.alpha) * beta[t][w]
				}
				z[i] = pick(c.rand, weight)
				count[z[i]]++
			}
			if sweep < c.FoldWarmup {
				continue
			}
			for i, w := range c.heldOut[d] {
				for t, n := range count {
					c.prob[d][i] += (float64(n) + c.alpha) / (float64(len(doc)) + float64(k)*c.alpha) * beta[t][w]
				}
			}
		}
	}
	c.n += c.FoldDraws
}
