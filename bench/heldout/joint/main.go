// Command joint is the independent sampler's held-out perplexity with the observed halves of the test documents among the
// training data, as `gibbsgen perplexity` has it: for Austen, 20 topics, alpha = 0.1, eta = 0.01, and the halves of
// corpus.Split. It prints each chain's perplexity, their mean and standard deviation, and that of the probabilities
// averaged over all chains.
package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"sync"

	"github.com/gibbsgen/gibbsgen/bench/corpus"
	"github.com/gibbsgen/gibbsgen/bench/heldout"
	"gonum.org/v1/gonum/stat"
)

const (
	topics = 20
	alpha  = 0.1
	eta    = 0.01
)

func main() {
	log.SetFlags(0)
	warmup := flag.Int("warmup", 500, "sweeps before the first draw")
	draws := flag.Int("draws", 500, "sweeps averaged over")
	chains := flag.Int("chains", 8, "chains, seeded 1, 2, ...")
	flag.Parse()
	c, err := corpus.Austen()
	if err != nil {
		log.Fatal(err)
	}
	train, observed, held := corpus.Split(c, 1)
	first := len(train.Docs)
	train.Docs = append(train.Docs, observed...)

	sums := make([][][]float64, *chains) // by chain, document, token: Σ over draws of its probability
	errs := make([]error, *chains)
	var wg sync.WaitGroup
	for ch := range sums {
		wg.Go(func() {
			s, err := heldout.NewLDA(train, topics, alpha, eta, uint64(ch)+1)
			if err != nil {
				errs[ch] = err
				return
			}
			for range *warmup {
				s.Sweep()
			}
			sums[ch] = make([][]float64, len(held))
			for d := range held {
				sums[ch][d] = make([]float64, len(held[d]))
			}
			for range *draws {
				s.Sweep()
				phi := s.Phi()
				for d, doc := range held {
					n := float64(len(observed[d])) + topics*alpha
					for i, w := range doc {
						for k := range topics {
							sums[ch][d][i] += (float64(s.DocTopic[first+d][k]) + alpha) / n * phi[k][w]
						}
					}
				}
			}
		})
	}
	wg.Wait()
	var each []float64
	for ch, err := range errs {
		if err != nil {
			log.Fatal(err)
		}
		each = append(each, perplexity(sums[ch:ch+1], *draws))
	}
	mean, sd := stat.MeanStdDev(each, nil)
	fmt.Printf("%.1f\nmean %.1f, standard deviation %.1f; all chains averaged %.1f\n", each, mean, sd, perplexity(sums, *draws))
}

// perplexity returns exp(-Σ log p / tokens), p averaged over the chains and their draws.
func perplexity(sums [][][]float64, draws int) float64 {
	var l float64
	tokens := 0
	for d := range sums[0] {
		for i := range sums[0][d] {
			var p float64
			for _, s := range sums {
				p += s[d][i]
			}
			l += math.Log(p / float64(draws*len(sums)))
			tokens++
		}
	}
	return math.Exp(-l / float64(tokens))
}
