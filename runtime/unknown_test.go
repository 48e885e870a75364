package runtime

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// This file tests the walk over shapes: boxes, ragged ones two deep, empty ones.

func TestWalk(t *testing.T) {
	for _, tt := range []struct {
		name string
		dims []Dim
		want []string
	}{
		{"a scalar", nil, []string{"[]"}},
		{"a matrix", []Dim{{Size: 2}, {Size: 3}}, []string{"[0 0]", "[0 1]", "[0 2]", "[1 0]", "[1 1]", "[1 2]"}},
		{"ragged", []Dim{{Size: 3}, {At: []int{0, 2, 2, 3}}}, []string{"[0 0]", "[0 1]", "[2 0]"}},
		{"ragged twice", []Dim{{Size: 2}, {At: []int{0, 1, 3}}, {At: []int{0, 2, 2, 3}}}, []string{"[0 0 0]", "[0 0 1]", "[1 1 0]"}},
		{"a matrix for each part", []Dim{{Size: 2}, {At: []int{0, 1, 2}}, {Size: 2}}, []string{"[0 0 0]", "[0 0 1]", "[1 0 0]", "[1 0 1]"}},
		{"a row of ragged ones", []Dim{{Size: 2}, {Size: 2}, {At: []int{0, 1, 1}}}, []string{"[0 0 0]", "[1 0 0]"}},
		{"nothing", []Dim{{Size: 0}, {Size: 2}}, nil},
	} {
		u := Unknown{Dims: tt.dims}
		ix := make([]int, len(tt.dims))
		var got []string
		err := u.Walk(ix, func(i int) error {
			if i != len(got) {
				t.Errorf("%s: element %d comes as number %d", tt.name, i, len(got))
			}
			got = append(got, fmt.Sprint(ix))
			return nil
		})
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v (%v), want %v", tt.name, got, err, tt.want)
		}
	}
}

func TestWalkStops(t *testing.T) {
	stop := errors.New("stop")
	u := Unknown{Dims: []Dim{{Size: 3}, {Size: 3}}}
	n := 0
	err := u.Walk(make([]int, 2), func(i int) error {
		if n++; i == 4 {
			return stop
		}
		return nil
	})
	if err != stop || n != 5 {
		t.Errorf("%d visits, error %v; want 5, %v", n, err, stop)
	}
}

func TestUnknownValue(t *testing.T) {
	for _, tt := range []struct {
		u    Unknown
		want float64
	}{
		{Unknown{Real: []float64{0, 2.5}}, 2.5}, {Unknown{Int: []int{0, 7}}, 7},
		{Unknown{Bool: []bool{false, true}}, 1}, {Unknown{Cat: []int32{0, 3}}, 4},
	} {
		if got := tt.u.Value(1); got != tt.want || tt.u.Len() != 2 {
			t.Errorf("%+v: value %v of %d, want %v of 2", tt.u, got, tt.u.Len(), tt.want)
		}
	}
}
