//go:build !linux

// This file reads the wall clock, where there is no portable other.

package pairs

import "time"

func now() time.Duration { return time.Since(epoch) }

var epoch = time.Now()
