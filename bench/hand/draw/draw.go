// Package draw holds the random draws of the hand-written samplers: small, local
// and inlined where the compiler agrees, since they exist to be hard to beat.
// They check nothing; their callers have.
package draw

import (
	"math"
	"math/bits"
)

// Rand is the generator wyrand (Wang Yi, 2019, github.com/wangyi-fudan/wyhash):
// a Weyl sequence, squared: 64 bits of state, one wide multiplication a draw.
type Rand struct{ state uint64 }

// New returns a stream of the given seed. Any two seeds give streams far apart
// on the generator's one cycle, with a chance of n²/2^64 that two of length n meet.
func New(seed uint64) *Rand {
	// splitmix64's finaliser: Steele, Lea & Flood (2014).
	z := seed + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return &Rand{z ^ z>>31}
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += 0xa0761d6478bd642f
	hi, lo := bits.Mul64(r.state, r.state^0xe7037ed1a0b428db)
	return hi ^ lo
}

// Float64 draws uniformly from the multiples of 2^-53 in [0, 1).
func (r *Rand) Float64() float64 { return float64(r.Uint64()>>11) * 0x1p-53 }

// A strip is one of the 256 of equal area that cover a decreasing density
// (Marsaglia & Tsang 2000), with all that is known of it side by side.
type strip struct {
	width float64 // right end over 2^53; strip 0 is widened to hold the tail's area
	sure  float64 // left of this, a point of the strip is under the density
	foot  float64 // density at the right end
	rise  float64 // density at the left end, less foot
}

const (
	normTail = 3.6541528853610088 // where the tail starts, so that 256 strips close at 0
	expTail  = 7.69711747013104972
)

var (
	normStrips = strips(func(x float64) float64 { return math.Exp(-x * x / 2) },
		func(y float64) float64 { return math.Sqrt(-2 * math.Log(y)) },
		normTail, math.Sqrt(math.Pi/2)*math.Erfc(normTail/math.Sqrt2))
	expStrips = strips(func(x float64) float64 { return math.Exp(-x) },
		func(y float64) float64 { return -math.Log(y) },
		expTail, math.Exp(-expTail))
)

// strips covers density f, with inverse inv, whose tail from x1 has area tail.
func strips(f, inv func(float64) float64, x1, tail float64) *[256]strip {
	area := x1*f(x1) + tail
	var ends [257]float64
	ends[0], ends[1] = area/f(x1), x1
	for i := 2; i < 256; i++ {
		ends[i] = inv(area/ends[i-1] + f(ends[i-1]))
	}
	s := new([256]strip)
	for i := range s {
		foot := f(ends[i])
		s[i] = strip{ends[i] / (1 << 53), ends[i+1], foot, f(ends[i+1]) - foot}
	}
	return s
}

// Norm draws a standard Normal.
func (r *Rand) Norm() float64 {
	for {
		u := r.Uint64()
		s := &normStrips[uint8(u)]
		x := float64(int64(u)>>10) * s.width
		if math.Abs(x) < s.sure {
			return x // 98.8 % of the time
		}
		if uint8(u) == 0 {
			return math.Copysign(r.tail(normTail), x)
		}
		if s.foot+r.Float64()*s.rise < math.Exp(-x*x/2) {
			return x
		}
	}
}

// Exp draws a standard Exponential. It is never 0.
func (r *Rand) Exp() float64 {
	moved := 0.0
	for {
		u := r.Uint64()
		s := &expStrips[uint8(u)]
		x := (float64(u>>11) + 0.5) * s.width
		if x < s.sure {
			return moved + x
		}
		if uint8(u) == 0 {
			moved += expTail // the tail of an Exponential is the same Exponential, moved
			continue
		}
		if s.foot+r.Float64()*s.rise < math.Exp(-x) {
			return moved + x
		}
	}
}

// Gamma draws from Gamma(shape, rate 1).
func (r *Rand) Gamma(shape float64) float64 {
	if shape < 1 {
		return r.SmallGamma(shape)
	}
	d := shape - 1.0/3
	return r.MarsagliaTsang(d, 1/(3*math.Sqrt(d)))
}

// SmallGamma draws from Gamma(shape, rate 1), 0 < shape < 1: algorithm GS of Ahrens &
// Dieter (1974), "Computer methods for sampling from gamma, beta, Poisson and
// binomial distributions", Computing 12, which tries little more than once for a
// small shape. What would be no normal number comes out as 0.
func (r *Rand) SmallGamma(shape float64) float64 {
	const e1 = 1 / math.E
	for {
		p := r.Float64() * (1 + shape*e1)
		if p >= 1 {
			x := -math.Log((1 + shape*e1 - p) / shape)
			if r.Exp() >= (1-shape)*math.Log(x) {
				return x
			}
			continue
		}
		// The power U^(1/shape) of a uniform number, as exp(-E/shape), E a standard
		// Exponential, is accepted with probability exp(-x); p, uniform below 1, decides.
		l := -r.Exp() / shape
		if l < LeastExp {
			return 0
		}
		if x := Exp(l); p <= 1-x || p <= math.Exp(-x) {
			return x
		}
	}
}

// MarsagliaTsang draws from Gamma(d + 1/3, rate 1), given c = 1/(3√d), d >= 2/3.
func (r *Rand) MarsagliaTsang(d, c float64) float64 {
	for {
		x := r.Norm()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := r.Float64()
		x2 := x * x
		if u < 1-0.0331*x2*x2 || math.Log(u) < 0.5*x2+d*(1-v+math.Log(v)) {
			return d * v
		}
	}
}

// InvGamma draws from InvGamma(shape, scale).
func (r *Rand) InvGamma(shape, scale float64) float64 { return scale / r.Gamma(shape) }

// InvGaussian draws from InvGaussian(mean, shape): Michael, Schucany & Haas (1976),
// with the smaller root of their quadratic as the reciprocal of the larger, since
// the difference they give loses all digits where mean is large.
func (r *Rand) InvGaussian(mean, shape float64) float64 {
	z := r.Norm()
	h := z * z / 2 * (mean / shape)
	larger := 1 + h + math.Sqrt(h*(h+2)) // over mean
	if r.Float64()*(1+larger) < larger {
		return mean / larger
	}
	return mean * larger
}
