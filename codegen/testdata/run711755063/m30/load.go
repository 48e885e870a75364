package m30

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "dpmm",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "P", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "alpha", Kind: dataio.Real, Const: true, Default: true},
		{Name: "m0", Kind: dataio.Real, Dims: []string{"P"}, Const: true, Default: true},
		{Name: "kappa0", Kind: dataio.Real, Const: true, Default: true},
		{Name: "nu0", Kind: dataio.Real, Const: true, Default: true},
		{Name: "Psi0", Kind: dataio.Real, Dims: []string{"P", "P"}, Const: true, Default: true},
		{Name: "x", Kind: dataio.Real, Dims: []string{"N", "P"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.P = set.Sizes["P"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["alpha"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("alpha: %d elements, want 1", len(v.Real))
		}
		hyper.Alpha = v.Real[0]
	}
	if v := set.Values["m0"]; v != nil {
		hyper.M0 = v.Real
	}
	if v := set.Values["kappa0"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("kappa0: %d elements, want 1", len(v.Real))
		}
		hyper.Kappa0 = v.Real[0]
	}
	if v := set.Values["nu0"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("nu0: %d elements, want 1", len(v.Real))
		}
		hyper.Nu0 = v.Real[0]
	}
	if v := set.Values["Psi0"]; v != nil {
		hyper.Psi0 = v.Real
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
