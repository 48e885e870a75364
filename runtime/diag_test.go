package runtime

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
)

// diagFuncs are what testdata/posterior/figures.R prints for a set of draws, by its names.
var diagFuncs = []struct {
	name string
	of   func([][]float64) float64
}{
	{"Rhat", Rhat},
	{"SplitRhat", SplitRhat},
	{"EPSR", EPSR},
	{"ESSBulk", ESSBulk},
	{"ESSTail", ESSTail},
	{"ESSMean", ESSMean},
	{"ESSSD", ESSSD},
	{"ESSUnsplit", func(x [][]float64) float64 { return ess(cut(x)) }},
	{"ESSQuantile 0.1", func(x [][]float64) float64 { return ESSQuantile(x, 0.1) }},
	{"ESSQuantile 0.5", func(x [][]float64) float64 { return ESSQuantile(x, 0.5) }},
	{"ESSQuantile 1", func(x [][]float64) float64 { return ESSQuantile(x, 1) }},
	{"MCSEMean", MCSEMean},
	{"MCSESD", MCSESD},
	{"MCSEQuantile 0.05", func(x [][]float64) float64 { return MCSEQuantile(x, 0.05) }},
	{"MCSEQuantile 0.1", func(x [][]float64) float64 { return MCSEQuantile(x, 0.1) }},
	{"MCSEQuantile 0.5", func(x [][]float64) float64 { return MCSEQuantile(x, 0.5) }},
	{"MCSEQuantile 0.9", func(x [][]float64) float64 { return MCSEQuantile(x, 0.9) }},
	{"Quantile 0.05", func(x [][]float64) float64 { return Quantile(x, 0.05) }},
	{"Quantile 0.9", func(x [][]float64) float64 { return Quantile(x, 0.9) }},
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
	"iid":         lcgAR1(4, 100, 0),
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
	"apart":         change(lcgAR1(4, 50, 0.4), func(v float64, k, i int) float64 { return v + 100*float64(k) }),
	"counts":        change(lcgAR1(4, 100, 0.6), func(v float64, k, i int) float64 { return math.Floor(v * v) }),
	"cauchy":        change(lcgAR1(3, 150, 0), func(v float64, k, i int) float64 { return math.Tan(1.5 * math.Erf(v/1.4)) }),
	"far":           change(lcgAR1(3, 70, 0.5), func(v float64, k, i int) float64 { return 1e9 + v }),
	"constant":      change(lcgAR1(4, 30, 0), func(float64, int, int) float64 { return -7 }),
	"each constant": change(lcgAR1(3, 20, 0), func(_ float64, k, i int) float64 { return float64(k * k) }),
	"NaN": change(lcgAR1(2, 30, 0.3), func(v float64, k, i int) float64 {
		if k == 1 && i == 20 {
			return math.NaN()
		}
		return v
	}),
	"infinite": change(lcgAR1(2, 30, 0.3), func(v float64, k, i int) float64 {
		if k == 0 && i == 3 {
			return math.Inf(-1)
		}
		return v
	}),
	"one draw":           lcgAR1(4, 1, 0),
	"four draws":         lcgAR1(2, 4, 0),
	"five draws":         lcgAR1(3, 5, 0.5),
	"seven of one chain": lcgAR1(1, 7, 0.5),
}

func means(x [][]float64) []float64 {
	var out []float64
	for _, c := range x {
		out = append(out, stat.Mean(c, nil))
	}
	return out
}

// posteriorTol is relative. The figures agree to about 1e-12; the room is for another platform's rounding.
const posteriorTol = 1e-6

func sameFigure(got, want float64) bool {
	if math.IsNaN(want) {
		return math.IsNaN(got)
	}
	// Between chains that each stand still there is no agreement at all; R divides by what rounding left of their variances.
	return got == want || math.IsInf(got, 1) && want > 1e12 || math.Abs(got-want) <= posteriorTol*math.Abs(want)
}

var updatePosterior = flag.Bool("update-posterior", false, "make testdata/posterior/figures.csv anew, by Rscript")

// posteriorFigures are R's figures of diagSets, as recorded: by set and name of figure.
var posteriorFigures = func() map[string]map[string]float64 {
	text, err := os.ReadFile("testdata/posterior/figures.csv")
	if err != nil {
		panic(err)
	}
	return readFigures(string(text))
}()

func readFigures(text string) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSpace(line), ",")
		if len(f) != 3 || f[0] == "set" || strings.HasPrefix(line, "#") {
			continue
		}
		v, err := strconv.ParseFloat(strings.Replace(f[2], "NA", "NaN", 1), 64)
		if err != nil {
			panic(line)
		}
		if out[f[0]] == nil {
			out[f[0]] = map[string]float64{}
		}
		out[f[0]][f[1]] = v
	}
	return out
}

// drawsText writes diagSets as figures.R reads them: sets in order of name, which has no blanks there.
func drawsText() string {
	var b []byte
	for _, set := range slices.Sorted(maps.Keys(diagSets)) {
		for _, c := range diagSets[set] {
			b = append(b, strings.ReplaceAll(set, " ", "_")...)
			for _, v := range c {
				b = strconv.AppendFloat(append(b, ' '), v, 'g', -1, 64)
			}
			b = append(b, '\n')
		}
	}
	return string(b)
}

func equalPosterior(t *testing.T, figures map[string]map[string]float64) {
	t.Helper()
	if len(diagSets) != len(figures) {
		t.Fatalf("%d sets, figures of %d", len(diagSets), len(figures))
	}
	for set, x := range diagSets {
		recorded := figures[strings.ReplaceAll(set, " ", "_")]
		if len(recorded) != len(diagFuncs) {
			t.Errorf("%d figures of %q, want %d", len(recorded), set, len(diagFuncs))
		}
		before := fmt.Sprint(x)
		for _, f := range diagFuncs {
			if got, want := f.of(x), recorded[f.name]; !sameFigure(got, want) {
				t.Errorf("%s of %q = %.10g, posterior says %.10g", f.name, set, got, want)
			}
		}
		if fmt.Sprint(x) != before {
			t.Errorf("%q was changed", set)
		}
	}
}

// TestDiagnosticsEqualPosterior compares with what R's posterior gave for the draws in testdata/posterior/draws.txt, which are those of
// diagSets; figures.csv says of which version.
func TestDiagnosticsEqualPosterior(t *testing.T) {
	if *updatePosterior {
		figures := posteriorNow(t)
		for name, text := range map[string]string{"draws.txt": drawsText(), "figures.csv": figures} {
			if err := os.WriteFile("testdata/posterior/"+name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		posteriorFigures = readFigures(figures)
	}
	if text, err := os.ReadFile("testdata/posterior/draws.txt"); err != nil || string(text) != drawsText() {
		t.Errorf("draws.txt does not hold the draws of diagSets (%v): make it and the figures anew by go test ./runtime -run EqualPosterior -update-posterior", err)
	}
	equalPosterior(t, posteriorFigures)
}

// TestDiagnosticsEqualPosteriorHere compares with the posterior package that is installed.
func TestDiagnosticsEqualPosteriorHere(t *testing.T) {
	equalPosterior(t, readFigures(posteriorNow(t)))
}

// posteriorNow returns what figures.R prints for diagSets, or skips the test where R or its package is missing.
func posteriorNow(t *testing.T) string {
	t.Helper()
	draws := filepath.Join(t.TempDir(), "draws.txt")
	if err := os.WriteFile(draws, []byte(drawsText()), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("Rscript", "testdata/posterior/figures.R", draws)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) || strings.Contains(stderr.String(), "no package called") {
		t.Skipf("no R with the package posterior (Debian: r-cran-posterior): %v\n%s", err, stderr.String())
	}
	if err != nil {
		t.Fatalf("figures.R: %v\n%s", err, stderr.String())
	}
	return string(out)
}

// Each of these faults is one that such code is known for. The figures above
// must notice every one.
func TestFiguresCatchPlantedFaults(t *testing.T) {
	faults := []struct {
		name   string
		figure string
		of     func([][]float64) float64
	}{
		{"R-hat not split", "SplitRhat", rhat},
		{"R-hat without ranks", "Rhat", SplitRhat},
		{"R-hat not folded", "Rhat", func(x [][]float64) float64 { return rhat(normalScores(split(x))) }},
		{"bulk ESS not split", "ESSBulk", func(x [][]float64) float64 { return ess(normalScores(x)) }},
		{"bulk ESS without ranks", "ESSBulk", ESSMean},
		{"scores with 1/2 for 3/8", "ESSBulk", func(x [][]float64) float64 {
			halves := split(x)
			n := float64(len(halves) * len(halves[0]))
			return ess(transform(normalScores(halves), func(z float64) float64 {
				rank := 0.5*math.Erfc(-z/math.Sqrt2)*(n+1./4) + 3./8
				return mathext.NormalQuantile((rank - 1./2) / n)
			}))
		}},
		{"ties ranked in order", "ESSBulk", func(x [][]float64) float64 {
			halves := split(x)
			all := pool(halves)
			met := map[float64]int{}
			return ess(transform(halves, func(v float64) float64 {
				rank, _ := slices.BinarySearch(all, v)
				rank += 1 + met[v]
				met[v]++
				return mathext.NormalQuantile((float64(rank) - 3./8) / (float64(len(all)) + 1./4))
			}))
		}},
		{"ties ranked least", "Rhat", func(x [][]float64) float64 {
			least := func(x [][]float64) [][]float64 {
				halves := split(x)
				all := pool(halves)
				return transform(halves, func(v float64) float64 {
					rank, _ := slices.BinarySearch(all, v)
					return mathext.NormalQuantile((float64(rank+1) - 3./8) / (float64(len(all)) + 1./4))
				})
			}
			return max(rhat(least(x)), rhat(least(fold(x))))
		}},
		{"chains ranked each by itself", "Rhat", func(x [][]float64) float64 {
			var z [][]float64
			for _, c := range split(x) {
				z = append(z, normalScores([][]float64{c})[0])
			}
			return rhat(z)
		}},
		{"folded about the mean", "Rhat", func(x [][]float64) float64 {
			mean := stat.Mean(pool(x), nil)
			folded := transform(x, func(v float64) float64 { return math.Abs(v - mean) })
			return max(rhat(normalScores(split(x))), rhat(normalScores(split(folded))))
		}},
		{"sequence not made monotone", "ESSMean", func(x [][]float64) float64 {
			halves := split(x)
			acov, _ := autocovariance(halves)
			n := float64(len(acov))
			total := acov[0] + stat.Variance(means(halves), nil)
			tau := -1.0
			for t := 0; t < len(acov)-5; t += 2 {
				pair := 2 - (2*acov[0]*n/(n-1)-acov[t]-acov[t+1])/total
				if t == 0 {
					pair = 1 + 1 - (acov[0]*n/(n-1)-acov[1])/total
				}
				if pair < 0 {
					break
				}
				tau += 2 * pair
			}
			return float64(len(halves)) * n / tau
		}},
		{"MCSE of the sd as if Normal", "MCSESD", func(x [][]float64) float64 {
			all := pool(x)
			return math.Sqrt(stat.Variance(all, nil) / 2 / ESSMean(x))
		}},
		{"MCSE of a quantile from the number of draws", "MCSEQuantile 0.1", func(x [][]float64) float64 {
			all := pool(x)
			n := float64(len(all))
			lo := mathext.InvRegIncBeta(n*0.1+1, n*0.9+1, 0.1586553)
			hi := mathext.InvRegIncBeta(n*0.1+1, n*0.9+1, 0.8413447)
			return (all[min(int(math.Ceil(hi*n)), len(all))-1] - all[max(int(lo*n), 1)-1]) / 2
		}},
		{"EPSR of split chains", "EPSR", SplitRhat},
		{"tail ESS of one tail", "ESSTail", func(x [][]float64) float64 { return ESSQuantile(x, 0.95) }},
		{"MCSE from the number of draws", "MCSEMean", func(x [][]float64) float64 {
			all := pool(x)
			return math.Sqrt(stat.Variance(all, nil) / float64(len(all)))
		}},
		{"R type 6 quantile", "Quantile 0.05", func(x [][]float64) float64 {
			all := pool(x)
			at := 0.05 * float64(len(all)+1)
			i := max(int(at), 1)
			return all[i-1] + (at-float64(i))*(all[i]-all[i-1])
		}},
	}
	for _, f := range faults {
		caught := 0
		for set, x := range diagSets {
			want := posteriorFigures[strings.ReplaceAll(set, " ", "_")][f.figure]
			if len(x[0]) < 9 || math.IsNaN(want) { // where next to anything differs
				continue
			}
			if !sameFigure(f.of(x), want) {
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
	judges := diagFuncs[:len(diagFuncs)-2] // quantiles have an answer more often
	for name, x := range map[string][][]float64{
		"nil":        nil,
		"no draws":   {{}, {}},
		"one empty":  {{1, 2, 3, 4, 5, 6, 7, 8}, {}},
		"constant":   {{2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2, 2, 2}},
		"NaN":        {{1, 2, 3, 4, nan, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
		"first NaN":  {{nan, 2, 3, 4, 4, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
		"infinite":   {{1, 2, 3, 4, inf, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
		"one draw":   {{1}, {2}, {3}, {4}},
		"two draws":  {{1, 2}, {3, 1}}, // where posterior takes chains for draws: R drops a dimension
		"two a half": {{1, 2, 1, 2}, {2, 1, 3, 1}},
	} {
		for _, f := range judges {
			got := f.of(x)
			if name == "two a half" && (strings.HasSuffix(f.name, "Rhat") || f.name == "EPSR" || f.name == "ESSUnsplit") {
				if math.IsNaN(got) {
					t.Errorf("%s of %s is NaN, but two draws a half do for R-hat", f.name, name)
				}
				continue
			}
			if ranks := f.name == "Rhat" || f.name == "ESSBulk"; name == "infinite" && ranks {
				if math.IsNaN(got) {
					t.Errorf("%s of an infinite draw is NaN, but it has a rank", f.name)
				}
				continue
			}
			if !math.IsNaN(got) && !(name == "two draws" && f.name == "EPSR") {
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
		{"TauInt", func(x [][]float64) float64 { return float64(len(x)*len(x[0])) / TauInt(x) }, true},
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

// TestTauInt compares with Geyer's (1992) initial monotone sequence by direct sums: pairs Γ_t = ρ_2t + ρ_2t+1 up to the first that is not
// positive, each cut to the least before it, τ = -1 + 2 ΣΓ. What posterior adds, the even part of the pair at the end if that
// is positive, is written out again here.
func TestTauInt(t *testing.T) {
	direct := func(c []float64) float64 {
		n := len(c)
		mean := stat.Mean(c, nil)
		acov := func(lag int) float64 {
			sum := 0.0
			for i := range n - lag {
				sum += (c[i] - mean) * (c[i+lag] - mean) / float64(n)
			}
			return sum
		}
		rho := func(lag int) float64 { return 1 - (acov(0)*float64(n)/float64(n-1)-acov(lag))/acov(0) }
		sum, least := 1+rho(1), 1+rho(1)
		for lag := 2; ; lag += 2 {
			even, odd := rho(lag), rho(lag+1)
			if even+odd < 0 || lag > n-4 {
				return -1 + 2*sum + max(even, 0)
			}
			least = min(least, even+odd)
			sum += least
		}
	}
	for _, set := range []string{"slow", "antithetic", "one chain", "iid"} {
		c := diagSets[set][0]
		if got, want := TauInt([][]float64{c}), direct(c); math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("TauInt of the first chain of %q = %v, by direct sums %v", set, got, want)
		}
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

// TestAutocorrelation compares with the definition, and with an AR(1)'s ρ(t) = 0.5^t: of 100,000 draws the estimate at lag t has a standard
// error of about sqrt((1 + 2·Σρ²)/n) < 0.0042 (Bartlett), so that 0.02 is passed in fewer than one in 10⁵ runs; the seed is fixed.
func TestAutocorrelation(t *testing.T) {
	x := []float64{1, 2, 4, 3, 0}
	mean, n := 2.0, float64(len(x))
	var variance float64
	for _, v := range x {
		variance += (v - mean) * (v - mean) / n
	}
	got := Autocorrelation(x, 10)
	if len(got) != len(x) {
		t.Fatalf("%d lags of %d draws", len(got), len(x))
	}
	for lag := range x {
		var c float64
		for i := lag; i < len(x); i++ {
			c += (x[i] - mean) * (x[i-lag] - mean) / n
		}
		if math.Abs(got[lag]-c/variance) > 1e-12 {
			t.Errorf("lag %d: %v, want %v", lag, got[lag], c/variance)
		}
	}
	for _, x := range [][]float64{nil, {1}, {2, 2, 2}, {1, math.NaN(), 2}, {1, math.Inf(1)}} {
		if got := Autocorrelation(x, 5); got != nil {
			t.Errorf("%v of %v", got, x)
		}
	}
	rng := NewRand(1)
	chain := make([]float64, 100_000)
	for i := range chain[1:] {
		chain[i+1] = 0.5*chain[i] + rng.Norm()
	}
	for lag, r := range Autocorrelation(chain, 6) {
		if math.Abs(r-math.Pow(0.5, float64(lag))) > 0.02 {
			t.Errorf("lag %d: %v, want %v", lag, r, math.Pow(0.5, float64(lag)))
		}
	}
}
