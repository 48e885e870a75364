// This file tests reports by their structure: well formed, closed to the network and to scripts, whatever the names in them are, and complete.

package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/cli"
)

// writeReportRun writes what a run would have left: draws of these scalars, and the record if there is a spec.
func writeReportRun(t *testing.T, dir, spec string, names []string, chains, draws int) {
	t.Helper()
	model := "m"
	if spec != "" {
		model = strings.TrimSuffix(filepath.Base(spec), ".gm")
		src, err := os.ReadFile(spec)
		if err != nil {
			t.Fatal(err)
		}
		writeRecord(t, dir, model, string(src))
	}
	rng := runtime.NewRand(1)
	for chain := range chains {
		var b bytes.Buffer
		fmt.Fprintf(&b, "# model = %s\nlp__,log_joint,%s\n", model, strings.Join(names, ","))
		for range draws {
			lp := rng.Norm()
			fmt.Fprintf(&b, "%g,%g", lp, lp)
			for i := range names {
				switch {
				case i%7 == 3:
					fmt.Fprintf(&b, ",%d", rng.IntN(4)) // a few whole numbers
				case i%7 == 5:
					b.WriteString(",2") // no news
				default:
					fmt.Fprintf(&b, ",%g", math.Exp(float64(i))*rng.Norm()+float64(chain*i)/10)
				}
			}
			b.WriteByte('\n')
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.csv", model, chain+1)), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func writeRecord(t *testing.T, dir, model, src string) {
	t.Helper()
	text, err := json.Marshal(cli.RunRecord{
		Model: model, Version: "v1", Spec: cli.SpecText{Name: model + ".gm", Source: src}, Data: []string{"<img src=x onerror=alert(3)>.csv"},
		Args: []string{"--seed=7", "--set=</dd><script>alert(4)</script>"}, Options: runtime.Options{Chains: 2, Draws: 50, Thin: 1, Seed: 7},
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Seconds: 12.5,
	})
	if err == nil {
		err = os.WriteFile(cli.RunRecordPath(dir, model), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// reportOf writes a report and returns it.
func reportOf(t *testing.T, cmd reportCmd) string {
	t.Helper()
	path, err := cmd.write()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// outward is what would reach out of a page, or run in it.
var outward = regexp.MustCompile(`(?i)https?:|//[a-z]|url\(|@import|javascript:|data:|<(script|iframe|object|embed|link|base|form|img|image|foreignobject)[\s>/]|\son[a-z]+=`)

// judgePage returns what is wrong with a page, and its text without the markup.
func judgePage(page string) (wrong []string, text string) {
	var b strings.Builder
	markup := page
	d := xml.NewDecoder(strings.NewReader(page)) // stricter than HTML: all that is opened is closed
	ids := map[string]bool{}
	var links []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return append(wrong, err.Error()), ""
		}
		switch e := token.(type) {
		case xml.CharData:
			b.Write(e)
			b.WriteByte(' ')
		case xml.StartElement:
			for _, a := range e.Attr {
				switch {
				case a.Name.Local == "style":
					wrong = append(wrong, "a style attribute, which the policy forbids")
				case a.Name.Local == "id" && ids[a.Value]:
					wrong = append(wrong, "the id "+a.Value+" twice")
				case a.Name.Local == "id":
					ids[a.Value] = true
				case a.Name.Local == "href":
					links = append(links, a.Value)
				}
			}
		}
	}
	for _, l := range links {
		if name, ok := strings.CutPrefix(l, "#"); !ok || !ids[name] {
			wrong = append(wrong, "a link to "+l)
		}
	}
	// What is text may say anything: in the markup it has no < and no quotes.
	_, css, _ := strings.Cut(page, "<style>")
	css, _, found := strings.Cut(css, "</style>")
	sum := sha256.Sum256([]byte(css))
	policy := `content="default-src 'none'; style-src 'sha256-` + base64.StdEncoding.EncodeToString(sum[:]) + `'; base-uri 'none'; form-action 'none'"`
	if !found || !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(page, "&#43;", "+"), "&#39;", "'"), policy) {
		wrong = append(wrong, "the policy is not that of this style: want "+policy)
	}
	tags := regexp.MustCompile(`<[^>]*>`).FindAllString(markup, -1)
	for _, s := range append(tags, css) {
		if o := outward.FindString(regexp.MustCompile(`(title|aria-label|content)="[^"]*"`).ReplaceAllString(s, "")); o != "" {
			wrong = append(wrong, fmt.Sprintf("%q in %q", o, s))
		}
	}
	return wrong, b.String()
}

func TestReport(t *testing.T) {
	specs, err := filepath.Glob("../../specs/*.gm")
	if err != nil || len(specs) == 0 {
		t.Fatal(err)
	}
	names := []string{"sigma2", "w.1", "w.2", "k", "b", "still", "tau2.1"}
	for _, spec := range specs {
		dir := t.TempDir()
		writeReportRun(t, dir, spec, names, 2, 50)
		wrong, text := judgePage(reportOf(t, reportCmd{Dir: dir, Most: 100}))
		for _, w := range wrong {
			t.Errorf("%s: %s", spec, w)
		}
		for _, want := range append([]string{"log_joint", "Trace.", "Ranks.", "Density.", "Distribution.", "Autocorrelation.", "R-hat as the run grew.",
			"All draws are the same number", "Full conditionals", "Plate diagram of", "v1", "12.5s", "2026-01-02", "<img src=x onerror=alert(3)>.csv"}, names...) {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the report does not say %q", spec, want)
			}
		}
		if strings.Contains(text, "left out.") && strings.Contains(text, "more are left out") {
			t.Errorf("%s: scalars are left out, and all were asked for", spec)
		}
	}
}

// TestReportDecision: what batch sizes were tried is shown with the choice, and an earlier run's is not.
func TestReportDecision(t *testing.T) {
	dir := t.TempDir()
	writeReportRun(t, dir, "../../specs/lasso.gm", []string{"sigma2"}, 2, 50)
	write := func(path string, v any) {
		t.Helper()
		text, err := json.Marshal(v)
		if err == nil {
			err = os.WriteFile(path, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	d := runtime.Decision{Mode: runtime.Auto, Costs: "counted", Units: 40, Batch: 40, Globals: 1, Verdict: "no significant gain: full sweeps",
		RoundCosts: runtime.RoundCosts{Local: 2, Global: 10, Full: 90}, Candidates: []runtime.Candidate{
			{Batch: 10, Globals: 1, Cost: 30, Tau: 5, TauLow: 4, TauHigh: 6, Objective: 150, Low: 120, High: 180, Scalar: "sigma2"},
			{Batch: 40, Globals: 1, Cost: 90, Tau: 1.5, TauLow: 1.2, TauHigh: 2, Objective: 135, Low: 108, High: 180, Scalar: "sigma2"}}}
	write(cli.BatchPath(dir, "lasso"), d)
	if _, text := judgePage(reportOf(t, reportCmd{Dir: dir})); strings.Contains(text, "Batch size") {
		t.Error("the choice of another run is shown")
	}
	var rec cli.RunRecord
	if err := readJSONFile(cli.RunRecordPath(dir, "lasso"), &rec); err != nil {
		t.Fatal(err)
	}
	rec.Options.Adapt = runtime.Auto
	write(cli.RunRecordPath(dir, "lasso"), rec)
	says := func(want ...string) {
		t.Helper()
		wrong, text := judgePage(reportOf(t, reportCmd{Dir: dir}))
		if len(wrong) > 0 {
			t.Error(wrong)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("the report does not say %q", w)
			}
		}
	}
	says("Chosen: full sweeps, all 40 local units", "No significant gain: full sweeps.", "Batch sizes.", "costs 2 operations", "135 operations", "108 operations–180 operations",
		"chosen by --batch=auto")
	d.Costs, d.Batch, d.Globals, d.Candidates[0].Objective = "measured", 10, 2, 1.5e-5
	write(cli.BatchPath(dir, "lasso"), d)
	says("batches of 10 of the 40 local units, the globals drawn 2 times before each", "15 µs")
	d.Units, d.Batch, d.Globals, d.Candidates, d.RoundCosts, d.Verdict = 0, 0, 1, nil, runtime.RoundCosts{}, "the model has no locals: there is nothing to tune"
	write(cli.BatchPath(dir, "lasso"), d)
	says("Chosen: full sweeps.", "The model has no locals: there is nothing to tune.")
}

// TestReportEscapes: names from files and specs that are markup stay text.
func TestReportEscapes(t *testing.T) {
	dir := t.TempDir()
	evil := `<script>alert(1)</script>`
	writeReportRun(t, dir, "", []string{evil, `"onload="alert(2)`, "a.1", "</style><b>", "x&amp;y", "q"}, 2, 30)
	writeRecord(t, dir, "m", "// "+evil+" </pre> ]]> -->\nmodel m\nplate N // "+evil+"\nglobal mu ~ Normal(0, var = 1)\ndata y[n in N] : real ~ Normal(mu, var = 1)\n")
	wrong, text := judgePage(reportOf(t, reportCmd{Dir: dir, Most: 100}))
	for _, w := range wrong {
		t.Error(w)
	}
	for _, want := range []string{evil, `"onload="alert(2)`, "</style><b>", "x&amp;y", "</pre> ]]> -->", "<img src=x onerror=alert(3)>.csv", "</dd><script>alert(4)</script>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is lost", want)
		}
	}

	// A spec that is none is shown as it is.
	writeRecord(t, dir, "m", "modell m "+evil)
	wrong, text = judgePage(reportOf(t, reportCmd{Dir: dir, Most: 1}))
	if len(wrong) > 0 || !strings.Contains(text, "does not take the spec") || !strings.Contains(text, "modell m "+evil) {
		t.Errorf("%v\n%s", wrong, text)
	}
}

// TestJudgePage plants faults.
func TestJudgePage(t *testing.T) {
	dir := t.TempDir()
	writeReportRun(t, dir, "", []string{"a"}, 1, 30)
	page := reportOf(t, reportCmd{Dir: dir, Most: 1})
	if wrong, _ := judgePage(page); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	for old, fault := range map[string]string{
		"</main>":     "",
		"<main>":      "<main><script>1</script>",
		"<section id": `<section onclick="1" id`,
		"<svg ":       `<svg style="x:y" `,
		"#figures":    "https://example.org/",
		"<h2>":        `<h2><img src="//example.org/x"/>`,
		"margin:0":    "margin:1",
		"</style>":    "body{background:url(x)}</style>",
		"'none'":      "'self'",
		"&#39;none":   "&#39;self",
	} {
		broken := strings.Replace(page, old, fault, 1)
		if broken == page {
			continue // one of the two ways of writing a quote
		}
		if wrong, _ := judgePage(broken); len(wrong) == 0 {
			t.Errorf("%q for %q is not found", fault, old)
		}
	}
}

// TestReportManyScalars: the worst come first, the table is folded and says what it leaves out, and the blocks in which the files are read
// make no difference.
func TestReportManyScalars(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i := range 60 {
		names = append(names, fmt.Sprintf("x.%d", i+1))
	}
	writeReportRun(t, dir, "", names, 3, 40)
	page := reportOf(t, reportCmd{Dir: dir, Most: 5})
	_, text := judgePage(page)
	for _, want := range []string{"The ten with the worst diagnostics", "All 61 scalars", "The 5 scalars with the worst diagnostics", "56 more are left out"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if n := strings.Count(page, `<details class="scalar"`); n != 5 {
		t.Errorf("figures of %d scalars", n)
	}
	r, err := openFinished(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	at := r.worstFirst()
	for i := range at[1:] {
		a, b := r.summary[at[i]], r.summary[at[i+1]]
		if a.Fixed && !b.Fixed || a.Rhat < 1.01 && b.Rhat > 2 {
			t.Errorf("%s comes before %s", a.Name, b.Name)
		}
	}
	summary := fmt.Sprint(r.summary)
	r.hold, r.summary, r.sorted = 3*40*7, nil, nil
	if err := r.summarise(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.summary); got != summary {
		t.Errorf("read seven columns at a time:\n%s\nwant\n%s", got, summary)
	}

	// Every third of 40 draws: 13 of each chain, draws 3, 6, ..., 39.
	r.every, r.looked = 3, 13
	var all, third [][]float64
	keep := func(into *[][]float64) func(int, [][]float64) error {
		return func(_ int, draws [][]float64) error { *into = draws; return nil }
	}
	if err := r.eachScalar([]int{1}, keep(&third)); err != nil {
		t.Fatal(err)
	}
	r.every, r.looked = 1, 40
	if err := r.eachScalar([]int{1}, keep(&all)); err != nil {
		t.Fatal(err)
	}
	for chain, draws := range third {
		for i, v := range draws {
			if v != all[chain][3*i+2] {
				t.Errorf("chain %d: draw %d of the thinned is %v, want %v", chain+1, i+1, v, all[chain][3*i+2])
			}
		}
	}
}

// TestReportCutsTable: of more scalars than a page shows the worst stay, in the order of the file.
func TestReportCutsTable(t *testing.T) {
	names := make([]string, rowsMost+4)
	for i := range names {
		names[i] = fmt.Sprintf("x.%d", i+1)
	}
	r := &finishedRun{csvRun: &csvRun{columns: make([]column, len(names))}}
	for i, name := range names {
		r.columns[i].name = name
		r.summary = append(r.summary, runtime.Row{Name: name, Rhat: 1 + float64(i*7%len(names))/100, ESSBulk: 1e4, ESSTail: 1e4})
	}
	p := &page{}
	r.fillTable(p)
	if len(p.Rows) != rowsMost || p.RowsCut != 4 || len(p.Worst) != 10 {
		t.Fatalf("%d rows, %d left out, the worst %d", len(p.Rows), p.RowsCut, len(p.Worst))
	}
	worst := slices.SortedFunc(slices.Values(r.summary), func(a, b runtime.Row) int { return cmp.Compare(b.Rhat, a.Rhat) })
	for i, row := range p.Worst {
		if row.Name != worst[i].Name {
			t.Errorf("worst %d is %s, want %s", i+1, row.Name, worst[i].Name)
		}
	}
	at := -1
	for _, row := range p.Rows {
		next := slices.Index(names, row.Name)
		if next <= at {
			t.Errorf("%s is not in the order of the file", row.Name)
		}
		at = next
	}
}

func TestFileName(t *testing.T) {
	taken := map[string]bool{}
	for _, tt := range []struct{ name, want string }{
		{"mu.1-trace", "mu.1-trace"}, {"a/b", "a_b"}, {"a_b", "a_b-2"}, {"A_B", "A_B-3"}, {"../x", "__x"}, {"-rf", "_rf"}, {"", "_"}, {"é", "é"}, {`a\b:c`, "a_b_c"},
	} {
		if got := fileName(tt.name, taken); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.name, got, tt.want)
		}
	}
}
