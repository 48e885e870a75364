// This file holds the tests of what is refused, and in which words.

package dataio

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestErrors(t *testing.T) {
	long := strings.Repeat("1,", 600)
	tests := []struct {
		name   string
		schema Schema
		in     files
		opts   Options
		want   string // all problems, a line each
	}{
		{"json: superfluous", regression, files{"a.json": "{\"X\": [[1]],\n\"y\": [1],\n\"lamda\": {\"a\": [1]}, \"other\": null}"}, Options{},
			`a.json:3: "lamda" is superfluous: no field or plate of the model (did you mean lambda?)
a.json:3: "other" is superfluous: no field or plate of the model (the model reads X, y, lambda, N, D)`},
		{"json: duplicate key", regression, files{"a.json": "{\"X\": [[1]],\n\"y\": [1],\n\"y\": [2]}"}, Options{},
			`a.json:3: y is there twice, first in line 2`},
		{"json: syntax", regression, files{"a.json": "{\"X\": [[1]],\n\"y\": [1,]}"}, Options{},
			`a.json:2: expected a value, not ']'`},
		{"json: cut off", regression, files{"a.json": "{\"X\": [[1]],\n\"y\": [1,"}, Options{},
			`a.json:2: the file ends in the middle`},
		{"json: cut off in a string", regression, files{"a.json": "{\"X"}, Options{},
			`a.json:1: a string does not end`},
		{"json: not an object", regression, files{"a.json": "[1]"}, Options{},
			`a.json:1: a data file is an object, {"name": value, ...}, not "["`},
		{"json: something after", regression, files{"a.json": "{} {}"}, Options{},
			`a.json:1: expected nothing more, not '{'`},
		{"json: bad value", regression, files{"a.json": `{"y": [1, abc]}`}, Options{},
			`a.json:1: "abc" is not a JSON value`},
		{"json: hexadecimal", regression, files{"a.json": `{"y": [0x10]}`}, Options{},
			`a.json:1: "0x10" is not a JSON value`},
		{"json: object as value", regression, files{"a.json": `{"y": {"a": 1}}`}, Options{},
			`a.json:1: an object where a value or an array should be`},
		{"json: bad escape", regression, files{"a.json": `{"\q": 1}`}, Options{},
			`a.json:1: "\"\\q\"" is not a JSON string`},
		{"json: no colon, no comma, no quotes", regression, files{"a.json": `{"y" 1}`, "b.json": `{"y": [1 2]}`, "c.json": `{y: 1}`}, Options{},
			`a.json:1: expected ':' after the key "y", not '1'
b.json:1: expected ',' or ']' in an array, not '2'
c.json:1: expected a key in quotes, not 'y'`},
		{"json: too deep", regression, files{"a.json": `{"y": ` + strings.Repeat("[", 20) + `}`, "b.json": `{"q": ` + strings.Repeat("[", 2000)}, Options{},
			`a.json:1: arrays nested more than 16 deep
b.json:1: "q" is superfluous: no field or plate of the model (the model reads X, y, lambda, N, D)
b.json:1: nested more than 1000 deep`},
		{"json: missing and NaN", regression, files{"a.json": "{\"X\": [[1, null],\n[NaN, \"NaN\"]],\n\"y\": [-Infinity,\n\"NA\"], \"lambda\": 1e999}"}, Options{},
			`a.json:1: X[1, 2] is null, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)
a.json:2: X[2, 1] is NaN, not a finite number (NaN is not NA; if the value was not observed: missing data are not supported yet)
a.json:2: X[2, 2] is NaN, not a finite number (NaN is not NA; if the value was not observed: missing data are not supported yet)
a.json:3: y[1] is -Infinity, not a finite number (NaN is not NA; if the value was not observed: missing data are not supported yet)
a.json:4: y[2] is NA, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)
a.json:4: lambda is "1e999", too large for a float64`},
		{"json: many", regression, files{"a.json": `{"X": [[null,null,null,null,null,null,null]], "y": [1]}`}, Options{},
			`a.json:1: X[1, 1] is null, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)
a.json:1: X[1, 2] is null, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)
a.json:1: X[1, 3] is null, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)
a.json:1: X[1, 4] is null, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)
a.json:1: X[1, 5] is null, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)
a.json: X has 2 more problems`},
		{"json: strings and booleans for numbers", regression, files{"a.json": `{"X": [[true]], "y": ["1.5"], "lambda": "big"}`}, Options{},
			`a.json:1: X[1, 1] is true, not a number
a.json:1: y[1] is the string "1.5", not a number (without quotes, please)
a.json:1: lambda is "big", not a number`},
		{"json: side by side", regression, files{"a.json": "{\"X\": [[1],\n2], \"y\": [[], 1]}"}, Options{},
			`a.json:2: X has lists and elements side by side (arrays are nested to one depth)
a.json:2: y has lists and elements side by side (arrays are nested to one depth)`},
		{"json: wrong shapes", regression, files{"a.json": `{"X": [1, 2], "y": 3, "lambda": [1]}`}, Options{},
			`a.json:1: X is a list of 2, but should be X[N, D]
a.json:1: y is a scalar, but should be y[N]
a.json:1: lambda is a list of 1, but should be a scalar`},
		{"json: uneven rows", regression, files{"a.json": `{"X": [[1, 2], [3, 4], [5]], "y": [1,2,3]}`}, Options{},
			`a.json:1: X has rows of different lengths: row 3 has 1 elements, the first 2; but D is not ragged`},
		{"json: sizes disagree", regression, files{"a.json": "{\"X\": [[1], [2]],\n\"y\": [1,2,3], \"D\": 4}"}, Options{},
			`a.json:2: N is a plate of two sizes: y has 3, but X has 2 rows (a.json)
a.json:1: D is a plate of two sizes: X has 1 columns, but D is 4 (a.json)`},
		{"json: not a size", regression, files{"a.json": `{"X": [[1]], "y": [1], "N": 1.5, "D": [1]}`}, Options{},
			`a.json:1: N is 1.5, not a size
a.json:1: D is a list, not the size of a plate`},
		{"json: not integers, not booleans", Schema{Plates: probit.Plates, Fields: []Field{data("y", Bool, "N"), data("n", Int, "N", "D")}},
			files{"a.json": "{\"y\": [0.5,\n2], \"n\": [[1],\n[1.5]]}"}, Options{},
			`a.json:1: y[1] is 0.5, not 0, 1, true or false (to cut it at its median: --binarise=y)
a.json:2: y[2] is 2, not 0, 1, true or false (to cut it at its median: --binarise=y)
a.json:3: n[2, 1] is 1.5, not an integer`},
		{"json: integer too large", groups, files{"a.json": `{"g": [1], "n": [1e17], "G": 1}`}, Options{},
			`a.json:1: n[1] is 1e+17: from 2^53 on, files no longer tell integers apart`},
		{"json: category out of its plate", groups, files{"a.json": "{\"g\": [0,\n4, 1.5], \"n\": [1,1,1], \"G\": 3}"}, Options{},
			`a.json:1: g[1] is 0, but G has 3 elements (in files, categories count from 1)
a.json:2: g[2] is 4, but G has 3 elements
a.json:2: g[3] is 1.5, not a category: an integer from 1`},
		{"json: not a level", groups, files{"a.json": "{\"g\": [\"red\",\n\"gren\"], \"n\": [1,1], \"G_levels\": [\"red\", \"green\"]}"}, Options{},
			`a.json:2: g[2] is "gren", which is none of the 2 levels of G (did you mean green?)`},
		{"json: codes and names", groups, files{"a.json": `{"g": ["a", 1], "n": [1,1]}`, "b.json": `{"g": [1, "a"]}`}, Options{},
			`a.json:1: g[2] is 1 after strings (all codes, or all names)
b.json:1: g[2] is "a" after integers (all codes, or all names)
b.json:1: g was already read from a.json (each field may come from one file only; give the column another name, or leave a file out)`},
		{"json: unsized codes", groups, files{"a.json": `{"g": [1, 7], "n": [1,1]}`}, Options{},
			`G is a plate whose size nothing says (say it by --set G=..., or in a JSON file; the largest category in g is 7, but there may be more)`},
		{"json: levels twice the same, not strings, nested", groups, files{"a.json": `{"g": [1], "n": [1], "G_levels": ["a", "b", "a"]}`, "b.json": `{"G_levels": ["a", 1]}`, "c.json": `{"G_levels": [["a"]]}`}, Options{},
			`a.json:1: G_levels[3] is "a", like G_levels[1] (levels are distinct)
b.json:1: G_levels[2] is 1, not a string
c.json:1: G_levels is not a list of strings`},
		{"json: levels and a size", groups, files{"a.json": `{"g": ["a"], "n": [1], "G": 3}`}, Options{},
			`a.json:1: G is a plate of two sizes: g has 1 different names, but G is 3 (a.json)`},
		{"json: levels differ", groups, files{"a.json": `{"g": ["a"], "n": [1], "G_levels": ["a", "b"]}`, "b.json": `{"G_levels": ["a", "c"]}`}, Options{},
			`b.json:1: G_levels calls element 2 of G "c", but G_levels (a.json) calls it "b"`},
		{"json: names whose order matters", hierarchy, files{"a.json": `{"g": ["b", "a"], "u": [1, 2]}`}, Options{},
			`a.json:1: g names elements of G, and u goes by their order, but nothing says that order (declare it: "G_levels": ["b", ...] in a JSON file)`},
		{"json: names and codes of one plate", Schema{Plates: groups.Plates, Fields: []Field{category("g", "G", "N"), category("h", "G", "N")}},
			files{"a.json": `{"g": ["b", "a"], "h": [1, 2]}`}, Options{},
			`a.json:1: g names elements of G, and h goes by their order, but nothing says that order (declare it: "G_levels": ["b", ...] in a JSON file)`},
		{"json: ragged lengths that don't add up", lda, files{"a.json": `{"x": [1,1,1], "words_length": [1,1], "vocab": 2}`}, Options{},
			`a.json:1: x has 3 elements, but the lengths in words_length (a.json) add up to 2`},
		{"json: ragged lengths unknown", lda, files{"a.json": `{"x": [1,1,1], "vocab": 2}`}, Options{},
			`a.json:1: x is flat, but the lengths of words are unknown (give words_length, or a list of lists)`},
		{"json: ragged lengths disagree", lda, files{"a.json": `{"x": [[1],[1,1]], "words": [1,1], "vocab": 2}`, "b.json": `{"words_length": [1]}`}, Options{},
			`b.json:1: words_length has 1 rows, but words (a.json) has 2
a.json:1: x has 2 elements in row 2, but words (a.json) has 1`},
		{"json: bad lengths", lda, files{"a.json": `{"x": [1], "words": [-1, "a"], "vocab": 2}`, "b.json": `{"words": 3}`}, Options{},
			`a.json:1: words[1] is -1, not a size
a.json:1: words[2] is "a", not a size
b.json:1: words is a number, not a list of the lengths of words for each of docs`},
		{"json: ragged and too deep", lda, files{"a.json": `{"x": [[[1]]], "vocab": 2}`}, Options{},
			`a.json:1: x is an array of 1 x 1 x 1, but should be x[docs, words]`},
		{"json: category out of its plate, ragged", lda, files{"a.json": "{\"x\": [[1],\n[],\n[1,2,3]], \"vocab\": 2}"}, Options{},
			`a.json:3: x[3, 3] is 3, but vocab has 2 elements`},
		{"json: ragged rows differ under an outer plate", nested, files{"a.json": `{"x": [[[1],[1]]], "w": [[[[1],[2]]],[[[1]]]]}`}, Options{},
			`a.json:1: w has rows of 2 and 1 for the same element of docs`},
		{"json: ragged in ragged lengths", nested, files{"a.json": `{"x": [1,2], "sents": [3], "words": [1,1], "w": [[[1],[1],[1]]]}`}, Options{},
			`a.json:1: words has 2 lengths of words, but those of sents add up to 3`},
		{"missing field", regression, files{"a.json": `{"X": [[1]]}`}, Options{},
			`y is in none of the files`},
		{"missing constant", Schema{Fields: []Field{{Name: "a", Const: true}}}, nil, Options{},
			`a is in none of the files (give it in a JSON file, or by --set a=value)`},
		{"nothing says a plate's size", Schema{Plates: []Plate{{Name: "K", Size: -1}}}, nil, Options{},
			`K is a plate whose size nothing says (say it by --set K=..., or in a JSON file)`},
		{"a field from two files", regression, files{"a.json": `{"X": [[1]], "y": [1]}`, "b.csv": "y\n1\n"}, Options{},
			`b.csv:1: y was already read from a.json (each field may come from one file only; give the column another name, or leave a file out)`},
		{"broadcast too far", Schema{Plates: []Plate{{Name: "K", Size: -1}}, Fields: []Field{constant("a", Real, "K", "K", "K", "K")}}, files{"a.json": `{"K": 1000000, "a": 1}`}, Options{},
			`a.json:1: a would fill a[K, K, K, K], more than 1048592 elements, with one value`},

		{"set: unknown names", regression, files{"a.json": `{"X": [[1]], "y": [1]}`}, Options{Set: []string{"lamda=1", "q=1", "y=1", "N", "N=x"}},
			`--set: "lamda" is no plate or constant of the model (did you mean lambda?)
--set: "q" is no plate or constant of the model (there are N, D, lambda)
--set: y is data (give it in a file)
--set: "N" is not name=value
--set: N is given twice`},
		{"set: bad values", regression, files{"a.json": `{"X": [[1]], "y": [1]}`}, Options{Set: []string{"lambda=[1", "lambda=2"}},
			`--set: lambda is "[1": the file ends in the middle
--set: lambda is given twice`},
		{"set: bad values 2", regression, files{"a.json": `{"X": [[1]], "y": [1]}`}, Options{Set: []string{"lambda=NaN"}},
			`--set: lambda is NaN, not a finite number (NaN is not NA; if the value was not observed: missing data are not supported yet)`},
		{"set: bad values 3", regression, files{"a.json": `{"X": [[1]], "y": [1]}`}, Options{Set: []string{"lambda=1 2"}},
			`--set: lambda is "1 2": expected nothing more, not '2'`},
		{"set: shape", regression, files{"a.json": `{"X": [[1]], "y": [1]}`}, Options{Set: []string{"lambda=[1,2]"}},
			`--set: lambda is a list of 2, but should be a scalar`},
		{"set: the data say another size", regression, files{"a.json": `{"X": [[1]], "y": [1]}`}, Options{Set: []string{"N=2"}},
			`a.json:1: N is a plate of two sizes: X has 1 rows, but --set N=2 (the command line) (leave out --set N; the data say the size)`},
		{"set: ragged plate", lda, files{"a.json": `{"x": [[1]], "vocab": 1}`}, Options{Set: []string{"words=2", "topics=0"}},
			`--set: words has a size for each element of docs (it comes from the data)
--set: topics is "0", not a size (it is an integer from 1)`},

		{"csv: empty, blank, no rows", regression, files{"a.csv": "", "b.csv": " \n", "c.csv": "X,y\n"}, Options{},
			`a.csv: is empty
b.csv: is empty
c.csv:1: has a header but no rows`},
		{"csv: row length", regression, files{"a.csv": "u,y\n1,2\n3\n4,5,6\n"}, Options{},
			`a.csv:3: row[2] has 1 cells, the header has 2
a.csv:4: row[3] has 3 cells, the header has 2`},
		{"csv: no header", regression, files{"a.csv": "1,2\n3,4\n"}, Options{},
			`a.csv:1: has numbers where the names of the columns should be (the first line is the header)`},
		{"csv: semicolons", regression, files{"a.csv": "u;y\n1,5;2\n"}, Options{},
			`a.csv:1: is separated by semicolons (save it with commas, and points in numbers)`},
		{"csv: column twice", regression, files{"a.csv": "u,y,u\n1,2,3\n"}, Options{},
			`a.csv:1: columns 1 and 3 are both called "u"`},
		{"csv: missing, NaN and text", regression, files{"a.csv": "u,v,y\n1,2,NA\n\n1,,3\n1,NaN,Inf\nx,1,1e400\n"}, Options{},
			`a.csv:2: y[1] is NA, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)
a.csv:4: X[2, 2] (v) is empty (missing data are not supported yet)
a.csv:5: y[3] is Inf, not a finite number (NaN is not NA; if the value was not observed: missing data are not supported yet)
a.csv:5: X[3, 2] (v) is NaN, not a finite number (NaN is not NA; if the value was not observed: missing data are not supported yet)
a.csv:6: y[4] is "1e400", too large for a float64
a.csv:6: X[4, 1] (u) is "x", not a number`},
		{"csv: blank line in one column", Schema{Plates: regression.Plates[:1], Fields: regression.Fields[1:2]}, files{"a.csv": "y\n1\n\n2\n"}, Options{},
			`a.csv:3: is a blank line: is a value missing? (missing data are not supported yet)`},
		{"csv: open quote", regression, files{"a.csv": "u,y\n1,\"2\n3,4\n"}, Options{},
			`a.csv:3: column 5: extraneous or missing " in quoted-field (the row begins in line 2)`},
		{"csv: bare quote", regression, files{"a.csv": "u,y\n1,2\"\n3,4\n"}, Options{},
			`a.csv:2: column 4: bare " in non-quoted-field`},
		{"csv: long row", regression, files{"a.csv": "u,y\n1,2\n" + long + "\n"}, Options{},
			`a.csv:3: row[2] has 601 cells, the header has 2`},
		{"csv: quote open for long", regression, files{"a.csv": "u,y\n1,2\n3,\"" + strings.Repeat("4,5\n", 100000)}, Options{},
			`a.csv:3: the line is longer than 1000 bytes (a quote that is not closed?)`},
		{"csv: y by another name", regression, files{"a.csv": "velocity\n1\n", "b.json": `{"X": [[1]]}`}, Options{},
			`y is in none of the files (columns that nothing uses: velocity; take one by --columns y=velocity)`},
		{"csv: y misspelt", regression, files{"a.csv": "Y\n1\n", "b.json": `{"X": [[1]]}`}, Options{},
			`y is in none of the files (nothing uses the column Y; take it by --columns y=Y)`},
		{"csv: two matrices", twoMat, files{"a.csv": "u,v\n1,2\n"}, Options{},
			`X is in none of the files (columns that nothing uses: u, v; take one by --columns X=u)
Z is in none of the files (columns that nothing uses: u, v; take one by --columns Z=u)`},
		{"csv: numbered columns with a gap, with wrong rank", twoMat, files{"a.csv": "X.1,X.3,Z.1.1\n1,2,3\n"}, Options{},
			`a.csv:1: X has 2 columns, not one for each element up to X[3]
a.csv:1: Z has columns with 2 indices, but needs 1 after the row`},
		{"csv: numbered far", twoMat, files{"a.csv": "X.1,X.999999999999,Z.1\n1,2,3\n"}, Options{},
			`a.csv:1: X has 2 columns, not one for each element up to X[999999999999]`},
		{"csv: ragged", lda, files{"a.csv": "x,y\n1,2\n"}, Options{},
			`a.csv:1: x is ragged: it can't come from a table (as JSON it is a list of lists)`},
		{"csv: scalar column with rows", single, files{"a.csv": "s,y\n1,2\n3,4\n"}, Options{},
			`a.csv:1: s is a list of 2, but should be a scalar`},
		{"csv: categories missing, out of plate", groups, files{"a.csv": "g,n\n1,1\nNA,2\n"}, Options{Set: []string{"G=2"}},
			`a.csv:3: g[2] is NA, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)`},
		{"csv: names missing", groups, files{"a.csv": "g,n\na,1\n,2\nb,2\n"}, Options{},
			`a.csv:3: g[2] is empty (missing data are not supported yet)`},
		{"csv: all missing", groups, files{"a.csv": "g,n\nNA,1\n"}, Options{},
			`a.csv:2: g[1] is NA, a missing value (NA is not NaN: it was not observed; missing data are not supported yet)`},
		{"csv: code out of plate", groups, files{"a.csv": "g,n\n1,1\n\"3\",2\n"}, Options{Set: []string{"G=2"}},
			`a.csv:3: g[2] is 3, but G has 2 elements`},
		{"csv: bool", probit, files{"a.csv": "u,y\n1,yes\n2,2\n"}, Options{},
			`a.csv:2: y[1] is "yes", not a boolean`},
		{"csv: bool out of range", probit, files{"a.csv": "u,y\n1,1\n2,2\n"}, Options{},
			`a.csv:3: y[2] is 2, not 0, 1, true or false (to cut it at its median: --binarise=y)`},
		{"csv: columns of two files in another order", Schema{Plates: []Plate{plate("N"), plate("M"), plate("D")}, Fields: []Field{data("X", Real, "N", "D"), data("Z", Real, "M", "D")}},
			files{"X.csv": "u,v\n1,2\n", "Z.csv": "v,u\n1,2\n"}, Options{},
			`Z.csv:1: the header calls element 1 of D "v", but the header (X.csv) calls it "u"`},
		{"csv: levels that are not distinct", hierarchy, files{"a.csv": "g\na\n", "b.csv": "G,u\na,1\na,2\n"}, Options{},
			`b.csv:1: G[2] is "a", like G[1] (levels are distinct)`},
		{"column: unknown", regression, files{"a.csv": "u,v\n1,2\n"}, Options{Columns: []string{"z=u", "X", "X=u,w", "y=w", "y=v"}},
			`--columns: "z" is no field of the model
--columns: "X" is not field=column
--columns: y is given twice
a.csv:1: X was to take columns that are not there: w
y is in none of the files (it was to take w, which no file has)`},
		{"column: too many", regression, files{"a.csv": "u,v\n1,2\n"}, Options{Columns: []string{"y=u,v"}},
			`a.csv:1: y can't take 2 named columns: it is y[N]`},

		{"uci: header", lda, files{"docword.a.txt": "3\nx\n1\n"}, Options{},
			`docword.a.txt:2: the line should be the number of words alone, not "x"`},
		{"uci: entry", lda, files{"docword.a.txt": "3\n3\n1\n1 2\n"}, Options{},
			`docword.a.txt:4: "1 2" is not "document word count", three integers`},
		{"uci: document", lda, files{"docword.a.txt": "3\n3\n1\n4 1 1\n"}, Options{},
			`docword.a.txt:4: document 4 is not from 1 to 3, as the first line says`},
		{"uci: word", lda, files{"docword.a.txt": "3\n3\n1\n1 0 1\n"}, Options{},
			`docword.a.txt:4: word 0 is not from 1 to 3, as the second line says`},
		{"uci: count", lda, files{"docword.a.txt": "3\n3\n2\n1 1 1\n1 1 0\n"}, Options{},
			`docword.a.txt:5: the count is 0`},
		{"uci: count is no integer", lda, files{"docword.a.txt": "3\n3\n2\n1 1 1\n1 1 1.5\n"}, Options{},
			`docword.a.txt:5: "1 1 1.5" is not "document word count", three integers`},
		{"uci: cut off", lda, files{"docword.a.txt": "3\n3\n2\n1 1 1\n"}, Options{},
			`docword.a.txt:5: the file ends after 1 entries, but its third line says 2`},
		{"uci: too many", lda, files{"docword.a.txt": "3\n3\n1\n1 1 1\n1 2 1\n"}, Options{},
			`docword.a.txt:5: there are more entries than the 1 that the third line says`},
		{"uci: huge count", lda, files{"docword.a.txt": "3\n3\n2\n1 1 1\n1 2 2000000000\n"}, Options{},
			`docword.a.txt:5: the counts add up to 2000000001 tokens in a file of 27 bytes; the largest, 2000000000, is here (if that is right, say so: --max-tokens=2000000001)`},
		{"uci: huge header", lda, files{"docword.a.txt": "2000000000\n3\n1\n1 1 1\n"}, Options{},
			`docword.a.txt:1: says 2000000000 documents, but holds only 21 bytes`},
		{"uci: vocabulary of another size", lda, files{"docword.a.txt": "1\n3\n1\n1 1 1\n", "vocab.a.txt": "a\nb\n"}, Options{},
			`docword.a.txt:2: vocab is a plate of two sizes: the header says 3 words, but the vocabulary has 2 words (vocab.a.txt)`},
		{"uci: long line", lda, files{"docword.a.txt": "1\n3\n1\n1 1 1" + strings.Repeat(" ", 100000) + "\n"}, Options{},
			`docword.a.txt:4: the line is longer than 1000 bytes`},
		{"uci: no field for it", regression, files{"docword.a.txt": "1\n"}, Options{},
			`docword.a.txt: is for a bag of words, but the model has no ragged data of categories, such as x[docs, words]`},
		{"ldac: no vocabulary", lda, files{"a.ldac": "1 0:1\n"}, Options{},
			`a.ldac: has no vocabulary file beside it, so the size of vocab is unknown (give the file, or --set vocab=6000)`},
		{"ldac: word out of vocabulary", lda, files{"a.ldac": "1 0:1\n1 2:1\n", "a.vocab": "a\nb\n"}, Options{},
			`a.ldac:2: word 2 is not from 0 to 1: vocab has 2 elements`},
		{"ldac: number of words", lda, files{"a.ldac": "2 0:1\n", "a.vocab": "a\n"}, Options{},
			`a.ldac:1: the document says 2 words, but has 1`},
		{"ldac: no number", lda, files{"a.ldac": "0:1\n", "a.vocab": "a\n"}, Options{},
			`a.ldac:1: "0:1" does not begin with the number of words`},
		{"ldac: not a pair", lda, files{"a.ldac": "1 0 1\n", "a.vocab": "a\n"}, Options{},
			`a.ldac:1: "0" is not id:count`},
		{"ldac: count", lda, files{"a.ldac": "1 0:0\n", "a.vocab": "a\n"}, Options{},
			`a.ldac:1: "0:0" has no count: a positive integer`},
		{"ldac: count is no integer", lda, files{"a.ldac": "1 0:1.5\n", "a.vocab": "a\n"}, Options{},
			`a.ldac:1: "0:1.5" has no count: a positive integer`},
		{"ldac: blank line", lda, files{"a.ldac": "1 0:1\n\n1 0:1\n", "a.vocab": "a\n"}, Options{},
			`a.ldac:2: the line is blank: a document without words is "0"`},
		{"ldac: huge count", lda, files{"a.ldac": "1 0:2000000000\n", "a.vocab": "a\n"}, Options{},
			`a.ldac:1: the counts add up to 2000000000 tokens in a file of 15 bytes; the largest, 2000000000, is here (if that is right, say so: --max-tokens=2000000000)`},
		{"vocabulary: a word twice", lda, files{"a.ldac": "1 0:1\n", "a.vocab": "a\nb\na\n"}, Options{},
			`a.vocab: the vocabulary[3] is "a", like the vocabulary[1] (levels are distinct)`},
		{"vocabulary: a gap", lda, files{"a.ldac": "1 0:1\n", "a.vocab": "a\n\nb\n"}, Options{},
			`a.vocab:2: a word is missing: the line is blank`},
		{"vocabulary: not there", lda, files{"a.ldac": "1 0:1\n"}, Options{Vocab: "no.vocab"},
			`no.vocab: cannot be opened: file does not exist`},

		{"format: unknown, compressed, UTF-16", regression, files{"a.xyz": "hello", "b.csv": "\x1f\x8b\x08", "c.csv": "\xff\xfea\x00", "d.csv": "\x7fELF,\x00\n"}, Options{},
			`a.xyz: is of no format known here (they are ` + knownFormats() + `)
b.csv: is compressed (gunzip it first)
c.csv: is UTF-16 (save it as UTF-8)
d.csv: is not text (of the formats known here only store, NPZ, NPY are not)`},
		{"transform: names", regression, files{"a.json": `{"X": [[1],[2]], "y": [1,2]}`}, Options{Standardise: []string{"x"}, Transform: []string{"centre", "squash:X", "standardis:X", "center:lambda", "binarise:y"}},
			`--standardise=x: the model reads no "x" (did you mean X?)
--transform: "centre" is not function:name
--transform: "squash" is no transformation (there are standardise, standardize, unit, center, centre, scale, intercept, binarise, binarize)
--transform: "standardis" is no transformation (did you mean standardise?)
--center=lambda: lambda is a constant, not data
--binarise=y: it is for data that the model declares as bool, but an element of y is a number`},
		{"transform: constant columns", regression, files{"a.csv": "u,v,y\n1,2,3\n2,2,3\n"}, Options{Transform: []string{"unit:X", "scale:y"}},
			`a.csv:1: X can't take unit: column v is constant (leave the column out; an intercept comes last, by --intercept=X)
a.csv:1: y can't take scale: y is constant`},
		{"transform: one row", regression, files{"a.json": `{"X": [[1]], "y": [1]}`}, Options{Standardise: []string{"X"}, Transform: []string{"intercept:y"}},
			`a.json:1: X can't take standardise: column 1 is constant (leave the column out; an intercept comes last, by --intercept=X)
a.json:1: y can't take intercept: that is for matrices`},
		{"transform: overflow", regression, files{"a.json": `{"X": [[1],[2]], "y": [1.7e308, -1.7e308]}`}, Options{Transform: []string{"scale:y"}},
			`a.json:1: y can't take scale: y is too large, or too nearly constant, for float64`},
		{"sizes that follow others", steps, files{"a.json": `{"u": [1]}`}, Options{},
			`A is a plate of -1 elements, 3 fewer than C (a plate has at least one element)`},
		{"transform: three dimensions", cube, files{"a.json": `{"X": [[[1]]]}`}, Options{Standardise: []string{"X"}},
			`a.json:1: X can't take standardise: that is for vectors and matrices`},
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
