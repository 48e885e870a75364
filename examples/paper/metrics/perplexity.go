// This file holds the perplexity of held-out words.

package metrics

import "math"

// Perplexity returns exp{-(1/D) Σ_d (1/n_d) Σ_i log p[d][i]}, p[d][i] the probability of word i of document d: the paper's, in which every
// document has the same weight however long it is. Documents without words are left out. With one probability 1/V everywhere it
// is V; with a probability of 0 it is +Inf.
func Perplexity(p [][]float64) float64 {
	var sum float64
	docs := 0
	for _, doc := range p {
		var of float64
		for _, x := range doc {
			of += math.Log(x)
		}
		if len(doc) > 0 {
			sum += of / float64(len(doc))
			docs++
		}
	}
	return math.Exp(-sum / float64(docs))
}
