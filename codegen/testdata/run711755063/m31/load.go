package m31

import (
	"errors"
	"fmt"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "type",
	Plates: []dataio.Plate{
		{Name: "range", Size: -1},
		{Name: "N", Size: -1, Axis: true},
		{Name: "n2", Parent: "N", Size: -1, Axis: true},
		{Name: "Sizes", Size: 3},
	},
	Fields: []dataio.Field{
		{Name: "func", Kind: dataio.Real, Const: true, Default: true},
		{Name: "Func", Kind: dataio.Real, Const: true, Default: true},
		{Name: "data", Kind: dataio.Real, Const: true, Default: true},
		{Name: "_", Kind: dataio.Real, Const: true, Default: true},
		{Name: "__", Kind: dataio.Real, Const: true, Default: true},
		{Name: "x_1", Kind: dataio.Real, Const: true, Default: true},
		{Name: "x1", Kind: dataio.Real, Const: true, Default: true},
		{Name: "err", Kind: dataio.Real, Dims: []string{"range"}, Const: true, Default: true},
		{Name: "mat", Kind: dataio.Real, Dims: []string{"range", "range"}, Const: true, Default: true},
		{Name: "hyper", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "state", Kind: dataio.Category, Of: "Sizes", Dims: []string{"N", "n2"}},
		{Name: "nil", Kind: dataio.Bool, Dims: []string{"N"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.Range = set.Sizes["range"]
	data.N = set.Sizes["N"]
	data.N2Len = set.Ragged["n2"]
	data.Sizes2 = set.Sizes["Sizes"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["func"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("func: %d elements, want 1", len(v.Real))
		}
		hyper.Func = v.Real[0]
	}
	if v := set.Values["Func"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("Func: %d elements, want 1", len(v.Real))
		}
		hyper.Func2 = v.Real[0]
	}
	if v := set.Values["data"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("data: %d elements, want 1", len(v.Real))
		}
		hyper.Data = v.Real[0]
	}
	if v := set.Values["_"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("_: %d elements, want 1", len(v.Real))
		}
		hyper.V = v.Real[0]
	}
	if v := set.Values["__"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("__: %d elements, want 1", len(v.Real))
		}
		hyper.V2 = v.Real[0]
	}
	if v := set.Values["x_1"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("x_1: %d elements, want 1", len(v.Real))
		}
		hyper.X1 = v.Real[0]
	}
	if v := set.Values["x1"]; v != nil {
		if len(v.Real) != 1 {
			return data, hyper, fmt.Errorf("x1: %d elements, want 1", len(v.Real))
		}
		hyper.X12 = v.Real[0]
	}
	if v := set.Values["err"]; v != nil {
		hyper.Err = v.Real
	}
	if v := set.Values["mat"]; v != nil {
		hyper.Mat = v.Real
	}
	if v := set.Values["hyper"]; v != nil {
		data.Hyper = v.Real
	} else {
		return data, hyper, errors.New("no value for hyper")
	}
	if v := set.Values["state"]; v != nil {
		data.State = v.Cat
	} else {
		return data, hyper, errors.New("no value for state")
	}
	if v := set.Values["nil"]; v != nil {
		data.Nil = v.Bool
	} else {
		return data, hyper, errors.New("no value for nil")
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
