// This file tests what is printed straight from the typed model: for a corpus of specs it builds the types, New, LogJoint, Simulate and the
// monitor with stubs in place of the kernels, runs them, and compares with the interpreter.

package codegen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/ir/interp"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// corpus returns the specs under test: the checker's own, and those of this package's testdata.
func corpus(t *testing.T) (out []*ir.Model) {
	t.Helper()
	for _, pattern := range []string{"../ir/testdata/good/*.gm", "testdata/model/*.gm"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files match %s (%v)", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, src := range strings.Split(string(text), "\n---\n") {
				out = append(out, parse(t, file, src))
			}
		}
	}
	return out
}

func parse(t *testing.T, name, src string) *ir.Model {
	t.Helper()
	f, diags := dsl.Parse(name, src)
	if !diags.HasErrors() {
		var more dsl.Diags
		var m *ir.Model
		if m, more = ir.Check(f); m != nil {
			return m
		}
		diags = more
	}
	for _, d := range diags {
		t.Errorf("%s:%d: %s", name, d.Span.Start.Line, d.Msg)
	}
	t.FailNow()
	return nil
}

// printModel prints the parts under test, with stubs for the rest and a door for the test program.
func printModel(t *testing.T, m *ir.Model, pkg string) map[string]string {
	t.Helper()
	g := &generator{model: m, l: newLayout(m), pkg: pkg, spec: m.Name + ".gm"}
	main := jen.NewFile(pkg)
	g.types(main)
	main.Type().Id("Sampler").Struct(g.samplerFields()...)
	g.newFunc(main)
	g.logJoint(main)
	g.simulate(main)
	g.monitor(main)
	g.unknowns(main)
	g.exchangeable(main)
	load := jen.NewFile(pkg)
	g.load(load)
	g.setInit(load)
	out := map[string]string{"door.go": g.door()}
	for name, f := range map[string]*jen.File{"model.go": main, "load.go": load} {
		var b bytes.Buffer
		if err := f.Render(&b); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		out[name] = b.String()
	}
	return out
}

// A joint is a state of a model with its log density, as generated code has them.
type joint struct {
	Data, Hyper, State map[string]any
	With               map[string]any // what is integrated out
	LP                 float64
}

// A report is what the test program says of one model.
type report struct {
	Sim, Start   joint
	Names        []string
	Values       []float64
	Many         map[string][][3]float64 // by field, the moments of each of many simulations
	Accepted     []string                // spoilt inputs that were not refused
	Err, OpenErr string
}

// many is how often each model is simulated.
const many = 400

// door is the file through which the test program runs the package.
func (g *generator) door() string {
	var b strings.Builder
	fmt.Fprintf(&b, `package %s

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

func (s *Sampler) alloc()                         {}
func (s *Sampler) sumData()                       {}
func (s *Sampler) Rebuild()                       {}
func (s *Sampler) UpdateGlobals() error           { return nil }
func (s *Sampler) UpdateLocals(units []int) error { return nil }
func (s *Sampler) Units() int                     { return 0 }

type With struct {
`, g.pkg)
	var fill, args []string
	for _, v := range g.collapsed() {
		name := exportName(v.Name)
		fmt.Fprintf(&b, "\t%s %s\n", name, plain(raw(fieldType(v))))
		args = append(args, "s.with()."+name)
		var dims []string
		for _, p := range v.Axes {
			switch {
			case p.Unbounded:
				dims = append(dims, "s.state."+g.l.size[p])
			case p.Over != nil:
				dims[len(dims)-1] = fmt.Sprintf("s.%s[len(s.%s)-1]", startField(p), startField(p))
			default:
				dims = append(dims, "s.data."+g.l.size[p])
			}
		}
		make := fmt.Sprintf("w.%s = make(%s, %s)", name, plain(raw(fieldType(v))), strings.Join(append(dims, "1"), " * "))
		switch {
		case v.Support.Kind == ir.Simplex:
			fill = append(fill, make, fmt.Sprintf("rng.StartSimplex(w.%s, %s)", name, dims[len(dims)-1]))
		case v.Support.Kind == ir.SPD:
			fill = append(fill, make, fmt.Sprintf("rng.StartSPD(w.%s, %s)", name, dims[len(dims)-1]))
		case v.Type.Elem != ir.Real:
			fill = append(fill, make)
		case len(v.Axes) == 0:
			fill = append(fill, fmt.Sprintf("w.%s = rng.Start(0, 1)", name))
		default:
			fill = append(fill, make, fmt.Sprintf("for i := range w.%s { w.%s[i] = rng.Start(0, 1) }", name, name))
		}
	}
	fmt.Fprintf(&b, "}\n\nfunc fill(set *dataio.Set, data Data, hyper Hyper) {\n")
	for _, p := range g.model.Plates {
		switch {
		case p.Over != nil:
			fmt.Fprintf(&b, "\tset.Ragged[%q] = data.%s\n", p.Name, g.l.size[p])
		case !p.Unbounded:
			fmt.Fprintf(&b, "\tset.Sizes[%q] = data.%s\n", p.Name, g.l.size[p])
		}
	}
	for _, v := range g.model.Vars {
		if v.Role != dsl.Data && v.Role != dsl.Const {
			continue
		}
		kind := map[ir.Elem]string{ir.Real: "Real", ir.Int: "Int", ir.Bool: "Bool", ir.Cat: "Cat"}[v.Type.Elem]
		value := holder(v) + "." + g.l.field[v]
		if len(v.Axes) == 0 {
			value = fmt.Sprintf("[]%s{%s}", plain(raw(goType(v.Type))), value)
		}
		fmt.Fprintf(&b, "\tset.Values[%q] = &dataio.Value{%s: %s}\n", v.Name, kind, value)
	}
	fmt.Fprintf(&b, "}\n\n")
	fmt.Fprintf(&b, "func (s *Sampler) with() (w With) {\n\trng := runtime.NewRand(7)\n\t_ = rng\n\t%s\n\treturn w\n}\n\n", strings.Join(fill, "\n\t"))
	if len(g.model.Collapse) > 0 {
		fmt.Fprintf(&b, "func (s *Sampler) LogJoint() float64 { return s.logJointWith(%s) }\n\n", strings.Join(args, ", "))
	}
	b.WriteString(`
type joint struct {
	Data  Data
	Hyper Hyper
	State State
	With  With
	LP    float64
}

// Door simulates, starts, and tells.
func Door(in []byte, seed uint64) []byte {
	var out struct {
		Sim, Start joint
		Names      []string
		Values     []float64
		Many       map[string][][3]float64
		Accepted   []string
		Err, OpenErr string
	}
	out.Many = map[string][][3]float64{}
	err := func() error {
		var data Data
		if err := json.Unmarshal(in, &data); err != nil {
			return err
		}
		hyper := DefaultHyper(data.Sizes)
		if err := json.Unmarshal(in, &hyper); err != nil {
			return err
		}
		rng := runtime.NewRand(seed)
		given := data
		before, _ := json.Marshal(given)
		data, st, err := Simulate(given, hyper, rng)
		if err != nil {
			return err
		}
		for range ` + fmt.Sprint(many) + ` {
			d, st, err := Simulate(given, hyper, rng)
			if err != nil {
				continue // vague priors overflow now and then
			}
			means(reflect.ValueOf(d), out.Many)
			means(reflect.ValueOf(st), out.Many)
		}
		if after, _ := json.Marshal(given); !bytes.Equal(before, after) {
			return fmt.Errorf("Simulate wrote to the data it was given: %s, then %s", before, after)
		}
		s, err := NewAt(data, hyper, st, rng)
		if err != nil {
			return err
		}
		out.Sim = joint{s.Data(), s.hyper, s.State().Clone(), s.with(), s.LogJoint()}
		out.Names, out.Values = s.Names(), s.AppendValues(nil)
		if err := views(s, out.Names, out.Values); err != nil {
			return err
		}
		init := initial(s)
		hyper = s.hyper // with the defaults of ragged constants
		set := &dataio.Set{Sizes: map[string]int{}, Ragged: map[string][]int{}, Values: map[string]*dataio.Value{}}
		fill(set, data, hyper)
		if d, h, err := Load(set); err != nil || !reflect.DeepEqual(d, data) || !reflect.DeepEqual(h, hyper) {
			return fmt.Errorf("Load: %v, with %v and %v, want %v and %v", err, d, h, data, hyper)
		}
		if _, err := Open(set, rng); err != nil && !strings.Contains(err.Error(), "no starting value") {
			return err
		}
		if _, _, err := dataio.Load(Schema, nil, dataio.Options{}); err != nil && strings.Contains(err.Error(), "schema") {
			return err
		}
		spoil(&data, func() error { _, err := NewAt(data, hyper, st, rng); return err }, &out.Accepted)
		spoil(&hyper, func() error { _, err := NewAt(data, hyper, st, rng); return err }, &out.Accepted)
		lp := s.LogJoint()
		spoil(&st, func() error {
			err := s.SetState(st)
			if now := s.LogJoint(); err != nil && now != lp {
				out.Accepted = append(out.Accepted, fmt.Sprintf("SetState failed, and left the log joint at %v, not %v", now, lp))
			}
			return err
		}, &out.Accepted)
		if s, err = New(data, hyper, rng); err != nil {
			return err
		}
		out.Start = joint{s.Data(), s.hyper, s.State().Clone(), s.with(), s.LogJoint()}
		if err := s.SetInit(&dataio.Set{}); err != nil || !reflect.DeepEqual(s.state, out.Start.State) {
			return fmt.Errorf("SetInit to nothing: %v, from %v to %v", err, out.Start.State, s.state)
		}
		if err := s.SetInit(init); err != nil {
			return fmt.Errorf("SetInit: %w", err)
		}
		if got := initial(s); !reflect.DeepEqual(got, init) {
			return fmt.Errorf("SetInit: %v, want %v", got.Values, init.Values)
		}
		return nil
	}()
	if err != nil {
		out.Err = err.Error()
	}
	if _, err := Open(&dataio.Set{}, runtime.NewRand(1)); err != nil {
		out.OpenErr = err.Error()
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	return text
}

// views compares what Unknowns shows with what the monitor writes.
func views(s *Sampler, names []string, values []float64) error {
	left := map[string]float64{}
	for i, name := range names {
		left[name] = values[i]
	}
	for _, u := range s.Unknowns() {
		ix := make([]int, len(u.Dims))
		n := 0
		err := u.Walk(ix, func(i int) error {
			if n++; i != n-1 {
				return fmt.Errorf("%s: element %d comes as number %d", u.Name, i, n)
			}
			name := runtime.ElementLabel(u.Name, ix...)
			if x, ok := left[name]; ok && x != u.Value(i) {
				return fmt.Errorf("Unknowns has %v for %s, the monitor %v", u.Value(i), name, x)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if n != u.Len() {
			return fmt.Errorf("%s: %d elements for dims %v, want %d", u.Name, u.Len(), u.Dims, n)
		}
	}
	if n := testing.AllocsPerRun(5, func() { s.Unknowns() }); n > 0 {
		return fmt.Errorf("Unknowns allocates %v times", n)
	}
	return nil
}

// initial returns the state as an init file could have it.
func initial(s *Sampler) *dataio.Set {
	set := &dataio.Set{Sizes: map[string]int{}, Values: map[string]*dataio.Value{}}
	for _, u := range s.Unknowns() {
		set.Values[u.Name] = &dataio.Value{Real: slices.Clone(u.Real), Int: slices.Clone(u.Int), Bool: slices.Clone(u.Bool), Cat: slices.Clone(u.Cat)}
		for _, d := range append(u.Dims, u.Of) {
			if d.Unbounded {
				set.Sizes[d.Plate] = d.Size
			}
		}
	}
	return set
}

// means adds to each field's list the moments of its elements.
func means(v reflect.Value, to map[string][][3]float64) {
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if t.Anonymous {
			continue
		}
		if f.Kind() != reflect.Slice {
			one := reflect.MakeSlice(reflect.SliceOf(t.Type), 1, 1)
			one.Index(0).Set(f)
			f = one
		}
		var xs []float64
		for k := range f.Len() {
			switch x := f.Index(k); x.Kind() {
			case reflect.Bool:
				xs = append(xs, runtime.Indicator(x.Bool()))
			case reflect.Float64:
				xs = append(xs, x.Float())
			default:
				xs = append(xs, float64(x.Int()))
			}
		}
		name := v.Type().Name() + "." + t.Name
		to[name] = append(to[name], moments(xs))
	}
}

` + momentsSource + `
// spoil changes one thing of a struct at a time, and notes what try accepts all the same, or refuses without the field's name.
func spoil(at any, try func() error, accepted *[]string) {
	v := reflect.ValueOf(at).Elem()
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if t.Anonymous {
			spoil(f.Addr().Interface(), try, accepted)
			continue
		}
		old := reflect.New(t.Type).Elem()
		old.Set(f)
		attempt := func(what string, change func()) {
			change()
			err := try()
			f.Set(old)
			if err == nil {
				*accepted = append(*accepted, t.Name+" "+what)
			} else if v.Type() != reflect.TypeOf(Sizes{}) && !strings.Contains(err.Error(), t.Name) {
				*accepted = append(*accepted, t.Name+" "+what+", with the error "+err.Error())
			}
		}
		element := func(what string, x any) {
			attempt(what, func() {
				if t.Type.Kind() != reflect.Slice {
					f.Set(reflect.ValueOf(x))
					return
				}
				c := reflect.MakeSlice(t.Type, f.Len(), f.Len())
				reflect.Copy(c, f)
				c.Index(f.Len()-1).Set(reflect.ValueOf(x))
				f.Set(c)
			})
		}
		kind := t.Type.Kind()
		if kind == reflect.Slice {
			attempt("too long", func() { f.Set(reflect.Append(f, reflect.Zero(t.Type.Elem()))) })
			if f.Len() == 0 {
				continue
			}
			attempt("too short", func() { f.Set(f.Slice(0, f.Len()-1)) })
			kind = t.Type.Elem().Kind()
		}
		switch kind {
		case reflect.Float64:
			element("NaN", math.NaN())
			element("infinite", math.Inf(1))
		case reflect.Int32:
			element("negative", int32(-1))
			element("too large", int32(math.MaxInt32))
		case reflect.Int:
			element("negative", -1)
			if v.Type() == reflect.TypeOf(Sizes{}) {
				element("huge", math.MaxInt/3)
				element("zero", 0)
			}
		}
	}
}
`)
	return b.String()
}

// invent makes up sizes (about n), lengths, covariates and constants that have no default, by the names of the generated fields.
func invent(m *ir.Model, seed uint64, n int) map[string]any {
	g := &generator{model: m, l: newLayout(m)}
	rng := runtime.NewRand(seed)
	in := map[string]any{}
	size := map[*ir.Plate]int{}
	for _, p := range m.Plates {
		size[p] = n + rng.IntN(n)
	}
	need := g.leastSizes()
	for _, p := range m.Plates {
		size[p] = max(size[p], need[p])
	}
	for _, c := range m.Constraints {
		if c.Cuts != nil {
			size[c.Y.Var.Type.Of] = size[c.Cuts.Shape()[0]] + 1
		}
	}
	for _, p := range m.Plates {
		if p.Over != nil {
			lens := make([]int, size[p.Over]) // of a chain the parent has been totalled already
			size[p] = 0
			for i := range lens {
				lens[i] = max(rng.IntN(n+1), need[p])
				size[p] += lens[i]
			}
			in[g.l.size[p]] = lens
		} else if !p.Unbounded {
			in[g.l.size[p]] = size[p]
		}
	}
	for _, v := range m.Vars {
		all, part := g.given(v)
		if v.Role == dsl.Const && v.Default != nil || v.Role == dsl.Data && !all && !part || v.Role != dsl.Const && v.Role != dsl.Data {
			continue
		}
		n := 1
		for i := 0; i < len(v.Axes); i++ {
			if i+1 < len(v.Axes) && v.Axes[i+1].Over == v.Axes[i] {
				continue
			}
			n *= size[v.Axes[i]]
		}
		var xs []any
		for range n {
			switch v.Type.Elem {
			case ir.Cat:
				xs = append(xs, rng.IntN(size[v.Type.Of]))
			case ir.Int:
				xs = append(xs, 1+rng.IntN(5))
			case ir.Bool:
				xs = append(xs, rng.Bernoulli(0.5))
			default:
				lo, hi := math.Inf(-1), math.Inf(1)
				if v.Support.Lo != nil {
					lo = 0
				}
				if v.Support.Hi != nil {
					hi = 1
				}
				xs = append(xs, rng.Start(lo, hi))
			}
		}
		if v.Support.Ordered { // one row over all is in order in each row
			sort.Slice(xs, func(i, j int) bool { return xs[i].(float64) < xs[j].(float64) })
		}
		if in[g.l.field[v]] = any(xs); len(v.Axes) == 0 {
			in[g.l.field[v]] = xs[0]
		}
	}
	return in
}

// environment turns what generated code said into what the interpreter reads.
func environment(m *ir.Model, j joint) *interp.Env {
	l := newLayout(m)
	env := &interp.Env{Sizes: map[string]int{}, Lengths: map[string][]int{}, Values: map[string][]float64{}, Collapsed: map[string]bool{}}
	for _, p := range m.Plates {
		switch {
		case p.Over != nil:
			for _, x := range j.Data[l.size[p]].([]any) {
				env.Lengths[p.Name] = append(env.Lengths[p.Name], int(x.(float64)))
			}
		case p.Unbounded:
			env.Sizes[p.Name] = int(j.State[l.size[p]].(float64))
		default:
			env.Sizes[p.Name] = int(j.Data[l.size[p]].(float64))
		}
	}
	for _, v := range m.Vars {
		from, field := map[dsl.Role]map[string]any{dsl.Const: j.Hyper, dsl.Data: j.Data, dsl.Global: j.State, dsl.Local: j.State}[v.Role], l.field[v]
		if slices.Contains(m.Collapse, v) {
			env.Collapsed[v.Name] = true
			from, field = j.With, exportName(v.Name)
		}
		x, ok := from[field]
		if !ok || x == nil {
			env.Values[v.Name] = []float64{}
			continue
		}
		if list, ok := x.([]any); ok {
			env.Values[v.Name] = []float64{}
			for _, y := range list {
				env.Values[v.Name] = append(env.Values[v.Name], number(y))
			}
		} else {
			env.Values[v.Name] = []float64{number(x)}
		}
	}
	return env
}

func number(x any) float64 {
	switch x := x.(type) {
	case bool:
		return runtime.Indicator(x)
	case float64:
		return x
	}
	panic(fmt.Sprintf("%T", x))
}

// TestModels builds and runs the corpus.
func TestModels(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs generated code")
	}
	dir, err := os.MkdirTemp("testdata", "run")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if os.Getenv("KEEP") == "" {
			os.RemoveAll(dir)
		}
	})
	models := corpus(t)
	inputs := map[string][]map[string]any{}
	byPkg := map[string]*ir.Model{}
	var imports, calls strings.Builder
	for i, m := range models {
		pkg := fmt.Sprintf("m%02d", i)
		files := printModel(t, m, pkg)
		if again := printModel(t, m, pkg); !reflect.DeepEqual(files, again) {
			t.Errorf("%s: printed twice, differently", m.Name)
		}
		for name, src := range files {
			write(t, filepath.Join(dir, pkg, name), src)
		}
		checkSource(t, m, files["model.go"])
		checkSource(t, m, files["load.go"])
		inputs[pkg], byPkg[pkg] = []map[string]any{invent(m, uint64(i), 3), invent(m, uint64(i), 1)}, m
		fmt.Fprintf(&imports, "\t%q\n", "github.com/gibbsgen/gibbsgen/codegen/"+filepath.ToSlash(dir)+"/"+pkg)
		fmt.Fprintf(&calls, "\t%q: %s.Door,\n", pkg, pkg)
	}
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	"encoding/json"
	"os"

`+imports.String()+`)

var doors = map[string]func([]byte, uint64) []byte{
`+calls.String()+`}

func main() {
	var in map[string][]json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	out := map[string][]json.RawMessage{}
	for pkg, door := range doors {
		for _, data := range in[pkg] {
			out[pkg] = append(out[pkg], door(data, 11))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}
`)
	if out, err := exec.Command("go", "vet", "./"+dir+"/...").CombinedOutput(); err != nil {
		t.Fatalf("go vet: %v\n%s", err, out)
	}
	in, err := json.Marshal(inputs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "./"+dir)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("go run: %v\n%s", err, stderr.Bytes())
	}
	var reports map[string][]report
	if err := json.Unmarshal(stdout.Bytes(), &reports); err != nil {
		t.Fatal(err)
	}
	for pkg, m := range byPkg {
		for i, r := range reports[pkg] {
			t.Run(fmt.Sprint(m.Name, i), func(t *testing.T) { judgeReport(t, m, r) })
		}
	}
}

// checkSource reports imports and top-level names that no spec may add: what a spec says stays in comments, strings and mangled names.
func checkSource(t *testing.T, m *ir.Model, src string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "model.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	allowed := strings.Fields(`"errors" "fmt" "math" "slices" "` + runtimePath + `" "` + dataioPath + `"
		Sizes Data Hyper State Sampler Source Schema check DefaultHyper Clone New NewAt build checkSizes checkLengths checkValues checkState
		makeState start disperse SetState LogJoint logJointWith Simulate makeData draw Names AppendValues Unknowns Exchangeable Load Open Forward SetInit`)
	ok := func(name string) {
		if !slices.Contains(allowed, name) {
			t.Errorf("%s: the source declares or imports %s", m.Name, name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			ok(d.Name.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ImportSpec:
					ok(s.Path.Value)
				case *ast.TypeSpec:
					ok(s.Name.Name)
				case *ast.ValueSpec:
					ok(s.Names[0].Name)
				}
			}
		}
	}
}

// judgeReport compares with the interpreter.
func judgeReport(t *testing.T, m *ir.Model, r report) {
	for _, f := range m.Factors {
		if f.Dist.Name == "Flat" {
			if !strings.Contains(r.Err, "improper") {
				t.Errorf("a flat prior was simulated: %q", r.Err)
			}
			return
		}
	}
	states := map[string]joint{"simulated": r.Sim, "start": r.Start}
	if strings.Contains(r.Err, "no starting value") && extreme(m, r.Sim) {
		delete(states, "start") // the square of what was simulated overflows, wherever the chain starts
	} else if r.Err != "" {
		t.Fatal(r.Err)
	}
	for name, j := range states {
		want, err := interp.LogJoint(m, environment(m, j))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !(math.Abs(j.LP-want) <= 1e-9*(1+math.Abs(want))) {
			t.Errorf("%s: LogJoint = %v, the interpreter has %v", name, j.LP, want)
		}
	}
	for _, a := range r.Accepted {
		t.Errorf("accepted: %s", a)
	}
	checkNames(t, m, r)
	compareDraws(t, m, r)
	if len(m.Plates) > 0 && r.OpenErr == "" {
		t.Error("Open accepted an empty set")
	}
}

// momentsSource is the source of moments, which the test program has too.
const momentsSource = `
// moments returns sums of the elements, their squares and the products of neighbours, with weights that tell the elements apart.
func moments(xs []float64) (m [3]float64) {
	for k, x := range xs {
		m[0] += float64(k+1) * x
		m[1] += float64(k+1) * x * x
		if k > 0 {
			m[2] += float64(k) * x * xs[k-1]
		}
	}
	for i, x := range m {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			m[i] = 0
		}
	}
	return m
}
`

func moments(xs []float64) (m [3]float64) {
	for k, x := range xs {
		m[0] += float64(k+1) * x
		m[1] += float64(k+1) * x * x
		if k > 0 {
			m[2] += float64(k) * x * xs[k-1]
		}
	}
	for i, x := range m {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			m[i] = 0
		}
	}
	return m
}

// checkNames compares the monitored values with the state, by name.
func checkNames(t *testing.T, m *ir.Model, r report) {
	if len(r.Names) != len(r.Values) {
		t.Fatalf("%d names for %d values", len(r.Names), len(r.Values))
	}
	env := environment(m, r.Sim)
	seen := map[string]bool{}
	for i, name := range r.Names {
		parts := strings.Split(name, ".")
		if seen[name] && len(m.Monitor) == 0 {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
		v := m.Var(parts[0])
		if v == nil {
			if got := r.Values[i]; got != float64(env.Sizes[parts[0]]) {
				t.Errorf("%s = %v, in use are %d", name, got, env.Sizes[parts[0]])
			}
			continue
		}
		if !v.Unknown() || overRagged(v) {
			continue
		}
		at := 0
		for k, p := range v.Axes {
			n := 0
			fmt.Sscan(parts[k+1], &n)
			at = at*env.Sizes[p.Name] + n - 1
		}
		want := env.Values[v.Name][at]
		if v.Type.Elem == ir.Cat {
			want++
		}
		if r.Values[i] != want {
			t.Errorf("%s = %v, want %v", name, r.Values[i], want)
		}
	}
}

// compareDraws compares what Simulate draws with what the interpreter draws, by the rank sums of each variable's moments. |z| > 5 has
// probability 6e-7; at about 2000 comparisons a false alarm has probability 1e-3, and the seeds are fixed.
func compareDraws(t *testing.T, m *ir.Model, r report) {
	l := newLayout(m)
	rng := runtime.NewRand(5)
	drawn := map[string][][3]float64{}
	for range many {
		env := environment(m, r.Sim)
		for _, v := range m.Vars {
			if all, part := (&generator{model: m, l: l}).given(v); v.Unknown() || v.Role == dsl.Data && !all && !part {
				delete(env.Values, v.Name)
			}
		}
		if err := interp.Simulate(m, env, rng); err != nil {
			continue
		}
		for name, xs := range env.Values {
			drawn[name] = append(drawn[name], moments(xs))
		}
	}
	for _, v := range m.Vars {
		if v.Role == dsl.Const || slices.Contains(m.Collapse, v) || v.Role == dsl.Let {
			continue
		}
		from := "State."
		if v.Role == dsl.Data {
			from = "Data."
		}
		mine := r.Many[from+l.field[v]]
		if len(mine) < many/2 || len(drawn[v.Name]) < many/2 {
			t.Errorf("%s was drawn %d times, by the interpreter %d times, of %d", v.Name, len(mine), len(drawn[v.Name]), many)
		}
		for i, what := range []string{"sum", "sum of squares", "sum of products of neighbours"} {
			if z := rankSum(mine, drawn[v.Name], i); math.Abs(z) > 5 || math.IsNaN(z) {
				t.Errorf("simulated %s: rank sum of the %s is %.1f sd off the interpreter's", v.Name, what, z)
			}
		}
	}
}

// rankSum returns Wilcoxon's two-sample statistic of the i-th moments in standard deviations; ties have mid-ranks, and make it smaller.
func rankSum(a, b [][3]float64, i int) float64 {
	n, m := float64(len(a)), float64(len(b))
	type draw struct {
		x    float64
		mine bool
	}
	var all []draw
	for _, x := range a {
		all = append(all, draw{x[i], true})
	}
	for _, x := range b {
		all = append(all, draw{x[i], false})
	}
	sort.Slice(all, func(j, k int) bool { return all[j].x < all[k].x })
	w := 0.0
	for j := 0; j < len(all); {
		k := j
		mine := 0.0
		for ; k < len(all) && all[k].x == all[j].x; k++ {
			mine += runtime.Indicator(all[k].mine)
		}
		w += mine * float64(j+k+1) / 2
		j = k
	}
	return (w - n*(n+m+1)/2) / math.Sqrt(n*m*(n+m+1)/12)
}

// extreme reports data of a size that vague priors, such as Gamma(0.001, 0.001) on a precision, do give.
func extreme(m *ir.Model, j joint) bool {
	for _, xs := range environment(m, j).Values {
		for _, x := range xs {
			if math.Abs(x) > 1e100 {
				return true
			}
		}
	}
	return false
}

func write(t *testing.T, path, src string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
}
