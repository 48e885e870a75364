// This file holds gibbsgen plot.

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"github.com/gibbsgen/gibbsgen/internal/figure"
)

type plotCmd struct {
	Dir string `arg:"" help:"The directory of a run, or of CmdStan CSV files of another program, one a chain; or one such file."`

	Format string   `enum:"png,svg" default:"png" help:"png or svg."`
	Only   []string `placeholder:"NAME" help:"Scalars to plot, or variables all of whose elements are, instead of those with the worst diagnostics."`
	Most   int      `default:"${figures}" help:"How many scalars are plotted without --only."`
	Output string   `short:"o" placeholder:"DIR" help:"Directory for the files, made if there is none (default: NAME-plots here, NAME being the model's)."`
}

func (plotCmd) Help() string {
	return `Writes the figures of gibbsgen report, each to a file of its own: NAME-trace, NAME-ranks, NAME-density, NAME-autocorrelation and NAME-rhat of each scalar, batch if a batch size was chosen by trying, and plates, the model's diagram. In names that are no names of files, other characters become _.

Examples:

    gibbsgen plot lasso-draws
    gibbsgen plot lasso-draws --format=svg --only=w,sigma2 -o figures`
}

// Validate reports a number that makes no sense.
func (cmd *plotCmd) Validate() error {
	if cmd.Most < 0 {
		return fmt.Errorf("--most is %d: it must be at least 0", cmd.Most)
	}
	return nil
}

// Run writes the files.
func (cmd *plotCmd) Run(c console) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := openFinished(ctx, cmd.Dir)
	if err != nil {
		return err
	}
	shown, left, err := r.shown(cmd.Only, cmd.Most)
	if err != nil {
		return err
	}
	dir := cmd.Output
	if dir == "" {
		dir = fileName(r.name, map[string]bool{}) + "-plots"
	}
	var files []outFile
	taken := map[string]bool{}
	add := func(name string, f *figure.Figure) error {
		if f == nil {
			return nil
		}
		write := f.WritePNG
		if cmd.Format == "svg" {
			write = f.WriteSVG
		}
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		files = append(files, outFile{filepath.Join(dir, fileName(name, taken)+"."+cmd.Format), b.Bytes()})
		return nil
	}
	plates, batch := r.modelFigures()
	for _, f := range []*figure.Figure{plates, batch} {
		if f != nil {
			if err := add(f.Name, f); err != nil {
				return err
			}
		}
	}
	if err := r.eachScalar(shown, func(i int, draws [][]float64) error {
		if r.summary[i].Fixed {
			fmt.Fprintf(c.stderr, "gibbsgen: note: all draws of %s are the same: there is nothing to plot\n", r.columns[i].name)
		}
		for _, f := range figure.OfScalar(draws, r.summary[i], r.every) {
			if err := add(r.columns[i].name+"-"+f.Name, f); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return pathError("cannot make the directory", dir, err)
	}
	if err := writeFiles(files); err != nil {
		return err
	}
	if left > 0 && len(cmd.Only) == 0 {
		fmt.Fprintf(c.stderr, "gibbsgen: note: %d scalars are left out; --most and --only choose\n", left)
	}
	_, err = fmt.Fprintf(c.stdout, "%s in %s\n", counted(len(files), "figure", "figures"), dir)
	return err
}

// fileName makes a name of a file of any other one, which no earlier one has, on file systems too that do not tell case apart.
func fileName(name string, taken map[string]bool) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, name)
	if rest := strings.TrimLeft(name, ".-"); rest != name || name == "" {
		name = "_" + rest
	}
	out := name
	for i := 2; taken[strings.ToLower(out)]; i++ {
		out = name + "-" + strconv.Itoa(i)
	}
	taken[strings.ToLower(out)] = true
	return out
}
