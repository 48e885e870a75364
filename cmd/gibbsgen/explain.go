// This file holds gibbsgen explain.

package main

import (
	"github.com/gibbsgen/gibbsgen/conjugacy"
)

type explainCmd struct {
	Spec   string `arg:"" help:"The spec; - is standard input."`
	Format string `enum:"text,md,json" default:"text" help:"text, md or json."`
}

func (explainCmd) Help() string {
	return `Prints for each unknown its full conditional, the family that it belongs to and why, its parameters, the sums that are kept up to date for it, what a draw costs, or which term stood in the way of a family.

Examples:

    gibbsgen explain specs/lasso.gm
    gibbsgen explain --format=md specs/lda.gm > lda.md
    gibbsgen explain --format=json specs/dpmm.gm | jq .conditionals[0]`
}

// Run prints the explanations.
func (cmd *explainCmd) Run(c console) error {
	a, err := analyse(cmd.Spec, c)
	if err != nil {
		return err
	}
	write := conjugacy.WriteText
	switch cmd.Format {
	case "md":
		write = conjugacy.WriteMarkdown
	case "json":
		write = conjugacy.WriteJSON
	}
	return write(c.stdout, a, conjugacy.Explain(a))
}
