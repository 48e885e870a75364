// This file holds gibbsgen run.

package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime/cli"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

type runCmd struct {
	Spec  string   `arg:"" help:"The spec."`
	Files []string `arg:"" optional:"" name:"file" help:"Data files, as --data."`

	Data []string `placeholder:"FILE" sep:"none" help:"Data files: ${formats}; - is standard input. Without any the file beside the spec is taken that has its name: lasso.csv for lasso.gm."`
	Set  []string `placeholder:"NAME=VALUE" sep:"none" help:"The size of a plate, or the value of a constant."`
	Init []string `placeholder:"FILE" sep:"none" help:"Initial values, JSON: one file for all chains, or one for each."`

	Monitor []string `placeholder:"NAME,..." help:"Unknowns to write, instead of what the spec says. Arrays of categories, and what runs over a ragged or unbounded plate or has more than 1000 elements, goes to files NAME_CHAIN.csv, a row for each element of each draw."`

	Chains  int           `default:"4" help:"Number of chains."`
	Warmup  int           `default:"1000" help:"Sweeps of each chain before its first kept one."`
	Draws   int           `default:"1000" help:"Kept draws of each chain."`
	Thin    int           `default:"1" help:"Sweeps for each kept draw."`
	Time    time.Duration `placeholder:"DURATION" help:"End after so long (30s, 1h30m), with the draws that there are; warmup takes half of it at the most."`
	Batch   string        `placeholder:"M" help:"Local units refreshed between two draws of the globals: a number, 1/R for R draws of the globals before each unit, auto (measured, and full sweeps unless something else is clearly better), or grid (Algorithm 1 of Smolyakov, Liu & Fisher 2015). Default: all of them."`
	Costs   string        `placeholder:"HOW" help:"How --batch=auto knows what updates cost: measured (default), counted (by operations, so that the run is reproducible), or the MODEL-batch.json of a run to be replayed."`
	Scan    string        `default:"cyclic" enum:"cyclic,shuffled,random,sequential" help:"How batches go through the units: again and again in one random order, in a new order each time, at random, or in the order of the data."`
	Rounds  bool          `help:"--draws and --thin count rounds, each a draw of the globals and one batch, not sweeps."`
	Workers int           `placeholder:"N" help:"Workers of each chain, which refresh local units side by side where they are independent given the globals; the draws do not depend on it (default: 1, or more if there are fewer chains than processors)."`
	Seed    uint64        `default:"1" help:"Of the random numbers."`
	Out     string        `placeholder:"DIR" help:"Directory for the draws, one CmdStan CSV file a chain (default: MODEL-draws)."`
	Quiet   bool          `short:"q" help:"No notes, no progress."`

	Report bool `help:"Write a page about the run, report.html, into that directory: see gibbsgen report."`

	Checkpoint time.Duration `default:"30s" placeholder:"DURATION" help:"Time from one checkpoint to the next; 0 for none, not even at an interrupt."`
	Resume     string        `placeholder:"DIR" help:"Go on with the run in this directory that was stopped, with its data and flags; the draws are those it would have made."`

	Columns     []string `group:"Data preparation" placeholder:"FIELD=COLUMN,..." sep:"none" help:"Where a field is found in a CSV file whose headers are not the spec's names."`
	Standardise []string `group:"Data preparation" placeholder:"X" help:"Centre the columns, and divide by their standard deviations."`
	Unit        []string `group:"Data preparation" placeholder:"X" help:"Centre the columns, and divide by their Euclidean norms."`
	Center      []string `group:"Data preparation" placeholder:"X" help:"Subtract the columns' means."`
	Scale       []string `group:"Data preparation" placeholder:"X" help:"Divide the columns by their standard deviations, without centring."`
	Binarise    []string `group:"Data preparation" placeholder:"Y" help:"Make a number a boolean: true above the median."`
	Intercept   []string `group:"Data preparation" placeholder:"X" help:"Prepend a column of ones."`
	Vocab       string   `group:"Data preparation" placeholder:"FILE" help:"The words of a corpus, one a line."`
	MaxTokens   int      `group:"Data preparation" placeholder:"N" help:"The most tokens that a corpus may have."`

	given map[string]bool // flags on the command line
}

// AfterApply notes the flags that were given: what is not, a run that goes on has as it began.
func (cmd *runCmd) AfterApply(k *kong.Context) error {
	cmd.given = map[string]bool{}
	for _, p := range k.Path {
		if p.Flag != nil {
			cmd.given[p.Flag.Name] = true
		}
	}
	return nil
}

func (runCmd) Help() string {
	return `Compiles the spec (the first time; later runs take the binary from the cache), reads the data, draws from the posterior, writes the draws and prints a summary. Of arrays whose draws are not written, means and standard deviations are kept (moments_CHAIN.csv). Transformations are done in the order standardise, unit, center, scale, binarise, intercept.

Interrupt ends the run; draws so far are kept. Runs that are not complete, be they interrupted, killed or out of disk space, are gone on with by --resume, which needs the same spec and data, and takes a larger --draws.

Examples:

    gibbsgen run specs/lasso.gm --standardise=X --binarise=y --intercept=X
    gibbsgen run model.gm trial.csv --columns=y=outcome --standardise=X --intercept=X
    gibbsgen run specs/lda.gm --set=topics=50 --chains=2 --draws=500 --thin=5 --out=lda
    gibbsgen run specs/rats.gm --report
    gibbsgen run specs/mixture.gm --batch=20 --scan=shuffled
    gibbsgen run specs/lasso.gm --standardise=X --binarise=y --intercept=X --batch=auto --draws=100000
    gibbsgen run specs/lda.gm --draws=100000 --time=10m
    gibbsgen run specs/lda.gm --chains=2 --workers=4
    gibbsgen run specs/lda.gm --resume=lda-draws
    gibbsgen run specs/dpmm.gm --monitor=z && gibbsgen cluster dpmm-draws z
    gibbsgen run model.gm --data=a.json --data=b.csv --init=start.json --seed=7`
}

// Validate reports numbers that make no sense before anything is compiled.
func (cmd *runCmd) Validate() error {
	for _, f := range []struct {
		name  string
		value int
		least int
	}{
		{"chains", cmd.Chains, 1}, {"draws", cmd.Draws, 1}, {"thin", cmd.Thin, 1}, {"warmup", cmd.Warmup, 0}, {"max-tokens", cmd.MaxTokens, 0}, {"workers", cmd.Workers, 0},
	} {
		if f.value < f.least {
			return fmt.Errorf("--%s is %d: it must be at least %d", f.name, f.value, f.least)
		}
	}
	if cmd.Checkpoint < 0 {
		return fmt.Errorf("--checkpoint is %v: it must be at least 0", cmd.Checkpoint)
	}
	if n := len(cmd.Init); n > 1 && n != cmd.Chains {
		return fmt.Errorf("%d files of initial values for %d chains: give one, or one for each", n, cmd.Chains)
	}
	for _, s := range cmd.Set {
		if name, _, ok := strings.Cut(s, "="); !ok || name == "" {
			return fmt.Errorf("--set=%s: it must read name=value", s)
		}
	}
	return nil
}

// Run finds or builds the sampler, and hands over to it.
func (cmd *runCmd) Run(c console) error {
	if cmd.Spec == "-" {
		return errors.New("run needs a file: there is no data beside standard input")
	}
	model, files, err := generate(cmd.Spec, samplerPackage, c)
	if err != nil {
		return err
	}
	data := slices.Concat(cmd.Files, cmd.Data)
	if len(data) == 0 && cmd.Resume == "" {
		if data, err = dataBeside(cmd.Spec, model); err != nil {
			return err
		}
	}
	for _, path := range slices.Concat(data, cmd.Init) { // before a minute of compiling
		if _, err := os.Stat(path); err != nil && path != "-" {
			return pathError("cannot read", path, err)
		}
	}
	spec := filepath.Base(cmd.Spec)
	binary, err := cachedBinary(model, spec, samplerAssembly(model, spec), files, c)
	if err != nil {
		return err
	}
	if cmd.Report {
		return cmd.runAndReport(binary, data, model, c)
	}
	return handOver(binary, cmd.args(data), c)
}

// runAndReport runs the sampler and writes the report, also of what an interruption has left.
func (cmd *runCmd) runAndReport(binary string, data []string, m *ir.Model, c console) error {
	out := cmp.Or(cmd.Resume, cmd.Out, m.Name+"-draws")
	began := time.Now()
	failed := runSampler(binary, cmd.args(data), c)
	if failed != nil {
		var rec cli.RunRecord
		if err := readJSONFile(cli.RunRecordPath(out, m.Name), &rec); err != nil || rec.Started.Before(began) && cmd.Resume == "" || rec.Seconds == 0 {
			return failed // without draws
		}
	}
	page, err := (&reportCmd{Dir: out, Most: reportMost}).write()
	if err != nil {
		return cmp.Or(failed, err) // a run that is stopped in warmup has a record, and no draws
	}
	if !cmd.Quiet {
		fmt.Fprintf(c.stderr, "gibbsgen: the report is %s\n", page)
	}
	return failed
}

// args is the sampler's command line.
func (cmd *runCmd) args(data []string) []string {
	args := []string{
		"--chains=" + strconv.Itoa(cmd.Chains), "--warmup=" + strconv.Itoa(cmd.Warmup), "--draws=" + strconv.Itoa(cmd.Draws),
		"--thin=" + strconv.Itoa(cmd.Thin), "--seed=" + strconv.FormatUint(cmd.Seed, 10),
	}
	add := func(flag string, values ...string) {
		for _, v := range values {
			args = append(args, flag+v)
		}
	}
	if cmd.Time > 0 {
		add("--time=", cmd.Time.String())
	}
	if cmd.Batch != "" {
		add("--batch=", cmd.Batch)
		add("--scan=", cmd.Scan)
	}
	if cmd.Costs != "" {
		add("--costs=", cmd.Costs)
	}
	if cmd.Rounds {
		add("--rounds")
	}
	if cmd.Workers > 0 {
		add("--workers=", strconv.Itoa(cmd.Workers))
	}
	add("--data=", data...)
	add("--set=", cmd.Set...)
	add("--init=", cmd.Init...)
	add("--monitor=", cmd.Monitor...)
	add("--columns=", cmd.Columns...)
	for _, t := range transformationFlags(cmd.Standardise, cmd.Unit, cmd.Center, cmd.Scale, cmd.Binarise, cmd.Intercept) {
		add("--"+t.fn+"=", t.names...)
	}
	if cmd.Out != "" {
		add("--out=", cmd.Out)
	}
	if cmd.Vocab != "" {
		add("--vocab=", cmd.Vocab)
	}
	if cmd.MaxTokens > 0 {
		add("--max-tokens=", strconv.Itoa(cmd.MaxTokens))
	}
	add("--checkpoint=", cmd.Checkpoint.String())
	if cmd.Quiet {
		args = append(args, "--quiet")
	}
	if cmd.Resume != "" {
		args = slices.DeleteFunc(args, func(arg string) bool {
			name, _, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
			return !cmd.given[name]
		})
		add("--resume=", cmd.Resume)
	}
	return args
}

// dataBeside returns the data file that lies beside the spec under the same stem; none if the model reads no data.
func dataBeside(spec string, m *ir.Model) ([]string, error) {
	stem := strings.TrimSuffix(spec, filepath.Ext(spec))
	var found []string
	for _, e := range dataio.Endings() {
		if info, err := os.Stat(stem + e); err == nil && info.Mode().IsRegular() {
			found = append(found, stem+e)
		}
	}
	reads := slices.ContainsFunc(m.Vars, func(v *ir.Var) bool { return v.Role == dsl.Data || v.Role == dsl.Const && v.Default == nil })
	switch {
	case len(found) > 1:
		return nil, fmt.Errorf("beside %s lie %s: say which with --data", spec, strings.Join(found, " and "))
	case len(found) == 0 && reads:
		endings := dataio.Endings()
		return nil, fmt.Errorf("no data: give --data, or put %s%s (or %s) beside the spec", filepath.Base(stem), endings[0], strings.Join(endings[1:], ", "))
	}
	return found, nil
}
