// This file holds the tests of stores: what is imported comes back as it was, without a copy, and what is wrong with a store is told.

package dataio

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A memory is a file in memory.
type memory struct{ bytes []byte }

func (m *memory) WriteAt(p []byte, at int64) (int, error) {
	if end := int(at) + len(p); end > len(m.bytes) {
		m.bytes = append(m.bytes, make([]byte, end-len(m.bytes))...)
	}
	return copy(m.bytes[at:], p), nil
}

// importFiles returns a store of files in memory. Every array of the import lies in a file.
func importFiles(t *testing.T, s *Schema, in files, opts Options) string {
	t.Helper()
	ld := in.loader()
	ld.bare = s == nil
	ld.room = &room{dir: t.TempDir(), least: 1}
	defer ld.room.close()
	var m memory
	err := guarded(func() error {
		arrays, err := ld.importFiles(s, in.data(opts), opts)
		if err == nil {
			err = fillStore(&m, arrays)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(m.bytes)
}

// TestStore: a store gives what the files gave that were imported with the model, for everything that TestLoad reads.
func TestStore(t *testing.T) {
	for _, tt := range loadTests {
		t.Run(tt.name, func(t *testing.T) {
			store := importFiles(t, &tt.schema, tt.in, tt.opts)
			got, _, err := loadFiles(tt.schema, files{"a.gmd": store}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, *got, near, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			// A store is a data file like others: it can be imported again, and then is the same.
			if again := importFiles(t, &tt.schema, files{"a.gmd": store}, Options{}); again != store {
				t.Errorf("imported again it is another:\n%s\n%s", store, again)
			}
		})
	}
}

// TestBareStore: the same without the model, as far as the files alone say it. What they do not say is asked for.
func TestBareStore(t *testing.T) {
	needs := []string{ // a table's columns belong to fields by rules that need the model
		"csv: ", "tsv", "another file", "vocabulary for json", "columns", "standardise", "unit", "binarise", "mtx", "two files", "set: ",
	}
	compared := 0
	for _, tt := range loadTests {
		if len(tt.opts.Set)+len(tt.opts.Transform)+len(tt.opts.Standardise) > 0 || slices.ContainsFunc(needs, func(s string) bool { return strings.Contains(tt.name, s) }) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			compared++
			store := importFiles(t, nil, tt.in, tt.opts)
			got, _, err := loadFiles(tt.schema, files{"a.gmd": store}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, *got, near, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if compared < 25 {
		t.Errorf("only %d were compared", compared)
	}
}

// importFile writes a file and imports it, and returns the path of the store.
func importFile(t *testing.T, s *Schema, name, text string, opts Options) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	store := path + ".gmd"
	if _, err := Import(context.Background(), s, []string{path}, opts, store); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Dir(path) + "/.*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return store
}

// table returns a table of n rows: two numbers, a boolean and a category.
func table(n int) string {
	var b bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	b.WriteString("u,v,y,g\n")
	for range n {
		fmt.Fprintf(&b, "%v,%v,%d,%c\n", rng.NormFloat64(), rng.IntN(100), rng.IntN(2), 'a'+rng.IntN(3))
	}
	return b.String()
}

var mixed = Schema{Model: "mixed", Plates: []Plate{plate("N"), plate("D"), {Name: "G", Size: -1}},
	Fields: []Field{data("X", Real, "N", "D"), data("y", Bool, "N"), category("g", "G", "N")}}

// TestStoreMemory: what loading takes of memory does not grow with the data, and the elements lie where the file is. The same of an
// import, of which the arrays are in files as soon as they are long.
func TestStoreMemory(t *testing.T) {
	if _, err := mapFile(os.Stdin, 0, false); err != nil && strings.Contains(err.Error(), "unsupported") {
		t.Skip("files are not mapped into memory here")
	}
	allocated := func(do func()) int {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc - before.TotalAlloc)
	}
	var loads []int
	for _, n := range []int{1000, 100000} {
		store := importFile(t, &mixed, "t.csv", table(n), Options{})
		var set *Set
		loads = append(loads, allocated(func() {
			var err error
			if set, _, err = Load(mixed, []string{store}, Options{}); err != nil {
				t.Fatal(err)
			}
		}))
		if len(set.Values["X"].Real) != 2*n || len(set.Values["y"].Bool) != n || len(set.Values["g"].Cat) != n {
			t.Errorf("%d rows: %v", n, set.Sizes)
		}
	}
	if loads[1] > loads[0]+4096 { // 2 MB of elements more
		t.Errorf("1000 rows took %d bytes, 100000 took %d", loads[0], loads[1])
	}
}

// TestStoreIsNotWritten: the mapping is read-only, and a transformation works on a copy.
func TestStoreIsNotWritten(t *testing.T) {
	store := importFile(t, &mixed, "t.csv", table(100), Options{})
	before, err := os.ReadFile(store)
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := Load(mixed, []string{store}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	changed, _, err := Load(mixed, []string{store}, Options{Transform: []string{"standardise:X", "intercept:X", "binarise:y"}})
	if err != nil {
		t.Fatal(err)
	}
	if x := changed.Values["X"].Real; x[0] != 1 || math.Abs(x[2]) > 3 || len(x) != 300 {
		t.Errorf("not standardised: %v", x[:6])
	}
	after, _ := os.ReadFile(store)
	if !bytes.Equal(before, after) {
		t.Error("the store was changed")
	}
	if hostLittle {
		x := plain.Values["X"].Real
		err := guarded(func() error { x[0] = 0; return nil })
		if err == nil {
			t.Error("the elements of a store can be written to")
		}
	}
}

// TestRoom: arrays that lie in files are as others are, however they grow.
func TestRoom(t *testing.T) {
	m := &room{dir: t.TempDir(), least: 64}
	defer m.close()
	var a []float64
	var b []int32
	for i := range 100000 {
		a, b = push(m, a, float64(i)), push(m, b, int32(-i))
	}
	for i := range a {
		if a[i] != float64(i) || b[i] != int32(-i) {
			t.Fatalf("element %d is %v and %v", i, a[i], b[i])
		}
	}
	if z := alloc[bool](m, 1000); len(z) != 1000 || slices.Contains(z, true) {
		t.Error("alloc gives no zeros")
	}
	if names, _ := os.ReadDir(m.dir); len(names) > 0 {
		t.Errorf("the files have names: %v", names)
	}
	full := &room{dir: filepath.Join(m.dir, "none"), least: 1}
	if err := guarded(func() error { alloc[int](full, 10); return nil }); err == nil || !strings.Contains(err.Error(), "a temporary file: ") {
		t.Errorf("a room that is nowhere: %v", err)
	}
}

// TestBrokenStores: a store that is cut short, or of which a byte is another, is refused; what fills the space between blocks aside.
func TestBrokenStores(t *testing.T) {
	for _, schema := range []*Schema{&mixed, nil} {
		whole := importFiles(t, schema, files{"t.csv": table(9)}, Options{})
		load := func(text string) (*Set, error) {
			got, _, err := loadFiles(Schema{Model: "m", Plates: []Plate{plate("N"), {Name: "G", Size: -1}}, Fields: mixed.Fields[1:]}, files{"a.gmd": text}, Options{})
			return got, err
		}
		want, err := load(whole)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			if _, err := load(whole[:i]); err == nil {
				t.Fatalf("%d bytes of %d are read", i, len(whole))
			}
			other := []byte(whole)
			other[i] ^= 1 << (i % 8)
			if got, err := load(string(other)); err == nil && !cmp.Equal(got, want) {
				t.Fatalf("with another byte %d it is read", i)
			} else if err == nil && whole[i] != 0 {
				t.Fatalf("byte %d counts for nothing", i)
			}
		}
	}
	// The same where the file is mapped: its length is looked at before what lies behind its end.
	store := importFile(t, &mixed, "t.csv", table(5000), Options{})
	for _, size := range []int64{70000, 5000, 4096, 100, 20} {
		if err := os.Truncate(store, size); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Load(mixed, []string{store}, Options{}); err == nil || !strings.Contains(err.Error(), "cut short") && !strings.Contains(err.Error(), "no data store") {
			t.Errorf("cut to %d bytes: %v", size, err)
		}
	}
	// Cut while it is mapped: a fault, which is an error as long as the reader is at work.
	f, err := os.OpenFile(store, os.O_RDWR|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 16); err != nil {
		t.Fatal(err)
	}
	if b, err := mapFile(f, 1<<16, false); err == nil {
		if err := f.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if err := guarded(func() error { return fmt.Errorf("read %d", b[9]) }); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("a file that was cut short: %v", err)
		}
		_ = unmap(b)
	}
}

// packStore makes a store of a header and what follows, with checksums that are right wherever there is something to sum.
func packStore(header string, body []byte) []byte {
	var head StoreHeader
	if json.Unmarshal([]byte(header), &head) != nil || len(head.Arrays) > 50 {
		return nil
	}
	build := func() []byte {
		text, _ := json.Marshal(head)
		out := make([]byte, align(int64(storeHead+len(text))))
		copy(out, storeMagic)
		binary.LittleEndian.PutUint32(out[8:], storeVersion)
		binary.LittleEndian.PutUint32(out[12:], crc32.Checksum(text, crcTable))
		binary.LittleEndian.PutUint64(out[16:], uint64(len(text)))
		copy(out[storeHead:], text)
		return append(out, body...)
	}
	for i := range head.Arrays { // checksums of a fixed length, and offsets behind the header
		for k := range head.Arrays[i].Lengths {
			head.Arrays[i].Lengths[k].CRC = "00000000"
		}
		head.Arrays[i].Data.CRC = "00000000"
	}
	text := build()
	for i := range head.Arrays {
		s := &head.Arrays[i]
		count, at := 1, 0
		for _, n := range s.Shape {
			if n != -1 {
				count *= n
				continue
			}
			if at == len(s.Lengths) {
				break
			}
			b, err := storeBlock(s.Lengths[at], count, 8, text)
			if count < 0 || err != nil {
				break
			}
			s.Lengths[at].CRC = fmt.Sprintf("%08x", crc32.Checksum(b, crcTable))
			at, count = at+1, 0
			for _, v := range view[int64](b) {
				count += int(v)
			}
		}
		if count >= 0 && count <= len(text) {
			if b, err := storeBlock(s.Data, count, storeTypes[s.Type], text); err == nil {
				s.Data.CRC = fmt.Sprintf("%08x", crc32.Checksum(b, crcTable))
			}
		}
	}
	return build()
}

func FuzzStore(f *testing.F) {
	for _, s := range []files{
		{"t.csv": table(3)},
		{"a.json": `{"X": [[1,2],[3,4]], "y": [true, false], "n": [1, 2], "g": ["a", "b"], "docs": 1, "words": [2], "m": [[1,2],[3,4]], "s": -1.5e3}`},
		{"a.json": `{"m": [[[1],[2]],[[3]]], "N": 1, "words": [2,1]}`},
		{"docword.a.txt": "2\n3\n2\n1 1 1\n2 3 2\n"},
	} {
		ld := s.loader()
		ld.bare = true
		arrays, err := ld.importFiles(nil, s.data(Options{}), Options{})
		if err != nil {
			f.Fatal(err)
		}
		var m memory
		if err := fillStore(&m, arrays); err != nil {
			f.Fatal(err)
		}
		size := binary.LittleEndian.Uint64(m.bytes[16:])
		header := string(m.bytes[storeHead:][:size])
		from := align(int64(storeHead + size))
		f.Add(header, m.bytes[from:])
		f.Add(strings.ReplaceAll(header, "float64", "int64"), m.bytes[from:])
		f.Add(strings.ReplaceAll(header, "[2", "[-1"), m.bytes[from:])
	}
	f.Add(`{"arrays":[{"name":"X","type":"float64","shape":[1152921504606846976,8],"data":{"offset":192}}]}`, make([]byte, 64))
	f.Add(`{"arrays":[{"name":"X","type":"float64","shape":[0,1000000000],"data":{"offset":192}},{"name":"y","type":"bool","shape":[4],"data":{"offset":9223372036854775744}}]}`, make([]byte, 64))
	f.Add(`{"arrays":[{"name":"m","type":"int64","shape":[2,-1,-1],"data":{"offset":320},"lengths":[{"offset":320},{"offset":320}]}]}`, make([]byte, 64))
	f.Add(`{"arrays":[{"name":"g","type":"category","shape":[],"data":{"offset":192},"levels":["a","a"],"declared":true,"size":-1}]}`, make([]byte, 64))
	f.Add(`{"arrays":[{"name":"words","type":"float64","shape":[4],"data":{"offset":192}},{"name":"vocab_levels","type":"names","shape":[1],"levels":["a"]}]}`, make([]byte, 64))
	bag := everything
	bag.Fields = append([]Field{category("x", "vocab", "docs", "words")}, everything.Fields...)
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		text := packStore(header, body)
		check(t, everything, "a.gmd", text, fuzzSizes)
		check(t, bag, "a.gmd", text, Options{})
		check(t, everything, "a.gmd", []byte(header), fuzzSizes) // whatever it is
	})
}

// TestLyingStores: stores with right checksums that hold what they should not.
func TestLyingStores(t *testing.T) {
	words := func(x ...uint64) (b []byte) {
		for _, w := range x {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return append(b, make([]byte, 512)...)
	}
	nan := math.Float64bits(math.NaN())
	for _, tt := range []struct {
		array string // of the header; the body begins at byte 1024
		body  []byte
		want  string
	}{
		{`"name":"y","type":"float64","shape":[3]`, words(0, nan, 0), "y: element [2] is none of the type float64"},
		{`"name":"y","type":"float64","shape":[2,2]`, words(0, 0, math.Float64bits(math.Inf(-1)), 0), "y: element [2, 1] is none of the type float64"},
		{`"name":"b","type":"bool","shape":[9]`, words(0, 2), "b: element [9] is none of the type bool"},
		{`"name":"n","type":"int64","shape":[2]`, words(1, 1<<53+1), "n: element [2] is none of the type int64"},
		{`"name":"g","type":"category","shape":[2],"size":3`, words(1 << 63), "g: element [2] is none of the type category"},
		{`"name":"g","type":"category","shape":[2],"size":3`, words(3), "g: element [1] is none of the type category"},
		{`"name":"g","type":"category","shape":[2],"levels":["a","b"]`, words(2), "g: element [1] is none of the type category"},
		{`"name":"g","type":"category","shape":[2]`, words(1<<63 + 7), "g: element [2] is none of the type category"},
		{`"name":"g","type":"category","shape":[2],"size":-1`, words(0), "g: has -1 categories, which cannot be"},
		{`"name":"g","type":"category","shape":[2],"levels":["a","a"],"declared":true`, words(1 << 32), `the levels of g[2] is "a", like the levels of g[1]`},
		{`"name":"y","type":"complex","shape":[2]`, words(0), `y: has the type "complex", which is none`},
		{`"name":"y","type":"float64","shape":[-2]`, words(0), "y: has the shape [-2], which cannot be"},
		{`"name":"y","type":"float64","shape":[4294967296,4294967296,16]`, words(0), "y: has the shape [4294967296 4294967296 16], which cannot be"},
		{`"name":"y","type":"float64","shape":[1000]`, words(0), "y: lies beyond the end of the file"},
		{`"name":"y","type":"float64","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]`, words(0), "y: has 17 dimensions"},
		{`"name":"y","type":"float64","shape":[1000000000,0]`, words(0), "y has no elements, but is 1000000000 x 0"},
		{`"name":"y","type":"float64","shape":[2,-1]`, words(0), "y: has fewer blocks of lengths than dimensions of uneven lists"},
		{`"name":"y","type":"float64","shape":[2,-1],"lengths":[{"offset":1024}]`, words(3, 1<<64-1), "y: has a list of -1 elements, which cannot be"},
		{`"name":"y","type":"float64","shape":[2,-1],"lengths":[{"offset":1024}]`, words(1, 1<<40), "y: has a list of 1099511627776 elements, which cannot be"},
		{`"name":"y","type":"float64","shape":[2],"columns":["a"]`, words(0, 0), "y: has the names of 1 columns and the shape [2]"},
		{`"name":"G_levels","type":"names","shape":[3],"levels":["a","b"]`, nil, "G_levels: has 2 names and the shape [3]"},
		{`"name":"y","type":"bool","shape":[2]`, words(0), "y holds booleans, but an element of it is a number"},
		{`"name":"b","type":"float64","shape":[1]`, words(math.Float64bits(2)), "b[1] is 2, not 0, 1, true or false"},
		{`"name":"G","type":"float64","shape":[]`, words(math.Float64bits(-1)), "G is -1, not a size"},
	} {
		var text []byte
		for pad := ""; len(text)-len(tt.body) < 1024; pad += "x" { // a name that says nothing makes the header long enough
			text = packStore(`{"arrays":[{"name":"`+pad+`","type":"names","shape":[0]},{`+tt.array+`,"data":{"offset":1024}}]}`, tt.body)
			if text == nil {
				t.Fatalf("%s is no header", tt.array)
			}
		}
		s := Schema{Model: "m", Plates: []Plate{plate("N"), {Name: "G", Size: -1}}, Fields: []Field{
			data("y", Real, "N"), data("b", Bool, "N"), data("n", Int, "N"), category("g", "G", "N")}}
		_, _, err := loadFiles(s, files{"a.gmd": string(text)}, Options{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.array, err, tt.want)
		}
	}
	if _, _, err := loadFiles(single, files{"a.gmd": storeMagic + "\x02" + strings.Repeat("\x00", 100)}, Options{}); err == nil || !strings.Contains(err.Error(), "is a data store of version 2, and this program reads version 1") {
		t.Errorf("another version: %v", err)
	}
}

// TestStoreTypes: what a model reads as another type than the store's is converted; blocks of many lengths lie where they should.
func TestStoreTypes(t *testing.T) {
	ints := Schema{Model: "ints", Plates: []Plate{plate("N")}, Fields: []Field{data("v", Int, "N")}}
	store := importFiles(t, &ints, files{"a.json": `{"v": [1, -2, 3]}`}, Options{})
	got, _, err := loadFiles(Schema{Model: "reals", Plates: ints.Plates, Fields: []Field{data("v", Real, "N")}}, files{"a.gmd": store}, Options{})
	if err != nil || !slices.Equal(got.Values["v"].Real, []float64{1, -2, 3}) {
		t.Errorf("integers as reals: %v, %v", got, err)
	}
	var b strings.Builder
	docs := 1000
	fmt.Fprintf(&b, "%d\n7\n%d\n", docs, 2*docs)
	for d := range docs {
		fmt.Fprintf(&b, "%d %d 2\n%d %d 1\n", d+1, d%7+1, d+1, (d+3)%7+1)
	}
	in := files{"docword.a.txt": b.String()}
	want, _, err := loadFiles(lda, in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Schema{&lda, nil} {
		got, _, err := loadFiles(lda, files{"a.gmd": importFiles(t, s, in, Options{})}, Options{})
		if err != nil || !cmp.Equal(want, got, cmpopts.EquateEmpty()) {
			t.Errorf("%d documents differ: %v", docs, err)
		}
	}
}

// TestBareGaps: a column with gaps is left out, whatever it holds; a NaN is no gap.
func TestBareGaps(t *testing.T) {
	in := files{"a.csv": "x,label,y,flag\n1,a,2,T\nNA,b,3,F\n3,,4,\n"}
	ld := in.loader()
	ld.bare = true
	arrays, err := ld.importFiles(nil, []string{"a.csv"}, Options{})
	if err != nil || len(arrays) != 1 || arrays[0].Name != "y" {
		t.Errorf("%v, %v", arrays, err)
	}
	ld = files{"a.csv": "x\n1\nNaN\n"}.loader()
	ld.bare = true
	if _, err := ld.importFiles(nil, []string{"a.csv"}, Options{}); err == nil || !strings.Contains(err.Error(), "a.csv:3: x[2] is NaN, not a finite number") {
		t.Errorf("a NaN: %v", err)
	}
	ld = files{"a.json": `{"b": [true, 2]}`}.loader()
	ld.bare = true
	if _, err := ld.importFiles(nil, []string{"a.json"}, Options{}); err == nil || !strings.Contains(err.Error(), "a.json:1: b[2] is 2 among booleans") {
		t.Errorf("a number among booleans: %v", err)
	}
}

// FuzzImport: whatever is imported without a model is refused, or a store that can be read.
func FuzzImport(f *testing.F) {
	names := []string{"a.csv", "a.json", "a.R", "docword.a.txt", "a.ldac", "a.mtx", "a.npy", "a.gmd"}
	for i, text := range []string{
		"y,n,g,X.1,X.2,z.2\n1,2,a,3.5,4,1\nFALSE,3,b,5,6e1,2\n", `{"X": [[1,2],[3,4]], "y": [true, false], "g": ["a", "b"], "w": [[1],[2,3]], "e": [], "s": 1}`,
		"x <- structure(c(1,2,3,4), .Dim = c(2L, 2L))\ny <- c(\"a\", \"b\")\nz <- TRUE", "2\n3\n2\n1 1 1\n2 3 2\n", "2 0:1 2:1\n0\n",
		"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n", npy("'<f8'", "True", "(1,1)", "12345678"), "gibbsgmd\x01",
	} {
		f.Add(i, []byte(text))
	}
	f.Add(0, []byte("X,X.1,X.2,X.1.1\n1,2,3,4\n"))
	f.Add(0, []byte("\"a\",b\n\"1\n2\",T\n,F\n"))
	f.Add(1, []byte(`{"w": [[[1,2]],[],[[3],[]]], "w": 1, "b": [true, 2]}`))
	f.Fuzz(func(t *testing.T, i int, text []byte) {
		if i < 0 || i >= len(names) {
			return
		}
		in := files{names[i]: string(text)}
		for _, columns := range [][]string{nil, {"C=n,z.2", "D=y"}} {
			ld := in.loader()
			ld.bare = true
			arrays, err := ld.importFiles(nil, []string{names[i]}, Options{Set: []string{"vocab=5"}, Columns: columns})
			if err != nil {
				continue
			}
			var m memory
			if err := fillStore(&m, arrays); err != nil {
				continue // names that are not UTF-8
			}
			head, err := parseStore(m.bytes)
			if err != nil || len(head.Arrays) != len(arrays) {
				t.Fatalf("%d arrays: %v", len(arrays), err)
			}
			for k := range head.Arrays {
				if _, err := storeArray(&head.Arrays[k], m.bytes, "a.gmd"); err != nil {
					t.Errorf("%s: %v", head.Arrays[k].Name, err)
				}
			}
		}
	})
}
