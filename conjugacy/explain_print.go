// This file holds the three ways in which explanations are written: text for a terminal, Markdown, JSON.

package conjugacy

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteJSON writes {"model": ..., "spec": ..., "conditionals": [...]}.
func WriteJSON(w io.Writer, a *Analysis, es []Explanation) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Model        string        `json:"model"`
		Spec         string        `json:"spec"`
		Conditionals []Explanation `json:"conditionals"`
	}{a.Model.Name, specName(a.Model.File), es})
}

// WriteText writes the explanations for a terminal, then the accumulators that they share.
func WriteText(w io.Writer, a *Analysis, es []Explanation) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "model %s (%s)\n", a.Model.Name, specName(a.Model.File))
	for _, e := range es {
		fmt.Fprintf(out, "\n%s\n", e.heading())
		field := func(name, text string) {
			if text != "" {
				fmt.Fprintf(out, "  %-12s %s\n", name, text)
			}
		}
		field("", e.Conditional)
		field("drawn", e.Draw)
		e.Parameters = aligned(e.Parameters)
		for _, p := range e.Parameters {
			fmt.Fprintf(out, "  %-12s   %s = %s\n", "", p.Name, p.Value)
		}
		for _, b := range e.Bounds {
			fmt.Fprintf(out, "  %-12s   %s\n", "", b)
		}
		field("family", e.Family)
		field("since", e.Why)
		field("in the way", e.InTheWay)
		width := 0
		for _, s := range e.Statistics {
			width = max(width, utf8.RuneCountInString(s.Statistic))
		}
		for i, s := range e.Statistics {
			name := ""
			if i == 0 {
				name = "statistics"
			}
			field(name, pad(s.Statistic, width)+"  ×  "+s.Coefficient)
		}
		field("kernel", e.Kernel)
		field("cost", e.Cost)
		for i, d := range e.Direct {
			name := ""
			if i == 0 {
				name = "summed afresh"
			}
			field(name, d)
		}
		var reads []string
		for _, acc := range e.Accumulators {
			if !acc.ForMoves {
				reads = append(reads, acc.Name)
			}
		}
		field("reads", strings.Join(reads, ", "))
		for i, f := range e.Factors {
			name := ""
			if i == 0 {
				name = "from"
			}
			field(name, fmt.Sprintf("line %d: %s", f.Line, f.Text))
		}
	}
	if accs := shared(es); len(accs) > 0 {
		fmt.Fprintln(out, "\naccumulators")
		width := 0
		for _, acc := range accs {
			width = max(width, utf8.RuneCountInString(acc.Name))
		}
		for _, acc := range accs {
			when := ""
			if acc.Data {
				when = "   (data: computed once)"
			}
			fmt.Fprintf(out, "  %s = %s%s\n", pad(acc.Name, width), acc.Definition, when)
			for _, m := range acc.Moves {
				fmt.Fprintf(out, "  %s   when %s moves, Δ: %s   %s\n", pad("", width), m.When, strings.Join(m.Rules, "; "), m.Cost)
			}
		}
	}
	return out.Flush()
}

func (e *Explanation) heading() string {
	s := e.Role + " " + e.Name
	if len(e.Over) > 0 {
		s += ", " + strings.Join(e.Over, ", ")
	}
	return s
}

// shared returns the accumulators of all explanations, each once, in order.
func shared(es []Explanation) []AccumulatorNote {
	byNumber := map[int]AccumulatorNote{}
	last := 0
	for _, e := range es {
		for _, acc := range e.Accumulators {
			k := accNumber(acc.Name)
			byNumber[k] = acc
			last = max(last, k)
		}
	}
	var out []AccumulatorNote
	for k := range last + 1 {
		if acc, ok := byNumber[k]; ok {
			out = append(out, acc)
		}
	}
	return out
}

func aligned(params []Formula) []Formula {
	width := 0
	for _, p := range params {
		width = max(width, utf8.RuneCountInString(p.Name))
	}
	out := make([]Formula, len(params))
	for i, p := range params {
		out[i] = Formula{pad(p.Name, width), p.Value}
	}
	return out
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// WriteMarkdown writes the explanations as a page.
func WriteMarkdown(w io.Writer, a *Analysis, es []Explanation) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n\nThe full conditionals of `%s`, as gibbsgen derives them.\n", a.Model.Name, specName(a.Model.File))
	for _, e := range es {
		fmt.Fprintf(out, "\n## %s\n\n", e.heading())
		fmt.Fprintf(out, "    %s\n", e.Conditional)
		if e.Density != "" {
			fmt.Fprintf(out, "    %s ∝ %s\n", strings.Repeat(" ", utf8.RuneCountInString(e.Name)+3), e.Density)
		}
		fmt.Fprintf(out, "\n    %s\n", e.Draw)
		for _, p := range aligned(e.Parameters) {
			fmt.Fprintf(out, "        %s = %s\n", p.Name, p.Value)
		}
		for _, b := range e.Bounds {
			fmt.Fprintf(out, "        %s\n", b)
		}
		fmt.Fprintln(out)
		item := func(name, text string) {
			if text != "" {
				fmt.Fprintf(out, "- **%s:** %s\n", name, text)
			}
		}
		item("Family", e.Family)
		item("Why", e.Why)
		item("In the way", code(e.InTheWay))
		item("Kernel", e.Kernel)
		item("Cost of a draw", e.Cost)
		for _, d := range e.Direct {
			item("Summed afresh", code(d))
		}
		for _, f := range e.Factors {
			item(fmt.Sprintf("Line %d", f.Line), code(f.Text))
		}
		if len(e.Statistics) > 0 {
			fmt.Fprintf(out, "\n| statistic | coefficient |\n|---|---|\n")
			for _, s := range e.Statistics {
				fmt.Fprintf(out, "| %s | %s |\n", code(s.Statistic), code(s.Coefficient))
			}
		}
	}
	if accs := shared(es); len(accs) > 0 {
		fmt.Fprintf(out, "\n## Accumulators\n\n| | is | when | changes by (new less old) | cost |\n|---|---|---|---|---|\n")
		for _, acc := range accs {
			if acc.Data {
				fmt.Fprintf(out, "| %s | %s | never | | |\n", code(acc.Name), code(acc.Definition))
			}
			for _, m := range acc.Moves {
				fmt.Fprintf(out, "| %s | %s | %s moves | %s | %s |\n", code(acc.Name), code(acc.Definition), code(m.When), code(strings.Join(m.Rules, "; ")), m.Cost)
			}
		}
	}
	return out.Flush()
}

// code sets a formula in code marks, so that Markdown leaves its stars and bars alone.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(s, "|", "\\|") + "`"
}
