// This file holds the tests of limits: what is long is refused without being read, and what is wrong many times is told quickly.

package dataio

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"
)

// endless yields a head and then one byte for ever, and counts what is taken.
type endless struct {
	head io.Reader
	fill byte
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	n, _ := e.head.Read(p)
	if n == 0 {
		for i := range p {
			p[i] = e.fill
		}
		n = len(p)
	}
	e.read += n
	return n, nil
}

func (e *endless) Close() error { return nil }

// loadReader loads one file from a reader, with the given longest line; there is no other file.
func loadReader(s Schema, name string, r io.ReadCloser, limit int, opts Options) (*Set, error) {
	ld := &loader{
		open: func(path string) (io.ReadCloser, error) {
			if path != name {
				return nil, fs.ErrNotExist
			}
			return r, nil
		},
		glob: func(string) ([]string, error) { return nil, nil },
		max:  limit,
	}
	if !strings.HasSuffix(name, ".ldac") {
		opts.Set = nil
	}
	set, _, err := ld.load(s, []string{name}, opts)
	return set, err
}

func TestLongLines(t *testing.T) {
	const limit = 2 << 20
	tests := []struct {
		name, head string
		fill       byte
		schema     Schema
		want       string
	}{
		{"a.csv", "u,y\n1,2\n3,", '4', regression, "a.csv:3: the line is longer than 2 MB (a quote that is not closed?)"},
		{"a.csv", "u,y\n1,2\n3,\"", '\n', regression, "a.csv:3: the line is longer than 2 MB (a quote that is not closed?)"},
		{"a.csv", "u,", 'y', regression, "a.csv:1: the line is longer than 2 MB (a quote that is not closed?)"},
		{"a.json", `{"X": [[1]], "`, 'y', regression, "a.json:1: a string is longer than 1048576 bytes"},
		{"a.json", `{"X": [[1`, '0', regression, "a.json:1: a number is longer than 4096 bytes"},
		{"a.json", `{"q": `, '[', regression, "nested more than 1000 deep"},
		{"docword.a.txt", "1\n1\n1\n1 1 ", '0', lda, "docword.a.txt:4: the line is longer than 2 MB"},
		{"docword.a.txt", "1\n1\n", '0', lda, "docword.a.txt:3: the line should be the number of entries alone, not \"\""},
		{"a.ldac", "1 0:1\n1 0:1 ", ' ', lda, "a.ldac:2: the line is longer than 2 MB"},
		{"a.R", "y <- \"", 'y', regression, "a.R:1: a string is longer than 1048576 bytes"},
		{"a.R", "y <- 1", '0', regression, "a.R:1: a name or number is longer than 4096 bytes"},
		{"X.mtx", "%%MatrixMarket matrix array real general\n1 1\n1", '0', regression, "X.mtx:3: the line is longer than 2 MB"},
		{"X.npy", npy("'<f8'", "False", "(1,1)", "12345678"), '0', regression, "X.npy: goes on after its 1 element"},
	}
	for _, tt := range tests {
		e := &endless{head: strings.NewReader(tt.head), fill: tt.fill}
		_, err := loadReader(tt.schema, tt.name, e, limit, Options{Set: []string{"vocab=3"}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %q...: %v, want %s", tt.name, tt.head, err, tt.want)
		}
		if e.read > 2*limit {
			t.Errorf("%s, %q...: read %d bytes", tt.name, tt.head, e.read)
		}
	}
}

// A JSON file may be one line, however long.
func TestLongJSON(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"s": 1, "y": [0`)
	for i := 1; i < 200000; i++ {
		fmt.Fprintf(&b, ",%d", i)
	}
	b.WriteString("]}")
	set, err := loadReader(single, "a.json", io.NopCloser(&b), 1000, Options{})
	if err != nil || set.Sizes["N"] != 200000 || set.Values["y"].Int[199999] != 199999 {
		t.Errorf("%v", err)
	}
}

// The limit is for a row: a table of short rows may be as long as it likes.
func TestLongCSV(t *testing.T) {
	const rows = 100000
	text := "y,s\n" + strings.Repeat("1,2\n", rows)
	s := Schema{Plates: single.Plates, Fields: single.Fields[1:]}
	set, err := loadReader(s, "a.csv", io.NopCloser(strings.NewReader(text)), 70000, Options{})
	if err != nil || set.Sizes["N"] != rows {
		t.Errorf("%v", err)
	}
}

// A failing disk is not an end of file: half a file must not load.
func TestReadErrors(t *testing.T) {
	for name, in := range map[string]struct {
		schema Schema
		text   string
	}{
		"a.csv":         {regression, "u,y\n1,2\n"},
		"a.json":        {regression, `{"X": [[1]], "y": [1]}`},
		"docword.a.txt": {lda, "1\n1\n1\n1 1 1\n"},
		"a.ldac":        {lda, "1 0:1\n"},
		"a.R":           {regression, "X <- structure(1, .Dim = c(1, 1)); y <- 1\n"},
		"X.mtx":         {regression, "%%MatrixMarket matrix array real general\n1 1\n1\n"},
		"X.npy":         {regression, npy("'|i1'", "False", "(5000, 2)", "\n")},
		"a.npz":         {regression, npz(0, "y.npy", f8)},
	} {
		long := strings.Repeat(" ", 5000) // the failure comes after the look at the format
		if name != "a.json" {
			long = strings.Repeat("\n", 5000)
		}
		r := io.MultiReader(strings.NewReader(in.text+long), iotest.ErrReader(fmt.Errorf("disk on fire")))
		_, err := loadReader(in.schema, name, io.NopCloser(r), 100000, Options{Set: []string{"vocab=3"}})
		if err == nil || !strings.HasPrefix(err.Error(), name+":") || !strings.HasSuffix(err.Error(), " cannot be read: disk on fire") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Many wrong elements are counted, not looked at one by one: a hint for each would be 2e5 times 2e4 comparisons.
func TestManyWrong(t *testing.T) {
	var levels, g, n []string
	for i := range 20000 {
		levels = append(levels, fmt.Sprintf("%q", fmt.Sprint("level", i)))
	}
	for i := range 200000 {
		g = append(g, fmt.Sprintf("%q", fmt.Sprint("lever", i)))
		n = append(n, "1")
	}
	text := fmt.Sprintf(`{"G_levels": [%s], "g": [%s], "n": [%s]}`, strings.Join(levels, ","), strings.Join(g, ","), strings.Join(n, ","))
	_, _, err := loadFiles(groups, files{"a.json": text}, Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "a.json: g has 199995 more problems") {
		t.Errorf("%.300s", err)
	}
}

func TestMaxTokens(t *testing.T) {
	in := files{"docword.a.txt": "1\n1\n1\n1 1 2000000\n"}
	if _, _, err := loadFiles(lda, in, Options{}); err == nil {
		t.Error("2 million tokens of a few bytes: no error")
	}
	set, _, err := loadFiles(lda, in, Options{MaxTokens: 2000000})
	if err != nil || len(set.Values["x"].Cat) != 2000000 {
		t.Errorf("with the limit raised: %v", err)
	}
	if _, _, err = loadFiles(lda, in, Options{MaxTokens: 1999999}); err == nil {
		t.Error("one token over the limit: no error")
	}
}

func TestSchemaCheck(t *testing.T) {
	for want, s := range map[string]Schema{
		"plate N is there twice":                      {Plates: []Plate{plate("N"), plate("N")}},
		"plate w is ragged over d, which does not":    {Plates: []Plate{{Name: "w", Parent: "d"}}},
		"field y is there twice":                      {Fields: []Field{data("y", Real), data("y", Int)}},
		"field y has no kind: Kind(7)":                {Fields: []Field{data("y", 7)}},
		"field y is a category of \"G\", which is no": {Fields: []Field{category("y", "G")}},
		"field y runs over \"N\", which is no plate":  {Fields: []Field{data("y", Real, "N")}},
		"field y: w must follow d":                    {Plates: []Plate{plate("d"), {Name: "w", Parent: "d"}}, Fields: []Field{data("y", Real, "w")}},
	} {
		if _, _, err := Load(s, nil, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
