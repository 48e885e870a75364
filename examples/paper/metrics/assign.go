// Package metrics holds the measures by which Smolyakov, Liu & Fisher (2015) judge samplers: error of matched cluster centres, purity,
// perplexity.
package metrics

import (
	"fmt"
	"math"
)

// Assign solves the linear assignment problem: it gives each row of cost a column of its own so that the sum of the costs is least, and
// returns the column of each row. Of more rows than columns, as many as there are columns get one, and the others -1. Rows must have
// equal lengths and finite elements.
//
// This is the Hungarian algorithm (Kuhn 1955, Munkres 1957) by shortest augmenting paths (Edmonds & Karp 1972, Jonker & Volgenant
// 1987): O(r²·c) for r rows and c columns, r <= c. Neither gonum nor any Go package with releases that we found has it.
func Assign(cost [][]float64) ([]int, error) {
	rows := len(cost)
	if rows == 0 {
		return nil, nil
	}
	columns := len(cost[0])
	for i, row := range cost {
		if len(row) != columns {
			return nil, fmt.Errorf("metrics: row %d of the costs has %d elements, row 1 has %d", i+1, len(row), columns)
		}
		for j, c := range row {
			if math.IsNaN(c) || math.IsInf(c, 0) {
				return nil, fmt.Errorf("metrics: cost [%d,%d] is %v, must be finite", i+1, j+1, c)
			}
		}
	}
	if rows <= columns {
		return assign(rows, columns, func(i, j int) float64 { return cost[i][j] }), nil
	}
	of := make([]int, rows)
	for i := range of {
		of[i] = -1
	}
	for j, i := range assign(columns, rows, func(j, i int) float64 { return cost[i][j] }) {
		of[i] = j
	}
	return of, nil
}

// assign is Assign where no row goes without.
//
// It keeps potentials u of rows and v of columns with u[i] + v[j] <= cost(i, j), equal for the pairs so far (the linear program's dual
// is feasible, and slack is complementary: the pairs are the best of their rows). Each row in turn is brought in along the path of least
// slack that ends in a column without a row.
func assign(rows, columns int, cost func(i, j int) float64) []int {
	// Row 0 and column 0 stand for none: the row that comes in begins as the partner of column 0.
	u, v := make([]float64, rows+1), make([]float64, columns+1)
	rowOf := make([]int, columns+1)
	before := make([]int, columns+1) // the column before this one on the path
	slack := make([]float64, columns+1)
	seen := make([]bool, columns+1)
	for i := 1; i <= rows; i++ {
		for j := range slack {
			slack[j], seen[j] = math.Inf(1), false
		}
		rowOf[0] = i
		at := 0
		for rowOf[at] != 0 {
			seen[at] = true
			row, next, least := rowOf[at], 0, math.Inf(1)
			for j := 1; j <= columns; j++ {
				if seen[j] {
					continue
				}
				if s := cost(row-1, j-1) - u[row] - v[j]; s < slack[j] {
					slack[j], before[j] = s, at
				}
				if slack[j] < least {
					next, least = j, slack[j]
				}
			}
			for j := range seen {
				if seen[j] {
					u[rowOf[j]] += least
					v[j] -= least
				} else {
					slack[j] -= least
				}
			}
			at = next
		}
		for at != 0 { // each column of the path takes over the row of the one before
			rowOf[at] = rowOf[before[at]]
			at = before[at]
		}
	}
	of := make([]int, rows)
	for j := 1; j <= columns; j++ {
		if i := rowOf[j]; i != 0 {
			of[i-1] = j - 1
		}
	}
	return of
}
