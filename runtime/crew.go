// This file holds crews: the workers that refresh the units of one chain side by side, where these are independent given the globals.
//
// Units are cut into blocks, of which there are as many as sizes say, whatever the number of workers. A block has a random stream,
// keyed by two words of the chain's stream and its own number, and sums of real numbers, which are added to the chain's in the
// order of the blocks. Whole numbers are counted by each worker: their order is nothing. So the draws do not depend on how many
// workers there are, nor on which of them takes which block.

package runtime

import (
	"sync"
	"sync/atomic"
)

// A Worker refreshes blocks of units of a chain. In generated code it is a copy of the chain with random numbers, scratch space and
// sums of its own.
type Worker interface {
	// Join makes the worker a copy of the chain as it is now, but for what is its own.
	Join()

	// Refresh draws the locals of the units; if units is nil, of those from first up to, not including, past. It leaves in sums,
	// which are zero before, what the block adds to the chain's sums of real numbers.
	Refresh(sums []float64, units []int, first, past int) error

	// Add adds what Refresh left in sums to the chain's.
	Add(sums []float64)

	// Leave adds the whole numbers that the worker counted to the chain's.
	Leave()
}

// A Crewed is a Sampler whose units are independent given the globals.
type Crewed interface {
	Sampler
	Crew() *Crew
}

// A Coupled is a Sampler whose units are refreshed one after the other.
type Coupled interface {
	Sampler
	Coupled() string // why: "the draw of z[t] reads ..."
}

// CrewSizes are what the number of blocks is decided by.
type CrewSizes struct {
	Units    int // local units
	Elements int // draws that refresh all of them
	Sums     int // real numbers that each block sums
	Counts   int // whole numbers that each worker counts
}

const (
	blockElements = 4096    // the fewest draws of a block: some ten times what it costs to wake a worker for it
	mostBlocks    = 64      // enough for the workers of one machine to end at about the same time
	mostSums      = 1 << 20 // the most real numbers that all blocks sum: 8 MB
	sumsShare     = 4       // a block draws so many times at the least for each number that it sums,
	countsShare   = 4       // and counts at the most so many numbers for each draw of all blocks
)

// A Crew refreshes the units of one chain in blocks.
type Crew struct {
	sizes   CrewSizes
	hire    func(rng *Rand, first bool) Worker
	workers int
	block   int // elements of a block, if it was set
	members []*member
	sums    []float64 // of each block, stride apart
	stride  int

	// Of the round under way.
	units  []int // nil: all
	n      int   // how many
	blocks int
	key    [2]uint64
	next   atomic.Int64 // block that is to be taken next
	errs   []error      // by block
	failed atomic.Bool
	busy   sync.WaitGroup
}

// A member is a worker with its random numbers, alone on their lines of the processor's cache.
type member struct {
	Worker
	work   func() // its own method, made once, so that a round allocates nothing
	crew   *Crew
	number int
	_      [64]byte
	rng    Rand
	_      [64]byte
}

// NewCrew returns the crew, of one worker, of a chain of these sizes. hire makes a worker that draws from rng; the first counts
// in the chain's own tables.
func NewCrew(sizes CrewSizes, hire func(rng *Rand, first bool) Worker) *Crew {
	return &Crew{sizes: sizes, hire: hire, workers: 1, stride: (sizes.Sums+7)/8*8 + 8}
}

// SetWorkers says how many workers refresh units side by side, at least 1. The draws do not depend on it.
func (c *Crew) SetWorkers(n int) { c.workers = max(1, n) }

// SetBlock has blocks of about so many draws, whatever that costs: tests of small data are made of several blocks then. The draws
// depend on it.
func (c *Crew) SetBlock(elements int) { c.block = max(1, elements) }

// Blocks returns into how many blocks the units are cut; nil means all. If it is 1, the chain refreshes them itself.
func (c *Crew) Blocks(units []int) int {
	n := c.sizes.Units
	if units != nil {
		n = len(units)
	}
	if n < 2 {
		return 1
	}
	elements := int(float64(n) / float64(c.sizes.Units) * float64(c.sizes.Elements))
	blocks := 0
	switch {
	case c.block > 0:
		blocks = elements / c.block
	case c.sizes.Counts > countsShare*elements:
		return 1
	default:
		sums := max(1, c.sizes.Sums)
		blocks = min(elements/blockElements, elements/(sumsShare*sums), mostSums/sums)
	}
	return max(1, min(blocks, mostBlocks, n))
}

// Refresh draws the locals of the units, nil for all, in as many blocks as Blocks says. Two words are drawn from rng, the
// chain's own stream. The error is that of the first block that has one.
func (c *Crew) Refresh(rng *Rand, units []int) error {
	c.units, c.n, c.blocks = units, len(units), c.Blocks(units)
	if units == nil {
		c.n = c.sizes.Units
	}
	c.key = [2]uint64{rng.Uint64(), rng.Uint64()}
	c.failed.Store(false)
	if len(c.errs) < c.blocks {
		c.errs = make([]error, c.blocks)
		c.sums = make([]float64, c.blocks*c.stride)
	}
	workers := min(c.workers, c.blocks)
	c.next.Store(int64(workers))
	for len(c.members) < workers {
		m := &member{crew: c, number: len(c.members)}
		m.Worker = c.hire(&m.rng, m.number == 0)
		m.work = m.refresh
		c.members = append(c.members, m)
	}
	c.busy.Add(workers)
	for _, m := range c.members[1:workers] {
		go m.work()
	}
	c.members[0].work()
	c.busy.Wait()
	c.units = nil
	if c.failed.Load() {
		return c.firstError()
	}
	for b := range c.blocks {
		c.members[0].Add(c.sumsOf(b))
	}
	for _, m := range c.members[1:workers] {
		m.Leave()
	}
	return nil
}

// sumsOf returns the sums of a block.
func (c *Crew) sumsOf(block int) []float64 { return c.sums[block*c.stride:][:c.sizes.Sums] }

// firstError returns the error of the first block that has one, which depends on nothing else: every block before one that was
// taken is drawn to its end.
func (c *Crew) firstError() (first error) {
	for i, err := range c.errs {
		if first == nil {
			first = err
		}
		c.errs[i] = nil
	}
	return first
}

// refresh takes blocks until none is left: first the one of the member's own number, so that everybody takes part, then what is next.
func (m *member) refresh() {
	c := m.crew
	defer c.busy.Done()
	m.Join()
	for b := m.number; b < c.blocks; b = int(c.next.Add(1)) - 1 {
		m.rng.Reseed(c.key[0], c.key[1], uint64(b))
		first, past := blockStart(c.n, c.blocks, b), blockStart(c.n, c.blocks, b+1)
		units := c.units
		if units != nil {
			units = units[first:past]
		}
		sums := c.sumsOf(b)
		clear(sums)
		if err := m.Refresh(sums, units, first, past); err != nil {
			c.errs[b] = err
			c.failed.Store(true)
		}
		if c.failed.Load() {
			return
		}
	}
}

// blockStart returns where block b of n units begins: if blocks are long, at a multiple of what shares a line of the processor's cache.
func blockStart(n, blocks, b int) int {
	const line = 16
	at := b*(n/blocks) + b*(n%blocks)/blocks
	if b < blocks && n/blocks >= 8*line {
		at -= at % line
	}
	return at
}

// Scratch returns n cells that share no line of the processor's cache with what others write.
func Scratch[T int32 | float64](n int) []T {
	const line = 16 // cells of 4 bytes
	return make([]T, n+2*line)[line : line+n : line+n]
}

// AddCells adds each cell of src to that of dst, and returns what src has beyond.
func AddCells[T int32 | float64](dst, src []T) (rest []T) {
	for i, v := range src[:len(dst)] {
		dst[i] += v
	}
	return src[len(dst):]
}
