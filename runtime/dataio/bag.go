// This file holds what the bag-of-words formats share: words counted by document become a ragged field of tokens.

package dataio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
)

// A bag gathers entries, in file order.
type bag struct {
	room             *room   // where they lie
	doc, word, count []int32 // from 0
	tokens           int
	largest          int // count
	line             int // of the largest
	head             int // line that says the number of documents
}

func (b *bag) add(doc, word, count, line int) {
	b.doc = push(b.room, b.doc, int32(doc))
	b.word = push(b.room, b.word, int32(word))
	b.count = push(b.room, b.count, int32(count))
	b.tokens += count
	if count > b.largest {
		b.largest, b.line = count, line
	}
}

// isBag says whether a bag of words may be the value of a field.
func (ld *loader) isBag(f *Field) bool {
	return !f.Const && f.Kind == Category && len(f.Dims) == 2 && ld.plates[f.Dims[1]].Parent == f.Dims[0]
}

// bagField returns the one ragged field of categories of the model; or reports that there is none, and returns nil.
func (ld *loader) bagField(path string) *Field {
	if ld.bare {
		return ld.discoverBag()
	}
	var found []*Field
	for i := range ld.schema.Fields {
		f := &ld.schema.Fields[i]
		if ld.isBag(f) {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 1:
		return found[0]
	case 0:
		ld.fatal(path, 0, "is for a bag of words, but the model has no ragged data of categories, such as x[docs, words]", "")
	default:
		ld.fatal(path, 0, fmt.Sprintf("is for a bag of words, but both %s and %s could be that", found[0].Name, found[1].Name), "give the data as JSON")
	}
	return nil
}

// finish makes the field of a bag over a number of documents, and frees the bag.
func (ld *loader) finishBag(f *Field, b *bag, docs, base int, src source) {
	limit := ld.opts.MaxTokens
	if limit == 0 {
		limit = 1<<20 + 64*int(*src.read)
	}
	if b.tokens > limit {
		ld.fatal(src.path, b.line, fmt.Sprintf("the counts add up to %d tokens in a file of %d bytes; the largest, %d, is here", b.tokens, *src.read, b.largest),
			fmt.Sprintf("if that is right, say so: --max-tokens=%d", b.tokens))
		return
	}
	if most := 1<<20 + int(*src.read); docs > most {
		ld.fatal(src.path, b.head, fmt.Sprintf("says %d documents, but holds only %d bytes", docs, *src.read), "")
		return
	}
	lens := make([]int, docs)
	for i, d := range b.doc {
		lens[d] += int(b.count[i])
	}
	next := make([]int, docs) // where the document's next token goes
	for d, at := 0, 0; d < docs; d++ {
		next[d] = at
		at += lens[d]
	}
	code := alloc[int32](ld.room, b.tokens)
	for i, d := range b.doc {
		for range b.count[i] {
			code[next[d]] = b.word[i]
			next[d]++
		}
	}
	ld.keep(&raw{field: f, file: src.path, line: 1, code: code, base: base, room: ld.room, dims: []dim{{n: docs}, {lens: lens}}})
}

// vocabulary declares the levels of the plate that f's elements belong to, from the first of the files that exists. If
// none does, it says so only where it must. If what there is can't be read, the plate is doubtful.
func (ld *loader) vocabulary(f *Field, candidates []string, must bool) {
	for _, path := range candidates {
		file, err := ld.open(path)
		if errors.Is(err, fs.ErrNotExist) && !must {
			continue
		}
		if err != nil {
			ld.cannot(path, "be opened", err)
			ld.doubtful[f.Of] = true
			return
		}
		defer file.Close()
		words, line, err := readWords(file, ld.max)
		if err != nil {
			ld.fatal(path, line, err.Error(), "")
			ld.doubtful[f.Of] = true
			return
		}
		if !must {
			ld.note(path, "names the %d elements of %s", len(words), f.Of)
		}
		ld.declare(f.Of, &levels{names: words, who: "the vocabulary", file: path, line: 0})
		ld.size(f.Of, claim{n: len(words), who: fmt.Sprintf("the vocabulary has %d words", len(words)), file: path})
		return
	}
}

// readWords reads one word a line.
func readWords(r io.Reader, limit int) (words []string, line int, err error) {
	l := &lineReader{r: bufio.NewReader(r), max: min(limit, maxToken)}
	gap := 0 // a blank line, at the end or not
	for {
		b, err := l.next()
		switch {
		case err == io.EOF && len(words) == 0:
			return nil, 0, errors.New("is empty")
		case err == io.EOF:
			return words, 0, nil
		case err == errLong:
			return nil, l.line, errors.New(longLine(l.max))
		case err != nil:
			return nil, l.line, err
		case blank(b):
			if gap == 0 {
				gap = l.line
			}
			continue
		case gap > 0:
			return nil, gap, errors.New("a word is missing: the line is blank")
		}
		w := strings.TrimSpace(string(b))
		if l.line == 1 {
			w = strings.TrimPrefix(w, "\ufeff")
		}
		if len(words) == math.MaxInt32 {
			return nil, l.line, errors.New("there are too many words")
		}
		words = append(words, w)
	}
}
