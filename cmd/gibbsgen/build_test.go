// This file tests the cache of compiled samplers with a sampler written by hand, so that it tests nothing of the compiler.

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
)

// handModel has what main needs of a generated package: Schema and Open.
const handModel = `package sampler

import (
	"errors"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

const Source = "model hand"

var Schema = dataio.Schema{Model: "hand", Plates: []dataio.Plate{{Name: "N", Size: -1, Axis: true}},
	Fields: []dataio.Field{{Name: "y", Kind: dataio.Real, Dims: []string{"N"}}}}

type Sampler struct {
	y   []float64
	rng *runtime.Rand
	mu  float64
}

func Open(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error) {
	y := set.Values["y"].Real
	if len(y) == 1 {
		return nil, errors.New("y: one is not enough")
	}
	return &Sampler{y: y, rng: rng}, nil
}

func (s *Sampler) Units() int                { return 0 }
func (s *Sampler) UpdateLocals([]int) error  { return nil }
func (s *Sampler) Rebuild()                  {}
func (s *Sampler) Parts() []any              { return []any{s.rng, &s.mu} }
func (s *Sampler) LogJoint() float64         { return -s.mu * s.mu }
func (s *Sampler) Names() []string           { return []string{"mu"} }
func (s *Sampler) UpdateGlobals() error {
	var sum float64
	for _, y := range s.y {
		sum += y
	}
	n := float64(len(s.y))
	s.mu = sum/n + s.rng.Norm()
	return nil
}
func (s *Sampler) AppendValues(dst []float64) []float64 { return append(dst, s.mu) }

func (s *Sampler) SetInit(set *dataio.Set) error {
	s.mu = set.Values["mu"].Real[0]
	return nil
}
`

const handSpec = `model hand

plate N

global mu ~ Normal(0, var = 1)
data y[n in N] : real ~ Normal(mu, var = 1)
`

func checked(t *testing.T, src string) *ir.Model {
	t.Helper()
	file, diags := dsl.Parse("hand.gm", src)
	if diags.HasErrors() {
		t.Fatal(diags[0].Msg)
	}
	m, diags := ir.Check(file)
	if diags.HasErrors() {
		t.Fatal(diags[0].Msg)
	}
	return m
}

// TestCache builds once, outside any module and without a network, and runs the second time without the go command.
func TestCache(t *testing.T) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	env := map[string]string{}
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} { // the cache directory is about to move away from them
		out, err := exec.Command(goCommand, "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env[name] = strings.TrimSpace(string(out))
	}
	for name, value := range env {
		t.Setenv(name, value)
	}
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=vendor") // as a user may have it: it must not matter
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	t.Chdir(dir)

	m := checked(t, handSpec)
	files := []codegen.File{{Name: "sampler.go", Src: []byte(handModel)}, {Name: "x_test.go", Src: []byte("not Go")}}
	var stderr bytes.Buffer
	c := console{stderr: &stderr}
	binary, err := cachedBinary(m, "hand.gm", samplerAssembly(m, "hand.gm"), files, c)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stderr.String(), "compiling hand.gm") {
		t.Errorf("stderr %q does not say that it compiles", stderr.String())
	}

	t.Run("warm", func(t *testing.T) {
		t.Setenv("PATH", "")
		stderr.Reset()
		again, err := cachedBinary(m, "hand.gm", samplerAssembly(m, "hand.gm"), files, c)
		if err != nil || again != binary || stderr.Len() > 0 {
			t.Errorf("second call: %q, %v, stderr %q; want %q and silence", again, err, stderr.String(), binary)
		}
	})
	t.Run("no go", func(t *testing.T) {
		t.Setenv("PATH", "")
		other := []codegen.File{{Name: "sampler.go", Src: []byte(handModel + "\n")}}
		if _, err := cachedBinary(m, "hand.gm", samplerAssembly(m, "hand.gm"), other, c); err == nil || !strings.Contains(err.Error(), "install Go") {
			t.Errorf("error %v, want one that says that go is missing", err)
		}
	})
	t.Run("broken source", func(t *testing.T) {
		other := []codegen.File{{Name: "sampler.go", Src: []byte("package sampler\nfunc")}}
		if _, err := cachedBinary(m, "hand.gm", samplerAssembly(m, "hand.gm"), other, c); err == nil || !strings.Contains(err.Error(), "go build failed") {
			t.Errorf("error %v, want the go command's", err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(binary)), "build-*")); len(left) > 0 {
			t.Errorf("a failed build leaves %v", left)
		}
	})
	t.Run("run", func(t *testing.T) {
		write(t, "y.json", `{"y": [1, 2, 3]}`)
		write(t, "init.json", `{"mu": 0.5}`)
		out, err := exec.Command(binary, "--data=y.json", "--init=init.json", "--draws=20", "--warmup=0", "--chains=2", "--quiet").CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("log_joint")) || !bytes.Contains(out, []byte("\nmu ")) {
			t.Errorf("%v\n%s", err, out)
		}
		if drawn, _ := filepath.Glob("hand-draws/*.csv"); len(drawn) != 2 {
			t.Errorf("the draws are %v, want two files", drawn)
		}
	})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestAssemblies: a sampler is built from nothing of verification, which would else compile it anew with each change.
func TestAssemblies(t *testing.T) {
	m := checked(t, handSpec)
	for _, tt := range []struct {
		a    assembly
		want string
	}{
		{samplerAssembly(m, "hand.gm"), "runtime"},
		{verifyAssembly(), "dsl ir runtime verify"},
	} {
		source, err := moduleSource(tt.a, nil)
		if err != nil {
			t.Fatal(err)
		}
		var dirs []string
		for _, f := range source {
			if dir, _, ok := strings.Cut(f.path, "/"); ok {
				dirs = append(dirs, dir)
			}
			if strings.HasSuffix(f.path, "_test.go") {
				t.Errorf("%s is compiled for nothing", f.path)
			}
		}
		slices.Sort(dirs)
		if got := strings.Join(slices.Compact(dirs), " "); got != tt.want {
			t.Errorf("built from %s, want %s", got, tt.want)
		}
	}
}
