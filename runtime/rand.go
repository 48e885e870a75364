package runtime

// This file holds the random number generator: keyed streams, uniforms, and the two ziggurats that every other draw is
// built on.

import (
	"encoding"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Rand is a stream of random numbers: the generator sfc64 of Chris Doty-Humphrey (PractRand), 256 bits of state of which
// one word is a counter, so that no stream is shorter than 2^64. It is small enough to be inlined into every draw, which
// the standard library's generators are not: some 2 ns of each. It is seeded by a seed and any number of keys
// (chain, round, kernel, block ...). Streams of different keys are independent for all practical purposes, so that work may
// be cut into blocks whose draws do not depend on who runs them.
//
// The methods named after a distribution draw from it in the parameters of its name; those that end in Nat draw from a full
// conditional in its natural parameters. Two rules hold for all of them:
//
//   - Where the parameters are invalid, or the conditional is improper, a real draw is NaN, an integer draw is -1, and a
//     vector is filled with NaN. The caller reports it.
//   - A positive draw too small or too large for a float64 is returned as 2^-1022 or [math.MaxFloat64], never as 0 or Inf:
//     both it and its reciprocal are then inside the support. A real draw beyond ±MaxFloat64 is that number. Draws from an
//     open interval never equal its ends unless no float64 lies between them.
//
// A Rand must not be used by several goroutines at once.
type Rand struct{ sfc }

// sfc is the generator's state: no larger than what the compiler keeps in registers from one step to the next.
type sfc struct{ a, b, c, count uint64 }

// next returns 64 random bits and the state after them.
func (g sfc) next() (uint64, sfc) {
	out := g.a + g.b + g.count
	return out, sfc{g.b ^ g.b>>11, g.c + g.c<<3, bits.RotateLeft64(g.c, 24) + out, g.count + 1}
}

var (
	_ rand.Source                = (*Rand)(nil)
	_ encoding.BinaryMarshaler   = (*Rand)(nil)
	_ encoding.BinaryUnmarshaler = (*Rand)(nil)
)

// NewRand returns the stream of the given seed and keys.
func NewRand(seed uint64, keys ...uint64) *Rand {
	r := new(Rand)
	r.Reseed(seed, keys...)
	return r
}

// Reseed turns r into the stream of the given seed and keys. The number and order of the keys count: (1), (1, 0) and (0, 1)
// are three streams. It does not allocate.
func (r *Rand) Reseed(seed uint64, keys ...uint64) {
	// Two chains with different constants; each step is a bijection of the key, so that two lists of the same length that
	// differ in one place can never collide in either word.
	const golden = 0x9e3779b97f4a7c15
	hi, lo := mix64(seed+golden), mix64(seed^0xd1b54a32d192ed03)
	for _, k := range keys {
		hi = mix64(bits.RotateLeft64(hi, 29)*5 + golden ^ k)
		lo = mix64(bits.RotateLeft64(lo, 17)*9 + 0x8cb92ba72f3d8dd7 + k)
	}
	r.sfc = sfc{a: hi, b: lo, c: mix64(hi ^ bits.RotateLeft64(lo, 32)), count: 1}
	for range 12 { // until every bit of the seed has reached every bit of the state
		r.Uint64()
	}
}

// mix64 is the finaliser of splitmix64: Steele, Lea & Flood (2014), constants of Stafford's Mix13.
func mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// MarshalBinary returns the state of the stream, 32 bytes.
func (r *Rand) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, 32)
	for _, w := range [...]uint64{r.a, r.b, r.c, r.count} {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b, nil
}

// UnmarshalBinary puts the stream back into a state that MarshalBinary returned.
func (r *Rand) UnmarshalBinary(data []byte) error {
	if len(data) != 32 {
		return errors.New("runtime: the state of a random stream has 32 bytes")
	}
	for i, w := range []*uint64{&r.a, &r.b, &r.c, &r.count} {
		*w = binary.LittleEndian.Uint64(data[8*i:])
	}
	return nil
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	var u uint64
	u, r.sfc = r.sfc.next()
	return u
}

// Float64 draws uniformly from the multiples of 2^-53 in [0, 1).
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) * 0x1p-53 }

// Open01 draws uniformly from the odd multiples of 2^-53 in (0, 1): never 0, never 1, symmetric about 1/2.
func (r *Rand) Open01() float64 { return (float64(r.Uint64()>>12) + 0.5) * 0x1p-52 }

// IntN draws uniformly from 0, ..., n-1, exactly; -1 if n < 1. The method is Lemire's (2019).
func (r *Rand) IntN(n int) int {
	if n < 1 {
		return -1
	}
	hi, lo := bits.Mul64(r.Uint64(), uint64(n))
	if lo < uint64(n) {
		for least := -uint64(n) % uint64(n); lo < least; {
			hi, lo = bits.Mul64(r.Uint64(), uint64(n))
		}
	}
	return int(hi)
}

// A ziggurat covers a decreasing density f by 256 strips of equal area: Marsaglia & Tsang (2000), with the strip and the
// position taken from different bits of one 64-bit word (Doornik 2005).
type ziggurat struct {
	// What nearly every draw reads stands side by side, on one line of the cache.
	strip [256]struct {
		w float64 // right end of strip i, over the number of positions; strip 0 is widened to hold the tail's area
		x float64 // right end of strip i+1: what lies left of it in strip i is under f for certain
	}
	f [257]float64 // f at the right end of strip i, its lower edge; its upper edge is f[i+1]
}

// newZiggurat makes the tables for density f with inverse inv, f(0) = 1; the tail starts at x1, beyond which lies area tail.
func newZiggurat(f, inv func(float64) float64, x1, tail float64) *ziggurat {
	const positions = 1 << 53
	var ends [257]float64
	area := x1*f(x1) + tail
	ends[0], ends[1] = area/f(x1), x1
	for i := 2; i < 256; i++ {
		ends[i] = inv(area/ends[i-1] + f(ends[i-1]))
	}
	z := new(ziggurat)
	for i := range z.strip {
		z.strip[i].w, z.strip[i].x, z.f[i] = ends[i]/positions, ends[i+1], f(ends[i])
	}
	z.f[256] = 1
	return z
}

const (
	normEnd = 3.6541528853610088 // where the tail starts, so that 256 strips close at 0
	expEnd  = 7.69711747013104972
)

var (
	zigNorm = newZiggurat(
		func(x float64) float64 { return math.Exp(-x * x / 2) },
		func(y float64) float64 { return math.Sqrt(-2 * math.Log(y)) },
		normEnd, math.Sqrt(math.Pi/2)*math.Erfc(normEnd/math.Sqrt2))
	zigExp = newZiggurat(
		func(x float64) float64 { return math.Exp(-x) },
		func(y float64) float64 { return -math.Log(y) },
		expEnd, math.Exp(-expEnd))
)

// Norm draws a standard Normal.
func (r *Rand) Norm() float64 {
	u := r.Uint64()
	if x, ok := zigNorm.normal(u); ok {
		return x // nearly always
	}
	return r.normFrom(u)
}

// normal returns the place that u picks, on either side of 0, and whether it is under the density for certain.
func (z *ziggurat) normal(u uint64) (x float64, ok bool) {
	s := &z.strip[uint8(u)]
	x = float64(int64(u)>>10) * s.w
	return x, math.Abs(x) < s.x
}

// normFrom is Norm with u for its first random bits.
func (r *Rand) normFrom(u uint64) float64 {
	f := &zigNorm.f
	for ; ; u = r.Uint64() {
		x, ok := zigNorm.normal(u)
		if ok {
			return x
		}
		i := int(uint8(u))
		if i == 0 {
			return math.Copysign(r.tailBeyond(normEnd), x)
		}
		if f[i]+r.Float64()*(f[i+1]-f[i]) < math.Exp(-x*x/2) {
			return x
		}
	}
}

// tailBeyond draws a Normal beyond end > 0: Marsaglia (1964).
func (r *Rand) tailBeyond(end float64) float64 {
	for {
		x := r.Exp1() / end
		if 2*r.Exp1() > x*x {
			return end + x
		}
	}
}

// Exp1 draws a standard Exponential, mean 1. It is never 0.
func (r *Rand) Exp1() float64 {
	u := r.Uint64()
	if x, ok := zigExp.exponential(u); ok {
		return x // nearly always
	}
	return r.expFrom(u)
}

// exponential returns the place that u picks, and whether it is under the density for certain.
func (z *ziggurat) exponential(u uint64) (x float64, ok bool) {
	s := &z.strip[uint8(u)]
	x = (float64(u>>12) + 0.5) * 2 * s.w
	return x, x < s.x
}

// expFrom is Exp1 with u for its first random bits.
func (r *Rand) expFrom(u uint64) float64 {
	f := &zigExp.f
	shift := 0.0
	for ; ; u = r.Uint64() {
		x, ok := zigExp.exponential(u)
		i := int(uint8(u))
		switch {
		case ok || i > 0 && f[i]+r.Float64()*(f[i+1]-f[i]) < math.Exp(-x):
			return shift + x
		case i == 0:
			shift += expEnd // the tail of an Exponential is the same Exponential, moved
		}
	}
}

const (
	tiny = 0x1p-1022       // smallest positive draw: its reciprocal is finite
	huge = math.MaxFloat64 // largest draw
)

// positive moves a draw that under- or overflowed to the nearest number whose reciprocal is a number; NaN stays NaN.
func positive(x float64) float64 {
	if x < tiny {
		return tiny
	}
	if x > huge {
		return huge
	}
	return x
}

// finite moves a real draw that overflowed back onto the line; NaN stays NaN.
func finite(x float64) float64 {
	if x > huge {
		return huge
	}
	if x < -huge {
		return -huge
	}
	return x
}

// isPositive reports whether x is in (0, ∞), finite.
func isPositive(x float64) bool { return x > 0 && x <= huge }

// isFinite reports whether x is neither infinite nor NaN.
func isFinite(x float64) bool { return x-x == 0 }

// inside moves a draw that was rounded onto or over an end of (lo, hi) to the nearest number inside, if there is one.
func inside(x, lo, hi float64) float64 {
	if x > lo && x < hi {
		return x
	}
	if x <= lo {
		x = math.Nextafter(lo, hi)
	} else if x >= hi {
		x = math.Nextafter(hi, lo)
	}
	return x // NaN stays NaN
}

func nan() float64 { return math.NaN() }
