//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

// This file stands in where files are not mapped into memory: they are read into it.

package dataio

import (
	"errors"
	"os"
)

func mapFile(*os.File, int64, bool) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmap([]byte) error { return nil }
