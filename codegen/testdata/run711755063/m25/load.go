package m25

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "deep",
	Plates: []dataio.Plate{
		{Name: "docs", Size: -1, Axis: true},
		{Name: "pars", Parent: "docs", Size: -1, Axis: true},
		{Name: "words", Parent: "pars", Size: -1, Axis: true},
		{Name: "V", Size: -1},
	},
	Fields: []dataio.Field{
		{Name: "at", Kind: dataio.Category, Of: "V", Dims: []string{"docs", "pars", "words"}},
		{Name: "x", Kind: dataio.Real, Dims: []string{"docs", "pars", "words"}},
		{Name: "t", Kind: dataio.Real, Dims: []string{"docs", "pars"}},
		{Name: "q", Kind: dataio.Real, Dims: []string{"docs"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.Docs = set.Sizes["docs"]
	data.ParsLen = set.Ragged["pars"]
	data.WordsLen = set.Ragged["words"]
	data.V = set.Sizes["V"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["at"]; v != nil {
		data.At = v.Cat
	} else {
		return data, hyper, errors.New("no value for at")
	}
	if v := set.Values["x"]; v != nil {
		data.X = v.Real
	} else {
		return data, hyper, errors.New("no value for x")
	}
	if v := set.Values["t"]; v != nil {
		data.T = v.Real
	} else {
		return data, hyper, errors.New("no value for t")
	}
	if v := set.Values["q"]; v != nil {
		data.Q = v.Real
	} else {
		return data, hyper, errors.New("no value for q")
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
