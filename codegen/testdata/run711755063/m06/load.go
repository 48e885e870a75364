package m06

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "nested",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "classes", Size: -1, Axis: true},
		{Name: "schools", Size: -1},
	},
	Fields: []dataio.Field{
		{Name: "cl", Kind: dataio.Category, Of: "classes", Dims: []string{"N"}},
		{Name: "sch", Kind: dataio.Category, Of: "schools", Dims: []string{"classes"}},
		{Name: "y", Kind: dataio.Real, Dims: []string{"N"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.Classes = set.Sizes["classes"]
	data.Schools = set.Sizes["schools"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["cl"]; v != nil {
		data.Cl = v.Cat
	} else {
		return data, hyper, errors.New("no value for cl")
	}
	if v := set.Values["sch"]; v != nil {
		data.Sch = v.Cat
	} else {
		return data, hyper, errors.New("no value for sch")
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
