// Package lda holds a hand-written Gibbs sampler of latent Dirichlet allocation with
// theta integrated out and beta drawn, plain O(K) work a token, as fast as one thread
// of plain Go is made to go. Blei, Ng & Jordan (2003), "Latent Dirichlet allocation",
// JMLR 3.
//
//	beta[k]  ~ Dirichlet(eta, ..., eta)     over V words
//	theta[d] ~ Dirichlet(alpha, ..., alpha) over K topics, integrated out
//	z[d,i]   ~ Categorical(theta[d])
//	x[d,i]   ~ Categorical(beta[z[d,i]])
//
// A sweep draws beta, then each z[d,i]. What makes it fast: beta is drawn as Gammas
// that are never normalised, the reciprocals of their sums being part of the factor
// that a document has for each topic; that factor is kept, and recomputed from its
// count where that changed; a word's weights lie side by side; the weights are summed
// eight at a time, so that additions overlap; no branch depends on which topic is
// drawn; nothing is stored for a token that stays.
package lda

import (
	"fmt"
	"math"

	"github.com/gibbsgen/gibbsgen/bench/corpus"
	"github.com/gibbsgen/gibbsgen/bench/hand/draw"
)

// Hyper holds the constants of the prior, both positive.
type Hyper struct{ Alpha, Eta float64 }

// block is how many weights are summed together.
const block = 8

// Sampler is one chain.
type Sampler struct {
	hyper Hyper
	rand  *draw.Rand
	v, k  int
	kk    int       // k, rounded up to whole blocks; weights beyond k are 0
	start []int     // tokens of document d are start[d] to start[d+1]
	word  []int32   // N
	z     []int32   // N, 0-based topics
	count []int32   // V×kk: tokens of the word with the topic
	gamma []float64 // V×kk: beta[k][w] times sum[k]
	sum   []float64 // kk
	inv   []float64 // kk: 1/sum[k]; 0 beyond k
	doc   []int32   // kk: tokens of the document with the topic
	f     []float64 // kk: (doc + alpha)·inv
	p     []float64 // kk: weights of a token
	cum   []float64 // 0, then the running sums of p over whole blocks

	shapes []shape // by count, the constants of Gamma(count + eta)
}

// A shape holds Marsaglia and Tsang's constants.
type shape struct{ d, c float64 }

// New returns a chain with k topics on a corpus, its tokens' topics drawn uniformly.
func New(c *corpus.Corpus, k int, hyper Hyper, seed uint64) (*Sampler, error) {
	if k < 1 || c.V < 1 {
		return nil, fmt.Errorf("lda: %d topics, %d words", k, c.V)
	}
	if !(hyper.Alpha > 0 && hyper.Eta > 0) {
		return nil, fmt.Errorf("lda: %+v: want both positive", hyper)
	}
	kk := (k + block - 1) / block * block
	n := c.Tokens()
	s := &Sampler{
		hyper: hyper, rand: draw.New(seed), v: c.V, k: k, kk: kk,
		start: []int{0}, word: make([]int32, 0, n), z: make([]int32, n),
		count: make([]int32, c.V*kk), gamma: make([]float64, c.V*kk),
		sum: make([]float64, kk), inv: make([]float64, kk),
		doc: make([]int32, kk), f: make([]float64, kk), p: make([]float64, kk), cum: make([]float64, 1+kk/block),
	}
	for d, doc := range c.Docs {
		for i, w := range doc {
			if w < 0 || int(w) >= c.V {
				return nil, fmt.Errorf("lda: document %d, token %d: word %d of %d", d, i, w, c.V)
			}
		}
		s.word = append(s.word, doc...)
		s.start = append(s.start, len(s.word))
	}
	most := 0 // uses of a word
	uses := make([]int, c.V)
	for _, w := range s.word {
		uses[w]++
		most = max(most, uses[w])
	}
	for n := range most + 1 {
		d := max(float64(n)+hyper.Eta, 1) - 1.0/3
		s.shapes = append(s.shapes, shape{d, 1 / (3 * math.Sqrt(d))})
	}
	for i := range s.z {
		s.z[i] = int32(s.rand.Float64() * float64(k))
	}
	s.Recount()
	return s, nil
}

// Z returns the topics of all tokens, which the caller may read, or set and then Recount.
func (s *Sampler) Z() []int32 { return s.z }

// Recount counts anew.
func (s *Sampler) Recount() {
	clear(s.count)
	for i, w := range s.word {
		s.count[int(w)*s.kk+int(s.z[i])]++
	}
}

// Beta returns beta[k][w].
func (s *Sampler) Beta(k, w int) float64 {
	return s.gamma[w*s.kk+k] / s.sum[k]
}

// Predict adds to p[i] the probability of words[i] as a further word of document d, given beta and the document's topics.
// A sweep must have drawn beta.
func (s *Sampler) Predict(d int, words []int32, p []float64) {
	z := s.z[s.start[d]:s.start[d+1]]
	theta := make([]float64, s.k)
	for k := range theta {
		theta[k] = s.hyper.Alpha
	}
	for _, k := range z {
		theta[k]++
	}
	n := float64(len(z)) + float64(s.k)*s.hyper.Alpha
	for i, w := range words {
		for k, t := range theta {
			p[i] += t / n * s.Beta(k, int(w))
		}
	}
}

// Sweep draws beta, then all topics.
func (s *Sampler) Sweep() {
	s.drawBeta()
	for d := range s.start[:len(s.start)-1] {
		s.drawTopics(s.start[d], s.start[d+1])
	}
}

// drawBeta draws beta[k] | · ~ Dirichlet(eta + count of each word with topic k), as
// Gammas over their sum.
func (s *Sampler) drawBeta() {
	clear(s.sum)
	sum := s.sum[:s.k]
	for w := range s.v {
		count := s.count[w*s.kk:][:len(sum)]
		gamma := s.gamma[w*s.kk:][:len(sum)]
		for k, n := range count {
			g := s.drawGamma(int(n))
			gamma[k] = g
			sum[k] += g
		}
	}
	for k, v := range sum {
		s.inv[k] = 1 / v
	}
}

// drawGamma draws Gamma(n + eta, 1).
func (s *Sampler) drawGamma(n int) float64 {
	if n == 0 && s.hyper.Eta < 1 {
		return s.rand.SmallGamma(s.hyper.Eta)
	}
	sh := &s.shapes[n]
	return s.rand.MarsagliaTsang(sh.d, sh.c)
}

// drawTopics draws the topics of the tokens from a to b, which are a document:
// P(z = k) ∝ (tokens of the document with k, this one apart, + alpha)·beta[k][word].
func (s *Sampler) drawTopics(a, b int) {
	r, alpha := s.rand, s.hyper.Alpha
	kk := s.kk
	doc, f, p, inv := s.doc[:kk], s.f[:kk], s.p[:kk], s.inv[:kk]
	before, cum := s.cum, s.cum[1:]
	last := len(cum) - 1
	clear(doc)
	for _, z := range s.z[a:b] {
		doc[z]++
	}
	for k, n := range doc {
		f[k] = (float64(n) + alpha) * inv[k]
	}
	words, zs := s.word[a:b], s.z[a:b]
	for i, w := range words {
		old := zs[i]
		f[old] = (float64(doc[old]-1) + alpha) * inv[old]
		g := s.gamma[int(w)*kk:][:kk]
		var total float64
		for j := range cum {
			fb, gb, pb := f[j*block:][:block], g[j*block:][:block], p[j*block:][:block]
			p0, p1, p2, p3 := fb[0]*gb[0], fb[1]*gb[1], fb[2]*gb[2], fb[3]*gb[3]
			p4, p5, p6, p7 := fb[4]*gb[4], fb[5]*gb[5], fb[6]*gb[6], fb[7]*gb[7]
			pb[0], pb[1], pb[2], pb[3] = p0, p1, p2, p3
			pb[4], pb[5], pb[6], pb[7] = p4, p5, p6, p7
			total += ((p0 + p1) + (p2 + p3)) + ((p4 + p5) + (p6 + p7))
			cum[j] = total
		}
		u := r.Float64() * total
		// How many running sums are at most u: without a branch to mispredict, since
		// floats that are not negative compare as their bits do.
		j := last
		for _, v := range cum[:last] {
			j -= int((math.Float64bits(u) - math.Float64bits(v)) >> 63)
		}
		u -= before[j]
		pb := p[j*block:][:block]
		k := int32(j*block + block - 1)
		var c float64
		for _, v := range pb[:block-1] {
			c += v
			k -= int32((math.Float64bits(u) - math.Float64bits(c)) >> 63)
		}
		for p[k] == 0 { // rounding went past the last topic that is possible
			k--
		}
		if k == old {
			f[old] = (float64(doc[old]) + alpha) * inv[old]
			continue
		}
		zs[i] = k
		doc[old]--
		doc[k]++
		f[k] = (float64(doc[k]) + alpha) * inv[k]
		s.count[int(w)*kk+int(old)]--
		s.count[int(w)*kk+int(k)]++
	}
}
