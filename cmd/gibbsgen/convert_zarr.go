// This file writes draws as a Zarr store of format 2, as ArviZ and xarray read it: a directory for each group, in it one for each
// array, in that its chunks. The numbers are little-endian and not compressed, which draws gain little by.

package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// zarrAttrs are the attributes of the root.
const zarrAttrs = "{\"written_by\": \"gibbsgen convert\"}\n"

// The attributes of the root mark the store: a file of another name would be no part of a store.
var zarrFormat = drawFormat{
	name:   "zarr",
	mark:   ".zattrs",
	marked: zarrAttrs,
	owns: func(name string) bool {
		return slices.Contains([]string{".zgroup", ".zmetadata", "posterior", "sample_stats"}, name)
	},
	write: writeZarr,
}

// A zarrVar is an array over chains, draws and its own indices.
type zarrVar struct {
	path  string // posterior/mu
	shape []int  // of its own indices
	at    []int  // for each element, the last index moving first, its place in a row
}

// zarrVars puts columns together to arrays, in the order of the file.
func zarrVars(r *csvRun) ([]*zarrVar, error) {
	var vars []*zarrVar
	find := map[string]*zarrVar{}
	index := map[*zarrVar][][]int{} // of each column
	for _, c := range r.columns {
		name, ix := splitName(c.name)
		group := "posterior/"
		if c.name == r.lp {
			name, group = "lp", "sample_stats/"
		}
		v := find[group+name]
		if v == nil {
			v = &zarrVar{path: group + name, shape: make([]int, len(ix))}
			find[v.path] = v
			vars = append(vars, v)
		}
		if len(ix) != len(v.shape) {
			return nil, fmt.Errorf("%s: column %s has %d indices, others of %s have %d: only --to=coda takes such columns", r.files[0], c.name, len(ix), name, len(v.shape))
		}
		for k, i := range ix {
			v.shape[k] = max(v.shape[k], i+1)
		}
		v.at = append(v.at, c.at)
		index[v] = append(index[v], ix)
	}
	for _, v := range vars {
		if err := v.order(r, index[v]); err != nil {
			return nil, err
		}
		// xarray has one namespace for variables and dimensions.
		if base := path.Base(v.path); base == "chain" || base == "draw" || isDim(base, find) {
			return nil, fmt.Errorf("%s: %s is the name of a dimension in the store, and can't be that of a variable: rename it, or use --to=coda", r.files[0], base)
		}
	}
	return vars, nil
}

// isDim reports whether a name is that of a dimension of one of the variables.
func isDim(name string, vars map[string]*zarrVar) bool {
	at := strings.LastIndex(name, "_dim_")
	if at < 0 {
		return false
	}
	v := vars["posterior/"+name[:at]]
	k, err := strconv.Atoi(name[at+len("_dim_"):])
	return v != nil && err == nil && k < len(v.shape)
}

// order puts the columns, whose indices are given, in the order of the array, of which none may be missing.
func (v *zarrVar) order(r *csvRun, index [][]int) error {
	size := 1
	for _, n := range v.shape {
		if size *= n; size > len(index) { // here, before it overflows
			return fmt.Errorf("%s: of %s there are %d columns, its indices want %d or more: a Zarr store wants whole arrays, --to=coda takes what there is", r.files[0], path.Base(v.path), len(index), size)
		}
	}
	// There are as many columns as positions, or more: if no two have one position, none is missing.
	at := map[int]int{}
	for c, ix := range index {
		pos := 0
		for k, i := range ix {
			pos = pos*v.shape[k] + i
		}
		if _, twice := at[pos]; twice {
			return fmt.Errorf("%s: column %s is there twice, spelt in different ways: take one out", r.files[0], r.names[v.at[c]])
		}
		at[pos] = v.at[c]
	}
	for pos, column := range at {
		v.at[pos] = column
	}
	return nil
}

// A zarrStore is the store being written.
type zarrStore struct {
	dir   string
	meta  map[string]any    // the metadata by their files
	attrs map[string]string // of each group with arrays
}

func writeZarr(dir string, r *csvRun) error {
	vars, err := zarrVars(r)
	if err != nil {
		return err
	}
	s := &zarrStore{dir, map[string]any{}, groupAttrs(r.meta)}
	// A chunk has as many draws as may be held of all variables together.
	chunk := min(r.draws, max(1, r.hold/len(r.columns)))
	if err := s.group(""); err != nil {
		return err
	}
	s.meta[".zattrs"] = json.RawMessage(zarrAttrs)
	if err := s.group("posterior/"); err != nil { // which readers want even if nothing but the log density was monitored
		return err
	}
	for _, v := range vars {
		group := path.Dir(v.path) + "/"
		if err := s.group(group); err != nil {
			return err
		}
		if err := s.axis(group+"chain", "chain", len(r.files)); err != nil {
			return err
		}
		if err := s.axis(group+"draw", "draw", r.draws); err != nil {
			return err
		}
		dims := []string{"chain", "draw"}
		for k, n := range v.shape {
			dim := fmt.Sprintf("%s_dim_%d", path.Base(v.path), k)
			dims = append(dims, dim)
			if err := s.axis(group+dim, dim, n); err != nil {
				return err
			}
		}
		shape := append([]int{len(r.files), r.draws}, v.shape...)
		if err := s.array(v.path, "<f8", dims, shape, append([]int{1, chunk}, v.shape...)); err != nil {
			return err
		}
	}
	held := make([][]byte, len(vars))
	for i, v := range vars {
		held[i] = make([]byte, 0, 8*chunk*len(v.at))
	}
	for chain := range r.files {
		if err := s.chunks(r, vars, chain, chunk, held); err != nil {
			return err
		}
	}
	return s.writeMeta()
}

// groupAttrs are those by which ArviZ says where draws come from, as far as the comments of their file do.
func groupAttrs(meta map[string]string) map[string]string {
	attrs := map[string]string{}
	if name, version, _ := strings.Cut(meta["engine"], " "); name == "gibbsgen" { // CmdStan has an engine, too: nuts
		attrs["inference_library"], attrs["inference_library_version"] = name, version
	} else if major := meta["stan_version_major"]; major != "" {
		attrs["inference_library"], attrs["inference_library_version"] = "cmdstan", major+"."+meta["stan_version_minor"]+"."+meta["stan_version_patch"]
	}
	if model := meta["model"]; model != "" {
		attrs["model"] = model
	}
	return attrs
}

// group notes a group and makes its directory.
func (s *zarrStore) group(prefix string) error {
	s.meta[prefix+".zgroup"] = map[string]int{"zarr_format": 2}
	s.meta[prefix+".zattrs"] = s.attrs
	return os.MkdirAll(filepath.Join(s.dir, filepath.FromSlash(prefix)), 0o755)
}

// array notes an array and makes its directory. Its fill_value is null because every chunk is written, and because xarray would
// take numbers equal to another for missing.
func (s *zarrStore) array(at, dtype string, dims []string, shape, chunks []int) error {
	s.meta[at+"/.zarray"] = map[string]any{
		"zarr_format": 2, "dtype": dtype, "shape": shape, "chunks": chunks, "order": "C", "compressor": nil, "filters": nil, "fill_value": nil,
	}
	s.meta[at+"/.zattrs"] = map[string]any{"_ARRAY_DIMENSIONS": dims}
	return os.MkdirAll(filepath.Join(s.dir, filepath.FromSlash(at)), 0o755)
}

// axis writes the coordinates of a dimension, which count from 0 as ArviZ does. What is there already is the same.
func (s *zarrStore) axis(at, dim string, n int) error {
	if s.meta[at+"/.zarray"] != nil {
		return nil
	}
	if err := s.array(at, "<i8", []string{dim}, []int{n}, []int{n}); err != nil {
		return err
	}
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint64(b, uint64(i))
	}
	return os.WriteFile(filepath.Join(s.dir, filepath.FromSlash(at), "0"), b, 0o644)
}

// chunks writes the draws of one chain, so many in a chunk. held, of each variable, is empty and has room for one.
func (s *zarrStore) chunks(r *csvRun, vars []*zarrVar, chain, chunk int, held [][]byte) error {
	return r.each(chain, func(draw int, values []float64) error {
		for i, v := range vars {
			for _, at := range v.at {
				held[i] = binary.LittleEndian.AppendUint64(held[i], math.Float64bits(values[at]))
			}
			if (draw+1)%chunk != 0 && draw+1 != r.draws {
				continue
			}
			name := fmt.Sprintf("%d.%d%s", chain, draw/chunk, strings.Repeat(".0", len(v.shape)))
			b := held[i][:cap(held[i])] // the last is as long as others
			clear(b[len(held[i]):])
			if err := os.WriteFile(filepath.Join(s.dir, filepath.FromSlash(v.path), name), b, 0o644); err != nil {
				return err
			}
			held[i] = held[i][:0]
		}
		return nil
	})
}

// writeMeta writes the metadata, each in its file and all of them in .zmetadata.
func (s *zarrStore) writeMeta() error {
	all := map[string]any{"zarr_consolidated_format": 1, "metadata": maps.Clone(s.meta)}
	s.meta[".zmetadata"] = all
	for at, v := range s.meta {
		err := writeTo(filepath.Join(s.dir, filepath.FromSlash(at)), func(w *bufio.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "    ")
			return enc.Encode(v)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
