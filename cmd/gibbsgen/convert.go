// This file holds gibbsgen convert: how draws are read for it, row by row, and how its directory takes its place. What it writes
// is in convert_coda.go and convert_zarr.go.

package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/gibbsgen/gibbsgen/runtime"
)

type convertCmd struct {
	Dir string `arg:"" help:"A directory of CmdStan CSV files, one a chain, or one such file."`

	To     string `required:"" enum:"coda,zarr" placeholder:"FORMAT" help:"coda, for R's coda package, or zarr, for ArviZ and xarray."`
	Output string `short:"o" placeholder:"DIR" help:"The directory to write, by default NAME-coda or NAME.zarr here, NAME being that of what is read."`
}

func (convertCmd) Help() string {
	return `Writes draws in CmdStan CSV files, of gibbsgen or of other programs, as a directory that other programs read: CODAindex.txt, CODAchain1.txt ... for R, or a Zarr store of format 2 with the groups posterior and sample_stats for Python. An earlier directory of gibbsgen convert is replaced, anything else is not.

Examples:

    gibbsgen convert lasso-draws --to=coda && Rscript -e 'coda::read.coda("lasso-draws-coda/CODAchain1.txt", "lasso-draws-coda/CODAindex.txt")'
    gibbsgen convert lasso-draws --to=zarr && python3 -c 'import xarray; print(xarray.open_zarr("lasso-draws.zarr", group="posterior"))'
    gibbsgen convert lasso-draws --to=zarr -o lasso.zarr`
}

// convertHold is the most numbers held at a time: 128 MB of them.
const convertHold = 1 << 24

// Run writes the directory.
func (cmd *convertCmd) Run(c console) error {
	// What is unfinished must go when the user stops it, too.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	format, suffix := codaFormat, "-coda"
	if cmd.To == "zarr" {
		format, suffix = zarrFormat, ".zarr"
	}
	out := cmd.Output
	if out == "" {
		abs, err := filepath.Abs(cmd.Dir) // . has no name of its own
		if err != nil {
			return err
		}
		out = strings.TrimSuffix(filepath.Base(abs), ".csv") + suffix
	}
	out = filepath.Clean(out)
	if err := format.replaceable(out); err != nil {
		return err
	}
	run, err := openRun(ctx, cmd.Dir)
	if err != nil {
		return err
	}
	if err := format.replace(out, run); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s: chains %d, draws of each %d, columns %d\n", out, len(run.files), run.draws, len(run.columns))
	return err
}

// A column is one that is converted.
type column struct {
	name string // as in the file: mu.1
	at   int    // its place in a row
}

// A csvRun is the chains of one run, which are read again as often as need be: to hold them might take too much memory.
type csvRun struct {
	ctx     context.Context
	files   []string
	names   []string // all columns
	warmup  []int    // for each file, the number of rows that come before the draws
	rows    []int    // for each file, the number of draws
	draws   int      // of each chain: those of the shortest
	columns []column // without CmdStan's own, which end in __, but with the log density
	lp      string   // name of the column of the log density; may be empty
	hold    int      // the most numbers to hold

	meta map[string]string // what the comments of the first file say
}

// openRun opens a run whose chains are equally long and whose names every reader takes.
func openRun(ctx context.Context, path string) (*csvRun, error) {
	r, err := openChains(ctx, []string{path})
	if err != nil {
		return nil, err
	}
	for i, path := range r.files {
		if r.rows[i] != r.rows[0] {
			return nil, fmt.Errorf("%s has %d draws, %s has %d: chains of a run must have equally many here, so take the shorter out of the directory", path, r.rows[i], r.files[0], r.rows[0])
		}
	}
	for _, c := range r.columns {
		if strings.ContainsAny(c.name, " \t\"'#/\\") || strings.HasPrefix(c.name, ".") {
			return nil, fmt.Errorf("%s: the column name %q has a blank, quote, # or slash, or a dot first, which the readers of what convert writes do not take: rename it", r.files[0], c.name)
		}
	}
	if len(r.columns) == 0 {
		return nil, fmt.Errorf("%s has no columns of draws, only those that end in __: there is nothing to convert", r.files[0])
	}
	return r, nil
}

// openChains reads all files once, so that nothing is begun that what they hold would end.
func openChains(ctx context.Context, paths []string) (*csvRun, error) {
	files, err := drawFiles(paths)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no CmdStan CSV files, only those that lie beside them: want the directory of a run", strings.Join(paths, ", "))
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(len(a), len(b)) }) // m-10.csv is after m-2.csv
	r := &csvRun{ctx: ctx, files: files, hold: convertHold}
	for i, path := range files {
		rows := 0
		names, warmup, err := r.scan(path, func([]float64) error { rows++; return nil })
		if err != nil {
			return nil, err
		}
		rows -= min(warmup, rows)
		r.warmup, r.rows = append(r.warmup, warmup), append(r.rows, rows)
		switch {
		case rows == 0:
			return nil, fmt.Errorf("%s has no draws: take it out of the directory, or run it again", path)
		case i == 0:
			r.names, r.draws = names, rows
		case !slices.Equal(names, r.names):
			return nil, fmt.Errorf("%s has other columns than %s: they are not chains of one run, so put each run in a directory of its own", path, files[0])
		}
		r.draws = min(r.draws, rows)
	}
	// gibbsgen writes both; of other programs there is lp__ alone.
	for _, name := range []string{"log_joint", "lp__"} {
		if r.lp == "" && slices.Contains(r.names, name) {
			r.lp = name
		}
	}
	for at, name := range r.names {
		if !strings.HasSuffix(name, "__") || name == r.lp {
			r.columns = append(r.columns, column{name, at})
		}
	}
	return r, nil
}

// scan hands on the rows of one file, warmup too.
func (r *csvRun) scan(path string, row func(values []float64) error) (names []string, warmup int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, pathError("cannot read", path, err)
	}
	defer f.Close()
	names, meta, warmup, err := runtime.ScanCmdStan(f, func(values []float64) error {
		if r.ctx.Err() != nil {
			return errors.New("stopped: nothing was written")
		}
		return row(values)
	})
	if r.meta == nil {
		r.meta = meta
	}
	return names, warmup, err
}

// each hands on the draws of one chain, from draw 0.
func (r *csvRun) each(chain int, row func(draw int, values []float64) error) error {
	n := -r.warmup[chain]
	changed := fmt.Errorf("%s has changed while it was read: try again when its run has ended", r.files[chain])
	_, _, err := r.scan(r.files[chain], func(values []float64) error {
		n++
		switch {
		case n <= 0:
			return nil
		case n > r.rows[chain] || len(values) != len(r.names):
			return changed
		case n > r.draws:
			return nil
		}
		return row(n-1, values)
	})
	if err == nil && n != r.rows[chain] {
		err = changed
	}
	return err
}

// splitName cuts mu.1.2 into mu and its indices, from 0. A name that ends otherwise is that of one number.
func splitName(name string) (variable string, index []int) {
	variable, rest, found := strings.Cut(name, ".")
	for more := found; more; {
		var part string
		part, rest, more = strings.Cut(rest, ".")
		i, err := count(part)
		if err != nil {
			return name, nil
		}
		index = append(index, i)
	}
	return variable, index
}

// A drawFormat is what convert writes.
type drawFormat struct {
	name         string
	mark, marked string                 // a file that says whose directory it is, and what it holds
	owns         func(name string) bool // whether a file at the top of the directory is of the format
	write        func(dir string, r *csvRun) error
}

// replaceable returns an error if at out is what convert has not written, or has been added to.
func (f drawFormat) replaceable(out string) error {
	refuse := func(why string) error {
		return fmt.Errorf("%s is there already and %s: give another directory with -o, or remove it", out, why)
	}
	info, err := os.Lstat(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return pathError("cannot write", out, err)
	case !info.IsDir():
		return refuse("is no directory")
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return pathError("cannot read", out, err)
	}
	if mark, err := os.ReadFile(filepath.Join(out, f.mark)); len(entries) > 0 && (err != nil || string(mark) != f.marked) {
		return refuse("was not written by gibbsgen convert --to=" + f.name)
	}
	for _, e := range entries {
		if e.Name() != f.mark && !f.owns(e.Name()) {
			return refuse("has " + e.Name() + " in it, which gibbsgen convert has not written")
		}
	}
	return nil
}

// replace writes the directory beside its place and moves it there when it is complete.
func (f drawFormat) replace(out string, r *csvRun) error {
	temp, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+".*")
	if err != nil {
		return pathError("cannot write", out, err)
	}
	defer os.RemoveAll(temp)
	made, old := filepath.Join(temp, "new"), filepath.Join(temp, "old")
	for _, step := range []func() error{
		func() error { return os.Mkdir(made, 0o755) },
		func() error { return f.write(made, r) },
		func() error { return os.WriteFile(filepath.Join(made, f.mark), []byte(f.marked), 0o644) },
	} {
		if err := step(); err != nil {
			return outError(out, err)
		}
	}
	if err := f.replaceable(out); err != nil { // to write may have taken long
		return err
	}
	if err := os.Rename(out, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return outError(out, err)
	}
	if err := os.Rename(made, out); err != nil {
		_ = os.Rename(old, out) // what was there stays, if there was any
		return outError(out, err)
	}
	return nil
}

// outError words a failure to write by the name that the user knows: os's own errors come from there, as those of reading have
// words around them.
func outError(out string, err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		err = e.Err
	case *os.LinkError:
		err = e.Err
	default:
		return err
	}
	return fmt.Errorf("cannot write %s: %w", out, err)
}

// writeTo writes a file of a directory that has not taken its place yet.
func writeTo(path string, write func(w *bufio.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close() // only after a failure: it is closed before
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
