// This file holds running means and standard deviations, kept of arrays whose draws are not written:
//
//	variable,i1,i2,mean,sd
//	beta,1,1,0.0123,0.0007
//
// Indices count from 1; a variable of fewer axes leaves the last ones empty. The standard deviation has divisor n - 1.

package cli

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// moments are those of one array, by Welford's (1962) recurrence.
type moments struct {
	n    float64
	mean []float64
	m2   []float64 // sums of squared deviations
}

func newMoments(u *runtime.Unknown) *moments {
	return &moments{mean: make([]float64, u.Len()), m2: make([]float64, u.Len())}
}

// add takes the current elements in.
func (m *moments) add(u *runtime.Unknown) {
	m.n++
	w := 1 / m.n
	if u.Real != nil {
		for i, x := range u.Real {
			d := x - m.mean[i]
			m.mean[i] += d * w
			m.m2[i] += d * (x - m.mean[i])
		}
		return
	}
	for i := range m.mean {
		x := u.Value(i)
		d := x - m.mean[i]
		m.mean[i] += d * w
		m.m2[i] += d * (x - m.mean[i])
	}
}

// writeMoments writes those of the unknowns at the given positions.
func writeMoments(path string, unknowns []runtime.Unknown, at []int, sums []*moments) error {
	axes := 0
	for _, i := range at {
		axes = max(axes, len(unknowns[i].Dims))
	}
	return writeWhole(path, func(out *bufio.Writer) error {
		out.WriteString("variable," + indexHeader(axes) + "mean,sd\n")
		var row []byte
		for k, i := range at {
			u, m := &unknowns[i], sums[k]
			ix := make([]int, len(u.Dims))
			if err := u.Walk(ix, func(e int) error {
				row = append(row[:0], u.Name...)
				for k := range axes {
					row = append(row, ',')
					if k < len(ix) {
						row = strconv.AppendInt(row, int64(ix[k])+1, 10)
					}
				}
				row = strconv.AppendFloat(append(row, ','), m.mean[e], 'g', -1, 64)
				row = strconv.AppendFloat(append(row, ','), math.Sqrt(m.m2[e]/(m.n-1)), 'g', -1, 64)
				row = append(row, '\n')
				_, err := out.Write(row)
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeWhole writes a file beside its place, and moves it there when it is complete.
func writeWhole(path string, write func(*bufio.Writer) error) error {
	file, err := os.Create(path + ".partial")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	err = write(out)
	for _, next := range []func() error{out.Flush, file.Sync, file.Close, func() error { return os.Rename(file.Name(), path) }} {
		if err == nil {
			err = next()
		}
	}
	if err != nil {
		file.Close()
		os.Remove(file.Name())
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	return nil
}
