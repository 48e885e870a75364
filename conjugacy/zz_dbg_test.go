package conjugacy_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

func TestDbg(t *testing.T) {
	path := os.Getenv("SPEC")
	if path == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(path)
	f, ds := dsl.Parse(path, string(src))
	ds.Format(os.Stdout, f)
	m, ds := ir.Check(f)
	ds.Format(os.Stdout, f)
	if ds.HasErrors() {
		t.Fatal("check")
	}
	a, ds := conjugacy.Analyze(m)
	ds.Format(os.Stdout, f)
	if a == nil {
		t.Fatal("analyze")
	}
	for _, c := range a.Conds {
		name := c.Target.Var.Name
		for _, j := range c.Target.J {
			name += "[" + j.Name + "]"
		}
		fam := "enumerate/slice " + c.Why
		if c.Family != nil {
			fam = fmt.Sprint(c.Family.Name, " r=", c.Params.R, " trunc=", c.Params.Truncated)
		}
		fmt.Println("--", name, fam, "removed", c.Removed, "direct", len(c.Direct), "bounds", len(c.Bounds))
		for k, p := range c.Params.Coef {
			fmt.Println("    ", k, "=", p)
		}
		if len(c.LogT) > 0 {
			fmt.Println("    logT =", c.LogT)
		}
		for _, b := range c.Bounds {
			fmt.Println("    bound", b.Over, b.Guards, b.A, "| B", b.B, b.Y)
		}
	}
	for _, acc := range a.Accs.List {
		fmt.Println("  ", acc.Name, acc.Params, "=", ir.Poly{acc.Body})
		for _, m := range acc.Moves {
			fmt.Println("      move", m.Var.Name, ":", m.Delta)
		}
	}
}
