package runtime

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// columns makes chains × names × draws of one chains × draws each.
func columns(scalars ...[][]float64) [][][]float64 {
	chains := make([][][]float64, len(scalars[0]))
	for c := range chains {
		for _, x := range scalars {
			chains[c] = append(chains[c], x[c])
		}
	}
	return chains
}

func summaryText(t *testing.T, names []string, chains [][][]float64) string {
	t.Helper()
	rows, err := Summarise(names, chains)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := WriteSummary(&b, rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSummariseFigures(t *testing.T) {
	x, y := diagSets["slow"], diagSets["slow"]
	y = transform(y, func(v float64) float64 { return -v })
	rows, err := Summarise([]string{"x", "y"}, columns(x, y))
	if err != nil {
		t.Fatal(err)
	}
	want := posteriorFigures["slow"]
	r := rows[0]
	for name, pair := range map[string][2]float64{
		"rhat": {r.Rhat, want["Rhat"]}, "bulk": {r.ESSBulk, want["ESSBulk"]}, "tail": {r.ESSTail, want["ESSTail"]},
		"mcse": {r.MCSE, want["MCSEMean"]}, "q5": {r.Q5, want["Quantile 0.05"]},
		"sd":   {r.SD, want["MCSEMean"] * math.Sqrt(want["ESSMean"])}, // since mcse = sd/√ess
		"mean": {r.Mean, -rows[1].Mean}, "median": {r.Median, -rows[1].Median}, "q95": {r.Q95, -rows[1].Q5},
	} {
		if !sameFigure(pair[0], pair[1]) {
			t.Errorf("%s = %v, want %v", name, pair[0], pair[1])
		}
	}
	if r.Name != "x" || r.Chains != 4 || r.Draws != 250 || r.Fixed || r.NotANumbers != 0 {
		t.Errorf("row %+v", r)
	}
}

func TestSummariseErrors(t *testing.T) {
	if _, err := Summarise([]string{"a", "b"}, [][][]float64{{{1}, {2}}, {{1}}}); err == nil || !strings.Contains(err.Error(), "chain 2 has 1 columns for 2 names") {
		t.Errorf("missing column: %v", err)
	}
	if _, err := Summarise([]string{"a", "b"}, [][][]float64{{{1}, {2, 3}}}); err == nil || !strings.Contains(err.Error(), "chain 1 has 2 draws of b, but 1 of a") {
		t.Errorf("ragged columns: %v", err)
	}
	for _, chains := range [][][][]float64{nil, {{{}}}, {{{1}}, {{}}}} {
		if text := summaryText(t, []string{"a"}, chains); !strings.Contains(text, "no draws") {
			t.Errorf("%v summed up as\n%s", chains, text)
		}
	}
	if text := summaryText(t, nil, [][][]float64{{}}); !strings.Contains(text, "no variables") {
		t.Errorf("no names summed up as\n%s", text)
	}
}

func TestWriteSummary(t *testing.T) {
	rows := []Row{
		{Name: "mu", Mean: 0.12344, MCSE: 0.01, SD: 1, Median: 0.1, Q5: -1.5, Q95: 20830.4, ESSBulk: 3900.4, ESSTail: 3712.6, Rhat: 1.0004, Chains: 4, Draws: 1000},
		{Name: "σ.1", Mean: math.NaN(), MCSE: math.NaN(), SD: 0, Median: 1, Q5: 1, Q95: 1e-7, ESSBulk: math.NaN(), ESSTail: math.NaN(), Rhat: math.NaN(), Chains: 4, Draws: 1000, Fixed: true},
	}
	var b strings.Builder
	if err := WriteSummary(&b, rows); err != nil {
		t.Fatal(err)
	}
	const want = `
       mean  mcse  sd  median    q5    q95  ess_bulk  ess_tail   rhat
mu   0.1234  0.01   1     0.1  -1.5  20830      3900      3713  1.000
σ.1      NA    NA   0       1     1  1e-07        NA        NA     NA

Worst R-hat 1.000 (mu).
Smallest ESS of 4000 draws: bulk 3900 (mu), tail 3713 (mu).
All draws are the same, so there is nothing to judge: σ.1.
R-hat at most 1.01 and ESS at least 400: nothing here speaks against these draws.
`
	if got := b.String(); got != want[1:] {
		t.Errorf("wrote\n%s\nwant\n%s", got, want[1:])
	}
	if err := WriteSummary(&fullDisk{10}, rows); !errors.Is(err, errDisk) {
		t.Errorf("full disk: error %v", err)
	}
}

// The verdict names the culprit and says what to do, and praises only what
// deserves it.
func TestVerdict(t *testing.T) {
	good := lcgAR1(4, 1000, 0.1)
	const praise = "nothing here speaks against"
	for _, c := range []struct {
		name string
		bad  [][]float64
		want []string
	}{
		{"disagreement", change(lcgAR1(4, 1000, 0.1), func(v float64, k, i int) float64 { return v + float64(k) }),
			[]string{"Worst R-hat 1.", "(bad)", "label switching", "Run longer"}},
		{"slow", lcgAR1(4, 1000, 0.95), []string{"(bad)", "ESS below 400", "times longer"}},
		{"NaN", change(lcgAR1(4, 1000, 0.1), func(v float64, k, i int) float64 {
			if k == 3 && i == 999 {
				return math.NaN()
			}
			return v
		}), []string{"Draws of bad are NaN or infinite"}},
		{"constant", change(lcgAR1(4, 1000, 0.1), func(float64, int, int) float64 { return 1 }),
			[]string{"nothing to judge: bad", praise}},
		{"binary", change(lcgAR1(4, 1000, 0.1), func(v float64, k, i int) float64 {
			if v > 0.5 {
				return 1
			}
			return 0
		}), []string{"No tail ESS, since the 95 % quantile is the largest value: bad", praise}},
		{"good", lcgAR1(4, 1000, 0.2), []string{praise}},
	} {
		text := summaryText(t, []string{"fine", "bad"}, columns(good, c.bad))
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: want %q in\n%s", c.name, want, text)
			}
		}
		if !slices.Contains(c.want, praise) && strings.Contains(text, praise) {
			t.Errorf("%s: praised in\n%s", c.name, text)
		}
	}
	var tail strings.Builder
	if err := WriteSummary(&tail, []Row{{Name: "x", ESSBulk: 1000, ESSTail: 160, Rhat: 1, Chains: 4, Draws: 1000}}); err != nil {
		t.Fatal(err)
	}
	if text := tail.String(); !strings.Contains(text, "Run about 2.5 times longer") || strings.Contains(text, praise) {
		t.Errorf("tail ESS of 160:\n%s", text)
	}
	few := summaryText(t, []string{"x"}, columns(lcgAR1(4, 3, 0.1)))
	if !strings.Contains(few, "Too few draws to judge x") || strings.Contains(few, praise) {
		t.Errorf("three draws:\n%s", few)
	}
	one := summaryText(t, []string{"x"}, columns(lcgAR1(1, 2000, 0.1)))
	if !strings.Contains(one, "One chain only") {
		t.Errorf("one chain:\n%s", one)
	}
}
