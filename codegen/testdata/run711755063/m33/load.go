package m33

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "crp",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "P", Size: -1, Axis: true},
		{Name: "J", Size: -1},
	},
	Fields: []dataio.Field{
		{Name: "Psi", Kind: dataio.Real, Dims: []string{"P", "P"}, Const: true, Default: true},
		{Name: "x", Kind: dataio.Real, Dims: []string{"N", "P"}},
		{Name: "y", Kind: dataio.Category, Of: "J", Dims: []string{"N"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.P = set.Sizes["P"]
	data.J = set.Sizes["J"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["Psi"]; v != nil {
		hyper.Psi = v.Real
	}
	if v := set.Values["x"]; v != nil {
		data.X = v.Real
	} else {
		return data, hyper, errors.New("no value for x")
	}
	if v := set.Values["y"]; v != nil {
		data.Y = v.Cat
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
