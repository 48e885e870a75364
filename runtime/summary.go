// This file sums up the draws of a run in a table, with a verdict in words.

package runtime

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/stat"
)

// The verdict's thresholds, of Vehtari et al. (2021), sections 2 and 4.
const (
	GoodRhat = 1.01 // at the most
	GoodESS  = 400  // at least
)

// A Row sums up all chains' draws of one scalar. A number is NaN where there is
// none, such as R-hat of draws that are all the same.
type Row struct {
	Name        string
	Mean        float64
	MCSE        float64 // Monte Carlo standard error of Mean
	SD          float64 // of the draws, divisor S - 1
	Median      float64
	Q5, Q95     float64
	ESSBulk     float64
	ESSTail     float64
	Rhat        float64
	Chains      int
	Draws       int  // of each chain
	Fixed       bool // the draws are all the same number
	NotANumbers int  // draws that are NaN or infinite

	Labelled bool // by its number one of several that nothing else tells apart, or such a number itself: see Labels
	Sorted   bool // not a column but made of Labelled ones, sorted within each draw
}

// Summarise sums up chains × names × draws, one row a name: chains[c][i] are
// chain c's draws of names[i], as ReadCmdStan and Memory have them. Chains of unequal
// length (after an interruption) are cut to the shortest.
func Summarise(names []string, chains [][][]float64) ([]Row, error) {
	for c, columns := range chains {
		if len(columns) != len(names) {
			return nil, fmt.Errorf("runtime: chain %d has %d columns for %d names", c+1, len(columns), len(names))
		}
		for i, column := range columns {
			if len(column) != len(columns[0]) {
				return nil, fmt.Errorf("runtime: chain %d has %d draws of %s, but %d of %s",
					c+1, len(column), names[i], len(columns[0]), names[0])
			}
		}
	}
	rows := make([]Row, len(names))
	scalar := make([][]float64, len(chains))
	for i, name := range names {
		for c := range chains {
			scalar[c] = chains[c][i]
		}
		rows[i] = summariseOne(name, cut(scalar))
	}
	return rows, nil
}

func summariseOne(name string, x [][]float64) Row {
	all := pool(x) // sorted once for all that need it
	mean, variance := stat.MeanVariance(all, nil)
	scores := normalScores(split(x))
	r := Row{
		Name: name, Mean: mean, MCSE: math.Sqrt(variance / ESSMean(x)), SD: math.Sqrt(variance),
		Median: quantileSorted(all, 0.5), Q5: quantileSorted(all, 0.05), Q95: quantileSorted(all, 0.95),
		ESSBulk: ess(scores), ESSTail: essTail(x, all), Rhat: rankRhat(x, scores),
		Chains: len(x),
	}
	if len(x) > 0 {
		r.Draws = len(x[0])
		r.Fixed = all[0] == all[len(all)-1]
	}
	for _, v := range all {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			r.NotANumbers++
		}
	}
	return r
}

// Columns are what the cells of a row are.
func Columns() []string {
	return []string{"mean", "mcse", "sd", "median", "q5", "q95", "ess_bulk", "ess_tail", "rhat"}
}

// Cells are the numbers of a row as they are shown, in the order of Columns; NA
// stands for one that does not exist.
func (r Row) Cells() []string {
	return []string{short(r.Mean), short(r.MCSE), short(r.SD), short(r.Median), short(r.Q5), short(r.Q95),
		fixed(r.ESSBulk, 0), fixed(r.ESSTail, 0), fixed(r.Rhat, 3)}
}

// WriteSummary writes rows as an aligned table, then a verdict: the worst R-hat
// and effective sample sizes, and what to do about them. NA stands for a number
// that does not exist.
func WriteSummary(w io.Writer, rows []Row) error {
	out := bufio.NewWriter(w)
	table := [][]string{append([]string{""}, Columns()...)}
	for _, r := range rows {
		table = append(table, append([]string{r.Name}, r.Cells()...))
	}
	widths := make([]int, len(table[0]))
	for _, line := range table {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range table {
		for i, cell := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 { // names to the left, numbers to the right
				fmt.Fprint(out, cell, pad)
			} else {
				fmt.Fprint(out, "  ", pad, cell)
			}
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out)
	for _, line := range Verdict(rows) {
		fmt.Fprintln(out, line)
	}
	return out.Flush()
}

// short prints a number to four significant digits, or to the unit where that
// spares it an exponent.
func short(x float64) string {
	if math.IsNaN(x) {
		return "NA"
	}
	if a := math.Abs(x); a >= 1e4 && a < 1e8 {
		return fixed(x, 0)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// fixed prints a number to so many decimals.
func fixed(x float64, decimals int) string {
	if math.IsNaN(x) {
		return "NA"
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// Verdict says in sentences how the worst rows stand and what to do. Rows without
// a figure are told of, never passed over.
func Verdict(rows []Row) []string {
	if len(rows) == 0 {
		return []string{"There is nothing to sum up: no variables."}
	}
	if rows[0].Draws == 0 {
		return []string{"There is nothing to sum up: no draws."}
	}
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	all, labelled := rows, slices.ContainsFunc(rows, func(r Row) bool { return r.Labelled })
	numbered, rest := splitLabelled(rows)
	invariant := slices.ContainsFunc(rest, func(r Row) bool {
		return (r.Sorted || r.Name == "log_joint" || r.Name == "lp__") && !math.IsNaN(r.Rhat)
	})
	switching := disagree(numbered) && invariant && !disagree(rest)
	if switching { // what changes with the numbering is beyond judging
		say("Label switching: the chains, or parts of them, number alike components differently. R-hat is up to %s for %s,", worstRhats(numbered, 1), list(variables(numbered)))
		say("and at most %s for what no numbering changes: trust %s.", worstRhats(rest, 1), list(variables(rest)))
		say("The mean or an interval of %s by itself says nothing. What follows is of the others.", worstName(numbered))
		rows = rest
	}
	elsewhere := "here"
	if switching {
		elsewhere = "else"
	}
	bulk, tail := -1, -1 // rows of the worst figures
	least := math.Inf(1) // ESS
	var broken, constant, unjudged, tailless []string
	for i, r := range rows {
		switch {
		case r.NotANumbers > 0:
			broken = append(broken, r.Name)
		case r.Fixed:
			constant = append(constant, r.Name)
		case math.IsNaN(r.Rhat) || math.IsNaN(r.ESSBulk):
			unjudged = append(unjudged, r.Name)
		case math.IsNaN(r.ESSTail):
			tailless = append(tailless, r.Name)
		}
		if !math.IsNaN(r.ESSBulk) && (bulk < 0 || r.ESSBulk < rows[bulk].ESSBulk) {
			bulk = i
		}
		if !math.IsNaN(r.ESSTail) && (tail < 0 || r.ESSTail < rows[tail].ESSTail) {
			tail = i
		}
	}
	judged := worstRhats(rows, 1) != ""
	switch {
	case disagree(rows):
		say("Worst R-hat %s.", worstRhats(rows, 3))
	case judged:
		say("Worst R-hat %s.", worstRhats(rows, 1))
	}
	if bulk >= 0 {
		worst := fmt.Sprintf("bulk %s (%s)", fixed(rows[bulk].ESSBulk, 0), rows[bulk].Name)
		least = rows[bulk].ESSBulk
		if tail >= 0 {
			worst += fmt.Sprintf(", tail %s (%s)", fixed(rows[tail].ESSTail, 0), rows[tail].Name)
			least = min(least, rows[tail].ESSTail)
		}
		say("Smallest ESS of %d draws: %s.", rows[0].Chains*rows[0].Draws, worst)
	}
	good := len(broken) == 0 && len(unjudged) == 0
	if len(broken) > 0 {
		say("Draws of %s are NaN or infinite: the model or its data let it happen, and no summary of them means anything.", list(broken))
	}
	if len(constant) > 0 {
		say("All draws are the same, so there is nothing to judge: %s.", list(constant))
	}
	if len(unjudged) > 0 {
		say("Too few draws to judge %s.", list(unjudged))
	}
	if len(tailless) > 0 {
		say("No tail ESS, since the 95 %% quantile is the largest value: %s.", list(tailless))
	}
	if disagree(rows) {
		good = false
		say("R-hat above %v: the chains do not agree yet. Run longer, warmup included.", GoodRhat)
		switch {
		case disagree(numbered) && disagree(rest):
			say("It is not label switching alone: of what no numbering of components changes, %s.", worstRhats(rest, 1))
			say("If it stays, the chains are at different modes: compare their means of the log joint, and start them from elsewhere.")
		case disagree(numbered):
			say("It may be label switching, but nothing that it leaves alone is here to tell: look at the log joint.")
		case labelled:
			say("It is not label switching. If it stays, the chains are at different modes: compare their means of the log joint.")
		default:
			say("If it stays, look for label switching (components that swap their names: compare sorted means or the log joint)")
			say("or for several modes.")
		}
	}
	if least < GoodESS {
		good = false
	}
	// Where chains are far apart an effective sample size counts that, and no length follows from it.
	if least < GoodESS && !slices.ContainsFunc(rows, func(r Row) bool { return r.Rhat > 1.1 }) {
		times := GoodESS / least
		say("ESS below %d: too few independent draws for stable intervals. Run about %s times longer.", GoodESS, short(math.Ceil(times*10)/10))
		if times > 10 {
			say("So slow a chain is better helped by another form of the model: integrate out what can be (collapse), draw together what is")
			say("correlated (block), or let a scale multiply effects of variance 1 in place of being their standard deviation.")
		}
	}
	if all[0].Chains == 1 {
		say("One chain only: R-hat compares its halves, and can't see what other starting points would show.")
	}
	if good && judged {
		say("R-hat at most %v and ESS at least %d: nothing %s speaks against these draws.", GoodRhat, GoodESS, elsewhere)
	}
	return lines
}

// splitLabelled parts rows whose numbers are arbitrary from the others.
func splitLabelled(rows []Row) (numbered, rest []Row) {
	for _, r := range rows {
		if r.Labelled {
			numbered = append(numbered, r)
		} else {
			rest = append(rest, r)
		}
	}
	return numbered, rest
}

// disagree reports whether the chains disagree on some row.
func disagree(rows []Row) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return r.Rhat > GoodRhat })
}

// worstRhats lists so many rows of the largest R-hat above the limit, or the one of the largest: 1.213 (mu.1), 1.100 (mu.3). It is
// empty if there is no R-hat.
func worstRhats(rows []Row, most int) string {
	order := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return math.IsNaN(r.Rhat) })
	slices.SortStableFunc(order, func(a, b Row) int { return cmp.Compare(b.Rhat, a.Rhat) })
	var out []string
	for i, r := range order {
		if i == 0 || i < most && r.Rhat > GoodRhat {
			out = append(out, fmt.Sprintf("%s (%s)", fixed(r.Rhat, 3), r.Name))
		}
	}
	return strings.Join(out, ", ")
}

// worstName is the name of the row of the largest R-hat, of which there is one.
func worstName(rows []Row) string {
	return slices.MaxFunc(rows, func(a, b Row) int { return cmp.Compare(a.Rhat, b.Rhat) }).Name
}

// variables are what the rows are of, each once.
func variables(rows []Row) []string {
	var out []string
	for _, r := range rows {
		v, _, _ := strings.Cut(r.Name, ".")
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// list names up to five things.
func list(names []string) string {
	if n := len(names); n > 5 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), n-5)
	}
	return strings.Join(names, ", ")
}
