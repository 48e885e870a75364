package conjugacy_test

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

func TestZZMutants(t *testing.T) {
	seen := map[string]bool{}
	for _, src := range sources(t) {
		lines := strings.Split(strings.TrimSpace(src), "\n")
		for i := range lines {
			for k, mutant := range []string{
				strings.Join(append(lines[:i:i], lines[i+1:]...), "\n"),
				strings.Replace(src, lines[i], strings.Replace(lines[i], "local", "global", 1), 1),
				strings.Replace(src, lines[i], strings.Replace(lines[i], "global", "local", 1), 1),
				strings.Replace(src, lines[i], strings.Replace(lines[i], "data", "local", 1), 1),
			} {
				if k > 0 && mutant == src {
					continue
				}
				func() {
					defer func() {
						if e := recover(); e != nil {
							st := string(debug.Stack())
							key := ""
							for _, l := range strings.Split(st, "\n") {
								if strings.Contains(l, "/work/main/") && !strings.Contains(l, "_test.go") {
									key = l
									break
								}
							}
							if !seen[key] {
								seen[key] = true
								fmt.Println("PANIC", e, key, "\n", mutant)
							}
						}
					}()
					if err := compile(mutant); err != nil {
						key := err.Error()
						key = key[:min(60, len(key))]
						if !seen[key] {
							seen[key] = true
							fmt.Println("ERROR", key, "\n", mutant)
						}
					}
				}()
			}
		}
	}
}
