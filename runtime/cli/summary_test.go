// This file tests the groups of columns in which a run reads its draws back.

package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

func TestGroupEnd(t *testing.T) {
	names := strings.Fields("log_joint mu.1 mu.2 mu.3 s x.1.1 x.2.1 x.1.2 x.2.2")
	for _, tt := range []struct {
		most int
		want []int
	}{
		{20, []int{9}}, {9, []int{9}}, {8, []int{5, 9}}, {4, []int{4, 5, 9}}, {3, []int{1, 4, 5, 8, 9}}, {1, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}},
	} {
		var got []int
		for at := 0; at < len(names); {
			at = groupEnd(names, at, tt.most)
			got = append(got, at)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("groups of at most %d end at %v, want %v", tt.most, got, tt.want)
		}
	}
}

// TestSummaryOfFiles: the table of a run is that of its files.
func TestSummaryOfFiles(t *testing.T) {
	defer func(room int) { summaryRoom = room }(summaryRoom)
	summaryRoom = 3000 // nine scalars
	inputs(t)
	m := fakeModel(func(f *fake) { f.width = 70 })
	code, out, stderr := run(m, "--draws=100", "--chains=3", "--out=d", "y.json")
	if code != OK {
		t.Fatal(stderr)
	}
	names := strings.Split("log_joint,"+strings.Join((&fake{width: 70}).Names(), ","), ",")
	var chains [][][]float64
	for _, chain := range []string{"d/fake-1.csv", "d/fake-2.csv", "d/fake-3.csv"} {
		_, draws, _, err := runtime.ReadCmdStan(strings.NewReader(read(t, chain)))
		if err != nil {
			t.Fatal(err)
		}
		chains = append(chains, draws[1:])
	}
	var want bytes.Buffer
	if err := WriteSummary(&want, names, chains, nil); err != nil {
		t.Fatal(err)
	}
	if out != want.String() {
		t.Errorf("the run prints\n%s\nand of its files\n%s", out, want.String())
	}
}
