// This file says in which order the updates of one chain are made.

package runtime

import (
	"fmt"
	"slices"
)

// A schedule decides the order of one chain's updates. It may keep a position
// and a permutation, so each chain has its own; it never looks at the state of
// the chain, since the order of updates must not depend on the draws.
//
// A round draws the globals once (or as often as the pace says), then one batch of units. A sweep is the work that refreshes
// every local unit once on average: with batches of m of N units N/m rounds, rounded so that the sweeps so far have made no more
// than they should, and less than one round fewer.
type schedule struct {
	pace
	n       int
	due     int // units that the sweeps so far should have refreshed, and have not
	batches *Batches
}

// A pace is how often the globals are drawn: so many times before each batch of so many units.
type pace struct{ batch, globals int }

// newSchedule returns the schedule of a chain of n units. Its stream of random numbers is its own: the order does not depend on
// what the chain draws.
func newSchedule(opts Options, chain, n int) *schedule {
	c := &schedule{n: n}
	if opts.Batch > 0 && opts.Batch < n || opts.Adapt != NoAdapt && n > 1 {
		c.batches = NewBatches(n, 1, opts.Scan, NewRand(opts.Seed, uint64(chain), scheduleStream))
	}
	c.set(pace{opts.Batch, opts.Globals})
	return c
}

// scheduleStream keys the stream of a schedule; the chain's own has one key less.
const scheduleStream = 1

// set changes the pace from the next round on. 0 stands for all units, and for one draw of the globals.
func (c *schedule) set(p pace) {
	if p.batch <= 0 || p.batch > c.n {
		p.batch = c.n
	}
	c.pace = pace{p.batch, max(p.globals, 1)}
	if c.batches != nil {
		c.batches.resize(max(p.batch, 1))
	}
	c.due = 0
}

// full reports whether a round is a full sweep.
func (c *schedule) full() bool { return c.batch == c.n }

// round draws the globals, then the locals of the next batch. Its error says which of them failed.
func (c *schedule) round(s Sampler) error {
	for range c.globals {
		if err := s.UpdateGlobals(); err != nil {
			return fmt.Errorf("globals: %w", err)
		}
	}
	var units []int // all, in order
	if c.full() {
		c.due = 0
	} else {
		units = c.batches.Next()
		c.due -= len(units)
	}
	if err := s.UpdateLocals(units); err != nil {
		return fmt.Errorf("locals: %w", err)
	}
	return nil
}

// sweep moves the chain on by one sweep. It calls each, if it is set, after every round, and ends with its error.
func (c *schedule) sweep(s Sampler, each func() error) error {
	c.due += c.n
	for first := true; c.due >= c.batch && (first || c.due > 0); first = false { // one round where there are no units
		if err := c.round(s); err != nil {
			return err
		}
		if each == nil {
			continue
		}
		if err := each(); err != nil {
			return err
		}
	}
	return nil
}

// Step makes one full sweep of s: UpdateGlobals, then UpdateLocals of all units
// in order.
func Step(s Sampler) error {
	n := s.Units()
	full := schedule{pace: pace{n, 1}, n: n}
	return full.round(s)
}

// A Scan is the order in which batches go through the units.
type Scan int

// The scans. What is known of them: for an exchangeable Gaussian model with one global, whose lag-1 correlation over full
// sweeps is γ, and c = 2γ/(1-γ), the integrated autocorrelation time of the global over rounds is 1 + c·N/m if batches are
// random, and 1 + c/2 + (c/2)·N/m if they are cyclic.
const (
	CyclicScan   Scan = iota // a permutation of runs of sixteen neighbours, drawn once, again and again
	ShuffledScan             // a new permutation of such runs for each pass
	RandomScan               // each batch a random subset of the units, whatever came before

	// SequentialScan goes through the units in their own order, again and again. It is cyclic, and the fastest, since generated code
	// refreshes neighbours together; but where neighbours are alike (sorted data, say), a batch tells the globals less.
	SequentialScan
)

var scanNames = []string{"cyclic", "shuffled", "random", "sequential"}

// String returns cyclic, shuffled, random or sequential.
func (s Scan) String() string {
	if s < 0 || int(s) >= len(scanNames) {
		return fmt.Sprintf("Scan(%d)", int(s))
	}
	return scanNames[s]
}

// MarshalText returns cyclic, shuffled, random or sequential.
func (s Scan) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Scan) UnmarshalText(text []byte) error {
	i := slices.Index(scanNames, string(text))
	if i < 0 {
		return fmt.Errorf("no scan %q: want %q, %q or %q", text, scanNames[0], scanNames[1], scanNames[2])
	}
	*s = Scan(i)
	return nil
}

// Batches goes through n units in batches of m.
type Batches struct {
	units int
	size  int
	run   int       // length of the runs of neighbours that stay together; the last may be shorter
	order []int     // a permutation of the runs
	at    int       // where the next batch begins: so many runs along order, times run, and so many units into that one
	part  []stretch // of the units, those of the next batch
	batch []int     // what Next returned
	scan  Scan
	rng   *Rand
}

// A stretch is consecutive units.
type stretch struct{ first, past int }

// neighbours is the length of the runs that a cyclic or shuffled scan permutes. Generated code refreshes consecutive units several
// times as fast as scattered ones, where a unit is quickly refreshed.
const neighbours = 16

// NewBatches returns batches of m of n units, 1 <= m <= n, in the order of scan, random numbers from rng.
func NewBatches(n, m int, scan Scan, rng *Rand) *Batches {
	b := &Batches{units: n, run: neighbours, scan: scan, rng: rng}
	if scan == RandomScan {
		b.run = 1
	}
	b.order = make([]int, (n+b.run-1)/b.run)
	b.resize(min(m, n))
	for i := range b.order {
		b.order[i] = i
	}
	if scan == CyclicScan {
		b.shuffle(len(b.order))
	}
	return b
}

// resize has the batches from the next one on hold m units. What a pass has gone through so far stays gone through.
func (b *Batches) resize(m int) {
	b.size = m
	b.batch = slices.Grow(b.batch[:0], m)
	b.part = slices.Grow(b.part[:0], m/b.run+3) // whole runs, and pieces at both ends and where a pass ends
}

// Size returns m.
func (b *Batches) Size() int { return b.size }

// Next returns the units of the next batch, m of them or, at the end of a shuffled scan's pass, what is left; ascending, since
// within a batch order is nothing to units that are independent given the globals, and memory is faster so. The slice is good
// until the next call.
func (b *Batches) Next() []int {
	if b.scan == RandomScan {
		b.shuffle(b.size)
		b.batch = append(b.batch[:0], b.order[:b.size]...)
		slices.Sort(b.batch)
		return b.batch
	}
	b.part = b.part[:0]
	if b.at == 0 && b.scan == ShuffledScan {
		b.shuffle(len(b.order))
	}
	for left := b.size; left > 0; { // a batch may hold the end of one pass and the beginning of the next
		begin := b.order[b.at/b.run] * b.run
		end := min(begin+b.run, b.units)
		s := stretch{begin + b.at%b.run, end}
		s.past = min(s.past, s.first+left)
		left -= s.past - s.first
		b.part = append(b.part, s)
		if b.at += s.past - s.first; s.past == end {
			b.at = (b.at + b.run - 1) / b.run * b.run // past a run that is shorter
		}
		if b.at == len(b.order)*b.run {
			b.at = 0
			if b.scan == ShuffledScan {
				break // lest a unit come twice
			}
		}
	}
	slices.SortFunc(b.part, func(x, y stretch) int { return x.first - y.first })
	b.batch = b.batch[:0]
	for _, s := range b.part {
		for u := s.first; u < s.past; u++ {
			b.batch = append(b.batch, u)
		}
	}
	return b.batch
}

// shuffle puts a random subset, in random order, into the first k places: Fisher and Yates.
func (b *Batches) shuffle(k int) {
	for i := range k {
		j := i + b.rng.IntN(len(b.order)-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
	}
}
