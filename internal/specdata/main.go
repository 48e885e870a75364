// Command specdata writes the data beside specs that are not copies of what others published: simulated from the spec itself by
// its generated Simulate, or made of another spec's data. specs/README.md says which are which.
//
//	go run ./internal/specdata specs
package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gibbsgen/gibbsgen/generated/ar1"
	"github.com/gibbsgen/gibbsgen/generated/betabin"
	"github.com/gibbsgen/gibbsgen/generated/crossed"
	"github.com/gibbsgen/gibbsgen/generated/rats"
	"github.com/gibbsgen/gibbsgen/runtime"
)

// files is every file, with what makes its text from the directory of the specs. Of simulated data it also says what they were
// drawn from, as specs/README.md does.
var files = []struct {
	name string
	make func(specs string) (text []byte, truth string, err error)
}{
	{"ar1.csv", ar1CSV},
	{"betabin.csv", betabinCSV},
	{"crossed.csv", crossedCSV},
	{"hmm.csv", hmmCSV},
	{"ordinal.csv", ordinalCSV},
	{"rats.json", ratsJSON},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: specdata DIRECTORY-OF-SPECS")
		os.Exit(2)
	}
	for _, f := range files {
		text, _, err := f.make(os.Args[1])
		if err == nil {
			err = os.WriteFile(filepath.Join(os.Args[1], f.name), text, 0o644)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "specdata: %s: %v\n", f.name, err)
			os.Exit(1)
		}
	}
}

// Seeds of the simulations. The priors are vague, so they were chosen by hand, among the first dozen or so, for data that look
// ordinary: a stationary series, rates away from 0 and 1, rats that grow, groups as spread as their variance says. They
// illustrate, and are no test of a sampler.
const (
	ar1Seed     = 7
	betabinSeed = 5
	crossedSeed = 4
	ratsSeed    = 10
)

// ar1CSV is a series of 200.
func ar1CSV(string) ([]byte, string, error) {
	data := ar1.Data{Sizes: ar1.Sizes{T: 200}}
	data, st, err := ar1.Simulate(data, ar1.DefaultHyper(data.Sizes), runtime.NewRand(ar1Seed))
	if err != nil {
		return nil, "", err
	}
	rows := [][]string{{"y"}}
	for _, y := range data.Y {
		rows = append(rows, []string{decimals(y, 3)})
	}
	text, err := csvText(rows)
	return text, fmt.Sprintf("rho = %.2f, s2 = %.2f, r2 = %.2f", st.Rho, st.S2, st.R2), err
}

// betabinCSV is 40 groups of 5 to 44.
func betabinCSV(string) ([]byte, string, error) {
	const groups = 40
	data := betabin.Data{Sizes: betabin.Sizes{I: groups}}
	for i := range groups {
		data.N = append(data.N, 5+i*17%groups)
	}
	data, st, err := betabin.Simulate(data, betabin.DefaultHyper(data.Sizes), runtime.NewRand(betabinSeed))
	if err != nil {
		return nil, "", err
	}
	rows := [][]string{{"n", "y"}}
	for i := range groups {
		rows = append(rows, []string{strconv.Itoa(data.N[i]), strconv.Itoa(data.Y[i])})
	}
	text, err := csvText(rows)
	return text, fmt.Sprintf("a = %.2f, b = %.2f", st.A, st.B), err
}

// crossedCSV is an experiment of 12 batches crossed with 8 operators, every cell twice. Both go by names, so that nobody has to
// tell how many there are.
func crossedCSV(string) ([]byte, string, error) {
	const batches, operators, repeats = 12, 8, 2
	data := crossed.Data{Sizes: crossed.Sizes{N: batches * operators * repeats, J: batches, K: operators}}
	for n := range data.Sizes.N {
		data.G1 = append(data.G1, int32(n/repeats/operators))
		data.G2 = append(data.G2, int32(n/repeats%operators))
	}
	data, st, err := crossed.Simulate(data, crossed.DefaultHyper(data.Sizes), runtime.NewRand(crossedSeed))
	if err != nil {
		return nil, "", err
	}
	rows := [][]string{{"g1", "g2", "y"}}
	for n, y := range data.Y {
		rows = append(rows, []string{"batch" + strconv.Itoa(int(data.G1[n])+1), string(rune('A' + data.G2[n])), decimals(y, 2)})
	}
	text, err := csvText(rows)
	return text, fmt.Sprintf("m = %.2f, va = %.2f, vb = %.2f, s2 = %.2f", st.M, st.Va, st.Vb, st.S2), err
}

// ratsJSON is 30 rats weighed in 5 weeks, as in the classic data; x is the week less 3.
func ratsJSON(string) ([]byte, string, error) {
	data := rats.Data{Sizes: rats.Sizes{I: 30, T: 5}, X: []float64{-2, -1, 0, 1, 2}}
	data, st, err := rats.Simulate(data, rats.DefaultHyper(data.Sizes), runtime.NewRand(ratsSeed))
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	b.WriteString("{\n  \"x\": [-2, -1, 0, 1, 2],\n  \"y\": [\n")
	for i := range data.I {
		row := make([]json.Number, data.T)
		for t := range row {
			row[t] = json.Number(decimals(data.Y[i*data.T+t], 2))
		}
		text, err := json.Marshal(row)
		if err != nil {
			return nil, "", err
		}
		comma := ","
		if i == data.I-1 {
			comma = ""
		}
		fmt.Fprintf(&b, "    %s%s\n", text, comma)
	}
	b.WriteString("  ]\n}\n")
	return b.Bytes(), fmt.Sprintf("ma = %.2f, mb = %.2f, va = %.2f, vb = %.2f, s2 = %.2f", st.Ma, st.Mb, st.Va, st.Vb, st.S2), nil
}

// hmmCSV is the durations of the eruptions in dpmm.csv, in their order.
func hmmCSV(specs string) ([]byte, string, error) {
	rows, err := readCSV(filepath.Join(specs, "dpmm.csv"))
	if err != nil {
		return nil, "", err
	}
	for i := range rows {
		rows[i] = rows[i][:1]
	}
	rows[0] = []string{"x"}
	text, err := csvText(rows)
	return text, "", err
}

// ordinalCSV is lasso.csv with the response cut at 100, 150 and 200, in four ratings.
func ordinalCSV(specs string) ([]byte, string, error) {
	rows, err := readCSV(filepath.Join(specs, "lasso.csv"))
	if err != nil {
		return nil, "", err
	}
	for _, row := range rows[1:] {
		last := &row[len(row)-1]
		y, err := strconv.ParseFloat(*last, 64)
		if err != nil {
			return nil, "", err
		}
		rating := 1
		for _, cut := range []float64{100, 150, 200} {
			if y > cut {
				rating++
			}
		}
		*last = strconv.Itoa(rating)
	}
	text, err := csvText(rows)
	return text, "", err
}

func readCSV(path string) ([][]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return csv.NewReader(bytes.NewReader(text)).ReadAll()
}

func csvText(rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	err := w.WriteAll(rows)
	return b.Bytes(), err
}

// decimals rounds, so that a last bit that differs between processors does not show.
func decimals(x float64, n int) string { return strconv.FormatFloat(x, 'f', n, 64) }
