// Package pairs compares the speed of two programs that share a busy machine. Each is
// timed for a short while, then the other, and so on; each pair of neighbouring times
// gives a ratio, from which what slows the machine for longer than a pair has
// cancelled; the median of the ratios is reported with an interval that assumes
// nothing of their distribution.
package pairs

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

const (
	least      = 20   // pairs
	confidence = 0.95 // at least, of the interval
	// A timing lasts about this long: long beside the clock's resolution and what an
	// interrupt takes, short beside the machine's moods.
	span = 10 * time.Millisecond
)

// A Result compares two programs.
type Result struct {
	A, B   float64 // median CPU time of a call, ns
	Ratio  float64 // median over pairs of the time of A over that of B
	Lo, Hi float64 // sign-test interval for Ratio, of confidence Level
	Level  float64 // at least 0.95
	Pairs  int
}

// Pair times calls of two functions, A and B, one sweep each, in turns: A B, then B A, and so on, at
// least 20 pairs, more where -benchtime asks for them (-benchtime 100x: 100 pairs). The
// garbage collector is off meanwhile; the time is the thread's CPU time where the
// system has it (Linux), else the wall clock's. It reports
//
//	ratio, ratio-lo, ratio-hi   Result.Ratio, Lo and Hi
//	A-ns, B-ns                  Result.A and B
//	A-allocs, B-allocs          allocations of a call
//	pairs                       Result.Pairs
func Pair(b *testing.B, first, second func()) Result {
	b.Helper()
	runtime.LockOSThread() // the clock is the thread's
	defer runtime.UnlockOSThread()
	return pair(b, now, first, second)
}

// Wall is Pair by the wall clock, for programs of several threads.
func Wall(b *testing.B, first, second func()) Result {
	b.Helper()
	epoch := time.Now()
	return pair(b, func() time.Duration { return time.Since(epoch) }, first, second)
}

func pair(b *testing.B, now func() time.Duration, first, second func()) Result {
	b.Helper()
	allocs := func(f func()) float64 { return testing.AllocsPerRun(5, f) }
	allocsA, allocsB := allocs(first), allocs(second)
	na, nb := calls(now, first), calls(now, second)

	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var as, bs []float64
	both := func() {
		var ta, tb float64
		if len(as)%2 == 0 {
			ta = timed(now, first, na)
			tb = timed(now, second, nb)
		} else {
			tb = timed(now, second, nb)
			ta = timed(now, first, na)
		}
		as, bs = append(as, ta), append(bs, tb)
	}
	for b.Loop() {
		both()
	}
	for len(as) < least {
		both()
	}
	r := compare(as, bs)
	b.ReportMetric(0, "ns/op") // means nothing here
	b.ReportMetric(r.A, "A-ns")
	b.ReportMetric(r.B, "B-ns")
	b.ReportMetric(r.Ratio, "ratio")
	b.ReportMetric(r.Lo, "ratio-lo")
	b.ReportMetric(r.Hi, "ratio-hi")
	b.ReportMetric(allocsA, "A-allocs")
	b.ReportMetric(allocsB, "B-allocs")
	b.ReportMetric(float64(r.Pairs), "pairs")
	return r
}

// calls returns how many calls of f make a timing.
func calls(now func() time.Duration, f func()) int {
	for n := 1; ; n *= 2 {
		if t := timed(now, f, n) * float64(n); t >= float64(span)/2 || n >= 1<<30 {
			return n
		}
	}
}

// timed returns the time of a call of f, in ns, of n in a row.
func timed(now func() time.Duration, f func(), n int) float64 {
	start := now()
	for range n {
		f()
	}
	return float64(now()-start) / float64(n)
}

// compare summarises the times of pairs.
func compare(as, bs []float64) Result {
	ratios := make([]float64, len(as))
	for i := range ratios {
		ratios[i] = as[i] / bs[i]
	}
	slices.Sort(ratios)
	rank, level := signRank(len(ratios))
	return Result{
		A: median(as), B: median(bs), Ratio: median(ratios),
		Lo: ratios[rank], Hi: ratios[len(ratios)-1-rank], Level: level, Pairs: len(ratios),
	}
}

// median returns the median of x.
func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// signRank returns the largest 0-based rank such that the order statistics of that
// rank from below and from above, of n, contain the median with probability level
// >= confidence: each draw is on either side of the median with probability 1/2, so
// that the number below it is Binomial(n, 1/2), and the median is outside on either
// side with probability P(number <= rank). With n < 6 there is none; rank is 0.
func signRank(n int) (rank int, level float64) {
	logPMF, tail := -float64(n)*math.Ln2, 0.0
	for k := range (n + 1) / 2 {
		if k > 0 {
			logPMF += math.Log(float64(n-k+1) / float64(k))
		}
		tail += math.Exp(logPMF)
		if k > 0 && 1-2*tail < confidence {
			break
		}
		rank, level = k, 1-2*tail
	}
	return rank, level
}
