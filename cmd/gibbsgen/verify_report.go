// This file writes what gibbsgen verify found as a page. How it looks is in verify.html.tmpl and report.css.

package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/gibbsgen/gibbsgen/internal/figure"
	"github.com/gibbsgen/gibbsgen/verify"
)

//go:embed verify.html.tmpl
var verifyTemplate string

// A verifyPage is what the template is filled with.
type verifyPage struct {
	Title, Version string
	CSS            template.CSS
	StyleHash      string // of CSS, by which the page allows it and no other style

	Facts           []string
	Good            bool
	Verdict, Chance string
	Failures, Notes []told

	Columns []string
	Rows    []tableRow

	Quantities []scalarSection // what was ranked, the worst first
}

// What a check has told, or several checks alike.
type told struct{ Name, Outcome, Text string }

// pageOfVerification returns a page of what a verification found: one HTML file, which loads nothing and runs no scripts.
func pageOfVerification(r *verify.Report) ([]byte, error) {
	css := figure.CSS() + reportCSS
	sum := sha256.Sum256([]byte(css))
	p := &verifyPage{
		Title: r.Model, Version: version(), CSS: template.CSS(css), StyleHash: base64.StdEncoding.EncodeToString(sum[:]),
		Facts: []string{"level " + r.Level, "seed " + strconv.FormatUint(r.Seed, 10), counted(len(r.Checks), "check", "checks"), duration(r.Time.Seconds())},
		Good:  !r.Failed(), Verdict: r.Verdict(),
		Chance:  fmt.Sprintf("A right sampler fails with probability %g at the most, all checks together.", r.FalseAlarms),
		Columns: []string{"verdict", "statistic", "threshold", "compared", "false alarm", "time", "measure"},
	}
	for _, c := range r.Checks {
		p.Rows = append(p.Rows, rowOfCheck(c))
		last := len(p.Notes) - 1
		switch t := (told{c.Name, c.Outcome.String(), c.Detail}); {
		case c.Detail == "":
		case c.Outcome == verify.Failed:
			p.Failures = append(p.Failures, t)
		case last >= 0 && p.Notes[last].Outcome == t.Outcome && p.Notes[last].Text == t.Text:
			p.Notes[last].Name += "; " + c.Name
		default:
			p.Notes = append(p.Notes, t)
		}
		if err := p.fillQuantities(c); err != nil {
			return nil, err
		}
	}
	t, err := template.New("report").Funcs(template.FuncMap{"table": newTable}).Parse(reportTemplate) // for its tables
	if err != nil {
		return nil, err
	}
	if t, err = t.New("verification").Parse(verifyTemplate); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func rowOfCheck(c verify.Check) tableRow {
	out := tableRow{Name: c.Name}
	verdict := tableCell{c.Outcome.String(), c.Outcome == verify.Failed}
	if c.Outcome == verify.NotMade {
		out.Cells = append([]tableCell{verdict}, make([]tableCell, 6)...)
		return out
	}
	if c.Looks > 1 {
		verdict.Text += ", at a second look"
	}
	chance := "none"
	if c.Chance > 0 {
		chance = fmt.Sprintf("%.2g", c.Chance)
	}
	if verdict.Bad {
		out.Past = "above its threshold"
	}
	out.Cells = append(out.Cells, verdict, tableCell{fmt.Sprintf("%.2g", c.Statistic), verdict.Bad})
	for _, text := range []string{fmt.Sprintf("%.2g", c.Threshold), strconv.Itoa(c.N), chance, duration(c.Time.Seconds()), c.Measure} {
		out.Cells = append(out.Cells, tableCell{Text: text})
	}
	return out
}

// fillQuantities draws what the check has ranked.
func (p *verifyPage) fillQuantities(c verify.Check) error {
	plots := slices.SortedStableFunc(slices.Values(c.Plots), func(a, b verify.Plot) int { return cmp.Compare(b.Statistic/b.Threshold, a.Statistic/a.Threshold) })
	for i, plot := range plots {
		s := scalarSection{Name: plot.Of, Open: i < openMost || plot.Statistic > plot.Threshold,
			Facts: fmt.Sprintf("statistic %.2g, threshold %.2g", plot.Statistic, plot.Threshold),
			Note:  "One sweep in " + strconv.Itoa(plot.Thin) + " was ranked. " + effective(plot)}
		if plot.Statistic > plot.Threshold {
			s.Past = "outside its band"
		}
		for _, f := range figure.Calibration(plot.Ranks, plot.Band) {
			h, err := htmlOf(f)
			if err != nil {
				return err
			}
			s.Figures = append(s.Figures, *h)
		}
		p.Quantities = append(p.Quantities, s)
	}
	return nil
}

// effective says how well the chains mixed before they were thinned.
func effective(plot verify.Plot) string {
	if plot.ESS == 0 {
		return "In the pilot chains it never changed, so nothing is known of their effective sample sizes."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Before thinning, %d sweeps had an effective sample size of %.3g in the median of the data sets", plot.Thin, plot.ESS*float64(plot.Thin))
	fmt.Fprintf(&b, ", and more than %.2g in 95 %% of them.", plot.Low*float64(plot.Thin))
	return b.String()
}
