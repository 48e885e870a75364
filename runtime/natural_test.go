package runtime

import (
	"math"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/internal/testkit"
)

// A natural is a log density in natural parameters.
type natural struct {
	name  string
	draw  func(r *Rand) []float64   // a point of the support
	logp  func(x []float64) float64 // the function under test
	stats func(x []float64) float64 // what its documentation says the density is proportional to, as a log
	same  func(x []float64) float64 // the density by a function that is tested by itself; nil if logp is not normalised
}

func naturals() []natural {
	sum := func(n int, term func(i int) float64) float64 {
		s := 0.0
		for i := range n {
			s += term(i)
		}
		return s
	}
	// 2 by 2 matrices.
	S := []float64{3, 0.5, 0.5, 2}
	ws := func() *MatWork { return NewMatWork(2) }
	spd := func(r *Rand) []float64 { x := make([]float64, 4); r.AnySPD(x, 2); return x }
	det := func(x []float64) float64 { return x[0]*x[3] - x[1]*x[2] }
	inv := func(x []float64) []float64 { d := det(x); return []float64{x[3] / d, -x[1] / d, -x[2] / d, x[0] / d} }
	tr := func(a, b []float64) float64 { return a[0]*b[0] + a[1]*b[2] + a[2]*b[1] + a[3]*b[3] }
	form := func(a, m, v []float64) float64 {
		return a[0]*m[0]*v[0] + a[1]*m[0]*v[1] + a[2]*m[1]*v[0] + a[3]*m[1]*v[1]
	}
	times := func(k float64, x []float64) []float64 { return []float64{k * x[0], k * x[1], k * x[2], k * x[3]} }

	c := []float64{-0.5, 1.3, 0.2}
	const kappa, power = 1.7, -5.0
	b := []float64{0.4, -0.6}
	psi := []float64{S[0] - b[0]*b[0]/kappa, S[1] - b[0]*b[1]/kappa, S[2] - b[1]*b[0]/kappa, S[3] - b[1]*b[1]/kappa}
	P := []float64{2, 0.3, 0.3, 1}
	return []natural{
		{"DirichletNatLogPDF", func(r *Rand) []float64 { x := make([]float64, 3); r.AnySimplex(x); return x },
			func(x []float64) float64 { return DirichletNatLogPDF(x, c) },
			func(x []float64) float64 { return sum(3, func(i int) float64 { return c[i] * math.Log(x[i]) }) },
			func(x []float64) float64 { return DirichletLogPDF(x, []float64{c[0] + 1, c[1] + 1, c[2] + 1}) }},
		{"DirichletNatLogDensity", func(r *Rand) []float64 { x := make([]float64, 3); r.AnySimplex(x); return x },
			func(x []float64) float64 { return DirichletNatLogDensity(x, c) },
			func(x []float64) float64 { return sum(3, func(i int) float64 { return c[i] * math.Log(x[i]) }) }, nil},
		{"BetaNatLogPDF", func(r *Rand) []float64 { return []float64{r.Open01()} },
			func(x []float64) float64 { return BetaNatLogPDF(x[0], -0.3, 2) },
			func(x []float64) float64 { return -0.3*math.Log(x[0]) + 2*math.Log1p(-x[0]) },
			func(x []float64) float64 { return DirichletLogPDF([]float64{x[0], 1 - x[0]}, []float64{0.7, 3}) }},
		{"GammaPowNatLogPDF", func(r *Rand) []float64 { return []float64{0.2 + 2*r.Float64()} },
			func(x []float64) float64 { return GammaPowNatLogPDF(x[0], -4, 1.5, -2) },
			func(x []float64) float64 { return -4*math.Log(x[0]) - 1.5*math.Pow(x[0], -2) },
			func(x []float64) float64 { // y = x^-2 is Gamma(1.5, rate = 1.5), |dy/dx| = 2·x^-3
				return GammaLogPDF(math.Pow(x[0], -2), 1.5, 1.5) + math.Log(2) - 3*math.Log(x[0])
			}},
		{"NormalNatLogPDF", func(r *Rand) []float64 { return []float64{3 * r.Norm()} },
			func(x []float64) float64 { return NormalNatLogPDF(x[0], 0.7, 2.5) },
			func(x []float64) float64 { return 0.7*x[0] - 2.5*x[0]*x[0]/2 },
			func(x []float64) float64 {
				d := x[0] - 0.7/2.5
				return -2.5*d*d/2 + math.Log(2.5/(2*math.Pi))/2
			}},
		{"MVNormalNatLogDensity", func(r *Rand) []float64 { return []float64{r.Norm(), r.Norm()} },
			func(x []float64) float64 { return MVNormalNatLogDensity(x, b, P) },
			func(x []float64) float64 { return b[0]*x[0] + b[1]*x[1] - form(P, x, x)/2 }, nil},
		{"WishartNatLogDensity", spd,
			func(x []float64) float64 { return WishartNatLogDensity(x, 1.5, S, 2, ws()) },
			func(x []float64) float64 { return 1.5*math.Log(det(x)) - tr(S, x)/2 }, nil},
		{"InvWishartNatLogDensity", spd,
			func(x []float64) float64 { return InvWishartNatLogDensity(x, -3, S, 2, ws()) },
			func(x []float64) float64 { return -3*math.Log(det(x)) - tr(S, inv(x))/2 }, nil},
		// A point is m, then v.
		{"NIWNatLogPDF", func(r *Rand) []float64 { return append([]float64{r.Norm(), r.Norm()}, spd(r)...) },
			func(x []float64) float64 {
				return NIWNatLogPDF(x[:2], x[2:], kappa, b, append([]float64(nil), S...), power, 2, ws())
			},
			func(x []float64) float64 {
				m, v := x[:2], inv(x[2:])
				return power*math.Log(det(x[2:])) - kappa*form(v, m, m)/2 + form(v, b, m) - tr(S, v)/2
			},
			func(x []float64) float64 { // |v|^power has -(nu+p+1)/2 of the Inverse-Wishart and -1/2 of the Normal
				return InvWishartLogPDF(x[2:], -2*power-4, psi, 2, ws()) +
					MVNormalLogPDF(x[:2], []float64{b[0] / kappa, b[1] / kappa}, times(1/kappa, x[2:]), ws())
			}},
		{"NIGNatLogPDF", func(r *Rand) []float64 { return []float64{r.Norm(), 0.2 + r.Float64()} },
			func(x []float64) float64 { return NIGNatLogPDF(x[0], x[1], kappa, 0.4, 2, -4) },
			func(x []float64) float64 { return -4*math.Log(x[1]) - (kappa*x[0]*x[0]/2-0.4*x[0]+2)/x[1] },
			func(x []float64) float64 { // one dimension of the other, with S/2
				return NIWNatLogPDF(x[:1], x[1:], kappa, []float64{0.4}, []float64{4}, -4, 1, NewMatWork(1))
			}},
	}
}

// TestNatural checks every log density in natural parameters against the formula that its documentation gives, and those that are
// normalised against densities that have tests of their own.
func TestNatural(t *testing.T) {
	have := map[string]bool{}
	for _, n := range naturals() {
		have[n.name] = true
		// wrong takes a density by; planted faults must not pass.
		wrong := func(logp func([]float64) float64) bool {
			rng := NewRand(5)
			y := n.draw(rng)
			for range 20 {
				x := n.draw(rng)
				if !near(logp(x)-logp(y), n.stats(x)-n.stats(y), 1e-9) || n.same != nil && !near(logp(x), n.same(x), 1e-9) {
					return true
				}
			}
			return false
		}
		if wrong(n.logp) {
			t.Errorf("%s: not the density that it says", n.name)
		}
		if n.same != nil && !wrong(func(x []float64) float64 { return n.logp(x) + 1e-6 }) {
			t.Errorf("%s: another constant is missed", n.name)
		}
		if !wrong(func(x []float64) float64 { return n.logp(x) + 1e-6*x[0] }) {
			t.Errorf("%s: another statistic is missed", n.name)
		}
	}
	for name := range testkit.Signatures(t, ".") {
		if (strings.HasSuffix(name, "NatLogPDF") || strings.HasSuffix(name, "NatLogDensity")) && !have[name] {
			t.Errorf("%s has no line in naturals", name)
		}
	}
}
