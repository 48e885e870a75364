// This file tests the page of a verification: it is complete, well formed, closed to the network and to scripts, and fits a telephone.

package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gibbsgen/gibbsgen/verify"
)

// verification is a report with checks of every outcome, and names that are markup.
func verification() *verify.Report {
	plot := func(of string, statistic float64, last int) verify.Plot {
		p := verify.Plot{Of: of, Thin: 12, ESS: 0.25, Low: 0.125, Statistic: statistic, Threshold: 4}
		for i := range 16 {
			p.Ranks = append(p.Ranks, 20+i%3)
			if i > 0 {
				p.Band = append(p.Band, [2]float64{-0.06, 0.06})
			}
		}
		p.Ranks[15] += last
		return p
	}
	still := plot("occupied(K) (N = 5)", 1.5, 0)
	still.ESS, still.Low = 0, 0
	return &verify.Report{Model: "m<script>1</script>", Level: "full", Seed: 7, FalseAlarms: 1e-3, Time: 90 * time.Second, Checks: []verify.Check{
		{Kind: "conditional", Name: "conditional of mu", Measure: "relative difference", Statistic: math.NaN(), Threshold: 1e-8, N: 40, Outcome: verify.Failed,
			Detail: "from 1 to 2 its log density changes by 3, the log joint by 4\nthe conditional counts y ~ Normal 0.5 times, not once <b>"},
		{Kind: "invariance", Name: "a sweep", Outcome: verify.NotMade, Detail: "the prior of mu is improper"},
		{Kind: "invariance", Name: "batches of 1, cyclic scan", Outcome: verify.NotMade, Detail: "the prior of mu is improper"},
		{Kind: "draws", Name: "draws of mu", Measure: "distance of distribution functions", Statistic: 0.0123, Threshold: 0.0456, N: 1000, Chance: 2e-5, Looks: 2, Time: time.Second},
		{Kind: "calibration", Name: "calibration by simulation", Measure: "-log10 tail of the ranks' ECDF", Statistic: 9, Threshold: 4, N: 350, Chance: 1e-4, Looks: 2,
			Outcome: verify.Failed, Detail: "mu has not every rank equally often", Plots: []verify.Plot{
				plot("the log joint (N = 5)", 1, 0), still, plot("mu (N = 5, a_very_long_name_of_a_plate_that_some_program_has_written = [1 2 3 4 5 6 7 8 9 10])", 9, 90)}},
		{Kind: "bookkeeping", Name: "sums after a sweep", Measure: "relative difference", Statistic: 1e-15, Threshold: 1e-8, N: 90, Detail: "a note"},
	}}
}

func TestVerifyReport(t *testing.T) {
	text, err := json.Marshal(verification()) // as the page gets it
	if err != nil {
		t.Fatal(err)
	}
	var r verify.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	page, err := pageOfVerification(&r)
	if err != nil {
		t.Fatal(err)
	}
	wrong, said := judgePage(string(page))
	for _, w := range wrong {
		t.Error(w)
	}
	said = strings.Join(strings.Fields(said), " ")
	for _, want := range []string{"m<script>1</script>: verification", "level full · seed 7 · 6 checks · 1m30s", "FAILED 2 of 6 checks", "with probability 0.001 at the most",
		"conditional of mu: FAIL from 1 to 2 its log density changes by 3, the log joint by 4 the conditional counts y ~ Normal 0.5 times, not once <b>",
		"a sweep; batches of 1, cyclic scan: not made the prior of mu is improper", "sums after a sweep: pass a note",
		"draws of mu pass, at a second look 0.012 0.046 1000 2e-05 1s distance of distribution functions",
		"One sweep in 12 was ranked. Before thinning, 12 sweeps had an effective sample size of 3 in the median of the data sets, and more than 1.5 in 95 % of them.",
		"In the pilot chains it never changed", "outside its band", "Here it does not.", "Here it does.", "In how many of 335 data sets"} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := strings.Count(string(page), "<svg "); n != 6 {
		t.Errorf("%d figures of 3 quantities", n)
	}
	if worst, next := strings.Index(said, "mu (N = 5, a_very"), strings.Index(said, "the log joint (N = 5)"); worst > next {
		t.Error("the worst quantity is not the first")
	}
	good := &verify.Report{Model: "m", Checks: r.Checks[3:4]}
	page, err = pageOfVerification(good)
	if wrong, said := judgePage(string(page)); err != nil || len(wrong) > 0 || !strings.Contains(said, "passed") || strings.Contains(said, "FAIL") || strings.Contains(said, "Calibration") {
		t.Errorf("%v %v\n%s", err, wrong, said)
	}
}

func TestVerifyReportInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium := browser(t)
	r := verification()
	r.Checks[0].Statistic = 1
	page, err := pageOfVerification(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range openInBrowser(t, chromium, string(page)) {
		t.Error(f)
	}
	broken := strings.Replace(string(page), ">rank<", ">"+strings.Repeat("rank", 60)+"<", 1)
	if found := strings.Join(openInBrowser(t, chromium, broken), "\n"); !strings.Contains(found, "is outside") {
		t.Errorf("an axis with too long a name is not found: %s", found)
	}
}
