package m11

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "rats",
	Plates: []dataio.Plate{
		{Name: "I", Size: -1, Axis: true},
		{Name: "J", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "age", Kind: dataio.Real, Dims: []string{"J"}},
		{Name: "y", Kind: dataio.Real, Dims: []string{"I", "J"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.I = set.Sizes["I"]
	data.J = set.Sizes["J"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["age"]; v != nil {
		data.Age = v.Real
	} else {
		return data, hyper, errors.New("no value for age")
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
