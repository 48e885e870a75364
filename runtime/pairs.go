// This file holds tables over pairs of categories of which most may be empty: how often, or with what sum, each pair occurs
// in the data.

package runtime

import "slices"

// Pairs is a table over pairs (i, j), 0 <= i < rows, 0 <= j < cols, that holds only the pairs that occur: no more than
// there are data, whatever rows times cols is. It is made by NewPairs, filled by Add, and read after Done.
type Pairs struct {
	rows, cols int
	entries    []pair
	row, col   ends
}

type pair struct {
	i, j int32
	v    float64
}

// ends lists the entries of each row (or column): those of row i are at[i] up to at[i+1].
type ends struct {
	at    []int32
	other []int32
	v     []float64
}

// NewPairs returns an empty table.
func NewPairs(rows, cols int) *Pairs { return &Pairs{rows: rows, cols: cols} }

// Add adds v to the pair (i, j).
func (p *Pairs) Add(i, j int, v float64) {
	p.entries = append(p.entries, pair{int32(i), int32(j), v})
}

// Done sorts what was added, so that rows and columns can be read.
func (p *Pairs) Done() {
	slices.SortStableFunc(p.entries, func(a, b pair) int {
		if a.i != b.i {
			return int(a.i) - int(b.i)
		}
		return int(a.j) - int(b.j)
	})
	sum := p.entries[:0]
	for _, e := range p.entries {
		if n := len(sum); n > 0 && sum[n-1].i == e.i && sum[n-1].j == e.j {
			sum[n-1].v += e.v
			continue
		}
		sum = append(sum, e)
	}
	p.entries = nil
	p.row = endsOf(sum, p.rows, func(e pair) (int32, int32) { return e.i, e.j })
	p.col = endsOf(sum, p.cols, func(e pair) (int32, int32) { return e.j, e.i })
}

func endsOf(es []pair, n int, key func(pair) (int32, int32)) ends {
	out := ends{at: make([]int32, n+1), other: make([]int32, len(es)), v: make([]float64, len(es))}
	for _, e := range es {
		k, _ := key(e)
		out.at[k+1]++
	}
	for k := range n {
		out.at[k+1] += out.at[k]
	}
	next := slices.Clone(out.at)
	for _, e := range es {
		k, o := key(e)
		out.other[next[k]], out.v[next[k]] = o, e.v
		next[k]++
	}
	return out
}

// Row returns the columns j at which row i is not empty, ascending, with their values.
func (p *Pairs) Row(i int) (j []int32, v []float64) { return p.row.of(i) }

// Col returns the rows i at which column j is not empty, ascending, with their values.
func (p *Pairs) Col(j int) (i []int32, v []float64) { return p.col.of(j) }

func (e *ends) of(k int) ([]int32, []float64) {
	a, b := e.at[k], e.at[k+1]
	return e.other[a:b], e.v[a:b]
}

// At returns the value of the pair (i, j).
func (p *Pairs) At(i, j int) float64 {
	cols, v := p.Row(i)
	if k, ok := slices.BinarySearch(cols, int32(j)); ok {
		return v[k]
	}
	return 0
}

// Values returns the values of the pairs that occur, row by row.
func (p *Pairs) Values() []float64 { return p.row.v }

// Parts implements [Saver]: which pairs occur is a matter of the data.
func (p *Pairs) Parts() []any { return []any{p.row.v, p.col.v} }
