// This file reads Parquet tables as data: it writes them as CSV, which is what all else knows how to read.

package parquet

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// batchRows is how many rows are in memory at a time.
const batchRows = 4096

// Table writes a Parquet table as CSV with a header, row by row. Numbers are written in full, so that they are read back bit for bit; what is
// null is an empty cell, and dates and times are text. A column X of lists of one fixed length becomes the columns X.1, X.2, ..., which are a matrix
// to gibbsgen. Lists of any length, structs, maps and bytes are refused.
func Table(ctx context.Context, in, out string) (rows int64, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", in, err)
		}
	}()
	defer recovered(&err)
	f, err := file.OpenParquetFile(in, false)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: batchRows}, memory.DefaultAllocator)
	if err != nil {
		return 0, err
	}
	s, err := r.Schema()
	if err != nil {
		return 0, err
	}
	var header []string
	var problems []error
	for _, field := range s.Fields() {
		names, err := cellNames(field)
		header, problems = append(header, names...), append(problems, err)
	}
	if err := errors.Join(problems...); err != nil {
		return 0, err
	}
	return f.NumRows(), writeFile(out, func(w io.Writer) (err error) {
		defer recovered(&err)
		batches, err := r.GetRecordReader(ctx, nil, nil)
		if err != nil {
			return err
		}
		defer batches.Release()
		table := csv.NewWriter(w)
		if err := table.Write(header); err != nil {
			return err
		}
		row := make([]string, 0, len(header))
		for batches.Next() {
			if err := ctx.Err(); err != nil {
				return err
			}
			batch := batches.RecordBatch()
			for i := range int(batch.NumRows()) {
				row = row[:0]
				for _, column := range batch.Columns() {
					row = appendCells(row, column, i)
				}
				if err := table.Write(row); err != nil {
					return err
				}
			}
		}
		if err := batches.Err(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		table.Flush()
		return table.Error()
	})
}

// cellNames returns the columns of the table that a field becomes.
func cellNames(f arrow.Field) ([]string, error) {
	switch t := f.Type.(type) {
	case *arrow.FixedSizeListType:
		if _, err := cellNames(arrow.Field{Name: f.Name, Type: t.Elem()}); err != nil {
			return nil, err
		}
		var names []string
		for k := range int(t.Len()) {
			names = append(names, f.Name+"."+strconv.Itoa(k+1))
		}
		return names, nil
	case *arrow.DictionaryType:
		return cellNames(arrow.Field{Name: f.Name, Type: t.ValueType})
	case arrow.NestedType, *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.FixedSizeBinaryType:
		return nil, fmt.Errorf("the column %s is of %s: a table of data has numbers, booleans and text", f.Name, f.Type)
	}
	return []string{f.Name}, nil
}

// appendCells appends the cells of one element of a column.
func appendCells(row []string, column arrow.Array, i int) []string {
	switch a := column.(type) {
	case *array.FixedSizeList:
		for from, to := a.ValueOffsets(i); from < to; from++ {
			if a.IsNull(i) {
				row = append(row, "")
			} else {
				row = appendCells(row, a.ListValues(), int(from))
			}
		}
		return row
	case *array.Dictionary:
		if a.IsNull(i) {
			return append(row, "")
		}
		return appendCells(row, a.Dictionary(), a.GetValueIndex(i))
	}
	if column.IsNull(i) {
		return append(row, "")
	}
	switch a := column.(type) {
	case *array.Float64:
		return append(row, strconv.FormatFloat(a.Value(i), 'g', -1, 64))
	case *array.Float32:
		return append(row, strconv.FormatFloat(float64(a.Value(i)), 'g', -1, 64))
	}
	return append(row, column.ValueStr(i))
}
