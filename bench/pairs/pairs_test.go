package pairs

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestSignRank holds the ranks and levels against the Binomial's distribution
// function, and against tables: Conover (1999), n = 20: the 6th and 15th, 0.9586.
func TestSignRank(t *testing.T) {
	for n := 6; n < 3000; n = n*5/4 + 1 {
		rank, level := signRank(n)
		number := distuv.Binomial{N: float64(n), P: 0.5}
		if want := 1 - 2*number.CDF(float64(rank)); math.Abs(level-want) > 1e-9 || level < confidence {
			t.Errorf("n = %d: level %v, want %v", n, level, want)
		}
		if next := 1 - 2*number.CDF(float64(rank+1)); next >= confidence {
			t.Errorf("n = %d: rank %d is not the largest", n, rank)
		}
	}
	if rank, level := signRank(20); rank != 5 || math.Abs(level-0.9586) > 5e-5 {
		t.Errorf("n = 20: rank %d, level %v", rank, level)
	}
}

// TestOrder: of the ratios 1, ..., 20, the interval is the 6th to the 15th.
func TestOrder(t *testing.T) {
	as, bs := make([]float64, 20), make([]float64, 20)
	for i := range as {
		as[i], bs[i] = float64((i*7)%20+1), 1
	}
	if r := compare(as, bs); r.Lo != 6 || r.Hi != 15 || r.Ratio != 10.5 || r.A != 10.5 || r.B != 1 {
		t.Errorf("%+v", r)
	}
}

// TestCompare makes up times with a known median ratio, in which the machine's speed
// drifts by a factor of ten and one time in ten is struck by something slow. The
// interval must cover as often as it says: 1000 tries with 0.9586 miss
// more than 75 times or fewer than 15 with a probability below 1e-6.
func TestCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const truth, tries, n = 1.2, 1000, 20
	missed := 0
	for range tries {
		as, bs := make([]float64, n), make([]float64, n)
		for i := range as {
			speed := math.Exp2(3.3 * float64(i) / n)
			hit := func() float64 {
				if r.IntN(10) == 0 {
					return 1 + 3*r.Float64()
				}
				return 1 + 0.02*r.Float64()
			}
			as[i], bs[i] = 100*truth*speed*hit(), 100*speed*hit()
		}
		got := compare(as, bs)
		if got.Pairs != n || got.Level < confidence || got.Lo > got.Ratio || got.Hi < got.Ratio {
			t.Fatalf("%+v", got)
		}
		if truth < got.Lo || truth > got.Hi {
			missed++
		}
	}
	if missed > 75 || missed < 15 {
		t.Errorf("the interval missed the truth %d times of %d, want 41 or so", missed, tries)
	}
}

// work makes a function that takes a time proportional to n.
func work(n int) func() {
	x := 1.0
	return func() {
		for range n {
			x = math.Sqrt(x + 1)
		}
	}
}

// BenchmarkSynthetic shows what a ratio of 1.5 and one of 1 look like.
func BenchmarkSynthetic(b *testing.B) {
	b.Run("1.5", func(b *testing.B) { Pair(b, work(30_000), work(20_000)) })
	b.Run("1.0", func(b *testing.B) { Pair(b, work(20_000), work(20_000)) })
}

// TestPair runs pairs of synthetic work, whose ratio is 3 give or take what any machine
// does; it looks at the bookkeeping and at gross errors (a ratio upside down), not at
// the timing.
func TestPair(t *testing.T) {
	var r Result
	a := work(3000)
	calledA, calledB := 0, 0
	result := testing.Benchmark(func(b *testing.B) {
		r = Pair(b, func() { calledA++; a() }, func() { calledB++; a(); a(); a() })
	})
	if r.Pairs < least || calledA == 0 || calledB == 0 || r.Lo > r.Ratio || r.Ratio > r.Hi {
		t.Errorf("%+v, %d and %d calls", r, calledA, calledB)
	}
	if !(r.Ratio > 0.1 && r.Ratio < 0.9) {
		t.Errorf("ratio %v, want 1/3", r.Ratio)
	}
	for metric, want := range map[string]float64{"ratio": r.Ratio, "ratio-lo": r.Lo, "ratio-hi": r.Hi,
		"pairs": float64(r.Pairs), "A-ns": r.A, "B-ns": r.B, "A-allocs": 0, "B-allocs": 0} {
		if got, ok := result.Extra[metric]; !ok || got != want {
			t.Errorf("%s: reported %v, want %v", metric, got, want)
		}
	}
}
