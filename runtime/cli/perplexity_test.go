// This file tests document completion with a model of its own: halves, what is appended to what, and the average before the
// logarithm.

package cli

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

func TestHalves(t *testing.T) {
	for n := range 6 {
		var all []int32
		for i := range n {
			all = append(all, int32(i*i))
		}
		for _, how := range []string{splitShuffle, splitAlternate} {
			tt := test{split: how, seed: 3}
			seen, held := tt.halves(all, 7)
			both := slices.Sorted(slices.Values(slices.Concat(seen, held)))
			if len(seen) != (n+1)/2 || !slices.Equal(both, all) {
				t.Errorf("%s of %v: %v and %v", how, all, seen, held)
			}
			again, _ := tt.halves(all, 7)
			if !slices.Equal(again, seen) {
				t.Errorf("%s of %v: %v, then %v", how, all, seen, again)
			}
		}
	}
	tt := test{split: splitAlternate}
	if seen, held := tt.halves([]int32{4, 5, 6, 7, 8}, 0); !slices.Equal(seen, []int32{4, 6, 8}) || !slices.Equal(held, []int32{5, 7}) {
		t.Errorf("alternation: %v and %v", seen, held)
	}
}

// words is a sampler that foretells x[d] = v with probability by a table, another one at each draw.
type words struct {
	fake
	set *dataio.Set
	n   int
}

func (w *words) UpdateGlobals() error { w.n++; return nil }
func (w *words) Predictions() []runtime.Prediction {
	return []runtime.Prediction{{Unknown: "z", Data: "x", Prepare: func() {}, Prob: func(at []int, x int32) float64 {
		if w.n%2 == 0 {
			return 0.25
		}
		return float64(at[0]+1) / 10
	}}}
}

func TestPerplexity(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"train.json": `{"V": 4, "x": [[1, 2], [], [3]], "c": [1, 2, 3]}`,
		"test.json":  `{"x": [[1, 2, 3, 4], [2], [3, 1]], "c": [4, 5, 6]}`,
		"no_c.json":  `{"x": [[1, 2, 3, 4], [2], [3, 1]]}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var got *dataio.Set
	m := Model{
		Name: "words",
		Schema: dataio.Schema{Model: "words",
			Plates: []dataio.Plate{{Name: "docs", Size: -1, Axis: true}, {Name: "words", Parent: "docs", Size: -1, Axis: true}, {Name: "V", Size: -1}, {Name: "K", Size: 2}},
			Fields: []dataio.Field{{Name: "x", Kind: dataio.Category, Of: "V", Dims: []string{"docs", "words"}}, {Name: "c", Kind: dataio.Real, Dims: []string{"docs"}}}},
		New: func(set *dataio.Set, _ *runtime.Rand) (runtime.Sampler, error) {
			got = set
			return &words{set: set}, nil
		},
	}
	code, stdout, stderr := run(m, "--data=train.json", "--test=test.json", "--predict=x", "--split=alternate", "--chains=1", "--warmup=0", "--draws=2")
	if code != OK {
		t.Fatal(stderr)
	}
	if want := []int{2, 0, 1, 2, 1, 1}; !slices.Equal(got.Ragged["words"], want) || got.Sizes["docs"] != 6 {
		t.Errorf("lengths %v of %d documents, want %v of 6", got.Ragged["words"], got.Sizes["docs"], want)
	}
	if want := []int32{0, 1, 2, 0, 2, 1, 2}; !slices.Equal(got.Values["x"].Cat, want) {
		t.Errorf("words %v, want %v", got.Values["x"].Cat, want)
	}
	if want := []float64{1, 2, 3, 4, 5, 6}; !slices.Equal(got.Values["c"].Real, want) {
		t.Errorf("covariate %v, want %v", got.Values["c"].Real, want)
	}
	// Two words of document 4 and one of document 6 are held out: (0.4 + 0.25)/2 twice, (0.6 + 0.25)/2.
	want := fmt.Sprintf("held-out perplexity of x: %.2f\n", math.Exp(-(2*math.Log(0.325)+math.Log(0.425))/3))
	if !strings.HasPrefix(stdout, want) || !strings.Contains(stdout, "3 docs of the test data: 4 words observed, 3 held out") {
		t.Errorf("%swant %s", stdout, want)
	}

	for _, tt := range []struct{ args, want string }{
		{"--data=train.json --test=no_c.json --predict=x", "c is in none of the files"},
		{"--data=train.json --test=test.json --predict=y", "the model has no data y"},
		{"--data=train.json --test=test.json --predict=c", "c does not run over a plate and one that is ragged over it"},
		{"--data=train.json --test=test.json --predict=x --init=init.json", "--init does not go with --test"},
		{"--data=train.json --test=test.json --predict=x --split=thirds", "must be shuffle or alternate"},
	} {
		if code, stdout, stderr := run(m, strings.Fields(tt.args)...); code == OK || stdout != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q, want %q", tt.args, code, stdout, stderr, tt.want)
		}
	}
	m.New = func(set *dataio.Set, _ *runtime.Rand) (runtime.Sampler, error) { return &fake{}, nil }
	if code, _, stderr := run(m, "--data=train.json", "--test=test.json", "--predict=x", "--chains=1"); code != BadInput || !strings.Contains(stderr, "does not foretell x") {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
}
