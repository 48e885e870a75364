package conjugacy_test

import (
	"fmt"
	"testing"
	"time"
)

func TestTmpTimes(t *testing.T) {
	for i, src := range sources(t) {
		start := time.Now()
		compile(t, src)
		if d := time.Since(start); d > 20*time.Millisecond {
			fmt.Println(i, d, src[:60])
		}
	}
}
