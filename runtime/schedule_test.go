package runtime

import (
	"errors"
	"slices"
	"testing"
)

// counted is a Sampler that notes which units were refreshed between draws of its globals.
type counted struct {
	Sampler
	n      int
	rounds [][]int
}

func (c *counted) Units() int { return c.n }

func (c *counted) UpdateGlobals() error {
	c.rounds = append(c.rounds, nil)
	return nil
}

func (c *counted) UpdateLocals(units []int) error {
	if units == nil {
		return errors.New("a full sweep")
	}
	c.rounds[len(c.rounds)-1] = slices.Clone(units)
	return nil
}

// strictly orders numbers so that equal ones are out of order.
func strictly(a, b int) int { return a - b - 1 }

// TestBatches: sweeps refresh as many units as they should, each batch has m of them, ascending and none twice, and a scan goes through them as
// it says.
func TestBatches(t *testing.T) {
	const n, sweeps = 37, 300 // two runs of neighbours, and a piece of one
	for _, scan := range []Scan{CyclicScan, ShuffledScan, RandomScan, SequentialScan} {
		for m := 1; m < n; m++ {
			s := &counted{n: n}
			sched := newSchedule(Options{Batch: m, Scan: scan, Seed: 3}, 2, n)
			units := 0
			for k := range sweeps {
				if err := sched.sweep(s, nil); err != nil {
					t.Fatal(err)
				}
				units = 0
				for _, r := range s.rounds {
					units += len(r)
				}
				if due := (k + 1) * n; units > due || units <= due-m {
					t.Fatalf("%v, m = %d: %d units in %d sweeps of %d", scan, m, units, k+1, n)
				}
			}
			times := make([]int, n)
			var first, last []int // batches, from the first pass and from the last
			for i, r := range s.rounds {
				short := scan == ShuffledScan && len(r) == n%m && len(r) > 0 // the end of a pass
				if len(r) != m && !short || !slices.IsSortedFunc(r, strictly) {
					t.Fatalf("%v, m = %d: batch %v", scan, m, r)
				}
				for _, u := range r {
					times[u]++
				}
				if i*m%n == 0 && i+n < len(s.rounds) {
					if first == nil {
						first = r
					}
					last = r
				}
			}
			least, most := slices.Min(times), slices.Max(times)
			switch {
			case scan != RandomScan && most-least > 1:
				t.Errorf("%v, m = %d: units were refreshed %v times", scan, m, times)
			case scan == RandomScan && (least < 200 || most > 400): // 300 ± 17 at most: 5.8 standard deviations
				t.Errorf("%v, m = %d: units were refreshed %v times", scan, m, times)
			case scan == SequentialScan && (first[0] != 0 || first[m-1] != m-1):
				t.Errorf("%v, m = %d: a pass begins with %v", scan, m, first)
			case (scan == CyclicScan || scan == SequentialScan) && !slices.Equal(first, last):
				t.Errorf("%v, m = %d: passes begin with %v and with %v", scan, m, first, last)
			}
		}
	}
	if !newSchedule(Options{Batch: n}, 0, n).full() {
		t.Error("a batch of all units is no full sweep")
	}
}

// TestStepAllocatesNothing: a sweep by itself makes no schedule that lives on.
func TestStepAllocatesNothing(t *testing.T) {
	s := newExchange(10, 0.5, 1, 0)
	if n := testing.AllocsPerRun(100, func() {
		if err := Step(s); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
