// This file holds estimates with their intervals over trials.

package main

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// An estimate is a number with its 95 % interval over trials.
type estimate struct{ value, low, high float64 }

func (e estimate) String() string {
	return number(e.value) + " [" + number(e.low) + ", " + number(e.high) + "]"
}

// number writes three digits, or all before the point.
func number(x float64) string {
	if math.Abs(x) >= 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// more writes e as what is more here than elsewhere: with its sign.
func (e estimate) more() string {
	if e.value >= 0 {
		return "+" + e.String()
	}
	return e.String()
}

// mean is that of independent trials, with Student's interval.
func mean(x []float64) estimate {
	m, sd := stat.MeanStdDev(x, nil)
	return student(m, sd/math.Sqrt(float64(len(x))), len(x)-1)
}

func student(value, se float64, df int) estimate {
	if df < 1 || math.IsNaN(se) {
		return estimate{value, math.NaN(), math.NaN()}
	}
	half := se * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(df)}.Quantile(0.975)
	return estimate{value, value - half, value + half}
}

// ratio is that of the means of a and b, whose trials are paired, with the jackknife's interval of its logarithm (Tukey 1958).
func ratio(a, b []float64) estimate {
	n := float64(len(a))
	var sumA, sumB float64
	for i := range a {
		sumA, sumB = sumA+a[i], sumB+b[i]
	}
	var squares float64
	all := math.Log(sumA / sumB)
	for i := range a {
		pseudo := n*all - (n-1)*math.Log((sumA-a[i])/(sumB-b[i]))
		squares += (pseudo - all) * (pseudo - all)
	}
	log := student(all, math.Sqrt(squares/n/(n-1)), len(a)-1)
	return estimate{math.Exp(log.value), math.Exp(log.low), math.Exp(log.high)}
}

// scaled returns e in another unit.
func (e estimate) scaled(by float64) estimate { return estimate{e.value * by, e.low * by, e.high * by} }

// difference is the mean of a - b, whose trials are paired.
func difference(a, b []float64) estimate {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return mean(d)
}

// column returns the j-th number of each row.
func column(rows [][]float64, j int) []float64 {
	out := make([]float64, len(rows))
	for i, row := range rows {
		out[i] = row[j]
	}
	return out
}
