// This file tests crews on a chain that is made up: each unit is a number drawn afresh, of which the chain keeps the sum and counts
// how many are above 1/2.

package runtime

import (
	"fmt"
	goruntime "runtime"
	"slices"
	"testing"
)

type crewChain struct {
	crew   *Crew
	rng    *Rand
	x      []float64
	sum    float64
	above  int
	bad    []int    // units whose draw fails
	joined []string // what was done to the chain, in order
}

type crewWorker struct {
	chain *crewChain
	rng   *Rand
	above *int // the chain's own, of the first worker
}

func (w *crewWorker) Join() {
	if w.above != &w.chain.above {
		*w.above = 0
	}
}

func (w *crewWorker) Refresh(sums []float64, units []int, first, past int) error {
	draw := func(u int) error {
		if slices.Contains(w.chain.bad, u) {
			return fmt.Errorf("unit %d", u)
		}
		old := w.chain.x[u]
		w.chain.x[u] = w.rng.Float64()
		sums[0] += w.chain.x[u] - old
		*w.above += Index(w.chain.x[u] > 0.5) - Index(old > 0.5)
		return nil
	}
	for u := first; units == nil && u < past; u++ {
		if err := draw(u); err != nil {
			return err
		}
	}
	for _, u := range units {
		if err := draw(u); err != nil {
			return err
		}
	}
	return nil
}

func (w *crewWorker) Add(sums []float64) {
	w.chain.sum += sums[0]
	if w.chain.joined != nil {
		w.chain.joined = append(w.chain.joined, fmt.Sprint(sums[0]))
	}
}

func (w *crewWorker) Leave() { w.chain.above += *w.above }

func newCrewChain(n, block int) *crewChain {
	c := &crewChain{rng: NewRand(7), x: make([]float64, n)}
	c.crew = NewCrew(CrewSizes{Units: n, Elements: n, Sums: 1}, func(rng *Rand, first bool) Worker {
		w := &crewWorker{chain: c, rng: rng, above: &c.above}
		if !first {
			w.above = new(int)
		}
		return w
	})
	if block > 0 {
		c.crew.SetBlock(block)
	}
	return c
}

func (c *crewChain) refresh(units []int) error { return c.crew.Refresh(c.rng, units) }

// TestCrew draws all units and some of them by several numbers of workers: what is left is the same to the bit, and all that was
// drawn has another value.
func TestCrew(t *testing.T) {
	var want *crewChain
	for _, workers := range []int{1, 2, 3, 4, 9} {
		for _, procs := range []int{1, 2, 4} {
			before := goruntime.GOMAXPROCS(procs)
			c := newCrewChain(1000, 30)
			c.joined = []string{}
			c.crew.SetWorkers(workers)
			for round := range 20 {
				units := []int(nil)
				if round%2 == 1 {
					for u := round; u < 1000; u += 7 {
						units = append(units, u)
					}
				}
				if err := c.refresh(units); err != nil {
					t.Fatal(err)
				}
			}
			goruntime.GOMAXPROCS(before)
			seen := map[float64]bool{}
			above := 0
			for _, x := range c.x {
				seen[x] = true
				above += Index(x > 0.5)
			}
			if len(seen) != len(c.x) {
				t.Errorf("%d workers: %d different numbers of %d: streams are used twice", workers, len(seen), len(c.x))
			}
			if above != c.above {
				t.Errorf("%d workers: %d counted, %d are above 1/2", workers, c.above, above)
			}
			if want == nil {
				want = c
			}
			if !slices.Equal(c.x, want.x) || c.sum != want.sum || c.above != want.above || !slices.Equal(c.joined, want.joined) {
				t.Errorf("%d workers, GOMAXPROCS %d: other draws, or sums added in another order, than by one", workers, procs)
			}
		}
	}
}

// TestCrewFirstError lets two units fail: the error is that of the one in the earlier block, whoever comes first.
func TestCrewFirstError(t *testing.T) {
	for workers := 1; workers <= 6; workers++ {
		for range 50 {
			c := newCrewChain(600, 20)
			c.crew.SetWorkers(workers)
			c.bad = []int{590, 41, 77}
			if err := c.refresh(nil); err == nil || err.Error() != "unit 41" {
				t.Fatalf("%d workers: error %v, want that of unit 41", workers, err)
			}
			c.bad = nil
			if err := c.refresh(nil); err != nil {
				t.Fatalf("%d workers: error %v of a round before", workers, err)
			}
		}
	}
}

func TestCrewBlocks(t *testing.T) {
	for _, tt := range []struct {
		sizes CrewSizes
		units int // 0: all
		want  int
	}{
		{CrewSizes{Units: 100, Elements: 100}, 0, 1},
		{CrewSizes{Units: 8191, Elements: 8191, Sums: 5}, 0, 1},
		{CrewSizes{Units: 8192, Elements: 8192, Sums: 5}, 0, 2},
		{CrewSizes{Units: 1e6, Elements: 1e6, Sums: 20}, 0, 64},
		{CrewSizes{Units: 1e6, Elements: 1e6, Sums: 20}, 1e4, 2},
		{CrewSizes{Units: 1e6, Elements: 1e6, Sums: 20}, 1, 1},
		{CrewSizes{Units: 100, Elements: 1e6}, 0, 64},
		{CrewSizes{Units: 10, Elements: 1e6}, 0, 10},                // a unit is not cut
		{CrewSizes{Units: 1e6, Elements: 1e6, Sums: 1e4}, 0, 25},    // a block draws four times for each number that it sums
		{CrewSizes{Units: 1e9, Elements: 1e9, Sums: 1 << 18}, 0, 4}, // 8 MB of sums
		{CrewSizes{Units: 1e4, Elements: 1e6, Counts: 4e6}, 0, 64},  // tables
		{CrewSizes{Units: 1e4, Elements: 1e6, Counts: 4e6}, 5000, 1},
	} {
		var units []int
		if tt.units > 0 {
			units = make([]int, tt.units)
		}
		c := NewCrew(tt.sizes, nil)
		if got := c.Blocks(units); got != tt.want {
			t.Errorf("%+v, %d units: %d blocks, want %d", tt.sizes, tt.units, got, tt.want)
		}
		c.SetWorkers(5)
		if got := c.Blocks(units); got != tt.want {
			t.Errorf("%+v, %d units, five workers: %d blocks, want %d", tt.sizes, tt.units, got, tt.want)
		}
	}
}

// TestBlockStart checks that blocks are what they are said to be: all units, no block empty, all of about the same size.
func TestBlockStart(t *testing.T) {
	for _, n := range []int{1, 2, 3, 63, 64, 65, 127, 200, 255, 256, 257, 8192, 9999, 1e6 + 1} {
		for blocks := 1; blocks <= min(n, 64); blocks++ {
			if blockStart(n, blocks, 0) != 0 || blockStart(n, blocks, blocks) != n {
				t.Fatalf("%d units in %d blocks: from %d to %d", n, blocks, blockStart(n, blocks, 0), blockStart(n, blocks, blocks))
			}
			slack := 0
			if n/blocks >= 128 {
				slack = 15
			}
			for b := range blocks {
				if size := blockStart(n, blocks, b+1) - blockStart(n, blocks, b); size < n/blocks-slack || size > n/blocks+1+slack {
					t.Fatalf("%d units in %d blocks: block %d has %d", n, blocks, b, size)
				}
			}
		}
	}
}

// TestCrewAllocates nothing once everybody is there.
func TestCrewAllocates(t *testing.T) {
	c := newCrewChain(1000, 100)
	c.crew.SetWorkers(3)
	round := func() {
		if err := c.refresh(nil); err != nil {
			t.Error(err)
		}
	}
	for range 20 {
		round()
	}
	if n := testing.AllocsPerRun(200, round); n >= 1 {
		t.Errorf("%v allocations a round", n)
	}
}

// TestCrewLeavesNoGoroutine: a chain that nobody holds any more leaves nothing behind.
func TestCrewLeavesNoGoroutine(t *testing.T) {
	before := goruntime.NumGoroutine()
	for range 10 {
		c := newCrewChain(1000, 100)
		c.crew.SetWorkers(4)
		if err := c.refresh(nil); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 { // those that have called Done may not be gone yet
		if goruntime.NumGoroutine() <= before {
			return
		}
		goruntime.Gosched()
	}
	t.Error("goroutines are left behind")
}
