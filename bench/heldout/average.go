// This file holds perplexity, and document completion as `gibbsgen perplexity` has it: the observed halves are among the
// chain's data.

package heldout

import (
	"math"
	"slices"
)

// A Chain samples the topics of documents.
type Chain interface {
	Sweep()

	// Predict adds to p[i] the probability of words[i] as a further word of document d, given the state.
	Predict(d int, words []int32, p []float64)
}

// An Average is that of the probabilities of held-out tokens.
type Average struct {
	prob [][]float64 // by document and token, summed
	n    int         // summands
}

// NewAverage returns an average of nothing.
func NewAverage(heldOut [][]int32) *Average {
	a := new(Average)
	for _, doc := range heldOut {
		a.prob = append(a.prob, make([]float64, len(doc)))
	}
	return a
}

// AddState takes a chain's state into the average. The documents from first on are the observed halves.
func (a *Average) AddState(c Chain, first int, heldOut [][]int32) {
	for d, words := range heldOut {
		c.Predict(first+d, words, a.prob[d])
	}
	a.n++
}

// Perplexity returns the perplexity of the held-out tokens, given all that was added.
func (a *Average) Perplexity() float64 { return Perplexity(a) }

// Perplexity returns the perplexity of the same held-out tokens by all averages together.
func Perplexity(averages ...*Average) float64 {
	var sum float64
	tokens := 0
	for d, doc := range averages[0].prob {
		for i := range doc {
			var p float64
			n := 0
			for _, a := range averages {
				p += a.prob[d][i]
				n += a.n
			}
			sum += math.Log(p / float64(n))
			tokens++
		}
	}
	return math.Exp(-sum / float64(tokens))
}

// Limits estimate the perplexity by infinitely many chains from one average of each of several: their mean does, with their
// standard deviation over the square root of their number as its standard error.
//
// The logarithm of a mean of n independent estimates is too low by c/n to first order (Jensen's inequality), so that the
// perplexity is too high. States of one chain are not independent, and how far they are from it differs between samplers,
// but chains are. So these are the pseudo-values of Quenouille's jackknife, which takes c/n away:
// n·Perplexity(all) - (n-1)·Perplexity(all but one). Once their chains have forgotten their starts, all right samplers have
// this limit in common, however slowly they move.
func Limits(averages []*Average) []float64 {
	n := float64(len(averages))
	all := Perplexity(averages...)
	var out []float64
	for i := range averages {
		rest := slices.Delete(slices.Clone(averages), i, i+1)
		out = append(out, n*all-(n-1)*Perplexity(rest...))
	}
	return out
}
