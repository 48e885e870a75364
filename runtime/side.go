// This file holds the Normal on one side of a point, the inner loop of probit models.

package runtime

import (
	"math"
	"math/bits"
)

// PositiveSide draws from Normal(mean, 1) on (0, ∞) if above, else on (-∞, 0).
func (r *Rand) PositiveSide(mean float64, above bool) float64 {
	sign := signOf(above)
	m := sign * mean
	if c := sideCell(m); c < uint(len(sides.first)) { // as positiveNormal, but for the call
		u := r.Uint64()
		k, d, sure := sides.point(c, u)
		v := m + d
		if sure && v > 0 {
			return sign * v
		}
		if v, ok := r.sideEdge(m, k, d, u); ok {
			return sign * v
		}
	}
	return sign * r.positiveNormal(m)
}

// NormalSide draws from Normal(mean, 1) on the side of at that above says: (at, ∞) or (-∞, at).
func (r *Rand) NormalSide(mean, at float64, above bool) float64 {
	return at + r.PositiveSide(mean-at, above)
}

// signOf returns 1 if above, else -1. No branch is made of it, which data would mispredict.
func signOf(above bool) float64 { return signs[Index(above)&1] }

var signs = [2]float64{-1, 1}

// NormalSideNat draws x with density ∝ exp(h·x - prec·x²/2), prec > 0, on one side of at.
func (r *Rand) NormalSideNat(h, prec, at float64, above bool) float64 {
	if !isPositive(prec) {
		lo, hi := math.Inf(-1), at
		if above {
			lo, hi = at, math.Inf(1)
		}
		return r.TruncNormalNat(h, prec, lo, hi)
	}
	sd, sign := 1/math.Sqrt(prec), signOf(above)
	return at + sign*sd*r.positiveNormal(sign*(h/prec-at)/sd)
}

// positiveNormal draws from Normal(mean, 1) on (0, ∞).
func (r *Rand) positiveNormal(mean float64) float64 {
	c := sideCell(mean)
	switch {
	case c < uint(len(sides.first)):
		for {
			u := r.Uint64()
			k, d, sure := sides.point(c, u)
			if v := mean + d; sure && v > 0 {
				return v
			}
			if v, ok := r.sideEdge(mean, k, d, u); ok {
				return v
			}
		}
	case mean > 0:
		for { // nearly all draws are positive
			if x := mean + r.Norm(); x > 0 {
				return x
			}
		}
	case !(mean > -1e9): // x²/2 is below 1e-15 of mean·x; or no number
		if mean != mean {
			return nan()
		}
		return r.truncExp(-mean, math.Inf(1))
	}
	// Robert (1995): exponential proposals of the rate that accepts most, at least 0.76.
	rate := (math.Sqrt(mean*mean+4) - mean) / 2
	for {
		x := r.Exp1() / rate
		if d := x - mean - rate; 2*r.Exp1() > d*d {
			return x
		}
	}
}

// Upright strips under the Normal density, in the manner of Chopin (2011), "Fast simulation of truncated Gaussian distributions":
// all have the same area up to their upper ends, so that one of those right of any point is picked by a uniform number, whatever
// the point, and no branch depends on it. They serve means from sideLeast to sideMost, of Normals on (0, ∞).
const (
	sideLeast, sideMost = -2, 3.5
	sideEnd             = 2.9 // where the tail starts; its area is that of a strip
	sideCells           = 128 // a unit, of the table of where to start
	sideStrips          = 541 // so many that they reach down to -sideMost
	sideBits            = 11  // the bits of a random word that are those of y; the others are the place
)

// A side is one strip. A point at height y·(upper end), y uniform, is under the density for certain if y < sure/2^sideBits.
type side struct {
	lo, width float64 // width is over 2^53
	sure      uint64
	edge      float64 // upper end: the density there is exp(-edge)
}

type sideTable struct {
	strips [sideStrips]side                           // left to right; the last stands for the tail, and is never sure
	first  [(sideMost - sideLeast) * sideCells]uint32 // by cell of the mean: the strip that -mean lies in, or one to its left
}

var sides = newSides()

func newSides() (t sideTable) {
	area := math.Sqrt(math.Pi/2) * math.Erfc(sideEnd/math.Sqrt2)
	hi := float64(sideEnd)
	t.strips[sideStrips-1].lo = hi
	for k := sideStrips - 2; k >= 0; k-- {
		lo := hi - area // about 0, where the density's upper end is 1
		switch {
		case hi <= 0:
			lo = hi - area*math.Exp(hi*hi/2)
		case lo > 0: // the upper end is at lo itself
			least, most := 0.0, hi
			for range 60 {
				if lo = (least + most) / 2; (hi-lo)*math.Exp(-lo*lo/2) > area {
					least = lo
				} else {
					most = lo
				}
			}
		}
		near, far := math.Max(math.Max(lo, -hi), 0), math.Max(math.Abs(lo), math.Abs(hi))
		t.strips[k] = side{
			lo, (hi - lo) * 0x1p-53, uint64(math.Exp((near*near-far*far)/2) * (1 << sideBits)), near * near / 2}
		hi = lo
	}
	k := sideStrips - 1
	for c := range t.first { // the cell's largest mean, and so its leftmost point
		for at := sideLeast + float64(c+1)/sideCells; t.strips[k].lo > -at && k > 0; {
			k--
		}
		t.first[c] = uint32(k)
	}
	return t
}

// sideCell returns the cell of the mean; none for a mean that the strips do not serve, or that is no number.
func sideCell(mean float64) uint { return uint(int((mean - sideLeast) * sideCells)) }

// point picks a point of the strips right of -mean by u, and reports whether it is under the density for certain.
func (t *sideTable) point(cell uint, u uint64) (k int, d float64, sure bool) {
	first := int(t.first[cell])
	n, place := bits.Mul64(u>>sideBits<<sideBits, uint64(sideStrips-first))
	k = first + int(n)
	s := &t.strips[k]
	return k, s.lo + float64(place>>11)*s.width, u%(1<<sideBits) < s.sure
}

// sideEdge decides on the point d of strip k that u picked, which is not under the density for certain, or not right of -mean.
func (r *Rand) sideEdge(mean float64, k int, d float64, u uint64) (v float64, ok bool) {
	if k == sideStrips-1 {
		return mean + r.tailBeyond(sideEnd), true
	}
	v = mean + d
	y := (float64(u%(1<<sideBits)) + r.Float64()) / (1 << sideBits)
	return v, v > 0 && y < math.Exp(sides.strips[k].edge-d*d/2)
}
