package runtime

// This file holds the generalised inverse Gaussian, and powers of Gammas between bounds: all that has a density of the form
// exp(k·u - a·e^u - b·e^-u) in u = r·log t.

import "math"

// GIGNat draws t > 0 with density ∝ t^c · exp(-a·t - b/t): a generalised inverse Gaussian with p = c+1, ψ = 2a and χ = 2b. On
// the edges of its domain it is Gamma(c+1, a) where b = 0, and InvGamma(-c-1, b) where a = 0. It is NaN where the density
// is improper.
func (r *Rand) GIGNat(c, a, b float64) float64 {
	switch {
	case b == 0:
		return r.Gamma(c+1, a)
	case a == 0:
		return r.InvGamma(-c-1, b)
	case !isPositive(a) || !isPositive(b) || !isFinite(c):
		return nan()
	case c == -1.5:
		return r.InvGaussian(math.Sqrt(b)/math.Sqrt(a), 2*b)
	case c == -0.5: // 1/t is Inverse-Gaussian
		return positive(1 / r.InvGaussian(math.Sqrt(a)/math.Sqrt(b), 2*a))
	}
	m, v := r.logGIG(c+1, a, b, math.Inf(-1), math.Inf(1), math.Inf(1))
	return positive(math.Exp(m + v))
}

// GIGPowNat draws t > 0 with density ∝ t^c · exp(-a·t^pow - b·t^-pow), pow ≠ 0: t^pow is generalised inverse Gaussian. Edges are as
// in GIGNat.
func (r *Rand) GIGPowNat(c, a, b, pow float64) float64 {
	if pow < 0 {
		a, b, pow = b, a, -pow
	}
	k := (c + 1) / pow
	switch {
	case pow == 1:
		return r.GIGNat(c, a, b)
	case !isPositive(pow) || !isFinite(k) || !(a >= 0 && a <= huge) || !(b >= 0 && b <= huge):
		return nan()
	case b == 0:
		return r.GammaPowNat(c, a, pow, 0, math.Inf(1))
	case a == 0:
		return r.GammaPowNat(c, b, -pow, 0, math.Inf(1))
	}
	m, v := r.logGIG(k, a, b, math.Inf(-1), math.Inf(1), math.Inf(1))
	return positive(math.Exp((m + v) / pow))
}

// GammaPowNat draws t in (lo, hi) with density ∝ t^c · exp(-b·t^pow), pow ≠ 0, b >= 0, 0 <= lo < hi <= ∞: t^pow is
// Gamma((c+1)/pow, b), truncated. pow 1 is Gamma, -1 Inverse-Gamma, -2 a standard deviation, 2 a square root of a precision.
// The shape may be 0 or negative, and b 0, where the bounds make the density proper; it is NaN where they do not. Where lo
// equals hi that is the draw.
func (r *Rand) GammaPowNat(c, b, pow, lo, hi float64) float64 {
	lo = max(lo, 0)
	shape := (c + 1) / pow
	if !(b >= 0 && b <= huge) || !isFinite(shape) || pow == 0 || !isFinite(pow) || !(lo <= hi) {
		return nan()
	}
	open := lo == 0 && hi > huge
	if shape > 0 && b > 0 {
		// The untruncated draw is right if it falls between the bounds; it is dear to be wrong often, so only one is made.
		if t := r.gammaPow(shape, b, pow); open || t > lo && t < hi {
			return positive(t)
		}
	}
	if open || lo > huge {
		return nan()
	}
	if lo == hi {
		return lo
	}
	ulo, uhi := pow*math.Log(lo), pow*math.Log(hi)
	tlo, thi := lo, hi
	if pow < 0 {
		ulo, uhi, tlo, thi = uhi, ulo, thi, tlo
	}
	width := uhi - ulo
	if q := (hi - lo) / lo; q < 1 {
		width = math.Abs(pow) * math.Log1p(q)
	}
	u, v := r.logGIG(shape, b, 0, ulo, uhi, width)
	var t float64
	switch u { // an end is exact, its logarithm is not
	case ulo:
		t = tlo * math.Exp(v/pow)
	case uhi:
		t = thi * math.Exp(v/pow)
	default:
		t = math.Exp((u + v) / pow)
	}
	return inside(positive(t), lo, hi)
}

// gammaPow draws t where t^pow is Gamma(shape, rate).
func (r *Rand) gammaPow(shape, rate, pow float64) float64 {
	switch pow {
	case 1:
		return r.Gamma(shape, rate)
	case -1:
		return r.InvGamma(shape, rate)
	case -2:
		if shape >= 1 {
			return math.Sqrt(rate / r.gamma1(shape))
		}
	}
	return positive(math.Exp((r.logGamma(shape) - math.Log(rate)) / pow))
}

// logGIG draws u with density ∝ exp(k·u - a·e^u - b·e^-u) on (lo, hi), a, b >= 0, returned as u = m + v with m the mode or the
// end nearest to it. width is hi-lo, which the caller may know better. The result is NaN where the density is improper.
//
// The density is log-concave, whatever k. Rejection is from a hat that is flat about m and exponential beyond, tangent to
// the log density where that has fallen by about 1: Devroye (2014) did so for the untruncated density. It is a hat wherever
// the points of tangency lie, so how they are found bears on speed only. Everything is relative to m, so nothing cancels.
func (r *Rand) logGIG(k, a, b, lo, hi, width float64) (m, v float64) {
	if a == 0 && b == 0 { // exponential or uniform
		switch {
		case k <= 0 && isFinite(lo) && (k < 0 || isFinite(width)):
			return lo, r.truncExp(-k, width)
		case k > 0 && isFinite(hi):
			return hi, -r.truncExp(k, width)
		}
		return nan(), nan()
	}
	if a == 0 && k >= 0 && hi > huge || b == 0 && k <= 0 && lo < -huge {
		return nan(), nan()
	}
	m, left, right := gigHat(k, a, b, lo, hi, width)
	total := left.area() + right.area()
	if !isPositive(total) {
		return m, total // 0 where the density is too narrow for a float64
	}
	for range tries {
		u := r.Float64() * total
		side := &right
		if area := right.area(); u >= area {
			u, side = u-area, &left
		}
		x, hat := u, 0.0
		if u >= side.flat {
			e := r.truncExp(side.rate, side.end-side.flat)
			x, hat = side.flat+e, -side.rate*e
		}
		if r.Exp1() > hat-side.log(x) {
			if side == &left {
				x = -x
			}
			return m, x
		}
	}
	return m, 0
}

// gigHat returns the mode of the density of logGIG, or the end nearest to it, and the slopes on both sides of it.
func gigHat(k, a, b, lo, hi, width float64) (m float64, left, right slope) {
	// The mode solves k - A + B = 0, A = a·e^m, B = b·e^-m, AB = ab.
	var up, down expTerm
	root := math.Sqrt(a) * math.Sqrt(b)
	switch top := (math.Abs(k) + math.Hypot(k, 2*root)) / 2; {
	case a == 0 && k >= 0:
		m = math.Inf(1)
	case b == 0 && k <= 0:
		m = math.Inf(-1)
	case k >= 0:
		up.a, down.a = top, root*(root/top)
		m = math.Log(top) - math.Log(a)
	default:
		up.a, down.a = root*(root/top), top
		m = math.Log(b) - math.Log(top)
	}
	s, dlo, dhi := 0.0, m-lo, hi-m
	if m <= lo || m >= hi {
		if m <= lo {
			m, dlo, dhi = lo, 0, width
		} else {
			m, dlo, dhi = hi, width, 0
		}
		up.a, down.a = scaledExp(a, m), scaledExp(b, -m)
		s = k - up.a + down.a
		if !isFinite(s) {
			dlo, dhi = 0, 0
		}
	}
	up.log, down.log = math.Log(a)+m, math.Log(b)-m
	return m, newSlope(min(-s, 0), down, up, dlo), newSlope(min(s, 0), up, down, dhi)
}

// scaledExp returns a·e^x, though e^x alone may overflow.
func scaledExp(a, x float64) float64 {
	if math.Abs(x) < 700 || a == 0 {
		return a * math.Exp(x)
	}
	return math.Exp(x + math.Log(a))
}

// An expTerm is a·(e^x - 1 - x). Its coefficient may be 0 for underflow and yet matter at large x, so the logarithm is
// kept too.
type expTerm struct{ a, log float64 }

func (t *expTerm) at(x float64) float64 {
	switch {
	case x > 600:
		return math.Exp(t.log + x)
	case t.a == 0:
		return 0
	case math.Abs(x) < 0.01:
		return t.a * (x * x * (1.0/2 + x*(1.0/6+x*(1.0/24+x*(1.0/120+x*(1.0/720+x/5040))))))
	}
	return t.a * (math.Expm1(x) - x)
}

func (t *expTerm) deriv(x float64) float64 {
	switch {
	case x > 600:
		return math.Exp(t.log + x)
	case t.a == 0:
		return 0
	}
	return t.a * math.Expm1(x)
}

// A slope is one side of the density of logGIG, at distance x in (0, end) from its top, with its hat: 0 up to flat, then
// falling at rate.
type slope struct {
	s                float64 // log density s·x - up(x) - down(-x), s <= 0
	up, down         expTerm
	end              float64
	flat, rate, tail float64 // tail is the area of the exponential part, 0 if there is none
}

// area returns the area under the hat.
func (p *slope) area() float64 { return p.flat + p.tail }

// log returns the log density at x, relative to the top.
func (p *slope) log(x float64) float64 { return p.s*x - p.up.at(x) - p.down.at(-x) }

// deriv returns the derivative of log.
func (p *slope) deriv(x float64) float64 { return p.s - p.up.deriv(x) + p.down.deriv(-x) }

// newSlope looks by Newton's method for a point where the log density has fallen by about 1, and puts the tangent there.
func newSlope(s float64, up, down expTerm, end float64) slope {
	p := slope{s: s, up: up, down: down, end: end}
	if end <= 0 {
		return p
	}
	// Start from the quadratic approximation; no further than up(x) = 1 allows.
	last := min(end, max(1.7, math.Ln2-up.log))
	x := min(2/(-s+math.Sqrt(s*s+2*(up.a+down.a))), last)
	y := p.log(x)
	for range 20 {
		if y < -0.6 && y > -1.8 || y > -1 && x == last {
			break
		}
		x = min(x-(y+1)/p.deriv(x), last)
		y = p.log(x)
	}
	if x == end && y > -1.5 {
		p.flat = end
		return p
	}
	p.rate = -p.deriv(x)
	p.flat = max(x+y/p.rate, 0)
	p.tail = 1 / p.rate
	if end <= huge {
		p.tail *= -math.Expm1(-p.rate * (end - p.flat))
	}
	return p
}
