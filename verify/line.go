// This file turns a log density along a line into a distribution function, whatever its scale, tails and ends, or says that it can't.

package verify

import (
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// A coordinate maps y, any real number, to a place on an interval. In it densities on the interval have light tails or those of a
// logarithm, and a pole at an end is none.
type coordinate struct {
	x    func(y float64) float64
	y    func(x float64) float64
	logJ func(y float64) float64 // log |dx/dy|
}

// within returns the coordinate of the interval (lo, hi), whose ends may be infinite.
func within(lo, hi float64) coordinate {
	switch below, above := math.IsInf(lo, -1), math.IsInf(hi, 1); {
	case below && above:
		return coordinate{func(y float64) float64 { return y }, func(x float64) float64 { return x }, func(float64) float64 { return 0 }}
	case above:
		return coordinate{
			func(y float64) float64 { return lo + math.Exp(y) },
			func(x float64) float64 { return math.Log(x - lo) },
			func(y float64) float64 { return y }}
	case below:
		return coordinate{
			func(y float64) float64 { return hi - math.Exp(-y) },
			func(x float64) float64 { return -math.Log(hi - x) },
			func(y float64) float64 { return -y }}
	}
	return coordinate{
		func(y float64) float64 { // from the nearer end, lest it be rounded to the other one
			if y < 0 {
				return lo + (hi-lo)*runtime.Logistic(y)
			}
			return hi - (hi-lo)*runtime.Logistic(-y)
		},
		func(x float64) float64 { return math.Log(x-lo) - math.Log(hi-x) },
		func(y float64) float64 { return math.Log(hi-lo) + runtime.LogLogistic(y) + runtime.LogLogistic(-y) },
	}
}

// A line is a curve through the space of a target, by a real number y; the density along it is that of the target times exp(logJ).
type line struct {
	at   func(y float64) ([]float64, bool) // false if floating point is too coarse to tell the point from the end of the support
	logJ func(y float64) float64
	y0   float64 // where the target is
}

// starts reports whether the target is where floating point can tell it from the ends.
func (l line) starts() bool {
	_, ok := l.at(l.y0)
	return ok && finite(l.y0)
}

// least is a number below which numbers lose precision, or are what draws that come out as 0 are moved to.
const least = 0x1p-1010

// axis is the whole line of a number between lo and hi.
func axis(x, lo, hi float64) (line, coordinate) {
	c := within(lo, hi)
	return line{
		at: func(y float64) ([]float64, bool) {
			x := c.x(y)
			return []float64{x}, x-lo >= least && hi-x >= least
		},
		logJ: c.logJ,
		y0:   c.y(x),
	}, c
}

// through is the line through the vector x in direction d.
func through(x, d []float64) line {
	return line{
		at: func(y float64) ([]float64, bool) {
			out := slices.Clone(x)
			for i := range out {
				out[i] += y * d[i]
			}
			return out, true
		},
		logJ: func(float64) float64 { return 0 },
	}
}

// shared is the curve through the simplex x on which element i takes a share t, and the others keep their proportions: in t, the others
// being (1-t) times what is fixed, the density of the n - 1 free elements has the Jacobian (1-t)^(n-2). It ends where an element falls short
// of least: of a draw none of whose elements does, the place on the curve so far is uniform, however much of the density lies beyond.
func shared(x []float64, i int) line {
	rest := 0.0
	for j, xj := range x {
		if j != i {
			rest += xj
		}
	}
	return line{
		at: func(y float64) ([]float64, bool) {
			out := slices.Clone(x)
			for j := range out {
				out[j] *= runtime.Logistic(-y) / rest
			}
			out[i] = runtime.Logistic(y)
			return out, slices.Min(out) >= least
		},
		logJ: func(y float64) float64 { return runtime.LogLogistic(y) + float64(len(x)-1)*runtime.LogLogistic(-y) },
		y0:   math.Log(x[i]) - math.Log(rest),
	}
}

// leaning is the line through the positive definite p by p matrix x on which its elements (i, j) and (j, i) change by the same t. With
// A = x⁻¹, the determinant of x + t(E_ij + E_ji) is that of x times (1 + t A_ij)² - t² A_ii A_jj, and that of x + t E_ii times 1 + t A_ii:
// between their zeros it stays positive definite.
func leaning(x []float64, p, i, j int) (line, error) {
	inv := make([]float64, p*p)
	if err := runtime.InvSPD(inv, x, p, runtime.NewMatWork(p)); err != nil {
		return line{}, err
	}
	lo, hi := -1/inv[i*p+i], math.Inf(1)
	if i != j {
		root, between := math.Sqrt(inv[i*p+i])*math.Sqrt(inv[j*p+j]), inv[i*p+j]
		lo, hi = -1/(root+between), 1/(root-between)
	}
	if !(lo < 0 && hi > 0) {
		return line{}, errors.New("the matrix is singular but for rounding")
	}
	c := within(lo, hi)
	return line{
		at: func(y float64) ([]float64, bool) {
			t := c.x(y)
			out := slices.Clone(x)
			out[i*p+j] += t
			out[j*p+i] = out[i*p+j]
			return out, t > lo && t < hi
		},
		logJ: c.logJ,
		y0:   c.y(0),
	}, nil
}

// density returns the log density along the line: -Inf where there is none, NaN where floating point can't tell.
func (l line) density(logf func(x []float64) float64) func(y float64) float64 {
	return func(y float64) float64 {
		x, ok := l.at(y)
		if !ok {
			return math.NaN()
		}
		lp := logf(x)
		if lp != lp {
			return math.Inf(-1)
		}
		return lp + l.logJ(y)
	}
}

// A density is the distribution function of y, whose density is proportional to exp(g(y)): a polynomial on each of a few panels. They
// are panels of v, where y = centre + scale sinh(v): wide steps where little is.
type density struct {
	centre, scale float64
	panels        []panel
	total         float64
	log           float64   // of the integral of exp(g)
	top           float64   // largest log density, of v
	beyond        float64   // about the mass where floating point has run out, which is left off
	cut           []float64 // of each end at which the density jumps to 0: y just inside, and just outside
}

// A panel is the density between a and b, relative to the top, by its Legendre coefficients, and the mass of the panels before it.
type panel struct {
	a, b, below float64
	coef        [nodes]float64
}

const (
	nodes    = 12
	depth    = 30   // log density below the top at which a tail is left off: its mass is of the order of 1e-13
	blurred  = 1e-3 // share of the mass that is next to nothing: less than tests of draws resolve
	farthest = 60.  // largest v
	largest  = 1e12 // log density where most of the mass is, of either sign, whose differences floating point still knows to some 1e-3
	narrow   = 1e-7 // middle half of the density, relative to where it is, of which squares know a hundredth: so much is a log density off that is made of them
	rough    = 1e-6 // last coefficients of a panel, times its width, relative to all mass: far less than any test resolves
)

// Why a density can't be tabulated.
var (
	errStart  = errors.New("the log density is not finite at the target's value")
	errTail   = errors.New("a tail of the density does not end within floating point")
	errPole   = errors.New("the density has a pole")
	errPeak   = errors.New("no mode of the density was found")
	errCoarse = errors.New("the density is too rough to be integrated")
	errLarge  = errors.New("the log density is so large that rounding hides its differences")
	errIsland = errors.New("the density has islands, of which one was found")
	errNarrow = errors.New("the density is so narrow that rounding hides its shape")
)

// tabulate integrates exp(g) from y0 outwards. g is -Inf where the density is 0, and NaN where floating point is too coarse to say. The
// error says why the integral can't be trusted. That the densities have one mode, or modes that are not islands, is assumed.
func tabulate(g func(y float64) float64, y0 float64) (*density, error) {
	if !finite(y0) || !finite(g(y0)) {
		return nil, errStart
	}
	d := &density{centre: y0}
	for range 40 {
		d.rescale(g)
		left, right, top, best, err := d.scan(g)
		if err != nil {
			return nil, err
		}
		if g(best) > g(d.centre)+2 { // it is in a tail: look from the mode, where a step is as long as the mode is wide
			d.centre = best
			continue
		}
		if math.Abs(g(best)) > largest {
			return nil, errLarge
		}
		return d, d.fill(g, left, right, top)
	}
	return nil, errPeak
}

func (d *density) y(v float64) float64 { return d.centre + d.scale*math.Sinh(v) }
func (d *density) v(y float64) float64 { return math.Asinh((y - d.centre) / d.scale) }

// logv returns the log density of v but for a constant.
func (d *density) logv(g func(float64) float64, v float64) float64 {
	return g(d.y(v)) + math.Log(math.Cosh(v))
}

// rescale looks for a step that changes the log density by about 1.
func (d *density) rescale(g func(float64) float64) {
	here := g(d.centre)
	d.scale = max(1, math.Abs(d.centre)/8)
	grew, shrank := false, false
	for range 400 {
		change, inside := 0.0, false
		for _, y := range []float64{d.centre - d.scale, d.centre + d.scale} {
			if there := g(y); finite(there) {
				change, inside = max(change, math.Abs(there-here)), true
			}
		}
		switch {
		case (!inside || change > 4) && d.scale > 1e-14*math.Abs(d.centre) && d.scale > 1e-300:
			d.scale /= 3
			shrank = true
		case change < 0.3 && !shrank && d.scale < 1e200:
			d.scale *= 3
			grew = true
		default:
			return
		}
		if grew && shrank {
			return
		}
	}
}

// scan walks from the centre to both sides until the density is negligible, and returns the ends and the largest log density, all three of
// v, and the mode as far as it saw it, which is of y.
func (d *density) scan(g func(float64) float64) (left, right, top, best float64, err error) {
	const step = 0.5
	top, best = d.logv(g, 0), d.centre
	highest := top
	seen := func(v, lp float64) {
		top = max(top, lp)
		if there := lp - math.Log(math.Cosh(v)); there > highest {
			highest, best = there, d.y(v)
		}
	}
	d.cut, d.beyond = nil, 0
	var ends [2]float64
	for side, sign := range []float64{-1, 1} {
		last, here := 0.0, d.logv(g, 0)
		for low := 0; low < 2; {
			v := last + sign*step
			next := d.logv(g, v)
			switch {
			case math.IsInf(next, 1):
				return 0, 0, 0, 0, errPole
			case !finite(next) && here < top-depth:
				low = 2
				continue
			case !finite(next):
				in, out := last, v
				for range 60 {
					mid := in + (out-in)/2
					if finite(d.logv(g, mid)) {
						in = mid
					} else {
						out = mid
					}
				}
				end := d.logv(g, in)
				seen(in, end)
				if outside := g(d.y(out)); end < top-depth/2 { // too little to be missed
				} else if outside == outside {
					d.cut = append(d.cut, d.y(in), d.y(out))
				} else { // as if the tail went on like an exponential one, or came to nothing sooner
					slope := max(0, (d.logv(g, in-sign*step/4)-end)/(step/4))
					d.beyond += math.Exp(end-top) / slope
				}
				last, low = in, 2
				continue
			}
			seen(v, next)
			low++
			if next > top-depth {
				low = 0
			}
			if last, here = v, next; math.Abs(v) > farthest {
				return 0, 0, 0, 0, errTail
			}
		}
		ends[side] = last
	}
	return ends[0], ends[1], top, best, nil
}

// fill tabulates the density between two ends.
func (d *density) fill(g func(float64) float64, left, right, top float64) error {
	type piece struct {
		panel
		rough float64
	}
	fit := func(a, b float64) piece {
		p := piece{panel: panel{a: a, b: b}}
		for i, x := range gauss.x {
			f := 0.0
			if lp := d.logv(g, (a+b)/2+(b-a)/2*x); lp == lp {
				f = math.Exp(lp - top)
			}
			for k := range nodes {
				p.coef[k] += gauss.fit[k][i] * f
			}
		}
		for _, c := range p.coef[nodes-3:] {
			p.rough = max(p.rough, math.Abs(c)*(b-a))
		}
		return p
	}
	mass := func(p piece) float64 { return p.coef[0] * (p.b - p.a) }
	n := int(math.Ceil(right - left))
	if n < 1 || !(right > left) {
		return errCoarse
	}
	n = max(n, 4)
	var todo []piece // those to be looked at, the leftmost last
	whole := 0.0
	for i := range n {
		w := (right - left) / float64(n)
		todo = append(todo, fit(left+w*float64(n-1-i), left+w*float64(n-i)))
		whole += mass(todo[i])
	}
	for tries := 0; len(todo) > 0; tries++ {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !(p.rough <= rough*whole) {
			m := (p.a + p.b) / 2
			if tries > 1000 || !(m > p.a && m < p.b) {
				return errCoarse
			}
			low, high := fit(p.a, m), fit(m, p.b)
			whole += mass(low) + mass(high) - mass(p)
			todo = append(todo, high, low)
			continue
		}
		p.below = d.total
		d.total += mass(p)
		d.panels = append(d.panels, p.panel)
	}
	if !(d.total > 0) || math.IsInf(d.total, 1) {
		return errCoarse
	}
	d.top = top
	d.log = top + math.Log(d.total) + math.Log(d.scale)
	return nil
}

// misses reports whether the density at y, which lies outside of what was tabulated, is none to leave off: there is an island.
func (d *density) misses(g func(float64) float64, y float64) bool {
	v := d.v(y)
	return (v < d.panels[0].a || v > d.panels[len(d.panels)-1].b) && d.logv(g, v) > d.top-depth
}

// whole reports whether next to nothing of the density is where floating point has run out.
func (d *density) whole() bool { return d.beyond <= blurred*d.total }

// resolved reports whether floating point knows where on the line the density is. A sampler's log density is often made of sums and squares
// of numbers that are kept, rather than of their differences: rounding takes the place of the density if that is very narrow.
func (d *density) resolved(l line) bool {
	a, _ := l.at(d.quantile(0.25))
	b, _ := l.at(d.quantile(0.75))
	for i := range a {
		if math.Abs(b[i]-a[i]) > narrow*max(math.Abs(a[i]), math.Abs(b[i])) {
			return true
		}
	}
	return false
}

// upTo returns the mass of a panel up to s, from -1 to 1 within it.
func (p *panel) upTo(s float64) float64 {
	sum := p.coef[0] * (s + 1)
	before, at := 1.0, s // Legendre polynomials: those of degree k-1 and k
	for k := 1; k < nodes; k++ {
		after := (float64(2*k+1)*s*at - float64(k)*before) / float64(k+1)
		sum += p.coef[k] * (after - before) / float64(2*k+1)
		before, at = at, after
	}
	return sum * (p.b - p.a) / 2
}

// cdf returns P(Y < y).
func (d *density) cdf(y float64) float64 {
	v := d.v(y)
	i := sort.Search(len(d.panels), func(i int) bool { return v < d.panels[i].b })
	switch {
	case i == len(d.panels): // NaN too
		return 1
	case v < d.panels[0].a:
		return 0
	}
	p := &d.panels[i]
	return min(max((p.below+p.upTo((v-p.a)/(p.b-p.a)*2-1))/d.total, 0), 1)
}

// quantile returns the y below which the mass is u.
func (d *density) quantile(u float64) float64 {
	mass := u * d.total
	i := max(0, sort.Search(len(d.panels), func(i int) bool { return d.panels[i].below > mass })-1)
	p := &d.panels[i]
	lo, hi := -1.0, 1.0
	for range 54 {
		if s := (lo + hi) / 2; p.below+p.upTo(s) < mass {
			lo = s
		} else {
			hi = s
		}
	}
	return d.y(p.a + (p.b-p.a)*(lo+1)/2)
}

// gauss are the places of Gauss-Legendre quadrature on (-1, 1), and what takes values there to Legendre coefficients.
var gauss = gaussLegendre()

type quadrature struct {
	x   [nodes]float64
	fit [nodes][nodes]float64 // by coefficient and place
}

// gaussLegendre finds the zeros of the Legendre polynomial of degree nodes by Newton's method, from Tricomi's approximation.
func gaussLegendre() (q quadrature) {
	for i := range nodes {
		x := math.Cos(math.Pi * (float64(i) + 0.75) / (nodes + 0.5))
		var p [nodes + 1]float64
		slope := 0.0
		for range 20 {
			p[0], p[1] = 1, x
			for k := 1; k < nodes; k++ {
				p[k+1] = (float64(2*k+1)*x*p[k] - float64(k)*p[k-1]) / float64(k+1)
			}
			slope = nodes * (x*p[nodes] - p[nodes-1]) / (x*x - 1)
			x -= p[nodes] / slope
		}
		weight := 2 / ((1 - x*x) * slope * slope)
		q.x[i] = x
		for k := range nodes {
			q.fit[k][i] = float64(2*k+1) / 2 * weight * p[k]
		}
	}
	return q
}
