// This file tests that other programs make the same of a run's draws as we do: R's posterior of the CmdStan files, R's coda of what
// convert writes for it, and Python's xarray of the Zarr store.

package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gibbsgen/gibbsgen/runtime"
)

// readerNames are of columns that differ in what there is to say of them.
var readerNames = []string{"mu", "w.1", "w.2", "w.3", "S.1.1", "S.2.1", "S.1.2", "S.2.2"}

// writeReaderRun writes four chains of 250 draws: slow, apart, counted, heavy-tailed, far from 0 and tiny ones among them.
func writeReaderRun(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m-draws")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for chain := range 4 {
		r := rand.New(rand.NewPCG(9, uint64(chain)))
		w, err := runtime.CreateCmdStan(filepath.Join(dir, fmt.Sprintf("m-%d.csv", chain+1)), runtime.CmdStanHeader{
			Model: "m", Chain: chain, Options: runtime.Options{Draws: 250}, Labels: runtime.Labels{"w.K(3)"}})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Begin(readerNames); err != nil {
			t.Fatal(err)
		}
		slow := 0.0
		for range 250 {
			slow = 0.9*slow + r.NormFloat64()
			row := []float64{slow, r.NormFloat64() + float64(chain), float64(r.IntN(40)), math.Tan(1.5 * (2*r.Float64() - 1)),
				1e9 + r.NormFloat64(), 1e-9 * r.NormFloat64(), -0.6*slow + r.NormFloat64(), r.ExpFloat64()}
			if err := w.Draw(r.NormFloat64(), row); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// readerFigures are what the programs are asked for.
var readerFigures = map[string]func([][]float64) float64{
	"mean": func(x [][]float64) float64 { m, _ := moments(x); return m },
	"sd":   func(x [][]float64) float64 { _, s := moments(x); return s },
	"rhat": runtime.Rhat, "ess_bulk": runtime.ESSBulk, "ess_tail": runtime.ESSTail,
}

func moments(x [][]float64) (mean, sd float64) {
	rows, err := runtime.Summarise([]string{"x"}, chainsOf(x))
	if err != nil {
		return math.NaN(), math.NaN()
	}
	return rows[0].Mean, rows[0].SD
}

// chainsOf is chains × one name × draws.
func chainsOf(x [][]float64) [][][]float64 {
	out := make([][][]float64, len(x))
	for c := range x {
		out[c] = [][]float64{x[c]}
	}
	return out
}

// sameFigures fails the test for each disagreement.
func sameFigures(t *testing.T, out []byte, columns map[string][][]float64, figures int) {
	t.Helper()
	for _, d := range disagreements(string(out), columns, figures) {
		t.Error(d)
	}
}

// disagreements compares lines "name figure value", so many for each column, with ours: to a millionth of the value, or of the standard
// deviation where a mean is less than that.
func disagreements(out string, columns map[string][][]float64, figures int) (found []string) {
	say := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	seen := 0
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) != 3 || columns[f[0]] == nil || readerFigures[f[1]] == nil {
			say("%q is no figure of a column", line)
			continue
		}
		seen++
		x := columns[f[0]]
		want := readerFigures[f[1]](x)
		scale := math.Abs(want)
		if f[1] == "mean" {
			scale = max(scale, readerFigures["sd"](x))
		}
		if got, err := strconv.ParseFloat(f[2], 64); err != nil || !(math.Abs(got-want) <= 1e-6*scale) {
			say("%s of %s: %s, we say %.10g", f[1], f[0], f[2], want)
		}
	}
	if want := len(columns) * figures; seen != want {
		say("%d figures, want %d", seen, want)
	}
	return found
}

// printFigures is R that prints the figures of draws d.
const printFigures = `
s <- as.data.frame(summarise_draws(d, "mean", "sd", "rhat", "ess_bulk", "ess_tail"))
for (f in names(s)[-1]) cat(sprintf("%s %s %.17g\n", gsub("[]]", "", gsub("[[,]", ".", s$variable)), f, s[[f]]))
`

func TestReadersPosterior(t *testing.T) {
	rscript := program(t, "library(posterior)", []string{"Rscript", "-e"})
	dir := writeReaderRun(t)
	_, columns := readRun(t, dir)
	script := `suppressMessages(library(posterior))
chains <- lapply(sprintf("m-%d.csv", 1:4), function(f) as_draws_df(read.csv(f, comment.char = "#", check.names = FALSE)))
d <- do.call(bind_draws, c(chains, along = "chain"))
d <- subset_draws(d, variable = setdiff(variables(d), "lp__"))
stopifnot(nchains(d) == 4, niterations(d) == 250)` + printFigures
	sameFigures(t, runIn(t, dir, append(rscript, script)), columns, 5)
}

func TestReadersCoda(t *testing.T) {
	rscript := program(t, "library(posterior); library(coda)", []string{"Rscript", "-e"})
	dir := writeReaderRun(t)
	_, columns := readRun(t, dir)
	out := convertWith(t, codaFormat, dir, convertHold)
	script := `suppressMessages({library(posterior); library(coda)})
x <- mcmc.list(lapply(1:4, function(i) read.coda(sprintf("CODAchain%d.txt", i), "CODAindex.txt", quiet = TRUE)))
m <- summary(x)$statistics
cat(sprintf("%s mean %.17g\n", gsub("[]]", "", gsub("[[,]", ".", rownames(m))), m[, "Mean"]))
cat(sprintf("%s sd %.17g\n", gsub("[]]", "", gsub("[[,]", ".", rownames(m))), m[, "SD"]))
d <- as_draws_array(x)` + printFigures
	sameFigures(t, runIn(t, out, append(rscript, script)), columns, 7)
}

// readerPython computes the figures from the formulas of Vehtari et al. (2021), with autocovariances summed directly.
const readerPython = `
import math, sys, numpy, pandas, xarray
from statistics import NormalDist

def split(x):
    n = x.shape[1] // 2
    return numpy.concatenate([x[:, :n], x[:, x.shape[1] - n:]])

def scores(x):
    r = pandas.Series(x.ravel()).rank().values
    z = [NormalDist().inv_cdf((v - 3 / 8) / (x.size + 1 / 4)) for v in r]
    return numpy.array(z).reshape(x.shape)

def rhat(x):
    n = x.shape[1]
    w, b = x.var(axis=1, ddof=1).mean(), n * x.mean(axis=1).var(ddof=1)
    return math.sqrt(((n - 1) / n * w + b / n) / w)

def ess(x):
    n = x.shape[1]
    c = x - x.mean(axis=1, keepdims=True)
    acov = [(c[:, :n - t] * c[:, t:]).sum(axis=1).mean() / n for t in range(n)]
    w = acov[0] * n / (n - 1)
    plus = acov[0] + x.mean(axis=1).var(ddof=1)
    rho = [1.0] + [1 - (w - a) / plus for a in acov[1:]]
    least, tau, t = math.inf, -1.0, 0
    while t < n - 5 and rho[t] + rho[t + 1] > 0: # Geyer's initial monotone sequence
        least = min(least, rho[t] + rho[t + 1])
        tau += 2 * least
        t += 2
    tau += max(rho[t], 0)
    return x.size / max(tau, 1 / math.log10(x.size))

def tail(x, p):
    return ess(split((x <= numpy.quantile(x, p)).astype(float)))

for group in "posterior", "sample_stats":
    d = xarray.open_zarr(sys.argv[1], group=group, chunks=None)
    assert d.attrs["inference_library"] == "gibbsgen", d.attrs
    for name, v in d.data_vars.items():
        extra = list(v.dims[2:])
        mean, sd = v.mean(("chain", "draw")), v.std(("chain", "draw"), ddof=1)
        for at in numpy.ndindex(*v.shape[2:]):
            x = v.values[(slice(None), slice(None)) + at]
            full = "log_joint" if group == "sample_stats" else ".".join([name] + [str(i + 1) for i in at])
            r = max(rhat(scores(split(x))), rhat(scores(split(abs(x - numpy.median(x))))))
            figures = dict(mean=mean.values[at], sd=sd.values[at], rhat=r, ess_bulk=ess(scores(split(x))), ess_tail=min(tail(x, 0.05), tail(x, 0.95)))
            for f, value in figures.items():
                print(full, f, repr(float(value)))
`

func TestReadersXarray(t *testing.T) {
	python := program(t, "import xarray, zarr", []string{"python3", "-c"}, []string{"/usr/bin/python3", "-c"})
	dir := writeReaderRun(t)
	_, columns := readRun(t, dir)
	out := convertWith(t, zarrFormat, dir, 1000) // several chunks
	sameFigures(t, runIn(t, filepath.Dir(out), append(python, readerPython, "out")), columns, 5)
}

// TestReadersCatchPlantedFaults: a figure that is a little off, or none, or missing, is noticed.
func TestReadersCatchPlantedFaults(t *testing.T) {
	_, columns := readRun(t, writeReaderRun(t))
	for _, name := range []string{"mu", "w.2", "S.1.1"} {
		column := map[string][][]float64{name: columns[name]}
		ours := map[string]string{}
		for figure, of := range readerFigures {
			ours[figure] = fmt.Sprintf("%s %s %.17g\n", name, figure, of(columns[name]))
		}
		text := func() string { return strings.Join(slices.Collect(maps.Values(ours)), "") }
		if d := disagreements(text(), column, len(ours)); d != nil {
			t.Errorf("our own figures: %v", d)
		}
		for figure, line := range ours {
			v := readerFigures[figure](columns[name])
			off := 1.5e-6 * math.Abs(v)
			if figure == "mean" {
				off = max(off, 1.5e-6*readerFigures["sd"](columns[name]))
			}
			for _, fault := range []string{fmt.Sprintf("%s %s %.17g\n", name, figure, v+off), name + " " + figure + " NA\n", ""} {
				ours[figure] = fault
				if disagreements(text(), column, len(ours)) == nil {
					t.Errorf("%q in place of %q is missed", fault, line)
				}
			}
			ours[figure] = line
		}
	}
}
