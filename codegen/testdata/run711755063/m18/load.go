package m18

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "counts",
	Plates: []dataio.Plate{
		{Name: "docs", Size: -1, Axis: true},
		{Name: "K", Size: 3},
		{Name: "vocab", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "n", Kind: dataio.Int, Dims: []string{"docs"}},
		{Name: "w", Kind: dataio.Int, Dims: []string{"docs", "vocab"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.Docs = set.Sizes["docs"]
	data.K = set.Sizes["K"]
	data.Vocab = set.Sizes["vocab"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["n"]; v != nil {
		data.N = v.Int
	} else {
		return data, hyper, errors.New("no value for n")
	}
	if v := set.Values["w"]; v != nil {
		data.W = v.Int
	} else {
		return data, hyper, errors.New("no value for w")
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
