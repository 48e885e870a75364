package m26

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "ranges",
	Plates: []dataio.Plate{
		{Name: "T", Size: -1, Axis: true},
		{Name: "docs", Size: -1, Axis: true},
		{Name: "words", Parent: "docs", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "y", Kind: dataio.Real, Dims: []string{"T"}},
		{Name: "u", Kind: dataio.Real, Dims: []string{"T"}},
		{Name: "v", Kind: dataio.Real, Dims: []string{"T"}},
		{Name: "w", Kind: dataio.Real, Dims: []string{"docs", "words"}},
		{Name: "z", Kind: dataio.Real, Dims: []string{"T"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.T = set.Sizes["T"]
	data.Docs = set.Sizes["docs"]
	data.WordsLen = set.Ragged["words"]
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
	if v := set.Values["v"]; v != nil {
		data.V = v.Real
	} else {
		return data, hyper, errors.New("no value for v")
	}
	if v := set.Values["w"]; v != nil {
		data.W = v.Real
	} else {
		return data, hyper, errors.New("no value for w")
	}
	if v := set.Values["z"]; v != nil {
		data.Z = v.Real
	} else {
		return data, hyper, errors.New("no value for z")
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
