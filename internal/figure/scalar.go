// This file draws what the chains did with one scalar: traces, ranks, densities, autocorrelations, R-hat as the run grew.

package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gibbsgen/gibbsgen/runtime"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Kinds are the names of the figures of a scalar, in their order.
var Kinds = []string{"trace", "ranks", "density", "autocorrelation", "rhat"}

// OfScalar returns the figures of one scalar's draws, chains × draws, all as long, which are every so many of those that were kept. row sums
// them up. There are none of draws that are
// all the same, and only a trace if some are not finite.
func OfScalar(chains [][]float64, row runtime.Row, every int) []*Figure {
	switch {
	case row.Fixed || row.Draws == 0:
		return nil
	case row.NotANumbers > 0:
		return []*Figure{trace(chains, row, every)}
	}
	return slices.DeleteFunc([]*Figure{trace(chains, row, every), ranks(chains), density(chains), autocorrelation(chains, row, every), rhat(chains, row, every)},
		func(f *Figure) bool { return f == nil })
}

// columns is how many columns of pixels a trace has at the most, each with the least and the largest of its draws.
const columns = 220

func trace(chains [][]float64, row runtime.Row, every int) *Figure {
	p := newPlot("kept draw", "")
	n := len(chains[0])
	for k, chain := range chains {
		parts := thinned(chain)
		for _, part := range parts {
			for i := range part {
				part[i].X *= float64(every)
			}
		}
		lines(p, 0.7, chainShade(k), parts...)
	}
	p.X.Min, p.X.Max = float64(every), float64(max(n, 2)*every)
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(5), ticks(5)
	caption := "The value at each kept draw. Chains that agree lie over each other as one band, without drift and without long flat stretches."
	if n > 2*columns {
		caption += fmt.Sprintf(" Each of %d columns spans the least and the largest of its draws.", columns)
	}
	if row.NotANumbers > 0 {
		caption += fmt.Sprintf(" Left out: %d draws that are NaN or infinite.", row.NotANumbers)
	}
	return newFigure("trace", "Trace", caption, p)
}

// thinned returns the lines of a trace: the draws, or the least and the largest in each column; broken where a draw is not finite.
func thinned(chain []float64) []plotter.XYs {
	var out []plotter.XYs
	var line plotter.XYs
	end := func() {
		if len(line) > 0 {
			out, line = append(out, line), nil
		}
	}
	n := len(chain)
	if n <= 2*columns {
		for i, v := range chain {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				end()
				continue
			}
			line = append(line, plotter.XY{X: float64(i + 1), Y: v})
		}
		end()
		return out
	}
	for c := range columns {
		from, to := c*n/columns, (c+1)*n/columns
		low, high := -1, -1
		for i := from; i < to; i++ {
			switch v := chain[i]; {
			case math.IsNaN(v) || math.IsInf(v, 0):
			case low < 0:
				low, high = i, i
			case v < chain[low]:
				low = i
			case v > chain[high]:
				high = i
			}
		}
		if low < 0 {
			end()
			continue
		}
		for _, i := range []int{min(low, high), max(low, high)} {
			line = append(line, plotter.XY{X: float64(i + 1), Y: chain[i]})
		}
	}
	end()
	return out
}

// ranksMost is how many chains have a panel each.
const ranksMost = 16

// ranks draws, for each chain, the histogram of its draws' ranks among all (Vehtari et al. 2021, section 5).
func ranks(chains [][]float64) *Figure {
	n := len(chains[0])
	bins := max(2, min(20, n/10))
	counts := rankCounts(chains, bins)
	shown := min(len(chains), ranksMost)
	even := float64(n) / float64(bins)
	most := even
	for _, c := range counts[:shown] {
		most = max(most, slices.Max(c))
	}
	across := min(shown, 4)
	down := (shown + across - 1) / across
	caption := "How often a chain's draws have each rank among those of all chains, the lowest values at the left. Bars near the dashed line: the chains visit the same values equally often. A slope, or a hill in one chain alone: that chain is somewhere else."
	if shown < len(chains) {
		caption += fmt.Sprintf(" The first %d of %d chains.", shown, len(chains))
	}
	return &Figure{Name: "ranks", Title: "Ranks", Caption: caption, width: plotWide, height: plotHigh, draw: func(c draw.Canvas) {
		tiles := draw.Tiles{Rows: down, Cols: across, PadX: 8, PadY: 6, PadTop: 4, PadBottom: 6, PadLeft: 6, PadRight: 6}
		for k := range shown {
			t := tiles.At(c, k%across, k/across)
			t = draw.Crop(t, 0, 0, 13, 0)
			wide, high := t.Max.X-t.Min.X, t.Max.Y-t.Min.Y
			at := func(x, y float64) vg.Point {
				return vg.Point{X: t.Min.X + wide*vg.Length(x), Y: t.Min.Y + high*vg.Length(y/most/1.05)}
			}
			for b, count := range counts[k] {
				x0, x1 := (float64(b)+0.08)/float64(bins), (float64(b)+0.92)/float64(bins)
				t.FillPolygon(chainShade(k).light, []vg.Point{at(x0, 0), at(x1, 0), at(x1, count), at(x0, count)})
			}
			t.StrokeLines(draw.LineStyle{Color: mute.light, Width: 0.5}, []vg.Point{at(0, 0), at(1, 0)})
			t.StrokeLines(draw.LineStyle{Color: ink.light, Width: 0.9, Dashes: []vg.Length{4, 3}}, []vg.Point{at(0, even), at(1, even)})
			label := "chain " + strconv.Itoa(k+1)
			t.SetColor(mute.light)
			f := face(textSize)
			t.FillString(f, vg.Point{X: (t.Min.X+t.Max.X)/2 - f.Width(label)/2, Y: t.Min.Y - 11}, label)
		}
	}}
}

// rankCounts returns for each chain how many of its draws have ranks in each of so many ranges of equal length. Of draws that are
// equal, each counts in all the ranges that they share, in parts.
func rankCounts(chains [][]float64, bins int) [][]float64 {
	all := slices.Concat(chains...)
	slices.Sort(all)
	out := make([][]float64, len(chains))
	wide := float64(len(all)) / float64(bins)
	for k, chain := range chains {
		out[k] = make([]float64, bins)
		for _, v := range chain {
			first, _ := slices.BinarySearch(all, v)
			last := first + 1
			if last < len(all) && all[last] == v {
				last, _ = slices.BinarySearch(all, math.Nextafter(v, math.Inf(1)))
			}
			low, high := float64(first), float64(last)
			for b := int(low / wide); b < bins && float64(b)*wide < high; b++ {
				shared := min(high, float64(b+1)*wide) - max(low, float64(b)*wide)
				out[k][b] += shared / (high - low)
			}
		}
	}
	return out
}

func autocorrelation(chains [][]float64, row runtime.Row, every int) *Figure {
	p := newPlot("lag, in kept draws", "")
	n := len(chains[0])
	rho := make([][]float64, len(chains))
	short := 0 // where the mean over the chains is small for the first time
	for k, chain := range chains {
		rho[k] = runtime.Autocorrelation(chain, n)
	}
	for t := range n {
		var sum float64
		for _, r := range rho {
			if t < len(r) {
				sum += r[t]
			}
		}
		if short = t; sum < 0.05*float64(len(rho)) {
			break
		}
	}
	lags := min(n-1, max(20, 2*short))
	step := 1 + lags/200
	for k, r := range rho {
		var pts plotter.XYs
		for t := 0; t <= lags && t < len(r); t += step {
			pts = append(pts, plotter.XY{X: float64(t * every), Y: r[t]})
		}
		lines(p, 1, chainShade(k), pts)
	}
	dashed(p, ink, 0, 0, float64(lags*every), 0)
	p.X.Min, p.X.Max = 0, float64(max(lags, 1)*every)
	p.Y.Min, p.Y.Max = min(p.Y.Min, -0.1), 1
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(6), ticks(5)
	caption := "How alike draws are that lie so many draws apart. The sooner it falls to 0, the more a draw is worth."
	if !math.IsNaN(row.ESSBulk) {
		caption += fmt.Sprintf(" Here %d draws are worth %.0f independent ones (bulk ESS).", row.Chains*row.Draws, row.ESSBulk)
	}
	return newFigure("autocorrelation", "Autocorrelation", caption, p)
}

// rhatMost is how many draws of a chain R-hat is followed through; longer chains are thinned for that.
const rhatMost = 20_000

// rhat draws R-hat of the first draws against their number; nil if there are too few.
func rhat(chains [][]float64, row runtime.Row, every int) *Figure {
	n := len(chains[0])
	if n < 20 || math.IsNaN(row.Rhat) {
		return nil
	}
	step := 1 + (n-1)/rhatMost
	few := chains
	if step > 1 {
		few = make([][]float64, len(chains))
		for k, chain := range chains {
			for i := 0; i < n; i += step {
				few[k] = append(few[k], chain[i])
			}
		}
	}
	var at []int
	for a := 10.0; a < float64(len(few[0])); a = max(a*1.2, a+1) {
		at = append(at, int(a))
	}
	// How far R-hat is from 1 counts by factors. What is nearer than 0.001 is as good as 1.
	const least = 1e-3
	distance := func(r float64) float64 { return math.Log10(max(r-1, least)) }
	var pts plotter.XYs
	for i, r := range runtime.RunningRhat(few, at) {
		if !math.IsNaN(r) && !math.IsInf(r, 0) {
			pts = append(pts, plotter.XY{X: float64(at[i] * step * every), Y: distance(r)})
		}
	}
	end := float64(n * every)
	pts = append(pts, plotter.XY{X: end, Y: distance(row.Rhat)})
	p := newPlot("kept draws of each chain so far", "")
	lines(p, 1.2, ink, pts)
	dashed(p, alert, 0, distance(1.01), end, distance(1.01))
	p.X.Min, p.X.Max = 0, end
	p.X.Tick.Marker = ticks(5)
	p.Y.Min = math.Log10(least)
	p.Y.Max = max(distance(1.1), p.Y.Max) + 0.1
	var marks plot.ConstantTicks
	for _, m := range []struct {
		r    float64
		text string
	}{{1.001, "≤ 1.001"}, {1.01, "1.01"}, {1.1, "1.1"}, {2, "2"}, {11, "11"}, {101, "101"}} {
		if y := math.Log10(m.r - 1); y <= p.Y.Max {
			marks = append(marks, plot.Tick{Value: y, Label: m.text})
		}
	}
	p.Y.Tick.Marker = marks
	return newFigure("rhat", "R-hat as the run grew",
		fmt.Sprintf("R-hat of the draws so far, on a scale of its distance from 1. It should go below the dashed line at 1.01 and stay there; it ended at %s.", strconv.FormatFloat(row.Rhat, 'f', 3, 64)), p)
}
