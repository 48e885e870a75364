// This file holds the table at the end of a run. It is read back from the files, some columns at a time: a run holds no draws in memory,
// and its summary few.

package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gibbsgen/gibbsgen/runtime"
)

const (
	summaryMost = 400     // scalars of a run
	summaryEach = 200_000 // draws of one scalar, all chains together; of more every second, or third ... is taken
	summaryRead = 1 << 30 // bytes read for further scalars, once there are more than are held at a time
)

// summaryRoom is how many draws are held at a time, of all scalars: 8 MB. Tests change it.
var summaryRoom = 1 << 20

// summarise prints the table of the draws in the files of the chains that have some, and returns how many the first has.
func (s *settings) summarise(stdout, stderr io.Writer, chains []*recorder) (kept int, err error) {
	var files []string
	var names []string
	var labels runtime.Labels
	total, size := 0, int64(0)
	for _, r := range chains {
		if r == nil || !r.closed || r.draws == 0 {
			continue
		}
		path := s.path(r.chain)
		info, err := os.Stat(path)
		if err != nil {
			return 0, err
		}
		files, names = append(files, path), append([]string{"log_joint"}, r.names...)
		labels = r.labels
		total, size = total+r.draws, size+info.Size()
		if kept == 0 {
			kept = r.draws
		}
	}
	if len(files) == 0 {
		return 0, nil
	}
	every := 1 + (total-1)/summaryEach
	group := max(1, summaryRoom/(1+total/every))
	covered := min(len(names), 1+summaryMost, group*int(max(1, summaryRead/size)))
	var rows, sorted []runtime.Row
	for at, end := 0, 0; at < covered; at = end {
		end = groupEnd(names[:covered], at, group)
		draws := make([][][]float64, len(files))
		for i, path := range files {
			if draws[i], err = columns(path, at+1, end-at, every); err != nil { // lp__ is first
				return kept, err
			}
		}
		some, err := runtime.SummariseLabelled(names[at:end], draws, labels)
		if err != nil {
			return kept, err
		}
		rows = append(rows, some[:end-at]...)
		if whole := !within(names, at) && (end == covered || !within(names, end)); whole {
			sorted = append(sorted, some[end-at:]...)
		}
	}
	rows = append(rows, sorted...)
	if every > 1 && !s.quiet {
		fmt.Fprintf(stderr, "%s: note: the table is of every %s draw; gibbsgen summary takes all of them\n", s.model.Name, ordinal(every))
	}
	return kept, writeRows(stdout, rows, len(names))
}

// groupEnd returns where a group of at most so many names ends that begins at a position: not within a variable, if it has another.
func groupEnd(names []string, at, most int) int {
	end := min(at+most, len(names))
	for e := end; e > at; e-- {
		if e == len(names) || !within(names, e) {
			return e
		}
	}
	return end
}

// within reports whether the name at a position is of the same variable as that before it.
func within(names []string, at int) bool {
	return at > 0 && at < len(names) && variable(names[at]) == variable(names[at-1])
}

// columns reads n columns of a file of draws from the one at position at, every so many rows.
func columns(path string, at, n, every int) ([][]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := make([][]float64, n)
	row := 0
	_, _, _, err = runtime.ScanCmdStan(f, func(values []float64) error {
		if row++; row%every == 0 {
			for i := range out {
				if len(out[i]) == cap(out[i]) { // by half: what is made is to stay small
					out[i] = slices.Grow(out[i], 64+cap(out[i])/2)
				}
				out[i] = append(out[i], values[at+i])
			}
		}
		return nil
	})
	return out, err
}

// ordinal is 2nd, 3rd, 4th, ...
func ordinal(n int) string {
	ending := "th"
	if n/10%10 != 1 {
		switch n % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return fmt.Sprint(n, ending)
}

// tableMost is how many rows a summary shows.
const tableMost = 60

// WriteSummary prints the table of names × draws of several chains, and the verdict. Of many rows it shows the first, and says
// how many it left out; the verdict is on all that it was given. labels says which columns are numbered arbitrarily.
func WriteSummary(w io.Writer, names []string, chains [][][]float64, labels runtime.Labels) error {
	rows, err := runtime.SummariseLabelled(names, chains, labels)
	if err != nil {
		return err
	}
	return writeRows(w, rows, len(rows))
}

// writeRows prints a table of rows, which are the first of so many, and the verdict on them.
func writeRows(w io.Writer, rows []runtime.Row, of int) error {
	if of <= tableMost {
		return runtime.WriteSummary(w, rows)
	}
	var b strings.Builder
	if err := runtime.WriteSummary(&b, rows); err != nil {
		return err
	}
	shown := min(tableMost, len(rows))
	for i, line := range strings.SplitAfter(b.String(), "\n") { // the header, then a line a row
		if i == shown+1 {
			fmt.Fprintf(w, "... and %d more (gibbsgen summary --only NAME shows them)\n", of-shown)
		}
		if i <= shown || i > len(rows) {
			fmt.Fprint(w, line)
		}
	}
	return nil
}
