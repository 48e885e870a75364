package m10

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "pump",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "t", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "c", Kind: dataio.Real, Const: true, Default: true},
		{Name: "x", Kind: dataio.Int, Dims: []string{"N"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["t"]; v != nil {
		data.T = v.Real
	} else {
		return data, hyper, errors.New("no value for t")
	}
	if v := set.Values["c"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("c: %d elements, want 1", len(v.Real))
		}
		hyper.C = v.Real[0]
	}
	if v := set.Values["x"]; v != nil {
		data.X = v.Int
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
