// This file words a disagreement of a conditional with the log joint: the kernel, the state, and the statements of the model that it
// gets wrong.

package verify

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/ir/interp"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// disagreement says by how much the conditional is off between two values, where the chain stands, and which statements of the model
// would explain it: those whose share in the log joint is wrong by one and the same factor wherever the target moves.
func (s *specimen) disagreement(c runtime.Conditional, x0, x []float64, dq, dj float64, where string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "the conditional of %s: from %s to %s its log density changes by %.12g, the log joint by %.12g\n", c.Name, brief(x0), brief(x), dq, dj)
	fmt.Fprintf(&b, "at %s; %s", where, s.state())
	if s.lab == nil {
		return b.String()
	}
	terms, before := s.terms(c, x0)
	_, after := s.terms(c, x)
	if terms == nil || after == nil {
		return b.String()
	}
	b.WriteString("\nstatements of the model that change with it:")
	for i, text := range terms {
		if d := after[i] - before[i]; d != 0 {
			fmt.Fprintf(&b, "\n  %-12.6g %s", d, text)
		}
	}
	if i, factor, ok := s.culprit(c, x0, terms); ok {
		fmt.Fprintf(&b, "\nthe conditional counts %s %.4g times, not once", terms[i], factor)
	}
	return b.String()
}

// terms returns the statements of the model and their log densities with the target at x.
func (s *specimen) terms(c runtime.Conditional, x []float64) ([]string, []float64) {
	c.Set(x)
	s.look()
	terms, err := interp.LogTerms(s.lab.typed, s.env)
	if err != nil {
		return nil, nil
	}
	var texts []string
	var lps []float64
	for _, t := range terms {
		texts, lps = append(texts, t.Text), append(lps, t.LogDensity)
	}
	return texts, lps
}

// culprit looks for the one statement whose share explains what is missing, at several values of the target.
func (s *specimen) culprit(c runtime.Conditional, x0 []float64, terms []string) (i int, factor float64, ok bool) {
	_, before := s.terms(c, x0)
	var shares [][]float64 // by value, what each statement changes by
	var off []float64
	for range 6 {
		c.Set(x0)
		if c.Draw() != nil {
			return 0, 0, false
		}
		x := c.Get()
		c.Set(x0)
		dq := c.LogDensity(x) - c.LogDensity(x0)
		_, after := s.terms(c, x)
		var share []float64
		sum := 0.0
		for k := range after {
			share = append(share, after[k]-before[k])
			sum += share[k]
		}
		if finite(dq) && finite(sum) && math.Abs(sum) > 1e-6 {
			shares, off = append(shares, share), append(off, dq-sum)
		}
	}
	c.Set(x0)
	if len(off) < 3 {
		return 0, 0, false
	}
	best := -1
	for k := range terms {
		var ratios []float64
		for j := range off {
			ratios = append(ratios, off[j]/shares[j][k])
		}
		if lo, hi := slices.Min(ratios), slices.Max(ratios); finite(lo) && finite(hi) && hi-lo < 1e-6*(1+math.Abs(hi)) {
			best, factor = k, math.Round((1+ratios[0])*1e9)/1e9
			break
		}
	}
	return best, factor, best >= 0
}

// state tells where the chain stands.
func (s *specimen) state() string {
	var out []string
	for _, u := range s.Unknowns() {
		var xs []float64
		for i := range u.Len() {
			xs = append(xs, u.Value(i))
		}
		out = append(out, u.Name+" = "+brief(xs))
	}
	return strings.Join(out, ", ")
}

// brief prints a few numbers.
func brief(xs []float64) string {
	const most = 6
	var out []string
	for _, x := range xs[:min(len(xs), most)] {
		out = append(out, fmt.Sprintf("%.5g", x))
	}
	if len(xs) == 1 {
		return out[0]
	}
	if len(xs) > most {
		out = append(out, fmt.Sprintf("... (%d)", len(xs)))
	}
	return "[" + strings.Join(out, " ") + "]"
}
