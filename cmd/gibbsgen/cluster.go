// This file holds gibbsgen cluster: the posterior of a partition, from draws of a category over one plate. Labels count for
// nothing: two draws are the same partition if the same elements lie together.

package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gibbsgen/gibbsgen/runtime"
)

type clusterCmd struct {
	Dir      string `arg:"" help:"The directory that gibbsgen run has written."`
	Variable string `arg:"" help:"A category variable over one plate, whose draws were written: run --monitor NAME."`

	Matrix string `placeholder:"FILE" help:"Write the co-clustering matrix as CSV without a header: the probability that two elements lie together."`
	Output string `short:"o" placeholder:"FILE" help:"Write the labels of both partitions as CSV, cluster 1 being the largest."`
}

func (clusterCmd) Help() string {
	return `Prints the posterior of the number of occupied categories with its R-hat and effective sample size, the partition drawn most often, and the one among the draws with the least expected Binder loss (pairs of elements that one of two partitions has together and the other apart, counted equally). The draws of all chains are pooled.

Examples:

    gibbsgen run specs/dpmm.gm --monitor=z,clusters && gibbsgen cluster dpmm-draws z
    gibbsgen cluster --matrix=together.csv -o labels.csv dpmm-draws z`
}

// Run prints what was found and writes what was asked for.
func (cmd *clusterCmd) Run(c console) error {
	d, err := openDraws(cmd.Dir)
	if err != nil {
		return err
	}
	shape, err := d.shape(cmd.Variable)
	switch {
	case err != nil:
		return err
	case shape.Of == "":
		return fmt.Errorf("%s is no category: cluster wants one, such as the z of a mixture", cmd.Variable)
	case len(shape.Dims) != 1:
		return fmt.Errorf("%s runs over %d plates, %s: cluster wants one", cmd.Variable, len(shape.Dims), strings.Join(shape.Dims, ", "))
	}
	files := d.chains(func(chain int) string { return fmt.Sprintf("%s_%d.csv", cmd.Variable, chain+1) })
	if len(files) == 0 {
		return fmt.Errorf("%s has no draws of %s: run again with --monitor=%s", cmd.Dir, cmd.Variable, cmd.Variable)
	}
	p := newPartitions()
	for _, path := range files {
		if err := p.read(path); err != nil {
			return err
		}
	}
	if p.draws == 0 {
		return fmt.Errorf("%s has no draws in it", strings.Join(files, ", "))
	}
	together := p.together()
	mode := p.mode()
	best, loss := p.binder(together)
	if err := p.print(c.stdout, mode, best, loss); err != nil {
		return err
	}
	if cmd.Matrix != "" {
		if err := writeStream(cmd.Matrix, func(w *bufio.Writer) error { return p.writeMatrix(w, together) }); err != nil {
			return err
		}
	}
	if cmd.Output == "" {
		return nil
	}
	return writeStream(cmd.Output, func(w *bufio.Writer) error {
		fmt.Fprint(w, "element,most_frequent,least_binder\n")
		a, b := mode.labels(), best.labels()
		for i := range a {
			fmt.Fprintf(w, "%d,%d,%d\n", i+1, a[i]+1, b[i]+1)
		}
		return nil
	})
}

// clusterMost is the most elements whose co-clustering is held: four bytes for each pair.
const clusterMost = 20_000

// A partition is one that was drawn: the cluster of each element, clusters numbered from 0 as they are met.
type partition struct {
	cluster  []int32
	clusters int
	times    int
}

// partitions are all that were drawn.
type partitions struct {
	n        int // elements
	draws    int
	distinct []*partition    // in order of appearance
	find     map[string]int  // by their clusters, spelt as bytes
	occupied [][]float64     // chains × draws: number of clusters
	number   map[int32]int32 // label -> cluster, of the current draw
}

func newPartitions() *partitions {
	return &partitions{find: map[string]int{}, number: map[int32]int32{}}
}

// read takes the draws of one chain in.
func (p *partitions) read(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return pathError("cannot read", path, err)
	}
	defer f.Close()
	return p.readFrom(path, f)
}

func (p *partitions) readFrom(path string, r io.Reader) error {
	p.occupied = append(p.occupied, nil)
	var labels []int32
	draw := 0
	err := readRows(path, r, "draw", []string{"value"}, func(cells []string) error {
		if len(cells) != 3 {
			return fmt.Errorf("the file has %d indices, want 1", len(cells)-2)
		}
		d, err := count(cells[0])
		if err != nil {
			return err
		}
		i, err := count(cells[1])
		if err != nil {
			return err
		}
		label, err := count(cells[2])
		if err != nil {
			return err
		}
		if d != draw {
			if err := p.add(labels); err != nil {
				return err
			}
			labels = labels[:0]
			draw++
		}
		if d != draw || i != len(labels) {
			return fmt.Errorf("draw %d, element %d where draw %d, element %d was expected", d+1, i+1, draw+1, len(labels)+1)
		}
		if i >= clusterMost {
			return fmt.Errorf("more than %d elements: the co-clustering of all pairs would take too much memory", clusterMost)
		}
		labels = append(labels, int32(label))
		return nil
	})
	if err == nil && (draw > 0 || len(labels) > 0) {
		if err = p.add(labels); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	return err
}

// add takes a draw in.
func (p *partitions) add(labels []int32) error {
	if p.n == 0 {
		p.n = len(labels)
	}
	if len(labels) != p.n || p.n == 0 {
		return fmt.Errorf("a draw of %d elements where others have %d", len(labels), p.n)
	}
	clear(p.number)
	cluster := make([]int32, p.n)
	key := make([]byte, 0, 2*p.n)
	for i, l := range labels {
		k, ok := p.number[l]
		if !ok {
			k = int32(len(p.number))
			p.number[l] = k
		}
		cluster[i] = k
		key = append(key, byte(k), byte(k>>8)) // there are fewer than 2^16 elements
	}
	at, ok := p.find[string(key)]
	if !ok {
		at = len(p.distinct)
		p.find[string(key)] = at
		p.distinct = append(p.distinct, &partition{cluster: cluster, clusters: len(p.number)})
	}
	p.distinct[at].times++
	p.draws++
	last := len(p.occupied) - 1
	p.occupied[last] = append(p.occupied[last], float64(len(p.number)))
	return nil
}

// members returns the elements of each cluster, in order.
func (p *partition) members() [][]int32 {
	out := make([][]int32, p.clusters)
	for i, k := range p.cluster {
		out[k] = append(out[k], int32(i))
	}
	return out
}

// bySize returns the members with the largest cluster first, equal ones as they are met.
func (p *partition) bySize() [][]int32 {
	m := p.members()
	slices.SortStableFunc(m, func(a, b []int32) int { return len(b) - len(a) })
	return m
}

// labels returns the cluster of each element, 0 being the largest.
func (p *partition) labels() []int {
	out := make([]int, len(p.cluster))
	for k, m := range p.bySize() {
		for _, i := range m {
			out[i] = k
		}
	}
	return out
}

// pairs counts, for each pair of elements j < i, the draws that have them together, at i(i-1)/2 + j.
type pairs []uint32

func (p *partitions) together() pairs {
	out := make(pairs, p.n*(p.n-1)/2)
	for _, d := range p.distinct {
		for _, m := range d.members() {
			for a, i := range m {
				row := out[int(i)*(int(i)-1)/2:]
				for _, j := range m[:a] {
					row[j] += uint32(d.times)
				}
			}
		}
	}
	return out
}

// mode returns the partition drawn most often, the first of several.
func (p *partitions) mode() *partition {
	return slices.MaxFunc(p.distinct, func(a, b *partition) int { return a.times - b.times })
}

// binder returns the partition among the draws whose expected Binder (1978) loss with equal costs is least, the first of
// several, and that loss: the number of pairs on which it and a draw are expected to disagree, Σ |[i, j together] - P(i, j together)|.
func (p *partitions) binder(t pairs) (best *partition, loss float64) {
	var least, together int64
	for _, d := range p.distinct {
		if x := p.excess(t, d); best == nil || x < least {
			best, least = d, x
		}
	}
	for _, c := range t {
		together += int64(c)
	}
	return best, float64(together+least) / float64(p.draws)
}

// excess is, times the number of draws, the loss less that of having all elements apart.
func (p *partitions) excess(t pairs, d *partition) int64 {
	var sum int64
	for _, m := range d.members() {
		for a, i := range m {
			row := t[int(i)*(int(i)-1)/2:]
			for _, j := range m[:a] {
				sum += int64(p.draws) - 2*int64(row[j])
			}
		}
	}
	return sum
}

// print prints all that is said of the partitions.
func (p *partitions) print(w io.Writer, mode, best *partition, loss float64) error {
	rows, err := runtime.Summarise([]string{"occupied"}, p.chains())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%d elements; %d draws of %d chains, %d different partitions\n\n", p.n, p.draws, len(p.occupied), len(p.distinct))
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "occupied\tprobability\t\n")
	counts := map[int]int{}
	for _, chain := range p.occupied {
		for _, k := range chain {
			counts[int(k)]++
		}
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(table, "%d\t%.4f\t\n", k, float64(counts[k])/float64(p.draws))
	}
	table.Flush()
	r := rows[0]
	var mean, squares float64
	for k, n := range counts {
		mean += float64(k*n) / float64(p.draws)
	}
	for k, n := range counts {
		squares += float64(n) * (float64(k) - mean) * (float64(k) - mean)
	}
	sd := math.Sqrt(squares / float64(p.draws-1))
	fmt.Fprintf(out, "mean %.3f, sd %s, R-hat %s, ESS %s (bulk), %s (tail)\n\n", mean, number("%.3f", sd), number("%.3f", r.Rhat), number("%.0f", r.ESSBulk), number("%.0f", r.ESSTail))
	fmt.Fprintf(out, "most frequent partition: %d of %d draws\n  clusters of %s\n", mode.times, p.draws, mode.sizes())
	fmt.Fprintf(out, "least Binder loss among the draws: %.6g of %d pairs expected to disagree\n  clusters of %s\n", loss, p.n*(p.n-1)/2, best.sizes())
	return out.Flush()
}

// number prints a number, or NA for one that does not exist: of draws that are all the same, or too few.
func number(format string, x float64) string {
	if math.IsNaN(x) {
		return "NA"
	}
	return fmt.Sprintf(format, x)
}

// sizes lists the numbers of members, the largest first.
func (p *partition) sizes() string {
	var out []string
	for _, m := range p.bySize() {
		out = append(out, strconv.Itoa(len(m)))
	}
	return strings.Join(out, ", ")
}

// chains returns the number of clusters as Summarise takes it.
func (p *partitions) chains() [][][]float64 {
	var out [][][]float64
	for _, chain := range p.occupied {
		out = append(out, [][]float64{chain})
	}
	return out
}

// writeMatrix writes the probabilities that two elements lie together, a row for each element.
func (p *partitions) writeMatrix(w *bufio.Writer, t pairs) error {
	var row []byte
	for i := range p.n {
		row = row[:0]
		for j := range p.n {
			c := uint32(p.draws)
			if hi, lo := max(i, j), min(i, j); hi != lo {
				c = t[hi*(hi-1)/2+lo]
			}
			if j > 0 {
				row = append(row, ',')
			}
			row = strconv.AppendFloat(row, float64(c)/float64(p.draws), 'g', 6, 64)
		}
		if _, err := w.Write(append(row, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// writeStream writes a file beside its place, and moves it there when it is complete.
func writeStream(path string, write func(*bufio.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return pathError("cannot write", path, err)
	}
	defer os.Remove(f.Name()) // it is gone if all went well
	w := bufio.NewWriter(f)
	for _, step := range []func() error{
		func() error { return write(w) }, w.Flush, func() error { return f.Chmod(0o644) }, f.Close, func() error { return os.Rename(f.Name(), path) },
	} {
		if err := step(); err != nil {
			f.Close()
			return fmt.Errorf("cannot write %s: %w", path, err)
		}
	}
	return nil
}
