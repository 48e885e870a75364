// This file tests that data which differ have different fingerprints.

package dataio

import (
	"math"
	"testing"
)

func TestFingerprint(t *testing.T) {
	set := func(change func(*Set)) [32]byte {
		s := &Set{Sizes: map[string]int{"N": 2, "D": 1}, Ragged: map[string][]int{"words": {1, 2}}, Levels: map[string][]string{"G": {"a", "b"}},
			Values: map[string]*Value{"x": {Real: []float64{0, 1}}, "k": {Int: []int{3}}, "b": {Bool: []bool{true}}, "c": {Cat: []int32{1, 0}}}}
		if change != nil {
			change(s)
		}
		return s.Fingerprint()
	}
	seen := map[[32]byte]string{set(nil): "nothing"}
	if _, ok := seen[set(nil)]; !ok {
		t.Error("the same data have two fingerprints")
	}
	for what, change := range map[string]func(*Set){
		"a size":     func(s *Set) { s.Sizes["N"] = 3 },
		"a length":   func(s *Set) { s.Ragged["words"][1] = 3 },
		"lengths":    func(s *Set) { s.Ragged["words"] = []int{1, 2, 0} },
		"a sign":     func(s *Set) { s.Values["x"].Real[0] = math.Copysign(0, -1) },
		"a number":   func(s *Set) { s.Values["k"].Int[0] = 4 },
		"a bool":     func(s *Set) { s.Values["b"].Bool[0] = false },
		"a category": func(s *Set) { s.Values["c"].Cat[1] = 1 },
		"a name":     func(s *Set) { s.Levels["G"][0] = "A" },
		"names":      func(s *Set) { s.Levels["G"] = []string{"ab", ""} },
		"a value":    func(s *Set) { delete(s.Values, "k") },
		"a type":     func(s *Set) { s.Values["k"] = &Value{Cat: []int32{3}} },
		"a variable": func(s *Set) { s.Values["y"] = s.Values["x"]; delete(s.Values, "x") },
	} {
		got := set(change)
		if other, ok := seen[got]; ok {
			t.Errorf("%s changed, and %s, have one fingerprint", what, other)
		}
		seen[got] = what
	}
}
