package lda

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/gibbsgen/gibbsgen/bench/corpus"
	"github.com/gibbsgen/gibbsgen/bench/hand/draw"
	"github.com/gibbsgen/gibbsgen/bench/internal/exact"
)

// posterior returns p(z | x) of every assignment of topics to the tokens of c, the
// first token's topic counting least in the index, theta and beta integrated out.
func posterior(c *corpus.Corpus, k int, h Hyper) []float64 {
	n := c.Tokens()
	p := make([]float64, int(math.Pow(float64(k), float64(n))))
	var total float64
	for index := range p {
		z := digits(index, n, k)
		words := make([]float64, k*c.V)
		i := 0
		l := 0.0
		for _, doc := range c.Docs {
			topics := make([]float64, k)
			for _, w := range doc {
				topics[z[i]]++
				words[int(z[i])*c.V+int(w)]++
				i++
			}
			l += logPolya(topics, h.Alpha)
		}
		for t := range k {
			l += logPolya(words[t*c.V:(t+1)*c.V], h.Eta)
		}
		p[index] = math.Exp(l)
		total += p[index]
	}
	for i := range p {
		p[i] /= total
	}
	return p
}

// logPolya returns the log probability of a sequence with these counts, where each
// outcome has prior weight a.
func logPolya(counts []float64, a float64) (l float64) {
	n := 0.0
	for _, c := range counts {
		l += lgamma(a+c) - lgamma(a)
		n += c
	}
	a *= float64(len(counts))
	return l + lgamma(a) - lgamma(a+n)
}

func lgamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}

func digits(index, n, k int) []int32 {
	z := make([]int32, n)
	for i := range z {
		z[i] = int32(index % k)
		index /= k
	}
	return z
}

// TestPosterior starts from exact draws of all topics, found by enumeration, and
// looks at where a few sweeps lead: see package exact. It also starts from one place
// and sweeps until that is forgotten, as a sweep that left tokens out would pass
// the first.
func TestPosterior(t *testing.T) {
	c := &corpus.Corpus{V: 3, Docs: [][]int32{{0, 1, 0}, {}, {1}, {2, 0}}}
	for _, cfg := range []struct {
		k                  int
		h                  Hyper
		exact              bool
		sweeps, replicates int
	}{
		{2, Hyper{0.5, 0.3}, true, 2, 100_000},
		{3, Hyper{1.2, 1.5}, true, 2, 100_000},
		{2, Hyper{1.2, 1.5}, false, 50, 10_000},
	} {
		p := posterior(c, cfg.k, cfg.h)
		s, err := New(c, cfg.k, cfg.h, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := draw.New(2)
		counts := make([]int, len(p))
		for range cfg.replicates {
			start := 0
			if cfg.exact {
				start = exact.Pick(p, r.Float64())
			}
			copy(s.Z(), digits(start, len(s.Z()), cfg.k))
			s.Recount()
			for range cfg.sweeps {
				s.Sweep()
			}
			index := 0
			for _, z := range slices.Backward(s.Z()) {
				index = index*cfg.k + int(z)
			}
			counts[index]++
		}
		exact.Frequencies(t, fmt.Sprintf("%+v", cfg), counts, p)
	}
}

// TestBeta compares beta given z with its Beta marginals.
func TestBeta(t *testing.T) {
	c := &corpus.Corpus{V: 3, Docs: [][]int32{{0, 1, 0}, {1, 2, 0}}}
	h := Hyper{1, 0.01}
	s, err := New(c, 2, h, 1)
	if err != nil {
		t.Fatal(err)
	}
	copy(s.Z(), []int32{0, 0, 1, 0, 1, 0})
	s.Recount()
	counts := [2][3]float64{{2, 2, 0}, {1, 0, 1}}
	for k, row := range counts {
		for w, n := range row {
			x := exact.Sample(50_000, func() float64 { s.drawBeta(); return s.Beta(k, w) })
			rest := row[0] + row[1] + row[2] - n + 2*h.Eta
			exact.KS(t, fmt.Sprintf("beta[%d][%d]", k, w), x, func(x float64) float64 { return mathext.RegIncBeta(n+h.Eta, rest, x) })
		}
	}
}

// TestTopics compares the topic of one token, given beta and the rest, with the
// formula, where topics fill one block, more than one, and a block and a bit.
func TestTopics(t *testing.T) {
	for _, k := range []int{1, 7, 8, 9, 16, 50} {
		c := corpus.Synthetic(3, 40, 60, 5)
		h := Hyper{0.7, 0.5}
		s, err := New(c, k, h, 1)
		if err != nil {
			t.Fatal(err)
		}
		s.drawBeta()
		// The last token, so that it is drawn given what all others came to be.
		i := len(s.word) - 1
		a, b := s.start[2], s.start[3]
		seen := make([]int, k)
		want := make([]float64, k)
		const n = 20_000
		for range n {
			s.drawTopics(a, b)
			seen[s.z[i]]++
			p := make([]float64, k)
			var total float64
			for topic := range p {
				m := 0.0
				for _, z := range s.z[a:i] {
					if int(z) == topic {
						m++
					}
				}
				p[topic] = (m + h.Alpha) * s.Beta(topic, int(s.word[i]))
				total += p[topic]
			}
			for topic := range p {
				want[topic] += p[topic] / total / n
			}
		}
		if k == 1 {
			continue
		}
		// A mixture of Categoricals varies no more than one of their mean: the
		// test errs on the safe side.
		exact.Frequencies(t, fmt.Sprintf("K = %d", k), seen, want)
	}
}

func TestCounts(t *testing.T) {
	c := corpus.Synthetic(20, 50, 100, 10)
	s, err := New(c, 10, Hyper{0.1, 0.01}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		s.Sweep()
	}
	kept := slices.Clone(s.count)
	s.Recount()
	if !slices.Equal(kept, s.count) {
		t.Error("counts differ from a recount")
	}
	for i, z := range s.z {
		if z < 0 || z >= 10 {
			t.Errorf("token %d has topic %d", i, z)
		}
	}
	if n := testing.AllocsPerRun(10, s.Sweep); n != 0 {
		t.Errorf("%v allocations a sweep", n)
	}
}

func BenchmarkSweep(b *testing.B) { benchmark(b, Bench()) }

func benchmark(b *testing.B, c *corpus.Corpus) {
	s, err := New(c, BenchTopics, BenchHyper, 1)
	if err != nil {
		b.Fatal(err)
	}
	for range 50 {
		s.Sweep()
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Sweep()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Tokens()), "ns/token")
}

// BenchmarkAusten is the same on the Austen corpus, if it is there.
func BenchmarkAusten(b *testing.B) {
	c, err := corpus.Austen()
	if errors.Is(err, fs.ErrNotExist) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, c)
}
