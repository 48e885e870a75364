package conjugacy_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/plan"
)

func TestZZSwap(t *testing.T) {
	p := newProgram(t)
	src := map[string]string{}
	lo, hi := 0, 1000
	fmt.Sscanf(os.Getenv("RANGE"), "%d-%d", &lo, &hi)
	n := 0
	for _, s := range corpus(t) {
		lines := strings.Split(s.Src, "\n")
		for i, l := range lines {
			var m string
			switch {
			case strings.HasPrefix(l, "local") && strings.Contains(l, "~"):
				m = "global" + l[5:]
			case strings.HasPrefix(l, "global") && strings.Contains(l, "["):
				m = "local" + l[6:]
			default:
				continue
			}
			n++
			if n < lo || n >= hi {
				continue
			}
			text := strings.Join(append(append(lines[:i:i], m), lines[i+1:]...), "\n")
			func() {
				defer func() {
					if e := recover(); e != nil {
						fmt.Println("PANIC", e, "\n", text)
					}
				}()
				a, diags := analyse(spec{s.Name, s.File, text})
				if diags.HasErrors() {
					return
				}
				pl, diags := plan.Build(a)
				if diags.HasErrors() {
					return
				}
				pkg := fmt.Sprintf("swap%03d", n)
				files, err := codegen.Generate(pl, codegen.Options{Package: pkg, Spec: s.File})
				if err != nil {
					fmt.Println("ERROR", err.Error()[:60], "\n", text)
					return
				}
				src[pkg] = text
				p.add(t, pkg, files)
			}()
		}
	}
	fmt.Println(n, len(p.names))
	for pkg, out := range p.run(t) {
		fmt.Println("FAILED", pkg, "\n", src[pkg], "\n", out[:min(len(out), 900)])
	}
}
