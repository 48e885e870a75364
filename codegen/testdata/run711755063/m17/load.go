package m17

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "sbm",
	Plates: []dataio.Plate{
		{Name: "V", Size: -1, Axis: true},
		{Name: "K", Size: 2},
	},
	Fields: []dataio.Field{
		{Name: "e", Kind: dataio.Bool, Dims: []string{"V", "V"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.V = set.Sizes["V"]
	data.K = set.Sizes["K"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["e"]; v != nil {
		data.E = v.Bool
	} else {
		return data, hyper, errors.New("no value for e")
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
