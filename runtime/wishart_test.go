package runtime

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distmat"
)

// wishartRejects compares draws with Wishart(df, scale), by what characterises it: a'Xa/a'Sa is chi-square on df for unit
// vectors and for sums and differences of two, and the mean log determinant.
func wishartRejects(p int, df float64, scale []float64, draw func(x []float64)) string {
	x, a, ws := make([]float64, p*p), make([]float64, p), NewMatWork(p)
	const n = 10000
	var logDets []float64
	ratios := map[[2]int][]float64{}
	for range n {
		draw(x)
		ld, err := LogDetSPD(x, p, ws)
		if err != nil {
			return err.Error()
		}
		logDets = append(logDets, ld)
		for i := range p {
			for j := range p {
				clear(a)
				a[i] = 1
				if j != i {
					a[j] = 1
				}
				if j < i {
					a[j] = -1
				}
				ratios[[2]int{i, j}] = append(ratios[[2]int{i, j}], QuadForm(x, a)/QuadForm(scale, a))
			}
		}
	}
	for ij, q := range ratios {
		if bad, d := ksRejects(q, func(x float64) float64 { return GammaCDF(x, df/2, 0.5) }); bad {
			return fmt.Sprintf("quadratic form %v: sqrt(n)·D = %.3g", ij, d)
		}
	}
	want, err := LogDetSPD(scale, p, ws)
	if err != nil {
		return err.Error()
	}
	for i := range p {
		want += mathext.Digamma((df-float64(i))/2) + math.Ln2
	}
	if bad, z := meanRejects(logDets, want); bad {
		return fmt.Sprintf("mean log determinant off by %.3g standard errors", z)
	}
	return ""
}

func TestWisharts(t *testing.T) {
	r := NewRand(90)
	for _, c := range []struct {
		p  int
		df float64
	}{{1, 0.7}, {1, 5}, {2, 2.5}, {2, 4}, {3, 3}, {4, 30.5}, {5, 7}} {
		p, df := c.p, c.df
		ws, scale, inv, y := NewMatWork(1), testSPD(p, 0.7), make([]float64, p*p), make([]float64, p*p)
		must := func(err error) {
			if err != nil {
				t.Helper()
				t.Fatal(err)
			}
		}
		must(InvSPD(inv, scale, p, ws))
		pf := float64(p)
		check := func(name string, draw func(x []float64)) {
			t.Helper()
			if bad := wishartRejects(p, df, scale, draw); bad != "" {
				t.Errorf("%s, p=%d, df=%v: %s", name, p, df, bad)
			}
		}
		check("Wishart", func(x []float64) { must(r.Wishart(x, df, scale, p, ws)) })
		check("WishartNat", func(x []float64) { must(r.WishartNat(x, (df-pf-1)/2, inv, p, ws)) })
		check("Wishart in place", func(x []float64) { copy(x, scale); must(r.Wishart(x, df, x, p, ws)) })
		// The inverse of an Inverse-Wishart of the inverse scale is Wishart.
		check("InvWishart", func(x []float64) { must(r.InvWishart(y, df, inv, p, ws)); must(InvSPD(x, y, p, ws)) })
		check("InvWishartNat", func(x []float64) { must(r.InvWishartNat(y, -(df+pf+1)/2, inv, p, ws)); must(InvSPD(x, y, p, ws)) })
		// And its diagonal is Inverse-Gamma, without a second inversion.
		shape := (df - pf + 1) / 2
		checkKS(t, "InvWishart diagonal", func() float64 { must(r.InvWishart(y, df, scale, p, ws)); return scale[p*p-1] / 2 / y[p*p-1] },
			func(x float64) float64 { return GammaCDF(x, shape, 1) })

		// Planted faults: df off by 1 (a shape off by 1/2), the scale inverted, a forgotten off-diagonal, correlation lost.
		if wishartRejects(p, df, scale, func(x []float64) { must(r.Wishart(x, df+1, scale, p, ws)) }) == "" {
			t.Errorf("p=%d, df=%v: df off by 1 is missed", p, df)
		}
		if wishartRejects(p, df, scale, func(x []float64) { must(r.Wishart(x, df, inv, p, ws)) }) == "" {
			t.Errorf("p=%d, df=%v: an inverted scale is missed", p, df)
		}
		if p > 1 {
			diag := make([]float64, p*p)
			for i := range p {
				diag[i*p+i] = scale[i*p+i]
			}
			if wishartRejects(p, df, scale, func(x []float64) { must(r.Wishart(x, df, diag, p, ws)) }) == "" {
				t.Errorf("p=%d, df=%v: lost correlations are missed", p, df)
			}
		}

		// Densities: gonum's Wishart, and the change of variables X -> X⁻¹, whose Jacobian is |X|^-(p+1).
		for range 5 {
			must(r.Wishart(y, df, scale, p, ws))
			got := WishartLogPDF(y, df, scale, p, ws)
			if g, ok := distmat.NewWishart(mat.NewSymDense(p, scale), df, nil); ok && df > pf {
				if want := g.LogProbSym(mat.NewSymDense(p, y)); !near(got, want, 1e-8) {
					t.Errorf("p=%d, df=%v: WishartLogPDF = %v, gonum has %v", p, df, got, want)
				}
			}
			x := make([]float64, p*p)
			must(InvSPD(x, y, p, ws))
			ld, err := LogDetSPD(x, p, ws)
			must(err)
			if iw := InvWishartLogPDF(x, df, inv, p, ws); !near(iw, got-(pf+1)*ld, 1e-8) {
				t.Errorf("p=%d, df=%v: InvWishartLogPDF = %v, want %v", p, df, iw, got-(pf+1)*ld)
			}
		}
	}
	// On the line they are Gamma and Inverse-Gamma, every constant included.
	ws := NewMatWork(1)
	if got, want := WishartLogPDF([]float64{1.3}, 5, []float64{0.4}, 1, ws), GammaLogPDF(1.3, 2.5, 1/0.8); !near(got, want, 1e-13) {
		t.Errorf("WishartLogPDF = %v, want %v", got, want)
	}
	if got, want := InvWishartLogPDF([]float64{1.3}, 5, []float64{0.4}, 1, ws), InvGammaLogPDF(1.3, 2.5, 0.2); !near(got, want, 1e-13) {
		t.Errorf("InvWishartLogPDF = %v, want %v", got, want)
	}

	eye, bad, x := []float64{1, 0, 0, 1}, []float64{1, 2, 2, 1}, make([]float64, 4)
	for name, c := range map[string]struct{ got, want error }{
		"df":        {r.Wishart(x, 1, eye, 2, ws), ErrParameter},
		"NaN":       {r.InvWishart(x, math.NaN(), eye, 2, ws), ErrParameter},
		"scale":     {r.InvWishart(x, 3, bad, 2, ws), ErrNotPosDef},
		"nat df":    {r.WishartNat(x, -1, eye, 2, ws), ErrParameter},
		"nat scale": {r.WishartNat(x, 1, bad, 2, ws), ErrNotPosDef},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: error %v, want %v", name, c.got, c.want)
		}
	}
	if x[0] == x[0] {
		t.Errorf("after an error dst = %v", x)
	}
	if p := WishartLogPDF(bad, 3, eye, 2, ws); !math.IsInf(p, -1) {
		t.Errorf("WishartLogPDF outside = %v", p)
	}
	if p := InvWishartLogPDF(bad, 3, eye, 2, ws); !math.IsInf(p, -1) {
		t.Errorf("InvWishartLogPDF outside = %v", p)
	}
	for _, p := range []float64{WishartLogPDF(eye, 3, bad, 2, ws), InvWishartLogPDF(eye, 3, bad, 2, ws), WishartLogPDF(eye, 1, eye, 2, ws)} {
		if p == p {
			t.Errorf("invalid parameters give %v, want NaN", p)
		}
	}
}
