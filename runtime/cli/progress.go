// This file holds the progress of a run on stderr: on a terminal a bar for each chain, else one line every ten seconds.

package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gibbsgen/gibbsgen/runtime"
)

const (
	redrawEvery = 200 * time.Millisecond // on a terminal
	lineEvery   = 10 * time.Second       // elsewhere
	rhatEvery   = time.Second            // at the least, and a hundred times what it takes
)

// A progress hears of the chains, and tells of them in a goroutine of its own: what it shows has no influence on the draws.
type progress struct {
	w        io.Writer
	name     string
	size     func() (width, height int) // of the terminal; nil if w is none
	warmup   int                        // sweeps of a chain
	sampling int                        // sweeps, or rounds, of a chain
	thin     int
	limit    time.Duration // 0: none
	start    time.Time
	stop     chan struct{} // closed by finish
	stopped  chan struct{} // closed when nothing more will be shown

	mu     sync.Mutex
	chains []chainProgress
	rhat   float64 // the worst so far
	scalar string  // its name
	shown  int     // lines on the terminal now
	said   bool    // anything at all
}

// A chainProgress is how far one chain is.
type chainProgress struct {
	begun       bool
	phase       runtime.Phase
	done, total int       // of the phase
	since       time.Time // the first report of the phase
	from        int       // done at that time
	last        time.Time // the last report
	running     *running
}

// newProgress shows the progress of a run until finish is called.
func newProgress(w io.Writer, o runtime.Options, name string, quiet bool) *progress {
	p := &progress{w: w, name: name, warmup: max(o.Warmup, 0), sampling: o.Draws * o.Thin, thin: o.Thin, limit: o.Time,
		chains: make([]chainProgress, o.Chains), rhat: math.NaN(), start: time.Now(), stop: make(chan struct{}), stopped: make(chan struct{})}
	if f, ok := w.(*os.File); ok {
		if _, _, ok := terminalSize(f); ok {
			p.size = func() (width, height int) {
				width, height, _ = terminalSize(f)
				return width, height
			}
		}
	}
	if quiet {
		close(p.stopped)
		return p
	}
	go p.show()
	return p
}

// report is runtime.Options.Progress.
func (p *progress) report(chain int, phase runtime.Phase, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, now := &p.chains[chain], time.Now()
	if !c.begun || phase != c.phase {
		*c = chainProgress{begun: true, phase: phase, since: now, from: done, running: c.running}
	}
	c.done, c.total, c.last = done, total, now
}

// watch returns what is to be called at each draw of a chain.
func (p *progress) watch(chain int, s runtime.Sampler) func(logJoint float64) {
	r := newRunning(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chains[chain].running = r
	return r.draw
}

// show tells of the chains again and again.
func (p *progress) show() {
	defer close(p.stopped)
	every := lineEvery
	if p.size != nil {
		every = redrawEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	var rhatAt time.Time // not before
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
		}
		if now := time.Now(); now.After(rhatAt) {
			p.findRhat()
			rhatAt = time.Now().Add(max(rhatEvery, 100*time.Since(now)))
		}
		p.mu.Lock()
		if p.size != nil {
			p.draw(p.lines(p.size()))
		} else {
			fmt.Fprintf(p.w, "%s: %s\n", p.name, strings.Join(p.items(true), ", "))
		}
		p.said = true
		p.mu.Unlock()
	}
}

// findRhat looks at the draws so far, without holding up the chains.
func (p *progress) findRhat() {
	p.mu.Lock()
	var chains []*running
	for _, c := range p.chains {
		chains = append(chains, c.running)
	}
	p.mu.Unlock()
	rhat, scalar := worstRhat(chains)
	p.mu.Lock()
	p.rhat, p.scalar = rhat, scalar
	p.mu.Unlock()
}

// draw replaces what is on the terminal. The cursor stays at the end of the last line.
func (p *progress) draw(lines []string) {
	var b strings.Builder
	p.erase(&b)
	b.WriteString(strings.Join(lines, "\n"))
	p.shown = len(lines)
	io.WriteString(p.w, b.String())
}

// Write writes lines for good, above what is shown of the chains.
func (p *progress) Write(lines []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	p.erase(&b)
	if _, err := io.WriteString(p.w, b.String()); err != nil {
		return 0, err
	}
	return p.w.Write(lines)
}

// erase leaves the cursor where the first line was, with nothing below.
func (p *progress) erase(b *strings.Builder) {
	if p.shown == 0 {
		return
	}
	b.WriteString("\r")
	if p.shown > 1 {
		fmt.Fprintf(b, "\x1b[%dA", p.shown-1)
	}
	b.WriteString("\x1b[J")
	p.shown = 0
}

// finish ends the showing, and says how long the run took if anything was said before.
func (p *progress) finish() {
	close(p.stop)
	<-p.stopped
	switch {
	case !p.said:
	case p.size != nil:
		var b strings.Builder
		p.erase(&b)
		io.WriteString(p.w, b.String())
	default:
		fmt.Fprintf(p.w, "%s: done in %s\n", p.name, time.Since(p.start).Truncate(time.Second))
	}
}

// complete reports whether a chain has all its draws.
func (c *chainProgress) complete() bool {
	return c.begun && c.phase == runtime.Sampling && c.done == c.total
}

// waiting reports whether a chain waits for its turn: before its first sweep, or with a phase behind it that was made with the others.
func (c *chainProgress) waiting() bool {
	return !c.begun || c.phase != runtime.Sampling && c.done == c.total
}

// sweeps returns how many of the chain's sweeps, warmup and sampling, are made. Those of other phases do not count: how many they will be is not known.
func (p *progress) sweeps(c *chainProgress) int {
	share := func(of int) int { return int(float64(of) * float64(c.done) / float64(max(c.total, 1))) }
	switch {
	case !c.begun:
		return 0
	case c.phase == runtime.Warmup:
		return share(p.warmup)
	case c.phase == runtime.Sampling:
		return p.warmup + share(p.sampling)
	}
	return p.warmup
}

// rate returns what a chain makes in a second: draws, or before them sweeps; 0 if that is not known yet.
func (p *progress) rate(c *chainProgress) (rate float64, unit string) {
	if seconds := c.last.Sub(c.since).Seconds(); seconds > 0 {
		rate = float64(c.done-c.from) / seconds
	}
	switch c.phase {
	case runtime.Sampling:
		return rate / float64(p.thin), "draws/s"
	case runtime.Warmup:
		return rate, "sweeps/s"
	}
	return 0, ""
}

// left is the time that the run will still take, from the pace of the chains that are at it.
func (p *progress) left() (time.Duration, bool) {
	var pace float64 // sweeps a second, of all chains
	rest := 0
	for i := range p.chains {
		c := &p.chains[i]
		rest += p.warmup + p.sampling - p.sweeps(c)
		if rate, _ := p.rate(c); !c.complete() && rate > 0 {
			if c.phase == runtime.Sampling {
				rate *= float64(p.thin)
			}
			pace += rate
		}
	}
	left := time.Duration(math.MaxInt64)
	if seconds := float64(rest) / pace; seconds < 1e9 {
		left = time.Duration(seconds * float64(time.Second))
	}
	if p.limit > 0 {
		left = max(0, min(left, p.limit-time.Since(p.start)))
	}
	return left.Round(time.Second), left < math.MaxInt64
}

// items are what there is to say of all chains together, the most important first. Where there are no bars the phases are among them.
func (p *progress) items(phases bool) []string {
	var now []string
	done, complete, draws := 0, 0, 0.0
	for i := range p.chains {
		c := &p.chains[i]
		done += p.sweeps(c)
		switch {
		case c.complete():
			complete++
			continue
		case c.waiting():
			continue
		case !slices.Contains(now, c.phase.String()):
			now = append(now, c.phase.String())
		}
		if rate, unit := p.rate(c); unit == "draws/s" {
			draws += rate
		}
	}
	of := (p.warmup + p.sampling) * len(p.chains)
	out := []string{fmt.Sprintf("%d%%", 100*done/max(of, 1))}
	if phases {
		out = append([]string{cmp.Or(strings.Join(now, " and "), "no sweep is complete yet")}, out[0]+fmt.Sprintf(" of %d sweeps", of))
	}
	if left, ok := p.left(); ok {
		out = append(out, left.String()+" left")
	}
	if !math.IsNaN(p.rhat) {
		out = append(out, fmt.Sprintf("worst R-hat %s (%s)", short(p.rhat, 3), p.scalar))
	}
	if draws > 0 {
		out = append(out, short(draws, 0)+" draws/s")
	}
	if len(p.chains) > 1 {
		out = append(out, fmt.Sprintf("%d of %d chains complete", complete, len(p.chains)))
	}
	return out
}

// short writes a positive number with so many decimals, or fewer if it is large, or more if it is so small that they would show nothing.
func short(x float64, decimals int) string {
	switch {
	case x >= 1e5:
		return fmt.Sprintf("%.2g", x)
	case x >= 100:
		decimals = 0
	case x >= 10:
		decimals = min(decimals, 1)
	case x < 1:
		decimals = max(decimals, 2)
	default:
		decimals = max(decimals, 1)
	}
	return fmt.Sprintf("%.*f", decimals, x)
}

// lines are what a terminal of this size shows: a bar for each chain, as far as there is room those that are at it first, and a line for all.
func (p *progress) lines(width, height int) []string {
	width-- // the last column makes some terminals begin a new line
	var show []int
	for i := range p.chains {
		show = append(show, i)
	}
	if room := max(height-2, 1); len(show) > room {
		rank := func(i int) int {
			switch c := &p.chains[i]; {
			case !c.waiting() && !c.complete():
				return 0
			case c.waiting():
				return 1
			}
			return 2
		}
		slices.SortStableFunc(show, func(a, b int) int { return rank(a) - rank(b) })
		show = show[:room]
		slices.Sort(show)
	}
	var out []string
	for _, i := range show {
		out = append(out, p.bar(i, width))
	}
	line := p.name + ": "
	for i, item := range p.items(false) {
		if i > 0 {
			item = ", " + item
		}
		if plain, _, _ := strings.Cut(item, " ("); len(line)+len(item) > width { // without the name
			item = plain
		}
		if len(line)+len(item) <= width {
			line += item
		}
	}
	return append(out, clip(line, width))
}

// bar is the line of one chain.
func (p *progress) bar(i, width int) string {
	const most = 40
	c := &p.chains[i]
	text := "waiting"
	switch rate, unit := p.rate(c); {
	case c.complete():
		text = "complete"
	case !c.waiting():
		text = fmt.Sprintf("%-8s %3d%%", c.phase, 100*c.done/max(c.total, 1))
		if rate > 0 {
			text += fmt.Sprintf("  %s %s", short(rate, 0), unit)
		}
	}
	label := fmt.Sprintf("chain %*d ", len(fmt.Sprint(len(p.chains))), i+1)
	if width < 60 {
		label = strings.TrimPrefix(label, "chain ")
		text = strings.NewReplacer(" draws/s", "/s", " sweeps/s", "/s").Replace(text)
	}
	room := min(most, width-len(label)-len("[] ")-len("sampling 100%  99999 sweeps/s"))
	if width < 60 {
		room = min(most, width-len(label)-len("[] ")-len("sampling 100%  99999/s"))
	}
	if room < 4 {
		return clip(label+text, width)
	}
	full := room * p.sweeps(c) / max(p.warmup+p.sampling, 1)
	return clip(label+"["+strings.Repeat("=", full)+strings.Repeat(" ", room-full)+"] "+text, width)
}

// clip cuts a line that would be wrapped.
func clip(s string, width int) string { return s[:min(len(s), max(width, 0))] }
