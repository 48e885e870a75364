// This file holds gibbsgen summary.

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/cli"
)

type summaryCmd struct {
	Only         []string `placeholder:"NAME" help:"Show these scalars, or all elements of these variables."`
	Exchangeable []string `placeholder:"NAME" help:"The first index of these variables numbers components that nothing else tells apart. Files of gibbsgen say so themselves."`

	Path []string `arg:"" help:"CmdStan CSV files, one a chain, or a directory of them."`
}

func (summaryCmd) Help() string {
	return `Prints mean, Monte Carlo error, quantiles, effective sample sizes and R-hat of draws in CmdStan CSV files, of gibbsgen or of other programs, and a verdict.

Examples:

    gibbsgen summary lasso-draws
    gibbsgen summary --only=w,sigma2 lasso-draws
    gibbsgen summary chain-1.csv chain-2.csv
    gibbsgen summary --exchangeable=mu,sigma,theta stan-mixture-*.csv`
}

// Run prints the table.
func (cmd *summaryCmd) Run(c console) error {
	files, err := drawFiles(cmd.Path)
	if err != nil {
		return err
	}
	var names []string
	var chains [][][]float64
	var labels runtime.Labels
	for _, path := range files {
		ns, draws, meta, err := readDraws(path)
		if err != nil {
			return err
		}
		switch {
		case names == nil:
			names, labels = ns, runtime.ParseLabels(meta["exchangeable"])
		case !slices.Equal(names, ns):
			return fmt.Errorf("%s has other columns than %s: they are not chains of one run", path, files[0])
		}
		chains = append(chains, draws)
	}
	keep, err := cmd.selected(names)
	if err != nil {
		return err
	}
	for _, v := range cmd.Exchangeable {
		label := runtime.FirstIndexLabel(names, v)
		if label == "" {
			return fmt.Errorf("--exchangeable: no draws of an array %s", v)
		}
		labels = append(labels, label)
	}
	return cli.WriteSummary(c.stdout, pick(names, keep), pickEach(chains, keep), labels)
}

// drawFiles returns the files that the paths name, directories opened.
func drawFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, pathError("cannot read", path, err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		in, err := filepath.Glob(filepath.Join(escapeGlob(path), "*.csv"))
		if err != nil || len(in) == 0 {
			return nil, fmt.Errorf("%s has no .csv files", path)
		}
		files = append(files, slices.DeleteFunc(in, besideCmdStan)...)
	}
	return files, nil
}

// escapeGlob makes a path safe in front of a pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// readDraws returns one file's draws and what its comments say. CmdStan's own columns, which end in __, are left out, but for lp__
// where there is no log_joint.
func readDraws(path string) (names []string, draws [][]float64, meta map[string]string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, nil, pathError("cannot read", path, err)
	}
	defer f.Close()
	ns, ds, meta, err := runtime.ReadCmdStan(f)
	if err != nil {
		return nil, nil, nil, err
	}
	for i, n := range ns {
		if !strings.HasSuffix(n, "__") || n == "lp__" && !slices.Contains(ns, "log_joint") {
			names = append(names, n)
			draws = append(draws, ds[i])
		}
	}
	if len(names) == 0 || len(names) == 1 && names[0] == "lp__" {
		return nil, nil, nil, fmt.Errorf("%s has no columns of draws", path)
	}
	return names, draws, meta, nil
}

// selected returns the positions of the names that --only asks for, or of all.
func (cmd *summaryCmd) selected(names []string) ([]int, error) {
	var keep []int
	for i, n := range names {
		variable, _, _ := strings.Cut(n, ".")
		if len(cmd.Only) == 0 || slices.Contains(cmd.Only, n) || slices.Contains(cmd.Only, variable) {
			keep = append(keep, i)
		}
	}
	var errs []error
	for _, o := range cmd.Only {
		var variables []string
		found := false
		for _, n := range names {
			variable, _, _ := strings.Cut(n, ".")
			found = found || o == n || o == variable
			variables = append(variables, variable)
		}
		if !found {
			hint := ""
			if near := dsl.Nearest(o, slices.Compact(variables)); near != "" {
				hint = ": did you mean " + near + "?"
			}
			errs = append(errs, fmt.Errorf("no draws of %s%s", o, hint))
		}
	}
	return keep, errors.Join(errs...)
}

func pick[T any](xs []T, at []int) []T {
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = xs[k]
	}
	return out
}

func pickEach[T any](xs [][]T, at []int) [][]T {
	out := make([][]T, len(xs))
	for i, x := range xs {
		out[i] = pick(x, at)
	}
	return out
}
