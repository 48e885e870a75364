package runtime

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
)

// diagFuncs are the columns of posteriorFigures.
var diagFuncs = []struct {
	name string
	of   func([][]float64) float64
}{
	{"Rhat", Rhat},
	{"SplitRhat", SplitRhat},
	{"ESSBulk", ESSBulk},
	{"ESSTail", ESSTail},
	{"ESSMean", ESSMean},
	{"MCSEMean", MCSEMean},
	{"MCSESD", MCSESD},
	{"MCSEQuantile 0.1", func(x [][]float64) float64 { return MCSEQuantile(x, 0.1) }},
	{"MCSEQuantile 0.5", func(x [][]float64) float64 { return MCSEQuantile(x, 0.5) }},
	{"Quantile 0.05", func(x [][]float64) float64 { return Quantile(x, 0.05) }},
	{"Quantile 0.9", func(x [][]float64) float64 { return Quantile(x, 0.9) }},
}

// posteriorFigures were printed (%.17g) by R 4.2.2 with posterior 1.4.0, on the
// draws of diagSets built in R by the same formulas: rhat, rhat_basic, ess_bulk,
// ess_tail, ess_mean, mcse_mean, mcse_sd, mcse_quantile at 0.1 and 0.5, and R's
// quantile (type 7) at 0.05 and 0.9.
var posteriorFigures = map[string][]float64{
	"slow":        {1.070224602119769, 1.0719687725818381, 52.046228078428129, 102.58515072729087, 50.066054567790722, 0.32785877029401533, 0.1709270639871944, 0.37325835172753052, 0.35141438888349052, -4.1766453678853335, 2.7238738058062815},
	"odd":         {1.0910974005061986, 1.0922199524436942, 24.165926352988652, 85.038436219812766, 23.712989552258591, 0.26346058243526832, 0.084692320509581268, 0.13507719279307262, 0.11462592070371151, -2.2175867338661832, 1.5739050829949892},
	"antithetic":  {1.0103153123610655, 0.9957045702373567, 2322.471989593555, 563.52505724322384, 2322.471989593555, 0.029014385770241187, 0.06383815071445148, 0.095122159932155004, 0.033276548819044884, -2.4101196666187179, 1.7140959659281263},
	"alternating": {1.1323052392905155, 0.97507104082008556, 152.24719895935547, 69.414519906323164, 152.24719895935547, 0.49025158088507342, 0.66296082719685834, 0.32951349051118806, 1.6627961805378069, -8.0614420159321103, 7.7756962924364128},
	"shifted":     {1.327944731417791, 1.3572015880112369, 10.719424276175902, 60.796787986383286, 10.153517404125505, 0.42804803663694174, 0.098529317518988274, 0.12104081306175063, 0.36856318411944788, -1.6133836434092519, 2.2775480669911397},
	"wider":       {1.3048344886672116, 1.0031486419647822, 276.68374580598663, 38.268678386262714, 264.02322126289937, 0.17163999555727355, 0.96627367950504495, 1.4063311372928891, 0.11187292135280447, -4.7786462709213327, 1.9789919547447938},
	"heavy":       {1.003129360350947, 1.0016904273748921, 361.69786978043317, 704.89202454482813, 531.74171056552416, 239.66257457042585, 406.64859979661094, 518.21937678189715, 0.52686389087466523, 992013.91932177695, 1002829.2169910314},
	"ties":        {1.0028657180484537, 1.0028091008487896, 236.40914789951822, 247.09796032993739, 236.61933157625742, 0.077508994549686169, 0.04232547426747315, 0, 0.5, -3, 1},
	"one chain":   {1.0173518302349183, 1.0181514154658691, 54.155653131261239, 65.426023586219401, 52.256291672250377, 0.23044294574400226, 0.13889010070656518, 0.30803523611954242, 0.21333533722436476, -2.9680586009494778, 1.8639495481229005},
	"drift":       {1.3516403346484214, 1.3692013091958686, 4.7938770294272643, 34.800086527021662, 4.6463008598084157, 0.68364602830270726, 0.080165620960938017, 0.53023353048541466, 0.72277365180004904, -0.51114763121789297, 4.0218170301382727},
	"short":       {1.0286360190671917, 1.0195139590439271, 16, 16, 16, 0.22883935456364576, 0.1409669292626633, 0.44889750432878728, 0.39159322403037544, -1.1361383363078534, 1.2928412016404034},
	"ten":         {1.2147888583130353, 1.2062108095919326, 15.171018961765085, 11.739130434782608, 15.312809100655839, 0.23592163542632902, 0.080176369592794214, 0.46248137503862385, 0.34072421552816679, -1.456418811301738, 1.1167311820386201},
	"stuck":       {1.7292998593061406, 1.085878230800934, 32.629202715162648, 51.147599394281286, 28.171989241408376, 0.17730308469647854, 0.1466572501152511, 0.23241886106896625, 0.11151519159256507, -1.5580117382471685, 1.1701158468650219},
	"binary":      {1.0215882462737718, 1.0215882462737718, 267.88862088585273, math.NaN(), 267.8886208858529, 0.028536181598695302, 0.010997535482834397, 0, 0, 0, 1},
}

// lcgAR1 returns chains × draws of y[i] = phi·y[i-1] + e[i], y[-1] = 0, in which
// e is the sum of twelve uniforms less 6, from the generator
// s ← 1664525·s + 1013904223 mod 2³² started at 1, u = (s + ½)/2³². Every step
// is exact in doubles, so that R makes the same numbers.
func lcgAR1(chains, draws int, phi float64) [][]float64 {
	state := uint32(1)
	x := make([][]float64, chains)
	for k := range x {
		y := 0.0
		for range draws {
			sum := 0.0
			for range 12 {
				state = 1664525*state + 1013904223
				sum += (float64(state) + 0.5) / (1 << 32)
			}
			y = float64(phi*y) + (sum - 6)
			x[k] = append(x[k], y)
		}
	}
	return x
}

// change applies f to each draw, with its chain and place, both 0-based.
func change(x [][]float64, f func(v float64, k, i int) float64) [][]float64 {
	for k, c := range x {
		for i, v := range c {
			c[i] = f(v, k, i)
		}
	}
	return x
}

var diagSets = map[string][][]float64{
	"slow":        lcgAR1(4, 250, 0.9),
	"odd":         lcgAR1(3, 101, 0.6),
	"antithetic":  lcgAR1(4, 200, -0.7),
	"alternating": lcgAR1(2, 40, -0.999),
	"shifted": change(lcgAR1(4, 100, 0.3), func(v float64, k, i int) float64 {
		if k == 3 {
			v += 2
		}
		return v
	}),
	"wider": change(lcgAR1(4, 100, 0.3), func(v float64, k, i int) float64 {
		if k == 3 {
			v *= 5
		}
		return v
	}),
	"heavy":     change(lcgAR1(4, 300, 0.5), func(v float64, k, i int) float64 { return v*v*v*1000 + 1e6 }),
	"ties":      change(lcgAR1(4, 150, 0.5), func(v float64, k, i int) float64 { return math.Floor(v) }),
	"one chain": lcgAR1(1, 500, 0.8),
	"drift":     change(lcgAR1(2, 200, 0.2), func(v float64, k, i int) float64 { return v + float64(i+1)/50 }),
	"short":     lcgAR1(4, 9, 0.4),
	"ten":       lcgAR1(2, 12, 0.4),
	"binary": change(lcgAR1(4, 100, 0.3), func(v float64, k, i int) float64 {
		if v > 0.5 {
			return 1
		}
		return 0
	}),
	"stuck": change(lcgAR1(3, 60, 0.4), func(v float64, k, i int) float64 {
		if k == 1 {
			v = 0.5
		}
		return v
	}),
}

// posteriorTol is relative. The figures agree to about 1e-12; the room is for
// another platform's rounding.
const posteriorTol = 1e-6

func sameFigure(got, want float64) bool {
	if math.IsNaN(want) {
		return math.IsNaN(got)
	}
	return math.Abs(got-want) <= posteriorTol*math.Abs(want)
}

func TestDiagnosticsEqualPosterior(t *testing.T) {
	if len(diagSets) != len(posteriorFigures) {
		t.Fatalf("%d sets, %d rows of figures", len(diagSets), len(posteriorFigures))
	}
	for set, x := range diagSets {
		before := fmt.Sprint(x)
		for i, f := range diagFuncs {
			if got, want := f.of(x), posteriorFigures[set][i]; !sameFigure(got, want) {
				t.Errorf("%s of %q = %.10g, posterior says %.10g", f.name, set, got, want)
			}
		}
		if fmt.Sprint(x) != before {
			t.Errorf("%q was changed", set)
		}
	}
}

// Each of these faults is one that such code is known for. The figures above
// must notice every one.
func TestFiguresCatchPlantedFaults(t *testing.T) {
	faults := []struct {
		name   string
		column int // of diagFuncs
		of     func([][]float64) float64
	}{
		{"R-hat not split", 1, rhat},
		{"R-hat without ranks", 0, SplitRhat},
		{"R-hat not folded", 0, func(x [][]float64) float64 { return rhat(normalScores(split(x))) }},
		{"bulk ESS not split", 2, func(x [][]float64) float64 { return ess(normalScores(x)) }},
		{"bulk ESS without ranks", 2, ESSMean},
		{"scores with 1/2 for 3/8", 2, func(x [][]float64) float64 {
			halves := split(x)
			n := float64(len(halves) * len(halves[0]))
			return ess(transform(normalScores(halves), func(z float64) float64 {
				rank := 0.5*math.Erfc(-z/math.Sqrt2)*(n+1./4) + 3./8
				return mathext.NormalQuantile((rank - 1./2) / n)
			}))
		}},
		{"tail ESS of one tail", 3, func(x [][]float64) float64 { return ESSQuantile(x, 0.95) }},
		{"MCSE from the number of draws", 5, func(x [][]float64) float64 {
			all := pool(x)
			return math.Sqrt(stat.Variance(all, nil) / float64(len(all)))
		}},
		{"R type 6 quantile", 9, func(x [][]float64) float64 {
			all := pool(x)
			at := 0.05 * float64(len(all)+1)
			i := max(int(at), 1)
			return all[i-1] + (at-float64(i))*(all[i]-all[i-1])
		}},
	}
	for _, f := range faults {
		caught := 0
		for set, x := range diagSets {
			if !sameFigure(f.of(x), posteriorFigures[set][f.column]) {
				caught++
			}
		}
		if caught == 0 {
			t.Errorf("%s: not caught by any set", f.name)
		}
	}
}

func TestDiagnosticsWithoutAnswer(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	judges := diagFuncs[:9] // quantiles have an answer more often
	for name, x := range map[string][][]float64{
		"nil":        nil,
		"no draws":   {{}, {}},
		"one empty":  {{1, 2, 3, 4, 5, 6, 7, 8}, {}},
		"constant":   {{2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2, 2, 2}},
		"NaN":        {{1, 2, 3, 4, nan, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
		"first NaN":  {{nan, 2, 3, 4, 4, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
		"infinite":   {{1, 2, 3, 4, inf, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
		"one draw":   {{1}, {2}, {3}, {4}},
		"two a half": {{1, 2, 1, 2}, {2, 1, 3, 1}},
	} {
		for _, f := range judges {
			got := f.of(x)
			if name == "two a half" && (f.name == "Rhat" || f.name == "SplitRhat") {
				if math.IsNaN(got) {
					t.Errorf("%s of %s is NaN, but two draws a half do for R-hat", f.name, name)
				}
				continue
			}
			if !math.IsNaN(got) {
				t.Errorf("%s of %s = %v, want NaN", f.name, name, got)
			}
		}
	}
	x := [][]float64{{3, 1, 2}}
	for _, p := range []float64{-0.1, 1.1, nan} {
		if q := Quantile(x, p); !math.IsNaN(q) {
			t.Errorf("Quantile(%v) = %v, want NaN", p, q)
		}
		if e := MCSEQuantile(lcgAR1(2, 50, 0), p); !math.IsNaN(e) {
			t.Errorf("MCSEQuantile(%v) = %v, want NaN", p, e)
		}
	}
	if lo, hi := Quantile(x, 0), Quantile(x, 1); lo != 1 || hi != 3 {
		t.Errorf("quantiles at 0 and 1 are %v and %v, want 1 and 3", lo, hi)
	}
	if q := Quantile([][]float64{{1, nan}}, 0.5); !math.IsNaN(q) {
		t.Errorf("median of 1 and NaN = %v, want NaN", q)
	}
	// Chains that each stand still, at different places, never meet.
	if r := Rhat([][]float64{{1, 1, 1, 1}, {2, 2, 2, 2}, {4, 4, 4, 4}}); r < 10 && !math.IsNaN(r) {
		t.Errorf("Rhat of three chains that stand still = %v", r)
	}
}

// Chains cut short by an interruption are judged by what all of them have.
func TestDiagnosticsCutToShortest(t *testing.T) {
	x := lcgAR1(3, 80, 0.5)
	long := [][]float64{x[0], append(slices.Clone(x[1]), 1e9, math.NaN()), x[2]}
	for _, f := range diagFuncs {
		if got, want := f.of(long), f.of(x); got != want {
			t.Errorf("%s = %v with a longer chain, want %v", f.name, got, want)
		}
	}
}

// Ranks don't change under an increasing function, nor ESS under a shift.
func TestDiagnosticsInvariance(t *testing.T) {
	x := lcgAR1(4, 150, 0.8)
	exp := transform(x, math.Exp)
	if a, b := ESSBulk(x), ESSBulk(exp); a != b {
		t.Errorf("ESSBulk %v, of exp %v", a, b)
	}
	if a, b := ESSTail(x), ESSTail(exp); a != b {
		t.Errorf("ESSTail %v, of exp %v", a, b)
	}
	far := transform(x, func(v float64) float64 { return 1e-9*v + 1e3 })
	if a, b := ESSMean(x), ESSMean(far); math.Abs(a-b) > 1e-3*a {
		t.Errorf("ESSMean %v, far from zero %v", a, b)
	}
	small := transform(x, func(v float64) float64 { return 1e-100 * v })
	if a, b := ESSMean(x), ESSMean(small); math.Abs(a-b) > 1e-9*a {
		t.Errorf("ESSMean %v, in small units %v", a, b)
	}
}

// The FFT against the definition. Without padding the ends meet: lengths that
// are already fast sizes would show it.
func TestAutocovariance(t *testing.T) {
	for _, n := range []int{3, 4, 7, 8, 60, 97} {
		x := lcgAR1(2, n, 0.7)
		got, means := autocovariance(x)
		for lag := range n {
			var want float64
			for k, c := range x {
				for i := range n - lag {
					want += (c[i] - means[k]) * (c[i+lag] - means[k]) / float64(2*n)
				}
			}
			if math.Abs(got[lag]-want) > 1e-12*got[0] {
				t.Errorf("n = %d: autocovariance at lag %d = %v, want %v", n, lag, got[lag], want)
			}
		}
	}
}

// On an AR(1) chain started from its own distribution, whose τ is known to be
// (1+φ)/(1-φ).
//
// For a window of M lags an estimate of τ has a relative variance of about
// 2(2M+1)/S (Sokal 1997, eq. 3.19), and Geyer's rule takes M up to where ρ is lost
// in noise, 5 to 6 times the exponential time -1/log φ. With S = 12000, φ = 0.8: M
// about 27, so 10 % for one data set, and 10/√20 = 2.2 % for the mean over
// 20; five of those: 11 %, a false alarm in 10⁶ were it normal. The rule's own bias is
// below 3 % here.
func TestESSOfKnownChain(t *testing.T) {
	const phi, chains, draws, reps, tol = 0.8, 4, 3000, 20, 0.14
	want := chains * draws * (1 - phi) / (1 + phi)
	ratio := func(of func([][]float64) float64) float64 {
		rng := rand.New(rand.NewPCG(1, 2))
		sum := 0.0
		for range reps {
			x := make([][]float64, chains)
			for k := range x {
				y := rng.NormFloat64() / math.Sqrt(1-phi*phi)
				for range draws {
					x[k] = append(x[k], y)
					y = phi*y + rng.NormFloat64()
				}
			}
			sum += of(x) / want / reps
		}
		return sum
	}
	for _, c := range []struct {
		name    string
		of      func([][]float64) float64
		correct bool
	}{
		{"ESSMean", ESSMean, true},
		{"ESSBulk", ESSBulk, true},
		{"τ with each lag once", func(x [][]float64) float64 {
			n := float64(chains * draws)
			return n / ((n/ESSMean(x) + 1) / 2)
		}, false},
		{"chains not added up", func(x [][]float64) float64 { return ESSMean(x[:1]) }, false},
		{"number of draws", func(x [][]float64) float64 { return chains * draws }, false},
	} {
		r := ratio(c.of)
		if ok := math.Abs(r-1) < tol; ok != c.correct {
			t.Errorf("%s: mean ratio to the true ESS %.3f; within %v: %v, want %v", c.name, r, tol, ok, c.correct)
		}
		t.Logf("%s: %.3f", c.name, r)
	}
}

// TestFastSizeHasRoom asks for a size whose plain choice, 2·3^13, gonum's transform has no room for.
func TestFastSizeHasRoom(t *testing.T) {
	const awkward = 2 * 1594323
	if n := fastSize(awkward); n <= awkward || n > awkward+awkward/100 {
		t.Errorf("fastSize(%d) = %d: want a little more", awkward, n)
	}
	for _, n := range []int{1, 2, 999, 4096, 1 << 20} {
		if got := fastSize(n); got < n || got > 2*n {
			t.Errorf("fastSize(%d) = %d", n, got)
		}
	}
}
