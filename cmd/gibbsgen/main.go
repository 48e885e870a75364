// Command gibbsgen compiles model specs (.gm) to Gibbs samplers in Go. This file holds the commands, dispatch and exit codes:
// 0 for success, 1 for bad input, 2 for bad usage.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// commands is every command, one field each; each has a file of its own with a Run method.
type commands struct {
	Check      checkCmd      `cmd:"" help:"Say what is wrong with specs."`
	Fmt        fmtCmd        `cmd:"" help:"Print specs in canonical form."`
	Explain    explainCmd    `cmd:"" help:"Show the full conditionals of a spec, and how each is found and drawn."`
	Generate   generateCmd   `cmd:"" help:"Write the sampler of a spec as a Go package."`
	Verify     verifyCmd     `cmd:"" help:"Have the sampler of a spec prove itself, on data that it makes up."`
	Run        runCmd        `cmd:"" help:"Compile a spec, draw from its posterior, and print a summary."`
	Summary    summaryCmd    `cmd:"" help:"Sum up draws in CmdStan CSV files."`
	Report     reportCmd     `cmd:"" help:"Write a page about a run: diagnostics, figures, the model with its derivations."`
	Plot       plotCmd       `cmd:"" help:"Write the figures of a report as PNG or SVG files."`
	Top        topCmd        `cmd:"" help:"Show the largest posterior means of an array by name, such as the top words of topics."`
	Cluster    clusterCmd    `cmd:"" help:"Show the posterior clustering of a category variable, whatever its labels."`
	Convert    convertCmd    `cmd:"" help:"Write draws as the files of other programs: R's coda, ArviZ and xarray."`
	Perplexity perplexityCmd `cmd:"" help:"Find how well a topic model foretells held-out words."`
	Data       dataCmd       `cmd:"" help:"Make stores of data that samplers map into memory."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Completion completionCmd `cmd:"" help:"Print a completion script for a shell."`
}

// variables are what the help of flags takes from elsewhere.
var variables = kong.Vars{"formats": strings.Join(dataio.Formats(), ", "), "figures": strconv.Itoa(reportMost)}

// Exit codes.
const (
	exitOK    = 0
	exitInput = 1
	exitUsage = 2
)

// A console is where a command reads and writes.
type console struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// errReported says that the command has failed and has said why.
var errReported = errors.New("already reported")

func main() { os.Exit(run(os.Args[1:], console{os.Stdin, os.Stdout, os.Stderr})) }

// run runs one command line and returns the exit code.
func run(args []string, c console) int {
	exit := -1
	var cmds commands
	app, err := kong.New(&cmds,
		kong.Name("gibbsgen"),
		kong.Description("gibbsgen compiles a model spec (.gm) to a Gibbs sampler in Go.\n\nFor a first run: gibbsgen run specs/lasso.gm --standardise=X --binarise=y --intercept=X"),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Writers(c.stdout, c.stderr),
		kong.Exit(func(code int) { exit = code }),
		kong.Bind(c),
		variables,
	)
	if err != nil {
		fmt.Fprintln(c.stderr, "gibbsgen:", err)
		return exitInput
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	ctx, err := app.Parse(args)
	switch {
	case exit >= 0: // --help
		return exit
	case err != nil:
		fmt.Fprintf(c.stderr, "gibbsgen: error: %v\n", err)
		if parse, ok := errors.AsType[*kong.ParseError](err); ok && parse.Context != nil && parse.Context.Selected() != nil {
			fmt.Fprintf(c.stderr, "gibbsgen %s --help shows how it is used\n", parse.Context.Selected().Name)
		} else {
			fmt.Fprintln(c.stderr, "gibbsgen --help lists the commands")
		}
		return exitUsage
	}
	if err := ctx.Run(app.Model); err != nil {
		if status, ok := errors.AsType[*exitStatus](err); ok {
			return status.code
		}
		if !errors.Is(err, errReported) {
			complain(c.stderr, err)
		}
		return exitInput
	}
	return exitOK
}
