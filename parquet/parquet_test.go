// This file tests draws and tables there and back.

package parquet

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// chain writes a chain of n draws of mu and S, as gibbsgen run does: draw i of chain c has (c+1)·1000 + i and its square roots.
func chain(t *testing.T, dir string, c, n int) string {
	t.Helper()
	path := filepath.Join(dir, fmt.Sprintf("m-%d.csv", c+1))
	w, err := runtime.CreateCmdStan(path, runtime.CmdStanHeader{Model: "m", Chain: c, Options: runtime.Options{Draws: n}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin([]string{"mu", "S.1.1", "S.2.1"}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		x := float64((c+1)*1000 + i)
		if err := w.Draw(-x, []float64{x, math.Sqrt(x), 1 / x}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// read returns the columns of a Parquet file.
func read(t *testing.T, path string) (names []string, columns map[string][]float64, groups int) {
	t.Helper()
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.ReadTable(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	columns = map[string][]float64{}
	for i := range int(table.NumCols()) {
		c := table.Column(i)
		names = append(names, c.Name())
		for _, chunk := range c.Data().Chunks() {
			switch a := chunk.(type) {
			case *array.Float64:
				columns[c.Name()] = append(columns[c.Name()], a.Float64Values()...)
			case *array.Int32:
				for _, v := range a.Int32Values() {
					columns[c.Name()] = append(columns[c.Name()], float64(v))
				}
			}
		}
	}
	return names, columns, f.NumRowGroups()
}

func TestDraws(t *testing.T) {
	dir := t.TempDir()
	for c, n := range []int{25, 30, 25, 25, 25, 25, 25, 25, 25, 25, 25} { // the second is cut
		chain(t, dir, c, n)
	}
	if err := os.WriteFile(filepath.Join(dir, "z_1.csv"), []byte("draw,i1,value\n1,1,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	files, err := ChainFiles(dir)
	if err != nil || len(files) != 11 || !strings.HasSuffix(files[10], "m-11.csv") || !strings.HasSuffix(files[1], "m-2.csv") {
		t.Fatalf("%v, %v", files, err)
	}
	out := filepath.Join(dir, "m.parquet")
	defer func(most int) { groupMost = most }(groupMost)
	groupMost = 4 * 40 // rows, of four columns
	n, err := Draws(context.Background(), files, out)
	if err != nil || n != 25 {
		t.Fatalf("%d draws: %v", n, err)
	}
	names, columns, groups := read(t, out)
	if want := []string{"log_joint", "mu", "S[1,1]", "S[2,1]", ".chain", ".iteration", ".draw"}; !slices.Equal(names, want) {
		t.Errorf("columns %v, want %v", names, want)
	}
	if want := (11*25 + 39) / 40; groups != want {
		t.Errorf("%d row groups, want %d", groups, want)
	}
	for i := range 11 * 25 {
		c, k := i/25, i%25
		x := float64((c+1)*1000 + k)
		got := []float64{}
		for _, name := range names {
			got = append(got, columns[name][i])
		}
		if want := []float64{-x, x, math.Sqrt(x), 1 / x, float64(c + 1), float64(k + 1), float64(i + 1)}; !slices.Equal(got, want) {
			t.Fatalf("row %d is %v, want %v", i, got, want)
		}
	}
}

func TestDrawsErrors(t *testing.T) {
	dir := t.TempDir()
	good := chain(t, dir, 0, 5)
	other := filepath.Join(dir, "other.csv")
	for _, text := range []string{"", "a,b\n", "a,b\n1,2\n", "a,b\n1,x\n"} {
		if err := os.WriteFile(other, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Draws(context.Background(), []string{good, other}, filepath.Join(dir, "o.parquet")); err == nil || !strings.Contains(err.Error(), "other.csv") {
			t.Errorf("%q: %v", text, err)
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Draws(stopped, []string{good}, filepath.Join(dir, "o.parquet")); err == nil {
		t.Error("it does not stop")
	}
	if _, err := Draws(context.Background(), []string{good}, dir); err == nil {
		t.Error("a directory is replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*parquet*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestTable: what a sampler reads from the CSV is what is in the Parquet table.
func TestTable(t *testing.T) {
	mem := memory.DefaultAllocator
	n := 3*batchRows + 17
	fields := []arrow.Field{
		{Name: "X", Type: arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float64)},
		{Name: "k", Type: arrow.PrimitiveTypes.Int64},
		{Name: "y", Type: arrow.FixedWidthTypes.Boolean},
		{Name: "g", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}},
		{Name: "f", Type: arrow.PrimitiveTypes.Float32},
		{Name: "gap", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	}
	s := arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(mem, s)
	var batches []arrow.RecordBatch // a row group each: of a batch that the writer of v18.8 cuts itself, lists of a fixed length come out wrong
	names := []string{"north, east", "a \"quoted\" one", "sud"}
	for i := range n {
		list := b.Field(0).(*array.FixedSizeListBuilder)
		list.Append(true)
		list.ValueBuilder().(*array.Float64Builder).AppendValues([]float64{math.Sqrt(float64(i)), -1 / (float64(i) + 3)}, nil)
		b.Field(1).(*array.Int64Builder).Append(int64(i) << 30)
		b.Field(2).(*array.BooleanBuilder).Append(i%3 == 0)
		if err := b.Field(3).(*array.BinaryDictionaryBuilder).AppendString(names[i%3]); err != nil {
			t.Fatal(err)
		}
		b.Field(4).(*array.Float32Builder).Append(float32(i) / 3)
		if i == 5 {
			b.Field(5).AppendNull()
		} else {
			b.Field(5).(*array.Float64Builder).Append(1)
		}
		if (i+1)%5000 == 0 || i == n-1 {
			batches = append(batches, b.NewRecordBatch())
		}
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "t.parquet"), filepath.Join(dir, "t.csv")
	write(t, in, s, batches...)
	if rows, err := Table(context.Background(), in, out); err != nil || rows != int64(n) {
		t.Fatalf("%d rows: %v", rows, err)
	}
	schema := dataio.Schema{Model: "m", Plates: []dataio.Plate{{Name: "N", Size: -1}, {Name: "D", Size: -1}, {Name: "G", Size: -1}},
		Fields: []dataio.Field{{Name: "X", Kind: dataio.Real, Dims: []string{"N", "D"}}, {Name: "k", Kind: dataio.Int, Dims: []string{"N"}}, {Name: "y", Kind: dataio.Bool, Dims: []string{"N"}},
			{Name: "g", Kind: dataio.Category, Of: "G", Dims: []string{"N"}}, {Name: "f", Kind: dataio.Real, Dims: []string{"N"}}}}
	set, _, err := dataio.Load(schema, []string{out}, dataio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(set.Levels["G"], names) || set.Sizes["D"] != 2 {
		t.Errorf("levels %q, sizes %v", set.Levels["G"], set.Sizes)
	}
	for i := range n {
		v := func(f string) *dataio.Value { return set.Values[f] }
		if v("X").Real[2*i] != math.Sqrt(float64(i)) || v("X").Real[2*i+1] != -1/(float64(i)+3) || v("k").Int[i] != i<<30 || v("y").Bool[i] != (i%3 == 0) ||
			int(v("g").Cat[i]) != i%3 || v("f").Real[i] != float64(float32(i)/3) {
			t.Fatalf("row %d differs: %v, %v, %v, %v, %v", i, v("X").Real[2*i:2*i+2], v("k").Int[i], v("y").Bool[i], v("g").Cat[i], v("f").Real[i])
		}
	}
	text, _ := os.ReadFile(out)
	if lines := strings.Split(string(text), "\n"); !strings.HasSuffix(lines[6], ",") || lines[0] != "X.1,X.2,k,y,g,f,gap" {
		t.Errorf("the header is %q, the sixth row %q", lines[0], lines[6])
	}
	// Damaged: cut short, or with other bytes.
	whole, _ := os.ReadFile(in)
	bad := filepath.Join(dir, "bad.parquet")
	for k := range 40 {
		broken := slices.Clone(whole[:len(whole)*k/40])
		if k%2 == 1 {
			broken = slices.Clone(whole)
			for i := k; i < len(broken); i += 997 {
				broken[i] ^= 0x55
			}
		}
		if err := os.WriteFile(bad, broken, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Table(context.Background(), bad, filepath.Join(dir, "bad.csv")); err == nil || !strings.Contains(err.Error(), "bad.parquet: ") {
			t.Errorf("damaged file %d: %v", k, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "bad.csv*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTableRefuses(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "t.parquet")
	s := arrow.NewSchema([]arrow.Field{{Name: "words", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32)}, {Name: "blob", Type: arrow.BinaryTypes.Binary}}, nil)
	write(t, in, s)
	_, err := Table(context.Background(), in, filepath.Join(dir, "t.csv"))
	if err == nil || !strings.Contains(err.Error(), "the column words is of list<") || !strings.Contains(err.Error(), "the column blob is of binary") {
		t.Error(err)
	}
}

// write writes a Parquet file, a row group for each batch.
func write(t *testing.T, path string, s *arrow.Schema, batches ...arrow.RecordBatch) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(s, f, parquet.NewWriterProperties(), pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
