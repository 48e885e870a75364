// Package heldout holds an independent sampler of latent Dirichlet allocation and the
// perplexity of held-out words, by document completion: straightforward rather than
// fast, and what other implementations are compared with.
package heldout

import (
	"fmt"
	"math/rand/v2"

	"github.com/gibbsgen/gibbsgen/bench/corpus"
)

// LDA is a chain of the collapsed Gibbs sampler of Griffiths & Steyvers (2004),
// "Finding scientific topics", PNAS 101: topics of tokens alone, theta and beta
// integrated out. Both priors are symmetric Dirichlets.
type LDA struct {
	K, V       int
	Alpha, Eta float64
	Docs       [][]int32
	Z          [][]int   // topic of each token
	DocTopic   [][]int   // documents × K counts
	TopicWord  [][]int   // K × V counts
	Topic      []int     // K counts
	weight     []float64 // K, scratch
	rand       *rand.Rand
}

// NewLDA returns a chain on c with k topics, drawn uniformly.
func NewLDA(c *corpus.Corpus, k int, alpha, eta float64, seed uint64) (*LDA, error) {
	if k < 1 || !(alpha > 0 && eta > 0) {
		return nil, fmt.Errorf("heldout: K = %d, alpha = %v, eta = %v: want all positive", k, alpha, eta)
	}
	s := &LDA{
		K: k, V: c.V, Alpha: alpha, Eta: eta, Docs: c.Docs,
		Topic: make([]int, k), weight: make([]float64, k), rand: rand.New(rand.NewPCG(seed, 1)),
	}
	for range k {
		s.TopicWord = append(s.TopicWord, make([]int, c.V))
	}
	for d, doc := range c.Docs {
		s.Z = append(s.Z, make([]int, len(doc)))
		s.DocTopic = append(s.DocTopic, make([]int, k))
		for i := range doc {
			s.put(d, i, s.rand.IntN(k))
		}
	}
	return s, nil
}

func (s *LDA) put(d, i, k int) {
	s.Z[d][i] = k
	s.DocTopic[d][k]++
	s.TopicWord[k][s.Docs[d][i]]++
	s.Topic[k]++
}

func (s *LDA) take(d, i int) {
	k := s.Z[d][i]
	s.DocTopic[d][k]--
	s.TopicWord[k][s.Docs[d][i]]--
	s.Topic[k]--
}

// Sweep draws the topic of each token given those of all others:
//
//	P(z = k) ∝ (DocTopic + alpha)·(TopicWord + eta)/(Topic + V·eta)
func (s *LDA) Sweep() {
	for d, doc := range s.Docs {
		for i, w := range doc {
			s.take(d, i)
			for k := range s.weight {
				s.weight[k] = (float64(s.DocTopic[d][k]) + s.Alpha) * s.phi(k, int(w))
			}
			s.put(d, i, pick(s.rand, s.weight))
		}
	}
}

// phi returns the mean of beta[k][w] given all topics.
func (s *LDA) phi(k, w int) float64 {
	return (float64(s.TopicWord[k][w]) + s.Eta) / (float64(s.Topic[k]) + float64(s.V)*s.Eta)
}

// Phi returns the mean of beta given all topics, K × V.
func (s *LDA) Phi() [][]float64 {
	phi := make([][]float64, s.K)
	for k := range phi {
		phi[k] = make([]float64, s.V)
		for w := range phi[k] {
			phi[k][w] = s.phi(k, w)
		}
	}
	return phi
}

// Predict implements [Chain], by the mean of beta given all topics.
func (s *LDA) Predict(d int, words []int32, p []float64) {
	n := float64(len(s.Docs[d])) + float64(s.K)*s.Alpha
	for i, w := range words {
		for k, count := range s.DocTopic[d] {
			p[i] += (float64(count) + s.Alpha) / n * s.phi(k, int(w))
		}
	}
}

// pick draws an index with probability ∝ weight.
func pick(r *rand.Rand, weight []float64) int {
	var total float64
	for _, w := range weight {
		total += w
	}
	u := r.Float64() * total
	for k, w := range weight {
		if u -= w; u < 0 {
			return k
		}
	}
	return len(weight) - 1
}
