//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

// This file maps files into memory.

package dataio

import (
	"errors"
	"math"
	"os"
	"syscall"
)

// mapFile maps the first size bytes of a file, which must have so many: touching what lies behind its end faults.
func mapFile(f *os.File, size int64, writable bool) ([]byte, error) {
	if size > math.MaxInt {
		return nil, errors.New("is larger than this machine's addresses")
	}
	prot := syscall.PROT_READ
	if writable {
		prot |= syscall.PROT_WRITE
	}
	return syscall.Mmap(int(f.Fd()), 0, int(size), prot, syscall.MAP_SHARED)
}

func unmap(b []byte) error { return syscall.Munmap(b) }
