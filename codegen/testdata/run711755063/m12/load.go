package m12

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "ordinal",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "D", Size: -1, Axis: true},
		{Name: "levels", Size: -1},
		{Name: "cuts", Size: -1},
	},
	Fields: []dataio.Field{
		{Name: "X", Kind: dataio.Real, Dims: []string{"N", "D"}},
		{Name: "y", Kind: dataio.Category, Of: "levels", Dims: []string{"N"}},
		{Name: "limit", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "seen", Kind: dataio.Bool, Dims: []string{"N"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.D = set.Sizes["D"]
	data.Levels = set.Sizes["levels"]
	data.Cuts = set.Sizes["cuts"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["X"]; v != nil {
		data.X = v.Real
	} else {
		return data, hyper, errors.New("no value for X")
	}
	if v := set.Values["y"]; v != nil {
		data.Y = v.Cat
	} else {
		return data, hyper, errors.New("no value for y")
	}
	if v := set.Values["limit"]; v != nil {
		data.Limit = v.Real
	} else {
		return data, hyper, errors.New("no value for limit")
	}
	if v := set.Values["seen"]; v != nil {
		data.Seen = v.Bool
	} else {
		return data, hyper, errors.New("no value for seen")
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
