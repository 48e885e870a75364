// This file is the command line of a verification: what gibbsgen verify builds and runs.

package verify

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Main verifies the model as the arguments ask, prints the report to stdout, and returns the exit code: 0 if all passed, 1 if a check
// failed or nothing can be said, 2 for wrong usage.
func Main(m Model, args []string, stdout, stderr io.Writer) int {
	opt := Options{Sizes: map[string]int{}, Constants: map[string]float64{}}
	flags := flag.NewFlagSet(m.Schema.Model, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Func("level", "quick or full", func(s string) error {
		switch s {
		case "quick":
			opt.Level = Quick
		case "full":
			opt.Level = Full
		default:
			return errors.New("it must be quick or full")
		}
		return nil
	})
	flags.Uint64Var(&opt.Seed, "seed", 1, "of the random numbers")
	flags.Float64Var(&opt.FalseAlarms, "false-alarms", 1e-3, "probability that a right sampler fails")
	flags.Func("size", "NAME=N,...: the sizes of plates", func(s string) error {
		for _, s := range strings.Split(s, ",") {
			name, value, _ := strings.Cut(s, "=")
			n, err := strconv.Atoi(value)
			if err != nil || name == "" {
				return errors.New("it must read name=number")
			}
			opt.Sizes[name] = n
		}
		return nil
	})
	flags.Func("set", "NAME=VALUE: the value of a constant", func(s string) error {
		name, value, _ := strings.Cut(s, "=")
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || name == "" {
			return errors.New("it must read name=number")
		}
		opt.Constants[name] = x
		return nil
	})
	out := flags.String("json", "", "write the report to this `file` too")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	told := tell(stderr, &opt)
	r, err := Run(m, opt)
	told()
	if err == nil {
		err = r.Write(stdout)
	}
	if err == nil && *out != "" {
		err = writeJSON(*out, r)
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(stderr, "gibbsgen: error: %s\n", strings.TrimRight(line, "\n"))
		}
		return 1
	}
	if r.Failed() {
		return 1
	}
	return 0
}

func writeJSON(path string, r *Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o666)
}

// lineEvery is the time between two lines about what takes long.
const lineEvery = 10 * time.Second

// tell says every ten seconds how far the verification is, until what it returns is called.
func tell(w io.Writer, opt *Options) (stop func()) {
	var made, failed atomic.Int64
	opt.Heard = func(c Check) {
		made.Add(1)
		if c.Outcome == Failed {
			failed.Add(1)
		}
	}
	began, ended := time.Now(), make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for tick := time.NewTicker(lineEvery); ; {
			select {
			case <-tick.C:
				fmt.Fprintf(w, "gibbsgen: %.0f s: %d checks made, %d failed\n", time.Since(began).Seconds(), made.Load(), failed.Load())
			case <-ended:
				return
			}
		}
	})
	return func() {
		close(ended)
		wait.Wait()
	}
}
