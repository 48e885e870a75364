package m32

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "bounds",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "K", Size: -1},
		{Name: "L", Size: -1},
		{Name: "P", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "a", Kind: dataio.Real, Const: true, Default: true},
		{Name: "lim", Kind: dataio.Real, Dims: []string{"K"}, Const: true, Default: true},
		{Name: "p0", Kind: dataio.Real, Dims: []string{"K"}, Const: true, Default: true},
		{Name: "V", Kind: dataio.Real, Dims: []string{"P", "P"}, Const: true, Default: true},
		{Name: "cut0", Kind: dataio.Real, Dims: []string{"K"}, Const: true},
		{Name: "lower", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "wide", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "above", Kind: dataio.Bool, Dims: []string{"N"}},
		{Name: "below", Kind: dataio.Bool, Dims: []string{"N"}},
		{Name: "g", Kind: dataio.Category, Of: "L", Dims: []string{"N"}},
		{Name: "yc", Kind: dataio.Category, Of: "L", Dims: []string{"N"}},
		{Name: "e", Kind: dataio.Int, Dims: []string{"N"}},
		{Name: "r", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "x", Kind: dataio.Real, Dims: []string{"N", "P"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.K = set.Sizes["K"]
	data.L = set.Sizes["L"]
	data.P = set.Sizes["P"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["a"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("a: %d elements, want 1", len(v.Real))
		}
		hyper.A = v.Real[0]
	}
	if v := set.Values["lim"]; v != nil {
		hyper.Lim = v.Real
	}
	if v := set.Values["p0"]; v != nil {
		hyper.P0 = v.Real
	}
	if v := set.Values["V"]; v != nil {
		hyper.V = v.Real
	}
	if v := set.Values["cut0"]; v != nil {
		hyper.Cut0 = v.Real
	} else {
		return data, hyper, errors.New("no value for cut0")
	}
	if v := set.Values["lower"]; v != nil {
		data.Lower = v.Real
	} else {
		return data, hyper, errors.New("no value for lower")
	}
	if v := set.Values["wide"]; v != nil {
		data.Wide = v.Real
	} else {
		return data, hyper, errors.New("no value for wide")
	}
	if v := set.Values["above"]; v != nil {
		data.Above = v.Bool
	} else {
		return data, hyper, errors.New("no value for above")
	}
	if v := set.Values["below"]; v != nil {
		data.Below = v.Bool
	} else {
		return data, hyper, errors.New("no value for below")
	}
	if v := set.Values["g"]; v != nil {
		data.G = v.Cat
	} else {
		return data, hyper, errors.New("no value for g")
	}
	if v := set.Values["yc"]; v != nil {
		data.Yc = v.Cat
	} else {
		return data, hyper, errors.New("no value for yc")
	}
	if v := set.Values["e"]; v != nil {
		data.E = v.Int
	} else {
		return data, hyper, errors.New("no value for e")
	}
	if v := set.Values["r"]; v != nil {
		data.R = v.Real
	} else {
		return data, hyper, errors.New("no value for r")
	}
	if v := set.Values["x"]; v != nil {
		data.X = v.Real
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
