// This file runs a compiled sampler as a process of its own, and waits for it.

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// runSampler runs the sampler. An interrupt reaches it too, as it does all of a terminal's processes, and this process waits for its end.
func runSampler(binary string, args []string, c console) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	cmd := exec.Command(binary, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.stdin, c.stdout, c.stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot run %s: %w", binary, err)
	}
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				if s == syscall.SIGTERM {
					cmd.Process.Signal(s)
				}
			case <-ended:
				return
			}
		}
	}()
	err := cmd.Wait()
	close(ended)
	if status, ok := errors.AsType[*exec.ExitError](err); ok {
		return &exitStatus{status.ExitCode()}
	}
	if err != nil {
		return fmt.Errorf("cannot run %s: %w", binary, err)
	}
	return nil
}
