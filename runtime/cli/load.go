// This file holds how data and initial values are read.

package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// load reads the data, and the initial values of each chain (nil: none).
func (s *settings) load(stderr io.Writer) (set *dataio.Set, inits []*dataio.Set, err error) {
	set, notes, err := dataio.Load(s.model.Schema, s.files, s.data)
	if !s.quiet {
		for _, n := range notes {
			fmt.Fprintf(stderr, "%s: note: %s\n", s.model.Name, n)
		}
	}
	if err != nil {
		return nil, nil, err
	}
	inits = make([]*dataio.Set, s.opts.Chains)
	for i := range inits {
		switch {
		case len(s.init) > 1:
			inits[i], err = s.loadInit(s.init[i], set)
		case len(s.init) == 1 && i == 0:
			inits[i], err = s.loadInit(s.init[0], set)
		case len(s.init) == 1:
			inits[i] = inits[0]
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return set, inits, nil
}

// loadInit reads initial values: as data are, each of them optional, with the sizes that the data gave.
func (s *settings) loadInit(path string, set *dataio.Set) (*dataio.Set, error) {
	schema := dataio.Schema{Model: s.model.Name, Plates: s.model.Schema.Plates}
	for _, f := range s.model.Unknowns {
		f.Const, f.Default = true, true
		schema.Fields = append(schema.Fields, f)
	}
	var opts dataio.Options
	for _, plate := range slices.Sorted(maps.Keys(set.Sizes)) {
		opts.Set = append(opts.Set, fmt.Sprintf("%s=%d", plate, set.Sizes[plate]))
	}
	init, _, err := dataio.Load(schema, []string{path}, opts)
	if err != nil {
		return nil, err
	}
	for plate, lengths := range init.Ragged {
		if want := set.Ragged[plate]; len(lengths) > 0 && !slices.Equal(lengths, want) {
			return nil, fmt.Errorf("%s: the lengths of %s are not those of the data", path, plate)
		}
	}
	for plate, names := range init.Levels {
		if !slices.Equal(names, set.Levels[plate]) {
			return nil, fmt.Errorf("%s: the categories of %s are not those of the data: give them as numbers from 1", path, plate)
		}
	}
	return init, nil
}

// chain makes one chain, at its initial values if there are any.
func (s *settings) chain(set, init *dataio.Set, number int) (runtime.Sampler, error) {
	c, err := s.model.New(set, runtime.NewRand(s.opts.Seed, uint64(number)))
	lost := errors.Is(err, runtime.ErrNoStart) // which initial values are there to help
	switch {
	case err != nil && (!lost || init == nil):
		return nil, s.inTerms(err, set, "")
	case init == nil:
		return c, nil
	}
	at, ok := c.(Initialiser)
	if !ok {
		return nil, fmt.Errorf("%s does not take initial values", s.model.Name)
	}
	path := s.init[min(number, len(s.init)-1)]
	err = s.inTerms(at.SetInit(init), set, path)
	if err != nil && lost {
		err = fmt.Errorf("%w\n%s: what it leaves out begins at a random place, and none was found that fits: give more", err, path)
	}
	return c, err
}
