// This file holds a run: chains drawn, draws written to files, and summed up.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/gibbsgen/gibbsgen/runtime"
)

func (s *settings) run(ctx context.Context, stdout, stderr io.Writer) error {
	set, inits, err := s.load(stderr)
	if err != nil {
		return err
	}
	first, err := s.chain(set, inits[0], 0) // before any directory is made: most of what can be wrong shows here
	if err != nil {
		return err
	}
	choice, err := choose(first, s.monitor, s.model.Monitor)
	if err != nil {
		return err
	}
	if !s.quiet && len(s.monitor) == 0 {
		noteLarge(stderr, first, &s.model)
	}
	s.checkWorkers(stderr, first)
	made, err := makeDir(s.out)
	if err != nil {
		return err
	}
	if err := s.leave(set, inits, stderr); err != nil {
		removeEmpty(made, s.out)
		return err
	}
	rec := s.newRunRecord()
	if err := rec.write(s.out); err != nil {
		return err
	}
	p := newProgress(stderr, s.opts, s.model.Name, s.quiet)
	s.opts.Progress = p.report
	s.opts.Decided = func(d *runtime.Decision) error { return s.decided(p, d) }
	recorders := make([]*recorder, s.opts.Chains)
	chains := make([]runtime.Sampler, s.opts.Chains)
	err = runtime.Run(ctx, s.opts,
		func(chain int) (c runtime.Sampler, err error) {
			if c = first; chain > 0 {
				c, err = s.chain(set, inits[chain], chain)
			}
			chains[chain] = c
			return c, err
		},
		func(chain int) (runtime.Sink, error) {
			w, err := runtime.CreateCmdStan(s.path(chain), runtime.CmdStanHeader{
				Model: s.model.Name, Version: s.model.Version, Chain: chain, Labels: choice.labels, Options: s.opts})
			if err != nil {
				return nil, err
			}
			recorders[chain] = choice.newRecorder(chains[chain], w, s.out, chain)
			if !s.quiet {
				recorders[chain].watch = p.watch(chain, chains[chain])
			}
			return recorders[chain], nil
		})
	p.finish()
	interrupted := errors.Is(err, context.Canceled)
	drawn := anyClosed(recorders)
	left := err != nil && s.left()
	if !left && !drawn {
		rec.remove(s.out)
		s.forget()
		removeEmpty(made, s.out)
		return stopped(err, interrupted)
	}
	if err == nil {
		s.removeStale(choice)
	}
	if shower, ok := first.(runtime.Shower); ok && drawn {
		if err := writeLevels(s.out, s.model.Name, shower.Unknowns(), set); err != nil {
			return err
		}
	}
	if e := rec.end(s.out, interrupted); e != nil {
		return e
	}
	if !left { // last: until then the run can be gone on with
		if err := s.forget(); err != nil {
			return err
		}
	}
	if err != nil && !interrupted {
		if left && !errors.As(err, new(*runtime.ResumeError)) {
			err = fmt.Errorf("%w\nwhat was drawn up to the last checkpoint is kept: --resume=%s goes on from there", err, s.out)
		}
		return err
	}
	kept, unread := s.summarise(stdout, stderr, recorders)
	if unread != nil {
		return unread
	}
	if kept > 0 && !s.quiet {
		fmt.Fprintf(stderr, "%s: draws are in %s\n", s.model.Name, filepath.Join(s.out, s.model.Name+"-*.csv"))
	}
	if left && kept == 0 {
		return fmt.Errorf("interrupted before the first draw: --resume=%s goes on", s.out)
	}
	if left {
		return fmt.Errorf("interrupted; the draws so far are kept, and --resume=%s goes on", s.out)
	}
	return stopped(err, interrupted)
}

// stopped is how a run ends that cannot be gone on with.
func stopped(err error, interrupted bool) error {
	if interrupted {
		return errors.New("interrupted; the draws so far are kept")
	}
	return err
}

// checkWorkers says why several workers are of no use, if they are not, and leaves the processors to other chains then.
func (s *settings) checkWorkers(stderr io.Writer, chain runtime.Sampler) {
	if _, ok := chain.(runtime.Crewed); ok || s.opts.Workers <= 1 {
		return
	}
	why := "the model has no locals"
	if c, ok := chain.(runtime.Coupled); ok {
		why = "units are refreshed one after the other, since " + c.Coupled()
	}
	if !s.quiet {
		fmt.Fprintf(stderr, "%s: one worker is enough: %s\n", s.model.Name, why)
	}
	s.opts.Workers = 1
}

// path is the file of a chain's draws.
func (s *settings) path(chain int) string {
	return filepath.Join(s.out, s.model.Name+"-"+strconv.Itoa(chain+1)+".csv")
}

// removeStale removes the files of an earlier run's further chains, which would mix with this one's, and those of variables
// that this one did not write.
func (s *settings) removeStale(c *choice) {
	from := func(first int, path func(chain int) string) {
		for chain := first; os.Remove(path(chain)) == nil; chain++ {
		}
	}
	from(s.opts.Chains, s.path)
	if s.opts.Adapt == runtime.NoAdapt {
		os.Remove(BatchPath(s.out, s.model.Name))
	}
	beside := func(name string, written bool) {
		first := 0
		if written {
			first = s.opts.Chains
		}
		from(first, func(chain int) string { return besidePath(s.out, name, chain) })
	}
	for i, name := range c.all {
		if name != momentsName {
			beside(name, slices.Contains(c.long, i))
		}
	}
	beside(momentsName, len(c.moments) > 0)
}

// makeDir makes a directory where there is none. It returns the outermost one that it made, "" if none.
func makeDir(dir string) (made string, err error) {
	if dir == "" {
		return "", errors.New("--out is empty")
	}
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if info, err := os.Stat(d); err == nil {
			if !info.IsDir() {
				return "", fmt.Errorf("--out %s: %s is a file", dir, d)
			}
			break
		}
		made = d
		if d == filepath.Dir(d) {
			break
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("--out: %w", err)
	}
	// An unwritable one is found before the warmup. The probe has always one name, lest runs that are killed leave many.
	probe, err := os.Create(filepath.Join(dir, ".probe"))
	if err != nil {
		removeEmpty(made, dir)
		return "", fmt.Errorf("--out: %w", errors.Unwrap(err))
	}
	probe.Close()
	os.Remove(probe.Name())
	return made, nil
}

// removeEmpty removes the directories from dir up to made as far as they are empty.
func removeEmpty(made, dir string) {
	if made == "" {
		return
	}
	for d := filepath.Clean(dir); os.Remove(d) == nil && d != made; {
		d = filepath.Dir(d)
	}
}

// anyClosed reports whether a chain has left draws.
func anyClosed(recorders []*recorder) bool {
	return slices.ContainsFunc(recorders, func(r *recorder) bool { return r != nil && r.closed && r.draws > 0 })
}
