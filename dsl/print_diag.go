// This file makes diagnostics and prints them: where, what, why, and what next.

package dsl

import (
	"bufio"
	"fmt"
	"io"
	"sort"
	"strings"
	"unicode"
)

// Errorf adds an error. The message is one line without a full stop.
func (ds *Diags) Errorf(span Span, code, format string, args ...any) *Diag {
	return ds.add(Error, span, code, format, args)
}

// Warnf adds a warning.
func (ds *Diags) Warnf(span Span, code, format string, args ...any) *Diag {
	return ds.add(Warning, span, code, format, args)
}

func (ds *Diags) add(sev Severity, span Span, code, format string, args []any) *Diag {
	d := &Diag{Severity: sev, Code: code, Span: span, Msg: fmt.Sprintf(format, args...)}
	*ds = append(*ds, d)
	return d
}

// Note adds a line that says why, and returns d.
func (d *Diag) Note(format string, args ...any) *Diag {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
	return d
}

// WithHint sets the line that says what to do next, and returns d.
func (d *Diag) WithHint(format string, args ...any) *Diag {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// String returns "error" or "warning".
func (s Severity) String() string { return [...]string{"error", "warning"}[s] }

const (
	tabWidth   = 4   // columns between tab stops in an excerpt
	excerptMax = 100 // columns of an excerpt; longer lines show a window around the place
)

// Format writes the diagnostics in the order of their places in f, each with an excerpt of the source:
//
//	lasso.gm:9:3: error: what is wrong
//	  9 | the line
//	    |   ^^^^
//	    why it is wrong
//	    hint: what to do
//
// Only f's Path and Src are used. Columns are counted in characters; characters that a terminal shows two columns wide
// shift the carets.
func (ds Diags) Format(w io.Writer, f *File) error {
	sorted := append(Diags(nil), ds...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Span.Start.Offset < sorted[j].Span.Start.Offset })
	out := bufio.NewWriter(w)
	for _, d := range sorted {
		d.format(out, f)
	}
	return out.Flush()
}

func (d *Diag) format(out *bufio.Writer, f *File) {
	start := d.Span.Start
	fmt.Fprintf(out, "%s:%d:%d: %s: %s\n", f.Path, start.Line, start.Col, d.Severity, visible(d.Msg))
	number := fmt.Sprint(start.Line)
	margin := strings.Repeat(" ", len(number))
	if text, ok := lineAt(f.Src, start); ok {
		code, carets := excerpt(text, d.Span)
		fmt.Fprintf(out, "  %s | %s\n", number, code)
		fmt.Fprintf(out, "  %s | %s\n", margin, carets)
	}
	for _, n := range d.Notes {
		fmt.Fprintf(out, "  %s   %s\n", margin, visible(n))
	}
	if d.Hint != "" {
		fmt.Fprintf(out, "  %s   hint: %s\n", margin, visible(d.Hint))
	}
}

// lineAt returns the text of the line that p is on, or false if src is not the text that p belongs to.
func lineAt(src string, p Pos) (string, bool) {
	if p.Line < 1 || p.Offset < 0 || p.Offset > len(src) {
		return "", false
	}
	begin := strings.LastIndexByte(src[:p.Offset], '\n') + 1
	end := len(src)
	if n := strings.IndexByte(src[p.Offset:], '\n'); n >= 0 {
		end = p.Offset + n
	}
	return src[begin:end], true
}

// excerpt returns a line as shown and the carets under the span, of which only the part on this line is marked.
func excerpt(text string, span Span) (code, carets string) {
	// Columns from, to (half-open) of the shown line are marked.
	var shown []rune
	from, to := -1, -1
	col := 1
	mark := func() {
		if col == span.Start.Col {
			from = len(shown)
		}
		if span.End.Line == span.Start.Line && col == span.End.Col {
			to = len(shown)
		}
	}
	for _, r := range strings.TrimRight(text, " \t\r") {
		mark()
		switch {
		case r == '\t':
			shown = append(shown, []rune(strings.Repeat(" ", tabWidth-len(shown)%tabWidth))...)
		case printable(r):
			shown = append(shown, r)
		default:
			shown = append(shown, unicode.ReplacementChar)
		}
		col++
	}
	mark()
	if from < 0 {
		from = len(shown)
	}
	if to < 0 {
		to = len(shown)
	}
	to = max(to, from+1)

	if len(shown) > excerptMax {
		begin := max(0, min(from-excerptMax/3, len(shown)-excerptMax))
		end := min(len(shown), begin+excerptMax)
		window := append([]rune(nil), shown[begin:end]...)
		if begin > 0 {
			window[0] = '…'
		}
		if end < len(shown) {
			window[len(window)-1] = '…'
		}
		shown = window
		from, to = from-begin, min(to, end)-begin
		to = max(to, from+1)
	}
	return string(shown), strings.Repeat(" ", from) + strings.Repeat("^", to-from)
}

// printable reports whether a terminal shows r as it is: neither control codes nor marks that reorder text.
func printable(r rune) bool { return r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) }

// visible replaces what a terminal would act on instead of showing it.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if printable(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}
