// This file fuzzes each reader: no panic, no memory out of proportion, and sets that keep what they promise.

package dataio

import (
	"math"
	"runtime"
	"testing"
)

// everything has a field of each kind and shape, so that a fuzzer may reach all of the code.
var everything = Schema{Model: "all",
	Plates: []Plate{plate("N"), plate("D"), plate("docs"), {Name: "words", Parent: "docs"}, {Name: "vocab", Size: -1}, {Name: "G", Size: 3}},
	Fields: []Field{
		{Name: "X", Kind: Real, Dims: []string{"N", "D"}, Const: true, Default: true},
		{Name: "y", Kind: Bool, Dims: []string{"N"}, Const: true, Default: true},
		{Name: "n", Kind: Int, Dims: []string{"N"}, Const: true, Default: true},
		{Name: "g", Kind: Category, Of: "G", Dims: []string{"N"}, Const: true, Default: true},
		{Name: "m", Kind: Real, Dims: []string{"docs", "words", "D"}, Const: true, Default: true},
		{Name: "s", Kind: Real, Const: true, Default: true},
	},
}

// check loads one file and looks at what comes out. Sizes that the file may not say are set.
func check(t *testing.T, s Schema, name string, text []byte, opts Options) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	set, notes, err := loadFiles(s, files{name: string(text)}, opts)
	runtime.ReadMemStats(&after)
	// A million elements may come of nothing (16 MB for tokens and lengths, 8 MB for each broadcast constant), else what is
	// allocated is in proportion to the file.
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(100<<20+4000*len(text)); got > limit {
		t.Errorf("%d bytes allocated for a file of %d", got, len(text))
	}
	for _, n := range notes {
		_ = n.String()
	}
	if err != nil {
		if err.Error() == "" || set != nil {
			t.Errorf("error %q with set %v", err, set)
		}
		return
	}
	for _, f := range s.Fields {
		v := set.Values[f.Name]
		if v == nil {
			continue
		}
		want := 1
		for i, d := range f.Dims {
			if lens, ok := set.Ragged[d]; ok {
				want /= max(set.Sizes[f.Dims[i-1]], 1)
				sum := 0
				for _, n := range lens {
					sum += n
				}
				want *= sum
				continue
			}
			want *= set.Sizes[d]
		}
		if got := len(v.Real) + len(v.Int) + len(v.Bool) + len(v.Cat); got != want {
			t.Errorf("%s has %d elements, want %d: %v", f.Name, got, want, set.Sizes)
		}
		for _, x := range v.Real {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%s has %v", f.Name, x)
			}
		}
		for _, k := range v.Cat {
			if k < 0 || int(k) >= set.Sizes[f.Of] {
				t.Errorf("%s has category %d of %d", f.Name, k, set.Sizes[f.Of])
			}
		}
	}
	for p, l := range set.Levels {
		if len(l) != set.Sizes[p] {
			t.Errorf("%s has %d levels, size %d", p, len(l), set.Sizes[p])
		}
	}
}

var fuzzSizes = Options{Set: []string{"vocab=5"}}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"X": [[1,2],[3,4]], "y": [true, 0], "n": [1, 2], "g": ["a", "b"], "G_levels": ["a", "b"], "docs": 1, "words": [2], "m": [[1,2],[3,4]], "s": -1.5e3}`,
		`{"N": 2, "D": 3, "docs": 4, "words_length": [1,0,2,0], "X": 1, "y": false, "n": 3, "g": 2, "m": [[[1]],[],[[2],[3]],[]], "s": 0}`,
		`{"N": 100000000, "D": 100000000, "X": 1, "docs": 1, "words": [2147483647]}`,
		`{"X": [], "D": 1, "docs": 0, "words": [], "s": null, "q": {"a": [[[]]]}}`,
		"\ufeff{\"g\": [\"\\u00e9\", \"\\ud800\"], \"X\": [[NaN]], \"n\": [[1],2]}",
		`{"m": [[[1],[2]],[[3]]], "N": 1, "words": [3]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) { check(t, everything, "a.json", text, fuzzSizes) })
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		"y,n,g,u,v\n1,2,a,3.5,4\nFALSE,3,b,5,6e1\n",
		"X.1,X.2,y\n1,2,T\n", "X[2],X[1],g\r\n1,2,3\r\n", "\ufeffX,\"y\"\n\"1\n\",0\n",
		"s\n1\n", "s\n1\n\n2\n", "id,X.1,X.99999999999999999999\n1,2,3\n", "a\tb\n1\t2\n", "y,y\n1,1\n", "N,y\nu,1\nv,0\n", "g\nNA\n1\n",
		"X.1.1,m.1.1,m\n1,2,3\n", ",\n,\n", "\"a\n1,2",
	} {
		f.Add([]byte(s))
	}
	sizes := Options{Set: []string{"vocab=5", "docs=1"}, Columns: []string{"s=z"}, Transform: []string{"standardise:X", "intercept:X", "binarise:y"}}
	data := everything
	data.Plates = data.Plates[:3]
	data.Plates = append([]Plate{{Name: "G", Size: 3}, {Name: "vocab"}}, data.Plates...)
	data.Fields = nil
	for _, field := range everything.Fields {
		if field.Name != "m" {
			field.Const = false
			data.Fields = append(data.Fields, field)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		check(t, everything, "a.csv", text, Options{Set: append([]string{"docs=1", "N=2", "D=1"}, fuzzSizes.Set...)})
		check(t, data, "X.csv", text, sizes)
		for i := range data.Fields { // each alone: most files lack most fields
			check(t, Schema{Plates: data.Plates, Fields: data.Fields[i : i+1]}, "a.csv", text, Options{Set: []string{"vocab=5", "docs=1", "D=2"}})
		}
	})
}

func FuzzUCI(f *testing.F) {
	for _, s := range []string{
		"2\n3\n2\n1 1 2\n2 3 1\n", "2000000000\n2000000000\n1\n2000000000 2000000000 2000000000\n", "0\n0\n0\n", "3\r\n4\r\n1\r\n3 4 1\r\n\r\n",
		"1000000\n3\n0\n", "1\n1\n2\n1 1 1000000\n1 1 99999", "1\n1\n1\n1 1\n", "\ufeff1\n1\n1\n1 1 1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) { check(t, lda, "docword.a.txt", text, Options{}) })
}

func FuzzLDAC(f *testing.F) {
	for _, s := range []string{
		"2 0:1 4:2\n0\n1 3:1\n", "1 0:2147483647\n", "1 4:1 \r\n\n", "99999999999999999999 1:1\n", "1 0:1\n\n1 0:1\n", "1 :1\n1 1:\n", "\ufeff0\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) { check(t, lda, "a.ldac", text, fuzzSizes) })
}

func FuzzSet(f *testing.F) {
	for _, s := range []string{"N=2", "s=1.5", "X=[[1,2],[3,4]]", "y=[true,false]", "g=a", "g=[\"a\",\"b\"]", "G=x", "words=1", "=", "N", "g=[", "n=-0", "m=1"} {
		f.Add(s, "standardise:X", "y=a,b")
	}
	f.Fuzz(func(t *testing.T, set, fn, column string) {
		check(t, everything, "a.json", []byte(`{"N": 2, "D": 2, "docs": 1, "words": [2], "vocab": 1}`),
			Options{Set: []string{set}, Transform: []string{fn}, Columns: []string{column}})
	})
}

func FuzzR(f *testing.F) {
	for _, s := range []string{
		"# R\n\"X\" <-\nstructure(c(1, 2, 3, 4), .Dim = c(2L, 2L))\ny <- c(TRUE, FALSE); n <- 1:2\ng <- c(\"a\", 'b\\'')\nG_levels <- c('b\\'', \"a\", \"c\")\ns <- -1.5e-3",
		"list(N = 2, D = 1, X = structure(.Data = c(1, NA), .Dim = c(2, 1)), s = .5)",
		"m <- structure(as.integer(c(1,2)), dim = as.integer(c(2, 1)), dimnames = list(NULL, c(\"a)\"))); words <- 2; D <- 1",
		"N <- 100000000; X <- 1; docs <- 1; words <- 2147483647; n <- 1:1000000", "X <- structure(c(), .Dim = c(0, 1000000000))", "y <- numeric(0)\nX <- c(1, 'a', NaN)",
		"m <- structure(numeric(0), .Dim = c(2147483647, 0))", "y <- c(a = 1)", "`q` = 1:-5", "s <- c(1", "list(", "y <- structure(1:2, class = 'q')", "\"a", "1e-", "s <- 1L#",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) { check(t, everything, "a.R", text, fuzzSizes) })
}

func FuzzNPY(f *testing.F) {
	for _, s := range []string{
		f8, npy("'>f4'", "True", "(2, 1)", pack(be, float32(1), float32(2))), npy("'|b1'", "False", "(2,)", "\x01\x00"), npy("'<i8'", "False", "()", "12345678"), npy("'<u2'", "False", "(2000000000, 0)", ""),
		npy("'|O'", "False", "(1,)", "\x80"), npy("[('a', '<f8')]", "False", "(1,)", ""), npyMagic + "\x02\x00\xff\xff\xff\x7f{", npyMagic + "\x03\x00\x02\x00\x00\x00{}", npy("'|u1'", "False", "(0, 1, 2)", ""),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{"X.npy", "y.npy", "m.npy", "words.npy", "G_levels.npy"} { // a file has one variable
			check(t, everything, name, text, Options{Set: append([]string{"D=1", "N=2"}, fuzzSizes.Set...)})
		}
	})
}

func FuzzNPZ(f *testing.F) {
	x := npy("'<i2'", "True", "(2, 2)", pack(le, []int16{1, 2, 3, 4}))
	for _, s := range []string{
		npz(0, "y.npy", npy("'|b1'", "False", "(2,)", "\x01\x00"), "X.npy", x, "N.npy", npy("'<i8'", "False", "()", pack(le, int64(2)))),
		npz(8, "X.npy", x, "n.npy", npy("'<i8'", "False", "(2,)", pack(le, int64(2), int64(3)))), npz(8, "readme", "", "X.npy", f8, "X.npy", ""), "PK\x05\x06",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		check(t, everything, "a.npz", text, fuzzSizes)
		check(t, everything, "a.npz", []byte(npz(8, "X.npy", x, "y.npy", string(text))), fuzzSizes) // with a checksum that is right
	})
}

func FuzzMTX(f *testing.F) {
	for _, s := range []string{
		"%%MatrixMarket matrix coordinate real general\n% c\n2 2 2\n1 1 1.5\n2 1 -2\n", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n",
		"%%MatrixMarket matrix array real general\n2 1\n1\n0\n", "%%MatrixMarket matrix coordinate integer general\n2000000000 2000000000 1\n1 1 2000000000\n", "%%MatrixMarket matrix coordinate real general\n0 2000000000 0\n",
		"%%MatrixMarket matrix coordinate real general\n1000 1000 1\n1 1 NA\n", "%%MatrixMarket matrix array real general\n1000000 1000000\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range []string{"X.mtx", "y.mtx", "g.mtx", "words.mtx"} {
			check(t, everything, name, text, Options{Set: append([]string{"D=2", "N=2"}, fuzzSizes.Set...)})
		}
		check(t, lda, "x.mtx", text, Options{})
	})
}
