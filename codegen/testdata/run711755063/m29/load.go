package m29

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "lda",
	Plates: []dataio.Plate{
		{Name: "docs", Size: -1, Axis: true},
		{Name: "words", Parent: "docs", Size: -1, Axis: true},
		{Name: "topics", Size: 20},
		{Name: "vocab", Size: -1},
	},
	Fields: []dataio.Field{
		{Name: "alpha", Kind: dataio.Real, Const: true, Default: true},
		{Name: "eta", Kind: dataio.Real, Const: true, Default: true},
		{Name: "x", Kind: dataio.Category, Of: "vocab", Dims: []string{"docs", "words"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.Docs = set.Sizes["docs"]
	data.WordsLen = set.Ragged["words"]
	data.Topics = set.Sizes["topics"]
	data.Vocab = set.Sizes["vocab"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["alpha"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("alpha: %d elements, want 1", len(v.Real))
		}
		hyper.Alpha = v.Real[0]
	}
	if v := set.Values["eta"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("eta: %d elements, want 1", len(v.Real))
		}
		hyper.Eta = v.Real[0]
	}
	if v := set.Values["x"]; v != nil {
		data.X = v.Cat
	} else {
		return data, hyper, errors.New("no value for x")
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
