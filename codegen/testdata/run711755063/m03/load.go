package m03

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "ar",
	Plates: []dataio.Plate{
		{Name: "T", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "y", Kind: dataio.Real, Dims: []string{"T"}},
		{Name: "u", Kind: dataio.Real, Dims: []string{"T"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.T = set.Sizes["T"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["y"]; v != nil {
		data.Y = v.Real
	} else {
		return data, hyper, errors.New("no value for y")
	}
	if v := set.Values["u"]; v != nil {
		data.U = v.Real
	} else {
		return data, hyper, errors.New("no value for u")
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
