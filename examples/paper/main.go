// Command paper reproduces the figures of Smolyakov, Liu & Fisher (2015), "Adaptive scan Gibbs sampler for large scale inference
// problems", and says which of its claims hold: see README.md.
package main

//go:generate go run github.com/gibbsgen/gibbsgen/cmd/gibbsgen generate weak.gm -o weak
//go:generate go run github.com/gibbsgen/gibbsgen/cmd/gibbsgen generate fold.gm -o fold

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"time"
)

// Keys of streams of random numbers, so that no two of a run are the same.
const (
	streamData = iota + 1
	streamJudge
	streamCosts
	streamScan
	streamLasso
	streamClusters
	streamTopics
	streamFold
	streamEPSR
	streamPhases
	streamDecide
)

type options struct {
	quick bool
	out   string
	brown string
	seed  uint64
	log   io.Writer

	study *lassoStudy // made by the first figure that needs it
}

func (o *options) logf(format string, args ...any) { fmt.Fprintf(o.log, format, args...) }

// figures are those of the paper, in its order.
var figures = []struct {
	name string
	make func(context.Context, *options) ([]claim, error)
}{
	{"lasso", lassoFigure},
	{"dpmm", dpmmFigure},
	{"lda", ldaFigure},
	{"epsr", epsrFigure},
	{"phases", phasesFigure},
}

func main() {
	var o options
	only := flag.String("only", "", "one `figure`: lasso, dpmm, lda, epsr or phases")
	flag.BoolVar(&o.quick, "quick", false, "small sizes, which show that all runs and nothing else; LDA on a simulated corpus")
	flag.StringVar(&o.out, "out", "paper-out", "`directory` for the figures and table.md")
	flag.StringVar(&o.brown, "brown", "", "`directory` with brown.train.ldac, brown.test.ldac and brown.vocab, which examples/paper/README.md says how to make")
	flag.Uint64Var(&o.seed, "seed", 1, "of all random numbers")
	flag.Parse()
	o.log = os.Stderr
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, &o, *only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "paper:", err)
		os.Exit(1)
	}
}

// run makes the figures, or one of them, and prints the table.
func run(ctx context.Context, o *options, only string, stdout io.Writer) error {
	var names []string
	for _, f := range figures {
		names = append(names, f.name)
	}
	if only != "" && !slices.Contains(names, only) {
		return fmt.Errorf("no figure %q: there are %s", only, strings.Join(names, ", "))
	}
	if err := os.MkdirAll(o.out, 0o777); err != nil {
		return err
	}
	var claims []claim
	for _, f := range figures {
		if only != "" && only != f.name {
			continue
		}
		begun := time.Now()
		c, err := f.make(ctx, o)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		claims = append(claims, c...)
		o.logf("%s: %.0f s\n", f.name, time.Since(begun).Seconds())
	}
	text := o.heading() + "\n" + table(claims)
	if _, err := fmt.Fprint(stdout, text); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.out, "table.md"), []byte(text), 0o666)
}

// heading says of which run the table is.
func (o *options) heading() string {
	sizes := "full sizes"
	if o.quick {
		sizes = "small sizes (--quick), at which no verdict means anything"
	}
	return fmt.Sprintf("Made with seed %d at %s by %s on %s/%s, %d processors%s. Numbers in brackets are 95 %% intervals over trials.\n",
		o.seed, sizes, goruntime.Version(), goruntime.GOOS, goruntime.GOARCH, goruntime.NumCPU(), processor())
}

// processor names the processor, where the system says it as Linux does.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, model, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return " (" + strings.TrimSpace(model) + ")"
		}
	}
	return ""
}
