// This file holds gibbsgen top: of an array whose last axis has names, the largest posterior means.

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

type topCmd struct {
	Dir      string `arg:"" help:"The directory that gibbsgen run has written."`
	Variable string `arg:"" help:"An array whose last axis has names: words, columns of a CSV file."`

	N int `short:"n" default:"10" help:"How many of each row."`
}

func (topCmd) Help() string {
	return `Prints, for each row of an array, the elements with the largest posterior means under their names: the top words of each topic. Each chain has a table of its own: the rows of different chains need not mean the same, so they are not averaged.

Examples:

    gibbsgen run specs/lda.gm --chains=2 && gibbsgen top lda-draws beta
    gibbsgen top -n 20 lda-draws beta`
}

// Validate reports a number that makes no sense.
func (cmd *topCmd) Validate() error {
	if cmd.N < 1 {
		return fmt.Errorf("-n %d: it must be at least 1", cmd.N)
	}
	return nil
}

// Run prints the tables.
func (cmd *topCmd) Run(c console) error {
	d, err := openDraws(cmd.Dir)
	if err != nil {
		return err
	}
	shape, err := d.shape(cmd.Variable)
	if err != nil {
		return err
	}
	if len(shape.Dims) == 0 {
		return fmt.Errorf("%s is one number: top wants an array", cmd.Variable)
	}
	last := shape.Dims[len(shape.Dims)-1]
	if len(d.Levels.Levels[last]) == 0 {
		return fmt.Errorf("the elements of %s, the last axis of %s, have no names: the data give none (a vocabulary, the header of a CSV file, %s_levels in JSON)", last, cmd.Variable, last)
	}
	chains, err := d.means(cmd.Variable, len(shape.Dims))
	if err != nil {
		return err
	}
	for chain, rows := range chains {
		if chain > 0 {
			fmt.Fprintln(c.stdout)
		}
		fmt.Fprintf(c.stdout, "chain %d: largest posterior means of %s\n", chain+1, cmd.Variable)
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		for _, row := range rows {
			name := cmd.Variable
			if len(row.at) > 0 {
				var labels []string
				for k, i := range row.at {
					labels = append(labels, d.label(shape.Dims[k], i))
				}
				name += "[" + strings.Join(labels, ",") + "]"
			}
			fmt.Fprint(w, name)
			for _, i := range row.top(cmd.N) {
				fmt.Fprintf(w, "\t%s %s", d.label(last, i), strconv.FormatFloat(row.mean[i], 'g', 3, 64))
			}
			fmt.Fprintln(w)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// A meanRow is one row of an array of means.
type meanRow struct {
	at   []int // all indices but the last
	mean []float64
}

// top returns the positions of the n largest means, the largest first; equal ones in order.
func (r *meanRow) top(n int) []int {
	order := make([]int, 0, len(r.mean))
	for i, m := range r.mean {
		if !math.IsNaN(m) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case r.mean[a] > r.mean[b]:
			return -1
		case r.mean[a] < r.mean[b]:
			return 1
		}
		return 0
	})
	return order[:min(n, len(order))]
}

// A meanTable collects the rows of one chain.
type meanTable struct {
	rows []*meanRow
	find map[string]*meanRow
}

// set notes the mean of an element.
func (t *meanTable) set(ix []int, x float64) error {
	key := fmt.Sprint(ix[:len(ix)-1])
	row := t.find[key]
	if row == nil {
		row = &meanRow{at: slices.Clone(ix[:len(ix)-1])}
		if t.find == nil {
			t.find = map[string]*meanRow{}
		}
		t.find[key] = row
		t.rows = append(t.rows, row)
	}
	i := ix[len(ix)-1]
	if i > len(row.mean)+1<<20 {
		return fmt.Errorf("element %d comes right after element %d", i+1, len(row.mean))
	}
	for len(row.mean) <= i {
		row.mean = append(row.mean, math.NaN())
	}
	row.mean[i] = x
	return nil
}

// means returns each chain's posterior means of an array: from its moments, or from its columns.
func (d *drawDir) means(variable string, axes int) ([][]*meanRow, error) {
	var out [][]*meanRow
	for _, path := range d.chains(func(chain int) string { return fmt.Sprintf("moments_%d.csv", chain+1) }) {
		t, err := d.fromMoments(path, variable, axes)
		if err != nil {
			return nil, err
		}
		if len(t.rows) > 0 {
			out = append(out, t.rows)
		}
	}
	if out != nil {
		return out, nil
	}
	for _, path := range d.chains(func(chain int) string { return fmt.Sprintf("%s-%d.csv", d.Model, chain+1) }) {
		t, err := fromColumns(path, variable, axes)
		if err != nil {
			return nil, err
		}
		if len(t.rows) > 0 {
			out = append(out, t.rows)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("%s has no means of %s: what changes its size from draw to draw, and categories, have none", d.path, variable)
	}
	return out, nil
}

// fromMoments reads a variable's means from a file of moments.
func (d *drawDir) fromMoments(path, variable string, axes int) (*meanTable, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, pathError("cannot read", path, err)
	}
	defer f.Close()
	t := &meanTable{}
	ix := make([]int, axes)
	err = readRows(path, f, "variable", []string{"mean", "sd"}, func(cells []string) error {
		if cells[0] != variable {
			return nil
		}
		if len(cells) < 3+axes {
			return fmt.Errorf("%s has %d indices", variable, axes)
		}
		for k := range ix {
			if ix[k], err = count(cells[1+k]); err != nil {
				return err
			}
		}
		x, err := strconv.ParseFloat(cells[len(cells)-2], 64)
		if err != nil {
			return fmt.Errorf("%.20q is no number", cells[len(cells)-2])
		}
		return t.set(ix, x)
	})
	return t, err
}

// fromColumns averages a variable's columns in a CmdStan file.
func fromColumns(path, variable string, axes int) (*meanTable, error) {
	names, draws, _, err := readDraws(path)
	if err != nil {
		return nil, err
	}
	t := &meanTable{}
	ix := make([]int, axes)
	for i, name := range names {
		parts := strings.Split(name, ".")
		if parts[0] != variable || len(parts) != axes+1 {
			continue
		}
		for k := range ix {
			if ix[k], err = count(parts[1+k]); err != nil {
				return nil, fmt.Errorf("%s: column %s: %w", filepath.Base(path), name, err)
			}
		}
		sum := 0.0
		for _, x := range draws[i] {
			sum += x
		}
		if err := t.set(ix, sum/float64(len(draws[i]))); err != nil {
			return nil, fmt.Errorf("%s: column %s: %w", filepath.Base(path), name, err)
		}
	}
	return t, nil
}
