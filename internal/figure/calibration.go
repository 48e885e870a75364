// This file draws the ranks of simulation-based calibration: how often each occurred, and how far their distribution function strays.

package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Calibration returns the figures of one quantity: counts says how many data sets had each rank, from 0 to the number of draws that were
// ranked among; band holds, for each rank but 0, between which two numbers the share of data sets with a lower rank may lie, less that share if
// all ranks are equally likely. There are none without counts.
func Calibration(counts []int, band [][2]float64) []*Figure {
	n := 0
	for _, c := range counts {
		n += c
	}
	if n == 0 || len(band) != len(counts)-1 {
		return nil
	}
	return []*Figure{rankHistogram(counts, n), rankDifference(counts, n, band)}
}

// rankHistogram draws a bar for each rank.
func rankHistogram(counts []int, n int) *Figure {
	p := newPlot("rank", "data sets")
	k := float64(len(counts))
	even := float64(n) / k
	wide := 2.576 * math.Sqrt(even*(1-1/k)) // holds 99 % of a Normal
	area(p, fill, plotter.XYs{{X: -0.5, Y: max(0, even-wide)}, {X: k - 0.5, Y: max(0, even-wide)}, {X: k - 0.5, Y: even + wide}, {X: -0.5, Y: even + wide}})
	for rank, c := range counts {
		x, y := float64(rank), float64(c)
		area(p, chainShades[0], plotter.XYs{{X: x - 0.36, Y: 0}, {X: x + 0.36, Y: 0}, {X: x + 0.36, Y: y}, {X: x - 0.36, Y: y}})
	}
	dashed(p, ink, -0.5, even, k-0.5, even)
	p.X.Min, p.X.Max = -0.5, k-0.5
	p.Y.Min, p.Y.Max = 0, 1.05*max(even+wide, float64(slices.Max(counts)))
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(6), ticks(5)
	return newFigure("sbc-ranks", "Ranks of the true value", fmt.Sprintf("In how many of %d data sets the value that the data were drawn with has each rank among %d draws from its posterior. "+
		"Bars near the dashed line: calibrated; the strip holds 99 %% of them. Many at the left: draws lie too high; at the right: too low; at both ends: the posterior is too narrow; in the "+
		"middle: too wide.", n, len(counts)-1), p)
}

// rankDifference draws the distribution function of the ranks less the diagonal, in its band.
func rankDifference(counts []int, n int, band [][2]float64) *Figure {
	p := newPlot("rank", "")
	k := float64(len(counts))
	line, edge := plotter.XYs{{}}, plotter.XYs{{}}
	below, most, strays := 0, 0.0, false
	for i, b := range band {
		below += counts[i]
		x, y := float64(i+1), float64(below)/float64(n)-float64(i+1)/k
		line, edge = append(line, plotter.XY{X: x, Y: y}), append(edge, plotter.XY{X: x, Y: b[1]})
		most = max(most, math.Abs(y), b[1], -b[0])
		// The bounds are such differences too, and may be rounded differently.
		strays = strays || y > b[1]+1e-9 || y < b[0]-1e-9
	}
	line, edge = append(line, plotter.XY{X: k}), append(edge, plotter.XY{X: k})
	for i, b := range slices.Backward(band) {
		edge = append(edge, plotter.XY{X: float64(i + 1), Y: b[0]})
	}
	area(p, fill, edge)
	dashed(p, ink, 0, 0, k, 0)
	s, said := chainShades[0], "Here it does."
	if strays {
		s, said = alert, "Here it does not."
	}
	lines(p, 1.6, s, line)
	p.X.Min, p.X.Max = 0, k
	p.Y.Min, p.Y.Max = -1.08*most, 1.08*most
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(6), ticks(5)
	return newFigure("sbc-ecdf", "Distribution function of the ranks", "The share of data sets with a lower rank, less what it is if all ranks are equally likely. If the sampler is right, the line "+
		"keeps to the band at all ranks at once, but for a false alarm. "+said+" An arch: draws lie too high; a sag: too low; up, then down: the posterior is too narrow; down, then up: too wide.", p)
}

// area fills a polygon of a plot.
func area(p *plot.Plot, s shade, edge plotter.XYs) {
	p.Add(&plotter.Polygon{XYs: []plotter.XYs{edge}, Color: s.light, LineStyle: draw.LineStyle{}})
}
