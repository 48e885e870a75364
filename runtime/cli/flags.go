// This file holds the flags of a compiled sampler.

package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// settings are what the flags say.
type settings struct {
	model Model
	args  []string
	files []string
	data  dataio.Options
	init  []string // one for all chains, or one each

	monitor []string // instead of what the spec says
	test    test
	out     string
	every   time.Duration // from one checkpoint to the next; 0: none
	resume  string        // directory of a run to go on with
	resumed *note         // of that run
	quiet   bool
	opts    runtime.Options
}

const usage = `Usage: %[1]s [flags] DATA...

%[1]s is a Gibbs sampler that gibbsgen has compiled. It reads the data files, draws from the
posterior, writes a CmdStan CSV file for each chain, and prints a summary.

Examples:
  %[1]s data.json
  %[1]s --draws=4000 --seed=7 --out=draws --set=K=3 data.csv
  %[1]s --resume=draws

Flags:
`

func parse(m Model, args []string, stderr io.Writer) (*settings, error) {
	s := &settings{model: m, args: args}
	fs := flag.NewFlagSet(m.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	list := func(into *[]string, name, help string) {
		fs.Func(name, help, func(v string) error {
			*into = append(*into, v)
			return nil
		})
	}
	list(&s.files, "data", "a data `file`; may be repeated")
	list(&s.data.Set, "set", "a plate's size or a constant, as `name=value`; may be repeated")
	for _, t := range []struct{ name, help string }{ // done in the order of the flags
		{"standardise", "centre the columns of the data `X`, and divide by their standard deviations"},
		{"unit", "centre the columns of the data `X`, and divide by their Euclidean norms"},
		{"center", "subtract the means of the columns of the data `X`"},
		{"scale", "divide the columns of the data `X` by their standard deviations, without centring"},
		{"binarise", "make the number `y` a boolean: true above its median"},
		{"intercept", "prepend a column of ones to the data `X`"},
	} {
		fs.Func(t.name, t.help, func(v string) error {
			s.data.Transform = append(s.data.Transform, t.name+":"+v)
			return nil
		})
	}
	list(&s.data.Columns, "columns", "`field=column,...`: where a field is found in a CSV file")
	fs.StringVar(&s.data.Vocab, "vocab", "", "a `file` with the words of a corpus, one a line")
	fs.IntVar(&s.data.MaxTokens, "max-tokens", 0, "the most tokens that a corpus may have")
	list(&s.init, "init", "a JSON `file` with initial values: one for all chains, or one for each")
	fs.Func("monitor", "`names` of unknowns, with commas between them, that are written instead of what the spec says", func(v string) error {
		s.monitor = append(s.monitor, strings.Split(v, ",")...)
		return nil
	})
	fs.StringVar(&s.out, "out", m.Name+"-draws", "`directory` for the draws")
	list(&s.test.files, "test", "a `file` of held-out data: their perplexity is found, and nothing written; may be repeated")
	fs.StringVar(&s.test.data, "predict", "", "the `name` of the data whose held-out half is foretold, with --test")
	fs.Uint64Var(&s.test.seed, "split-seed", 1, "of the shuffle, with --test")
	s.test.split = splitShuffle
	fs.Func("split", "`how` test data are halved: shuffle or alternate (default shuffle)", func(v string) error {
		if v != splitShuffle && v != splitAlternate {
			return fmt.Errorf("must be %s or %s", splitShuffle, splitAlternate)
		}
		s.test.split = v
		return nil
	})
	s.every = 30 * time.Second
	fs.Func("checkpoint", "the `time` from one checkpoint to the next, 10m or 500ms; 0 for none, not even at an interrupt (default 30s)", func(v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 {
			return errors.New("must be a length of time, such as 30s or 10m, or 0")
		}
		s.every = d
		return nil
	})
	fs.StringVar(&s.resume, "resume", "", "go on with the run in a `directory` that was stopped, with its data and flags")
	fs.BoolVar(&s.quiet, "quiet", false, "no progress, no notes")
	positive := func(into *int, name string, def int, help string) {
		*into = def
		fs.Func(name, fmt.Sprintf("%s (default %d)", help, def), func(v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 {
				return errors.New("must be a whole number above zero")
			}
			*into = n
			return nil
		})
	}
	positive(&s.opts.Chains, "chains", 4, "`number` of chains")
	positive(&s.opts.Draws, "draws", 1000, "kept draws of each chain, a `number`")
	positive(&s.opts.Thin, "thin", 1, "sweeps for each kept draw, a `number`")
	fs.Func("time", "the `time` after which a run ends with the draws that there are, 30s or 1h30m (default: none)", func(v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d <= 0 {
			return errors.New("must be a length of time, such as 90s or 1h30m")
		}
		s.opts.Time = d
		return nil
	})
	s.opts.Warmup = 1000
	fs.Func("warmup", "sweeps before the first kept one, a `number` (default 1000)", func(v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 || n > math.MaxInt32 {
			return errors.New("must be a whole number, zero or more")
		}
		if s.opts.Warmup = n; n == 0 {
			s.opts.Warmup = -1 // runtime.Options: zero means the default
		}
		return nil
	})
	batchFlags(fs, &s.opts)
	positive(&s.opts.Workers, "workers", 0, "workers of each chain, which refresh local units side by side where they are independent given the globals, a `number`; the draws do not depend on it; 0 for as many as chains leave processors idle")
	s.opts.Seed = 1
	fs.Func("seed", "of the random numbers, a `number` (default 1)", func(v string) error {
		n, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			return errors.New("must be a whole number from 0 to 2^64 - 1")
		}
		s.opts.Seed = n
		return nil
	})
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(stderr, usage, m.Name)
			fs.SetOutput(stderr)
			fs.PrintDefaults()
		}
		return nil, err
	}
	s.files = append(s.files, fs.Args()...)
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if s.resume != "" {
		if err := s.goOn(given); err != nil {
			return nil, err
		}
	}
	if n := len(s.init); n > 1 && n != s.opts.Chains {
		return nil, fmt.Errorf("%d files of initial values for %d chains: give one, or one for each", n, s.opts.Chains)
	}
	if len(s.test.files) > 0 && len(s.init) > 0 {
		return nil, errors.New("--init does not go with --test: the data are longer than a file of initial values can know")
	}
	if _, err := s.opts.WithDefaults(); err != nil {
		return nil, err
	}
	return s, nil
}
