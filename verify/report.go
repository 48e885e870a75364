// This file holds what a verification finds: a row for each check, and how they are printed.

package verify

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"
)

// An Outcome says how a check ended.
type Outcome int

const (
	Passed Outcome = iota
	Failed
	NotMade // since the model has nothing to be checked in this way, or it can't be; Detail says why
)

func (o Outcome) String() string { return [...]string{"pass", "FAIL", "not made"}[o] }

// MarshalText gives the outcome as it is printed.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText takes what MarshalText gives.
func (o *Outcome) UnmarshalText(text []byte) error {
	for *o = range Outcome(3) {
		if o.String() == string(text) {
			return nil
		}
	}
	return fmt.Errorf("no outcome: %q", text)
}

// A Check is one row of a report.
type Check struct {
	Kind      string        `json:"kind"`      // which kind of check: conditional, bookkeeping, draws, invariance, ...
	Name      string        `json:"name"`      // what was checked, with its kind: "conditional of mu"
	Measure   string        `json:"measure"`   // what Statistic is
	Statistic float64       `json:"statistic"` // the worst that was seen
	Threshold float64       `json:"threshold"` // above which the check fails
	N         int           `json:"n"`         // states, draws or replicates compared
	Chance    float64       `json:"chance"`    // probability that a right sampler fails this check; 0 for what is exact
	Looks     int           `json:"looks"`     // of a statistical check: 2 if the first look failed and a second one, on a fresh seed, decided
	Outcome   Outcome       `json:"outcome"`
	Detail    string        `json:"detail,omitempty"` // of a failure: the kernel, the state and the terms; of what was not made: why; else what the check leaves open
	Time      time.Duration `json:"time"`
	Plots     []Plot        `json:"plots,omitempty"`
}

// MarshalJSON writes a statistic that is no number, or infinite, as the largest number there is, since JSON has only numbers.
func (c Check) MarshalJSON() ([]byte, error) {
	type plain Check
	if !finite(c.Statistic) {
		c.Statistic = math.MaxFloat64
	}
	return json.Marshal(plain(c))
}

// A Plot is what simulation-based calibration saw of one watched quantity. Those of one check differ in the quantity, or in the sizes of
// the plates.
type Plot struct {
	Of    string `json:"of"`    // the quantity
	Ranks []int  `json:"ranks"` // how many replicates had each rank, from 0 to the number of draws that were ranked among

	Thin int     `json:"thin"` // sweeps from one ranked draw to the next
	ESS  float64 `json:"ess"`  // effective sample size of a chain before thinning, as a share of its sweeps: the median of pilot chains, each of data of its own
	Low  float64 `json:"low"`  // the same: what 95 % of the pilot chains exceed

	// Band holds, for each rank but 0, the least and the largest share of replicates with a lower rank, less that share if ranks are uniform.
	// All shares lie in it but with the probability of a false alarm.
	Band      [][2]float64 `json:"band"`
	Statistic float64      `json:"statistic"` // -log10 of the smallest two-sided tail probability of these shares
	Threshold float64      `json:"threshold"` // above which one of them lies outside the band
}

// A Report is what a verification found.
type Report struct {
	Model       string        `json:"model"`
	Level       string        `json:"level"`
	Seed        uint64        `json:"seed"`
	FalseAlarms float64       `json:"false_alarms"` // probability that a right sampler fails any check
	Checks      []Check       `json:"checks"`
	Time        time.Duration `json:"time"`
}

// Failed reports whether a check failed.
func (r *Report) Failed() bool {
	for _, c := range r.Checks {
		if c.Outcome == Failed {
			return true
		}
	}
	return false
}

// Write prints the report as a table, then what was left open, what was not made and what failed, and the verdict.
func (r *Report) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "check\tmeasure\tstatistic\tthreshold\tn\ttime\tverdict\n")
	for _, c := range r.Checks {
		if c.Outcome == NotMade {
			fmt.Fprintf(t, "%s\t\t\t\t\t\t%s\n", c.Name, c.Outcome)
			continue
		}
		verdict := c.Outcome.String()
		if c.Looks > 1 {
			verdict += " (second look)"
		}
		fmt.Fprintf(t, "%s\t%s\t%.2g\t%.2g\t%d\t%.1fs\t%s\n", c.Name, c.Measure, c.Statistic, c.Threshold, c.N, c.Time.Seconds(), verdict)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, c := range r.Checks {
		if c.Outcome == Passed && c.Detail != "" {
			fmt.Fprintf(w, "\n%s: %s\n%s\n", c.Name, c.Outcome, indent(c.Detail))
		}
	}
	var names []string // of checks that were not made for one reason
	for i, c := range r.Checks {
		if c.Outcome != NotMade {
			continue
		}
		names = append(names, c.Name)
		if i == len(r.Checks)-1 || r.Checks[i+1].Outcome != NotMade || r.Checks[i+1].Detail != c.Detail {
			fmt.Fprintf(w, "\n%s: %s\n%s\n", strings.Join(names, "; "), c.Outcome, indent(c.Detail))
			names = nil
		}
	}
	for _, c := range r.Checks {
		if c.Outcome == Failed {
			fmt.Fprintf(w, "\n%s: %s\n%s\n", c.Name, c.Outcome, indent(c.Detail))
		}
	}
	_, err := fmt.Fprintf(w, "\n%s: %s (level %s, seed %d, %.1f s; a right sampler fails with probability %g at the most)\n",
		r.Model, r.Verdict(), r.Level, r.Seed, r.Time.Seconds(), r.FalseAlarms)
	return err
}

// Verdict says in a few words what the checks have come to.
func (r *Report) Verdict() string {
	n := map[Outcome]int{}
	for _, c := range r.Checks {
		n[c.Outcome]++
	}
	switch {
	case n[Failed] > 0:
		return fmt.Sprintf("FAILED %d of %d checks", n[Failed], len(r.Checks))
	case n[NotMade] > 0:
		return fmt.Sprintf("passed, but for %d of %d checks that were not made", n[NotMade], len(r.Checks))
	}
	return "passed"
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
}
