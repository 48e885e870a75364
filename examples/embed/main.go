// Command embed uses two generated packages as a program of its own would: their typed data in, quantities of interest out.
//
//	go run ./examples/embed            # from the repository's root
//	go run ./examples/embed -draws 10000
//
// lasso.go reads a file and runs chains in parallel; dpmm.go fills in the data itself and drives one chain by hand.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/gibbsgen/gibbsgen/runtime"
)

func main() {
	specs := flag.String("specs", "specs", "directory of the specs and their data")
	draws := flag.Int("draws", 2000, "kept draws of each chain")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *specs, runtime.Options{Chains: 4, Warmup: 500, Draws: *draws, Seed: 1}); err != nil {
		fmt.Fprintln(os.Stderr, "embed:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, specs string, opts runtime.Options) error {
	opts, err := opts.WithDefaults()
	if err != nil {
		return err
	}
	coefficients, err := lassoDiabetes(ctx, specs+"/lasso.csv", opts)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Does a predictor go with fast progression of diabetes? Probit lasso, %d chains of %d draws.\n\n", opts.Chains, opts.Draws)
	fmt.Fprintf(w, "%-11s  %6s  %16s  %8s  %6s  %6s\n", "predictor", "mean", "90% interval", "P(w > 0)", "MCSE", "R-hat")
	for _, c := range coefficients {
		interval := fmt.Sprintf("[%5.2f, %5.2f]", c.Lo, c.Hi)
		fmt.Fprintf(w, "%-11s  %6.2f  %16s  %8.3f  %6.4f  %6.3f\n", c.Name, c.Mean, interval, c.Positive, c.PositiveMCSE, c.Rhat)
	}

	kinds, err := mixEruptions(ctx, opts)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nHow many kinds of eruption are there? Dirichlet process mixture, one chain of %d draws.\n\n", opts.Draws)
	for k, p := range kinds.Clusters {
		if p > 0 {
			fmt.Fprintf(w, "P(%d kinds) = %.3f\n", k, p)
		}
	}
	fmt.Fprintf(w, "P(a short and a long one are of a kind) = %.3f\n", kinds.ShortWithLong)
	fmt.Fprintf(w, "P(the two shortest are of a kind) = %.3f\n", kinds.ShortWithShort)
	return nil
}
