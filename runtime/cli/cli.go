// Package cli is the command line of a compiled sampler: flags, data, chains, draws, summary. A generated main calls Main with
// what its model offers; the rest is here.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// A Model is what a generated package offers to Main.
type Model struct {
	Name     string         // of the model; names the files of draws
	Version  string         // of the gibbsgen that generated it
	Spec     string         // file name of the spec, without directory
	Source   string         // text of the spec
	Package  string         // name of the generated package, which its errors begin with
	Schema   dataio.Schema  // what it reads
	Unknowns []dataio.Field // what an init file may set: globals and locals
	Monitor  []string       // unknowns of which the spec monitors every element
	Default  []string       // arrays that are columns since the spec monitors nothing, if they are not too long for that

	// New returns a chain at an overdispersed random start. It keeps rng, and may keep what set holds. With runtime.ErrNoStart
	// comes a chain that SetInit has to put somewhere.
	New func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error)
}

// An Initialiser is a sampler that can be put where a file says.
type Initialiser interface {
	// SetInit replaces the state's values by those that set has, leaves the others, and rebuilds what is computed from
	// the state. An error names the element that lies outside its support.
	SetInit(set *dataio.Set) error
}

// Exit codes.
const (
	OK       = 0
	BadInput = 1 // data, constants, files, or a failure while sampling
	BadUsage = 2 // flags
)

// Main runs the command line and exits. Interrupt and SIGTERM end the chains after their sweeps; draws so far are kept, and the
// exit code is BadInput.
func Main(m Model) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Run(ctx, m, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run does what Main does, without exiting. The table goes to stdout, all else to stderr.
func Run(ctx context.Context, m Model, args []string, stdout, stderr io.Writer) int {
	s, err := parse(m, args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return OK
	case err != nil:
		fmt.Fprintf(stderr, "%s: error: %v\n", m.Name, err)
		return BadUsage
	}
	run := s.run
	if len(s.test.files) > 0 {
		run = s.perplexity
	}
	if err := run(ctx, stdout, stderr); err != nil {
		PrintError(stderr, m.Name, err)
		return BadInput
	}
	return OK
}

// PrintError prints an error, each of several joined ones on lines of its own.
func PrintError(w io.Writer, name string, err error) {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "%s: error: %s\n", name, strings.TrimRight(line, "\n"))
	}
}
