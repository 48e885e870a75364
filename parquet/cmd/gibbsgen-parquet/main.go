// Command gibbsgen-parquet writes draws as Parquet files and Parquet tables as data for gibbsgen. Exit codes: 0 for success, 1 for bad input, 2 for
// bad usage.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/gibbsgen/gibbsgen/parquet"
)

type commands struct {
	Draws drawsCmd `cmd:"" help:"Write draws as a Parquet file."`
	Data  dataCmd  `cmd:"" help:"Write a Parquet table as CSV, which gibbsgen reads."`
}

// A console is where a command writes.
type console struct{ stdout, stderr io.Writer }

func main() { os.Exit(run(os.Args[1:], console{os.Stdout, os.Stderr})) }

// run runs one command line and returns the exit code.
func run(args []string, c console) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	exit := -1
	app, err := kong.New(&commands{}, kong.Name("gibbsgen-parquet"),
		kong.Description("gibbsgen-parquet writes draws as Parquet files, and Parquet tables as data for gibbsgen."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Writers(c.stdout, c.stderr), kong.Exit(func(code int) { exit = code }), kong.Bind(c), kong.BindTo(ctx, (*context.Context)(nil)))
	if err != nil {
		fmt.Fprintln(c.stderr, "gibbsgen-parquet: error:", err)
		return 1
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := app.Parse(args)
	switch {
	case exit >= 0: // --help
		return exit
	case err != nil:
		fmt.Fprintf(c.stderr, "gibbsgen-parquet: error: %v\n", err)
		return 2
	}
	if err := parsed.Run(); err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.New("interrupted: nothing was written")
		}
		fmt.Fprintf(c.stderr, "gibbsgen-parquet: error: %v\n", err)
		return 1
	}
	return 0
}

type drawsCmd struct {
	Dir    string `arg:"" help:"A directory of CmdStan CSV files, one a chain, or one such file."`
	Output string `short:"o" placeholder:"FILE" help:"The file to write (default: NAME.parquet here)."`
}

func (drawsCmd) Help() string {
	return `A row for each draw, a column for each scalar under R's name of it, S[2,1], and .chain, .iteration and .draw, as posterior has them in a draws_df.

Examples:

    gibbsgen-parquet draws lasso-draws
    Rscript -e 'posterior::summarise_draws(posterior::as_draws_df(arrow::read_parquet("lasso-draws.parquet")))'
    python3 -c 'import pandas; print(pandas.read_parquet("lasso-draws.parquet").describe())'`
}

// Run writes the file.
func (cmd *drawsCmd) Run(ctx context.Context, c console) error {
	files, err := parquet.ChainFiles(cmd.Dir)
	if err != nil {
		return err
	}
	out, err := output(cmd.Output, cmd.Dir, ".csv", ".parquet")
	if err != nil {
		return err
	}
	n, err := parquet.Draws(ctx, files, out)
	if err == nil {
		fmt.Fprintf(c.stdout, "%s: chains %d, draws of each %d\n", out, len(files), n)
	}
	return err
}

type dataCmd struct {
	File   string `arg:"" help:"A Parquet file."`
	Output string `short:"o" placeholder:"FILE" help:"The file to write (default: NAME.csv here)."`
}

func (dataCmd) Help() string {
	return `Numbers are written in full, nulls as empty cells. A column X of lists of one fixed length becomes X.1, X.2, ..., a matrix.

Examples:

    gibbsgen-parquet data trial.parquet && gibbsgen run model.gm --data=trial.csv
    gibbsgen-parquet data big.parquet && gibbsgen data import big.csv --spec=model.gm -o big.gmd`
}

// Run writes the file.
func (cmd *dataCmd) Run(ctx context.Context, c console) error {
	out, err := output(cmd.Output, cmd.File, ".parquet", ".csv")
	if err != nil {
		return err
	}
	n, err := parquet.Table(ctx, cmd.File, out)
	if err == nil {
		fmt.Fprintf(c.stdout, "%s: rows %d\n", out, n)
	}
	return err
}

// output is the file to write: what was said, or one here that is called after what is read.
func output(said, in, from, to string) (string, error) {
	if said != "" {
		return said, nil
	}
	abs, err := filepath.Abs(in) // . has no name of its own
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(filepath.Base(abs), from) + to, nil
}
