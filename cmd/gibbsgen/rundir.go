// This file reads what a report shows of a run: the record of it, its chains column by column, and how its batch size was chosen.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/internal/figure"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/cli"
)

// lookMost is how many draws of a scalar are looked at, all chains together; of more every second, or third ..., so that a report of a long
// run does not take hours.
const lookMost = 800_000

// A finishedRun is what is known of the draws in a directory.
type finishedRun struct {
	*csvRun
	name     string
	record   *cli.RunRecord      // nil of draws that gibbsgen run has not written
	decision *runtime.Decision   // nil if no batch size was looked for
	model    *ir.Model           // nil without a record, or if this gibbsgen does not take its spec
	analysis *conjugacy.Analysis // the same
	every    int                 // of so many draws one is looked at
	looked   int                 // draws of each chain that are looked at
	summary  []runtime.Row       // of each column
	sorted   []runtime.Row       // of columns that are numbered arbitrarily, sorted within each draw, where that matters
}

// openFinished reads all but the draws themselves, and sums these up.
func openFinished(ctx context.Context, path string) (*finishedRun, error) {
	chains, err := openChains(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	if len(chains.columns) == 0 {
		return nil, fmt.Errorf("%s has no columns of draws, only those that end in __", chains.files[0])
	}
	abs, err := filepath.Abs(path) // . has no name of its own
	if err != nil {
		return nil, err
	}
	r := &finishedRun{csvRun: chains, name: strings.TrimSuffix(filepath.Base(abs), ".csv")}
	if err := r.readRecord(path); err != nil {
		return nil, err
	}
	r.every = 1 + (r.draws*len(r.files)-1)/lookMost
	r.looked = r.draws / r.every
	return r, r.summarise()
}

// summarise sums up the draws of all columns.
func (r *finishedRun) summarise() error {
	labels := runtime.ParseLabels(r.meta["exchangeable"])
	return r.eachBlock(r.positions(), func(block []int, draws [][][]float64) error {
		names := make([]string, len(block))
		for b, i := range block {
			names[b] = r.columns[i].name
		}
		rows, err := runtime.SummariseLabelled(names, draws, labels)
		if err != nil {
			return err
		}
		r.summary, r.sorted = append(r.summary, rows[:len(block)]...), append(r.sorted, rows[len(block):]...)
		return nil
	})
}

// positions are those of all columns.
func (r *csvRun) positions() []int {
	at := make([]int, len(r.columns))
	for i := range at {
		at[i] = i
	}
	return at
}

// readRecord reads the record and the decision that lie in a directory, if any do, and compiles the spec as far as its conditionals.
func (r *finishedRun) readRecord(dir string) error {
	paths, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*-run.json"))
	if err != nil || len(paths) == 0 {
		return nil
	}
	if len(paths) > 1 {
		return fmt.Errorf("%s has the records of several runs, %s: put each run in a directory of its own", dir, strings.Join(paths, " and "))
	}
	r.record = &cli.RunRecord{}
	if err := readJSONFile(paths[0], r.record); err != nil {
		return err
	}
	r.name = r.record.Model
	if r.record.Options.Adapt != runtime.NoAdapt {
		decision := &runtime.Decision{}
		switch err := readJSONFile(strings.TrimSuffix(paths[0], "-run.json")+"-batch.json", decision); {
		case err == nil:
			r.decision = decision
		case !errors.Is(err, fs.ErrNotExist): // a run that was stopped in warmup has none
			return err
		}
	}
	file, diags := dsl.Parse(r.record.Spec.Name, r.record.Spec.Source)
	if diags.HasErrors() {
		return nil
	}
	model, diags := ir.Check(file)
	if diags.HasErrors() || model == nil {
		return nil
	}
	if analysis, diags := conjugacy.Analyze(model); !diags.HasErrors() {
		r.model, r.analysis = model, analysis
	}
	return nil
}

func readJSONFile(path string, v any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return pathError("cannot read", path, err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// eachBlock hands on the draws, chains × columns × draws, of the columns at the given positions, as many at a time as may be held. It reads the
// files once for each time.
func (r *finishedRun) eachBlock(at []int, use func(block []int, draws [][][]float64) error) error {
	most := max(1, r.hold/(r.looked*len(r.files)))
	for block := range slices.Chunk(at, most) {
		draws := make([][][]float64, len(r.files))
		for chain := range draws {
			draws[chain] = make([][]float64, len(block))
			for b := range block {
				draws[chain][b] = make([]float64, r.looked)
			}
			if err := r.each(chain, func(draw int, values []float64) error {
				if at := draw / r.every; draw%r.every == r.every-1 {
					for b, i := range block {
						draws[chain][b][at] = values[r.columns[i].at]
					}
				}
				return nil
			}); err != nil {
				return err
			}
		}
		if err := use(block, draws); err != nil {
			return err
		}
	}
	return nil
}

// eachScalar hands on the draws, chains × draws, of the columns at the given positions.
func (r *finishedRun) eachScalar(at []int, use func(i int, draws [][]float64) error) error {
	return r.eachBlock(at, func(block []int, draws [][][]float64) error {
		for b, i := range block {
			scalar := make([][]float64, len(draws))
			for chain := range draws {
				scalar[chain] = draws[chain][b]
			}
			if err := use(i, scalar); err != nil {
				return err
			}
		}
		return nil
	})
}

// worstFirst returns the positions of the columns, those first of which there is most to see: draws that are not finite, then by how far
// R-hat or an effective sample size is past its threshold, at last draws that are all the same.
func (r *finishedRun) worstFirst() []int {
	badness := func(row runtime.Row) float64 {
		switch {
		case row.NotANumbers > 0:
			return math.Inf(1)
		case row.Fixed:
			return -1
		}
		worst := 0.0
		for _, b := range []float64{(row.Rhat - 1) / (runtime.GoodRhat - 1), runtime.GoodESS / row.ESSBulk, runtime.GoodESS / row.ESSTail} {
			if !math.IsNaN(b) {
				worst = max(worst, b)
			}
		}
		return worst
	}
	at := r.positions()
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(badness(r.summary[b]), badness(r.summary[a])) })
	return at
}

// past says in words where a row is past a threshold of the verdict; "" if it is not.
func past(row runtime.Row) string {
	var out []string
	if row.NotANumbers > 0 {
		out = append(out, "draws that are NaN or infinite")
	}
	if row.Rhat > runtime.GoodRhat {
		out = append(out, fmt.Sprintf("R-hat above %v", runtime.GoodRhat))
	}
	if row.ESSBulk < runtime.GoodESS || row.ESSTail < runtime.GoodESS {
		out = append(out, fmt.Sprintf("ESS below %d", runtime.GoodESS))
	}
	return strings.Join(out, ", ")
}

// modelFigures are those that need no draws.
func (r *finishedRun) modelFigures() (plates, batch *figure.Figure) {
	if r.model != nil {
		plates = figure.Plates(r.model)
	}
	if r.decision != nil {
		batch = figure.Batch(r.decision)
	}
	return plates, batch
}
