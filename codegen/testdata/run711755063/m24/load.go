package m24

import (
	"errors"
	runtime "github.com/gibbsgen/gibbsgen/runtime"
	dataio "github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// Schema lists what the model reads from data files.
var Schema = dataio.Schema{
	Model: "vectors",
	Plates: []dataio.Plate{
		{Name: "N", Size: -1, Axis: true},
		{Name: "D", Size: -1, Axis: true},
	},
	Fields: []dataio.Field{
		{Name: "X", Kind: dataio.Real, Dims: []string{"N", "D"}},
		{Name: "A", Kind: dataio.Real, Dims: []string{"D", "D"}, Const: true, Default: true},
		{Name: "y1", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "y2", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "y3", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "y4", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "y5", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "y6", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "y7", Kind: dataio.Real, Dims: []string{"N"}},
		{Name: "y8", Kind: dataio.Real, Dims: []string{"N", "D"}},
		{Name: "y9", Kind: dataio.Real, Dims: []string{"N"}},
	},
}

// Load takes data and constants from what was read; constants that were not have their defaults.
func Load(set *dataio.Set) (Data, Hyper, error) {
	var data Data
	data.N = set.Sizes["N"]
	data.D = set.Sizes["D"]
	hyper := DefaultHyper(data.Sizes)
	if v := set.Values["X"]; v != nil {
		data.X = v.Real
	} else {
		return data, hyper, errors.New("no value for X")
	}
	if v := set.Values["A"]; v != nil {
		hyper.A = v.Real
	}
	if v := set.Values["y1"]; v != nil {
		data.Y1 = v.Real
	} else {
		return data, hyper, errors.New("no value for y1")
	}
	if v := set.Values["y2"]; v != nil {
		data.Y2 = v.Real
	} else {
		return data, hyper, errors.New("no value for y2")
	}
	if v := set.Values["y3"]; v != nil {
		data.Y3 = v.Real
	} else {
		return data, hyper, errors.New("no value for y3")
	}
	if v := set.Values["y4"]; v != nil {
		data.Y4 = v.Real
	} else {
		return data, hyper, errors.New("no value for y4")
	}
	if v := set.Values["y5"]; v != nil {
		data.Y5 = v.Real
	} else {
		return data, hyper, errors.New("no value for y5")
	}
	if v := set.Values["y6"]; v != nil {
		data.Y6 = v.Real
	} else {
		return data, hyper, errors.New("no value for y6")
	}
	if v := set.Values["y7"]; v != nil {
		data.Y7 = v.Real
	} else {
		return data, hyper, errors.New("no value for y7")
	}
	if v := set.Values["y8"]; v != nil {
		data.Y8 = v.Real
	} else {
		return data, hyper, errors.New("no value for y8")
	}
	if v := set.Values["y9"]; v != nil {
		data.Y9 = v.Real
	} else {
		return data, hyper, errors.New("no value for y9")
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
