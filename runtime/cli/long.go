// This file holds draws in long format: a row for each element of each draw, for what has no fixed number of elements or too
// many for columns.
//
//	draw,i1,i2,value
//	1,1,1,17
//
// All count from 1. The file has its name once it is complete; before, it ends in .partial.

package cli

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// A longFile is being written.
type longFile struct {
	path   string
	out    *runtime.Partial
	u      *runtime.Unknown // of the current draw
	ix     []int
	row    []byte
	draws  int
	synced int               // bytes of the file at the last sync
	visit  func(i int) error // kept, since making it allocates
}

func newLong(path string, u *runtime.Unknown) *longFile {
	f := &longFile{path: path, out: runtime.NewPartial(path), ix: make([]int, len(u.Dims))}
	f.visit = f.element
	return f
}

// begin creates the file.
func (f *longFile) begin() error {
	err := f.out.Create()
	if err == nil {
		_, err = f.out.Write([]byte("draw," + indexHeader(len(f.ix)) + "value\n"))
	}
	return f.explain(err)
}

// parts are what resume needs to know.
func (f *longFile) parts() []any { return []any{&f.draws, &f.synced} }

// sync puts what was drawn safely on disk.
func (f *longFile) sync() (err error) {
	f.synced, err = f.out.Sync()
	return f.explain(err)
}

// resume goes on after the last sync.
func (f *longFile) resume() error {
	if f.draws == 0 {
		return f.begin()
	}
	return f.explain(f.out.Reopen(f.synced))
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
func (f *longFile) close() error { return f.explain(f.out.Commit()) }

func (f *longFile) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write draws to %s: %w", filepath.Base(f.path), err)
}
