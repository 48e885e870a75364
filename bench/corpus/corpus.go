// Package corpus holds collections of documents: reading them, making them up, and
// setting some aside.
package corpus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Corpus is a list of documents, each a list of tokens, each the 0-based number
// of a word.
type Corpus struct {
	V    int // size of the vocabulary
	Docs [][]int32
}

// Tokens returns the number of tokens.
func (c *Corpus) Tokens() (n int) {
	for _, doc := range c.Docs {
		n += len(doc)
	}
	return n
}

// ReadUCI reads a corpus in UCI's bag-of-words format: the numbers of documents, of
// words, and of the lines to come; then document, word and count on each line, the
// first two from 1. Equal words of a document come out beside one another.
func ReadUCI(in io.Reader) (*Corpus, error) {
	text := bufio.NewScanner(in)
	line := 0
	next := func(fields ...*int) error {
		line++
		if !text.Scan() {
			return fmt.Errorf("line %d: %w", line, errors.Join(text.Err(), io.ErrUnexpectedEOF))
		}
		words := strings.Fields(text.Text())
		if len(words) != len(fields) {
			return fmt.Errorf("line %d: %d numbers, want %d", line, len(words), len(fields))
		}
		for i, word := range words {
			v, err := strconv.ParseUint(word, 10, 31)
			if err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			*fields[i] = int(v)
		}
		return nil
	}
	var docs, words, lines int
	if err := errors.Join(next(&docs), next(&words), next(&lines)); err != nil {
		return nil, err
	}
	const most = 1 << 28 // documents, and tokens: far beyond what a benchmark can use
	if docs > most {
		return nil, fmt.Errorf("line 1: %d documents", docs)
	}
	c := &Corpus{V: words, Docs: make([][]int32, docs)}
	total := 0
	for range lines {
		var d, w, n int
		if err := next(&d, &w, &n); err != nil {
			return nil, err
		}
		if total += n; d < 1 || d > docs || w < 1 || w > words || total > most {
			return nil, fmt.Errorf("line %d: document %d of %d, word %d of %d, %d times", line, d, docs, w, words, n)
		}
		for range n {
			c.Docs[d-1] = append(c.Docs[d-1], int32(w-1))
		}
	}
	return c, nil
}

// Austen finds and reads Jane Austen's six novels, 269 chapters and 266,071 tokens. It
// looks for austen.docword.txt, or lda.docword.txt as it is called beside specs/lda.gm,
// in the directory named by the environment variable GIBBSGEN_DATA, then in specs/ and
// data/ here and in each directory above. The error is fs.ErrNotExist where there is none.
func Austen() (*Corpus, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var dirs []string
	if set := os.Getenv("GIBBSGEN_DATA"); set != "" {
		dirs = append(dirs, set)
	}
	for {
		dirs = append(dirs, filepath.Join(dir, "specs"), filepath.Join(dir, "data"))
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	for _, dir := range dirs {
		for _, name := range []string{"austen.docword.txt", "lda.docword.txt"} {
			file, err := os.Open(filepath.Join(dir, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			defer file.Close()
			c, err := ReadUCI(file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file.Name(), err)
			}
			return c, nil
		}
	}
	return nil, fmt.Errorf("austen.docword.txt is not in $GIBBSGEN_DATA, specs or data: %w", fs.ErrNotExist)
}

// Synthetic draws documents of length tokens each from latent Dirichlet allocation
// with k topics, Dirichlet(0.1) over topics, and topics which are Zipf's law over v
// words, each in an order of its own. Words of a document are sorted. It is the same
// corpus for the same arguments.
func Synthetic(docs, length, v, k int) *Corpus {
	r := rand.New(rand.NewPCG(uint64(docs), uint64(length)))
	order := make([][]int, k)
	for t := range order {
		order[t] = r.Perm(v)
	}
	zipf := rand.NewZipf(r, 1.1, 3, uint64(v-1))
	c := &Corpus{V: v, Docs: make([][]int32, docs)}
	for d := range c.Docs {
		counts := make([]int, v)
		// Pólya's urn: Dirichlet(0.1) over topics, integrated out.
		topics := make([]int, 0, length)
		for i := range length {
			t := r.IntN(k)
			if u := r.Float64() * (0.1*float64(k) + float64(i)); u < float64(i) {
				t = topics[int(u)]
			}
			topics = append(topics, t)
			counts[order[t][zipf.Uint64()]]++
		}
		for w, n := range counts {
			for range n {
				c.Docs[d] = append(c.Docs[d], int32(w))
			}
		}
	}
	return c
}

// Split sets documents aside for document completion: every tenth, counted from the
// tenth, is a test document; its tokens are shuffled, by PCG of the seed and the
// document's number, and the first half (rounded up) is observed, the rest held out.
func Split(c *Corpus, seed uint64) (train *Corpus, observed, heldOut [][]int32) {
	train = &Corpus{V: c.V}
	for d, doc := range c.Docs {
		if d%10 != 9 {
			train.Docs = append(train.Docs, doc)
			continue
		}
		r := rand.New(rand.NewPCG(seed, uint64(d)))
		doc = append([]int32(nil), doc...)
		r.Shuffle(len(doc), func(i, j int) { doc[i], doc[j] = doc[j], doc[i] })
		half := (len(doc) + 1) / 2
		observed = append(observed, doc[:half])
		heldOut = append(heldOut, doc[half:])
	}
	return train, observed, heldOut
}
