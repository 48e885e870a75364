package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// least is the least cost of an assignment, by trying all: the rows from i on, columns in use marked.
func least(cost [][]float64, i int, used []bool, skips int) float64 {
	if i == len(cost) {
		return 0
	}
	best := math.Inf(1)
	if skips > 0 {
		best = least(cost, i+1, used, skips-1)
	}
	for j, c := range cost[i] {
		if !used[j] {
			used[j] = true
			best = min(best, c+least(cost, i+1, used, skips))
			used[j] = false
		}
	}
	return best
}

// TestAssign compares the cost with the least of all assignments, on square and oblong tables with ties and negative numbers.
func TestAssign(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		rows, columns := 1+rng.IntN(6), 1+rng.IntN(6)
		cost := make([][]float64, rows)
		whole := rng.IntN(2) == 0
		for i := range cost {
			for range columns {
				x := 10*rng.Float64() - 5
				if whole {
					x = math.Floor(x)
				}
				cost[i] = append(cost[i], x)
			}
		}
		match, err := Assign(cost)
		if err != nil {
			t.Fatal(err)
		}
		var got float64
		used := make([]bool, columns)
		without := 0
		for i, j := range match {
			switch {
			case j < 0:
				without++
			case used[j]:
				t.Fatalf("column %d is given twice: %v", j, match)
			default:
				used[j] = true
				got += cost[i][j]
			}
		}
		if len(match) != rows || without != max(0, rows-columns) {
			t.Fatalf("%d rows, %d columns: %v", rows, columns, match)
		}
		if want := least(cost, 0, make([]bool, columns), without); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v: %v costs %g, the best %g", cost, match, got, want)
		}
	}
}

func TestAssignByHand(t *testing.T) {
	// Taking the cheapest pair first (row 1, column 1: 1) would force 1 + 10 + 9 or 1 + 7 + 6; the best is 2 + 3 + 4 = 9.
	match, err := Assign([][]float64{{1, 2, 5}, {3, 7, 10}, {9, 6, 4}})
	if err != nil || !slices.Equal(match, []int{1, 0, 2}) {
		t.Errorf("%v, %v", match, err)
	}
	if _, err := Assign([][]float64{{1}, {math.NaN()}}); err == nil {
		t.Error("a cost that is not a number is taken")
	}
	if _, err := Assign([][]float64{{1, 2}, {1}}); err == nil {
		t.Error("rows of unequal length are taken")
	}
}

func TestPurity(t *testing.T) {
	for _, c := range []struct {
		cluster, class []int32
		want           float64
	}{
		{[]int32{0, 0, 1, 1}, []int32{1, 1, 0, 0}, 1},
		{[]int32{0, 0, 0, 0}, []int32{0, 0, 0, 1}, 0.75},
		{[]int32{0, 1, 2, 3}, []int32{0, 0, 0, 1}, 1},                   // too many clusters cost nothing
		{[]int32{0, 0, 0, 2, 2, 2}, []int32{0, 0, 1, 1, 2, 2}, 4.0 / 6}, // two of three in each
	} {
		if got, err := Purity(c.cluster, c.class); err != nil || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v of %v: %g, %v; want %g", c.cluster, c.class, got, err, c.want)
		}
	}
	if _, err := Purity([]int32{0}, nil); err == nil {
		t.Error("clusters without classes are taken")
	}
}

func TestMatchedMSE(t *testing.T) {
	truth := [][]float64{{0, 0}, {10, 0}}
	for _, c := range []struct {
		found [][]float64
		want  float64
	}{
		{[][]float64{{10, 1}, {0, 2}}, (1. + 4) / 2},
		{[][]float64{{10, 1}, {0, 2}, {50, 50}}, (1. + 4) / 2},
		{[][]float64{{1, 0}}, (1. + 81) / 2}, // the second goes without, and has 9 to the nearest
		// Both are nearest to {4, 0}; one of them has to take {12, 0}.
		{[][]float64{{4, 0}, {12, 0}}, (16. + 4) / 2},
	} {
		if got, err := MatchedMSE(c.found, truth); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %g, %v; want %g", c.found, got, err, c.want)
		}
	}
	if _, err := MatchedMSE(nil, truth); err == nil {
		t.Error("no centres are taken")
	}
}

func TestCentres(t *testing.T) {
	centres, sizes := Centres([]float64{0, 0, 2, 4, 7, 7}, 2, []int32{2, 2, 0})
	if !slices.Equal(sizes, []int{1, 2}) || !slices.Equal(centres[0], []float64{7, 7}) || !slices.Equal(centres[1], []float64{1, 2}) {
		t.Errorf("%v of sizes %v", centres, sizes)
	}
}

func TestPerplexity(t *testing.T) {
	for _, c := range []struct {
		p    [][]float64
		want float64
	}{
		{[][]float64{{0.25, 0.25}, {0.25}}, 4},
		{[][]float64{{0.5, 0.5, 0.5}, {0.125}}, 4}, // exp of the mean of log 2 and log 8: documents weigh the same
		{[][]float64{{0.5, 0.125}, {}}, 4},         // within a document, words do
		{[][]float64{{0}}, math.Inf(1)},
	} {
		if got := Perplexity(c.p); !(math.Abs(got-c.want) < 1e-12 || got == c.want) {
			t.Errorf("%v: %g, want %g", c.p, got, c.want)
		}
	}
}
