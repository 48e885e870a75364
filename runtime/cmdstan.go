// This file writes draws as CmdStan CSV, one file per chain, so that cmdstanr,
// cmdstanpy and a plain read.csv with R's posterior take them as they are.
//
// What its readers insist on: under algorithm = hmc they demand the columns of
// NUTS, so ours is fixed_param; cmdstanpy wants a metric and num_warmup > 0;
// num_samples counts sweeps before thinning, and both readers check it against
// the rows; cmdstanr drops every column that ends in __ under fixed_param, so
// the log joint is written twice, as lp__ and as log_joint.

package runtime

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// CmdStanHeader is what the comments at the top of a file say about the run.
type CmdStanHeader struct {
	Model   string // name of the model
	Version string // of gibbsgen, written after its name; may be empty
	Chain   int    // 0-based; the file says id = Chain + 1
	Labels  Labels // of variables that may be among the columns
	Options        // Warmup, Draws, Thin and Seed; defaults as in Run
}

// flushEvery is the number of rows after which the buffer is handed to the
// operating system, so that a killed run loses no more than these.
const flushEvery = 100

// numSamples is the header line that an interrupted run has to correct.
const numSamples = "#     num_samples = "

// CmdStanWriter is a [Resumable] that writes CmdStan CSV. In the steady state a draw
// allocates nothing.
type CmdStanWriter struct {
	head      CmdStanHeader
	out       *Partial
	row       []byte // the text of one draw
	columns   int    // monitored scalars
	rows      int
	samplesAt int64  // offset in the file of num_samples' value
	samples   string // that value; empty before Begin

	synced, header int // bytes of the file at the last Sync, and of its header
}

// CreateCmdStan returns the writer of a file of draws. From Begin to Close it is written under path +
// ".partial", replacing one that a killed run has left; a file at path itself is
// replaced only by Close.
func CreateCmdStan(path string, head CmdStanHeader) (*CmdStanWriter, error) {
	w, err := NewCmdStan(nil, head)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, errors.New("runtime: empty path for a file of draws")
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("runtime: %s is not a regular file, so it can't be replaced by draws", path)
	}
	w.out = NewPartial(path)
	return w, nil
}

// NewCmdStan writes draws to a stream. It can't go back, so if the run is
// interrupted num_samples stays what was asked for. Close flushes and leaves the
// stream open; Abort can't take back what was flushed.
func NewCmdStan(w io.Writer, head CmdStanHeader) (*CmdStanWriter, error) {
	opts, err := head.Options.WithDefaults()
	if err != nil {
		return nil, err
	}
	if head.Chain < 0 {
		return nil, fmt.Errorf("runtime: CmdStanHeader.Chain is %d, must not be negative", head.Chain)
	}
	for _, f := range []struct{ name, value string }{{"Model", head.Model}, {"Version", head.Version}} {
		if strings.ContainsAny(f.value, "\r\n=") {
			return nil, fmt.Errorf("runtime: CmdStanHeader.%s is %q: no line ends or = signs, please", f.name, f.value)
		}
	}
	head.Options = opts
	return &CmdStanWriter{head: head, out: &Partial{out: bufio.NewWriterSize(w, 1<<16)}}, nil
}

// Begin implements [Sink]: it writes the header. Names must be such that every
// reader gets them back.
func (w *CmdStanWriter) Begin(names []string) error {
	b, err := w.top(names)
	if err != nil {
		return err
	}
	if w.out.path != "" {
		if err := w.out.Create(); err != nil {
			return fmt.Errorf("runtime: %w", err)
		}
	}
	if _, err := w.out.Write(b); err != nil {
		return w.explain(err)
	}
	w.header = len(b)
	return w.flush()
}

// top returns the header.
func (w *CmdStanWriter) top(names []string) ([]byte, error) {
	if err := checkNames(names); err != nil {
		return nil, err
	}
	w.columns = len(names)
	w.samples = strconv.Itoa(w.head.Draws * w.head.Thin)

	var b []byte
	line := func(format string, args ...any) { b = fmt.Appendf(b, format+"\n", args...) }
	line("# model = %s", w.head.Model)
	line("# method = sample")
	line("#   sample")
	b = append(b, numSamples...)
	w.samplesAt = int64(len(b))
	line("%s", w.samples)
	line("#     num_warmup = %d", max(w.head.Warmup, 1)) // cmdstanpy takes no 0
	line("#     save_warmup = 0")
	line("#     thin = %d", w.head.Thin)
	line("#     algorithm = fixed_param")
	line("#     metric = unit_e")
	line("# id = %d", w.head.Chain+1)
	line("# random")
	line("#   seed = %d", w.head.Seed)
	line("# %s", strings.TrimSpace("engine = gibbsgen "+w.head.Version))
	if labels := w.head.Labels.of(names); len(labels) > 0 {
		line("# exchangeable = %s", labels)
	}
	b = append(b, "lp__,log_joint"...)
	for _, name := range names {
		b = append(append(b, ','), name...)
	}
	return append(b, '\n'), nil
}

// Draw implements [Sink]: it writes one row.
func (w *CmdStanWriter) Draw(logJoint float64, values []float64) error {
	if len(values) != w.columns {
		return fmt.Errorf("runtime: a draw of %d values for %d names", len(values), w.columns)
	}
	b := strconv.AppendFloat(w.row[:0], logJoint, 'g', -1, 64)
	n := len(b)
	b = append(b, ',')
	b = append(b, b[:n]...)
	for _, v := range values {
		b = strconv.AppendFloat(append(b, ','), v, 'g', -1, 64)
	}
	w.row = append(b, '\n')
	if _, err := w.out.Write(w.row); err != nil {
		return w.explain(err)
	}
	if w.rows++; w.rows%flushEvery == 0 {
		return w.flush()
	}
	return nil
}

// Close implements [Sink]: it corrects num_samples if the run was interrupted,
// and gives the file its name once its contents are safely on disk.
func (w *CmdStanWriter) Close() error {
	switch {
	case w.samples == "":
		return w.explain(errors.New("Close before Begin"))
	case w.out.path == "":
		return w.flush()
	}
	return w.explain(w.commit())
}

// commit makes the finished file.
func (w *CmdStanWriter) commit() error {
	if err := w.out.Flush(); err != nil {
		return err
	}
	if n := w.rows * w.head.Thin; w.rows < w.head.Draws {
		// As wide as what was there: readers trim the blanks.
		text := fmt.Sprintf("%-*d", len(w.samples), n)
		if _, err := w.out.file.WriteAt([]byte(text), w.samplesAt); err != nil {
			return err
		}
	}
	return w.out.Commit()
}

// Abort implements [Sink]: it removes the unfinished file.
func (w *CmdStanWriter) Abort() error {
	if err := w.out.Abort(); err != nil {
		return fmt.Errorf("runtime: %w", err)
	}
	return nil
}

// Sync implements [Resumable].
func (w *CmdStanWriter) Sync() (err error) {
	w.synced, err = w.out.Sync()
	return w.explain(err)
}

// Parts implements [Saver].
func (w *CmdStanWriter) Parts() []any { return []any{&w.rows, &w.synced, &w.header} }

// Resume implements [Resumable]. The header may ask for more draws than it did.
func (w *CmdStanWriter) Resume(names []string) error {
	if w.rows == 0 {
		return w.Begin(names)
	}
	b, err := w.top(names)
	if err != nil {
		return err
	}
	// An interrupted run has left its own num_samples, and that of a run which is to be longer may have more digits; or had, if
	// it was killed before its first checkpoint.
	at, err := w.out.headEnd(w.header)
	if err == nil {
		err = w.out.Reopen(w.synced + at - w.header)
	}
	if err == nil {
		err = w.out.rehead(at, b)
	}
	w.header = len(b)
	return w.explain(err)
}

// Suspend implements [Resumable].
func (w *CmdStanWriter) Suspend() error {
	w.out.Suspend()
	return nil
}

func (w *CmdStanWriter) flush() error { return w.explain(w.out.Flush()) }

// explain says what failed for those who did not ask for a file by this name.
func (w *CmdStanWriter) explain(err error) error {
	if err == nil {
		return nil
	}
	if w.out.path == "" {
		return fmt.Errorf("runtime: write draws: %w", err)
	}
	return fmt.Errorf("runtime: write draws to %s: %w", filepath.Base(w.out.path), err)
}

// checkNames refuses names that some reader would lose or misread.
func checkNames(names []string) error {
	seen := map[string]bool{"lp__": true, "log_joint": true}
	for i, name := range names {
		switch {
		case name == "":
			return fmt.Errorf("runtime: name %d of %d is empty", i+1, len(names))
		case strings.ContainsAny(name, ",\"'#\r\n\t "):
			return fmt.Errorf("runtime: name %d is %q: no commas, quotes, blanks or # in a CmdStan name", i+1, name)
		case strings.HasSuffix(name, "__") && name != "lp__":
			return fmt.Errorf("runtime: name %d is %q: cmdstanr drops columns that end in __", i+1, name)
		case seen[name]:
			return fmt.Errorf("runtime: name %d, %q, is there twice (lp__ and log_joint are always written)", i+1, name)
		}
		seen[name] = true
	}
	return nil
}
