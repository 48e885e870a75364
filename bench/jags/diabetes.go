// This file holds the diabetes data and their preparation.

package jags

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/gibbsgen/gibbsgen/bench/data"
)

// A Regression is a linear regression's data.
type Regression struct {
	X     []float64 // N×D, row-major
	Y     []float64 // N
	Names []string  // D, of the columns of X
}

// D returns the number of predictors.
func (r *Regression) D() int { return len(r.Names) }

// Diabetes returns the data of Efron, Hastie, Johnstone & Tibshirani (2004), 442
// patients and 10 predictors, prepared as Park & Casella (2008) do: each column
// of X centred and scaled to unit L2 norm, y centred.
func Diabetes() (*Regression, error) {
	r, err := readRegression(bytes.NewReader(data.Diabetes))
	if err != nil {
		return nil, fmt.Errorf("diabetes.csv: %w", err)
	}
	if err := r.standardise(); err != nil {
		return nil, fmt.Errorf("diabetes.csv: %w", err)
	}
	return r, nil
}

// readRegression reads a CSV file with a header; its last column is the response.
func readRegression(in io.Reader) (*Regression, error) {
	rows := csv.NewReader(in)
	head, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if len(head) < 2 {
		return nil, fmt.Errorf("header: want predictors and a response, got %d columns", len(head))
	}
	r := &Regression{Names: head[:len(head)-1]}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		for j, text := range row {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil || v-v != 0 {
				return nil, fmt.Errorf("row %d, column %s: %q is not a finite number", len(r.Y)+1, head[j], text)
			}
			if j < r.D() {
				r.X = append(r.X, v)
			} else {
				r.Y = append(r.Y, v)
			}
		}
	}
	if len(r.Y) == 0 {
		return nil, fmt.Errorf("no rows")
	}
	return r, nil
}

// standardise centres y and the columns of X, and scales the latter to unit norm.
func (r *Regression) standardise() error {
	centre(r.Y, 0, 1)
	for j, name := range r.Names {
		norm := centre(r.X, j, r.D())
		if norm == 0 {
			return fmt.Errorf("column %s is constant", name)
		}
		for i := j; i < len(r.X); i += r.D() {
			r.X[i] /= norm
		}
	}
	return nil
}

// centre subtracts the mean of x[from], x[from+step], ... and returns the L2 norm
// of what is left.
func centre(x []float64, from, step int) float64 {
	var sum, n float64
	for i := from; i < len(x); i += step {
		sum += x[i]
		n++
	}
	var ss float64
	for i := from; i < len(x); i += step {
		x[i] -= sum / n
		ss += x[i] * x[i]
	}
	return math.Sqrt(ss)
}
