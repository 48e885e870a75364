// This file writes draws as R's posterior has them in a draws_df: a row for each draw, a column for each scalar, .chain, .iteration and .draw.

package parquet

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// groupMost is how many numbers a row group has at the most, which are in memory while it is written: 32 MB.
var groupMost = 1 << 22

// Draws writes the draws of CmdStan CSV files, one a chain, to a Parquet file: columns of float64 under the names that R gives them, S[2,1] for
// S.2.1, and of int32 .chain, .iteration and .draw, which count from 1. Columns that end in __ are left out, but for lp__ where there is no
// log_joint; so is warmup that was saved. Chains that are longer than the shortest are cut to its length, as an interrupted run may leave them; the
// length is returned. The files are read row by row, and twice.
func Draws(ctx context.Context, files []string, out string) (draws int, err error) {
	r := &chains{ctx: ctx, files: files, draws: math.MaxInt}
	for chain, path := range files {
		rows := 0
		names, warmup, err := r.scan(chain, func([]float64) error { rows++; return nil })
		if err != nil {
			return 0, err
		}
		rows -= min(warmup, rows)
		switch {
		case rows == 0:
			return 0, fmt.Errorf("%s has no draws: take it out of the directory, or run it again", path)
		case chain > 0 && !slices.Equal(names, r.names):
			return 0, fmt.Errorf("%s has other columns than %s: they are not chains of one run", path, files[0])
		}
		r.names, r.warmup, r.draws = names, append(r.warmup, warmup), min(r.draws, rows)
	}
	if len(files) == 0 || r.draws > math.MaxInt32/len(files) {
		return 0, fmt.Errorf("%d chains of %d draws: there must be some, and no more than .draw can count", len(files), r.draws)
	}
	return r.draws, writeFile(out, r.write)
}

// chains are the files of one run.
type chains struct {
	ctx    context.Context
	files  []string
	names  []string
	warmup []int // rows before the draws, of each
	draws  int   // of each
}

// scan hands on the rows of one chain, warmup too.
func (r *chains) scan(chain int, row func(values []float64) error) (names []string, warmup int, err error) {
	f, err := os.Open(r.files[chain])
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	names, _, warmup, err = runtime.ScanCmdStan(f, func(values []float64) error {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		return row(values)
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", r.files[chain], err)
	}
	return names, warmup, err
}

// write writes the chains one after the other, in row groups.
func (r *chains) write(w io.Writer) error {
	var at []int // columns that are written
	var fields schema.FieldList
	for i, name := range r.names {
		if strings.HasSuffix(name, "__") && (name != "lp__" || slices.Contains(r.names, "log_joint")) {
			continue
		}
		at = append(at, i)
		fields = append(fields, schema.NewFloat64Node(RName(name), parquet.Repetitions.Required, -1))
	}
	for _, name := range []string{".chain", ".iteration", ".draw"} {
		fields = append(fields, schema.NewInt32Node(name, parquet.Repetitions.Required, -1))
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return err
	}
	out, err := file.NewParquetWriterWithError(struct{ io.Writer }{w}, root, // which it would close
		file.WithWriterProps(parquet.NewWriterProperties(
			parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(false), parquet.WithCreatedBy("gibbsgen-parquet"))))
	if err != nil {
		return err
	}
	g := group{at: at, columns: make([][]float64, len(at)), most: max(1, groupMost/max(len(at), 1)), draws: r.draws}
	for chain := range r.files {
		n := -r.warmup[chain]
		_, _, err := r.scan(chain, func(values []float64) error {
			if n++; n <= 0 || n > r.draws {
				return nil
			}
			return g.add(out, values, chain, n)
		})
		if err == nil && n < r.draws {
			err = fmt.Errorf("%s has changed while it was read: try again when its run has ended", r.files[chain])
		}
		if err != nil {
			return err
		}
	}
	if err := g.flush(out); err != nil {
		return err
	}
	return out.Close()
}

// A group is the rows of one row group.
type group struct {
	at                       []int // of the columns, in a row of the file
	columns                  [][]float64
	chain, iteration, number []int32
	most                     int // rows
	draws                    int // of a chain
}

func (g *group) add(out *file.Writer, values []float64, chain, iteration int) error {
	for i, at := range g.at {
		g.columns[i] = append(g.columns[i], values[at])
	}
	g.chain = append(g.chain, int32(chain+1))
	g.iteration = append(g.iteration, int32(iteration))
	g.number = append(g.number, int32(chain*g.draws+iteration))
	if len(g.chain) < g.most {
		return nil
	}
	return g.flush(out)
}

// flush writes the rows, if there are any.
func (g *group) flush(out *file.Writer) error {
	if len(g.chain) == 0 {
		return nil
	}
	rows, err := out.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for i := range g.columns {
		c, err := rows.NextColumn()
		if err == nil {
			_, err = c.(*file.Float64ColumnChunkWriter).WriteBatch(g.columns[i], nil, nil)
		}
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			return err
		}
		g.columns[i] = g.columns[i][:0]
	}
	for _, x := range []*[]int32{&g.chain, &g.iteration, &g.number} {
		c, err := rows.NextColumn()
		if err == nil {
			_, err = c.(*file.Int32ColumnChunkWriter).WriteBatch(*x, nil, nil)
		}
		if err == nil {
			err = c.Close()
		}
		if err != nil {
			return err
		}
		*x = (*x)[:0]
	}
	return rows.Close()
}

var indexed = regexp.MustCompile(`^([^.]+)((?:\.[1-9][0-9]*)+)$`)

// RName spells the name of a column as R does: S[1,2] for S.1.2.
func RName(name string) string {
	m := indexed.FindStringSubmatch(name)
	if m == nil {
		return name
	}
	return m[1] + "[" + strings.ReplaceAll(m[2][1:], ".", ",") + "]"
}

// ChainFiles returns the CmdStan files of a run's directory, m-10.csv after m-2.csv, or the file itself. What lies beside them, draws in long format
// and moments, is left out.
func ChainFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		name := filepath.Join(path, e.Name())
		if filepath.Ext(name) == ".csv" && e.Type().IsRegular() && !beside(name) {
			files = append(files, name)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no CmdStan CSV files: want the directory of a run", path)
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return files, nil
}

// beside reports whether a file begins like one of those that lie beside the CmdStan files.
func beside(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 12)
	n, _ := io.ReadFull(f, head)
	return bytes.HasPrefix(head[:n], []byte("draw,i1,")) || bytes.HasPrefix(head[:n], []byte("variable,"))
}
