//go:build unix

// This file hands the process over to a compiled sampler, so that signals and exit codes are its own.
package main

import (
	"fmt"
	"os"
	"syscall"
)

// handOver replaces this process by the sampler; it returns only if that fails.
func handOver(binary string, args []string, _ console) error {
	err := syscall.Exec(binary, append([]string{binary}, args...), os.Environ())
	return fmt.Errorf("cannot run %s: %w", binary, err)
}
