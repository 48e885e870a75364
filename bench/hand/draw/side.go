// This file holds the Normal on (0, ∞).

package draw

import (
	"math"
	"math/bits"
	"slices"
)

// A column is one of the upright strips under the Normal density, all of the same
// area up to their upper ends: Chopin (2011), "Fast simulation of truncated Gaussian
// distributions". One of those right of any point is picked without a branch.
type column struct {
	lo, width float64 // width is over 2^53
	sure      uint64  // below this over 2^11 of the upper end, a point is under the density
	edge      float64 // the density at the upper end is exp(-edge)
}

const (
	leastMean, mostMean = -2, 3.5 // that the columns serve
	columnsEnd          = 2.9     // where the tail starts, whose area is a column's
	cells               = 128     // a unit, of firstColumn
)

var (
	columns     []column // left to right; the last stands for the tail, and is never sure
	firstColumn [(mostMean-leastMean)*cells + 1]int32
)

func init() {
	area := math.Sqrt(math.Pi/2) * math.Erfc(columnsEnd/math.Sqrt2)
	columns = []column{{lo: columnsEnd}}
	for hi := columnsEnd; hi > -mostMean; {
		lo := hi - area
		if hi <= 0 {
			lo = hi - area*math.Exp(hi*hi/2)
		} else if lo > 0 {
			least, most := 0.0, hi
			for range 60 {
				lo = (least + most) / 2
				if (hi-lo)*math.Exp(-lo*lo/2) > area {
					least = lo
				} else {
					most = lo
				}
			}
		}
		near, far := max(lo, -hi, 0), max(math.Abs(lo), math.Abs(hi))
		columns = append(columns, column{lo, (hi - lo) / (1 << 53), uint64(math.Exp((near*near-far*far)/2) * (1 << 11)), near * near / 2})
		hi = lo
	}
	slices.Reverse(columns)
	k := len(columns) - 1
	for c := range firstColumn {
		for k > 0 && columns[k].lo > -(leastMean+float64(c+1)/cells) {
			k--
		}
		firstColumn[c] = int32(k)
	}
}

// PositiveNormal draws from Normal(mean, 1) truncated to (0, ∞).
func (r *Rand) PositiveNormal(mean float64) float64 {
	if !(mean > leastMean && mean < mostMean) {
		return r.farPositiveNormal(mean)
	}
	first := int(firstColumn[int((mean-leastMean)*cells)])
	for {
		u := r.Uint64()
		n, place := bits.Mul64(u>>11<<11, uint64(len(columns)-first))
		y := u % (1 << 11)
		c := &columns[first+int(n)]
		d := c.lo + float64(place>>11)*c.width
		x := mean + d
		if y < c.sure && x > 0 {
			return x
		}
		if c.sure == 0 {
			return mean + r.tail(columnsEnd)
		}
		if x > 0 && (float64(y)+r.Float64())/(1<<11) < math.Exp(c.edge-d*d/2) {
			return x
		}
	}
}

func (r *Rand) farPositiveNormal(mean float64) float64 {
	if mean >= 0 {
		for {
			if x := mean + r.Norm(); x > 0 {
				return x
			}
		}
	}
	// Robert (1995), "Simulation of truncated normal variables": exponential
	// proposals of the rate that accepts most.
	rate := (math.Sqrt(mean*mean+4) - mean) / 2
	for {
		x := r.Exp() / rate
		if d := x - mean - rate; 2*r.Exp() > d*d {
			return x
		}
	}
}

// tail draws a Normal beyond end > 0: Marsaglia (1964).
func (r *Rand) tail(end float64) float64 {
	for {
		x := r.Exp() / end
		if 2*r.Exp() > x*x {
			return end + x
		}
	}
}
