// Command joint is the held-out perplexity by independent samplers with the observed halves of the test documents among the
// training data, as `gibbsgen perplexity` has it: for Austen, 20 topics, alpha = 0.1, eta = 0.01, and the halves of
// corpus.Split. It prints each chain's perplexity, their mean and standard deviation, that of the probabilities averaged over
// all chains, and heldout.Limits.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"slices"
	"sync"

	"github.com/gibbsgen/gibbsgen/bench/corpus"
	"github.com/gibbsgen/gibbsgen/bench/hand/lda"
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
	beta := flag.Bool("beta", false, "draw beta, as specs/lda.gm does, by the sampler of bench/hand/lda; else it is integrated out")
	flag.Parse()
	c, err := corpus.Austen()
	if err != nil {
		log.Fatal(err)
	}
	train, observed, held := corpus.Split(c, 1)
	first := len(train.Docs)
	train.Docs = slices.Concat(train.Docs, observed)
	open := func(seed uint64) (heldout.Chain, error) {
		if *beta {
			return lda.New(train, topics, lda.Hyper{Alpha: alpha, Eta: eta}, seed)
		}
		return heldout.NewLDA(train, topics, alpha, eta, seed)
	}

	averages := make([]*heldout.Average, *chains)
	errs := make([]error, *chains)
	var wg sync.WaitGroup
	for i := range averages {
		wg.Go(func() {
			chain, err := open(uint64(i) + 1)
			if err != nil {
				errs[i] = err
				return
			}
			for range *warmup {
				chain.Sweep()
			}
			averages[i] = heldout.NewAverage(held)
			for range *draws {
				chain.Sweep()
				averages[i].AddState(chain, first, held)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		log.Fatal(err)
	}
	var each []float64
	for _, a := range averages {
		each = append(each, a.Perplexity())
	}
	mean, sd := stat.MeanStdDev(each, nil)
	fmt.Printf("%.1f\nmean %.1f, standard deviation %.1f; all chains averaged %.1f\n", each, mean, sd, heldout.Perplexity(averages...))
	mean, sd = stat.MeanStdDev(heldout.Limits(averages), nil)
	fmt.Printf("infinitely many chains %.1f, standard error %.1f\n", mean, sd/math.Sqrt(float64(*chains)))
}
