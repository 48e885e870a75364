package verify_test

import (
	"fmt"
	"os"

	"github.com/gibbsgen/gibbsgen/generated/pump"
	"github.com/gibbsgen/gibbsgen/verify"
)

// A generated package proves itself in its own test, which calls Test. A program that wants to look at the checks, at another level,
// or at plates of other sizes, calls Run.
func ExampleRun() {
	m := verify.Model{Source: pump.Source, Schema: pump.Schema, Open: pump.Open, Forward: pump.Forward}
	report, err := verify.Run(m, verify.Options{
		Level: verify.Exact,
		Seed:  7,
		Sizes: map[string]int{"I": 10},
	})
	if err != nil { // a constant without a value, a size that makes no sense
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for _, c := range report.Checks {
		if c.Kind == "conditional" {
			fmt.Printf("%s: %s, %v\n", c.Name, c.Measure, c.Outcome)
		}
	}
	fmt.Println("failed:", report.Failed())
	// Output:
	// conditional of alpha: relative difference, pass
	// conditional of beta: relative difference, pass
	// conditional of theta: relative difference, pass
	// failed: false
}
