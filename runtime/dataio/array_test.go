// This file holds the tests of R, numpy and MatrixMarket: what loads, and what is refused in which words.

package dataio

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// npy makes a file of version 1.0 as numpy writes it: the header, padded to 64 bytes, and the elements.
func npy(descr, fortran, shape string, elems string) string {
	head := fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	return npyMagic + "\x01\x00" + pack(binary.LittleEndian, uint16(len(head))) + head + elems
}

// pack gives the bytes of numbers.
func pack(o binary.ByteOrder, x ...any) string {
	var b bytes.Buffer
	for _, v := range x {
		if err := binary.Write(&b, o, v); err != nil {
			panic(err)
		}
	}
	return b.String()
}

// npz makes a zip file of members name, text, name, text ...
func npz(method uint16, members ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: members[i], Method: method})
		if err == nil {
			_, err = io.WriteString(w, members[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

var (
	le      = binary.LittleEndian
	be      = binary.BigEndian
	vec     = Schema{Plates: []Plate{plate("N")}, Fields: []Field{data("y", Real, "N")}}
	whole   = Schema{Plates: []Plate{plate("N")}, Fields: []Field{data("y", Int, "N")}}
	flags   = Schema{Plates: []Plate{plate("N")}, Fields: []Field{data("y", Bool, "N")}}
	matReal = Schema{Plates: []Plate{plate("N"), plate("D")}, Fields: []Field{data("X", Real, "N", "D")}}
	f8      = npy("'<f8'", "False", "(2,)", pack(le, 1.5, -2.0))
)

func TestLoadArrays(t *testing.T) {
	mat := func(x ...float64) Set {
		return Set{Sizes: sizesOf{"N": 2, "D": len(x) / 2}, Values: values{"X": reals(x...)}}
	}
	vector := func(x ...float64) Set { return Set{Sizes: sizesOf{"N": len(x)}, Values: values{"y": reals(x...)}} }
	tests := []struct {
		name   string
		schema Schema
		in     files
		opts   Options
		want   Set
	}{
		{"R: dump, column by column", regression, files{"a.R": "# made by R\n\"N\" <-\n2\n`y` <-\nc(7, -8.5e-1)\n'X' <-\nstructure(c(1, 2, 3, 4, 5, 6), .Dim = c(2L, 3L))\nlambda <- 1e3"}, Options{},
			Set{Sizes: sizesOf{"N": 2, "D": 3}, Values: values{"X": reals(1, 3, 5, 2, 4, 6), "y": reals(7, -.85), "lambda": reals(1000)}}},
		{"R: as R 4 and older ones write attributes; names are passed over", matReal,
			files{"a": "X <- structure(1:6, dim = 2:3, dimnames = list(NULL, c(\"a\", \"b)\", \"c\")), .Names=c('x'))"}, Options{}, mat(1, 3, 5, 2, 4, 6)},
		{"R: as.integer, semicolons, comments within, =", regression,
			files{"a.R": "X = structure(as.integer(c(1,2, # two\n3,4)), .Dim = as.integer(c(2,\n2))); y <- c(1L, 1e5L);"}, Options{},
			Set{Sizes: sizesOf{"N": 2, "D": 2}, Values: values{"X": reals(1, 3, 2, 4), "y": reals(1, 100000)}}},
		{"R: three dimensions", cube, files{"a.R": "X <- structure(1:12, .Dim = c(2, 3, 2))"}, Options{},
			Set{Sizes: sizesOf{"N": 2, "D": 3, "E": 2}, Values: values{"X": reals(1, 7, 3, 9, 5, 11, 2, 8, 4, 10, 6, 12)}}},
		{"R: ranges up, down, in c", vec, files{"a.R": "y <- c(.5, 1:3, -1:-3, 5., 2:2)"}, Options{}, vector(.5, 1, 2, 3, -1, -2, -3, 5, 2)},
		{"R: a number is a vector of one", single, files{"a.R": "y <- 5\ns <- c(2)"}, Options{},
			Set{Sizes: sizesOf{"N": 1}, Values: values{"s": reals(2), "y": ints(5)}}},
		{"R: a number fills a constant array", mixture, files{"a.R": "x <- structure(1:4, .Dim = c(2,2)); m0 <- 3"}, Options{},
			Set{Sizes: sizesOf{"N": 2, "P": 2}, Values: values{"x": reals(1, 3, 2, 4), "m0": reals(3, 3)}}},
		{"R: booleans", flags, files{"a.R": "y <- c(TRUE, FALSE)"}, Options{}, Set{Sizes: sizesOf{"N": 2}, Values: values{"y": bools(true, false)}}},
		{"R: booleans as numbers", flags, files{"a.R": "y <- c(1, 0)"}, Options{}, Set{Sizes: sizesOf{"N": 2}, Values: values{"y": bools(true, false)}}},
		{"R: names and levels", groups, files{"a.R": `g <- c("b", 'a\'s', "\"\\"); n <- 1:3; G_levels <- c("a's", "b", "\"\\")`}, Options{},
			Set{Sizes: sizesOf{"N": 3, "G": 3}, Values: values{"g": cats(1, 0, 2), "n": ints(1, 2, 3)}, Levels: names{"G": {"a's", "b", "\"\\"}}}},
		{"R: a matrix of names", Schema{Plates: []Plate{plate("N"), plate("D"), {Name: "G", Size: -1}}, Fields: []Field{category("g", "G", "N", "D")}},
			files{"a.R": `g <- structure(c("a", "b", "c", "a"), .Dim = c(2, 2))`}, Options{},
			Set{Sizes: sizesOf{"N": 2, "D": 2, "G": 3}, Values: values{"g": cats(0, 2, 1, 0)}, Levels: names{"G": {"a", "b", "c"}}}},
		{"R: flat with lengths", lda, files{"a.dump": "x <- c(1, 2, 2); words_length <- c(2, 0, 1); vocab <- 3L"}, Options{},
			Set{Sizes: sizesOf{"docs": 3, "topics": 20, "vocab": 3}, Ragged: lens{"words": {2, 0, 1}}, Values: values{"x": cats(0, 1, 1)}}},
		{"R: one document of one word", lda, files{"a.R": "x <- 2; words <- 1; vocab <- 3"}, Options{},
			Set{Sizes: sizesOf{"docs": 1, "topics": 20, "vocab": 3}, Ragged: lens{"words": {1}}, Values: values{"x": cats(1)}}},
		{"R: no elements", vec, files{"a.R": "y <- numeric(0)"}, Options{}, vector()},
		{"R: no rows", matReal, files{"a.R": "X <- structure(c(), .Dim = c(0, 2)); D <- 2"}, Options{}, Set{Sizes: sizesOf{"N": 0, "D": 2}, Values: values{"X": {}}}},
		{"R: a name by --columns", vec, files{"a.R": "log.y <- c(1, 2)"}, Options{Columns: []string{"y=log.y"}}, vector(1, 2)},
		{"BUGS: a list, row by row", regression, files{"data.txt": "# a comment\nlist(N = 2, y = c(7, 8.0E+0),\n X = structure(.Data = c(1, 2, 3,\n 4, 5, 6), .Dim = c(2, 3)))\n"}, Options{},
			Set{Sizes: sizesOf{"N": 2, "D": 3}, Values: values{"X": reals(1, 2, 3, 4, 5, 6), "y": reals(7, 8)}}},
		{"R: .Data outside a list is R's, column by column", matReal, files{"a.R": "X <- structure(.Data = 1:4, .Dim = c(2, 2))"}, Options{}, mat(1, 3, 2, 4)},

		{"npy: floats, low byte first", vec, files{"y.npy": f8}, Options{}, vector(1.5, -2)},
		{"npy: floats, high byte first", vec, files{"y.npy": npy("'>f4'", "False", "(2,)", pack(be, float32(1.5), float32(-2)))}, Options{}, vector(1.5, -2)},
		{"npy: C order", matReal, files{"X.npy": npy("'<f4'", "False", "(2, 3)", pack(le, []float32{1, 2, 3, 4, 5, 6}))}, Options{}, mat(1, 2, 3, 4, 5, 6)},
		{"npy: Fortran order", matReal, files{"X.npy": npy("'<i2'", "True", "(2, 3)", pack(le, []int16{1, 2, 3, 4, 5, 6}))}, Options{}, mat(1, 3, 5, 2, 4, 6)},
		{"npy: a scalar, known by content, named by --columns", Schema{Fields: []Field{data("s", Real)}}, files{"dir/q.bin": npy("'<f8'", "False", "()", pack(le, 4.0))},
			Options{Columns: []string{"s=q"}}, Set{Values: values{"s": reals(4)}}},
		{"npy: int8", whole, files{"y.npy": npy("'|i1'", "False", "(2,)", "\xff\x02")}, Options{}, Set{Sizes: sizesOf{"N": 2}, Values: values{"y": ints(-1, 2)}}},
		{"npy: uint8", whole, files{"y.npy": npy("'|u1'", "False", "(2,)", "\xff\x02")}, Options{}, Set{Sizes: sizesOf{"N": 2}, Values: values{"y": ints(255, 2)}}},
		{"npy: int32", whole, files{"y.npy": npy("'>i4'", "False", "(1,)", pack(be, int32(-7)))}, Options{}, Set{Sizes: sizesOf{"N": 1}, Values: values{"y": ints(-7)}}},
		{"npy: int64", whole, files{"y.npy": npy("'<i8'", "False", "(2,)", pack(le, int64(-7), int64(1<<53)))}, Options{}, Set{Sizes: sizesOf{"N": 2}, Values: values{"y": ints(-7, 1<<53)}}},
		{"npy: uint16", whole, files{"y.npy": npy("'>u2'", "False", "(1,)", pack(be, uint16(65535)))}, Options{}, Set{Sizes: sizesOf{"N": 1}, Values: values{"y": ints(65535)}}},
		{"npy: uint32", whole, files{"y.npy": npy("'<u4'", "False", "(1,)", pack(le, uint32(math.MaxUint32)))}, Options{}, Set{Sizes: sizesOf{"N": 1}, Values: values{"y": ints(math.MaxUint32)}}},
		{"npy: uint64", whole, files{"y.npy": npy("'<u8'", "False", "(1L,)", pack(le, uint64(1<<53)))}, Options{}, Set{Sizes: sizesOf{"N": 1}, Values: values{"y": ints(1 << 53)}}},
		{"npy: bool", flags, files{"y.npy": npy("'|b1'", "False", "(2,)", "\x01\x00")}, Options{}, Set{Sizes: sizesOf{"N": 2}, Values: values{"y": bools(true, false)}}},
		{"npy: version 2", vec, files{"y.npy": npyMagic + "\x02\x00\x39\x00\x00\x00{'shape':(1,),'fortran_order':False,'descr':'<f8'}      \n" + pack(le, 3.0)}, Options{}, vector(3)},
		{"npy: version 3", vec, files{"y.npy": npyMagic + "\x03\x00\x39\x00\x00\x00{'shape':(1,),'fortran_order':False,'descr':'<f8'}      \n" + pack(le, 3.0)}, Options{}, vector(3)},
		{"npy: no elements", flags, files{"y.npy": npy("'|b1'", "False", "(0,)", "")}, Options{}, Set{Sizes: sizesOf{"N": 0}, Values: values{"y": {}}}},
		{"npz: stored", regression, files{"a.npz": npz(zip.Store, "y.npy", f8, "X.npy", npy("'<f8'", "True", "(2, 2)", pack(le, []float64{1, 2, 3, 4})), "N.npy", npy("'<i8'", "False", "()", pack(le, int64(2))))}, Options{},
			Set{Sizes: sizesOf{"N": 2, "D": 2}, Values: values{"X": reals(1, 3, 2, 4), "y": reals(1.5, -2)}}},
		{"npz: deflated", vec, files{"a.npz": npz(zip.Deflate, "y.npy", npy("'<f8'", "False", "(1000,)", strings.Repeat("\x00", 8000)))}, Options{}, vector(make([]float64, 1000)...)},

		{"mtx: array", matReal, files{"X.mtx": "%%MatrixMarket matrix array real general\n% a comment\n2 3\n1\n2\n3e0\n4\n5\n6\n"}, Options{}, mat(1, 3, 5, 2, 4, 6)},
		{"mtx: symmetric array, in capitals, known by content", matReal, files{"X": "%%MATRIXMARKET MATRIX ARRAY INTEGER SYMMETRIC\n2 2\n1\n2\n3\n"}, Options{}, mat(1, 2, 2, 3)},
		{"mtx: coordinate", matReal, files{"X.mtx": "%%MatrixMarket matrix coordinate real general\n%\n\n2 3 2\n2 3 -1.5\n 1 1 4\n"}, Options{}, mat(4, 0, 0, 0, 0, -1.5)},
		{"mtx: symmetric coordinate", matReal, files{"X.mtx": "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 4\n2 1 5\n"}, Options{}, mat(4, 5, 5, 0)},
		{"mtx: pattern, named by --columns", matReal, files{"graph.mtx": "%%MatrixMarket matrix coordinate pattern general\r\n2 2 1\r\n1 2\r\n"}, Options{Columns: []string{"X=graph"}}, mat(0, 1, 0, 0)},
		{"mtx: a column for a vector", vec, files{"y.mtx": "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n"}, Options{}, vector(1, 2, 3)},
		{"mtx: a bag of words", lda, files{"c.mtx": "%%MatrixMarket matrix coordinate real general\n3 2 3\n3 1 1\n1 2 2.0\n1 1 0\n", "c.vocab": "a\nb\n"}, Options{},
			Set{Sizes: sizesOf{"docs": 3, "topics": 20, "vocab": 2}, Ragged: lens{"words": {2, 0, 1}}, Values: values{"x": cats(1, 1, 0)}, Levels: names{"vocab": {"a", "b"}}}},
		{"mtx: a bag of words, called after the field", lda, files{"x.mtx": "%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 2 1\n"}, Options{},
			Set{Sizes: sizesOf{"docs": 2, "topics": 20, "vocab": 3}, Ragged: lens{"words": {1, 0}}, Values: values{"x": cats(1)}}},
		{"mtx: a constant beside a corpus", lda, files{"x.mtx": "%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 2 1\n", "eta.mtx": "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n"}, Options{},
			Set{Sizes: sizesOf{"docs": 2, "topics": 20, "vocab": 3}, Ragged: lens{"words": {1, 0}}, Values: values{"x": cats(1), "eta": reals(1, 2, 3)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set, _, err := loadFiles(tt.schema, tt.in, tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, set, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestArrayErrors(t *testing.T) {
	const missing = " (NA is not NaN: it was not observed; missing data are not supported yet)"
	const nan = " (NaN is not NA; if the value was not observed: missing data are not supported yet)"
	mtx := "%%MatrixMarket matrix coordinate real general\n"
	object := npy("'|O'", "False", "(1,)", "\x80\x04.")
	tests := []struct {
		name   string
		schema Schema
		in     files
		opts   Options
		want   string
	}{
		{"R: missing and NaN", regression, files{"a.R": "y <- c(1,\nNA, NA_integer_,\nNaN)\nX <- structure(c(1, 2, -Inf, 1e999), .Dim = c(2, 2))"}, Options{},
			"a.R:2: y[2] is NA, a missing value" + missing + "\na.R:2: y[3] is NA, a missing value" + missing + "\na.R:3: y[4] is NaN, not a finite number" + nan +
				"\na.R:4: X[1, 2] is -Inf, not a finite number" + nan + "\na.R:4: X[2, 2] is \"1e999\", too large for a float64"},
		{"BUGS: missing, row by row", matReal, files{"a.txt": "list(X = structure(.Data = c(1, 2,\n3, NA), .Dim = c(2, 2)))"}, Options{}, "a.txt:2: X[2, 2] is NA, a missing value" + missing},
		{"R: not an integer, far down", whole, files{"a.R": "y <- c(1, 2,\n3,\n4.5)"}, Options{}, `a.R:3: y[4] is 4.5, not an integer`},
		{"R: superfluous, twice", vec, files{"a.R": "Y <- 1\ny <- 1:2\ny <- 1"}, Options{},
			"a.R:1: \"Y\" is superfluous: no field or plate of the model (did you mean y?)\na.R:3: y is there twice, first in line 2"},
		{"R: kinds", Schema{Plates: vec.Plates, Fields: []Field{data("y", Real, "N"), data("b", Bool, "N"), data("r", Real)}}, files{"a.R": "y <- c(TRUE, FALSE)\nb <- c(\"TRUE\", 'a')\nr <- '1'"}, Options{},
			"a.R:1: y holds booleans, but an element of it is a number\na.R:2: b holds strings, but an element of it is a boolean\na.R:3: r holds strings, but an element of it is a number"},
		{"R: kinds mixed", vec, files{"a.R": "y <- c(1, TRUE, \"a\", NA)"}, Options{},
			"a.R:1: y[2] is \"TRUE\" among numbers (all elements are of one kind)\na.R:1: y[3] is \"a\" among numbers (all elements are of one kind)\na.R:1: y[4] is NA, a missing value" + missing},
		{"R: shapes", regression, files{"a.R": "X <- 1:4; y <- structure(1:2, .Dim = 1:2); lambda <- 1:2"}, Options{},
			"a.R:1: X is a list of 4, but should be X[N, D]\na.R:1: y is an array of 1 x 2, but should be y[N]\na.R:1: lambda is a list of 2, but should be a scalar"},
		{"R: .Dim of another size", matReal, files{"a.R": "X <- structure(1:5,\n.Dim = c(2, 3))"}, Options{}, "a.R:2: X has 5 elements, but its .Dim is 2 x 3"},
		{"R: .Dim of nonsense", matReal, files{"a.R": "X <- structure(1:4, .Dim = c(2, 2.5))", "b.R": "X <- structure(1:4, .Dim = c('a', 'b'))", "c.R": "X <- structure(1:4, .Dim = c(4294967296, 4294967296))", "d.R": "X <- structure(1, .Dim = NA)",
			"e.R": "X <- structure(1, .Dim = c(2147483647, 2147483647, 2147483647))"}, Options{},
			"a.R:1: the .Dim of X is not sizes, up to 16 of them\nb.R:1: the .Dim of X is not sizes, up to 16 of them\nc.R:1: the .Dim of X is not sizes, up to 16 of them\nd.R:1: the .Dim of X is not sizes, up to 16 of them\n" +
				"e.R:1: X has 1 element, but its .Dim is 2147483647 x 2147483647 x 2147483647"},
		{"R: a list within, in the order of nobody knows whom", matReal, files{"a.R": "list(X = structure(c(1,2,3,4), .Dim = c(2,2)))"}, Options{},
			"a.R:1: X is row by row if BUGS wrote it, column by column if R did: write structure(.Data = ...) as BUGS has it, or X <- structure(...) as R does"},
		{"R: factors, classes, names", groups, files{"a.R": "g <- structure(1:2, levels = c('a', 'b'), class = 'factor')", "b.R": "n <- structure(1:2, class = 'Date')", "c.R": "n <- c(a = 1, b = 2)"}, Options{},
			"a.R:1: g is a factor: dump as.character(g), or as.integer(g)\nb.R:1: n has the attribute \"class\": only .Dim and names are read\nc.R:1: the elements have names, such as \"a\": dump unname(n)"},
		{"R: functions", vec, files{"a.R": "y <- rnorm(10)", "b.R": "y <- numeric(10)", "c.R": "y <- list(1)", "d.R": "y <- c(c(1), 2)", "e.R": "y <- as.integer(c(1.5))", "f.R": "y <- as.integer(as.integer(1))"}, Options{},
			`a.R:1: rnorm(...) is no value: there are numbers, strings, TRUE, FALSE, c(...) and structure(...)
b.R:1: numeric(10): only numeric(0) is read, a vector without elements
c.R:1: list(...) is no value: there are numbers, strings, TRUE, FALSE, c(...) and structure(...)
d.R:1: "c" is not a value
e.R:1: as.integer(...) of what is no integer
f.R:1: as.integer of as.integer`},
		{"R: what is no value", vec, files{"a.R": "y <- T", "b.R": "y <- 0x10", "c.R": "y <- 1.5L", "d.R": "y <- 1:2.5", "e.R": "y <- --1", "f.R": "y <- 1_000", "g.R": "y <- inf", "h.R": "y <- .", "i.R": "y <- NULL", "j.R": "y <- -NA"}, Options{},
			`a.R:1: "T" is not a value
b.R:1: "0x10" is not a value
c.R:1: "1.5L" is not a value
d.R:1: 1:2.5 is not a range of integers
e.R:1: "-" is not a value
f.R:1: "1_000" is not a value
g.R:1: "inf" is not a value
h.R:1: "." is not a value
i.R:1: "NULL" is not a value
j.R:1: "-NA" is not a value`},
		{"R: syntax", vec, files{"a.R": "y", "b.R": "y < - 1", "c.R": "y - 1", "d.R": "y <- c(1 2)", "e.R": "y <- c(1,\n", "f.R": "y <- 'a\nb'", "g.R": "y <- 'a\\n'", "h.R": "y <- \"a", "i.R": "y <- 1 2", "j.R": "list(y = 1) x <- 2", "k.R": "list(y <- 1)", "l.R": "y <- c(1, {})"}, Options{},
			`a.R:1: the file ends in the middle
b.R:1: expected <- after "y"
c.R:1: expected <- after "y"
d.R:1: expected ',' or ')' in c(...), not '2'
e.R:2: the file ends in the middle
f.R:1: a string does not end
g.R:1: \n in a string is not read here
h.R:1: a string does not end
i.R:1: the file ends in the middle
j.R:1: y was already read from i.R (each field may come from one file only; give the column another name, or leave a file out)
j.R:1: expected nothing more, not 'x'
k.R:1: expected '=' after "y", not '<'
l.R:1: expected a name or a value, not '{'`},
		{"R: a range too far", vec, files{"a.R": "y <- 1:2000000000"}, Options{}, "a.R:1: ranges such as 1:2000000000 are of more than 1048848 elements"},
		{"R: nothing of much", nested, files{"a.R": "w <- structure(c(), .Dim = c(1, 1000000000, 0, 1)); x <- c(); sents <- c(); words <- c()"}, Options{},
			"a.R:1: w has no elements, but is 1 x 1000000000 x 0 x 1"},
		{"R: plates", Schema{Plates: append(slices.Clone(lda.Plates), plate("N"), plate("K")), Fields: lda.Fields}, files{"a.R": "N <- 1:2; topics <- 1.5; K <- 'a'; words <- c(1, -1); vocab_levels <- 1:2; x <- 1"}, Options{},
			`a.R:1: N is a list, not the size of a plate
a.R:1: topics is 1.5, not a size
a.R:1: K holds strings, not sizes
a.R:1: words[2] is -1, not a size
a.R:1: vocab_levels is not a list of strings`},

		{"npy: pickled objects", vec, files{"y.npy": object}, Options{}, `y.npy: holds pickled Python objects: make it numbers, by astype(float)`},
		{"npy: other types", vec, files{"a.npy": npy("'<U3'", "False", "(1,)", ""), "b.npy": npy("'<c16'", "False", "(1,)", ""), "c.npy": npy("'<f2'", "False", "(1,)", ""), "d.npy": npy("[('a', '<f8')]", "False", "(1,)", ""), "e.npy": npy("'|f8'", "False", "(1,)", "")}, Options{},
			`a.npy: holds strings: give names in JSON, or categories as numbers from 1
b.npy: has elements of type "<c16": read are f4, f8, i1 to i8, u1 to u8 and b1, from the low or the high byte
c.npy: has elements of type "<f2": read are f4, f8, i1 to i8, u1 to u8 and b1, from the low or the high byte
d.npy: has the header "{'descr': [('a', '<f8')], 'fortran_order"..., not that of an array of numbers
e.npy: has elements of type "|f8": read are f4, f8, i1 to i8, u1 to u8 and b1, from the low or the high byte`},
		{"npy: values", matReal, files{"X.npy": npy("'<f8'", "True", "(2, 2)", pack(le, 1.0, math.NaN(), math.Inf(-1), 2.0))}, Options{},
			"X.npy: X[2, 1] is NaN, not a finite number" + nan + "\nX.npy: X[1, 2] is -Inf, not a finite number" + nan},
		{"npy: integers beyond 2^53", whole, files{"y.npy": npy("'<i8'", "False", "(2,)", pack(le, int64(1), int64(1<<53+1)))}, Options{},
			`y.npy: y[2] is about 9.007199254740992e+15, beyond 2^53 (a float64 does not tell integers apart from there on)`},
		{"npy: a bool that is none", flags, files{"y.npy": npy("'|b1'", "False", "(2,)", "\x01\x02")}, Options{}, `y.npy: y[2] is the byte 2, not a boolean`},
		{"npy: bools for numbers", vec, files{"y.npy": npy("'|b1'", "False", "(1,)", "\x01")}, Options{}, `y.npy: y holds booleans, but an element of it is a number`},
		{"npy: categories from 0", groups, files{"g.npy": npy("'<i4'", "False", "(2,)", pack(le, int32(0), int32(1))), "n.npy": npy("'<i4'", "False", "(2,)", pack(le, int32(0), int32(1)))}, Options{Set: []string{"G=2"}},
			`g.npy: g[1] is 0, but G has 2 elements (in files, categories count from 1)`},
		{"npy: shape", vec, files{"y.npy": npy("'<f8'", "False", "(2, 1)", pack(le, 1.0, 2.0))}, Options{}, `y.npy: y is an array of 2 x 1, but should be y[N]`},
		{"npy: cut off, too long", vec, files{"a.npy": f8[:len(f8)-1], "b.npy": f8 + "\x00", "c.npy": f8[:50], "d.npy": npyMagic, "e.npy": "hello", "f.npy": npyMagic + "\x04" + f8[7:], "g.npy": npyMagic + "\x02\x00\xff\xff\xff\xff{"}, Options{},
			`a.npy: ends after 1 of 2 elements
b.npy: goes on after its 2 elements
c.npy: ends in its header
d.npy: ends in its header
e.npy: is no NPY file: it does not begin with \x93NUMPY
f.npy: is of version 4.0 of NPY: read are 1.0 to 3.0
g.npy: has a header of 4294967295 bytes`},
		{"npy: shapes that lie", vec, files{"a.npy": npy("'<f8'", "False", "(2000000000, 2000000000, 2000000000)", ""), "b.npy": npy("'<f8'", "False", "(2000000000,)", "12345678"), "y.npy": npy("'<f8'", "False", "(2000000000, 0)", ""), "c.npy": npy("'<f8'", "False", "(-1,)", ""), "d.npy": npy("'<f8'", "False", "(1,,1)", "")}, Options{},
			`a.npy: is of shape 2000000000 x 2000000000 x 2000000000, beyond counting
b.npy: ends after 1 of 2000000000 elements
c.npy: has the header "{'descr': '<f8', 'fortran_order': False,"..., not that of an array of numbers
d.npy: has the header "{'descr': '<f8', 'fortran_order': False,"..., not that of an array of numbers
y.npy: y has no elements, but is 2000000000 x 0`},
		{"npy: called otherwise", vec, files{"data.npy": f8}, Options{}, `data.npy: is called "data", which is no field or plate of the model (the model reads y, N; call the file after what it holds, or say it: --columns=y=data)
y is in none of the files`},
		{"npz: members", vec, files{"a.npz": npz(zip.Deflate, "y.npy", object, "z.npy", f8, "readme.txt", "hello")}, Options{},
			`a.npz: y.npy: holds pickled Python objects: make it numbers, by astype(float)
a.npz: "z" is superfluous: no field or plate of the model (the model reads y, N)
a.npz: "readme.txt" is no array: those are called NAME.npy`},
		{"npz: twice, no zip, damaged", vec, files{"a.npz": npz(zip.Store, "y.npy", f8, "y.npy", f8), "b.npz": f8, "c.npz": strings.Replace(npz(zip.Store, "y.npy", f8), pack(le, 1.5), pack(le, 2.5), 1)}, Options{},
			`a.npz: "y" is there twice
b.npz: is no NPZ file: zip: not a valid zip file
c.npz: y.npy: cannot be read: zip: checksum error`},

		{"mtx: headers", matReal, files{"a.mtx": "1 1\n", "b.mtx": "%%MatrixMarket vector array real general\n", "c.mtx": "%%MatrixMarket matrix list real general\n", "d.mtx": "%%MatrixMarket matrix array complex general\n", "e.mtx": "%%MatrixMarket matrix array real hermitian\n",
			"f.mtx": "%%MatrixMarket matrix array pattern general\n", "g.mtx": mtx, "h.mtx": mtx + "1 1\n", "i.mtx": "%%MatrixMarket matrix array real symmetric\n2 3\n", "j.mtx": "%%MatrixMarket matrix array real general\n2 3 4\n"}, Options{},
			`a.mtx:1: the first line is not "%%MatrixMarket matrix FORMAT FIELD SYMMETRY"
b.mtx:1: the first line is not "%%MatrixMarket matrix FORMAT FIELD SYMMETRY"
c.mtx:1: a matrix that is "list" is not read here: only coordinate and array
d.mtx:1: elements that are "complex" are not read here: only real, integer and pattern
e.mtx:1: a matrix that is "hermitian" is not read here: only general and symmetric
f.mtx:1: an array can't be a pattern
g.mtx:2: the file ends in the middle
h.mtx:2: the line should be the numbers of rows, of columns and of entries, not "1 1"
i.mtx:2: the matrix is symmetric, but has 2 rows and 3 columns
j.mtx:2: the line should be the number of rows and that of columns, not "2 3 4"`},
		{"mtx: entries", matReal, files{"a.mtx": mtx + "2 2 1\n1 1\n", "b.mtx": mtx + "2 2 1\n1 1 a\n", "c.mtx": mtx + "2 2 1\n3 1 1\n", "d.mtx": mtx + "2 2 2\n1 1 1\n", "e.mtx": mtx + "2 2 1\n1 1 1\n1 2 1\n", "f.mtx": mtx + "2 2 1\n1 0 1\n",
			"g.mtx": strings.Replace(mtx, "general", "symmetric", 1) + "2 2 1\n1 2 1\n", "h.mtx": strings.Replace(mtx, "real", "pattern", 1) + "2 2 1\n1 2 1\n", "i.mtx": strings.Replace(mtx, "real", "integer", 1) + "2 2 1\n1 2 1.5\n",
			"j.mtx": "%%MatrixMarket matrix array real general\n1 2\n1 2\n", "k.mtx": mtx + "2 2 1\n1 1 1" + strings.Repeat(" ", 2000) + "\n"}, Options{},
			`a.mtx:3: "1 1" is not "row column value"
b.mtx:3: "a" is not a number
c.mtx:3: row 3, column 1 is not in a matrix of 2 x 2
d.mtx:4: the file ends after 1 entries of 2
e.mtx:4: there are more entries than the 1 that the header says
f.mtx:3: row 1, column 0 is not in a matrix of 2 x 2
g.mtx:3: row 1, column 2 is above the diagonal: of a symmetric matrix the file has the rest
h.mtx:3: "1 2 1" is not "row column"
i.mtx:3: 1.5 is not an integer, as the first line says
j.mtx:3: "1 2" is not a number
k.mtx:3: the line is longer than 1000 bytes`},
		{"mtx: values", matReal, files{"X.mtx": mtx + "2 2 4\n1 1 1\n2 1 NA\n1 2 NaN\n1 1 2\n"}, Options{},
			"X.mtx:4: X[2, 1] is NA, a missing value" + missing + "\nX.mtx:5: X[1, 2] is NaN, not a finite number" + nan + "\nX.mtx:6: X[1, 1] is there twice"},
		{"mtx: too sparse", matReal, files{"X.mtx": mtx + "1000000 1000000 1\n1 1 1\n"}, Options{},
			`X.mtx: would be 1000000 x 1000000 numbers, most of them 0, in a file of 70 bytes: a matrix is dense here`},
		{"mtx: a row for a vector; called otherwise", vec, files{"y.mtx": mtx + "1 3 1\n1 1 1\n", "z.mtx": mtx + "1 1 0\n"}, Options{},
			`z.mtx: is called "z", which is no field or plate of the model (the model reads y, N; call the file after what it holds, or say it: --columns=y=z)
y.mtx: y is an array of 1 x 3, but should be y[N]`},
		{"mtx: bags", lda, files{"a.mtx": "%%MatrixMarket matrix array real general\n1 1\n1\n", "b.mtx": mtx + "2 3 3\n1 1 -1\n1 2 1.5\n2 1 NA\n"}, Options{},
			`a.mtx:1: is for a bag of words, which is "coordinate", "integer" or "real", and "general"
b.mtx:3: x has an entry, document 1 and word 1, that is -1, not a count
b.mtx:4: x has an entry, document 1 and word 2, that is 1.5, not a count
b.mtx:5: x has an entry, document 2 and word 1, that is NA, a missing value` + missing},
		{"mtx: a bag transposed", lda, files{"c.mtx": mtx + "2 3 1\n1 1 1\n", "c.vocab": "a\nb\n"}, Options{},
			`c.mtx: is of 2 rows and 3 columns, but vocab has 2 elements: documents are rows, words columns (transpose it)`},
		{"mtx: a bag that lies", lda, files{"a.mtx": mtx + "1 1 1\n1 1 2000000000\n", "b.mtx": mtx + "2000000000 1 0\n"}, Options{},
			`a.mtx:3: the counts add up to 2000000000 tokens in a file of 67 bytes; the largest, 2000000000, is here (if that is right, say so: --max-tokens=2000000000)
b.mtx:2: says 2000000000 documents, but holds only 61 bytes`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set, _, err := loadFiles(tt.schema, tt.in, tt.opts)
			if err == nil {
				t.Fatalf("no error, but %+v", set)
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Members that claim the same bytes many times over are refused.
func TestZipBomb(t *testing.T) {
	// One member of 4 MB in 4 kB, which a directory of 400 entries names again and again.
	one := npz(zip.Deflate, "y.npy", npy("'|i1'", "False", "(4000000,)", strings.Repeat("\x00", 4000000)))
	at := strings.LastIndex(one, "PK\x01\x02")
	var dir strings.Builder
	var fields []Field
	for i := range 400 {
		name := fmt.Sprintf("%c%c", 'a'+i/26, 'a'+i%26)
		fields = append(fields, data(name, Int, "N"))
		dir.WriteString(one[at:at+46-18] + pack(le, uint16(6)) + one[at+30:at+46] + name + ".npy")
	}
	bomb := one[:at] + dir.String() + "PK\x05\x06\x00\x00\x00\x00" + pack(le, uint16(400), uint16(400), uint32(dir.Len()), uint32(at)) + "\x00\x00"
	_, _, err := loadFiles(Schema{Plates: vec.Plates, Fields: fields}, files{"a.npz": bomb}, Options{})
	if err == nil || !strings.Contains(err.Error(), "the arrays are larger than their bytes could hold") {
		t.Errorf("%.300v", err)
	}
}
