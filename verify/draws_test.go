// This file checks the check of draws: kernels whose log density is right and whose draws are a little off, which no exact check shows.

package verify

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/generated/betabin"
	"github.com/gibbsgen/gibbsgen/generated/dpmm"
	"github.com/gibbsgen/gibbsgen/generated/dpmmfull"
	"github.com/gibbsgen/gibbsgen/generated/lasso"
	"github.com/gibbsgen/gibbsgen/generated/mixture"
	"github.com/gibbsgen/gibbsgen/generated/probit"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// A fault changes a conditional, for one, by wrapping its Draw; rng is for its own use.
type fault func(c *runtime.Conditional, rng *runtime.Rand)

// off is a sampler whose conditionals have a fault.
type off struct {
	Subject
	fault fault
	rng   *runtime.Rand
}

func (o off) Conditionals() []runtime.Conditional {
	cs := o.Subject.Conditionals()
	for i := range cs {
		o.fault(&cs[i], o.rng)
	}
	return cs
}

// integrated is one of a model that integrates something out.
type integrated struct{ off }

func (o integrated) LogCollapsed() float64 {
	return o.Subject.(interface{ LogCollapsed() float64 }).LogCollapsed()
}

// faulty returns the model with the fault.
func faulty(m Model, f fault) Model {
	open := m.Open
	m.Open = func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
		s, err := open(set, rng)
		if err != nil {
			return nil, err
		}
		o := off{s.(Subject), f, runtime.NewRand(rng.Uint64())}
		if _, ok := s.(interface{ LogCollapsed() float64 }); ok {
			return integrated{o}, nil
		}
		return o, nil
	}
	return m
}

// drawnAs wraps the draw of one variable: after it, next makes another value of it.
func drawnAs(name string, next func(c *runtime.Conditional, x []float64, rng *runtime.Rand) []float64) fault {
	return func(c *runtime.Conditional, rng *runtime.Rand) {
		if nameOf(c.Name) != name {
			return
		}
		right := *c
		c.Draw = func() error {
			old := right.Get()
			if err := right.Draw(); err != nil {
				return err
			}
			x := right.Get()
			right.Set(old)
			if x = next(&right, x, rng); x != nil {
				right.Set(x)
			}
			return nil
		}
	}
}

// normal returns mean and standard deviation of a Normal conditional.
func normal(c *runtime.Conditional) (mean, sd float64) {
	at := func(x float64) float64 { return c.LogDensity([]float64{x}) }
	prec := 2*at(0) - at(1) - at(-1)
	return (at(1) - at(-1)) / 2 / prec, 1 / math.Sqrt(prec)
}

// wider draws a Normal number whose standard deviation is too large by the factor.
func wider(factor float64) func(*runtime.Conditional, []float64, *runtime.Rand) []float64 {
	return func(c *runtime.Conditional, x []float64, _ *runtime.Rand) []float64 {
		mean, _ := normal(c)
		return []float64{mean + factor*(x[0]-mean)}
	}
}

var (
	aMixture  = Model{Source: mixture.Source, Schema: mixture.Schema, Open: mixture.Open}
	aProbit   = Model{Source: probit.Source, Schema: probit.Schema, Open: probit.Open}
	aBetabin  = Model{Source: betabin.Source, Schema: betabin.Schema, Open: betabin.Open}
	aDpmm     = Model{Source: dpmm.Source, Schema: dpmm.Schema, Open: dpmm.Open}
	aDpmmfull = Model{Source: dpmmfull.Source, Schema: dpmmfull.Schema, Open: dpmmfull.Open}
	aLasso    = Model{Source: lasso.Source, Schema: lasso.Schema, Open: lasso.Open}
)

// heldTo makes the trials of draws as a verification does, of one variable or, if it is "", of all, and returns what failed, by name.
func heldTo(t *testing.T, m Model, variable string, opt Options) map[string]string {
	t.Helper()
	l, err := newLab(m, opt)
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]string{}
	const once = 0.03 // √FalseAlarms; with some 20 trials
	for i, tt := range l.drawTrials() {
		if variable != "" && tt.name != "draws of "+variable {
			continue
		}
		saw, err := tt.look(view{uint64(2 * i), 1, once / 20})
		if err == nil && saw.failed() {
			saw, err = tt.look(view{uint64(2*i + 1), secondLook, once})
		}
		switch {
		case err != nil:
			failed[tt.name] = err.Error()
		case saw.failed():
			failed[tt.name] = saw.tell
		}
	}
	return failed
}

// TestDrawsCatchesPlantedFaults: each fault is caught by the row of its variable. A right sampler fails with probability 1e-3.
func TestDrawsCatchesPlantedFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		model Model
		set   map[string]float64 // constants
		sizes map[string]int
		row   string // "": none
		fault fault
		tells string
	}{
		{"none", aMixture, nil, nil, "", func(*runtime.Conditional, *runtime.Rand) {}, ""},
		{"none, unbounded", aDpmmfull, nil, nil, "", func(*runtime.Conditional, *runtime.Rand) {}, ""},
		{"a standard deviation 1.2 times as large", aMixture, nil, nil, "mu", drawnAs("mu", wider(1.2)), "quantile"},
		{"a shift of a fifth of a standard deviation", aMixture, nil, nil, "mu", drawnAs("mu", func(c *runtime.Conditional, x []float64, _ *runtime.Rand) []float64 {
			_, sd := normal(c)
			return []float64{x[0] + sd/5}
		}), "median"},
		{"a truncated Normal by reflection", aProbit, map[string]float64{"v": 0.3}, nil, "z", drawnAs("z", func(c *runtime.Conditional, x []float64, rng *runtime.Rand) []float64 {
			here := c.LogDensity(x)
			there := c.LogDensity([]float64{2 * x[0]})
			// -(z-m)²/2 at z and at 2z: their difference is zm - 3z²/2.
			m := (there - here + 1.5*x[0]*x[0]) / x[0]
			return []float64{math.Copysign(math.Abs(rng.Normal(m, 1)), x[0])}
		}), "quantile"},
		{"a Dirichlet with two counts more", aMixture, nil, nil, "pi", drawnAs("pi", func(c *runtime.Conditional, x []float64, rng *runtime.Rand) []float64 {
			alpha := make([]float64, len(x))
			for k := range x {
				e := make([]float64, len(x))
				for j := range e {
					e[j] = 1
				}
				e[k] = math.E
				alpha[k] = c.LogDensity(e) + 1
			}
			alpha[0] += 2
			rng.Dirichlet(x, alpha)
			return x
		}), "at N"},
		{"an Inverse-Wishart of another scale", aDpmm, nil, map[string]int{"P": 2}, "Sigma", drawnAs("Sigma", func(_ *runtime.Conditional, x []float64, _ *runtime.Rand) []float64 {
			for i := range x {
				x[i] *= 1.4
			}
			return x
		}), "quantile"},
		{"a multivariate Normal whose first number is independent of the others", aLasso, nil, nil, "w", drawnAs("w", firstApart), "quantile"},
		{"a slice sampler of the logarithm without its Jacobian", aBetabin, nil, nil, "a", drawnAs("a", func(c *runtime.Conditional, _ []float64, rng *runtime.Rand) []float64 {
			return []float64{math.Exp(rng.Slice(math.Log(c.Get()[0]), math.Inf(-1), math.Inf(1), 1, func(u float64) float64 {
				return c.LogDensity([]float64{math.Exp(u)})
			}))}
		}), "quantile"},
		{"a slice sampler that steps out and takes what it gets", aBetabin, nil, nil, "a", drawnAs("a", func(c *runtime.Conditional, _ []float64, rng *runtime.Rand) []float64 {
			x := c.Get()[0]
			level := c.LogDensity([]float64{x}) - rng.Exp1()
			l := x - rng.Float64()
			u := l + 1
			for l > 0 && c.LogDensity([]float64{l}) > level {
				l--
			}
			for c.LogDensity([]float64{u}) > level {
				u++
			}
			return []float64{rng.Uniform(max(l, 0), u)}
		}), "quantile"},
		{"a draw that does not move", aBetabin, nil, nil, "a", drawnAs("a", func(c *runtime.Conditional, _ []float64, rng *runtime.Rand) []float64 {
			return c.Get()
		}), "where it was"},
		{"an enumeration by a uniform number of two bits", aMixture, nil, nil, "z", drawnAs("z", func(c *runtime.Conditional, x []float64, rng *runtime.Rand) []float64 {
			u := math.Floor(4*rng.Float64()) / 4
			return byUniform(c, u)
		}), "drawn"},
		{"an enumeration by tempered weights", aMixture, nil, nil, "z", drawnAs("z", func(c *runtime.Conditional, x []float64, rng *runtime.Rand) []float64 {
			lps := logWeights(c)
			for k := range lps {
				lps[k] *= 0.7
			}
			return []float64{float64(rng.CategoricalLog(lps))}
		}), "likeliest"},
		{"a partition that avoids new groups", aDpmmfull, map[string]float64{"kappa0": 1}, nil, "z", func(c *runtime.Conditional, rng *runtime.Rand) {
			right, values := c.Draw, c.Values
			c.Draw = func() error {
				before := 0
				if values != nil {
					before = values()
				}
				if err := right(); err != nil || values == nil || values() <= before || rng.Float64() < 0.5 {
					return err
				}
				return right()
			}
		}, "categories"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			failed := heldTo(t, faulty(tt.model, tt.fault), tt.row, Options{Invent: true, Constants: tt.set, Sizes: tt.sizes})
			for name, why := range failed {
				t.Logf("%s: %s", name, why)
				if name != "draws of "+tt.row {
					t.Errorf("%s fails", name)
				}
			}
			if why := failed["draws of "+tt.row]; tt.row != "" && (why == "" || !strings.Contains(why, tt.tells)) {
				t.Errorf("not caught, or not told well: %q", why)
			}
		})
	}
}

// logWeights returns the log density of each value.
func logWeights(c *runtime.Conditional) []float64 {
	lps := make([]float64, c.Values())
	for k := range lps {
		lps[k] = c.LogDensity([]float64{float64(k)})
	}
	return lps
}

// byUniform returns the value at which the distribution function passes u.
func byUniform(c *runtime.Conditional, u float64) []float64 {
	lps := logWeights(c)
	sum := 0.0
	for k := range lps {
		lps[k] = math.Exp(lps[k])
		sum += lps[k]
	}
	for k, p := range lps {
		if u -= p / sum; u < 0 {
			return []float64{float64(k)}
		}
	}
	return []float64{float64(len(lps) - 1)}
}

// firstApart has the first number of the draw x, and the others of another draw.
func firstApart(c *runtime.Conditional, x []float64, _ *runtime.Rand) []float64 {
	if err := c.Draw(); err != nil {
		return nil
	}
	y := c.Get()
	y[0] = x[0]
	return y
}

// TestDrawsLeavesOutWhatRoundingHides: where the density is so narrow that a log density made of squares is rounding, draws by it say nothing
// of the kernel; nor does an error at numbers beyond floating point. An error at ordinary ones does.
func TestDrawsLeavesOutWhatRoundingHides(t *testing.T) {
	fails := func(c *runtime.Conditional, _ *runtime.Rand) {
		if nameOf(c.Name) == "mu" {
			c.Draw = func() error { return errors.New("it overflows") }
		}
	}
	slice := drawnAs("mu", func(c *runtime.Conditional, x []float64, rng *runtime.Rand) []float64 {
		return []float64{rng.Slice(c.Get()[0], math.Inf(-1), math.Inf(1), 1, func(x float64) float64 { return c.LogDensity([]float64{x}) })}
	})
	for _, tt := range []struct {
		name  string
		fault fault
		set   map[string]float64
		want  string
		made  bool
	}{
		{"rounding", slice, map[string]float64{"m0": 1e8, "v0": 1}, "rounding hides", false},
		{"an error far out", fails, map[string]float64{"v0": 1e160, "b": 1e160}, "rounding hides", false},
		{"an error", fails, nil, "it overflows", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := newLab(faulty(aMixture, tt.fault), Options{Invent: true, Constants: tt.set})
			if err != nil {
				t.Fatal(err)
			}
			for _, tr := range l.drawTrials() {
				if tr.name != "draws of mu" {
					continue
				}
				saw, err := tr.look(view{0, 1, 0.001})
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("%v: %+v", err, saw)
				}
				if made := !errors.As(err, &notMade{}); made != tt.made {
					t.Errorf("not made: %t: %v", !made, err)
				}
			}
		})
	}
}

// lost is a sampler that takes its log joint apart where nothing of it is left.
type lost struct{ integrated }

func (lost) LogCollapsed() float64 { return -4e17 }

// TestPrintedNeedsDigits: a log joint that is the difference of numbers of 1e17 is none.
func TestPrintedNeedsDigits(t *testing.T) {
	l, err := newLab(aDpmm, Options{Level: Exact})
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := l.ordinarySpecimen([]int{5}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if lp := s.printed(); !finite(lp) {
		t.Errorf("the log joint is %v", lp)
	}
	s.Subject = lost{integrated{off{Subject: s.Subject}}}
	if lp := s.printed(); lp == lp {
		t.Errorf("of 1e17 - 1e17 is left %v", lp)
	}
}
