package main

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// TestQuick makes everything at small sizes: the figures are XML with curves in them, and every claim has its verdict.
func TestQuick(t *testing.T) {
	o := &options{quick: true, out: t.TempDir(), seed: 1, log: io.Discard}
	var text strings.Builder
	if err := run(t.Context(), o, "", &text); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lasso-mse", "lasso-objective", "dpmm-clusters", "dpmm-scores", "lda", "epsr", "phases"} {
		f, err := os.Open(filepath.Join(o.out, name+".svg"))
		if err != nil {
			t.Error(err)
			continue
		}
		defer f.Close()
		paths := 0
		for d := xml.NewDecoder(f); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "path" {
				paths++
			}
		}
		if paths < 10 {
			t.Errorf("%s has %d paths", name, paths)
		}
	}
	rows := 0
	for line := range strings.Lines(text.String()) {
		if cells := strings.Split(strings.ReplaceAll(line, `\|`, ""), "|"); len(cells) > 1 {
			rows++
			if rows > 2 && (len(cells) != 6 || !slices.ContainsFunc([]string{holds, partly, fails, unclear}, func(v string) bool {
				return strings.TrimSpace(cells[3]) == "**"+v+"**"
			})) {
				t.Errorf("row %q", line)
			}
		}
		if strings.Contains(line, "NaN") || strings.Contains(line, "Inf") || strings.Contains(line, "%!") {
			t.Errorf("row %q", line)
		}
	}
	if rows != 2+10 {
		t.Errorf("%d rows", rows)
	}
	if written, err := os.ReadFile(filepath.Join(o.out, "table.md")); err != nil || string(written) != text.String() {
		t.Errorf("table.md is another than what is printed: %v", err)
	}
}

func TestBadArguments(t *testing.T) {
	o := &options{quick: true, out: t.TempDir(), log: io.Discard}
	if err := run(t.Context(), o, "lsaso", io.Discard); err == nil || !strings.Contains(err.Error(), "there are lasso, dpmm") {
		t.Errorf("a figure that there is not: %v", err)
	}
	o.brown = filepath.Join(o.out, "nowhere")
	if err := run(t.Context(), o, "lda", io.Discard); err == nil || !strings.Contains(err.Error(), "README.md says how") {
		t.Errorf("a corpus that there is not: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, o, "epsr", io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestReadBrown reads a corpus of two and two documents.
func TestReadBrown(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"brown.vocab": "one\ntwo\nthree\n", "brown.train.ldac": "2 0:2 2:1\n1 1:1\n", "brown.test.ldac": "2 0:3 1:1\n0\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := readBrown(dir, runtime.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	if c.vocab != 3 || !slices.Equal(c.train.lengths, []int{3, 1}) || !slices.Equal(c.train.words, []int32{0, 0, 2, 1}) {
		t.Errorf("%d words, training documents %v", c.vocab, c.train)
	}
	if !slices.Equal(c.observed.lengths, []int{2, 0}) || len(c.held[0]) != 2 || len(c.held[1]) != 0 {
		t.Fatalf("halves %v and %v", c.observed, c.held)
	}
	all := slices.Sorted(slices.Values(slices.Concat(c.observed.words, c.held[0])))
	if !slices.Equal(all, []int32{0, 0, 0, 1}) {
		t.Errorf("the halves together are %v", all)
	}
}

// TestForetell: over the whole vocabulary the probabilities of a further word sum to 1, and where each topic has one word of its own,
// those of a document's words are the shares of its topics.
func TestForetell(t *testing.T) {
	c := &corpus{vocab: topics}
	var z []int32
	for k := range int32(topics) {
		for range 1_000_000 { // so many that eta is nothing
			c.train.words, z = append(c.train.words, k), append(z, k)
		}
	}
	c.train.lengths = []int{len(c.train.words)}
	c.observed.add([]int32{0, 0, 0, 2})
	c.held = append(c.held, []int32{0, 1, 2, 3})
	p, err := c.foretell(z, runtime.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	for k, n := range []float64{3, 0, 1, 0} {
		if want := (n + alpha) / (4 + topics*alpha); math.Abs(p[0][k]-want) > 1e-5 {
			t.Errorf("word %d: %g, want %g", k, p[0][k], want)
		}
	}
	if sum := p[0][0] + p[0][1] + p[0][2] + p[0][3]; math.Abs(sum-1) > 1e-12 {
		t.Errorf("the probabilities sum to %g", sum)
	}
}

// TestConditionalMean: in one dimension it is Σxz / (Σx² + 1/(σ²τ²)).
func TestConditionalMean(t *testing.T) {
	p := newLasso(50, 1, runtime.NewRand(1))
	s, err := p.chain(runtime.NewRand(2))
	if err != nil {
		t.Fatal(err)
	}
	st := s.State()
	top, bottom := 0.0, 1/(st.Sigma2*st.Tau2[0])
	for i, x := range p.data.X {
		top, bottom = top+x*st.Z[i], bottom+x*x
	}
	got := make([]float64, 1)
	if err := p.conditionalMean(got, st); err != nil || math.Abs(got[0]-top/bottom) > 1e-12 {
		t.Errorf("%g, want %g (%v)", got[0], top/bottom, err)
	}
}

// standing is a sampler that counts what is asked of it.
type standing struct {
	runtime.Sampler
	globals, locals int
}

func (s *standing) Units() int { return 10 }

func (s *standing) UpdateGlobals() error {
	s.globals++
	return nil
}

func (s *standing) UpdateLocals(units []int) error {
	if units == nil {
		s.locals += 10
	}
	s.locals += len(units)
	return nil
}

// TestFollow: rounds go on until their work reaches each budget, and no further than the last.
func TestFollow(t *testing.T) {
	s := &standing{}
	cost := costs{local: 2, global: 6} // draws of the globals are worth three units
	c := inBatches(s, 4, runtime.SequentialScan, nil)
	var seen []string
	each := 0
	err := c.follow(t.Context(), cost.work(c.m), []float64{7, 8, 20, 21}, func() { each++ }, func(b int) error {
		seen = append(seen, fmt.Sprint(b, " at ", s.globals))
		return nil
	})
	if want := []string{"0 at 1", "1 at 2", "2 at 3", "3 at 3"}; err != nil || !slices.Equal(seen, want) || each != 3 || s.locals != 12 {
		t.Errorf("%q, want %q; %d rounds, %d units, %v", seen, want, each, s.locals, err)
	}
	if got := choices([]*runtime.Decision{{Batch: 1, Globals: 4}, {Batch: 63, Globals: 1}, {Batch: 1, Globals: 4}}); got != "0.25 (2 times), 63 (1 times)" {
		t.Errorf("choices %q", got)
	}
	if c := inBatches(s, 10, runtime.SequentialScan, nil); c.batches != nil {
		t.Error("a batch of all units is no full sweep")
	}
}

// TestEstimates compares with numbers worked out by hand: of 1, 2, 3 the mean is 2 and its standard error 1/√3, Student's quantile for
// two degrees of freedom 4.302653; the ratio of numbers that are in proportion is beyond doubt.
func TestEstimates(t *testing.T) {
	if e := mean([]float64{1, 2, 3}); e.value != 2 || math.Abs(e.high-2-4.302653/math.Sqrt(3)) > 1e-6 || math.Abs(e.low+e.high-4) > 1e-12 {
		t.Errorf("mean %v", e)
	}
	if e := ratio([]float64{2, 4, 6}, []float64{1, 2, 3}); math.Abs(e.value-2) > 1e-12 || math.Abs(e.low-2) > 1e-9 || math.Abs(e.high-2) > 1e-9 {
		t.Errorf("ratio %v", e)
	}
	// With a constant denominator the jackknife of the log is near the delta method's se/mean: 0.1 for 100 numbers of mean and sd 1.
	var a, b []float64
	for i := range 100 {
		a, b = append(a, 2*float64(i%2)), append(b, 1)
	}
	if e := ratio(a, b); math.Abs(math.Log(e.high)-0.1*1.984*math.Sqrt(100./99)) > 0.002 {
		t.Errorf("ratio %v", e)
	}
	if e := difference([]float64{3, 4, 5}, []float64{2, 3, 4}); e.value != 1 || e.low != 1 || e.high != 1 {
		t.Errorf("difference %v", e)
	}
}

func TestVerdicts(t *testing.T) {
	low, wide, high := estimate{0.5, 0.4, 0.6}, estimate{0.9, 0.5, 1.3}, estimate{2, 1.5, 3}
	for _, c := range []struct{ got, want string }{
		{below(low, 1), holds}, {below(wide, 1), unclear}, {below(high, 1), fails},
		{above(low, 1), fails}, {above(wide, 1), unclear}, {above(high, 1), holds},
		{all(holds, holds), holds}, {all(holds, unclear), partly}, {all(fails, holds), partly}, {all(fails, unclear), fails}, {all(unclear, unclear), unclear},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}
