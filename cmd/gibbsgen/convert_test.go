// This file tests gibbsgen convert: what it writes is read back here, and by R and Python where they are installed.

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// convertNames are two numbers, a vector, a matrix and an array of three axes, of which each axis has another length.
func convertNames() []string {
	names := []string{"mu", "S_dim"}
	for i := range 3 {
		names = append(names, fmt.Sprintf("w.%d", i+1))
	}
	for j := range 3 { // the first index moves first
		for i := range 2 {
			names = append(names, fmt.Sprintf("S.%d.%d", i+1, j+1))
		}
	}
	for k := range 4 {
		for j := range 3 {
			for i := range 2 {
				names = append(names, fmt.Sprintf("T.%d.%d.%d", i+1, j+1, k+1))
			}
		}
	}
	return names
}

// writeRun writes chains of draws by the writer of samplers, and returns their directory.
func writeRun(t *testing.T, chains, draws int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	dir := filepath.Join(t.TempDir(), "m-draws")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	names := convertNames()
	for chain := range chains {
		w, err := runtime.CreateCmdStan(filepath.Join(dir, fmt.Sprintf("m-%d.csv", chain+1)), runtime.CmdStanHeader{Model: "m", Chain: chain, Options: runtime.Options{Draws: draws}})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Begin(names); err != nil {
			t.Fatal(err)
		}
		row := make([]float64, len(names))
		for range draws {
			for i := range row {
				row[i] = math.Ldexp(r.NormFloat64(), r.IntN(40)-20)
			}
			if err := w.Draw(r.NormFloat64(), row); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// readRun returns columns by name and chain, without lp__.
func readRun(t *testing.T, dir string) (names []string, columns map[string][][]float64) {
	t.Helper()
	columns = map[string][][]float64{}
	for chain := 1; ; chain++ {
		path := filepath.Join(dir, fmt.Sprintf("m-%d.csv", chain))
		if _, err := os.Stat(path); err != nil {
			return names, columns
		}
		ns, draws, _, err := readDraws(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range ns {
			columns[n] = append(columns[n], draws[i])
		}
		names = ns
	}
}

// convertWith converts with so many numbers held at a time.
func convertWith(t *testing.T, f drawFormat, dir string, hold int) (out string) {
	t.Helper()
	r, err := openRun(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	r.hold = hold
	out = filepath.Join(t.TempDir(), "out")
	if err := f.replace(out, r); err != nil {
		t.Fatal(err)
	}
	return out
}

// holds are fewer numbers than one column, than all, and enough for all.
var holds = []int{1, 30, 100, convertHold}

func TestConvertCoda(t *testing.T) {
	dir := writeRun(t, 2, 7)
	names, columns := readRun(t, dir)
	for _, hold := range holds {
		out := convertWith(t, codaFormat, dir, hold)
		index, err := os.ReadFile(filepath.Join(out, "CODAindex.txt"))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(index), "\n"), "\n")
		if len(lines) != len(names) {
			t.Fatalf("%d lines of the index, want %d", len(lines), len(names))
		}
		for chain := range 2 {
			text, err := os.ReadFile(filepath.Join(out, fmt.Sprintf("CODAchain%d.txt", chain+1)))
			if err != nil {
				t.Fatal(err)
			}
			fields := strings.Fields(string(text))
			if len(fields) != 2*7*len(names) {
				t.Fatalf("chain %d has %d fields", chain+1, len(fields))
			}
			for i, line := range lines {
				var name string
				var first, last int
				if _, err := fmt.Sscanf(line, "%s %d %d", &name, &first, &last); err != nil || last-first != 6 {
					t.Fatalf("index: %q: %v", line, err)
				}
				name = strings.NewReplacer("[", ".", ",", ".", "]", "").Replace(name)
				if name != names[i] {
					t.Errorf("line %d is of %s, want %s", i+1, name, names[i])
				}
				for draw := range 7 {
					at := 2 * (first - 1 + draw)
					x, err := strconv.ParseFloat(fields[at+1], 64)
					if want := columns[name][chain][draw]; err != nil || x != want || fields[at] != strconv.Itoa(draw+1) {
						t.Errorf("hold %d: chain %d, %s, draw %d: %s %s, want %g", hold, chain+1, name, draw+1, fields[at], fields[at+1], want)
					}
				}
			}
		}
	}
}

// A zarrArray is an array's metadata.
type zarrArray struct {
	Dtype         string
	Shape, Chunks []int
	Order         string
}

// element reads one element of an array in a store.
func element(t *testing.T, dir string, a zarrArray, at []int) uint64 {
	t.Helper()
	pos := 0
	var chunk []string
	for k, i := range at {
		chunk = append(chunk, strconv.Itoa(i/a.Chunks[k]))
		pos = pos*a.Chunks[k] + i%a.Chunks[k]
	}
	b, err := os.ReadFile(filepath.Join(dir, strings.Join(chunk, ".")))
	if err != nil {
		t.Fatal(err)
	}
	size := 8
	for _, n := range a.Chunks {
		size *= n
	}
	if len(b) != size {
		t.Fatalf("%s: a chunk of %d bytes, want %d", dir, len(b), size)
	}
	return binary.LittleEndian.Uint64(b[8*pos:])
}

func TestConvertZarr(t *testing.T) {
	dir := writeRun(t, 2, 7)
	names, columns := readRun(t, dir)
	for _, hold := range holds {
		out := convertWith(t, zarrFormat, dir, hold)
		var all struct{ Metadata map[string]json.RawMessage }
		readJSON(t, filepath.Join(out, ".zmetadata"), &all)
		for at, want := range all.Metadata {
			var a, b any
			readJSON(t, filepath.Join(out, at), &a)
			if err := json.Unmarshal(want, &b); err != nil || fmt.Sprint(a) != fmt.Sprint(b) {
				t.Errorf("%s holds %v, .zmetadata %v", at, a, b)
			}
		}
		for _, name := range names {
			variable, index := splitName(name)
			path := filepath.Join(out, "posterior", variable)
			if name == "log_joint" {
				path = filepath.Join(out, "sample_stats", "lp")
			}
			var a zarrArray
			readJSON(t, filepath.Join(path, ".zarray"), &a)
			var attrs map[string][]string
			readJSON(t, filepath.Join(path, ".zattrs"), &attrs)
			dims := attrs["_ARRAY_DIMENSIONS"]
			if a.Dtype != "<f8" || a.Order != "C" || len(a.Shape) != 2+len(index) || len(dims) != len(a.Shape) {
				t.Fatalf("%s: %+v over %v", name, a, dims)
			}
			for k, dim := range dims { // each has coordinates 0, 1, ...
				var c zarrArray
				at := filepath.Join(filepath.Dir(path), dim)
				readJSON(t, filepath.Join(at, ".zarray"), &c)
				if c.Dtype != "<i8" || !slices.Equal(c.Shape, a.Shape[k:k+1]) {
					t.Fatalf("%s: %+v", at, c)
				}
				for i := range a.Shape[k] {
					if x := element(t, at, c, []int{i}); x != uint64(i) {
						t.Errorf("%s: element %d is %d", at, i, x)
					}
				}
			}
			for chain := range 2 {
				for draw := range 7 {
					x := math.Float64frombits(element(t, path, a, append([]int{chain, draw}, index...)))
					if want := columns[name][chain][draw]; x != want {
						t.Errorf("hold %d: chain %d, %s, draw %d: %g, want %g", hold, chain, name, draw, x, want)
					}
				}
			}
		}
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatal(path, err)
	}
}

// TestConvertStopped: nothing is left, and what was there stays.
func TestConvertStopped(t *testing.T) {
	dir := writeRun(t, 2, 7)
	for _, f := range []drawFormat{codaFormat, zarrFormat} {
		out := convertWith(t, f, dir, convertHold)
		before := listing(t, filepath.Dir(out))
		ctx, stop := context.WithCancel(context.Background())
		r, err := openRun(ctx, dir)
		if err != nil {
			t.Fatal(err)
		}
		stop()
		if err := f.replace(out, r); err == nil || err.Error() != "stopped: nothing was written" {
			t.Errorf("%s: %v", f.name, err)
		}
		r.ctx = context.Background()
		r.rows[0]-- // as if the file had grown since
		if err := f.replace(out, r); err == nil || !strings.Contains(err.Error(), "m-1.csv has changed while it was read") {
			t.Errorf("%s: %v", f.name, err)
		}
		r.rows[0] += 2
		if err := f.replace(out, r); err == nil || !strings.Contains(err.Error(), "m-1.csv has changed while it was read") {
			t.Errorf("%s: %v", f.name, err)
		}
		if after := listing(t, filepath.Dir(out)); after != before {
			t.Errorf("%s: left\n%s\nwas\n%s", f.name, after, before)
		}
	}
}

// listing is every file below a directory with its content.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			fmt.Fprintln(&b, path)
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// program returns the first of the commands that runs the check, which needs packages of others, or skips the test.
func program(t *testing.T, check string, commands ...[]string) []string {
	t.Helper()
	why := ""
	for _, c := range commands {
		out, err := exec.Command(c[0], append(c[1:], check)...).CombinedOutput()
		if err == nil {
			return c
		}
		why += fmt.Sprintf("\n%s: %v\n%s", c[0], err, out)
	}
	t.Skipf("none of these can %s:%s", check, why)
	return nil
}

// sameTable compares lines "name chain draw value" with the columns. R's own reading of numbers may miss the last digit.
func sameTable(t *testing.T, r io.Reader, columns map[string][][]float64, tolerance float64) {
	t.Helper()
	seen := 0
	for {
		var name, value string
		var chain, draw int
		if _, err := fmt.Fscan(r, &name, &chain, &draw, &value); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		x, err := strconv.ParseFloat(value, 64)
		if want := columns[name][chain][draw]; err != nil || math.Abs(x-want) > tolerance*math.Abs(want) {
			t.Errorf("%s, chain %d, draw %d: %s, want %v", name, chain, draw, value, want)
		}
	}
	want := 0
	for _, c := range columns {
		want += len(c) * len(c[0])
	}
	if seen != want {
		t.Errorf("%d numbers, want %d", seen, want)
	}
}

func TestConvertR(t *testing.T) {
	rscript := program(t, "library(coda)", []string{"Rscript", "-e"})
	dir := writeRun(t, 2, 7)
	_, columns := readRun(t, dir)
	out := convertWith(t, codaFormat, dir, convertHold)
	script := `suppressMessages(library(coda))
x <- mcmc.list(lapply(1:2, function(i) read.coda(sprintf("CODAchain%d.txt", i), "CODAindex.txt", quiet = TRUE)))
stopifnot(niter(x) == 7, nchain(x) == 2, "S[2,1]" %in% varnames(x))
for (k in 1:2) for (n in varnames(x)) for (d in 1:7) cat(gsub("]", "", gsub("[[,]", ".", n), fixed = TRUE), k - 1, d - 1, sprintf("%.17g", x[[k]][d, n]), "\n")`
	sameTable(t, bytes.NewReader(runIn(t, out, append(rscript, script))), columns, 1e-15)
}

func TestConvertPython(t *testing.T) {
	python := program(t, "import xarray, zarr", []string{"python3", "-c"}, []string{"/usr/bin/python3", "-c"})
	dir := writeRun(t, 2, 7)
	_, columns := readRun(t, dir)
	script := `
import itertools, sys, xarray, warnings
warnings.simplefilter("error", RuntimeWarning) # xarray's, if there were no consolidated metadata
for group in "posterior", "sample_stats":
    d = xarray.open_zarr(sys.argv[1], group=group, chunks=None)
    assert list(d["chain"].values) == [0, 1] and list(d["draw"].values) == list(range(7))
    for name, v in d.data_vars.items():
        assert v.dims == ("chain", "draw") + tuple(f"{name}_dim_{k}" for k in range(v.ndim - 2)), v.dims
        assert v.dtype == "float64", v.dtype
        for at in itertools.product(*map(range, v.shape)):
            full = "log_joint" if group == "sample_stats" else ".".join([name] + [str(i + 1) for i in at[2:]])
            print(full, at[0], at[1], repr(float(v.values[at])))
`
	for _, hold := range []int{100, convertHold} { // with several chunks, and with one
		out := convertWith(t, zarrFormat, dir, hold)
		sameTable(t, bytes.NewReader(runIn(t, filepath.Dir(out), append(python, script, "out"))), columns, 0)
	}
}

func runIn(t *testing.T, dir string, args []string) []byte {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	return out
}
