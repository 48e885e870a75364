// This file makes a panic of a sampler a failure of the check that met it.

package verify

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// A panicError is a panic, and where it was.
type panicError struct {
	value any
	at    string
}

func (e panicError) Error() string { return fmt.Sprintf("panic: %v, in %s", e.value, e.at) }

// guarded runs run; if that panics, its error is a panicError.
func guarded(run func() error) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = panicError{e, panicked()}
		}
	}()
	return run()
}

// panicked says where the panic was that is being recovered from.
func panicked() string {
	pcs := make([]uintptr, 50)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	unwinding := false
	for {
		f, more := frames.Next()
		inRuntime := strings.HasPrefix(f.Function, "runtime.")
		if unwinding && !inRuntime {
			return fmt.Sprintf("%s (%s:%d)", f.Function[strings.LastIndexByte(f.Function, '/')+1:], filepath.Base(f.File), f.Line)
		}
		unwinding = unwinding || f.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}
