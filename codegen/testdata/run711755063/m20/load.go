package m20

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "kalman",
	Plates: []dataio.Plate{
		{Name: "T", Size: -1, Axis: true},
		{Name: "P", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "S0", Kind: dataio.Real, Dims: []string{"P", "P"}, Const: true, Default: true},
		{Name: "y", Kind: dataio.Real, Dims: []string{"T", "P"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.T = set.Sizes["T"]
	data.P = set.Sizes["P"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["S0"]; v != nil {
		hyper.S0 = v.Real
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
