//go:build !unix

// This file runs a compiled sampler where a process can't be replaced.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// handOver runs the sampler. Interrupts reach it too; this process waits for it.
func handOver(binary string, args []string, c console) error {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(binary, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin, c.stdout, c.stderr
	err := cmd.Run()
	if status, ok := errors.AsType[*exec.ExitError](err); ok {
		return &exitStatus{status.ExitCode()}
	}
	if err != nil {
		return fmt.Errorf("cannot run %s: %w", binary, err)
	}
	return nil
}
