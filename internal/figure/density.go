// This file draws the distributions of a scalar: densities, or the shares of a few whole numbers.

package figure

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/gibbsgen/gibbsgen/runtime"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// valuesMost is how many whole numbers are drawn as bars.
const valuesMost = 30

// density draws where the draws lie; nil if they lie too far apart for numbers to say.
func density(chains [][]float64) *Figure {
	if values := wholeNumbers(chains); values != nil {
		return shares(chains, values)
	}
	p := newPlot("", "")
	low, high, cut := window(chains)
	if math.IsInf(high-low, 0) {
		return nil
	}
	wide := bandwidth(chains, low, high)
	for k, chain := range chains {
		lines(p, 1.1, chainShade(k), kernelDensity(chain, low, high, wide))
	}
	p.X.Min, p.X.Max = low, high
	p.Y.Min = 0
	p.X.Tick.Marker = ticks(5)
	p.Y.Tick.Marker, p.Y.LineStyle.Width = plot.ConstantTicks{}, 0 // the area is 1, and the scale says no more than that
	caption := "Where each chain's draws lie, smoothed. Chains that agree have curves that all but coincide."
	if cut {
		caption += " The outermost draws, 1 in 200 at either end, lie outside the picture."
	}
	return newFigure("density", "Density", caption, p)
}

// wholeNumbers returns the values of draws, in order, if they are few whole numbers.
func wholeNumbers(chains [][]float64) []float64 {
	var values []float64
	for _, chain := range chains {
		for _, v := range chain {
			if v != math.Trunc(v) {
				return nil
			}
			if i, found := slices.BinarySearch(values, v); !found {
				if values = slices.Insert(values, i, v); len(values) > valuesMost {
					return nil
				}
			}
		}
	}
	if values[len(values)-1]-values[0] > 3*valuesMost { // far apart: bars would be hairs
		return nil
	}
	return values
}

// shares draws how often each whole number was drawn, a bar for each chain.
func shares(chains [][]float64, values []float64) *Figure {
	p := newPlot("", "share of draws")
	share := 0.0
	each := 0.8 / float64(len(chains))
	for k, chain := range chains {
		for _, v := range values {
			n := 0
			for _, x := range chain {
				if x == v {
					n++
				}
			}
			y := float64(n) / float64(len(chain))
			share = max(share, y)
			p.Add(bar{v - 0.4 + each*float64(k), v - 0.4 + each*float64(k+1), y, chainShade(k)})
		}
	}
	p.X.Min, p.X.Max = values[0]-0.5, values[len(values)-1]+0.5
	p.Y.Min, p.Y.Max = 0, share
	p.X.Tick.Marker, p.Y.Tick.Marker = wholeTicks(), ticks(4)
	return newFigure("density", "Distribution",
		"The share of each chain's draws at each value. Chains that agree have bars of much the same height.", p)
}

// wholeTicks are at whole numbers.
func wholeTicks() plot.Ticker {
	return plot.TickerFunc(func(low, high float64) []plot.Tick {
		step := max(1, math.Ceil((high-low)/8))
		return marks(multiples(low, high, step, 10), step)
	})
}

// A bar stands on 0.
type bar struct {
	from, to, y float64
	shade       shade
}

// Plot implements plot.Plotter.
func (b bar) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.FillPolygon(b.shade.light, []vg.Point{{X: x(b.from), Y: y(0)}, {X: x(b.to), Y: y(0)}, {X: x(b.to), Y: y(b.y)}, {X: x(b.from), Y: y(b.y)}})
}

// window returns the range of the draws; without 1 in 200 at either end if it is more than three times as wide as that, so that
// a heavy tail leaves something to see.
func window(chains [][]float64) (low, high float64, cut bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, chain := range chains {
		low, high = min(low, slices.Min(chain)), max(high, slices.Max(chain))
	}
	a, b := runtime.Quantile(chains, 0.005), runtime.Quantile(chains, 0.995)
	if b > a && high-low > 3*(b-a) {
		return a, b, true
	}
	return low, high, false
}

// bandwidth is Silverman's rule of thumb (1986, equation 3.31), for the draws of all chains in the window and as many as one chain has;
// in parts of the window, whose square may be too large a number.
func bandwidth(chains [][]float64, low, high float64) float64 {
	var in []float64
	for _, chain := range chains {
		for _, v := range chain {
			if v >= low && v <= high {
				in = append(in, (v-low)/(high-low))
			}
		}
	}
	slices.Sort(in)
	wide := stat.StdDev(in, nil)
	if iqr := stat.Quantile(0.75, stat.Empirical, in, nil) - stat.Quantile(0.25, stat.Empirical, in, nil); iqr > 0 {
		wide = min(wide, iqr/1.34)
	}
	return 0.9 * wide * math.Pow(float64(len(in))/float64(len(chains)), -0.2)
}

// kernelDensity returns the density estimated from draws by a Gaussian kernel of that width, between low and high. What the kernel would spread beyond
// the ends is reflected there, so that a density which ends at a bound does not seem to go on.
func kernelDensity(draws []float64, low, high, wide float64) plotter.XYs {
	const bins, points, bin = 1024, 160, 1.0 / 1024
	scale := high - low
	wide = max(wide, bin)
	counts := make([]float64, bins)
	for _, v := range draws {
		if v >= low && v <= high {
			counts[min(int((v-low)/scale/bin), bins-1)]++
		}
	}
	reach := int(4*wide/bin) + 1
	kernel := make([]float64, reach+1)
	for j := range kernel {
		z := float64(j) * bin / wide
		kernel[j] = math.Exp(-z*z/2) / (wide * math.Sqrt(2*math.Pi) * float64(len(draws)))
	}
	smooth := make([]float64, bins)
	for i, c := range counts {
		if c == 0 {
			continue
		}
		for j := max(i-reach, -bins); j <= min(i+reach, 2*bins-1); j++ {
			at := j
			switch {
			case j < 0:
				at = -1 - j
			case j >= bins:
				at = 2*bins - 1 - j
			}
			smooth[at] += c * kernel[max(i-j, j-i)]
		}
	}
	pts := make(plotter.XYs, points+1)
	for i := range pts {
		b := i * (bins - 1) / points
		pts[i] = plotter.XY{X: low + (float64(b)+0.5)*bin*scale, Y: smooth[b] / scale}
	}
	return pts
}
