// This file draws what batch sizes cost.

package figure

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gibbsgen/gibbsgen/runtime"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Batch draws the objective of the batch sizes that were tried, with their intervals and the choice; nil if none was.
func Batch(d *runtime.Decision) *Figure {
	var candidates []runtime.Candidate
	for _, c := range d.Candidates {
		if c.Objective > 0 && !math.IsInf(c.Objective, 0) && c.Batch > 0 && c.Globals > 0 {
			candidates = append(candidates, c)
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	unit, words := "operations", "many operations"
	if d.Costs == "measured" {
		least := math.Inf(1)
		for _, c := range candidates {
			least = min(least, c.Objective)
		}
		k := 0
		for k < len(timeUnits)-1 && least < timeUnits[k].seconds {
			k++
		}
		unit, words = timeUnits[k].name, "much time"
		for i := range candidates {
			c := &candidates[i]
			c.Objective, c.Low, c.High = c.Objective/timeUnits[k].seconds, c.Low/timeUnits[k].seconds, c.High/timeUnits[k].seconds
		}
	}
	p := newPlot("local units for each draw of the globals (m)", unit)
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = powers(), powers()
	least, most := math.Inf(1), 0.0
	first, last := math.Inf(1), 0.0
	for _, c := range candidates {
		x := unitsOf(c)
		first, last = min(first, x), max(last, x)
		least, most = min(least, c.Objective), max(most, c.Objective)
		if c.Low > 0 {
			least = min(least, max(c.Low, c.Objective/100))
		}
		most = max(most, min(c.High, 100*c.Objective))
	}
	p.X.Min, p.X.Max = first/1.6, last*1.6
	p.Y.Min, p.Y.Max = least/1.3, most*1.3
	for _, c := range candidates {
		x := unitsOf(c)
		chosen := c.Batch == d.Batch && c.Globals == d.Globals
		s, width := mute, 1.0
		if chosen {
			s, width = chainShades[0], 2
		}
		lines(p, width, s, plotter.XYs{{X: x, Y: min(max(c.Low, p.Y.Min), c.Objective)}, {X: x, Y: max(c.Objective, min(c.High, p.Y.Max))}})
		p.Add(candidate{x, c.Objective, s, chosen})
	}
	caption := fmt.Sprintf("f(m): how %s each independent draw of the worst scalar takes, with 95 %% intervals. Lower is better; sizes whose intervals overlap much cannot be told apart.", words)
	return newFigure("batch", "Batch sizes", caption, p)
}

// timeUnits are those in which times are shown, the largest first.
var timeUnits = []struct {
	name    string
	seconds float64
}{{"seconds", 1}, {"milliseconds", 1e-3}, {"microseconds", 1e-6}, {"nanoseconds", 1e-9}}

// unitsOf is m: the number of local units for each draw of the globals, less than 1 if these are drawn several times.
func unitsOf(c runtime.Candidate) float64 { return float64(c.Batch) / float64(c.Globals) }

// A candidate is a dot, with a word if it is the choice.
type candidate struct {
	x, y   float64
	shade  shade
	chosen bool
}

// Plot implements plot.Plotter.
func (d candidate) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := vg.Point{X: x(d.x), Y: y(d.y)}
	radius := vg.Length(2.6)
	if d.chosen {
		radius = 4
	}
	c.DrawGlyph(draw.GlyphStyle{Color: d.shade.light, Radius: radius, Shape: draw.CircleGlyph{}}, at)
	if !d.chosen {
		return
	}
	f := face(textSize)
	const word = "chosen"
	at.X += 7
	if at.X+f.Width(word) > c.Max.X {
		at.X -= 14 + f.Width(word)
	}
	c.SetColor(ink.light)
	c.FillString(f, vg.Point{X: at.X, Y: at.Y - 3}, word)
}

// powers are ticks at powers of ten, with 2 and 5 between them where there are few.
func powers() plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		decades := math.Log10(high / low)
		between := []float64{1}
		if decades < 3 {
			between = []float64{1, 2, 5}
		}
		step := max(1, math.Ceil(decades/6))
		var out []plot.Tick
		for e := math.Floor(math.Log10(low)/step) * step; math.Pow(10, e) <= high; e += step {
			for _, m := range between {
				if v := m * math.Pow(10, e); v >= low && v <= high {
					text := strconv.FormatFloat(v, 'g', 3, 64)
					if v >= 1e6 || v < 1e-3 {
						text = fmt.Sprintf("%ge%g", m, e)
					}
					out = append(out, plot.Tick{Value: v, Label: text})
				}
			}
		}
		return out
	})
}
