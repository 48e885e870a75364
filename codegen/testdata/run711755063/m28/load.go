package m28

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "lasso",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "D", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "lambda", Kind: dataio.Real, Const: true, Default: true},
		{Name: "a", Kind: dataio.Real, Const: true, Default: true},
		{Name: "b", Kind: dataio.Real, Const: true, Default: true},
		{Name: "X", Kind: dataio.Real, Dims: []string{"N", "D"}},
		{Name: "y", Kind: dataio.Bool, Dims: []string{"N"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.D = set.Sizes["D"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["lambda"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("lambda: %d elements, want 1", len(v.Real))
		}
		hyper.Lambda = v.Real[0]
	}
	if v := set.Values["a"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("a: %d elements, want 1", len(v.Real))
		}
		hyper.A = v.Real[0]
	}
	if v := set.Values["b"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("b: %d elements, want 1", len(v.Real))
		}
		hyper.B = v.Real[0]
	}
	if v := set.Values["X"]; v != nil {
		data.X = v.Real
	} else {
		return data, hyper, errors.New("no value for X")
	}
	if v := set.Values["y"]; v != nil {
		data.Y = v.Bool
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
