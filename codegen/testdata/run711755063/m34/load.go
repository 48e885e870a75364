package m34

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "deep",
	Plates: []dataio.Plate{
		{Name: "A", Size: -1, Axis: true},
		{Name: "B", Parent: "A", Size: -1, Axis: true},
		{Name: "C", Parent: "B", Size: -1, Axis: true},
		{Name: "T", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "w0", Kind: dataio.Real, Dims: []string{"A", "B"}, Const: true, Default: true},
		{Name: "x", Kind: dataio.Real, Dims: []string{"A", "B", "C"}},
		{Name: "u", Kind: dataio.Real, Dims: []string{"A", "B", "C"}},
		{Name: "g", Kind: dataio.Category, Of: "A", Dims: []string{"A", "B"}},
		{Name: "q", Kind: dataio.Real, Dims: []string{"T", "A", "B"}},
		{Name: "p", Kind: dataio.Real, Dims: []string{"T", "A", "B"}},
		{Name: "seen", Kind: dataio.Bool, Dims: []string{"T"}},
		{Name: "k", Kind: dataio.Real, Dims: []string{"T"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.A = set.Sizes["A"]
	data.BLen = set.Ragged["B"]
	data.CLen = set.Ragged["C"]
	data.T = set.Sizes["T"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["w0"]; v != nil {
		hyper.W0 = v.Real
	}
	if v := set.Values["x"]; v != nil {
		data.X = v.Real
	} else {
		return data, hyper, errors.New("no value for x")
	}
	if v := set.Values["u"]; v != nil {
		data.U = v.Real
	} else {
		return data, hyper, errors.New("no value for u")
	}
	if v := set.Values["g"]; v != nil {
		data.G = v.Cat
	} else {
		return data, hyper, errors.New("no value for g")
	}
	if v := set.Values["q"]; v != nil {
		data.Q = v.Real
	} else {
		return data, hyper, errors.New("no value for q")
	}
	if v := set.Values["p"]; v != nil {
		data.P = v.Real
	} else {
		return data, hyper, errors.New("no value for p")
	}
	if v := set.Values["seen"]; v != nil {
		data.Seen = v.Bool
	} else {
		return data, hyper, errors.New("no value for seen")
	}
	if v := set.Values["k"]; v != nil {
		data.K = v.Real
	} else {
		return data, hyper, errors.New("no value for k")
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
