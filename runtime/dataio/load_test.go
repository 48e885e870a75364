// This file holds what the tests share, and the tests of sets that load.

package dataio

import (
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestFormats: what lies beside a spec is of a name of the format, and the documentation has all names.
func TestFormats(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range formats {
		if len(f.files) == 0 {
			t.Errorf("what are the files of %s called?", f.name)
		}
		for _, name := range f.files {
			if !strings.Contains(string(doc), strings.TrimPrefix(name, "*")) {
				t.Errorf("doc.go has nothing of %s, %s", f.name, name)
			}
		}
		// A file of that name is this format's, whatever a look at its content makes others say of it.
		for _, name := range f.files {
			if name == "*.dat" { // its content decides
				continue
			}
			for _, head := range []string{"a,b\n1,2\n", "a\tb\n1\t2\n", "{\"a\": 1}", "a <- 1, 2"} {
				path := strings.ReplaceAll(name, "*", "x")
				if i := slices.IndexFunc(formats, func(g format) bool { return g.match(path, []byte(head)) }); i < 0 || formats[i].name != f.name {
					t.Errorf("%s, beginning with %q, is not read as %s", path, head, f.name)
				}
			}
		}
		for _, e := range f.beside {
			if !slices.Contains(f.files, "*"+e) {
				t.Errorf("%s may end in %s beside a spec, but not elsewhere", f.name, e)
			}
		}
	}
}

// files are the files of a test, by name.
type files map[string]string

// data returns the names in order, without vocabularies.
func (in files) data(opts Options) []string {
	var paths []string
	for name := range in {
		if name != opts.Vocab && !strings.Contains(name, "vocab") {
			paths = append(paths, name)
		}
	}
	slices.Sort(paths)
	return paths
}

// loadFiles loads from memory; paths in order, or all files by name but vocabularies.
func loadFiles(s Schema, in files, opts Options, paths ...string) (*Set, []Note, error) {
	if paths == nil {
		paths = in.data(opts)
	}
	return in.loader().load(s, paths, opts)
}

// loader returns what reads from memory.
func (in files) loader() *loader {
	return &loader{
		open: func(path string) (io.ReadCloser, error) {
			text, ok := in[path]
			if !ok {
				return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
			}
			return io.NopCloser(strings.NewReader(text)), nil
		},
		glob: func(pattern string) (out []string, err error) {
			for name := range in {
				if ok, _ := filepath.Match(pattern, name); ok {
					out = append(out, name)
				}
			}
			slices.Sort(out)
			return out, nil
		},
		max: 1000,
	}
}

func plate(name string) Plate { return Plate{Name: name, Size: -1, Axis: true} }
func data(name string, k Kind, dims ...string) Field {
	return Field{Name: name, Kind: k, Dims: dims}
}
func category(name, of string, dims ...string) Field {
	return Field{Name: name, Kind: Category, Of: of, Dims: dims}
}
func constant(name string, k Kind, dims ...string) Field {
	return Field{Name: name, Kind: k, Dims: dims, Const: true, Default: true}
}

var (
	regression = Schema{Model: "lm", Plates: []Plate{plate("N"), plate("D")},
		Fields: []Field{data("X", Real, "N", "D"), data("y", Real, "N"), constant("lambda", Real)}}
	probit = Schema{Model: "probit", Plates: []Plate{plate("N"), plate("D")},
		Fields: []Field{data("X", Real, "N", "D"), data("y", Bool, "N")}}
	lda = Schema{Model: "lda", Plates: []Plate{plate("docs"), {Name: "words", Parent: "docs", Size: -1, Axis: true}, {Name: "topics", Size: 20}, {Name: "vocab", Size: -1}},
		Fields: []Field{category("x", "vocab", "docs", "words"), constant("alpha", Real), constant("eta", Real, "vocab")}}
	mixture = Schema{Model: "dpmm", Plates: []Plate{plate("N"), plate("P")},
		Fields: []Field{data("x", Real, "N", "P"), constant("m0", Real, "P"), constant("Psi0", Real, "P", "P")}}
	groups = Schema{Model: "groups", Plates: []Plate{plate("N"), {Name: "G", Size: -1}},
		Fields: []Field{category("g", "G", "N"), data("n", Int, "N")}}
	hierarchy = Schema{Model: "hierarchy", Plates: []Plate{plate("N"), plate("G")},
		Fields: []Field{category("g", "G", "N"), data("u", Real, "G")}}
	nested = Schema{Model: "nested", Plates: []Plate{plate("docs"), {Name: "sents", Parent: "docs"}, {Name: "words", Parent: "sents"}, plate("A"), plate("D")},
		Fields: []Field{data("x", Int, "docs", "sents", "words"), data("w", Real, "A", "docs", "sents", "D")}}
	steps = Schema{Model: "steps", Plates: []Plate{{Name: "B", Size: -1, Like: "A", More: -1}, {Name: "A", Size: -1, Like: "C", More: -3}, plate("T"), {Name: "C", Size: -1, Like: "T", More: 1}},
		Fields: []Field{data("u", Real, "T")}}
	single = Schema{Model: "scalar", Plates: []Plate{plate("N")}, Fields: []Field{data("s", Real), data("y", Int, "N")}}
	cube   = Schema{Model: "cube", Plates: []Plate{plate("N"), plate("D"), plate("E")}, Fields: []Field{data("X", Real, "N", "D", "E")}}
	twoMat = Schema{Model: "two", Plates: []Plate{plate("N"), plate("D"), plate("E")},
		Fields: []Field{data("X", Real, "N", "D"), data("Z", Real, "N", "E")}}
)

func reals(x ...float64) *Value { return &Value{Real: x} }
func ints(x ...int) *Value      { return &Value{Int: x} }
func bools(x ...bool) *Value    { return &Value{Bool: x} }
func cats(x ...int32) *Value    { return &Value{Cat: x} }

type (
	sizesOf = map[string]int
	values  = map[string]*Value
	names   = map[string][]string
	lens    = map[string][]int
)

var loadTests = []struct {
	name   string
	schema Schema
	in     files
	opts   Options
	want   Set
	notes  []string
}{
	{"json: matrix row by row, blanks and sizes that agree", regression,
		files{"a.json": "{\"N\": 2, \"D\": 3,\r\n \"X\" : [[1,2 ,3],\n[4.5,-5e-1,6]],\"y\":[7,8],\"lambda\":2}"}, Options{},
		Set{Sizes: sizesOf{"N": 2, "D": 3}, Values: values{"X": reals(1, 2, 3, 4.5, -.5, 6), "y": reals(7, 8), "lambda": reals(2)}}, nil},
	{"json: byte order mark, no extension", single, files{"a": "\ufeff {\"s\": 1, \"y\": [3.0, 1e2]}"}, Options{},
		Set{Sizes: sizesOf{"N": 2}, Values: values{"s": reals(1), "y": ints(3, 100)}}, nil},
	{"json: N = D = 1", regression, files{"a.json": `{"X": [[1]], "y": [2]}`}, Options{},
		Set{Sizes: sizesOf{"N": 1, "D": 1}, Values: values{"X": reals(1), "y": reals(2)}}, nil},
	{"json: no rows", regression, files{"a.json": `{"X": [], "y": [], "D": 2}`}, Options{},
		Set{Sizes: sizesOf{"N": 0, "D": 2}, Values: values{"X": {}, "y": {}}}, nil},
	{"json: booleans", probit, files{"a.json": `{"X": [[1],[2],[3],[4]], "y": [true, false, 1, 0]}`}, Options{},
		Set{Sizes: sizesOf{"N": 4, "D": 1}, Values: values{"X": reals(1, 2, 3, 4), "y": bools(true, false, true, false)}}, nil},
	{"json: two files", regression, files{"a.json": `{"X": [[1]]}`, "b.json": `{"y": [2]}`}, Options{},
		Set{Sizes: sizesOf{"N": 1, "D": 1}, Values: values{"X": reals(1), "y": reals(2)}}, nil},
	{"json: strings in order of first appearance", groups, files{"a.json": `{"g": ["b", "a", "b", "\u00e9\""], "n": [1,2,3,4]}`}, Options{},
		Set{Sizes: sizesOf{"N": 4, "G": 3}, Values: values{"g": cats(0, 1, 0, 2), "n": ints(1, 2, 3, 4)}, Levels: names{"G": {"b", "a", "é\""}}}, nil},
	{"json: levels declared after", groups, files{"a.json": `{"g": ["b", "a"], "n": [1,2], "G_levels": ["a", "b", "c"]}`}, Options{},
		Set{Sizes: sizesOf{"N": 2, "G": 3}, Values: values{"g": cats(1, 0), "n": ints(1, 2)}, Levels: names{"G": {"a", "b", "c"}}}, nil},
	{"json: codes with a size", groups, files{"a.json": `{"g": [2, 1], "n": [1,2], "G": 5}`}, Options{},
		Set{Sizes: sizesOf{"N": 2, "G": 5}, Values: values{"g": cats(1, 0), "n": ints(1, 2)}}, nil},
	{"set: goes before the file's size", groups, files{"a.json": `{"g": [2, 1], "n": [1,2], "G": 5}`}, Options{Set: []string{"G=7"}},
		Set{Sizes: sizesOf{"N": 2, "G": 7}, Values: values{"g": cats(1, 0), "n": ints(1, 2)}}, []string{"--set: G goes before its size in a.json"}},
	{"json: axis data with declared levels", hierarchy, files{"a.json": `{"g": ["b", "a", "b"], "u": [10, 20], "G_levels": ["a", "b"]}`}, Options{},
		Set{Sizes: sizesOf{"N": 3, "G": 2}, Values: values{"g": cats(1, 0, 1), "u": reals(10, 20)}, Levels: names{"G": {"a", "b"}}}, nil},
	{"json: ragged, with an empty document", lda, files{"a.json": `{"x": [[1,2,2],[],[3]], "vocab": 3}`}, Options{},
		Set{Sizes: sizesOf{"docs": 3, "topics": 20, "vocab": 3}, Ragged: lens{"words": {3, 0, 1}}, Values: values{"x": cats(0, 1, 1, 2)}}, nil},
	{"json: ragged, all rows alike", lda, files{"a.json": `{"x": [[1],[2]], "vocab": 3}`}, Options{},
		Set{Sizes: sizesOf{"docs": 2, "topics": 20, "vocab": 3}, Ragged: lens{"words": {1, 1}}, Values: values{"x": cats(0, 1)}}, nil},
	{"json: flat with lengths", lda, files{"a.json": `{"x": ["u","v","v"], "words_length": [2,0,1]}`}, Options{},
		Set{Sizes: sizesOf{"docs": 3, "topics": 20, "vocab": 2}, Ragged: lens{"words": {2, 0, 1}}, Values: values{"x": cats(0, 1, 1)}, Levels: names{"vocab": {"u", "v"}}}, nil},
	{"json: flat with the plate as key", lda, files{"a.json": `{"words": [0,1], "x": [2], "vocab": 2}`}, Options{},
		Set{Sizes: sizesOf{"docs": 2, "topics": 20, "vocab": 2}, Ragged: lens{"words": {0, 1}}, Values: values{"x": cats(1)}}, nil},
	{"json: no documents", lda, files{"a.json": `{"x": [], "vocab": 2}`}, Options{},
		Set{Sizes: sizesOf{"docs": 0, "topics": 20, "vocab": 2}, Ragged: lens{"words": nil}, Values: values{"x": {}}}, nil},
	{"json: empty documents, flat", lda, files{"a.json": `{"x": [], "vocab": 2, "words_lengths": [0,0]}`}, Options{},
		Set{Sizes: sizesOf{"docs": 2, "topics": 20, "vocab": 2}, Ragged: lens{"words": {0, 0}}, Values: values{"x": {}}}, nil},
	{"json: ragged in ragged, and ragged under an outer plate", nested,
		files{"a.json": `{"x": [[[1,2],[3]],[[],[4]]], "w": [[[[1],[2]],[[3],[4]]],[[[5],[6]],[[7],[8]]]]}`}, Options{},
		Set{Sizes: sizesOf{"docs": 2, "A": 2, "D": 1}, Ragged: lens{"sents": {2, 2}, "words": {2, 1, 0, 1}},
			Values: values{"x": ints(1, 2, 3, 4), "w": reals(1, 2, 3, 4, 5, 6, 7, 8)}}, nil},
	{"json: the same, flat", nested,
		files{"a.json": `{"x": [1,2,3,4], "sents": [2,2], "words": [[2,1],[0,1]], "w": [[[1],[2],[3],[4]],[[5],[6],[7],[8]]]}`}, Options{},
		Set{Sizes: sizesOf{"docs": 2, "A": 2, "D": 1}, Ragged: lens{"sents": {2, 2}, "words": {2, 1, 0, 1}},
			Values: values{"x": ints(1, 2, 3, 4), "w": reals(1, 2, 3, 4, 5, 6, 7, 8)}}, nil},
	{"json: lengths from one field serve a flat one", Schema{Plates: lda.Plates, Fields: []Field{data("f", Bool, "docs", "words"), category("x", "vocab", "docs", "words")}},
		files{"a.json": `{"f": [true,false,true], "x": [[1,1],[1]], "vocab": 1}`}, Options{},
		Set{Sizes: sizesOf{"docs": 2, "topics": 20, "vocab": 1}, Ragged: lens{"words": {2, 1}}, Values: values{"f": bools(true, false, true), "x": cats(0, 0, 0)}}, nil},
	{"sizes that follow others", steps, files{"a.json": `{"u": [1, 2, 3], "A": 9}`}, Options{},
		Set{Sizes: sizesOf{"T": 3, "A": 9, "B": 8, "C": 4}, Values: values{"u": reals(1, 2, 3)}}, nil},
	{"set: constants and sizes", lda, files{"a.json": `{"x": [[1]], "alpha": 3}`}, Options{Set: []string{"vocab=3", "topics=7", "alpha=0.5", "eta=[1,2,3]"}},
		Set{Sizes: sizesOf{"docs": 1, "topics": 7, "vocab": 3}, Ragged: lens{"words": {1}}, Values: values{"x": cats(0), "alpha": reals(.5), "eta": reals(1, 2, 3)}},
		[]string{"--set: alpha goes before its value in a.json"}},
	{"a scalar constant broadcasts", mixture, files{"a.json": `{"x": [[1,2]], "Psi0": 3}`}, Options{Set: []string{"m0=-1"}},
		Set{Sizes: sizesOf{"N": 1, "P": 2}, Values: values{"x": reals(1, 2), "m0": reals(-1, -1), "Psi0": reals(3, 3, 3, 3)}}, nil},
	{"set: category by name and by code", Schema{Plates: groups.Plates, Fields: []Field{category("g", "G", "N"), {Name: "base", Kind: Category, Of: "G", Const: true}, {Name: "top", Kind: Category, Of: "G", Const: true}}},
		files{"a.json": `{"g": ["u", "v"], "G_levels": ["u", "v", "w"]}`}, Options{Set: []string{"base=w", "top=2"}},
		Set{Sizes: sizesOf{"N": 2, "G": 3}, Values: values{"g": cats(0, 1), "base": cats(2), "top": cats(1)}, Levels: names{"G": {"u", "v", "w"}}}, nil},
	{"an array of a constant says a size against the default", Schema{Plates: []Plate{{Name: "K", Size: 20}}, Fields: []Field{constant("a", Real, "K")}},
		nil, Options{Set: []string{"a=[1,2]"}}, Set{Sizes: sizesOf{"K": 2}, Values: values{"a": reals(1, 2)}}, nil},

	{"csv: the matrix takes what is left", regression, files{"a.csv": "id,u,y,v\na,1,2,3\nb,4,5,6\n"}, Options{},
		Set{Sizes: sizesOf{"N": 2, "D": 2}, Values: values{"X": reals(1, 3, 4, 6), "y": reals(2, 5)}, Levels: names{"D": {"u", "v"}}},
		[]string{"a.csv: not used: id", "a.csv: X takes 2 numeric columns: u, v"}},
	{"csv: byte order mark, CRLF, quotes, blanks", regression, files{"a.csv": "\ufeff\"u, v\", y\r\n\"1\", 2\r\n 3 ,\"4\"\r\n"}, Options{},
		Set{Sizes: sizesOf{"N": 2, "D": 1}, Values: values{"X": reals(1, 3), "y": reals(2, 4)}, Levels: names{"D": {"u, v"}}},
		[]string{`a.csv: X takes 1 numeric columns: "u, v"`}},
	{"csv: numbered columns in any order", regression, files{"a.csv": "X.2,y,X.1,z\n1,2,3,4\n"}, Options{},
		Set{Sizes: sizesOf{"N": 1, "D": 2}, Values: values{"X": reals(3, 1), "y": reals(2)}}, []string{"a.csv: not used: z"}},
	{"csv: brackets", regression, files{"a.csv": "X[1],X[2],y\n1,2,3\n"}, Options{},
		Set{Sizes: sizesOf{"N": 1, "D": 2}, Values: values{"X": reals(1, 2), "y": reals(3)}}, nil},
	{"csv: three dimensions, as CmdStan orders columns", cube, files{"a.csv": "X.1.1,X.2.1,X.1.2,X.2.2\n1,2,3,4\n5,6,7,8\n"}, Options{},
		Set{Sizes: sizesOf{"N": 2, "D": 2, "E": 2}, Values: values{"X": reals(1, 3, 2, 4, 5, 7, 6, 8)}}, nil},
	{"csv: the matrix's own name", regression, files{"a.csv": "X,y,z\n1,2,3\n"}, Options{},
		Set{Sizes: sizesOf{"N": 1, "D": 1}, Values: values{"X": reals(1), "y": reals(2)}}, []string{"a.csv: not used: z"}},
	{"csv: matrices by the names of their files", twoMat, files{"X.csv": "u,v\n1,2\n", "d/Z.csv": "w\n3\n"}, Options{},
		Set{Sizes: sizesOf{"N": 1, "D": 2, "E": 1}, Values: values{"X": reals(1, 2), "Z": reals(3)}, Levels: names{"D": {"u", "v"}, "E": {"w"}}},
		[]string{"X.csv: X takes 2 numeric columns: u, v", "d/Z.csv: Z takes 1 numeric columns: w"}},
	{"csv: a constant matrix by the name of its file, whose header need not agree", mixture, files{"Psi0.csv": "V1,V2\n1,0\n0,2\n", "x.csv": "u,v\n3,4\n"}, Options{},
		Set{Sizes: sizesOf{"N": 1, "P": 2}, Values: values{"x": reals(3, 4), "Psi0": reals(1, 0, 0, 2)}, Levels: names{"P": {"u", "v"}}},
		[]string{"Psi0.csv: Psi0 takes 2 numeric columns: V1, V2", "x.csv: x takes 2 numeric columns: u, v",
			"Psi0.csv: the header names the elements of P differently from the header in x.csv, which is kept"}},
	{"csv: chosen columns", regression, files{"a.csv": "u,v,w\n1,2,3\n"}, Options{Columns: []string{"X=w,u", "y=v"}},
		Set{Sizes: sizesOf{"N": 1, "D": 2}, Values: values{"X": reals(3, 1), "y": reals(2)}, Levels: names{"D": {"w", "u"}}}, nil},
	{"json: a chosen key", single, files{"a.json": `{"scale": 1, "y": [1]}`}, Options{Columns: []string{"s=scale"}},
		Set{Sizes: sizesOf{"N": 1}, Values: values{"s": reals(1), "y": ints(1)}}, nil},
	{"csv: row names without a header", regression, files{"a.csv": ",u,y\n1,1,2\n2,3,4\n"}, Options{},
		Set{Sizes: sizesOf{"N": 2, "D": 1}, Values: values{"X": reals(1, 3), "y": reals(2, 4)}, Levels: names{"D": {"u"}}},
		[]string{`a.csv: not used: ""`, "a.csv: X takes 1 numeric columns: u"}},
	{"csv: booleans", probit, files{"a.csv": "u,y\n1,TRUE\n2,f\n3,1\n4,0\n"}, Options{},
		Set{Sizes: sizesOf{"N": 4, "D": 1}, Values: values{"X": reals(1, 2, 3, 4), "y": bools(true, false, true, false)}, Levels: names{"D": {"u"}}},
		[]string{"a.csv: X takes 1 numeric columns: u"}},
	{"csv: categories by name", groups, files{"a.csv": "g,n\nb,1\na,2\nb,3\n"}, Options{},
		Set{Sizes: sizesOf{"N": 3, "G": 2}, Values: values{"g": cats(0, 1, 0), "n": ints(1, 2, 3)}, Levels: names{"G": {"b", "a"}}}, nil},
	{"csv: categories by code, as pandas writes them", groups, files{"a.csv": "g,n\n2.0,1\n1.0,2\n"}, Options{Set: []string{"G=4"}},
		Set{Sizes: sizesOf{"N": 2, "G": 4}, Values: values{"g": cats(1, 0), "n": ints(1, 2)}}, nil},
	{"csv: numbers that are declared names", groups, files{"a.csv": "g,n\n8,1\n6,2\n", "b.json": `{"G_levels": ["4", "6", "8", "NA"]}`}, Options{},
		Set{Sizes: sizesOf{"N": 2, "G": 4}, Values: values{"g": cats(2, 1), "n": ints(1, 2)}, Levels: names{"G": {"4", "6", "8", "NA"}}}, nil},
	{"csv: a table of the groups names them", hierarchy, files{"a.csv": "g\nb\na\nb\n", "b.csv": "G,u\na,10\nb,20\n"}, Options{},
		Set{Sizes: sizesOf{"N": 3, "G": 2}, Values: values{"g": cats(1, 0, 1), "u": reals(10, 20)}, Levels: names{"G": {"a", "b"}}}, nil},
	{"csv: one row of scalars", Schema{Fields: []Field{data("s", Real), constant("t", Int)}}, files{"a.csv": "s,t\n1,2\n"}, Options{},
		Set{Values: values{"s": reals(1), "t": ints(2)}}, nil},
	{"tsv", regression, files{"a.tsv": "u\ty\n1\t2\n", "b.json": `{"lambda": 1}`}, Options{},
		Set{Sizes: sizesOf{"N": 1, "D": 1}, Values: values{"X": reals(1), "y": reals(2), "lambda": reals(1)}, Levels: names{"D": {"u"}}},
		[]string{"a.tsv: X takes 1 numeric columns: u"}},
	{"csv leaves what json has", regression, files{"a.csv": "u,y\n1,2\n", "b.json": `{"X": [[5]]}`}, Options{},
		Set{Sizes: sizesOf{"N": 1, "D": 1}, Values: values{"X": reals(5), "y": reals(2)}}, []string{"a.csv: not used: u"}},

	{"uci: repeated in file order, an empty document, unsorted", lda,
		files{"docword.t.txt": "3\n4\n4\n3 2 1\n1 4 2\n1 1 1\n3 1 1\n", "vocab.t.txt": "a\nb\nc\nd\n"}, Options{},
		Set{Sizes: sizesOf{"docs": 3, "topics": 20, "vocab": 4}, Ragged: lens{"words": {3, 0, 2}}, Values: values{"x": cats(3, 3, 0, 1, 0)}, Levels: names{"vocab": {"a", "b", "c", "d"}}},
		[]string{"vocab.t.txt: names the 4 elements of vocab"}},
	{"uci: no vocabulary: the header's size", lda, files{"d/t.docword.txt": "1\r\n9\r\n1\r\n1 2 1\r\n\r\n"}, Options{},
		Set{Sizes: sizesOf{"docs": 1, "topics": 20, "vocab": 9}, Ragged: lens{"words": {1}}, Values: values{"x": cats(1)}}, nil},
	{"ldac: vocabulary of a shortened name", lda, files{"d/t.train.ldac": "2 0:1 2:2\n0\n1 1:1\n", "d/t.vocab": "a\nb\nc\n\n"}, Options{},
		Set{Sizes: sizesOf{"docs": 3, "topics": 20, "vocab": 3}, Ragged: lens{"words": {3, 0, 1}}, Values: values{"x": cats(0, 2, 2, 1)}, Levels: names{"vocab": {"a", "b", "c"}}},
		[]string{"d/t.vocab: names the 3 elements of vocab"}},
	{"ldac: the only vocabulary there", lda, files{"t.dat": "1 0:1\n", "other.vocab": "a\n"}, Options{},
		Set{Sizes: sizesOf{"docs": 1, "topics": 20, "vocab": 1}, Ragged: lens{"words": {1}}, Values: values{"x": cats(0)}, Levels: names{"vocab": {"a"}}},
		[]string{"other.vocab: names the 1 elements of vocab"}},
	{"ldac: a size instead", lda, files{"t.ldac": "1 5:1\n"}, Options{Set: []string{"vocab=6000"}},
		Set{Sizes: sizesOf{"docs": 1, "topics": 20, "vocab": 6000}, Ragged: lens{"words": {1}}, Values: values{"x": cats(5)}}, nil},
	{"ldac: a size from another file", lda, files{"a.ldac": "1 5:1\n", "z.json": `{"vocab": 6}`}, Options{},
		Set{Sizes: sizesOf{"docs": 1, "topics": 20, "vocab": 6}, Ragged: lens{"words": {1}}, Values: values{"x": cats(5)}}, nil},
	{"vocabulary by option", lda, files{"t.ldac": "1 1:1\n", "my.vocab": "\ufeffa\r\nb\r\n"}, Options{Vocab: "my.vocab"},
		Set{Sizes: sizesOf{"docs": 1, "topics": 20, "vocab": 2}, Ragged: lens{"words": {1}}, Values: values{"x": cats(1)}, Levels: names{"vocab": {"a", "b"}}}, nil},
	{"vocabulary for json", lda, files{"t.json": `{"x": [["b"]]}`, "my.vocab": "a\nb\n"}, Options{Vocab: "my.vocab"},
		Set{Sizes: sizesOf{"docs": 1, "topics": 20, "vocab": 2}, Ragged: lens{"words": {1}}, Values: values{"x": cats(1)}, Levels: names{"vocab": {"a", "b"}}}, nil},

	{"standardise, and an intercept last", regression, files{"a.csv": "u,y\n1,5\n2,7\n3,9\n"}, Options{Standardise: []string{"X"}, Transform: []string{"intercept:X", "center:y"}},
		Set{Sizes: sizesOf{"N": 3, "D": 2}, Values: values{"X": reals(1, -1, 1, 0, 1, 1), "y": reals(-2, 0, 2)}, Levels: names{"D": {"(Intercept)", "u"}}},
		[]string{"a.csv: X takes 1 numeric columns: u", "a.csv: standardise: 1 columns of X", "a.csv: intercept: X has a first column of ones",
			"a.csv: center: y, with mean 7 and standard deviation 2 as read"}},
	{"unit and scale", regression, files{"a.json": `{"X": [[1],[5]], "y": [0, 1]}`}, Options{Transform: []string{"unit:X", "scale:y"}},
		Set{Sizes: sizesOf{"N": 2, "D": 1}, Values: values{"X": reals(-math.Sqrt(.5), math.Sqrt(.5)), "y": reals(0, math.Sqrt2)}},
		[]string{"a.json: unit: 1 columns of X", "a.json: scale: y, with mean 0.5 and standard deviation 0.707107 as read"}},
	{"binarise, an even number and a tie", probit, files{"a.json": `{"X": [[1],[2],[3],[4]], "y": [3.5, 1, 2, 2]}`}, Options{Transform: []string{"binarise:y"}},
		Set{Sizes: sizesOf{"N": 4, "D": 1}, Values: values{"X": reals(1, 2, 3, 4), "y": bools(true, false, false, false)}},
		[]string{"a.json: binarise: y, with mean 2.125 and standard deviation 1.03078 as read"}},
	{"binarise, an odd number", probit, files{"a.json": `{"X": [[1],[2],[3]], "y": [3.5, 1, 2]}`}, Options{Transform: []string{"binarise:y"}},
		Set{Sizes: sizesOf{"N": 3, "D": 1}, Values: values{"X": reals(1, 2, 3), "y": bools(true, false, false)}},
		[]string{"a.json: binarise: y, with mean 2.16667 and standard deviation 1.25831 as read"}},
}

var near = cmp.Comparer(func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-15 })

func TestLoad(t *testing.T) {
	for _, tt := range loadTests {
		t.Run(tt.name, func(t *testing.T) {
			got, notes, err := loadFiles(tt.schema, tt.in, tt.opts, tt.in.data(tt.opts)...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, *got, near, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			var text []string
			for _, n := range notes {
				text = append(text, n.String())
			}
			if diff := cmp.Diff(tt.notes, text, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("notes (-want +got)\n%s", diff)
			}
		})
	}
}

// The real files: sizes, first and last rows as they stand in the files.
func TestRealFiles(t *testing.T) {
	path := func(name string) []string { return []string{filepath.Join("testdata", name)} }
	set, _, err := Load(regression, path("diabetes.csv"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, y := set.Values["X"].Real, set.Values["y"].Real
	if set.Sizes["N"] != 442 || set.Sizes["D"] != 10 || len(x) != 4420 || x[0] != 59 || x[9] != 87 || x[4419] != 92 || y[0] != 151 || y[441] != 57 {
		t.Errorf("diabetes: %v, %v, %v", set.Sizes, x[:10], y[:1])
	}
	if got, want := strings.Join(set.Levels["D"], " "), "age sex bmi map tc ldl hdl tch ltg glu"; got != want {
		t.Errorf("diabetes: columns %s, want %s", got, want)
	}
	set, _, err = Load(probit, path("diabetes.csv"), Options{Standardise: []string{"X"}, Transform: []string{"binarise:y"}})
	if err != nil {
		t.Fatal(err)
	}
	above := 0
	for _, b := range set.Values["y"].Bool {
		if b {
			above++
		}
	}
	if above != 221 {
		t.Errorf("diabetes: %d of 442 above the median", above)
	}
	x = set.Values["X"].Real
	for c := range 10 {
		var sum, ss float64
		for i := range 442 {
			sum += x[i*10+c]
			ss += x[i*10+c] * x[i*10+c]
		}
		if math.Abs(sum) > 1e-10 || math.Abs(ss/441-1) > 1e-12 {
			t.Errorf("standardised column %d has sum %g and sum of squares / 441 of %g", c, sum, ss/441)
		}
	}
	set, _, err = Load(mixture, path("faithful.csv"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if x := set.Values["x"].Real; set.Sizes["N"] != 272 || set.Sizes["P"] != 2 || x[0] != 3.6 || x[1] != 79 || x[543] != 74 {
		t.Errorf("faithful: %v, %v", set.Sizes, x[:2])
	}
	set, _, err = Load(mixture, path("galaxies.csv"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if x := set.Values["x"].Real; set.Sizes["N"] != 82 || set.Sizes["P"] != 1 || x[0] != 9.172 {
		t.Errorf("galaxies: %v, %v", set.Sizes, x[:1])
	}
}

func TestLoadFromDisk(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("c.vocab", "a\nb\n")
	set, _, err := Load(lda, []string{write("c.train.ldac", "1 1:3\n")}, Options{})
	if err != nil || set.Sizes["vocab"] != 2 || !slices.Equal(set.Values["x"].Cat, []int32{1, 1, 1}) {
		t.Errorf("%v, %v", set, err)
	}
	_, _, err = Load(lda, []string{filepath.Join(dir, "none.json"), dir}, Options{})
	if err == nil || !strings.Contains(err.Error(), "none.json: cannot be opened: no such file") || !strings.Contains(err.Error(), "cannot be read: is a directory") {
		t.Error(err)
	}
}
