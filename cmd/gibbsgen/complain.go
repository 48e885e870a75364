// This file prints what is wrong: diagnostics of specs, and other errors.

package main

import (
	"fmt"
	"io"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/runtime/cli"
)

// complain prints an error, each of several joined ones on a line of its own.
func complain(w io.Writer, err error) { cli.PrintError(w, "gibbsgen", err) }

// reportDiags prints diagnostics with excerpts of the spec, and returns errReported if one of them is an error.
func reportDiags(w io.Writer, f *dsl.File, diags dsl.Diags) error {
	if err := diags.Format(w, f); err != nil {
		return fmt.Errorf("printing messages: %w", err)
	}
	if diags.HasErrors() {
		return errReported
	}
	return nil
}

// An exitStatus is the exit code of a program that has spoken for itself.
type exitStatus struct{ code int }

func (e *exitStatus) Error() string { return fmt.Sprintf("exit code %d", e.code) }
