// This file holds the progress of a run on stderr: a line that changes on a terminal, else one line every ten seconds.

package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/gibbsgen/gibbsgen/runtime"
)

type progress struct {
	w     io.Writer
	name  string
	quiet bool
	live  bool          // w is a terminal
	every time.Duration // between lines

	mu    sync.Mutex
	done  []int // sweeps of each chain
	total int   // of one chain
	limit time.Duration
	start time.Time
	last  time.Time
	shown bool
}

func newProgress(w io.Writer, o runtime.Options, name string, quiet bool) *progress {
	p := &progress{w: w, name: name, quiet: quiet, every: 10 * time.Second,
		done: make([]int, o.Chains), total: max(o.Warmup, 0) + o.Draws*o.Thin, limit: o.Time}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.live, p.every = true, 200*time.Millisecond
		}
	}
	p.start = time.Now()
	p.last = p.start
	return p
}

// report is runtime.Options.Progress.
func (p *progress) report(chain int, phase runtime.Phase, done, total int) {
	if p.quiet {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if phase == runtime.Sampling {
		done += p.total - total
	}
	p.done[chain] = done
	now := time.Now()
	if now.Sub(p.last) < p.every {
		return
	}
	p.last = now
	p.shown = true
	sum, complete := 0, 0
	for _, d := range p.done {
		sum += d
		if d == p.total {
			complete++
		}
	}
	of := p.total * len(p.done)
	left := ""
	if sum > 0 {
		rest := time.Duration(float64(now.Sub(p.start)) * float64(of-sum) / float64(sum))
		if p.limit > 0 {
			rest = max(0, min(rest, p.limit-now.Sub(p.start)))
		}
		left = fmt.Sprintf(", %s left", rest.Round(time.Second))
	}
	line := fmt.Sprintf("%s: %3d%% of %d sweeps, %d of %d chains complete%s", p.name, 100*sum/of, of, complete, len(p.done), left)
	if p.live {
		fmt.Fprintf(p.w, "\r%s\x1b[K", line)
	} else {
		fmt.Fprintln(p.w, line)
	}
}

// finish says how long it took, if anything was said before.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !p.shown:
	case p.live:
		fmt.Fprint(p.w, "\r\x1b[K")
	default:
		fmt.Fprintf(p.w, "%s: done in %s\n", p.name, time.Since(p.start).Truncate(time.Second))
	}
}
