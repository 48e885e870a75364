package m27

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "consts",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "K", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "p", Kind: dataio.Real, Dims: []string{"K"}, Const: true, Default: true},
		{Name: "S", Kind: dataio.Real, Dims: []string{"K", "K"}, Const: true, Default: true},
		{Name: "c", Kind: dataio.Real, Dims: []string{"K"}, Const: true},
		{Name: "g", Kind: dataio.Category, Of: "K", Const: true, Default: true},
		{Name: "on", Kind: dataio.Bool, Const: true, Default: true},
		{Name: "n", Kind: dataio.Int, Const: true, Default: true},
		{Name: "lo", Kind: dataio.Real, Const: true, Default: true},
		{Name: "hi", Kind: dataio.Real, Const: true, Default: true},
		{Name: "floor", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "m", Kind: dataio.Int, Dims: []string{"N"}},
		{Name: "y", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "x", Kind: dataio.Int, Dims: []string{"N"}},
		{Name: "k", Kind: dataio.Int, Dims: []string{"N"}},
		{Name: "v", Kind: dataio.Real, Dims: []string{"N", "K"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.K = set.Sizes["K"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["p"]; v != nil {
		hyper.P = v.Real
	}
	if v := set.Values["S"]; v != nil {
		hyper.S = v.Real
	}
	if v := set.Values["c"]; v != nil {
		hyper.C = v.Real
	} else {
		return data, hyper, errors.New("no value for c")
	}
	if v := set.Values["g"]; v != nil {
		if len(v.Cat) != 1 {
			return data, hyper, fmt.Errorf("g: %d elements, want 1", len(v.Cat))
		}
		hyper.G = v.Cat[0]
	}
	if v := set.Values["on"]; v != nil {
		if len(v.Bool) != 1 {
			return data, hyper, fmt.Errorf("on: %d elements, want 1", len(v.Bool))
		}
		hyper.On = v.Bool[0]
	}
	if v := set.Values["n"]; v != nil {
		if len(v.Int) != 1 {
			return data, hyper, fmt.Errorf("n: %d elements, want 1", len(v.Int))
		}
		hyper.N = v.Int[0]
	}
	if v := set.Values["lo"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("lo: %d elements, want 1", len(v.Real))
		}
		hyper.Lo = v.Real[0]
	}
	if v := set.Values["hi"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("hi: %d elements, want 1", len(v.Real))
		}
		hyper.Hi = v.Real[0]
	}
	if v := set.Values["floor"]; v != nil {
		data.Floor = v.Real
	} else {
		return data, hyper, errors.New("no value for floor")
	}
	if v := set.Values["m"]; v != nil {
		data.M = v.Int
	} else {
		return data, hyper, errors.New("no value for m")
	}
	if v := set.Values["y"]; v != nil {
		data.Y = v.Real
	} else {
		return data, hyper, errors.New("no value for y")
	}
	if v := set.Values["x"]; v != nil {
		data.X = v.Int
	} else {
		return data, hyper, errors.New("no value for x")
	}
	if v := set.Values["k"]; v != nil {
		data.K2 = v.Int
	} else {
		return data, hyper, errors.New("no value for k")
	}
	if v := set.Values["v"]; v != nil {
		data.V = v.Real
	} else {
		return data, hyper, errors.New("no value for v")
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
