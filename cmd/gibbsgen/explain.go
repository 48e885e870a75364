// This file holds gibbsgen explain.

package main

import (
	"fmt"

	"github.com/gibbsgen/gibbsgen/conjugacy"
)

type explainCmd struct {
	Spec   string `arg:"" help:"The spec; - is standard input."`
	Format string `enum:"text,md,json" default:"text" help:"text, md or json."`
}

func (explainCmd) Help() string {
	return `Prints for each unknown its full conditional, the family that it belongs to and why, its parameters, the sums that are kept up to date for it, what a draw costs, or which term stood in the way of a family; and whether local units may be refreshed side by side.

Examples:

    gibbsgen explain specs/lasso.gm
    gibbsgen explain --format=md specs/lda.gm > lda.md
    gibbsgen explain --format=json specs/dpmm.gm | jq .conditionals[0]`
}

// Run prints the explanations.
func (cmd *explainCmd) Run(c console) error {
	p, err := makePlan(cmd.Spec, c)
	if err != nil {
		return err
	}
	write, units := conjugacy.WriteText, "\nunits\n  %s\n"
	switch cmd.Format {
	case "md":
		write, units = conjugacy.WriteMarkdown, "\n## Units\n\n%s\n"
	case "json":
		write, units = conjugacy.WriteJSON, ""
	}
	if err := write(c.stdout, p.Analysis, conjugacy.Explain(p.Analysis)); err != nil || units == "" {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, units, p.SideBySide())
	return err
}
