// This file reads the UCI bag-of-words format: lines D, W, NNZ, then NNZ lines "document word count", from 1.

package dataio

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

func readUCI(ld *loader, src source) {
	f := ld.bagField(src.path)
	if f == nil {
		return
	}
	l := &lineReader{r: src.r, max: ld.max}
	fail := func(format string, args ...any) { ld.fatal(src.path, l.line, fmt.Sprintf(format, args...), "") }
	var head [3]int
	for i, what := range []string{"documents", "words", "entries"} {
		b, err := l.next()
		if err != nil && err != io.EOF && err != errLong {
			ld.cannot(src.path, "be read", err)
			return
		}
		n, rest, ok := integer(b, ' ')
		if err != nil || !ok || !blank(rest) {
			fail("the line should be the number of %s alone, not %s", what, quote(string(b)))
			return
		}
		head[i] = n
	}
	docs, words, entries := head[0], head[1], head[2]
	b := bag{room: ld.room, head: 1}
	for n := 0; ; {
		line, err := l.next()
		switch {
		case err == io.EOF && n < entries:
			fail("the file ends after %d entries, but its third line says %d", n, entries)
			return
		case err == errLong:
			fail("%s", longLine(l.max))
			return
		case err != nil && err != io.EOF:
			ld.cannot(src.path, "be read", err)
			return
		}
		if err == io.EOF {
			break
		}
		if blank(line) {
			continue
		}
		if n++; n > entries {
			fail("there are more entries than the %d that the third line says", entries)
			return
		}
		doc, rest, ok1 := integer(line, ' ')
		word, rest, ok2 := integer(rest, ' ')
		count, rest, ok3 := integer(rest, ' ')
		switch {
		case !ok1 || !ok2 || !ok3 || !blank(rest):
			fail("%s is not \"document word count\", three integers", quote(string(line)))
			return
		case doc < 1 || doc > docs:
			fail("document %d is not from 1 to %d, as the first line says", doc, docs)
			return
		case word < 1 || word > words:
			fail("word %d is not from 1 to %d, as the second line says", word, words)
			return
		case count < 1:
			fail("the count is 0")
			return
		}
		b.add(doc-1, word-1, count, l.line)
	}
	if ld.opts.Vocab == "" {
		ld.vocabulary(f, uciVocabulary(src.path), false)
	}
	ld.size(f.Of, claim{n: words, who: fmt.Sprintf("the header says %d words", words), file: src.path, line: 2})
	ld.finishBag(f, &b, docs, 1, src)
}

// uciVocabulary says where the vocabulary of docword.NAME.txt or NAME.docword.txt may be.
func uciVocabulary(path string) []string {
	dir, name := filepath.Split(path)
	if i := strings.LastIndex(strings.ToLower(name), "docword"); i >= 0 {
		name = name[:i] + "vocab" + name[i+len("docword"):]
	}
	return []string{dir + name}
}
