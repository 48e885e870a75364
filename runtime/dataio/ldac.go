// This file reads LDA-C: a line "n id:count id:count ..." for each document, with n distinct words, ids from 0.

package dataio

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

func readLDAC(ld *loader, src source) {
	f := ld.bagField(src.path)
	if f == nil {
		return
	}
	if ld.opts.Vocab == "" && ld.levels[f.Of] == nil {
		ld.vocabulary(f, ld.ldacVocabulary(src.path), false)
	}
	if ld.doubtful[f.Of] {
		ld.spoil(f, src.path)
		return
	}
	size := ld.knownSize(f.Of)
	if size < 0 {
		size = ld.plates[f.Of].Size
	}
	if size <= 0 {
		ld.fatal(src.path, 0, "has no vocabulary file beside it, so the size of "+f.Of+" is unknown",
			fmt.Sprintf("give the file, or %s %s=6000", setFlag, f.Of))
		return
	}
	l := &lineReader{r: src.r, max: ld.max}
	fail := func(format string, args ...any) { ld.fatal(src.path, l.line, fmt.Sprintf(format, args...), "") }
	b := bag{room: ld.room}
	docs, gap := 0, 0
	for {
		line, err := l.next()
		if err == io.EOF {
			break
		}
		switch {
		case err == errLong:
			fail("%s", longLine(l.max))
			return
		case err != nil:
			ld.cannot(src.path, "be read", err)
			return
		case blank(line):
			if gap == 0 {
				gap = l.line
			}
			continue
		case gap > 0:
			l.line = gap
			fail("the line is blank: a document without words is \"0\"")
			return
		}
		n, rest, ok := integer(line, ' ')
		if !ok {
			fail("%s does not begin with the number of words", quote(string(line)))
			return
		}
		found := 0
		for ; !blank(rest); found++ {
			entry := rest
			id, after, ok := integer(rest, ':')
			if !ok || len(after) == 0 || after[0] != ':' {
				fail("%s is not id:count", quote(firstWord(entry)))
				return
			}
			if id >= size {
				fail("word %d is not from 0 to %d: %s has %d elements", id, size-1, f.Of, size)
				return
			}
			count, after, ok := integer(after[1:], ' ')
			if !ok || count < 1 {
				fail("%s has no count: a positive integer", quote(firstWord(entry)))
				return
			}
			b.add(docs, id, count, l.line)
			rest = after
		}
		if found != n {
			fail("the document says %d words, but has %d", n, found)
			return
		}
		docs++
	}
	ld.finishBag(f, &b, docs, 0, src)
}

// firstWord is the start of a line, for a message.
func firstWord(b []byte) string {
	s := strings.TrimSpace(string(b[:min(len(b), 60)]))
	s, _, _ = strings.Cut(s, " ")
	return s
}

// ldacVocabulary says where the vocabulary of NAME.ldac may be.
func (ld *loader) ldacVocabulary(path string) []string {
	dir, name := filepath.Split(path)
	var out []string
	for i := strings.LastIndexByte(name, '.'); i > 0; i = strings.LastIndexByte(name, '.') {
		name = name[:i]
		out = append(out, dir+name+".vocab")
	}
	out = append(out, dir+"vocab.txt")
	if only, err := ld.glob(dir + "*.vocab"); err == nil && len(only) == 1 && !slices.Contains(out, only[0]) {
		out = append(out, only[0])
	}
	return out
}
