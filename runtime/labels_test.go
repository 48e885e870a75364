package runtime

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// components makes draws of a mixture of three components at centres[c], of chain c: a log joint, mu.1 to mu.3, pi.1 to pi.3 and a
// matrix L of two rows, the components numbered by order[c].
func components(centres [][3]float64, order [][3]int) (names []string, chains [][][]float64) {
	names = []string{"log_joint"}
	for k := range 3 {
		names = append(names, fmt.Sprintf("mu.%d", k+1))
	}
	for k := range 3 {
		names = append(names, fmt.Sprintf("L.1.%d", k+1), fmt.Sprintf("L.2.%d", k+1))
	}
	noise := lcgAR1(len(centres)*len(names), 500, 0.2)
	chains = make([][][]float64, len(centres))
	for c := range chains {
		chains[c] = make([][]float64, len(names))
		for i := range names {
			chains[c][i] = noise[c*len(names)+i]
		}
		for k := range 3 {
			to := order[c][k]
			for i := range chains[c][0] {
				chains[c][1+to][i] = 0.1*chains[c][1+to][i] + centres[c][k]
				chains[c][4+2*to][i] = 0.1*chains[c][4+2*to][i] + 3*centres[c][k]
				chains[c][5+2*to][i] = 0.1*chains[c][5+2*to][i] + 4*centres[c][k]
			}
		}
	}
	return names, chains
}

var mixtureLabels = Labels{"mu.K(3)", "L.*.K(3)", "z.*:K"}

func TestLabelSwitching(t *testing.T) {
	same := [][3]float64{{1, 3, 5}, {1, 3, 5}, {1, 3, 5}}
	orders := [][3]int{{0, 1, 2}, {2, 0, 1}, {1, 0, 2}}
	straight := [][3]int{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}
	modes := [][3]float64{{1, 3, 5}, {1, 3, 5}, {1, 2, 6}}
	verdictOf := func(centres [][3]float64, order [][3]int, labels Labels, columns int) ([]Row, string) {
		names, chains := components(centres, order)
		for c := range chains {
			chains[c] = chains[c][:columns]
		}
		rows, err := SummariseLabelled(names[:columns], chains, labels)
		if err != nil {
			t.Fatal(err)
		}
		return rows, strings.Join(Verdict(rows), "\n")
	}
	const praise = "nothing here speaks against"
	rows, text := verdictOf(same, orders, mixtureLabels, 10)
	if len(rows) != 16 || rows[10].Name != "sorted(mu).1" || rows[15].Name != "sorted(|L|).3" || !rows[1].Labelled || rows[0].Labelled || !rows[15].Sorted {
		t.Fatalf("rows %+v", rows)
	}
	for k, centre := range []float64{1, 3, 5} {
		if m, l := rows[10+k].Mean, rows[13+k].Mean; m < centre-0.05 || m > centre+0.05 || l < 5*centre-0.1 || l > 5*centre+0.1 {
			t.Errorf("sorted component %d: mean %v, norm %v, want about %v and %v", k+1, m, l, centre, 5*centre)
		}
	}
	for _, want := range []string{"Label switching:", "for mu, L,", "trust log_joint, sorted(mu), sorted(|L|).", "nothing else speaks against"} {
		if !strings.Contains(text, want) {
			t.Errorf("switched labels: want %q in\n%s", want, text)
		}
	}
	// Nothing to say where the chains number alike.
	if rows, text = verdictOf(same, straight, mixtureLabels, 10); len(rows) != 10 || strings.Contains(text, "abel") || !strings.Contains(text, praise) {
		t.Errorf("same labels: %d rows\n%s", len(rows), text)
	}
	// Different modes, renumbered on top, must not pass for label switching.
	_, text = verdictOf(modes, orders, mixtureLabels, 10)
	for _, want := range []string{"Worst R-hat", "not label switching alone", "(sorted(", "different modes"} {
		if !strings.Contains(text, want) {
			t.Errorf("different modes: want %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, praise) || strings.Contains(text, "Label switching:") {
		t.Errorf("different modes praised:\n%s", text)
	}
	// With a component missing only the log joint is left to judge by.
	rows, text = verdictOf(same, orders, Labels{"mu.K(3)"}, 3)
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Name == "sorted(mu).3" }) || !strings.Contains(text, "Label switching:") {
		t.Errorf("two of three components:\n%s", text)
	}
	// Without labels nothing is proved.
	if _, text = verdictOf(same, orders, nil, 10); !strings.Contains(text, "look for label switching") || strings.Contains(text, praise) {
		t.Errorf("no labels:\n%s", text)
	}
}

func TestLabelsOf(t *testing.T) {
	k, d := Dim{Plate: "K", Size: 3}, Dim{Plate: "D", Size: 2}
	s := shown{
		unknowns: []Unknown{
			{Name: "s2", Real: []float64{7}},
			{Name: "mu", Dims: []Dim{k}, Real: make([]float64, 3)},
			{Name: "L", Dims: []Dim{d, k}, Real: make([]float64, 6)},
			{Name: "A", Dims: []Dim{k, k}, Real: make([]float64, 9)},
			{Name: "z", Local: true, Dims: []Dim{{Plate: "N", Size: 4}}, Of: k, Cat: make([]int32, 4)},
			{Name: "u", Dims: []Dim{{Plate: "C", Size: 2, Unbounded: true}}, Real: []float64{10, 20}},
		},
		plates: []Exchangeable{{Plate: "K", Size: 3}, {Plate: "C", Size: 2}},
	}
	const want = "mu.K(3) L.*.K(3) A.K(3).K(3) z.*:K"
	l := LabelsOf(s)
	if l.String() != want || !slices.Equal(ParseLabels(want), l) {
		t.Errorf("labels %q, want %q", l, want)
	}
	for name, has := range map[string]bool{"mu.1": true, "mu": false, "mu.1.2": false, "L.1.3": true, "z.4": true, "s2": false, "muK.1": false} {
		if l.has(name) != has {
			t.Errorf("has(%s) = %v", name, !has)
		}
	}
	if LabelsOf(struct{ Sampler }{}) != nil {
		t.Error("labels of a sampler that shows nothing")
	}
}

// FuzzSummary: whatever a file says of its columns, a summary of it ends, and has a row for each column before those that are sorted.
func FuzzSummary(f *testing.F) {
	const rows = "1,2,3\n2,1,4\n-1,5,nan\n0,1,2\n"
	for _, seed := range []string{
		"# exchangeable = mu.K(2)\nlp__,mu.1,mu.2\n" + rows,
		"# exchangeable = mu.K(2) mu.K(3) mu.*.K(2) mu. . mu.K( mu.K) mu.K(-1) mu.K(99999999999) z.*:K :K\nlp__,mu.1,mu.2\n" + rows,
		"# exchangeable = S.K(1).K(2)\nlp__,S.1.1,S.1.2\n" + rows,
		"# exchangeable = S.*.K(2)\nlp__,S.1.1,S.2.2\n" + rows,
		"lp__,mu.0,mu.x\n" + rows,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		names, draws, meta, err := ReadCmdStan(strings.NewReader(text))
		if err != nil {
			return
		}
		labels := ParseLabels(meta["exchangeable"])
		for _, name := range names {
			v, _ := splitColumn(name)
			if label := FirstIndexLabel(names, v); label != "" {
				labels = append(labels, label)
			}
		}
		summed, err := SummariseLabelled(names, [][][]float64{draws, draws}, labels)
		if err != nil || len(summed) < len(names) {
			t.Fatalf("%d rows of %d columns: %v", len(summed), len(names), err)
		}
		Verdict(summed)
		// And as if the chains disagreed.
		labels.sorted(names, [][][]float64{draws, draws})
	})
}
