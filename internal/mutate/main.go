// Command mutate plants faults in derivations, plans and generated code, has each faulty sampler verified, and prints which checks
// find it. What no check finds is a hole in verification.
//
//	go run ./internal/mutate                  every mutation, at the quick level
//	go run ./internal/mutate -level=full      the full one, each as far as its first failure
//	go run ./internal/mutate -only=slice      those with that in their name
//	go run ./internal/mutate -markdown        the table of docs/verification.md: both levels
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gibbsgen/gibbsgen/verify"
)

func main() {
	level := flag.String("level", "quick", "quick or full")
	seed := flag.Uint64("seed", 1, "of the verifications")
	only := flag.String("only", "", "mutations with this in their name or model")
	markdown := flag.Bool("markdown", false, "verify at both levels, and print a table in Markdown")
	verbose := flag.Bool("v", false, "print the first failure of each")
	flag.Parse()
	levels := []verify.Level{verify.Quick}
	switch {
	case *markdown:
		levels = []verify.Level{verify.Quick, verify.Full}
	case *level == "full":
		levels[0] = verify.Full
	case *level != "quick":
		fmt.Fprintln(os.Stderr, "mutate: -level is quick or full")
		os.Exit(2)
	}
	ms := slices.DeleteFunc(mutations(), func(m mutation) bool { return !strings.Contains(m.name+" "+m.model, *only) })
	results, err := try(ms, levels, *seed, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
	write := writeTable
	if *markdown {
		write = writeMarkdown
	}
	write(os.Stdout, results, levels)
	missed := 0
	for _, r := range results {
		if *verbose {
			fmt.Printf("\n%s (%s)\n%s\n", r.name, r.model, r.at[len(r.at)-1].detail)
		}
		if len(r.caught[len(levels)-1]) == 0 {
			missed++
		}
	}
	if missed > 0 {
		fmt.Fprintf(os.Stderr, "mutate: %d of %d mutations are not caught\n", missed, len(results))
		os.Exit(1)
	}
}

// A result is what verification made of a mutation, at each level.
type result struct {
	mutation
	at     []*verdict
	caught [][]string // the kinds of checks that find it, and do not find fault with the right sampler
}

// try verifies the mutations and, so that an alarm counts only if the right sampler gives none, the samplers that they spoil.
func try(ms []mutation, levels []verify.Level, seed uint64, progress io.Writer) ([]result, error) {
	all := slices.Clone(ms)
	right := map[string]int{} // by model
	for _, m := range ms {
		if _, ok := right[m.model]; !ok {
			right[m.model] = len(all)
			all = append(all, mutation{name: "none", model: m.model})
		}
	}
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	p, err := newProgram(root, all)
	defer p.close()
	if err != nil {
		return nil, err
	}
	results := make([]result, len(ms))
	for i, m := range ms {
		results[i].mutation = m
	}
	for _, level := range levels {
		// Whether a mutation is caught is known at its first failure; right samplers are verified to the end.
		hurry := func(i int) bool { return level == verify.Full && i < len(ms) }
		verdicts := make([]*verdict, len(all))
		p.verifyAll(len(all), level, seed, hurry, func(i int, v *verdict) {
			verdicts[i] = v
			fmt.Fprintf(progress, "%s: %s (%s): %s, %.1f s\n", level, all[i].name, all[i].model, strings.Join(v.kinds(nil), ", "), v.took.Seconds())
		})
		for i, m := range ms {
			results[i].at = append(results[i].at, verdicts[i])
			results[i].caught = append(results[i].caught, verdicts[i].kinds(verdicts[right[m.model]]))
		}
		for model, i := range right {
			if ks := verdicts[i].kinds(nil); len(ks) > 0 {
				fmt.Fprintf(progress, "%s: the right sampler of %s fails: %s\n", level, model, verdicts[i].detail)
			}
		}
	}
	return results, nil
}

// writeTable prints a row for each mutation.
func writeTable(w io.Writer, results []result, levels []verify.Level) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "mutation\tmodel\tstage")
	for _, l := range levels {
		fmt.Fprintf(t, "\t%s, at %s\ttime", map[bool]string{true: "caught by", false: "first caught by"}[l == verify.Quick], l)
	}
	fmt.Fprintln(t)
	for _, r := range results {
		fmt.Fprintf(t, "%s\t%s\t%s", r.name, r.model, r.stage())
		for i, v := range r.at {
			fmt.Fprintf(t, "\t%s\t%.1f s", said(r.caught[i]), v.took.Seconds())
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// writeMarkdown prints the same without times, which change from run to run.
func writeMarkdown(w io.Writer, results []result, levels []verify.Level) {
	fmt.Fprint(w, "| mutation | model | stage |")
	for _, l := range levels {
		fmt.Fprintf(w, " %s, at `%s` |", map[bool]string{true: "caught by", false: "first caught by"}[l == verify.Quick], l)
	}
	fmt.Fprintf(w, "\n|%s\n", strings.Repeat("---|", 3+len(levels)))
	for _, r := range results {
		fmt.Fprintf(w, "| %s | `%s` | %s |", r.name, r.model, r.stage())
		for i := range levels {
			fmt.Fprintf(w, " %s |", said(r.caught[i]))
		}
		fmt.Fprintln(w)
	}
}

func said(kinds []string) string {
	if len(kinds) == 0 {
		return "nothing"
	}
	return strings.Join(kinds, ", ")
}
