package m09

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "mvreg",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "P", Size: -1, Axis: true},
		{Name: "D", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "X", Kind: dataio.Real, Dims: []string{"N", "D"}},
		{Name: "V", Kind: dataio.Real, Dims: []string{"P", "P"}, Const: true, Default: true},
		{Name: "nu", Kind: dataio.Real, Const: true, Default: true},
		{Name: "y", Kind: dataio.Real, Dims: []string{"N", "P"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.P = set.Sizes["P"]
	data.D = set.Sizes["D"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["X"]; v != nil {
		data.X = v.Real
	} else {
		return data, hyper, errors.New("no value for X")
	}
	if v := set.Values["V"]; v != nil {
		hyper.V = v.Real
	}
	if v := set.Values["nu"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("nu: %d elements, want 1", len(v.Real))
		}
		hyper.Nu = v.Real[0]
	}
	if v := set.Values["y"]; v != nil {
		data.Y = v.Real
	} else {
		return data, hyper, errors.New("no value for y")
	}
	return data, hyper, nil
}

// Open returns a chain for data read from files.
func Open(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
	data, hyper, err := Load(set)
	if err != nil {
		return nil, err
	}
	s, err := New(data, hyper, rng)
	if err != nil {
		return nil, err
	}
	return s, nil
}
