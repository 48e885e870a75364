package m21

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "members",
	Plates: []dataio.Plate{
		{Name: "pupils", Size: -1, Axis: true},
		{Name: "visits", Parent: "pupils", Size: -1, Axis: true},
		{Name: "schools", Size: -1},
	},
	Fields: []dataio.Field{
		{Name: "at", Kind: dataio.Category, Of: "schools", Dims: []string{"pupils", "visits"}},
		{Name: "w", Kind: dataio.Real, Dims: []string{"pupils", "visits"}},
		{Name: "y", Kind: dataio.Real, Dims: []string{"pupils"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.Pupils = set.Sizes["pupils"]
	data.VisitsLen = set.Ragged["visits"]
	data.Schools = set.Sizes["schools"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["at"]; v != nil {
		data.At = v.Cat
	} else {
		return data, hyper, errors.New("no value for at")
	}
	if v := set.Values["w"]; v != nil {
		data.W = v.Real
	} else {
		return data, hyper, errors.New("no value for w")
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
