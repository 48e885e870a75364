// Package verify has a generated sampler prove itself, on data sets that it makes up: every conditional against the log joint of the
// model as its spec has it, every draw against its density, everything that is kept between draws against what it stands for, what
// updates do to draws from the model, and whether posteriors are calibrated. The judge is the interpreter of the typed model in
// ir/interp, which shares no code with the derivation or with what is generated. docs/verification.md says what each check proves.
package verify

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/runtime"
	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// A Model is a generated package, as verification sees it: exported names of it.
type Model struct {
	Source string        // the text of the spec
	Schema dataio.Schema // what it reads
	Open   func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error)

	// Forward draws unknowns and data by the package's own Simulate, and returns the chain that stands there. If it is nil, Simulate
	// is not checked.
	Forward func(set *dataio.Set, rng *runtime.Rand) (runtime.Sampler, error)
}

// A Level says how much is done.
type Level int

const (
	Exact Level = iota - 1 // what leaves nothing to chance, alone
	Quick                  // every kind of check, in seconds: the test of a generated package
	Full                   // more states, more replicates, every scan and number of workers, in a minute or so
)

func (l Level) String() string { return [...]string{"exact", "quick", "full"}[l+1] }

// Options are the settings of a verification. The zero value means the defaults.
type Options struct {
	Level Level
	Seed  uint64 // of all random numbers: the same seed, the same verdict, whatever the number of processors; default 1

	// FalseAlarms is the probability that a right sampler fails: of all statistical checks together; default 1e-3.
	FalseAlarms float64

	Sizes     map[string]int     // of plates, instead of several small ones; of a ragged plate: the length of each part
	Constants map[string]float64 // values of constants, every element alike, instead of their defaults
	Invent    bool               // constants that have neither a default nor a value here get one, rather than being asked for

	Heard func(Check) // if set, hears each check once it is made
}

// Run verifies the sampler. The error says what has to be set before anything can be said; what the checks found is in the report.
func Run(m Model, opt Options) (*Report, error) {
	l, err := newLab(m, opt)
	if err != nil {
		return nil, err
	}
	err = guarded(func() error {
		if err := l.exact(); err != nil {
			return err
		}
		if opt.Level > Exact {
			l.statistical()
		}
		return nil
	})
	if panicked := (panicError{}); errors.As(err, &panicked) {
		l.made(Check{Kind: "crash", Name: "the sampler does not panic", Measure: "panics", Statistic: 1, N: 1, Outcome: Failed, Detail: err.Error()})
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return l.report, nil
}

// A TB is what the checks need of *testing.T.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// Test verifies the sampler at the quick level, and with go test -short at the exact one. Every generated package's own test calls it.
func Test(t TB, m Model) {
	t.Helper()
	opt := Options{Invent: true}
	if testing.Testing() && testing.Short() {
		opt.Level = Exact
	}
	r, err := Run(m, opt)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, c := range r.Checks {
		switch c.Outcome {
		case Failed:
			t.Errorf("%s: %s", c.Name, c.Detail)
		case NotMade:
			t.Logf("%s: not made: %s", c.Name, c.Detail)
		}
	}
}

// check reports what makes no sense, with defaults filled in.
func (o *Options) check(m *ir.Model, schema dataio.Schema) error {
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.FalseAlarms == 0 {
		o.FalseAlarms = 1e-3
	}
	var errs []error
	if !(o.FalseAlarms > 0 && o.FalseAlarms < 1) {
		errs = append(errs, fmt.Errorf("the probability of a false alarm is %g: it must lie between 0 and 1", o.FalseAlarms))
	}
	for name, n := range o.Sizes {
		switch i := slices.IndexFunc(schema.Plates, func(p dataio.Plate) bool { return p.Name == name }); {
		case i < 0 && slices.ContainsFunc(m.Plates, func(p *ir.Plate) bool { return p.Name == name && p.Unbounded }):
			errs = append(errs, fmt.Errorf("size %s=%d: the plate is unbounded, so the chain itself decides its size", name, n))
		case i < 0:
			errs = append(errs, fmt.Errorf("size %s=%d: the model has no plate of that name; it has %s", name, n, plateNames(schema)))
		case n < 0 || n == 0 && schema.Plates[i].Parent == "":
			errs = append(errs, fmt.Errorf("size %s=%d: it must be at least 1", name, n))
		case n > mostElements:
			errs = append(errs, fmt.Errorf("size %s=%d: at most %d; the checks need many small data sets, and prove no more with large ones", name, n, mostElements))
		}
	}
	for name, x := range o.Constants {
		switch i := slices.IndexFunc(schema.Fields, func(f dataio.Field) bool { return f.Name == name && f.Const }); {
		case i < 0:
			errs = append(errs, fmt.Errorf("%s=%g: the model has no constant of that name; it has %s", name, x, constantNames(schema)))
		case !finite(x):
			errs = append(errs, fmt.Errorf("%s=%g: it must be a finite number", name, x))
		default:
			if must := beyond(m.Var(name), x); must != "" {
				errs = append(errs, fmt.Errorf("%s=%g: it must be %s", name, x, must))
			}
		}
	}
	if !o.Invent {
		var lacking, flags []string
		for _, f := range schema.Fields {
			if _, ok := o.Constants[f.Name]; f.Const && !f.Default && !ok {
				lacking, flags = append(lacking, f.Name), append(flags, "--set="+f.Name+"=VALUE")
			}
		}
		if lacking != nil {
			errs = append(errs, fmt.Errorf("without a default: the constants %s; give them values, with %s, or defaults in the spec",
				strings.Join(lacking, ", "), strings.Join(flags, " ")))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// beyond says what the constant must be that x is not, "" if it may be x. Of ends that depend on other constants the sampler tells.
func beyond(v *ir.Var, x float64) string {
	switch whole := x == math.Trunc(x); {
	case v.Type.Elem == ir.Bool && x != 0 && x != 1:
		return "0 for false or 1 for true"
	case v.Type.Elem == ir.Cat && !(whole && x >= 1):
		return "the number of an element of " + v.Type.Of.Name + ", from 1"
	case v.Type.Elem == ir.Int && !(whole && math.Abs(x) <= 1<<52):
		return "a whole number"
	}
	sup := v.Support
	for _, end := range []struct {
		at     ir.Expr
		closed bool
		side   int
		than   string
	}{{sup.Lo, sup.LoClosed, -1, "more than"}, {sup.Hi, sup.HiClosed, 1, "less than"}} {
		n, ok := end.at.(*ir.Num)
		if !ok {
			continue
		}
		switch c := cmp.Compare(x, n.Value); {
		case c == end.side && (end.closed || sup.Kind == ir.Counts):
			return fmt.Sprintf("%g or %s", n.Value, strings.TrimSuffix(end.than, " than"))
		case c == end.side, c == 0 && !end.closed && sup.Kind != ir.Counts:
			return fmt.Sprintf("%s %g", end.than, n.Value)
		}
	}
	if sup.Kind == ir.Counts && sup.Lo == nil && x < 0 {
		return "0 or more"
	}
	return ""
}

// mostElements is the largest size of a plate that is taken.
const mostElements = 1000

func plateNames(schema dataio.Schema) string {
	var names []string
	for _, p := range schema.Plates {
		names = append(names, p.Name)
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

func constantNames(schema dataio.Schema) string {
	var names []string
	for _, f := range schema.Fields {
		if f.Const {
			names = append(names, f.Name)
		}
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// typed returns the model of a spec's text.
func typed(source string) (*ir.Model, error) {
	file, diags := dsl.Parse("spec", source)
	if !diags.HasErrors() {
		var more dsl.Diags
		var m *ir.Model
		if m, more = ir.Check(file); m != nil && !more.HasErrors() {
			return m, nil
		}
		diags = more
	}
	for _, d := range diags {
		return nil, fmt.Errorf("the source of the package is no spec: line %d: %s", d.Span.Start.Line, d.Msg)
	}
	return nil, errors.New("the source of the package is no spec")
}

// improper returns the name of an unknown whose prior is improper, "" if there is none: nothing can be drawn from such a model.
func improper(m *ir.Model) string {
	for _, f := range m.Factors {
		if f.Dist.LogDensity == nil && len(f.Dist.Params) == 0 {
			return f.X.Var.Name
		}
	}
	return ""
}

// finite reports whether x is a number.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
