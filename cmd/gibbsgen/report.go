// This file holds gibbsgen report: what the page says. How it looks is in report.html.tmpl and report.css.

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gibbsgen/gibbsgen/internal/figure"
	"github.com/gibbsgen/gibbsgen/runtime"
)

type reportCmd struct {
	Dir string `arg:"" help:"The directory of a run, or of CmdStan CSV files of another program, one a chain; or one such file."`

	Output string   `short:"o" placeholder:"FILE" help:"The page to write (default: report.html in the directory, NAME-report.html beside a file)."`
	Most   int      `default:"${figures}" help:"How many scalars have figures: those with the worst diagnostics."`
	Only   []string `placeholder:"NAME" help:"Scalars that have figures, or variables all of whose elements do, instead of the worst."`
}

func (reportCmd) Help() string {
	return `Writes a page about a run: a summary of the draws and what to make of it; for each scalar a trace, ranks, density, autocorrelation and R-hat as the run grew; what batch sizes were tried; the model, its plate diagram and the derivation of each conditional; all settings. It is one HTML file, which loads nothing and runs no scripts.

Of draws that gibbsgen run has not written it shows what there is to see.

Examples:

    gibbsgen report lasso-draws
    gibbsgen report lasso-draws --most=30 -o lasso.html
    gibbsgen report lasso-draws --only=w,sigma2`
}

// reportMost is how many scalars have figures unless more are asked for: more than that nobody looks through.
const reportMost = 12

// Validate reports a number that makes no sense.
func (cmd *reportCmd) Validate() error {
	if cmd.Most < 0 {
		return fmt.Errorf("--most is %d: it must be at least 0", cmd.Most)
	}
	return nil
}

// Run writes the page and says where it is.
func (cmd *reportCmd) Run(c console) error {
	out, err := cmd.write()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "the report is %s\n", out)
	return err
}

// write writes the page and returns where.
func (cmd *reportCmd) write() (string, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := openFinished(ctx, cmd.Dir)
	if err != nil {
		return "", err
	}
	shown, left, err := r.shown(cmd.Only, cmd.Most)
	if err != nil {
		return "", err
	}
	page, err := r.page(shown, left, len(cmd.Only) > 0)
	if err != nil {
		return "", err
	}
	out := cmd.Output
	if out == "" {
		out = filepath.Join(cmd.Dir, "report.html")
		if info, err := os.Stat(cmd.Dir); err == nil && !info.IsDir() {
			out = strings.TrimSuffix(cmd.Dir, ".csv") + "-report.html"
		}
	}
	return out, writeFiles([]outFile{{out, page}})
}

// shown returns the positions of the scalars that have figures, and the number of those that don't.
func (r *finishedRun) shown(only []string, most int) (at []int, left int, err error) {
	if len(only) > 0 {
		names := make([]string, len(r.columns))
		for i, c := range r.columns {
			names[i] = c.name
		}
		at, err = (&summaryCmd{Only: only}).selected(names)
		return at, len(r.columns) - len(at), err
	}
	at = r.worstFirst()
	most = min(most, len(at))
	return at[:most], len(at) - most, nil
}

//go:embed report.html.tmpl
var reportTemplate string

//go:embed report.css
var reportCSS string

// A page is what the template is filled with.
type page struct {
	Title, Version string
	CSS            template.CSS
	StyleHash      string // of CSS, by which the page allows it and no other style

	Facts   []string // the run in a line
	Good    bool
	Verdict []string
	Chains  []swatch
	Repeat  bool // there are more chains than colours

	Columns []string
	Worst   []tableRow // of many rows, those with the worst diagnostics
	Rows    []tableRow
	RowsCut int // how many rows are in neither
	Sorted  bool

	Scalars []scalarSection
	Left    int  // how many scalars have no figures
	Asked   bool // those that have were asked for by name

	Decision *decisionSection
	Plates   *figureHTML
	Spec     *specSection
	Settings []setting
	Files    []string
}

type swatch struct{ Class, Name string }

type tableRow struct {
	Name  string
	Cells []tableCell
	Past  string // the thresholds that it is past, in words
}

type tableCell struct {
	Text string
	Bad  bool
}

// A table is what the template's rows are filled with.
type table struct {
	Label, First string // what a screen reader calls it; the head of the first column
	Columns      []string
	Rows         []tableRow
}

func newTable(label, first string, columns []string, rows []tableRow) table {
	return table{label, first, columns, rows}
}

type scalarSection struct {
	Name, Facts, Past string
	Open              bool
	Note              string // instead of figures
	Figures           []figureHTML
}

type figureHTML struct {
	Title, Caption string
	SVG            template.HTML
	Broad          bool // not to be made smaller to fit a page: its text would be too small to read
}

type decisionSection struct {
	Verdict, Chosen, Costs string
	Figure                 *figureHTML
	Rows                   []tableRow
	Columns                []string
}

type specSection struct {
	Name, Source string
	Unread       string        // why there are no derivations
	Derivations  []foldedBlock // as gibbsgen explain prints them
}

type foldedBlock struct{ Heading, Gist, Text string }

type setting struct{ Name, Value string }

// How much of a table is seen before it is unfolded, and how much there is at all.
const (
	rowsSeen = 40
	rowsMost = 2000
	openMost = 3 // scalars whose figures are unfolded
)

// page returns the report, with figures of the scalars at the given positions.
func (r *finishedRun) page(shown []int, left int, asked bool) ([]byte, error) {
	css := figure.CSS() + reportCSS
	sum := sha256.Sum256([]byte(css))
	p := &page{
		Title: r.name, Version: version(), CSS: template.CSS(css), StyleHash: base64.StdEncoding.EncodeToString(sum[:]),
		Verdict: sentences(runtime.Verdict(slices.Concat(r.summary, r.sorted))), Columns: runtime.Columns(), Sorted: len(r.sorted) > 0,
		Left: left, Asked: asked, Files: r.files,
	}
	judged := func(row runtime.Row) bool { return !math.IsNaN(row.Rhat) }
	p.Good = slices.ContainsFunc(r.summary, judged) &&
		!slices.ContainsFunc(r.summary, func(row runtime.Row) bool { return past(row) != "" || !row.Fixed && !judged(row) })
	for chain := range r.files {
		p.Chains = append(p.Chains, swatch{figure.Swatch(chain), "chain " + strconv.Itoa(chain+1)})
		p.Repeat = p.Repeat || chain > 0 && figure.Swatch(chain) == figure.Swatch(0)
	}
	p.Facts = r.facts()
	r.fillTable(p)
	if err := r.fillFigures(p, shown); err != nil {
		return nil, err
	}
	if err := r.fillModel(p); err != nil {
		return nil, err
	}
	p.Settings = r.settings()
	t, err := template.New("report").Funcs(template.FuncMap{"table": newTable}).Parse(reportTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, p); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// sentences joins lines that were broken for a terminal.
func sentences(lines []string) []string {
	var out []string
	for _, line := range lines {
		if n := len(out); n > 0 && !strings.HasSuffix(out[n-1], ".") {
			out[n-1] += " " + line
			continue
		}
		out = append(out, line)
	}
	return out
}

// facts are the run in short.
func (r *finishedRun) facts() []string {
	out := []string{fmt.Sprintf("%s of %s", counted(len(r.files), "chain", "chains"), counted(r.draws, "draw", "draws")),
		counted(len(r.columns), "scalar", "scalars")}
	if slices.Max(r.rows) > r.draws {
		out[0] += " (chains cut to the shortest)"
	}
	if r.every > 1 {
		out = append(out, fmt.Sprintf("all below is of 1 draw in %d", r.every))
	}
	if rec := r.record; rec != nil {
		out = append(out, rec.Started.Format("2 January 2006, 15:04 MST"))
		switch {
		case rec.Seconds == 0:
			out = append(out, "not recorded to have ended: it still runs, or was killed")
		case rec.Interrupted:
			out = append(out, "interrupted after "+duration(rec.Seconds))
		default:
			out = append(out, "took "+duration(rec.Seconds))
		}
	}
	return out
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// duration writes seconds as 3m12s, or 0.42s.
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// fillTable puts the summary into the page.
func (r *finishedRun) fillTable(p *page) {
	order := r.positions()
	worst := r.worstFirst()
	if len(order) > rowsMost {
		order = slices.Sorted(slices.Values(worst[:rowsMost]))
		p.RowsCut = len(r.summary) - rowsMost
	}
	for _, i := range order {
		p.Rows = append(p.Rows, tableRowOf(r.summary[i]))
	}
	for _, row := range r.sorted {
		p.Rows = append(p.Rows, tableRowOf(row))
	}
	if len(p.Rows) > rowsSeen {
		for _, i := range worst[:min(10, len(worst))] {
			p.Worst = append(p.Worst, tableRowOf(r.summary[i]))
		}
	}
}

func tableRowOf(row runtime.Row) tableRow {
	out := tableRow{Name: row.Name, Past: past(row)}
	bad := map[string]bool{"rhat": row.Rhat > runtime.GoodRhat, "ess_bulk": row.ESSBulk < runtime.GoodESS, "ess_tail": row.ESSTail < runtime.GoodESS}
	columns := runtime.Columns()
	for i, text := range row.Cells() {
		out.Cells = append(out.Cells, tableCell{text, bad[columns[i]]})
	}
	return out
}

// fillFigures draws the scalars that are shown.
func (r *finishedRun) fillFigures(p *page, shown []int) error {
	return r.eachScalar(shown, func(i int, draws [][]float64) error {
		row := r.summary[i]
		cells := row.Cells()
		s := scalarSection{Name: row.Name, Past: past(row), Open: len(p.Scalars) < openMost,
			Facts: fmt.Sprintf("mean %s, sd %s, R-hat %s, bulk ESS %s", cells[0], cells[2], cells[8], cells[6])}
		if row.Fixed {
			s.Facts, s.Note = "mean "+cells[0], "All draws are the same number: there is nothing to draw."
		}
		for _, f := range figure.OfScalar(draws, row, r.every) {
			h, err := htmlOf(f)
			if err != nil {
				return err
			}
			s.Figures = append(s.Figures, *h)
		}
		p.Scalars = append(p.Scalars, s)
		return nil
	})
}

func htmlOf(f *figure.Figure) (*figureHTML, error) {
	svg, err := f.Inline()
	return &figureHTML{f.Title, f.Caption, template.HTML(svg), f.Width() > 520}, err
}
