package corpus

import (
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestReadUCI(t *testing.T) {
	got, err := ReadUCI(strings.NewReader("2\n4\n3\n1 2 1\n2 4 2\n2 1 1\n"))
	want := &Corpus{V: 4, Docs: [][]int32{{1}, {3, 3, 0}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	for _, c := range []struct{ text, want string }{
		{"", "line 1: unexpected EOF"},
		{"1\n1\n2\n1 1 1\n", "line 5: unexpected EOF"},
		{"1\n1\n1\n0 1 1\n", "line 4: document 0 of 1"},
		{"1\n1\n1\n1 2 1\n", "line 4: document 1 of 1, word 2 of 1"},
		{"1\n1\n1\n1 1 -1\n", "line 4: strconv"},
		{"1\n1\n1\n1 1\n", "line 4: 2 numbers, want 3"},
		{"999999999\n1\n1\n1 1 1\n", "line 1: 999999999 documents"},
		{"1\n1\n1\n1 1 999999999\n", "999999999 times"},
	} {
		if _, err := ReadUCI(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzReadUCI(f *testing.F) {
	f.Add("2\n4\n3\n1 2 1\n2 4 2\n2 1 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ReadUCI(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, doc := range c.Docs {
			for _, w := range doc {
				if w < 0 || int(w) >= c.V {
					t.Fatalf("word %d of %d", w, c.V)
				}
			}
		}
	})
}

func TestAusten(t *testing.T) {
	c, err := Austen()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Docs) != 269 || c.V != 5583 || c.Tokens() != 266_071 {
		t.Errorf("%d documents, %d words, %d tokens; want 269, 5583, 266071", len(c.Docs), c.V, c.Tokens())
	}
}

func TestSplit(t *testing.T) {
	c := Synthetic(25, 9, 30, 3)
	train, observed, heldOut := Split(c, 1)
	if len(train.Docs) != 23 || len(observed) != 2 || len(heldOut) != 2 {
		t.Fatalf("%d, %d, %d documents; want 23, 2, 2", len(train.Docs), len(observed), len(heldOut))
	}
	for i, d := range []int{9, 19} {
		if len(observed[i]) != 5 || len(heldOut[i]) != 4 {
			t.Errorf("document %d: %d and %d tokens, want 5 and 4", d, len(observed[i]), len(heldOut[i]))
		}
		both := slices.Sorted(slices.Values(slices.Concat(observed[i], heldOut[i])))
		if !slices.Equal(both, c.Docs[d]) {
			t.Errorf("document %d: %v, split into %v", d, c.Docs[d], both)
		}
	}
	_, again, _ := Split(c, 1)
	_, other, _ := Split(c, 2)
	if !reflect.DeepEqual(observed, again) || reflect.DeepEqual(observed, other) {
		t.Error("a split must depend on the seed, and on nothing else")
	}
}
