package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

func TestCmdStanText(t *testing.T) {
	var buf bytes.Buffer
	w, err := NewCmdStan(&buf, CmdStanHeader{Model: "lasso", Version: "0.1", Chain: 1,
		Options: Options{Warmup: -1, Draws: 4, Thin: 5, Seed: math.MaxUint64}})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		w.Begin([]string{"mu", "S.1.1", "S.2.1"}),
		w.Draw(-1.5, []float64{0.1, 1e-300, 3}),
		w.Draw(math.Inf(-1), []float64{math.NaN(), math.Inf(1), 1e21}),
		w.Close())
	if err != nil {
		t.Fatal(err)
	}
	const want = `# model = lasso
# method = sample
#   sample
#     num_samples = 20
#     num_warmup = 1
#     save_warmup = 0
#     thin = 5
#     algorithm = fixed_param
#     metric = unit_e
# id = 2
# random
#   seed = 18446744073709551615
# engine = gibbsgen 0.1
lp__,log_joint,mu,S.1.1,S.2.1
-1.5,-1.5,0.1,1e-300,3
-Inf,-Inf,NaN,+Inf,1e+21
`
	if got := buf.String(); got != want {
		t.Errorf("wrote\n%s\nwant\n%s", got, want)
	}
}

// Every double comes back as it was.
func TestCmdStanRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	values := []float64{0, math.Copysign(0, -1), 1. / 3, math.Pi * 1e17, math.SmallestNonzeroFloat64, math.MaxFloat64, math.Inf(-1), math.NaN()}
	w, err := CreateCmdStan(path, CmdStanHeader{Model: "m", Options: Options{Draws: len(values), Seed: 7}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin([]string{"x"}); err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if err := w.Draw(float64(i)/3, []float64{v}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there before Close: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	names, draws, meta, err := ReadCmdStan(f)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(names, []string{"lp__", "log_joint", "x"}) {
		t.Errorf("names %q", names)
	}
	for i, v := range values {
		if got := draws[2][i]; math.Float64bits(got) != math.Float64bits(v) && !(math.IsNaN(got) && math.IsNaN(v)) {
			t.Errorf("%v came back as %v", v, got)
		}
		if want := float64(i) / 3; draws[0][i] != want || draws[1][i] != want {
			t.Errorf("log joint %d/3 came back as %v and %v", i, draws[0][i], draws[1][i])
		}
	}
	for key, want := range map[string]string{"id": "1", "seed": "7", "algorithm": "fixed_param", "metric": "unit_e",
		"num_samples": "8", "num_warmup": "1000", "thin": "1", "engine": "gibbsgen", "model": "m"} {
		if meta[key] != want {
			t.Errorf("meta[%q] = %q, want %q", key, meta[key], want)
		}
	}
}

func TestCmdStanRefuses(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"a", ""}, "name 2 of 2 is empty"},
		{[]string{"a,b"}, `"a,b"`},
		{[]string{"S[1, 2]"}, "no commas"},
		{[]string{"#a"}, `"#a"`},
		{[]string{"a\nb"}, `"a\nb"`},
		{[]string{"tau__"}, "cmdstanr drops"},
		{[]string{"a", "b", "a"}, `name 3, "a", is there twice`},
		{[]string{"lp__"}, "lp__"},
		{[]string{"log_joint"}, "log_joint"},
	} {
		var buf bytes.Buffer
		w, err := NewCmdStan(&buf, CmdStanHeader{})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Begin(c.names); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("names %q: error %v, want %q in it", c.names, err, c.want)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	for name, err := range map[string]error{
		"negative chain": second(CreateCmdStan(path, CmdStanHeader{Chain: -1})),
		"model":          second(CreateCmdStan(path, CmdStanHeader{Model: "a\nb"})),
		"draws":          second(CreateCmdStan(path, CmdStanHeader{Options: Options{Draws: -1}})),
		"no directory":   begun(CreateCmdStan(filepath.Join(dir, "no", "x.csv"), CmdStanHeader{})),
		"a directory":    second(CreateCmdStan(dir, CmdStanHeader{})),
		"no path":        second(CreateCmdStan("", CmdStanHeader{})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if got := contents(t, dir); len(got) != 0 {
		t.Errorf("left behind: %q", keysOf(got))
	}
	w, err := CreateCmdStan(path, CmdStanHeader{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil {
		t.Error("Close before Begin: no error")
	}
	if got := contents(t, dir); len(got) != 0 {
		t.Errorf("left behind: %q", keysOf(got))
	}
	var buf bytes.Buffer
	if w, err = NewCmdStan(&buf, CmdStanHeader{}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Begin([]string{"x"})); err != nil {
		t.Fatal(err)
	}
	if err := w.Draw(0, []float64{1, 2}); err == nil {
		t.Error("two values for one name: no error")
	}
}

func second[T any](_ T, err error) error { return err }

func begun(w *CmdStanWriter, err error) error { return errors.Join(err, w.Begin([]string{"x"})) }

var errDisk = errors.New("no space left on device")

// fullDisk takes room bytes, then fails.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	if d.room -= n; n < len(p) {
		return n, errDisk
	}
	return n, nil
}

// A full disk is told of by the draw that meets it or at the latest by Close,
// wherever it strikes, and a complete file never fails.
func TestCmdStanFullDisk(t *testing.T) {
	const draws = 250
	write := func(w *CmdStanWriter) error {
		if err := w.Begin([]string{"x"}); err != nil {
			return err
		}
		for i := range draws {
			if err := w.Draw(1, []float64{float64(i)}); err != nil {
				return err
			}
		}
		return w.Close()
	}
	var whole bytes.Buffer
	w, err := NewCmdStan(&whole, CmdStanHeader{})
	if err == nil {
		err = write(w)
	}
	if err != nil {
		t.Fatal(err)
	}
	for room := 0; room <= whole.Len(); room += 1 + room/8 {
		w, err := NewCmdStan(&fullDisk{room}, CmdStanHeader{})
		if err != nil {
			t.Fatal(err)
		}
		if err := write(w); !errors.Is(err, errDisk) && room < whole.Len() {
			t.Errorf("room for %d of %d bytes: error %v", room, whole.Len(), err)
		}
	}
	if w, err = NewCmdStan(&fullDisk{whole.Len()}, CmdStanHeader{}); err == nil {
		err = write(w)
	}
	if err != nil {
		t.Errorf("just enough room: %v", err)
	}
}

// A file that can't be written any more leaves nothing half-written, and the
// file of an earlier run as it was.
func TestCmdStanFileFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.csv")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := CreateCmdStan(path, CmdStanHeader{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin([]string{"x"}); err != nil {
		t.Fatal(err)
	}
	w.out.file.Close() // from here on every write fails
	for range flushEvery {
		err = w.Draw(1, []float64{2})
	}
	if err == nil || !strings.Contains(err.Error(), "write draws to x.csv") {
		t.Errorf("row %d: error %v", flushEvery, err)
	}
	if err := w.Close(); err == nil {
		t.Error("Close: no error")
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	if got := contents(t, dir); len(got) != 1 || got["x.csv"] != "old" {
		t.Errorf("files %v, want the old one as it was", got)
	}
}

// Rows reach the operating system while the run goes on.
func TestCmdStanFlushesRegularly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	w, err := CreateCmdStan(path, CmdStanHeader{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Begin([]string{"x"}); err != nil {
		t.Fatal(err)
	}
	for range flushEvery + 1 {
		if err := w.Draw(1, []float64{2}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path + ".partial")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n1,1,2")); n != flushEvery {
		t.Errorf("%d rows on disk, want %d", n, flushEvery)
	}
}

// stanFile is what CmdStan itself writes, shortened: saved warmup, adaptation
// and timing between and after the draws.
const stanFile = `# stan_version_major = 2
# model = bernoulli_model
# method = sample (Default)
#   sample
#     num_samples = 4
#     num_warmup = 5
#     save_warmup = %s
#     thin = 2
#     adapt
#       engaged = 1 (Default)
#     algorithm = hmc (Default)
#       hmc
#         engine = nuts (Default)
# id = 3
# data
#   file = bernoulli.data.json
# output
#   file = output.csv (Default)
lp__,accept_stat__,theta
-7,1,0.1
-8,1,0.2
-9,1,0.3
# Adaptation terminated
# Step size = 0.94
# Diagonal elements of inverse mass matrix:
# 0.55

-6.8,0.97,0.25
-6.9,nan,-inf
# 
#  Elapsed Time: 0.007 seconds (Warm-up)

`

func TestReadCmdStanOfOthers(t *testing.T) {
	for _, c := range []struct {
		saveWarmup string
		want       []float64
	}{
		{"1", []float64{-6.8, -6.9}}, // ⌈5/2⌉ = 3 rows of warmup
		{"true", []float64{-6.8, -6.9}},
		{"0 (Default)", []float64{-7, -8, -9, -6.8, -6.9}},
		{"false", []float64{-7, -8, -9, -6.8, -6.9}},
	} {
		text := fmt.Sprintf(stanFile, c.saveWarmup)
		for ending, text := range map[string]string{"LF": text, "CRLF": strings.ReplaceAll(text, "\n", "\r\n")} {
			names, draws, meta, err := ReadCmdStan(iotest.OneByteReader(strings.NewReader(text)))
			if err != nil {
				t.Errorf("%s, save_warmup = %s: %v", ending, c.saveWarmup, err)
				continue
			}
			if !slices.Equal(names, []string{"lp__", "accept_stat__", "theta"}) || !slices.Equal(draws[0], c.want) {
				t.Errorf("%s, save_warmup = %s: names %q, lp__ %v, want %v", ending, c.saveWarmup, names, draws[0], c.want)
			}
			if n := len(draws[2]); !math.IsInf(draws[2][n-1], -1) || !math.IsNaN(draws[1][n-1]) {
				t.Errorf("last theta %v and accept_stat__ %v, want -Inf and NaN", draws[2][n-1], draws[1][n-1])
			}
			for key, want := range map[string]string{"method": "sample", "engine": "nuts", "Step size": "0.94", "file": "bernoulli.data.json", "id": "3"} {
				if meta[key] != want {
					t.Errorf("meta[%q] = %q, want %q", key, meta[key], want)
				}
			}
		}
	}
	// A plain CSV without comments, as read.csv's relatives write it.
	names, draws, _, err := ReadCmdStan(strings.NewReader("a , b\n 1, 2\n"))
	if err != nil || !slices.Equal(names, []string{"a", "b"}) || draws[1][0] != 2 {
		t.Errorf("plain CSV: %q %v %v", names, draws, err)
	}
	// CmdStan's fixed_param saves no warmup, whatever its comments say.
	_, draws, _, err = ReadCmdStan(strings.NewReader("# algorithm = fixed_param\n# save_warmup = 1\n# num_warmup = 1\na\n1\n2\n"))
	if err != nil || len(draws[0]) != 2 {
		t.Errorf("fixed_param: %v %v", draws, err)
	}
}

// named gives a reader the name of a file.
type named struct{ io.Reader }

func (named) Name() string { return "dir/x.csv" }

func TestReadCmdStanErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "dir/x.csv: no line of column names"},
		{"# only = comments\n", "dir/x.csv: no line of column names"},
		{"a,,c\n", "dir/x.csv:1: column 2 has no name"},
		{"# c\na,b,a\n", `dir/x.csv:2: column 3: the name "a" is there twice`},
		{"a,b\n1,2\n\n3\n", "dir/x.csv:4: 1 values for 2 columns"},
		{"a,b\n1,2,3\n", "dir/x.csv:2: 3 values for 2 columns"},
		{"a,b\n1,NA\n", `dir/x.csv:2: column b (2 of 2): "NA" is not a number`},
		{"a,b\n1,\n", `dir/x.csv:2: column b (2 of 2): "" is not a number`},
		{"a\n1e999\n", `dir/x.csv:2: column a (1 of 1): "1e999" is out of range`},
		{"a,b\n1,2\n3,4.5", "dir/x.csv:3: the last row has no line end"},
		{"# save_warmup = 1\na\n1\n", `dir/x.csv: comment num_warmup = ""`},
		{"# save_warmup = 1\n# num_warmup = 2\n# thin = 0\na\n1\n", `dir/x.csv: comment thin = "0"`},
	} {
		_, draws, _, err := ReadCmdStan(named{strings.NewReader(c.text)})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || draws != nil {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
	_, _, _, err := ReadCmdStan(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("a\n1\n"))))
	if !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("failing reader: error %v", err)
	}
}

// What can be read is a table, and reading what is written of it gives it again.
func FuzzReadCmdStan(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(stanFile, "1")))
	f.Add([]byte("# num_warmup = 9223372036854775807\n# save_warmup = true\na\n1\n"))
	f.Add([]byte("lp__,x.1\r\n-Inf,0x1p-2\n\n#\nNaN,+1e-320\n"))
	f.Add([]byte("a,b\n1,2\n3"))
	f.Fuzz(func(t *testing.T, text []byte) {
		names, draws, meta, err := ReadCmdStan(bytes.NewReader(text))
		if err != nil {
			if names != nil || draws != nil || meta != nil {
				t.Fatalf("an error, %v, together with a table", err)
			}
			return
		}
		if len(names) == 0 || len(names) != len(draws) {
			t.Fatalf("%d names, %d columns", len(names), len(draws))
		}
		again := strings.Join(names, ",") + "\n"
		for i := range draws[0] {
			for j, d := range draws {
				if len(d) != len(draws[0]) {
					t.Fatalf("column %d has %d draws, column 0 has %d", j, len(d), len(draws[0]))
				}
				if j > 0 {
					again += ","
				}
				again += strconv.FormatFloat(d[i], 'g', -1, 64)
			}
			again += "\n"
		}
		names2, draws2, _, err := ReadCmdStan(strings.NewReader(again))
		if err != nil || !slices.Equal(names, names2) {
			t.Fatalf("read again: %q, was %q, %v", names2, names, err)
		}
		for j := range draws {
			if !slices.EqualFunc(draws[j], draws2[j], func(a, b float64) bool { return a == b || a != a && b != b }) {
				t.Fatalf("column %d was %v, read again %v", j, draws[j], draws2[j])
			}
		}
	})
}
