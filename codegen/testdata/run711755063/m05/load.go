package m05

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "crossed",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "I", Size: -1},
		{Name: "J", Size: -1},
	},
	Fields: []dataio.Field{
		{Name: "g1", Kind: dataio.Category, Of: "I", Dims: []string{"N"}},
		{Name: "g2", Kind: dataio.Category, Of: "J", Dims: []string{"N"}},
		{Name: "y", Kind: dataio.Real, Dims: []string{"N"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.I = set.Sizes["I"]
	data.J = set.Sizes["J"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["g1"]; v != nil {
		data.G1 = v.Cat
	} else {
		return data, hyper, errors.New("no value for g1")
	}
	if v := set.Values["g2"]; v != nil {
		data.G2 = v.Cat
	} else {
		return data, hyper, errors.New("no value for g2")
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
