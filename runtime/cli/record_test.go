// This file tests what becomes of draws: what is a column, what has a file, moments, and that a draw allocates nothing.

package cli

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// wide is a sampler with unknowns of all shapes, whose values follow from the number of sweeps.
type wide struct {
	fake
	all   []runtime.Unknown
	grown [2]float64
	n     int
}

func newWide() *wide {
	dim := func(plate string, n int) runtime.Dim { return runtime.Dim{Plate: plate, Size: n} }
	return &wide{all: []runtime.Unknown{
		{Name: "mu", Real: make([]float64, 1)},
		{Name: "m", Dims: []runtime.Dim{dim("A", 2), dim("B", 3)}, Real: make([]float64, 6)},
		{Name: "big", Dims: []runtime.Dim{dim("N", columnsMost+1)}, Real: make([]float64, columnsMost+1)},
		{Name: "z", Dims: []runtime.Dim{dim("A", 2)}, Of: dim("B", 3), Cat: make([]int32, 2)},
		{Name: "k", Of: dim("B", 3), Cat: make([]int32, 1)},
		{Name: "on", Dims: []runtime.Dim{dim("A", 2)}, Bool: make([]bool, 2)},
		{Name: "rag", Dims: []runtime.Dim{dim("A", 2), {Plate: "R", At: []int{0, 0, 2}}}, Real: make([]float64, 2)},
		{Name: "grow", Dims: []runtime.Dim{{Plate: "C", Unbounded: true}}},
	}}
}

func (w *wide) Unknowns() []runtime.Unknown { return w.all }
func (w *wide) UpdateGlobals() error {
	w.n++
	for i := range w.all[:7] { // the last, grow, has its own values
		u := &w.all[i]
		for k := range u.Real {
			u.Real[k] = float64(w.n*w.n + k)
		}
	}
	w.all[3].Cat[1] = int32(w.n % 3)
	w.all[5].Bool[0] = w.n%2 == 0
	g := &w.all[7]
	g.Dims[0].Size = 1 + w.n%2
	w.grown = [2]float64{1, 2}
	g.Real = w.grown[:g.Dims[0].Size]
	return nil
}

// Names are those of a spec that says nothing: here mu, m and two of big.
func (w *wide) Names() []string {
	return []string{"mu", "m.1.1", "m.2.1", "m.1.2", "m.2.2", "m.1.3", "m.2.3", "big.1", "C"}
}
func (w *wide) AppendValues(dst []float64) []float64 {
	m := w.all[1].Real
	return append(dst, w.all[0].Real[0], m[0], m[3], m[1], m[4], m[2], m[5], w.all[2].Real[0], 9)
}

// TestNoteLarge: an array that would be columns if it were shorter is named, with its number of elements; a local is not.
func TestNoteLarge(t *testing.T) {
	var b strings.Builder
	noteLarge(&b, newWide(), &Model{Name: "wide", Default: []string{"m", "big"}})
	want := "wide: note: big has 1001 elements, more than 1000: only means and standard deviations are kept of it (moments_1.csv); for its draws, --monitor=big\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	if noteLarge(&b, newWide(), &Model{}); b.String() != "" {
		t.Errorf("%q of a spec that monitors", b.String())
	}
}

func TestChoose(t *testing.T) {
	for _, tt := range []struct {
		asked, spec            string
		columns, long, moments string
		err                    string
	}{
		{"", "", "mu m.1.1 m.2.1 m.1.2 m.2.2 m.1.3 m.2.3 big.1 C", "", "big on rag", ""},
		{"", "z,big,grow,m", "mu m.1.1 m.2.1 m.1.2 m.2.2 m.1.3 m.2.3 big.1 C", "z grow", "big on rag", ""},
		{"m,C", "z", "C m.1.1 m.2.1 m.1.2 m.2.2 m.1.3 m.2.3", "", "mu big on rag", ""},
		{"C", "", "C", "", "mu m big on rag", ""},
		{"on,k,z,big,rag,grow", "", "k on.1 on.2", "big z rag grow", "mu m big rag", ""},
		{"m,nu", "", "", "", "", `no "nu"; it has mu, m, big, z, k, on, rag, grow, C`},
	} {
		split := func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r == ',' }) }
		w := newWide()
		w.UpdateGlobals()
		c, err := choose(w, split(tt.asked), split(tt.spec))
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: error %v, want %s", tt.asked, err, tt.err)
			}
			continue
		}
		names := func(at []int) string {
			var out []string
			for _, i := range at {
				out = append(out, w.all[i].Name)
			}
			return strings.Join(out, " ")
		}
		if err != nil || strings.Join(c.names, " ") != tt.columns || names(c.long) != tt.long || names(c.moments) != tt.moments {
			t.Errorf("%q, spec %q: %v\ncolumns %v, want %v\nlong %v, want %v\nmoments %v, want %v", tt.asked, tt.spec, err,
				c.names, tt.columns, names(c.long), tt.long, names(c.moments), tt.moments)
		}
	}
}

func TestSameFiles(t *testing.T) {
	w := newWide()
	w.all[3].Name = "Big"
	if _, err := choose(w, []string{"big", "Big"}, nil); err == nil || !strings.Contains(err.Error(), "files of one name") {
		t.Errorf("big and Big: error %v", err)
	}
	w.all[3].Name = "Moments"
	if _, err := choose(w, []string{"Moments"}, nil); err == nil || !strings.Contains(err.Error(), "leave Moments out") {
		t.Errorf("Moments: error %v", err)
	}
}

// TestRecord makes a run and reads the files.
func TestRecord(t *testing.T) {
	inputs(t)
	m := fakeModel(nil)
	m.New = func(*dataio.Set, *runtime.Rand) (runtime.Sampler, error) { return newWide(), nil }
	code, _, stderr := run(m, "--draws=4", "--warmup=0", "--chains=1", "--monitor=m,z,grow", "--out=d", "y.json")
	if code != OK {
		t.Fatal(stderr)
	}
	if got := read(t, "d/fake-1.csv"); !strings.Contains(got, "\nlp__,log_joint,m.1.1,m.2.1,m.1.2,m.2.2,m.1.3,m.2.3\n") || !strings.Contains(got, ",16,19,17,20,18,21\n") {
		t.Errorf("columns:\n%s", got)
	}
	if got, want := read(t, "d/z_1.csv"), "draw,i1,value\n1,1,1\n1,2,2\n2,1,1\n2,2,3\n3,1,1\n3,2,1\n4,1,1\n4,2,2\n"; got != want {
		t.Errorf("z:\n%swant\n%s", got, want)
	}
	if got, want := read(t, "d/grow_1.csv"), "draw,i1,value\n1,1,1\n1,2,2\n2,1,1\n3,1,1\n3,2,2\n4,1,1\n"; got != want {
		t.Errorf("grow:\n%swant\n%s", got, want)
	}
	// Of 1, 4, 9, 16: mean 7.5, squared deviations 42.25 + 12.25 + 2.25 + 72.25 = 129.
	moments := read(t, "d/moments_1.csv")
	sd := math.Sqrt(129.0 / 3)
	for _, want := range []struct {
		row  string
		mean float64
	}{{"mu,,,", 7.5}, {"big,3,,", 9.5}, {"rag,2,2,", 8.5}} {
		_, rest, ok := strings.Cut(moments, "\n"+want.row)
		var mean, dev float64
		if _, err := fmt.Sscanf(rest, "%g,%g", &mean, &dev); !ok || err != nil || math.Abs(mean-want.mean) > 1e-12 || math.Abs(dev-sd) > 1e-12 {
			t.Errorf("moments of %s: %v, %v (%v), want %v, %v", want.row, mean, dev, err, want.mean, sd)
		}
	}
	if !strings.Contains(moments, "\non,1,,0.5,") || strings.Contains(moments, "\nm,") || strings.Contains(moments, "\nz,") {
		t.Errorf("moments:\n%s", moments)
	}
	if got := read(t, "d/levels.json"); !strings.Contains(got, `"of": "B"`) {
		t.Errorf("levels.json:\n%s", got)
	}

	// A run that fails leaves none of it.
	m.New = func(*dataio.Set, *runtime.Rand) (runtime.Sampler, error) { w := newWide(); return failing{w}, nil }
	if code, _, _ := run(m, "--draws=4", "--warmup=0", "--chains=1", "--monitor=m,z", "--out=e", "y.json"); code != BadInput {
		t.Errorf("exit code %d", code)
	}
	if left, _ := filepath.Glob("e/*"); len(left) > 0 {
		t.Errorf("a failed run leaves %v", left)
	}
}

// failing fails at its third sweep.
type failing struct{ *wide }

func (f failing) UpdateGlobals() error {
	f.wide.UpdateGlobals()
	if f.n == 3 {
		return os.ErrInvalid
	}
	return nil
}

func TestRecordAllocates(t *testing.T) {
	w := newWide()
	w.UpdateGlobals()
	c, err := choose(w, []string{"m", "z", "big", "rag"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := c.newRecorder(w, nothing{}, t.TempDir(), 0)
	if err := r.Begin(w.Names()); err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	values := w.AppendValues(nil)
	if n := testing.AllocsPerRun(20, func() { r.Draw(0, values) }); n > 0 {
		t.Errorf("a draw allocates %v times", n)
	}
}

type nothing struct{ runtime.Resumable }

func (nothing) Begin([]string) error          { return nil }
func (nothing) Draw(float64, []float64) error { return nil }
func (nothing) Abort() error                  { return nil }

// TestMemoryOfDraws: a hundred times as many draws make no more garbage, and so hold no more memory, but for what is made once.
func TestMemoryOfDraws(t *testing.T) {
	made := func(draws int) uint64 {
		w := newWide()
		c, err := choose(w, []string{"mu", "m", "z", "grow"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		err = runtime.Run(t.Context(), runtime.Options{Chains: 1, Draws: draws},
			func(int) (runtime.Sampler, error) { return w, nil },
			func(int) (runtime.Sink, error) {
				columns, err := runtime.CreateCmdStan(filepath.Join(dir, "wide-1.csv"), runtime.CmdStanHeader{Model: "wide"})
				return c.newRecorder(w, columns, dir, 0), err
			})
		if err != nil {
			t.Fatal(err)
		}
		goruntime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := made(1000), made(100_000)
	if many > few+100_000 { // a byte a draw
		t.Errorf("1000 draws allocate %d bytes, 100000 draws %d", few, many)
	}
}
