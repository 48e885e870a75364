// This file holds gibbsgen verify.

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gibbsgen/gibbsgen"
	"github.com/gibbsgen/gibbsgen/verify"
)

type verifyCmd struct {
	Spec string `arg:"" help:"The spec; - is standard input."`

	Level       string   `default:"quick" enum:"quick,full" help:"quick: every kind of check, in seconds; full: more states and replicates, each update by itself, every scan and number of workers, in a minute or two."`
	Seed        uint64   `default:"1" help:"Of the random numbers."`
	Size        []string `placeholder:"NAME=N,..." help:"The sizes of plates, instead of several small ones; of a ragged plate, the length of each of its lists."`
	Set         []string `placeholder:"NAME=VALUE" sep:"none" help:"The value of a constant, instead of its default; of an array, of each element."`
	FalseAlarms float64  `default:"0.001" placeholder:"P" help:"The probability with which a right sampler may fail: all checks together."`
	Report      bool     `help:"Write a page too, MODEL-verify.html: the table, what failed, and the figures of calibration."`
}

func (verifyCmd) Help() string {
	return `Has the sampler of the spec prove itself, on data that it makes up: every conditional against the log joint of the model as the spec has it, every draw against its density, everything that is kept between draws against what it stands for, what updates do to draws from the model, and whether posteriors are calibrated. No data are needed. It prints a table with a row for each check, then what failed: the kernel, the state, and the statements of the model that disagree. The exit code is 1 if a check failed.

What is random is held against a threshold that a right sampler crosses with a stated probability, and what crosses it is looked at once more, with fresh random numbers, before it counts. The same seed gives the same verdict.

Examples:

    gibbsgen verify specs/lasso.gm
    gibbsgen verify specs/lda.gm --level=full --report
    gibbsgen verify model.gm --size=N=30,groups=4 --set=df=5
    gibbsgen verify model.gm --level=full --seed=7 --false-alarms=1e-6`
}

// Validate reports what makes no sense before anything is compiled.
func (cmd *verifyCmd) Validate() error {
	if !(cmd.FalseAlarms > 0 && cmd.FalseAlarms < 1) {
		return fmt.Errorf("--false-alarms is %g: it must lie between 0 and 1", cmd.FalseAlarms)
	}
	for _, s := range cmd.Size {
		if name, n, ok := strings.Cut(s, "="); !ok || name == "" || !wholeNumber(n) {
			return fmt.Errorf("--size=%s: it must read name=number", s)
		}
	}
	for _, s := range cmd.Set {
		name, value, ok := strings.Cut(s, "=")
		if _, err := strconv.ParseFloat(value, 64); !ok || name == "" || err != nil {
			return fmt.Errorf("--set=%s: it must read name=number", s)
		}
	}
	return nil
}

func wholeNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// Run finds or builds the program that verifies the sampler, and hands over to it.
func (cmd *verifyCmd) Run(c console) error {
	model, files, err := generate(cmd.Spec, samplerPackage, c)
	if err != nil {
		return err
	}
	spec := filepath.Base(cmd.Spec)
	if spec == "-" {
		spec = "standard input"
	}
	binary, err := cachedBinary(model, spec, verifyAssembly(), files, c)
	if err != nil {
		return err
	}
	if cmd.Report {
		return cmd.runAndReport(binary, model.Name+"-verify.html", c)
	}
	return handOver(binary, cmd.args(), c)
}

// runAndReport runs the program and writes the page, also if checks have failed.
func (cmd *verifyCmd) runAndReport(binary, page string, c console) error {
	dir, err := os.MkdirTemp("", "gibbsgen-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	found := filepath.Join(dir, "report.json")
	failed := runSampler(binary, append(cmd.args(), "--json="+found), c)
	var r verify.Report
	if err := readJSONFile(found, &r); err != nil {
		return cmp.Or(failed, err) // what can't be verified has no report
	}
	text, err := pageOfVerification(&r)
	if err == nil {
		err = writeFiles([]outFile{{page, text}})
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stderr, "gibbsgen: the report is %s\n", page)
	return failed
}

// args is the program's command line.
func (cmd *verifyCmd) args() []string {
	args := []string{"--level=" + cmd.Level, "--seed=" + strconv.FormatUint(cmd.Seed, 10), "--false-alarms=" + strconv.FormatFloat(cmd.FalseAlarms, 'g', -1, 64)}
	for _, s := range cmd.Size {
		args = append(args, "--size="+s)
	}
	for _, s := range cmd.Set {
		args = append(args, "--set="+s)
	}
	return args
}

// verifyAssembly verifies a sampler.
func verifyAssembly() assembly {
	var b bytes.Buffer
	fmt.Fprintf(&b, `%s. DO NOT EDIT.

// This command has the sampler prove itself.
package main

import (
	"os"

	"%[2]s/%[3]s"
	"%[2]s/verify"
)

func main() {
	m := verify.Model{Source: %[3]s.Source, Schema: %[3]s.Schema, Open: %[3]s.Open, Forward: %[3]s.Forward}
	os.Exit(verify.Main(m, os.Args[1:], os.Stdout, os.Stderr))
}
`, generatedMark, modulePath, samplerPackage)
	trees := []tree{{gibbsgen.Source, "runtime"}}
	for _, dir := range []string{"verify", "ir", "dsl"} {
		trees = append(trees, tree{gibbsgen.Judge, dir})
	}
	return assembly{trees, []string{mathModule, parserModule}, b.Bytes()}
}
