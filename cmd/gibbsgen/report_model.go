// This file holds what a report says of the model, of the choice of the batch size, and of the settings.

package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// fillModel puts the spec, its diagram, its conditionals and the choice of the batch size into the page.
func (r *finishedRun) fillModel(p *page) error {
	plates, batch := r.modelFigures()
	var err error
	if plates != nil {
		if p.Plates, err = htmlOf(plates); err != nil {
			return err
		}
	}
	if d := r.decision; d != nil {
		p.Decision = decisionOf(d)
		if batch != nil {
			if p.Decision.Figure, err = htmlOf(batch); err != nil {
				return err
			}
		}
	}
	if r.record == nil {
		return nil
	}
	p.Spec = &specSection{Name: r.record.Spec.Name, Source: r.record.Spec.Source}
	if r.analysis == nil {
		p.Spec.Unread = fmt.Sprintf("This gibbsgen (%s) does not take the spec, which gibbsgen %s compiled: there is no diagram and there are no derivations.", version(), r.record.Version)
		return nil
	}
	var text bytes.Buffer
	if err := conjugacy.WriteText(&text, r.analysis, conjugacy.Explain(r.analysis)); err != nil {
		return err
	}
	p.Spec.Derivations = folded(text.String())
	return nil
}

// folded cuts what gibbsgen explain prints into its paragraphs. The first one only names the spec.
func folded(text string) []foldedBlock {
	var out []foldedBlock
	for _, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n")[1:] {
		heading, rest, _ := strings.Cut(paragraph, "\n")
		b := foldedBlock{Heading: heading, Text: rest}
		for line := range strings.Lines(rest) {
			if name, draw, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == "drawn" {
				b.Gist = strings.TrimSpace(draw)
			}
		}
		out = append(out, b)
	}
	return out
}

// decisionOf words a decision.
func decisionOf(d *runtime.Decision) *decisionSection {
	s := &decisionSection{Verdict: sentence(d.Verdict), Chosen: "full sweeps, all " + counted(d.Units, "local unit", "local units") + " between two draws of the globals"}
	switch {
	case d.Units < 2:
		s.Chosen = "full sweeps"
	case d.Batch < d.Units:
		s.Chosen = fmt.Sprintf("batches of %d of the %s", d.Batch, counted(d.Units, "local unit", "local units"))
	}
	if d.Globals > 1 {
		s.Chosen += fmt.Sprintf(", the globals drawn %d times before each", d.Globals)
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	cost := func(x float64) string { return number(x) + " operations" }
	if d.Costs == "measured" {
		cost = seconds
	}
	if d.Local > 0 {
		s.Costs = fmt.Sprintf("To refresh one local unit costs %s, to draw the globals %s (costs were %s).", cost(d.Local), cost(d.Global), d.Costs)
	}
	s.Columns = []string{"globals", "sweeps", "rounds", "cost", "τ", "τ 95 %", "f(m)", "f(m) 95 %", "worst scalar"}
	for _, c := range d.Candidates {
		row := tableRow{Name: strconv.Itoa(c.Batch)}
		if c.Batch == d.Batch && c.Globals == d.Globals {
			row.Past = "chosen"
		}
		for _, text := range []string{strconv.Itoa(c.Globals), strconv.Itoa(c.Sweeps), strconv.Itoa(c.Rounds), cost(c.Cost), number(c.Tau),
			number(c.TauLow) + "–" + number(c.TauHigh), cost(c.Objective), cost(c.Low) + "–" + cost(c.High), c.Scalar} {
			row.Cells = append(row.Cells, tableCell{Text: text})
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// sentence makes a sentence of words without capital and stop.
func sentence(s string) string {
	if first, size := utf8.DecodeRuneInString(s); s != "" {
		s = string(unicode.ToUpper(first)) + s[size:]
	}
	if s != "" && !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// seconds writes a time with three digits: 15.8 ns.
func seconds(x float64) string {
	units := []string{"s", "ms", "µs", "ns"}
	for k, u := range units {
		if scale := math.Pow(1000, float64(k)); x*scale >= 1 || k == len(units)-1 {
			return strconv.FormatFloat(x*scale, 'g', 3, 64) + " " + u
		}
	}
	return ""
}

// settings are those of the run, in words.
func (r *finishedRun) settings() []setting {
	var out []setting
	add := func(name, format string, args ...any) { out = append(out, setting{name, fmt.Sprintf(format, args...)}) }
	if r.record == nil {
		add("Written by", "%s", "not by gibbsgen run, or before it kept records: what is known is what the files say")
		return out
	}
	rec, o := r.record, r.record.Options
	add("Model", "%s, of %s", rec.Model, rec.Spec.Name)
	add("gibbsgen", "%s", rec.Version)
	add("Seed", "%d", o.Seed)
	add("Chains", "%d, each with %s and then %s", o.Chains, counted(max(o.Warmup, 0), "sweep of warmup", "sweeps of warmup"), counted(o.Draws, "kept draw", "kept draws"))
	if o.Thin > 1 {
		add("Thinning", "%d sweeps for each kept draw", o.Thin)
	}
	switch {
	case r.decision != nil:
		add("Batches", "chosen by --batch=%s, scan %s", r.decision.Mode, o.Scan)
	case o.Batch > 0:
		add("Batches", "%s between two draws of the globals, scan %s", counted(o.Batch, "local unit", "local units"), o.Scan)
	default:
		add("Batches", "full sweeps")
	}
	if o.Time > 0 {
		add("Time limit", "%s", o.Time)
	}
	add("Started", "%s", rec.Started.Format("2006-01-02 15:04:05 -07:00"))
	if rec.Seconds > 0 {
		add("Took", "%s, warmup included", duration(rec.Seconds))
	}
	data := slices.Clone(rec.Data)
	if len(data) == 0 {
		data = []string{"none"}
	}
	add("Data files", "%s", strings.Join(data, ", "))
	if len(rec.Args) > 0 {
		add("Arguments of the sampler", "%s", strings.Join(rec.Args, " "))
	}
	return out
}
