// This file makes up data sets of small sizes.

package verify

import (
	"math"
	"slices"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// example makes a data set of small sizes: plates in order take the given sizes, ragged ones lengths from 0 up, but for those whose
// sizes are fixed. style 0 draws real covariates from all numbers, 1 from positive ones, 2 from (0, 1), 3 rows of them that sum to 1. Counts
// are from 1 to 5, of the last two styles all 1.
func example(schema dataio.Schema, sizes []int, style int, fixed map[string]int, rng *runtime.Rand) *dataio.Set {
	set := &dataio.Set{Sizes: map[string]int{}, Ragged: map[string][]int{}, Values: map[string]*dataio.Value{}, Levels: map[string][]string{}}
	for i, p := range schema.Plates {
		if p.Parent != "" {
			continue
		}
		set.Sizes[p.Name] = sizes[i%len(sizes)]
		if n, ok := fixed[p.Name]; ok {
			set.Sizes[p.Name] = n
		}
	}
	for i, p := range schema.Plates {
		if p.Parent != "" {
			lists := set.Sizes[p.Parent]
			for _, l := range set.Ragged[p.Parent] { // a ragged plate over a ragged one, which comes before it
				lists += l
			}
			for d := range lists {
				n, ok := fixed[p.Name]
				if !ok {
					n = (d + i) % 4
				}
				set.Ragged[p.Name] = append(set.Ragged[p.Name], n)
			}
		}
	}
	for _, f := range schema.Fields {
		if f.Const && f.Default {
			continue
		}
		v := &dataio.Value{}
		for i := range elements(set, f) {
			switch f.Kind {
			case dataio.Real:
				x := rng.Normal(0, 1)
				switch {
				case f.Const && len(f.Dims) == 2 && f.Dims[0] == f.Dims[1]:
					x = 0
					if p := set.Sizes[f.Dims[0]]; i/p == i%p {
						x = 1
					}
				case f.Const || style == 1 || style == 3:
					x = math.Exp(x / 2)
				case style == 2:
					x = runtime.Logistic(x)
				}
				v.Real = append(v.Real, x)
			case dataio.Int:
				x := 1 + rng.IntN(5)
				if style >= 2 {
					x = 1 // which what is counted out of one trial may be
				}
				v.Int = append(v.Int, x)
			case dataio.Bool:
				v.Bool = append(v.Bool, rng.IntN(2) == 1)
			case dataio.Category:
				v.Cat = append(v.Cat, int32(rng.IntN(max(1, set.Sizes[f.Of]))))
			}
		}
		if style == 3 && f.Kind == dataio.Real && len(f.Dims) > 0 && !f.Const {
			k := set.Sizes[f.Dims[len(f.Dims)-1]]
			for row := range slices.Chunk(v.Real, max(1, k)) {
				var sum float64
				for _, x := range row {
					sum += x
				}
				for i := range row {
					row[i] /= sum
				}
			}
		}
		set.Values[f.Name] = v
	}
	return set
}

// elements returns how many elements a field has at the sizes of the set. A ragged plate stands after the one it is ragged over, and has its
// elements counted.
func elements(set *dataio.Set, f dataio.Field) int {
	n := 1
	for i, d := range f.Dims {
		if i+1 < len(f.Dims) && set.Ragged[f.Dims[i+1]] != nil {
			continue
		}
		size, lens := set.Sizes[d], set.Ragged[d]
		for _, l := range lens {
			size += l
		}
		n *= size
	}
	return n
}
