// This file holds draws in long format: a row for each element of each draw, for what has no fixed number of elements or too
// many for columns.
//
//	draw,i1,i2,value
//	1,1,1,17
//
// All count from 1. The file has its name once it is complete; before, it ends in .partial.

package cli

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// A longFile is being written.
type longFile struct {
	path  string
	file  *os.File
	out   *bufio.Writer
	u     *runtime.Unknown // of the current draw
	ix    []int
	row   []byte
	draws int
	visit func(i int) error // kept, since making it allocates
}

func createLong(path string, u *runtime.Unknown) (*longFile, error) {
	file, err := os.Create(path + ".partial")
	if err != nil {
		return nil, fmt.Errorf("draws of %s: %w", u.Name, err)
	}
	f := &longFile{path: path, file: file, out: bufio.NewWriterSize(file, 1<<16), ix: make([]int, len(u.Dims))}
	f.visit = f.element
	_, err = f.out.WriteString("draw," + indexHeader(len(u.Dims)) + "value\n")
	if err != nil {
		f.abort()
		return nil, f.explain(err)
	}
	return f, nil
}

// indexHeader is i1,i2,... with a comma after each.
func indexHeader(n int) string {
	var b []byte
	for k := range n {
		b = append(strconv.AppendInt(append(b, 'i'), int64(k)+1, 10), ',')
	}
	return string(b)
}

// draw writes the rows of one draw.
func (f *longFile) draw(u *runtime.Unknown) error {
	f.draws++
	f.u = u
	return f.explain(u.Walk(f.ix, f.visit))
}

func (f *longFile) element(i int) error {
	b := strconv.AppendInt(f.row[:0], int64(f.draws), 10)
	for _, k := range f.ix {
		b = strconv.AppendInt(append(b, ','), int64(k)+1, 10)
	}
	b = append(b, ',')
	if f.u.Real != nil {
		b = strconv.AppendFloat(b, f.u.Real[i], 'g', -1, 64)
	} else {
		b = strconv.AppendInt(b, int64(f.u.Value(i)), 10)
	}
	f.row = append(b, '\n')
	_, err := f.out.Write(f.row)
	return err
}

// close gives the file its name.
func (f *longFile) close() error {
	err := f.out.Flush()
	if err == nil {
		err = f.file.Close()
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		f.abort()
	}
	return f.explain(err)
}

// abort removes the unfinished file.
func (f *longFile) abort() {
	f.file.Close() // it may be closed already
	os.Remove(f.file.Name())
}

func (f *longFile) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write draws to %s: %w", filepath.Base(f.path), err)
}
