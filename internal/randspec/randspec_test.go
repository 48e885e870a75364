// This file runs the compiler, go vet and the tests that generated packages carry on random specs.

package randspec_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/codegen"
	"github.com/gibbsgen/gibbsgen/conjugacy"
	"github.com/gibbsgen/gibbsgen/dsl"
	"github.com/gibbsgen/gibbsgen/internal/program"
	"github.com/gibbsgen/gibbsgen/internal/randspec"
	"github.com/gibbsgen/gibbsgen/ir"
	"github.com/gibbsgen/gibbsgen/plan"
)

var (
	specs = flag.Int("specs", 20, "how many random specs to try")
	seed  = flag.Uint64("seed", 226, "of the first; the others follow it")
	build = flag.Bool("build", true, "build the packages and run their tests, and not only the compiler and the type checker")
	keep  = flag.String("keep", "", "a directory where specs are written of which something failed")
)

// chunk is how many packages are built together.
const chunk = 50

// spec returns the spec of the seed.
func spec(seed uint64) string { return randspec.New(rand.New(rand.NewPCG(seed, 2015))) }

// compile runs the whole compiler. Where a stage refuses the spec, refused is the first error; err is set where it does not say why, or
// panics, or prints what is not Go.
func compile(src, pkg string) (files []codegen.File, refused *dsl.Diag, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("panic: %v\n%s", e, debug.Stack())
		}
	}()
	stage := func(name string, ds dsl.Diags, made bool) bool {
		for _, d := range ds {
			if d.Msg == "" || d.Code == "" {
				err = fmt.Errorf("%s: an empty message: %+v", name, d)
			}
			if d.Severity == dsl.Error && refused == nil {
				refused = d
			}
		}
		if refused == nil && !made {
			err = fmt.Errorf("%s says neither yes nor no", name)
		}
		return refused == nil && err == nil
	}
	f, ds := dsl.Parse("random.gm", src)
	if !stage("dsl.Parse", ds, f != nil) {
		return nil, refused, err
	}
	m, ds := ir.Check(f)
	if !stage("ir.Check", ds, m != nil) {
		return nil, refused, err
	}
	a, ds := conjugacy.Analyze(m)
	if !stage("conjugacy.Analyze", ds, a != nil) {
		return nil, refused, err
	}
	conjugacy.Explain(a)
	p, ds := plan.Build(a)
	if !stage("plan.Build", ds, p != nil) {
		return nil, refused, err
	}
	files, err = codegen.Generate(p, codegen.Options{Package: pkg, Spec: "random.gm"})
	return files, nil, err
}

// reason is the message without the names of this spec, so that equal reasons can be counted.
func reason(d *dsl.Diag, src string) string {
	words := map[string]bool{}
	for _, w := range word.FindAllString(src, -1) {
		words[w] = true
	}
	lead, rest, _ := strings.Cut(d.Msg, " ")
	if words[lead] {
		lead = "_"
	}
	msg := quoted.ReplaceAllString(lead+" "+rest, "`_`")
	return d.Code + ": " + lastName.ReplaceAllString(msg, " _")
}

var (
	word     = regexp.MustCompile(`\w+`)
	quoted   = regexp.MustCompile("`[^`]*`")
	lastName = regexp.MustCompile(` \w+$`)
)

func TestSpecs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs generated code")
	}
	debug.SetMaxStack(64 << 20) // a recursion without an end shows at once
	refusals := map[string]int{}
	accepted, failures := 0, 0
	var types checker
	if !*build {
		types = newChecker(t)
	}
	for from := *seed; from < *seed+uint64(*specs); from += chunk {
		p := program.New(t)
		seeds := map[string]uint64{}
		fail := func(s uint64, what, text string) {
			failures++
			if len(text) > 3000 {
				text = text[:3000] + " ..."
			}
			t.Errorf("seed %d: %s\n%s\n%s", s, what, spec(s), text)
			if *keep != "" {
				if err := os.WriteFile(filepath.Join(*keep, fmt.Sprintf("seed%d.gm", s)), []byte("// "+what+": "+strings.ReplaceAll(text, "\n", "\n// ")+"\n"+spec(s)), 0o666); err != nil {
					t.Error(err)
				}
			}
		}
		for s := from; s < min(from+chunk, *seed+uint64(*specs)); s++ {
			pkg := fmt.Sprintf("r%d", s)
			files, refused, err := compile(spec(s), pkg)
			if !*build && err == nil && refused == nil {
				err = types.check(pkg, files)
			}
			switch {
			case err != nil:
				fail(s, "the compiler", err.Error())
			case refused != nil:
				refusals[reason(refused, spec(s))]++
				t.Logf("seed %d is refused: line %d: %s: %s", s, refused.Span.Start.Line, refused.Code, refused.Msg)
			default:
				accepted++
				if *build {
					p.Add(t, pkg, files)
					seeds[pkg] = s
				}
			}
		}
		if !*build || len(p.Names) == 0 {
			continue
		}
		vetted := p.Vet(t)
		ran := p.Run(t)
		for _, pkg := range p.Names {
			if text := vetted[pkg]; text != "" {
				fail(seeds[pkg], "go vet", text)
			}
			if text := ran[pkg]; text != "" {
				fail(seeds[pkg], "its own test", text)
			}
		}
		t.Logf("up to seed %d: %d accepted, %d failures", min(from+chunk, *seed+uint64(*specs))-1, accepted, failures)
	}
	for _, r := range slices.SortedFunc(maps.Keys(refusals), func(a, b string) int { return refusals[b] - refusals[a] }) {
		t.Logf("refused %4d: %s", refusals[r], r)
	}
	t.Logf("%d specs, %d accepted, %d failures", *specs, accepted, failures)
	// Of 1000 specs that were tried some 75 % are compiled; of 20 fewer than 6 would be by chance once in 100,000 times.
	if least := *specs / 4; accepted < least {
		t.Errorf("%d of %d specs are accepted: the generator has gone astray", accepted, *specs)
	}
}

// FuzzCompile demands that whatever the choices are the compiler says yes or no, and prints Go.
func FuzzCompile(f *testing.F) {
	for s := range uint64(20) {
		rng := rand.New(rand.NewPCG(s, 7))
		choices := make([]byte, 400)
		for i := range choices {
			choices[i] = byte(rng.Uint32())
		}
		f.Add(choices)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, choices []byte) {
		b := randspec.Bytes(choices)
		src := randspec.New(&b)
		if _, _, err := compile(src, ""); err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
	})
}
