// This file compares held-out perplexities of LDA by generated samplers with those by independent ones.

package bench

import (
	"errors"
	"flag"
	"io/fs"
	"math"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gibbsgen/gibbsgen/bench/corpus"
	"github.com/gibbsgen/gibbsgen/bench/hand/lda"
	"github.com/gibbsgen/gibbsgen/bench/heldout"
	genlda "github.com/gibbsgen/gibbsgen/generated/lda"
	genldaboth "github.com/gibbsgen/gibbsgen/generated/ldaboth"
	"github.com/gibbsgen/gibbsgen/runtime"
)

var long = flag.Bool("long", false, "run TestPerplexityOfAusten, minutes")

// A completion is a corpus whose documents from first on are the observed halves, its model, and how it is sampled.
type completion struct {
	*corpus.Corpus
	first                 int
	heldOut               [][]int32
	k                     int
	alpha, eta            float64
	chains, warmup, draws int
}

// split sets the halves of c.
func (m completion) split(c *corpus.Corpus) completion {
	train, observed, heldOut := corpus.Split(c, 1)
	m.first, m.heldOut = len(train.Docs), heldOut
	m.Corpus = &corpus.Corpus{V: c.V, Docs: slices.Concat(train.Docs, observed)}
	return m
}

// A generated is a generated sampler as a [heldout.Chain].
type generated struct {
	runtime.Sampler
	runtime.Prediction
	t testing.TB
}

func asChain(t testing.TB, s interface {
	runtime.Sampler
	runtime.Predictor
}, err error) (heldout.Chain, error) {
	if err != nil {
		return nil, err
	}
	return generated{s, s.Predictions()[0], t}, nil
}

func (g generated) Sweep() {
	if err := runtime.Step(g.Sampler); err != nil {
		g.t.Error(err)
	}
	g.Prepare()
}

func (g generated) Predict(d int, words []int32, p []float64) {
	for i, w := range words {
		p[i] += g.Prob([]int{d}, w)
	}
}

// flat returns the documents' lengths, and their words one after another.
func (m completion) flat() (lengths []int, words []int32) {
	for _, doc := range m.Docs {
		lengths = append(lengths, len(doc))
	}
	return lengths, slices.Concat(m.Docs...)
}

// topicSamplers lists samplers of LDA.
var topicSamplers = map[string]func(t testing.TB, m completion, seed uint64) (heldout.Chain, error){
	"lda": func(t testing.TB, m completion, seed uint64) (heldout.Chain, error) {
		lengths, words := m.flat()
		s, err := genlda.New(
			genlda.Data{Sizes: genlda.Sizes{Docs: len(lengths), Topics: m.k, Vocab: m.V}, WordsLen: lengths, X: words},
			genlda.Hyper{Alpha: m.alpha, Eta: m.eta}, runtime.NewRand(seed, 1))
		return asChain(t, s, err)
	},
	"ldaboth": func(t testing.TB, m completion, seed uint64) (heldout.Chain, error) {
		lengths, words := m.flat()
		s, err := genldaboth.New(
			genldaboth.Data{Sizes: genldaboth.Sizes{Docs: len(lengths), Topics: m.k, Vocab: m.V}, WordsLen: lengths, X: words},
			genldaboth.Hyper{Alpha: m.alpha, Eta: m.eta}, runtime.NewRand(seed, 2))
		return asChain(t, s, err)
	},
	"hand": func(_ testing.TB, m completion, seed uint64) (heldout.Chain, error) { // draws beta, as lda does
		return lda.New(m.Corpus, m.k, lda.Hyper{Alpha: m.alpha, Eta: m.eta}, seed)
	},
	"heldout": func(_ testing.TB, m completion, seed uint64) (heldout.Chain, error) { // all integrated out, as in ldaboth
		return heldout.NewLDA(m.Corpus, m.k, m.alpha, m.eta, seed)
	},
}

// sample returns the perplexity of each chain, which is what `gibbsgen perplexity` prints, and what [heldout.Limits] makes of
// all of them.
func (m completion) sample(t testing.TB, sampler string) (each, limits []float64) {
	averages := make([]*heldout.Average, m.chains)
	var wg sync.WaitGroup
	for i := range averages {
		averages[i] = heldout.NewAverage(m.heldOut)
		wg.Go(func() {
			c, err := topicSamplers[sampler](t, m, uint64(i)+1)
			if err != nil {
				t.Error(err)
				return
			}
			for range m.warmup {
				c.Sweep()
			}
			for range m.draws {
				c.Sweep()
				averages[i].AddState(c, m.first, m.heldOut)
			}
		})
	}
	wg.Wait()
	for _, a := range averages {
		each = append(each, a.Perplexity())
	}
	return each, heldout.Limits(averages)
}

// compare fails t unless the samplers agree:
//
//   - chain by chain, lda with the hand-written sampler, which draws beta too, and ldaboth with the independent one, which has
//     beta integrated out too. Not lda with ldaboth: its states change more slowly, so that an average of equally many
//     foretells less well, though the posterior is the same;
//   - by the limit, which makes up for that, all with the independent one.
//
// Five checks, each with a rate of false alarms of 1e-4.
func (m completion) compare(t *testing.T) {
	each, limits := map[string][]float64{}, map[string][]float64{}
	for name := range topicSamplers {
		each[name], limits[name] = m.sample(t, name)
		mean, sd := stat.MeanStdDev(each[name], nil)
		limit, limitSD := stat.MeanStdDev(limits[name], nil)
		t.Logf("%s: mean of chains %.5g, standard deviation %.2g; limit %.5g, standard error %.2g", name,
			mean, sd, limit, limitSD/math.Sqrt(float64(m.chains)))
	}
	for _, c := range []struct {
		what, a, b string
		of         map[string][]float64
	}{
		{"chain by chain", "lda", "hand", each},
		{"chain by chain", "ldaboth", "heldout", each},
		{"limit", "lda", "heldout", limits},
		{"limit", "ldaboth", "heldout", limits},
		{"limit", "hand", "heldout", limits},
	} {
		d, most := distance(c.of[c.a], c.of[c.b])
		t.Logf("%s: %s less %s is %.2f standard errors", c.what, c.a, c.b, d)
		if !(math.Abs(d) <= most) {
			t.Errorf("%s: %s less %s is %.2f standard errors, at most %.2f", c.what, c.a, c.b, d, most)
		}
	}
}

// distance returns by how many standard errors of the difference the mean of a exceeds that of b, of as many, and what it stays
// below with probability 1 - 1e-4 where both have the same Normal distribution: Student's t.
func distance(a, b []float64) (d, most float64) {
	meanA, sdA := stat.MeanStdDev(a, nil)
	meanB, sdB := stat.MeanStdDev(b, nil)
	n := float64(len(a))
	return (meanA - meanB) / (math.Hypot(sdA, sdB) / math.Sqrt(n)), distuv.StudentsT{Sigma: 1, Nu: 2*n - 2}.Quantile(1 - 1e-4/2)
}

// TestPerplexity is on a corpus so small, and with priors so wide, that every chain goes everywhere.
func TestPerplexity(t *testing.T) {
	m := completion{k: 3, alpha: 1, eta: 1, chains: 8, warmup: 100, draws: 1000}.split(corpus.Synthetic(60, 20, 100, 3))
	m.compare(t)

	// Planted faults, which must be caught: constants that are not the other sampler's.
	_, right := m.sample(t, "heldout")
	alpha, eta := m, m
	alpha.alpha *= 1.2
	eta.eta *= 1.2
	for what, m := range map[string]completion{"alpha": alpha, "eta": eta} {
		_, wrong := m.sample(t, "lda")
		if d, most := distance(wrong, right); !(math.Abs(d) > most) {
			t.Errorf("%s off by a fifth is missed: %.2f standard errors", what, d)
		}
	}
}

// TestPerplexityOfAusten is at specs/lda.gm's topics and constants, from eight overdispersed starts. There 500 sweeps of
// warmup leave some 6 in the limit of a chain that draws beta (README.md), 1.5 standard errors, which makes a false alarm of
// two of the five checks about 1e-3 each.
func TestPerplexityOfAusten(t *testing.T) {
	if !*long {
		t.Skip("takes minutes: -long")
	}
	c, err := corpus.Austen()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	completion{k: 20, alpha: 0.1, eta: 0.01, chains: 8, warmup: 500, draws: 500}.split(c).compare(t)
}
