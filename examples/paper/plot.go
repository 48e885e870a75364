// This file draws figures as SVG.

package main

import (
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A line is one curve of a panel.
type line struct {
	label  string
	x      []float64
	y      []float64
	bars   []estimate // if set, y with intervals
	dashed bool
	points bool // no line
	like   int  // the colour: lines of one number share it; 0: by the order of the lines
}

// A panel is one pair of axes.
type panel struct {
	title, x, y  string
	logX, logY   bool
	lines        []line
	left, bottom bool // where the legend is, if not at the top right
}

const (
	panelWidth  = 4.6 * vg.Inch
	panelHeight = 3.6 * vg.Inch
)

func (p panel) plot() (*plot.Plot, error) {
	out := plot.New()
	out.Title.Text, out.X.Label.Text, out.Y.Label.Text = p.title, p.x, p.y
	out.BackgroundColor = color.White
	out.Title.TextStyle.Font.Size, out.X.Label.TextStyle.Font.Size, out.Y.Label.TextStyle.Font.Size = vg.Points(11), vg.Points(9), vg.Points(9)
	out.Legend.Top, out.Legend.Left = !p.bottom, p.left
	out.Legend.TextStyle.Font.Size = vg.Points(8)
	out.Add(plotter.NewGrid())
	for i, l := range p.lines {
		c := i
		if l.like > 0 {
			c = l.like - 1
		}
		y := l.y
		if l.bars != nil {
			y = make([]float64, len(l.bars))
			for j, e := range l.bars {
				y[j] = e.value
			}
		}
		// What a logarithmic axis has no place for is left out, as are numbers that are not there.
		var xys plotter.XYs
		var errs plotter.YErrors
		for j := range y {
			if x := l.x[j]; !finite(x) || !finite(y[j]) || p.logX && x <= 0 || p.logY && y[j] <= 0 {
				continue
			}
			xys = append(xys, plotter.XY{X: l.x[j], Y: y[j]})
			if l.bars != nil {
				low, high := l.bars[j].low, l.bars[j].high
				if p.logY && !(low > y[j]/100) {
					low = y[j]
				}
				if !finite(low) || !finite(high) {
					low, high = y[j], y[j]
				}
				errs = append(errs, struct{ Low, High float64 }{y[j] - low, high - y[j]})
			}
		}
		if len(xys) == 0 {
			continue
		}
		curve, marks, err := plotter.NewLinePoints(xys)
		if err != nil {
			return nil, err
		}
		curve.Color, marks.Color = plotutil.Color(c), plotutil.Color(c)
		curve.Width, marks.Radius = vg.Points(1.2), vg.Points(1.6)
		marks.Shape = draw.CircleGlyph{}
		if l.dashed {
			curve.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
		}
		parts := []plot.Thumbnailer{curve, marks}
		switch {
		case l.points:
			parts = parts[1:]
		case l.bars == nil:
			parts = parts[:1]
		}
		for _, p := range parts {
			out.Add(p.(plot.Plotter))
		}
		if l.label != "" {
			out.Legend.Add(l.label, parts...)
		}
		if l.bars != nil {
			bars, err := plotter.NewYErrorBars(struct {
				plotter.XYer
				plotter.YErrorer
			}{xys, errs})
			if err != nil {
				return nil, err
			}
			bars.Color = plotutil.Color(c)
			out.Add(bars)
		}
	}
	// A logarithmic axis without anything on it would have a zero.
	if p.logX && out.X.Min > 0 && out.X.Max < math.Inf(1) {
		out.X.Scale, out.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	}
	if p.logY && out.Y.Min > 0 && out.Y.Max < math.Inf(1) {
		out.Y.Scale, out.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	}
	return out, nil
}

// logTicks marks 1, 2 and 5 times the powers of ten, and names those powers, or all if there are fewer than two. plot.LogTicks has ticks beyond
// the ends of the axis, which squeeze the plot.
func logTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	powers := 0
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, by := range []float64{1, 2, 5} {
			if x := by * math.Pow(10, e); x >= low && x <= high {
				ticks = append(ticks, plot.Tick{Value: x})
				if by == 1 {
					ticks[len(ticks)-1].Label = strconv.FormatFloat(x, 'g', -1, 64)
					powers++
				}
			}
		}
	}
	if len(ticks) < 2 {
		return plot.DefaultTicks{}.Ticks(low, high)
	}
	if powers < 2 {
		for i := range ticks {
			ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'g', 3, 64)
		}
	}
	return ticks
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// drawFigure writes panels side by side into dir/name.svg.
func drawFigure(dir, name string, panels ...panel) error {
	plots := make([][]*plot.Plot, 1)
	for _, p := range panels {
		drawn, err := p.plot()
		if err != nil {
			return err
		}
		plots[0] = append(plots[0], drawn)
	}
	canvas := vgsvg.New(panelWidth*vg.Length(len(panels)), panelHeight)
	dc := draw.New(canvas)
	tiles := draw.Tiles{Rows: 1, Cols: len(panels), PadX: vg.Points(8), PadTop: vg.Points(4), PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(4)}
	for j, c := range plot.Align(plots, tiles, dc)[0] {
		plots[0][j].Draw(c)
	}
	f, err := os.Create(filepath.Join(dir, name+".svg"))
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
