// This file holds the table: what the paper says, and what came out here.

package main

import (
	"fmt"
	"slices"
	"strings"
)

// A verdict on a claim.
const (
	holds   = "holds"
	partly  = "partly"
	fails   = "does not hold"
	unclear = "no difference seen"
)

// below judges whether an estimate lies below a number.
func below(e estimate, x float64) string {
	switch {
	case e.high < x:
		return holds
	case e.low > x:
		return fails
	}
	return unclear
}

// above judges whether it lies above.
func above(e estimate, x float64) string {
	return below(estimate{-e.value, -e.high, -e.low}, -x)
}

// all is the verdict on a claim with several parts.
func all(parts ...string) string {
	for _, p := range parts {
		if p != parts[0] {
			if slices.Contains(parts, holds) {
				return partly
			}
			return fails
		}
	}
	return parts[0]
}

// A claim is one statement of the paper beside what came out here.
type claim struct {
	where   string // in the paper
	paper   string
	ours    string
	verdict string
	why     string
}

// table returns the claims as a table of Markdown.
func table(claims []claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| the paper | ours | verdict | why |\n|---|---|---|---|\n")
	cell := strings.NewReplacer("|", "\\|", "\n", " ")
	for _, c := range claims {
		fmt.Fprintf(&b, "| %s: %s | %s | **%s** | %s |\n", cell.Replace(c.where), cell.Replace(c.paper), cell.Replace(c.ours), c.verdict, cell.Replace(c.why))
	}
	return b.String()
}
