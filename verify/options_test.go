// This file checks what verifications may be asked for, and the sizes of the data sets that are made up.

package verify

import (
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

func TestConstants(t *testing.T) {
	m, err := typed(`model constants
plate K
const pos : real > 0
const floor : real >= -1
const share : real in [0, 1]
const top : real < 3
const n : int
const some : int > 0
const upto : int in [2, 4]
const on : bool
const which : K
const free : real
const above : real > free
global mu ~ Normal(0, sd = pos)
data y : real ~ Normal(mu, sd = pos)
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		x    float64
		want string
	}{
		{"pos", 0, "more than 0"}, {"pos", -1, "more than 0"}, {"pos", 1e-9, ""},
		{"floor", -1, ""}, {"floor", -1.5, "-1 or more"},
		{"share", 0, ""}, {"share", 1, ""}, {"share", 1.5, "1 or less"}, {"share", -0.5, "0 or more"},
		{"top", 3, "less than 3"}, {"top", 2, ""},
		{"n", 0, ""}, {"n", -1, "0 or more"}, {"n", 1.5, "a whole number"}, {"n", 1e300, "a whole number"},
		{"some", 0, "1 or more"}, {"some", 1, ""},
		{"upto", 4, ""}, {"upto", 5, "4 or less"}, {"upto", 1, "2 or more"},
		{"on", 1, ""}, {"on", 0, ""}, {"on", 2, "0 for false or 1 for true"},
		{"which", 1, ""}, {"which", 0, "the number of an element of K, from 1"}, {"which", 1.5, "the number of an element of K, from 1"},
		{"free", -1e9, ""}, {"above", -1, ""},
	} {
		if got := beyond(m.Var(tt.name), tt.x); got != tt.want {
			t.Errorf("%s=%g: it must be %q, want %q", tt.name, tt.x, got, tt.want)
		}
	}
}

func TestElements(t *testing.T) {
	set := &dataio.Set{Sizes: map[string]int{"M": 3, "D": 2, "T": 5}, Ragged: map[string][]int{"W": {4, 0}, "L": {1, 2, 0, 4}}}
	for _, tt := range []struct {
		dims []string
		want int
	}{
		{nil, 1},
		{[]string{"M", "D"}, 6},
		{[]string{"D", "W"}, 4},
		{[]string{"M", "D", "W"}, 12},
		{[]string{"D", "W", "T"}, 20},
		{[]string{"M", "D", "W", "L", "T"}, 105},
	} {
		if got := elements(set, dataio.Field{Dims: tt.dims}); got != tt.want {
			t.Errorf("%v has %d elements, want %d", tt.dims, got, tt.want)
		}
	}
}
