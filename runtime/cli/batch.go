// This file holds the choice of a batch size on the command line, and MODEL-batch.json: what was chosen, and from what.

package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// BatchPath is where the record of a model's batch size is.
func BatchPath(dir, model string) string { return filepath.Join(dir, model+"-batch.json") }

// ReadDecision reads a record of how a batch size was chosen.
func ReadDecision(path string) (*runtime.Decision, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := new(runtime.Decision)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s is no record of a batch size: %w", path, err)
	}
	return d, nil
}

// batchFlags adds --batch, --costs, --scan and --rounds.
func batchFlags(fs *flag.FlagSet, o *runtime.Options) {
	fs.Func("batch", "local units refreshed between two draws of the globals: `M`, or 1/R for R draws of the globals before each unit, "+
		"or auto or grid, by which M is found after the warmup (default: all units)", func(v string) error { return setBatch(o, v) })
	fs.Func("costs", "`how` --batch=auto knows what updates cost: measured, by the clock; counted, by operations; or the "+
		"MODEL-batch.json of a run, which is then replayed (default measured)", func(v string) error {
		o.Counted, o.Costs = v == "counted", nil
		if v == "measured" || v == "counted" {
			return nil
		}
		d, err := ReadDecision(v)
		switch {
		case err != nil:
			return err
		case d.RoundCosts == runtime.RoundCosts{}:
			return fmt.Errorf("%s holds no costs: its run did not come to measuring any", v)
		}
		o.Costs = &d.RoundCosts
		return nil
	})
	fs.TextVar(&o.Scan, "scan", runtime.CyclicScan, "`order` in which batches go through the units: cyclic, shuffled, random or sequential")
	fs.BoolVar(&o.Rounds, "rounds", false, "have --draws and --thin count rounds, a draw of the globals and a batch each, not sweeps")
}

// setBatch reads the value of --batch.
func setBatch(o *runtime.Options, v string) error {
	o.Batch, o.Globals, o.Adapt = 0, 0, runtime.NoAdapt
	if v == "auto" || v == "grid" {
		return o.Adapt.UnmarshalText([]byte(v))
	}
	into := &o.Batch
	if r, ok := strings.CutPrefix(v, "1/"); ok {
		o.Batch, into, v = 1, &o.Globals, r
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		return errors.New("must be a whole number above zero, a fraction 1/R, auto or grid")
	}
	*into = n
	return nil
}

// decided writes down, and says, what batch size was chosen.
func (s *settings) decided(stderr io.Writer, d *runtime.Decision) error {
	if !s.quiet {
		fmt.Fprintf(stderr, "%s: --batch=%v: %s\n", s.model.Name, d.Mode, d.Verdict)
	}
	return writeWhole(BatchPath(s.out, s.model.Name), func(out *bufio.Writer) error {
		e := json.NewEncoder(out)
		e.SetIndent("", " ")
		return e.Encode(d)
	})
}
