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
	flags.Func("size", "NAME=N: the size of a plate", func(s string) error {
		name, value, _ := strings.Cut(s, "=")
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("it must read name=number")
		}
		opt.Sizes[name] = n
		return nil
	})
	flags.Func("set", "NAME=VALUE: the value of a constant", func(s string) error {
		name, value, _ := strings.Cut(s, "=")
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("it must read name=number")
		}
		opt.Constants[name] = x
		return nil
	})
	out := flags.String("json", "", "write the report to this `file` too")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	r, err := Run(m, opt)
	if err != nil {
		fmt.Fprintf(stderr, "gibbsgen: %v\n", err)
		return 1
	}
	if err := r.Write(stdout); err != nil {
		fmt.Fprintf(stderr, "gibbsgen: %v\n", err)
		return 1
	}
	if *out != "" {
		text, err := json.Marshal(r)
		if err == nil {
			err = os.WriteFile(*out, text, 0o666)
		}
		if err != nil {
			fmt.Fprintf(stderr, "gibbsgen: %v\n", err)
			return 1
		}
	}
	if r.Failed() {
		return 1
	}
	return 0
}
