// This file holds how all plots look: fonts, axes, lines.

package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The size of a plot, in points; a text of 9 points in it can be read on a telephone.
const (
	plotWide = 330
	plotHigh = 190
	textSize = 9.5
)

// newPlot returns an empty plot.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // that of the page
	style := text.Style{Color: mute.light, Font: font.From(sans, textSize), Handler: text.Plain{Fonts: fonts}}
	p.Title.TextStyle = style
	for _, a := range []struct {
		axis  *plot.Axis
		label string
	}{{&p.X, x}, {&p.Y, y}} {
		a.axis.Label.Text = a.label
		old := a.axis.Label.TextStyle
		a.axis.Label.TextStyle = style
		a.axis.Label.TextStyle.Rotation, a.axis.Label.TextStyle.XAlign, a.axis.Label.TextStyle.YAlign = old.Rotation, old.XAlign, old.YAlign
		old = a.axis.Tick.Label
		a.axis.Tick.Label = style
		a.axis.Tick.Label.XAlign, a.axis.Tick.Label.YAlign = old.XAlign, old.YAlign
		a.axis.LineStyle = draw.LineStyle{Color: mute.light, Width: 0.5}
		a.axis.Tick.LineStyle = a.axis.LineStyle
		a.axis.Tick.Length = 4
	}
	return p
}

// lines puts lines into a plot.
func lines(p *plot.Plot, width float64, s shade, xys ...plotter.XYs) {
	for _, pts := range xys {
		if len(pts) == 0 {
			continue
		}
		p.Add(&plotter.Line{XYs: pts, LineStyle: draw.LineStyle{Color: s.light, Width: vg.Length(width)}})
	}
}

// dashed puts a dashed line across a plot.
func dashed(p *plot.Plot, s shade, x0, y0, x1, y1 float64) {
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y1}},
		LineStyle: draw.LineStyle{Color: s.light, Width: 1, Dashes: []vg.Length{4, 3}}})
}

// newFigure makes a figure of one plot.
func newFigure(name, title, caption string, p *plot.Plot) *Figure {
	return &Figure{Name: name, Title: title, Caption: caption, width: plotWide, height: plotHigh, draw: func(c draw.Canvas) {
		left, right := overhang(p)
		p.Draw(draw.Crop(c, max(2, left), -max(8, right), 2, -6)) // the topmost label sticks out too
	}}
}

// overhang is how far the labels below a plot stick out at its ends, being centred at their ticks.
func overhang(p *plot.Plot) (left, right vg.Length) {
	const besides = 24 // the room that labels at the left have at the least
	wide := vg.Length(plotWide)
	if len(p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max)) > 0 {
		wide -= besides
	}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		at := vg.Length((t.Value-p.X.Min)/(p.X.Max-p.X.Min)) * wide
		half := p.X.Tick.Label.Width(t.Label) / 2
		left, right = max(left, half-at-(plotWide-wide)), max(right, half-(wide-at))
	}
	return left, right
}

// ticks are at round numbers: few enough for their labels to stand apart.
func ticks(most int) plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		if !(high > low) || math.IsInf(high-low, 0) {
			return nil
		}
		step := math.Pow(10, math.Floor(math.Log10((high-low)/float64(most))))
		for _, m := range []float64{1, 2, 5, 10, 20, 50} {
			if (high-low)/(step*m) <= float64(most) {
				step *= m
				break
			}
		}
		return marks(multiples(low, high, step, most+1), step)
	})
}

// multiples are those of step from low to high, as many at the most as far as floating point tells them apart.
func multiples(low, high, step float64, most int) []float64 {
	var out []float64
	first := math.Ceil(low / step)
	for i := range most {
		v := (first + float64(i)) * step
		if v > high+step*1e-9 {
			break
		}
		if len(out) == 0 || v > out[len(out)-1] {
			out = append(out, v)
		}
	}
	return out
}

// marks are ticks with labels.
func marks(at []float64, step float64) []plot.Tick {
	out := make([]plot.Tick, len(at))
	for i, text := range labels(at, step) {
		out[i] = plot.Tick{Value: at[i], Label: text}
	}
	return out
}
