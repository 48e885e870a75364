// This file reads the data of the examples in data.md, and compares its table of transformations with the flags of the command.

package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime/dataio"
)

// The schemas of the models of data.md, as their generated packages have them.
var (
	lmSchema = dataio.Schema{Model: "lm",
		Plates: []dataio.Plate{{Name: "N", Size: -1, Axis: true}, {Name: "D", Size: -1, Axis: true}},
		Fields: []dataio.Field{
			{Name: "lambda", Kind: dataio.Real, Const: true, Default: true},
			{Name: "X", Kind: dataio.Real, Dims: []string{"N", "D"}},
			{Name: "y", Kind: dataio.Bool, Dims: []string{"N"}},
		}}
	groupsSchema = dataio.Schema{Model: "groups",
		Plates: []dataio.Plate{{Name: "N", Size: -1, Axis: true}, {Name: "G", Size: -1}},
		Fields: []dataio.Field{
			{Name: "g", Kind: dataio.Category, Of: "G", Dims: []string{"N"}},
			{Name: "y", Kind: dataio.Real, Dims: []string{"N"}},
		}}
	matrixSchema = dataio.Schema{Model: "matrix", Plates: lmSchema.Plates, Fields: lmSchema.Fields[1:2]} // X alone, as a file may hold
	ldaSchema    = dataio.Schema{Model: "lda",
		Plates: []dataio.Plate{{Name: "docs", Size: -1, Axis: true}, {Name: "words", Parent: "docs", Size: -1, Axis: true},
			{Name: "topics", Size: 20}, {Name: "vocab", Size: -1}},
		Fields: []dataio.Field{{Name: "x", Kind: dataio.Category, Of: "vocab", Dims: []string{"docs", "words"}}}}
)

// dataExamples says, of each block of data in data.md in order, whose data it is and what is read of it.
var dataExamples = []struct {
	schema dataio.Schema
	want   string
}{
	{lmSchema, "map[D:2 N:3] map[] X=[0.5 1 2 -1 1 0] lambda=[2] y=[true false true]"},
	{groupsSchema, "map[G:3 N:3] map[] g=[1 0 1] y=[1.5 2 0.5]"},
	{ldaSchema, "map[docs:3 topics:20 vocab:2] map[words:[3 0 1]] x=[0 1 0 1]"},
	{ldaSchema, "map[docs:3 topics:20 vocab:2] map[words:[3 0 1]] x=[0 1 0 1]"},
	{lmSchema, "map[D:2 N:2] map[] X=[59 32.1 48 21.6] y=[true false]"},
	{groupsSchema, "map[G:2 N:3] map[] g=[0 1 0] y=[1.5 2 0.5]"},
	{lmSchema, "map[D:2 N:3] map[] X=[0.5 1 2 -1 1 0] lambda=[2] y=[true false true]"},
	{lmSchema, "map[D:2 N:3] map[] X=[0.5 1 2 -1 1 0] lambda=[2] y=[true false true]"},
	{groupsSchema, "map[G:2 N:3] map[] g=[1 0 1] y=[1.5 2 0.5]"},
	{matrixSchema, "map[D:2 N:3] map[] X=[0.5 1 2 -1 1 0]"},
	{ldaSchema, "map[docs:3 topics:20 vocab:2] map[words:[3 0 1]] x=[0 0 1 1]"},
}

// TestDataExamples reads every block that is marked as data, by the ending of its file.
func TestDataExamples(t *testing.T) {
	text, err := os.ReadFile("data.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, part := range strings.Split(string(text), "\n```") {
		kind, block, _ := strings.Cut(part, "\n")
		if i%2 == 0 || !slices.Contains([]string{"json", "csv", "r", "mtx"}, kind) { // odd parts are inside fences
			continue
		}
		if n == len(dataExamples) {
			t.Fatalf("more blocks than the %d that the test knows", n)
		}
		x := dataExamples[n]
		n++
		path := filepath.Join(t.TempDir(), "X."+kind)
		if err := os.WriteFile(path, []byte(block+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		set, _, err := dataio.Load(x.schema, []string{path}, dataio.Options{})
		if err != nil {
			t.Errorf("block %d: %v", n, err)
			continue
		}
		got := fmt.Sprint(set.Sizes, set.Ragged)
		for _, f := range []string{"X", "g", "lambda", "x", "y"} {
			switch v := set.Values[f]; {
			case v == nil:
			case v.Real != nil:
				got += fmt.Sprintf(" %s=%v", f, v.Real)
			case v.Bool != nil:
				got += fmt.Sprintf(" %s=%v", f, v.Bool)
			default:
				got += fmt.Sprintf(" %s=%v", f, v.Cat)
			}
		}
		if got != x.want {
			t.Errorf("block %d: got %s, want %s", n, got, x.want)
		}
	}
	if n != len(dataExamples) {
		t.Errorf("%d blocks, want %d", n, len(dataExamples))
	}
}

// transformations are those of gibbsgen run, in the order in which it does them, with what each makes of the column 1, 2, 6 (for
// intercept, of the matrix of that column).
var transformations = []struct {
	name, does string
	kind       dataio.Kind
	want       string
}{
	{"standardise", "centres, and divides by the standard deviation", dataio.Real, "[-0.756 -0.378 1.134]"},
	{"unit", "centres, and divides by the Euclidean norm", dataio.Real, "[-0.535 -0.267 0.802]"},
	{"center", "subtracts the mean", dataio.Real, "[-2.000 -1.000 3.000]"},
	{"scale", "divides by the standard deviation, without centring", dataio.Real, "[0.378 0.756 2.268]"},
	{"binarise", "makes a number a `bool`: true above the median", dataio.Bool, "[false false true]"},
	{"intercept", "prepends a column of ones to a matrix", dataio.Real, "[1.000 1.000 1.000 2.000 1.000 6.000]"},
}

// TestTransformations: the table of data.md is the list above, and the reader does what it says.
func TestTransformations(t *testing.T) {
	table := "\n| flag | what it does |\n|---|---|\n"
	for _, x := range transformations {
		table += fmt.Sprintf("| `--%s=X` | %s |\n", x.name, x.does)
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte("x.1\n1\n2\n6\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		schema := dataio.Schema{Model: "m", Plates: []dataio.Plate{{Name: "N", Size: -1}, {Name: "D", Size: -1}},
			Fields: []dataio.Field{{Name: "x", Kind: x.kind, Dims: []string{"N", "D"}}}}
		set, _, err := dataio.Load(schema, []string{path}, dataio.Options{Transform: []string{x.name + ":x"}})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		got := fmt.Sprintf("%.3f", set.Values["x"].Real)
		if x.kind == dataio.Bool {
			got = fmt.Sprint(set.Values["x"].Bool)
		}
		if got != x.want {
			t.Errorf("%s: got %s, want %s", x.name, got, x.want)
		}
	}
	section(t, "data.md", "transformations", table)
}

// TestEndings: the page has what a data file beside the spec may end in.
func TestEndings(t *testing.T) {
	text, err := os.ReadFile("data.md")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range dataio.Endings() {
		names = append(names, "lm"+e)
	}
	last := len(names) - 1
	if want := "# the file beside the spec: " + strings.Join(names[:last], ", ") + " or " + names[last] + "\n"; !strings.Contains(string(text), want) {
		t.Errorf("data.md has no line that ends in %q", want)
	}
}
