//go:build darwin || freebsd || linux

// This file asks the system for the size of a terminal.

package cli

import (
	"os"
	"syscall"
	"unsafe"
)

// terminalSize returns the columns and rows of a terminal; false if the file is none, or one that does not move its cursor.
func terminalSize(f *os.File) (width, height int, ok bool) {
	var size struct{ rows, cols, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if term := os.Getenv("TERM"); errno != 0 || term == "dumb" || term == "" {
		return 0, 0, false
	}
	if size.cols == 0 || size.rows == 0 { // nobody told it
		return 80, 24, true
	}
	return int(size.cols), int(size.rows), true
}
