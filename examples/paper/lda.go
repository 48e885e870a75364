// This file reproduces the figure of latent Dirichlet allocation: perplexity of test documents against time, and the objective f(m).

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/gibbsgen/gibbsgen/examples/paper/fold"
	"github.com/gibbsgen/gibbsgen/examples/paper/metrics"
	"github.com/gibbsgen/gibbsgen/generated/lda"
	"github.com/gibbsgen/gibbsgen/generated/ldaboth"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

const (
	topics = 4
	alpha  = 0.1
	eta    = 0.1
)

// Documents are words, document after document.
type documents struct {
	lengths []int
	words   []int32
}

func (d *documents) add(words []int32) {
	d.lengths = append(d.lengths, len(words))
	d.words = append(d.words, words...)
}

// A corpus is what chains learn from, and test documents in two halves: the topics of a document are told by one, and the other is
// foretold. The paper counts the words that it foretells among those that tell the topics, which makes every perplexity too low.
type corpus struct {
	name     string
	vocab    int
	train    documents
	observed documents
	held     [][]int32
}

// split halves a test document at random.
func (c *corpus) split(words []int32, rng *runtime.Rand) {
	words = slices.Clone(words)
	for i := len(words) - 1; i > 0; i-- {
		j := rng.IntN(i + 1)
		words[i], words[j] = words[j], words[i]
	}
	half := (len(words) + 1) / 2
	c.observed.add(words[:half])
	c.held = append(c.held, words[half:])
}

// readBrown reads the corpus from dir; README.md says how to make its files.
func readBrown(dir string, rng *runtime.Rand) (*corpus, error) {
	vocab := filepath.Join(dir, "brown.vocab")
	load := func(name string) (*dataio.Set, error) {
		set, _, err := dataio.Load(lda.Schema, []string{filepath.Join(dir, name)}, dataio.Options{Vocab: vocab})
		return set, err
	}
	train, err := load("brown.train.ldac")
	if err != nil {
		return nil, err
	}
	test, err := load("brown.test.ldac")
	if err != nil {
		return nil, err
	}
	c := &corpus{name: "Brown", vocab: train.Sizes["vocab"], train: documents{train.Ragged["words"], train.Values["x"].Cat}}
	at := 0
	for _, n := range test.Ragged["words"] {
		c.split(test.Values["x"].Cat[at:][:n], rng)
		at += n
	}
	return c, nil
}

// simulate draws a corpus from the model, half of it for training.
func simulate(docs, length, vocab int, rng *runtime.Rand) (*corpus, error) {
	d := lda.Data{Sizes: lda.Sizes{Docs: 2 * docs, Topics: topics, Vocab: vocab}, WordsLen: slices.Repeat([]int{length}, 2*docs)}
	d, _, err := lda.Simulate(d, lda.Hyper{Alpha: alpha, Eta: eta}, rng)
	if err != nil {
		return nil, err
	}
	c := &corpus{name: "simulated", vocab: vocab}
	for i := range docs {
		c.train.add(d.X[2*i*length:][:length])
		c.split(d.X[(2*i+1)*length:][:length], rng)
	}
	return c, nil
}

// foretell returns the probability of each held-out word, given topics z of the training words: the words of each topic at their posterior
// means, (eta + N_wk)/(V·eta + N_k), as in the paper, and the topics of each test document at the means of five draws given its observed half.
func (c *corpus) foretell(z []int32, rng *runtime.Rand) ([][]float64, error) {
	beta := make([]float64, topics*c.vocab)
	for i := range beta {
		beta[i] = eta
	}
	for i, k := range z {
		beta[int(k)*c.vocab+int(c.train.words[i])]++
	}
	for row := range slices.Chunk(beta, c.vocab) {
		var sum float64
		for _, x := range row {
			sum += x
		}
		for v := range row {
			row[v] /= sum
		}
	}
	data := fold.Data{Sizes: fold.Sizes{Docs: len(c.held), Topics: topics, Vocab: c.vocab}, WordsLen: c.observed.lengths, X: c.observed.words, Beta: beta}
	s, err := fold.New(data, fold.Hyper{Alpha: alpha}, rng)
	if err != nil {
		return nil, err
	}
	p := make([][]float64, len(c.held))
	for d, words := range c.held {
		p[d] = make([]float64, len(words))
	}
	const draws = 5
	for _, err := range runtime.Draws(context.Background(), s, runtime.Options{Warmup: 10, Draws: draws}) {
		if err != nil {
			return nil, err
		}
		at := 0
		for d, words := range c.held {
			theta := [topics]float64{}
			n := c.observed.lengths[d]
			for k := range theta {
				theta[k] = alpha
			}
			for _, k := range s.State().Z[at:][:n] {
				theta[k]++
			}
			at += n
			for i, w := range words {
				for k := range theta {
					p[d][i] += theta[k] / (float64(n) + topics*alpha) * beta[k*c.vocab+int(w)] / draws
				}
			}
		}
	}
	return p, nil
}

// A topicModel is a sampler of the topics, with the topic of each word as it stands.
type topicModel struct {
	runtime.Sampler
	z func() []int32
}

// drawn has the topics' words drawn: the sampler that can be made in batches of documents.
func (c *corpus) drawn(rng *runtime.Rand) (*topicModel, error) {
	s, err := lda.New(lda.Data{Sizes: lda.Sizes{Docs: len(c.train.lengths), Topics: topics, Vocab: c.vocab}, WordsLen: c.train.lengths, X: c.train.words},
		lda.Hyper{Alpha: alpha, Eta: eta}, rng)
	if err != nil {
		return nil, err
	}
	return &topicModel{s, func() []int32 { return s.State().Z }}, nil
}

// collapsed has them collapsed: Griffiths & Steyvers (2004), the paper's collapsed Gibbs sampler.
func (c *corpus) collapsed(rng *runtime.Rand) (*topicModel, error) {
	s, err := ldaboth.New(ldaboth.Data{Sizes: ldaboth.Sizes{Docs: len(c.train.lengths), Topics: topics, Vocab: c.vocab}, WordsLen: c.train.lengths, X: c.train.words},
		ldaboth.Hyper{Alpha: alpha, Eta: eta}, rng)
	if err != nil {
		return nil, err
	}
	return &topicModel{s, func() []int32 { return s.State().Z }}, nil
}

// A topicRun is a sampler with batches of m documents, and what came of it: a row for each chain, a column for each budget.
type topicRun struct {
	label string
	m     int
	work  float64 // of a round
	make  func(*runtime.Rand) (*topicModel, error)

	perplexity [][]float64
	last       [][][]float64 // of each chain, the probabilities at the end
	round      float64       // seconds
}

func (r *topicRun) run(ctx context.Context, c *corpus, chain int, budgets []float64, seed uint64) error {
	s, err := r.make(runtime.NewRand(seed, streamTopics, uint64(chain)))
	if err != nil {
		return err
	}
	r.perplexity[chain] = make([]float64, len(budgets))
	rng := runtime.NewRand(seed, streamFold, uint64(chain))
	return inBatches(s, r.m, runtime.SequentialScan, nil).follow(ctx, r.work, budgets, func() {}, func(b int) error {
		p, err := c.foretell(s.z(), rng)
		r.perplexity[chain][b], r.last[chain] = metrics.Perplexity(p), p
		return err
	})
}

// together is the perplexity by all chains: probabilities are averaged before the logarithm.
func (r *topicRun) together() float64 {
	all := make([][]float64, len(r.last[0]))
	for d := range all {
		all[d] = make([]float64, len(r.last[0][d]))
		for _, p := range r.last {
			for i, x := range p[d] {
				all[d][i] += x / float64(len(r.last))
			}
		}
	}
	return metrics.Perplexity(all)
}

func ldaFigure(ctx context.Context, o *options) ([]claim, error) {
	chains, sweeps, warmup, draws := 5, 400.0, 100, 6000
	if o.quick {
		chains, sweeps, warmup, draws = 3, 50, 20, 400
	}
	var c *corpus
	var err error
	rng := runtime.NewRand(o.seed, streamData, 3)
	switch {
	case o.brown != "":
		if c, err = readBrown(o.brown, rng); err != nil {
			err = fmt.Errorf("%w\nexamples/paper/README.md says how to make the Brown corpus", err)
		}
	case o.quick:
		c, err = simulate(40, 100, 500, rng)
	default:
		o.logf("  the Brown corpus is not here, since it may not be passed on: a corpus drawn from the model stands in for it.\n" +
			"  examples/paper/README.md says how to make it from NLTK's copy, for --brown\n")
		c, err = simulate(250, 800, 6000, rng)
	}
	if err != nil {
		return nil, err
	}
	docs := len(c.train.lengths)

	probe, err := c.drawn(runtime.NewRand(o.seed, streamCosts, 3))
	if err != nil {
		return nil, err
	}
	cost, err := measure(probe, 41)
	if err != nil {
		return nil, err
	}
	sweep := cost.work(docs)
	budgets := logSpaced(2*sweep, sweeps*sweep, 12)
	var runs []*topicRun
	for _, m := range []int{1, 4, 16, 63} {
		if m < docs {
			runs = append(runs, &topicRun{label: fmt.Sprint("m = ", m), m: m, work: cost.work(m), make: c.drawn})
		}
	}
	m16 := runs[2]
	full := &topicRun{label: "full", m: docs, work: sweep, make: c.drawn}
	collapsed := &topicRun{label: "collapsed", m: docs, work: float64(docs), make: c.collapsed} // draws no globals
	runs = append(runs, full, collapsed)
	for _, r := range runs {
		r.perplexity, r.last = make([][]float64, chains), make([][][]float64, chains)
	}
	err = parallel(chains, func(i int) error {
		for _, r := range runs {
			if err := r.run(ctx, c, i, budgets, o.seed); err != nil {
				return fmt.Errorf("%s: %w", r.label, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var rounds []func() error
	for _, r := range runs {
		s, err := r.make(runtime.NewRand(o.seed, streamCosts, 4))
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, inBatches(s, r.m, runtime.SequentialScan, nil).round)
	}
	took, err := times(21, rounds...)
	if err != nil {
		return nil, err
	}
	for i, t := range took {
		runs[i].round = t
	}
	last := len(budgets) - 1
	o.logf("  %s: %d documents, %d words of %d; w_z %.3g µs, w_θ %.3g µs\n", c.name, docs, len(c.train.words), c.vocab, cost.local*1e6, cost.global*1e6)
	for _, r := range runs {
		o.logf("  %-10s perplexity %v after %.0f full sweeps' work, %v after %.0f, %.1f by all chains; a round %.3g s\n", r.label,
			mean(column(r.perplexity, last/2)), budgets[last/2]/sweep, mean(column(r.perplexity, last)), budgets[last]/sweep, r.together(), r.round)
	}
	decisions := map[runtime.Adapt]*runtime.Decision{}
	objective := []line{{label: "as Algorithm 1 estimates it"}, {label: "by equal work for each m"}}
	for i, adapt := range []runtime.Adapt{runtime.Grid, runtime.Auto} {
		d, err := decide(ctx, adapt, cost, warmup, draws, o.seed, func(chain int) (runtime.Sampler, error) {
			s, err := c.drawn(runtime.NewRand(o.seed, streamDecide, uint64(chain)))
			if err != nil {
				return nil, err
			}
			return s.Sampler, nil // which shows its unknowns
		})
		if err != nil {
			return nil, err
		}
		decisions[adapt] = d
		o.logf("  %v: %s\n", adapt, d.Verdict)
		for _, c := range d.Candidates {
			e := estimate{c.Objective, c.Low, c.High}.scaled(1 / sweep)
			o.logf("    m = %g: τ %.3g (%s), f %v full sweeps\n", float64(c.Batch)/float64(c.Globals), c.Tau, c.Scalar, e)
			objective[i].x, objective[i].bars = append(objective[i].x, float64(c.Batch)/float64(c.Globals)), append(objective[i].bars, e)
		}
	}

	var clocked, counted []line
	for _, r := range runs {
		t, w := line{label: r.label, dashed: r == collapsed}, line{label: r.label, dashed: r == collapsed}
		for b := range budgets {
			p := mean(column(r.perplexity, b)).value
			t.x, t.y = append(t.x, budgets[b]/r.work*r.round), append(t.y, p)
			w.x, w.y = append(w.x, budgets[b]/sweep), append(w.y, p)
		}
		clocked, counted = append(clocked, t), append(counted, w)
	}
	if err := drawFigure(o.out, "lda",
		panel{title: c.name + " corpus, by the clock", x: "seconds", y: "test perplexity", logX: true, lines: clocked, left: true, bottom: true},
		panel{title: "by counted work", x: "work, in full sweeps", y: "test perplexity", logX: true, lines: counted, left: true, bottom: true},
		panel{title: "f(m)", x: "m", y: "f(m) / full sweeps", logX: true, logY: true, lines: objective, bottom: true},
	); err != nil {
		return nil, err
	}
	beyond := func(a, b *topicRun, at int) estimate {
		return difference(column(a.perplexity, at), column(b.perplexity, at))
	}
	grid, auto := decisions[runtime.Grid], decisions[runtime.Auto]
	prefers := fails
	if grid.Batch == 16 || auto.Batch == 16 {
		prefers = partly
	}
	if grid.Batch == 16 && auto.Batch == 16 {
		prefers = holds
	}
	name := fmt.Sprintf("%s corpus, %d documents: ", c.name, docs)
	return []claim{
		{
			where:   "LDA, figure 8 right",
			paper:   "f(m) prefers m = 16",
			ours:    name + fmt.Sprintf("Algorithm 1 chose %g of %d; equal work for each m: %s", float64(grid.Batch)/float64(grid.Globals), docs, auto.Verdict),
			verdict: prefers,
			why: fmt.Sprintf("The globals are dear: %d topics × %d words, drawn at the cost of %.0f documents, so that m = 16 spends %.0f %% of its time on them. Algorithm 1's rounds are too few at small m for their τ to be seen",
				topics, c.vocab, cost.work(0), 100*cost.work(0)/cost.work(16)),
		},
		{
			where: "LDA, figure 8 left",
			paper: "m = 16 has the smaller perplexity for a fixed time",
			ours: name + fmt.Sprintf("after the work of %.0f full sweeps perplexity %v at m = 16 and %v by full sweeps (%s), after %.0f %v and %v (%s)",
				budgets[last/2]/sweep, mean(column(m16.perplexity, last/2)), mean(column(full.perplexity, last/2)), beyond(m16, full, last/2).more(),
				budgets[last]/sweep, mean(column(m16.perplexity, last)), mean(column(full.perplexity, last)), beyond(m16, full, last).more()),
			verdict: all(below(beyond(m16, full, last/2), 0), below(beyond(m16, full, last), 0)),
			why:     "In early sweeps, work spent on the topics' words is missing from the documents'",
		},
		{
			where: "conclusion",
			paper: "mini-batches outperform the state-of-the-art collapsed Gibbs sampler",
			ours: name + fmt.Sprintf("collapsed (one number for each topic and word, nothing drawn): perplexity %v after the work of %.0f full sweeps, m = 16 %s; after %.0f %v, %s",
				mean(column(collapsed.perplexity, last/2)), budgets[last/2]/sweep, beyond(m16, collapsed, last/2).more(),
				budgets[last]/sweep, mean(column(collapsed.perplexity, last)), beyond(m16, collapsed, last).more()),
			verdict: all(below(beyond(m16, collapsed, last/2), 0), below(beyond(m16, collapsed, last), 0)),
			why:     "The collapsed sampler moves with β integrated out, as fast as the counts change. It is not m = N, as the discussion has it: that draws β once a sweep",
		},
	}, nil
}
