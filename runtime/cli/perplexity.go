// This file holds held-out perplexity by document completion (Wallach, Murray, Salakhutdinov & Mimno 2009, section 5.1): half
// of each test document joins the training data, and the other half is foretold.
//
// Documents and words stand for the two plates of any data whose elements have a category each: one ragged over the other.
// For each kept state of a chain, a held-out word w of document d has the probability Σ_t p(z = t | state)·p(w | t, state);
// that is averaged over the kept states of all chains, then
//
//	perplexity = exp(-mean over held-out words of the logarithm of the average).

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// The ways to choose the observed half of a test document, of the words in the file's order: the first, third, fifth ...; or
// those of a random half. Of an odd number of words one more is observed than held out.
const (
	splitShuffle   = "shuffle"
	splitAlternate = "alternate"
)

// A test is what the flags say of held-out data.
type test struct {
	files []string // none: an ordinary run
	data  string   // the variable
	split string
	seed  uint64
}

// halves splits the elements of one parent. The shuffle is that of math/rand/v2 by PCG of the seed and the parent's number
// from 0, the first half observed.
func (t *test) halves(elements []int32, parent int) (observed, held []int32) {
	if t.split == splitAlternate {
		for i, x := range elements {
			if i%2 == 0 {
				observed = append(observed, x)
			} else {
				held = append(held, x)
			}
		}
		return observed, held
	}
	elements = slices.Clone(elements)
	rand.New(rand.NewPCG(t.seed, uint64(parent))).Shuffle(len(elements), func(i, j int) {
		elements[i], elements[j] = elements[j], elements[i]
	})
	half := (len(elements) + 1) / 2
	return elements[:half], elements[half:]
}

// perplexity runs the chains and prints what was found. It writes no files.
func (s *settings) perplexity(ctx context.Context, stdout, stderr io.Writer) error {
	train, _, err := s.load(stderr)
	if err != nil {
		return err
	}
	field, err := s.testField(train)
	if err != nil {
		return err
	}
	test, err := s.loadTest(train, field)
	if err != nil {
		return err
	}
	held, set, err := s.complete(train, test, field)
	if err != nil {
		return err
	}
	p := newProgress(stderr, s.opts, s.model.Name, s.quiet)
	s.opts.Progress = p.report
	chains := make([]runtime.Sampler, s.opts.Chains)
	sinks := make([]*completion, s.opts.Chains)
	err = runtime.Run(ctx, s.opts,
		func(chain int) (c runtime.Sampler, err error) {
			c, err = s.chain(set, nil, chain)
			chains[chain] = c
			return c, err
		},
		func(chain int) (runtime.Sink, error) {
			predictor, ok := chains[chain].(runtime.Predictor)
			if ok {
				for _, p := range predictor.Predictions() {
					if p.Data == s.test.data {
						sinks[chain] = &completion{Prediction: p, held: held, sums: make([]float64, len(held)), at: make([]int, 1)}
						return sinks[chain], nil
					}
				}
			}
			return nil, fmt.Errorf("the sampler does not foretell %s", s.test.data)
		})
	p.finish()
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	if err != nil {
		return err
	}
	seen := len(set.Values[field.Name].Cat) - len(train.Values[field.Name].Cat)
	s.report(stdout, field, sinks, test.Sizes[field.Dims[0]], seen)
	return nil
}

// testField finds the data variable and refuses what a further parent could not be given.
func (s *settings) testField(train *dataio.Set) (*dataio.Field, error) {
	i := slices.IndexFunc(s.model.Schema.Fields, func(f dataio.Field) bool { return f.Name == s.test.data })
	if i < 0 {
		return nil, fmt.Errorf("the model has no data %s", s.test.data)
	}
	x := &s.model.Schema.Fields[i]
	if len(x.Dims) != 2 || train.Ragged[x.Dims[1]] == nil || train.Ragged[x.Dims[0]] != nil {
		return nil, fmt.Errorf("%s does not run over a plate and one that is ragged over it", x.Name)
	}
	for _, f := range s.model.Schema.Fields {
		switch {
		case f.Name == x.Name:
		case slices.Contains(f.Dims, x.Dims[1]):
			return nil, fmt.Errorf("%s runs over %s too: of held-out elements only %s is foretold", f.Name, x.Dims[1], x.Name)
		case f.Const && train.Values[f.Name] != nil && slices.Contains(f.Dims, x.Dims[0]), slices.Contains(f.Dims[min(1, len(f.Dims)):], x.Dims[0]):
			return nil, fmt.Errorf("%s runs over %s: it has no values for those of the test data", f.Name, x.Dims[0])
		}
	}
	for _, p := range s.model.Schema.Plates {
		if p.Name != x.Dims[1] && p.Parent != "" && slices.Contains(x.Dims, p.Parent) {
			return nil, fmt.Errorf("%s is ragged over %s too", p.Name, p.Parent)
		}
	}
	return x, nil
}

// loadTest reads the test data: what runs over the parents, with the sizes and names that the training data gave all else.
func (s *settings) loadTest(train *dataio.Set, x *dataio.Field) (*dataio.Set, error) {
	schema := dataio.Schema{Model: s.model.Name, Plates: s.model.Schema.Plates}
	named := map[string][]string{}
	for _, f := range s.model.Schema.Fields {
		if !f.Const && len(f.Dims) > 0 && f.Dims[0] == x.Dims[0] {
			schema.Fields = append(schema.Fields, f)
			for _, p := range append(f.Dims[1:], f.Of) {
				if names := train.Levels[p]; names != nil {
					named[p+"_levels"] = names
				}
			}
		}
	}
	opts := dataio.Options{Columns: s.data.Columns, MaxTokens: s.data.MaxTokens}
	for _, plate := range slices.Sorted(maps.Keys(train.Sizes)) {
		if plate != x.Dims[0] {
			opts.Set = append(opts.Set, fmt.Sprintf("%s=%d", plate, train.Sizes[plate]))
		}
	}
	paths := slices.Clone(s.test.files)
	if len(named) > 0 { // the names are declared, in a file of their own, so that the test data's are looked up in them
		dir, err := os.MkdirTemp("", "gibbsgen-*")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		text, err := json.Marshal(named)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, "names-of-the-training-data.json")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	set, _, err := dataio.Load(schema, paths, opts)
	return set, err
}

// A heldOut is an element to be foretold.
type heldOut struct {
	parent int // in the data that the sampler has
	x      int32
}

// complete appends the test parents with their observed halves to the training data.
func (s *settings) complete(train, test *dataio.Set, x *dataio.Field) ([]heldOut, *dataio.Set, error) {
	parents, inner := x.Dims[0], x.Dims[1]
	out := &dataio.Set{Sizes: maps.Clone(train.Sizes), Ragged: maps.Clone(train.Ragged), Values: maps.Clone(train.Values), Levels: maps.Clone(train.Levels)}
	n := train.Sizes[parents]
	out.Sizes[parents] = n + test.Sizes[parents]
	delete(out.Levels, parents)
	lengths := slices.Clone(train.Ragged[inner])
	values := slices.Clone(train.Values[x.Name].Cat)
	var held []heldOut
	at := 0
	for d, length := range test.Ragged[inner] {
		observed, rest := s.test.halves(test.Values[x.Name].Cat[at:][:length], d)
		at += length
		lengths = append(lengths, len(observed))
		values = append(values, observed...)
		for _, w := range rest {
			held = append(held, heldOut{n + d, w})
		}
	}
	if len(held) == 0 {
		return nil, nil, fmt.Errorf("there is nothing to hold out: every one of the test data's %s has fewer than two %s", parents, inner)
	}
	out.Ragged[inner] = lengths
	out.Values[x.Name] = &dataio.Value{Cat: values}
	for _, f := range s.model.Schema.Fields {
		if f.Const || f.Name == x.Name || len(f.Dims) == 0 || f.Dims[0] != parents {
			continue
		}
		a, b := train.Values[f.Name], test.Values[f.Name]
		out.Values[f.Name] = &dataio.Value{Real: slices.Concat(a.Real, b.Real), Int: slices.Concat(a.Int, b.Int),
			Bool: slices.Concat(a.Bool, b.Bool), Cat: slices.Concat(a.Cat, b.Cat)}
	}
	return held, out, nil
}

// A completion is the Sink of one chain: it keeps no draws, only the summed probabilities of what was held out.
type completion struct {
	runtime.Prediction
	held []heldOut
	sums []float64
	n    int // summands
	at   []int
}

// Begin implements [runtime.Sink].
func (c *completion) Begin([]string) error { return nil }

// Draw implements [runtime.Sink].
func (c *completion) Draw(float64, []float64) error {
	c.Prepare()
	for i, h := range c.held {
		c.at[0] = h.parent
		c.sums[i] += c.Prob(c.at, h.x)
	}
	c.n++
	return nil
}

// Close implements [runtime.Sink].
func (c *completion) Close() error { return nil }

// Abort implements [runtime.Sink].
func (c *completion) Abort() error { return nil }

// perplexityOf averages over the draws of the chains, before the logarithm.
func perplexityOf(chains ...*completion) float64 {
	var sum float64
	for i := range chains[0].sums {
		var p float64
		n := 0
		for _, c := range chains {
			p += c.sums[i]
			n += c.n
		}
		sum += math.Log(p / float64(n))
	}
	return math.Exp(-sum / float64(len(chains[0].sums)))
}

// report prints the perplexity of all chains together, and of each.
func (s *settings) report(w io.Writer, x *dataio.Field, chains []*completion, parents, seen int) {
	fmt.Fprintf(w, "held-out perplexity of %s: %.2f\n\n", x.Name, perplexityOf(chains...))
	how := fmt.Sprintf("halves by shuffle, seed %d", s.test.seed)
	if s.test.split == splitAlternate {
		how = "halves by alternation"
	}
	fmt.Fprintf(w, "%d %s of the test data: %d %s observed, %d held out (%s)\n", parents, x.Dims[0], seen, x.Dims[1], len(chains[0].held), how)
	fmt.Fprintf(w, "probabilities averaged over %d draws of %d chains\n\n", s.opts.Draws, len(chains))
	fmt.Fprintf(w, "chain  perplexity\n")
	var mean, m2 float64
	for k, c := range chains {
		p := perplexityOf(c)
		fmt.Fprintf(w, "%5d  %10.2f\n", k+1, p)
		d := p - mean
		mean += d / float64(k+1)
		m2 += d * (p - mean)
	}
	if n := len(chains); n > 1 {
		fmt.Fprintf(w, " mean  %10.2f\n   sd  %10.2f\n", mean, math.Sqrt(m2/float64(n-1)))
	}
}

var _ runtime.Sink = (*completion)(nil)
