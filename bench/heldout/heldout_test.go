package heldout

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/gibbsgen/gibbsgen/bench/corpus"
	"github.com/gibbsgen/gibbsgen/bench/internal/exact"
)

var (
	update = flag.Bool("update", false, "run all of TestAusten and rewrite austen_perplexity.json")
	long   = flag.Bool("long", false, "run one chain of TestAusten and compare")
)

// assignments calls f with each assignment of k topics to n tokens.
func assignments(n, k int, f func(index int, z []int)) {
	z := make([]int, n)
	for index := range int(math.Pow(float64(k), float64(n))) {
		rest := index
		for i := range z {
			z[i] = rest % k
			rest /= k
		}
		f(index, z)
	}
}

// logPolya returns the log probability of a sequence with these counts, each outcome
// having prior weight a.
func logPolya(counts []int, a float64) float64 {
	l, n := 0.0, 0
	for _, c := range counts {
		for i := range c {
			l += math.Log(a + float64(i))
		}
		n += c
	}
	for i := range n {
		l -= math.Log(a*float64(len(counts)) + float64(i))
	}
	return l
}

// TestPosterior starts from exact draws of the topics of six tokens, found by listing
// all assignments, and looks at where two sweeps lead: see package exact. It also starts
// from one place and sweeps until that is forgotten, as a sweep that left tokens out
// would pass the first.
func TestPosterior(t *testing.T) {
	const k = 2
	c := &corpus.Corpus{V: 3, Docs: [][]int32{{0, 1, 0}, {}, {2, 0, 1}}}
	alpha, eta := 0.6, 0.5
	s, err := NewLDA(c, k, alpha, eta, 1)
	if err != nil {
		t.Fatal(err)
	}
	set := func(z []int) {
		next := 0
		for d, doc := range c.Docs {
			for i := range doc {
				s.take(d, i)
				s.put(d, i, z[next])
				next++
			}
		}
	}
	p := make([]float64, 64)
	var total float64
	assignments(6, k, func(index int, z []int) {
		set(z)
		l := 0.0
		for d := range c.Docs {
			l += logPolya(s.DocTopic[d], alpha)
		}
		for _, words := range s.TopicWord {
			l += logPolya(words, eta)
		}
		p[index] = math.Exp(l)
		total += p[index]
	})
	var states [64][]int
	assignments(6, k, func(index int, z []int) {
		p[index] /= total
		states[index] = append([]int(nil), z...)
	})
	for _, run := range []struct {
		name               string
		start              func() int
		sweeps, replicates int
	}{
		{"from exact draws", func() int { return exact.Pick(p, s.rand.Float64()) }, 2, 50_000},
		{"from one place", func() int { return 5 }, 100, 10_000},
	} {
		counts := make([]int, 64)
		for range run.replicates {
			set(states[run.start()])
			for range run.sweeps {
				s.Sweep()
			}
			index, place := 0, 1
			for _, zs := range s.Z {
				for _, z := range zs {
					index += place * z
					place *= k
				}
			}
			counts[index]++
		}
		exact.Frequencies(t, run.name, counts, p)
	}
}

// TestCompletion compares the average probability of held-out words with the exact one,
// the sum over all assignments of the observed tokens. 400 independent repetitions; by
// the Normal limit a right one strays by 5 standard errors once in 1.7 million.
func TestCompletion(t *testing.T) {
	beta := [][]float64{{0.7, 0.2, 0.1}, {0.1, 0.3, 0.6}, {0.3, 0.4, 0.3}}
	observed, heldOut := [][]int32{{0, 0, 2, 1}, {2}}, [][]int32{{0, 2}, {1}}
	const alpha = 0.4
	k := float64(len(beta))
	for d, doc := range observed {
		for i, w := range heldOut[d] {
			var sum, want float64
			assignments(len(doc), len(beta), func(_ int, z []int) {
				count := make([]int, len(beta))
				p := 1.0
				for j, t := range z {
					count[t]++
					p *= beta[t][doc[j]]
				}
				p *= math.Exp(logPolya(count, alpha))
				sum += p
				for t, n := range count {
					want += p * (float64(n) + alpha) / (float64(len(doc)) + k*alpha) * beta[t][w]
				}
			})
			want /= sum
			var got []float64
			for rep := range 400 {
				c := NewCompletion(observed, heldOut, alpha, uint64(rep))
				c.Add(beta)
				got = append(got, c.prob[d][i]/float64(c.n))
			}
			mean, sd := stat.MeanStdDev(got, nil)
			if z := (mean - want) / (sd / math.Sqrt(float64(len(got)))); !(math.Abs(z) < 5) {
				t.Errorf("document %d, held-out token %d: %v, want %v: %.1f standard errors", d, i, mean, want, z)
			}
		}
	}
}

// TestAddState compares the average probability of a held-out word, the observed half being sampled along with another
// document, with the exact one, the sum over all assignments. 400 repetitions, judged as in TestCompletion.
func TestAddState(t *testing.T) {
	const k, word = 2, 1
	c := &corpus.Corpus{V: 3, Docs: [][]int32{{0, 1, 0, 2}, {2, 0}}}
	alpha, eta := 0.6, 0.5
	s, err := NewLDA(c, k, alpha, eta, 1)
	if err != nil {
		t.Fatal(err)
	}
	var sum, want float64
	assignments(c.Tokens(), k, func(_ int, z []int) {
		words, topics, held := [k][3]int{}, [2][k]int{}, 0.0
		next := 0
		for d, doc := range c.Docs {
			for _, w := range doc {
				words[z[next]][w]++
				topics[d][z[next]]++
				next++
			}
		}
		l := 0.0
		for d := range c.Docs {
			l += logPolya(topics[d][:], alpha)
		}
		for t, n := range words {
			l += logPolya(n[:], eta)
			// The word as a further one: a factor that logPolya gains.
			more := n
			more[word]++
			held += (float64(topics[1][t]) + alpha) / (2 + k*alpha) * math.Exp(logPolya(more[:], eta)-logPolya(n[:], eta))
		}
		sum += math.Exp(l)
		want += math.Exp(l) * held
	})
	want /= sum
	var got []float64
	for range 400 {
		for range 20 { // forget the last repetition
			s.Sweep()
		}
		heldOut := [][]int32{{word}}
		a := NewAverage(heldOut)
		for range 50 {
			s.Sweep()
			a.AddState(s, 1, heldOut)
		}
		got = append(got, a.prob[0][0]/float64(a.n))
	}
	mean, sd := stat.MeanStdDev(got, nil)
	if z := (mean - want) / (sd / math.Sqrt(float64(len(got)))); !(math.Abs(z) < 5) {
		t.Errorf("%v, want %v: %.1f standard errors", mean, want, z)
	}
}

// TestPerplexity: of words that all have probability 1/V, it is V.
func TestPerplexity(t *testing.T) {
	c := NewCompletion([][]int32{{0, 1}, {}}, [][]int32{{2, 3}, {0}}, 0.1, 1)
	for range 3 {
		c.Add([][]float64{{0.25, 0.25, 0.25, 0.25}, {0.25, 0.25, 0.25, 0.25}})
	}
	if got := c.Perplexity(); math.Abs(got-4) > 1e-12 {
		t.Errorf("perplexity %v, want 4", got)
	}
}

// TestLimits: of probabilities uniform on (0.2, 0.6), of mean 0.4, the perplexity is 2.5. What the jackknife leaves of
// four chains' 0.05 too many is of second order; 20,000 repetitions have a standard error of 0.003.
func TestLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var limits, pooled []float64
	for range 20_000 {
		var averages []*Average
		for range 4 {
			averages = append(averages, &Average{prob: [][]float64{{0.2 + 0.4*r.Float64()}}, n: 1})
		}
		limits = append(limits, Limits(averages)...)
		pooled = append(pooled, Perplexity(averages...))
	}
	if got := stat.Mean(limits, nil); math.Abs(got-2.5) > 0.02 {
		t.Errorf("limit %.4f, want 2.5; all chains averaged %.4f", got, stat.Mean(pooled, nil))
	}
}

// TestAusten measures K = 20 topics on the Austen corpus: with -long one chain, which
// must be within 5 standard deviations between chains of the stored mean; with -update
// eight, which are stored.
func TestAusten(t *testing.T) {
	if !*update && !*long {
		t.Skip("takes minutes: -long or -update")
	}
	c, err := corpus.Austen()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	now := &Perplexities{
		What: "held-out perplexity of LDA on the Austen corpus by document completion (corpus.Split, heldout.Completion)",
		Made: "go test ./bench/heldout -run TestAusten -update -timeout 1h",
		K:    20, Alpha: 0.1, Eta: 0.01, SplitSeed: 1, Warmup: 500, Betas: 25, Every: 20,
	}
	chains := 1
	if *update {
		chains = 8
	}
	train, observed, heldOut := corpus.Split(c, now.SplitSeed)
	now.Perplexity = make([]float64, chains)
	errs := make([]error, chains)
	var wait sync.WaitGroup
	for chain := range chains {
		wait.Go(func() {
			seed := uint64(chain) + 1
			s, err := NewLDA(train, now.K, now.Alpha, now.Eta, seed)
			if err != nil {
				errs[chain] = err
				return
			}
			for range now.Warmup {
				s.Sweep()
			}
			measure := NewCompletion(observed, heldOut, now.Alpha, seed)
			for range now.Betas {
				for range now.Every {
					s.Sweep()
				}
				measure.Add(s.Phi())
			}
			now.Perplexity[chain] = measure.Perplexity()
			t.Logf("chain %d: perplexity %.2f", chain+1, now.Perplexity[chain])
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	measure := NewCompletion(nil, nil, 0, 0)
	now.FoldWarmup, now.FoldDraws = measure.FoldWarmup, measure.FoldDraws
	if *update {
		now.Mean, now.SD = stat.MeanStdDev(now.Perplexity, nil)
		text, err := json.MarshalIndent(now, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("austen_perplexity.json", append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	then, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	if got := now.Perplexity[0]; !(math.Abs(got-then.Mean) <= 5*then.SD) {
		t.Errorf("perplexity %.2f; stored %.2f, standard deviation %.2f between chains", got, then.Mean, then.SD)
	}
}
