package runtime

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// shown is a sampler that shows what it is given.
type shown struct {
	Sampler
	unknowns []Unknown
	plates   []Exchangeable
}

func (s shown) Unknowns() []Unknown          { return s.unknowns }
func (s shown) Exchangeable() []Exchangeable { return s.plates }

func TestInvariants(t *testing.T) {
	k, d := Dim{Plate: "K", Size: 3}, Dim{Plate: "D", Size: 2}
	s := shown{
		unknowns: []Unknown{
			{Name: "s2", Real: []float64{7}},
			{Name: "w", Dims: []Dim{d}, Int: []int{4, 5}},
			{Name: "mu", Dims: []Dim{k}, Real: []float64{3, -1, 2}},
			{Name: "L", Dims: []Dim{d, k}, Real: []float64{3, 0, 1, 4, 0, 0}}, // columns 3,4; 0,0; 1,0
			{Name: "on", Dims: []Dim{k}, Bool: []bool{true, false, true}},
			{Name: "onoff", Dims: []Dim{k, d}, Bool: []bool{true, true, false, false, false, true}},
			{Name: "c", Dims: []Dim{d}, Of: k, Cat: []int32{2, 0}}, // labels say nothing by themselves
			{Name: "z", Local: true, Dims: []Dim{{Plate: "N", Size: 4}}, Of: k, Cat: []int32{0, 0, 2, 0}},
			{Name: "u", Dims: []Dim{{Plate: "C", Size: 2, Unbounded: true}}, Real: []float64{10, 20}},
		},
		plates: []Exchangeable{{Plate: "K", Size: 3, Members: []float64{3, 0, 1}}, {Plate: "C", Size: 2}},
	}
	want := map[string]float64{
		"occupied(K)": 2, "overlap(K)": 10. / 16, "occupied(C)": 2, "s2": 7, "w.1": 4, "w.2": 5,
		"sorted(mu).1": -1, "sorted(mu).2": 2, "sorted(mu).3": 3,
		"sorted(|L|).1": 0, "sorted(|L|).2": 1, "sorted(|L|).3": 5,
		"sorted(on).1": 0, "sorted(on).2": 1, "sorted(on).3": 1, "mean(u)": 15,
		"sorted(|onoff|).1": 0, "sorted(|onoff|).2": 1, "sorted(|onoff|).3": math.Sqrt2,
	}
	check := func(most, n int) []string {
		t.Helper()
		v := NewInvariants(s, most)
		got := v.Append([]float64{math.Pi})
		if got[0] != math.Pi || len(got) != n+1 || len(v.Names()) != n {
			t.Fatalf("at most %d: %v are %v", most, v.Names(), got)
		}
		for i, name := range v.Names() {
			if w, ok := want[name]; !ok || got[i+1] != w {
				t.Errorf("%s = %v, want %v", name, got[i+1], w)
			}
		}
		return v.Names()
	}
	check(100, len(want))
	check(len(want), len(want))
	// Each source has one before any has two; then the ends of the longer ones come first.
	if got := strings.Join(check(12, 12), " "); got != "occupied(K) overlap(K) occupied(C) s2 w.1 w.2 sorted(mu).1 sorted(mu).3 sorted(|L|).1 sorted(on).1 sorted(|onoff|).1 mean(u)" {
		t.Errorf("twelve are %s", got)
	}
	check(0, 0)

	// An unbounded plate may grow: what is appended keeps its length.
	v := NewInvariants(s, 100)
	s.unknowns[8].Dims[0].Size, s.unknowns[8].Real = 3, []float64{10, 20, 60}
	s.plates[1].Size = 3
	if got := v.Append(nil); len(got) != len(want) || got[slices.Index(v.Names(), "mean(u)")] != 30 || got[slices.Index(v.Names(), "occupied(C)")] != 3 {
		t.Errorf("three categories: %v are %v", v.Names(), got)
	}
}

func TestEvenly(t *testing.T) {
	for _, c := range []struct {
		size, n int
		want    []int
	}{{5, 9, []int{0, 1, 2, 3, 4}}, {5, 3, []int{0, 2, 4}}, {10, 1, []int{0}}, {100, 2, []int{0, 99}}, {0, 3, []int{}}, {4, 3, []int{0, 2, 3}}} {
		if got := evenly(c.size, c.n); !slices.Equal(got, c.want) {
			t.Errorf("evenly(%d, %d) = %v, want %v", c.size, c.n, got, c.want)
		}
	}
}
